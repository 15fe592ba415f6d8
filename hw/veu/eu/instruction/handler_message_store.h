/*
 * veu execution unit: stores that handlers of messages execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions return false, having done nothing, if the lanes are not in a row,
 * or if they give up. Pages are marked as dirty before they are written.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MESSAGE_STORE_H
#define VEU_EU_INSTRUCTION_HANDLER_MESSAGE_STORE_H

#include "hw/veu/eu/instruction/handler_message_lanes.h"
#include "hw/veu/eu/instruction/handler_message_pages.h"

#ifdef VEU_HAS_AVX2

/* The extent of the buffer that veu_step_buffer() has found. */
VEU_CLONED const VeuExtent *veu_step_extent(const VeuThread *t,
                                            const VeuHandlerStep *i)
{
    return veu_mem_kept_extent(t->mem, veu_step_index(t, i), VEU_ACCESS_WRITE);
}

/* Marks the pages of a row at @at, of up to 64 bytes, as dirty. */
VEU_CLONED void mark_row(VeuThread *t, const VeuExtent *e, uint8_t *at,
                         unsigned bytes)
{
    uintptr_t first = (uintptr_t)at >> VEU_PAGE_BITS;
    uintptr_t last = ((uintptr_t)at + bytes - 1) >> VEU_PAGE_BITS;

    /* A page that is marked is in a block that is listed. */
    if (e->noted && !(*(const uint8_t *)(e->noted + first) &
                      *(const uint8_t *)(e->noted + last))) {
        veu_mem_note(t->mem, e, at, bytes);
    }
}

/* Returns true if the page of @host is marked. */
VEU_CLONED bool is_marked(const VeuExtent *e, const uint8_t *host)
{
    return *(const uint8_t *)(e->noted + ((uintptr_t)host >> VEU_PAGE_BITS));
}

/*
 * Marks the pages of lanes @bits as dirty, if not all of the buffer's are. Each
 * element is in one page.
 */
static __attribute__((noinline)) void mark_lanes(VeuThread *t,
                                                 const VeuExtent *e,
                                                 const VeuStepBuffer *b,
                                                 const uint32_t *offsets,
                                                 uint32_t bits)
{
    bool is_small = b->limit <= VEU_SMALL_BYTES;

    if (!e->noted ||
        (is_small && veu_mem_is_noted(t->mem, e, b->host, b->limit))) {
        return;
    }
    VEU_FOR_EACH_LANE(lane, bits) {
        uint8_t *at = b->host + offsets[lane];

        if (!is_marked(e, at)) {
            veu_mem_note(t->mem, e, at, 1);
        }
    }
}

VEU_CLONED bool must_mark(const VeuThread *t, const VeuExtent *e,
                          const VeuStepBuffer *b)
{
    return !veu_mem_knows_noted(t->mem, e, b->host, b->limit);
}

#define STORE_LANE(type)                                               \
    do {                                                               \
        type value;                                                    \
                                                                       \
        memcpy(&value, from + lane * sizeof(uint32_t), sizeof(value)); \
        __atomic_store_n((type *)(b->host + offsets[lane]), value,     \
                         __ATOMIC_RELAXED);                            \
    } while (0)

#define STORE_LANES(type)                                       \
    if (bits == VEU_ROW_MASK) {                                 \
        VEU_UNROLL                                              \
        for (unsigned lane = 0; lane < VEU_ROW_LANES; lane++) { \
            STORE_LANE(type);                                   \
        }                                                       \
    } else {                                                    \
        VEU_FOR_EACH_LANE(lane, bits) {                         \
            STORE_LANE(type);                                   \
        }                                                       \
    }

/* Lanes are stored in order, so the highest one wins. */
VEU_CLONED void store_lanes(const VeuStepBuffer *b, unsigned bytes,
                            const uint32_t *offsets, uint32_t bits,
                            const uint8_t *from)
{
    if (bytes == 1) {
        STORE_LANES(uint8_t);
    } else if (bytes == 2) {
        STORE_LANES(uint16_t);
    } else {
        STORE_LANES(uint32_t);
    }
}

/* The low bytes of 16 dwords. */
VEU_AVX2 __m256i pack_words(const uint8_t *from, uint32_t mask)
{
    __m256i low = _mm256_and_si256(veu_load_group(from),
                                   _mm256_set1_epi32(mask));
    __m256i high = _mm256_and_si256(veu_load_group(from + 32),
                                    _mm256_set1_epi32(mask));

    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
}

VEU_AVX2 void store_row_at_avx2(uint8_t *to, const uint8_t *from,
                                unsigned bytes)
{
    __m256i words;

    switch (bytes) {
    case 1:
        words = pack_words(from, UINT8_MAX);
        _mm_storeu_si128((__m128i *)to,
                         _mm_packus_epi16(_mm256_castsi256_si128(words),
                                          _mm256_extracti128_si256(words, 1)));
        break;
    case 2:
        _mm256_storeu_si256((__m256i *)to, pack_words(from, UINT16_MAX));
        break;
    default:
        _mm256_storeu_si256((__m256i *)to, veu_load_group(from));
        _mm256_storeu_si256((__m256i *)(to + 32), veu_load_group(from + 32));
        break;
    }
}

/* Returns false, having done nothing, if the lanes are not in a row. */
VEU_AVX2 bool store_row_avx2(VeuThread *t, const VeuHandlerStep *i,
                             uint8_t *registers, unsigned bytes, bool slm)
{
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;
    uint8_t *to;

    if (!veu_step_buffer(t, i, VEU_ACCESS_WRITE, slm, &b)) {
        return false;
    }
    veu_step_offsets_avx2(i, registers, slm, &g);
    if (!veu_step_is_row_avx2(&b, bytes, &g)) {
        return false;
    }
    to = b.host + veu_step_first_avx2(&g);
    if (!slm) {
        mark_row(t, veu_step_extent(t, i), to, VEU_ROW_LANES * bytes);
    }
    store_row_at_avx2(to, registers + i->from[VEU_STEP_DATA], bytes);
    veu_step_count(t, VEU_ROW_LANES, VEU_ROW_LANES * bytes);
    return true;
}

/* Stores the row at offset @first of a buffer that is not kept. */
VEU_AVX2 bool store_apart_row_avx2(VeuThread *t, const VeuHandlerStep *i,
                                   uint32_t first, unsigned bytes)
{
    uint8_t *to = veu_step_apart_row(t, i, first, bytes, VEU_ACCESS_WRITE);

    if (to) {
        store_row_at_avx2(to, t->registers + i->from[VEU_STEP_DATA], bytes);
        veu_step_count(t, VEU_ROW_LANES, VEU_ROW_LANES * bytes);
    }
    return to;
}

/* Like store_row_avx2(), for a buffer that is not kept. */
VEU_AVX2 bool store_apart_avx2(VeuThread *t, const VeuHandlerStep *i,
                               unsigned bytes)
{
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_apart_buffer(t, i, &b)) {
        return false;
    }
    veu_step_offsets_avx2(i, t->registers, false, &g);
    return veu_step_is_row_avx2(&b, bytes, &g) &&
           store_apart_row_avx2(t, i, veu_step_first_avx2(&g), bytes);
}

/* Lanes of @on whose unsigned dwords are at least @least, which is not 0. */
VEU_AVX2 __m256i at_least(__m256i on, __m256i dwords, uint32_t least)
{
    __m256i below = veu_group_at_most(dwords,
                                      _mm256_set1_epi32((int)(least - 1)));

    return _mm256_andnot_si256(below, on);
}

/* The lowest offset of the elements, of which there is one. */
VEU_AVX2 uint32_t lowest_avx2(const VeuStepGroups *g)
{
    __m256i first = _mm256_or_si256(
        g->offset[0], _mm256_xor_si256(g->inside[0], _mm256_set1_epi32(-1)));
    __m256i second = _mm256_or_si256(
        g->offset[1], _mm256_xor_si256(g->inside[1], _mm256_set1_epi32(-1)));
    __m256i both = _mm256_min_epu32(first, second);
    __m128i low = _mm_min_epu32(_mm256_castsi256_si128(both),
                                _mm256_extracti128_si256(both, 1));

    low = _mm_min_epu32(low, _mm_shuffle_epi32(low, 0x4e));
    low = _mm_min_epu32(low, _mm_shuffle_epi32(low, 0xb1));
    return (uint32_t)_mm_cvtsi128_si32(low);
}

/*
 * Returns true if the elements, at least one, are in two adjacent pages or one,
 * which are marked.
 */
VEU_AVX2 bool are_marked_avx2(const VeuExtent *e, const VeuStepBuffer *b,
                              const VeuStepGroups *g)
{
    uint32_t low = lowest_avx2(g);
    const uint8_t *first = b->host + low;
    uint32_t left = VEU_PAGE_BYTES - (uintptr_t)first % VEU_PAGE_BYTES;
    __m256i others = _mm256_setzero_si256(), far = others;

    for (unsigned k = 0; k < 2; k++) {
        __m256i distance = _mm256_sub_epi32(g->offset[k],
                                            _mm256_set1_epi32((int)low));

        others = _mm256_or_si256(others,
                                 at_least(g->inside[k], distance, left));
        far = _mm256_or_si256(far, at_least(g->inside[k], distance,
                                            left + VEU_PAGE_BYTES));
    }
    return e->noted && _mm256_testz_si256(far, far) && is_marked(e, first) &&
           (_mm256_testz_si256(others, others) || is_marked(e, first + left));
}

/* Returns false, having done nothing, to give up. */
VEU_AVX2 bool store_lanes_avx2(VeuThread *t, const VeuHandlerStep *i,
                               unsigned bytes, bool slm)
{
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    _Alignas(32) uint32_t offsets[VEU_ROW_LANES];
    VeuStepBuffer b;

    if (!veu_step_buffer(t, i, VEU_ACCESS_WRITE, slm, &b)) {
        return !slm && store_apart_avx2(t, i, bytes);
    }
    veu_step_offsets_avx2(i, t->registers, slm, &g);
    if (!veu_step_place_avx2(&b, bytes, &g)) {
        return false;
    }
    _mm256_store_si256((__m256i *)offsets, g.offset[0]);
    _mm256_store_si256((__m256i *)(offsets + 8), g.offset[1]);
    if (!slm && g.bits && must_mark(t, veu_step_extent(t, i), &b) &&
        !are_marked_avx2(veu_step_extent(t, i), &b, &g)) {
        mark_lanes(t, veu_step_extent(t, i), &b, offsets, g.bits);
    }
    store_lanes(&b, bytes, offsets, g.bits,
                t->registers + i->from[VEU_STEP_DATA]);
    veu_step_count(t, __builtin_popcount(g.active),
                   __builtin_popcount(g.bits) * bytes);
    return true;
}

VEU_AVX512 void store_row_at_avx512(uint8_t *to, const uint8_t *from,
                                    unsigned bytes)
{
    __m512i value = _mm512_loadu_si512(from);

    switch (bytes) {
    case 1:
        _mm_storeu_si128((__m128i *)to, _mm512_cvtepi32_epi8(value));
        break;
    case 2:
        _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16(value));
        break;
    default:
        _mm512_storeu_si512(to, value);
        break;
    }
}

VEU_AVX512 bool store_row_avx512(VeuThread *t, const VeuHandlerStep *i,
                                 uint8_t *registers, unsigned bytes, bool slm)
{
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;
    uint8_t *to;

    if (!veu_step_buffer(t, i, VEU_ACCESS_WRITE, slm, &b)) {
        return false;
    }
    l.offset = veu_step_offsets_avx512(i, registers, slm);
    if (!veu_step_is_row_avx512(&b, bytes, &l)) {
        return false;
    }
    to = b.host + veu_step_first_avx512(&l);
    if (!slm) {
        mark_row(t, veu_step_extent(t, i), to, VEU_ROW_LANES * bytes);
    }
    store_row_at_avx512(to, registers + i->from[VEU_STEP_DATA], bytes);
    veu_step_count(t, VEU_ROW_LANES, VEU_ROW_LANES * bytes);
    return true;
}

/* Stores the row at offset @first of a buffer that is not kept. */
VEU_AVX512 bool store_apart_row_avx512(VeuThread *t, const VeuHandlerStep *i,
                                       uint32_t first, unsigned bytes)
{
    uint8_t *to = veu_step_apart_row(t, i, first, bytes, VEU_ACCESS_WRITE);

    if (to) {
        store_row_at_avx512(to, t->registers + i->from[VEU_STEP_DATA], bytes);
        veu_step_count(t, VEU_ROW_LANES, VEU_ROW_LANES * bytes);
    }
    return to;
}

/* Like store_row_avx512(), for a buffer that is not kept. */
VEU_AVX512 bool store_apart_avx512(VeuThread *t, const VeuHandlerStep *i,
                                   unsigned bytes)
{
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_apart_buffer(t, i, &b)) {
        return false;
    }
    l.offset = veu_step_offsets_avx512(i, t->registers, false);
    return veu_step_is_row_avx512(&b, bytes, &l) &&
           store_apart_row_avx512(t, i, veu_step_first_avx512(&l), bytes);
}

/*
 * Returns true if the elements, at least one, are in two adjacent pages or one,
 * which are marked.
 */
VEU_AVX512 bool are_marked_avx512(const VeuExtent *e, const VeuStepBuffer *b,
                                  const VeuStepLanes *l)
{
    uint32_t low = _mm512_mask_reduce_min_epu32(l->inside, l->offset);
    const uint8_t *first = b->host + low;
    uint32_t left = VEU_PAGE_BYTES - (uintptr_t)first % VEU_PAGE_BYTES;
    __m512i distance = _mm512_sub_epi32(l->offset, _mm512_set1_epi32(low));
    __mmask16 others = _mm512_mask_cmpge_epu32_mask(l->inside, distance,
                                                    _mm512_set1_epi32(left));
    __mmask16 far = _mm512_mask_cmpge_epu32_mask(
        others, distance, _mm512_set1_epi32(left + VEU_PAGE_BYTES));

    return e->noted && !far && is_marked(e, first) &&
           (!others || is_marked(e, first + left));
}

VEU_AVX512 bool store_lanes_avx512(VeuThread *t, const VeuHandlerStep *i,
                                   unsigned bytes, bool slm)
{
    const uint8_t *from = t->registers + i->from[VEU_STEP_DATA];
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    _Alignas(64) uint32_t offsets[VEU_ROW_LANES];
    VeuStepBuffer b;

    if (!veu_step_buffer(t, i, VEU_ACCESS_WRITE, slm, &b)) {
        return !slm && (store_apart_avx512(t, i, bytes) ||
                        (bytes == 4 && store_pages_avx512(t, i)));
    }
    l.offset = veu_step_offsets_avx512(i, t->registers, slm);
    if (!veu_step_place_avx512(&b, bytes, &l)) {
        return false;
    }
    _mm512_store_si512(offsets, l.offset);
    if (!slm && l.inside && must_mark(t, veu_step_extent(t, i), &b) &&
        !are_marked_avx512(veu_step_extent(t, i), &b, &l)) {
        mark_lanes(t, veu_step_extent(t, i), &b, offsets, l.inside);
    }
    if (bytes == 4) {
        _mm512_mask_i32scatter_epi32((void *)veu_signed_base(b.host), l.inside,
                                     veu_avx512_signed(l.offset),
                                     _mm512_loadu_si512(from), 1);
    } else {
        store_lanes(&b, bytes, offsets, l.inside, from);
    }
    veu_step_count(t, __builtin_popcount(l.active),
                   __builtin_popcount(l.inside) * bytes);
    return true;
}

#endif
#endif
