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
 * The cache has RAM in blocks of 2 MiB, each with all that follows it without a
 * gap.
 */
#define VEU_CACHE_ENTRIES 1024

/* Guest addresses [start, start + bytes) cannot be written. */
typedef struct VeuRomSection {
    uint64_t start;
    uint64_t bytes;
} VeuRomSection;

typedef struct VeuMemory VeuMemory;

/* One thread's view of the memory, and the pages that it has written. */
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
    unsigned iommu_sections; /* vIOMMU regions in the device's address space */
    /* elements: VeuRomSection, ROM and RAM that acts as ROM */
    GArray *rom_sections;
    bool has_iommu;
    VeuIotlb iotlb;
    /*
     * The map has changed, and the change may not be complete. The main loop
     * clears this without the batch lock.
     */
    bool is_changing;
    /* VeuHost.memory_version: the number of versions so far */
    uint64_t versions;
    VeuMap map; /* of the thread that runs batches */
    QLIST_HEAD(, VeuMap) maps;
};

/* @pci: the device whose DMA addresses are meant. */
void veu_memory_init(VeuMemory *memory, PCIDevice *pci);
void veu_memory_exit(VeuMemory *memory);
/* Frees all but what a translation under way needs. */
void veu_memory_cleanup(VeuMemory *memory);

/*
 * Adds further maps, for threads that help in batches. With the big lock held.
 */
void veu_memory_add_map(VeuMemory *memory, VeuMap *map);
void veu_memory_remove_map(VeuMap *map);

/* Called in a batch, as VeuHost requires. */
uint8_t *veu_memory_map(VeuMap *map, uint64_t iova, uint32_t *bytes,
                        enum veu_access access);
bool veu_memory_open(VeuMap *map, uint64_t iova, enum veu_access access,
                     VeuExtent *extent);
void veu_memory_note(VeuMap *map, uint8_t *at);
void veu_memory_flush(VeuMap *map);
/* Flushes unless that can wait. */
void veu_memory_flush_many(VeuMap *map);

/*
 * Returns true if a batch must begin with the big lock held. Called with the
 * batch lock held.
 */
static inline bool veu_memory_needs_big_lock(const VeuMemory *m)
{
    return qatomic_read(&m->is_changing) ||
           (m->has_iommu &&
            (m->iotlb.is_cold || m->iotlb.sections != m->iommu_sections));
}

#endif /* HW_VEU_QEMU_MEMORY_H */
