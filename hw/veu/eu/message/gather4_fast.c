/*
 * veu execution unit: the fast paths of GATHER4_SCALED, SCATTER4_SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each dword is in or out of bounds by itself, so a prefix of them is in.
 */
#include <string.h>
#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/fast_avx2.h"
#include "hw/veu/eu/message/fast_map.h"
#include "hw/veu/eu/message/fast_owords.h"
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/memory/guest_copy.h"

#define MAX_CHANNELS 4
#define DWORD_BYTES  4

static unsigned channels_inside(const VeuMessage *m, const VeuView *w,
                                uint32_t offset)
{
    uint64_t left = offset < w->bytes ? w->bytes - offset : 0;
    unsigned dwords = left < 16 ? left / DWORD_BYTES : MAX_CHANNELS;

    return m->channels & ((1u << dwords) - 1);
}

/*
 * The channels of each lane that are inside, and the place of R, even if R is
 * not enabled.
 */
typedef struct Placed {
    uint8_t inside[VEU_MAX_LANES];
    uint8_t *at[VEU_MAX_LANES];
} Placed;

/* False: give up. */
static bool place_lane(VeuThread *t, const VeuView *w, uint32_t offset,
                       enum veu_access access, unsigned inside, uint8_t **at)
{
    unsigned first = __builtin_ctz(inside) * DWORD_BYTES;
    unsigned end = (32 - __builtin_clz(inside)) * DWORD_BYTES;
    uint8_t *host = veu_view_at(t, w, (uint64_t)offset + first, end - first,
                                access);

    if (!host) {
        return false;
    }
    *at = host - first;
    return true;
}

static bool place_lanes(VeuThread *t, const VeuMessage *m,
                        enum veu_access access, Placed *placed)
{
    VeuView w;

    if (!veu_view_find(t, m, access, &w)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint32_t offset = w.global + veu_lane_dword(t, &m->address, lane);
        unsigned inside = channels_inside(m, &w, offset);

        placed->inside[lane] = inside;
        if (offset % DWORD_BYTES ||
            (inside &&
             !place_lane(t, &w, offset, access, inside, &placed->at[lane]))) {
            return false;
        }
    }
    return true;
}

/* Finds the registers of each channel for lane 0. */
static void channel_registers(const VeuThread *t, const VeuMessage *m,
                              uint8_t *registers[MAX_CHANNELS])
{
    uint8_t *next = t->registers + m->data.register_byte;

    VEU_FOR_EACH_LANE(c, m->channels) {
        registers[c] = next;
        next += m->channel_stride * DWORD_BYTES;
    }
}

static bool finish(VeuThread *t, const Placed *placed, uint32_t *moved_bytes)
{
    VEU_FOR_EACH_LANE(lane, t->active) {
        *moved_bytes += __builtin_popcount(placed->inside[lane]) * DWORD_BYTES;
    }
    return true;
}

static bool gather_one(VeuThread *t, const VeuMessage *m, uint32_t *moved_bytes)
{
    uint8_t *registers[MAX_CHANNELS];
    Placed placed;

    if (!place_lanes(t, m, VEU_ACCESS_READ, &placed)) {
        return false;
    }
    channel_registers(t, m, registers);
    VEU_FOR_EACH_LANE(lane, t->active) {
        VEU_FOR_EACH_LANE(c, m->channels) {
            uint32_t dword = 0;

            if (placed.inside[lane] & (1u << c)) {
                veu_guest_load(&dword, placed.at[lane] + c * DWORD_BYTES,
                               DWORD_BYTES);
            }
            memcpy(registers[c] + lane * DWORD_BYTES, &dword, DWORD_BYTES);
        }
    }
    return finish(t, &placed, moved_bytes);
}

/* Lanes are stored in order, so the highest one wins. */
static bool scatter_one(VeuThread *t, const VeuMessage *m,
                        uint32_t *moved_bytes)
{
    uint8_t *registers[MAX_CHANNELS];
    Placed placed;

    if (!place_lanes(t, m, VEU_ACCESS_WRITE, &placed)) {
        return false;
    }
    channel_registers(t, m, registers);
    VEU_FOR_EACH_LANE(lane, t->active) {
        VEU_FOR_EACH_LANE(c, placed.inside[lane]) {
            veu_guest_store(placed.at[lane] + c * DWORD_BYTES,
                            registers[c] + lane * DWORD_BYTES, DWORD_BYTES);
        }
    }
    return finish(t, &placed, moved_bytes);
}

static bool gather4_lanes(VeuThread *t, const VeuMessage *m)
{
    return veu_fast_each(t, m, gather_one);
}

static bool scatter4_lanes(VeuThread *t, const VeuMessage *m)
{
    return veu_fast_each(t, m, scatter_one);
}

#ifdef VEU_HAS_AVX2

VEU_AVX2 bool has_one_channel(const VeuMessage *m)
{
    return !(m->channels & (m->channels - 1));
}

VEU_AVX2 bool has_all_channels(const VeuMessage *m)
{
    return m->channels == (1u << MAX_CHANNELS) - 1;
}

VEU_AVX2 unsigned first_channel(const VeuMessage *m)
{
    return __builtin_ctz(m->channels);
}

VEU_AVX2 unsigned last_channel(const VeuMessage *m)
{
    return 31 - __builtin_clz(m->channels);
}

/* The bytes of a lane from its first channel to its last. */
VEU_AVX2 unsigned span_bytes(const VeuMessage *m)
{
    return (last_channel(m) + 1 - first_channel(m)) * DWORD_BYTES;
}

/* Offsets of groups of lanes, and the enabled lanes. */
typedef struct Groups {
    VeuView view;
    __m256i offset[2];
    __m256i on[2];
    /* The lanes whose channels are all inside, and a bit for each of them. */
    __m256i in[2];
    uint32_t bits;
} Groups;

/*
 * Computes the offsets in g->view. Returns false if a lane is not aligned, or
 * if the buffer is not a common one.
 */
VEU_AVX2 bool open_groups(VeuThread *t, const VeuMessage *m, unsigned lanes,
                          Groups *g)
{
    const uint8_t *offsets = t->registers + m->address.register_byte;
    __m256i all = _mm256_setzero_si256();

    if ((!g->view.host && !t->mem->host_pages) ||
        g->view.bytes < MAX_CHANNELS * DWORD_BYTES ||
        (g->view.host ? (uintptr_t)g->view.host : g->view.base) % DWORD_BYTES) {
        return false;
    }
    for (unsigned i = 0; i < lanes / 8; i++) {
        g->on[i] = veu_group_of(t->active >> (i * 8));
        g->offset[i] = _mm256_add_epi32(_mm256_set1_epi32(g->view.global),
                                        veu_load_group(offsets + i * 32));
        all = _mm256_or_si256(all, _mm256_and_si256(g->offset[i], g->on[i]));
    }
    return _mm256_testz_si256(all, _mm256_set1_epi32(DWORD_BYTES - 1));
}

/* All ones in lanes of group @i whose channel @c is inside. */
VEU_AVX2 __m256i channel_inside(const Groups *g, unsigned i, unsigned c)
{
    uint64_t last = g->view.bytes - (c + 1) * DWORD_BYTES;

    last = last < UINT32_MAX ? last : UINT32_MAX;
    return _mm256_and_si256(
        g->on[i], veu_group_at_most(g->offset[i], _mm256_set1_epi32(last)));
}

/*
 * Finds the lanes whose channels are all inside, and the places of their first
 * channels. Returns false if another lane has some channels inside, or if one
 * crosses a page.
 */
VEU_AVX2 bool target_lanes(const VeuMessage *m, Groups *g, unsigned lanes,
                           VeuTargets *to)
{
    unsigned first = first_channel(m);
    unsigned last = last_channel(m);
    __m256i host = _mm256_set1_epi64x((uintptr_t)g->view.host +
                                      first * DWORD_BYTES);
    __m256i bad = _mm256_setzero_si256();

    g->bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i in = channel_inside(g, i, last);

        bad = _mm256_or_si256(bad, _mm256_xor_si256(in, channel_inside(g, i,
                                                                       first)));
        g->in[i] = in;
        g->bits |= veu_bits_of(in) << (i * 8);
        for (unsigned half = 0; half < 2; half++) {
            __m256i at = _mm256_add_epi64(
                host, _mm256_cvtepu32_epi64(veu_half_of(g->offset[i], half)));

            __m256i on = _mm256_cvtepi32_epi64(veu_half_of(in, half));

            veu_targets_set(to, i * 8 + half * 4, at, on);
            bad = _mm256_or_si256(
                bad, _mm256_and_si256(on, veu_crosses_page(at, span_bytes(m))));
        }
    }
    return _mm256_testz_si256(bad, bad);
}

/*
 * Finds the lanes of g->in in a buffer in several pages, and marks the pages
 * that they write as dirty. Returns false if a lane's page is not known.
 */
VEU_AVX2 bool find_in_pages(VeuThread *t, const VeuMessage *m,
                            enum veu_access access, const Groups *g,
                            unsigned lanes, VeuTargets *to)
{
    unsigned first = first_channel(m) * DWORD_BYTES;
    VeuPageAccess a = veu_page_access(t, access, span_bytes(m),
                                      DWORD_BYTES - 1);
    VeuPageBuffer b;

    veu_page_buffer_open(&a, g->view.base + first, g->view.bytes - first, &b);
    b.map = veu_mem_find_map(t->mem, g->view.base, g->view.bytes, a.needs);
    b.map_first = first;
    return veu_pages_place_offsets(&b, g->offset, g->in, lanes, to) &&
           veu_page_buffer_note(t, &b, g->bits, lanes, to);
}

/*
 * Like target_lanes(), for a buffer in several pages; marks those that are
 * written. Returns false if a lane's page is not known.
 */
VEU_AVX2 bool page_lanes(VeuThread *t, const VeuMessage *m,
                         enum veu_access access, Groups *g, unsigned lanes,
                         VeuTargets *to)
{
    unsigned first = first_channel(m);
    unsigned last = last_channel(m);
    __m256i some = _mm256_setzero_si256();

    g->bits = 0;
    for (unsigned i = 0; i < lanes / 8; i++) {
        g->in[i] = channel_inside(g, i, last);
        some = _mm256_or_si256(
            some, _mm256_xor_si256(g->in[i], channel_inside(g, i, first)));
        g->bits |= veu_bits_of(g->in[i]) << (i * 8);
    }
    return _mm256_testz_si256(some, some) &&
           find_in_pages(t, m, access, g, lanes, to);
}

/* --- Lanes with one channel, in a row ------------------------------------- */

/*
 * Returns true, with the offset in @first, if all lanes run and access
 * consecutive memory that is inside, as in most messages of kernels: these do
 * without groups. A vector that is not aligned is accessed in parts, but no
 * dword is split.
 */
VEU_AVX2 bool is_row(const VeuThread *t, const VeuMessage *m,
                     const VeuView *view, unsigned lanes, uint64_t *first)
{
    const uint8_t *offsets = t->registers + m->address.register_byte;
    __m256i lane = veu_load_group(offsets);
    uint32_t low = _mm_cvtsi128_si32(_mm256_castsi256_si128(lane));
    __m256i row = _mm256_add_epi32(
        _mm256_set1_epi32(low), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    __m256i bad = _mm256_xor_si256(row, lane);

    low += view->global;
    if (!has_one_channel(m) || t->active != m->all_lanes || !view->host ||
        ((uintptr_t)view->host | low) % DWORD_BYTES) {
        return false;
    }
    for (unsigned i = 1; i < lanes / 8; i++) {
        row = _mm256_add_epi32(row, _mm256_set1_epi32(32));
        lane = veu_load_group(offsets + i * 32);
        bad = _mm256_or_si256(bad, _mm256_xor_si256(row, lane));
    }
    *first = (uint64_t)low + first_channel(m) * DWORD_BYTES;
    return _mm256_testz_si256(bad, bad) &&
           low <= UINT32_MAX - lanes * DWORD_BYTES &&
           *first + lanes * DWORD_BYTES <= view->bytes;
}

VEU_AVX2 void copy_row(uint8_t *to, const uint8_t *from, unsigned lanes)
{
    for (unsigned i = 0; i < lanes / 8; i++) {
        _mm256_storeu_si256((__m256i *)(to + i * 32),
                            veu_load_group(from + i * 32));
    }
}

/* --- Lanes with all channels, in 16 bytes ------------------------------- */

/* Each is one access (guest_copy.h). */
VEU_AVX2 bool are_owords(const VeuMessage *m, unsigned lanes,
                         const VeuTargets *to)
{
    __m256i all = _mm256_setzero_si256();

    for (unsigned i = 0; i < lanes; i += 4) {
        all = _mm256_or_si256(all, *(const __m256i *)(to->at + i));
    }
    return has_all_channels(m) &&
           _mm256_testz_si256(all, _mm256_set1_epi64x(15));
}

/* Transposes channels by lane and lanes by channel, for 4 lanes. */
VEU_AVX2 void transpose(__m128i v[4])
{
    __m128i low_01 = _mm_unpacklo_epi32(v[0], v[1]);
    __m128i low_23 = _mm_unpacklo_epi32(v[2], v[3]);
    __m128i high_01 = _mm_unpackhi_epi32(v[0], v[1]);
    __m128i high_23 = _mm_unpackhi_epi32(v[2], v[3]);

    v[0] = _mm_unpacklo_epi64(low_01, low_23);
    v[1] = _mm_unpackhi_epi64(low_01, low_23);
    v[2] = _mm_unpacklo_epi64(high_01, high_23);
    v[3] = _mm_unpackhi_epi64(high_01, high_23);
}

VEU_AVX2 void store_owords(const VeuThread *t, const VeuMessage *m,
                           unsigned lanes, const VeuTargets *to)
{
    const uint8_t *from = t->registers + m->data.register_byte;

    for (unsigned i = 0; i < lanes; i += 8) {
        veu_store_oword_lanes(from + i * DWORD_BYTES,
                              m->channel_stride * DWORD_BYTES, to->at + i);
    }
}

/* Lanes that are out of bounds read the sink. */
VEU_AVX2 void load_owords(const VeuThread *t, const VeuMessage *m,
                          const Groups *g, unsigned lanes, VeuTargets *to)
{
    uint8_t *registers[MAX_CHANNELS];
    __m128i v[4];

    channel_registers(t, m, registers);
    memset(to->sink, 0, sizeof(v[0]));
    VEU_UNROLL
    for (unsigned lane = 0; lane < lanes; lane += 4) {
        __m128i on = veu_half_of(g->on[lane / 8], lane / 4 % 2);

        VEU_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            veu_guest_load_oword(&v[i], (void *)to->at[lane + i]);
        }
        transpose(v);
        VEU_UNROLL
        for (unsigned c = 0; c < MAX_CHANNELS; c++) {
            __m128i *at = (__m128i *)(registers[c] + lane * DWORD_BYTES);

            _mm_storeu_si128(at,
                             _mm_blendv_epi8(_mm_loadu_si128(at), v[c], on));
        }
    }
}

/* --- Ways ----------------------------------------------------------------- */

VEU_AVX2 void gather_channels(VeuThread *t, const VeuMessage *m,
                              const Groups *g, unsigned lanes,
                              uint32_t *moved_bytes)
{
    const __m256i sign = _mm256_set1_epi32(VEU_SIGN_BIT);
    uint8_t *to = t->registers + m->data.register_byte;
    uint32_t moved = 0;

    VEU_FOR_EACH_LANE(c, m->channels) {
        for (unsigned i = 0; i < lanes / 8; i++) {
            __m256i inside = channel_inside(g, i, c);
            __m256i value = _mm256_mask_i32gather_epi32(
                _mm256_setzero_si256(),
                (const int *)veu_signed_base(g->view.host + c * DWORD_BYTES),
                _mm256_xor_si256(g->offset[i], sign), inside, 1);

            veu_store_group(to + i * 32, value, g->on[i]);
            moved += __builtin_popcount(veu_bits_of(inside));
        }
        to += m->channel_stride * DWORD_BYTES;
    }
    *moved_bytes += moved * DWORD_BYTES;
}

/* The bytes moved by lanes whose channels are all inside. */
VEU_AVX2 uint32_t bytes_of(const VeuMessage *m, uint32_t bits)
{
    return __builtin_popcount(bits) * __builtin_popcount(m->channels) *
           DWORD_BYTES;
}

VEU_AVX2 bool gather_pages(VeuThread *t, const VeuMessage *m, Groups *g,
                           unsigned lanes, uint32_t *moved_bytes)
{
    uint8_t *registers[MAX_CHANNELS];
    VeuTargets from;

    if (!page_lanes(t, m, VEU_ACCESS_READ, g, lanes, &from)) {
        return gather_one(t, m, moved_bytes);
    }
    if (are_owords(m, lanes, &from)) {
        load_owords(t, m, g, lanes, &from);
    } else {
        memset(from.sink, 0, MAX_CHANNELS * DWORD_BYTES);
        channel_registers(t, m, registers);
        VEU_FOR_EACH_LANE(c, m->channels) {
            veu_targets_load(registers[c], &from,
                             (c - first_channel(m)) * DWORD_BYTES, DWORD_BYTES,
                             t->active, lanes, 0);
        }
    }
    *moved_bytes += bytes_of(m, g->bits);
    return true;
}

VEU_AVX2 bool gather_groups(VeuThread *t, const VeuMessage *m, unsigned lanes,
                            uint32_t *moved_bytes)
{
    uint64_t first;
    VeuTargets from;
    Groups g;

    if (!veu_view_find(t, m, VEU_ACCESS_READ, &g.view)) {
        return false;
    }
    if (is_row(t, m, &g.view, lanes, &first)) {
        copy_row(t->registers + m->data.register_byte, g.view.host + first,
                 lanes);
        *moved_bytes += lanes * DWORD_BYTES;
        return true;
    }
    if (!open_groups(t, m, lanes, &g)) {
        return gather_one(t, m, moved_bytes);
    }
    if (!g.view.host) {
        return gather_pages(t, m, &g, lanes, moved_bytes);
    }
    if (has_all_channels(m) && target_lanes(m, &g, lanes, &from) &&
        are_owords(m, lanes, &from)) {
        load_owords(t, m, &g, lanes, &from);
        *moved_bytes += bytes_of(m, g.bits);
    } else {
        gather_channels(t, m, &g, lanes, moved_bytes);
    }
    return true;
}

/* Lane by lane, because lanes may overlap in different channels. */
VEU_AVX2 void store_channels(const VeuThread *t, const VeuMessage *m,
                             unsigned lanes, const VeuTargets *to)
{
    unsigned first = first_channel(m);
    uint8_t *from[MAX_CHANNELS];

    channel_registers(t, m, from);
    for (unsigned lane = 0; lane < lanes; lane++) {
        VEU_FOR_EACH_LANE(c, m->channels) {
            uint32_t dword;

            memcpy(&dword, from[c] + lane * DWORD_BYTES, sizeof(dword));
            __atomic_store_n((uint32_t *)(to->at[lane] +
                                          (c - first) * DWORD_BYTES),
                             dword, __ATOMIC_RELAXED);
        }
    }
}

VEU_AVX2 void store_targets(const VeuThread *t, const VeuMessage *m,
                            unsigned lanes, const VeuTargets *to)
{
    if (has_one_channel(m)) {
        veu_targets_store(to, t->registers + m->data.register_byte, 0,
                          DWORD_BYTES, lanes);
    } else if (are_owords(m, lanes, to)) {
        store_owords(t, m, lanes, to);
    } else {
        store_channels(t, m, lanes, to);
    }
}

VEU_AVX2 bool scatter_groups(VeuThread *t, const VeuMessage *m, unsigned lanes,
                             uint32_t *moved_bytes)
{
    uint64_t first;
    VeuTargets to;
    Groups g;

    if (!veu_view_find(t, m, VEU_ACCESS_WRITE, &g.view)) {
        return false;
    }
    if (is_row(t, m, &g.view, lanes, &first)) {
        copy_row(veu_view_at(t, &g.view, first, lanes * DWORD_BYTES,
                             VEU_ACCESS_WRITE),
                 t->registers + m->data.register_byte, lanes);
        *moved_bytes += lanes * DWORD_BYTES;
        return true;
    }
    if (!open_groups(t, m, lanes, &g)) {
        return scatter_one(t, m, moved_bytes);
    }
    if (!(g.view.host ? target_lanes(m, &g, lanes, &to) :
                        page_lanes(t, m, VEU_ACCESS_WRITE, &g, lanes, &to))) {
        return scatter_one(t, m, moved_bytes);
    }
    if (g.view.host) {
        veu_targets_note_view(t, &g.view, g.bits, lanes, &to);
    }
    store_targets(t, m, lanes, &to);
    *moved_bytes += bytes_of(m, g.bits);
    return true;
}

VEU_AVX2 bool gather_8(VeuThread *t, const VeuMessage *m, uint32_t *moved_bytes)
{
    return gather_groups(t, m, 8, moved_bytes);
}

VEU_AVX2 bool gather_16(VeuThread *t, const VeuMessage *m,
                        uint32_t *moved_bytes)
{
    return gather_groups(t, m, 16, moved_bytes);
}

/*
 * Executes messages of owords. Returns true if @f->m is to be executed by
 * scatter_groups(), or false if the messages before it are complete.
 */
VEU_AVX2 bool scatter_some(VeuThread *t, VeuFollow *f, unsigned lanes,
                           uint32_t *moved_bytes)
{
    VeuView view;

    return !has_all_channels(f->m) ||
           !veu_view_find_cached(t, f->m, VEU_ACCESS_WRITE, &view) ||
           !veu_suits_owords(&view) ||
           veu_scatter_owords(t, f, &view, lanes, moved_bytes);
}

/* Executes a message, and those that follow it. */
VEU_AVX2 bool scatter_each(VeuThread *t, const VeuMessage *m, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    uint32_t moved_bytes = 0;

    do {
        if (scatter_some(t, &f, lanes, &moved_bytes)) {
            if (!scatter_groups(t, f.m, lanes, &moved_bytes)) {
                break;
            }
            f.m++;
        }
    } while (veu_follow_is_next(&f));
    return veu_follow_finish(t, m, f.m, moved_bytes);
}

VEU_TARGET_AVX2 static bool gather4_avx2(VeuThread *t, const VeuMessage *m)
{
    return m->lanes == 16 ? veu_fast_each(t, m, gather_16) :
           m->lanes == 8  ? veu_fast_each(t, m, gather_8) :
                            gather4_lanes(t, m);
}

VEU_TARGET_AVX2 static bool scatter4_avx2(VeuThread *t, const VeuMessage *m)
{
    return m->lanes == 16 ? scatter_each(t, m, 16) :
           m->lanes == 8  ? scatter_each(t, m, 8) :
                            scatter4_lanes(t, m);
}

#endif

static VeuFastTable gathers = {
    [VEU_CPU_SCALAR] = gather4_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = gather4_avx2,
#endif
};

static VeuFastTable scatters = {
    [VEU_CPU_SCALAR] = scatter4_lanes,
#ifdef VEU_HAS_AVX2
    [VEU_CPU_AVX2] = scatter4_avx2,
#endif
};

VeuFast *veu_fast_gather4(const VeuMessage *m)
{
    return veu_fast_pick(gathers, m);
}

VeuFast *veu_fast_scatter4(const VeuMessage *m)
{
    return veu_fast_pick(scatters, m);
}
