/*
 * veu unit tests: the fault queue and its records: docs/spec.md, section 10.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

static Dev *skipping(uint32_t records)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    dev_ring_set(d, VEU_REG_RING_FAULT_RECORDS, records);
    dev_enable(d);
    return d;
}

/*
 * Pushes commands that each cause a fault COMMAND_OPCODE, with different tags.
 */
static void push_faults(Dev *d, unsigned count, uint32_t first_tag)
{
    for (unsigned i = 0; i < count; i++) {
        struct veu_command_nop bad = dev_nop(first_tag + i);

        bad.header.opcode = 99;
        DEV_PUSH(d, bad);
    }
    dev_run(d);
}

static void set_fault_head(Dev *d, uint32_t head)
{
    test_memory_put32(&d->host.memory, DEV_SHARED + 4, head);
}

static void test_records_stand_in_order(void)
{
    g_autoptr(Dev) d = skipping(4);

    push_faults(d, 3, 100);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 3);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 0);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(dev_record(d, i).tag, ==, 100 + i);
        g_assert_cmpuint(dev_record(d, i).slot, ==, i);
    }
    g_assert_cmphex(dev_record(d, 3).code, ==, 0);
}

static void test_a_full_queue_loses_records_and_counts_them(void)
{
    g_autoptr(Dev) d = skipping(4);

    push_faults(d, 7, 100);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 4);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 3);
    g_assert_cmpuint(dev_record(d, 3).tag, ==, 103);
    g_assert_cmpuint(dev_record(d, 0).tag, ==, 100);
    /* "recorded or not" */
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 7);
    /* memory after the queue does not change */
    g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_FAULTS + 256), ==,
                    0);
}

static void test_the_head_makes_room_and_the_queue_wraps(void)
{
    g_autoptr(Dev) d = skipping(4);

    push_faults(d, 4, 100);
    set_fault_head(d, 2);
    push_faults(d, 3, 200);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 6);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 1);
    g_assert_cmpuint(dev_record(d, 0).tag, ==, 200);
    g_assert_cmpuint(dev_record(d, 1).tag, ==, 201);
    g_assert_cmpuint(dev_record(d, 2).tag, ==, 102);
    set_fault_head(d, 6);
    push_faults(d, 1, 300);
    g_assert_cmpuint(dev_record(d, 2).tag, ==, 300);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 7);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 1);
}

/*
 * If fault_head is ahead of the tail, there is no room, rather than all of it.
 */
static void test_a_head_that_makes_no_sense_is_a_full_queue(void)
{
    g_autoptr(Dev) d = skipping(4);

    set_fault_head(d, 1);
    push_faults(d, 1, 100);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 1);
    set_fault_head(d, 0x80000000);
    push_faults(d, 1, 100);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 2);
}

static void test_without_a_queue_faults_are_only_counted(void)
{
    g_autoptr(Dev) d = skipping(0);

    push_faults(d, 2, 100);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 2);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_COMMAND_OPCODE);
    g_assert_cmphex(dev_record(d, 0).code, ==, 0);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 2);
}

static void test_a_queue_that_is_not_writable_loses_records(void)
{
    static const uint64_t queues[] = { DEV_HOLE, DEV_ROM };

    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Dev) d = dev_new();

        dev_setup(d);
        dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
        dev_ring_set(d, VEU_REG_RING_FAULTS, queues[i]);
        dev_enable(d);
        push_faults(d, 2, 100);
        g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 0);
        g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 2);
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                         VEU_RING_RUNNING);
    }
}

static void test_a_queue_of_one_record(void)
{
    g_autoptr(Dev) d = skipping(1);

    for (unsigned i = 0; i < 3; i++) {
        push_faults(d, 1, 100 + i);
        g_assert_cmpuint(dev_record(d, 0).tag, ==, 100 + i);
        set_fault_head(d, i + 1);
    }
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 0);
}

/* "Fault records are counted from 0 after every enable." */
static void test_an_enable_starts_the_queue_anew(void)
{
    g_autoptr(Dev) d = skipping(4);

    push_faults(d, 6, 100);
    dev_disable(d);
    dev_run(d);
    dev_enable(d);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 0);
    dev_assert_no_fault(d);
    push_faults(d, 1, 200);
    g_assert_cmpuint(dev_record(d, 0).tag, ==, 200);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 1);
}

static void test_ring_last_fault_is_the_newest(void)
{
    g_autoptr(Dev) d = skipping(4);
    struct veu_command_fence bad = dev_fence(0);

    push_faults(d, 1, 100);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_COMMAND_OPCODE);
    bad.address = DEV_HOLE;
    DEV_PUSH(d, bad);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_COMMAND_MEMORY);
}

/* The host is told about a fault even when its record is lost. */
static void test_every_fault_is_an_event(void)
{
    g_autoptr(Dev) d = skipping(1);
    const VeuEvent *event;

    push_faults(d, 3, 100);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_FAULT), ==, 3);
    event = test_host_last_event(&d->host, VEU_EVENT_FAULT);
    g_assert_cmpstr(event->name, ==, "COMMAND_OPCODE");
    g_assert_cmpuint(event->ring, ==, 0);
}

/* Tests all fields, for a fault outside of EU threads. */
static void test_the_record_of_a_refused_command(void)
{
    g_autoptr(Dev) d = skipping(4);
    struct veu_command_fence bad = dev_fence(0);
    struct veu_command_nop nop = dev_nop(0);
    struct veu_fault_record r;

    d->host.now_ns = 0x1122334455;
    bad.header.tag = 0xcafe0001;
    bad.address = DEV_HOLE + 8;
    DEV_PUSH(d, nop);
    DEV_PUSH(d, bad);
    dev_run(d);
    r = dev_record(d, 0);
    g_assert_cmphex(r.code, ==, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmpuint(r.ring, ==, 0);
    g_assert_cmpuint(r.slot, ==, 1);
    g_assert_cmphex(r.tag, ==, 0xcafe0001);
    g_assert_cmpuint(r.command, ==, VEU_COMMAND_FENCE);
    g_assert_cmpuint(r.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmphex(r.lane, ==, 0xff);
    g_assert_cmphex(r.element, ==, 0xff);
    g_assert_cmphex(r.group, ==, UINT32_MAX);
    g_assert_cmphex(r.thread, ==, UINT32_MAX);
    g_assert_cmphex(r.message_offset, ==, UINT32_MAX);
    g_assert_cmphex(r.message_opcode, ==, 0);
    g_assert_cmphex(r.message_sub, ==, 0);
    g_assert_cmphex(r.reserved, ==, 0);
    g_assert_cmphex(r.address, ==, DEV_HOLE + 8);
    g_assert_cmpuint(r.bytes, ==, 8);
    g_assert_cmpuint(r.bytes_done, ==, 0);
    g_assert_cmphex(r.lanes, ==, 0);
    g_assert_cmpuint(r.detail, ==, 0);
    g_assert_cmphex(r.time, ==, 0x1122334455);
}

/*
 * An svm_gather of 2 blocks of 8 bytes; the second block of lane 5 is in a
 * hole.
 */
static void push_svm_dispatch(Dev *d, uint8_t block_size)
{
    TestMessage none = { .kind = TEST_GATHER,
                         .num_elts = 2,
                         .offset = test_immediate(0) };
    TestMessage svm = { .kind = TEST_SVM_GATHER,
                        .exec = TEST_LANES_8,
                        .block_size = block_size,
                        .num_blocks = 1,
                        .address = { 32, 0 },
                        .data = { 33, 0 } };
    struct veu_command_dispatch dispatch;
    uint64_t end = DEV_RAM + DEV_RAM_BYTES;

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    test_program_variable(&d->program, 64, 16, VEU_TYPE_UQ);
    test_program_add(&d->program, &none);
    test_program_add(&d->program, &svm);
    dispatch = dev_dispatch(d);
    dispatch.header.tag = 0xd15;
    dispatch.launch.payload_bytes = 128;
    dispatch.launch.payload_stride = 128;
    dispatch.launch.threads = 3;
    dispatch.launch.groups = 2;
    for (unsigned i = 0; i < 6; i++) {
        uint64_t payload = DEV_PAYLOAD + 128 * i;

        test_memory_put32(&d->host.memory, payload, 0xff);
        for (unsigned lane = 0; lane < 8; lane++) {
            /* only thread 2 of group 1 faults */
            bool bad = i == 5 && (lane == 5 || lane == 7);

            test_memory_put64(&d->host.memory, payload + 64 + 8 * lane,
                              bad ? end - 8 : DEV_DATA);
        }
    }
    DEV_PUSH(d, dispatch);
    dev_run(d);
}

static void test_the_record_of_a_faulting_lane(void)
{
    g_autoptr(Dev) d = skipping(4);
    struct veu_fault_record r;

    push_svm_dispatch(d, 2);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
    r = dev_record(d, 0);
    g_assert_cmpuint(r.slot, ==, 0);
    g_assert_cmphex(r.tag, ==, 0xd15);
    g_assert_cmpuint(r.command, ==, VEU_COMMAND_DISPATCH);
    g_assert_cmpuint(r.access, ==, VEU_ACCESS_READ);
    g_assert_cmpuint(r.lane, ==, 5);
    g_assert_cmpuint(r.element, ==, 1);
    g_assert_cmpuint(r.group, ==, 1);
    g_assert_cmpuint(r.thread, ==, 2);
    g_assert_cmpuint(r.message_offset, ==, 23);
    g_assert_cmphex(r.message_opcode, ==, 0x4e);
    g_assert_cmphex(r.message_sub, ==, 0x03);
    g_assert_cmphex(r.reserved, ==, 0);
    g_assert_cmphex(r.address, ==, DEV_RAM + DEV_RAM_BYTES);
    g_assert_cmpuint(r.bytes, ==, 8);
    g_assert_cmpuint(r.bytes_done, ==, 6 * 16);
    g_assert_cmphex(r.lanes, ==, 0xa0);
    g_assert_cmpuint(r.detail, ==, 0);
}

/* The fault of a message that is refused when the program is loaded. */
static void test_the_record_of_a_refused_message(void)
{
    g_autoptr(Dev) d = skipping(4);
    struct veu_fault_record r;

    push_svm_dispatch(d, 4);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_FIELD, 5);
    r = dev_record(d, 0);
    g_assert_cmphex(r.tag, ==, 0xd15);
    g_assert_cmpuint(r.access, ==, VEU_ACCESS_NONE);
    g_assert_cmphex(r.lane, ==, 0xff);
    g_assert_cmphex(r.element, ==, 0xff);
    g_assert_cmphex(r.group, ==, UINT32_MAX);
    g_assert_cmphex(r.thread, ==, UINT32_MAX);
    g_assert_cmpuint(r.message_offset, ==, 23);
    g_assert_cmphex(r.message_opcode, ==, 0x4e);
    g_assert_cmphex(r.message_sub, ==, 0x03);
    g_assert_cmphex(r.address, ==, 0);
    g_assert_cmpuint(r.bytes, ==, 0);
    g_assert_cmphex(r.lanes, ==, 0);
}

/* Only SVM messages have sub-opcodes. */
static void test_the_record_of_an_unknown_message(void)
{
    g_autoptr(Dev) d = skipping(4);
    struct veu_command_dispatch dispatch;

    d->program.code[0] = 0x77;
    d->program.code[1] = 0x03;
    d->program.code_bytes = 2;
    dispatch = dev_dispatch(d);
    DEV_PUSH(d, dispatch);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_OPCODE, 0);
    g_assert_cmphex(dev_record(d, 0).message_opcode, ==, 0x77);
    g_assert_cmphex(dev_record(d, 0).message_sub, ==, 0);
    g_assert_cmpuint(dev_record(d, 0).message_offset, ==, 0);
}

/* The record has the ring's number, here 1. */
static void test_the_record_names_the_ring(void)
{
    g_autoptr(Dev) d = dev_new();
    const uint32_t block = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;
    struct veu_command_nop bad = dev_nop(5);

    bad.header.opcode = 99;
    test_memory_put(&d->host.memory, DEV_RING, &bad, sizeof(bad));
    test_memory_put32(&d->host.memory, DEV_SHARED, 1);
    dev_write(d, block + VEU_REG_RING_BASE, DEV_RING, 8);
    dev_write(d, block + VEU_REG_RING_SHARED, DEV_SHARED, 8);
    dev_write(d, block + VEU_REG_RING_FAULTS, DEV_FAULTS, 8);
    dev_write(d, block + VEU_REG_RING_FAULT_RECORDS, 4, 4);
    dev_write(d, block + VEU_REG_RING_SLOTS, 4, 4);
    dev_write(d, block + VEU_REG_RING_CONTROL, 1, 4);
    while (veu_ring_step(d->device, 1, 3) == VEU_STEP_MORE) {}
    g_assert_cmpuint(dev_record(d, 0).ring, ==, 1);
    g_assert_cmpuint(dev_record(d, 0).tag, ==, 5);
}

/*
 * "After a bounded amount of work": records of a launch that continues after
 * faults are shown, and interrupt, before it ends.
 */
static void test_records_of_a_launch_are_shown_while_it_runs(void)
{
    g_autoptr(Dev) d = skipping(64);
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(0),
                          .data = { 32, 0 } };
    struct veu_command_dispatch c;
    unsigned before = test_host_count(&d->host, TEST_LOG_INTERRUPT);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &store);
    c = dev_dispatch(d);
    c.launch.stateless_base = DEV_HOLE;
    c.launch.stateless_bytes = 4;
    c.launch.groups = 50;
    DEV_PUSH(d, c);
    while (dev_ring_get(d, VEU_REG_RING_FAULT_COUNT) == 0) {
        g_assert_cmpint(dev_step(d, 4), ==, VEU_STEP_MORE);
    }
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==,
                     dev_ring_get(d, VEU_REG_RING_FAULT_COUNT));
    g_assert_cmpuint(test_host_count(&d->host, TEST_LOG_INTERRUPT), >, before);
    dev_run(d);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_tail), ==, 50);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/fault_queue/" #name, test_##name)
    RULE(records_stand_in_order);
    RULE(a_full_queue_loses_records_and_counts_them);
    RULE(the_head_makes_room_and_the_queue_wraps);
    RULE(a_head_that_makes_no_sense_is_a_full_queue);
    RULE(without_a_queue_faults_are_only_counted);
    RULE(a_queue_that_is_not_writable_loses_records);
    RULE(a_queue_of_one_record);
    RULE(an_enable_starts_the_queue_anew);
    RULE(ring_last_fault_is_the_newest);
    RULE(every_fault_is_an_event);
    RULE(the_record_of_a_refused_command);
    RULE(the_record_of_a_faulting_lane);
    RULE(the_record_of_a_refused_message);
    RULE(the_record_of_an_unknown_message);
    RULE(the_record_names_the_ring);
    RULE(records_of_a_launch_are_shown_while_it_runs);
#undef RULE
    return g_test_run();
}
