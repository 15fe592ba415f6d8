/*
 * veu execution unit: lanes in pages of a context of page tables, of messages
 * whose loops are written in plain C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_PAGE_LANES_H
#define VEU_EU_PAGE_LANES_H

#include "hw/veu/eu/message/execute.h"

/*
 * Puts the host addresses of lanes @on, which access @bytes at @addresses, into
 * @at. @lanes is a multiple of 4, and up to VEU_MAX_LANES; @needs is that of
 * veu_mem_look_at(), and pages that are written are marked as dirty. Returns
 * false if the table of host pages lacks one of them, or the CPU has not the
 * instructions: then the lanes are looked up one by one. What it puts into @at
 * for other lanes has no meaning.
 */
bool veu_page_lanes_find(VeuThread *thread, const uint64_t *addresses,
                         uint32_t on, unsigned lanes, unsigned bytes,
                         uint64_t needs, uint8_t **at);

#endif
