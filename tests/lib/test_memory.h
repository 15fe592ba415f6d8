/*
 * veu tests: guest memory, page by page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every page that exists is a host allocation of its own: pages that are
 * neighbours for the guest never are for the host, and whoever runs over the
 * end of one meets valgrind or ASan. What was not added is a hole. With
 * "joined", pages that are added together are one allocation. With "paged", the
 * gate is as that of a context of page tables.
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
    bool write_only; /* it is writable, and must not be read */
    uint8_t *bytes;
    void *allocation; /* of this page, and perhaps of those that follow */
    uint8_t *sent;    /* what a migration has of it, or NULL */
} TestPage;

typedef struct TestMemory {
    VeuMem mem; /* first: the gate's callback finds the rest */
    unsigned count;
    unsigned last;       /* page of the last look-up */
    unsigned maps;       /* calls of the gate */
    bool joined;         /* what is added is together for the host, too */
    VeuHostPages *paged; /* each extent is a page; NULL: it is not */
    TestPage page[TEST_MAX_PAGES];
    uint8_t noted[TEST_MAX_PAGES]; /* pages that may have been written */
    /* Blocks of extents, by first page. */
    uint8_t listed[TEST_MAX_PAGES][TEST_MAX_PAGES / VEU_NOTE_PAGES + 1];
} TestMemory;

void test_memory_init(TestMemory *memory);
void test_memory_free(TestMemory *memory);

/* RAM at [iova, iova + bytes), page by page, filled with 0. */
void test_memory_add(TestMemory *memory, uint64_t iova, uint64_t bytes,
                     bool writable);

/* Makes it paged. */
void test_memory_set_paged(TestMemory *memory);

/* A second memory with the same pages and bytes. */
void test_memory_copy(TestMemory *to, const TestMemory *from);
bool test_memory_equal(const TestMemory *a, const TestMemory *b);

/* The gate: as VeuMem.map. */
uint8_t *test_memory_map(TestMemory *memory, uint64_t iova, uint32_t *bytes,
                         enum veu_access access);

/* The same as VeuMem.open and VeuMem.note. */
bool test_memory_open(TestMemory *memory, uint64_t iova, enum veu_access access,
                      VeuExtent *extent);
void test_memory_note(TestMemory *memory, const uint8_t *host);
/* Returns true if page @n is marked dirty as it has to be. */
bool test_memory_is_noted(const TestMemory *memory, unsigned n);
void test_memory_forget_notes(TestMemory *memory);

/*
 * What a migration would do. test_memory_send_all() copies all pages, as they
 * are now. From then on test_memory_flush(), which a host calls where it marks
 * what was written, copies those that are noted, and no page is noted any more.
 * test_memory_unsent() returns the first page whose copy is not what memory is:
 * a page that was written and not noted. -1: there is none.
 */
void test_memory_send_all(TestMemory *memory);
void test_memory_flush(TestMemory *memory);
int test_memory_unsent(const TestMemory *memory);

/* Moves all pages: pointers that were kept are stale from now on. */
void test_memory_move(TestMemory *memory);

/*
 * One byte, past the gate; NULL in a hole or where that access is not
 * permitted. VEU_ACCESS_NONE: the guest itself, which may do anything.
 */
uint8_t *test_memory_byte(TestMemory *memory, uint64_t iova,
                          enum veu_access access);

/* Accesses of the guest itself: they abort the test in holes. */
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
