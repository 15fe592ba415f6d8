/*
 * veu unit tests: a host that stops the device in the middle of its work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * At the n-th call of the host a thread begins to wait for the device, as a
 * stop of the VM does. The step ends; the state is saved, and the work
 * continues in another device. This is repeated for n = 1, 2, ... until a run
 * has no n-th call. Afterwards memory and registers are as if no thread had
 * waited.
 */
#include "launch.h"
#include "tests/lib/failing_host.h"
#include "tests/lib/state_bytes.h"

#define FIELD UINT64_C(0x900000)

/* A launch of several pieces: groups, threads and messages. */
static struct veu_command_dispatch make_launch(Dev *d)
{
    struct veu_command_dispatch c;
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    for (unsigned i = 0; i < 3; i++) {
        m.offset = test_immediate(4 * i);
        test_program_add(&d->program, &m);
    }
    c = dispatch(d);
    c.launch.threads = 2;
    c.launch.groups = 2;
    c.launch.payload_bytes = c.launch.payload_stride = 96;
    c.launch.result_bytes = c.launch.result_stride = 32;
    for (unsigned thread = 0; thread < 4; thread++) {
        put32(d, DEV_PAYLOAD + 96 * thread, 0xff);
        put32(d, DEV_PAYLOAD + 96 * thread + 64, 0x100 + thread);
    }
    return c;
}

/* Commands of many pieces, one that faults, and one that waits. */
static Dev *make_source(void)
{
    Dev *d = dev_new();
    struct veu_command_dispatch launch = make_launch(d);
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .pattern = UINT64_C(0x0807060504030201),
        .destination = FIELD + 3,
        .bytes = 70001,
    };
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = FIELD,
        .destination = FIELD + 100,
        .bytes = 100000,
    };
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 7,
    };
    struct veu_command_fence bad = dev_fence(1), fence = dev_fence(7);

    test_memory_add(&d->host.memory, FIELD, 30 * TEST_PAGE_BYTES, true);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    bad.address = DEV_HOLE;
    DEV_PUSH(d, launch);
    DEV_PUSH(d, fill);
    DEV_PUSH(d, copy);
    DEV_PUSH(d, bad);
    DEV_PUSH(d, fence);
    DEV_PUSH(d, wait);
    return d;
}

static void assert_same_registers(Dev *a, Dev *b)
{
    for (uint32_t at = 0; at < VEU_MSIX_TABLE_OFFSET; at += 4) {
        g_assert_cmphex(dev_read(a, at, 4), ==, dev_read(b, at, 4));
    }
}

/* Runs steps until one ends because of the stop. */
static void run_until_stopped(Dev *d)
{
    while (dev_step(d, 64) == VEU_STEP_MORE && !failing_host.awaited) {}
}

/* Returns false if there was no n-th call. */
static bool check_stop(unsigned n, Dev *whole, bool has_open)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = dev_new();
    bool stopped;

    failing_host = (FailingHost){ .stop = n, .has_open = has_open };
    failing_host_use(from);
    run_until_stopped(from);
    stopped = failing_host.awaited;
    failing_host = (FailingHost){ 0 };
    dev_free(to);
    to = dev_destination(from);
    state_move(from->device, to->device);
    g_assert_cmpint(dev_run(to), ==, VEU_STEP_IDLE);
    g_assert_true(test_memory_equal(&whole->host.memory, &to->host.memory));
    assert_same_registers(whole, to);
    return stopped;
}

static void check_stops(bool has_open)
{
    g_autoptr(Dev) whole = make_source();
    unsigned n = 1;

    g_assert_cmpint(dev_run(whole), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_ring_get(whole, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(get32(whole, DEV_FENCE), ==, 7);
    while (check_stop(n, whole, has_open)) {
        n++;
    }
    g_assert_cmpuint(n, >, 60);
}

static void test_stops_at_maps(void)
{
    check_stops(false);
}

static void test_stops_at_extents(void)
{
    check_stops(true);
}

/* Every step makes progress, however often the device is stopped. */
static void test_stops_at_every_call(void)
{
    g_autoptr(Dev) whole = make_source();
    g_autoptr(Dev) d = make_source();

    dev_run(whole);
    failing_host = (FailingHost){ .awaited = 1 };
    failing_host_use(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    failing_host = (FailingHost){ 0 };
    g_assert_true(test_memory_equal(&whole->host.memory, &d->host.memory));
    assert_same_registers(whole, d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/host_stops/stops_at_maps", test_stops_at_maps);
    g_test_add_func("/host_stops/stops_at_extents", test_stops_at_extents);
    g_test_add_func("/host_stops/at_every_call", test_stops_at_every_call);
    return g_test_run();
}
