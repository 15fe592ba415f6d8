/*
 * veu unit tests: rings: docs/spec.md, section 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

static uint32_t state(Dev *d)
{
    return dev_ring_get(d, VEU_REG_RING_STATE);
}

static uint32_t head(Dev *d)
{
    return dev_ring_get(d, VEU_REG_RING_HEAD);
}

static void push_nops(Dev *d, unsigned count)
{
    struct veu_command_nop nop = dev_nop(7);

    for (unsigned i = 0; i < count; i++) {
        DEV_PUSH(d, nop);
    }
}

/* A dispatch of @count empty messages, each at least one step of work. */
static struct veu_command_dispatch long_dispatch(Dev *d, unsigned count)
{
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .surface = 0,
                      .offset = test_immediate(0) };

    for (unsigned i = 0; i < count; i++) {
        test_program_add(&d->program, &m);
    }
    return dev_dispatch(d);
}

static void test_a_disabled_ring_does_nothing(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    push_nops(d, 1);
    d->host.memory.maps = 0;
    g_assert_cmpint(dev_step(d, 10), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(d->host.memory.maps, ==, 0);
    g_assert_cmpuint(head(d), ==, 0);
}

/*
 * RING_STATE reads 1 at once. The device checks the registers a little later.
 */
static void test_enable(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    test_memory_fill(&d->host.memory, DEV_SHARED + 64, 0xee, 64);
    d->host.memory.maps = 0;
    dev_enable(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_RUNNING);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_CONTROL), ==, 1);
    g_assert_cmpuint(d->host.memory.maps, ==, 0);
    g_assert_cmpint(dev_step(d, 10), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_RUNNING);
    /* reserved1 is not written */
    g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_SHARED + 84), ==,
                    0xeeeeeeee);
    g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_SHARED + 124), ==,
                    0xeeeeeeee);
}

/* A host that does not look at tails has its drivers kick each time. */
static void test_a_ring_may_be_asleep_from_the_start(void)
{
    for (unsigned wants_kicks = 0; wants_kicks < 2; wants_kicks++) {
        g_autoptr(Dev) d = dev_new();

        d->host.host.wants_kicks = wants_kicks;
        dev_setup(d);
        dev_enable(d);
        dev_push_fences(d, 1);
        dev_step(d, 1);
        g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_RUNNING);
        g_assert_cmpuint(DEV_SHARED_WORD(d, asleep), ==, wants_kicks);
    }
}

static void test_commands_are_executed_and_the_head_moves(void)
{
    g_autoptr(Dev) d = dev_running();

    push_nops(d, 3);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(head(d), ==, 3);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 3);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_COMMAND), ==,
                     3);
    push_nops(d, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 4);
    dev_assert_no_fault(d);
}

/* Head is published where a step ends. */
static void test_progress_is_visible_where_a_step_ends(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    push_nops(d, 10);
    for (unsigned i = 0; i < 40; i++) {
        dev_step(d, 1);
        g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, head(d));
    }
    g_assert_cmpuint(head(d), ==, 10);
}

static Dev *read_by;
static uint8_t *(*map_memory)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                              enum veu_access access);
static unsigned tails; /* the number of times that the tail was read */

static uint8_t *map_tail(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    if (iova == DEV_SHARED + offsetof(struct veu_ring_shared, tail)) {
        g_assert_cmpuint(DEV_SHARED_WORD(read_by, head), ==,
                         dev_ring_get(read_by, VEU_REG_RING_HEAD));
        tails++;
    }
    return map_memory(host, iova, bytes, access);
}

/* The driver may be waiting for the last command before it offers another. */
static void test_the_head_is_stored_before_the_tail_is_read_again(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(1);

    DEV_PUSH(d, nop);
    read_by = d;
    tails = 0;
    map_memory = d->host.host.map;
    d->host.host.map = map_tail;
    g_assert_cmpint(dev_step(d, 100), ==, VEU_STEP_IDLE);
    d->host.host.map = map_memory;
    g_assert_cmpuint(tails, ==, 2);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

static void test_the_ring_starts_at_ring_head(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_fence fence = dev_fence(5);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_HEAD, 1000 * DEV_SLOTS + 9);
    dev_enable(d);
    DEV_PUSH(d, fence); /* at slot 9 */
    dev_run(d);
    g_assert_cmpuint(head(d), ==, 1000 * DEV_SLOTS + 10);
    g_assert_cmpuint(dev_fence_value(d), ==, 5);
}

static void test_indices_wrap_at_2_to_32(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_fence fence = dev_fence(6);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_HEAD, 0xfffffffe);
    dev_enable(d);
    push_nops(d, 5);
    DEV_PUSH(d, fence);
    dev_run(d);
    g_assert_cmphex(head(d), ==, 4);
    g_assert_cmphex(DEV_SHARED_WORD(d, head), ==, 4);
    g_assert_cmpuint(dev_fence_value(d), ==, 6);
    dev_assert_no_fault(d);
}

/* "A command may begin in the last slots and continue in the first." */
static void test_commands_wrap_around_the_slots(void)
{
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_1,
                      .num_blocks = 2,
                      .surface = 6,
                      .offset = test_immediate(0) };

    for (unsigned start = DEV_SLOTS - 4; start <= DEV_SLOTS; start++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_message command = dev_message(&m);

        command.launch.surface_count = 1;
        dev_buffer(d, 0, DEV_DATA, 4);
        test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 4);
        push_nops(d, start);
        dev_run(d);
        DEV_PUSH(d, command);
        dev_run(d);
        dev_assert_no_fault(d);
        g_assert_cmpuint(head(d), ==, start + 4);
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA), ==, 0);
    }
}

static void test_a_full_ring_is_legal(void)
{
    g_autoptr(Dev) d = dev_running();

    push_nops(d, DEV_SLOTS);
    dev_run(d);
    g_assert_cmpuint(head(d), ==, DEV_SLOTS);
    dev_assert_no_fault(d);
}

/* One slot more: nothing is executed, whatever the policy. */
static void test_a_tail_beyond_the_ring_halts(void)
{
    for (unsigned policy = 0; policy <= 2; policy++) {
        g_autoptr(Dev) d = dev_new();

        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_POLICY, policy);
        dev_enable(d);
        push_nops(d, DEV_SLOTS + 1);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
        g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
        g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_HALTED);
        g_assert_cmpuint(head(d), ==, 0);
        dev_assert_fault(d, 1, VEU_FAULT_RING_TAIL, 0);
        g_assert_cmpuint(dev_record(d, 0).slot, ==, 0);
        g_assert_cmpuint(dev_record(d, 0).tag, ==, 0);
        g_assert_cmpuint(dev_record(d, 0).command, ==, 0);
    }
}

static void test_a_tail_behind_the_head_halts(void)
{
    g_autoptr(Dev) d = dev_running();

    push_nops(d, 3);
    dev_run(d);
    d->tail = 2;
    dev_publish(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    dev_assert_fault(d, 1, VEU_FAULT_RING_TAIL, 0);
    g_assert_cmpuint(dev_record(d, 0).slot, ==, 3);
}

/* The tail is in the middle of a dispatch. */
static void test_a_command_that_reaches_beyond_the_tail_halts(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch dispatch = dev_dispatch(d);

    push_nops(d, 2);
    dev_fill(d, &dispatch, 2);
    d->tail--;
    dev_publish(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    g_assert_cmpuint(head(d), ==, 2);
    dev_assert_fault(d, 1, VEU_FAULT_RING_TAIL, 0);
    g_assert_cmpuint(dev_record(d, 0).slot, ==, 2);
}

/* The smallest ring has one slot. */
static void test_a_ring_of_one_slot(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_command_nop nop = dev_nop(1);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_SLOTS, 1);
    dev_enable(d);
    for (unsigned i = 0; i < 5; i++) {
        test_memory_put(&d->host.memory, DEV_RING, &nop, sizeof(nop));
        d->tail++;
        dev_publish(d);
        dev_run(d);
        g_assert_cmpuint(head(d), ==, i + 1);
    }
}

static void test_drain_of_an_idle_ring(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_disable(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DRAINING);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_DISABLED);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_CONTROL), ==, 0);
}

/* "Finishes the command that it has begun"; later commands wait. */
static void test_drain_finishes_the_command_in_progress(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch dispatch = long_dispatch(d, 20);
    struct veu_command_fence fence = dev_fence(9);

    dispatch.launch.slm_bytes = 64;
    DEV_PUSH(d, dispatch);
    DEV_PUSH(d, fence);
    dev_step(d, 8);
    dev_disable(d);
    dev_step(d, 1);
    g_assert_cmpuint(state(d), ==, VEU_RING_DRAINING);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE), ==,
                     20);
    g_assert_cmpuint(head(d), ==, 2);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
    g_assert_cmpuint(dev_fence_value(d), ==, 0);
    /* the next enable continues with the fence */
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(d), ==, 9);
    g_assert_cmpuint(head(d), ==, 3);
}

static void test_enable_is_ignored_while_draining(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_disable(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    g_assert_cmpuint(state(d), ==, VEU_RING_DRAINING);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_CONTROL), ==, 0);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
}

static void test_enable_is_ignored_while_running_or_halted(void)
{
    g_autoptr(Dev) d = dev_running();

    push_nops(d, 2);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    g_assert_cmpuint(state(d), ==, VEU_RING_RUNNING);
    g_assert_cmpuint(head(d), ==, 2);
    push_nops(d, DEV_SLOTS + 1);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_CONTROL), ==, 1);
    dev_assert_fault(d, 1, VEU_FAULT_RING_TAIL, 0);
}

static void test_disable_of_a_disabled_ring_does_nothing(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_disable(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    d->host.memory.maps = 0;
    dev_run(d);
    g_assert_cmpuint(d->host.memory.maps, ==, 0);
}

/* A fault of the command in progress halts a ring that drains. */
static void test_a_fault_halts_a_draining_ring(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch dispatch;
    TestMessage bad = { .kind = TEST_GATHER,
                        .num_elts = 2,
                        .surface = 99,
                        .offset = test_immediate(0) };

    long_dispatch(d, 10);
    test_program_add(&d->program, &bad);
    dispatch = dev_dispatch(d);
    DEV_PUSH(d, dispatch);
    dev_step(d, 6);
    dev_disable(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    dev_disable(d);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    g_assert_cmpuint(head(d), ==, 0);
}

/* A command with an unknown opcode at slot 2. */
static Dev *halted(void)
{
    Dev *d = dev_running();
    struct veu_command_nop bad = dev_nop(0xbad);

    push_nops(d, 2);
    bad.header.opcode = 99;
    DEV_PUSH(d, bad);
    push_nops(d, 2);
    dev_run(d);
    return d;
}

static void test_a_halted_ring_stands_at_the_command(void)
{
    g_autoptr(Dev) d = halted();

    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    g_assert_cmpuint(head(d), ==, 2);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_HALTED);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_OPCODE, 0);
    /* and does not move */
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_OPCODE, 0);
}

static void drain_and_keep_tail(Dev *d)
{
    dev_disable(d);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
}

static void test_resume_repeats_the_command_that_faulted(void)
{
    g_autoptr(Dev) d = halted();
    struct veu_command_fence fence = dev_fence(3);

    drain_and_keep_tail(d);
    test_memory_put(&d->host.memory, DEV_RING + 2 * 64, &fence, sizeof(fence));
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(head(d), ==, 5);
    g_assert_cmpuint(dev_fence_value(d), ==, 3);
    dev_assert_no_fault(d); /* the enable clears them */
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 0);
}

static void test_resume_skips_a_command_by_writing_ring_head(void)
{
    g_autoptr(Dev) d = halted();

    drain_and_keep_tail(d);
    dev_ring_set(d, VEU_REG_RING_HEAD, 3);
    dev_ring_set(d, VEU_REG_RING_CONTROL, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(head(d), ==, 5);
    dev_assert_no_fault(d);
}

/* "the device accesses no memory for this ring" once RING_STATE reads 0. */
static void test_a_disabled_ring_is_done_with_memory(void)
{
    g_autoptr(Dev) d = halted();

    dev_disable(d);
    while (state(d) != VEU_RING_DISABLED) {
        dev_step(d, 1);
    }
    test_memory_fill(&d->host.memory, DEV_SHARED, 0xee, 128);
    d->host.memory.maps = 0;
    dev_run(d);
    dev_run(d);
    g_assert_cmpuint(d->host.memory.maps, ==, 0);
}

/* The shared block is not written; no effect of the command follows. */
static void test_reset_in_the_middle_of_a_dispatch(void)
{
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(0) };

    for (unsigned steps = 1; steps < 24; steps++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_dispatch dispatch;
        TestMemory before;

        for (unsigned i = 0; i < 8; i++) {
            store.offset = test_immediate(4 * i);
            test_program_add(&d->program, &store);
        }
        test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 64);
        dispatch = dev_dispatch(d);
        dispatch.launch.stateless_base = DEV_DATA;
        dispatch.launch.stateless_bytes = 64;
        dispatch.launch.threads = 2;
        DEV_PUSH(d, dispatch);
        dev_step(d, steps);
        dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
        g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
        test_memory_copy(&before, &d->host.memory);
        d->host.memory.maps = 0;
        test_host_clear_log(&d->host);
        g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
        g_assert_true(test_memory_equal(&before, &d->host.memory));
        g_assert_cmpuint(d->host.memory.maps, ==, 0);
        g_assert_cmpuint(d->host.log_count, ==, 0);
        test_memory_free(&before);
    }
}

/* The reset comes before the device has checked the registers. */
static void test_reset_at_once_after_the_enable(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    d->host.memory.maps = 0;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(d->host.memory.maps, ==, 0);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    dev_assert_no_fault(d);
}

/*
 * Slots that do not belong to the command are not read: here they are a hole.
 */
static void test_only_the_commands_own_slots_are_read(void)
{
    g_autoptr(Dev) d = dev_new();
    const uint64_t base = DEV_RAM + DEV_RAM_BYTES - 64;
    struct veu_command_nop nop = dev_nop(1);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BASE, base);
    dev_enable(d);
    test_memory_put(&d->host.memory, base, &nop, sizeof(nop));
    d->tail++;
    dev_publish(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(head(d), ==, 1);
    dev_assert_no_fault(d);
}

/* A ring that reaches past the end of RAM executes what is before the end. */
static void test_slots_past_the_end_of_ram(void)
{
    const uint64_t end = DEV_RAM + DEV_RAM_BYTES;
    g_autoptr(Dev) d = dev_new();
    struct veu_command_fence fence = dev_fence(9);

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BASE, end - VEU_SLOT_BYTES);
    dev_enable(d);
    test_memory_put(&d->host.memory, end - VEU_SLOT_BYTES, &fence,
                    sizeof(fence));
    d->tail = 2;
    dev_publish(d);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(dev_fence_value(d), ==, 9);
    g_assert_cmpuint(head(d), ==, 1);
    dev_assert_fault(d, 1, VEU_FAULT_RING_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, end);
    g_assert_cmpuint(dev_record(d, 0).bytes, ==, VEU_SLOT_BYTES);
}

static void test_device_reset_in_the_middle_of_a_dispatch(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch dispatch = long_dispatch(d, 20);

    DEV_PUSH(d, dispatch);
    dev_step(d, 8);
    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    d->host.memory.maps = 0;
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    g_assert_cmpuint(d->host.memory.maps, ==, 0);
}

static void test_a_ring_works_again_after_a_reset(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch dispatch = long_dispatch(d, 20);
    struct veu_command_fence fence = dev_fence(3);

    DEV_PUSH(d, dispatch);
    dev_step(d, 8);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    test_host_clear_log(&d->host);
    dev_setup(d);
    dev_enable(d);
    DEV_PUSH(d, fence);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(head(d), ==, 1);
    g_assert_cmpuint(dev_fence_value(d), ==, 3);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE), ==,
                     0);
}

/* Each unit of the budget allows at most one message. */
static void test_the_budget_bounds_the_messages_of_a_step(void)
{
    for (unsigned budget = 0; budget < 12; budget++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_dispatch dispatch = long_dispatch(d, 50);

        DEV_PUSH(d, dispatch);
        dev_step(d, 6);
        test_host_clear_log(&d->host);
        g_assert_cmpint(dev_step(d, budget), ==, VEU_STEP_MORE);
        g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE),
                         <=, budget);
    }
}

/* Memory is the same however the work is divided into steps. */
static void test_the_cut_into_steps_makes_no_difference(void)
{
    g_autoptr(Dev) whole = dev_running();
    struct veu_command_dispatch dispatch = long_dispatch(whole, 30);

    dispatch.launch.threads = 3;
    dispatch.launch.result_bytes = 64;
    dispatch.launch.result_stride = 64;
    DEV_PUSH(whole, dispatch);
    while (veu_ring_step(whole->device, 0, 10000) == VEU_STEP_MORE) {}
    for (unsigned budget = 1; budget <= 5; budget++) {
        g_autoptr(Dev) cut = dev_running();

        long_dispatch(cut, 30);
        DEV_PUSH(cut, dispatch);
        dev_run_by(cut, budget);
        g_assert_true(
            test_memory_equal(&whole->host.memory, &cut->host.memory));
    }
}

static void test_rings_are_independent(void)
{
    g_autoptr(Dev) d = halted();
    const uint32_t block = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;
    const uint64_t memory = DEV_DATA;
    struct veu_command_fence fence = dev_fence(77);

    test_memory_put(&d->host.memory, memory, &fence, sizeof(fence));
    test_memory_put32(&d->host.memory, memory + 0x1000, 1); /* tail */
    dev_write(d, block + VEU_REG_RING_BASE, memory, 8);
    dev_write(d, block + VEU_REG_RING_SHARED, memory + 0x1000, 8);
    dev_write(d, block + VEU_REG_RING_SLOTS, 4, 4);
    dev_write(d, block + VEU_REG_RING_CONTROL, 1, 4);
    while (veu_ring_step(d->device, 1, 3) == VEU_STEP_MORE) {}
    g_assert_cmpuint(dev_fence_value(d), ==, 77);
    g_assert_cmpuint(dev_read(d, block + VEU_REG_RING_HEAD, 4), ==, 1);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpuint(dev_read(d, block + VEU_REG_RING_STATE, 4), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/rings/" #name, test_##name)
    RULE(a_disabled_ring_does_nothing);
    RULE(enable);
    RULE(a_ring_may_be_asleep_from_the_start);
    RULE(commands_are_executed_and_the_head_moves);
    RULE(progress_is_visible_where_a_step_ends);
    RULE(the_head_is_stored_before_the_tail_is_read_again);
    RULE(the_ring_starts_at_ring_head);
    RULE(indices_wrap_at_2_to_32);
    RULE(commands_wrap_around_the_slots);
    RULE(a_full_ring_is_legal);
    RULE(a_tail_beyond_the_ring_halts);
    RULE(a_tail_behind_the_head_halts);
    RULE(a_command_that_reaches_beyond_the_tail_halts);
    RULE(a_ring_of_one_slot);
    RULE(drain_of_an_idle_ring);
    RULE(drain_finishes_the_command_in_progress);
    RULE(enable_is_ignored_while_draining);
    RULE(enable_is_ignored_while_running_or_halted);
    RULE(disable_of_a_disabled_ring_does_nothing);
    RULE(a_fault_halts_a_draining_ring);
    RULE(a_halted_ring_stands_at_the_command);
    RULE(resume_repeats_the_command_that_faulted);
    RULE(resume_skips_a_command_by_writing_ring_head);
    RULE(a_disabled_ring_is_done_with_memory);
    RULE(reset_in_the_middle_of_a_dispatch);
    RULE(reset_at_once_after_the_enable);
    RULE(only_the_commands_own_slots_are_read);
    RULE(slots_past_the_end_of_ram);
    RULE(device_reset_in_the_middle_of_a_dispatch);
    RULE(a_ring_works_again_after_a_reset);
    RULE(the_budget_bounds_the_messages_of_a_step);
    RULE(the_cut_into_steps_makes_no_difference);
    RULE(rings_are_independent);
#undef RULE
    return g_test_run();
}
