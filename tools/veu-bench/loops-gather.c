/*
 * veu-bench: the limit, with gather and scatter instructions of x86.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * On some CPUs they are slower than a load for each lane; the fastest variant
 * is the limit. If offsets count bytes, memory has less than 2 GiB.
 */
#include <immintrin.h>
#include "tools/veu-bench/loops-each.h"

/* The table is that of one flavour or the other. */
#ifdef __AVX512F__

typedef __mmask16 Mask;

INLINE __m512i load_lanes(const uint8_t *at, unsigned lane, unsigned lanes)
{
    return lanes == 8 ?
               _mm512_castsi256_si512(_mm256_loadu_si256((const void *)at)) :
               _mm512_loadu_si512(at + lane * 4);
}

INLINE __mmask16 inside(const BenchLoop *l, __m512i offset, unsigned unit,
                        unsigned lanes)
{
    uint64_t end = (l->bytes - 4) / unit;
    __m512i last = _mm512_set1_epi32(end < UINT32_MAX ? end : UINT32_MAX);

    return _mm512_cmple_epu32_mask(offset, last) & (lanes == 8 ? 0xff : 0xffff);
}

INLINE void store_lanes(uint8_t *at, unsigned lane, unsigned lanes,
                        __m512i value)
{
    if (lanes == 8) {
        _mm256_storeu_si256((void *)at, _mm512_castsi512_si256(value));
    } else {
        _mm512_storeu_si512(at + lane * 4, value);
    }
}

/* _unit_ is a constant of the instruction. */
#define GATHER(l, operands, lanes, unit)                                    \
    for (unsigned i = 0; i < (lanes); i += 16) {                            \
        __m512i offset = load_lanes(operands, i, lanes);                    \
        __m512i value = _mm512_mask_i32gather_epi32(                        \
            _mm512_setzero_si512(), inside(l, offset, unit, lanes), offset, \
            (l)->memory, unit);                                             \
                                                                            \
        store_lanes((l)->data, i, lanes, value);                            \
    }

#define SCATTER(l, operands, lanes, unit)                                    \
    for (unsigned i = 0; i < (lanes); i += 16) {                             \
        __m512i offset = load_lanes(operands, i, lanes);                     \
                                                                             \
        _mm512_mask_i32scatter_epi32((l)->memory,                            \
                                     inside(l, offset, unit, lanes), offset, \
                                     load_lanes((l)->data, i, lanes), unit); \
    }

INLINE void scatter(BenchLoop *l, const uint8_t *operands,
                    unsigned lanes){ SCATTER(l, operands, lanes, 4) }

INLINE void scatter_bytes(BenchLoop *l, const uint8_t *operands,
                          unsigned lanes){ SCATTER(l, operands, lanes, 1) }

INLINE void svm_gather(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    __m512i start = _mm512_set1_epi64(l->start);
    __m512i last = _mm512_set1_epi64(l->bytes - 4);

    for (unsigned i = 0; i < lanes; i += 8) {
        __m512i offset = _mm512_sub_epi64(_mm512_loadu_si512(operands + i * 8),
                                          start);
        __mmask8 outside = _mm512_cmpgt_epu64_mask(offset, last);

        if (outside) {
            l->failed = true;
        }
        _mm256_storeu_si256((void *)(l->data + i * 4),
                            _mm512_mask_i64gather_epi32(_mm256_setzero_si256(),
                                                        ~outside, offset,
                                                        l->memory, 1));
    }
}

INLINE void svm_scatter(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    __m512i start = _mm512_set1_epi64(l->start);
    __m512i last = _mm512_set1_epi64(l->bytes - 4);

    for (unsigned i = 0; i < lanes; i += 8) {
        __m512i offset = _mm512_sub_epi64(_mm512_loadu_si512(operands + i * 8),
                                          start);
        __mmask8 outside = _mm512_cmpgt_epu64_mask(offset, last);

        if (outside) {
            l->failed = true;
        }
        _mm512_mask_i64scatter_epi32(
            l->memory, ~outside, offset,
            _mm256_loadu_si256((const void *)(l->data + i * 4)), 1);
    }
}

#else

INLINE __m256i inside(const BenchLoop *l, __m256i offset, unsigned unit)
{
    uint64_t end = (l->bytes - 4) / unit;
    __m256i last = _mm256_set1_epi32(end < UINT32_MAX ? end : UINT32_MAX);

    return _mm256_cmpeq_epi32(_mm256_min_epu32(offset, last), offset);
}

#define GATHER(l, operands, lanes, unit)                                   \
    for (unsigned i = 0; i < (lanes); i += 8) {                            \
        __m256i offset = _mm256_loadu_si256(                               \
            (const void *)((operands) + i * 4));                           \
                                                                           \
        _mm256_storeu_si256(                                               \
            (void *)((l)->data + i * 4),                                   \
            _mm256_mask_i32gather_epi32(_mm256_setzero_si256(),            \
                                        (const void *)(l)->memory, offset, \
                                        inside(l, offset, unit), unit));   \
    }

INLINE void svm_gather(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    __m256i start = _mm256_set1_epi64x(l->start);
    __m256i last = _mm256_set1_epi64x(l->bytes - 4);

    for (unsigned i = 0; i < lanes; i += 4) {
        __m256i offset = _mm256_sub_epi64(
            _mm256_loadu_si256((const void *)(operands + i * 8)), start);
        __m256i outside = _mm256_or_si256(offset,
                                          _mm256_sub_epi64(last, offset));

        if (_mm256_movemask_pd(_mm256_castsi256_pd(outside))) {
            l->failed = true;
            return;
        }
        _mm_storeu_si128((void *)(l->data + i * 4),
                         _mm256_i64gather_epi32((const void *)l->memory, offset,
                                                1));
    }
}

#endif

INLINE void gather(BenchLoop *l, const uint8_t *operands,
                   unsigned lanes){ GATHER(l, operands, lanes, 4) }

INLINE void gather_bytes(BenchLoop *l, const uint8_t *operands, unsigned lanes)
{
    GATHER(l, operands, lanes, 1)
}

#define LOOPS_READ(ROW)             \
    ROW(GATHER, gather)             \
    ROW(GATHER_BYTES, gather_bytes) \
    ROW(SVM_GATHER, svm_gather)

#ifdef __AVX512F__
#define BENCH_LOOPS_HERE(ROW)         \
    LOOPS_READ(ROW)                   \
    ROW(SCATTER, scatter)             \
    ROW(SCATTER_BYTES, scatter_bytes) \
    ROW(SVM_SCATTER, svm_scatter)
#else
#define BENCH_LOOPS_HERE LOOPS_READ
#endif
#include "tools/veu-bench/loops-table.inc"
