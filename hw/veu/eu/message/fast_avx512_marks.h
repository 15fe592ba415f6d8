/*
 * veu execution unit: marks of the pages that lanes have written, with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The messages of a loop store first. Another loop marks their pages after
 * that: a message that stores loads no register, so the lanes are still there.
 * Marks between the stores would wait for those that miss the cache.
 */
#ifndef VEU_EU_FAST_AVX512_MARKS_H
#define VEU_EU_FAST_AVX512_MARKS_H

#include "hw/veu/eu/message/fast_avx512.h"

#ifdef VEU_HAS_AVX2

/* Host memory [host, host + bytes) of an extent, which lanes have written. */
typedef struct VeuWideMarks {
    VeuMem *mem;
    const VeuExtent *extent;
    uint8_t *host;
    uint64_t bytes;
    bool is_small;  /* its blocks are all listed */
    uint8_t *noted; /* the mark of page 0, from which those of lanes count */
} VeuWideMarks;

/* The pages of lanes count from the one that @start is in. */
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
 * A page that is marked is in a block that is listed. Loads of marks that miss
 * the cache do not wait for each other, but stores would.
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

/* Lists the blocks of pages of a large memory; mostly, all are listed. */
VEU_AVX512 void veu_avx512_list_blocks(const VeuWideMarks *k,
                                       const uint32_t *page, unsigned lanes)
{
    const uintptr_t first = (uintptr_t)k->noted - k->extent->noted;
    const unsigned bits = VEU_NOTE_BITS - VEU_PAGE_BITS;
    const uint8_t *listed = (const uint8_t *)k->extent->listed;
    uint8_t all = 1;

    for (unsigned i = 0; listed && i < lanes; i++) {
        all &= listed[(first + page[i]) >> bits];
    }
    for (unsigned i = 0; !all && i < lanes; i++) {
        uintptr_t host = (first + page[i]) << VEU_PAGE_BITS;

        veu_mem_list(k->mem, k->extent, (uint8_t *)host, 1);
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
