/*
 * veu tests: guest memory, page by page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/test_memory.h"

static uint8_t *new_page(void)
{
    uint8_t *bytes = aligned_alloc(TEST_PAGE_BYTES, TEST_PAGE_BYTES);

    g_assert_nonnull(bytes);
    memset(bytes, 0, TEST_PAGE_BYTES);
    return bytes;
}

static TestPage *find_page(TestMemory *m, uint64_t iova)
{
    iova &= ~(uint64_t)(TEST_PAGE_BYTES - 1);
    if (m->last < m->count && m->page[m->last].iova == iova) {
        return &m->page[m->last];
    }
    for (unsigned i = 0; i < m->count; i++) {
        if (m->page[i].iova == iova) {
            m->last = i;
            return &m->page[i];
        }
    }
    return NULL;
}

uint8_t *test_memory_map(TestMemory *m, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    TestPage *page = find_page(m, iova);
    uint32_t at = iova % TEST_PAGE_BYTES;
    uint32_t left = TEST_PAGE_BYTES - at;

    m->maps++;
    g_assert_cmpuint(*bytes, >=, 1);
    g_assert_true(access == VEU_ACCESS_READ || access == VEU_ACCESS_WRITE);
    if (!page || (access == VEU_ACCESS_WRITE && !page->writable)) {
        *bytes = 0xdead; /* means nothing: nobody may rely on it */
        return NULL;
    }
    *bytes = MIN(*bytes, left);
    page->write_mapped |= access == VEU_ACCESS_WRITE;
    return page->bytes + at;
}

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    return test_memory_map((TestMemory *)mem, iova, bytes, access);
}

void test_memory_init(TestMemory *m)
{
    memset(m, 0, sizeof(*m));
    m->mem.map = map;
}

void test_memory_free(TestMemory *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        free(m->page[i].bytes);
    }
    m->count = 0;
}

void test_memory_add(TestMemory *m, uint64_t iova, uint64_t bytes,
                     bool writable)
{
    g_assert_cmpuint(iova % TEST_PAGE_BYTES, ==, 0);
    for (uint64_t at = 0; at < bytes; at += TEST_PAGE_BYTES) {
        g_assert_cmpuint(m->count, <, TEST_MAX_PAGES);
        m->page[m->count++] = (TestPage){
            .iova = iova + at,
            .writable = writable,
            .bytes = new_page(),
        };
    }
}

void test_memory_copy(TestMemory *to, const TestMemory *from)
{
    test_memory_init(to);
    to->count = from->count;
    for (unsigned i = 0; i < from->count; i++) {
        to->page[i] = from->page[i];
        to->page[i].bytes = new_page();
        memcpy(to->page[i].bytes, from->page[i].bytes, TEST_PAGE_BYTES);
    }
}

bool test_memory_equal(const TestMemory *a, const TestMemory *b)
{
    for (unsigned i = 0; i < a->count; i++) {
        if (memcmp(a->page[i].bytes, b->page[i].bytes, TEST_PAGE_BYTES)) {
            return false;
        }
    }
    return true;
}

void test_memory_move(TestMemory *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        uint8_t *bytes = new_page();

        memcpy(bytes, m->page[i].bytes, TEST_PAGE_BYTES);
        free(m->page[i].bytes);
        m->page[i].bytes = bytes;
    }
}

uint8_t *test_memory_byte(TestMemory *m, uint64_t iova, enum veu_access access)
{
    TestPage *page = find_page(m, iova);

    if (!page || (access == VEU_ACCESS_WRITE && !page->writable)) {
        return NULL;
    }
    return page->bytes + iova % TEST_PAGE_BYTES;
}

void test_memory_put(TestMemory *m, uint64_t iova, const void *from,
                     uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        uint8_t *byte = test_memory_byte(m, iova + i, VEU_ACCESS_READ);

        g_assert_nonnull(byte);
        *byte = ((const uint8_t *)from)[i];
    }
}

void test_memory_get(TestMemory *m, uint64_t iova, void *to, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        uint8_t *byte = test_memory_byte(m, iova + i, VEU_ACCESS_READ);

        g_assert_nonnull(byte);
        ((uint8_t *)to)[i] = *byte;
    }
}

void test_memory_put32(TestMemory *m, uint64_t iova, uint32_t value)
{
    test_memory_put(m, iova, &value, sizeof(value));
}

void test_memory_put64(TestMemory *m, uint64_t iova, uint64_t value)
{
    test_memory_put(m, iova, &value, sizeof(value));
}

uint8_t test_memory_get8(TestMemory *m, uint64_t iova)
{
    uint8_t value;

    test_memory_get(m, iova, &value, sizeof(value));
    return value;
}

uint32_t test_memory_get32(TestMemory *m, uint64_t iova)
{
    uint32_t value;

    test_memory_get(m, iova, &value, sizeof(value));
    return value;
}

uint64_t test_memory_get64(TestMemory *m, uint64_t iova)
{
    uint64_t value;

    test_memory_get(m, iova, &value, sizeof(value));
    return value;
}

void test_memory_fill(TestMemory *m, uint64_t iova, uint8_t byte,
                      uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        test_memory_put(m, iova + i, &byte, 1);
    }
}
