/*
 * veu device model: the translations of a context that are kept.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A context of page tables has one TLB, which all rings and flips that are
 * bound to it share, and the group runners of a dispatch use at the same time
 * without a lock. That works because a translation is one word of 64 bits,
 * which is loaded and stored whole. It identifies its page:
 *
 *   pages of 4 KiB     bits 0..2   valid, read, write
 *                      bits 3..42  number of the DMA page
 *                      bits 43..63 bits 47..27 of the virtual address
 *   parts of 2 MiB     bits 0..2   valid, read, write
 *   of larger pages    bit 3       the page is one of 1 GiB
 *                      bits 4..34  number of the DMA part
 *                      bits 35..51 bits 47..31 of the virtual address
 *
 * The rest of the virtual address is the place. Permissions are those that need
 * no further walk. Entries that refuse are not kept.
 *
 * What is kept goes to DMA addresses, not to host memory: it survives changes
 * of QEMU's memory map and of a vIOMMU, and dies with CONTEXT_INVALIDATE and
 * with each binding of the context.
 *
 * Beside it are the host pages that messages access without asking for a
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
    uint64_t root; /* of the tables that they come from */
    bool marks;    /* entries are of pages that are marked as accessed */
    bool used;     /* there may be entries */
    /*
     * For tests: the most entries; a new one replaces the oldest. 0: as many as
     * there is room for.
     */
    unsigned limit;
    unsigned next;
    uint64_t *recent[VEU_LIMIT_TLB_LIMIT];
    uint64_t pages[VEU_TLB_PAGES];
    uint64_t blocks[VEU_TLB_BLOCKS];
    uint64_t memory_version; /* of the host, that host_pages are of */
    uint32_t uses; /* how often work that uses them has begun; it wraps */
    VeuHostPages host_pages;
} VeuTlb;

/* False where no entry has @address and permits @access. */
bool veu_tlb_find(const VeuTlb *tlb, uint64_t address, enum veu_access access,
                  VeuPage *page);

/* Keeps the part of @page that @address is in. */
void veu_tlb_keep(VeuTlb *tlb, uint64_t address, const VeuPage *page);

/*
 * Drops 2^@log2_pages pages of 4 KiB, the aligned range that has @address. It
 * may run beside veu_tlb_find() and veu_tlb_keep(); what is kept meanwhile may
 * stay: see veu_device_write_beside().
 */
void veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages);

/* Work that uses the translations begins; one thread at a time does that. */
static inline void veu_tlb_count_use(VeuTlb *tlb)
{
    uint32_t uses = __atomic_load_n(&tlb->uses, __ATOMIC_RELAXED);

    __atomic_store_n(&tlb->uses, uses + 1, __ATOMIC_RELAXED);
}

static inline uint32_t veu_tlb_uses(const VeuTlb *tlb)
{
    return __atomic_load_n(&tlb->uses, __ATOMIC_RELAXED);
}

/* Drops all; nothing runs beside it. */
void veu_tlb_forget_all(VeuTlb *tlb);

/*
 * The host pages of a step that begins. NULL where no page outlives the step:
 * the host does not say when memory changes, or the TLB is kept small.
 */
VeuHostPages *veu_tlb_host_pages(VeuTlb *tlb, const VeuHost *host);

#endif
