/*
 * veu unit tests: a driver that follows the pseudo-code of the text: unbinding,
 * recovery, interrupt handler and reset: docs/spec.md, sections 3.3, 4.3.3, 11
 * and 13.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The driver uses only what the text promises: the shared block, the records
 * and the registers. It never inspects the device.
 */
#include <stddef.h>
#include "tests/lib/device_fixture.h"

/* The driver's state of its ring. */
typedef struct Driver {
    Dev *dev;
    uint32_t fault_head;
    uint32_t lost;
    uint32_t records_read;
    uint32_t reported; /* faults, including those without a record */
    bool wants_recovery;
} Driver;

static uint32_t shared(Driver *v, size_t offset)
{
    return test_memory_get32(&v->dev->host.memory, DEV_SHARED + offset);
}

static void set_shared(Driver *v, size_t offset, uint32_t value)
{
    test_memory_put32(&v->dev->host.memory, DEV_SHARED + offset, value);
}

#define AT(field)                   offsetof(struct veu_ring_shared, field)
#define SHARED(v, field)            shared(v, AT(field))
#define SET_SHARED(v, field, value) set_shared(v, AT(field), value)

/* ---- the pseudo-code of the text ---- */

static void handler(Driver *v)
{
    uint32_t head = SHARED(v, head);
    uint32_t faults = SHARED(v, fault_tail);
    uint32_t lost;
    uint32_t state;

    for (; v->fault_head != faults; v->fault_head++) {
        g_assert_cmpuint(dev_record(v->dev, v->fault_head % DEV_RECORDS).code,
                         !=, 0);
        v->records_read++;
        v->reported++;
    }
    SET_SHARED(v, fault_head, v->fault_head);
    lost = SHARED(v, fault_overflow);
    v->reported += lost - v->lost;
    v->lost = lost;
    state = SHARED(v, state);
    if (state == VEU_RING_RUNNING && head != v->dev->tail) {
        state = dev_ring_get(v->dev, VEU_REG_RING_STATE);
    }
    v->wants_recovery = state == VEU_RING_HALTED;
}

static void poll_until_disabled(Driver *v)
{
    for (unsigned i = 0; i < 1000; i++) {
        if (dev_ring_get(v->dev, VEU_REG_RING_STATE) == VEU_RING_DISABLED) {
            return;
        }
        dev_step(v->dev, 64);
    }
    g_assert_not_reached();
}

/* The number of slots of the command at @index. */
static uint32_t command_slots(Driver *v, uint32_t index)
{
    uint64_t at = DEV_RING + index % DEV_SLOTS * VEU_SLOT_BYTES;
    uint32_t slots = test_memory_get32(&v->dev->host.memory, at) >> 8 & 0xff;

    return MAX(slots, 1);
}

static void recover(Driver *v)
{
    uint32_t index;
    uint32_t code;

    dev_ring_set(v->dev, VEU_REG_RING_CONTROL, 0);
    poll_until_disabled(v);
    index = dev_ring_get(v->dev, VEU_REG_RING_HEAD);
    code = dev_ring_get(v->dev, VEU_REG_RING_LAST_FAULT);
    if (code < 0x10) {
        dev_write(v->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 0, 4);
    } else {
        index += MIN(command_slots(v, index), v->dev->tail - index);
        dev_ring_set(v->dev, VEU_REG_RING_HEAD, index);
    }
    SET_SHARED(v, fault_head, 0);
    SET_SHARED(v, head, index);
    SET_SHARED(v, fault_tail, 0);
    SET_SHARED(v, fault_overflow, 0);
    SET_SHARED(v, state, VEU_RING_RUNNING);
    SET_SHARED(v, asleep, 0);
    v->fault_head = v->lost = 0;
    dev_ring_set(v->dev, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    v->wants_recovery = false;
}

static void unbind(Driver *v)
{
    uint32_t state;

    dev_ring_set(v->dev, VEU_REG_RING_CONTROL, 0);
    for (unsigned i = 0; i < 10; i++) {
        state = dev_ring_get(v->dev, VEU_REG_RING_STATE);
        if (state == VEU_RING_HALTED) {
            dev_ring_set(v->dev, VEU_REG_RING_CONTROL, 0);
        }
        dev_step(v->dev, 64);
    }
    if (dev_ring_get(v->dev, VEU_REG_RING_STATE) != VEU_RING_DISABLED) {
        dev_ring_set(v->dev, VEU_REG_RING_CONTROL, VEU_RING_RESET);
        dev_ring_get(v->dev, VEU_REG_RING_STATE);
    }
    dev_write(v->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 1, 4);
    dev_write(v->dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOW_COUNT, 0, 4);
}

/* ---- situations of the driver ---- */

/* A driver whose ring has @records fault records. */
static Driver driver(uint32_t records)
{
    Driver v = { .dev = dev_new() };

    dev_setup(v.dev);
    dev_ring_set(v.dev, VEU_REG_RING_FAULT_RECORDS, records);
    dev_enable(v.dev);
    dev_run(v.dev);
    return v;
}

/* A dispatch that is refused, between two fences. */
static void push_refused(Driver *v)
{
    struct veu_command_dispatch bad = dev_dispatch(v->dev);
    struct veu_command_fence fence = dev_fence(7);

    bad.launch.simd = 9;
    DEV_PUSH(v->dev, fence);
    DEV_PUSH(v->dev, bad);
    fence.value = 8;
    DEV_PUSH(v->dev, fence);
}

/* Handles interrupts while there is work to do. */
static void serve(Driver *v)
{
    for (unsigned i = 0; i < 20; i++) {
        dev_run(v->dev);
        handler(v);
        if (v->wants_recovery) {
            recover(v);
        }
    }
}

static void check_recovers(uint32_t records, unsigned times)
{
    Driver v = driver(records);

    for (unsigned i = 1; i <= times; i++) {
        push_refused(&v);
        serve(&v);
        g_assert_cmpuint(SHARED(&v, head), ==, v.dev->tail);
        g_assert_cmpuint(dev_fence_value(v.dev), ==, 8);
        g_assert_cmpuint(v.reported, ==, i);
    }
    g_assert_cmpuint(dev_ring_get(v.dev, VEU_REG_RING_STATE), ==,
                     VEU_RING_RUNNING);
    g_assert_cmpuint(v.records_read, ==, records ? times : 0);
    dev_free(v.dev);
}

static void test_what_is_queued_is_done_after_a_recovery(void)
{
    check_recovers(DEV_RECORDS, 9);
}

/* fault_tail does not move. */
static void test_a_ring_without_a_queue_is_recovered(void)
{
    check_recovers(0, 5);
}

/* The driver has not read the records, and fault_tail cannot move. */
static void test_a_halt_with_a_full_queue_is_seen(void)
{
    Driver v = driver(1);
    struct veu_command_nop bad = dev_nop(1);

    /* full: the head is one record ahead */
    SET_SHARED(&v, fault_head, (uint32_t)-1);
    bad.header.opcode = 0xff;
    DEV_PUSH(v.dev, bad);
    dev_run(v.dev);
    g_assert_cmpuint(SHARED(&v, fault_tail), ==, 0);
    g_assert_cmpuint(SHARED(&v, fault_overflow), ==, 1);
    handler(&v);
    g_assert_true(v.wants_recovery);
    g_assert_cmpuint(v.reported, ==, 1);
    dev_free(v.dev);
}

/* The shared block shows none of this; only RING_STATE does. */
static void test_a_ring_that_lost_its_windows_is_seen(void)
{
    Driver v = driver(DEV_RECORDS);
    struct veu_command_fence fence = dev_fence(3);

    dev_write(v.dev, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 7, 4);
    DEV_PUSH(v.dev, fence);
    dev_ring_set(v.dev, VEU_REG_RING_CONTROL,
                 VEU_RING_ENABLE | VEU_RING_RELOAD);
    dev_run(v.dev);
    g_assert_cmpuint(SHARED(&v, state), ==, VEU_RING_RUNNING);
    handler(&v);
    g_assert_true(v.wants_recovery);
    recover(&v);
    serve(&v);
    g_assert_cmpuint(dev_fence_value(v.dev), ==, 3);
    dev_free(v.dev);
}

/*
 * An EU thread for each of 2^20 groups: it runs longer than any driver waits.
 */
static void push_endless(Driver *v)
{
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .surface = 5,
                          .exec = TEST_LANES_8,
                          .num_blocks = 2,
                          .offset = test_immediate(0) };
    struct veu_command_dispatch endless;

    test_program_add(&v->dev->program, &store);
    endless = dev_dispatch(v->dev);
    endless.launch.groups = 1 << 20;
    endless.launch.stateless_base = DEV_DATA;
    endless.launch.stateless_bytes = 4096;
    DEV_PUSH(v->dev, endless);
    dev_step(v->dev, 64);
}

/* The memory belongs to another process at once, whatever happens later. */
static void test_memory_is_free_when_a_process_is_unbound(void)
{
    Driver v = driver(DEV_RECORDS);

    push_endless(&v);
    unbind(&v);
    test_memory_fill(&v.dev->host.memory, DEV_RAM, 0xc5, 0x11000);
    for (unsigned i = 0; i < 10; i++) {
        dev_step(v.dev, 64);
    }
    for (unsigned i = 0; i < 0x11000; i += 4) {
        g_assert_cmphex(test_memory_get32(&v.dev->host.memory, DEV_RAM + i), ==,
                        0xc5c5c5c5);
    }
    dev_free(v.dev);
}

static void test_a_device_that_was_reset_works_again(void)
{
    Driver v = driver(DEV_RECORDS);

    push_endless(&v);
    dev_write(v.dev, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    g_assert_cmphex(dev_read(v.dev, VEU_REG_MAGIC, 4), ==, VEU_MAGIC);
    test_memory_fill(&v.dev->host.memory, DEV_SHARED, 0, 128);
    v = (Driver){ .dev = v.dev };
    v.dev->tail = 0;
    dev_setup(v.dev);
    dev_enable(v.dev);
    push_refused(&v);
    serve(&v);
    g_assert_cmpuint(dev_fence_value(v.dev), ==, 8);
    dev_free(v.dev);
}

/* The interrupt belongs to another ring, or is late. */
static void test_a_handler_that_finds_nothing_does_nothing(void)
{
    Driver v = driver(DEV_RECORDS);

    for (unsigned i = 0; i < 3; i++) {
        handler(&v);
    }
    g_assert_false(v.wants_recovery);
    g_assert_cmpuint(v.reported, ==, 0);
    dev_free(v.dev);
}

#define RULE(name) g_test_add_func("/driver/" #name, test_##name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    RULE(what_is_queued_is_done_after_a_recovery);
    RULE(a_ring_without_a_queue_is_recovered);
    RULE(a_halt_with_a_full_queue_is_seen);
    RULE(a_ring_that_lost_its_windows_is_seen);
    RULE(memory_is_free_when_a_process_is_unbound);
    RULE(a_device_that_was_reset_works_again);
    RULE(a_handler_that_finds_nothing_does_nothing);
    return g_test_run();
}
