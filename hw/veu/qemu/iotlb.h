/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translations of a vIOMMU, cached until it reports that they are invalid. Only
 * Intel's vIOMMU of QEMU 10.0 and later is relied on: older ones do not report
 * all pages that a domain or a global invalidation concerns. In scalable mode,
 * it does not report a process that changes its domain, so it is not relied on
 * either. Other vIOMMUs report while they hold a lock that a translation needs,
 * and the device thread may be waiting for that lock.
 */
#ifndef HW_VEU_QEMU_IOTLB_H
#define HW_VEU_QEMU_IOTLB_H

#include "qemu/osdep.h"
#include "hw/veu/qemu/compat.h"
#include "hw/veu/eu/memory/mem.h"

/* Pages of 4 KiB for reading, and the same number for writing: 256 MiB. */
#define VEU_IOTLB_PAGES 65536

/*
 * After this many misses in a batch, the main loop is not asked for each
 * further one; it runs the next batch instead.
 */
#define VEU_IOTLB_COLD 4

typedef struct VeuIotlbPage {
    uint64_t tag; /* address | its generation */
    uint8_t *host;
    MemoryRegion *mr;
} VeuIotlbPage;

typedef struct VeuIotlb {
    /* for reading, then for writing; NULL: not allocated yet */
    VeuIotlbPage *pages;
    /* 1 to 4095; entries of other generations are invalid */
    unsigned generation;
    unsigned misses; /* in this batch */
    bool is_cold;
    MemoryRegion *iommu; /* the one being listened to */
    unsigned sections;   /* its sections in the device's address space */
    IOMMUNotifier notifier;
} VeuIotlb;

/* @unmapped is called with the big lock held, in any circumstances. */
void veu_iotlb_init(VeuIotlb *iotlb, IOMMUNotify unmapped);
void veu_iotlb_cleanup(VeuIotlb *iotlb);

/* A section of a vIOMMU is added to the device's address space, or removed. */
void veu_iotlb_add(VeuIotlb *iotlb, MemoryRegion *iommu);
void veu_iotlb_remove(VeuIotlb *iotlb, MemoryRegion *iommu);

/* The page at @iova, or NULL. */
const VeuIotlbPage *veu_iotlb_find(const VeuIotlb *iotlb, uint64_t iova,
                                   bool is_write);

/* Adds all whole pages of [@iova, @iova + @bytes), which are RAM at @host. */
void veu_iotlb_keep(VeuIotlb *iotlb, uint64_t iova, uint64_t bytes,
                    bool is_write, uint8_t *host, MemoryRegion *mr);

/* Drops the pages of [@iova, @iova + @mask], or all. */
void veu_iotlb_forget(VeuIotlb *iotlb, uint64_t iova, uint64_t mask);
void veu_iotlb_forget_all(VeuIotlb *iotlb);

/* Called when a batch has ended. */
void veu_iotlb_rate(VeuIotlb *iotlb);

#endif /* HW_VEU_QEMU_IOTLB_H */
