/*
 * veu unit tests: registers of contexts that act when their lower halves are
 * written: docs/spec.md, sections 2.4, 3.4 and 3.5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "requests.h"

/* Redirects the page of TARGET, which the device knows, to SPARE_PAGE. */
static Dev *make_stale(TestTables *t)
{
    Dev *d = make(t);

    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    test_tables_map(t, VA(TARGET), SPARE_PAGE, ALL);
    return d;
}

/* Returns whether the page of TARGET is still used where it was. */
static bool is_stale(Dev *d)
{
    static uint64_t value = 1;

    test_memory_put64(&d->host.memory, SOURCE, ++value);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    dev_assert_no_fault(d);
    return test_memory_get64(&d->host.memory, SPARE_PAGE) != value;
}

static void test_the_upper_half_does_not_invalidate(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_stale(&t);

    g_assert_true(is_stale(d));
    context_write(d, VEU_REG_CONTEXT_INVALIDATE + 4, VA(TARGET) >> 32, 4);
    g_assert_true(is_stale(d));
    context_write(d, VEU_REG_CONTEXT_INVALIDATE, (uint32_t)VA(TARGET), 4);
    g_assert_false(is_stale(d));
    g_assert_cmphex(dev_read(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_INVALIDATE,
                             8),
                    ==, VA(TARGET) >> 32 << 32);
}

/* All six bits of the size count: 2^32 pages are not one. */
static void test_sizes_of_invalidations(void)
{
    static const unsigned sizes[] = { 16, 31, 32, 36, 63 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        TestTables t;
        g_autoptr(Dev) d = make_stale(&t);

        invalidate(d, 0, 0);
        g_assert_true(is_stale(d));
        /* the smaller ranges have the page; the larger ones are everything */
        invalidate(d, sizes[i] < 32 ? VA(TARGET) : 0, sizes[i]);
        g_assert_false(is_stale(d));
    }
}

/* An aligned range of pages, which need not begin at the address. */
static void test_a_range_that_contains_the_address(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_stale(&t);

    g_assert_cmphex(VA(TARGET) & 0x1000, ==, 0x1000);
    invalidate(d, VA(TARGET) + 0x1000, 0);
    g_assert_true(is_stale(d));
    invalidate(d, VA(TARGET) - 0x1000, 0);
    g_assert_true(is_stale(d));
    invalidate(d, VA(TARGET) - 0x1000, 1);
    g_assert_false(is_stale(d));
}

/* A response asks again: the page is not mapped. */
static void test_the_upper_half_does_not_respond(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);

    context_write(d, VEU_REG_CONTEXT_RESPONSE + 4, 0, 4);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    context_write(d, VEU_REG_CONTEXT_RESPONSE, 0, 4);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    dev_assert_no_fault(d);
}

/* The bit of the upper half applies to the next write of the lower half. */
static void test_the_upper_half_refuses(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);

    context_write(d, VEU_REG_CONTEXT_RESPONSE + 4, VEU_RESPONSE_REFUSED >> 32,
                  4);
    context_write(d, VEU_REG_CONTEXT_RESPONSE, 0, 4);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
}

static void test_the_upper_half_does_not_empty_the_queue(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_waiting_copy(&t);

    context_write(d, VEU_REG_CONTEXT_QUEUE + 4, 0, 4);
    respond(d, 0, 0);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 2);
    context_write(d, VEU_REG_CONTEXT_QUEUE, QUEUE, 4);
    respond(d, 1, 0);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/context_writes/" #name, test_##name)
    TEST(the_upper_half_does_not_invalidate);
    TEST(sizes_of_invalidations);
    TEST(a_range_that_contains_the_address);
    TEST(the_upper_half_does_not_respond);
    TEST(the_upper_half_refuses);
    TEST(the_upper_half_does_not_empty_the_queue);
#undef TEST
    return g_test_run();
}
