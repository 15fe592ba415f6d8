/*
 * veu execution unit: marks of the pages that lanes have written, with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A loop of scatters stores first. A second loop marks the pages of all its
 * messages: a scatter writes no registers, so they still contain the offsets. A
 * mark that follows a store that misses the cache would wait for it.
 */
#ifndef VEU_EU_FAST_AVX512_MARKS_H
#define VEU_EU_FAST_AVX512_MARKS_H

#include <sys/param.h>
#include "hw/veu/eu/message/fast_avx512.h"

#ifdef VEU_HAS_AVX2

/* Host memory [host, host + bytes) of an extent, where lanes have written. */
typedef struct VeuWideMarks {
    VeuMem *mem;
    const VeuExtent *extent;
    uint8_t *host;
    uint64_t bytes;
    bool is_small;  /* its blocks are all listed */
    uint8_t *noted; /* the mark of page 0, from which the pages count */
} VeuWideMarks;

/* The pages count from that of @start. Blocks of a small memory are listed. */
VEU_AVX512 VeuWideMarks veu_avx512_open_marks(VeuMem *mem, const VeuExtent *e,
                                              const uint8_t *start,
                                              uint8_t *host, uint64_t bytes)
{
    bool is_small = bytes <= VEU_SMALL_BYTES;

    if (is_small) {
        veu_mem_list_all(mem, e, host, bytes);
    }
    return (VeuWideMarks){
        .mem = mem,
        .extent = e,
        .host = host,
        .bytes = bytes,
        .is_small = is_small,
        .noted = (uint8_t *)(e->noted + ((uintptr_t)start >> VEU_PAGE_BITS)),
    };
}

/* Returns true if no page of a small memory is left to be marked. */
VEU_AVX512 bool veu_avx512_all_marked(const VeuWideMarks *k)
{
    return k->is_small &&
           veu_mem_is_noted(k->mem, k->extent, k->host, k->bytes);
}

/*
 * Returns true if all pages are marked; then their blocks are listed. Loads
 * that miss the cache do not wait for each other, but stores do.
 */
VEU_AVX512 bool veu_avx512_are_marked(const VeuWideMarks *k,
                                      const uint32_t *page, unsigned lanes)
{
    uint8_t all = 1;

    for (unsigned i = 0; i < lanes; i++) {
        all &= k->noted[page[i]];
    }
    return all;
}

/* Lists the blocks of pages, the first of which may begin before the extent. */
static inline void veu_avx512_list_pages(const VeuWideMarks *k, uintptr_t first,
                                         const uint32_t *page, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        uintptr_t host = (first + page[i]) << VEU_PAGE_BITS;

        veu_mem_list(k->mem, k->extent, MAX((uint8_t *)host, k->extent->host),
                     1);
    }
}

/* Lists the blocks of pages of a large memory; mostly, all are listed. */
VEU_AVX512 void veu_avx512_list_blocks(const VeuWideMarks *k,
                                       const uint32_t *page, unsigned lanes)
{
    const uintptr_t first = (uintptr_t)k->noted - k->extent->noted;
    const unsigned bits = VEU_NOTE_BITS - VEU_PAGE_BITS;
    const uint8_t *listed = (const uint8_t *)k->extent->listed;
    uint8_t all = 1;

    if (!listed) {
        return;
    }
    for (unsigned i = 0; i < lanes; i++) {
        all &= listed[(first + page[i]) >> bits];
    }
    if (!all) {
        veu_avx512_list_pages(k, first, page, lanes);
    }
}

/*
 * Marks @page of the lanes @on: 16, or 8 in the lower half. Other lanes mark
 * the page of the first one that is on, so that no mark depends on a branch.
 */
VEU_AVX512 void veu_avx512_mark(const VeuWideMarks *k, __m512i page,
                                __mmask16 on, unsigned lanes)
{
    const unsigned marks = lanes < 16 ? lanes : 16;
    _Alignas(64) uint32_t at[16];
    __m512i some;

    if (!on) {
        return;
    }
    some = _mm512_permutexvar_epi32(_mm512_set1_epi32(__builtin_ctz(on)), page);
    _mm512_store_si512(at, _mm512_mask_mov_epi32(some, on, page));
    if (!k->is_small) {
        if (veu_avx512_are_marked(k, at, marks)) {
            return;
        }
        veu_avx512_list_blocks(k, at, marks);
    }
    VEU_UNROLL
    for (unsigned i = 0; i < marks; i++) {
        k->noted[at[i]] = 1;
    }
}

#endif
#endif
