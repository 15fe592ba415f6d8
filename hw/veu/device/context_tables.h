/*
 * veu device model: contexts with page tables: from virtual addresses to
 * memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_CONTEXT_TABLES_H
#define VEU_DEVICE_CONTEXT_TABLES_H

#include "hw/veu/device/context.h"

/*
 * Returns true if the request queue that the context's registers describe is
 * usable.
 */
bool veu_context_queue_is_legal(const uint64_t *regs);

/* Like VeuMem.map and VeuMem.open. */
uint8_t *veu_tables_map(const VeuContext *context, VeuHost *host, VeuMem *mem,
                        uint64_t iova, uint32_t *bytes, enum veu_access access);
bool veu_tables_open(const VeuContext *context, VeuHost *host, VeuMem *mem,
                     uint64_t iova, enum veu_access access, VeuExtent *extent);

/* Called before code uses translations; sets the gate's pages. */
void veu_tables_begin(VeuContext *context);

#endif
