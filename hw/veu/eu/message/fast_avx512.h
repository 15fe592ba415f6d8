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
#include "hw/veu/eu/message/fast_texels.h"

#ifdef VEU_HAS_AVX2

#define VEU_AVX512 \
    VEU_TARGET_AVX512 static inline __attribute__((always_inline))

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
    const uint8_t surface = f->m->surface;
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
    } while (veu_follow_next(f) && f->m->surface == surface);
    return moved;
}

/* --- Rows ----------------------------------------------------------------- */

/*
 * Most messages of programs access a row: all lanes run, and their elements of
 * 4 or 8 bytes are consecutive and inside. It is moved as a vector. Loops begin
 * with the messages that are rows, and look for no more after the first one
 * that is not, so messages at random places do not pay for it.
 */
VEU_AVX512 bool veu_avx512_may_be_row(const VeuThread *t, const VeuMessage *m,
                                      unsigned lanes, unsigned bytes)
{
    return m->element_bytes == bytes && t->active == UINT32_MAX >> (32 - lanes);
}

/*
 * The offset of a row of elements of @bytes in the buffer @e, whose indices are
 * at @from; UINT64_MAX if they are no row.
 */
VEU_AVX512 uint64_t veu_avx512_row(const VeuElements *e, const uint8_t *from,
                                   unsigned lanes, unsigned bytes)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                           12, 13, 14, 15);
    const uint32_t step = bytes >> e->shift;
    __m512i steps = _mm512_mullo_epi32(lane, _mm512_set1_epi32(step));
    uint32_t first;
    uint64_t index;
    __mmask16 bad = 0;

    memcpy(&first, from, sizeof(first));
    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        __m512i row = _mm512_add_epi32(_mm512_set1_epi32(first + i * 16 * step),
                                       steps);

        bad |= _mm512_mask_cmpneq_epu32_mask(
            lanes == 8 ? UINT8_MAX : UINT16_MAX, row,
            veu_avx512_load(from + i * 64, lanes));
    }
    first += e->view.global;
    index = (uint64_t)first + (lanes - 1) * step;
    return bad || index > e->last ? UINT64_MAX : (uint64_t)first << e->shift;
}

VEU_AVX512 void veu_avx512_copy_row(uint8_t *to, const uint8_t *from,
                                    unsigned row_bytes)
{
    for (unsigned at = 0; at < row_bytes; at += 64) {
        if (row_bytes == 32) {
            _mm256_storeu_si256((__m256i *)to, veu_load_group(from));
        } else {
            _mm512_storeu_si512(to + at, _mm512_loadu_si512(from + at));
        }
    }
}

/*
 * Gathers rows as long as messages are rows, and name the surface of the first.
 * Returns true if it stops at a message for another reason.
 */
VEU_AVX512 bool veu_avx512_gather_rows(VeuThread *t, VeuFollow *f,
                                       const VeuElements *e, unsigned lanes,
                                       unsigned bytes, unsigned *moved)
{
    const uint8_t surface = f->m->surface;
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
    } while (veu_follow_next(f) && f->m->surface == surface);
    return false;
}

/* Like veu_avx512_gather_rows(). */
VEU_AVX512 bool veu_avx512_scatter_rows(VeuThread *t, VeuFollow *f,
                                        const VeuElements *e, unsigned lanes,
                                        unsigned bytes, unsigned *moved)
{
    const uint8_t surface = f->m->surface;
    const uint8_t *const registers = t->registers;

    do {
        uint64_t at = veu_avx512_row(e, registers + f->m->address.register_byte,
                                     lanes, bytes);
        uint8_t *host;

        if (at == UINT64_MAX || ((uintptr_t)e->view.host + at) % bytes) {
            return true;
        }
        host = e->view.host + at;
        veu_mem_note(t->mem, e->view.extent, host, lanes * bytes);
        veu_avx512_copy_row(host, registers + f->m->data.register_byte,
                            lanes * bytes);
        *moved += lanes;
    } while (veu_follow_next(f) && f->m->surface == surface);
    return false;
}

/* --- Gathers -------------------------------------------------------------- */

/* Executes messages as long as they name the surface of the first. */
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

/* --- Scatters ------------------------------------------------------------- */

/* Lanes that are about to be written, for the marks of their pages. */
typedef struct VeuWideLanes {
    _Alignas(64) uint32_t offset[VEU_MAX_LANES];
    _Alignas(64) uint32_t page[VEU_MAX_LANES]; /* counts from the buffer's */
    uint32_t on;
} VeuWideLanes;

/* The pages of lanes at byte offsets in the buffer @w. */
VEU_AVX512 void veu_avx512_find_pages(const VeuView *w, unsigned lanes,
                                      VeuWideLanes *l)
{
    const uint32_t in_page = (1u << VEU_PAGE_BITS) - 1;
    __m512i mask = _mm512_set1_epi32(in_page);
    __m512i first = _mm512_set1_epi32((uintptr_t)w->host & in_page);

    for (unsigned i = 0; i < lanes; i += 16) {
        __m512i offset = _mm512_load_si512(l->offset + i);
        __m512i at = _mm512_add_epi32(_mm512_and_si512(offset, mask), first);

        _mm512_store_si512(
            l->page + i,
            _mm512_add_epi32(_mm512_srli_epi32(offset, VEU_PAGE_BITS),
                             _mm512_srli_epi32(at, VEU_PAGE_BITS)));
    }
}

#define VEU_AVX512_EACH_LANE(i, on, lanes, statement) \
    if ((on) == UINT32_MAX >> (32 - (lanes))) {       \
        VEU_UNROLL                                    \
        for (unsigned i = 0; i < (lanes); i++) {      \
            statement;                                \
        }                                             \
    } else {                                          \
        VEU_FOR_EACH_LANE(i, on) {                    \
            statement;                                \
        }                                             \
    }

VEU_AVX512 void veu_avx512_mark(const VeuView *w, unsigned lanes,
                                const VeuWideLanes *l)
{
    uint8_t *noted = (uint8_t *)(w->extent->noted +
                                 ((uintptr_t)w->host >> VEU_PAGE_BITS));

    VEU_AVX512_EACH_LANE(i, l->on, lanes, noted[l->page[i]] = 1)
}

/* Lists the blocks of lanes in a large buffer; mostly, all are listed. */
VEU_AVX512 void veu_avx512_list_blocks(VeuThread *t, const VeuView *w,
                                       unsigned lanes, const VeuWideLanes *l)
{
    const uintptr_t page = (uintptr_t)w->host >> VEU_PAGE_BITS;
    const unsigned bits = VEU_NOTE_BITS - VEU_PAGE_BITS;
    const uint8_t *listed = (const uint8_t *)w->extent->listed;
    uint8_t all = 1;

    if (!listed) {
        return;
    }
    VEU_AVX512_EACH_LANE(i, l->on, lanes,
                         all &= listed[(page + l->page[i]) >> bits])
    if (!all) {
        VEU_FOR_EACH_LANE(i, l->on) {
            veu_mem_list(t->mem, w->extent, w->host + l->offset[i], 1);
        }
    }
}

/*
 * Lanes of a large buffer are rarely in the cache. They are fetched all at once
 * here, because a store that misses the cache holds up the marks after it.
 */
VEU_AVX512 void veu_avx512_fetch(const uint8_t *host, unsigned lanes,
                                 const VeuWideLanes *l)
{
    const uint32_t *offset = l->offset;

    VEU_AVX512_EACH_LANE(i, l->on, lanes,
                         __builtin_prefetch(host + offset[i], 1))
}

/*
 * Marks the pages of the lanes. Returns true if all pages of the buffer are
 * dirty now.
 */
VEU_AVX512 bool veu_avx512_note_any(VeuThread *t, const VeuView *w,
                                    unsigned lanes, VeuWideLanes *l)
{
    if (w->bytes > VEU_SMALL_BYTES) {
        veu_avx512_fetch(w->host, lanes, l);
        veu_avx512_find_pages(w, lanes, l);
        veu_avx512_list_blocks(t, w, lanes, l);
    } else if (veu_mem_is_noted(t->mem, w->extent, w->host, w->bytes)) {
        return true;
    } else {
        veu_avx512_find_pages(w, lanes, l);
        veu_mem_list_all(t->mem, w->extent, w->host, w->bytes);
    }
    veu_avx512_mark(w, lanes, l);
    return false;
}

/* Not inlined, so that loops that call it keep their variables in registers. */
VEU_TARGET_AVX512 static __attribute__((noinline, unused)) bool veu_avx512_note(
    VeuThread *t, const VeuView *w, unsigned lanes, VeuWideLanes *l)
{
    return lanes == 16 ? veu_avx512_note_any(t, w, 16, l) :
                         veu_avx512_note_any(t, w, lanes, l);
}

/* A scatter of 16 lanes, or of 8. _scale_ is a constant of the instruction. */
#define VEU_AVX512_SCATTER(lanes, base, inside, offset, value, scale)         \
    ((lanes) == 8 ?                                                           \
         _mm256_mask_i32scatter_epi32(base, inside,                           \
                                      _mm512_castsi512_si256(offset),         \
                                      _mm512_castsi512_si256(value), scale) : \
         _mm512_mask_i32scatter_epi32(base, inside, offset, value, scale))

/* Where the lanes of a message are: 16, or 8, in each vector. */
typedef struct VeuWideTargets {
    __m512i offset[2]; /* in bytes */
    __mmask16 inside[2];
} VeuWideTargets;

/* Returns false if an element of @bytes is not aligned. */
VEU_AVX512 bool veu_avx512_targets(const uint8_t *from, uint32_t active,
                                   const VeuElements *e, unsigned lanes,
                                   unsigned bytes, VeuWideTargets *to)
{
    const __m512i global = _mm512_set1_epi32(e->view.global);
    const __m512i last = _mm512_set1_epi32(e->last);
    const __m512i host = _mm512_set1_epi32((uintptr_t)e->view.host);
    const __m128i shift = _mm_cvtsi32_si128(e->shift);
    __mmask16 bad = 0;

    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        __m512i index = _mm512_add_epi32(global,
                                         veu_avx512_load(from + i * 64, lanes));

        to->inside[i] = _mm512_mask_cmple_epu32_mask(active >> (i * 16), index,
                                                     last);
        to->offset[i] = _mm512_sll_epi32(index, shift);
        bad |= _mm512_mask_test_epi32_mask(
            to->inside[i], _mm512_add_epi32(to->offset[i], host),
            _mm512_set1_epi32(bytes - 1));
    }
    return !bad;
}

VEU_AVX512 void veu_avx512_lanes_of(const VeuWideTargets *to, unsigned lanes,
                                    VeuWideLanes *l)
{
    l->on = 0;
    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        _mm512_store_si512(l->offset + i * 16, to->offset[i]);
        l->on |= (uint32_t)to->inside[i] << (i * 16);
    }
}

VEU_AVX512 bool veu_avx512_note_targets(VeuThread *t, const VeuView *w,
                                        const VeuWideTargets *to,
                                        unsigned lanes)
{
    VeuWideLanes l;

    veu_avx512_lanes_of(to, lanes, &l);
    return veu_avx512_note(t, w, lanes, &l);
}

/*
 * Fetches the lines of the message after that of @f, if it stores to @e as
 * well: its lanes are known, since the messages of the loop load no registers.
 */
VEU_AVX512 void veu_avx512_fetch_next(const VeuThread *t, const VeuFollow *f,
                                      const VeuElements *e, unsigned lanes,
                                      unsigned bytes)
{
    const VeuMessage *next = veu_follow_after(f);
    VeuWideTargets to;
    VeuWideLanes l;

    if (next && next->surface == f->m->surface &&
        veu_avx512_targets(t->registers + next->address.register_byte,
                           t->active, e, lanes, bytes, &to)) {
        veu_avx512_lanes_of(&to, lanes, &l);
        veu_avx512_fetch(e->view.host, lanes, &l);
    }
}

/* Stores the elements of @bytes at @from. */
VEU_AVX512 void veu_avx512_store_targets(uint8_t *host, const uint8_t *from,
                                         unsigned lanes, unsigned bytes,
                                         const VeuWideTargets *to)
{
    void *base = (void *)veu_signed_base(host);

    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        __m512i at = veu_avx512_signed(to->offset[i]);

        if (bytes == 4) {
            VEU_AVX512_SCATTER(lanes, base, to->inside[i], at,
                               veu_avx512_load(from + i * 64, lanes), 1);
            continue;
        }
        _mm512_mask_i32scatter_epi64(base, to->inside[i],
                                     _mm512_castsi512_si256(at),
                                     _mm512_loadu_si512(from + i * 128), 1);
        if (lanes > 8) {
            _mm512_mask_i32scatter_epi64(
                base, to->inside[i] >> 8, _mm512_extracti64x4_epi64(at, 1),
                _mm512_loadu_si512(from + i * 128 + 64), 1);
        }
    }
}

/*
 * Executes messages of elements of @bytes as long as they name the surface of
 * the first. Stops before one whose lanes are not aligned. Returns the number
 * of elements.
 */
VEU_AVX512 unsigned veu_avx512_scatter_each(VeuThread *t, VeuFollow *f,
                                            const VeuElements *e,
                                            unsigned lanes, unsigned bytes,
                                            bool *refused)
{
    const uint8_t surface = f->m->surface;
    const uint32_t active = t->active;
    const uint8_t *const registers = t->registers;
    bool noted = veu_mem_knows_noted(t->mem, e->view.extent, e->view.host,
                                     e->view.bytes);
    unsigned moved = 0;

    do {
        const uint8_t *from = registers + f->m->data.register_byte;
        VeuWideTargets to;

        *refused = !veu_avx512_targets(registers + f->m->address.register_byte,
                                       active, e, lanes, bytes, &to);
        if (*refused) {
            break;
        }
        if (!noted) {
            if (e->view.bytes > VEU_SMALL_BYTES) {
                veu_avx512_fetch_next(t, f, e, lanes, bytes);
            }
            noted = veu_avx512_note_targets(t, &e->view, &to, lanes);
        }
        veu_avx512_store_targets(e->view.host, from, lanes, bytes, &to);
        for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
            moved += __builtin_popcount(to.inside[i]);
        }
    } while (veu_follow_next(f) && f->m->surface == surface);
    return moved;
}

/*
 * Executes a message of elements of @bytes, 4 or 8, and those that follow it.
 * Its buffer is @e, in one extent with dirty bytes. Returns false if nothing
 * was done.
 */
VEU_AVX512 bool veu_avx512_scatter(VeuThread *t, const VeuMessage *m,
                                   VeuElements e, unsigned lanes,
                                   unsigned bytes)
{
    VeuFollow f = veu_follow_open(t, m);
    unsigned moved = 0;
    bool refused = false;

    do {
        if (veu_avx512_may_be_row(t, m, lanes, bytes) &&
            !veu_avx512_scatter_rows(t, &f, &e, lanes, bytes, &moved)) {
            continue;
        }
        moved += veu_avx512_scatter_each(t, &f, &e, lanes, bytes, &refused);
    } while (!refused && veu_follow_is_next(&f) &&
             veu_elements_follow(t, f.m, bytes, VEU_ACCESS_WRITE, &e) &&
             e.view.extent->noted);
    return veu_elements_finish(t, m, f.m, moved);
}

/* --- Texels --------------------------------------------------------------- */

/*
 * Returns a bit for each word, set if the word is all ones; words are all ones
 * or 0.
 */
VEU_AVX512 uint32_t veu_avx512_lane_bits(const uint32_t *words, unsigned lanes)
{
    return _mm512_movepi32_mask(
               veu_avx512_load((const uint8_t *)words, lanes)) &
           UINT32_MAX >> (32 - lanes);
}

/*
 * Returns true if only U and V determine where a texel is, in rows that are one
 * after the other. Coordinates that are null are in veu_zeroes.
 */
VEU_AVX512 bool veu_avx512_is_flat(const VeuSurface *s,
                                   const VeuLaneCoordinates *at)
{
    const VeuShape *shape = s->shape;

    return s->level[0].slices && !s->tile && !shape->v_slice &&
           (!shape->r_slice || at->r == veu_zeroes) &&
           (!shape->lod || at->lod == veu_zeroes);
}

/* Like veu_place_lanes(). */
VEU_AVX512 uint32_t veu_avx512_place(const VeuSurface *s,
                                     const VeuLaneCoordinates *at,
                                     unsigned lanes, uint32_t *offset)
{
    const VeuLevel *level = &s->level[0];
    __m512i u, v, x, y;
    __mmask16 inside;

    if (!veu_avx512_is_flat(s, at)) {
        return veu_place_lanes(s, at, lanes, veu_avx512_lane_bits, offset);
    }
    u = veu_avx512_load((const uint8_t *)at->u, lanes);
    v = _mm512_and_si512(veu_avx512_load((const uint8_t *)at->v, lanes),
                         _mm512_set1_epi32(s->shape->v_row));
    inside = _mm512_mask_cmplt_epu32_mask(UINT32_MAX >> (32 - lanes), u,
                                          _mm512_set1_epi32(level->width));
    inside = _mm512_mask_cmplt_epu32_mask(inside, v,
                                          _mm512_set1_epi32(level->height));
    x = _mm512_add_epi32(_mm512_sll_epi32(u, _mm_cvtsi32_si128(s->texel_log2)),
                         _mm512_set1_epi32(level->x_byte));
    y = _mm512_add_epi32(v, _mm512_set1_epi32(level->y));
    _mm512_store_si512(offset,
                       _mm512_maskz_add_epi32(
                           inside, x,
                           _mm512_mullo_epi32(y, _mm512_set1_epi32(s->pitch))));
    return inside;
}

/* Loads the lanes of @live; others are 0. */
VEU_AVX512 void veu_avx512_load_dwords(const uint8_t *host, uint32_t live,
                                       unsigned lanes, const uint32_t *offset,
                                       uint32_t *dwords)
{
    __m512i at = veu_avx512_signed(
        veu_avx512_load((const uint8_t *)offset, lanes));

    _mm512_store_si512(
        dwords, VEU_AVX512_GATHER(lanes, live, at,
                                  (const void *)veu_signed_base(host), 1));
}

/* Stores the lanes of @live, each at a 32-bit offset from @host. */
VEU_AVX512 void veu_avx512_store_dwords(uint8_t *host, uint32_t live,
                                        unsigned lanes, const uint32_t *offset,
                                        const uint32_t *dwords)
{
    __m512i at = veu_avx512_signed(
        veu_avx512_load((const uint8_t *)offset, lanes));

    VEU_AVX512_SCATTER(lanes, (void *)veu_signed_base(host), live, at,
                       veu_avx512_load((const uint8_t *)dwords, lanes), 1);
}

#endif
#endif
