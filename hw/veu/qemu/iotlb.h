/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translations of a vIOMMU, which are kept until it says that they are
 * invalid.
 *
 * Only Intel's is relied on, and not before QEMU 10.0: older ones do not report
 * all pages that a domain or a global invalidation concerns. In scalable mode
 * it is not relied on: it does not report a process that changes its domain
 * there. The others report while they hold a lock that a translation needs,
 * which the device thread may be waiting for.
 */
#ifndef HW_VEU_QEMU_IOTLB_H
#define HW_VEU_QEMU_IOTLB_H

#include "qemu/osdep.h"
#include "hw/veu/qemu/compat.h"
#include "hw/veu/eu/memory/mem.h"

/* Pages of 4 KiB for reading, and as many for writing: 256 MiB. */
#define VEU_IOTLB_PAGES 65536

/*
 * After this many misses in a batch the main loop is not asked for each of the
 * others: it runs the next batch.
 */
#define VEU_IOTLB_COLD 4

typedef struct VeuIotlbPage {
    uint64_t tag; /* address | the generation that it is of */
    uint8_t *host;
    MemoryRegion *mr;
} VeuIotlbPage;

typedef struct VeuIotlb {
    VeuIotlbPage *pages; /* for reading, then for writing; NULL: none yet */
    unsigned generation; /* 1 to 4095: those of others are invalid */
    unsigned misses;     /* in this batch */
    bool is_cold;
    MemoryRegion *iommu; /* that we listen to */
    unsigned sections;   /* of it, in our address space */
    IOMMUNotifier notifier;
} VeuIotlb;

/* @unmapped: is called with the big lock held, whatever happens meanwhile. */
void veu_iotlb_init(VeuIotlb *iotlb, IOMMUNotify unmapped);
void veu_iotlb_cleanup(VeuIotlb *iotlb);

/* A section of a vIOMMU comes into our address space, or leaves it. */
void veu_iotlb_add(VeuIotlb *iotlb, MemoryRegion *iommu);
void veu_iotlb_remove(VeuIotlb *iotlb, MemoryRegion *iommu);

/* The page at @iova, or NULL. */
const VeuIotlbPage *veu_iotlb_find(const VeuIotlb *iotlb, uint64_t iova,
                                   bool is_write);

/* All whole pages of [@iova, @iova + @bytes), which are RAM at @host. */
void veu_iotlb_keep(VeuIotlb *iotlb, uint64_t iova, uint64_t bytes,
                    bool is_write, uint8_t *host, MemoryRegion *mr);

/* The pages of [@iova, @iova + @mask], or all. */
void veu_iotlb_forget(VeuIotlb *iotlb, uint64_t iova, uint64_t mask);
void veu_iotlb_forget_all(VeuIotlb *iotlb);

/* A batch has ended. */
void veu_iotlb_rate(VeuIotlb *iotlb);

#endif /* HW_VEU_QEMU_IOTLB_H */
