/*
 * veu fuzzers: commands and programs as a driver would write them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/fuzz/driver.h"
#include "tests/lib/code_builder.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/program_builder.h"

/* A message of each kind, and a program for them. */
static TestCode messages[TEST_KINDS];
static TestProgram program;
/* A program of instructions. */
static uint8_t instructions[CODE_PROGRAM_BYTES];
static uint32_t instruction_bytes;

/* The maximum number of variables of an inline message, each large enough. */
static const struct veu_variable variables[VEU_INLINE_VARIABLES] = {
    { .offset = 0, .elements = 256, .type = VEU_TYPE_UD },
    { .offset = 1024, .elements = 512, .type = VEU_TYPE_UD },
    { .offset = 0, .elements = 128, .type = VEU_TYPE_UQ },
    { .offset = 256, .elements = 192, .type = VEU_TYPE_UD },
    { .offset = 512, .elements = 128, .type = VEU_TYPE_UD },
    { .offset = 2048, .elements = 256, .type = VEU_TYPE_UD },
    { .offset = 3072, .elements = 256, .type = VEU_TYPE_UD },
    { .offset = 1024, .elements = 256, .type = VEU_TYPE_UQ },
};
enum {
    V_OFFSETS = 32,
    V_DATA,
    V_QWORDS,
    V_V,
    V_R,
    V_SRC0,
    V_SRC1,
    V_QW_DATA
};

static TestMessage message_of(TestKind kind)
{
    TestMessage m = eu_message(kind);

    m.address.id = m.address.id == EU_ADDRESSES ? V_QWORDS : V_OFFSETS;
    m.v = (TestRaw){ V_V, 0 };
    m.r = (TestRaw){ V_R, 0 };
    m.src0.id = V_SRC0;
    m.src1.id = V_SRC1;
    m.data.id = m.data.id == EU_QW_DATA ? V_QW_DATA : V_DATA;
    m.surface = test_kind_has(kind, TEST_FIELD_V) ? 7 : 6;
    return m;
}

static void append_message(Code *code, TestKind kind)
{
    memcpy(code->bytes + code->count, messages[kind].bytes,
           messages[kind].count);
    code->count += messages[kind].count;
}

/*
 * Adds a loop that lanes leave one by one, a call, addresses, state and
 * messages.
 */
static void add_instructions(Code *code, unsigned loop, unsigned routine)
{
    Op surface = { .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE };
    Op address = { .class = VEU_OPERAND_ADDRESS };

    CODE_ADD(code, "mov", size_m1(8), 0, 0, op_dst(V_OFFSETS),
             op_imm(VEU_TYPE_UV, 0x31425364));
    CODE_ADD(code, "movs", size_nm(1), 0, 0, surface, op_scalar(V_SRC0));
    CODE_ADD(code, "addr_add", size_nm(1), 0, 0, address, op_scalar(V_DATA),
             op_imm(VEU_TYPE_UW, 32));
    code_add_label(code, loop);
    CODE_ADD(code, "call", size_m1(8), 2, routine, { 0 });
    append_message(code, TEST_GATHER_SCALED);
    CODE_ADD(code, "add", size_m1(8), 0, 0, op_dst(V_OFFSETS),
             op_lanes(V_OFFSETS), op_imm(VEU_TYPE_D, -1));
    CODE_ADD(code, "cmp", size_m1(8), 0, 2, op_pred(1), op_lanes(V_OFFSETS),
             op_imm(VEU_TYPE_D, 0));
    CODE_ADD(code, "goto", size_m1(8), 1, loop, { 0 });
    append_message(code, TEST_SCATTER_SCALED);
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

static void make_instructions(void)
{
    g_autofree Code *code = g_new0(Code, 1);
    unsigned loop = code_new_label(code, VEU_LABEL_BLOCK);
    unsigned routine = code_new_label(code, VEU_LABEL_SUBROUTINE);
    Op indirect = { .class = VEU_OPERAND_INDIRECT,
                    .type = VEU_TYPE_D,
                    .region = VEU_REGION(1, 2, 2) };

    code->surface_count = 2;
    for (unsigned i = 0; i < VEU_INLINE_VARIABLES; i++) {
        code_variable(code, variables[i].offset, variables[i].elements,
                      variables[i].type);
    }
    add_instructions(code, loop, routine);
    code_add_label(code, routine);
    CODE_ADD(code, "add", size_m1(8), 0, 0, indirect, op_lanes(V_SRC1),
             op_scalar(VEU_PREDEFINED_TSC));
    CODE_ADD(code, "ret", size_m1(8), 0, 0, { 0 });
    instruction_bytes = code_build(code, instructions);
}

void fuzz_make_messages(void)
{
    test_program_init(&program);
    program.header.register_bytes = 4096;
    for (unsigned i = 0; i < VEU_INLINE_VARIABLES; i++) {
        test_program_variable(&program, variables[i].offset,
                              variables[i].elements, variables[i].type);
    }
    test_program_predicate(&program, 32);
    test_program_address(&program, 4);
    for (unsigned kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = message_of(kind);

        messages[kind] = test_encode(&m);
    }
    make_instructions();
}

/* Makes a program of what was added since the previous one, and stores it. */
static void store_program(FuzzDriver *d, unsigned ring)
{
    static uint8_t bytes[PROGRAM_MAX_BYTES];

    d->program_bytes[ring] = test_program_build(&program, bytes);
    fuzz_store(&d->host, FUZZ_PROGRAM(ring), bytes, d->program_bytes[ring]);
    program.code_bytes = 0;
}

static void add_message(unsigned kind)
{
    memcpy(program.code + program.code_bytes, messages[kind].bytes,
           messages[kind].count);
    program.code_bytes += messages[kind].count;
}

void fuzz_store_all_messages(FuzzDriver *d, unsigned ring)
{
    for (unsigned kind = 0; kind < TEST_KINDS; kind++) {
        add_message(kind);
    }
    store_program(d, ring);
}

/* Commands as a driver would write them. */
typedef union FuzzCommand {
    struct veu_command_header header;
    struct veu_command_message message;
    struct veu_command_dispatch dispatch;
    struct veu_command_fence fence;
    struct veu_command_wait wait;
    struct veu_command_copy copy;
    struct veu_command_fill fill;
    struct veu_command_kernel kernel;
    struct veu_command_load load;
    struct veu_command_unload unload;
    struct veu_command_invalidate invalidate;
    uint8_t bytes[4 * VEU_SLOT_BYTES];
} FuzzCommand;

static struct veu_launch launch_of(const FuzzDriver *d, unsigned ring)
{
    return (struct veu_launch){
        .code_address = FUZZ_PROGRAM(ring),
        .code_bytes = d->program_bytes[ring],
        .simd = 16,
        .surface_table = FUZZ_TABLE(ring),
        .surface_count = FUZZ_SURFACES,
        .slm_bytes = 256,
        .payload_address = FUZZ_PAYLOAD(ring),
        .payload_bytes = 0x800,
        .result_address = FUZZ_DATA(ring) + 0x1000,
        .result_bytes = 256,
        .exec_mask = UINT32_MAX,
        .threads = 1,
        .groups = 1,
        .stateless_base = FUZZ_DATA(ring),
        .stateless_bytes = 8192,
    };
}

static void make_message(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    const TestCode *code = &messages[fuzz_u8(&d->in) % TEST_KINDS];

    c->message.launch = launch_of(d, ring);
    c->message.launch.code_address = 0;
    c->message.launch.code_bytes = code->count;
    c->message.launch.grf_bytes = 32;
    c->message.launch.variable_count = VEU_INLINE_VARIABLES;
    memcpy(c->message.variables, variables, sizeof(variables));
    memcpy(c->message.message, code->bytes, code->count);
}

/* Sometimes the program is a loaded one, which may exist. */
static void use_loaded(FuzzDriver *d, uint64_t *address, uint32_t *bytes)
{
    uint8_t handle = fuzz_u8(&d->in);

    if (handle >= 252) {
        *address = 1 + handle % 4;
        *bytes = 0;
    }
}

/*
 * Runs the program in memory, one of instructions, or one with a few messages:
 * repeated programs with all messages would take most of a fuzzer's time.
 */
static void make_dispatch(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    uint8_t shape = fuzz_u8(&d->in);
    unsigned count = shape >> 4 & 3;

    for (unsigned n = 0; n < count; n++) {
        add_message(fuzz_u8(&d->in) % TEST_KINDS);
    }
    if (count) {
        store_program(d, ring);
    }
    if (shape & 0x80) {
        d->program_bytes[ring] = instruction_bytes;
        fuzz_store(&d->host, FUZZ_PROGRAM(ring), instructions,
                   instruction_bytes);
    }
    c->dispatch.launch = launch_of(d, ring);
    c->dispatch.launch.threads = 1 + shape % 4;
    c->dispatch.launch.groups = 1 + shape / 4 % 4;
    use_loaded(d, &c->dispatch.launch.code_address,
               &c->dispatch.launch.code_bytes);
}

static void make_address(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->fence.address = FUZZ_DATA(ring) + (fuzz_u16(&d->in) & 0x1ff8);
}

static void make_copy(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->copy.source = FUZZ_DATA(ring) + fuzz_u16(&d->in) % 0x2000;
    c->copy.destination = FUZZ_DATA(ring) + fuzz_u16(&d->in) % 0x2000;
    c->copy.bytes = fuzz_u16(&d->in) % 0x1000;
}

/* The program, whose bytes also change, has barriers. */
static void make_kernel(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    static uint8_t bytes[CODE_PROGRAM_BYTES];
    uint8_t shape = fuzz_u8(&d->in);
    Code code = kernel_sums(1);
    uint32_t count;

    memset(bytes, 0, sizeof(bytes));
    count = code_build(&code, bytes);
    fuzz_change_some(&d->in, bytes, count);
    fuzz_store(&d->host, FUZZ_PROGRAM(ring), bytes, count);
    c->kernel = (struct veu_command_kernel){
        .header = c->header,
        .code_address = FUZZ_PROGRAM(ring),
        .code_bytes = count,
        .surface_table = FUZZ_TABLE(ring),
        .surface_count = FUZZ_SURFACES,
        .slm_bytes = 256,
        .cross_thread_address = FUZZ_PAYLOAD(ring),
        .local_id_address = FUZZ_PAYLOAD(ring),
        .cross_thread_bytes = KERNEL_CROSS_BYTES,
        .local_id_bytes = KERNEL_IDS_BYTES,
        .group_count = { 1 + shape % 2, 1 + shape / 2 % 2, 1 },
        .threads = 1 + shape / 4 % 4,
        .last_exec_mask = UINT32_MAX,
        .stateless_base = FUZZ_DATA(ring),
        .stateless_bytes = 8192,
        .groups_in_flight = 1 + shape / 16 % 4,
        .simd = 16,
    };
}

/* Loads the program in memory, with one of a few handles. */
static void make_load(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->load.code_address = FUZZ_PROGRAM(ring);
    c->load.code_bytes = d->program_bytes[ring];
    c->load.program = 1 + fuzz_u8(&d->in) % 4;
    c->load.simd = 16;
}

static void make_unload(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->unload.program = fuzz_u8(&d->in) % 5;
}

static void make_invalidate(FuzzDriver *d, unsigned ring, FuzzCommand *c)
{
    c->invalidate.range = (uint64_t)fuzz_u8(&d->in) << 12 | fuzz_u8(&d->in);
    c->invalidate.context = fuzz_u8(&d->in) % 4;
}

/* docs/spec.md, "Commands": number, slots. */
static const struct {
    uint8_t slots;
    void (*make)(FuzzDriver *d, unsigned ring, FuzzCommand *c);
} commands[] = {
    { 1, NULL },         { 4, make_message }, { 2, make_dispatch },
    { 1, make_address }, { 1, make_address }, { 1, make_address },
    { 1, make_copy },    { 1, make_copy },    { 3, make_kernel },
    { 1, make_load },    { 1, make_unload },  { 1, make_invalidate },
};

void fuzz_push_command(FuzzDriver *d, unsigned ring)
{
    unsigned opcode = fuzz_u8(&d->in) % G_N_ELEMENTS(commands);
    FuzzCommand c = { 0 };

    c.header.opcode = opcode;
    c.header.slots = commands[opcode].slots;
    if (commands[opcode].make) {
        commands[opcode].make(d, ring, &c);
    }
    fuzz_change_some(&d->in, c.bytes, commands[opcode].slots * VEU_SLOT_BYTES);
    for (unsigned i = 0; i < commands[opcode].slots; i++) {
        uint32_t slot = d->tail[ring]++ % FUZZ_SLOTS;

        fuzz_store(&d->host, FUZZ_RING(ring) + slot * VEU_SLOT_BYTES,
                   c.bytes + i * VEU_SLOT_BYTES, VEU_SLOT_BYTES);
    }
    fuzz_store(&d->host, FUZZ_SHARED(ring), &d->tail[ring], 4);
}
