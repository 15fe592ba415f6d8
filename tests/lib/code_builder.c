/*
 * veu tests: programs of instructions, run without a device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/decode/measure.h"
#include "hw/veu/eu/program/room.h"
#include "tests/lib/code_builder.h"

/* The code of a number in a region. */
static unsigned region_code(unsigned number)
{
    return number ? __builtin_ctz(number) + 2 : 1;
}

Op op_v(uint32_t id, unsigned column, unsigned v, unsigned w, unsigned h)
{
    return (Op){
        .class = VEU_OPERAND_GENERAL,
        .id = id,
        .column = column,
        .region = VEU_REGION(region_code(v), region_code(w), region_code(h)),
    };
}

Op op_lanes(uint32_t id)
{
    return op_v(id, 0, 1, 1, 0);
}

Op op_scalar(uint32_t id)
{
    return op_v(id, 0, 0, 1, 0);
}

Op op_dst(uint32_t id)
{
    return op_v(id, 0, 0, 1, 1);
}

Op op_imm(uint8_t type, uint64_t value)
{
    return (Op){
        .class = VEU_OPERAND_IMMEDIATE,
        .type = type,
        .immediate = value,
    };
}

Op op_pred(unsigned id)
{
    return (Op){ .class = VEU_OPERAND_PREDICATE, .id = id };
}

Op op_with(Op op, VeuModifier modifier)
{
    op.modifier = modifier;
    return op;
}

unsigned size_m1(unsigned lanes)
{
    return __builtin_ctz(lanes);
}

unsigned size_nm(unsigned lanes)
{
    return 0x80 | size_m1(lanes);
}

uint32_t code_variable(Code *code, uint32_t offset, unsigned elements,
                       uint8_t type)
{
    code->variables[code->variable_count] = (struct veu_variable){
        .offset = offset,
        .elements = elements,
        .type = type,
    };
    return VEU_FIRST_VARIABLE + code->variable_count++;
}

static const VeuInstructionInfo *find(const char *mnemonic)
{
    for (unsigned i = 0; i < veu_instruction_count; i++) {
        if (!strcmp(veu_instructions[i].mnemonic, mnemonic)) {
            return &veu_instructions[i];
        }
    }
    g_assert_not_reached();
}

void code_add(Code *code, const char *mnemonic, unsigned size, unsigned pred,
              unsigned number, const Op *operands)
{
    VeuInstructionEncoding e = { .info = find(mnemonic) };
    unsigned n = 0;

    for (const uint8_t *f = e.info->fields; *f != VEU_IFIELD_END; f++) {
        if (veu_instruction_fields[*f].kind == VEU_IKIND_VECTOR) {
            e.field[*f].vector = operands[n++];
        } else {
            e.field[*f].number = *f == VEU_IFIELD_EXEC_SIZE ? size :
                                 *f == VEU_IFIELD_PRED      ? pred :
                                                              number;
        }
    }
    code->count += veu_instruction_write(&e, code->bytes + code->count);
}

void code_add_message(Code *code, const TestMessage *message)
{
    TestCode bytes = test_encode(message);

    memcpy(code->bytes + code->count, bytes.bytes, bytes.count);
    code->count += bytes.count;
}

unsigned code_new_label(Code *code, uint8_t kind)
{
    code->labels[code->label_count].kind = kind;
    return code->label_count++;
}

void code_add_label(Code *code, unsigned label)
{
    bool block = code->labels[label].kind == VEU_LABEL_BLOCK;

    code->labels[label].offset = code->count;
    code_add(code, block ? "label" : "subroutine", 0, 0, label, NULL);
}

/* Appends a section and its entry in the table. */
static void add_section(uint8_t *program, struct veu_program_header *h,
                        uint32_t type, const void *from, uint32_t bytes)
{
    struct veu_section section = {
        .type = type,
        .offset = (h->bytes + 3) / 4 * 4,
        .bytes = bytes,
    };

    memcpy(program + sizeof(*h) + h->section_count++ * sizeof(section),
           &section, sizeof(section));
    memcpy(program + section.offset, from, bytes);
    h->bytes = section.offset + bytes;
}

static const struct veu_predefined predefined[] = {
    { CODE_CR0_AT, 1, VEU_TYPE_UD, VEU_PREDEFINED_CR0 },
    { CODE_HW_ID_AT, 1, VEU_TYPE_UD, VEU_PREDEFINED_HW_ID },
    { CODE_TSC_AT, 5, VEU_TYPE_UD, VEU_PREDEFINED_TSC },
    { CODE_CE0_AT, 1, VEU_TYPE_UD, VEU_PREDEFINED_CE0 },
};
#define WITHOUT_CLOCK 2

uint32_t code_build(const Code *code, uint8_t *program)
{
    struct veu_predicate predicates[4] = {
        { 32, 0 }, { 32, 0 }, { 32, 0 }, { 32, 0 }
    };
    static const struct veu_address address = { .elements = 16 };
    struct veu_state states[CODE_MAX_SURFACES] = { 0 };
    struct veu_program_header h = {
        .magic = VEU_PROGRAM_MAGIC,
        .version = VEU_PROGRAM_VERSION,
        .kind = VEU_PROGRAM_INSTRUCTIONS,
        .bytes = sizeof(h) + 8 * sizeof(struct veu_section),
        .grf_bytes = code->grf_bytes ? code->grf_bytes : 32,
        .register_bytes = CODE_REGISTER_BYTES,
    };

    if (code->predicate_bits) {
        predicates[0].bits = code->predicate_bits;
    }
    for (unsigned n = 0; n < code->sampler_count; n++) {
        states[code->surface_count + n].kind = VEU_STATE_SAMPLER;
    }
    add_section(program, &h, VEU_SECTION_CODE, code->bytes, code->count);
    add_section(program, &h, VEU_SECTION_VARIABLES, code->variables,
                code->variable_count * sizeof(code->variables[0]));
    add_section(program, &h, VEU_SECTION_PREDICATES, predicates,
                sizeof(predicates));
    add_section(program, &h, VEU_SECTION_ADDRESSES, &address, sizeof(address));
    add_section(program, &h, VEU_SECTION_LABELS, code->labels,
                code->label_count * sizeof(code->labels[0]));
    add_section(program, &h, VEU_SECTION_PREDEFINED, predefined,
                code->has_no_clock ? WITHOUT_CLOCK * sizeof(predefined[0]) :
                                     sizeof(predefined));
    add_section(program, &h, VEU_SECTION_STATES, states,
                (code->surface_count + code->sampler_count) *
                    sizeof(states[0]));
    add_section(program, &h, VEU_SECTION_FUNCTIONS, code->functions,
                code->function_count * sizeof(code->functions[0]));
    memcpy(program, &h, sizeof(h));
    return h.bytes;
}

/* Host code of programs; that of the oldest is overwritten. */
#define HOST_CODE_BYTES (16u << 20)

static VeuHostMemory host_memory;
static uint32_t host_used;

bool code_has_jit(void)
{
    if (!host_memory.writable && veu_jit_is_available() &&
        !g_getenv("VEU_TEST_NO_HOST_CODE")) {
        host_memory = veu_host_memory_new(HOST_CODE_BYTES);
    }
    return host_memory.writable;
}

bool code_is_compiled(VeuHandler *handler)
{
    const uint8_t *at = (const uint8_t *)handler;

    return at >= host_memory.executable &&
           at < host_memory.executable + host_memory.bytes;
}

/* More than a device gives, so that no run keeps its handlers. */
uint32_t code_compile(VeuProgram *p)
{
    return code_compile_in(p, 4 * veu_jit_bytes(&p->room));
}

uint32_t code_compile_in(VeuProgram *p, uint32_t bytes)
{
    VeuHostCode code = { .bytes = bytes };

    g_assert_true(code_has_jit());
    g_assert_cmpuint(bytes, <=, HOST_CODE_BYTES);
    host_used = host_used + bytes > HOST_CODE_BYTES ? 0 : host_used;
    code.writable = host_memory.writable + host_used;
    code.executable = host_memory.executable + host_used;
    g_assert_cmpuint(veu_jit_compile(p, &code, 0), ==, p->instruction_count);
    host_used += code.used;
    return code.used;
}

/*
 * With the room that a device gives a program that is loaded, and a step after
 * the last one, for a test to put a trap there. The room of the largest program
 * would take AddressSanitizer longer than the rest of a test.
 */
static VeuProgram *new_program(const uint8_t *bytes, uint32_t byte_count)
{
    VeuMeasure measure;
    VeuFault fault;

    if (!veu_measure_open(&measure, bytes, byte_count, &fault) ||
        !veu_measure_count(&measure, UINT32_MAX)) {
        return veu_program_new();
    }
    measure.room.instructions++;
    return veu_program_new_with(&measure.room);
}

bool code_load(CodeRun *run, const Code *code)
{
    uint32_t bytes;

    memset(run, 0, sizeof(*run));
    bytes = code_build(code, run->bytes);
    run->program = new_program(run->bytes, bytes);
    run->thread = (VeuThread){
        .config = &run->config,
        .program = run->program,
        .surfaces = &run->surfaces,
        .registers = run->registers,
        .predicates = run->predicates,
        .addresses = run->addresses,
        .slm_wraps = true,
        .flow = &run->flow,
    };
    if (!veu_program_open(run->program, run->bytes, bytes, 32, &run->fault) ||
        veu_program_decode(run->program, UINT32_MAX, &run->fault,
                           &run->offset) != VEU_LOAD_DONE) {
        return false;
    }
    if (g_getenv("VEU_TEST_JIT") && code_has_jit()) {
        code_compile(run->program);
    }
    return true;
}

bool code_run(CodeRun *run, uint32_t lanes, unsigned limit)
{
    const VeuInstruction *i;

    veu_flow_start(&run->thread, lanes);
    while ((i = veu_next_instruction(&run->thread)) && limit--) {
        if (!veu_step(&run->thread, i)) {
            return false;
        }
    }
    return true;
}

void code_free(CodeRun *run)
{
    g_free(run->program);
}

void code_set_cr0(CodeRun *run, uint32_t cr0)
{
    memcpy(run->registers + CODE_CR0_AT, &cr0, sizeof(cr0));
}

struct veu_command_dispatch code_dispatch(Dev *d, const Code *code)
{
    struct veu_command_dispatch c = dev_dispatch(d);
    g_autofree uint8_t *program = g_new0(uint8_t, CODE_PROGRAM_BYTES);

    c.launch.code_bytes = code_build(code, program);
    test_memory_put(&d->host.memory, DEV_PROGRAM, program, c.launch.code_bytes);
    return c;
}
