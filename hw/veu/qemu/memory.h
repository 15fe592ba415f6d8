/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory gate of the QEMU host: guest addresses to host pointers.
 */
#ifndef HW_VEU_QEMU_MEMORY_H
#define HW_VEU_QEMU_MEMORY_H

#include "qemu/osdep.h"
#include "qemu/queue.h"
#include "hw/veu/qemu/compat.h"
#include "hw/veu/qemu/dirty.h"
#include "hw/veu/qemu/engine.h"
#include "hw/veu/qemu/iotlb.h"
#include "hw/veu/device/host/host.h"
#include "hw/veu/eu/memory/mem.h"
#include "veu/fault.h"

/*
 * The cache knows RAM by blocks of 2 MiB: from a block to the end of what
 * follows it without a gap.
 */
#define VEU_CACHE_ENTRIES 1024

/* Guest addresses [start, start + bytes) cannot be written. */
typedef struct VeuRomSection {
    uint64_t start;
    uint64_t bytes;
} VeuRomSection;

typedef struct VeuMemory VeuMemory;

/* What one thread knows of the memory, and what it has written. */
typedef struct VeuMap {
    VeuMemory *memory;
    QLIST_ENTRY(VeuMap) next;
    VeuHostCounts counts;
    VeuCacheEntry cache[VEU_CACHE_ENTRIES];
    VeuDirty dirty;
} VeuMap;

struct VeuMemory {
    PCIDevice *pci;
    MemoryListener listener;
    unsigned iommu_sections; /* vIOMMU regions in our address space */
    GArray *rom_sections;    /* of VeuRomSection: ROM, and RAM that acts so */
    bool has_iommu;
    VeuIotlb iotlb;
    /*
     * The map has changed, and whoever did that may not be done with it. The
     * main loop takes it back without the batch lock.
     */
    bool is_changing;
    uint64_t versions; /* VeuHost.memory_version: how many there were */
    VeuMap map;        /* of whoever runs batches */
    QLIST_HEAD(, VeuMap) maps;
};

/* @pci: whose DMA addresses are meant. */
void veu_memory_init(VeuMemory *memory, PCIDevice *pci);
void veu_memory_exit(VeuMemory *memory);
/* What a translation needs that is under way meanwhile. */
void veu_memory_cleanup(VeuMemory *memory);

/* Further maps, of threads that help in batches; with the big lock held. */
void veu_memory_add_map(VeuMemory *memory, VeuMap *map);
void veu_memory_remove_map(VeuMap *map);

/* Inside a batch, as VeuHost wants them. */
uint8_t *veu_memory_map(VeuMap *map, uint64_t iova, uint32_t *bytes,
                        enum veu_access access);
bool veu_memory_open(VeuMap *map, uint64_t iova, enum veu_access access,
                     VeuExtent *extent);
void veu_memory_note(VeuMap *map, uint8_t *at);
void veu_memory_flush(VeuMap *map);
/* The same, unless it can wait. */
void veu_memory_flush_many(VeuMap *map);

/*
 * RAM of up to @bytes from @page on, within a block; entry->bytes is 0 where
 * there is none. With the big lock held, behind a vIOMMU.
 */
void veu_memory_walk(VeuMemory *memory, uint64_t page, uint64_t bytes,
                     bool is_write, VeuCacheEntry *entry);

/*
 * Returns true if a batch has to begin with the big lock. Called with the batch
 * lock held.
 */
static inline bool veu_memory_needs_big_lock(const VeuMemory *m)
{
    return qatomic_read(&m->is_changing) ||
           (m->has_iommu &&
            (m->iotlb.is_cold || m->iotlb.sections != m->iommu_sections));
}

#endif /* HW_VEU_QEMU_MEMORY_H */
