/*
 * veu unit tests: which instructions a program may have: docs/spec.md, 17.2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each rule is tested with a value that is just legal, and one that is not.
 */
#include "hw/veu/eu/program/room.h"
#include "tests/lib/code_builder.h"

#define LEGAL   VEU_FAULT_NONE
#define OPERAND VEU_FAULT_MESSAGE_OPERAND

/* 16 dwords, floats and bytes, which all programs have. */
enum {
    DWORDS = VEU_FIRST_VARIABLE,
    FLOATS,
    BYTES
};

static Code new_code(void)
{
    Code code = { .surface_count = 1 };

    code_variable(&code, 0, 16, VEU_TYPE_D);
    code_variable(&code, 64, 16, VEU_TYPE_F);
    code_variable(&code, 128, 16, VEU_TYPE_UB);
    return code;
}

static uint16_t fault_of(const Code *code)
{
    CodeRun run;
    bool legal = code_load(&run, code);
    uint16_t fault = run.fault.code;

    code_free(&run);
    g_assert_cmpint(legal, ==, fault == LEGAL);
    return fault;
}

/* An instruction that a `ret` follows. */
typedef struct Row {
    const char *mnemonic;
    uint8_t size;
    uint16_t pred;
    Op operands[4];
    uint16_t fault;
} Row;

static void check(const Row *rows, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        const Row *row = &rows[n];
        Code code = new_code();

        code_add(&code, row->mnemonic, row->size, row->pred, 0, row->operands);
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        g_test_message("%u: %s", n, row->mnemonic);
        g_assert_cmpuint(fault_of(&code), ==, row->fault);
    }
}

#define M1(lanes)       __builtin_ctz(lanes)
#define CODED(n)        ((n) ? __builtin_ctz((n) | 64) + 2 : 1)
#define REGION(v, w, h) VEU_REGION(CODED(v), CODED(w), CODED(h))
#define V(id_, column_, region_)                                        \
    {                                                                   \
        .class = VEU_OPERAND_GENERAL, .id = (id_), .column = (column_), \
        .region = (region_)                                             \
    }
#define LANES(id) V(id, 0, REGION(1, 1, 0))
#define DST(id)   V(id, 0, REGION(1, 1, 1))
#define MODIFIED(modifier_, id_)                                            \
    {                                                                       \
        .class = VEU_OPERAND_GENERAL, .modifier = (modifier_), .id = (id_), \
        .region = REGION(1, 1, 1)                                           \
    }
#define INDIRECT(id_, element)                                           \
    {                                                                    \
        .class = VEU_OPERAND_INDIRECT, .id = (id_), .column = (element), \
        .type = VEU_TYPE_D,                                              \
        .region = VEU_REGION(VEU_REGION_NONE, CODED(1), CODED(0))        \
    }
#define P(id_)                                      \
    {                                               \
        .class = VEU_OPERAND_PREDICATE, .id = (id_) \
    }
#define T(id_)                                  \
    {                                           \
        .class = VEU_OPERAND_STATE, .id = (id_) \
    }
#define ONE                                                                 \
    {                                                                       \
        .class = VEU_OPERAND_IMMEDIATE, .type = VEU_TYPE_UD, .immediate = 1 \
    }

static void test_operands_are_in_their_variables(void)
{
    static const Row rows[] = {
        { "mov", M1(16), 0, { DST(DWORDS), LANES(DWORDS) }, LEGAL },
        { "mov",
          M1(8),
          0,
          { DST(DWORDS), V(DWORDS, 8, REGION(1, 1, 0)) },
          LEGAL },
        { "mov",
          M1(8),
          0,
          { DST(DWORDS), V(DWORDS, 9, REGION(1, 1, 0)) },
          OPERAND },
        { "mov",
          M1(1),
          0,
          { DST(DWORDS), V(DWORDS, 15, REGION(0, 1, 0)) },
          LEGAL },
        { "mov",
          M1(1),
          0,
          { DST(DWORDS), V(DWORDS, 16, REGION(0, 1, 0)) },
          OPERAND },
        { "mov",
          M1(1),
          0,
          { DST(DWORDS), V(DWORDS, 17, REGION(0, 1, 0)) },
          OPERAND },
        { "mov",
          M1(8),
          0,
          { DST(DWORDS), V(BYTES, 8, REGION(1, 1, 0)) },
          LEGAL },
        { "mov",
          M1(8),
          0,
          { DST(DWORDS), V(BYTES, 9, REGION(1, 1, 0)) },
          OPERAND },
        { "mov", M1(4), 0, { V(DWORDS, 3, REGION(0, 1, 4)), ONE }, LEGAL },
        { "mov", M1(4), 0, { V(DWORDS, 4, REGION(0, 1, 4)), ONE }, OPERAND },
        { "mov", M1(1), 0, { DST(DWORDS), LANES(BYTES + 1) }, OPERAND },
        { "mov", M1(2), 0, { DST(DWORDS), INDIRECT(0, 14) }, LEGAL },
        { "mov", M1(2), 0, { DST(DWORDS), INDIRECT(0, 15) }, OPERAND },
        { "mov", M1(1), 0, { DST(DWORDS), INDIRECT(1, 0) }, OPERAND },
        { "mov", M1(1), 0, { DST(DWORDS), P(4) }, LEGAL },
        { "mov", M1(1), 0, { DST(DWORDS), P(5) }, OPERAND },
        { "mov", M1(1), 0, { DST(DWORDS), P(0) }, OPERAND },
        { "movs", M1(1), 0, { T(VEU_FIRST_SURFACE), ONE }, LEGAL },
        { "movs", M1(1), 0, { T(VEU_FIRST_SURFACE + 1), ONE }, OPERAND },
        { "movs", M1(1), 0, { T(VEU_FIRST_SURFACE - 1), ONE }, OPERAND },
    };

    check(rows, G_N_ELEMENTS(rows));
}

static void test_regions(void)
{
    static const Row rows[] = {
        { "mov",
          M1(4),
          0,
          { DST(DWORDS), V(DWORDS, 0, REGION(4, 4, 1)) },
          LEGAL },
        { "mov",
          M1(4),
          0,
          { DST(DWORDS), V(DWORDS, 0, REGION(8, 8, 1)) },
          OPERAND },
        { "mov",
          M1(32),
          0,
          { V(0, 0, REGION(1, 1, 1)), V(DWORDS, 0, REGION(0, 16, 0)) },
          LEGAL },
        { "mov",
          M1(32),
          0,
          { V(0, 0, REGION(1, 1, 1)), V(DWORDS, 0, REGION(0, 32, 0)) },
          OPERAND },
        { "mov",
          M1(2),
          0,
          { DST(DWORDS), V(DWORDS, 0, REGION(0, 2, 4)) },
          LEGAL },
        { "mov",
          M1(2),
          0,
          { DST(DWORDS), V(DWORDS, 0, REGION(0, 2, 8)) },
          OPERAND },
        { "mov", M1(1), 0, { V(DWORDS, 0, REGION(0, 1, 4)), ONE }, LEGAL },
        { "mov", M1(1), 0, { V(DWORDS, 0, REGION(0, 1, 8)), ONE }, OPERAND },
        { "mov", M1(1), 0, { V(DWORDS, 0, REGION(0, 1, 0)), ONE }, OPERAND },
        { "mov", M1(1), 0, { DST(DWORDS), V(DWORDS, 0, 0x128) }, OPERAND },
        { "mov", M1(1), 0, { DST(DWORDS), V(DWORDS, 0, 0x1121) }, OPERAND },
    };

    check(rows, G_N_ELEMENTS(rows));
}

static void test_types_and_modifiers(void)
{
    static const Row rows[] = {
        { "add", M1(1), 0, { DST(DWORDS), LANES(DWORDS), ONE }, LEGAL },
        { "add",
          M1(1),
          0,
          { DST(DWORDS), LANES(DWORDS), LANES(FLOATS) },
          OPERAND },
        { "add",
          M1(1),
          0,
          { DST(DWORDS), LANES(FLOATS), LANES(FLOATS) },
          OPERAND },
        { "frc", M1(1), 0, { DST(FLOATS), LANES(FLOATS) }, LEGAL },
        { "frc", M1(1), 0, { DST(DWORDS), LANES(DWORDS) }, OPERAND },
        { "and",
          M1(1),
          0,
          { DST(DWORDS), MODIFIED(VEU_MODIFIER_NOT, DWORDS), ONE },
          LEGAL },
        { "and",
          M1(1),
          0,
          { DST(DWORDS), MODIFIED(VEU_MODIFIER_NEG, DWORDS), ONE },
          OPERAND },
        { "add",
          M1(1),
          0,
          { DST(DWORDS), MODIFIED(VEU_MODIFIER_NEG, DWORDS), ONE },
          LEGAL },
        { "add",
          M1(1),
          0,
          { DST(DWORDS), MODIFIED(VEU_MODIFIER_NOT, DWORDS), ONE },
          OPERAND },
        { "add",
          M1(1),
          0,
          { DST(DWORDS), MODIFIED(VEU_MODIFIER_SAT, DWORDS), ONE },
          OPERAND },
        { "add",
          M1(1),
          0,
          { MODIFIED(VEU_MODIFIER_SAT, DWORDS), LANES(DWORDS), ONE },
          LEGAL },
        { "add",
          M1(1),
          0,
          { MODIFIED(VEU_MODIFIER_ABS, DWORDS), LANES(DWORDS), ONE },
          OPERAND },
        { "mul",
          M1(1),
          0,
          { MODIFIED(VEU_MODIFIER_SAT, FLOATS), LANES(FLOATS), LANES(FLOATS) },
          LEGAL },
        { "mul",
          M1(1),
          0,
          { MODIFIED(VEU_MODIFIER_SAT, DWORDS), LANES(DWORDS), ONE },
          OPERAND },
        { "asr",
          M1(1),
          0,
          { MODIFIED(VEU_MODIFIER_SAT, DWORDS), LANES(DWORDS), ONE },
          OPERAND },
    };

    check(rows, G_N_ELEMENTS(rows));
}

/* M2 is at lane 4, M3 at 8, M5 at 16. */
/* &V32 is an operand of its own kind; a function's address is an integer. */
static void test_addresses(void)
{
#define A0                                                 \
    {                                                      \
        .class = VEU_OPERAND_ADDRESS, .id = 0, .column = 0 \
    }
/* Registers have 128 rows of 32 bytes. */
#define AT_ROW(row_)                                              \
    {                                                             \
        .class = VEU_OPERAND_GENERAL, .id = DWORDS, .row = (row_) \
    }
    static const Row rows[] = {
        { "addr_add", M1(1), 0, { A0, V(DWORDS, 1, 0), ONE }, LEGAL },
        { "addr_add", M1(1), 0, { A0, ONE, ONE }, OPERAND },
        { "addr_add",
          M1(1),
          0,
          { A0, V(DWORDS, 1, 0), LANES(FLOATS) },
          OPERAND },
        { "addr_add",
          M1(1),
          0,
          { A0, MODIFIED(VEU_MODIFIER_ABS, DWORDS), ONE },
          OPERAND },
        { "addr_add", M1(1), 0, { A0, AT_ROW(127), ONE }, LEGAL },
        { "addr_add", M1(1), 0, { A0, AT_ROW(128), ONE }, OPERAND },
        { "ifcall", M1(1), 0, { LANES(DWORDS) }, LEGAL },
        { "ifcall", M1(16), 0, { V(DWORDS, 15, REGION(1, 1, 0)) }, LEGAL },
        { "ifcall", M1(16), 0, { V(DWORDS, 16, REGION(1, 1, 0)) }, OPERAND },
        { "ifcall", M1(1), 0, { MODIFIED(VEU_MODIFIER_NEG, DWORDS) }, OPERAND },
        { "ifcall", M1(1), 0, { P(1) }, OPERAND },
        { "ifcall", M1(1), 0, { LANES(FLOATS) }, OPERAND },
    };

    check(rows, G_N_ELEMENTS(rows));
}

/* The high dwords are in the register that follows those of the low ones. */
static void test_madw_has_room_for_high_dwords(void)
{
#define TO_INDIRECT                                                 \
    {                                                               \
        .class = VEU_OPERAND_INDIRECT, .id = 0, .type = VEU_TYPE_D, \
        .region = REGION(1, 1, 1)                                   \
    }
    static const Row rows[] = {
        { "madw", M1(8), 0, { DST(DWORDS), ONE, ONE, ONE }, LEGAL },
        { "madw", M1(16), 0, { DST(DWORDS), ONE, ONE, ONE }, OPERAND },
        { "madw",
          M1(4),
          0,
          { V(DWORDS, 4, REGION(1, 1, 1)), ONE, ONE, ONE },
          LEGAL },
        { "madw",
          M1(8),
          0,
          { V(DWORDS, 1, REGION(1, 1, 1)), ONE, ONE, ONE },
          OPERAND },
        { "madw", M1(1), 0, { V(DWORDS, 8, 0x200), ONE, ONE, ONE }, OPERAND },
        { "mov", M1(1), 0, { TO_INDIRECT, ONE }, LEGAL },
        { "madw", M1(1), 0, { TO_INDIRECT, ONE, ONE, ONE }, OPERAND },
        { "madw", M1(32), 0, { V(0, 0, 0x200), ONE, ONE, ONE }, LEGAL },
    };

    check(rows, G_N_ELEMENTS(rows));
}

static void test_masks(void)
{
    static const Row rows[] = {
        { "mov", 0x10 | M1(4), 0, { DST(DWORDS), ONE }, LEGAL },
        { "mov",
          0x10 | M1(8),
          0,
          { DST(DWORDS), ONE },
          VEU_FAULT_MESSAGE_FIELD },
        { "mov", 0x20 | M1(8), 0, { DST(DWORDS), ONE }, LEGAL },
        { "mov",
          0x20 | M1(16),
          0,
          { DST(DWORDS), ONE },
          VEU_FAULT_MESSAGE_FIELD },
        { "mov", 0x40 | M1(16), 0, { DST(DWORDS), ONE }, LEGAL },
        { "mov", 6, 0, { DST(DWORDS), ONE }, VEU_FAULT_MESSAGE_FIELD },
        { "mov", 8 | M1(1), 0, { DST(DWORDS), ONE }, VEU_FAULT_MESSAGE_FIELD },
    };

    check(rows, G_N_ELEMENTS(rows));
}

static void test_predicates(void)
{
    static const Row rows[] = {
        { "mov", M1(8), 4, { DST(DWORDS), ONE }, LEGAL },
        { "mov", M1(8), 5, { DST(DWORDS), ONE }, VEU_FAULT_MESSAGE_PREDICATE },
        { "mov", M1(8), 0x4001, { DST(DWORDS), ONE }, LEGAL },
        { "mov", M1(8), 0x6001, { DST(DWORDS), ONE }, VEU_FAULT_MESSAGE_FIELD },
        { "mov", M1(8), 0x1001, { DST(DWORDS), ONE }, VEU_FAULT_MESSAGE_FIELD },
        { "mov", M1(8), 0x8000, { DST(DWORDS), ONE }, VEU_FAULT_MESSAGE_FIELD },
    };

    check(rows, G_N_ELEMENTS(rows));
}

/* P1 has 8 bits. */
static uint16_t fault_of_lanes(const char *mnemonic, unsigned size,
                               unsigned pred, Op dst, Op src)
{
    Code code = new_code();

    code.predicate_bits = 8;
    CODE_ADD(&code, mnemonic, size, pred, 0, dst, src);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return fault_of(&code);
}

static void test_predicates_have_the_lanes(void)
{
    Op one = op_imm(VEU_TYPE_UD, 1);
    Op v = op_dst(DWORDS);

    g_assert_cmpuint(fault_of_lanes("mov", M1(8), 1, v, one), ==, LEGAL);
    g_assert_cmpuint(fault_of_lanes("mov", M1(16), 1, v, one), ==,
                     VEU_FAULT_MESSAGE_PREDICATE);
    g_assert_cmpuint(fault_of_lanes("mov", 0x20 | M1(1), 1, v, one), ==,
                     VEU_FAULT_MESSAGE_PREDICATE);
    /* mov takes the bits that there are. */
    g_assert_cmpuint(fault_of_lanes("mov", M1(16), 0, v, op_pred(1)), ==,
                     LEGAL);
    g_assert_cmpuint(fault_of_lanes("setp", M1(8), 0, op_pred(1), one), ==,
                     LEGAL);
    g_assert_cmpuint(fault_of_lanes("setp", M1(16), 0, op_pred(1), one), ==,
                     VEU_FAULT_MESSAGE_PREDICATE);
}

static void test_a_label_is_where_it_is_said_to_be(void)
{
    Code code = new_code(), moved;
    unsigned label = code_new_label(&code, VEU_LABEL_BLOCK);

    code_add_label(&code, label);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_cmpuint(fault_of(&code), ==, LEGAL);
    moved = code;
    moved.labels[label].offset++;
    g_assert_cmpuint(fault_of(&moved), ==, VEU_FAULT_PROGRAM_LABEL);
    moved = code;
    moved.labels[label].kind = VEU_LABEL_SUBROUTINE;
    g_assert_cmpuint(fault_of(&moved), ==, VEU_FAULT_PROGRAM_LABEL);
}

/* Gotos forward and backward, to a label of the kernel and of a subroutine. */
static void test_a_goto_stays_in_its_routine(void)
{
    for (unsigned n = 0; n < 4; n++) {
        Code code = new_code();
        unsigned first = code_new_label(&code, VEU_LABEL_BLOCK);
        unsigned routine = code_new_label(&code, VEU_LABEL_SUBROUTINE);
        unsigned second = code_new_label(&code, VEU_LABEL_BLOCK);
        bool stays = !(n & 1) && n >> 1;

        code_add_label(&code, first);
        CODE_ADD(&code, "goto", size_m1(8), 1, n & 1 ? second : first, { 0 });
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        code_add_label(&code, routine);
        code_add_label(&code, second);
        CODE_ADD(&code, "goto", size_m1(8), 1, n >> 1 ? second : first, { 0 });
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        g_assert_cmpuint(fault_of(&code), ==,
                         stays ? LEGAL : VEU_FAULT_PROGRAM_LABEL);
    }
}

/*
 * A `ret` with a predicate continues with the following code, which has to be a
 * routine.
 */
static void test_a_routine_does_not_fall_through(void)
{
    Code code = new_code();

    CODE_ADD(&code, "ret", size_m1(8), 1, 0, { 0 });
    g_assert_cmpuint(fault_of(&code), ==, VEU_FAULT_PROGRAM_FLOW);
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    g_assert_cmpuint(fault_of(&code), ==, LEGAL);
}

/* Compilers leave labels of removed blocks after the last return. */
static void test_what_nothing_reaches_may_be_last(void)
{
    for (unsigned reached = 0; reached < 2; reached++) {
        Code code = new_code();
        unsigned label = code_new_label(&code, VEU_LABEL_BLOCK);

        if (reached) {
            CODE_ADD(&code, "goto", size_m1(8), 1, label, { 0 });
        }
        CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
        code_add_label(&code, label);
        g_assert_cmpuint(fault_of(&code), ==,
                         reached ? VEU_FAULT_PROGRAM_FLOW : LEGAL);
        CODE_ADD(&code, "ret", size_m1(8), 1, 0, { 0 });
        g_assert_cmpuint(fault_of(&code), ==,
                         reached ? VEU_FAULT_PROGRAM_FLOW : LEGAL);
        CODE_ADD(&code, "goto", size_m1(8), 0, label, { 0 });
        g_assert_cmpuint(fault_of(&code), ==, LEGAL);
    }
}

/* The code at the entry may follow a return: it is reached, and has to end. */
static void test_the_entry_is_reached(void)
{
    Code code = new_code();
    g_autofree uint8_t *bytes = g_new0(uint8_t, CODE_PROGRAM_BYTES);
    g_autofree VeuProgram *program = veu_program_new();
    struct veu_program_header *h = (void *)bytes;
    VeuFault fault = { 0 };
    uint32_t offset, count;

    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    offset = code.count;
    CODE_ADD(&code, "ret", size_m1(8), 1, 0, { 0 });
    count = code_build(&code, bytes);
    h->entry = offset;
    g_assert_true(veu_program_open(program, bytes, count, 32, &fault));
    g_assert_cmpint(veu_program_decode(program, UINT32_MAX, &fault, &offset),
                    ==, VEU_LOAD_FAULT);
    g_assert_cmpuint(fault.code, ==, VEU_FAULT_PROGRAM_FLOW);
}

/* The detail is the offset of a routine that calls itself. */
static void test_a_recursion_names_its_routine(void)
{
    Code code = new_code();
    g_autofree uint8_t *bytes = g_new0(uint8_t, CODE_PROGRAM_BYTES);
    g_autofree VeuProgram *program = veu_program_new();
    unsigned routine = code_new_label(&code, VEU_LABEL_SUBROUTINE);
    VeuFault fault = { 0 };
    uint32_t at, offset, count;

    CODE_ADD(&code, "call", size_m1(8), 0, routine, { 0 });
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    at = code.count;
    code_add_label(&code, routine);
    CODE_ADD(&code, "call", size_m1(8), 0, routine, { 0 });
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    count = code_build(&code, bytes);
    g_assert_true(veu_program_open(program, bytes, count, 32, &fault));
    g_assert_cmpint(veu_program_decode(program, UINT32_MAX, &fault, &offset),
                    ==, VEU_LOAD_FAULT);
    g_assert_cmpuint(fault.code, ==, VEU_FAULT_PROGRAM_FLOW);
    g_assert_cmpuint(fault.detail, ==, at);
}

static void test_functions_start_at_instructions(void)
{
    Code code = new_code(), other;

    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code.functions[code.function_count++].offset = code.count;
    CODE_ADD(&code, "fret", size_m1(1), 0, 0, { 0 });
    g_assert_cmpuint(fault_of(&code), ==, LEGAL);
    other = code;
    other.functions[0].offset++;
    g_assert_cmpuint(fault_of(&other), ==, VEU_FAULT_PROGRAM_FLOW);
    other.functions[0].offset = code.count;
    g_assert_cmpuint(fault_of(&other), ==, VEU_FAULT_PROGRAM_FLOW);
}

/* LIMIT_SURFACES is 250: docs/spec.md, section 17.2. */
static void test_a_program_has_at_most_250_surface_variables(void)
{
    Code code = new_code();

    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code.surface_count = 250;
    g_assert_cmpuint(fault_of(&code), ==, LEGAL);
    code.surface_count = 251;
    g_assert_cmpuint(fault_of(&code), ==, VEU_FAULT_PROGRAM_FIELD);
}

/* Loads @code into @program, of which it may have been another one before. */
static void load_again(VeuProgram *program, const Code *code)
{
    g_autofree uint8_t *bytes = g_new0(uint8_t, CODE_PROGRAM_BYTES);
    uint32_t offset, count = code_build(code, bytes);
    VeuFault fault = { 0 };

    g_assert_true(veu_program_open(program, bytes, count, 32, &fault));
    g_assert_cmpint(veu_program_decode(program, UINT32_MAX, &fault, &offset),
                    ==, VEU_LOAD_DONE);
}

/* A ring has memory for one program, which each launch fills again. */
static void test_nothing_of_the_program_before_remains(void)
{
    g_autofree VeuProgram *program = veu_program_new();
    Code code = new_code(), other = new_code();
    unsigned label = code_new_label(&code, VEU_LABEL_BLOCK);

    CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
    CODE_ADD(&code, "goto", size_m1(1), 1, label, { 0 });
    code_add_label(&code, label);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    CODE_ADD(&other, "ret", size_m1(1), 0, 0, { 0 });
    load_again(program, &code);
    g_assert_true(program->has_barrier);
    g_assert_cmpuint(program->address_element_count, ==, 16);
    load_again(program, &other);
    g_assert_false(program->has_barrier);
    g_assert_cmpuint(program->label_count, ==, 0);
    g_assert_cmpuint(program->message_count, ==, 0);
    g_assert_cmpuint(program->instruction_count, ==, 1);
    load_again(program, &code);
    g_assert_true(program->has_barrier);
    g_assert_cmpuint(program->address_element_count, ==, 16);
    g_assert_cmpuint(program->addresses[0].first, ==, 0);
}

/* Messages that a ring holds itself use the same memory. */
static void test_nothing_remains_for_messages(void)
{
    static const struct veu_variable variable = { .elements = 8,
                                                  .type = VEU_TYPE_UD };
    TestMessage m = { .kind = TEST_GATHER_SCALED,
                      .exec = TEST_LANES_1,
                      .num_blocks = 2,
                      .surface = VEU_FIRST_SURFACE,
                      .offset = test_immediate(0),
                      .address = { VEU_FIRST_VARIABLE, 0 },
                      .data = { VEU_PREDEFINED_TSC, 0 } };
    g_autofree VeuProgram *program = veu_program_new();
    Code code = new_code();
    TestCode bytes = test_encode(&m);
    VeuFault fault = { 0 };
    uint32_t offset;

    CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load_again(program, &code);
    g_assert_true(veu_program_open_inline(program, 8, 32, &variable, 1, 0,
                                          bytes.bytes, bytes.count, &fault));
    g_assert_false(program->has_barrier);
    g_assert_cmpuint(program->address_count, ==, 0);
    g_assert_cmpuint(program->address_element_count, ==, 0);
    g_assert_cmpuint(program->register_bytes, ==, 32);
    /* %tsc is a variable of instructions only. */
    g_assert_cmpint(veu_program_decode(program, UINT32_MAX, &fault, &offset),
                    ==, VEU_LOAD_FAULT);
    g_assert_cmphex(fault.code, ==, OPERAND);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/instruction-check/operands-are-in-their-variables",
                    test_operands_are_in_their_variables);
    g_test_add_func("/instruction-check/regions", test_regions);
    g_test_add_func("/instruction-check/types-and-modifiers",
                    test_types_and_modifiers);
    g_test_add_func("/instruction-check/addresses", test_addresses);
    g_test_add_func("/instruction-check/madw-has-room-for-high-dwords",
                    test_madw_has_room_for_high_dwords);
    g_test_add_func("/instruction-check/masks", test_masks);
    g_test_add_func("/instruction-check/predicates", test_predicates);
    g_test_add_func("/instruction-check/predicates-have-the-lanes",
                    test_predicates_have_the_lanes);
    g_test_add_func("/instruction-check/a-label-is-where-it-is-said-to-be",
                    test_a_label_is_where_it_is_said_to_be);
    g_test_add_func("/instruction-check/a-goto-stays-in-its-routine",
                    test_a_goto_stays_in_its_routine);
    g_test_add_func("/instruction-check/a-routine-does-not-fall-through",
                    test_a_routine_does_not_fall_through);
    g_test_add_func("/instruction-check/what-nothing-reaches-may-be-last",
                    test_what_nothing_reaches_may_be_last);
    g_test_add_func("/instruction-check/the-entry-is-reached",
                    test_the_entry_is_reached);
    g_test_add_func("/instruction-check/a-recursion-names-its-routine",
                    test_a_recursion_names_its_routine);
    g_test_add_func("/instruction-check/functions-start-at-instructions",
                    test_functions_start_at_instructions);
    g_test_add_func(
        "/instruction-check/a-program-has-at-most-250-surface-variables",
        test_a_program_has_at_most_250_surface_variables);
    g_test_add_func("/instruction-check/nothing-of-the-program-before-remains",
                    test_nothing_of_the_program_before_remains);
    g_test_add_func("/instruction-check/nothing-remains-for-messages",
                    test_nothing_remains_for_messages);
    return g_test_run();
}
