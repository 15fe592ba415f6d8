/*
 * veu execution unit: lanes in pages of a context with page tables, for
 * messages whose loops are plain C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_PAGE_LANES_H
#define VEU_EU_PAGE_LANES_H

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

/* Where lanes are in a buffer or a surface. */
typedef struct VeuPageOffsets {
    uint64_t base;           /* of the buffer */
    uint64_t bytes;          /* of the buffer */
    const uint32_t *offsets; /* of lanes, from the base, in the buffer */
    unsigned access_bytes;   /* that a lane accesses */
} VeuPageOffsets;

/* Like veu_page_lanes_find(), for 8 or 16 lanes of a buffer. */
bool veu_page_offsets_find(VeuThread *thread, const VeuPageOffsets *of,
                           uint32_t on, unsigned lanes, uint64_t needs,
                           uint8_t **at);

#endif
