/*
 * veu unit tests: the extents, dirty bytes and misses that a gate remembers:
 * hw/veu/eu/memory/mem.h, extent.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The host of these tests has extents at addresses that are never accessed, so
 * that they may be large, and counts what it is asked.
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/eu/memory/extent.h"

#define PAGE  VEU_PAGE_BYTES
#define BLOCK (UINT64_C(1) << VEU_NOTE_BITS)
#define LARGE (UINT64_C(1) << VEU_MEM_BLOCK_BITS)

/* The host's memory: an address, and the numbers of its first page and block */
#define HOST       UINT64_C(0x7f1240000000)
#define HOST_PAGE  (HOST / PAGE)
#define HOST_BLOCK (HOST / BLOCK)
#define PAGES      2048
#define BLOCKS     (PAGES / VEU_NOTE_PAGES)

typedef struct Gate {
    VeuMem mem; /* first */
    VeuExtent extent[4];
    bool unwritable[4];
    unsigned count;
    unsigned opens;
    unsigned maps;
    unsigned notes;
    bool probed; /* by the last open() or map() */
    uint64_t mapped[VEU_MEM_MISSES + 8];
    uint8_t noted[PAGES + 1];
    uint8_t listed[BLOCKS + 1];
} Gate;

static uint8_t *host_at(uint64_t offset)
{
    return (uint8_t *)(uintptr_t)(HOST + offset);
}

static bool open_extent(VeuMem *mem, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    Gate *g = (Gate *)mem;

    g->opens++;
    g->probed = mem->probes;
    for (unsigned i = 0; i < g->count; i++) {
        *extent = g->extent[i]; /* meaningless, if it returns false */
        if (veu_extent_has(&g->extent[i], iova, 1)) {
            return access == VEU_ACCESS_WRITE ? !g->unwritable[i] :
                                                !extent->write_only;
        }
    }
    return false;
}

/* Nothing is there. */
static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    Gate *g = (Gate *)mem;

    g_assert_cmpuint(g->maps, <, G_N_ELEMENTS(g->mapped));
    g->probed = mem->probes;
    g->mapped[g->maps++] = iova;
    return NULL;
}

static void note(VeuMem *mem, uint8_t *host)
{
    Gate *g = (Gate *)mem;

    g->notes++;
    g->listed[((uintptr_t)host - HOST) / BLOCK] = 1;
}

static Gate *begin(void)
{
    Gate *g = g_new0(Gate, 1);

    g->mem.open = open_extent;
    g->mem.map = map;
    g->mem.note = note;
    return g;
}

static void end(Gate *g)
{
    g_free(g->mem.host_pages);
    g_free(g);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Gate, end)

/* An extent of @bytes at @iova is at @offset in the host's memory. */
static VeuExtent *add(Gate *g, uint64_t iova, uint64_t bytes, uint64_t offset)
{
    g->extent[g->count] = (VeuExtent){
        .iova = iova,
        .bytes = bytes,
        .host = host_at(offset),
        .noted = (uintptr_t)g->noted - HOST_PAGE,
        .listed = (uintptr_t)g->listed - HOST_BLOCK,
    };
    return &g->extent[g->count++];
}

static uint8_t *find(Gate *g, uint64_t iova, enum veu_access access)
{
    const VeuExtent *e = veu_mem_find(&g->mem, iova, 4, access);

    return e ? veu_extent_at(e, iova) : NULL;
}

/* ---- extents ---- */

static void test_an_extent_has_its_bytes_only(void)
{
    static const VeuExtent none = { .iova = 0x1000 };
    static const VeuExtent e = { .iova = 0x1000, .bytes = 100 };

    g_assert_true(veu_extent_has(&e, 0x1000, 100));
    g_assert_true(veu_extent_has(&e, 0x1000 + 99, 1));
    g_assert_false(veu_extent_has(&e, 0x1000, 101));
    g_assert_false(veu_extent_has(&e, 0x1000 + 1, 100));
    g_assert_false(veu_extent_has(&e, 0x1000 + 100, 0));
    g_assert_false(veu_extent_has(&e, 0x1000 - 1, 1));
    g_assert_false(veu_extent_has(&e, 0x1000 + 50, UINT64_MAX));
    g_assert_false(veu_extent_has(&none, 0x1000, 0));
}

#define SMALL_AT UINT64_C(0x5000)
#define OTHER_AT UINT64_C(0x9000)
#define LARGE_AT (16 * LARGE)
#define LAST_AT  (48 * LARGE + LARGE)

/* Two small extents, and two large ones. */
static void add_extents(Gate *g)
{
    add(g, SMALL_AT, PAGE, 0);
    add(g, OTHER_AT, PAGE, 7 * PAGE);
    add(g, LARGE_AT, LARGE, LARGE);
    add(g, LAST_AT, LARGE, 2 * LARGE);
}

static void find_extents(Gate *g, enum veu_access access, uint64_t moved)
{
    g_assert_true(find(g, SMALL_AT + 8, access) == host_at(8 + moved));
    g_assert_true(find(g, LARGE_AT + PAGE, access) ==
                  host_at(LARGE + PAGE + moved));
    g_assert_true(find(g, OTHER_AT, access) == host_at(7 * PAGE + moved));
    g_assert_true(find(g, LAST_AT + 16, access) ==
                  host_at(2 * LARGE + 16 + moved));
}

/* What was found for one kind of access is not used for the other. */
static void test_extents_are_opened_once(void)
{
    g_autoptr(Gate) g = begin();

    add_extents(g);
    for (unsigned n = 0; n < 3; n++) {
        find_extents(g, VEU_ACCESS_READ, 0);
        g_assert_cmpuint(g->opens, ==, 4);
    }
    for (unsigned n = 0; n < 3; n++) {
        find_extents(g, VEU_ACCESS_WRITE, 0);
        g_assert_cmpuint(g->opens, ==, 8);
    }
}

static void test_extents_are_forgotten(void)
{
    g_autoptr(Gate) g = begin();

    add_extents(g);
    for (unsigned last = 0; last < 4; last++) {
        find_extents(g, VEU_ACCESS_READ, last * PAGE);
        find_extents(g, VEU_ACCESS_WRITE, last * PAGE);
        /* the one that was found last differs */
        find(g, g->extent[last].iova, VEU_ACCESS_READ);
        find(g, g->extent[last].iova, VEU_ACCESS_WRITE);
        veu_mem_forget(&g->mem);
        for (unsigned i = 0; i < g->count; i++) {
            g->extent[i].host += PAGE;
        }
        g_assert_true(find(g, g->extent[last].iova, VEU_ACCESS_READ) ==
                      g->extent[last].host);
        g_assert_true(find(g, g->extent[last].iova, VEU_ACCESS_WRITE) ==
                      g->extent[last].host);
    }
}

/* A host may have changed *extent where it returns false. */
static void test_what_was_not_opened_is_not_used(void)
{
    g_autoptr(Gate) g = begin();

    add(g, SMALL_AT, PAGE, 0);
    g->unwritable[0] = true;
    g_assert_nonnull(find(g, SMALL_AT, VEU_ACCESS_READ));
    g_assert_null(find(g, SMALL_AT, VEU_ACCESS_WRITE));
    g_assert_null(find(g, SMALL_AT, VEU_ACCESS_WRITE));
    g_assert_null(find(g, OTHER_AT, VEU_ACCESS_READ));
    g_assert_true(find(g, SMALL_AT, VEU_ACCESS_READ) == host_at(0));
}

static void test_all_bytes_are_in_one_extent(void)
{
    g_autoptr(Gate) g = begin();
    uint64_t end = SMALL_AT + PAGE;

    add(g, SMALL_AT, PAGE, 0);
    add(g, end, PAGE, PAGE);
    g_assert_nonnull(find(g, end - 4, VEU_ACCESS_READ));
    for (unsigned n = 1; n < 4; n++) {
        g_assert_null(find(g, end - n, VEU_ACCESS_READ));
        g_assert_null(veu_mem_at(&g->mem, end - n, 4, VEU_ACCESS_READ));
        g_assert_null(veu_mem_at(&g->mem, end - n, 4, VEU_ACCESS_WRITE));
    }
    /* not 4 bytes */
    g_assert_null(veu_mem_find(&g->mem, SMALL_AT, (UINT64_C(1) << 32) + 4,
                               VEU_ACCESS_READ));
}

/* Reads and writes of 4 GiB and more are not cut to 32 bits. */
static void test_more_than_4_gib(void)
{
    g_autoptr(Gate) g = begin();
    uint64_t failed = 0;

    add(g, LARGE_AT, UINT64_C(1) << 40, 0);
    g_assert_false(
        veu_mem_read(&g->mem, LARGE_AT, NULL, UINT64_C(1) << 32, &failed));
    g_assert_cmphex(failed, ==, LARGE_AT);
    failed = 0;
    g_assert_false(
        veu_mem_write(&g->mem, LARGE_AT + 8, NULL, UINT64_C(1) << 32, &failed));
    g_assert_cmphex(failed, ==, LARGE_AT + 8);
}

/* Nothing is asked for, so that nothing is missed. */
static void test_no_bytes(void)
{
    g_autoptr(Gate) g = begin();
    uint64_t failed = 7;

    g_assert_true(veu_mem_read(&g->mem, SMALL_AT, NULL, 0, &failed));
    g_assert_true(veu_mem_write(&g->mem, SMALL_AT, NULL, 0, &failed));
    g_assert_cmpuint(g->opens + g->maps, ==, 0);
    g_assert_cmpuint(failed, ==, 7);
}

/* A word that is read and written takes memory that may be read. */
static void test_words_that_are_read_and_written(void)
{
    g_autoptr(Gate) g = begin();

    add(g, SMALL_AT, PAGE, 0)->write_only = true;
    add(g, OTHER_AT, PAGE, PAGE);
    for (unsigned n = 0; n < 2; n++) {
        g_assert_null(veu_mem_at_both(&g->mem, SMALL_AT, 4));
        g_assert_true(veu_mem_at(&g->mem, SMALL_AT, 4, VEU_ACCESS_WRITE) ==
                      host_at(0));
        g_assert_null(veu_mem_at_both(&g->mem, SMALL_AT, 4));
        g_assert_true(veu_mem_at_both(&g->mem, OTHER_AT, 4) == host_at(PAGE));
    }
}

/* Page tables record accesses, but a buffer may not be accessed. */
static void test_a_buffer_is_probed(void)
{
    g_autoptr(Gate) g = begin();

    add(g, SMALL_AT, PAGE, 0);
    add(g, OTHER_AT, PAGE, PAGE);
    g_assert_nonnull(
        veu_mem_find_buffer(&g->mem, SMALL_AT, 8, VEU_ACCESS_READ));
    g_assert_true(g->probed);
    g_assert_false(g->mem.probes);
    g_assert_nonnull(veu_mem_find(&g->mem, OTHER_AT, 8, VEU_ACCESS_READ));
    g_assert_false(g->probed);
}

/* ---- dirty pages and blocks ---- */

/* Pages [@first, @end) are dirty, and no others. */
static void assert_noted(const Gate *g, unsigned first, unsigned end)
{
    for (unsigned i = 0; i <= PAGES; i++) {
        g_assert_cmpuint(g->noted[i], ==, i >= first && i < end);
    }
}

static void assert_listed(const Gate *g, unsigned first, unsigned end)
{
    for (unsigned i = 0; i <= BLOCKS; i++) {
        g_assert_cmpuint(g->listed[i], ==, i >= first && i < end);
    }
}

static void test_what_is_written_becomes_dirty(void)
{
    g_autoptr(Gate) g = begin();

    add(g, LARGE_AT, 2 * LARGE, 0);
    g_assert_nonnull(veu_mem_at(&g->mem, LARGE_AT, 4, VEU_ACCESS_READ));
    assert_noted(g, 0, 0);
    for (unsigned n = 0; n < 2; n++) { /* found, and found last */
        memset(g->noted, 0, sizeof(g->noted));
        memset(g->listed, 0, sizeof(g->listed));
        g_assert_nonnull(
            veu_mem_at(&g->mem, LARGE_AT + BLOCK - 1, 2, VEU_ACCESS_WRITE));
        assert_noted(g, VEU_NOTE_PAGES - 1, VEU_NOTE_PAGES + 1);
        assert_listed(g, 0, 2);
        g_assert_nonnull(veu_mem_at_both(&g->mem, LARGE_AT + BLOCK - 2, 2));
        assert_noted(g, VEU_NOTE_PAGES - 1, VEU_NOTE_PAGES + 1);
    }
    g_assert_nonnull(veu_mem_at_both(&g->mem, LARGE_AT + BLOCK + PAGE - 4, 4));
    assert_noted(g, VEU_NOTE_PAGES - 1, VEU_NOTE_PAGES + 1);
    g_assert_nonnull(veu_mem_at_both(&g->mem, LARGE_AT + BLOCK + PAGE, 4));
    assert_noted(g, VEU_NOTE_PAGES - 1, VEU_NOTE_PAGES + 2);
}

/* The first and the last block of a range are listed, but not the second. */
static void test_blocks_between_listed_ones(void)
{
    g_autoptr(Gate) g = begin();
    const VeuExtent *e = add(g, LARGE_AT, 2 * LARGE, 0);

    g->listed[1] = g->listed[3] = 1;
    veu_mem_list(&g->mem, e, host_at(2 * BLOCK - 1), BLOCK + 2);
    assert_listed(g, 1, 4);
    g_assert_cmpuint(g->notes, ==, 1);
    veu_mem_list(&g->mem, e, host_at(4 * BLOCK - 1), 2);
    assert_listed(g, 1, 5);
    veu_mem_list(&g->mem, e, host_at(BLOCK - 1), 2);
    assert_listed(g, 0, 5);
    g_assert_cmpuint(g->notes, ==, 3);
}

/* The blocks of the range that was listed last need not be looked at. */
static void test_ranges_that_are_listed(void)
{
    g_autoptr(Gate) g = begin();
    const VeuExtent *e = add(g, LARGE_AT, 2 * LARGE, 0);

    veu_mem_list_all(&g->mem, e, host_at(3 * BLOCK + 5), 2 * BLOCK);
    assert_listed(g, 3, 6);
    veu_mem_list_all(&g->mem, e, host_at(6 * BLOCK - 1), 1);
    g_assert_cmpuint(g->notes, ==, 3);
    veu_mem_list_all(&g->mem, e, host_at(6 * BLOCK - 1), 2);
    assert_listed(g, 3, 7);
    veu_mem_list_all(&g->mem, e, host_at(7 * BLOCK), 1);
    assert_listed(g, 3, 8);
    veu_mem_list_all(&g->mem, e, host_at(3 * BLOCK - 1), 1);
    assert_listed(g, 2, 8);
    veu_mem_list_all(&g->mem, e, host_at(0), BLOCK);
    g_assert_cmpuint(g->listed[0], ==, 1);
    veu_mem_list_all(&g->mem, e, host_at(0), 2 * BLOCK);
    assert_listed(g, 0, 8);
}

static void test_listed_ranges_are_forgotten(void)
{
    g_autoptr(Gate) g = begin();
    const VeuExtent *e = add(g, LARGE_AT, 2 * LARGE, 0);
    uint8_t others[BLOCKS] = { 0 };
    VeuExtent other = *e;

    other.listed = (uintptr_t)others - HOST_BLOCK;
    veu_mem_list_all(&g->mem, e, host_at(0), BLOCK);
    veu_mem_list_all(&g->mem, &other, host_at(0), BLOCK);
    g_assert_cmpuint(g->notes, ==, 2);
    veu_mem_list_all(&g->mem, e, host_at(0), BLOCK);
    memset(g->listed, 0, sizeof(g->listed));
    veu_mem_forget(&g->mem);
    veu_mem_list_all(&g->mem, e, host_at(0), BLOCK);
    assert_listed(g, 0, 1);
}

static void set_noted(Gate *g, unsigned first, unsigned end)
{
    memset(g->noted + first, 1, end - first);
}

static bool look(Gate *g, unsigned first, unsigned end)
{
    return veu_mem_look_noted(&g->mem, &g->extent[0], host_at(first * PAGE),
                              (end - first) * PAGE);
}

static bool knows(const Gate *g, unsigned first, unsigned end)
{
    return veu_mem_knows_noted(&g->mem, &g->extent[0],
                               host_at(first * PAGE + PAGE - 1),
                               (end - first - 1) * PAGE + 1);
}

/* One page that is not dirty, at any place. */
static void test_a_range_is_dirty_as_a_whole(void)
{
    g_autoptr(Gate) g = begin();

    add(g, LARGE_AT, 2 * LARGE, 0);
    for (unsigned pages = 1; pages < 20; pages++) {
        set_noted(g, 100, 100 + pages);
        g_assert_true(look(g, 100, 100 + pages));
        for (unsigned i = 100; i < 100 + pages; i++) {
            g->noted[i] = 0;
            g_assert_false(look(g, 100, 100 + pages));
            g->noted[i] = 1;
        }
    }
}

/* To the last byte of its last page. */
static void test_pages_that_are_known_to_be_dirty(void)
{
    g_autoptr(Gate) g = begin();
    VeuExtent other;

    add(g, LARGE_AT, 2 * LARGE, 0);
    set_noted(g, 10, 20);
    g_assert_true(look(g, 10, 15));
    g_assert_true(knows(g, 10, 15));
    g_assert_false(knows(g, 9, 15));
    g_assert_false(knows(g, 9, 10));
    g_assert_false(knows(g, 14, 16));
    g_assert_false(knows(g, 15, 16));
    other = g->extent[0];
    other.noted++;
    g_assert_false(
        veu_mem_knows_noted(&g->mem, &other, host_at(10 * PAGE), PAGE));
    veu_mem_forget(&g->mem);
    g_assert_false(knows(g, 10, 15));
}

/* [10, 15) becomes larger by ranges that touch it, and only by those. */
static void test_ranges_of_dirty_pages_are_merged(void)
{
    static const struct {
        unsigned first, end;
        unsigned known_first, known_end;
    } next[] = {
        { 15, 18, 10, 18 }, { 16, 18, 16, 18 }, { 7, 10, 7, 15 },
        { 6, 9, 6, 9 },     { 12, 16, 10, 16 }, { 8, 20, 8, 20 },
        { 11, 12, 10, 15 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(next); i++) {
        g_autoptr(Gate) g = begin();

        add(g, LARGE_AT, 2 * LARGE, 0);
        set_noted(g, next[i].first, next[i].end);
        set_noted(g, 10, 15);
        g_assert_true(look(g, 10, 15));
        g_assert_true(look(g, next[i].first, next[i].end));
        g_assert_true(knows(g, next[i].known_first, next[i].known_end));
        g_assert_false(knows(g, next[i].known_first - 1, next[i].known_end));
        g_assert_false(knows(g, next[i].known_first, next[i].known_end + 1));
    }
}

/* Those of an extent with other dirty bytes are not. */
static void test_ranges_of_two_extents(void)
{
    g_autoptr(Gate) g = begin();

    add(g, LARGE_AT, 2 * LARGE, 0);
    set_noted(g, 10, 21);
    g_assert_true(look(g, 10, 15));
    g->extent[0].noted++;
    g_assert_true(look(g, 15, 20));
    g_assert_true(knows(g, 15, 20));
    g_assert_false(knows(g, 14, 20));
}

/* After a scan without success, the next 16 are skipped. */
static void test_scans_are_skipped(void)
{
    g_autoptr(Gate) g = begin();
    const VeuExtent *e = add(g, LARGE_AT, 2 * LARGE, 0);

    g_assert_false(veu_mem_is_noted(&g->mem, e, host_at(0), PAGE));
    set_noted(g, 0, 1);
    for (unsigned n = 0; n < 16; n++) {
        g_assert_false(veu_mem_is_noted(&g->mem, e, host_at(0), PAGE));
    }
    g_assert_true(veu_mem_is_noted(&g->mem, e, host_at(0), PAGE));
    g_assert_true(veu_mem_is_noted(&g->mem, e, host_at(0), PAGE));
}

/* ---- pages that are written ---- */

static void set_written(Gate *g, unsigned first, unsigned end)
{
    VeuExtent e = g->extent[0];

    e.host = host_at(first * PAGE);
    e.bytes = (end - first) * PAGE;
    veu_mem_set_written(&g->mem, &e);
}

static void assert_written(const Gate *g, unsigned first, unsigned end)
{
    g_assert_true(g->mem.written.host == host_at(first * PAGE));
    g_assert_cmphex(g->mem.written.bytes, ==, (end - first) * PAGE);
}

static void test_written_memory_is_merged(void)
{
    g_autoptr(Gate) g = begin();

    add(g, LARGE_AT, 2 * LARGE, 0);
    set_written(g, 10, 15);
    assert_written(g, 10, 15);
    set_written(g, 15, 16); /* next to it, above and below */
    assert_written(g, 10, 16);
    set_written(g, 8, 10);
    assert_written(g, 8, 16);
    set_written(g, 9, 12); /* in it */
    assert_written(g, 8, 16);
    set_written(g, 17, 18); /* apart */
    assert_written(g, 17, 18);
    set_written(g, 10, 16);
    assert_written(g, 10, 16);
    g->extent[0].noted++;
    set_written(g, 16, 17);
    assert_written(g, 16, 17);
    g->extent[0].listed++;
    set_written(g, 17, 18);
    assert_written(g, 17, 18);
    veu_mem_forget(&g->mem);
    g_assert_cmphex(g->mem.written.bytes, ==, 0);
}

/* ---- pages of a context of page tables ---- */

static void make_paged(Gate *g)
{
    g->mem.host_pages = g_new0(VeuHostPages, 1);
}

/* The permissions, and the part of a large page, that an access leaves. */
static uint64_t kept_bits(unsigned page_bits, uint64_t bytes, bool write_only,
                          enum veu_access access)
{
    g_autoptr(Gate) g = begin();
    VeuExtent *e = add(g, LARGE_AT, bytes, 0);
    uint64_t word;

    e->page_bits = page_bits;
    e->write_only = write_only;
    make_paged(g);
    g_assert_nonnull(veu_mem_look(&g->mem, LARGE_AT + PAGE - 8, 4, access));
    word = veu_host_page_find(g->mem.host_pages, LARGE_AT, 1, 0);
    return word &
           (VEU_HOST_PAGE_READ | VEU_HOST_PAGE_WRITE | VEU_HOST_PAGE_PART);
}

static void test_pages_that_are_kept(void)
{
    const uint64_t r = VEU_HOST_PAGE_READ, w = VEU_HOST_PAGE_WRITE;

    g_assert_cmphex(kept_bits(12, PAGE, false, VEU_ACCESS_READ), ==, r);
    g_assert_cmphex(kept_bits(12, PAGE, false, VEU_ACCESS_WRITE), ==, r | w);
    g_assert_cmphex(kept_bits(12, PAGE, true, VEU_ACCESS_WRITE), ==, w);
    g_assert_cmphex(kept_bits(21, LARGE, false, VEU_ACCESS_READ), ==,
                    r | VEU_HOST_PAGE_PART);
    /* a page of another size, none, and one that ends with the memory */
    g_assert_cmphex(kept_bits(30, LARGE, false, VEU_ACCESS_READ), ==, 0);
    g_assert_cmphex(kept_bits(0, LARGE, false, VEU_ACCESS_READ), ==, 0);
    g_assert_cmphex(kept_bits(12, PAGE - 1, false, VEU_ACCESS_READ), ==, 0);
}

/* The bytes that make a page dirty are known only of what was written. */
static void test_a_page_is_written_where_its_dirty_byte_is_known(void)
{
    g_autoptr(Gate) g = begin();

    add(g, SMALL_AT, PAGE, 5 * PAGE)->page_bits = VEU_PAGE_BITS;
    add(g, OTHER_AT, PAGE, 9 * PAGE)->page_bits = VEU_PAGE_BITS;
    make_paged(g);
    find(g, SMALL_AT, VEU_ACCESS_WRITE);
    find(g, OTHER_AT, VEU_ACCESS_WRITE);
    veu_mem_forget(&g->mem);
    g->opens = 0;
    veu_mem_look_at(&g->mem, SMALL_AT, 4, VEU_HOST_PAGE_READ);
    g_assert_cmpuint(g->opens, ==, 0);
    veu_mem_look_at(&g->mem, SMALL_AT, 4, VEU_HOST_PAGE_WRITE);
    g_assert_cmpuint(g->opens, ==, 1);
    set_written(g, 8, 10);
    g_assert_true(
        veu_mem_look_at(&g->mem, OTHER_AT + 4, 4, VEU_HOST_PAGE_WRITE) ==
        host_at(9 * PAGE + 4));
    g_assert_cmpuint(g->opens, ==, 1);
    g_assert_cmpuint(g->noted[9], ==, 1);
    g_assert_cmpuint(g->noted[8], ==, 0);
    g->mem.written.bytes = 2 * PAGE - 1; /* it may end in a page */
    veu_mem_look_at(&g->mem, OTHER_AT + PAGE - 4, 4, VEU_HOST_PAGE_WRITE);
    g_assert_cmpuint(g->opens, ==, 2);
}

/* ---- misses ---- */

#define READ  VEU_ACCESS_READ
#define WRITE VEU_ACCESS_WRITE

static void test_the_newest_reason_counts(void)
{
    g_autoptr(Gate) g = begin();

    g_assert_cmpuint(veu_mem_why(&g->mem, 0), ==, 0);
    veu_mem_miss(&g->mem, 5 * PAGE + 7, READ, 1, false);
    veu_mem_miss(&g->mem, 6 * PAGE, READ, 2, false);
    g_assert_cmpuint(veu_mem_why(&g->mem, 5 * PAGE), ==, 1);
    g_assert_cmpuint(veu_mem_why(&g->mem, 6 * PAGE - 1), ==, 1);
    g_assert_cmpuint(veu_mem_why(&g->mem, 6 * PAGE), ==, 2);
    g_assert_cmpuint(veu_mem_why(&g->mem, 7 * PAGE), ==, 0);
    veu_mem_miss(&g->mem, 5 * PAGE, READ, 3, false);
    g_assert_cmpuint(veu_mem_why(&g->mem, 5 * PAGE), ==, 3);
    g_assert_cmpuint(g->mem.miss_count, ==, 2);
    /* another access is another miss, and newer */
    veu_mem_miss(&g->mem, 5 * PAGE, WRITE, 4, false);
    g_assert_cmpuint(g->mem.miss_count, ==, 3);
    g_assert_cmpuint(veu_mem_why(&g->mem, 5 * PAGE), ==, 4);
    g_assert_cmpuint(g->mem.miss[0].detail, ==, 3);
    veu_mem_forget(&g->mem);
    g_assert_cmpuint(veu_mem_why(&g->mem, 5 * PAGE), ==, 0);
}

/* The newest miss replaces the last one. */
static void test_a_full_list_of_misses(void)
{
    g_autoptr(Gate) g = begin();

    for (unsigned i = 0; i < VEU_MEM_MISSES; i++) {
        veu_mem_miss(&g->mem, i * PAGE, READ, 1 + i, false);
    }
    g_assert_cmpuint(g->mem.miss_count, ==, VEU_MEM_MISSES);
    g_assert_cmpuint(veu_mem_why(&g->mem, (VEU_MEM_MISSES - 1) * PAGE), ==,
                     VEU_MEM_MISSES);
    veu_mem_miss(&g->mem, 100 * PAGE, READ, 1000, false);
    g_assert_cmpuint(g->mem.miss_count, ==, VEU_MEM_MISSES);
    g_assert_cmpuint(veu_mem_why(&g->mem, 100 * PAGE), ==, 1000);
    g_assert_cmpuint(veu_mem_why(&g->mem, (VEU_MEM_MISSES - 1) * PAGE), ==, 0);
    g_assert_cmpuint(veu_mem_why(&g->mem, (VEU_MEM_MISSES - 2) * PAGE), ==,
                     VEU_MEM_MISSES - 1);
}

/* Work waits for a page only if the context asks, and the page may come. */
static void test_what_work_waits_for(void)
{
    g_autoptr(Gate) g = begin();

    veu_mem_miss(&g->mem, 0, READ, 1, false);
    veu_mem_miss(&g->mem, PAGE, READ, 1, true);
    g_assert_false(veu_mem_must_wait(&g->mem));
    g->mem.asks = true;
    g_assert_true(veu_mem_must_wait(&g->mem));
    veu_mem_miss(&g->mem, PAGE, READ, 1, false);
    g_assert_false(veu_mem_must_wait(&g->mem));
    veu_mem_miss(&g->mem, 2 * PAGE, READ, 1, true);
    veu_mem_forget_misses(&g->mem);
    g_assert_false(veu_mem_must_wait(&g->mem));
}

/* Each page of a range is asked for once, also past the end of addresses. */
static void test_pages_that_are_probed(void)
{
    g_autoptr(Gate) g = begin();

    veu_mem_probe(&g->mem, 3 * PAGE, PAGE, READ);
    g_assert_cmpuint(g->maps, ==, 0);
    g->mem.asks = true;
    veu_mem_probe(&g->mem, 3 * PAGE + 9, 2 * PAGE, READ);
    g_assert_cmpuint(g->maps, ==, 3);
    g_assert_true(g->probed);
    g_assert_false(g->mem.probes);
    g_assert_cmphex(g->mapped[0], ==, 3 * PAGE + 9);
    g_assert_cmphex(g->mapped[1], ==, 4 * PAGE);
    g_assert_cmphex(g->mapped[2], ==, 5 * PAGE);
    veu_mem_probe(&g->mem, -(uint64_t)8, 16, READ);
    g_assert_cmpuint(g->maps, ==, 5);
    g_assert_cmphex(g->mapped[4], ==, 0);
    g->maps = 0;
    veu_mem_probe(&g->mem, 0, UINT64_MAX, READ);
    g_assert_cmpuint(g->maps, ==, VEU_MEM_MISSES);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/extents/" #name, test_##name)
    RULE(an_extent_has_its_bytes_only);
    RULE(extents_are_opened_once);
    RULE(extents_are_forgotten);
    RULE(what_was_not_opened_is_not_used);
    RULE(all_bytes_are_in_one_extent);
    RULE(more_than_4_gib);
    RULE(no_bytes);
    RULE(words_that_are_read_and_written);
    RULE(a_buffer_is_probed);
    RULE(what_is_written_becomes_dirty);
    RULE(blocks_between_listed_ones);
    RULE(ranges_that_are_listed);
    RULE(listed_ranges_are_forgotten);
    RULE(a_range_is_dirty_as_a_whole);
    RULE(pages_that_are_known_to_be_dirty);
    RULE(ranges_of_dirty_pages_are_merged);
    RULE(ranges_of_two_extents);
    RULE(scans_are_skipped);
    RULE(written_memory_is_merged);
    RULE(pages_that_are_kept);
    RULE(a_page_is_written_where_its_dirty_byte_is_known);
    RULE(the_newest_reason_counts);
    RULE(a_full_list_of_misses);
    RULE(what_work_waits_for);
    RULE(pages_that_are_probed);
#undef RULE
    return g_test_run();
}
