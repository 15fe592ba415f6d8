/*
 * veu unit tests: every row of the table of faults can happen: docs/spec.md,
 * section 10. test_fault_matrix.c tests in which messages and lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/code_builder.h"
#include "tests/lib/scanout_fixture.h"

/* ---- the ring ---- */

static void enable_with(Dev *d, uint32_t reg, uint64_t value)
{
    dev_setup(d);
    dev_ring_set(d, reg, value);
    dev_enable(d);
    dev_run(d);
}

static void bad_register(Dev *d)
{
    enable_with(d, VEU_REG_RING_SLOTS, 3);
}

static void bad_tail(Dev *d)
{
    enable_with(d, VEU_REG_RING_POLICY, VEU_POLICY_HALT);
    d->tail = DEV_SLOTS + 1;
    dev_publish(d);
    dev_run(d);
}

static void ring_in_a_hole(Dev *d)
{
    enable_with(d, VEU_REG_RING_BASE, DEV_HOLE);
    d->tail++;
    dev_publish(d);
    dev_run(d);
}

static void with_windows(Dev *d, uint64_t table)
{
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 1, 4);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOW_COUNT, 1, 4);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOWS, table, 8);
    enable_with(d, VEU_REG_RING_CONTEXT, 0);
}

static void no_window_table(Dev *d)
{
    with_windows(d, DEV_HOLE);
}

static void bad_window(Dev *d)
{
    with_windows(d, DEV_DATA); /* zeroes: a window of 0 bytes */
}

/* ---- commands ---- */

static void run(Dev *d, const void *command, unsigned slots)
{
    dev_setup(d);
    dev_enable(d);
    dev_push(d, command, slots);
    dev_run(d);
}
#define RUN(d, command) run((d), &(command), sizeof(command) / VEU_SLOT_BYTES)

static void unknown_command(Dev *d)
{
    struct veu_command_nop c = dev_nop(1);

    c.header.opcode = 0xff;
    RUN(d, c);
}

static void bad_command_field(Dev *d)
{
    struct veu_command_nop c = dev_nop(1);

    c.reserved[0] = 1;
    RUN(d, c);
}

static void fence_in_a_hole(Dev *d)
{
    struct veu_command_fence c = dev_fence(1);

    c.address = DEV_HOLE;
    RUN(d, c);
}

static void wait_in_vain(Dev *d)
{
    struct veu_command_wait c = { .header = { VEU_COMMAND_WAIT, 1, 0, 1 },
                                  .address = DEV_FENCE,
                                  .mask = UINT64_MAX,
                                  .value = 1,
                                  .timeout_ns = 5 };

    RUN(d, c);
    d->host.now_ns += 5;
    dev_run(d);
}

static void long_command(Dev *d)
{
    struct veu_command_fill c = { .header = { VEU_COMMAND_FILL, 1, 0, 1 },
                                  .destination = DEV_PROGRAM,
                                  .bytes = 0x20000 };

    dev_ring_set(d, VEU_REG_RING_BUDGET, 1);
    RUN(d, c);
}

/* ---- launches ---- */

static void launch_in_a_hole(Dev *d)
{
    struct veu_command_dispatch c = dev_dispatch(d);

    c.launch.code_address = DEV_HOLE;
    RUN(d, c);
}

static void bad_program(Dev *d)
{
    struct veu_command_dispatch c;

    d->program.header.magic++;
    c = dev_dispatch(d);
    RUN(d, c);
}

/* A program of fences, 2 bytes each, with one more than the limit. */
static void long_program(Dev *d)
{
    struct veu_command_dispatch c = dev_dispatch(d);
    struct veu_program_header header = d->program.header;
    struct veu_section code = { VEU_SECTION_CODE, 48, 2 * 8193, 0 };

    header.section_count = 1;
    header.bytes = c.launch.code_bytes = code.offset + code.bytes;
    test_memory_put(&d->host.memory, DEV_PROGRAM, &header, sizeof(header));
    test_memory_put(&d->host.memory, DEV_PROGRAM + 32, &code, sizeof(code));
    for (unsigned i = 0; i < 8193; i++) {
        test_memory_put(&d->host.memory, DEV_PROGRAM + code.offset + 2 * i,
                        "\x5c", 2);
    }
    RUN(d, c);
}

static void unknown_handle(Dev *d)
{
    struct veu_command_dispatch c = dev_dispatch(d);

    c.launch.code_address = VEU_HANDLE_MAX;
    c.launch.code_bytes = 0;
    RUN(d, c);
}

#define PROGRAM_MEMORY 4096

static void too_large_for_the_memory(Dev *d)
{
    struct veu_command_load c = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = DEV_PROGRAM,
        .code_bytes = PROGRAM_MEMORY + 1,
        .program = 1,
        .simd = 8,
    };

    RUN(d, c);
}

static struct veu_command_dispatch naming_a_surface(Dev *d)
{
    TestMessage m = { .kind = TEST_SCATTER_SCALED,
                      .num_blocks = 2,
                      .surface = 6,
                      .offset = test_immediate(0) };

    test_program_add(&d->program, &m);
    return dev_dispatch(d);
}

static void no_surface_table(Dev *d)
{
    struct veu_command_dispatch c = naming_a_surface(d);

    c.launch.surface_table = DEV_HOLE;
    c.launch.surface_count = 1;
    RUN(d, c);
}

static void bad_surface(Dev *d)
{
    struct veu_command_dispatch c = naming_a_surface(d);
    struct veu_surface s = { .type = 6 };

    dev_surface(d, 0, &s);
    c.launch.surface_count = 1;
    RUN(d, c);
}

static void no_payload(Dev *d)
{
    struct veu_command_dispatch c = dev_dispatch(d);

    c.launch.payload_address = DEV_HOLE;
    c.launch.payload_bytes = 64;
    RUN(d, c);
}

static void bad_payload(Dev *d)
{
    struct veu_command_dispatch c = dev_dispatch(d);

    test_memory_put32(&d->host.memory, DEV_PAYLOAD + 4, 1);
    c.launch.payload_bytes = 64;
    RUN(d, c);
}

static void no_result(Dev *d)
{
    struct veu_command_dispatch c = dev_dispatch(d);

    c.launch.result_address = DEV_ROM;
    c.launch.result_bytes = 4;
    RUN(d, c);
}

/* ---- messages ---- */

/* Stores a dword of variable 32 at the offset of its own value, statelessly. */
static TestMessage sound_message(void)
{
    return (TestMessage){ .kind = TEST_SCATTER_SCALED,
                          .exec = TEST_LANES_8,
                          .num_blocks = 2,
                          .surface = 5,
                          .offset = test_immediate(0),
                          .address = { 32, 0 },
                          .data = { 32, 0 } };
}

/* Runs a message with strict types; surface 6 has 8 texels of R32_FLOAT. */
static void run_message(Dev *d, const TestMessage *message, unsigned cut_bytes)
{
    struct veu_surface s = { .base = DEV_DATA,
                             .format = VEU_FORMAT_R32_FLOAT,
                             .type = VEU_SURFACE_1D,
                             .width = 8,
                             .levels = 1 };
    struct veu_command_dispatch c;

    dev_surface(d, 0, &s);
    test_program_variable(&d->program, 0, 16, VEU_TYPE_UD);
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
    test_program_address(&d->program, 1);
    test_program_add(&d->program, message);
    d->program.code_bytes -= cut_bytes;
    c = dev_dispatch(d);
    c.launch.surface_count = 1;
    c.launch.stateless_base = DEV_HOLE;
    c.launch.stateless_bytes = 4096;
    RUN(d, c);
}

static void unknown_message(Dev *d)
{
    TestMessage m = sound_message();
    struct veu_command_dispatch c;

    test_program_add(&d->program, &m);
    d->program.code[0] = 0;
    c = dev_dispatch(d);
    RUN(d, c);
}

static void cut_message(Dev *d)
{
    TestMessage m = sound_message();

    run_message(d, &m, 1);
}

#define MESSAGE(name, ...)               \
    static void name(Dev *d)             \
    {                                    \
        TestMessage m = sound_message(); \
                                         \
        __VA_ARGS__;                     \
        run_message(d, &m, 0);           \
    }
MESSAGE(bad_message_field, m.num_blocks = 3)
MESSAGE(bad_operand, m.data.id = 40)
MESSAGE(bad_predicate, m.pred = TEST_PRED(1))
MESSAGE(too_many_lanes, m.exec = TEST_LANES_16)
MESSAGE(no_surface, m.surface = 7)
MESSAGE(wrong_surface, m.surface = 6)
MESSAGE(special_surface, m.surface = 1)
MESSAGE(lane_in_a_hole, (void)0)
MESSAGE(misaligned_lane, m.kind = TEST_SCATTER4_SCALED, m.channels = 1,
        m.offset = test_immediate(1))
MESSAGE(wrong_type, m.kind = TEST_SCATTER4_TYPED, m.channels = 1, m.surface = 6)
MESSAGE(far_operand, m.offset = test_indirect(0, 0, -1, VEU_TYPE_UD))
#undef MESSAGE

/* ---- programs of instructions ---- */

static void run_code(Dev *d, Code *code)
{
    struct veu_command_dispatch c = code_dispatch(d, code);

    RUN(d, c);
}

static void lost_label(Dev *d)
{
    Code code = { 0 };

    code_new_label(&code, VEU_LABEL_BLOCK);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    run_code(d, &code);
}

static void no_return(Dev *d)
{
    Code code = { 0 };

    CODE_ADD(&code, "yield", 0, 0, 0, { 0 });
    run_code(d, &code);
}

/* The opcode of 3d_sample. */
static void sampler(Dev *d)
{
    Code code = { .bytes = { 0x6d }, .count = 1 };

    run_code(d, &code);
}

static void call_of_no_function(Dev *d)
{
    Code code = { 0 };

    CODE_ADD(&code, "ifcall", size_m1(8), 0, 0, op_imm(VEU_TYPE_UD, 1));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    run_code(d, &code);
}

/* ---- flips ---- */

static void flip(Show *s)
{
    show_put_surface(s);
    show_begin_flip(s);
    show_run(s);
}

static void flip_with_a_bad_register(Show *s)
{
    dev_write(s->dev, VECTOR, DEV_VECTORS, 4);
    flip(s);
}

static void flip_in_a_hole(Show *s)
{
    s->surface.base = DEV_HOLE;
    flip(s);
}

static void flip_of_a_bad_descriptor(Show *s)
{
    s->surface.reserved[0] = 1;
    flip(s);
}

static void flip_of_another_format(Show *s)
{
    s->surface.format = VEU_FORMAT_R32_UINT;
    flip(s);
}

static void flip_without_host_memory(Show *s)
{
    s->screen.refuses = true;
    flip(s);
}

/* ---- the table ---- */

typedef struct Row {
    uint16_t code;
    void (*provoke)(Dev *dev);
    void (*provoke_flip)(Show *show);
} Row;

#define RING(name, how)             \
    {                               \
        VEU_FAULT_##name, how, NULL \
    }
#define SHOW(name, how)             \
    {                               \
        VEU_FAULT_##name, NULL, how \
    }

static const Row rows[] = {
    RING(RING_CONFIG, bad_register),
    RING(RING_TAIL, bad_tail),
    RING(RING_MEMORY, ring_in_a_hole),
    RING(CONTEXT_TABLE, no_window_table),
    RING(CONTEXT_WINDOW, bad_window),
    RING(COMMAND_OPCODE, unknown_command),
    RING(COMMAND_FIELD, bad_command_field),
    RING(COMMAND_MEMORY, fence_in_a_hole),
    RING(WAIT_TIMEOUT, wait_in_vain),
    RING(BUDGET, long_command),
    RING(PROGRAM_MEMORY, launch_in_a_hole),
    RING(PROGRAM_FIELD, bad_program),
    RING(PROGRAM_MESSAGES, long_program),
    RING(PROGRAM_LABEL, lost_label),
    RING(PROGRAM_FLOW, no_return),
    RING(PROGRAM_HANDLE, unknown_handle),
    RING(PROGRAM_SPACE, too_large_for_the_memory),
    RING(MESSAGE_OPCODE, unknown_message),
    RING(MESSAGE_TRUNCATED, cut_message),
    RING(MESSAGE_FIELD, bad_message_field),
    RING(MESSAGE_OPERAND, bad_operand),
    RING(MESSAGE_PREDICATE, bad_predicate),
    RING(MESSAGE_LANES, too_many_lanes),
    RING(INSTRUCTION_NOT_MODELLED, sampler),
    RING(SURFACE_TABLE, no_surface_table),
    RING(SURFACE_FIELD, bad_surface),
    RING(SURFACE_INDEX, no_surface),
    RING(SURFACE_KIND, wrong_surface),
    RING(SURFACE_NOT_MODELLED, special_surface),
    RING(ADDRESS, lane_in_a_hole),
    RING(ALIGNMENT, misaligned_lane),
    RING(REGISTER_TYPE, wrong_type),
    RING(INDIRECT, far_operand),
    RING(CALL, call_of_no_function),
    RING(PAYLOAD_MEMORY, no_payload),
    RING(PAYLOAD_FIELD, bad_payload),
    RING(RESULT_MEMORY, no_result),
    SHOW(SCANOUT_CONFIG, flip_with_a_bad_register),
    SHOW(SCANOUT_MEMORY, flip_in_a_hole),
    SHOW(SCANOUT_FIELD, flip_of_a_bad_descriptor),
    SHOW(SCANOUT_SURFACE, flip_of_another_format),
    SHOW(SCANOUT_HOST, flip_without_host_memory),
};

/* Fails if the table of faults has a row that this table lacks. */
static void test_all_rows_are_here(void)
{
#define CODE(name, code, ...) code,
    static const uint16_t codes[] = { VEU_FAULTS(CODE) };
#undef CODE

    g_assert_cmpuint(G_N_ELEMENTS(codes), ==, G_N_ELEMENTS(rows));
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_assert_cmphex(codes[i], ==, rows[i].code);
    }
}

static Dev *strict_device(void)
{
    Dev *d = dev_new();

    d->config.eu.strict_types = true;
    d->config.program_memory_bytes = PROGRAM_MEMORY;
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    return d;
}

/* One fault of the row's kind occurs, and the ring halts. */
static void check_ring(const Row *row)
{
    g_autoptr(Dev) d = strict_device();

    row->provoke(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, row->code);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
}

/* A ring that is disabled shows whether it had halted: spec.md, section 4. */
static void check_policy(const Row *row, enum veu_policy policy)
{
    g_autoptr(Dev) d = strict_device();
    bool halts = row->code < 0x10 || policy == VEU_POLICY_HALT;

    dev_ring_set(d, VEU_REG_RING_POLICY, policy);
    row->provoke(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     halts ? VEU_RING_HALTED : VEU_RING_RUNNING);
    dev_disable(d);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, row->code);
}

static void test_code_and_policy_tell_whether_a_ring_had_halted(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned policy = 0; rows[i].provoke && policy < 3; policy++) {
            g_test_message("fault %#x, policy %u", rows[i].code, policy);
            check_policy(&rows[i], policy);
        }
    }
}

/* The flip ends with the fault of the row. */
static void check_flip(const Row *row)
{
    g_autoptr(Show) s = show_new();

    row->provoke_flip(s);
    g_assert_cmphex(show_reg(s, FAULT), ==, row->code);
    g_assert_cmpuint(show_reg(s, DONE), ==, s->number);
}

static void test_every_row_can_happen(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_test_message("fault %#x", rows[i].code);
        if (rows[i].provoke) {
            check_ring(&rows[i]);
        } else {
            check_flip(&rows[i]);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/fault_rows/all_rows_are_here", test_all_rows_are_here);
    g_test_add_func("/fault_rows/every_row_can_happen",
                    test_every_row_can_happen);
    g_test_add_func(
        "/fault_rows/code_and_policy_tell_whether_a_ring_had_halted",
        test_code_and_policy_tell_whether_a_ring_had_halted);
    return g_test_run();
}
