/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which pages of RAM one thread has written since it last said so.
 */
#ifndef HW_VEU_QEMU_DIRTY_H
#define HW_VEU_QEMU_DIRTY_H

#include "qemu/osdep.h"
#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/qemu/compat.h"

/* This many blocks are reported now and not later, where there is a choice. */
#define VEU_DIRTY_MANY 128

/* The pages of a memory region. Blocks of pages are looked through at once. */
typedef struct VeuDirtyRam {
    MemoryRegion *mr;
    uint8_t *host;
    uint64_t bytes;
    uint8_t *noted;   /* of each page: 1: it was written */
    uint8_t *listed;  /* of each block: 1: it is in the list */
    uint32_t *blocks; /* the list: blocks that have pages that are noted */
    unsigned block_count;
} VeuDirtyRam;

typedef struct VeuDirty {
    GArray *rams;     /* of VeuDirtyRam; those that were ever written */
    unsigned blocks;  /* that are listed */
    bool is_outdated; /* regions may have gone */
} VeuDirty;

void veu_dirty_init(VeuDirty *dirty);
void veu_dirty_cleanup(VeuDirty *dirty);

/* Says in @extent, which is of @mr, where writing is noted until a flush. */
void veu_dirty_open(VeuDirty *dirty, MemoryRegion *mr, VeuExtent *extent);

/* The block of @host, which is in a region that was opened. */
void veu_dirty_list(VeuDirty *dirty, const uint8_t *host);
/* All pages of [host, host + bytes), which is in @mr. */
void veu_dirty_note_all(VeuDirty *dirty, MemoryRegion *mr, uint8_t *host,
                        uint64_t bytes);

/* Tells QEMU, for migration, displays, and code that was translated. */
void veu_dirty_flush(VeuDirty *dirty, AddressSpace *as);

#endif /* HW_VEU_QEMU_DIRTY_H */
