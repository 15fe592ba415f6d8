/*
 * veu device model: the cached translations of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/tlb.h"

#define VALID UINT64_C(1)
#define READ  UINT64_C(2)
#define WRITE UINT64_C(4)
#define HUGE  UINT64_C(8)

#define PAGE_BITS  12
#define BLOCK_BITS 21
#define HUGE_BITS  30

#define PAGE_PLACE_BITS  15 /* log2 of VEU_TLB_PAGES */
#define BLOCK_PLACE_BITS 10

#define PAGE_IOVA_SHIFT  3
#define PAGE_TAG_SHIFT   43
#define BLOCK_IOVA_SHIFT 4
#define BLOCK_TAG_SHIFT  35

_Static_assert(VEU_TLB_PAGES == 1 << PAGE_PLACE_BITS &&
                   VEU_TLB_BLOCKS == 1 << BLOCK_PLACE_BITS,
               "a place has as many bits as the tag lacks");
_Static_assert(VEU_PAGE_READ == READ && VEU_PAGE_WRITE == WRITE,
               "permissions are copied");

/*
 * The tag is hashed into the place, so that buffers whose distance is a
 * multiple of the TLB's reach do not collide. Tag and place still determine the
 * page's number.
 */
static uint64_t place_of(uint64_t number, unsigned bits)
{
    uint64_t tag = number >> bits;

    return (number ^ tag ^ tag >> bits) & ((UINT64_C(1) << bits) - 1);
}

static uint64_t *page_entry(const VeuTlb *tlb, uint64_t number)
{
    return (uint64_t *)&tlb->pages[place_of(number, PAGE_PLACE_BITS)];
}

static uint64_t *block_entry(const VeuTlb *tlb, uint64_t number)
{
    return (uint64_t *)&tlb->blocks[place_of(number, BLOCK_PLACE_BITS)];
}

static bool is_page_of(uint64_t entry, uint64_t number)
{
    return (entry & VALID) &&
           entry >> PAGE_TAG_SHIFT == number >> PAGE_PLACE_BITS;
}

static bool is_block_of(uint64_t entry, uint64_t number)
{
    return (entry & VALID) &&
           entry >> BLOCK_TAG_SHIFT == number >> BLOCK_PLACE_BITS;
}

static bool find_page(const VeuTlb *tlb, uint64_t address, VeuPage *page)
{
    uint64_t number = address >> PAGE_BITS;
    uint64_t entry = __atomic_load_n(page_entry(tlb, number), __ATOMIC_RELAXED);

    if (!is_page_of(entry, number)) {
        return false;
    }
    page->address = number << PAGE_BITS;
    page->iova = entry << (64 - PAGE_TAG_SHIFT) >>
                 (64 - PAGE_TAG_SHIFT + PAGE_IOVA_SHIFT) << PAGE_BITS;
    page->bytes = UINT64_C(1) << PAGE_BITS;
    page->permissions = entry & (READ | WRITE);
    return true;
}

/* The whole page that the entry is a part of. */
static bool find_block(const VeuTlb *tlb, uint64_t address, VeuPage *page)
{
    uint64_t number = address >> BLOCK_BITS;
    uint64_t entry = __atomic_load_n(block_entry(tlb, number),
                                     __ATOMIC_RELAXED);
    uint64_t bytes = UINT64_C(1) << (entry & HUGE ? HUGE_BITS : BLOCK_BITS);
    uint64_t iova = entry << (64 - BLOCK_TAG_SHIFT) >>
                    (64 - BLOCK_TAG_SHIFT + BLOCK_IOVA_SHIFT) << BLOCK_BITS;

    if (!is_block_of(entry, number)) {
        return false;
    }
    page->address = address & -bytes;
    page->iova = iova & -bytes;
    page->bytes = bytes;
    page->permissions = entry & (READ | WRITE);
    return true;
}

bool veu_tlb_find(const VeuTlb *tlb, uint64_t address, enum veu_access access,
                  VeuPage *page)
{
    return !(address >> VEU_LIMIT_VA_BITS) &&
           (find_page(tlb, address, page) || find_block(tlb, address, page)) &&
           !veu_page_refuses(page->permissions, access);
}

/* The age of entries matters only if there is a limit. */
static void make_room(VeuTlb *tlb, uint64_t *entry)
{
    unsigned next = __atomic_fetch_add(&tlb->next, 1, __ATOMIC_RELAXED);
    uint64_t *oldest = __atomic_exchange_n(&tlb->recent[next % tlb->limit],
                                           entry, __ATOMIC_RELAXED);

    if (oldest) {
        __atomic_store_n(oldest, 0, __ATOMIC_RELAXED);
    }
}

static void store(VeuTlb *tlb, uint64_t *entry, uint64_t value)
{
    if (tlb->limit) {
        make_room(tlb, entry);
    }
    __atomic_store_n(&tlb->used, true, __ATOMIC_RELAXED);
    __atomic_store_n(entry, value, __ATOMIC_RELAXED);
}

void veu_tlb_keep(VeuTlb *tlb, uint64_t address, const VeuPage *page)
{
    uint64_t iova = page->iova + (address - page->address);
    uint64_t value = VALID | page->permissions;

    if (page->bytes >> BLOCK_BITS) {
        uint64_t number = address >> BLOCK_BITS;

        value |= page->bytes >> HUGE_BITS ? HUGE : 0;
        value |= iova >> BLOCK_BITS << BLOCK_IOVA_SHIFT;
        value |= number >> BLOCK_PLACE_BITS << BLOCK_TAG_SHIFT;
        store(tlb, block_entry(tlb, number), value);
    } else {
        uint64_t number = address >> PAGE_BITS;

        value |= iova >> PAGE_BITS << PAGE_IOVA_SHIFT;
        value |= number >> PAGE_PLACE_BITS << PAGE_TAG_SHIFT;
        store(tlb, page_entry(tlb, number), value);
    }
}

static uint64_t load(const uint64_t *entry)
{
    return __atomic_load_n(entry, __ATOMIC_RELAXED);
}

static void drop_pages(VeuTlb *tlb, uint64_t first, uint64_t count)
{
    for (uint64_t number = first; number < first + count; number++) {
        uint64_t *entry = page_entry(tlb, number);

        if (is_page_of(load(entry), number)) {
            __atomic_store_n(entry, 0, __ATOMIC_RELAXED);
        }
    }
}

/*
 * A part of a page of 1 GiB stands for the whole page: if the range overlaps
 * the page, all its parts are dropped.
 */
static void drop_blocks(VeuTlb *tlb, uint64_t first, uint64_t last)
{
    uint64_t mask = (UINT64_C(1) << (HUGE_BITS - BLOCK_BITS)) - 1;
    uint64_t number = first & ~mask;
    uint64_t end = last | mask;

    for (; number <= end; number++) {
        uint64_t *entry = block_entry(tlb, number);

        if (is_block_of(load(entry), number) &&
            ((load(entry) & HUGE) || (number >= first && number <= last))) {
            __atomic_store_n(entry, 0, __ATOMIC_RELAXED);
        }
    }
}

static void drop_table(uint64_t *entries, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (load(&entries[i])) {
            __atomic_store_n(&entries[i], 0, __ATOMIC_RELAXED);
        }
    }
}

void veu_tlb_forget_all(VeuTlb *tlb)
{
    if (tlb->used) {
        memset(tlb->pages, 0, sizeof(tlb->pages));
        memset(tlb->blocks, 0, sizeof(tlb->blocks));
        veu_host_pages_forget_all(&tlb->host_pages);
        tlb->used = false;
    }
}

void veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages)
{
    uint64_t count = UINT64_C(1) << log2_pages % 64;
    uint64_t first = address >> PAGE_BITS;

    /* Stays set: an entry may be added meanwhile. */
    if (!__atomic_load_n(&tlb->used, __ATOMIC_RELAXED)) {
        return;
    }
    if (log2_pages > PAGE_PLACE_BITS) {
        drop_table(tlb->pages, VEU_TLB_PAGES);
        drop_table(tlb->blocks, VEU_TLB_BLOCKS);
        veu_host_pages_forget_all(&tlb->host_pages);
        return;
    }
    if (address >> VEU_LIMIT_VA_BITS) {
        return;
    }
    first &= -count;
    drop_pages(tlb, first, count);
    veu_host_pages_forget(&tlb->host_pages, first, count);
    drop_blocks(tlb, first >> (BLOCK_BITS - PAGE_BITS),
                (first + count - 1) >> (BLOCK_BITS - PAGE_BITS));
}

VeuHostPages *veu_tlb_host_pages(VeuTlb *tlb, const VeuHost *host)
{
    if (!host->memory_version || tlb->limit) {
        return NULL;
    }
    if (tlb->memory_version != host->memory_version) {
        veu_host_pages_forget_all(&tlb->host_pages);
        tlb->memory_version = host->memory_version;
    }
    return &tlb->host_pages;
}
