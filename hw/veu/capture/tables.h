/*
 * veu captures: the page tables of a captured launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_CAPTURE_TABLES_H
#define VEU_CAPTURE_TABLES_H

#include "hw/veu/capture/capture.h"

/*
 * Returns the entries of the table of @level (VEU_TABLE_LEVELS: the root) at
 * DMA address @address, or NULL if the capture does not have it.
 */
typedef const uint64_t *VeuCaptureTable(void *opaque, uint64_t address,
                                        unsigned level);

/*
 * Calls @table for the root and, level by level, for each table that the
 * entries it returns name. The first 16,384 tables of the capture are visited,
 * each of them once a level; @table is called at most 2^20 times.
 */
void veu_capture_walk(uint64_t root, VeuCaptureTable *table, void *opaque);

/* Returns true if the launch could wait for pages that its driver provides. */
bool veu_capture_has_requests(const VeuCaptureLaunch *launch);

#endif
