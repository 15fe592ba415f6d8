/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pages of RAM that one thread has written since its last report.
 */
#ifndef HW_VEU_QEMU_DIRTY_H
#define HW_VEU_QEMU_DIRTY_H

#include "qemu/osdep.h"
#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/qemu/compat.h"

/*
 * With this many blocks, 128 MiB, an optional report is made at once, not
 * later. A report takes the longer the more runs of pages it has, and pages
 * that are written at random have fewer runs the later they are reported.
 */
#define VEU_DIRTY_MANY 512

/* The pages of a memory region, which are checked in blocks. */
typedef struct VeuDirtyRam {
    MemoryRegion *mr;
    uint8_t *host;
    uint64_t bytes;
    uint8_t *noted;   /* one for each page; 1: it was written */
    uint8_t *listed;  /* one for each block; 1: it is in the list */
    uint32_t *blocks; /* the list: blocks with pages that are noted */
    unsigned block_count;
} VeuDirtyRam;

typedef struct VeuDirty {
    /* elements: VeuDirtyRam, of regions that were ever written */
    GArray *rams;
    unsigned blocks;  /* that are listed */
    bool is_outdated; /* regions may have disappeared */
} VeuDirty;

void veu_dirty_init(VeuDirty *dirty);
void veu_dirty_cleanup(VeuDirty *dirty);

/*
 * Sets the addresses in @extent, which is of @mr, where writes are noted until
 * a flush.
 */
void veu_dirty_open(VeuDirty *dirty, MemoryRegion *mr, VeuExtent *extent);

/* Lists the block of @host, which is in an opened region. */
void veu_dirty_list(VeuDirty *dirty, const uint8_t *host);
/* Marks all pages of [host, host + bytes), which is in @mr. */
void veu_dirty_note_all(VeuDirty *dirty, MemoryRegion *mr, uint8_t *host,
                        uint64_t bytes);

/* Reports to QEMU, for migration, displays, and translated code. */
void veu_dirty_flush(VeuDirty *dirty, AddressSpace *as);

#endif /* HW_VEU_QEMU_DIRTY_H */
