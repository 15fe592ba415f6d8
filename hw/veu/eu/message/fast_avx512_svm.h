/*
 * veu execution unit: dwords at 8 or 16 addresses, in AVX-512 registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's scatter stores lanes in ascending order, so the highest one wins.
 */
#ifndef VEU_EU_FAST_AVX512_SVM_H
#define VEU_EU_FAST_AVX512_SVM_H

#include "hw/veu/eu/message/fast_avx512_scatter.h"

#ifdef VEU_HAS_AVX2

/* An extent that all lanes must be in, in variables of a loop. */
typedef struct VeuWideExtent {
    const VeuExtent *extent;
    uint8_t *host;
    __m512i start;
    __m512i last;
    __m512i low_bits; /* that must be 0 in an address */
} VeuWideExtent;

/* Returns false if offsets in @e do not show whether lanes are aligned. */
VEU_AVX512 bool veu_avx512_open_extent(const VeuMessage *m, const VeuExtent *e,
                                       VeuWideExtent *to)
{
    uint64_t low_bits = m->align_bytes - 1;

    if (e->bytes < 4 || low_bits < 3 || (e->iova & low_bits) ||
        ((uintptr_t)e->host & 3)) {
        return false;
    }
    *to = (VeuWideExtent){
        .extent = e,
        .host = e->host,
        .start = _mm512_set1_epi64(e->iova),
        .last = _mm512_set1_epi64(e->bytes - 4),
        .low_bits = _mm512_set1_epi64(low_bits),
    };
    return true;
}

/*
 * The offsets of lanes from the start of @e, 0 for those that do not run.
 * Returns false if a lane is outside @e or not aligned.
 */
VEU_AVX512 bool veu_avx512_within(const uint8_t *addresses, uint32_t active,
                                  const VeuWideExtent *e, unsigned lanes,
                                  __m512i at[2])
{
    __m512i highest = _mm512_setzero_si512();
    __m512i bits = _mm512_setzero_si512();

    for (unsigned i = 0; i < lanes / 8; i++) {
        at[i] = _mm512_maskz_sub_epi64(active >> (i * 8),
                                       _mm512_loadu_si512(addresses + i * 64),
                                       e->start);
        highest = i ? _mm512_max_epu64(highest, at[i]) : at[i];
        bits = i ? _mm512_or_si512(bits, at[i]) : at[i];
    }
    return !(_mm512_cmpgt_epu64_mask(highest, e->last) |
             _mm512_test_epi64_mask(bits, e->low_bits));
}

/* Makes the first running lane's extent the one that was found last. */
static inline bool veu_avx512_look(VeuThread *t, const VeuMessage *m,
                                   enum veu_access access)
{
    uint64_t first = veu_lane_qword(t, &m->address, __builtin_ctz(t->active));

    return veu_mem_find(t->mem, first, 4, access);
}

VEU_AVX512 void veu_avx512_gather_lanes(uint8_t *to, uint32_t active,
                                        const VeuWideExtent *e, unsigned lanes,
                                        const __m512i at[2])
{
    __m512i value = _mm512_setzero_si512();

    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i half = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(),
                                                   active >> (i * 8), at[i],
                                                   e->host, 1);

        value = veu_avx512_put_half(value, i, half);
    }
    veu_avx512_store_lanes(to, active, lanes, value);
}

/*
 * The offset in @e of a row, all of whose lanes run and are consecutive dwords;
 * UINT64_MAX if they are no row. @at is from veu_avx512_within().
 */
VEU_AVX512 uint64_t veu_avx512_svm_row(unsigned lanes, const __m512i at[2])
{
    const __m512i lane = _mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28);
    uint64_t first = _mm_cvtsi128_si64(_mm512_castsi512_si128(at[0]));
    __mmask8 bad = 0;

    for (unsigned i = 0; i < lanes / 8; i++) {
        __m512i row = _mm512_add_epi64(_mm512_set1_epi64(first + i * 32), lane);

        bad |= _mm512_cmpneq_epu64_mask(row, at[i]);
    }
    return bad ? UINT64_MAX : first;
}

/*
 * Completes the messages from @first to before @end, each of which moved all
 * lanes.
 */
static inline bool veu_avx512_finish(VeuThread *t, const VeuMessage *first,
                                     const VeuMessage *end)
{
    return veu_follow_finish(t, first, end,
                             (end - first) * veu_lane_count(t->active) * 4);
}

/*
 * Gathers if all lanes are in the extent that was found last; otherwise returns
 * false.
 */
VEU_AVX512 bool veu_avx512_gather_dword(VeuThread *t, const VeuMessage *m,
                                        unsigned lanes)
{
    const uint32_t active = t->active;
    uint8_t *const registers = t->registers;
    bool rows = veu_avx512_may_be_row(t, m, lanes, 4);
    VeuFollow f = veu_follow_open(t, m);
    VeuWideExtent e;
    __m512i at[2];

    if (!veu_avx512_open_extent(m, &t->mem->kept[0].last, &e)) {
        return false;
    }
    while (veu_avx512_within(registers + f.m->address.register_byte, active, &e,
                             lanes, at)) {
        uint8_t *to = registers + f.m->data.register_byte;
        uint64_t row = rows ? veu_avx512_svm_row(lanes, at) : UINT64_MAX;

        rows = row != UINT64_MAX;
        if (rows) {
            veu_avx512_copy_row(to, e.host + row, lanes * 4);
        } else {
            veu_avx512_gather_lanes(to, active, &e, lanes, at);
        }
        if (!veu_follow_next(&f)) {
            break;
        }
    }
    return veu_avx512_finish(t, m, f.m);
}

/* Pages of this much memory have numbers of 32 bits, wherever it begins. */
#define VEU_WIDE_BYTES ((UINT64_C(1) << (32 + VEU_PAGE_BITS)) - VEU_PAGE_BYTES)

/* The pages of lanes, counted from the first one of @w. */
VEU_AVX512 __m512i veu_avx512_svm_pages(const VeuWideExtent *w, unsigned lanes,
                                        const __m512i at[2])
{
    const uint64_t in_page = (1u << VEU_PAGE_BITS) - 1;
    const __m512i first = _mm512_set1_epi64((uintptr_t)w->host & in_page);
    __m512i pages = _mm512_setzero_si512();

    for (unsigned i = 0; i < lanes / 8; i++) {
        __m512i page = _mm512_srli_epi64(_mm512_add_epi64(at[i], first),
                                         VEU_PAGE_BITS);
        __m256i half = _mm512_cvtepi64_epi32(page);

        pages = veu_avx512_put_half(pages, i, half);
    }
    return pages;
}

VEU_AVX512 void veu_avx512_mark_each_address(VeuThread *t, const VeuMessage *m,
                                             const VeuMessage *end,
                                             const VeuWideExtent *w,
                                             const VeuWideMarks *k,
                                             unsigned lanes)
{
    for (; m < end && !veu_avx512_all_marked(k); m++) {
        __m512i at[2];

        veu_avx512_within(t->registers + m->address.register_byte, t->active, w,
                          lanes, at);
        veu_avx512_mark(k, veu_avx512_svm_pages(w, lanes, at), t->active,
                        lanes);
    }
}

/* Like veu_avx512_mark_messages(), for lanes in @bytes from offset @low on. */
VEU_TARGET_AVX512 static __attribute__((noinline)) void
veu_avx512_mark_addresses(VeuThread *t, const VeuMessage *m,
                          const VeuMessage *end, const VeuWideExtent *w,
                          uint64_t low, uint64_t bytes)
{
    const VeuWideMarks k = veu_avx512_open_marks(t->mem, w->extent, w->host,
                                                 w->host + low, bytes);

    if (m->lanes == 8) {
        veu_avx512_mark_each_address(t, m, end, w, &k, 8);
    } else {
        veu_avx512_mark_each_address(t, m, end, w, &k, 16);
    }
}

/* Like veu_avx512_fetch_next(), for lanes that are in @w. */
VEU_AVX512 void veu_avx512_fetch_next_lanes(const VeuThread *t,
                                            const VeuFollow *f,
                                            const VeuWideExtent *w,
                                            unsigned lanes)
{
    const VeuMessage *next = veu_follow_after(f);
    uint64_t offset[16];
    __m512i at[2];

    if (!next || !veu_avx512_within(t->registers + next->address.register_byte,
                                    t->active, w, lanes, at)) {
        return;
    }
    for (unsigned i = 0; i < lanes / 8; i++) {
        _mm512_storeu_si512(offset + i * 8, at[i]);
    }
    VEU_AVX512_EACH_LANE(i, t->active, lanes,
                         __builtin_prefetch(w->host + offset[i], 1))
}

/* The lowest and the highest offsets of messages, by lane modulo 8. */
typedef struct VeuWideSpan {
    __m512i low;
    __m512i high;
} VeuWideSpan;

VEU_AVX512 void veu_avx512_widen(VeuWideSpan *s, uint32_t active,
                                 unsigned lanes, const __m512i at[2])
{
    for (unsigned i = 0; i < lanes / 8; i++) {
        s->low = _mm512_mask_min_epu64(s->low, active >> (i * 8), s->low,
                                       at[i]);
        s->high = _mm512_max_epu64(s->high, at[i]);
    }
}

/* Returns true if lanes are far apart: then they are rarely in the cache. */
VEU_AVX512 bool veu_avx512_is_spread(const VeuWideSpan *s)
{
    return _mm512_cmpgt_epi64_mask(_mm512_sub_epi64(s->high, s->low),
                                   _mm512_set1_epi64(VEU_SMALL_BYTES));
}

/* Marks the pages of messages from @m to before @end, whose lanes are in @s. */
VEU_AVX512 void veu_avx512_mark_span(VeuThread *t, const VeuMessage *m,
                                     const VeuMessage *end,
                                     const VeuWideExtent *w,
                                     const VeuWideSpan *s)
{
    uint64_t low = _mm512_reduce_min_epu64(s->low);
    uint64_t bytes = _mm512_reduce_max_epu64(s->high) - low + 4;

    if (m < end &&
        !veu_mem_knows_noted(t->mem, w->extent, w->host + low, bytes)) {
        veu_avx512_mark_addresses(t, m, end, w, low, bytes);
    }
}

/* Stores rows as long as messages are rows, like veu_avx512_scatter_rows(). */
VEU_AVX512 bool veu_avx512_svm_rows(VeuThread *t, VeuFollow *f,
                                    const VeuWideExtent *w, unsigned lanes)
{
    const uint8_t *const registers = t->registers;
    const uint32_t active = t->active;
    __m512i at[2];

    while (veu_avx512_within(registers + f->m->address.register_byte, active, w,
                             lanes, at)) {
        uint64_t row = veu_avx512_svm_row(lanes, at);

        if (row == UINT64_MAX) {
            return true;
        }
        veu_mem_note(t->mem, w->extent, w->host + row, lanes * 4);
        veu_avx512_copy_row(w->host + row, registers + f->m->data.register_byte,
                            lanes * 4);
        if (!veu_follow_next(f)) {
            break;
        }
    }
    return false;
}

/* Executes messages as long as their lanes are in @w. */
VEU_AVX512 void veu_avx512_svm_each(VeuThread *t, VeuFollow *f,
                                    const VeuWideExtent *w, unsigned lanes)
{
    const uint8_t *const registers = t->registers;
    const uint32_t active = t->active;
    const VeuMessage *const first = f->m;
    VeuWideSpan span = { _mm512_set1_epi64(-1), _mm512_setzero_si512() };
    __m512i at[2];

    while (veu_avx512_within(registers + f->m->address.register_byte, active, w,
                             lanes, at)) {
        const uint8_t *from = registers + f->m->data.register_byte;

        veu_avx512_widen(&span, active, lanes, at);
        if (veu_avx512_is_spread(&span)) {
            veu_avx512_fetch_next_lanes(t, f, w, lanes);
        }
        for (unsigned i = 0; i < lanes / 8; i++) {
            _mm512_mask_i64scatter_epi32(w->host, active >> (i * 8), at[i],
                                         veu_load_group(from + i * 32), 1);
        }
        if (!veu_follow_next(f)) {
            break;
        }
    }
    veu_avx512_mark_span(t, first, f->m, w, &span);
}

VEU_AVX512 bool veu_avx512_scatter_dword(VeuThread *t, const VeuMessage *m,
                                         unsigned lanes)
{
    const VeuExtent *last = &t->mem->kept[1].last;
    VeuFollow f = veu_follow_open(t, m);
    VeuWideExtent e;

    if (!last->noted || last->bytes > VEU_WIDE_BYTES ||
        !veu_avx512_open_extent(m, last, &e)) {
        return false;
    }
    if (!veu_avx512_may_be_row(t, m, lanes, 4) ||
        veu_avx512_svm_rows(t, &f, &e, lanes)) {
        veu_avx512_svm_each(t, &f, &e, lanes);
    }
    return veu_avx512_finish(t, m, f.m);
}

#endif
#endif
