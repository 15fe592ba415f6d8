/*
 * veu execution unit: elements of a buffer, 16 lanes in an AVX-512 register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's scatter stores lanes in their order, so the highest one wins.
 */
#ifndef VEU_EU_FAST_AVX512_H
#define VEU_EU_FAST_AVX512_H

#include "hw/veu/eu/fast_elements.h"

#ifdef VEU_HAS_AVX2

#define VEU_AVX512 \
    VEU_TARGET_AVX512 static inline __attribute__((always_inline))

/* Lanes from @lane on: their offsets, and which of them are inside. */
VEU_AVX512 __m512i veu_wide_offsets(const VeuThread *t, const VeuMessage *m,
                                    const VeuElements *e, unsigned lane,
                                    __mmask16 *inside)
{
    __m512i index = _mm512_add_epi32(
        _mm512_set1_epi32(e->window.global),
        _mm512_loadu_si512(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm512_mask_cmple_epu32_mask(t->active >> lane, index,
                                           _mm512_set1_epi32(e->last));
    return _mm512_sll_epi32(index, _mm_cvtsi32_si128(e->shift));
}

/* The CPU takes offsets as signed. */
VEU_AVX512 __m512i veu_wide_signed(__m512i offset)
{
    return _mm512_xor_si512(offset, _mm512_set1_epi32(VEU_SIGN_BIT));
}

/* Where the first bytes of a dword are an element of so many bytes. */
VEU_AVX512 __m512i veu_wide_cut(const VeuThread *t, const VeuMessage *m,
                                __m512i dwords)
{
    uint32_t element = UINT32_MAX >> (32 - 8 * m->element_bytes);
    __m512i undefined = _mm512_set1_epi32(veu_undefined_dword(t) & ~element);

    return _mm512_or_si512(_mm512_and_si512(dwords, _mm512_set1_epi32(element)),
                           undefined);
}

/* Elements of up to 4 bytes, of which 4 may be read; returns how many. */
VEU_AVX512 unsigned veu_wide_gather(VeuThread *t, const VeuMessage *m,
                                    const VeuElements *e, unsigned lanes)
{
    uint8_t *to = t->registers + m->data.register_byte;
    __m512i value[2];
    unsigned moved = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        __mmask16 inside;
        __m512i offset = veu_wide_offsets(t, m, e, i * 16, &inside);

        value[i] = _mm512_mask_i32gather_epi32(
            _mm512_setzero_si512(), inside, veu_wide_signed(offset),
            (const void *)veu_signed_base(e->window.host), 1);
        moved += __builtin_popcount(inside);
    }
    for (unsigned i = 0; i < lanes / 16; i++) {
        if (m->element_bytes < 4) {
            value[i] = veu_wide_cut(t, m, value[i]);
        }
        _mm512_mask_storeu_epi32(to + i * 64, t->active >> (i * 16), value[i]);
    }
    return moved;
}

/* A message of up to dwords, and those that follow it. */
VEU_AVX512 bool veu_wide_gathers(VeuThread *t, const VeuMessage *m,
                                 unsigned lanes, VeuFast *otherwise)
{
    const unsigned bytes = 4;
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuElements e;

    if (!veu_elements_open(t, m, veu_window_open_usual, VEU_ACCESS_READ, &e) ||
        !veu_elements_suit_groups(&e, m, bytes)) {
        return otherwise(t, m);
    }
    do {
        moved += veu_wide_gather(t, m, &e, lanes);
    } while (veu_goes_on(t, &m) &&
             veu_elements_go_on(t, m, bytes, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, first, m, moved);
}

/* The lanes of a group that are stored. */
typedef struct VeuWideTargets {
    __m512i offset;
    __mmask16 inside;
} VeuWideTargets;

/* False: an element is not aligned. */
VEU_AVX512 bool veu_wide_targets(const VeuThread *t, const VeuMessage *m,
                                 const VeuElements *e, unsigned lanes,
                                 VeuWideTargets *to)
{
    __m512i host = _mm512_set1_epi32((uintptr_t)e->window.host);
    __mmask16 bad = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        to[i].offset = veu_wide_offsets(t, m, e, i * 16, &to[i].inside);
        bad |= _mm512_mask_test_epi32_mask(to[i].inside,
                                           _mm512_add_epi32(to[i].offset, host),
                                           _mm512_set1_epi32(3));
    }
    return !bad;
}

/* Notes the pages of a small buffer, whose blocks are listed. */
VEU_AVX512 void veu_wide_note(const VeuWindow *w, const VeuWideTargets *to)
{
    const uint32_t in_page = (1u << VEU_PAGE_BITS) - 1;
    uint8_t *noted = (uint8_t *)(w->extent->noted +
                                 ((uintptr_t)w->host >> VEU_PAGE_BITS));
    __m512i first = _mm512_set1_epi32((uintptr_t)w->host & in_page);
    _Alignas(64) uint32_t page[16];

    _mm512_store_si512(page,
                       _mm512_srli_epi32(_mm512_add_epi32(to->offset, first),
                                         VEU_PAGE_BITS));
    if (to->inside == UINT16_MAX) {
        VEU_UNROLL
        for (unsigned i = 0; i < 16; i++) {
            noted[page[i]] = 1;
        }
    } else {
        VEU_FOR_EACH_LANE(i, to->inside) {
            noted[page[i]] = 1;
        }
    }
}

/* Dwords, to a small buffer; adds up how many. False: nothing was done. */
VEU_AVX512 bool veu_wide_scatter(VeuThread *t, const VeuMessage *m,
                                 const VeuElements *e, unsigned lanes,
                                 unsigned *moved)
{
    const VeuWindow *window = &e->window;
    const uint8_t *from = t->registers + m->data.register_byte;
    VeuWideTargets to[2];
    bool noted;

    if (!window->extent->noted || window->bytes > VEU_SMALL_BYTES ||
        !veu_wide_targets(t, m, e, lanes, to)) {
        return false;
    }
    noted = veu_mem_is_noted(t->mem, window->extent, window->host,
                             window->bytes);
    if (!noted) {
        veu_mem_list_all(t->mem, window->extent, window->host, window->bytes);
    }
    for (unsigned i = 0; i < lanes / 16; i++) {
        if (!noted) {
            veu_wide_note(window, &to[i]);
        }
        _mm512_mask_i32scatter_epi32((void *)window->host, to[i].inside,
                                     to[i].offset,
                                     _mm512_loadu_si512(from + i * 64), 1);
        *moved += __builtin_popcount(to[i].inside);
    }
    return true;
}

/* A message of dwords, and those that follow it. */
VEU_AVX512 bool veu_wide_scatters(VeuThread *t, const VeuMessage *m,
                                  unsigned lanes, VeuFast *otherwise)
{
    const unsigned bytes = 4;
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuElements e;

    if (!veu_elements_open(t, m, veu_window_open_usual, VEU_ACCESS_WRITE, &e) ||
        !veu_elements_suit_groups(&e, m, bytes) ||
        !veu_wide_scatter(t, m, &e, lanes, &moved)) {
        return otherwise(t, m);
    }
    while (veu_goes_on(t, &m) &&
           veu_elements_go_on(t, m, bytes, VEU_ACCESS_WRITE, &e) &&
           veu_wide_scatter(t, m, &e, lanes, &moved)) {}
    return veu_elements_finish(t, first, m, moved);
}

/* Of more than 8 lanes, for a buffer as most are; else as with AVX2. */
#define VEU_WIDE(way, lanes)                                                \
    VEU_TARGET_AVX512 static bool wide_##way##_##lanes(VeuThread *t,        \
                                                       const VeuMessage *m) \
    {                                                                       \
        return veu_wide_##way##s(t, m, lanes, way##_##lanes);               \
    }

/* --- Texels of 16 lanes --------------------------------------------------- */

/* A bit for each word that is all ones; others are 0. */
VEU_AVX512 uint32_t veu_wide_lane_bits(const uint32_t *words, unsigned lanes)
{
    return _mm512_movepi32_mask(_mm512_load_si512(words));
}

/* The lanes of @live, each at an offset of 32 bits from @host. */
VEU_AVX512 void veu_wide_store_dwords(uint8_t *host, uint32_t live,
                                      const uint32_t *offset,
                                      const uint32_t *dwords)
{
    _mm512_mask_i32scatter_epi32((void *)veu_signed_base(host), live,
                                 veu_wide_signed(_mm512_load_si512(offset)),
                                 _mm512_load_si512(dwords), 1);
}

/* --- Dwords at 16 addresses ---------------------------------------------- */

/*
 * Where lanes are from the beginning of @e, 0 for those that do not run; false:
 * one is not in it, or not aligned.
 */
VEU_AVX512 bool veu_wide_within(const VeuThread *t, const VeuMessage *m,
                                const VeuExtent *e, __m512i at[2])
{
    const uint8_t *addresses = t->registers + m->address.register_byte;
    uint64_t low_bits = m->align_bytes - 1;
    __m512i start = _mm512_set1_epi64(e->iova);

    if (e->bytes < 4 || low_bits < 3 || (e->iova & low_bits)) {
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

/* Makes the extent of the first lane that runs the last one. */
static inline bool veu_wide_look(VeuThread *t, const VeuMessage *m,
                                 enum veu_access access)
{
    uint64_t first = veu_lane_qword(t, &m->address, __builtin_ctz(t->active));

    return veu_mem_find(t->mem, first, 4, access);
}

VEU_AVX512 void veu_wide_gather_lanes(VeuThread *t, const VeuMessage *m,
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

/* Of messages from @first to before @end, each of which moved all lanes. */
static inline bool veu_wide_finish(VeuThread *t, const VeuMessage *first,
                                   const VeuMessage *end)
{
    t->more = end - first - 1;
    t->moved_bytes = (end - first) * veu_lane_count(t->active) * 4;
    return true;
}

/* Where all lanes are in the extent that was found last; else false. */
VEU_AVX512 bool veu_wide_gather_dword(VeuThread *t, const VeuMessage *m)
{
    const VeuExtent *e = &t->mem->kept[0].last;
    const VeuMessage *first = m;
    __m512i at[2];

    if (!veu_wide_within(t, m, e, at)) {
        return false;
    }
    do {
        veu_wide_gather_lanes(t, m, e, at);
    } while (veu_goes_on(t, &m) && veu_wide_within(t, m, e, at));
    return veu_wide_finish(t, first, m);
}

/* Are all their pages known to be noted? Inactive ones are at 0. */
VEU_AVX512 bool veu_wide_are_noted(const VeuThread *t, const VeuExtent *e,
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

/* Their blocks are listed; false: they are too far from each other. */
VEU_AVX512 bool veu_wide_list(VeuThread *t, const VeuExtent *e,
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

VEU_AVX512 void veu_wide_note_lanes(const VeuThread *t, const VeuExtent *e,
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

/* False: nothing was done. */
VEU_AVX512 bool veu_wide_scatter_lanes(VeuThread *t, const VeuMessage *m,
                                       const VeuExtent *e, const __m512i at[2])
{
    const uint8_t *from = t->registers + m->data.register_byte;
    bool noted = veu_wide_are_noted(t, e, at);

    if (!noted && !veu_wide_list(t, e, at, &noted)) {
        return false;
    }
    if (!noted) {
        veu_wide_note_lanes(t, e, at);
    }
    for (unsigned i = 0; i < 2; i++) {
        _mm512_mask_i64scatter_epi32(e->host, t->active >> (i * 8), at[i],
                                     veu_load_group(from + i * 32), 1);
    }
    return true;
}

VEU_AVX512 bool veu_wide_scatter_dword(VeuThread *t, const VeuMessage *m)
{
    const VeuExtent *e = &t->mem->kept[1].last;
    const VeuMessage *first = m;
    __m512i at[2];

    if (!veu_wide_within(t, m, e, at) || !e->noted ||
        !veu_wide_scatter_lanes(t, m, e, at)) {
        return false;
    }
    while (veu_goes_on(t, &m) && veu_wide_within(t, m, e, at) &&
           veu_wide_scatter_lanes(t, m, e, at)) {}
    return veu_wide_finish(t, first, m);
}

#endif
#endif
