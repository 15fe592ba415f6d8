/*
 * veu unit tests: what a gate makes dirty in an extent, and what it remembers
 * of that: hw/veu/eu/memory/mem.h, extent.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "extents.h"

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

/*
 * The first and the last block of a range are listed, but not the second. Each
 * that is listed counts for the next flush.
 */
static void test_blocks_between_listed_ones(void)
{
    g_autoptr(Gate) g = begin();
    const VeuExtent *e = add(g, LARGE_AT, 2 * LARGE, 0);

    g->listed[1] = g->listed[3] = 1;
    veu_mem_list(&g->mem, e, host_at(2 * BLOCK - 1), BLOCK + 2);
    assert_listed(g, 1, 4);
    g_assert_cmpuint(g->notes, ==, 1);
    g_assert_cmpuint(g->mem.writes, ==, 1);
    veu_mem_list(&g->mem, e, host_at(4 * BLOCK - 1), 2);
    assert_listed(g, 1, 5);
    veu_mem_list(&g->mem, e, host_at(BLOCK - 1), 2);
    assert_listed(g, 0, 5);
    g_assert_cmpuint(g->notes, ==, 3);
    g_assert_cmpuint(g->mem.writes, ==, 3);
    veu_mem_forget(&g->mem);
    g_assert_cmpuint(g->mem.writes, ==, 0);
}

/* The blocks of the range that was listed last are not listed again. */
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

/* Asks about the last byte of page @first, and all pages after it to @end. */
static bool knows(const Gate *g, unsigned first, unsigned end)
{
    return veu_mem_knows_noted(&g->mem, &g->extent[0],
                               host_at(first * PAGE + PAGE - 1),
                               (end - first - 1) * PAGE + 1);
}

/* One clean page at any place makes the range clean. */
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

/* Only ranges that touch or overlap [10, 15) are merged with it. */
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

/* A range of an extent with other dirty bytes is not merged. */
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

/* After an unsuccessful scan, the next 16 are skipped. */
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/dirty_extents/" #name, test_##name)
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
#undef RULE
    return g_test_run();
}
