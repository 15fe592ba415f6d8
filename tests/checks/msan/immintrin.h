/*
 * veu tests: gathers and scatters of AVX2 and AVX-512 for MemorySanitizer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * "ninja check-msan" finds this file before the compiler's. MemorySanitizer of
 * Clang 14 takes what a gather returns for initialized, and does not notice
 * what a scatter writes. Here they are loops over lanes, which it sees as it
 * sees other code: memory of lanes that do not run is neither read nor written.
 */
#ifndef VEU_TEST_MSAN_IMMINTRIN_H
#define VEU_TEST_MSAN_IMMINTRIN_H

#include_next <immintrin.h>
#include <stdint.h>
#include <string.h>

#define MSAN_INLINE static inline __attribute__((always_inline, unused))
#define MSAN_AVX2   MSAN_INLINE __attribute__((target("avx2")))
#define MSAN_AVX512 MSAN_INLINE __attribute__((target("avx512f,avx512vl")))

typedef struct MsanIndices {
    int64_t at[16];
} MsanIndices;

MSAN_INLINE MsanIndices msan_from_dwords(const void *dwords, unsigned lanes)
{
    MsanIndices indices;

    for (unsigned i = 0; i < lanes; i++) {
        int32_t dword;

        memcpy(&dword, (const char *)dwords + i * 4, 4);
        indices.at[i] = dword;
    }
    return indices;
}

MSAN_INLINE MsanIndices msan_from_qwords(const void *qwords, unsigned lanes)
{
    MsanIndices indices;

    memcpy(indices.at, qwords, lanes * 8);
    return indices;
}

/* Loads dwords to the lanes of @value that @mask selects. */
MSAN_INLINE void msan_gather(void *value, unsigned mask, MsanIndices indices,
                             unsigned lanes, const void *base, int scale)
{
    for (unsigned i = 0; i < lanes; i++) {
        if (mask >> i & 1) {
            memcpy((char *)value + i * 4,
                   (const char *)base + indices.at[i] * scale, 4);
        }
    }
}

/* Stores the dwords of those lanes, in ascending order. */
MSAN_INLINE void msan_scatter(void *base, unsigned mask, MsanIndices indices,
                              unsigned lanes, const void *value, int scale)
{
    for (unsigned i = 0; i < lanes; i++) {
        if (mask >> i & 1) {
            memcpy((char *)base + indices.at[i] * scale,
                   (const char *)value + i * 4, 4);
        }
    }
}

MSAN_AVX2 __m256i msan_gather_avx2(__m256i value, const int *base,
                                   __m256i index, __m256i mask, int scale)
{
    unsigned bits = _mm256_movemask_ps(_mm256_castsi256_ps(mask));

    msan_gather(&value, bits, msan_from_dwords(&index, 8), 8, base, scale);
    return value;
}

MSAN_AVX512 __m256i msan_gather_8(__m256i value, __mmask8 mask, __m256i index,
                                  const void *base, int scale)
{
    msan_gather(&value, mask, msan_from_dwords(&index, 8), 8, base, scale);
    return value;
}

MSAN_AVX512 __m512i msan_gather_16(__m512i value, __mmask16 mask, __m512i index,
                                   const void *base, int scale)
{
    msan_gather(&value, mask, msan_from_dwords(&index, 16), 16, base, scale);
    return value;
}

MSAN_AVX512 __m256i msan_gather_at_qwords(__m256i value, __mmask8 mask,
                                          __m512i index, const void *base,
                                          int scale)
{
    msan_gather(&value, mask, msan_from_qwords(&index, 8), 8, base, scale);
    return value;
}

MSAN_AVX512 void msan_scatter_8(void *base, __mmask8 mask, __m256i index,
                                __m256i value, int scale)
{
    msan_scatter(base, mask, msan_from_dwords(&index, 8), 8, &value, scale);
}

MSAN_AVX512 void msan_scatter_16(void *base, __mmask16 mask, __m512i index,
                                 __m512i value, int scale)
{
    msan_scatter(base, mask, msan_from_dwords(&index, 16), 16, &value, scale);
}

MSAN_AVX512 void msan_scatter_at_qwords(void *base, __mmask8 mask,
                                        __m512i index, __m256i value, int scale)
{
    msan_scatter(base, mask, msan_from_qwords(&index, 8), 8, &value, scale);
}

#undef _mm256_mask_i32gather_epi32
#undef _mm256_mmask_i32gather_epi32
#undef _mm512_mask_i32gather_epi32
#undef _mm512_mask_i64gather_epi32
#undef _mm256_mask_i32scatter_epi32
#undef _mm512_mask_i32scatter_epi32
#undef _mm512_mask_i64scatter_epi32
#define _mm256_mask_i32gather_epi32  msan_gather_avx2
#define _mm256_mmask_i32gather_epi32 msan_gather_8
#define _mm512_mask_i32gather_epi32  msan_gather_16
#define _mm512_mask_i64gather_epi32  msan_gather_at_qwords
#define _mm256_mask_i32scatter_epi32 msan_scatter_8
#define _mm512_mask_i32scatter_epi32 msan_scatter_16
#define _mm512_mask_i64scatter_epi32 msan_scatter_at_qwords

#endif
