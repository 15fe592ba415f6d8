/*
 * veu unit tests: programs of instructions in the device model: DISPATCH,
 * budgets, and devices whose work continues elsewhere.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "tests/lib/code_builder.h"
#include "tests/lib/device_fixture.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

#define RESULT_BYTES 64

/* A dispatch whose result is V32. */
static struct veu_command_dispatch dispatch(Dev *d, const Code *code)
{
    struct veu_command_dispatch c = code_dispatch(d, code);

    c.launch.result_bytes = RESULT_BYTES;
    return c;
}

/*
 * Lane i adds i + 3 that number of times, in a subroutine; the result is in
 * V32.
 */
static Code make_loop(void)
{
    Code code = { 0 };
    uint32_t sum = code_variable(&code, 0, 8, VEU_TYPE_D);
    uint32_t left = code_variable(&code, 64, 8, VEU_TYPE_D);
    uint32_t step = code_variable(&code, 96, 8, VEU_TYPE_D);
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);
    unsigned adds = code_new_label(&code, VEU_LABEL_SUBROUTINE);

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(left),
             op_imm(VEU_TYPE_UV, 0x76543210));
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(left), op_lanes(left),
             op_imm(VEU_TYPE_D, 3));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(step), op_lanes(left));
    code_add_label(&code, loop);
    CODE_ADD(&code, "call", size_m1(8), 0, adds, { 0 });
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(left), op_lanes(left),
             op_imm(VEU_TYPE_D, -1));
    CODE_ADD(&code, "cmp", size_m1(8), 0, 2, op_pred(1), op_lanes(left),
             op_imm(VEU_TYPE_D, 0));
    CODE_ADD(&code, "goto", size_m1(8), 1, loop, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&code, adds);
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(sum), op_lanes(sum),
             op_lanes(step));
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    return code;
}

static void assert_result(Dev *d)
{
    int32_t result[8];

    test_memory_get(&d->host.memory, DEV_RESULT, result, sizeof(result));
    for (int i = 0; i < 8; i++) {
        g_assert_cmpint(result[i], ==, (i + 3) * (i + 3));
    }
    dev_assert_no_fault(d);
}

static void test_a_dispatch_runs_a_program(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = make_loop();
    struct veu_command_dispatch c = dispatch(d, &code);

    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_result(d);
}

/* --- A host that halts --------------------------------------------------- */

static struct {
    unsigned awaited;
    bool halts;
    unsigned in_step; /* instructions */
    unsigned instructions;
    unsigned starts;
} debugger;

static void debugger_event(VeuHost *host, const VeuEvent *e)
{
    bool starts = e->kind == VEU_EVENT_THREAD && !e->value;

    debugger.in_step += e->kind == VEU_EVENT_INSTRUCTION;
    debugger.instructions += e->kind == VEU_EVENT_INSTRUCTION;
    debugger.starts += starts;
    if (debugger.halts && (starts || e->kind == VEU_EVENT_INSTRUCTION)) {
        host->halted = true;
        debugger.awaited = 1;
    }
}

/* Runs what is pushed. If @halts, each event is the last one in its step. */
static void debug(Dev *d, bool halts)
{
    VeuStep step;

    memset(&debugger, 0, sizeof(debugger));
    debugger.halts = halts;
    d->host.host.event = debugger_event;
    d->host.host.awaited = &debugger.awaited;
    do {
        unsigned starts = debugger.starts;

        d->host.host.halted = false;
        debugger.awaited = 0;
        debugger.in_step = 0;
        step = dev_step(d, 64);
        g_assert_true(!halts ||
                      debugger.in_step + debugger.starts - starts <= 1);
    } while (step == VEU_STEP_MORE);
}

static void test_a_host_halts_before_any_instruction(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = make_loop();
    struct veu_command_dispatch c = dispatch(d, &code);
    unsigned instructions;

    c.launch.groups = 2;
    DEV_PUSH(d, c);
    debug(d, false);
    instructions = debugger.instructions;
    g_assert_cmpuint(instructions, >, 50);
    g_assert_cmpuint(debugger.starts, ==, 2);
    test_memory_fill(&d->host.memory, DEV_RESULT, 0, RESULT_BYTES);
    DEV_PUSH(d, c);
    debug(d, true);
    g_assert_cmpuint(debugger.instructions, ==, instructions);
    assert_result(d);
}

/* Three groups of KERNEL_THREADS EU threads, with barriers. */
static void test_a_host_halts_in_a_kernel(void)
{
    static const uint32_t grid[3] = { 3, 1, 1 };
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_sums(2);
    struct veu_command_kernel c = kernel_command(d, &code, grid);

    c.slm_bytes = 4 * KERNEL_ITEMS;
    c.groups_in_flight = 2;
    DEV_PUSH(d, c);
    debug(d, true);
    dev_assert_no_fault(d);
    g_assert_cmpuint(debugger.starts, ==, 3 * KERNEL_THREADS);
    for (unsigned n = 0; n < 3 * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(2, n % KERNEL_ITEMS));
    }
}

/*
 * Moves the device after each step of one piece, so the saved state is all
 * there is. Returns the last device.
 */
static Dev *run_moving(Dev *d, unsigned least)
{
    unsigned moves = 0;

    while (dev_step(d, 1) == VEU_STEP_MORE) {
        Dev *to = dev_destination(d);

        state_move(d->device, to->device);
        dev_free(d);
        d = to;
        g_assert_cmpuint(++moves, <, 1000);
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(moves, >, least);
    return d;
}

static void test_it_continues_elsewhere_at_any_time(void)
{
    Code code = make_loop();
    Dev *d = dev_running();
    struct veu_command_dispatch c = dispatch(d, &code);

    DEV_PUSH(d, c);
    d = run_moving(d, 20);
    assert_result(d);
    dev_free(d);
}

/* Several pieces of work, which add ONES to V32. */
#define ONES 400

static void add_ones(Code *code, unsigned lanes)
{
    uint32_t v = 32;

    for (unsigned i = 0; i < ONES; i++) {
        CODE_ADD(code, "add", size_m1(lanes), 0, 0, op_dst(v), op_lanes(v),
                 op_imm(VEU_TYPE_D, 1));
    }
}

static void assert_lanes(Dev *d, unsigned first, unsigned end, int32_t value)
{
    for (unsigned lane = first; lane < end; lane++) {
        g_assert_cmpint(test_memory_get32(&d->host.memory,
                                          DEV_RESULT + 4 * lane),
                        ==, value);
    }
}

static void test_the_last_of_32_lanes_continues_elsewhere(void)
{
    Code code = { 0 };
    Dev *d = dev_running();
    struct veu_command_dispatch c;

    code_variable(&code, 0, 32, VEU_TYPE_D);
    add_ones(&code, 32);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = dispatch(d, &code);
    c.launch.simd = 32;
    c.launch.exec_mask = UINT32_MAX;
    c.launch.result_bytes = 128;
    DEV_PUSH(d, c);
    d = run_moving(d, 5);
    assert_lanes(d, 0, 32, ONES);
    dev_free(d);
}

/* Returns true if the saved state has eight lanes at @offset of the code. */
static bool has_lanes_at(Dev *d, uint32_t offset)
{
    g_autoptr(GByteArray) state = state_save(d->device);
    uint32_t places[8];

    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        places[i] = offset;
    }
    return memmem(state->data, state->len, places, sizeof(places));
}

/*
 * Lanes 8 to 15 repeat a loop whose goto is the last instruction. The others
 * wait past it, where the code ends.
 */
static void test_lanes_past_the_end_continue_elsewhere(void)
{
    enum {
        M3 = 2 << 4,
        NOT_LESS = 3,
    };
    Code code = { 0 };
    uint32_t v = code_variable(&code, 0, 16, VEU_TYPE_D);
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);
    Dev *d = dev_running();
    struct veu_command_dispatch c;

    code_add_label(&code, loop);
    add_ones(&code, 16);
    CODE_ADD(&code, "cmp", size_m1(16), 0, NOT_LESS, op_pred(1), op_lanes(v),
             op_imm(VEU_TYPE_D, 3 * ONES));
    CODE_ADD(&code, "ret", size_m1(16), 1, 0, { 0 });
    CODE_ADD(&code, "goto", M3 | size_m1(8), 0, loop, { 0 });
    c = dispatch(d, &code);
    c.launch.simd = 16;
    c.launch.exec_mask = UINT16_MAX;
    c.launch.result_bytes = 64;
    DEV_PUSH(d, c);
    while (!has_lanes_at(d, code.count)) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    d = run_moving(d, 5);
    assert_lanes(d, 0, 8, ONES);
    assert_lanes(d, 8, 16, 3 * ONES);
    dev_free(d);
}

/* A surface variable names entry 1 of the table, until a store uses it. */
static void test_state_variables_continue_elsewhere(void)
{
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .num_blocks = 2,
                          .surface = VEU_FIRST_SURFACE,
                          .offset = test_immediate(0),
                          .address = { 33, 0 },
                          .data = { 32, 0 } };
    Code code = { .surface_count = 1 };
    Dev *d = dev_running();
    struct veu_command_dispatch c;

    code_variable(&code, 0, 8, VEU_TYPE_D);
    code_variable(&code, 64, 8, VEU_TYPE_UD);
    CODE_ADD(&code, "movs", size_nm(1), 0, 0,
             (Op){ .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE },
             op_imm(VEU_TYPE_UD, 1));
    add_ones(&code, 8);
    code_add_message(&code, &store);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    dev_buffer(d, 0, DEV_DATA, 4);
    dev_buffer(d, 1, DEV_DATA + 4, 4);
    c = dispatch(d, &code);
    c.launch.surface_count = 2;
    DEV_PUSH(d, c);
    d = run_moving(d, 5);
    g_assert_cmpint(test_memory_get32(&d->host.memory, DEV_DATA), ==, 0);
    g_assert_cmpint(test_memory_get32(&d->host.memory, DEV_DATA + 4), ==, ONES);
    dev_free(d);
}

static void test_an_endless_loop_ends_with_the_budget(void)
{
    g_autoptr(Dev) d = dev_new();
    Code code = { 0 };
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);
    struct veu_command_dispatch c;

    code_add_label(&code, loop);
    CODE_ADD(&code, "goto", size_m1(1), 0, loop, { 0 });
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, 1000);
    dev_enable(d);
    c = dispatch(d, &code);
    DEV_PUSH(d, c);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
}

/*
 * The index in the surface variable selects the surface, not the variable's
 * number.
 */
static void test_an_index_that_the_table_lacks_is_a_fault(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { .surface_count = 1 };
    uint32_t v = code_variable(&code, 0, 8, VEU_TYPE_UD);
    Op t6 = { .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE };
    struct veu_command_dispatch c;
    TestCode store;
    uint32_t offset;

    CODE_ADD(&code, "movs", size_nm(1), 0, 0, t6, op_imm(VEU_TYPE_UD, 253));
    offset = code.count;
    store = test_encode(&(TestMessage){ .kind = TEST_SCATTER_SCALED,
                                        .exec = TEST_LANES_8,
                                        .num_blocks = 2,
                                        .surface = 6,
                                        .offset = test_immediate(0),
                                        .address = { v, 0 },
                                        .data = { v, 0 } });
    memcpy(code.bytes + offset, store.bytes, store.count);
    code.count += store.count;
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = dispatch(d, &code);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_INDEX, 0);
    g_assert_cmpuint(dev_record(d, 0).message_offset, ==, offset);
    g_assert_cmphex(dev_record(d, 0).message_opcode, ==, store.bytes[0]);
}

/* A move from an address past the registers, which is in the payload. */
static void test_a_fault_names_its_instruction(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { 0 };
    uint32_t v = code_variable(&code, 0, 8, VEU_TYPE_UD);
    Op outside = { .class = VEU_OPERAND_INDIRECT,
                   .type = VEU_TYPE_UD,
                   .region = VEU_REGION(VEU_REGION_NONE, 2, 1) };
    const uint64_t addresses = DEV_PAYLOAD + 80; /* after four predicates */
    struct veu_command_dispatch c;
    uint32_t offset;

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(v), op_imm(VEU_TYPE_UD, 1));
    offset = code.count;
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(v), outside);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = dispatch(d, &code);
    c.launch.payload_bytes = 128;
    test_memory_put32(&d->host.memory, DEV_PAYLOAD, 0xff);
    test_memory_put32(&d->host.memory, addresses, CODE_REGISTER_BYTES);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_INDIRECT, CODE_REGISTER_BYTES);
    g_assert_cmpuint(dev_record(d, 0).message_offset, ==, offset);
    g_assert_cmphex(dev_record(d, 0).message_opcode, ==, code.bytes[offset]);
}

/* For a host that wants no events of messages: all lanes have one address. */
static void test_contracts_are_reported(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { 0 };
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_8,
                      .num_blocks = 2,
                      .offset = test_immediate(0),
                      .address = { 32, 0 },
                      .data = { 32, 0 } };
    struct veu_command_dispatch c;

    code_variable(&code, 0, 8, VEU_TYPE_UD);
    code_add_message(&code, &m);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = dispatch(d, &code);
    c.launch.slm_bytes = 64;
    d->device->config.eu.check = true;
    d->host.host.events = 1u << VEU_EVENT_CONTRACT;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_CONTRACT), ==,
                     1);
}

/*
 * Programs of instructions use 16 bits of an address in local memory, by fast
 * paths and, where contracts are traced, by executors.
 */
static void check_addresses_of_local_memory(bool check)
{
    g_autoptr(Dev) d = dev_running();
    Code code = { 0 };
    uint32_t result = code_variable(&code, 0, 8, VEU_TYPE_UD);
    uint32_t address = code_variable(&code, 64, 8, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 96, 8, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .exec = TEST_LANES_1,
                      .num_blocks = 2,
                      .offset = test_immediate(0),
                      .address = { address, 0 },
                      .data = { data, 0 } };
    struct veu_command_dispatch c;

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(address),
             op_imm(VEU_TYPE_UD, 0x10004));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(data),
             op_imm(VEU_TYPE_UD, 7));
    code_add_message(&code, &m);
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(address),
             op_imm(VEU_TYPE_UD, 4));
    m.kind = TEST_GATHER_SCALED;
    m.data.id = result;
    code_add_message(&code, &m);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = dispatch(d, &code);
    c.launch.slm_bytes = 64;
    d->device->config.eu.check = check;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_RESULT), ==, 7);
}

static void test_addresses_of_local_memory_wrap(void)
{
    check_addresses_of_local_memory(false);
    check_addresses_of_local_memory(true);
}

/* Entries 0, 2 and 3 are dwords of DEV_DATA. Entry 1 is unused. */
static void put_table(Dev *d)
{
    struct veu_surface unused = { .type = VEU_SURFACE_NULL };

    dev_buffer(d, 0, DEV_DATA, 4);
    dev_surface(d, 1, &unused);
    dev_buffer(d, 2, DEV_DATA + 8, 4);
    dev_buffer(d, 3, DEV_DATA + 12, 4);
}

/*
 * A lane stores a dword through T6 or T7, whose index is @index, to a table of
 * 3 entries. The lane may be off.
 */
static struct veu_command_dispatch storing(Dev *d, unsigned variable,
                                           uint32_t index, bool runs)
{
    Code code = { .surface_count = 2 };
    uint32_t zero = code_variable(&code, 0, 1, VEU_TYPE_UD);
    uint32_t data = code_variable(&code, 32, 1, VEU_TYPE_UD);
    Op state = { .class = VEU_OPERAND_STATE,
                 .id = VEU_FIRST_SURFACE + variable };
    TestMessage store = { .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_1,
                          .pred = runs ? 0x8001 : 1,
                          .num_blocks = 2,
                          .surface = VEU_FIRST_SURFACE + variable,
                          .offset = test_immediate(0),
                          .address = { zero, 0 },
                          .data = { data, 0 } };
    struct veu_command_dispatch c;

    CODE_ADD(&code, "movs", size_nm(1), 0, 0, state,
             op_imm(VEU_TYPE_UD, index));
    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(data),
             op_imm(VEU_TYPE_UD, 0x1234));
    CODE_ADD(&code, "setp", size_nm(32), 0, 0, op_pred(1),
             op_imm(VEU_TYPE_UD, 0));
    code_add_message(&code, &store);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = dispatch(d, &code);
    c.launch.surface_count = 3;
    return c;
}

/* A launch before had 4 entries, so that the fourth is in the device. */
static void assert_stores(unsigned variable, unsigned index, bool named)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch c = storing(d, 1, 3, true);

    put_table(d);
    c.launch.surface_count = 4;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    test_memory_put32(&d->host.memory, DEV_DATA + 12, 0);
    c = storing(d, variable, index, true);
    DEV_PUSH(d, c);
    dev_run(d);
    if (!named) {
        dev_assert_fault(d, 1, VEU_FAULT_SURFACE_INDEX, 0);
    }
    for (unsigned n = 0; n < 4; n++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                        ==, named && n == index ? 0x1234 : 0);
    }
}

static void test_any_variable_may_name_any_entry(void)
{
    for (unsigned variable = 0; variable < 2; variable++) {
        assert_stores(variable, 0, true);
        assert_stores(variable, 1, false);
        assert_stores(variable, 2, true);
        assert_stores(variable, 3, false);
    }
}

/* All bytes of its descriptor are 0: it is legal, and nothing may access it. */
static void test_an_empty_entry_is_null(void)
{
    const struct veu_surface empty = { 0 };
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch c = storing(d, 1, 1, true);

    put_table(d);
    dev_surface(d, 1, &empty);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_SURFACE_INDEX, 0);
}

/* A message without lanes accesses no surface, so it may have any index. */
static void test_without_lanes_the_index_does_not_matter(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_dispatch c = storing(d, 1, 253, false);

    put_table(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
}

/*
 * docs/spec.md, section 17: if bit n of CAP_PROGRAM_KINDS is set, kind n runs.
 */
static void test_the_kinds_that_are_announced_run(void)
{
    uint32_t kind_at = offsetof(struct veu_program_header, kind);

    for (uint16_t kind = VEU_PROGRAM_INSTRUCTIONS; kind < 4; kind++) {
        g_autoptr(Dev) d = dev_running();
        Code code = make_loop();
        struct veu_command_dispatch c = dispatch(d, &code);
        uint32_t kinds = dev_read(d, VEU_REG_CAP_PROGRAM_KINDS, 4);

        test_memory_put(&d->host.memory, DEV_PROGRAM + kind_at, &kind,
                        sizeof(kind));
        DEV_PUSH(d, c);
        dev_run(d);
        if (kinds >> kind & 1) {
            assert_result(d);
        } else {
            dev_assert_fault(d, 1, VEU_FAULT_PROGRAM_FIELD, kind_at);
        }
        g_assert_cmpint(kinds >> kind & 1, ==,
                        kind == VEU_PROGRAM_INSTRUCTIONS);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/instruction-device/a-dispatch-runs-a-program",
                    test_a_dispatch_runs_a_program);
    g_test_add_func("/instruction-device/a-host-halts-before-any-instruction",
                    test_a_host_halts_before_any_instruction);
    g_test_add_func("/instruction-device/halts-in-kernel",
                    test_a_host_halts_in_a_kernel);
    g_test_add_func("/instruction-device/it-continues-elsewhere-at-any-time",
                    test_it_continues_elsewhere_at_any_time);
    g_test_add_func(
        "/instruction-device/the-last-of-32-lanes-continues-elsewhere",
        test_the_last_of_32_lanes_continues_elsewhere);
    g_test_add_func("/instruction-device/lanes-past-the-end-continue-elsewhere",
                    test_lanes_past_the_end_continue_elsewhere);
    g_test_add_func("/instruction-device/state-variables-continue-elsewhere",
                    test_state_variables_continue_elsewhere);
    g_test_add_func("/instruction-device/an-endless-loop-ends-with-the-budget",
                    test_an_endless_loop_ends_with_the_budget);
    g_test_add_func(
        "/instruction-device/an-index-that-the-table-lacks-is-a-fault",
        test_an_index_that_the_table_lacks_is_a_fault);
    g_test_add_func("/instruction-device/a-fault-names-its-instruction",
                    test_a_fault_names_its_instruction);
    g_test_add_func("/instruction-device/contracts-are-reported",
                    test_contracts_are_reported);
    g_test_add_func("/instruction-device/addresses-of-local-memory-wrap",
                    test_addresses_of_local_memory_wrap);
    g_test_add_func("/instruction-device/any-variable-may-name-any-entry",
                    test_any_variable_may_name_any_entry);
    g_test_add_func("/instruction-device/an-empty-entry-is-null",
                    test_an_empty_entry_is_null);
    g_test_add_func(
        "/instruction-device/without-lanes-the-index-does-not-matter",
        test_without_lanes_the_index_does_not_matter);
    g_test_add_func("/instruction-device/the_kinds_that_are_announced_run",
                    test_the_kinds_that_are_announced_run);
    return g_test_run();
}
