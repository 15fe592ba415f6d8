/*
 * veu unit tests: which programs of instructions are legal, compared with a
 * second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Legal programs are changed a little: both sides have to refuse the same ones,
 * at the same instruction, for a reason that both see. VEU_TEST_SEED repeats a
 * run, VEU_TEST_PROGRAMS makes it longer or shorter.
 */
#include <string.h>
#include "hw/veu/eu/program/room.h"
#include "tests/lib/isa_check.h"
#include "tests/lib/isa_random.h"
#include "tests/lib/random_message.h"
#include "tests/lib/random_numbers.h"

#define PROGRAMS 300
/* The number of changed copies of each program. */
#define CHANGES  100

static uint64_t program_count(void)
{
    return test_count("VEU_TEST_PROGRAMS", PROGRAMS);
}

/*
 * A program in memory of exactly its size, so that ASan reports reads past it.
 */
typedef struct Bytes {
    uint8_t *data;
    uint32_t count;
} Bytes;

/*
 * Instructions of all kinds, with the offsets of their fields, where bytes
 * change.
 */
static void straight_program(Code *code, GRand *r)
{
    g_autofree World *w = g_new0(World, 1);

    memset(code, 0, sizeof(*code));
    isa_declare(code);
    code->grf_bytes = g_rand_int(r) % 2 ? 32 : 64;
    world_init_for(w, r, code->variables, CODE_REGISTER_BYTES, code->grf_bytes,
                   4);
    for (unsigned n = 0; n < 8; n++) {
        const IsaRow *row = &isa_rows[g_rand_int(r) % isa_row_count];
        TestMessage m = random_message(w, g_rand_int(r) % TEST_KINDS);

        if (row->types != '-') {
            isa_random_instruction(code, r, row);
        }
        if (m.surface >= VEU_FIRST_SURFACE + ISA_RANDOM_STATES) {
            m.surface = VEU_FIRST_SURFACE;
        }
        code_add_message(code, &m);
    }
    isa_put_return(code, 1);
    world_free(w);
}

static Bytes make_program(GRand *r)
{
    g_autofree Code *code = g_new0(Code, 1);
    g_autofree uint8_t *bytes = g_malloc0(CODE_PROGRAM_BYTES);
    uint32_t count;

    if (g_rand_int(r) % 3) {
        straight_program(code, r);
    } else {
        isa_random_flow(code, r, 16, g_rand_int(r) % 3);
    }
    code->predicate_bits = g_rand_int(r) % 2 ? 16 : 0;
    count = code_build(code, bytes);
    return (Bytes){ g_memdup2(bytes, count), count };
}

static void change_byte(GRand *r, uint8_t *byte)
{
    switch (g_rand_int(r) % 4) {
    case 0:
        *byte = g_rand_int(r);
        break;
    case 1:
        *byte += g_rand_int(r) % 2 ? 1 : -1;
        break;
    default:
        *byte ^= 1u << g_rand_int(r) % 8;
    }
}

/* Most changes are in the code, the first section. */
static void change(GRand *r, Bytes *p)
{
    struct veu_section code;
    uint32_t at, bytes;

    memcpy(&code, p->data + sizeof(struct veu_program_header), sizeof(code));
    if (g_rand_int(r) % 4) {
        at = code.offset;
        bytes = code.bytes;
    } else {
        at = g_rand_int(r) % 2 ? 0 : code.offset + code.bytes;
        bytes = at ? p->count - at : code.offset;
    }
    for (unsigned n = 1 + g_rand_int(r) % 2; n && at + bytes <= p->count; n--) {
        change_byte(r, &p->data[at + g_rand_int(r) % bytes]);
    }
}

/* The answer of the device. */
typedef struct Answer {
    bool legal;
    VeuFault fault;
    uint32_t offset;
} Answer;

static Answer ask_device(VeuProgram *program, const Bytes *p)
{
    Answer a = { .offset = VEU_FAULT_NOT_APPLICABLE };

    a.legal = veu_program_open(program, p->data, p->count, 32, &a.fault) &&
              veu_program_decode(program, UINT32_MAX, &a.fault, &a.offset) ==
                  VEU_LOAD_DONE;
    return a;
}

/* The bytes of the code where the model, or the device, refuses it. */
static char *bytes_at(const Bytes *p, uint32_t offset)
{
    GString *text = g_string_new(NULL);
    struct veu_section code;

    memcpy(&code, p->data + sizeof(struct veu_program_header), sizeof(code));
    offset += code.offset;
    for (unsigned n = 0; n < 48 && offset < p->count; n++) {
        g_string_append_printf(text, "%02x", p->data[offset++]);
    }
    return g_string_free(text, FALSE);
}

static void assert_alike(const Bytes *p, const Answer *mine, bool legal,
                         const IsaRefusal *r)
{
    bool same = mine->legal == legal &&
                (legal ||
                 (mine->offset == r->offset &&
                  isa_refusal_has(r, mine->fault.code, mine->fault.detail)));
    uint32_t offset = legal || mine->offset < r->offset ? mine->offset :
                                                          r->offset;

    if (!same) {
        g_autofree char *text = bytes_at(p, offset);

        g_error("fault %#x, detail %u at %#x; model: %#x, detail %u at %#x "
                "(%u reasons); %s",
                mine->legal ? 0 : mine->fault.code, mine->fault.detail,
                mine->offset, legal ? 0 : r->reasons[0].code,
                r->reasons[0].detail, r->offset, r->count, text);
    }
}

/* The number of times that each fault was seen, by the low byte of its code. */
static uint64_t faults[UINT16_MAX + 1];

static void compare(VeuProgram *program, const Bytes *p)
{
    struct veu_program_header header;
    IsaRefusal refusal;
    Answer mine;
    bool legal;

    memcpy(&header, p->data, sizeof(header));
    if (header.kind == VEU_PROGRAM_MESSAGES) {
        return; /* the model has only programs of instructions */
    }
    mine = ask_device(program, p);
    legal = isa_check(p->data, p->count, &refusal);
    if (refusal.unknown) {
        return;
    }
    assert_alike(p, &mine, legal, &refusal);
    faults[legal ? 0 : mine.fault.code]++;
}

static void test_changed_programs_are_refused_alike(void)
{
    static const uint16_t all[] = {
        0,
        VEU_FAULT_PROGRAM_FIELD,
        VEU_FAULT_MESSAGE_OPCODE,
        VEU_FAULT_MESSAGE_TRUNCATED,
        VEU_FAULT_MESSAGE_FIELD,
        VEU_FAULT_MESSAGE_OPERAND,
        VEU_FAULT_MESSAGE_PREDICATE,
        VEU_FAULT_INSTRUCTION_NOT_MODELLED,
        VEU_FAULT_PROGRAM_LABEL,
        VEU_FAULT_PROGRAM_FLOW,
    };
    g_autoptr(GRand) r = test_rand_any();
    g_autofree VeuProgram *program = veu_program_new();

    for (unsigned n = 0; n < program_count(); n++) {
        Bytes p = make_program(r);
        g_autofree uint8_t *whole = g_memdup2(p.data, p.count);

        compare(program, &p);
        for (unsigned k = 0; k < CHANGES; k++) {
            memcpy(p.data, whole, p.count);
            change(r, &p);
            compare(program, &p);
        }
        g_free(p.data);
    }
    for (unsigned n = 0; n < G_N_ELEMENTS(all); n++) {
        g_test_message("fault %#x: %" G_GUINT64_FORMAT, all[n], faults[all[n]]);
        g_assert_cmpuint(faults[all[n]], >, program_count() / 30);
    }
}

/* ---- each byte, with other values ---- */

#define OTHER_VALUES 12

/* One more, one less, the ends, and each bit. */
static uint8_t other_value(uint8_t value, unsigned n)
{
    const uint8_t others[] = { value + 1, value - 1, 0, UINT8_MAX };

    return n < 4 ? others[n] : value ^ 1u << (n - 4);
}

static void change_bytes(VeuProgram *program, const Bytes *p, uint32_t from,
                         uint32_t to)
{
    for (uint32_t at = from; at < to; at++) {
        uint8_t value = p->data[at];

        for (unsigned n = 0; n < OTHER_VALUES; n++) {
            p->data[at] = other_value(value, n);
            compare(program, p);
        }
        p->data[at] = value;
    }
}

/* Changes the code, or all that is around it. */
static void change_parts(const Code *code, bool is_code)
{
    g_autofree VeuProgram *program = veu_program_new();
    g_autofree uint8_t *bytes = g_malloc0(CODE_PROGRAM_BYTES);
    uint32_t count = code_build(code, bytes);
    Bytes p = { g_memdup2(bytes, count), count };
    struct veu_section s;

    memcpy(&s, p.data + sizeof(struct veu_program_header), sizeof(s));
    if (is_code) {
        change_bytes(program, &p, s.offset, s.offset + s.bytes);
    } else {
        change_bytes(program, &p, 0, s.offset);
        change_bytes(program, &p, s.offset + s.bytes, count);
    }
    g_free(p.data);
}

static void test_each_byte_of_an_instruction(void)
{
    g_autoptr(GRand) r = test_rand_any();

    for (unsigned n = 0; n < 8 * isa_row_count; n++) {
        const IsaRow *row = &isa_rows[n % isa_row_count];
        g_autofree Code *code = g_new0(Code, 1);

        if (row->types != '-') {
            isa_declare(code);
            isa_random_instruction(code, r, row);
            isa_put_return(code, 1);
            code->predicate_bits = n / isa_row_count % 2 ? 8 : 0;
            change_parts(code, true);
        }
    }
}

/* A message in a program of instructions, with these sizes of registers. */
static void change_message(GRand *r, unsigned kind, unsigned grf_bytes)
{
    g_autofree Code *code = g_new0(Code, 1);
    g_autofree World *w = g_new0(World, 1);
    TestMessage m;

    isa_declare(code);
    code->grf_bytes = grf_bytes;
    world_init_for(w, r, code->variables, CODE_REGISTER_BYTES, grf_bytes, 4);
    m = random_message(w, kind);
    if (m.surface >= VEU_FIRST_SURFACE + ISA_RANDOM_STATES) {
        m.surface = VEU_FIRST_SURFACE + ISA_RANDOM_STATES - 1;
    }
    code_add_message(code, &m);
    isa_put_return(code, 1);
    change_parts(code, true);
    world_free(w);
}

static void test_each_byte_of_a_message(void)
{
    g_autoptr(GRand) r = test_rand_any();

    for (unsigned kind = 0; kind < TEST_KINDS; kind++) {
        for (unsigned n = 0; n < 8; n++) {
            change_message(r, kind, n % 2 ? 32 : 64);
        }
    }
}

/* Blocks, a subroutine and functions that call each other. */
static void put_routines(Code *code)
{
    unsigned block = code_new_label(code, VEU_LABEL_BLOCK);
    unsigned routine = code_new_label(code, VEU_LABEL_SUBROUTINE);
    unsigned end = code_new_label(code, VEU_LABEL_BLOCK);

    code_add_label(code, block);
    CODE_ADD(code, "goto", size_m1(8), 1, block, { 0 });
    CODE_ADD(code, "goto", size_m1(8), 1, end, { 0 });
    CODE_ADD(code, "call", size_m1(8), 1, routine, { 0 });
    code_add_label(code, end);
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(code, routine);
    CODE_ADD(code, "fcall", size_m1(8), 1, 1, { 0 });
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    for (unsigned n = 0; n < 2; n++) {
        code->functions[code->function_count++].offset = code->count;
        CODE_ADD(code, "fret", size_m1(1), 0, 0, { 0 });
    }
}

static void test_each_byte_around_the_code(void)
{
    g_autofree Code *code = g_new0(Code, 1);

    isa_declare(code);
    put_routines(code);
    change_parts(code, false);
    change_parts(code, true);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa-check/changed-programs-are-refused-alike",
                    test_changed_programs_are_refused_alike);
    g_test_add_func("/isa-check/each-byte-of-an-instruction",
                    test_each_byte_of_an_instruction);
    g_test_add_func("/isa-check/each-byte-of-a-message",
                    test_each_byte_of_a_message);
    g_test_add_func("/isa-check/each-byte-around-the-code",
                    test_each_byte_around_the_code);
    return g_test_run();
}
