/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Questions to QEMU's memory map: the place of an address that no cache has.
 */
#ifndef HW_VEU_QEMU_MEMORY_WALK_H
#define HW_VEU_QEMU_MEMORY_WALK_H

#include "qemu/osdep.h"
#include "hw/veu/qemu/miss.h"

typedef struct VeuMemory VeuMemory;

/*
 * Finds RAM of up to @bytes at @page; entry->bytes is 0 if there is none.
 * With a vIOMMU, the IOTLB keeps the answer, so @bytes must not go past the
 * block, and the caller holds the big lock.
 */
void veu_memory_walk(VeuMemory *memory, uint64_t page, uint64_t bytes,
                     bool is_write, VeuCacheEntry *entry);

#endif /* HW_VEU_QEMU_MEMORY_WALK_H */
