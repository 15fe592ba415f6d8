/*
 * veu execution unit: places of texels, and dwords there, with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAST_AVX512_TEXELS_H
#define VEU_EU_FAST_AVX512_TEXELS_H

#include "hw/veu/eu/message/fast_avx512.h"
#include "hw/veu/eu/message/fast_texels.h"

#ifdef VEU_HAS_AVX2

/*
 * Returns a bit for each word, set if the word is all ones; words are all ones
 * or 0.
 */
VEU_AVX512 uint32_t veu_avx512_lane_bits(const uint32_t *words, unsigned lanes)
{
    return _mm512_movepi32_mask(veu_avx512_load(words, lanes)) &
           UINT32_MAX >> (32 - lanes);
}

/*
 * Returns true if only U and V determine where a texel is, in rows that are one
 * after the other. Coordinates that are null are in veu_zeroes.
 */
VEU_AVX512 bool veu_avx512_is_flat(const VeuSurface *s,
                                   const VeuLaneCoordinates *at)
{
    const VeuShape *shape = s->shape;

    return s->level[0].slices && !s->tile && !shape->v_slice &&
           (!shape->r_slice || at->r == veu_zeroes) &&
           (!shape->lod || at->lod == veu_zeroes);
}

/* Like veu_place_lanes(), for texels of which U and V determine the place. */
VEU_AVX512 uint32_t veu_avx512_place_flat(const VeuSurface *s,
                                          const VeuLaneCoordinates *at,
                                          unsigned lanes, uint32_t *offset)
{
    const VeuLevel *level = &s->level[0];
    __m512i u = veu_avx512_load(at->u, lanes);
    __m512i v = _mm512_and_si512(veu_avx512_load(at->v, lanes),
                                 _mm512_set1_epi32(s->shape->v_row));
    __m512i x, y;
    __mmask16 inside;

    inside = _mm512_mask_cmplt_epu32_mask(UINT32_MAX >> (32 - lanes), u,
                                          _mm512_set1_epi32(level->width));
    inside = _mm512_mask_cmplt_epu32_mask(inside, v,
                                          _mm512_set1_epi32(level->height));
    x = _mm512_add_epi32(_mm512_sll_epi32(u, _mm_cvtsi32_si128(s->texel_log2)),
                         _mm512_set1_epi32(level->x_byte));
    y = _mm512_add_epi32(v, _mm512_set1_epi32(level->y));
    _mm512_store_si512(offset,
                       _mm512_maskz_add_epi32(
                           inside, x,
                           _mm512_mullo_epi32(y, _mm512_set1_epi32(s->pitch))));
    return inside;
}

/* Like veu_place_lanes(). */
VEU_AVX512 uint32_t veu_avx512_place(const VeuSurface *s,
                                     const VeuLaneCoordinates *at,
                                     unsigned lanes, uint32_t *offset)
{
    return veu_avx512_is_flat(s, at) ?
               veu_avx512_place_flat(s, at, lanes, offset) :
               veu_place_lanes(s, at, lanes, veu_avx512_lane_bits, offset);
}

/* Loads the lanes of @live; others are @other. */
VEU_AVX512 void veu_avx512_load_dwords(const uint8_t *host, uint32_t live,
                                       unsigned lanes, const uint32_t *offset,
                                       uint32_t other, uint32_t *dwords)
{
    __m512i at = veu_avx512_signed(veu_avx512_load(offset, lanes));

    _mm512_store_si512(
        dwords, VEU_AVX512_GATHER_OR(lanes, _mm512_set1_epi32(other), live, at,
                                     (const void *)veu_signed_base(host), 1));
}

/* Stores the lanes of @live, each at a 32-bit offset from @host. */
VEU_AVX512 void veu_avx512_store_dwords(uint8_t *host, uint32_t live,
                                        unsigned lanes, const uint32_t *offset,
                                        const uint32_t *dwords)
{
    __m512i at = veu_avx512_signed(veu_avx512_load(offset, lanes));

    VEU_AVX512_SCATTER(lanes, (void *)veu_signed_base(host), live, at,
                       veu_avx512_load(dwords, lanes), 1);
}

#endif
#endif
