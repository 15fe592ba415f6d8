/*
 * veu tests: page tables in guest memory, and a second walk through them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Written from docs/spec.md, section 3.4, without any code of the device.
 */
#ifndef VEU_TEST_PAGE_TABLES_H
#define VEU_TEST_PAGE_TABLES_H

#include "tests/lib/test_memory.h"

/* The tables of one address space, which take pages from @next on. */
typedef struct TestTables {
    TestMemory *memory;
    uint64_t root;
    uint64_t next;
    uint64_t end;
} TestTables;

/* Makes an empty address space, whose tables are in [start, end) of RAM. */
void test_tables_init(TestTables *tables, TestMemory *memory, uint64_t start,
                      uint64_t end);

/* Returns the DMA address of the entry of @level; makes missing tables. */
uint64_t test_tables_entry(TestTables *tables, uint64_t address,
                           unsigned level);

/* Maps a page of 4 KiB; @bits are those of the entry other than its address. */
void test_tables_map(TestTables *tables, uint64_t address, uint64_t iova,
                     uint64_t bits);
/* Like test_tables_map(), at @level: 1 is 4 KiB, 2 is 2 MiB, 3 is 1 GiB. */
void test_tables_map_level(TestTables *tables, uint64_t address, uint64_t iova,
                           uint64_t bits, unsigned level);

/*
 * Returns the DMA address of @address, or UINT64_MAX; *detail receives the
 * detail of the fault record.
 */
uint64_t test_tables_translate(TestMemory *memory, uint64_t root,
                               uint64_t address, enum veu_access access,
                               uint32_t *detail);

/*
 * Returns the DMA address of the entry of the page of @address, which is
 * mapped.
 */
uint64_t test_tables_leaf(TestMemory *memory, uint64_t root, uint64_t address);

#endif
