/*
 * veu execution unit: the fast paths of SCATTER, SCATTER_SCALED, QW_SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/fast_avx512_scatter.h"
#include "hw/veu/eu/message/fast_elements.h"
#include "hw/veu/eu/message/fast_map.h"
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/memory/guest_copy.h"

static bool scatter_lanes(VeuThread *t, const VeuMessage *m)
{
    const uint8_t *from = t->registers + m->data.register_byte;
    unsigned lane_bytes = veu_element_lane_bytes(m);
    uint8_t *at[VEU_MAX_LANES];
    uint32_t inside;
    VeuElements e;

    if (!veu_elements_find(t, m, VEU_ACCESS_WRITE, &e) ||
        !veu_elements_place(t, m, &e, VEU_ACCESS_WRITE, at, &inside)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, inside) {
        veu_guest_store(at[lane], from + lane * lane_bytes, m->element_bytes);
    }
    t->moved_bytes = __builtin_popcount(inside) * m->element_bytes;
    return true;
}

#ifdef VEU_HAS_AVX2

/*
 * Handles a message to a buffer in one extent. Returns false if nothing was
 * done.
 */
VEU_AVX2 bool scatter_in_view(VeuThread *t, const VeuMessage *m,
                              const VeuElements *e, unsigned lanes,
                              VeuTargets *to, uint32_t *bits)
{
    if (!veu_elements_place_groups(t, m, e, lanes, to, bits)) {
        return false;
    }
    veu_targets_note_view(t, &e->view, *bits, lanes, to);
    return true;
}

/*
 * Executes a message, and those that follow it. @pages: for a buffer in several
 * pages; otherwise NULL.
 */
VEU_AVX2 bool scatter_each(VeuThread *t, const VeuMessage *m, VeuElements e,
                           const VeuPageBuffer *pages, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    unsigned moved = 0;
    uint32_t bits;
    VeuTargets to;

    do {
        if (!(pages ? veu_pages_place_elements(t, f.m, &e, pages, lanes, &to,
                                               &bits) :
                      scatter_in_view(t, f.m, &e, lanes, &to, &bits))) {
            break;
        }
        veu_targets_store(&to, t->registers + f.m->data.register_byte, 0,
                          m->element_bytes, lanes);
        moved += veu_lane_count(bits);
    } while (veu_follow_next(&f) &&
             veu_elements_continue(t, m, f.m, pages, VEU_ACCESS_WRITE, &e));
    return veu_elements_finish(t, m, f.m, moved) || scatter_lanes(t, m);
}

/* Like scatter_each(), for a buffer that has a map. */
VEU_AVX2 bool scatter_mapped(VeuThread *t, const VeuMessage *m, VeuElements e,
                             const VeuPageMap *map, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    VeuMapLanes to;
    unsigned moved = 0;
    uint32_t bits;

    veu_map_open(t, map, m->element_bytes, lanes, &to);
    while (veu_map_place_elements(t, f.m, &e, lanes, &to, &bits)) {
        veu_map_store(&to, t->registers + f.m->data.register_byte, 0,
                      m->element_bytes, lanes);
        moved += veu_lane_count(bits);
        if (!veu_follow_closely(&f)) {
            break;
        }
    }
    return veu_elements_finish(t, m, f.m, moved) || scatter_lanes(t, m);
}

/* Executes a message to @e, a buffer that need not be in one extent. */
VEU_AVX2 bool scatter_to(VeuThread *t, const VeuMessage *m, VeuElements e,
                         unsigned lanes)
{
    VeuPageBuffer pages;
    VeuPageMap *map;

    if (veu_elements_suit_groups(&e, m, m->element_bytes)) {
        return scatter_each(t, m, e, NULL, lanes);
    }
    if (!veu_elements_suit_pages(t, &e)) {
        return scatter_lanes(t, m);
    }
    map = veu_mem_find_map(t->mem, e.view.base, e.view.bytes,
                           VEU_HOST_PAGE_WRITE);
    if (map && veu_mem_map_is_dirty(t->mem, map)) {
        return scatter_mapped(t, m, e, map, lanes);
    }
    veu_pages_open_elements(t, m, &e, VEU_ACCESS_WRITE, map, &pages);
    return scatter_each(t, m, e, &pages, lanes);
}

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    VeuElements e;

    return veu_elements_find(t, m, VEU_ACCESS_WRITE, &e) &&
           scatter_to(t, m, e, lanes);
}

VEU_TARGET_AVX2 static bool scatter_avx2(VeuThread *t, const VeuMessage *m)
{
    return VEU_FOR_LANES(t, m, scatter_lanes(t, m), scatter_groups);
}

VEU_AVX512 bool avx512_scatter_lanes(VeuThread *t, const VeuMessage *m,
                                     unsigned lanes, unsigned bytes)
{
    VeuElements e;

    if (!veu_elements_find(t, m, VEU_ACCESS_WRITE, &e)) {
        return false;
    }
    return (veu_elements_suit_groups(&e, m, bytes) && e.view.extent &&
            e.view.extent->noted &&
            veu_avx512_scatter(t, m, e, lanes, bytes)) ||
           scatter_to(t, m, e, lanes);
}

/* Elements of @bytes. */
VEU_AVX512 bool avx512_scatter(VeuThread *t, const VeuMessage *m,
                               unsigned bytes)
{
    return VEU_FOR_LANES(t, m, scatter_lanes(t, m), avx512_scatter_lanes,
                         bytes);
}

VEU_TARGET_AVX512 static bool scatter_dwords_avx512(VeuThread *t,
                                                    const VeuMessage *m)
{
    return avx512_scatter(t, m, 4);
}

VEU_TARGET_AVX512 static bool scatter_qwords_avx512(VeuThread *t,
                                                    const VeuMessage *m)
{
    return avx512_scatter(t, m, 8);
}

#endif

static VeuFastTable scatters = {
    [VEU_CPU_SCALAR] = scatter_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_avx2,
#endif
};

static VeuFastTable dword_scatters = {
    [VEU_CPU_SCALAR] = scatter_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_avx2,
    [VEU_CPU_AVX512] = scatter_dwords_avx512,
#endif
};

static VeuFastTable qword_scatters = {
    [VEU_CPU_SCALAR] = scatter_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter_avx2,
    [VEU_CPU_AVX512] = scatter_qwords_avx512,
#endif
};

VeuFast *veu_fast_scatter(const VeuMessage *m)
{
    return veu_fast_pick(m->element_bytes == 8 ? qword_scatters :
                         m->element_bytes == 4 ? dword_scatters :
                                                 scatters,
                         m);
}
