/*
 * veu unit tests: RING_BUDGET: docs/spec.md, "Budget".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/device_rings.h"

static void set_budget(Devs *d, uint32_t budget, enum veu_policy policy)
{
    devs_set(d, 0, VEU_REG_RING_CONTROL, 0);
    devs_settle(d);
    devs_set(d, 0, VEU_REG_RING_BUDGET, budget);
    devs_set(d, 0, VEU_REG_RING_POLICY, policy);
    devs_set(d, 0, VEU_REG_RING_CONTROL, 1);
    devs_settle(d);
}

static unsigned messages(Devs *d)
{
    return test_host_count_events(&d->dev->host, VEU_EVENT_MESSAGE);
}

static void test_a_runaway_halts(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_fault_record record;

    set_budget(d, 1000, VEU_POLICY_HALT);
    test_host_clear_log(&d->dev->host);
    devs_push_long(d, 0);
    devs_settle(d);
    record = devs_record(d, 0, 0);
    g_assert_cmphex(record.code, ==, VEU_FAULT_BUDGET);
    g_assert_cmphex(record.tag, ==, 0xd0);
    g_assert_cmpuint(record.message_offset, ==, VEU_FAULT_NOT_APPLICABLE);
    g_assert_cmpuint(record.group, !=, VEU_FAULT_NOT_APPLICABLE);
    g_assert_cmpuint(record.thread, !=, VEU_FAULT_NOT_APPLICABLE);
    g_assert_cmpuint(messages(d), >, 100);
    g_assert_cmpuint(messages(d), <, 1000);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_HEAD), ==, 0);
}

/* Both policies skip the command, because there is no message to skip. */
static void test_a_runaway_is_skipped(void)
{
    for (unsigned policy = 1; policy <= 2; policy++) {
        g_autoptr(Devs) d = devs_new(1);
        struct veu_command_fence fence = dev_fence(9);

        set_budget(d, 100, policy);
        devs_push_long(d, 0);
        DEVS_PUSH(d, 0, fence);
        devs_settle(d);
        g_assert_cmphex(devs_record(d, 0, 0).code, ==, VEU_FAULT_BUDGET);
        g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, head), ==, 3);
        g_assert_cmpuint(dev_fence_value(d->dev), ==, 9);
    }
}

/* Each command has the whole budget. */
static void test_short_commands_are_not_added_up(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_nop nop = dev_nop(0);

    set_budget(d, 1, VEU_POLICY_HALT);
    for (unsigned i = 0; i < 60; i++) {
        DEVS_PUSH(d, 0, nop);
    }
    devs_settle(d);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, head), ==, 60);
    g_assert_cmphex(devs_get(d, 0, VEU_REG_RING_LAST_FAULT), ==, 0);
}

/* Runs @command to its end in ring 0 of a new device with this budget. */
static Dev *run_command(const void *command, unsigned slots, uint32_t budget)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, budget);
    dev_enable(d);
    dev_push(d, command, slots);
    dev_run(d);
    return d;
}

/* @bytes is exactly as many KiB as the budget allows, or too many. */
static void check_bytes(const void *command, uint32_t bytes, uint32_t budget)
{
    g_autoptr(Dev) d = run_command(command, 1, budget);

    if (bytes <= budget * 1024) {
        dev_assert_no_fault(d);
    } else {
        dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
        g_assert_cmpuint(dev_record(d, 0).bytes_done, ==, budget * 1024);
    }
}

static void test_a_fill_costs_a_unit_for_each_kib_begun(void)
{
    static const uint32_t sizes[] = { 0,      1,      1024,
                                      1025,   102399, 102400,
                                      102401, 200000, 64 * 1024 + 100 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        struct veu_command_fill fill = {
            .header = { .opcode = 7, .slots = 1 },
            .destination = DEV_PROGRAM + 3996,
            .bytes = sizes[i],
        };

        check_bytes(&fill, sizes[i], 1);
        check_bytes(&fill, sizes[i], 65);
        check_bytes(&fill, sizes[i], 100);
    }
}

static void test_a_copy_costs_a_unit_for_each_kib_begun(void)
{
    static const uint32_t sizes[] = { 1024, 1025, 65 * 1024, 65 * 1024 + 1 };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes) * 2; i++) {
        struct veu_command_copy copy = {
            .header = { .opcode = 6, .slots = 1 },
            .source = DEV_PROGRAM + 100,
            .destination = DEV_PROGRAM +
                           (i % 2 ? 300 : 0), /* backwards, or forwards */
            .bytes = sizes[i / 2],
        };

        check_bytes(&copy, sizes[i / 2], 1);
        check_bytes(&copy, sizes[i / 2], 65);
    }
}

/* The shape of a dispatch, and what it costs. */
typedef struct Cost {
    uint32_t groups;
    uint32_t threads;
    uint32_t messages;
    uint32_t payload_bytes;
    uint32_t result_bytes;
    uint32_t cost; /* by the formula of spec.md, section 4.5 */
} Cost;

/* A dispatch of that shape, in a ring with that RING_BUDGET. */
static Dev *make_cost(const Cost *c, uint32_t budget)
{
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .surface = 0,
                      .offset = test_immediate(0) };
    Dev *d = dev_new();
    struct veu_command_dispatch dispatch;

    d->program.header.register_bytes = 8192;
    for (unsigned i = 0; i < c->messages; i++) {
        test_program_add(&d->program, &m);
    }
    dispatch = dev_dispatch(d);
    dispatch.launch.groups = c->groups;
    dispatch.launch.threads = c->threads;
    dispatch.launch.payload_bytes = c->payload_bytes;
    dispatch.launch.result_bytes = c->result_bytes;
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, budget);
    dev_enable(d);
    DEV_PUSH(d, dispatch);
    return d;
}

/* In short steps, and in one that is longer than the budget. */
static void run_cost(const Cost *c, uint32_t budget, bool fits)
{
    static const unsigned steps[] = { 7, 10000 };

    for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++) {
        g_autoptr(Dev) d = make_cost(c, budget);

        dev_run_by(d, steps[i]);
        if (fits) {
            dev_assert_no_fault(d);
        } else {
            dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
        }
    }
}

/*
 * Whatever the shape, its cost suffices as a budget, and one unit less does
 * not.
 */
static void test_a_dispatch_costs_what_the_text_says(void)
{
    static const Cost costs[] = {
        { 1, 1, 0, 0, 0, 2 },         { 1, 1, 1, 0, 0, 3 },
        { 1, 1, 300, 0, 0, 302 },     { 7, 5, 3, 0, 0, 175 },
        { 100, 1, 1, 64, 32, 300 },   { 3, 2, 1, 1023, 1023, 18 },
        { 3, 2, 1, 1024, 1023, 24 },  { 1, 1, 1, 2048, 4096, 9 },
        { 2, 2, 10, 5000, 3000, 72 }, { 1000, 1, 0, 0, 0, 2000 },
        { 1, 1, 1, 4096, 0, 7 },      { 1, 1, 1, 0, 4096, 7 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(costs); i++) {
        run_cost(&costs[i], costs[i].cost, true);
        run_cost(&costs[i], costs[i].cost - 1, false);
    }
}

/*
 * "group is the first that is not done, and thread the EU thread that it had
 * reached": DEV-4.16. Here an EU thread costs 3 units.
 */
static void test_a_record_has_the_place_of_a_dispatch(void)
{
    static const Cost shape = { 3, 2, 1, 0, 0, 18 };

    for (uint32_t budget = 1; budget < shape.cost; budget++) {
        g_autoptr(Dev) d = make_cost(&shape, budget);

        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
        g_assert_cmpuint(dev_record(d, 0).group, ==, budget / 6);
        g_assert_cmpuint(dev_record(d, 0).thread, ==, budget % 6 / 3);
    }
}

/* A WAIT takes time, which has a limit of its own, but no budget. */
static void test_waiting_is_no_work(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_wait wait = {
        .header = { .opcode = 4, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 1,
    };

    set_budget(d, 1, VEU_POLICY_HALT);
    DEVS_PUSH(d, 0, wait);
    for (unsigned i = 0; i < 100; i++) {
        veu_ring_step(d->dev->device, 0, 64);
    }
    test_memory_put64(&d->dev->host.memory, DEV_FENCE, 1);
    devs_settle(d);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 0, head), ==, 1);
}

static void test_other_rings_have_their_own(void)
{
    g_autoptr(Devs) d = devs_new(2);

    set_budget(d, 100, VEU_POLICY_HALT);
    devs_push_long(d, 0);
    devs_push_long(d, 1);
    for (unsigned i = 0; i < 100; i++) {
        devs_turn(d, 64);
    }
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmpuint(devs_get(d, 1, VEU_REG_RING_STATE), ==, VEU_RING_RUNNING);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/budget/" #name, test_##name)
    RULE(a_runaway_halts);
    RULE(a_runaway_is_skipped);
    RULE(short_commands_are_not_added_up);
    RULE(a_fill_costs_a_unit_for_each_kib_begun);
    RULE(a_copy_costs_a_unit_for_each_kib_begun);
    RULE(a_dispatch_costs_what_the_text_says);
    RULE(a_record_has_the_place_of_a_dispatch);
    RULE(waiting_is_no_work);
    RULE(other_rings_have_their_own);
#undef RULE
    return g_test_run();
}
