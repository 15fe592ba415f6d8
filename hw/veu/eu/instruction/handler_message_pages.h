/*
 * veu execution unit: messages to buffers in pages that handlers execute.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With AVX-512 only. A buffer of a context with page tables may be in several
 * extents. Its lanes are then looked up in the table of host pages, of which
 * the CPU gathers the words. Functions return false, having done nothing, to
 * give up.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MESSAGE_PAGES_H
#define VEU_EU_INSTRUCTION_HANDLER_MESSAGE_PAGES_H

#include "hw/veu/eu/instruction/handler_message_lanes.h"
#include "hw/veu/eu/message/fast_pages.h"

#ifdef VEU_HAS_AVX2

/*
 * The host addresses of eight lanes, of which those @inside are used. @at:
 * offsets from the start of the buffer's first page. Sets bits of *@bad for
 * lanes whose page is not known.
 */
VEU_AVX512 __m512i veu_step_page_group(const VeuPageBuffer *b, __m256i at,
                                       __mmask8 inside, __mmask8 *bad)
{
    __m256i places = _mm256_xor_si256(
        _mm256_add_epi32(_mm256_srli_epi32(at, VEU_PAGE_BITS), b->page),
        b->hash);
    __m512i word = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), inside,
                                               places, b->access.pages->word,
                                               sizeof(uint64_t));
    __m256i in_page = _mm256_and_si256(at, _mm256_set1_epi32(
                                               VEU_HOST_PAGE_BYTES - 1));

    word = _mm512_xor_si512(word, _mm512_broadcast_i64x4(b->word));
    *bad |= _mm512_mask_test_epi64_mask(inside, word,
                                        _mm512_broadcast_i64x4(b->differs));
    word = _mm512_and_si512(word, _mm512_set1_epi64(VEU_HOST_PAGE_HOST));
    return _mm512_or_si512(word, _mm512_cvtepu32_epi64(in_page));
}

/*
 * Places the lanes of a message of dwords, whose buffer is not kept. Each dword
 * is aligned, and so in one page.
 */
VEU_AVX512 bool veu_step_place_in_pages(const VeuThread *t,
                                        const VeuHandlerStep *i,
                                        enum veu_access access, VeuStepLanes *l,
                                        __m512i host[2])
{
    VeuPageAccess a = veu_page_access(t, access, sizeof(uint32_t),
                                      sizeof(uint32_t) - 1);
    VeuStepBuffer buffer;
    VeuPageBuffer b;
    __mmask8 bad = 0;
    __m512i at;

    if (!a.pages || !veu_step_apart_buffer(t, i, &buffer) ||
        buffer.limit < sizeof(uint32_t)) {
        return false;
    }
    veu_page_buffer_open(&a, veu_step_surface(t, i)->base, buffer.limit, &b);
    l->active = veu_step_active(t, i);
    l->offset = veu_step_offsets_avx512(i, t->registers, false);
    if (!b.in_area || !veu_step_place_avx512(&buffer, sizeof(uint32_t), l)) {
        return false;
    }
    at = _mm512_add_epi32(l->offset, _mm512_broadcast_i64x4(b.start));
    host[0] = veu_step_page_group(&b, _mm512_castsi512_si256(at), l->inside,
                                  &bad);
    host[1] = veu_step_page_group(&b, _mm512_extracti64x4_epi64(at, 1),
                                  l->inside >> 8, &bad);
    return !bad;
}

VEU_AVX512 bool load_pages_avx512(VeuThread *t, const VeuHandlerStep *i)
{
    __m512i host[2], value = _mm512_setzero_si512();
    VeuStepLanes l;

    if (!veu_step_place_in_pages(t, i, VEU_ACCESS_READ, &l, host)) {
        return false;
    }
    for (unsigned k = 0; k < 2; k++) {
        value = veu_avx512_put_half(
            value, k,
            _mm512_mask_i64gather_epi32(_mm256_setzero_si256(),
                                        l.inside >> (8 * k), host[k], NULL, 1));
    }
    _mm512_mask_storeu_epi32(t->registers + i->from[VEU_STEP_DATA], l.active,
                             value);
    veu_step_count(t, __builtin_popcount(l.active),
                   __builtin_popcount(l.inside) * sizeof(uint32_t));
    veu_step_keep(t, i, VEU_ACCESS_READ);
    return true;
}

/* The CPU stores lanes in order, so the highest one wins. */
VEU_AVX512 bool store_pages_avx512(VeuThread *t, const VeuHandlerStep *i)
{
    const uint8_t *from = t->registers + i->from[VEU_STEP_DATA];
    __m512i host[2];
    VeuTargets to;
    VeuStepLanes l;

    if (!veu_step_place_in_pages(t, i, VEU_ACCESS_WRITE, &l, host)) {
        return false;
    }
    for (unsigned k = 0; k < 2; k++) {
        _mm512_storeu_si512(to.at + 8 * k, host[k]);
    }
    if (!veu_pages_note(t, VEU_HOST_PAGE_WRITE, l.inside, VEU_ROW_LANES, &to)) {
        return false;
    }
    for (unsigned k = 0; k < 2; k++) {
        _mm512_mask_i64scatter_epi32(NULL, l.inside >> (8 * k), host[k],
                                     veu_load_group(from + 32 * k), 1);
    }
    veu_step_count(t, __builtin_popcount(l.active),
                   __builtin_popcount(l.inside) * sizeof(uint32_t));
    veu_step_keep(t, i, VEU_ACCESS_WRITE);
    return true;
}

#endif
#endif
