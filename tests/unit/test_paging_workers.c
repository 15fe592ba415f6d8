/*
 * veu unit tests: a dispatch that pages on demand, on several workers, with the
 * same result in memory as on one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "requests.h"
#include "tests/lib/helpers.h"

#define GROUPS  37
#define THREADS 3
#define LANES   8
#define STRIDE  128 /* of a payload: a header and two variables */

static void put_payloads(Dev *d)
{
    for (unsigned t = 0; t < GROUPS * THREADS; t++) {
        uint64_t at = DEV_PAYLOAD + t * STRIDE;

        test_memory_put32(&d->host.memory, at, 0xff);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t place = lane ? 4 + (t * LANES + lane) * 16 : 0;

            test_memory_put32(&d->host.memory, at + 64 + lane * 4, place);
            test_memory_put32(&d->host.memory, at + 96 + lane * 4, t + lane);
        }
    }
}

/*
 * Each EU thread adds to words of its own on all pages, and to a common word.
 */
static struct veu_command_dispatch make_work(Dev *d)
{
    TestProgram *p = &d->program;
    uint32_t places = test_program_variable(p, 0, LANES, VEU_TYPE_UD);
    uint32_t data = test_program_variable(p, 32, LANES, VEU_TYPE_UD);
    TestMessage add = { .kind = TEST_DWORD_ATOMIC,
                        .exec = TEST_LANES_8,
                        .op = TEST_ADD,
                        .surface = 5,
                        .address = { places, 0 },
                        .src0 = { data, 0 },
                        .data = { data, 0 } };
    struct veu_command_dispatch c;

    test_program_add(p, &add);
    c = dev_dispatch(d);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.payload_address = VA(DEV_PAYLOAD);
    c.launch.payload_bytes = STRIDE;
    c.launch.payload_stride = STRIDE;
    c.launch.result_address = VA(DEV_RESULT);
    c.launch.result_offset = 36;
    c.launch.result_bytes = 28;
    c.launch.result_stride = 32;
    c.launch.stateless_base = VA(DEV_DATA);
    c.launch.stateless_bytes = 16384;
    c.launch.threads = THREADS;
    c.launch.groups = GROUPS;
    put_payloads(d);
    return c;
}

/* RAM whose addresses are the virtual ones: nothing may come to it. */
static void assert_untouched(Dev *d)
{
    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, VA(a)), ==, 0);
    }
}

/* No page is mapped before it is requested. */
static Dev *run(unsigned helper_count)
{
    g_autofree Helpers *helpers = g_new0(Helpers, 1);
    TestTables t;
    Dev *d = make_asking(&t);
    struct veu_command_dispatch work = make_work(d);

    test_memory_add(&d->host.memory, VA(DEV_RAM), DEV_RAM_BYTES, true);
    if (helper_count) {
        helpers_add(d, helpers, helper_count, true);
    }
    for (uint64_t a = DEV_SURFACES; a < DEV_RAM + DEV_RAM_BYTES; a += 4096) {
        unmap(&t, VA(a));
    }
    dev_enable(d);
    DEV_PUSH(d, work);
    for (unsigned i = 0; i < 3000 && DEV_SHARED_WORD(d, head) != d->tail; i++) {
        dev_step(d, 60);
        serve(d, &t);
    }
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, d->tail);
    g_assert_cmpuint(queue_tail(d), >, 8);
    dev_assert_no_fault(d);
    d->host.host.helper_count = 0;
    assert_untouched(d);
    return d;
}

static void test_one_and_16_workers_give_the_same_memory(void)
{
    static const unsigned counts[] = { 1, 7, 15 };
    g_autoptr(Dev) one = run(0);

    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(Dev) many = run(counts[i]);

        for (uint64_t at = DEV_RESULT; at < DEV_DATA + 16384; at += 4) {
            g_assert_cmphex(test_memory_get32(&many->host.memory, at), ==,
                            test_memory_get32(&one->host.memory, at));
        }
    }
}

/* Compares with the result of a plain loop. */
static void test_the_memory_is_right(void)
{
    g_autoptr(Dev) d = run(15);
    uint32_t common = 0;

    for (unsigned t = 0; t < GROUPS * THREADS; t++) {
        common += t;
        for (unsigned lane = 1; lane < LANES; lane++) {
            uint64_t at = DEV_DATA + 4 + (t * LANES + lane) * 16;

            g_assert_cmpuint(test_memory_get32(&d->host.memory, at), ==,
                             t + lane);
        }
    }
    g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA), ==, common);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/paging_workers/" #name, test_##name)
    TEST(one_and_16_workers_give_the_same_memory);
    TEST(the_memory_is_right);
#undef TEST
    return g_test_run();
}
