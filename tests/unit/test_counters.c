/*
 * veu unit tests: counters: what they count, and the snapshot.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/device_fixture.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/state_bytes.h"

static uint64_t counter(Dev *d, uint32_t reg)
{
    return dev_read(d, reg, 8);
}

static void snapshot(Dev *d)
{
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
}

/* Two EU threads, each with five lanes that read the same four bytes. */
static void run_gathers(Dev *d)
{
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    struct veu_command_dispatch dispatch;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    m.surface = 5;
    m.address.id = 32;
    m.data.id = 32;
    test_program_add(&d->program, &m);
    dispatch = dev_dispatch(d);
    dispatch.launch.threads = 2;
    dispatch.launch.stateless_base = DEV_DATA;
    dispatch.launch.stateless_bytes = 4;
    dispatch.launch.exec_mask = 0x1f;
    DEV_PUSH(d, dispatch);
    dev_run(d);
}

static void test_what_is_counted(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop bad = dev_nop(1);

    run_gathers(d);
    bad.header.opcode = 0xff;
    DEV_PUSH(d, bad);
    dev_run(d);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 2);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_MESSAGES), ==, 2);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_LANES), ==, 2 * 5);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_BYTES), ==, 2 * 5 * 4);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_FAULTS), ==, 1);
}

/* What is out of bounds is not moved. */
static void test_dropped_lanes_move_nothing(void)
{
    g_autoptr(Dev) d = dev_running();
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    struct veu_command_dispatch dispatch;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    m.surface = 5;
    m.address.id = 32;
    m.data.id = 32;
    test_program_add(&d->program, &m);
    dispatch = dev_dispatch(d);
    DEV_PUSH(d, dispatch);
    dev_run(d);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_LANES), ==, 8);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_BYTES), ==, 0);
}

static void test_registers_keep_the_snapshot(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);

    DEV_PUSH(d, nop);
    dev_run(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 0);
    snapshot(d);
    DEV_PUSH(d, nop);
    dev_run(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 1);
    g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_CONTROL, 4), ==, 0);
}

static void test_device_reset_clears_them(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);

    DEV_PUSH(d, nop);
    dev_run(d);
    snapshot(d);
    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 0);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 0);
}

/* ---- what hosts tell ---- */

static void test_hosts_count_hits_and_misses(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuHostCounts here = { 5, 3 }, there = { 20, 10 };
    VeuHost helper = { .counts = &there };
    VeuHost *const helpers[] = { &helper };

    d->host.host.counts = &here;
    d->host.host.helpers = helpers;
    d->host.host.helper_count = 1;
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_CACHE_HITS), ==, 25);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_CACHE_MISSES), ==, 13);
    here.cache_hits++;
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_CACHE_HITS), ==, 26);
    here.cache_hits++;
    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_CACHE_HITS), ==, 0);
    d->host.host.helper_count = 0;
}

static uint64_t idle_ns(Dev *d)
{
    snapshot(d);
    return counter(d, VEU_REG_COUNTER_IDLE_NS);
}

static void test_idle_from_sleep_to_step(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);
    uint64_t before;

    dev_run(d);
    before = idle_ns(d);
    d->host.now_ns += 1000;
    g_assert_cmpuint(idle_ns(d), ==, before);
    g_assert_true(veu_device_sleep(d->device));
    d->host.now_ns += 70;
    g_assert_cmpuint(idle_ns(d), ==, before + 70);
    d->host.now_ns += 7;
    DEV_PUSH(d, nop);
    dev_run(d);
    d->host.now_ns += 1000;
    g_assert_cmpuint(idle_ns(d), ==, before + 77);
}

/* Nothing is enabled, so there is nothing to do. */
static void test_idle_from_reset_on(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    d->host.now_ns += 30;
    g_assert_cmpuint(idle_ns(d), ==, 30);
}

/* A device that has work is not asleep, whatever its host asks. */
static void test_no_sleep_with_work(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);
    uint64_t before;

    dev_run(d);
    before = idle_ns(d);
    DEV_PUSH(d, nop);
    g_assert_false(veu_device_sleep(d->device));
    d->host.now_ns += 30;
    g_assert_cmpuint(idle_ns(d), ==, before);
}

static void test_they_go_on_elsewhere(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autoptr(Dev) e = NULL;
    VeuHostCounts here = { 5, 3 }, there = { 2, 0 };

    d->host.host.counts = &here;
    dev_run(d);
    veu_device_sleep(d->device);
    d->host.now_ns += 100;
    e = dev_destination(d);
    e->host.host.counts = &there;
    state_move(d->device, e->device);
    there.cache_hits = 1;
    g_assert_cmpuint(idle_ns(e), ==, idle_ns(d));
    g_assert_cmpuint(counter(e, VEU_REG_COUNTER_CACHE_HITS), ==, 6);
    g_assert_cmpuint(counter(e, VEU_REG_COUNTER_CACHE_MISSES), ==, 3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/counters/what_is_counted", test_what_is_counted);
    g_test_add_func("/counters/dropped_lanes_move_nothing",
                    test_dropped_lanes_move_nothing);
    g_test_add_func("/counters/registers_keep_the_snapshot",
                    test_registers_keep_the_snapshot);
    g_test_add_func("/counters/device_reset_clears_them",
                    test_device_reset_clears_them);
    g_test_add_func("/counters/hosts_count_hits_and_misses",
                    test_hosts_count_hits_and_misses);
    g_test_add_func("/counters/idle_from_sleep_to_step",
                    test_idle_from_sleep_to_step);
    g_test_add_func("/counters/idle_from_reset_on", test_idle_from_reset_on);
    g_test_add_func("/counters/no_sleep_with_work", test_no_sleep_with_work);
    g_test_add_func("/counters/they_go_on_elsewhere",
                    test_they_go_on_elsewhere);
    return g_test_run();
}
