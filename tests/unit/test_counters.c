/*
 * veu unit tests: counters: what they count, and the snapshot.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tables.h"
#include "tests/lib/device_fixture.h"
#include "tests/lib/device_rings.h"
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

/*
 * Two EU threads with five lanes each read the same four bytes with each of
 * @count messages.
 */
static void run_gathers(Dev *d, unsigned count)
{
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    struct veu_command_dispatch dispatch;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_variable(&d->program, 32, 8, VEU_TYPE_UD);
    m.surface = 5;
    m.address.id = 32;
    m.data.id = 33;
    for (unsigned i = 0; i < count; i++) {
        test_program_add(&d->program, &m);
    }
    dispatch = dev_dispatch(d);
    dispatch.launch.threads = 2;
    dispatch.launch.stateless_base = DEV_DATA;
    dispatch.launch.stateless_bytes = 4;
    dispatch.launch.exec_mask = 0x1f;
    DEV_PUSH(d, dispatch);
    dev_run(d);
}

static void run_gathers_and_a_fault(Dev *d)
{
    struct veu_command_nop bad = dev_nop(1);

    run_gathers(d, 1);
    bad.header.opcode = 0xff;
    DEV_PUSH(d, bad);
    dev_run(d);
}

static void test_what_is_counted(void)
{
    g_autoptr(Dev) d = dev_running();

    run_gathers_and_a_fault(d);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 2);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_MESSAGES), ==, 2);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_LANES), ==, 2 * 5);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_BYTES), ==, 2 * 5 * 4);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_FAULTS), ==, 1);
}

/* Bytes out of bounds are not counted as moved. */
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

/* A fast path executes messages that resemble each other in a loop. */
static void test_messages_that_follow_are_counted(void)
{
    g_autoptr(Dev) d = dev_running();

    run_gathers(d, 4);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_MESSAGES), ==, 4 * 2);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_LANES), ==, 4 * 2 * 5);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_BYTES), ==, 4 * 2 * 5 * 4);
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

/* ---- reports of hosts ---- */

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

/* No ring is enabled, so the device is idle. */
static void test_idle_from_reset_on(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    d->host.now_ns += 30;
    g_assert_cmpuint(idle_ns(d), ==, 30);
}

/*
 * A device that has work does not count as asleep, whatever its host requests.
 */
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

/* ---- of rings and contexts ---- */

/* The offsets of these registers in the blocks of rings and contexts. */
enum {
    COMMANDS = VEU_REG_RING_COUNTER_COMMANDS,
    MESSAGES = VEU_REG_RING_COUNTER_MESSAGES,
    LANES = VEU_REG_RING_COUNTER_LANES,
    BYTES = VEU_REG_RING_COUNTER_BYTES,
    FAULTS = VEU_REG_RING_COUNTER_FAULTS,
    BUSY_NS = VEU_REG_RING_BUSY_NS,
};

static void snapshot_rings(Dev *d)
{
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT_RINGS, 4);
}

static uint64_t of_ring(Dev *d, unsigned n, uint32_t reg)
{
    return dev_read(d, VEU_RING_BLOCK + n * VEU_RING_BLOCK_STRIDE + reg, 8);
}

static uint64_t of_context(Dev *d, unsigned n, uint32_t reg)
{
    return dev_read(d, VEU_CONTEXT_BLOCK + n * VEU_CONTEXT_BLOCK_STRIDE + reg,
                    8);
}

static void push_nops(Devs *d, unsigned ring, unsigned count)
{
    struct veu_command_nop nop = dev_nop(1);

    for (unsigned i = 0; i < count; i++) {
        DEVS_PUSH(d, ring, nop);
    }
    devs_settle(d);
}

static void test_each_ring_counts_its_own(void)
{
    g_autoptr(Dev) d = dev_running();

    run_gathers_and_a_fault(d);
    g_assert_cmpuint(of_ring(d, 0, COMMANDS), ==, 0);
    snapshot_rings(d);
    g_assert_cmpuint(of_ring(d, 0, COMMANDS), ==, 2);
    g_assert_cmpuint(of_ring(d, 0, MESSAGES), ==, 2);
    g_assert_cmpuint(of_ring(d, 0, LANES), ==, 2 * 5);
    g_assert_cmpuint(of_ring(d, 0, BYTES), ==, 2 * 5 * 4);
    g_assert_cmpuint(of_ring(d, 0, FAULTS), ==, 1);
    for (uint32_t reg = COMMANDS; reg <= BUSY_NS; reg += 8) {
        g_assert_cmpuint(of_ring(d, 1, reg), ==, 0);
        g_assert_cmpuint(of_context(d, 0, reg), ==, of_ring(d, 0, reg));
    }
    /* a snapshot of the rings does not change the device's registers */
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 0);
}

/* Rings 0 and 1 are bound to context 0, later ring 1 to context 1. */
static void test_contexts_count_what_was_bound_to_them(void)
{
    g_autoptr(Devs) d = devs_new(2);

    push_nops(d, 0, 3);
    push_nops(d, 1, 4);
    devs_set(d, 1, VEU_REG_RING_CONTROL, 0);
    devs_settle(d);
    devs_set(d, 1, VEU_REG_RING_CONTEXT, 1);
    devs_set(d, 1, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    push_nops(d, 1, 5);
    snapshot_rings(d->dev);
    snapshot(d->dev);
    g_assert_cmpuint(of_context(d->dev, 0, COMMANDS), ==, 7);
    g_assert_cmpuint(of_context(d->dev, 1, COMMANDS), ==, 5);
    g_assert_cmpuint(of_ring(d->dev, 0, COMMANDS), ==, 3);
    g_assert_cmpuint(of_ring(d->dev, 1, COMMANDS), ==, 9);
    g_assert_cmpuint(counter(d->dev, VEU_REG_COUNTER_COMMANDS), ==, 12);
}

/* The fault of a ring whose context is refused is of no context. */
static void test_a_ring_without_a_context_counts_for_none(void)
{
    g_autoptr(Devs) d = devs_new(2);

    devs_set(d, 1, VEU_REG_RING_CONTROL, 0);
    devs_settle(d);
    dev_write(d->dev,
              VEU_CONTEXT_BLOCK + VEU_CONTEXT_BLOCK_STRIDE +
                  VEU_REG_CONTEXT_TYPE,
              2, 4);
    devs_set(d, 1, VEU_REG_RING_CONTEXT, 1);
    devs_set(d, 1, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    devs_settle(d);
    snapshot_rings(d->dev);
    g_assert_cmpuint(of_ring(d->dev, 1, FAULTS), ==, 1);
    g_assert_cmpuint(of_context(d->dev, 0, FAULTS), ==, 0);
    g_assert_cmpuint(of_context(d->dev, 1, FAULTS), ==, 0);
}

/* A reset of the ring clears the registers, but no counter. */
static void test_ring_resets_keep_them(void)
{
    g_autoptr(Devs) d = devs_new(2);

    push_nops(d, 1, 3);
    snapshot_rings(d->dev);
    devs_set(d, 1, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpuint(of_ring(d->dev, 1, COMMANDS), ==, 0);
    g_assert_cmpuint(of_context(d->dev, 0, COMMANDS), ==, 3);
    snapshot_rings(d->dev);
    g_assert_cmpuint(of_ring(d->dev, 1, COMMANDS), ==, 3);
    dev_write(d->dev, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    snapshot_rings(d->dev);
    g_assert_cmpuint(of_ring(d->dev, 1, COMMANDS), ==, 0);
    g_assert_cmpuint(of_context(d->dev, 0, COMMANDS), ==, 0);
}

/* A context keeps what a ring did in it before the ring was reset. */
static void test_contexts_count_before_a_reset(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, 1);
    dev_enable(d);
    dev_push_fences(d, 3);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    snapshot_rings(d);
    g_assert_cmpuint(of_context(d, 1, COMMANDS), ==, 3);
    g_assert_cmpuint(of_context(d, 0, COMMANDS), ==, 0);
}

/* A RELOAD that is refused halts the ring, and clears no counter. */
static void test_contexts_count_before_a_reload(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_push_fences(d, 3);
    dev_run(d);
    context_write(d, VEU_REG_CONTEXT_TYPE, 77, 4);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    snapshot_rings(d);
    g_assert_cmpuint(of_context(d, 0, COMMANDS), ==, 3);
}

/* A snapshot of one kind leaves the registers of the other as they are. */
static void test_snapshots_are_apart(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_push_fences(d, 3);
    dev_run(d);
    snapshot(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 3);
    g_assert_cmpuint(of_ring(d, 0, COMMANDS), ==, 0);
    dev_push_fences(d, 1);
    dev_run(d);
    snapshot_rings(d);
    g_assert_cmpuint(counter(d, VEU_REG_COUNTER_COMMANDS), ==, 3);
    g_assert_cmpuint(of_ring(d, 0, COMMANDS), ==, 4);
}

/* A clock that advances by 10 ns each time it is read. */
static uint64_t tick(VeuHost *host)
{
    return ((TestHost *)host)->now_ns += 10;
}

/* Each turn reads the clock twice, and no reads come in between. */
static void test_busy_time_is_that_of_turns(void)
{
    g_autoptr(Devs) d = devs_new(2);
    struct veu_command_nop nop = dev_nop(1);
    uint64_t before;

    d->dev->host.host.now_ns = tick;
    snapshot_rings(d->dev);
    before = of_ring(d->dev, 1, BUSY_NS);
    DEVS_PUSH(d, 1, nop);
    g_assert_cmpint(devs_turn(d, 64), ==, 1);
    d->dev->host.now_ns += 1000000;
    DEVS_PUSH(d, 1, nop);
    g_assert_cmpint(devs_turn(d, 64), ==, 1);
    snapshot_rings(d->dev);
    snapshot(d->dev);
    g_assert_cmpuint(of_ring(d->dev, 1, BUSY_NS), ==, before + 20);
    g_assert_cmpuint(of_ring(d->dev, 0, BUSY_NS), ==, 0);
    g_assert_cmpuint(of_context(d->dev, 0, BUSY_NS), ==, before + 20);
    /* The device does not count it: its counter of this number is another. */
    g_assert_cmpuint(counter(d->dev, VEU_REG_COUNTER_CACHE_HITS), ==, 0);
}

static void test_rings_count_on_elsewhere(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autoptr(Dev) e = NULL;
    struct veu_command_nop nop = dev_nop(1);
    uint64_t busy;

    d->host.host.now_ns = tick;
    DEV_PUSH(d, nop);
    dev_run(d);
    snapshot_rings(d);
    busy = of_ring(d, 0, BUSY_NS);
    g_assert_cmpuint(busy, >, 0);
    e = dev_destination(d);
    state_move(d->device, e->device);
    g_assert_cmpuint(of_ring(e, 0, COMMANDS), ==, 1);
    DEV_PUSH(e, nop);
    dev_run(e);
    snapshot_rings(e);
    /* the clock stands still there */
    g_assert_cmpuint(of_ring(e, 0, BUSY_NS), ==, busy);
    g_assert_cmpuint(of_context(e, 0, BUSY_NS), ==, busy);
    g_assert_cmpuint(of_ring(e, 0, COMMANDS), ==, 2);
    g_assert_cmpuint(of_context(e, 0, COMMANDS), ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/counters/what_is_counted", test_what_is_counted);
    g_test_add_func("/counters/dropped_lanes_move_nothing",
                    test_dropped_lanes_move_nothing);
    g_test_add_func("/counters/messages_that_follow_are_counted",
                    test_messages_that_follow_are_counted);
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
    g_test_add_func("/counters/each_ring_counts_its_own",
                    test_each_ring_counts_its_own);
    g_test_add_func("/counters/contexts_count_what_was_bound_to_them",
                    test_contexts_count_what_was_bound_to_them);
    g_test_add_func("/counters/a_ring_without_a_context_counts_for_none",
                    test_a_ring_without_a_context_counts_for_none);
    g_test_add_func("/counters/ring_resets_keep_them",
                    test_ring_resets_keep_them);
    g_test_add_func("/counters/contexts_count_before_a_reset",
                    test_contexts_count_before_a_reset);
    g_test_add_func("/counters/contexts_count_before_a_reload",
                    test_contexts_count_before_a_reload);
    g_test_add_func("/counters/snapshots_are_apart", test_snapshots_are_apart);
    g_test_add_func("/counters/busy_time_is_that_of_turns",
                    test_busy_time_is_that_of_turns);
    g_test_add_func("/counters/rings_count_on_elsewhere",
                    test_rings_count_on_elsewhere);
    return g_test_run();
}
