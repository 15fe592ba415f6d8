/*
 * veu execution unit: loads that handlers of messages execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions return false, having done nothing, if the lanes are not in a row,
 * or if they give up.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MESSAGE_LOAD_H
#define VEU_EU_INSTRUCTION_HANDLER_MESSAGE_LOAD_H

#include "hw/veu/eu/instruction/handler_message_lanes.h"
#include "hw/veu/eu/instruction/handler_message_pages.h"

#ifdef VEU_HAS_AVX2

/* Eight elements of a row, as dwords. */
VEU_AVX2 __m256i load_row_group(const uint8_t *from, unsigned bytes)
{
    return bytes == 1 ?
               _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from)) :
           bytes == 2 ?
               _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from)) :
               veu_load_group(from);
}

/*
 * Eight elements. The dword that is loaded for a shorter one ends with the
 * buffer, at the latest.
 */
VEU_AVX2 __m256i gather_group(const VeuStepBuffer *b, unsigned bytes,
                              __m256i offset, __m256i inside)
{
    uint32_t last_dword = b->limit - sizeof(uint32_t);
    __m256i at = bytes < 4 ?
                     _mm256_min_epu32(offset, _mm256_set1_epi32(last_dword)) :
                     offset;
    __m256i value = _mm256_mask_i32gather_epi32(
        _mm256_setzero_si256(), (const int *)veu_signed_base(b->host),
        _mm256_xor_si256(at, _mm256_set1_epi32(VEU_SIGN_BIT)), inside, 1);

    if (bytes < 4) {
        value = _mm256_srlv_epi32(
            value, _mm256_slli_epi32(_mm256_sub_epi32(offset, at), 3));
        value = _mm256_and_si256(value, _mm256_set1_epi32(UINT32_MAX >>
                                                          (32 - 8 * bytes)));
    }
    return value;
}

VEU_AVX2 void load_row_from_avx2(VeuThread *t, const VeuHandlerStep *i,
                                 uint8_t *registers, unsigned bytes,
                                 const uint8_t *from)
{
    __m256i above = _mm256_set1_epi32(veu_step_above(t, bytes));

    for (unsigned k = 0; k < 2; k++) {
        _mm256_storeu_si256(
            (__m256i *)(registers + i->from[VEU_STEP_DATA] + k * 32),
            _mm256_or_si256(load_row_group(from + k * 8 * bytes, bytes),
                            above));
    }
    veu_step_count(t, VEU_ROW_LANES, VEU_ROW_LANES * bytes);
}

/* Returns false, having done nothing, if the lanes are not in a row. */
VEU_AVX2 bool load_row_avx2(VeuThread *t, const VeuHandlerStep *i,
                            uint8_t *registers, unsigned bytes, bool slm)
{
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_buffer(t, i, VEU_ACCESS_READ, slm, &b)) {
        return false;
    }
    veu_step_offsets_avx2(i, registers, slm, &g);
    if (!veu_step_is_row_avx2(&b, bytes, &g)) {
        return false;
    }
    load_row_from_avx2(t, i, registers, bytes,
                       b.host + veu_step_first_avx2(&g));
    return true;
}

/* Loads the row at offset @first of a buffer that is not kept. */
VEU_AVX2 bool load_apart_row_avx2(VeuThread *t, const VeuHandlerStep *i,
                                  uint32_t first, unsigned bytes)
{
    const uint8_t *from = veu_step_apart_row(t, i, first, bytes,
                                             VEU_ACCESS_READ);

    if (from) {
        load_row_from_avx2(t, i, t->registers, bytes, from);
    }
    return from;
}

/* Like load_row_avx2(), for a buffer that is not kept. */
VEU_AVX2 bool load_apart_avx2(VeuThread *t, const VeuHandlerStep *i,
                              uint8_t *registers, unsigned bytes)
{
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_apart_buffer(t, i, &b)) {
        return false;
    }
    veu_step_offsets_avx2(i, registers, false, &g);
    return veu_step_is_row_avx2(&b, bytes, &g) &&
           load_apart_row_avx2(t, i, veu_step_first_avx2(&g), bytes);
}

/* Returns false, having done nothing, to give up. */
VEU_AVX2 bool load_lanes_avx2(VeuThread *t, const VeuHandlerStep *i,
                              uint8_t *registers, unsigned bytes, bool slm)
{
    uint8_t *to = registers + i->from[VEU_STEP_DATA];
    __m256i above = _mm256_set1_epi32(veu_step_above(t, bytes));
    VeuStepGroups g = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_buffer(t, i, VEU_ACCESS_READ, slm, &b)) {
        return !slm && load_apart_avx2(t, i, registers, bytes);
    }
    veu_step_offsets_avx2(i, registers, slm, &g);
    if (!veu_step_place_avx2(&b, bytes, &g)) {
        return false;
    }
    for (unsigned k = 0; k < 2; k++) {
        __m256i value = gather_group(&b, bytes, g.offset[k], g.inside[k]);

        veu_store_group(to + k * 32, _mm256_or_si256(value, above),
                        veu_group_of(g.active >> 8 * k));
    }
    veu_step_count(t, __builtin_popcount(g.active),
                   __builtin_popcount(g.bits) * bytes);
    return true;
}

VEU_AVX512 __m512i row_elements(const uint8_t *from, unsigned bytes)
{
    return bytes == 1 ?
               _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)from)) :
           bytes == 2 ? _mm512_cvtepu16_epi32(
                            _mm256_loadu_si256((const __m256i *)from)) :
                        _mm512_loadu_si512(from);
}

/* Like gather_group(), for 16 elements. */
VEU_AVX512 __m512i gather_lanes(const VeuStepBuffer *b, unsigned bytes,
                                const VeuStepLanes *l)
{
    uint32_t last_dword = b->limit - sizeof(uint32_t);
    __m512i at = bytes < 4 ? _mm512_min_epu32(l->offset,
                                              _mm512_set1_epi32(last_dword)) :
                             l->offset;
    __m512i value = _mm512_mask_i32gather_epi32(
        _mm512_setzero_si512(), l->inside, veu_avx512_signed(at),
        (const void *)veu_signed_base(b->host), 1);

    if (bytes < 4) {
        value = _mm512_srlv_epi32(
            value, _mm512_slli_epi32(_mm512_sub_epi32(l->offset, at), 3));
        value = _mm512_and_si512(value, _mm512_set1_epi32(UINT32_MAX >>
                                                          (32 - 8 * bytes)));
    }
    return value;
}

VEU_AVX512 void load_row_from_avx512(VeuThread *t, const VeuHandlerStep *i,
                                     uint8_t *registers, unsigned bytes,
                                     const uint8_t *from)
{
    __m512i above = _mm512_set1_epi32(veu_step_above(t, bytes));

    _mm512_storeu_si512(registers + i->from[VEU_STEP_DATA],
                        _mm512_or_si512(row_elements(from, bytes), above));
    veu_step_count(t, VEU_ROW_LANES, VEU_ROW_LANES * bytes);
}

VEU_AVX512 bool load_row_avx512(VeuThread *t, const VeuHandlerStep *i,
                                uint8_t *registers, unsigned bytes, bool slm)
{
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_buffer(t, i, VEU_ACCESS_READ, slm, &b)) {
        return false;
    }
    l.offset = veu_step_offsets_avx512(i, registers, slm);
    if (!veu_step_is_row_avx512(&b, bytes, &l)) {
        return false;
    }
    load_row_from_avx512(t, i, registers, bytes,
                         b.host + veu_step_first_avx512(&l));
    return true;
}

VEU_AVX512 bool load_apart_row_avx512(VeuThread *t, const VeuHandlerStep *i,
                                      uint32_t first, unsigned bytes)
{
    const uint8_t *from = veu_step_apart_row(t, i, first, bytes,
                                             VEU_ACCESS_READ);

    if (from) {
        load_row_from_avx512(t, i, t->registers, bytes, from);
    }
    return from;
}

VEU_AVX512 bool load_apart_avx512(VeuThread *t, const VeuHandlerStep *i,
                                  uint8_t *registers, unsigned bytes)
{
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_apart_buffer(t, i, &b)) {
        return false;
    }
    l.offset = veu_step_offsets_avx512(i, registers, false);
    return veu_step_is_row_avx512(&b, bytes, &l) &&
           load_apart_row_avx512(t, i, veu_step_first_avx512(&l), bytes);
}

VEU_AVX512 bool load_lanes_avx512(VeuThread *t, const VeuHandlerStep *i,
                                  uint8_t *registers, unsigned bytes, bool slm)
{
    __m512i above = _mm512_set1_epi32(veu_step_above(t, bytes));
    VeuStepLanes l = { .active = veu_step_active(t, i) };
    VeuStepBuffer b;

    if (!veu_step_buffer(t, i, VEU_ACCESS_READ, slm, &b)) {
        return !slm && (load_apart_avx512(t, i, registers, bytes) ||
                        (bytes == 4 && load_pages_avx512(t, i)));
    }
    l.offset = veu_step_offsets_avx512(i, registers, slm);
    if (!veu_step_place_avx512(&b, bytes, &l)) {
        return false;
    }
    _mm512_mask_storeu_epi32(registers + i->from[VEU_STEP_DATA], l.active,
                             _mm512_or_si512(gather_lanes(&b, bytes, &l),
                                             above));
    veu_step_count(t, __builtin_popcount(l.active),
                   __builtin_popcount(l.inside) * bytes);
    return true;
}

#endif
#endif
