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

/* Lanes in one extent, in groups of 4. */
typedef struct VeuExtentLanes {
    const VeuExtent *extent;
    __m256i on[4];
    __m256i at[4]; /* offset from the start of the extent */
} VeuExtentLanes;

/* All ones in lanes where @a > @b, unsigned. */
VEU_AVX2 __m256i veu_pieces_half_group_above(__m256i a, uint64_t b)
{
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);

    return _mm256_cmpgt_epi64(_mm256_xor_si256(a, sign),
                              _mm256_set1_epi64x(b ^ UINT64_C(1) << 63));
}

/*
 * Returns false if a lane is not aligned, or does not have @bytes in the extent
 * of the first one. At least one lane runs.
 */
VEU_AVX2 bool veu_pieces_find_lanes(VeuThread *t, const VeuMessage *m,
                                    const VeuPieces *p, enum veu_access access,
                                    unsigned bytes, unsigned lanes,
                                    VeuExtentLanes *l)
{
    const uint8_t *addresses = t->registers + m->address.register_byte;
    __m256i mask = _mm256_set1_epi64x(m->align_bytes ? m->align_bytes - 1 : 0);
    __m256i bad = _mm256_setzero_si256();
    uint64_t first = p->base +
                     veu_lane_qword(t, &m->address, __builtin_ctz(t->active));
    __m256i base;

    l->extent = veu_mem_find(t->mem, first, bytes, access);
    if (!l->extent) {
        return false;
    }
    base = _mm256_set1_epi64x(p->base - l->extent->iova);
    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i iova = veu_load_group(addresses + i * 32);

        l->on[i] = veu_half_group_of(t->active >> (i * 4));
        l->at[i] = _mm256_add_epi64(iova, base);
        iova = _mm256_add_epi64(iova, _mm256_set1_epi64x(p->base));
        bad = _mm256_or_si256(
            bad, _mm256_and_si256(
                     l->on[i],
                     _mm256_or_si256(_mm256_and_si256(iova, mask),
                                     veu_pieces_half_group_above(
                                         l->at[i], l->extent->bytes - bytes))));
    }
    return _mm256_testz_si256(bad, bad);
}

/* Returns the low dwords of qwords. */
VEU_AVX2 __m128i veu_pieces_low_dwords(__m256i qwords)
{
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);

    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(qwords, even));
}

VEU_AVX2 void veu_pieces_gather_dwords(VeuThread *t, const VeuPieces *p,
                                       const VeuExtentLanes *l, unsigned i,
                                       unsigned piece)
{
    uint32_t element = UINT32_MAX >> (32 - 8 * p->bytes);
    __m128i on = veu_pieces_low_dwords(l->on[i]);
    __m128i *to = (__m128i *)(t->registers + p->registers[piece] + i * 16);
    __m128i value = _mm256_mask_i64gather_epi32(
        _mm_setzero_si128(), (const int *)(l->extent->host + p->memory[piece]),
        l->at[i], on, 1);

    value = _mm_and_si128(value, _mm_set1_epi32(element));
    value = _mm_or_si128(value,
                         _mm_set1_epi32(veu_undefined_dword(t) & ~element));
    _mm_storeu_si128(to, _mm_blendv_epi8(_mm_loadu_si128(to), value, on));
}

VEU_AVX2 void veu_pieces_gather_qwords(VeuThread *t, const VeuPieces *p,
                                       const VeuExtentLanes *l, unsigned i,
                                       unsigned piece)
{
    __m256i value = _mm256_mask_i64gather_epi64(
        _mm256_setzero_si256(),
        (const long long *)(l->extent->host + p->memory[piece]), l->at[i],
        l->on[i], 1);

    veu_store_group(t->registers + p->registers[piece] + i * 32, value,
                    l->on[i]);
}

/*
 * For small elements, whole dwords are read. Returns false if nothing was done
 * because a lane needs the general path.
 */
VEU_AVX2 bool veu_gather_pieces(VeuThread *t, const VeuMessage *m,
                                const VeuPieces *p, unsigned lanes)
{
    unsigned bytes = p->span_bytes < 4 ? 4 : p->span_bytes;
    VeuExtentLanes l;

    if (!veu_pieces_find_lanes(t, m, p, VEU_ACCESS_READ, bytes, lanes, &l)) {
        return false;
    }
    for (unsigned piece = 0; piece < p->count; piece++) {
        for (unsigned i = 0; i < lanes / 4; i++) {
            if (p->bytes == 8) {
                veu_pieces_gather_qwords(t, p, &l, i, piece);
            } else {
                veu_pieces_gather_dwords(t, p, &l, i, piece);
            }
        }
    }
    return true;
}

/* Returns false if a lane crosses a page. */
VEU_AVX2 bool veu_pieces_target_lanes(const VeuPieces *p,
                                      const VeuExtentLanes *l, unsigned lanes,
                                      VeuTargets *to)
{
    __m256i host = _mm256_set1_epi64x((uintptr_t)l->extent->host);
    __m256i crosses = _mm256_setzero_si256();

    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i at = veu_set_targets(to, i * 4, l->extent->noted,
                                     _mm256_add_epi64(host, l->at[i]),
                                     l->on[i]);

        crosses = _mm256_or_si256(crosses, veu_crosses_page(at, p->span_bytes));
    }
    return _mm256_testz_si256(crosses, crosses);
}

/*
 * The lowest and the highest running lane, as offsets from the extent's start.
 */
VEU_AVX2 void veu_pieces_find_range(const VeuThread *t, const VeuExtentLanes *l,
                                    unsigned lanes, int64_t *low, int64_t *high)
{
    _Alignas(32) int64_t lows[4], highs[4];
    unsigned first = __builtin_ctz(t->active);
    __m256i some = _mm256_set1_epi64x(((const long long *)l->at)[first]);
    __m256i least = some;
    __m256i most = some;

    for (unsigned i = 0; i < lanes / 4; i++) {
        __m256i at = _mm256_blendv_epi8(some, l->at[i], l->on[i]);

        least = _mm256_blendv_epi8(least, at, _mm256_cmpgt_epi64(least, at));
        most = _mm256_blendv_epi8(most, at, _mm256_cmpgt_epi64(at, most));
    }
    _mm256_store_si256((__m256i *)lows, least);
    _mm256_store_si256((__m256i *)highs, most);
    *low = lows[0];
    *high = highs[0];
    for (unsigned i = 1; i < 4; i++) {
        *low = lows[i] < *low ? lows[i] : *low;
        *high = highs[i] > *high ? highs[i] : *high;
    }
}

/* Lists the blocks of nearby lanes together. */
VEU_AVX2 void veu_pieces_note_lanes(VeuThread *t, const VeuExtentLanes *l,
                                    unsigned lanes, const VeuTargets *to)
{
    int64_t low, high;

    if (!l->extent->noted) {
        return;
    }
    veu_pieces_find_range(t, l, lanes, &low, &high);
    if ((uint64_t)(high - low) < VEU_SMALL_BYTES) {
        veu_mem_list_all(t->mem, l->extent, l->extent->host + low,
                         high - low + 1);
    } else {
        veu_list_targets(t, l->extent, t->active, to);
    }
    veu_note_targets(to, lanes);
}

#define VEU_STORE_PIECES(type)                                            \
    for (unsigned lane = 0; lane < lanes; lane++) {                       \
        for (unsigned i = 0; i < p->count; i++) {                         \
            VEU_STORE(type, to->at[lane] + p->memory[i],                  \
                      registers + p->registers[i] + lane * sizeof(type)); \
        }                                                                 \
    }

VEU_CLONED void veu_pieces_store_targets(const uint8_t *registers,
                                         const VeuPieces *p, unsigned lanes,
                                         const VeuTargets *to)
{
    if (p->bytes == 8) {
        VEU_STORE_PIECES(uint64_t)
    } else {
        VEU_STORE_PIECES(uint32_t)
    }
}

/* Like veu_gather_pieces(), for writing. */
VEU_AVX2 bool veu_scatter_pieces(VeuThread *t, const VeuMessage *m,
                                 const VeuPieces *p, unsigned lanes)
{
    VeuTargets to;
    VeuExtentLanes l;

    if (m->element_bytes == 1 ||
        !veu_pieces_find_lanes(t, m, p, VEU_ACCESS_WRITE, p->span_bytes, lanes,
                               &l) ||
        !veu_pieces_target_lanes(p, &l, lanes, &to)) {
        return false;
    }
    veu_pieces_note_lanes(t, &l, lanes, &to);
    veu_pieces_store_targets(t->registers, p, lanes, &to);
    return true;
}

#endif
#endif
