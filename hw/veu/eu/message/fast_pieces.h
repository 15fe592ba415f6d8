/*
 * veu execution unit: pieces of memory that lanes move, in AVX2 registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAST_PIECES_H
#define VEU_EU_FAST_PIECES_H

#include "hw/veu/eu/message/fast_avx2.h"

#define VEU_MAX_PIECES 8

/*
 * The pieces that a lane moves, all of one size: their distances from the
 * lane's address, and their places in the registers of lane 0.
 */
typedef struct VeuPieces {
    unsigned bytes; /* size of a piece: 1, 2, 4, 8 */
    unsigned count;
    unsigned lane_bytes; /* distance in registers from one lane to the next */
    /* memory from the address to the end of the last piece */
    unsigned span_bytes;
    uint64_t base; /* is added to addresses */
    uint8_t memory[VEU_MAX_PIECES];
    uint32_t registers[VEU_MAX_PIECES];
} VeuPieces;

#ifdef VEU_HAS_AVX2

/* All ones in lanes where @a > @b, unsigned. */
VEU_AVX2 __m256i veu_pieces_half_group_above(__m256i a, uint64_t b)
{
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);

    return _mm256_cmpgt_epi64(_mm256_xor_si256(a, sign),
                              _mm256_set1_epi64x(b ^ UINT64_C(1) << 63));
}

/*
 * Bits of an address that must be 0: pieces are aligned as the message
 * requires, and as a single access of the CPU requires.
 */
VEU_CLONED uint64_t veu_pieces_low_bits(const VeuMessage *m, const VeuPieces *p)
{
    return (m->align_bytes ? m->align_bytes - 1 : 0) | (p->bytes - 1);
}

/*
 * Finds all lanes in @extent. Returns false if one is not in it, is not aligned
 * or, for @access write, is in two pages.
 */
VEU_AVX2 bool veu_pieces_place(const VeuThread *t, const VeuMessage *m,
                               const VeuPieces *p, const VeuExtent *extent,
                               enum veu_access access, unsigned lanes,
                               VeuTargets *to)
{
    const uint8_t *addresses = t->registers + m->address.register_byte;
    bool may_cross = access != VEU_ACCESS_WRITE || p->bytes == p->span_bytes;
    __m256i low_bits = _mm256_set1_epi64x(veu_pieces_low_bits(m, p));
    __m256i start = _mm256_set1_epi64x(p->base - extent->iova);
    __m256i base = _mm256_set1_epi64x(p->base);
    __m256i host = _mm256_set1_epi64x((uintptr_t)extent->host);
    __m256i bad = _mm256_setzero_si256();

    /* Alignment is checked in guest addresses; the host's must agree. */
    if (extent->bytes < p->span_bytes ||
        (((uintptr_t)extent->host ^ extent->iova) & (p->bytes - 1))) {
        return false;
    }
    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i address = veu_load_group(addresses + i * 32);
        __m256i on = veu_half_group_of(t->active >> (i * 4));
        __m256i at = _mm256_add_epi64(address, start);
        __m256i wrong = _mm256_or_si256(
            _mm256_and_si256(_mm256_add_epi64(address, base), low_bits),
            veu_pieces_half_group_above(at, extent->bytes - p->span_bytes));

        at = _mm256_add_epi64(at, host);
        if (!may_cross) {
            wrong = _mm256_or_si256(wrong, veu_crosses_page(at, p->span_bytes));
        }
        bad = _mm256_or_si256(bad, _mm256_and_si256(wrong, on));
        veu_targets_set(to, i * 4, at, on);
    }
    return _mm256_testz_si256(bad, bad);
}

#endif
#endif
