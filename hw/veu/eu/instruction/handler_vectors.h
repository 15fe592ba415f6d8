/*
 * veu execution unit: how handlers store vectors of AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by handler_loops.h. Compilers make good vectors of its loops, except
 * where these functions take less time:
 *
 *   - A NaN is replaced by one instruction; compilers compare and select.
 *   - Lanes that do not run are stored again. A masked store is shorter, but
 *     what it stores has to reach the cache before the next step can load it,
 *     which takes twice as long as to load what a store of a whole vector left.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_VECTORS_H
#define VEU_EU_INSTRUCTION_HANDLER_VECTORS_H

#include "hw/veu/eu/instruction/handler_element.h"

#if defined(__AVX512VL__)

#include <immintrin.h>

/* Returns true if STORE_VECTORS() is to store the results of @size lanes. */
#define STORES_VECTORS(type, size, masked, nans) \
    ((size) != 1 && ((masked) || ((nans) && IS_FLOAT(type))))

/*
 * Stores @lanes results; if @masked, only those in @active. If @nans, floats
 * may be any NaN.
 */
#define STORE_VECTORS(type, to, results, active, lanes, masked, nans) \
    store_vectors(to, results, active, (lanes) * sizeof(type),        \
                  sizeof(type) == 8, masked, (nans) && IS_FLOAT(type))

#define IS_FLOAT(type) ((type)0.5 != 0)

/* What _mm512_fixupimm_ps() does with kinds of numbers: copy all but NaNs. */
#define ALL_BUT_NANS 0x11111100

/*
 * Without the empty assembly, compilers would make a masked store of the last
 * steps.
 */
#define STORE_VECTOR(bits)                                                  \
    INLINE void store_##bits(uint8_t *to, const uint8_t *from,              \
                             uint32_t active, bool quads, bool masked,      \
                             bool nans)                                     \
    {                                                                       \
        __m##bits##i kinds = _mm##bits##_set1_epi32(ALL_BUT_NANS);          \
        __m##bits##i new = _mm##bits##_loadu_si##bits((const void *)from);  \
        __m##bits##i old = new;                                             \
                                                                            \
        if (nans && quads) {                                                \
            new = (__m##bits##i)_mm##bits##_fixupimm_pd(                    \
                _mm##bits##_set1_pd(__builtin_nan("")), (__m##bits##d) new, \
                kinds, 0);                                                  \
        } else if (nans) {                                                  \
            new = (__m##bits##i)_mm##bits##_fixupimm_ps(                    \
                _mm##bits##_set1_ps(__builtin_nanf("")), (__m##bits) new,   \
                kinds, 0);                                                  \
        }                                                                   \
        if (masked) {                                                       \
            old = _mm##bits##_loadu_si##bits((const void *)to);             \
            __asm__("" : "+v"(old));                                        \
            new = quads ? _mm##bits##_mask_mov_epi64(old, active, new) :    \
                          _mm##bits##_mask_mov_epi32(old, active, new);     \
        }                                                                   \
        _mm##bits##_storeu_si##bits((void *)to, new);                       \
    }
STORE_VECTOR(256)
STORE_VECTOR(512)

INLINE void store_vectors(void *to, const void *from, uint32_t active,
                          unsigned bytes, bool quads, bool masked, bool nans)
{
    if (bytes == 32) {
        store_256(to, from, active, quads, masked, nans);
    } else {
        store_512(to, from, active, quads, masked, nans);
    }
    if (bytes == 128) {
        store_512((uint8_t *)to + 64, (const uint8_t *)from + 64, active >> 8,
                  quads, masked, nans);
    }
}

#else
#define STORES_VECTORS(type, size, masked, nans) false
#define STORE_VECTORS(type, to, results, active, lanes, masked, nans) \
    (void)(results)
#endif

#endif
