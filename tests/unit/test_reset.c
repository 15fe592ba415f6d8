/*
 * veu unit tests: nothing outlives a reset: docs/spec.md, "Reset".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "launch.h"
#include "requests.h"
#include "tests/lib/device_rings.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

static void load_program(Dev *d)
{
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command_at(d, &code,
                                                    (uint32_t[]){ 1, 1, 1 },
                                                    DEV_PROGRAM, DEV_PAYLOAD);
    struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = VA(DEV_PROGRAM),
        .code_bytes = c.code_bytes,
        .program = 1,
        .simd = c.simd,
    };

    DEV_PUSH(d, load);
    dev_run(d);
}

/* A ring that has done all sorts of things, and waits for a page. */
static Dev *make_busy(TestTables *t)
{
    Dev *d = make_asking(t);
    struct veu_command_nop bad = dev_nop(1);

    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_ring_set(d, VEU_REG_RING_PRIORITY, VEU_PRIORITY_HIGH);
    dev_enable(d);
    load_program(d);
    bad.header.flags = 0x8000;
    DEV_PUSH(d, bad);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, 2);
    dev_write(d, VEU_REG_COUNTER_CONTROL,
              VEU_COUNTER_SNAPSHOT | VEU_COUNTER_SNAPSHOT_RINGS, 4);
    veu_device_sleep(d->device);
    unmap(t, VA(TARGET));
    invalidate(d, VA(TARGET), 0);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    return d;
}

/*
 * The state of a device whose ring 0 has no command and no fault, without what
 * it remembers of the last ones.
 */
static GByteArray *save(Dev *d)
{
    GByteArray *state = state_save(d->device);
    VeuRing *r = &d->device->ring[0];
    guint fault = state_place(d->device, &r->last_fault);
    guint slot = state_place(d->device, &r->command.slot);

    g_assert_cmpuint(r->last_fault.code, ==, VEU_FAULT_NONE);
    g_assert_null(r->command.info);
    memset(state->data + fault, 0, sizeof(r->last_fault));
    memset(state->data + slot, 0, sizeof(r->command.slot));
    return state;
}

/* The states include all that a driver or an operator can see. */
static void test_a_reset_device_is_a_new_one(void)
{
    TestTables t;
    g_autoptr(Dev) new = dev_new();
    g_autoptr(Dev) d = make_busy(&t);
    g_autoptr(GByteArray) expected = save(new);
    g_autoptr(GByteArray) state = NULL;

    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    state = save(d);
    g_assert_cmpmem(state->data, state->len, expected->data, expected->len);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
}

/* The device works as before, from the first request on. */
static void test_a_reset_device_starts_again(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_busy(&t);

    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    test_memory_fill(&d->host.memory, QUEUE, 0, 4096);
    use_tables(d, &t);
    use_queue(d);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    g_assert_cmpuint(queue_tail(d), ==, 1);
    g_assert_cmpuint(record(d, 0).id, ==, 0);
    g_assert_cmpuint(serve(d, &t), ==, 1);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* A drain that had not been published, and an interrupt that was due. */
static void test_a_reset_ring_has_nothing_to_do(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_disable(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
}

static void test_an_interrupt_that_was_due(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, DEV_RINGS);
    dev_enable(d); /* halts it, and the next step is to interrupt */
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    test_host_clear_log(&d->host);
    dev_setup(d);
    dev_enable(d);
    dev_push_fences(d, 1);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), ==, 0);
}

/* Registers in the state, and the tail that it has read. */
static void test_a_reset_ring_is_a_new_one(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuRing *r = &d->device->ring[0];
    const VeuRing *other = &d->device->ring[1];

    dev_push_fences(d, 3);
    dev_run(d);
    veu_device_sleep(d->device);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpmem(r->reg, sizeof(r->reg), other->reg, sizeof(other->reg));
    g_assert_cmpuint(r->tail, ==, 0);
    g_assert_false(r->asleep);
    g_assert_cmpuint(r->fault_tail, ==, 0);
}

/* ---- counters ---- */

static uint64_t commands_of_context(Dev *d, uint32_t context)
{
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT_RINGS, 4);
    return dev_read(d,
                    VEU_CONTEXT_BLOCK + context * VEU_CONTEXT_BLOCK_STRIDE +
                        VEU_REG_CONTEXT_COUNTER_COMMANDS,
                    8);
}

/* A context keeps what a ring did in it before the reset. */
static void test_counts_before_a_reset(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, 1);
    dev_enable(d);
    dev_push_fences(d, 3);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmpuint(commands_of_context(d, 1), ==, 3);
    g_assert_cmpuint(commands_of_context(d, 0), ==, 0);
}

/* And before a RELOAD that is refused. */
static void test_counts_before_a_reload(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_push_fences(d, 3);
    dev_run(d);
    context_write(d, VEU_REG_CONTEXT_TYPE, 77, 4);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_cmpuint(commands_of_context(d, 0), ==, 3);
}

/* A snapshot of one kind leaves the registers of the other as they are. */
static void test_snapshots_are_apart(void)
{
    const uint32_t of_ring = VEU_RING_BLOCK + VEU_REG_RING_COUNTER_COMMANDS;
    g_autoptr(Dev) d = dev_running();

    dev_push_fences(d, 3);
    dev_run(d);
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_COMMANDS, 8), ==, 3);
    g_assert_cmpuint(dev_read(d, of_ring, 8), ==, 0);
    dev_push_fences(d, 1);
    dev_run(d);
    dev_write(d, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT_RINGS, 4);
    g_assert_cmpuint(dev_read(d, VEU_REG_COUNTER_COMMANDS, 8), ==, 3);
    g_assert_cmpuint(dev_read(d, of_ring, 8), ==, 4);
}

/* ---- what a drain gives up ---- */

/* The command after it does not wait, nor has it a deadline. */
static void test_a_wait_that_was_given_up(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 7,
        .timeout_ns = 1000,
    };
    struct veu_command_nop nop = dev_nop(1);

    DEV_PUSH(d, wait);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    dev_disable(d);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_HEAD, d->tail);
    dev_enable(d);
    DEV_PUSH(d, nop);
    dev_step(d, 1);
    g_assert_nonnull(d->device->ring[0].command.info);
    g_assert_cmphex(veu_device_deadline(d->device), ==, VEU_NO_DEADLINE);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
}

/* ---- the end of RAM ---- */

/*
 * A ring that reaches past the end of RAM executes what is before it: a command
 * does not depend on the slots that follow its own.
 */
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
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
    dev_assert_fault(d, 1, VEU_FAULT_RING_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, end);
    g_assert_cmpuint(dev_record(d, 0).bytes, ==, VEU_SLOT_BYTES);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/reset/" #name, test_##name)
    RULE(a_reset_device_is_a_new_one);
    RULE(a_reset_device_starts_again);
    RULE(a_reset_ring_has_nothing_to_do);
    RULE(an_interrupt_that_was_due);
    RULE(a_reset_ring_is_a_new_one);
    RULE(counts_before_a_reset);
    RULE(counts_before_a_reload);
    RULE(snapshots_are_apart);
    RULE(a_wait_that_was_given_up);
    RULE(slots_past_the_end_of_ram);
#undef RULE
    return g_test_run();
}
