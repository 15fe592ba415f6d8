/*
 * veu unit tests: sleep, order of what becomes visible, interrupts:
 * docs/spec.md, sections 4, 11 and 12.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

/* The words head and asleep of ring 0's shared block. */
#define HEAD_AND_ASLEEP (DEV_SHARED + 64)

static uint32_t watched_head(const TestLogEntry *e)
{
    return e->watched;
}

static uint32_t watched_asleep(const TestLogEntry *e)
{
    return e->watched >> 32;
}

static void test_sleep_publishes_asleep(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, 0);
    g_assert_true(veu_device_sleep(d->device));
    g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, 1);
}

/* asleep = 1 is in memory when the fence is called. */
static void test_the_fence_comes_after_asleep_is_stored(void)
{
    g_autoptr(Dev) d = dev_running();
    unsigned fences = 0;

    dev_run(d);
    test_host_clear_log(&d->host);
    d->host.watch_iova = HEAD_AND_ASLEEP;
    g_assert_true(veu_device_sleep(d->device));
    for (unsigned i = 0; i < d->host.log_count; i++) {
        const TestLogEntry *e = &d->host.log[i];

        if (e->kind == TEST_LOG_FENCE) {
            fences++;
            g_assert_cmpuint(watched_asleep(e), ==, 1);
        }
    }
    g_assert_cmpuint(fences, ==, 1);
}

static void store_tail(TestHost *host)
{
    Dev *d = (Dev *)host;

    dev_publish(d);
}

/*
 * The driver saw asleep = 0 and does not kick, so the device reads the tail
 * again.
 */
static void test_a_tail_stored_during_the_fence_is_noticed(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_fence fence = dev_fence(8);

    dev_run(d);
    dev_fill(d, &fence, 1);
    d->host.on_fence = store_tail;
    g_assert_false(veu_device_sleep(d->device));
    d->host.on_fence = NULL;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(d), ==, 8);
}

static void test_the_next_step_takes_asleep_back(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0);

    dev_run(d);
    g_assert_true(veu_device_sleep(d->device));
    dev_step(d, 1);
    g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, 0);
    /* even before the first command is executed */
    g_assert_true(veu_device_sleep(d->device));
    DEV_PUSH(d, nop);
    test_host_clear_log(&d->host);
    d->host.watch_iova = HEAD_AND_ASLEEP;
    dev_run(d);
    for (unsigned i = 0; i < d->host.log_count; i++) {
        if (d->host.log[i].kind == TEST_LOG_EVENT &&
            d->host.log[i].event.kind == VEU_EVENT_COMMAND) {
            g_assert_cmpuint(watched_asleep(&d->host.log[i]), ==, 0);
        }
    }
    g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, 0);
}

/* A ring that stops while it sleeps, or that has work. */
static void test_only_an_idle_ring_sleeps(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0);

    g_assert_false(veu_device_sleep(d->device)); /* has not started yet */
    dev_run(d);
    DEV_PUSH(d, nop);
    g_assert_false(veu_device_sleep(d->device));
    dev_run(d);
    dev_disable(d);
    g_assert_false(veu_device_sleep(d->device)); /* has to drain */
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
}

static void test_spurious_kicks_do_no_harm(void)
{
    g_autoptr(Dev) d = dev_running();

    for (unsigned i = 0; i < 10; i++) {
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
        if (i % 2) {
            g_assert_true(veu_device_sleep(d->device));
        }
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 0);
}

static void test_has_work(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0);

    g_assert_true(veu_device_ready(d->device)); /* to start */
    dev_run(d);
    g_assert_false(veu_device_ready(d->device));
    DEV_PUSH(d, nop);
    g_assert_true(veu_device_ready(d->device));
    dev_run(d);
    g_assert_false(veu_device_ready(d->device));
    dev_disable(d);
    g_assert_true(veu_device_ready(d->device)); /* to drain */
}

/*
 * Checks that the last entry in the log before @watched changes from @old is a
 * flush, so that earlier writes have been marked dirty.
 */
static void assert_flush_before(Dev *d, uint64_t old)
{
    int last_flush = -1;
    bool changed = false;

    for (unsigned i = 0; i < d->host.log_count; i++) {
        const TestLogEntry *e = &d->host.log[i];

        if (e->watched != old) {
            changed = true;
            break;
        }
        if (e->kind == TEST_LOG_FLUSH) {
            last_flush = i;
        } else if (e->kind == TEST_LOG_EVENT &&
                   e->event.kind == VEU_EVENT_MESSAGE) {
            last_flush = -1; /* it has written some bytes */
        }
    }
    g_assert_true(changed);
    g_assert_cmpint(last_flush, >=, 0);
}

/* A message that stores a dword to DEV_DATA. */
static struct veu_command_message store_message(void)
{
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_1,
                      .num_blocks = 2,
                      .surface = 5,
                      .offset = test_immediate(0) };
    struct veu_command_message command = dev_message(&m);

    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4;
    return command;
}

static void test_data_is_flushed_before_a_fence_value_is_stored(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_message message = store_message();
    struct veu_command_fence fence = dev_fence(8);

    dev_run(d);
    test_host_clear_log(&d->host);
    d->host.watch_iova = DEV_FENCE;
    DEV_PUSH(d, message);
    DEV_PUSH(d, fence);
    while (veu_ring_step(d->device, 0, 1000) == VEU_STEP_MORE) {}
    assert_flush_before(d, 0);
}

static void test_data_is_flushed_before_the_head_moves(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_message message = store_message();

    message.header.flags = VEU_COMMAND_INTERRUPT;
    dev_run(d);
    test_host_clear_log(&d->host);
    d->host.watch_iova = HEAD_AND_ASLEEP;
    DEV_PUSH(d, message);
    while (veu_ring_step(d->device, 0, 1000) == VEU_STEP_MORE) {}
    assert_flush_before(d, 0);
}

/* "The shared block is stored first": the handler finds an up-to-date head. */
static void test_the_head_is_visible_before_the_interrupt(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0);
    uint32_t expected = 0;

    nop.header.flags = VEU_COMMAND_INTERRUPT;
    dev_run(d);
    test_host_clear_log(&d->host);
    d->host.watch_iova = HEAD_AND_ASLEEP;
    for (unsigned i = 0; i < 5; i++) {
        DEV_PUSH(d, nop);
    }
    dev_run(d);
    for (unsigned i = 0; i < d->host.log_count; i++) {
        if (d->host.log[i].kind == TEST_LOG_INTERRUPT) {
            expected++;
            g_assert_cmpuint(watched_head(&d->host.log[i]), ==, expected);
            g_assert_cmpuint(d->host.log[i].vector, ==, 1);
        }
    }
    g_assert_cmpuint(expected, ==, 5);
}

/* The value of head when the tail was last read. */
static uint32_t head_at_look;
static uint8_t *(*map_really)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                              enum veu_access access);

static uint8_t *map_and_see(VeuHost *host, uint64_t iova, uint32_t *bytes,
                            enum veu_access access)
{
    if (iova == DEV_SHARED) {
        head_at_look = DEV_SHARED_WORD((Dev *)host, head);
    }
    return map_really(host, iova, bytes, access);
}

/* The driver may be waiting for the head. */
static void test_the_head_moves_before_the_tail_is_looked_at_again(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0);

    dev_run(d);
    map_really = d->host.host.map;
    d->host.host.map = map_and_see;
    for (unsigned i = 1; i <= 5; i++) {
        DEV_PUSH(d, nop);
        g_assert_cmpint(dev_step(d, 1000), ==, VEU_STEP_IDLE);
        g_assert_cmpuint(head_at_look, ==, i);
    }
}

static unsigned interrupts(Dev *d)
{
    return test_host_count(&d->host, TEST_LOG_INTERRUPT);
}

static void test_only_commands_with_the_flag_interrupt(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0);
    struct veu_command_fence fence = dev_fence(1);

    DEV_PUSH(d, nop);
    DEV_PUSH(d, fence);
    dev_run(d);
    g_assert_cmpuint(interrupts(d), ==, 0);
    fence.header.flags = VEU_COMMAND_INTERRUPT;
    DEV_PUSH(d, fence);
    dev_run(d);
    g_assert_cmpuint(interrupts(d), ==, 1);
}

static void test_every_kind_of_command_interrupts(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_message message = store_message();
    struct veu_command_dispatch dispatch = dev_dispatch(d);
    struct veu_command_fence stamp = dev_fence(0);

    message.header.flags = VEU_COMMAND_INTERRUPT;
    dispatch.header.flags = VEU_COMMAND_INTERRUPT;
    stamp.header.flags = VEU_COMMAND_INTERRUPT;
    stamp.header.opcode = VEU_COMMAND_TIMESTAMP;
    DEV_PUSH(d, message);
    dev_run(d);
    DEV_PUSH(d, dispatch);
    dev_run(d);
    DEV_PUSH(d, stamp);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(interrupts(d), ==, 3);
}

static void test_a_fault_interrupts_behind_its_record(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop bad = dev_nop(0);
    uint64_t fault_tail = DEV_SHARED + 72;

    dev_run(d);
    bad.header.opcode = 99;
    DEV_PUSH(d, bad);
    d->host.watch_iova = fault_tail;
    test_host_clear_log(&d->host);
    dev_run(d);
    g_assert_cmpuint(interrupts(d), ==, 1);
    for (unsigned i = 0; i < d->host.log_count; i++) {
        if (d->host.log[i].kind == TEST_LOG_INTERRUPT) {
            g_assert_cmpuint((uint32_t)d->host.log[i].watched, ==, 1);
        }
    }
}

/* This holds even if the launch continues, under policy SKIP_MESSAGE. */
static void test_a_fault_is_visible_while_its_launch_goes_on(void)
{
    g_autoptr(Dev) d = dev_new();
    TestMessage bad = { .kind = TEST_GATHER,
                        .num_elts = 2,
                        .surface = 99,
                        .offset = test_immediate(0) };
    struct veu_command_dispatch dispatch;

    for (unsigned i = 0; i < 30; i++) {
        test_program_add(&d->program, &bad);
    }
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    dev_enable(d);
    dispatch = dev_dispatch(d);
    DEV_PUSH(d, dispatch);
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        uint32_t faults = dev_ring_get(d, VEU_REG_RING_FAULT_COUNT);

        g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail) +
                             DEV_SHARED_WORD(d, fault_overflow),
                         ==, faults);
        g_assert_cmpuint(interrupts(d), ==, faults);
    }
    g_assert_cmpuint(interrupts(d), ==, 30);
}

/* There is an interrupt for the fault, but none for the completion. */
static void test_a_command_that_faults_does_not_complete(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_fence bad = dev_fence(0);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    bad.header.flags = VEU_COMMAND_INTERRUPT;
    bad.address = DEV_HOLE;
    DEV_PUSH(d, bad);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmpuint(interrupts(d), ==, 1);
}

static void test_without_a_vector_nothing_is_raised(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_nop nop = dev_nop(0);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_VECTOR, VEU_NO_VECTOR);
    dev_enable(d);
    nop.header.flags = VEU_COMMAND_INTERRUPT;
    DEV_PUSH(d, nop);
    nop.header.opcode = 99;
    DEV_PUSH(d, nop);
    dev_run(d);
    g_assert_cmpuint(interrupts(d), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 1);
}

static void test_the_vector_is_the_rings(void)
{
    for (unsigned vector = 0; vector < DEV_VECTORS; vector++) {
        g_autoptr(Dev) d = dev_new();
        struct veu_command_nop nop = dev_nop(0);

        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_VECTOR, vector);
        dev_enable(d);
        nop.header.flags = VEU_COMMAND_INTERRUPT;
        DEV_PUSH(d, nop);
        dev_run(d);
        g_assert_cmpuint(interrupts(d), ==, 1);
        for (unsigned i = 0; i < d->host.log_count; i++) {
            if (d->host.log[i].kind == TEST_LOG_INTERRUPT) {
                g_assert_cmpuint(d->host.log[i].vector, ==, vector);
            }
        }
    }
}

/* TIME is read when the command executes, not when it is submitted. */
static void test_a_timestamp_is_taken_in_order(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_message message = store_message();
    struct veu_command_fence stamp = dev_fence(0);

    stamp.header.opcode = VEU_COMMAND_TIMESTAMP;
    d->host.now_ns = 100;
    DEV_PUSH(d, message);
    DEV_PUSH(d, stamp);
    dev_step(d, 2);
    d->host.now_ns = 200;
    dev_run(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 200);
}

/* RING_STATE reads 0 only after the last store. */
static void test_ring_state_follows_the_last_store(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_disable(d);
    test_memory_put32(&d->host.memory, DEV_SHARED + 80, 0xee);
    while (dev_ring_get(d, VEU_REG_RING_STATE) != VEU_RING_DISABLED) {
        g_assert_cmphex(DEV_SHARED_WORD(d, state), !=, VEU_RING_DISABLED);
        dev_step(d, 1);
    }
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_DISABLED);
}

/* All pages move between two calls, so that ASan finds uses of old pointers. */
static void test_pointers_are_not_kept_from_step_to_step(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_message message = store_message();

    for (unsigned i = 0; i < 20; i++) {
        DEV_PUSH(d, message);
        dev_run_by(d, 1);
        g_assert_true(veu_device_sleep(d->device));
        test_host_move(&d->host);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 80);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/progress/" #name, test_##name)
    RULE(sleep_publishes_asleep);
    RULE(the_fence_comes_after_asleep_is_stored);
    RULE(a_tail_stored_during_the_fence_is_noticed);
    RULE(the_next_step_takes_asleep_back);
    RULE(only_an_idle_ring_sleeps);
    RULE(spurious_kicks_do_no_harm);
    RULE(has_work);
    RULE(data_is_flushed_before_a_fence_value_is_stored);
    RULE(data_is_flushed_before_the_head_moves);
    RULE(the_head_moves_before_the_tail_is_looked_at_again);
    RULE(the_head_is_visible_before_the_interrupt);
    RULE(only_commands_with_the_flag_interrupt);
    RULE(every_kind_of_command_interrupts);
    RULE(a_fault_interrupts_behind_its_record);
    RULE(a_fault_is_visible_while_its_launch_goes_on);
    RULE(a_command_that_faults_does_not_complete);
    RULE(without_a_vector_nothing_is_raised);
    RULE(the_vector_is_the_rings);
    RULE(a_timestamp_is_taken_in_order);
    RULE(ring_state_follows_the_last_store);
    RULE(pointers_are_not_kept_from_step_to_step);
#undef RULE
    return g_test_run();
}
