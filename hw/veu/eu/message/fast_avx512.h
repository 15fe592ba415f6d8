/*
 * veu execution unit: elements of a buffer and texels, 16 lanes in an AVX-512
 * register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's scatter stores lanes in ascending order, so the highest one wins.
 */
#ifndef VEU_EU_FAST_AVX512_H
#define VEU_EU_FAST_AVX512_H

#include "hw/veu/eu/message/fast_elements.h"

#ifdef VEU_HAS_AVX2

#define VEU_AVX512 \
    VEU_TARGET_AVX512 static inline __attribute__((always_inline))

/* The offsets of the lanes from @lane on, and which of them are inside. */
VEU_AVX512 __m512i veu_avx512_offsets(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e, unsigned lane,
                                      __mmask16 *inside)
{
    __m512i index = _mm512_add_epi32(
        _mm512_set1_epi32(e->view.global),
        _mm512_loadu_si512(t->registers + m->address.register_byte + lane * 4));

    *inside = _mm512_mask_cmple_epu32_mask(t->active >> lane, index,
                                           _mm512_set1_epi32(e->last));
    return _mm512_sll_epi32(index, _mm_cvtsi32_si128(e->shift));
}

/* Converts offsets for the CPU, which takes them as signed. */
VEU_AVX512 __m512i veu_avx512_signed(__m512i offset)
{
    return _mm512_xor_si512(offset, _mm512_set1_epi32(VEU_SIGN_BIT));
}

/* 16 dwords, or 8 of them in the lower half. */
VEU_AVX512 __m512i veu_avx512_load(const uint8_t *from, unsigned lanes)
{
    return lanes == 8 ? _mm512_castsi256_si512(veu_load_group(from)) :
                        _mm512_loadu_si512(from);
}

/*
 * Stores the lanes @on. If these are all, the CPU need not merge what it stores
 * with what was there.
 */
VEU_AVX512 void veu_avx512_store_lanes(uint8_t *to, uint32_t on, unsigned lanes,
                                       __m512i value)
{
    if (lanes == 8 && on == UINT8_MAX) {
        _mm256_storeu_si256((__m256i *)to, _mm512_castsi512_si256(value));
    } else if (lanes == 8) {
        _mm256_mask_storeu_epi32(to, on, _mm512_castsi512_si256(value));
    } else if (on == UINT16_MAX) {
        _mm512_storeu_si512(to, value);
    } else {
        _mm512_mask_storeu_epi32(to, on, value);
    }
}

/* A gather of 16 lanes, or of 8. _scale_ is a constant of the instruction. */
#define VEU_AVX512_GATHER(lanes, inside, offset, base, scale)            \
    ((lanes) == 8 ? _mm512_castsi256_si512(_mm256_mmask_i32gather_epi32( \
                        _mm256_setzero_si256(), inside,                  \
                        _mm512_castsi512_si256(offset), base, scale)) :  \
                    _mm512_mask_i32gather_epi32(_mm512_setzero_si512(),  \
                                                inside, offset, base, scale))

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
 * 4 bytes, as long as they name the surface of the first. Returns the number of
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
    } while (veu_follow_next(f) && f->m->surface == first->surface);
    return moved;
}

/*
 * Executes a message of elements of up to 4 bytes, and those that follow it.
 * Its buffer is @e, in one extent.
 */
VEU_AVX512 bool veu_avx512_gather(VeuThread *t, const VeuMessage *m,
                                  VeuElements e, unsigned lanes)
{
    VeuFollow f = veu_follow_open(t, m);
    unsigned moved = 0;

    do {
        bool is_signed = e.last > INT32_MAX;

        moved += !is_signed && e.shift == 2 ?
                     veu_avx512_gather_each(t, &f, &e, lanes, 4) :
                 !is_signed && e.shift == 0 ?
                     veu_avx512_gather_each(t, &f, &e, lanes, 1) :
                     veu_avx512_gather_each(t, &f, &e, lanes, 0);
    } while (veu_follow_is_next(&f) &&
             veu_elements_follow(t, f.m, 4, VEU_ACCESS_READ, &e));
    return veu_elements_finish(t, m, f.m, moved);
}

/* The lanes of a group that are stored, and where. */
typedef struct VeuWideTargets {
    __m512i offset;
    __mmask16 inside;
} VeuWideTargets;

/* Returns false if an element is not aligned. */
VEU_AVX512 bool veu_avx512_targets(const VeuThread *t, const VeuMessage *m,
                                   const VeuElements *e, unsigned lanes,
                                   VeuWideTargets *to)
{
    __m512i host = _mm512_set1_epi32((uintptr_t)e->view.host);
    __mmask16 bad = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        to[i].offset = veu_avx512_offsets(t, m, e, i * 16, &to[i].inside);
        bad |= _mm512_mask_test_epi32_mask(to[i].inside,
                                           _mm512_add_epi32(to[i].offset, host),
                                           _mm512_set1_epi32(3));
    }
    return !bad;
}

/* Marks the pages of a small buffer, whose blocks are listed, as dirty. */
VEU_AVX512 void veu_avx512_note(const VeuView *w, const VeuWideTargets *to)
{
    const uint32_t in_page = (1u << VEU_PAGE_BITS) - 1;
    uint8_t *noted = (uint8_t *)(w->extent->noted +
                                 ((uintptr_t)w->host >> VEU_PAGE_BITS));
    __m512i first = _mm512_set1_epi32((uintptr_t)w->host & in_page);
    _Alignas(64) uint32_t page[16];

    _mm512_store_si512(page,
                       _mm512_srli_epi32(_mm512_add_epi32(to->offset, first),
                                         VEU_PAGE_BITS));
    if (to->inside == UINT16_MAX) {
        VEU_UNROLL
        for (unsigned i = 0; i < 16; i++) {
            noted[page[i]] = 1;
        }
    } else {
        VEU_FOR_EACH_LANE(i, to->inside) {
            noted[page[i]] = 1;
        }
    }
}

/* Returns the number of elements stored. */
VEU_AVX512 int veu_avx512_store(const VeuThread *t, const VeuMessage *m,
                                const VeuView *w, unsigned lanes,
                                const VeuWideTargets *to)
{
    const uint8_t *from = t->registers + m->data.register_byte;
    int count = 0;

    for (unsigned i = 0; i < lanes / 16; i++) {
        _mm512_mask_i32scatter_epi32((void *)veu_signed_base(w->host),
                                     to[i].inside,
                                     veu_avx512_signed(to[i].offset),
                                     _mm512_loadu_si512(from + i * 64), 1);
        count += __builtin_popcount(to[i].inside);
    }
    return count;
}

/*
 * Stores dwords to pages that are all dirty. Returns their number, or -1 if
 * nothing was done.
 */
VEU_AVX512 int veu_avx512_scatter_one(const VeuThread *t, const VeuMessage *m,
                                      const VeuElements *e, unsigned lanes)
{
    VeuWideTargets to[2];

    return veu_avx512_targets(t, m, e, lanes, to) ?
               veu_avx512_store(t, m, &e->view, lanes, to) :
               -1;
}

/*
 * Like veu_avx512_scatter_one(), to any pages of a small buffer. It is a
 * function of its own, with a copy of the elements, so that the loop below
 * keeps its variables in registers.
 */
VEU_TARGET_AVX512 static __attribute__((noinline, unused)) int
veu_avx512_scatter_one_noting(VeuThread *t, const VeuMessage *m, VeuElements e,
                              unsigned lanes)
{
    const VeuView *w = &e.view;
    VeuWideTargets to[2];

    if (!w->extent->noted || w->bytes > VEU_SMALL_BYTES ||
        !veu_avx512_targets(t, m, &e, lanes, to)) {
        return -1;
    }
    if (!veu_mem_is_noted(t->mem, w->extent, w->host, w->bytes)) {
        veu_mem_list_all(t->mem, w->extent, w->host, w->bytes);
        for (unsigned i = 0; i < lanes / 16; i++) {
            veu_avx512_note(w, &to[i]);
        }
    }
    return veu_avx512_store(t, m, w, lanes, to);
}

/* Executes a message of dwords, and those that follow it. */
VEU_AVX512 bool veu_avx512_scatter(VeuThread *t, const VeuMessage *m,
                                   unsigned lanes)
{
    const unsigned bytes = 4;
    const VeuMessage *first = m;
    unsigned moved = 0;
    VeuElements e;

    if (!veu_view_find_cached(t, m, VEU_ACCESS_WRITE, &e.view) ||
        !veu_elements_measure(m, &e) ||
        !veu_elements_suit_groups(&e, m, bytes)) {
        return false;
    }
    do {
        int count = veu_mem_knows_noted(t->mem, e.view.extent, e.view.host,
                                        e.view.bytes) ?
                        veu_avx512_scatter_one(t, m, &e, lanes) :
                        veu_avx512_scatter_one_noting(t, m, e, lanes);

        if (count < 0) {
            break;
        }
        moved += count;
    } while (veu_goes_on(t, &m) &&
             veu_elements_follow(t, m, bytes, VEU_ACCESS_WRITE, &e));
    return m != first && veu_elements_finish(t, first, m, moved);
}

/* --- Texels of 16 lanes --------------------------------------------------- */

/*
 * Returns a bit for each word, set if the word is all ones; words are all ones
 * or 0.
 */
VEU_AVX512 uint32_t veu_avx512_lane_bits(const uint32_t *words, unsigned lanes)
{
    return _mm512_movepi32_mask(_mm512_load_si512(words));
}

/* Stores the lanes of @live, each at a 32-bit offset from @host. */
VEU_AVX512 void veu_avx512_store_dwords(uint8_t *host, uint32_t live,
                                        const uint32_t *offset,
                                        const uint32_t *dwords)
{
    _mm512_mask_i32scatter_epi32((void *)veu_signed_base(host), live,
                                 veu_avx512_signed(_mm512_load_si512(offset)),
                                 _mm512_load_si512(dwords), 1);
}

#endif
#endif
