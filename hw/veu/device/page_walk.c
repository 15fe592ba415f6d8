/*
 * veu device model: the walk through the page tables of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/page_walk.h"

/* Bits of a valid entry that must be 0, whatever it is for. */
#define RESERVED                                                          \
    (~(VEU_PAGE_VALID | VEU_PAGE_READ | VEU_PAGE_WRITE | VEU_PAGE_LARGE | \
       VEU_PAGE_ADDRESS | VEU_PAGE_SOFTWARE))

/* Levels whose entries may be pages by themselves. */
static bool may_be_large(unsigned level)
{
    return level == 2 || level == 3;
}

static bool is_page(uint64_t entry, unsigned level)
{
    return level == 1 || (entry & VEU_PAGE_LARGE);
}

/* The bits that must be 0 in a valid entry of @level. */
static uint64_t reserved_bits(uint64_t entry, unsigned level)
{
    if (!is_page(entry, level)) {
        return RESERVED | VEU_PAGE_READ | VEU_PAGE_WRITE;
    }
    return RESERVED | (may_be_large(level) ? 0 : VEU_PAGE_LARGE) |
           (VEU_PAGE_ADDRESS & ((UINT64_C(1) << veu_page_bits(level)) - 1));
}

/* False where the entry at @iova is not in RAM. */
static bool load_entry(VeuHost *host, uint64_t iova, uint64_t *entry)
{
    uint32_t bytes = sizeof(*entry);
    const uint8_t *from = host->map(host, iova, &bytes, VEU_ACCESS_READ);

    if (!from || bytes != sizeof(*entry)) {
        return false;
    }
    *entry = __atomic_load_n((const uint64_t *)from, __ATOMIC_ACQUIRE);
    return true;
}

enum veu_walk veu_page_refuses(uint64_t permissions, enum veu_access access)
{
    if (access == VEU_ACCESS_WRITE) {
        return permissions & VEU_PAGE_WRITE ? VEU_WALK_NONE : VEU_WALK_NO_WRITE;
    }
    return permissions & VEU_PAGE_READ ? VEU_WALK_NONE : VEU_WALK_NO_READ;
}

static enum veu_walk check_entry(uint64_t entry, unsigned level)
{
    if (!(entry & VEU_PAGE_VALID)) {
        return VEU_WALK_NOT_VALID;
    }
    return entry & reserved_bits(entry, level) ? VEU_WALK_RESERVED :
                                                 VEU_WALK_NONE;
}

static uint32_t take_page(uint64_t entry, unsigned level, uint64_t address,
                          enum veu_access access, VeuPage *page)
{
    uint64_t bytes = UINT64_C(1) << veu_page_bits(level);
    enum veu_walk refused = veu_page_refuses(entry, access);

    *page = (VeuPage){
        .address = address & -bytes,
        .iova = entry & VEU_PAGE_ADDRESS,
        .bytes = bytes,
        .permissions = entry & (VEU_PAGE_READ | VEU_PAGE_WRITE),
    };
    return refused ? veu_walk_detail(refused, level) : 0;
}

uint32_t veu_page_walk(VeuHost *host, uint64_t root, uint64_t address,
                       enum veu_access access, VeuPage *page)
{
    uint64_t table = root;

    if (address >> VEU_LIMIT_VA_BITS) {
        return veu_walk_detail(VEU_WALK_NOT_CANONICAL, 0);
    }
    for (unsigned level = VEU_TABLE_LEVELS; level; level--) {
        uint64_t index = address >> veu_page_bits(level) &
                         (VEU_TABLE_ENTRIES - 1);
        enum veu_walk bad;
        uint64_t entry;

        if (!load_entry(host, table + index * sizeof(entry), &entry)) {
            return veu_walk_detail(VEU_WALK_TABLE_MEMORY, level);
        }
        bad = check_entry(entry, level);
        if (bad) {
            return veu_walk_detail(bad, level);
        }
        if (is_page(entry, level)) {
            return take_page(entry, level, address, access, page);
        }
        table = entry & VEU_PAGE_ADDRESS;
    }
    return veu_walk_detail(VEU_WALK_NOT_VALID, 1); /* level 1 has pages only */
}
