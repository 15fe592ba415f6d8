/*
 * veu execution unit: lanes in pages of a context with page tables, for
 * messages whose loops are plain C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_PAGE_LANES_H
#define VEU_EU_PAGE_LANES_H

#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/eu/message/execute.h"

/*
 * Puts the host addresses of lanes @on, which access @bytes at @addresses, into
 * @at. @lanes is a multiple of 4, up to VEU_MAX_LANES; @needs is as for
 * veu_mem_look_at(). Marks pages that are written as dirty. Returns false if
 * the table of host pages lacks one of them, or if the CPU lacks the
 * instructions: the lanes must then be looked up one by one. The values that it
 * puts into @at for other lanes are meaningless.
 */
bool veu_page_lanes_find(VeuThread *thread, const uint64_t *addresses,
                         uint32_t on, unsigned lanes, unsigned bytes,
                         uint64_t needs, uint8_t **at);

/*
 * Where lanes are in a buffer or a surface. Each access is aligned to its size,
 * a power of two, so it is in one page.
 */
typedef struct VeuPageOffsets {
    uint64_t base;           /* of the buffer */
    uint64_t bytes;          /* of the buffer */
    const uint32_t *offsets; /* of all lanes from the base, in the buffer */
    unsigned access_bytes;   /* that a lane accesses */
} VeuPageOffsets;

/*
 * Puts the host addresses of 8 or 16 lanes of a buffer, all of whose offsets
 * are inside, into @at. Returns false if the gate has no map of the buffer, or
 * if pages that are written may have to be marked.
 */
VEU_CLONED bool veu_page_offsets_map(VeuThread *thread,
                                     const VeuPageOffsets *of, unsigned lanes,
                                     uint64_t needs, uint8_t **at)
{
    const uint32_t start = of->base % VEU_PAGE_BYTES;
    VEU_ALIGNED_LANES uint32_t place[VEU_TYPED_LANES], page[VEU_TYPED_LANES];
    VeuPageMap *map = NULL;

    if (thread->mem->host_pages && of->bytes) {
        map = veu_mem_find_map(thread->mem, of->base, of->bytes, needs);
    }
    if (!map || (needs & VEU_HOST_PAGE_WRITE &&
                 !veu_mem_map_is_dirty(thread->mem, map))) {
        return false;
    }
    for (unsigned i = 0; i < lanes; i++) {
        place[i] = of->offsets[i] + start;
        page[i] = place[i] >> VEU_PAGE_BITS;
    }
    VEU_UNROLL
    for (unsigned i = 0; i < lanes; i++) {
        at[i] = (uint8_t *)(uintptr_t)(map->distance[page[i]] + place[i]);
    }
    return true;
}

/* Like veu_page_offsets_find() for a buffer that has no map. */
bool veu_page_offsets_look(VeuThread *thread, const VeuPageOffsets *of,
                           uint32_t on, unsigned lanes, uint64_t needs,
                           uint8_t **at);

/* Like veu_page_lanes_find(), for 8 or 16 lanes of a buffer. */
VEU_CLONED bool veu_page_offsets_find(VeuThread *thread,
                                      const VeuPageOffsets *of, uint32_t on,
                                      unsigned lanes, uint64_t needs,
                                      uint8_t **at)
{
    return veu_page_offsets_map(thread, of, lanes, needs, at) ||
           veu_page_offsets_look(thread, of, on, lanes, needs, at);
}

#endif
