/*
 * veu execution unit: lanes in a buffer of which the gate has a map.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All pages of the buffer are known (memory/page_map.h), and dirty if they are
 * to be written: lanes are neither compared nor marked. Lanes that do not run
 * or are out of bounds are in the sink of the map.
 */
#ifndef VEU_EU_FAST_MAP_H
#define VEU_EU_FAST_MAP_H

#include "hw/veu/eu/message/fast_elements.h"
#include "hw/veu/eu/memory/page_map.h"

#ifdef VEU_HAS_AVX2

/* Lanes of messages that follow each other and have one buffer. */
typedef struct VeuMapLanes {
    const VeuPageMap *map;
    __m256i start; /* of the buffer in its first page */
    __m256i sink;
    __m256i on[VEU_MAX_LANES / 8]; /* the lanes that run */
    __m256i low_bits;              /* of offsets, which must be 0 */
    /* The places of lanes, from the start of the buffer's first page. */
    _Alignas(32) uint32_t at[VEU_MAX_LANES];
    _Alignas(32) uint32_t page[VEU_MAX_LANES];
} VeuMapLanes;

VEU_CLONED uint8_t *veu_map_lane_at(const VeuMapLanes *l, unsigned lane)
{
    return (uint8_t *)(uintptr_t)(l->map->distance[l->page[lane]] +
                                  l->at[lane]);
}

VEU_AVX2 void veu_map_open(const VeuThread *t, const VeuPageMap *map,
                           unsigned element_bytes, unsigned lanes,
                           VeuMapLanes *l)
{
    l->map = map;
    l->start = _mm256_set1_epi32((int)(map->base % VEU_PAGE_BYTES));
    l->sink = _mm256_set1_epi32(map->count << VEU_PAGE_BITS);
    l->low_bits = _mm256_set1_epi32(element_bytes - 1);
    VEU_UNROLL
    for (unsigned i = 0; i < lanes / 8; i++) {
        l->on[i] = veu_group_of(t->active >> (i * 8));
    }
}

/*
 * Places lane @lane and the seven that follow it, at @offsets in the buffer if
 * they are @in. Returns their places.
 */
VEU_AVX2 __m256i veu_map_place_group(VeuMapLanes *l, unsigned lane,
                                     __m256i offsets, __m256i in)
{
    __m256i at = _mm256_blendv_epi8(l->sink,
                                    _mm256_add_epi32(offsets, l->start), in);

    _mm256_store_si256((__m256i *)(l->at + lane), at);
    _mm256_store_si256((__m256i *)(l->page + lane),
                       _mm256_srli_epi32(at, VEU_PAGE_BITS));
    return at;
}

/*
 * Places the lanes of a message to the buffer of @e. Returns false if one is
 * not aligned. @bits: the lanes that are inside.
 */
VEU_AVX2 bool veu_map_place_elements(const VeuThread *t, const VeuMessage *m,
                                     const VeuElements *e, unsigned lanes,
                                     VeuMapLanes *l, uint32_t *bits)
{
    __m256i all = _mm256_setzero_si256();

    *bits = 0;
    VEU_UNROLL
    for (unsigned i = 0; i < lanes / 8; i++) {
        __m256i in;
        __m256i offsets = veu_elements_offsets(t, m, e, i * 8, l->on[i], &in);

        all = _mm256_or_si256(all, veu_map_place_group(l, i * 8, offsets, in));
        *bits |= veu_bits_of(in) << (i * 8);
    }
    return _mm256_testz_si256(all, l->low_bits);
}

/* Like veu_targets_load(). */
VEU_CLONED void veu_map_load(uint8_t *to, const VeuMapLanes *from,
                             unsigned offset, unsigned bytes, uint32_t on,
                             unsigned lanes, uint32_t undefined)
{
    uint64_t upper = bytes < 4 ? undefined & UINT32_MAX << 8 * bytes : 0;

    VEU_LOAD_BY_SIZE(bytes, veu_map_lane_at);
}

/* Like veu_targets_store(). */
VEU_CLONED void veu_map_store(const VeuMapLanes *to, const uint8_t *from,
                              unsigned offset, unsigned bytes, unsigned lanes)
{
    VEU_STORE_BY_SIZE(bytes, veu_map_lane_at);
}

#endif
#endif
