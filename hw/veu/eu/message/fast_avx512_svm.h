/*
 * veu execution unit: dwords at 16 addresses, in AVX-512 registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's scatter stores lanes in ascending order, so the highest one wins.
 */
#ifndef VEU_EU_FAST_AVX512_SVM_H
#define VEU_EU_FAST_AVX512_SVM_H

#include "hw/veu/eu/message/fast_avx512.h"

#ifdef VEU_HAS_AVX2

/*
 * The offsets of lanes from the start of @e, 0 for those that do not run.
 * Returns false if a lane is outside @e or not aligned.
 */
VEU_AVX512 bool veu_avx512_within(const VeuThread *t, const VeuMessage *m,
                                  const VeuExtent *e, __m512i at[2])
{
    const uint8_t *addresses = t->registers + m->address.register_byte;
    uint64_t low_bits = m->align_bytes - 1;
    __m512i start = _mm512_set1_epi64(e->iova);

    if (e->bytes < 4 || low_bits < 3 || (e->iova & low_bits) ||
        ((uintptr_t)e->host & 3)) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        at[i] = _mm512_maskz_sub_epi64(t->active >> (i * 8),
                                       _mm512_loadu_si512(addresses + i * 64),
                                       start);
    }
    return !(_mm512_cmpgt_epu64_mask(_mm512_max_epu64(at[0], at[1]),
                                     _mm512_set1_epi64(e->bytes - 4)) |
             _mm512_test_epi64_mask(_mm512_or_si512(at[0], at[1]),
                                    _mm512_set1_epi64(low_bits)));
}

/* Makes the first running lane's extent the one that was found last. */
static inline bool veu_avx512_look(VeuThread *t, const VeuMessage *m,
                                   enum veu_access access)
{
    uint64_t first = veu_lane_qword(t, &m->address, __builtin_ctz(t->active));

    return veu_mem_find(t->mem, first, 4, access);
}

VEU_AVX512 void veu_avx512_gather_lanes(VeuThread *t, const VeuMessage *m,
                                        const VeuExtent *e, const __m512i at[2])
{
    __m256i value[2];

    for (unsigned i = 0; i < 2; i++) {
        value[i] = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(),
                                               t->active >> (i * 8), at[i],
                                               e->host, 1);
    }
    _mm512_mask_storeu_epi32(
        t->registers + m->data.register_byte, t->active,
        _mm512_inserti64x4(_mm512_castsi256_si512(value[0]), value[1], 1));
}

/*
 * Completes the messages from @first to before @end, each of which moved all
 * lanes.
 */
static inline bool veu_avx512_finish(VeuThread *t, const VeuMessage *first,
                                     const VeuMessage *end)
{
    t->more = end - first - 1;
    t->moved_bytes = (end - first) * veu_lane_count(t->active) * 4;
    return true;
}

/*
 * Gathers if all lanes are in the extent that was found last; otherwise returns
 * false.
 */
VEU_AVX512 bool veu_avx512_gather_dword(VeuThread *t, const VeuMessage *m)
{
    const VeuExtent *e = &t->mem->kept[0].last;
    const VeuMessage *first = m;
    __m512i at[2];

    if (!veu_avx512_within(t, m, e, at)) {
        return false;
    }
    do {
        veu_avx512_gather_lanes(t, m, e, at);
    } while (veu_goes_on(t, &m) && veu_avx512_within(t, m, e, at));
    return veu_avx512_finish(t, first, m);
}

/*
 * Returns true if all pages of the lanes are known to be dirty. Inactive lanes
 * are at 0.
 */
VEU_AVX512 bool veu_avx512_are_noted(const VeuThread *t, const VeuExtent *e,
                                     const __m512i at[2])
{
    const VeuMemNoted *n = &t->mem->noted;
    __m512i first = _mm512_set1_epi64((n->page << VEU_PAGE_BITS) -
                                      (uintptr_t)e->host);
    __m512i bytes = _mm512_set1_epi64((n->end - n->page) << VEU_PAGE_BITS);
    __mmask8 bad = n->in != e->noted;

    for (unsigned i = 0; i < 2; i++) {
        bad |= _mm512_mask_cmpge_epu64_mask(t->active >> (i * 8),
                                            _mm512_sub_epi64(at[i], first),
                                            bytes);
    }
    return !bad;
}

/* Lists the blocks of the lanes. Returns false if they are too far apart. */
VEU_AVX512 bool veu_avx512_list(VeuThread *t, const VeuExtent *e,
                                const __m512i at[2], bool *noted)
{
    __mmask8 on = t->active;
    __mmask8 high_on = t->active >> 8;
    __m512i none = _mm512_set1_epi64(-1);
    uint64_t low = _mm512_reduce_min_epu64(
        _mm512_min_epu64(_mm512_mask_mov_epi64(none, on, at[0]),
                         _mm512_mask_mov_epi64(none, high_on, at[1])));
    uint64_t high = _mm512_reduce_max_epu64(_mm512_max_epu64(at[0], at[1]));

    if (high - low >= VEU_SMALL_BYTES) {
        return false;
    }
    veu_mem_list_all(t->mem, e, e->host + low, high - low + 4);
    *noted = veu_mem_is_noted(t->mem, e, e->host + low, high - low + 4);
    return true;
}

VEU_AVX512 void veu_avx512_note_lanes(const VeuThread *t, const VeuExtent *e,
                                      const __m512i at[2])
{
    __m512i host = _mm512_set1_epi64((uintptr_t)e->host);
    uint8_t *noted = (uint8_t *)e->noted;
    _Alignas(64) uint64_t page[16];

    for (unsigned i = 0; i < 2; i++) {
        _mm512_store_si512(page + i * 8,
                           _mm512_srli_epi64(_mm512_add_epi64(at[i], host),
                                             VEU_PAGE_BITS));
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        noted[page[lane]] = 1;
    }
}

/* Returns false if nothing was done. */
VEU_AVX512 bool veu_avx512_scatter_lanes(VeuThread *t, const VeuMessage *m,
                                         const VeuExtent *e,
                                         const __m512i at[2])
{
    const uint8_t *from = t->registers + m->data.register_byte;
    bool noted = veu_avx512_are_noted(t, e, at);

    if (!noted && !veu_avx512_list(t, e, at, &noted)) {
        return false;
    }
    if (!noted) {
        veu_avx512_note_lanes(t, e, at);
    }
    for (unsigned i = 0; i < 2; i++) {
        _mm512_mask_i64scatter_epi32(e->host, t->active >> (i * 8), at[i],
                                     veu_load_group(from + i * 32), 1);
    }
    return true;
}

VEU_AVX512 bool veu_avx512_scatter_dword(VeuThread *t, const VeuMessage *m)
{
    const VeuExtent *e = &t->mem->kept[1].last;
    const VeuMessage *first = m;
    __m512i at[2];

    if (!veu_avx512_within(t, m, e, at) || !e->noted ||
        !veu_avx512_scatter_lanes(t, m, e, at)) {
        return false;
    }
    while (veu_goes_on(t, &m) && veu_avx512_within(t, m, e, at) &&
           veu_avx512_scatter_lanes(t, m, e, at)) {}
    return veu_avx512_finish(t, first, m);
}

#endif
#endif
