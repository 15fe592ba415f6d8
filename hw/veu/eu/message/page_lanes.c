/*
 * veu execution unit: lanes in pages of a context with page tables, for
 * messages whose loops are plain C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <sys/param.h>
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/message/page_lanes.h"

#ifdef VEU_HAS_AVX2

/* A scan adds at most this many pages at each end. */
#define SCAN_PAGES 2048u

/* The number of calls without a scan that follow a scan. */
#define SKIP_SCANS 16

/* The end of the dirty pages that begin at @page, at most @end. */
static uintptr_t scan_up(const uint8_t *noted, uintptr_t page, uintptr_t end)
{
    while (end - page >= 8 && !memcmp(noted + page, "\1\1\1\1\1\1\1\1", 8)) {
        page += 8;
    }
    while (page < end && noted[page]) {
        page++;
    }
    return page;
}

/* The first of the dirty pages that end before @page, at least @first. */
static uintptr_t scan_down(const uint8_t *noted, uintptr_t page,
                           uintptr_t first)
{
    while (page - first >= 8 &&
           !memcmp(noted + page - 8, "\1\1\1\1\1\1\1\1", 8)) {
        page -= 8;
    }
    while (page > first && noted[page - 1]) {
        page--;
    }
    return page;
}

/* The number of pages from @low to @high that a scan may read. */
static uintptr_t scan_pages(uintptr_t low, uintptr_t high)
{
    return high > low ? MIN(high - low, SCAN_PAGES) : 0;
}

/* A page that is in the range that is known makes it longer at its ends. */
void veu_page_learn_noted(VeuMem *mem, uint64_t at)
{
    const VeuExtent *w = &mem->written;
    const uint8_t *noted = (const uint8_t *)w->noted;
    uintptr_t first = (uintptr_t)w->host >> VEU_PAGE_BITS;
    uintptr_t end = (((uintptr_t)w->host + w->bytes - 1) >> VEU_PAGE_BITS) + 1;
    uintptr_t page = at >> VEU_PAGE_BITS;
    VeuMemNoted n = { w->noted, page, page + 1, SKIP_SCANS };

    if (mem->noted.skip) {
        mem->noted.skip--;
        return;
    }
    if (mem->noted.in == w->noted &&
        page - mem->noted.page < mem->noted.end - mem->noted.page) {
        n.page = mem->noted.page;
        n.end = mem->noted.end;
    }
    n.page = scan_down(noted, n.page, n.page - scan_pages(first, n.page));
    n.end = scan_up(noted, n.end, n.end + scan_pages(n.end, end));
    mem->noted = n;
}

VEU_TARGET_AVX2 static bool find_avx2(VeuThread *t, const uint64_t *addresses,
                                      uint32_t on, unsigned lanes,
                                      unsigned bytes, uint64_t needs,
                                      uint8_t **at)
{
    const VeuPageAccess a = {
        .pages = t->mem->host_pages,
        .needs = needs,
        .bytes = bytes,
    };
    __m256i bad = _mm256_setzero_si256();
    VeuTargets to;

    for (unsigned i = 0; i < lanes; i += 4) {
        veu_page_targets(&a, i,
                         veu_load_group((const uint8_t *)(addresses + i)),
                         veu_half_group_of(on >> i), &to, &bad);
    }
    if (!veu_pages_are_known(&a, bad) ||
        ((needs & VEU_HOST_PAGE_WRITE) && !veu_pages_note(t, on, lanes, &to))) {
        return false;
    }
    memcpy(at, to.at, lanes * sizeof(*at));
    return true;
}

VEU_AVX2 bool find_offsets(VeuThread *t, const VeuPageOffsets *of, uint32_t on,
                           unsigned lanes, uint64_t needs, uint8_t **at)
{
    const VeuPageAccess a = {
        .pages = t->mem->host_pages,
        .needs = needs,
        .bytes = of->access_bytes,
    };
    __m256i offsets[2], in[2];
    VeuPageBuffer b;
    VeuTargets to;

    veu_page_buffer_open(&a, of->base, of->bytes, &b);
    for (unsigned i = 0; i < lanes / 8; i++) {
        offsets[i] = veu_load_group((const uint8_t *)(of->offsets + i * 8));
        in[i] = veu_group_of(on >> (i * 8));
    }
    if (!veu_pages_place_offsets(&b, offsets, in, lanes, &to) ||
        ((needs & VEU_HOST_PAGE_WRITE) && !veu_pages_note(t, on, lanes, &to))) {
        return false;
    }
    memcpy(at, to.at, lanes * sizeof(*at));
    return true;
}

VEU_TARGET_AVX2 static bool find_offsets_avx2(VeuThread *t,
                                              const VeuPageOffsets *of,
                                              uint32_t on, unsigned lanes,
                                              uint64_t needs, uint8_t **at)
{
    return lanes == 16 ? find_offsets(t, of, on, 16, needs, at) :
                         find_offsets(t, of, on, 8, needs, at);
}

#endif

bool veu_page_lanes_find(VeuThread *t, const uint64_t *addresses, uint32_t on,
                         unsigned lanes, unsigned bytes, uint64_t needs,
                         uint8_t **at)
{
#ifdef VEU_HAS_AVX2
    return t->mem->host_pages && veu_cpu != VEU_CPU_SCALAR &&
           find_avx2(t, addresses, on, lanes, bytes, needs, at);
#else
    return false;
#endif
}

bool veu_page_offsets_find(VeuThread *t, const VeuPageOffsets *of, uint32_t on,
                           unsigned lanes, uint64_t needs, uint8_t **at)
{
#ifdef VEU_HAS_AVX2
    return t->mem->host_pages && veu_cpu != VEU_CPU_SCALAR &&
           find_offsets_avx2(t, of, on, lanes, needs, at);
#else
    return false;
#endif
}
