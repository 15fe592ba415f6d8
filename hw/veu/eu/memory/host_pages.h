/*
 * veu execution unit: a table of the pages of a context with page tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In a context with page tables, an extent is a page, and the lanes of a
 * message touch as many extents as pages. This table says for each page where
 * it is in host memory, in one word of 64 bits, so that a message finds all its
 * lanes with a load each, and threads share the table without a lock:
 *
 * - bits 0..7: bits 24..31 of the address
 * - bits 8..10: VEU_HOST_PAGE_READ, WRITE, PART
 * - bits 12..47: the host address of the page
 * - bits 48..63: bits 32..47 of the address
 *
 * The index in the table implies the rest of the address. The page may be
 * accessed as the bits permit; nothing else is required, except that the writer
 * marks the page as dirty (memory/mem.h). A word with neither bit is empty. The
 * owner of the table removes pages. It outlives steps and flushes: the device
 * model has one in each TLB (hw/veu/device/tlb.h).
 */
#ifndef VEU_EU_HOST_PAGES_H
#define VEU_EU_HOST_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/veu/eu/simd/cpu.h"

#define VEU_HOST_PAGES_BITS 15
#define VEU_HOST_PAGES      (1u << VEU_HOST_PAGES_BITS) /* of 4 KiB: 128 MiB */

#define VEU_HOST_PAGE_READ  UINT64_C(0x100)
#define VEU_HOST_PAGE_WRITE UINT64_C(0x200)
/* A part of a page of 2 MiB. It is forgotten together with any other part. */
#define VEU_HOST_PAGE_PART  UINT64_C(0x400)

/* The bits of the word that belong to the host address, and to the address. */
#define VEU_HOST_PAGE_HOST UINT64_C(0x0000fffffffff000)
#define VEU_HOST_PAGE_TAG  UINT64_C(0xffff0000000000ff)

#define VEU_HOST_PAGE_BYTES 4096u

typedef struct VeuHostPages {
    bool has_parts;
    uint64_t version; /* changes when pages are forgotten */
    uint64_t word[VEU_HOST_PAGES];
} VeuHostPages;

VEU_CLONED uint64_t veu_host_pages_version(const VeuHostPages *pages)
{
    return __atomic_load_n(&pages->version, __ATOMIC_ACQUIRE);
}

VEU_CLONED uint64_t veu_host_page_tag(uint64_t address)
{
    return (address >> 24 & 0xff) | address >> 32 << 48;
}

/*
 * The index is hashed, so that buffers at a distance of 128 MiB do not collide.
 */
VEU_CLONED uint64_t veu_host_page_place(uint64_t address)
{
    return (address >> 12 ^ address >> (12 + VEU_HOST_PAGES_BITS)) &
           (VEU_HOST_PAGES - 1);
}

/*
 * The word for the page that contains [address, address + bytes), or 0 if none
 * has all bits of @needs.
 */
VEU_CLONED uint64_t veu_host_page_find(const VeuHostPages *pages,
                                       uint64_t address, uint64_t bytes,
                                       uint64_t needs)
{
    uint64_t word = __atomic_load_n(&pages->word[veu_host_page_place(address)],
                                    __ATOMIC_RELAXED);
    uint64_t differs = (word ^ veu_host_page_tag(address)) &
                       (VEU_HOST_PAGE_TAG | needs);

    return differs == needs && !(address >> 48) &&
                   address % VEU_HOST_PAGE_BYTES + bytes <=
                       VEU_HOST_PAGE_BYTES ?
               word :
               0;
}

/* The host address of @address, whose page has the word @word. */
VEU_CLONED uint8_t *veu_host_page_at(uint64_t word, uint64_t address)
{
    return (uint8_t *)(uintptr_t)((word & VEU_HOST_PAGE_HOST) |
                                  address % VEU_HOST_PAGE_BYTES);
}

/*
 * Records that the page of @address is at @host, with @bits. An entry that
 * exists keeps its bits as well. Host addresses that do not fit are not
 * recorded.
 */
void veu_host_pages_keep(VeuHostPages *pages, uint64_t address,
                         const uint8_t *host, uint64_t bits);

/* Forgets @count pages from page number @first on: at most VEU_HOST_PAGES. */
void veu_host_pages_forget(VeuHostPages *pages, uint64_t first, uint64_t count);

void veu_host_pages_forget_all(VeuHostPages *pages);

#endif
