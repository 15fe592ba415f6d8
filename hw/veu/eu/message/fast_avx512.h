/*
 * veu execution unit: elements of a buffer and texels, 16 lanes in an AVX-512
 * register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's scatter stores lanes in ascending order, so the highest one wins.
 */
#ifndef VEU_EU_FAST_AVX512_H
#define VEU_EU_FAST_AVX512_H

#include "hw/veu/eu/message/fast_elements.h"

#ifdef VEU_HAS_AVX2

#define VEU_AVX512 \
    VEU_TARGET_AVX512 static inline __attribute__((always_inline))

/* The offsets of the lanes from @lane on, and which of them are inside. */
VEU_AVX512 __m512i veu_avx512_offsets(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e, unsigned lane,
                                      __mmask16 *inside)
{
    __m512i index = _mm512_add_epi32(
        _mm512_set1_epi32(e->view.global),
        _mm512_loadu_si512(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm512_mask_cmple_epu32_mask(t->active >> lane, index,
                                           _mm512_set1_epi32(e->last));
    return _mm512_sll_epi32(index, _mm_cvtsi32_si128(e->shift));
}

/* Converts offsets for the CPU, which takes them as signed. */
VEU_AVX512 __m512i veu_avx512_signed(__m512i offset)
{
    return _mm512_xor_si512(offset, _mm512_set1_epi32(VEU_SIGN_BIT));
}

/* Cuts the elements of this many bytes out of dwords. */
VEU_AVX512 __m512i veu_avx512_cut(const VeuThread *t, const VeuMessage *m,
                                  __m512i dwords)
{
    uint32_t element = UINT32_MAX >> (32 - 8 * m->element_bytes);
    __m512i undefined = _mm512_set1_epi32(veu_undefined_dword(t) & ~element);

    return _mm512_or_si512(_mm512_and_si512(dwords, _mm512_set1_epi32(element)),
                           undefined);
}

/*
 * Gathers elements of up to 4 bytes, each of which may be read as 4 bytes.
 * Returns their number.
 */
VEU_AVX512 unsigned veu_avx512_gather_one(VeuThread *t, const VeuMessage *m,
                                          const VeuElements *e, unsigned lanes)
{
    uint8_t *to = t->registers + m->data.register_byte;
    __m512i value[2];
    unsigned moved = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        __mmask16 inside;
        __m512i offset = veu_avx512_offsets(t, m, e, i * 16, &inside);

        value[i] = _mm512_mask_i32gather_epi32(
            _mm512_setzero_si512(), inside, veu_avx512_signed(offset),
            (const void *)veu_signed_base(e->view.host), 1);
        moved += __builtin_popcount(inside);
    }
    for (unsigned i = 0; i < lanes / 16; i++) {
        if (m->element_bytes < 4) {
            value[i] = veu_avx512_cut(t, m, value[i]);
        }
        _mm512_mask_storeu_epi32(to + i * 64, t->active >> (i * 16), value[i]);
    }
    return moved;
}

/* Executes a message of elements of up to 4 bytes, and those that follow it. */
VEU_AVX512 bool veu_avx512_gather(VeuThread *t, const VeuMessage *m,
                                  unsigned lanes)
{
    const unsigned bytes = 4;
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuElements e;

    if (!veu_view_find_cached(t, m, VEU_ACCESS_READ, &e.view) ||
        !veu_elements_measure(m, &e) ||
        !veu_elements_suit_groups(&e, m, bytes)) {
        return false;
    }
    do {
        moved += veu_avx512_gather_one(t, m, &e, lanes);
    } while (veu_goes_on(t, &m) &&
             veu_elements_follow(t, m, bytes, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, first, m, moved);
}

/* The lanes of a group that are stored, and where. */
typedef struct VeuWideTargets {
    __m512i offset;
    __mmask16 inside;
} VeuWideTargets;

/* Returns false if an element is not aligned. */
VEU_AVX512 bool veu_avx512_targets(const VeuThread *t, const VeuMessage *m,
                                   const VeuElements *e, unsigned lanes,
                                   VeuWideTargets *to)
{
    __m512i host = _mm512_set1_epi32((uintptr_t)e->view.host);
    __mmask16 bad = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        to[i].offset = veu_avx512_offsets(t, m, e, i * 16, &to[i].inside);
        bad |= _mm512_mask_test_epi32_mask(to[i].inside,
                                           _mm512_add_epi32(to[i].offset, host),
                                           _mm512_set1_epi32(3));
    }
    return !bad;
}

/* Marks the pages of a small buffer, whose blocks are listed, as dirty. */
VEU_AVX512 void veu_avx512_note(const VeuView *w, const VeuWideTargets *to)
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

/* Returns the number of elements stored. */
VEU_AVX512 int veu_avx512_store(const VeuThread *t, const VeuMessage *m,
                                const VeuView *w, unsigned lanes,
                                const VeuWideTargets *to)
{
    const uint8_t *from = t->registers + m->data.register_byte;
    int count = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        _mm512_mask_i32scatter_epi32((void *)veu_signed_base(w->host),
                                     to[i].inside,
                                     veu_avx512_signed(to[i].offset),
                                     _mm512_loadu_si512(from + i * 64), 1);
        count += __builtin_popcount(to[i].inside);
    }
    return count;
}

/*
 * Stores dwords to pages that are all dirty. Returns their number, or -1 if
 * nothing was done.
 */
VEU_AVX512 int veu_avx512_scatter_one(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e, unsigned lanes)
{
    VeuWideTargets to[2];

    return veu_avx512_targets(t, m, e, lanes, to) ?
               veu_avx512_store(t, m, &e->view, lanes, to) :
               -1;
}

/*
 * Like veu_avx512_scatter_one(), to any pages of a small buffer. It is a
 * function of its own, with a copy of the elements, so that the loop below
 * keeps its variables in registers.
 */
VEU_TARGET_AVX512 static __attribute__((noinline, unused)) int
veu_avx512_scatter_one_noting(VeuThread *t, const VeuMessage *m, VeuElements e,
                              unsigned lanes)
{
    const VeuView *w = &e.view;
    VeuWideTargets to[2];

    if (!w->extent->noted || w->bytes > VEU_SMALL_BYTES ||
        !veu_avx512_targets(t, m, &e, lanes, to)) {
        return -1;
    }
    if (!veu_mem_is_noted(t->mem, w->extent, w->host, w->bytes)) {
        veu_mem_list_all(t->mem, w->extent, w->host, w->bytes);
        for (unsigned i = 0; i < lanes / 16; i++) {
            veu_avx512_note(w, &to[i]);
        }
    }
    return veu_avx512_store(t, m, w, lanes, to);
}

/* Executes a message of dwords, and those that follow it. */
VEU_AVX512 bool veu_avx512_scatter(VeuThread *t, const VeuMessage *m,
                                   unsigned lanes)
{
    const unsigned bytes = 4;
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuElements e;

    if (!veu_view_find_cached(t, m, VEU_ACCESS_WRITE, &e.view) ||
        !veu_elements_measure(m, &e) ||
        !veu_elements_suit_groups(&e, m, bytes)) {
        return false;
    }
    do {
        int count = veu_mem_knows_noted(t->mem, e.view.extent, e.view.host,
                                        e.view.bytes) ?
                        veu_avx512_scatter_one(t, m, &e, lanes) :
                        veu_avx512_scatter_one_noting(t, m, e, lanes);

        if (count < 0) {
            break;
        }
        moved += count;
    } while (veu_goes_on(t, &m) &&
             veu_elements_follow(t, m, bytes, VEU_ACCESS_WRITE, &e));
    return m != first && veu_elements_finish(t, first, m, moved);
}

/* --- Texels of 16 lanes --------------------------------------------------- */

/*
 * Returns a bit for each word, set if the word is all ones; words are all ones
 * or 0.
 */
VEU_AVX512 uint32_t veu_avx512_lane_bits(const uint32_t *words, unsigned lanes)
{
    return _mm512_movepi32_mask(_mm512_load_si512(words));
}

/* Stores the lanes of @live, each at a 32-bit offset from @host. */
VEU_AVX512 void veu_avx512_store_dwords(uint8_t *host, uint32_t live,
                                        const uint32_t *offset,
                                        const uint32_t *dwords)
{
    _mm512_mask_i32scatter_epi32((void *)veu_signed_base(host), live,
                                 veu_avx512_signed(_mm512_load_si512(offset)),
                                 _mm512_load_si512(dwords), 1);
}

#endif
#endif
