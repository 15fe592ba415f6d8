/*
 * veu unit tests: the extents, host pages and misses that a gate remembers:
 * hw/veu/eu/memory/mem.h, extent.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "extents.h"

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
        /* so that another extent is the one that was found last */
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
    /* a size that is 4 when it is cut to 32 bits */
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

/* An access of no bytes asks the host for nothing, and succeeds. */
static void test_no_bytes(void)
{
    g_autoptr(Gate) g = begin();
    uint64_t failed = 7;

    g_assert_true(veu_mem_read(&g->mem, SMALL_AT, NULL, 0, &failed));
    g_assert_true(veu_mem_write(&g->mem, SMALL_AT, NULL, 0, &failed));
    g_assert_cmpuint(g->opens + g->maps, ==, 0);
    g_assert_cmpuint(failed, ==, 7);
}

/* A word that is read and written needs memory that may be read. */
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

/* Looking up a buffer is no access that page tables record. */
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

/* The gate knows the dirty bytes only of pages that were written. */
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
    g->mem.written.bytes = 2 * PAGE -
                           1; /* written memory ends within the page */
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

/* A miss for which there is no room replaces the one before it. */
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

static bool miss_page(VeuMem *mem, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    veu_mem_miss(mem, iova, access, 1, true);
    return false;
}

static uint8_t *map_page(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    return host_at(0);
}

/* Another thread has provided the page between open() and map(). */
static void test_a_page_that_appears_is_no_miss(void)
{
    g_autoptr(Gate) g = begin();
    VeuSpan span;

    g->mem.open = miss_page;
    g->mem.asks = true;
    veu_mem_miss(&g->mem, OTHER_AT, READ, 1, false);
    g->mem.map = map_page;
    g_assert_true(veu_mem_span(&g->mem, SMALL_AT, 4, READ, &span));
    g_assert_false(veu_mem_must_wait(&g->mem));
    g_assert_cmpuint(g->mem.miss_count, ==, 1);
    g_assert_false(miss_page(&g->mem, SMALL_AT, READ, NULL));
    g_assert_true(veu_mem_must_wait(&g->mem));
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
    RULE(pages_that_are_kept);
    RULE(a_page_is_written_where_its_dirty_byte_is_known);
    RULE(the_newest_reason_counts);
    RULE(a_full_list_of_misses);
    RULE(what_work_waits_for);
    RULE(pages_that_are_probed);
    RULE(a_page_that_appears_is_no_miss);
#undef RULE
    return g_test_run();
}
