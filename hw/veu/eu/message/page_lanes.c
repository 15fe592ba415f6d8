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
    };
    __m256i bad = _mm256_setzero_si256();
    VeuTargets to;

    for (unsigned i = 0; i < lanes; i += 4) {
        veu_page_targets(&a, i,
                         veu_load_group((const uint8_t *)(addresses + i)),
                         veu_half_group_of(on >> i), &to, &bad);
    }
    if (!veu_pages_are_known(&a, bad) ||
        !veu_pages_note(t, needs, on, lanes, &to)) {
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
        .low_bits = of->access_bytes - 1,
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
        !veu_pages_note(t, needs, on, lanes, &to)) {
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

bool veu_page_offsets_look(VeuThread *t, const VeuPageOffsets *of, uint32_t on,
                           unsigned lanes, uint64_t needs, uint8_t **at)
{
#ifdef VEU_HAS_AVX2
    return t->mem->host_pages && veu_cpu != VEU_CPU_SCALAR &&
           find_offsets_avx2(t, of, on, lanes, needs, at);
#else
    return false;
#endif
}
