/*
 * veu execution unit: scatters of elements to a buffer with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAST_AVX512_SCATTER_H
#define VEU_EU_FAST_AVX512_SCATTER_H

#include "hw/veu/eu/message/fast_avx512_marks.h"

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

/* --- Lanes ---------------------------------------------------------------- */

/* Where the lanes of a message are: 16, or 8, in each vector. */
typedef struct VeuWideTargets {
    __m512i offset[2]; /* in bytes */
    __mmask16 inside[2];
} VeuWideTargets;

/* The elements of a buffer, in variables of a loop. */
typedef struct VeuWideElements {
    __m512i host; /* the low bits of its address */
    __m512i global;
    __m512i last;
    __m128i shift;
} VeuWideElements;

VEU_AVX512 VeuWideElements veu_avx512_open_elements(const VeuElements *e)
{
    return (VeuWideElements){
        .host = _mm512_set1_epi32((uintptr_t)e->view.host),
        .global = _mm512_set1_epi32(e->view.global),
        .last = _mm512_set1_epi32(e->last),
        .shift = _mm_cvtsi32_si128(e->shift),
    };
}

/* Places lanes, whose indices are at @from. */
VEU_AVX512 void veu_avx512_place(const uint8_t *from, uint32_t active,
                                 const VeuWideElements *e, unsigned lanes,
                                 VeuWideTargets *to)
{
    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        __m512i index = _mm512_add_epi32(e->global,
                                         veu_avx512_load(from + i * 64, lanes));

        to->inside[i] = _mm512_mask_cmple_epu32_mask(active >> (i * 16), index,
                                                     e->last);
        to->offset[i] = _mm512_sll_epi32(index, e->shift);
    }
}

/* Returns true if all elements of @bytes in @e are aligned to their size. */
static inline bool veu_avx512_all_aligned(const VeuElements *e, unsigned bytes)
{
    return 1u << e->shift == bytes && (uintptr_t)e->view.host % bytes == 0;
}

/* Returns true if the elements of @bytes that are inside are aligned. */
VEU_AVX512 bool veu_avx512_are_aligned(const VeuWideElements *e, unsigned lanes,
                                       unsigned bytes, const VeuWideTargets *to)
{
    __mmask16 bad = 0;

    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        bad |= _mm512_mask_test_epi32_mask(
            to->inside[i], _mm512_add_epi32(to->offset[i], e->host),
            _mm512_set1_epi32(bytes - 1));
    }
    return !bad;
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

/*
 * Fetches the lines of the message after that of @f, if it stores to the same
 * buffer, @e at @host. Lanes of a large buffer are rarely in the cache.
 */
VEU_AVX512 void veu_avx512_fetch_next(const VeuThread *t, const VeuFollow *f,
                                      const VeuWideElements *e, uint8_t *host,
                                      unsigned lanes)
{
    const VeuMessage *next = veu_follow_after(f);
    _Alignas(64) uint32_t offset[VEU_MAX_LANES];
    VeuWideTargets to;
    uint32_t on = 0;

    if (!next || next->surface != f->m->surface) {
        return;
    }
    veu_avx512_place(t->registers + next->address.register_byte, t->active, e,
                     lanes, &to);
    for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
        _mm512_store_si512(offset + i * 16, to.offset[i]);
        on |= (uint32_t)to.inside[i] << (i * 16);
    }
    VEU_AVX512_EACH_LANE(i, on, lanes, __builtin_prefetch(host + offset[i], 1))
}

/* --- Dirty pages ---------------------------------------------------------- */

/* The pages of lanes at byte offsets in @w, counted from its first. */
VEU_AVX512 __m512i veu_avx512_pages(const VeuView *w, __m512i offset)
{
    const uint32_t in_page = (1u << VEU_PAGE_BITS) - 1;
    __m512i at = _mm512_and_si512(offset, _mm512_set1_epi32(in_page));

    at = _mm512_add_epi32(at, _mm512_set1_epi32((uintptr_t)w->host & in_page));
    return _mm512_add_epi32(_mm512_srli_epi32(offset, VEU_PAGE_BITS),
                            _mm512_srli_epi32(at, VEU_PAGE_BITS));
}

VEU_AVX512 void veu_avx512_mark_each(VeuThread *t, const VeuMessage *m,
                                     const VeuMessage *end,
                                     const VeuElements *e, unsigned lanes)
{
    const VeuView *w = &e->view;
    const VeuWideElements wide = veu_avx512_open_elements(e);
    const VeuWideMarks k = veu_avx512_open_marks(t->mem, w->extent, w->host,
                                                 w->host, w->bytes);

    for (; m < end && !veu_avx512_all_marked(&k); m++) {
        VeuWideTargets to;

        veu_avx512_place(t->registers + m->address.register_byte, t->active,
                         &wide, lanes, &to);
        for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
            veu_avx512_mark(&k, veu_avx512_pages(w, to.offset[i]), to.inside[i],
                            lanes);
        }
    }
}

/*
 * Marks the pages of messages from @m to before @end. It is not inlined, so
 * that loops that call it keep their variables in registers.
 */
VEU_TARGET_AVX512 static __attribute__((noinline, unused)) void
veu_avx512_mark_messages(VeuThread *t, const VeuMessage *m,
                         const VeuMessage *end, const VeuElements *e)
{
    if (m->lanes == 16) {
        veu_avx512_mark_each(t, m, end, e, 16);
    } else if (m->lanes == 8) {
        veu_avx512_mark_each(t, m, end, e, 8);
    } else {
        veu_avx512_mark_each(t, m, end, e, 32);
    }
}

/* --- Scatters ------------------------------------------------------------- */

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
    const VeuMessage *const first = f->m;
    const bool noted = veu_mem_knows_noted(t->mem, e->view.extent, e->view.host,
                                           e->view.bytes);
    const bool fetches = !noted && e->view.bytes > VEU_SMALL_BYTES;
    const bool aligned = veu_avx512_all_aligned(e, bytes);
    const VeuWideElements wide = veu_avx512_open_elements(e);
    unsigned moved = 0;

    do {
        const uint8_t *from = registers + f->m->data.register_byte;
        VeuWideTargets to;

        veu_avx512_place(registers + f->m->address.register_byte, active, &wide,
                         lanes, &to);
        *refused = !aligned &&
                   !veu_avx512_are_aligned(&wide, lanes, bytes, &to);
        if (*refused) {
            break;
        }
        if (fetches) {
            veu_avx512_fetch_next(t, f, &wide, e->view.host, lanes);
        }
        veu_avx512_store_targets(e->view.host, from, lanes, bytes, &to);
        for (unsigned i = 0; i < (lanes + 15) / 16; i++) {
            moved += __builtin_popcount(to.inside[i]);
        }
    } while (veu_follow_closely(f));
    if (!noted && f->m != first) {
        veu_avx512_mark_messages(t, first, f->m, e);
    }
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
