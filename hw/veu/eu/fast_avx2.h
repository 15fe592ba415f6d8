/*
 * veu execution unit: lanes in AVX2 registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A group is 8 lanes of a dword. Gathers of the CPU access guest memory: each
 * element that is aligned is one access (Intel's and AMD's manuals say so of
 * elements, though not of the gather as a whole). ThreadSanitizer does not see
 * them, so under it they are not used.
 */
#ifndef VEU_EU_FAST_AVX2_H
#define VEU_EU_FAST_AVX2_H

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define VEU_HAS_AVX2 1
#include <immintrin.h>
#include "hw/veu/eu/cpu.h"

#define VEU_AVX2 VEU_TARGET_AVX2 static inline __attribute__((always_inline))

/* Offsets of 32 bits count as signed where the CPU adds them. */
#define VEU_SIGN_BIT UINT32_C(0x80000000)

VEU_AVX2 __m256i veu_load_group(const uint8_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* All ones in the lanes whose bit is set in @bits; the lowest is lane 0. */
VEU_AVX2 __m256i veu_group_of(uint32_t bits)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits), bit),
                              bit);
}

/* The inverse. */
VEU_AVX2 uint32_t veu_bits_of(__m256i group)
{
    return _mm256_movemask_ps(_mm256_castsi256_ps(group));
}

/* Where @a <= @b, unsigned. */
VEU_AVX2 __m256i veu_group_at_most(__m256i a, __m256i b)
{
    return _mm256_cmpeq_epi32(_mm256_max_epu32(a, b), b);
}

/* Stores the lanes of @value that are @on; the others stay. */
VEU_AVX2 void veu_store_group(uint8_t *to, __m256i value, __m256i on)
{
    __m256i *at = (__m256i *)to;

    _mm256_storeu_si256(at,
                        _mm256_blendv_epi8(_mm256_loadu_si256(at), value, on));
}

#endif
#endif
