/*
 * veu execution unit: the fast paths of DWORD_ATOMIC, TYPED_ATOMIC, SVM_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They find the words; atomic.c operates on them. An aligned word lies in one
 * page. Loops over 8 and 16 lanes become vector instructions; other lane
 * counts, and buffers in several extents, are handled lane by lane.
 */
#include <string.h>
#include <sys/param.h>
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/atomic.h"
#include "hw/veu/eu/message/fast_texels.h"

/* The permissions that the page of a word must have. */
#define BOTH (VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE)

/* Finds the words. Returns false to give up. */
typedef bool PlaceLanes(VeuThread *t, const VeuMessage *m, unsigned lanes,
                        VeuAtomicLanes *l, uint32_t *outside);

/*
 * Returns true if the words of a buffer may be read. @e is its one extent, or
 * NULL.
 */
VEU_CLONED bool is_readable(const VeuExtent *e)
{
    return !e || !e->write_only;
}

/*
 * Lanes of much memory are rarely in the cache. They are fetched all at once,
 * because an atomic operation waits for its own line, and the next one for it.
 */
static void fetch_lanes(const VeuAtomicLanes *l)
{
    VEU_FOR_EACH_LANE(lane, l->live) {
        __builtin_prefetch(l->at[lane], 1);
    }
}

/*
 * Marks the pages of the lanes, which are all in [host, host + bytes), as
 * dirty.
 */
static void note_lanes(VeuThread *t, const VeuExtent *e, uint8_t *host,
                       uint64_t bytes, const VeuAtomicLanes *l)
{
    if (bytes > VEU_SMALL_BYTES) {
        fetch_lanes(l);
    }
    if (!e || !e->noted ||
        (bytes <= VEU_SMALL_BYTES &&
         veu_mem_is_noted(t->mem, e, host, bytes))) {
        return;
    }
    VEU_FOR_EACH_LANE(lane, l->live) {
        veu_mem_note(t->mem, e, l->at[lane], 1);
    }
}

VEU_CLONED void set_places(VeuAtomicLanes *restrict l, uint8_t *host,
                           const uint32_t *restrict offsets, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        l->at[i] = host + offsets[i];
    }
}

/* --- Offsets in a buffer -------------------------------------------------- */

static bool place_offset(VeuThread *t, const VeuMessage *m, const VeuView *w,
                         unsigned lane, VeuAtomicLanes *l, uint32_t *outside)
{
    uint32_t offset = w->global + veu_lane_dword(t, &m->address, lane);

    if (offset % m->align_bytes) {
        return false;
    }
    if ((uint64_t)offset + m->element_bytes > w->bytes) {
        *outside |= 1u << lane;
        return true;
    }
    l->live |= 1u << lane;
    l->at[lane] = w->host ? veu_view_at(t, w, offset, m->element_bytes,
                                        VEU_ACCESS_WRITE) :
                            veu_mem_at_both(t->mem, w->base + offset,
                                            m->element_bytes);
    return l->at[lane];
}

static bool place_offsets_one_by_one(VeuThread *t, const VeuMessage *m,
                                     const VeuView *w, VeuAtomicLanes *l,
                                     uint32_t *outside)
{
    *outside = 0;
    l->live = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        if (!place_offset(t, m, w, lane, l, outside)) {
            return false;
        }
    }
    return true;
}

/*
 * Finds the words of a buffer in several pages. Returns false if one page is
 * not known.
 */
VEU_CLONED bool find_offset_pages(VeuThread *t, const VeuMessage *m,
                                  const VeuView *w, unsigned lanes,
                                  const uint32_t *offsets, VeuAtomicLanes *l)
{
    uint32_t copy[VEU_MAX_LANES]; /* @offsets stays in vector registers */
    const VeuPageOffsets of = {
        .base = w->base,
        .bytes = w->bytes,
        .offsets = copy,
        .access_bytes = m->element_bytes,
    };

    memcpy(copy, offsets, lanes * sizeof(copy[0]));
    return veu_page_offsets_find(t, &of, l->live, lanes, BOTH, l->at);
}

/*
 * Handles a buffer with at least one word, in one extent or in several pages.
 */
VEU_CLONED bool place_offsets_at_once(VeuThread *t, const VeuMessage *m,
                                      const VeuView *w, unsigned lanes,
                                      VeuAtomicLanes *l, uint32_t *outside)
{
    const VeuWord *offsets = (const VeuWord *)(t->registers +
                                               m->address.register_byte);
    VEU_ALIGNED_LANES uint32_t at[VEU_MAX_LANES];
    uint32_t last = MIN(w->bytes - m->element_bytes, UINT32_MAX);
    uint32_t global = w->global;
    uint32_t active = t->active;
    uint32_t low_bits = 0;
    uint32_t inside = 0;

    for (unsigned i = 0; i < lanes; i++) {
        uint32_t offset = global + offsets[i];
        uint32_t is_active = -(active >> i & 1);
        uint32_t is_in = -(uint32_t)(offset <= last) & is_active;

        low_bits |= offset & is_active;
        inside |= is_in & 1u << i;
        at[i] = offset & is_in;
    }
    l->live = inside;
    *outside = active & ~inside;
    if (low_bits % m->align_bytes) {
        return false;
    }
    if (!w->host) {
        return find_offset_pages(t, m, w, lanes, at, l);
    }
    set_places(l, w->host, at, lanes);
    return true;
}

VEU_CLONED bool place_offsets(VeuThread *t, const VeuMessage *m, unsigned lanes,
                              VeuAtomicLanes *l, uint32_t *outside)
{
    VeuView w;

    if (!veu_view_find(t, m, VEU_ACCESS_WRITE, &w) || !is_readable(w.extent) ||
        w.base % m->align_bytes) {
        return false;
    }
    if (lanes && w.bytes >= m->element_bytes &&
        place_offsets_at_once(t, m, &w, lanes, l, outside)) {
        note_lanes(t, w.extent, w.host, w.bytes, l);
        return true;
    }
    return place_offsets_one_by_one(t, m, &w, l, outside);
}

/* --- Texels --------------------------------------------------------------- */

/* Handles a surface in several pages. */
static bool place_texels_apart(VeuThread *t, const VeuPlaced *placed,
                               unsigned lanes, VeuAtomicLanes *l)
{
    if (veu_find_texel_pages(t, placed, lanes, BOTH, l->at)) {
        return true;
    }
    VEU_FOR_EACH_LANE(lane, placed->live) {
        l->at[lane] = veu_mem_at_both(t->mem,
                                      placed->surface->base +
                                          placed->offset[lane],
                                      placed->surface->format->bytes);
        if (!l->at[lane]) {
            return false;
        }
    }
    return true;
}

VEU_CLONED bool place_texels(VeuThread *t, const VeuMessage *m, unsigned lanes,
                             VeuAtomicLanes *l, uint32_t *outside)
{
    const VeuFormat *format;
    VeuPlaced placed;

    if (!veu_open_texels(t, m, VEU_ACCESS_WRITE, lanes, veu_place_texels,
                         &placed) ||
        !is_readable(placed.extent)) {
        return false;
    }
    format = placed.surface->format;
    if (!format->atomics || format->bytes != m->element_bytes) {
        return false;
    }
    l->live = placed.live;
    *outside = t->active & ~placed.live;
    if (!placed.extent) {
        return place_texels_apart(t, &placed, lanes, l);
    }
    set_places(l, placed.host, placed.offset, lanes);
    note_lanes(t, placed.extent, placed.host, placed.surface->bytes, l);
    return true;
}

/* --- Addresses ------------------------------------------------------------ */

static bool place_addresses_one_by_one(VeuThread *t, const VeuMessage *m,
                                       VeuAtomicLanes *l)
{
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t iova = veu_lane_qword(t, &m->address, lane);

        if (iova % m->align_bytes) {
            return false;
        }
        l->at[lane] = veu_mem_at_both(t->mem, iova, m->element_bytes);
        if (!l->at[lane]) {
            return false;
        }
    }
    return true;
}

typedef uint64_t Qword __attribute__((may_alias, aligned(1)));

/* Used if the extent that was found last does not have the first lane. */
VEU_CLONED bool place_addresses_in_pages(VeuThread *t, const VeuMessage *m,
                                         unsigned lanes, VeuAtomicLanes *l)
{
    uint64_t addresses[VEU_MAX_LANES];
    uint64_t low_bits = 0;

    memcpy(addresses, t->registers + m->address.register_byte,
           lanes * sizeof(addresses[0]));
    for (unsigned i = 0; i < lanes; i++) {
        low_bits |= addresses[i] & -(uint64_t)(t->active >> i & 1);
    }
    return low_bits % m->align_bytes == 0 &&
           veu_page_lanes_find(t, addresses, l->live, lanes, m->element_bytes,
                               BOTH, l->at);
}

/* Returns false if not all lanes are in the extent that was found last. */
VEU_CLONED bool place_addresses_at_once(VeuThread *t, const VeuMessage *m,
                                        unsigned lanes, VeuAtomicLanes *l)
{
    const VeuExtent *e = &t->mem->kept[1].last;
    const Qword *addresses = (const Qword *)(t->registers +
                                             m->address.register_byte);
    uint64_t last = e->bytes - m->element_bytes;
    uint64_t start = e->iova;
    uint64_t low = UINT64_MAX;
    uint64_t high = 0;
    uint64_t low_bits = 0;
    uint64_t places[VEU_MAX_LANES];

    for (unsigned i = 0; i < lanes; i++) {
        uint64_t is_active = -(uint64_t)(t->active >> i & 1);
        uint64_t at = (addresses[i] - start) & is_active;

        low_bits |= addresses[i] & is_active;
        low = MIN(low, at | ~is_active);
        high = MAX(high, at);
        places[i] = at;
    }
    if (e->bytes < m->element_bytes || high > last || e->write_only ||
        low_bits % m->align_bytes) {
        return false;
    }
    for (unsigned i = 0; i < lanes; i++) {
        l->at[i] = e->host + places[i];
    }
    note_lanes(t, e, e->host + low, high - low + m->element_bytes, l);
    return true;
}

VEU_CLONED bool place_addresses(VeuThread *t, const VeuMessage *m,
                                unsigned lanes, VeuAtomicLanes *l,
                                uint32_t *outside)
{
    l->live = t->active;
    *outside = 0;
    return (lanes && (place_addresses_at_once(t, m, lanes, l) ||
                      place_addresses_in_pages(t, m, lanes, l))) ||
           place_addresses_one_by_one(t, m, l);
}

/* --- Ways ----------------------------------------------------------------- */

/* The types of registers are checked only if they can cause a fault. */
VEU_CLONED bool perform(VeuThread *t, const VeuMessage *m, unsigned lanes,
                        PlaceLanes *place, uint32_t *moved_bytes)
{
    VeuAtomicLanes l;
    uint32_t outside;

    if (t->config->strict_types || !place(t, m, lanes, &l, &outside)) {
        return false;
    }
    *moved_bytes += veu_atomic_perform_lanes(t, m, &l, outside);
    return true;
}

/* @lanes is 0 for any number of lanes. */
VEU_CLONED bool offsets_8(VeuThread *t, const VeuMessage *m, uint32_t *moved)
{
    return perform(t, m, 8, place_offsets, moved);
}

VEU_CLONED bool offsets_16(VeuThread *t, const VeuMessage *m, uint32_t *moved)
{
    return perform(t, m, 16, place_offsets, moved);
}

VEU_CLONED bool offsets_any(VeuThread *t, const VeuMessage *m, uint32_t *moved)
{
    return perform(t, m, 0, place_offsets, moved);
}

VEU_CLONED bool perform_at_offsets(VeuThread *t, const VeuMessage *m)
{
    return m->lanes == 16 ? veu_fast_each(t, m, offsets_16) :
           m->lanes == 8  ? veu_fast_each(t, m, offsets_8) :
                            veu_fast_each(t, m, offsets_any);
}

VEU_CLONED bool texels_8(VeuThread *t, const VeuMessage *m, uint32_t *moved)
{
    return perform(t, m, 8, place_texels, moved);
}

VEU_CLONED bool texels_16(VeuThread *t, const VeuMessage *m, uint32_t *moved)
{
    return perform(t, m, 16, place_texels, moved);
}

VEU_CLONED bool perform_in_texels(VeuThread *t, const VeuMessage *m)
{
    return m->lanes == 16 ? veu_fast_each(t, m, texels_16) :
                            veu_fast_each(t, m, texels_8);
}

VEU_CLONED bool addresses_8(VeuThread *t, const VeuMessage *m, uint32_t *moved)
{
    return perform(t, m, 8, place_addresses, moved);
}

VEU_CLONED bool addresses_any(VeuThread *t, const VeuMessage *m,
                              uint32_t *moved)
{
    return perform(t, m, 0, place_addresses, moved);
}

VEU_CLONED bool perform_at_addresses(VeuThread *t, const VeuMessage *m)
{
    return m->lanes == 8 ? veu_fast_each(t, m, addresses_8) :
                           veu_fast_each(t, m, addresses_any);
}

VEU_FAST_LEVELS(offsets, offsets_scalar, offsets_avx2, offsets_avx512,
                perform_at_offsets(t, m));
VEU_FAST_LEVELS(texels, texels_scalar, texels_avx2, texels_avx512,
                perform_in_texels(t, m));
VEU_FAST_LEVELS(addresses, addresses_scalar, addresses_avx2, addresses_avx512,
                perform_at_addresses(t, m));

VeuFast *veu_fast_dword_atomic(const VeuMessage *m)
{
    return m->address.null ? NULL : offsets[veu_cpu];
}

VeuFast *veu_fast_typed_atomic(const VeuMessage *m)
{
    return texels[veu_cpu];
}

VeuFast *veu_fast_svm_atomic(const VeuMessage *m)
{
    return m->address.null ? NULL : addresses[veu_cpu];
}
