/*
 * veu execution unit: scatters of elements to a buffer with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAST_AVX512_SCATTER_H
#define VEU_EU_FAST_AVX512_SCATTER_H

#include "hw/veu/eu/message/fast_avx512.h"

#ifdef VEU_HAS_AVX2

/* --- Rows ----------------------------------------------------------------- */

/* Like veu_avx512_gather_rows(). */
VEU_AVX512 bool veu_avx512_scatter_rows(VeuThread *t, VeuFollow *f,
                                        const VeuElements *e, unsigned lanes,
                                        unsigned bytes, unsigned *moved)
{
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
    } while (veu_follow_closely(f));
    return false;
}

/* --- Dirty pages ---------------------------------------------------------- */

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

/* --- Scatters ------------------------------------------------------------- */

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
 * Executes messages of elements of @bytes as long as they follow closely. Stops
 * before one whose lanes are not aligned. Returns the number of elements.
 */
VEU_AVX512 unsigned veu_avx512_scatter_each(VeuThread *t, VeuFollow *f,
                                            const VeuElements *e,
                                            unsigned lanes, unsigned bytes,
                                            bool *refused)
{
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
    } while (veu_follow_closely(f));
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

#endif
#endif
