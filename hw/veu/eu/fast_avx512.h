/*
 * veu execution unit: elements of a buffer, 16 lanes in an AVX-512 register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's scatter stores lanes in their order, so the highest one wins.
 */
#ifndef VEU_EU_FAST_AVX512_H
#define VEU_EU_FAST_AVX512_H

#include "hw/veu/eu/fast_avx2.h"

#ifdef VEU_HAS_AVX2

#define VEU_AVX512 \
    VEU_TARGET_AVX512 static inline __attribute__((always_inline))

/* A buffer whose offsets are 32 bits: what is the same for all lanes. */
typedef struct VeuWide {
    const VeuWindow *window;
    unsigned shift; /* from an index to an offset */
    uint32_t last;  /* index that is inside */
} VeuWide;

/* Lanes from @lane on: their offsets, and which of them are inside. */
VEU_AVX512 __m512i veu_wide_offsets(const VeuThread *t, const VeuMessage *m,
                                    const VeuWide *w, unsigned lane,
                                    __mmask16 *inside)
{
    __m512i index = _mm512_add_epi32(
        _mm512_set1_epi32(w->window->global),
        _mm512_loadu_si512(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm512_mask_cmple_epu32_mask(t->active >> lane, index,
                                           _mm512_set1_epi32(w->last));
    return _mm512_sll_epi32(index, _mm_cvtsi32_si128(w->shift));
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

/* Elements of up to 4 bytes, of which 4 bytes may be read. */
VEU_AVX512 bool veu_wide_gather(VeuThread *t, const VeuMessage *m,
                                const VeuWide *w, unsigned lanes)
{
    uint8_t *to = t->registers + m->data.register_byte;
    __m512i value[2];
    uint32_t moved = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        __mmask16 inside;
        __m512i offset = veu_wide_offsets(t, m, w, i * 16, &inside);

        value[i] = _mm512_mask_i32gather_epi32(
            _mm512_setzero_si512(), inside, veu_wide_signed(offset),
            (const void *)veu_signed_base(w->window->host), 1);
        moved += __builtin_popcount(inside);
    }
    for (unsigned i = 0; i < lanes / 16; i++) {
        if (m->element_bytes < 4) {
            value[i] = veu_wide_cut(t, m, value[i]);
        }
        _mm512_mask_storeu_epi32(to + i * 64, t->active >> (i * 16), value[i]);
    }
    t->moved_bytes = moved * m->element_bytes;
    return true;
}

/* The lanes of a group that are stored. */
typedef struct VeuWideTargets {
    __m512i offset;
    __mmask16 inside;
} VeuWideTargets;

/* False: an element is not aligned. */
VEU_AVX512 bool veu_wide_targets(const VeuThread *t, const VeuMessage *m,
                                 const VeuWide *w, unsigned lanes,
                                 VeuWideTargets *to)
{
    __m512i host = _mm512_set1_epi32((uintptr_t)w->window->host);
    __mmask16 bad = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        to[i].offset = veu_wide_offsets(t, m, w, i * 16, &to[i].inside);
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

/* Dwords, to a small buffer; false: nothing was done. */
VEU_AVX512 bool veu_wide_scatter(VeuThread *t, const VeuMessage *m,
                                 const VeuWide *w, unsigned lanes)
{
    const VeuWindow *window = w->window;
    const uint8_t *from = t->registers + m->data.register_byte;
    VeuWideTargets to[2];
    uint32_t moved = 0;

    if (!window->extent->noted || window->bytes > VEU_SMALL_BYTES ||
        !veu_wide_targets(t, m, w, lanes, to)) {
        return false;
    }
    veu_mem_list_all(t->mem, window->extent, window->host, window->bytes);
    for (unsigned i = 0; i < lanes / 16; i++) {
        veu_wide_note(window, &to[i]);
        _mm512_mask_i32scatter_epi32((void *)window->host, to[i].inside,
                                     to[i].offset,
                                     _mm512_loadu_si512(from + i * 64), 1);
        moved += __builtin_popcount(to[i].inside);
    }
    t->moved_bytes = moved * 4;
    return true;
}

#endif
#endif
