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
    struct veu_command_load load = kernel_load(&c, 1);

    load.code_address = VA(DEV_PROGRAM);
    DEV_PUSH(d, load);
    dev_run(d);
}

/*
 * Ring 0 has a fault, a loaded program and values of counters in its registers,
 * and waits for a page.
 */
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

/* The states include all that a driver or an operator can see. */
static void test_a_reset_device_is_a_new_one(void)
{
    TestTables t;
    g_autoptr(Dev) new = dev_new();
    g_autoptr(Dev) d = make_busy(&t);
    g_autoptr(GByteArray) expected = state_save(new->device);
    g_autoptr(GByteArray) state = NULL;

    dev_write(d, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    state = state_save(d->device);
    g_assert_cmpmem(state->data, state->len, expected->data, expected->len);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
}

/* Requests are numbered from 0 again, and the device serves them. */
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

/* The drain of the ring had not been published when it was reset. */
static void test_a_reset_ring_has_nothing_to_do(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    dev_disable(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
}

/* The interrupt of a ring that halts is not raised after its reset. */
static void test_an_interrupt_that_was_due(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, DEV_RINGS);
    dev_enable(d); /* halts the ring, whose next step is the interrupt */
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

/* A head that a rule hides is not hidden from a driver that starts again. */
static void test_a_head_that_was_hidden(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_inject(d, "action=drop:head");
    dev_push_fences(d, 1);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 0);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_HEAD, 7);
    d->tail = 7;
    dev_enable(d);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 7);
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
    RULE(a_head_that_was_hidden);
#undef RULE
    return g_test_run();
}
