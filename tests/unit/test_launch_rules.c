/*
 * veu unit tests: launches that are refused: docs/spec.md, section 6, Checks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/code_builder.h"
#include "tests/lib/device_fixture.h"

/* The offsets of fields in a command, from the tables of spec.md, section 5. */
enum {
    CODE_ADDRESS = 8,
    CODE_BYTES = 16,
    SIMD = 20,
    GRF_BYTES = 21,
    VARIABLE_COUNT = 22,
    PREDICATE_COUNT = 23,
    SURFACE_COUNT = 32,
    SLM_BYTES = 36,
    PAYLOAD_BYTES = 64,
    RESULT_BYTES = 68,
    RESULT_OFFSET = 72,
    THREADS = 80,
    GROUPS = 84,
    STATELESS_BASE = 88,
    STATELESS_BYTES = 96,
    VARIABLES = 128,
    MESSAGE = 192,
};

/* One predicate, 1024 bytes of registers and one message. */
static Dev *fixture(void)
{
    Dev *d = dev_running();
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .offset = test_immediate(0),
                      .data = { 32, 0 } };

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_predicate(&d->program, 8);
    test_program_add(&d->program, &m);
    test_memory_fill(&d->host.memory, DEV_RESULT, 0xee, 64);
    return d;
}

static struct veu_command_message inline_message(void)
{
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .offset = test_immediate(0),
                      .data = { 32, 0 } };
    struct veu_command_message command = dev_message(&m);

    command.launch.variable_count = 2;
    command.launch.predicate_count = 1;
    command.variables[0] = (struct veu_variable){ .elements = 8 };
    command.variables[1] = (struct veu_variable){ .offset = 64,
                                                  .elements = 16 };
    return command;
}

/* Runs a launch with @bytes of its command at @at set to @value. */
static void check(bool dispatch, uint32_t at, unsigned bytes, uint64_t value,
                  uint16_t code, uint32_t detail)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_message message = inline_message();

    if (dispatch) {
        struct veu_command_dispatch command = dev_dispatch(d);

        command.launch.result_bytes = 4;
        memcpy((uint8_t *)&command + at, &value, bytes);
        DEV_PUSH(d, command);
    } else {
        message.launch.result_bytes = 4;
        memcpy((uint8_t *)&message + at, &value, bytes);
        DEV_PUSH(d, message);
    }
    dev_run(d);
    if (!code) {
        dev_assert_no_fault(d);
        return;
    }
    dev_assert_fault(d, 1, code, detail);
    g_assert_cmphex(dev_record(d, 0).group, ==, UINT32_MAX);
    /* "A launch that fails a check has had no effect." */
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE), ==,
                     0);
    g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_RESULT), ==,
                    0xeeeeeeee);
}

static void legal(uint32_t at, unsigned bytes, uint64_t value)
{
    check(true, at, bytes, value, 0, 0);
    check(false, at, bytes, value, 0, 0);
}

static void refused(uint32_t at, unsigned bytes, uint64_t value)
{
    check(true, at, bytes, value, VEU_FAULT_COMMAND_FIELD, at);
    check(false, at, bytes, value, VEU_FAULT_COMMAND_FIELD, at);
}

static void test_simd_is_8_16_or_32(void)
{
    for (unsigned simd = 0; simd < 256; simd++) {
        if (simd == 8 || simd == 16 || simd == 32) {
            legal(SIMD, 1, simd);
        } else {
            refused(SIMD, 1, simd);
        }
    }
}

static void test_code_bytes(void)
{
    check(true, CODE_BYTES, 4, 0, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    check(true, CODE_BYTES, 4, 31, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    check(true, CODE_BYTES, 4, 0x40001, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    check(true, CODE_BYTES, 4, UINT32_MAX, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    /* in range, but different from the program's */
    check(true, CODE_BYTES, 4, 32, VEU_FAULT_PROGRAM_FIELD, 8);
    check(false, CODE_BYTES, 4, 0, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    check(false, CODE_BYTES, 4, 65, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    check(false, CODE_BYTES, 4, UINT32_MAX, VEU_FAULT_COMMAND_FIELD,
          CODE_BYTES);
}

static void test_grf_bytes(void)
{
    for (unsigned grf = 0; grf < 256; grf++) {
        check(true, GRF_BYTES, 1, grf, grf ? VEU_FAULT_COMMAND_FIELD : 0,
              GRF_BYTES);
        check(false, GRF_BYTES, 1, grf,
              grf == 32 || grf == 64 ? 0 : VEU_FAULT_COMMAND_FIELD, GRF_BYTES);
    }
}

static void test_counts_of_declarations(void)
{
    for (unsigned count = 1; count < 256; count += 50) {
        check(true, VARIABLE_COUNT, 1, count, VEU_FAULT_COMMAND_FIELD,
              VARIABLE_COUNT);
        check(true, PREDICATE_COUNT, 1, count, VEU_FAULT_COMMAND_FIELD,
              PREDICATE_COUNT);
    }
    for (unsigned count = 9; count < 256; count += 50) {
        check(false, VARIABLE_COUNT, 1, count, VEU_FAULT_COMMAND_FIELD,
              VARIABLE_COUNT);
        check(false, PREDICATE_COUNT, 1, count, VEU_FAULT_COMMAND_FIELD,
              PREDICATE_COUNT);
    }
    check(false, PREDICATE_COUNT, 1, 8, 0, 0);
}

static void test_surface_count(void)
{
    refused(SURFACE_COUNT, 4, 251);
    refused(SURFACE_COUNT, 4, UINT32_MAX);
}

static void test_slm_bytes(void)
{
    legal(SLM_BYTES, 4, 1);
    legal(SLM_BYTES, 4, 65536);
    refused(SLM_BYTES, 4, 65537);
    refused(SLM_BYTES, 4, UINT32_MAX);
}

/*
 * Legal values are 0, or a header and more, up to the end of the register file:
 * the dispatch has predicates and 1024 bytes of registers, the message 128
 * bytes.
 */
static void test_payload_bytes(void)
{
    for (unsigned bytes = 1; bytes < 64; bytes++) {
        refused(PAYLOAD_BYTES, 4, bytes);
    }
    legal(PAYLOAD_BYTES, 4, 0);
    legal(PAYLOAD_BYTES, 4, 64);
    legal(PAYLOAD_BYTES, 4, 65);
    legal(PAYLOAD_BYTES, 4, 128);
    check(true, PAYLOAD_BYTES, 4, 128 + 1024, 0, 0);
    check(true, PAYLOAD_BYTES, 4, 128 + 1025, VEU_FAULT_COMMAND_FIELD,
          PAYLOAD_BYTES);
    check(false, PAYLOAD_BYTES, 4, 128 + 128, 0, 0);
    check(false, PAYLOAD_BYTES, 4, 128 + 129, VEU_FAULT_COMMAND_FIELD,
          PAYLOAD_BYTES);
    refused(PAYLOAD_BYTES, 4, UINT32_MAX);
}

/* The result lies within the register file. */
static void test_result_bytes_and_offset(void)
{
    check(true, RESULT_BYTES, 4, 1024, 0, 0);
    check(true, RESULT_BYTES, 4, 1025, VEU_FAULT_COMMAND_FIELD, RESULT_BYTES);
    check(true, RESULT_OFFSET, 4, 1020, 0, 0);
    check(true, RESULT_OFFSET, 4, 1021, VEU_FAULT_COMMAND_FIELD, RESULT_BYTES);
    check(true, RESULT_OFFSET, 4, 1025, VEU_FAULT_COMMAND_FIELD, RESULT_OFFSET);
    check(false, RESULT_BYTES, 4, 128, 0, 0);
    check(false, RESULT_BYTES, 4, 129, VEU_FAULT_COMMAND_FIELD, RESULT_BYTES);
    check(false, RESULT_OFFSET, 4, 129, VEU_FAULT_COMMAND_FIELD, RESULT_OFFSET);
    refused(RESULT_BYTES, 4, UINT32_MAX);
    refused(RESULT_OFFSET, 4, UINT32_MAX);
}

static void test_threads_and_groups(void)
{
    refused(THREADS, 4, 0);
    refused(THREADS, 4, 1025);
    refused(THREADS, 4, UINT32_MAX);
    legal(THREADS, 4, 1024);
    refused(GROUPS, 4, 0);
    refused(GROUPS, 4, (1 << 20) + 1);
    refused(GROUPS, 4, UINT32_MAX);
    legal(GROUPS, 4, 50);
}

/* 2^20 groups are legal, and cost more than the ring allows. */
static void test_the_most_groups(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dev_dispatch(d);

    command.launch.groups = 1 << 20;
    dev_disable(d);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, 100);
    dev_enable(d);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
}

/* LIMIT_PROGRAM_BYTES: the header of this program has another size. */
static void test_the_longest_program(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dev_dispatch(d);

    command.launch.code_bytes = 256 * 1024;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD,
                     offsetof(struct veu_program_header, bytes));
}

/* It is copied 64 KiB at a time; a record has the size of all of it. */
static void test_a_long_program_that_is_not_readable(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dev_dispatch(d);

    command.launch.code_address = DEV_RAM + DEV_RAM_BYTES - 0x11000;
    command.launch.code_bytes = 0x20000;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_RAM + DEV_RAM_BYTES);
    g_assert_cmphex(dev_record(d, 0).bytes, ==, 0x20000);
}

/* A step that has copied 64 KiB has used up 64 units. */
static void test_a_long_program_takes_several_steps(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dev_dispatch(d);

    command.launch.code_bytes = 256 * 1024;
    DEV_PUSH(d, command);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpint(dev_step(d, 64), ==, VEU_STEP_MORE);
        dev_assert_no_fault(d);
    }
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD,
                     offsetof(struct veu_program_header, bytes));
}

/* Without code, the address is the handle of a loaded program. */
static void test_handles(void)
{
    static const struct {
        uint64_t handle;
        uint16_t code;
    } cases[] = {
        { 0, VEU_FAULT_COMMAND_FIELD },
        { 1, VEU_FAULT_PROGRAM_HANDLE },
        { VEU_HANDLE_MAX, VEU_FAULT_PROGRAM_HANDLE },
        { VEU_HANDLE_MAX + UINT64_C(1), VEU_FAULT_COMMAND_FIELD },
        { 1 | UINT64_C(1) << 32, VEU_FAULT_COMMAND_FIELD },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Dev) d = fixture();
        struct veu_command_dispatch command = dev_dispatch(d);

        command.launch.code_bytes = 0;
        command.launch.code_address = cases[i].handle;
        DEV_PUSH(d, command);
        dev_run(d);
        dev_assert_fault(d, 1, cases[i].code,
                         cases[i].code == VEU_FAULT_COMMAND_FIELD ?
                             CODE_BYTES :
                             cases[i].handle);
    }
}

/* EU threads of a dispatch run one after the other, so that none can wait. */
static void test_a_barrier_is_for_one_thread(void)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        g_autoptr(Dev) d = dev_running();
        struct veu_command_dispatch command;
        Code code = { 0 };

        CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        command = code_dispatch(d, &code);
        command.launch.threads = threads;
        DEV_PUSH(d, command);
        dev_run(d);
        if (threads == 1) {
            dev_assert_no_fault(d);
        } else {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, THREADS);
        }
    }
}

/* The size is at most 2^32, and base + bytes is less than 2^64. */
static void test_stateless_range(void)
{
    legal(STATELESS_BYTES, 8, UINT64_C(1) << 32);
    refused(STATELESS_BYTES, 8, (UINT64_C(1) << 32) + 1);
    refused(STATELESS_BYTES, 8, UINT64_MAX);
    legal(STATELESS_BASE, 8, UINT64_MAX); /* of no bytes */
}

static void test_a_stateless_range_does_not_wrap(void)
{
    static const struct {
        uint64_t base;
        uint64_t bytes;
        bool legal;
    } ranges[] = {
        { UINT64_MAX - 99, 99, true },
        { UINT64_MAX - 99, 100, false },
        { UINT64_MAX - 99, 101, false },
        { UINT64_MAX, 1, false },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(ranges); i++) {
        g_autoptr(Dev) d = fixture();
        struct veu_command_dispatch command = dev_dispatch(d);

        command.launch.stateless_base = ranges[i].base;
        command.launch.stateless_bytes = ranges[i].bytes;
        DEV_PUSH(d, command);
        dev_run(d);
        if (ranges[i].legal) {
            dev_assert_no_fault(d);
        } else {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, STATELESS_BYTES);
        }
    }
}

static void test_a_message_has_no_code_address(void)
{
    check(false, CODE_ADDRESS, 8, 1, VEU_FAULT_COMMAND_FIELD, CODE_ADDRESS);
    check(false, CODE_ADDRESS, 8, UINT64_C(1) << 63, VEU_FAULT_COMMAND_FIELD,
          CODE_ADDRESS);
}

/* Unused entries of variables and unused bytes of the message are 0. */
static void test_unused_parts_of_a_message_are_0(void)
{
    for (uint32_t at = VARIABLES + 2 * 8; at < MESSAGE; at += 5) {
        check(false, at, 1, 0x40, VEU_FAULT_COMMAND_FIELD, at);
    }
    for (uint32_t at = MESSAGE + 23; at < 256; at += 5) {
        check(false, at, 1, 0x40, VEU_FAULT_COMMAND_FIELD, at);
    }
}

/* A variable of the command; LIMIT_REGISTER_BYTES limits its end. */
static void test_variables_of_a_message(void)
{
    check(false, VARIABLES + 8 + 6, 1, 8, VEU_FAULT_COMMAND_FIELD,
          VARIABLES + 8 + 6);
    check(false, VARIABLES + 8 + 4, 2, 0, VEU_FAULT_COMMAND_FIELD,
          VARIABLES + 8 + 4);
    check(false, VARIABLES + 8 + 7, 1, 1, VEU_FAULT_COMMAND_FIELD,
          VARIABLES + 8 + 7);
    check(false, VARIABLES + 8, 4, 65536 - 64, 0, 0);
    check(false, VARIABLES + 8, 4, 65536 - 63, VEU_FAULT_COMMAND_FIELD,
          VARIABLES + 8);
    check(false, VARIABLES + 8, 4, UINT32_MAX, VEU_FAULT_COMMAND_FIELD,
          VARIABLES + 8);
}

/* Variables V32 to V39; the message uses the last one. */
static void test_a_message_with_all_its_variables(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .offset = test_immediate(0),
                      .data = { 39, 0 } };
    struct veu_command_message command = dev_message(&m);

    command.launch.variable_count = 8;
    for (unsigned i = 0; i < 8; i++) {
        command.variables[i].offset = 4 * i;
        command.variables[i].elements = 1;
    }
    command.launch.result_bytes = 32;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_no_fault(d);
}

/* Two messages would fit, but only one is legal. */
static void test_code_bytes_is_exactly_one_message(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_message command = inline_message();

    memcpy(command.message + 23, command.message, 23);
    command.launch.code_bytes = 46;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, CODE_BYTES);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_MESSAGE), ==,
                     0);
}

static void test_an_inline_message_that_is_cut_short(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_message command = inline_message();

    command.launch.code_bytes = 22;
    command.message[22] = 0;
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_TRUNCATED, 22);
}

/* ... and the remaining bytes of code_bytes are not a message. */
static void test_an_inline_message_with_bytes_behind_it(void)
{
    check(false, CODE_BYTES, 4, 24, VEU_FAULT_MESSAGE_OPCODE, 0);
    check(false, CODE_BYTES, 4, 64, VEU_FAULT_MESSAGE_OPCODE, 0);
}

/*
 * The register file ends with the variable that ends last; here there is none.
 */
static void test_a_message_without_variables_has_no_registers(void)
{
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .offset = test_immediate(0) };

    for (uint32_t bytes = 0; bytes < 2; bytes++) {
        g_autoptr(Dev) d = fixture();
        struct veu_command_message command = dev_message(&m);

        command.launch.result_bytes = bytes;
        DEV_PUSH(d, command);
        dev_run(d);
        if (bytes) {
            dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, RESULT_BYTES);
        } else {
            dev_assert_no_fault(d);
        }
    }
}

static void test_an_illegal_inline_message(void)
{
    check(false, MESSAGE + 1, 1, 3, VEU_FAULT_MESSAGE_FIELD, 1);
    check(false, MESSAGE, 1, 0, VEU_FAULT_MESSAGE_OPCODE, 0);
}

/* Breaks all fields of the text's table, then repairs them in its order. */
static void test_the_order_of_the_checks(void)
{
    static const struct {
        uint32_t at;
        unsigned bytes;
        uint64_t bad;
    } order[] = {
        { CODE_BYTES, 4, 1 },
        { GRF_BYTES, 1, 9 },
        { VARIABLE_COUNT, 1, 9 },
        { PREDICATE_COUNT, 1, 9 },
        { SIMD, 1, 9 },
        { SURFACE_COUNT, 4, 999 },
        { SLM_BYTES, 4, 99999 },
        { PAYLOAD_BYTES, 4, 3 },
        { THREADS, 4, 0 },
        { GROUPS, 4, 0 },
        { STATELESS_BYTES, 8, UINT64_MAX },
    };
    struct veu_command_dispatch good;
    struct veu_command_dispatch bad;

    {
        g_autoptr(Dev) d = fixture();

        good = bad = dev_dispatch(d);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
        memcpy((uint8_t *)&bad + order[i].at, &order[i].bad, order[i].bytes);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
        g_autoptr(Dev) d = fixture();

        dev_dispatch(d);
        DEV_PUSH(d, bad);
        dev_run(d);
        dev_assert_fault(d, 1, VEU_FAULT_COMMAND_FIELD, order[i].at);
        memcpy((uint8_t *)&bad + order[i].at, (uint8_t *)&good + order[i].at,
               order[i].bytes);
    }
}

/* Faults with an address name the first byte that cannot be accessed. */
static void check_memory(struct veu_command_dispatch command, Dev *d,
                         uint16_t code, uint64_t address, uint32_t bytes)
{
    struct veu_fault_record r;

    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, code, 0);
    r = dev_record(d, 0);
    g_assert_cmphex(r.address, ==, address);
    g_assert_cmpuint(r.bytes, ==, bytes);
    g_assert_cmpuint(r.access, ==, VEU_ACCESS_READ);
    g_assert_cmphex(r.message_offset, ==, UINT32_MAX);
    g_assert_cmphex(r.group, ==, UINT32_MAX);
}

static void test_the_program_is_readable(void)
{
    const uint64_t end = DEV_RAM + DEV_RAM_BYTES;

    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Dev) d = fixture();
        struct veu_command_dispatch command = dev_dispatch(d);

        command.launch.code_address = i ? end - 16 : DEV_HOLE;
        check_memory(command, d, VEU_FAULT_PROGRAM_MEMORY, i ? end : DEV_HOLE,
                     command.launch.code_bytes);
    }
}

static void test_an_illegal_program(void)
{
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch command = dev_dispatch(d);

    test_memory_put32(&d->host.memory, DEV_PROGRAM, 0);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD, 0);
}

/* All messages are checked before one runs. */
static void test_an_illegal_message_behind_legal_ones(void)
{
    g_autoptr(Dev) d = fixture();
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .surface = 5,
                          .num_blocks = 2,
                          .offset = test_immediate(0) };
    struct veu_command_dispatch command;
    uint32_t at;

    for (unsigned i = 0; i < 200; i++) {
        test_program_add(&d->program, &store);
    }
    store.pred = 2;
    at = test_program_add(&d->program, &store);
    command = dev_dispatch(d);
    command.launch.stateless_base = DEV_DATA;
    command.launch.stateless_bytes = 4;
    test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 4);
    DEV_PUSH(d, command);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_MESSAGE_PREDICATE, 2);
    g_assert_cmpuint(dev_record(d, 0).message_offset, ==, at);
    g_assert_cmphex(dev_record(d, 0).message_opcode, ==, 0x79);
    g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA), ==,
                    0xeeeeeeee);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/launch_rules/" #name, test_##name)
    RULE(simd_is_8_16_or_32);
    RULE(code_bytes);
    RULE(grf_bytes);
    RULE(counts_of_declarations);
    RULE(surface_count);
    RULE(slm_bytes);
    RULE(payload_bytes);
    RULE(result_bytes_and_offset);
    RULE(threads_and_groups);
    RULE(the_most_groups);
    RULE(the_longest_program);
    RULE(a_long_program_that_is_not_readable);
    RULE(a_long_program_takes_several_steps);
    RULE(handles);
    RULE(a_barrier_is_for_one_thread);
    RULE(stateless_range);
    RULE(a_stateless_range_does_not_wrap);
    RULE(a_message_has_no_code_address);
    RULE(unused_parts_of_a_message_are_0);
    RULE(variables_of_a_message);
    RULE(a_message_with_all_its_variables);
    RULE(code_bytes_is_exactly_one_message);
    RULE(an_inline_message_that_is_cut_short);
    RULE(an_inline_message_with_bytes_behind_it);
    RULE(a_message_without_variables_has_no_registers);
    RULE(an_illegal_inline_message);
    RULE(the_order_of_the_checks);
    RULE(the_program_is_readable);
    RULE(an_illegal_program);
    RULE(an_illegal_message_behind_legal_ones);
#undef RULE
    return g_test_run();
}
