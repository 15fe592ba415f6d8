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

/* Both policies: there is no message that could be skipped. */
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

/* Each command has all of it. */
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

/* A unit for each KiB; the pieces that fit have been done. */
static void test_a_fill_counts_by_its_bytes(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_fill fill = {
        .header = { .opcode = 7, .slots = 1 },
        .destination = DEV_PROGRAM,
        .bytes = 200000,
    };

    set_budget(d, 100, VEU_POLICY_HALT);
    DEVS_PUSH(d, 0, fill);
    devs_settle(d);
    g_assert_cmphex(devs_record(d, 0, 0).code, ==, VEU_FAULT_BUDGET);
    g_assert_cmpuint(devs_record(d, 0, 0).bytes_done, ==, 131072);
}

/* Time is what a WAIT takes; it has a limit of its own. */
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
    RULE(a_fill_counts_by_its_bytes);
    RULE(waiting_is_no_work);
    RULE(other_rings_have_their_own);
#undef RULE
    return g_test_run();
}
