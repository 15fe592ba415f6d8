/*
 * veu unit tests: the EU threads of a KERNEL request pages (docs/spec.md,
 * "Requests", "Groups in flight").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "open_requests.h"
#include "requests.h"
#include "hw/veu/device/model.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

/* A message that stores zeros to byte @offset of stateless memory. */
static TestMessage store_zeros(uint32_t zero, uint32_t offset)
{
    return (TestMessage){ .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_8,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(offset),
                          .address = { zero, 0 },
                          .data = { zero, 0 } };
}

static void push_one_thread(Dev *d, const Code *code)
{
    struct veu_command_kernel c = kernel_command(d, code,
                                                 (uint32_t[]){ 1, 1, 1 });

    use_virtual_addresses(&c);
    c.threads = 1;
    dev_enable(d);
    DEV_PUSH(d, c);
}

/* A driver that refuses is not asked again for the same piece. */
static void test_a_refused_message_of_a_kernel(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    Code code = kernel_items();

    unmap(&t, VA(DEV_DATA));
    push_one_thread(d, &code);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    set_head(d, 1);
    respond(d, record(d, 0).id, VEU_RESPONSE_REFUSED);
    dev_run(d);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NOT_VALID | 1 << 8);
}

/* The ids of EU thread 0 end a page; the next page is elsewhere. */
static void test_local_ids_may_be_in_several_extents(void)
{
    enum {
        BYTES = KERNEL_THREADS * KERNEL_IDS_BYTES
    };
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });
    uint8_t ids[BYTES];

    d->host.host.events = 0;
    test_memory_get(&d->host.memory, KERNEL_IDS, ids, BYTES);
    test_memory_put(&d->host.memory, KERNEL_IDS + 4096 - KERNEL_IDS_BYTES, ids,
                    KERNEL_IDS_BYTES);
    test_memory_put(&d->host.memory, SPARE_PAGE, ids + KERNEL_IDS_BYTES,
                    BYTES - KERNEL_IDS_BYTES);
    use_virtual_addresses(&c);
    c.local_id_address += 4096 - KERNEL_IDS_BYTES;
    test_tables_map(&t, VA(KERNEL_IDS) + 4096, SPARE_PAGE, ALL);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run_by(d, LONG_STEP);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < KERNEL_ITEMS; n++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory,
                                          DEV_DATA + n * sizeof(KernelItem) +
                                              offsetof(KernelItem, marker)),
                        ==, KERNEL_MARKER);
    }
}

/* A page is not requested because an instruction faults after its message. */
static void test_a_fault_of_an_instruction_requests_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    Code code = { 0 };
    uint32_t zero = code_variable(&code, 128, 8, VEU_TYPE_UD);
    uint32_t nowhere = code_variable(&code, 160, 1, VEU_TYPE_UQ);
    TestMessage m = store_zeros(zero, 4096);

    code_add_message(&code, &m);
    CODE_ADD(&code, "ifcall", size_m1(8), 0, 0, op_scalar(nowhere));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    d->host.host.events = 0;
    unmap(&t, VA(DEV_DATA));
    push_one_thread(d, &code);
    dev_run_by(d, LONG_STEP);
    g_assert_cmpuint(queue_tail(d), ==, 0);
    g_assert_cmpuint(dev_record(d, 0).code, ==, VEU_FAULT_CALL);
}

/* A KERNEL's EU thread stores to two pages. */
static void test_each_piece_of_a_kernel_counts_its_requests(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    Code code = { 0 };
    uint32_t zero = code_variable(&code, 128, 8, VEU_TYPE_UD);
    TestMessage m = store_zeros(zero, 0);

    code_add_message(&code, &m);
    m.offset = test_immediate(4096);
    code_add_message(&code, &m);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    unmap(&t, VA(DEV_DATA));
    unmap(&t, VA(DEV_DATA) + 4096);
    push_one_thread(d, &code);
    check_asked(d, &t);
}

#define GRID_GROUPS 12

/* A ring with a KERNEL in a context in which no page is mapped. */
static Dev *make_asking_kernel(TestTables *t, const Code *code)
{
    Dev *d = make_asking(t);
    struct veu_command_kernel c = kernel_command(d, code,
                                                 (uint32_t[]){ 3, 2, 2 });

    unmap_all(t);
    use_virtual_addresses(&c);
    c.slm_bytes = 4 * KERNEL_ITEMS;
    c.groups_in_flight = 5;
    dev_enable(d);
    DEV_PUSH(d, c);
    return d;
}

/* Returns the device to which @d has moved. */
static Dev *move(Dev *d, TestTables *t)
{
    Dev *to = dev_destination(d);

    state_move(d->device, to->device);
    dev_free(d);
    t->memory = &to->host.memory;
    return to;
}

/* The ring moves to another device at each @moves-th step. */
static void check_kernel(unsigned moves)
{
    TestTables t;
    Code code = kernel_sums(2);
    Dev *d = make_asking_kernel(&t, &code);

    for (unsigned i = 0; i < 3000; i++) {
        dev_step(d, 20);
        if (moves && i % moves == 0) {
            d = move(d, &t);
        }
        serve(d, &t);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 3);
    g_assert_cmpuint(queue_tail(d), >, 0);
    /* In each round, an EU thread stores and loads; then it stores a sum. */
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==,
                     GRID_GROUPS * KERNEL_THREADS * (2 * 2 + 1));
    for (unsigned n = 0; n < GRID_GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(2, n % KERNEL_ITEMS));
    }
    dev_free(d);
}

static void test_groups_of_a_kernel_wait(void)
{
    check_kernel(0);
}

static void test_groups_of_a_kernel_move(void)
{
    check_kernel(7);
}

/* Group 8, at the place of group 3, is the first whose items are in page 1. */
static void test_groups_that_wait_have_their_numbers(void)
{
    TestTables t;
    Code code = kernel_items();
    g_autoptr(Dev) d = make_asking_kernel(&t, &code);
    bool seen = false;

    for (unsigned i = 0; i < 100; i++) {
        g_autofree char *text = NULL;

        dev_run(d);
        text = told(d);
        seen |= strstr(text, " request-8:response") != NULL;
        serve(d, &t);
    }
    dev_assert_no_fault(d);
    g_assert_true(seen);
}

/* Returns the cost of a KERNEL before its last piece. */
static uint64_t kernel_cost(bool maps_all)
{
    TestTables t;
    Code code = kernel_items();
    g_autoptr(Dev) d = make_asking_kernel(&t, &code);
    const VeuCommand *c = &d->device->ring[0].command;
    uint64_t cost = 0;

    for (uint64_t a = DEV_SURFACES; maps_all && a < DEV_RAM + DEV_RAM_BYTES;
         a += 4096) {
        test_tables_map(&t, VA(a), a, ALL);
    }
    while (DEV_SHARED_WORD(d, head) != 3) {
        cost = MAX(cost, c->cost);
        dev_step(d, 1);
        serve(d, &t);
    }
    dev_assert_no_fault(d);
    g_assert_cmpint(queue_tail(d) == 0, ==, maps_all);
    return cost;
}

static void test_groups_that_wait_cost_nothing(void)
{
    g_assert_cmpuint(kernel_cost(false), ==, kernel_cost(true));
}

/* What has been requested is not requested again elsewhere. */
static void test_open_requests_of_groups_move(void)
{
    TestTables t;
    Code code = kernel_sums(2);
    Dev *d = make_asking_kernel(&t, &code);

    for (unsigned i = 0; i < 100; i++) {
        uint32_t tail;

        dev_run(d);
        tail = queue_tail(d);
        d = move(d, &t);
        dev_run(d);
        g_assert_cmpuint(queue_tail(d), ==, tail);
        serve(d, &t);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 3);
    dev_free(d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/request_kernels/" #name, test_##name)
    TEST(a_refused_message_of_a_kernel);
    TEST(local_ids_may_be_in_several_extents);
    TEST(a_fault_of_an_instruction_requests_nothing);
    TEST(each_piece_of_a_kernel_counts_its_requests);
    TEST(groups_of_a_kernel_wait);
    TEST(groups_of_a_kernel_move);
    TEST(groups_that_wait_have_their_numbers);
    TEST(groups_that_wait_cost_nothing);
    TEST(open_requests_of_groups_move);
#undef TEST
    return g_test_run();
}
