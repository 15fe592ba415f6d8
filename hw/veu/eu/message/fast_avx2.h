/*
 * veu execution unit: lanes in AVX2 registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A group is 8 lanes of a dword. The CPU's gathers access guest memory: Intel's
 * and AMD's manuals make each aligned element, though not the gather as a
 * whole, one access. ThreadSanitizer does not see gathers, so they are not used
 * with it.
 */
#ifndef VEU_EU_FAST_AVX2_H
#define VEU_EU_FAST_AVX2_H

#include "hw/veu/eu/simd/cpu.h"

#if defined(__x86_64__) && !defined(VEU_HAS_TSAN)
#define VEU_HAS_AVX2 1
#include <immintrin.h>
#include <string.h>
#include "hw/veu/eu/message/fast_targets.h"

#define VEU_AVX2 VEU_TARGET_AVX2 static inline __attribute__((always_inline))

/* The CPU adds 32-bit offsets as signed numbers. */
#define VEU_SIGN_BIT UINT32_C(0x80000000)

VEU_AVX2 __m256i veu_load_group(const uint8_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* All ones in the lanes whose bits are set in @bits; bit 0 is lane 0. */
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

/* All ones in the lanes where @a <= @b, unsigned. */
VEU_AVX2 __m256i veu_group_at_most(__m256i a, __m256i b)
{
    return _mm256_cmpeq_epi32(_mm256_max_epu32(a, b), b);
}

/* Stores the lanes of @value that are @on and leaves the others. */
VEU_AVX2 void veu_store_group(uint8_t *to, __m256i value, __m256i on)
{
    __m256i *at = (__m256i *)to;

    _mm256_storeu_si256(at,
                        _mm256_blendv_epi8(_mm256_loadu_si256(at), value, on));
}

/* Like veu_group_of(), for 4 lanes of a qword: half a group. */
VEU_AVX2 __m256i veu_half_group_of(uint32_t bits)
{
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);

    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), bit),
                              bit);
}

/* Half 0 or 1 of a group of dwords. */
VEU_AVX2 __m128i veu_half_of(__m256i group, unsigned half)
{
    return half ? _mm256_extracti128_si256(group, 1) :
                  _mm256_castsi256_si128(group);
}

/* The base for the CPU's offsets, which are signed. */
static inline uintptr_t veu_signed_base(const uint8_t *host)
{
    return (uintptr_t)host + VEU_SIGN_BIT;
}

/*
 * Lane @lane of @to and the three that follow it are at @at if they are @on,
 * otherwise in the sink.
 */
VEU_AVX2 void veu_targets_set(VeuTargets *to, unsigned lane, __m256i at,
                              __m256i on)
{
    __m256i sink = _mm256_set1_epi64x((uintptr_t)to->sink);

    at = _mm256_blendv_epi8(sink, at, on);
    _mm256_store_si256((__m256i *)(to->at + lane), at);
}

/* The same for a group, at 32-bit offsets from @host. */
VEU_AVX2 void veu_targets_set_group(VeuTargets *to, unsigned lane,
                                    const uint8_t *host, __m256i offset,
                                    __m256i on)
{
    __m256i base = _mm256_set1_epi64x((uintptr_t)host);

    for (unsigned half = 0; half < 2; half++) {
        veu_targets_set(to, lane + half * 4,
                        _mm256_add_epi64(base, _mm256_cvtepu32_epi64(
                                                   veu_half_of(offset, half))),
                        _mm256_cvtepi32_epi64(veu_half_of(on, half)));
    }
}

/* Not 0 in lanes where [at, at + bytes) crosses a page. */
VEU_AVX2 __m256i veu_crosses_page(__m256i at, unsigned bytes)
{
    __m256i last = _mm256_add_epi64(at, _mm256_set1_epi64x(bytes - 1));

    return _mm256_srli_epi64(_mm256_xor_si256(at, last), VEU_PAGE_BITS);
}

#endif
#endif
