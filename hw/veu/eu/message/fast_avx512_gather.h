/*
 * veu execution unit: gathers of elements of a buffer with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAST_AVX512_GATHER_H
#define VEU_EU_FAST_AVX512_GATHER_H

#include "hw/veu/eu/message/fast_avx512.h"

#ifdef VEU_HAS_AVX2

/*
 * Gathers lanes whose indices are at @index. @scale is the unit of indices that
 * are positive as signed numbers, or 0 for any.
 */
VEU_AVX512 __m512i veu_avx512_gather_from(const VeuElements *e, __m512i index,
                                          __mmask16 inside, unsigned lanes,
                                          unsigned scale)
{
    const void *base = e->view.host;

    if (scale == 4) {
        return VEU_AVX512_GATHER(lanes, inside, index, base, 4);
    }
    if (scale == 1) {
        return VEU_AVX512_GATHER(lanes, inside, index, base, 1);
    }
    base = (const void *)veu_signed_base(e->view.host);
    index = veu_avx512_signed(
        _mm512_sll_epi32(index, _mm_cvtsi32_si128(e->shift)));
    return VEU_AVX512_GATHER(lanes, inside, index, base, 1);
}

/*
 * Executes messages of elements of up to 4 bytes, each of which may be read as
 * 4 bytes, as long as they follow closely. Returns the number of
 * elements. The arrays of vectors are there for 32 lanes.
 */
VEU_AVX512 unsigned veu_avx512_gather_each(VeuThread *t, VeuFollow *f,
                                           const VeuElements *e, unsigned lanes,
                                           unsigned scale)
{
    const VeuMessage *first = f->m;
    const uint32_t element = UINT32_MAX >> (32 - 8 * first->element_bytes);
    const __m512i cut = _mm512_set1_epi32(element);
    const __m512i undefined = _mm512_set1_epi32(veu_undefined_dword(t) &
                                                ~element);
    const __m512i global = _mm512_set1_epi32(e->view.global);
    const __m512i last = _mm512_set1_epi32(e->last);
    const uint32_t active = t->active;
    const unsigned vectors = lanes < 16 ? 1 : lanes / 16;
    uint8_t *const registers = t->registers;
    unsigned moved = 0;

    do {
        const uint8_t *from = registers + f->m->address.register_byte;
        uint8_t *to = registers + f->m->data.register_byte;
        __m512i value[2];

        for (unsigned i = 0; i < vectors; i++) {
            __m512i index =
                _mm512_add_epi32(global, veu_avx512_load(from + i * 64, lanes));
            __mmask16 inside = _mm512_mask_cmple_epu32_mask(active >> (i * 16),
                                                            index, last);

            value[i] = veu_avx512_gather_from(e, index, inside, lanes, scale);
            moved += __builtin_popcount(inside);
        }
        for (unsigned i = 0; i < vectors; i++) {
            if (element != UINT32_MAX) {
                value[i] = _mm512_or_si512(_mm512_and_si512(value[i], cut),
                                           undefined);
            }
            veu_avx512_store_lanes(to + i * 64, (uint16_t)(active >> (i * 16)),
                                   lanes, value[i]);
        }
    } while (veu_follow_closely(f));
    return moved;
}

/* Up to 8 lanes of 8 bytes, at 32-bit offsets from @host. */
VEU_AVX512 __m512i veu_avx512_gather_qwords(const uint8_t *host,
                                            __mmask8 inside, __m256i offset)
{
    return _mm512_mask_i32gather_epi64(
        _mm512_setzero_si512(), inside,
        _mm256_xor_si256(offset, _mm256_set1_epi32(VEU_SIGN_BIT)),
        (const void *)veu_signed_base(host), 1);
}

/* Like veu_avx512_gather_each(), for elements of 8 bytes. */
VEU_AVX512 unsigned veu_avx512_gather_each_qword(VeuThread *t, VeuFollow *f,
                                                 const VeuElements *e,
                                                 unsigned lanes)
{
    const __m256i global = _mm256_set1_epi32(e->view.global);
    const __m256i last = _mm256_set1_epi32(e->last);
    const __m128i shift = _mm_cvtsi32_si128(e->shift);
    const uint32_t active = t->active;
    uint8_t *const registers = t->registers;
    unsigned moved = 0;

    do {
        const uint8_t *from = registers + f->m->address.register_byte;
        uint8_t *to = registers + f->m->data.register_byte;
        __m512i value[VEU_MAX_LANES / 8];

        for (unsigned i = 0; i < lanes / 8; i++) {
            __m256i index = _mm256_add_epi32(global,
                                             veu_load_group(from + i * 32));
            __mmask8 inside = _mm256_mask_cmple_epu32_mask(active >> (i * 8),
                                                           index, last);

            value[i] = veu_avx512_gather_qwords(e->view.host, inside,
                                                _mm256_sll_epi32(index, shift));
            moved += __builtin_popcount(inside);
        }
        for (unsigned i = 0; i < lanes / 8; i++) {
            _mm512_mask_storeu_epi64(to + i * 64, active >> (i * 8), value[i]);
        }
    } while (veu_follow_closely(f));
    return moved;
}

/*
 * Gathers rows as long as messages are rows and follow closely.
 * Returns true if it stops at a message for another reason.
 */
VEU_AVX512 bool veu_avx512_gather_rows(VeuThread *t, VeuFollow *f,
                                       const VeuElements *e, unsigned lanes,
                                       unsigned bytes, unsigned *moved)
{
    uint8_t *const registers = t->registers;

    do {
        uint64_t at = veu_avx512_row(e, registers + f->m->address.register_byte,
                                     lanes, bytes);

        if (at == UINT64_MAX) {
            return true;
        }
        veu_avx512_copy_row(registers + f->m->data.register_byte,
                            e->view.host + at, lanes * bytes);
        *moved += lanes;
    } while (veu_follow_closely(f));
    return false;
}

/* Executes messages as long as they follow closely. */
VEU_AVX512 unsigned veu_avx512_gather_some(VeuThread *t, VeuFollow *f,
                                           const VeuElements *e, unsigned lanes,
                                           unsigned bytes)
{
    bool is_signed = e->last > INT32_MAX;

    if (bytes == 8) {
        return veu_avx512_gather_each_qword(t, f, e, lanes);
    }
    return !is_signed && e->shift == 2 ?
               veu_avx512_gather_each(t, f, e, lanes, 4) :
           !is_signed && e->shift == 0 ?
               veu_avx512_gather_each(t, f, e, lanes, 1) :
               veu_avx512_gather_each(t, f, e, lanes, 0);
}

/*
 * Executes a message of elements of 8 bytes, or of up to 4 if @bytes is 4, and
 * those that follow it. Its buffer is @e, in one extent.
 */
VEU_AVX512 bool veu_avx512_gather(VeuThread *t, const VeuMessage *m,
                                  VeuElements e, unsigned lanes, unsigned bytes)
{
    VeuFollow f = veu_follow_open(t, m);
    unsigned moved = 0;

    do {
        if (veu_avx512_may_be_row(t, m, lanes, bytes) &&
            !veu_avx512_gather_rows(t, &f, &e, lanes, bytes, &moved)) {
            continue;
        }
        moved += veu_avx512_gather_some(t, &f, &e, lanes, bytes);
    } while (veu_follow_is_next(&f) &&
             veu_elements_follow(t, f.m, bytes, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, m, f.m, moved);
}

#endif
#endif
