/*
 * veu execution unit: 16 lanes in an AVX-512 register, and rows.
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

/* Converts offsets for the CPU, which takes them as signed. */
VEU_AVX512 __m512i veu_avx512_signed(__m512i offset)
{
    return _mm512_xor_si512(offset, _mm512_set1_epi32(VEU_SIGN_BIT));
}

/* 16 dwords, or 8 of them in the lower half. */
VEU_AVX512 __m512i veu_avx512_load(const void *from, unsigned lanes)
{
    return lanes == 8 ? _mm512_castsi256_si512(veu_load_group(from)) :
                        _mm512_loadu_si512(from);
}

/* Puts half @i into @all; the lower one, 0, comes first. */
VEU_AVX512 __m512i veu_avx512_put_half(__m512i all, unsigned i, __m256i half)
{
    return i ? _mm512_inserti64x4(all, half, 1) : _mm512_castsi256_si512(half);
}

/*
 * Stores the lanes @on. If these are all, the CPU need not merge what it stores
 * with what was there.
 */
VEU_AVX512 void veu_avx512_store_lanes(uint8_t *to, uint32_t on, unsigned lanes,
                                       __m512i value)
{
    if (lanes == 8 && on == UINT8_MAX) {
        _mm256_storeu_si256((__m256i *)to, _mm512_castsi512_si256(value));
    } else if (lanes == 8) {
        _mm256_mask_storeu_epi32(to, on, _mm512_castsi512_si256(value));
    } else if (on == UINT16_MAX) {
        _mm512_storeu_si512(to, value);
    } else {
        _mm512_mask_storeu_epi32(to, on, value);
    }
}

/*
 * A gather of 16 lanes, or of 8. Lanes that are not inside are of _other_.
 * _scale_ is a constant of the instruction.
 */
#define VEU_AVX512_GATHER_OR(lanes, other, inside, offset, base, scale) \
    ((lanes) == 8 ?                                                     \
         _mm512_castsi256_si512(_mm256_mmask_i32gather_epi32(           \
             _mm512_castsi512_si256(other), inside,                     \
             _mm512_castsi512_si256(offset), base, scale)) :            \
         _mm512_mask_i32gather_epi32(other, inside, offset, base, scale))
#define VEU_AVX512_GATHER(lanes, inside, offset, base, scale)                 \
    VEU_AVX512_GATHER_OR(lanes, _mm512_setzero_si512(), inside, offset, base, \
                         scale)

/* A scatter of 16 lanes, or of 8. _scale_ is a constant of the instruction. */
#define VEU_AVX512_SCATTER(lanes, base, inside, offset, value, scale)         \
    ((lanes) == 8 ?                                                           \
         _mm256_mask_i32scatter_epi32(base, inside,                           \
                                      _mm512_castsi512_si256(offset),         \
                                      _mm512_castsi512_si256(value), scale) : \
         _mm512_mask_i32scatter_epi32(base, inside, offset, value, scale))

/* --- Rows ----------------------------------------------------------------- */

/*
 * Most messages of programs access a row: all lanes run, and their elements of
 * 4 or 8 bytes are consecutive and inside. It is moved as a vector. Loops begin
 * with the messages that are rows, and look for no more after the first one
 * that is not, so messages at random places do not pay for it.
 */
VEU_AVX512 bool veu_avx512_may_be_row(const VeuThread *t, const VeuMessage *m,
                                      unsigned lanes, unsigned bytes)
{
    return m->element_bytes == bytes && t->active == UINT32_MAX >> (32 - lanes);
}

/*
 * The offset of a row of elements of @bytes in the buffer @e, whose indices are
 * at @from; UINT64_MAX if they are no row.
 */
VEU_AVX512 uint64_t veu_avx512_row(const VeuElements *e, const uint8_t *from,
                                   unsigned lanes, unsigned bytes)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                           12, 13, 14, 15);
    const uint32_t step = bytes >> e->shift;
    __m512i steps = _mm512_mullo_epi32(lane, _mm512_set1_epi32(step));
    uint32_t first;
    uint64_t index;
    __mmask16 bad = 0;

    memcpy(&first, from, sizeof(first));
    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        __m512i row = _mm512_add_epi32(_mm512_set1_epi32(first + i * 16 * step),
                                       steps);

        bad |= _mm512_mask_cmpneq_epu32_mask(
            lanes == 8 ? UINT8_MAX : UINT16_MAX, row,
            veu_avx512_load(from + i * 64, lanes));
    }
    first += e->view.global;
    index = (uint64_t)first + (lanes - 1) * step;
    return bad || index > e->last ? UINT64_MAX : (uint64_t)first << e->shift;
}

VEU_AVX512 void veu_avx512_copy_row(uint8_t *to, const uint8_t *from,
                                    unsigned row_bytes)
{
    for (unsigned at = 0; at < row_bytes; at += 64) {
        if (row_bytes == 32) {
            _mm256_storeu_si256((__m256i *)to, veu_load_group(from));
        } else {
            _mm512_storeu_si512(to + at, _mm512_loadu_si512(from + at));
        }
    }
}

#endif
#endif
