/*
 * veu unit tests: commands and policies: docs/spec.md, sections 5 and 10.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"

static Dev *running_with(uint32_t policy)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, policy);
    dev_enable(d);
    return d;
}

/* Runs @command, then a fence, which SKIP_COMMAND reaches in any case. */
static void check(const void *command, unsigned slots, uint16_t code,
                  uint32_t detail)
{
    g_autoptr(Dev) d = running_with(VEU_POLICY_SKIP_COMMAND);
    struct veu_command_fence fence = dev_fence(0x600d);

    test_memory_fill(&d->host.memory, DEV_RESULT, 0xee, 64);
    dev_push(d, command, slots);
    DEV_PUSH(d, fence);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    if (code) {
        dev_assert_fault(d, 1, code, detail);
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_RESULT), ==,
                        0xeeeeeeee);
    } else {
        dev_assert_no_fault(d);
    }
    g_assert_cmphex(dev_fence_value(d), ==, 0x600d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, slots + 1);
}

static void check_field(const void *command, unsigned slots, uint32_t detail)
{
    check(command, slots, VEU_FAULT_COMMAND_FIELD, detail);
}

/* A legal command of each opcode. */
static TestMessage plain_message(void)
{
    return (TestMessage){ .kind = TEST_GATHER,
                          .num_elts = 2,
                          .offset = test_immediate(0) };
}

static unsigned legal_command(uint8_t opcode, uint8_t bytes[256])
{
    g_autoptr(Dev) d = dev_new();
    TestMessage m = plain_message();
    struct veu_command_message message = dev_message(&m);
    struct veu_command_dispatch dispatch = dev_dispatch(d);
    struct veu_command_kernel kernel = {
        .header = { .opcode = VEU_COMMAND_KERNEL, .slots = 3 },
        .code_bytes = sizeof(struct veu_program_header),
        .group_count = { 1, 1, 1 },
        .threads = 1,
        .groups_in_flight = 1,
        .simd = 8,
    };
    struct veu_command_fence fence = dev_fence(1);
    struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_bytes = sizeof(struct veu_program_header),
        .program = 1,
        .simd = 8,
    };
    struct veu_command_nop nop = dev_nop(1);

    memset(bytes, 0, 256);
    switch (opcode) {
    case VEU_COMMAND_MESSAGE:
        memcpy(bytes, &message, sizeof(message));
        return 4;
    case VEU_COMMAND_DISPATCH:
        memcpy(bytes, &dispatch, sizeof(dispatch));
        return 2;
    case VEU_COMMAND_KERNEL:
        memcpy(bytes, &kernel, sizeof(kernel));
        return 3;
    /* handle 0 stands for all programs, of which there are none */
    case VEU_COMMAND_UNLOAD:
        nop.header.opcode = opcode;
        memcpy(bytes, &nop, sizeof(nop));
        return 1;
    case VEU_COMMAND_LOAD:
        memcpy(bytes, &load, sizeof(load));
        return 1;
    case VEU_COMMAND_TIMESTAMP:
        fence.header.opcode = opcode;
        fence.value = 0;
        /* fall through */
    case VEU_COMMAND_FENCE:
        memcpy(bytes, &fence, sizeof(fence));
        return 1;
    case VEU_COMMAND_WAIT: /* met at once: mask 0 is equal to value 0 */
    case VEU_COMMAND_COPY: /* of nothing */
    case VEU_COMMAND_FILL:
        fence.header.opcode = opcode;
        fence.value = 0;
        memcpy(bytes, &fence, sizeof(fence));
        return 1;
    default: /* NOP; INVALIDATE, of a page of context 0 */
        nop.header.opcode = opcode;
        memcpy(bytes, &nop, sizeof(nop));
        return 1;
    }
}

static const uint8_t opcodes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

#define FOR_EACH_OPCODE(o) \
    for (const uint8_t *o = opcodes; o < opcodes + G_N_ELEMENTS(opcodes); o++)

/*
 * Ensures that the commands below are refused only for their one wrong field.
 */
static void test_plain_commands_are_legal(void)
{
    FOR_EACH_OPCODE(o)
    {
        uint8_t bytes[256];
        unsigned slots = legal_command(*o, bytes);

        /* Other tests have programs of the remaining kinds. */
        if (*o != VEU_COMMAND_DISPATCH && *o != VEU_COMMAND_KERNEL &&
            *o != VEU_COMMAND_LOAD) {
            check(bytes, slots, 0, 0);
        }
    }
}

static void test_unknown_opcodes(void)
{
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        struct veu_command_nop command = dev_nop(1);

        command.header.opcode = opcode;
        if (!memchr(opcodes, opcode, sizeof(opcodes))) {
            check(&command, 1, VEU_FAULT_COMMAND_OPCODE, 0);
        }
    }
}

static void test_slots_has_the_opcodes_value(void)
{
    FOR_EACH_OPCODE(o)
    {
        uint8_t bytes[256];
        unsigned legal = legal_command(*o, bytes);

        for (unsigned slots = 1; slots <= 8; slots++) {
            uint8_t padded[8 * 64] = { 0 };

            memcpy(padded, bytes, sizeof(bytes));
            padded[1] = slots;
            if (slots != legal) {
                check_field(padded, slots, 1);
            }
        }
    }
}

/* A command has the length in its slots field, or one slot if that is 0. */
static void test_a_command_of_0_slots_is_skipped_as_one(void)
{
    FOR_EACH_OPCODE(o)
    {
        uint8_t bytes[256];

        legal_command(*o, bytes);
        bytes[1] = 0;
        check_field(bytes, 1, 1);
    }
}

static void test_reserved_flags(void)
{
    FOR_EACH_OPCODE(o)
    {
        for (unsigned bit = 1; bit < 16; bit++) {
            uint8_t bytes[256];
            unsigned slots = legal_command(*o, bytes);
            uint16_t flags = 1u << bit;

            memcpy(bytes + 2, &flags, 2);
            check_field(bytes, slots, 2);
        }
    }
}

/* Tests every reserved byte; detail is the start of its field. */
static void test_reserved_bytes(void)
{
    static const struct {
        uint8_t opcode;
        uint32_t from;
        uint32_t to;
    } reserved[] = {
        { VEU_COMMAND_NOP, 8, 64 },         { VEU_COMMAND_MESSAGE, 104, 128 },
        { VEU_COMMAND_DISPATCH, 104, 128 }, { VEU_COMMAND_FENCE, 24, 64 },
        { VEU_COMMAND_WAIT, 44, 64 },       { VEU_COMMAND_TIMESTAMP, 16, 64 },
        { VEU_COMMAND_COPY, 28, 64 },       { VEU_COMMAND_FILL, 28, 64 },
        { VEU_COMMAND_KERNEL, 121, 128 },   { VEU_COMMAND_LOAD, 25, 64 },
        { VEU_COMMAND_UNLOAD, 12, 64 },     { VEU_COMMAND_INVALIDATE, 20, 64 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(reserved); i++) {
        for (uint32_t at = reserved[i].from; at < reserved[i].to; at++) {
            uint8_t bytes[256];
            unsigned slots = legal_command(reserved[i].opcode, bytes);

            bytes[at] = 0x80;
            check_field(bytes, slots, reserved[i].from);
        }
    }
}

/* The device checks opcode, slots, flags, then reserved bytes. */
static void test_the_order_of_the_checks(void)
{
    struct veu_command_nop command = dev_nop(1);

    command.header = (struct veu_command_header){ 99, 2, 0xfffe, 0 };
    command.reserved[5] = 1;
    uint8_t bytes[128] = { 0 };
    memcpy(bytes, &command, sizeof(command));
    check(bytes, 2, VEU_FAULT_COMMAND_OPCODE, 0);
    bytes[0] = 0;
    check(bytes, 2, VEU_FAULT_COMMAND_FIELD, 1);
    bytes[1] = 1;
    check(bytes, 1, VEU_FAULT_COMMAND_FIELD, 2);
    bytes[2] = bytes[3] = 0;
    check(bytes, 1, VEU_FAULT_COMMAND_FIELD, 8);
    bytes[13] = 0;
    check(bytes, 1, 0, 0);
}

static void test_nop_does_nothing(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_nop nop = dev_nop(0xabcd);
    TestMemory before;

    dev_run(d);
    DEV_PUSH(d, nop);
    test_memory_copy(&before, &d->host.memory);
    dev_run(d);
    test_memory_put32(&before, DEV_SHARED + 64, 1); /* head */
    g_assert_true(test_memory_equal(&before, &d->host.memory));
    test_memory_free(&before);
}

static void test_fence_stores_8_bytes(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_fence fence = dev_fence(0x1122334455667788);

    test_memory_fill(&d->host.memory, DEV_FENCE, 0xee, 32);
    fence.address += 8;
    DEV_PUSH(d, fence);
    dev_run(d);
    g_assert_cmphex(dev_fence_value(d), ==, 0xeeeeeeeeeeeeeeee);
    g_assert_cmphex(test_memory_get64(&d->host.memory, DEV_FENCE + 8), ==,
                    0x1122334455667788);
    g_assert_cmphex(test_memory_get64(&d->host.memory, DEV_FENCE + 16), ==,
                    0xeeeeeeeeeeeeeeee);
}

static void test_timestamp_stores_time(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_fence stamp = dev_fence(0);

    stamp.header.opcode = VEU_COMMAND_TIMESTAMP;
    DEV_PUSH(d, stamp);
    d->host.now_ns = 0x123456789abc;
    dev_run(d);
    g_assert_cmphex(dev_fence_value(d), ==, 0x123456789abc);
    dev_assert_no_fault(d);
}

static void check_store(uint8_t opcode)
{
    static const uint64_t nowhere[] = { DEV_HOLE, DEV_ROM,
                                        DEV_RAM + DEV_RAM_BYTES,
                                        0xfffffffffffffff8 };
    g_autoptr(Dev) d = running_with(VEU_POLICY_SKIP_COMMAND);
    struct veu_command_fence store = dev_fence(0);
    unsigned faults = 0;

    store.header.opcode = opcode;
    for (unsigned at = 1; at < 8; at++) {
        store.address = DEV_FENCE + at;
        DEV_PUSH(d, store);
        dev_run(d);
        test_memory_put32(&d->host.memory, DEV_SHARED + 4, ++faults);
        dev_assert_fault(d, faults, VEU_FAULT_COMMAND_FIELD, 8);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(nowhere); i++) {
        struct veu_fault_record record;

        store.address = nowhere[i];
        DEV_PUSH(d, store);
        dev_run(d);
        test_memory_put32(&d->host.memory, DEV_SHARED + 4, ++faults);
        dev_assert_fault(d, faults, VEU_FAULT_COMMAND_MEMORY, 0);
        record = dev_record(d, (faults - 1) % DEV_RECORDS);
        g_assert_cmphex(record.address, ==, nowhere[i]);
        g_assert_cmpuint(record.bytes, ==, 8);
        g_assert_cmpuint(record.access, ==, VEU_ACCESS_WRITE);
    }
}

static void test_fence_faults(void)
{
    check_store(VEU_COMMAND_FENCE);
}

static void test_timestamp_faults(void)
{
    check_store(VEU_COMMAND_TIMESTAMP);
}

/*
 * "The device copies a command once": later stores into its slots have no
 * effect.
 */
static void test_a_command_is_copied_once(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_fence fence = dev_fence(1);
    TestMessage m = plain_message();

    for (unsigned i = 0; i < 10; i++) {
        test_program_add(&d->program, &m);
    }
    struct veu_command_dispatch dispatch = dev_dispatch(d);
    DEV_PUSH(d, dispatch);
    DEV_PUSH(d, fence);
    dev_step(d, 5); /* the dispatch is in progress */
    test_memory_fill(&d->host.memory, DEV_RING, 0xff, 128);
    test_memory_fill(&d->host.memory, DEV_PROGRAM, 0xff, 1024);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 1);
}

/*
 * A program of three messages, of which the second one faults in one lane;
 * the first and the third store 1 and 3. The result is a copy of register 0.
 */
static void push_faulting_dispatch(Dev *d)
{
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(0),
                          .data = { 32, 0 } };
    TestMessage bad = store;
    struct veu_command_dispatch dispatch;

    test_program_variable(&d->program, 0, 1, VEU_TYPE_UD);
    test_program_add(&d->program, &store);
    bad.surface = 9;
    test_program_add(&d->program, &bad);
    store.offset = test_immediate(4);
    test_program_add(&d->program, &store);
    dispatch = dev_dispatch(d);
    dispatch.launch.stateless_base = DEV_DATA;
    dispatch.launch.stateless_bytes = 8;
    dispatch.launch.result_bytes = 4;
    dispatch.launch.result_stride = 4;
    dispatch.launch.threads = 2;
    test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 8);
    test_memory_fill(&d->host.memory, DEV_RESULT, 0xee, 8);
    DEV_PUSH(d, dispatch);
}

static void check_policy(uint32_t policy, unsigned faults, uint64_t data,
                         uint64_t result, uint64_t fenced)
{
    g_autoptr(Dev) d = running_with(policy);
    struct veu_command_fence fence = dev_fence(1);

    push_faulting_dispatch(d);
    DEV_PUSH(d, fence);
    dev_run(d);
    dev_assert_fault(d, faults, VEU_FAULT_SURFACE_INDEX, 0);
    g_assert_cmphex(test_memory_get64(&d->host.memory, DEV_DATA), ==, data);
    g_assert_cmphex(test_memory_get64(&d->host.memory, DEV_RESULT), ==, result);
    g_assert_cmpuint(dev_fence_value(d), ==, fenced);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, fenced ? 3 : 0);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     policy ? VEU_RING_RUNNING : VEU_RING_HALTED);
}

/*
 * The ring halts at the command: there is no third message, result or thread 1.
 */
static void test_policy_halt(void)
{
    check_policy(VEU_POLICY_HALT, 1, 0xeeeeeeee00000000, 0xeeeeeeeeeeeeeeee, 0);
}

/* The EU thread continues: both threads fault, and both store a result. */
static void test_policy_skip_message(void)
{
    check_policy(VEU_POLICY_SKIP_MESSAGE, 2, 0, 0, 1);
}

static void test_policy_skip_command(void)
{
    check_policy(VEU_POLICY_SKIP_COMMAND, 1, 0xeeeeeeee00000000,
                 0xeeeeeeeeeeeeeeee, 1);
}

/* Both skipping policies skip a refused command. */
static void test_policies_for_other_faults(void)
{
    for (uint32_t policy = 0; policy <= 2; policy++) {
        g_autoptr(Dev) d = running_with(policy);
        struct veu_command_fence bad = dev_fence(1);
        struct veu_command_fence fence = dev_fence(2);

        bad.address++;
        DEV_PUSH(d, bad);
        DEV_PUSH(d, fence);
        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, 8);
        g_assert_cmpuint(dev_fence_value(d), ==, policy ? 2 : 0);
        g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==,
                         policy ? 2 : 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/commands/" #name, test_##name)
    RULE(plain_commands_are_legal);
    RULE(unknown_opcodes);
    RULE(slots_has_the_opcodes_value);
    RULE(a_command_of_0_slots_is_skipped_as_one);
    RULE(reserved_flags);
    RULE(reserved_bytes);
    RULE(the_order_of_the_checks);
    RULE(nop_does_nothing);
    RULE(fence_stores_8_bytes);
    RULE(timestamp_stores_time);
    RULE(fence_faults);
    RULE(timestamp_faults);
    RULE(a_command_is_copied_once);
    RULE(policy_halt);
    RULE(policy_skip_message);
    RULE(policy_skip_command);
    RULE(policies_for_other_faults);
#undef RULE
    return g_test_run();
}
