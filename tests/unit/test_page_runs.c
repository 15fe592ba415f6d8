/*
 * veu unit tests: runs of pages: hw/veu/eu/memory/page_run.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <glib.h>
#include "hw/veu/eu/memory/mem.h"
#include "hw/veu/eu/memory/page_run.h"

#define R       VEU_HOST_PAGE_READ
#define W       VEU_HOST_PAGE_WRITE
#define PART    VEU_HOST_PAGE_PART
#define PAGE    UINT64_C(4096)
#define ADDRESS UINT64_C(0x7e5a81234000)
/* All bytes of COUNT pages but the first 64 and the last 32. */
#define COUNT   4
#define BUFFER  (ADDRESS + 64)
#define BYTES   (COUNT * PAGE - 64 - 32)

/* An address that is never accessed. */
#define HOST(n) ((uint8_t *)(uintptr_t)(UINT64_C(0x7f0012340000) + (n)*PAGE))

static VeuHostPages pages;
static VeuPageRun run;

static void keep(unsigned n, unsigned host, uint64_t bits)
{
    veu_host_pages_keep(&pages, ADDRESS + n * PAGE, HOST(host), bits);
}

static void begin(void)
{
    memset(&pages, 0, sizeof(pages));
    memset(&run, 0, sizeof(run));
}

static void begin_adjacent(uint64_t bits)
{
    begin();
    for (unsigned n = 0; n < COUNT; n++) {
        keep(n, n, bits);
    }
}

static bool find(uint64_t needs)
{
    return veu_page_run_find(&run, &pages, BUFFER, BYTES, needs);
}

/* An attempt is due within as many requests, and other buffers give up. */
#define SOON 65

static bool find_soon(uint64_t needs)
{
    for (unsigned i = 0; i < SOON; i++) {
        if (find(needs)) {
            return true;
        }
    }
    return false;
}

static void test_adjacent_pages_are_a_run(void)
{
    begin_adjacent(R);
    g_assert_true(find(R));
    g_assert_true(veu_page_run_host(&run) == HOST(0));
    g_assert_cmpuint(veu_page_run_bytes(&run), ==, COUNT * PAGE);
}

static void test_parts_of_large_pages_are_a_run(void)
{
    begin_adjacent(R | PART);
    g_assert_true(find(R));
}

static void test_all_pages_must_be_known(void)
{
    for (unsigned n = 0; n < COUNT; n++) {
        begin_adjacent(R);
        veu_host_pages_forget(&pages, ADDRESS / PAGE + n, 1);
        g_assert_false(find_soon(R));
        keep(n, n, R);
        g_assert_true(find_soon(R));
    }
}

static void test_all_pages_must_be_adjacent(void)
{
    for (unsigned n = 0; n < COUNT; n++) {
        begin_adjacent(R);
        keep(n, n + COUNT, R);
        g_assert_false(find_soon(R));
    }
}

static void test_all_pages_must_have_the_permission(void)
{
    begin_adjacent(R);
    g_assert_false(find_soon(W));
    for (unsigned n = 0; n < COUNT; n++) {
        begin_adjacent(W);
        g_assert_true(find(W));
        g_assert_true(run.lacks_read);
        g_assert_false(find_soon(R | W));
    }
    begin_adjacent(R | W);
    g_assert_true(find(W));
    g_assert_false(run.lacks_read);
    for (unsigned n = 0; n < COUNT; n++) {
        begin();
        for (unsigned k = 0; k < COUNT; k++) {
            keep(k, k, k == n ? W : R | W);
        }
        g_assert_true(find(W));
        g_assert_true(run.lacks_read);
    }
}

/* Others may have been forgotten, too, and one may be elsewhere now. */
static void test_a_run_ends_when_a_page_is_forgotten(void)
{
    for (unsigned n = 0; n < COUNT; n++) {
        begin_adjacent(R);
        g_assert_true(find(R));
        veu_host_pages_forget(&pages, ADDRESS / PAGE + n, 1);
        g_assert_false(find_soon(R));
        keep(n, n + COUNT, R);
        g_assert_false(find_soon(R));
    }
    begin_adjacent(R);
    g_assert_true(find(R));
    veu_host_pages_forget_all(&pages);
    g_assert_false(find_soon(R));
}

/* The table may need the place of a page that has been looked at. */
static void test_a_page_is_looked_at_once(void)
{
    begin_adjacent(R);
    g_assert_true(find(R));
    memset(pages.word, 0, sizeof(pages.word));
    g_assert_true(find(R));
}

static bool find_at(uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < SOON; i++) {
        if (veu_page_run_find(&run, &pages, address, bytes, R)) {
            return true;
        }
    }
    return false;
}

static void test_another_buffer_is_another_run(void)
{
    begin_adjacent(R);
    g_assert_true(find(R));
    g_assert_false(find_at(BUFFER + PAGE, BYTES));
    g_assert_true(find_at(ADDRESS + PAGE, PAGE));
    g_assert_true(veu_page_run_host(&run) == HOST(1));
    g_assert_cmpuint(veu_page_run_bytes(&run), ==, PAGE);
    g_assert_false(find_at(ADDRESS, (COUNT + 1) * PAGE));
    g_assert_true(find_soon(R));
}

/* Each buffer would have to be looked at again for each message. */
static void test_buffers_that_take_turns_do_not_take_the_place(void)
{
    begin_adjacent(R);
    g_assert_true(find(R));
    for (unsigned i = 0; i < 1000; i++) {
        g_assert_false(veu_page_run_find(&run, &pages, ADDRESS, PAGE, R));
        g_assert_true(find(R));
    }
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 100, 1);
    g_assert_true(veu_page_run_find(&run, &pages, ADDRESS, PAGE, R));
}

static void test_another_table_has_other_runs(void)
{
    static VeuHostPages other;

    begin_adjacent(R);
    g_assert_true(find(R));
    g_assert_false(veu_page_run_find(&run, &other, BUFFER, BYTES, R));
}

/* The last byte counts. */
static void test_pages_that_a_buffer_touches(void)
{
    begin_adjacent(R);
    g_assert_true(find_at(ADDRESS + PAGE - 1, 2));
    g_assert_cmpuint(veu_page_run_bytes(&run), ==, 2 * PAGE);
    g_assert_true(find_at(ADDRESS, PAGE));
    g_assert_cmpuint(veu_page_run_bytes(&run), ==, PAGE);
    g_assert_false(find_at(ADDRESS + COUNT * PAGE - 1, 2));
}

static void test_buffers_that_have_no_run(void)
{
    begin_adjacent(R);
    g_assert_false(veu_page_run_find(&run, &pages, UINT64_MAX, 2, R));
    g_assert_false(veu_page_run_find(&run, &pages, ADDRESS, UINT64_MAX, R));
    g_assert_false(
        veu_page_run_find(&run, &pages, ADDRESS, VEU_HOST_PAGES * PAGE + 1, R));
    g_assert_cmpuint(run.known, ==, 0);
}

/*
 * A run of as many pages as the table has places for. One request looks at no
 * more than 64 pages, because it is a part of a message.
 */
static void test_the_longest_run(void)
{
    unsigned requests = 1;

    begin();
    for (unsigned n = 0; n < VEU_HOST_PAGES; n++) {
        keep(n, n, R);
    }
    while (
        !veu_page_run_find(&run, &pages, ADDRESS, VEU_HOST_PAGES * PAGE, R)) {
        g_assert_cmpuint(run.known, ==, requests * 64);
        requests++;
    }
    g_assert_cmpuint(requests, ==, VEU_HOST_PAGES / 64);
}

/* Attempts become rare unless each of them adds a page. */
static void test_attempts_become_rare(void)
{
    unsigned attempts = 0;

    begin();
    for (unsigned i = 0; i < 6400; i++) {
        g_assert_false(find(R));
        attempts += run.skip + 1 == 1u << run.tried;
    }
    g_assert_cmpuint(attempts, >=, 100);
    g_assert_cmpuint(attempts, <, 200);
    for (unsigned n = 0; n < COUNT; n++) {
        keep(n, n, R);
        g_assert_cmpint(find_soon(R), ==, n == COUNT - 1);
    }
}

/* ---- a gate ---- */

static VeuMem mem;

static void begin_gate(uint64_t bits, uint64_t written_bytes)
{
    begin_adjacent(bits);
    memset(&mem, 0, sizeof(mem));
    mem.host_pages = &pages;
    mem.written = (VeuExtent){
        .host = HOST(0), .bytes = written_bytes, .noted = 1, .listed = 2
    };
}

static const VeuExtent *look(enum veu_access access)
{
    return veu_mem_look_run(&mem, BUFFER, BYTES, access);
}

static void test_a_run_is_an_extent(void)
{
    const VeuExtent *e;

    begin_gate(R, 0);
    e = look(VEU_ACCESS_READ);
    g_assert_nonnull(e);
    g_assert_cmphex(e->iova, ==, ADDRESS);
    g_assert_cmphex(e->bytes, ==, COUNT * PAGE);
    g_assert_true(e->host == HOST(0));
    g_assert_true(e == &mem.kept[0].last);
    g_assert_null(look(VEU_ACCESS_WRITE));
}

/* Without its dirty bytes, memory is not written through an extent. */
static void test_a_run_is_written_where_dirty_bytes_are_known(void)
{
    const VeuExtent *e;

    begin_gate(R | W, COUNT * PAGE - 1);
    g_assert_null(look(VEU_ACCESS_WRITE));
    mem.written.bytes++;
    e = look(VEU_ACCESS_WRITE);
    g_assert_nonnull(e);
    g_assert_cmpuint(e->noted, ==, 1);
    g_assert_cmpuint(e->listed, ==, 2);
    g_assert_false(e->write_only);
    begin_gate(W, COUNT * PAGE);
    g_assert_true(look(VEU_ACCESS_WRITE)->write_only);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/page-runs/" #name, test_##name)
    TEST(adjacent_pages_are_a_run);
    TEST(parts_of_large_pages_are_a_run);
    TEST(all_pages_must_be_known);
    TEST(all_pages_must_be_adjacent);
    TEST(all_pages_must_have_the_permission);
    TEST(a_run_ends_when_a_page_is_forgotten);
    TEST(a_page_is_looked_at_once);
    TEST(another_buffer_is_another_run);
    TEST(buffers_that_take_turns_do_not_take_the_place);
    TEST(another_table_has_other_runs);
    TEST(pages_that_a_buffer_touches);
    TEST(buffers_that_have_no_run);
    TEST(the_longest_run);
    TEST(attempts_become_rare);
    TEST(a_run_is_an_extent);
    TEST(a_run_is_written_where_dirty_bytes_are_known);
#undef TEST
    return g_test_run();
}
