/*
 * veu proofs: the walk through page tables, and the cached translations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/page_walk.c"
#include "hw/veu/device/tlb.c"
#include "tests/proofs/proof.h"

/* ---- the walk ---- */

/* One entry at a time, with any contents, or outside of RAM. */
static uint64_t entry;
static uint64_t loads;
static uint64_t last_at;
static uint64_t last_entry;

static uint8_t *map_any(VeuHost *host, uint64_t iova, uint32_t *bytes,
                        enum veu_access access)
{
    PROVE(*bytes == sizeof(entry) && iova % sizeof(entry) == 0,
          "an entry is loaded whole");
    PROVE(access == VEU_ACCESS_READ, "the walk writes nothing");
    if (nondet_bool()) {
        return NULL;
    }
    entry = nondet_u64();
    last_at = iova;
    last_entry = entry;
    loads++;
    return (uint8_t *)&entry;
}

static uint32_t walk_any(uint64_t *address, enum veu_access *access,
                         VeuPage *page)
{
    VeuHost host = { .map = map_any };
    uint64_t root = nondet_u64();

    *address = nondet_u64();
    *access = nondet_bool() ? VEU_ACCESS_WRITE : VEU_ACCESS_READ;
    ASSUME(root % 4096 == 0);
    return veu_page_walk(&host, root, *address, *access, page);
}

void a_walk_ends_and_says_why(void)
{
    enum veu_access access;
    uint64_t address;
    VeuPage page;
    uint32_t detail = walk_any(&address, &access, &page);

    REACHED(loads == 4 && detail == 0);
    REACHED(VEU_WALK_REASON(detail) == VEU_WALK_RESERVED);
    PROVE(loads <= VEU_TABLE_LEVELS, "no more entries than there are levels");
    PROVE(VEU_WALK_REASON(detail) <= VEU_WALK_TABLE_MEMORY,
          "the reason is one of the table");
    PROVE(VEU_WALK_LEVEL(detail) <= VEU_TABLE_LEVELS, "and so is the level");
    PROVE(detail == 0 || VEU_WALK_LEVEL(detail) ||
              VEU_WALK_REASON(detail) == VEU_WALK_NOT_CANONICAL,
          "only addresses that are not canonical have no level");
}

void a_page_that_is_found_permits_the_access(void)
{
    enum veu_access access;
    uint64_t address;
    VeuPage page;
    uint32_t detail = walk_any(&address, &access, &page);

    ASSUME(detail == 0);
    REACHED(page.bytes == UINT64_C(1) << 12);
    REACHED(page.bytes == UINT64_C(1) << 21);
    REACHED(page.bytes == UINT64_C(1) << 30);
    PROVE(address < UINT64_C(1) << 48, "the address has 48 bits");
    PROVE(address - page.address < page.bytes, "the page has the address");
    PROVE(page.address % page.bytes == 0 && page.iova % page.bytes == 0,
          "it is aligned in both spaces");
    PROVE(page.iova + page.bytes <= UINT64_C(1) << 52,
          "its DMA addresses have 52 bits");
    PROVE(last_entry & VEU_PAGE_VALID, "the entry is VALID");
    PROVE(last_entry &
              (access == VEU_ACCESS_WRITE ? VEU_PAGE_WRITE : VEU_PAGE_READ),
          "and permits the access");
    PROVE((last_entry & VEU_PAGE_ADDRESS) == page.iova,
          "the page is where the entry says");
}

/* ---- cached data ---- */

/* Numbers of 4 KiB pages, and of 2 MiB parts, of 48-bit addresses. */
static uint64_t any_number(unsigned bits)
{
    uint64_t number = nondet_u64();

    ASSUME(!(number >> (VEU_LIMIT_VA_BITS - bits)));
    return number;
}

/* The place of an entry and its contents together name one page. */
void entries_of_pages_are_of_one_page(void)
{
    uint64_t kept = any_number(PAGE_BITS);
    uint64_t other = any_number(PAGE_BITS);
    uint64_t iova = nondet_u64() & VEU_PAGE_ADDRESS;
    uint64_t entry = VALID | iova >> PAGE_BITS << PAGE_IOVA_SHIFT |
                     kept >> PAGE_PLACE_BITS << PAGE_TAG_SHIFT;
    bool same_place = place_of(kept, PAGE_PLACE_BITS) ==
                      place_of(other, PAGE_PLACE_BITS);

    REACHED(same_place && kept != other);
    REACHED(is_page_of(entry, other));
    PROVE(place_of(kept, PAGE_PLACE_BITS) < VEU_TLB_PAGES,
          "places are in the table");
    PROVE(is_page_of(entry, kept), "an entry is of the page that was kept");
    PROVE(!(same_place && is_page_of(entry, other)) || kept == other,
          "and of no other that looks there");
    PROVE(entry << (64 - PAGE_TAG_SHIFT) >>
                  (64 - PAGE_TAG_SHIFT + PAGE_IOVA_SHIFT) << PAGE_BITS ==
              iova,
          "its DMA address comes back");
}

void entries_of_parts_are_of_one_part(void)
{
    uint64_t kept = any_number(BLOCK_BITS);
    uint64_t other = any_number(BLOCK_BITS);
    uint64_t iova = nondet_u64() & VEU_PAGE_ADDRESS &
                    -(UINT64_C(1) << BLOCK_BITS);
    uint64_t entry = VALID | iova >> BLOCK_BITS << BLOCK_IOVA_SHIFT |
                     kept >> BLOCK_PLACE_BITS << BLOCK_TAG_SHIFT;
    bool same_place = place_of(kept, BLOCK_PLACE_BITS) ==
                      place_of(other, BLOCK_PLACE_BITS);

    REACHED(same_place && kept != other);
    PROVE(place_of(kept, BLOCK_PLACE_BITS) < VEU_TLB_BLOCKS,
          "places are in the table");
    PROVE(is_block_of(entry, kept), "an entry is of the part that was kept");
    PROVE(!(same_place && is_block_of(entry, other)) || kept == other,
          "and of no other that looks there");
    PROVE(entry << (64 - BLOCK_TAG_SHIFT) >>
                  (64 - BLOCK_TAG_SHIFT + BLOCK_IOVA_SHIFT) << BLOCK_BITS ==
              iova,
          "its DMA address comes back");
}
