/*
 * veu device model: the walk through the page tables of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 3.4. The tables are in guest memory, and processors
 * change them at any time: a walk loads each entry once, as a whole, and keeps
 * none. Its result may be cached in a TLB (tlb.h).
 */
#ifndef VEU_DEVICE_PAGE_WALK_H
#define VEU_DEVICE_PAGE_WALK_H

#include "hw/veu/device/host/host.h"
#include "veu/page.h"

/* Virtual addresses have this many bits: register CAP_VA_BITS. */
#define VEU_LIMIT_VA_BITS 48

/* A page of a context, of any size. */
typedef struct VeuPage {
    uint64_t address;     /* virtual address of its first byte */
    uint64_t iova;        /* DMA address of that byte */
    uint64_t bytes;       /* 4 KiB, 2 MiB or 1 GiB */
    uint64_t permissions; /* VEU_PAGE_READ, VEU_PAGE_WRITE */
    /* The entry of a page that a walk has found. Not set by a TLB. */
    uint64_t entry;
    uint64_t entry_at; /* DMA address */
    unsigned level;
} VeuPage;

/* log2 of the bytes that an entry of @level covers. */
static inline unsigned veu_page_bits(unsigned level)
{
    return VEU_TABLE_PAGE_BITS + (level - 1) * VEU_TABLE_BITS;
}

/* The detail of a fault: docs/spec.md, section 3.4. */
static inline uint32_t veu_walk_detail(enum veu_walk reason, unsigned level)
{
    return (uint32_t)reason | level << 8;
}

/* Returns VEU_WALK_NONE if a page's @permissions allow @access. */
enum veu_walk veu_page_refuses(uint64_t permissions, enum veu_access access);

/*
 * Finds the page of @address in the tables at @root. Returns 0, or the detail
 * that says why @access is not possible. It makes at most one load for each
 * level, all through @host.
 */
uint32_t veu_page_walk(VeuHost *host, uint64_t root, uint64_t address,
                       enum veu_access access, VeuPage *page);

/*
 * Like veu_page_walk(), for an imminent access in a context that marks pages:
 * sets ACCESSED in the entry, and DIRTY for a write. page->permissions has
 * WRITE only if the entry is DIRTY, so that the first write is seen here. The
 * number of walks is bounded.
 */
uint32_t veu_page_access(VeuHost *host, uint64_t root, uint64_t address,
                         enum veu_access access, VeuPage *page);

#endif
