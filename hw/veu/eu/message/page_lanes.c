/*
 * veu execution unit: lanes in pages of a context with page tables, for
 * messages whose loops are plain C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/fast_pages.h"
#include "hw/veu/eu/message/page_lanes.h"

#ifdef VEU_HAS_AVX2

VEU_TARGET_AVX2 static bool find_avx2(VeuThread *t, const uint64_t *addresses,
                                      uint32_t on, unsigned lanes,
                                      unsigned bytes, uint64_t needs,
                                      uint8_t **at)
{
    const VeuPageAccess a = {
        .pages = t->mem->host_pages,
        .needs = needs,
        .bytes = bytes,
        .notes = needs & VEU_HOST_PAGE_WRITE ? t->mem : NULL,
    };
    __m256i bad = _mm256_setzero_si256();
    VeuTargets to;

    for (unsigned i = 0; i < lanes; i += 4) {
        veu_page_targets(&a, i,
                         veu_load_group((const uint8_t *)(addresses + i)),
                         veu_half_group_of(on >> i), &to, &bad);
    }
    if (!veu_pages_are_known(&a, bad)) {
        return false;
    }
    if (a.notes) {
        veu_targets_note(t, &t->mem->written, on, lanes, &to);
    }
    memcpy(at, to.at, lanes * sizeof(*at));
    return true;
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
