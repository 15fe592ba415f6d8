/*
 * veu tests: guest memory, page by page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/test_memory.h"

/* Allocates page number @n and the @pages - 1 pages that follow it. */
static void allocate(TestMemory *m, unsigned n, unsigned pages)
{
    uint8_t *bytes = aligned_alloc(TEST_PAGE_BYTES, pages * TEST_PAGE_BYTES);

    g_assert_nonnull(bytes);
    memset(bytes, 0, pages * TEST_PAGE_BYTES);
    for (unsigned i = 0; i < pages; i++) {
        m->page[n + i].bytes = bytes + i * TEST_PAGE_BYTES;
        m->page[n + i].allocation = i == 0 ? bytes : NULL;
    }
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

static bool permits(const TestPage *page, enum veu_access access)
{
    return !(access == VEU_ACCESS_WRITE && !page->writable) &&
           !(access == VEU_ACCESS_READ && page->write_only);
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
    if (!page || !permits(page, access)) {
        *bytes = 0xdead; /* meaningless: must not be relied on */
        return NULL;
    }
    *bytes = MIN(*bytes, left);
    if (access == VEU_ACCESS_WRITE) {
        m->noted[page - m->page] = 1;
        test_memory_note(m, page->bytes);
    }
    return page->bytes + at;
}

/*
 * Returns true if page @n follows page @n - 1 everywhere, with the same
 * permissions.
 */
static bool is_next(const TestMemory *m, unsigned n)
{
    const TestPage *page = &m->page[n];

    return page[0].iova == page[-1].iova + TEST_PAGE_BYTES &&
           page[0].bytes == page[-1].bytes + TEST_PAGE_BYTES &&
           page[0].writable == page[-1].writable &&
           page[0].write_only == page[-1].write_only;
}

static unsigned first_of_extent(const TestMemory *m, unsigned n)
{
    while (n > 0 && is_next(m, n)) {
        n--;
    }
    return n;
}

static uintptr_t block_of(const uint8_t *host)
{
    return (uintptr_t)host >> VEU_NOTE_BITS;
}

bool test_memory_open(TestMemory *m, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    TestPage *page = find_page(m, iova);
    unsigned first, end;

    m->maps++;
    if (!page || !permits(page, access)) {
        return false;
    }
    first = first_of_extent(m, page - m->page);
    end = first + 1;
    while (end < m->count && is_next(m, end)) {
        end++;
    }
    page = &m->page[first];
    *extent = (VeuExtent){
        .iova = page->iova,
        .bytes = (end - first) * TEST_PAGE_BYTES,
        .host = page->bytes,
        .noted = (uintptr_t)&m->noted[first] -
                 ((uintptr_t)page->bytes >> VEU_PAGE_BITS),
        .listed = (uintptr_t)m->listed[first] - block_of(page->bytes),
        .write_only = page->write_only,
    };
    return true;
}

/* Clips it like a 4 KiB page of a context of page tables. */
static void clip_extent(TestMemory *m, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    uint64_t page = iova & -(uint64_t)TEST_PAGE_BYTES;

    if (access == VEU_ACCESS_WRITE) {
        veu_mem_set_written(&m->mem, extent);
    }
    extent->host += page - extent->iova;
    extent->iova = page;
    extent->bytes = TEST_PAGE_BYTES;
    extent->page_bits = VEU_PAGE_BITS;
}

/* The byte of the block that contains page @n, in its extent. */
static uint8_t *listed_of(TestMemory *m, unsigned n)
{
    unsigned first = first_of_extent(m, n);

    return &m->listed[first][block_of(m->page[n].bytes) -
                             block_of(m->page[first].bytes)];
}

void test_memory_note(TestMemory *m, const uint8_t *host)
{
    for (unsigned i = 0; i < m->count; i++) {
        if ((uintptr_t)host - (uintptr_t)m->page[i].bytes < TEST_PAGE_BYTES) {
            *listed_of(m, i) = 1;
        }
    }
}

bool test_memory_is_noted(const TestMemory *m, unsigned n)
{
    return m->noted[n] && *listed_of((TestMemory *)m, n);
}

void test_memory_forget_notes(TestMemory *m)
{
    memset(m->noted, 0, sizeof(m->noted));
    memset(m->listed, 0, sizeof(m->listed));
    m->mem.listed.bytes = 0;
    m->mem.noted = (VeuMemNoted){ 0 };
    m->mem.epoch++;
}

void test_memory_send_all(TestMemory *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        TestPage *page = &m->page[i];

        if (!page->sent) {
            page->sent = g_malloc(TEST_PAGE_BYTES);
        }
        memcpy(page->sent, page->bytes, TEST_PAGE_BYTES);
        m->noted[i] = 0;
    }
    memset(m->listed, 0, m->count * sizeof(m->listed[0]));
}

/* Ignores pages of blocks that the host does not know. */
void test_memory_flush(TestMemory *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        if (m->page[i].sent && test_memory_is_noted(m, i)) {
            memcpy(m->page[i].sent, m->page[i].bytes, TEST_PAGE_BYTES);
            m->noted[i] = 0;
        }
    }
    memset(m->listed, 0, m->count * sizeof(m->listed[0]));
}

int test_memory_unsent(const TestMemory *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        const TestPage *page = &m->page[i];

        if (page->sent && memcmp(page->sent, page->bytes, TEST_PAGE_BYTES)) {
            return i;
        }
    }
    return -1;
}

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    return test_memory_map((TestMemory *)mem, iova, bytes, access);
}

static bool open_extent(VeuMem *mem, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    TestMemory *m = (TestMemory *)mem;
    bool is_there = test_memory_open(m, iova, access, extent);

    if (is_there && m->paged) {
        clip_extent(m, iova, access, extent);
    }
    return is_there;
}

static void note(VeuMem *mem, uint8_t *host)
{
    test_memory_note((TestMemory *)mem, host);
}

void test_memory_init(TestMemory *m)
{
    memset(m, 0, sizeof(*m));
    m->mem.map = map;
    m->mem.open = open_extent;
    m->mem.note = note;
}

void test_memory_free(TestMemory *m)
{
    for (unsigned i = 0; i < m->count; i++) {
        free(m->page[i].allocation);
        g_free(m->page[i].sent);
    }
    g_clear_pointer(&m->paged, g_free);
    m->count = 0;
}

void test_memory_set_paged(TestMemory *m)
{
    m->paged = g_new0(VeuHostPages, 1);
    m->mem.host_pages = m->paged;
}

void test_memory_add(TestMemory *m, uint64_t iova, uint64_t bytes,
                     bool writable)
{
    unsigned pages = (bytes + TEST_PAGE_BYTES - 1) / TEST_PAGE_BYTES;
    unsigned together = m->joined ? pages : 1;

    g_assert_cmpuint(iova % TEST_PAGE_BYTES, ==, 0);
    g_assert_cmpuint(m->count + pages, <=, TEST_MAX_PAGES);
    for (unsigned i = 0; i < pages; i++) {
        m->page[m->count + i] = (TestPage){
            .iova = iova + i * TEST_PAGE_BYTES,
            .writable = writable,
        };
    }
    for (unsigned i = 0; i < pages; i += together) {
        allocate(m, m->count + i, together);
    }
    m->count += pages;
}

void test_memory_copy(TestMemory *to, const TestMemory *from)
{
    test_memory_init(to);
    to->count = from->count;
    for (unsigned i = 0; i < from->count; i++) {
        to->page[i] = from->page[i];
        to->page[i].sent = NULL;
        allocate(to, i, 1);
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
    TestPage old[TEST_MAX_PAGES];

    memcpy(old, m->page, m->count * sizeof(old[0]));
    for (unsigned i = 0; i < m->count; i++) {
        allocate(m, i, 1);
        memcpy(m->page[i].bytes, old[i].bytes, TEST_PAGE_BYTES);
    }
    for (unsigned i = 0; i < m->count; i++) {
        free(old[i].allocation);
    }
}

uint8_t *test_memory_byte(TestMemory *m, uint64_t iova, enum veu_access access)
{
    TestPage *page = find_page(m, iova);

    if (!page || !permits(page, access)) {
        return NULL;
    }
    return page->bytes + iova % TEST_PAGE_BYTES;
}

/*
 * The place of the bytes at @iova that are in one page, of which there are
 * *@count, at most @bytes.
 */
static uint8_t *piece_at(TestMemory *m, uint64_t iova, uint64_t bytes,
                         uint64_t *count)
{
    uint8_t *piece = test_memory_byte(m, iova, VEU_ACCESS_NONE);

    g_assert_nonnull(piece);
    *count = MIN(bytes, TEST_PAGE_BYTES - iova % TEST_PAGE_BYTES);
    return piece;
}

void test_memory_put(TestMemory *m, uint64_t iova, const void *from,
                     uint64_t bytes)
{
    for (uint64_t at = 0, count; at < bytes; at += count) {
        uint8_t *to = piece_at(m, iova + at, bytes - at, &count);
        uint8_t *sent = find_page(m, iova + at)->sent;

        memcpy(to, (const uint8_t *)from + at, count);
        if (sent) {
            memcpy(sent + (iova + at) % TEST_PAGE_BYTES, to, count);
        }
    }
}

void test_memory_get(TestMemory *m, uint64_t iova, void *to, uint64_t bytes)
{
    for (uint64_t at = 0, count; at < bytes; at += count) {
        const uint8_t *from = piece_at(m, iova + at, bytes - at, &count);

        memcpy((uint8_t *)to + at, from, count);
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
