/*
 * veu unit tests: consecutive launches: an earlier one has no effect on a later
 * one, although the device does not decode the same program twice:
 * docs/spec.md, "Checks".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "launch.h"
#include "tests/lib/state_bytes.h"

#define VALUE 0x1234

/* A device that continues after commands that fault. */
static Dev *skipping(void)
{
    Dev *d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 4096);
    put32(d, DEV_PAYLOAD, UINT32_MAX);
    put32(d, DEV_PAYLOAD + 64, VALUE);
    put32(d, DEV_PAYLOAD + 96, VALUE + 1);
    return d;
}

/* A program of @count copies of @message, at DEV_PROGRAM. */
static struct veu_command_dispatch program(Dev *d, const TestMessage *message,
                                           unsigned count)
{
    struct veu_command_dispatch command;

    test_program_init(&d->program);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    while (count--) {
        test_program_add(&d->program, message);
    }
    command = dispatch(d);
    command.launch.payload_bytes = 64 + 32;
    return command;
}

static struct veu_command_dispatch storing(Dev *d, uint32_t at)
{
    TestMessage m = store(at);

    return program(d, &m, 1);
}

static void run_dispatch(Dev *d, struct veu_command_dispatch command)
{
    DEV_PUSH(d, command);
    dev_run(d);
}

/* The state and the memory of @from become those of @to. */
static void move_to(Dev *to, Dev *from)
{
    g_autoptr(GByteArray) state = state_save(from->device);

    g_assert_null(state_load(to->device, state));
    test_memory_free(&to->host.memory);
    test_memory_copy(&to->host.memory, &from->host.memory);
}

static uint32_t take_data(Dev *d, uint32_t at)
{
    uint32_t value = get32(d, DEV_DATA + at);

    put32(d, DEV_DATA + at, UNTOUCHED);
    return value;
}

static void test_a_program_that_stays_runs_again(void)
{
    g_autoptr(Dev) d = skipping();
    struct veu_command_dispatch command = storing(d, 0);

    for (unsigned i = 0; i < 3; i++) {
        put32(d, DEV_PAYLOAD + 64, VALUE + i);
        run_dispatch(d, command);
        g_assert_cmphex(take_data(d, 0), ==, VALUE + i);
    }
    dev_assert_no_fault(d);
}

static void test_a_program_changes_in_its_place(void)
{
    g_autoptr(Dev) d = skipping();

    for (uint32_t at = 0; at < 64; at += 4) {
        run_dispatch(d, storing(d, at));
        run_dispatch(d, storing(d, at));
        g_assert_cmphex(take_data(d, at), ==, VALUE);
        g_assert_cmphex(take_data(d, at ? at - 4 : 4), ==, UNTOUCHED);
    }
    dev_assert_no_fault(d);
}

/* The bytes are the same, but 8 lanes are too few for them. */
static void test_lanes_change(void)
{
    g_autoptr(Dev) d = skipping();
    TestMessage m = store(0);
    struct veu_command_dispatch command;

    m.exec = TEST_LANES_16;
    m.data.id = 0;
    command = program(d, &m, 1);
    command.launch.simd = 16;
    run_dispatch(d, command);
    dev_assert_no_fault(d);
    command.launch.simd = 8;
    for (unsigned i = 1; i <= 2; i++) {
        run_dispatch(d, command);
        g_assert_cmphex(dev_record(d, i - 1).code, ==, VEU_FAULT_MESSAGE_LANES);
    }
    command.launch.simd = 16;
    run_dispatch(d, command);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
}

/* The header gives the size of the program. */
static void test_a_size_changes(void)
{
    g_autoptr(Dev) d = skipping();
    struct veu_command_dispatch command = storing(d, 0);

    run_dispatch(d, command);
    command.launch.code_bytes += 4;
    run_dispatch(d, command);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD,
                     offsetof(struct veu_program_header, bytes));
}

static void test_a_program_becomes_bad_and_good_again(void)
{
    g_autoptr(Dev) d = skipping();
    struct veu_command_dispatch command = storing(d, 0);
    uint64_t opcode_at = DEV_PROGRAM + command.launch.code_bytes -
                         d->program.code_bytes;
    uint8_t opcode = test_memory_get8(&d->host.memory, opcode_at);

    run_dispatch(d, command);
    test_memory_fill(&d->host.memory, opcode_at, 0xff, 1);
    run_dispatch(d, command);
    run_dispatch(d, command);
    dev_assert_fault(d, 2, VEU_FAULT_MESSAGE_OPCODE, 0);
    test_memory_fill(&d->host.memory, opcode_at, opcode, 1);
    take_data(d, 0);
    run_dispatch(d, command);
    g_assert_cmphex(take_data(d, 0), ==, VALUE);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
}

/* The copied part of a program that is not entirely in RAM is discarded. */
static void test_a_copy_that_breaks_off(void)
{
    const uint64_t end = DEV_RAM + DEV_RAM_BYTES;
    g_autoptr(Dev) d = skipping();
    struct veu_command_dispatch broken;
    struct veu_command_dispatch command;
    uint8_t bytes[PROGRAM_MAX_BYTES];

    run_dispatch(d, storing(d, 0));
    take_data(d, 0);
    command = storing(d, 8);
    test_memory_get(&d->host.memory, DEV_PROGRAM, bytes,
                    command.launch.code_bytes);
    test_memory_put(&d->host.memory, end - 0x10000, bytes,
                    command.launch.code_bytes);
    broken = command;
    broken.launch.code_address = end - 0x10000;
    broken.launch.code_bytes = 0x20000;
    run_dispatch(d, broken);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_MEMORY, 0);
    run_dispatch(d, command);
    g_assert_cmphex(take_data(d, 8), ==, VALUE);
    g_assert_cmphex(take_data(d, 0), ==, UNTOUCHED);
}

/* Stores to the last of @count surfaces: dword n of DEV_DATA is surface n. */
static void run_last_of(Dev *d, unsigned count)
{
    TestMessage m = store(0);
    struct veu_command_dispatch command;

    m.surface = 5 + count;
    command = program(d, &m, 1);
    command.launch.surface_count = count;
    run_dispatch(d, command);
}

static void test_surfaces_change(void)
{
    g_autoptr(Dev) d = skipping();
    const unsigned counts[] = { 2, 2, 1, 3, 2, 60, 3 };

    for (unsigned n = 0; n < 60; n++) {
        dev_buffer(d, n, DEV_DATA + 4 * n, 4);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        run_last_of(d, counts[i]);
        g_assert_cmphex(take_data(d, 4 * (counts[i] - 1)), ==, VALUE);
    }
    for (unsigned n = 0; n < 3; n++) {
        dev_buffer(d, 2, DEV_DATA + 2048 + 4 * n, 4);
        run_last_of(d, 3);
        g_assert_cmphex(take_data(d, 2048 + 4 * n), ==, VALUE);
    }
    dev_assert_no_fault(d);
}

static void test_a_surface_becomes_bad_and_good_again(void)
{
    const struct veu_surface bad = { .type = 5 };
    g_autoptr(Dev) d = skipping();

    for (unsigned n = 0; n < 3; n++) {
        dev_buffer(d, n, DEV_DATA + 4 * n, 4);
    }
    run_last_of(d, 3);
    take_data(d, 8);
    dev_surface(d, 2, &bad);
    run_last_of(d, 3);
    run_last_of(d, 3);
    dev_assert_fault(d, 2, VEU_FAULT_SURFACE_FIELD,
                     128 + offsetof(struct veu_surface, type));
    run_last_of(d, 1);
    g_assert_cmphex(take_data(d, 0), ==, VALUE);
    dev_buffer(d, 2, DEV_DATA + 64, 4);
    run_last_of(d, 3);
    run_last_of(d, 2);
    g_assert_cmphex(take_data(d, 4), ==, VALUE);
    g_assert_cmphex(take_data(d, 64), ==, VALUE);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
}

static struct veu_command_message inline_message(uint32_t at,
                                                 uint32_t variable_offset)
{
    TestMessage m = store(at);
    struct veu_command_message command = dev_message(&m);

    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4096;
    command.launch.payload_bytes = 64 + 32 + variable_offset;
    command.launch.variable_count = 1;
    command.variables[0] = (struct veu_variable){ variable_offset, 8,
                                                  VEU_TYPE_UD, 0 };
    return command;
}

static void run_message(Dev *d, uint32_t at, uint32_t variable_offset)
{
    struct veu_command_message command = inline_message(at, variable_offset);

    DEV_PUSH(d, command);
    dev_run(d);
}

/* The message, the variables, or both change; a dispatch may run in between. */
static void test_inline_messages_change(void)
{
    g_autoptr(Dev) d = skipping();

    for (unsigned i = 0; i < 16; i++) {
        uint32_t at = i & 1 ? 4 : 0;
        uint32_t offset = i & 2 ? 32 : 0;

        run_message(d, at, offset);
        g_assert_cmphex(take_data(d, at), ==, VALUE + offset / 32);
        if (i & 4) {
            run_dispatch(d, storing(d, 8));
            g_assert_cmphex(take_data(d, 8), ==, VALUE);
        }
        run_message(d, at, offset);
        g_assert_cmphex(take_data(d, at), ==, VALUE + offset / 32);
    }
    dev_assert_no_fault(d);
}

/* Steps of one unit, in which a message does not begin and end at once. */
static void test_an_inline_message_runs_again_after_a_fault(void)
{
    g_autoptr(Dev) d = skipping();
    struct veu_command_message command = inline_message(0, 0);

    command.launch.result_address = DEV_HOLE;
    command.launch.result_bytes = 32;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_RESULT_MEMORY, 0);
    command.launch.result_address = DEV_RESULT;
    take_data(d, 0);
    DEV_PUSH(d, command);
    dev_run_by(d, 1);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmphex(take_data(d, 0), ==, VALUE);
}

typedef struct Seen {
    uint32_t faults;
    uint32_t fault;
    uint32_t detail;
    uint8_t data[256];
} Seen;

/*
 * A message like the previous one, with a bit of byte @at flipped, or that
 * message alone.
 */
static Seen run_changed(unsigned at, bool alone)
{
    g_autoptr(Dev) d = skipping();
    struct veu_command_message command = inline_message(4, 32);
    Seen seen;

    if (!alone) {
        DEV_PUSH(d, command);
        dev_run(d);
        take_data(d, 4);
    }
    ((uint8_t *)&command)[at] ^= 1;
    DEV_PUSH(d, command);
    dev_run(d);
    seen.faults = dev_ring_get(d, VEU_REG_RING_FAULT_COUNT);
    seen.fault = dev_ring_get(d, VEU_REG_RING_LAST_FAULT);
    seen.detail = dev_ring_get(d, VEU_REG_RING_LAST_DETAIL);
    test_memory_get(&d->host.memory, DEV_DATA, seen.data, sizeof(seen.data));
    return seen;
}

/* The checks of the previous message do not apply to this one. */
static void test_any_byte_of_an_inline_message_may_change(void)
{
    for (unsigned at = offsetof(struct veu_command_message, launch);
         at < sizeof(struct veu_command_message); at++) {
        Seen alone = run_changed(at, true);
        Seen behind = run_changed(at, false);

        g_assert_cmpint(memcmp(&alone, &behind, sizeof(alone)), ==, 0);
    }
}

/* The number of pieces of work until all work is done. */
static unsigned pieces(Dev *d, const struct veu_command_dispatch *command)
{
    unsigned count = 1;

    DEV_PUSH(d, *command);
    while (dev_step(d, 1) == VEU_STEP_MORE) {
        count++;
    }
    return count;
}

/* A budget then allows the same work, and rings take turns in the same way. */
static void test_a_launch_costs_what_it_did_before(void)
{
    const unsigned messages[] = { 0, 1, 63, 64, 65, 128, 129, 300 };

    for (unsigned i = 0; i < G_N_ELEMENTS(messages); i++) {
        g_autoptr(Dev) d = skipping();
        TestMessage m = store(0);
        struct veu_command_dispatch command = program(d, &m, messages[i]);
        unsigned first = pieces(d, &command);

        g_assert_cmpuint(first, >, messages[i]);
        g_assert_cmpuint(pieces(d, &command), ==, first);
        dev_assert_no_fault(d);
    }
}

/*
 * A launch that moves while its program is decoded, 64 messages a piece, has
 * all of it decoded in one piece, so that one that moves often ends, too. The
 * next launch takes what it takes in any device.
 */
static void test_a_launch_that_moves_is_loaded_at_once(void)
{
    g_autoptr(Dev) new = skipping();
    g_autoptr(Dev) from = skipping();
    g_autoptr(Dev) to = NULL;
    TestMessage m = store(0), other = store(4);
    struct veu_command_dispatch command = program(new, &m, 500);
    unsigned first = pieces(new, &command), count = 1;

    command = program(from, &m, 500);
    DEV_PUSH(from, command);
    for (unsigned i = 0; i < 5; i++) {
        g_assert_cmpint(dev_step(from, 1), ==, VEU_STEP_MORE);
    }
    to = dev_destination(from);
    state_move(from->device, to->device);
    while (dev_step(to, 1) == VEU_STEP_MORE) {
        count++;
    }
    dev_assert_no_fault(to);
    g_assert_cmphex(take_data(to, 0), ==, VALUE);
    g_assert_cmpuint(count, <=, first - 8);
    command = program(new, &other, 500);
    first = pieces(new, &command);
    command = program(to, &other, 500);
    g_assert_cmpuint(pieces(to, &command), ==, first);
}

/* A device that has run something else continues with a launch. */
static void test_a_state_is_loaded(void)
{
    for (unsigned steps = 1; steps < 8; steps++) {
        g_autoptr(Dev) from = skipping();
        g_autoptr(Dev) to = skipping();
        struct veu_command_dispatch command = storing(from, 8);

        run_dispatch(to, storing(to, 0));
        DEV_PUSH(from, command);
        for (unsigned i = 0; i < steps; i++) {
            dev_step(from, 1);
        }
        move_to(to, from);
        dev_run(to);
        g_assert_cmphex(take_data(to, 8), ==, VALUE);
        g_assert_cmphex(take_data(to, 0), ==, UNTOUCHED);
        dev_assert_no_fault(to);
    }
}

/* Nor does such a device take a message for the one that it ran before. */
static void test_a_message_after_a_state(void)
{
    for (unsigned steps = 1; steps < 12; steps++) {
        g_autoptr(Dev) from = skipping();
        g_autoptr(Dev) to = skipping();
        struct veu_command_message message = inline_message(4, 32);
        struct veu_command_dispatch command = storing(from, 8);

        DEV_PUSH(to, message);
        dev_run(to);
        command.launch.groups = 3;
        DEV_PUSH(from, command);
        for (unsigned i = 0; i < steps; i++) {
            dev_step(from, 1);
        }
        move_to(to, from);
        to->tail = from->tail;
        dev_run(to);
        g_assert_cmphex(take_data(to, 8), ==, VALUE);
        DEV_PUSH(to, message);
        dev_run(to);
        dev_assert_no_fault(to);
        g_assert_cmphex(take_data(to, 8), ==, UNTOUCHED);
        g_assert_cmphex(take_data(to, 4), ==, VALUE + 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/again/" #name, test_##name)
    RULE(a_program_that_stays_runs_again);
    RULE(a_program_changes_in_its_place);
    RULE(lanes_change);
    RULE(a_size_changes);
    RULE(a_program_becomes_bad_and_good_again);
    RULE(a_copy_that_breaks_off);
    RULE(surfaces_change);
    RULE(a_surface_becomes_bad_and_good_again);
    RULE(inline_messages_change);
    RULE(an_inline_message_runs_again_after_a_fault);
    RULE(any_byte_of_an_inline_message_may_change);
    RULE(a_launch_costs_what_it_did_before);
    RULE(a_launch_that_moves_is_loaded_at_once);
    RULE(a_state_is_loaded);
    RULE(a_message_after_a_state);
#undef RULE
    return g_test_run();
}
