/*
 * veu unit tests: programs of instructions: lanes, operands, control flow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fenv.h>
#include <string.h>
#include "tests/lib/code_builder.h"

/* Relations, and minimum and maximum, as the vendor's pages encode them. */
enum {
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE
};
#define INVERSE 0x8000u

static int32_t dword(const CodeRun *run, uint32_t at)
{
    int32_t value;

    memcpy(&value, run->registers + at, sizeof(value));
    return value;
}

static void set_dword(CodeRun *run, uint32_t at, int32_t value)
{
    memcpy(run->registers + at, &value, sizeof(value));
}

static void load(CodeRun *run, const Code *code)
{
    g_assert_true(code_load(run, code));
}

/* Lane i executes the loop i + 1 times; lanes that leave it wait after it. */
static void test_each_lane_loops_as_often_as_it_says(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t left = code_variable(&code, 0, 16, VEU_TYPE_D);
    uint32_t turns = code_variable(&code, 64, 16, VEU_TYPE_D);
    uint32_t together = code_variable(&code, 128, 1, VEU_TYPE_D);
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);

    code_add_label(&code, loop);
    CODE_ADD(&code, "add", size_m1(16), 0, 0, op_dst(turns), op_lanes(turns),
             op_imm(VEU_TYPE_D, 1));
    CODE_ADD(&code, "add", size_m1(16), 0, 0, op_dst(left), op_lanes(left),
             op_imm(VEU_TYPE_D, -1));
    CODE_ADD(&code, "cmp", size_m1(16), 0, GT, op_pred(1), op_lanes(left),
             op_imm(VEU_TYPE_D, 0));
    CODE_ADD(&code, "goto", size_m1(16), 1, loop, { 0 });
    CODE_ADD(&code, "add", size_nm(1), 0, 0, op_dst(together),
             op_scalar(together), op_imm(VEU_TYPE_D, 1));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    for (int i = 0; i < 16; i++) {
        set_dword(&run, 4 * i, i + 1);
    }
    g_assert_true(code_run(&run, 0x7fff, 1000));
    for (int i = 0; i < 16; i++) {
        g_assert_cmpint(dword(&run, 64 + 4 * i), ==, i < 15 ? i + 1 : 0);
    }
    g_assert_cmpint(dword(&run, 128), ==, 1);
    g_assert_cmphex(run.flow.running, ==, 0);
    code_free(&run);
}

/* Half of the lanes call; the others continue only when those have returned. */
static void test_a_call_takes_the_lanes_of_its_predicate(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t v = code_variable(&code, 0, 8, VEU_TYPE_D);
    unsigned routine = code_new_label(&code, VEU_LABEL_SUBROUTINE);

    CODE_ADD(&code, "setp", size_nm(32), 0, 0, op_pred(1),
             op_imm(VEU_TYPE_UD, 0x0f));
    CODE_ADD(&code, "call", size_m1(8), 1, routine, { 0 });
    CODE_ADD(&code, "mul", size_m1(8), 0, 0, op_dst(v), op_lanes(v),
             op_imm(VEU_TYPE_D, 10));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&code, routine);
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(v), op_lanes(v),
             op_imm(VEU_TYPE_D, 1));
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 0xff, 100));
    for (int i = 0; i < 8; i++) {
        g_assert_cmpint(dword(&run, 4 * i), ==, i < 4 ? 10 : 0);
    }
    g_assert_cmpuint(run.flow.depth, ==, 0);
    code_free(&run);
}

static void test_a_function_is_called_by_its_address(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t address = code_variable(&code, 0, 1, VEU_TYPE_UQ);
    uint32_t v = code_variable(&code, 32, 8, VEU_TYPE_D);

    code.function_count = 1;
    CODE_ADD(&code, "faddr", 0, 0, 0, op_dst(address));
    CODE_ADD(&code, "ifcall", size_m1(8), 0, 0, op_scalar(address));
    CODE_ADD(&code, "add", size_nm(1), 0, 0, op_dst(address),
             op_scalar(address), op_imm(VEU_TYPE_D, 1));
    CODE_ADD(&code, "ifcall", size_m1(8), 0, 0, op_scalar(address));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code.functions[0].offset = code.count;
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(v), op_imm(VEU_TYPE_W, 7));
    CODE_ADD(&code, "fret", size_m1(8), 0, 0, { 0 });
    load(&run, &code);
    g_assert_false(code_run(&run, 0xff, 100));
    g_assert_cmpuint(run.thread.fault.code, ==, VEU_FAULT_CALL);
    g_assert_cmpuint(run.thread.fault.detail, ==, code.functions[0].offset + 1);
    g_assert_cmpint(dword(&run, 32 + 28), ==, 7);
    code_free(&run);
}

/* The address is read for lanes that call; there are none. */
static void test_an_address_is_not_read_for_no_lanes(void)
{
    Code code = { 0 };
    CodeRun run;
    Op outside = { .class = VEU_OPERAND_INDIRECT,
                   .type = VEU_TYPE_UD,
                   .region = VEU_REGION(VEU_REGION_NONE, 2, 1) };

    CODE_ADD(&code, "ifcall", size_m1(8), 1, 0, outside);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    run.addresses[0] = CODE_REGISTER_BYTES;
    g_assert_true(code_run(&run, 0xff, 100));
    run.predicates[0] = 0x100;
    g_assert_true(code_run(&run, 0xff, 100));
    run.predicates[0] = 0x80;
    g_assert_false(code_run(&run, 0xff, 100));
    g_assert_cmpuint(run.thread.fault.code, ==, VEU_FAULT_INDIRECT);
    g_assert_cmpuint(run.thread.fault.detail, ==, CODE_REGISTER_BYTES);
    code_free(&run);
}

/* The fault occurs at this depth, and its detail is the address called. */
static void assert_call_fault(const Code *code, unsigned depth, uint32_t detail)
{
    CodeRun run;

    load(&run, code);
    g_assert_false(code_run(&run, 0xff, 1000));
    g_assert_cmpuint(run.thread.fault.code, ==, VEU_FAULT_CALL);
    g_assert_cmpuint(run.thread.fault.detail, ==, detail);
    g_assert_cmpuint(run.flow.depth, ==, depth);
    code_free(&run);
}

/* It can do so only by address; otherwise the program is refused. */
static void test_a_function_does_not_call_itself(void)
{
    Code code = { .function_count = 1 };
    uint32_t address = code_variable(&code, 0, 1, VEU_TYPE_UQ);

    CODE_ADD(&code, "faddr", 0, 0, 0, op_dst(address));
    CODE_ADD(&code, "fcall", size_m1(8), 0, 0, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code.functions[0].offset = code.count;
    CODE_ADD(&code, "ifcall", size_m1(8), 0, 0, op_scalar(address));
    CODE_ADD(&code, "fret", size_m1(8), 0, 0, { 0 });
    assert_call_fault(&code, 1, code.functions[0].offset);
}

/*
 * A byte past the start of a function is not a function, although another one
 * follows.
 */
static void test_a_function_is_at_its_address(void)
{
    Code code = { .function_count = 2 };
    uint32_t address = code_variable(&code, 0, 1, VEU_TYPE_UQ);

    CODE_ADD(&code, "faddr", 0, 0, 0, op_dst(address));
    CODE_ADD(&code, "add", size_nm(1), 0, 0, op_dst(address),
             op_scalar(address), op_imm(VEU_TYPE_UD, 1));
    CODE_ADD(&code, "ifcall", size_m1(8), 0, 0, op_scalar(address));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    for (unsigned n = 0; n < code.function_count; n++) {
        code.functions[n].offset = code.count;
        CODE_ADD(&code, "fret", size_m1(8), 0, 0, { 0 });
    }
    assert_call_fault(&code, 0, code.functions[0].offset + 1);
}

/* Function n calls function n + 1; the 64th may call a subroutine, or not. */
static void run_chain(bool calls)
{
    Code code = { .function_count = 64 };
    unsigned routine = code_new_label(&code, VEU_LABEL_SUBROUTINE);

    CODE_ADD(&code, "fcall", size_m1(8), 0, 0, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&code, routine);
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    for (unsigned n = 0; n < code.function_count; n++) {
        code.functions[n].offset = code.count;
        if (n + 1 < code.function_count) {
            CODE_ADD(&code, "fcall", size_m1(8), 0, n + 1, { 0 });
        } else if (calls) {
            CODE_ADD(&code, "call", size_m1(8), 0, routine, { 0 });
        }
        CODE_ADD(&code, "fret", size_m1(8), 0, 0, { 0 });
    }
    if (calls) {
        assert_call_fault(&code, 64, code.labels[routine].offset);
    } else {
        CodeRun run;

        load(&run, &code);
        g_assert_true(code_run(&run, 0xff, 1000));
        g_assert_cmphex(run.flow.running, ==, 0);
        code_free(&run);
    }
}

static void test_calls_are_64_deep(void)
{
    run_chain(false);
    run_chain(true);
}

static void assert_refused(const Code *code, uint16_t fault)
{
    CodeRun run;

    g_assert_false(code_load(&run, code));
    g_assert_cmpuint(run.fault.code, ==, fault);
    code_free(&run);
}

static void test_what_is_static_is_refused(void)
{
    Code falls = { 0 }, recursive = { 0 }, lost = { 0 }, outside = { 0 };
    Code borrow = { 0 }, saturated = { 0 };
    Code sampler = { .bytes = { 0x6d }, .count = 1 };
    unsigned self = code_new_label(&recursive, VEU_LABEL_SUBROUTINE);
    uint32_t v = code_variable(&outside, 0, 16, VEU_TYPE_D);
    uint32_t word = code_variable(&borrow, 0, 1, VEU_TYPE_W);
    uint32_t dword = code_variable(&saturated, 0, 1, VEU_TYPE_UD);

    CODE_ADD(&falls, "yield", 0, 0, 0, { 0 });
    assert_refused(&falls, VEU_FAULT_PROGRAM_FLOW);
    CODE_ADD(&recursive, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&recursive, self);
    CODE_ADD(&recursive, "call", size_m1(8), 0, self, { 0 });
    CODE_ADD(&recursive, "ret", size_m1(8), 0, 0, { 0 });
    assert_refused(&recursive, VEU_FAULT_PROGRAM_FLOW);
    code_new_label(&lost, VEU_LABEL_BLOCK);
    CODE_ADD(&lost, "ret", size_m1(1), 0, 0, { 0 });
    assert_refused(&lost, VEU_FAULT_PROGRAM_LABEL);
    CODE_ADD(&outside, "mov", size_m1(16), 0, 0, op_dst(v),
             op_v(v, 1, 1, 1, 0));
    assert_refused(&outside, VEU_FAULT_MESSAGE_OPERAND);
    CODE_ADD(&borrow, "subb", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_NULL),
             op_dst(word), op_imm(VEU_TYPE_UD, 1), op_imm(VEU_TYPE_UD, 2));
    assert_refused(&borrow, VEU_FAULT_MESSAGE_OPERAND);
    CODE_ADD(&saturated, "addc", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_NULL),
             op_with(op_dst(dword), VEU_MODIFIER_SAT), op_imm(VEU_TYPE_UD, 1),
             op_imm(VEU_TYPE_UD, 2));
    assert_refused(&saturated, VEU_FAULT_MESSAGE_OPERAND);
    assert_refused(&sampler, VEU_FAULT_INSTRUCTION_NOT_MODELLED);
}

/* Stores the result of one instruction on constants, as a dword. */
static int64_t result_of(const char *mnemonic, uint8_t type, unsigned number,
                         VeuModifier saturation, Op a, Op b, Op c)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t v = code_variable(&code, 0, 1, type);
    int64_t value;

    CODE_ADD(&code, mnemonic, size_nm(1), 0, number,
             op_with(op_dst(v), saturation), a, b, c);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 1, 10));
    memcpy(&value, run.registers, sizeof(value));
    code_free(&run);
    return value;
}

#define I(type, value) op_imm(VEU_TYPE_##type, (uint64_t)(value))

/*
 * Expected values are from the vendor's pages, or docs/spec.md where these are
 * silent.
 */
static void test_integers(void)
{
    static const struct {
        const char *mnemonic;
        uint8_t type;
        VeuModifier saturation;
        uint8_t type_a, type_b;
        int64_t a, b;
        int64_t result;
    } rows[] = {
        { "add", VEU_TYPE_UB, VEU_MODIFIER_SAT, VEU_TYPE_D, VEU_TYPE_D, 200,
          100, 255 },
        { "add", VEU_TYPE_UB, 0, VEU_TYPE_D, VEU_TYPE_D, 200, 100, 44 },
        { "add", VEU_TYPE_UD, VEU_MODIFIER_SAT, VEU_TYPE_D, VEU_TYPE_D, 1, -2,
          0 },
        { "avg", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, 3, 4, 4 },
        { "div", VEU_TYPE_UD, 0, VEU_TYPE_UD, VEU_TYPE_UD, 7, 0, UINT32_MAX },
        { "div", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, -7, 2, (uint32_t)-3 },
        { "div", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, 7, 0, INT32_MAX },
        { "div", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, INT32_MIN, -1,
          0x80000000 },
        { "mod", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, -7, 2, UINT32_MAX },
        { "mod", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, 7, 0, 7 },
        { "mulh", VEU_TYPE_UD, 0, VEU_TYPE_UD, VEU_TYPE_UD, UINT32_MAX,
          UINT32_MAX, 0xfffffffe },
        { "mulh", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, -1, 1, UINT32_MAX },
        { "mul", VEU_TYPE_Q, 0, VEU_TYPE_UD, VEU_TYPE_UD, UINT32_MAX, 2,
          INT64_C(0x1fffffffe) },
        { "shl", VEU_TYPE_Q, 0, VEU_TYPE_D, VEU_TYPE_D, 1, 40,
          INT64_C(1) << 40 },
        { "shl", VEU_TYPE_D, 0, VEU_TYPE_D, VEU_TYPE_D, 1, 33, 2 },
        { "shr", VEU_TYPE_D, 0, VEU_TYPE_UD, VEU_TYPE_D, 0x80000000, 31, 1 },
        { "asr", VEU_TYPE_UD, 0, VEU_TYPE_UD, VEU_TYPE_D, 0x80000000, 31,
          UINT32_MAX },
        { "rol", VEU_TYPE_UD, 0, VEU_TYPE_UD, VEU_TYPE_UD, 0x80000001, 4,
          0x18 },
        { "ror", VEU_TYPE_UW, 0, VEU_TYPE_UW, VEU_TYPE_UW, 1, 1, 0x8000 },
        { "rol", VEU_TYPE_UD, 0, VEU_TYPE_UW, VEU_TYPE_UW, 0x8001, 1, 3 },
        { "ror", VEU_TYPE_D, 0, VEU_TYPE_W, VEU_TYPE_UW, 1, 1, 0xffff8000 },
        { "cbit", VEU_TYPE_UD, 0, VEU_TYPE_B, VEU_TYPE_D, -1, 0, 32 },
        { "cbit", VEU_TYPE_UD, 0, VEU_TYPE_UB, VEU_TYPE_D, 0xff, 0, 8 },
        { "or", VEU_TYPE_UQ, 0, VEU_TYPE_UD, VEU_TYPE_UQ, UINT32_MAX,
          INT64_C(1) << 32, INT64_C(0x1ffffffff) },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        int64_t value = result_of(rows[i].mnemonic, rows[i].type, 0,
                                  rows[i].saturation,
                                  op_imm(rows[i].type_a, rows[i].a),
                                  op_imm(rows[i].type_b, rows[i].b), I(D, 0));

        g_assert_cmphex(value, ==, rows[i].result);
    }
    g_assert_cmphex(result_of("bfi", VEU_TYPE_UD, 0, 0, I(UD, 4), I(UD, 8),
                              I(UD, 0xff)) &
                        0xf00,
                    ==, 0xf00);
    g_assert_cmphex(result_of("bfe", VEU_TYPE_D, 0, 0, I(D, 4), I(D, 4),
                              I(D, 0x80)),
                    ==, 0xfffffff8);
    g_assert_cmphex(result_of("bfn", VEU_TYPE_UD, 0x96, 0, I(UD, 0xf0f0),
                              I(UD, 0xff00), I(UD, 0xcccc)),
                    ==, 0xf0f0 ^ 0xff00 ^ 0xcccc);
    g_assert_cmphex(result_of("dp4a", VEU_TYPE_D, 0, 0, I(D, 1),
                              I(D, 0x01ff01ff), I(UD, 0x02ff02ff)),
                    ==, (uint32_t)(1 - 255 + 2 - 255 + 2));
    g_assert_cmphex(result_of("dp4a", VEU_TYPE_D, 0, 0, I(D, 0), I(W, -1),
                              I(UB, 1)),
                    ==, UINT32_MAX);
}

/* Sources are exact numbers: the negative of the least Q is 2^63. */
static void test_the_least_number_has_a_negative(void)
{
    static const struct {
        const char *mnemonic;
        int64_t result;
    } rows[] = {
        { "div", INT64_C(1) << 62 },
        { "mod", 0 },
        { "min", 2 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        Code code = { 0 };
        CodeRun run;
        uint32_t v = code_variable(&code, 0, 1, VEU_TYPE_Q);
        int64_t value = INT64_MIN;

        CODE_ADD(&code, rows[i].mnemonic, size_nm(1), 0, 0, op_dst(v),
                 op_with(op_scalar(v), VEU_MODIFIER_NEG), I(Q, 2));
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        load(&run, &code);
        memcpy(run.registers, &value, sizeof(value));
        g_assert_true(code_run(&run, 1, 10));
        memcpy(&value, run.registers, sizeof(value));
        code_free(&run);
        g_assert_cmphex(value, ==, rows[i].result);
    }
}

/* The vendor's tables of conversion and saturation. */
static void test_conversions(void)
{
    g_assert_cmphex(result_of("mov", VEU_TYPE_D, 0, 0, I(F, 0xc0200000),
                              I(D, 0), I(D, 0)),
                    ==, (uint32_t)-2);
    g_assert_cmphex(result_of("mov", VEU_TYPE_UD, 0, 0, I(F, 0xbf800000),
                              I(D, 0), I(D, 0)),
                    ==, 0);
    g_assert_cmphex(result_of("mov", VEU_TYPE_D, 0, 0, I(F, 0x7fc00000),
                              I(D, 0), I(D, 0)),
                    ==, 0);
    g_assert_cmphex(result_of("mov", VEU_TYPE_W, 0, 0, I(F, 0x501502f9),
                              I(D, 0), I(D, 0)),
                    ==, 0x7fff);
    g_assert_cmphex(result_of("mov", VEU_TYPE_F, 0, VEU_MODIFIER_SAT,
                              I(F, 0x7fc00000), I(D, 0), I(D, 0)),
                    ==, 0);
    g_assert_cmphex(result_of("mov", VEU_TYPE_F, 0, VEU_MODIFIER_SAT,
                              I(F, 0x40000000), I(D, 0), I(D, 0)),
                    ==, 0x3f800000);
    /* A mov between equal types keeps all bits, even of signalling NaNs. */
    g_assert_cmphex(result_of("mov", VEU_TYPE_F, 0, 0, I(F, 0xff800001),
                              I(D, 0), I(D, 0)),
                    ==, 0xff800001);
    g_assert_cmphex(result_of("mov", VEU_TYPE_HF, 0, 0, I(F, 0x477ff000),
                              I(D, 0), I(D, 0)),
                    ==, 0x7c00);
}

/* Handlers let the CPU round. */
static bool cpu_rounds_up(void)
{
    const int before = fegetround();
    volatile float one = 1, half_a_bit = 0x1p-24f;
    volatile float sum;

    fesetround(FE_UPWARD);
    sum = one + half_a_bit;
    fesetround(before);
    return sum > 1;
}

/*
 * Bits 5:4 of %cr0 select the rounding: 1 + 2^-24 lies between 1 and the next
 * number.
 */
static void test_the_control_register_rounds(void)
{
    static const uint32_t sums[] = { 0x3f800000, 0x3f800001, 0x3f800000,
                                     0x3f800000 };

    if (!cpu_rounds_up()) {
        g_test_skip("valgrind rounds to nearest only");
        return;
    }
    for (unsigned mode = 0; mode < 4; mode++) {
        Code code = { 0 };
        CodeRun run;
        uint32_t v = code_variable(&code, 0, 1, VEU_TYPE_F);

        CODE_ADD(&code, "or", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_CR0),
                 op_scalar(VEU_PREDEFINED_CR0), I(UD, 0x4c0 | mode << 4));
        CODE_ADD(&code, "add", size_nm(1), 0, 0, op_dst(v), I(F, 0x3f800000),
                 I(F, 0x33800000));
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        load(&run, &code);
        g_assert_true(code_run(&run, 1, 10));
        g_assert_cmphex(dword(&run, 0), ==, sums[mode]);
        code_free(&run);
    }
}

/*
 * Lanes that do not run keep their bits, as do the other bits of the predicate.
 */
static void test_cmp_and_mov_make_a_ballot(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t v = code_variable(&code, 0, 1, VEU_TYPE_UD);
    uint32_t x = code_variable(&code, 64, 16, VEU_TYPE_D);

    CODE_ADD(&code, "setp", size_nm(32), 0, 0, op_pred(2), I(UD, 0));
    CODE_ADD(&code, "cmp", size_m1(16), 0, EQ, op_pred(2), op_lanes(x),
             op_lanes(x));
    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(v), op_pred(2));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 0xa50f, 10));
    g_assert_cmphex(dword(&run, 0), ==, 0xa50f);
    code_free(&run);
}

/* Sets the bits of a scalar, or bit 0 of each element of a packed vector. */
static void test_setp_of_immediates(void)
{
    Code code = { 0 };
    CodeRun run;

    CODE_ADD(&code, "setp", size_nm(8), 0, 0, op_pred(1), I(UD, 0xf5));
    CODE_ADD(&code, "setp", size_nm(8), 0, 0, op_pred(2), I(UV, 0x76543210));
    CODE_ADD(&code, "setp", size_nm(16), 0, 0, op_pred(3), I(B, 0x80));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 1, 10));
    g_assert_cmphex(run.predicates[0], ==, 0xf5);
    g_assert_cmphex(run.predicates[1], ==, 0xaa);
    g_assert_cmphex(run.predicates[2], ==, 0xff80);
    code_free(&run);
}

/* Sources, including an index, are extended by their types. */
static void test_movs_extends_its_source(void)
{
    Code code = { .surface_count = 1 };
    CodeRun run;
    Op t6 = { .class = VEU_OPERAND_STATE, .id = VEU_FIRST_SURFACE };
    uint32_t v = code_variable(&code, 0, 1, VEU_TYPE_W);

    CODE_ADD(&code, "movs", size_nm(1), 0, 0, t6, op_scalar(v));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    memset(run.registers, 0xff, 2);
    g_assert_true(code_run(&run, 1, 10));
    g_assert_cmphex(run.flow.states[0], ==, UINT32_MAX);
    code_free(&run);
}

/* The predicate has 8 bits, even if a payload sets more. */
static void test_mov_takes_the_bits_of_a_predicate(void)
{
    Code code = { .predicate_bits = 8 };
    CodeRun run;
    uint32_t v = code_variable(&code, 0, 1, VEU_TYPE_UD);

    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(v), op_pred(1));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    run.predicates[0] = 0xabcdef;
    g_assert_true(code_run(&run, 1, 10));
    g_assert_cmphex(dword(&run, 0), ==, 0xef);
    code_free(&run);
}

/*
 * <4;1,0> of bytes reads every fourth one. The destination overlaps its source.
 */
static void test_regions_read_before_they_write(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t bytes = code_variable(&code, 0, 64, VEU_TYPE_UB);
    uint32_t dwords = code_variable(&code, 0, 16, VEU_TYPE_D);

    CODE_ADD(&code, "mov", size_m1(16), 0, 0, op_dst(dwords),
             op_v(bytes, 0, 1, 1, 0));
    CODE_ADD(&code, "mov", size_m1(16), 0, 0, op_dst(bytes),
             op_v(bytes, 0, 4, 1, 0));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    for (unsigned i = 0; i < 64; i++) {
        run.registers[i] = i;
    }
    g_assert_true(code_run(&run, 0xffff, 10));
    for (unsigned i = 0; i < 16; i++) {
        g_assert_cmpuint(run.registers[i], ==, i);
    }
    code_free(&run);
}

static Op indirect(unsigned element, int16_t add_byte, uint8_t type)
{
    return (Op){
        .class = VEU_OPERAND_INDIRECT,
        .column = element,
        .add_byte = add_byte,
        .type = type,
        .region = VEU_REGION(VEU_REGION_NONE, 2, 1),
    };
}

static void test_indirect_operands_stay_in_the_registers(void)
{
    Code code = { 0 };
    CodeRun run;
    Op a0 = { .class = VEU_OPERAND_ADDRESS, .row = 3 };
    uint32_t from = code_variable(&code, 0, 8, VEU_TYPE_D);
    uint32_t to = code_variable(&code, 64, 8, VEU_TYPE_D);
    uint32_t offset = code_variable(&code, 128, 8, VEU_TYPE_UW);

    CODE_ADD(&code, "addr_add", size_m1(8), 0, 0, a0, op_scalar(from),
             op_lanes(offset));
    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(to),
             indirect(0, 0, VEU_TYPE_D));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    for (uint16_t i = 0; i < 8; i++) {
        uint16_t at = 28 - 4 * i;

        set_dword(&run, 4 * i, 100 + i);
        memcpy(run.registers + 128 + 2 * i, &at, sizeof(at));
    }
    g_assert_true(code_run(&run, 0xff, 10));
    for (int i = 0; i < 8; i++) {
        g_assert_cmpint(dword(&run, 64 + 4 * i), ==, 107 - i);
    }
    /*
     * Lane 3 is out of bounds: nothing is written. Lanes that do not run may be
     * anywhere.
     */
    memset(run.registers + 128 + 6, 0xff, 2);
    memset(run.registers + 64, 0, 32);
    g_assert_false(code_run(&run, 0xff, 10));
    g_assert_cmpuint(run.thread.fault.code, ==, VEU_FAULT_INDIRECT);
    g_assert_cmpint(dword(&run, 64), ==, 0);
    g_assert_true(code_run(&run, 0xf7, 10));
    code_free(&run);
}

/*
 * Operands may reach the last byte of the registers, but not past either end.
 */
static void test_bounds_of_indirect_operands(void)
{
    static const struct {
        uint16_t address;
        int16_t add;
        bool inside;
    } rows[] = {
        { CODE_REGISTER_BYTES - 4, 0, true },
        { CODE_REGISTER_BYTES - 3, 0, false },
        { CODE_REGISTER_BYTES, -4, true },
        { CODE_REGISTER_BYTES - 2, -1, false },
        { 0, 0, true },
        { 0, -1, false },
        { UINT16_MAX, INT16_MAX, false },
    };

    for (unsigned n = 0; n < G_N_ELEMENTS(rows); n++) {
        Code code = { 0 };
        CodeRun run;
        uint32_t v = code_variable(&code, 64, 1, VEU_TYPE_D);

        CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(v),
                 indirect(0, rows[n].add, VEU_TYPE_D));
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        load(&run, &code);
        run.addresses[0] = rows[n].address;
        g_assert_cmpint(code_run(&run, 1, 10), ==, rows[n].inside);
        code_free(&run);
    }
}

/* The high dwords of madw follow in whole registers: spec, "madw". */
static void test_carries_and_high_dwords(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t wide = code_variable(&code, 0, 16, VEU_TYPE_UD);
    uint32_t sum = code_variable(&code, 64, 1, VEU_TYPE_UD);
    uint32_t carry = code_variable(&code, 96, 1, VEU_TYPE_UD);

    CODE_ADD(&code, "madw", size_nm(8), 0, 0, op_dst(wide), I(UD, UINT32_MAX),
             I(UD, UINT32_MAX), I(UD, UINT32_MAX));
    CODE_ADD(&code, "addc", size_nm(1), 0, 0, op_dst(sum), op_dst(carry),
             I(UD, UINT32_MAX), I(UD, 3));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 0xff, 10));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex((uint32_t)dword(&run, 4 * i), ==, 0);
        g_assert_cmphex((uint32_t)dword(&run, 32 + 4 * i), ==, UINT32_MAX);
    }
    g_assert_cmpint(dword(&run, 64), ==, 2);
    g_assert_cmpint(dword(&run, 96), ==, 1);
    code_free(&run);
}

/*
 * A thread can be resumed wherever it stopped, because its state is plain data.
 */
static void test_ce0_and_tsc_are_read_as_they_are(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t lanes = code_variable(&code, 0, 1, VEU_TYPE_UD);
    uint32_t before = code_variable(&code, 32, 1, VEU_TYPE_UD);
    uint32_t after = code_variable(&code, 64, 1, VEU_TYPE_UD);

    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(before),
             op_scalar(VEU_PREDEFINED_TSC));
    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(lanes),
             op_scalar(VEU_PREDEFINED_CE0));
    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(after),
             op_scalar(VEU_PREDEFINED_TSC));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 0x5a, 10));
    g_assert_cmphex(dword(&run, 0), ==, 0x5a);
    g_assert_cmpint(dword(&run, 32), ==, 0);
    g_assert_cmpint(dword(&run, 64), >, 0);
    code_free(&run);
}

/* The dword after %ce0 belongs to another variable. */
static void test_the_clock_is_refreshed_in_its_own_bytes(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t other = code_variable(&code, CODE_CE0_AT + 4, 1, VEU_TYPE_UD);
    uint32_t time = code_variable(&code, 0, 1, VEU_TYPE_UD);

    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(other),
             op_imm(VEU_TYPE_UD, 0x1234));
    CODE_ADD(&code, "mov", size_nm(1), 0, 0, op_dst(time),
             op_scalar(VEU_PREDEFINED_TSC));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    g_assert_true(code_run(&run, 0xff, 10));
    g_assert_cmpint(dword(&run, 0), >, 0);
    g_assert_cmphex(dword(&run, CODE_CE0_AT + 4), ==, 0x1234);
    code_free(&run);
}

/* A block of two owords at an address with bits above those of SLM. */
static void add_block(Code *code, TestKind kind, uint32_t offset)
{
    TestMessage m = {
        .kind = kind,
        .size = 1,
        .offset = test_immediate(offset),
        .data = { VEU_FIRST_VARIABLE, 0 },
    };

    code_add_message(code, &m);
}

/*
 * docs/spec.md, 17.4: what follows the first byte is out of bounds, and does
 * not wrap.
 */
static void test_an_slm_address_has_16_bits(void)
{
    g_autofree uint8_t *slm = g_malloc0(65536);
    Code code = { 0 };
    TestMemory memory;
    CodeRun run;

    code_variable(&code, 0, 8, VEU_TYPE_UD);
    add_block(&code, TEST_OWORD_ST, 0x0fff0002);
    add_block(&code, TEST_OWORD_ST, 0x00100fff);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    load(&run, &code);
    test_memory_init(&memory);
    run.thread.mem = &memory.mem;
    run.thread.slm = slm;
    run.thread.slm_bytes = 65536;
    memset(run.registers, 0x5a, 32);
    g_assert_true(code_run(&run, 1, 10));
    for (unsigned at = 0; at < 65536; at++) {
        bool written = (at >= 0x20 && at < 0x40) || at >= 0xfff0;

        g_assert_cmphex(slm[at], ==, written ? 0x5a : 0);
    }
    test_memory_free(&memory);
    code_free(&run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/instruction-run/each-lane-loops-as-often-as-it-says",
                    test_each_lane_loops_as_often_as_it_says);
    g_test_add_func("/instruction-run/a-call-takes-the-lanes-of-its-predicate",
                    test_a_call_takes_the_lanes_of_its_predicate);
    g_test_add_func("/instruction-run/a-function-is-called-by-its-address",
                    test_a_function_is_called_by_its_address);
    g_test_add_func("/instruction-run/an-address-is-not-read-for-no-lanes",
                    test_an_address_is_not_read_for_no_lanes);
    g_test_add_func("/instruction-run/a-function-does-not-call-itself",
                    test_a_function_does_not_call_itself);
    g_test_add_func("/instruction-run/a-function-is-at-its-address",
                    test_a_function_is_at_its_address);
    g_test_add_func("/instruction-run/calls-are-64-deep",
                    test_calls_are_64_deep);
    g_test_add_func("/instruction-run/what-is-static-is-refused",
                    test_what_is_static_is_refused);
    g_test_add_func("/instruction-run/integers", test_integers);
    g_test_add_func("/instruction-run/the-least-number-has-a-negative",
                    test_the_least_number_has_a_negative);
    g_test_add_func("/instruction-run/conversions", test_conversions);
    g_test_add_func("/instruction-run/the-control-register-rounds",
                    test_the_control_register_rounds);
    g_test_add_func("/instruction-run/cmp-and-mov-make-a-ballot",
                    test_cmp_and_mov_make_a_ballot);
    g_test_add_func("/instruction-run/setp-of-immediates",
                    test_setp_of_immediates);
    g_test_add_func("/instruction-run/mov-takes-the-bits-of-a-predicate",
                    test_mov_takes_the_bits_of_a_predicate);
    g_test_add_func("/instruction-run/movs-extends-its-source",
                    test_movs_extends_its_source);
    g_test_add_func("/instruction-run/regions-read-before-they-write",
                    test_regions_read_before_they_write);
    g_test_add_func("/instruction-run/indirect-operands-stay-in-the-registers",
                    test_indirect_operands_stay_in_the_registers);
    g_test_add_func("/instruction-run/bounds-of-indirect-operands",
                    test_bounds_of_indirect_operands);
    g_test_add_func("/instruction-run/carries-and-high-dwords",
                    test_carries_and_high_dwords);
    g_test_add_func("/instruction-run/an-slm-address-has-16-bits",
                    test_an_slm_address_has_16_bits);
    g_test_add_func("/instruction-run/ce0-and-tsc-are-read-as-they-are",
                    test_ce0_and_tsc_are_read_as_they_are);
    g_test_add_func("/instruction-run/the-clock-is-refreshed-in-its-own-bytes",
                    test_the_clock_is_refreshed_in_its_own_bytes);
    return g_test_run();
}
