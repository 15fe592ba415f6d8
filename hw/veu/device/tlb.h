/*
 * veu device model: the cached translations of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A context with page tables has one TLB. All rings and flips that are bound to
 * it share the TLB, and the group runners of a dispatch use it concurrently
 * without a lock. This works because a translation is one word of 64 bits,
 * which is loaded and stored as a whole. It identifies its page:
 *
 *   pages of 4 KiB     bits 0..2   valid, read, write bits 3..42  number of the
 *                      DMA page bits 43..63 bits 47..27 of the virtual address
 *   parts of 2 MiB     bits 0..2   valid, read, write of larger pages    bit 3
 *   the page is one of 1 GiB
 *                      bits 4..34  number of the DMA part bits 35..51 bits
 *                      47..31 of the virtual address
 *
 * The rest of the virtual address is the place. Permissions are those that need
 * no further walk. Refusals are not cached.
 *
 * Translations lead to DMA addresses, not to host memory, so they survive
 * changes of QEMU's memory map and of a vIOMMU. CONTEXT_INVALIDATE and each
 * binding of the context drop them.
 *
 * The TLB also holds the host pages that messages access without asking for a
 * translation (hw/veu/eu/memory/host_pages.h). They are forgotten together with
 * the translations, and also when the host's memory changes.
 */
#ifndef VEU_DEVICE_TLB_H
#define VEU_DEVICE_TLB_H

#include "hw/veu/device/host/device.h"
#include "hw/veu/device/page_walk.h"
#include "hw/veu/eu/memory/host_pages.h"

#define VEU_TLB_PAGES  32768 /* of 4 KiB: 128 MiB */
#define VEU_TLB_BLOCKS 1024  /* of 2 MiB: 2 GiB */

typedef struct VeuTlb {
    uint64_t root; /* root of the tables that they come from */
    bool marks;    /* entries have been marked as accessed */
    bool used;     /* there may be entries */
    /*
     * For tests: the most entries; a new one replaces the oldest. 0: no limit.
     */
    unsigned limit;
    unsigned next;
    uint64_t *recent[VEU_LIMIT_TLB_LIMIT];
    uint64_t pages[VEU_TLB_PAGES];
    uint64_t blocks[VEU_TLB_BLOCKS];
    /* VeuHost.memory_version for which host_pages are valid */
    uint64_t memory_version;
    uint32_t uses; /* number of uses that have begun; it wraps */
    VeuHostPages host_pages;
} VeuTlb;

/* Returns false if no entry has @address and permits @access. */
bool veu_tlb_find(const VeuTlb *tlb, uint64_t address, enum veu_access access,
                  VeuPage *page);

/* Adds the part of @page that contains @address. */
void veu_tlb_keep(VeuTlb *tlb, uint64_t address, const VeuPage *page);

/*
 * Drops 2^@log2_pages pages of 4 KiB, the aligned range that contains @address.
 * It may run concurrently with veu_tlb_find() and veu_tlb_keep(). Entries that
 * are added meanwhile may remain: see veu_device_write_beside().
 */
void veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages);

/*
 * Counts the start of work that uses the translations. Only one thread at a
 * time may do that.
 */
static inline void veu_tlb_count_use(VeuTlb *tlb)
{
    uint32_t uses = __atomic_load_n(&tlb->uses, __ATOMIC_RELAXED);

    __atomic_store_n(&tlb->uses, uses + 1, __ATOMIC_RELAXED);
}

static inline uint32_t veu_tlb_uses(const VeuTlb *tlb)
{
    return __atomic_load_n(&tlb->uses, __ATOMIC_RELAXED);
}

/* Drops all entries. Nothing else may run meanwhile. */
void veu_tlb_forget_all(VeuTlb *tlb);

/*
 * The host pages for a step that begins. NULL if no page outlives the step,
 * because the host does not report changes of memory or the TLB is limited.
 */
VeuHostPages *veu_tlb_host_pages(VeuTlb *tlb, const VeuHost *host);

#endif
