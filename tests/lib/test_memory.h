/*
 * veu tests: guest memory, page by page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every page is a host allocation of its own: pages that are contiguous for the
 * guest never are for the host, and valgrind or ASan reports an access past the
 * end of one. Addresses that were not added are holes. With "joined", pages
 * that are added together are one allocation. With "paged", the gate is like
 * that of a context of page tables.
 */
#ifndef VEU_TEST_MEMORY_H
#define VEU_TEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/memory/mem.h"

#define TEST_PAGE_BYTES 4096u
#define TEST_MAX_PAGES  2048

typedef struct TestPage {
    uint64_t iova;
    bool writable;
    bool write_only; /* writable, and must not be read */
    uint8_t *bytes;
    void *allocation; /* of this page, and perhaps of those that follow */
    uint8_t *sent;    /* the copy that a migration has sent, or NULL */
} TestPage;

typedef struct TestMemory {
    /* the first member, from which the gate's callback finds the rest */
    VeuMem mem;
    unsigned count;
    unsigned last; /* page of the last look-up */
    unsigned maps; /* calls of the gate */
    /* pages that are added together are contiguous for the host, too */
    bool joined;
    VeuHostPages *paged; /* each extent is a page; NULL if not paged */
    TestPage page[TEST_MAX_PAGES];
    uint8_t noted[TEST_MAX_PAGES]; /* dirty pages */
    /* Blocks of extents, by first page. */
    uint8_t listed[TEST_MAX_PAGES][TEST_MAX_PAGES / VEU_NOTE_PAGES + 1];
} TestMemory;

void test_memory_init(TestMemory *memory);
void test_memory_free(TestMemory *memory);

/* Adds RAM at [iova, iova + bytes), page by page, filled with 0. */
void test_memory_add(TestMemory *memory, uint64_t iova, uint64_t bytes,
                     bool writable);

/* Makes the memory paged. */
void test_memory_set_paged(TestMemory *memory);

/* Makes a second memory with the same pages and bytes. */
void test_memory_copy(TestMemory *to, const TestMemory *from);
bool test_memory_equal(const TestMemory *a, const TestMemory *b);

/* The gate, with the meaning of VeuMem.map. */
uint8_t *test_memory_map(TestMemory *memory, uint64_t iova, uint32_t *bytes,
                         enum veu_access access);

/* Like VeuMem.open and VeuMem.note. */
bool test_memory_open(TestMemory *memory, uint64_t iova, enum veu_access access,
                      VeuExtent *extent);
void test_memory_note(TestMemory *memory, const uint8_t *host);
/* Returns true if page @n is marked dirty as required. */
bool test_memory_is_noted(const TestMemory *memory, unsigned n);
void test_memory_forget_notes(TestMemory *memory);

/*
 * These functions play a migration. test_memory_send_all() copies the present
 * contents of all pages. From then on test_memory_flush(), which a host calls
 * where it marks written pages, copies the dirty ones and clears their marks.
 * test_memory_unsent() returns the first page whose copy differs from memory,
 * because it was written without becoming dirty, or -1 if there is none.
 */
void test_memory_send_all(TestMemory *memory);
void test_memory_flush(TestMemory *memory);
int test_memory_unsent(const TestMemory *memory);

/* Moves all pages: pointers that were stored are stale from now on. */
void test_memory_move(TestMemory *memory);

/*
 * Returns one byte, bypassing the gate; NULL in a hole or where the access is
 * not permitted. VEU_ACCESS_NONE stands for the guest itself, which may do
 * anything.
 */
uint8_t *test_memory_byte(TestMemory *memory, uint64_t iova,
                          enum veu_access access);

/* Accesses of the guest itself, which abort the test in holes. */
void test_memory_put(TestMemory *memory, uint64_t iova, const void *from,
                     uint64_t bytes);
void test_memory_get(TestMemory *memory, uint64_t iova, void *to,
                     uint64_t bytes);
void test_memory_put32(TestMemory *memory, uint64_t iova, uint32_t value);
void test_memory_put64(TestMemory *memory, uint64_t iova, uint64_t value);
uint8_t test_memory_get8(TestMemory *memory, uint64_t iova);
uint32_t test_memory_get32(TestMemory *memory, uint64_t iova);
uint64_t test_memory_get64(TestMemory *memory, uint64_t iova);
void test_memory_fill(TestMemory *memory, uint64_t iova, uint8_t byte,
                      uint64_t bytes);

#endif
