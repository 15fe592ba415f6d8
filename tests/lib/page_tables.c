/*
 * veu tests: page tables in guest memory, and a second walk through them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/page_tables.h"

/* The entry's bits, as numbered in the specification. */
#define BIT(n) (UINT64_C(1) << (n))

enum {
    REASON_NOT_CANONICAL = 1,
    REASON_NOT_VALID,
    REASON_NO_READ,
    REASON_NO_WRITE,
    REASON_RESERVED,
    REASON_TABLE_MEMORY,
};

void test_tables_init(TestTables *t, TestMemory *memory, uint64_t start,
                      uint64_t end)
{
    *t = (TestTables){ memory, start, start + 0x1000, end };
    test_memory_fill(memory, start, 0, 0x1000);
}

/* Each level uses 9 bits of the address, from bit 12 on. */
static uint64_t index_of(uint64_t address, unsigned level)
{
    static const unsigned shifts[] = { 0, 12, 21, 30, 39 };

    return address >> shifts[level] & 511;
}

uint64_t test_tables_entry(TestTables *t, uint64_t address, unsigned level)
{
    uint64_t table = t->root;

    for (unsigned at = 4; at > level; at--) {
        uint64_t place = table + index_of(address, at) * 8;
        uint64_t entry = test_memory_get64(t->memory, place);

        if (!(entry & BIT(0))) {
            g_assert_cmphex(t->next, <, t->end);
            entry = t->next | BIT(0);
            test_memory_fill(t->memory, t->next, 0, 0x1000);
            test_memory_put64(t->memory, place, entry);
            t->next += 0x1000;
        }
        table = entry & 0xffffffffff000;
    }
    return table + index_of(address, level) * 8;
}

void test_tables_map_level(TestTables *t, uint64_t address, uint64_t iova,
                           uint64_t bits, unsigned level)
{
    uint64_t place = test_tables_entry(t, address, level);

    test_memory_put64(t->memory, place, iova | bits | (level > 1 ? BIT(3) : 0));
}

void test_tables_map(TestTables *t, uint64_t address, uint64_t iova,
                     uint64_t bits)
{
    test_tables_map_level(t, address, iova, bits, 1);
}

static uint64_t fail(uint32_t *detail, unsigned reason, unsigned level)
{
    *detail = reason | level << 8;
    return UINT64_MAX;
}

static bool is_reserved(uint64_t entry, unsigned level, bool page)
{
    static const unsigned page_bits[] = { 0, 12, 21, 30, 0 };

    for (unsigned bit = 0; bit < 64; bit++) {
        bool permission = bit == 1 || bit == 2;
        bool software = (bit >= 9 && bit <= 11) || (bit >= 52 && bit <= 62);
        bool address = bit >= (page ? page_bits[level] : 12) && bit <= 51;
        bool large = bit == 3 && page && level > 1;
        bool used = bit == 4 || bit == 5; /* ACCESSED, DIRTY */
        bool legal = bit == 0 || (page && (permission || used)) || software ||
                     address || large;

        if (entry & BIT(bit) && !legal) {
            return true;
        }
    }
    return false;
}

static bool load(TestMemory *memory, uint64_t place, uint64_t *entry)
{
    *entry = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint8_t *byte = test_memory_byte(memory, place + i,
                                               VEU_ACCESS_READ);

        if (!byte) {
            return false;
        }
        *entry |= (uint64_t)*byte << 8 * i;
    }
    return true;
}

uint64_t test_tables_translate(TestMemory *memory, uint64_t root,
                               uint64_t address, enum veu_access access,
                               uint32_t *detail)
{
    uint64_t table = root;
    uint64_t entry;
    unsigned level;
    bool page = false;

    *detail = 0;
    if (address > 0xffffffffffff) {
        return fail(detail, REASON_NOT_CANONICAL, 0);
    }
    for (level = 5; !page;) {
        level--;
        if (!load(memory, table + index_of(address, level) * 8, &entry)) {
            return fail(detail, REASON_TABLE_MEMORY, level);
        }
        if (!(entry & BIT(0))) {
            return fail(detail, REASON_NOT_VALID, level);
        }
        page = level == 1 || ((level == 2 || level == 3) && entry & BIT(3));
        if (is_reserved(entry, level, page)) {
            return fail(detail, REASON_RESERVED, level);
        }
        table = entry & 0xffffffffff000;
    }
    if (access == VEU_ACCESS_READ && !(entry & BIT(1))) {
        return fail(detail, REASON_NO_READ, level);
    }
    if (access == VEU_ACCESS_WRITE && !(entry & BIT(2))) {
        return fail(detail, REASON_NO_WRITE, level);
    }
    return table | (address & (BIT(12 + 9 * (level - 1)) - 1));
}

uint64_t test_tables_leaf(TestMemory *memory, uint64_t root, uint64_t address)
{
    uint64_t table = root;

    for (unsigned level = 4; level; level--) {
        uint64_t place = table + index_of(address, level) * 8;
        uint64_t entry = test_memory_get64(memory, place);

        if (level == 1 || (level < 4 && entry & BIT(3))) {
            return place;
        }
        table = entry & 0xffffffffff000;
    }
    return UINT64_MAX;
}
