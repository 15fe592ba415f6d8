/*
 * veu device model: the walk through the page tables of a context.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/page_walk.h"

/* Bits that must be 0 in every valid entry. */
#define RESERVED                                                          \
    (~(VEU_PAGE_VALID | VEU_PAGE_READ | VEU_PAGE_WRITE | VEU_PAGE_LARGE | \
       VEU_PAGE_ACCESSED | VEU_PAGE_DIRTY | VEU_PAGE_ADDRESS |            \
       VEU_PAGE_SOFTWARE))

/* Bits that only page entries have. */
#define OF_PAGES \
    (VEU_PAGE_READ | VEU_PAGE_WRITE | VEU_PAGE_ACCESSED | VEU_PAGE_DIRTY)

/*
 * How often an access walks again because its entry changed while bits were
 * set. A processor that keeps changing an entry must not block the device.
 */
#define MAX_WALKS 256

/* Levels at which an entry may be a page. */
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
        return RESERVED | OF_PAGES;
    }
    return RESERVED | (may_be_large(level) ? 0 : VEU_PAGE_LARGE) |
           (VEU_PAGE_ADDRESS & ((UINT64_C(1) << veu_page_bits(level)) - 1));
}

/* The entry at @iova, or NULL if it is not in RAM that permits @access. */
static uint64_t *map_entry(VeuHost *host, uint64_t iova, enum veu_access access)
{
    uint32_t bytes = sizeof(uint64_t);
    uint8_t *at = host->map(host, iova, &bytes, access);

    return bytes == sizeof(uint64_t) ? (uint64_t *)at : NULL;
}

static bool load_entry(VeuHost *host, uint64_t iova, uint64_t *entry)
{
    const uint64_t *from = map_entry(host, iova, VEU_ACCESS_READ);

    if (!from) {
        return false;
    }
    *entry = __atomic_load_n(from, __ATOMIC_ACQUIRE);
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

static uint32_t take_page(uint64_t entry, uint64_t entry_at, unsigned level,
                          uint64_t address, enum veu_access access,
                          VeuPage *page)
{
    uint64_t bytes = UINT64_C(1) << veu_page_bits(level);
    enum veu_walk refused = veu_page_refuses(entry, access);

    *page = (VeuPage){
        .address = address & -bytes,
        .iova = entry & VEU_PAGE_ADDRESS,
        .bytes = bytes,
        .permissions = entry & (VEU_PAGE_READ | VEU_PAGE_WRITE),
        .entry = entry,
        .entry_at = entry_at,
        .level = level,
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
        uint64_t entry;
        uint64_t entry_at = table + index * sizeof(entry);
        enum veu_walk bad;

        if (!load_entry(host, entry_at, &entry)) {
            return veu_walk_detail(VEU_WALK_TABLE_MEMORY, level);
        }
        bad = check_entry(entry, level);
        if (bad) {
            return veu_walk_detail(bad, level);
        }
        if (is_page(entry, level)) {
            return take_page(entry, entry_at, level, address, access, page);
        }
        table = entry & VEU_PAGE_ADDRESS;
    }
    /* level 1 consists of pages only */
    return veu_walk_detail(VEU_WALK_NOT_VALID, 1);
}

/* The result of setting an entry's bits. */
typedef enum Mark {
    MARK_DONE,
    MARK_CHANGED, /* the entry has changed since it was loaded */
    MARK_NO_MEMORY,
} Mark;

/*
 * A processor may store another entry at any time, and helpers may set bits in
 * the same one, so the entry is exchanged as a whole or not at all.
 */
static Mark mark_page(VeuHost *host, enum veu_access access, VeuPage *page)
{
    uint64_t bits = VEU_PAGE_ACCESSED |
                    (access == VEU_ACCESS_WRITE ? VEU_PAGE_DIRTY : 0);
    uint64_t old = page->entry;
    uint64_t *at;

    if ((old & bits) == bits) {
        return MARK_DONE;
    }
    at = map_entry(host, page->entry_at, VEU_ACCESS_WRITE);
    if (!at) {
        return MARK_NO_MEMORY;
    }
    page->entry |= bits;
    return __atomic_compare_exchange_n(at, &old, page->entry, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) ?
               MARK_DONE :
               MARK_CHANGED;
}

/*
 * A cached page that was only read permits no write, so that the first write
 * walks.
 */
static void forbid_first_write(VeuPage *page)
{
    if (!(page->entry & VEU_PAGE_DIRTY)) {
        page->permissions &= ~VEU_PAGE_WRITE;
    }
}

uint32_t veu_page_access(VeuHost *host, uint64_t root, uint64_t address,
                         enum veu_access access, VeuPage *page)
{
    for (unsigned i = 0; i < MAX_WALKS; i++) {
        uint32_t detail = veu_page_walk(host, root, address, access, page);
        Mark mark;

        if (detail) {
            return detail;
        }
        mark = mark_page(host, access, page);
        if (mark == MARK_NO_MEMORY) {
            return veu_walk_detail(VEU_WALK_TABLE_MEMORY, page->level);
        }
        if (mark == MARK_DONE) {
            forbid_first_write(page);
            return 0;
        }
    }
    return veu_walk_detail(VEU_WALK_NOT_VALID, page->level);
}
