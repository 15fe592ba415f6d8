/*
 * veu unit tests: handlers and the modes of %cr0, which programs change.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fenv.h>
#include <string.h>
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "tests/lib/handler_cases.h"

#define T(name) VEU_TYPE_##name

/*
 * A little more than 0.5. Times the subnormal number with bits 2, it is the one
 * with bits 1 to nearest, and 2 upward.
 */
#define ABOVE_HALF 0x3f000001

/* The first dword of the registers, which is @first when the program begins. */
static uint32_t first_dword(const Code *code, uint32_t first)
{
    CodeRun run;

    g_assert_true(code_load(&run, code));
    memcpy(run.registers, &first, sizeof(first));
    veu_flow_start(&run.thread, 0xffff);
    g_assert_true(veu_run_handlers(&run.thread, 100));
    g_assert_null(veu_next_instruction(&run.thread));
    memcpy(&first, run.registers, sizeof(first));
    code_free(&run);
    return first;
}

/* Instructions after a write of %cr0 use the new mode. */
static void test_cr0_is_read_again(void)
{
    Code code = { 0 };
    uint32_t all = code_variable(&code, 0, 16, T(F));
    Op cr0 = op_scalar(VEU_PREDEFINED_CR0);

    CODE_ADD(&code, "or", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_CR0), cr0,
             op_imm(T(UD), 0x4c0));
    CODE_ADD(&code, "mul", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(F), 0x40000000));
    CODE_ADD(&code, "xor", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_CR0), cr0,
             op_imm(T(UD), 0x10));
    CODE_ADD(&code, "mul", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(F), ABOVE_HALF));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    /* The last multiplication has rounded up. */
    g_assert_cmphex(first_dword(&code, 1), ==, 2);
}

/* An or that asks for another rounding, as kernels may begin. */
static void test_an_or_rounds_otherwise(void)
{
    Code code = { 0 };
    uint32_t all = code_variable(&code, 0, 16, T(F));

    CODE_ADD(&code, "or", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_CR0),
             op_scalar(VEU_PREDEFINED_CR0), op_imm(T(UD), 0x4d0));
    CODE_ADD(&code, "mul", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(F), ABOVE_HALF));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_cmphex(first_dword(&code, 2), ==, 2);
}

/* As kernels begin. The limit is reached after any of three instructions. */
static void test_setting_bits_of_cr0_keeps_the_others(void)
{
    Code code = { 0 };
    uint32_t d = code_variable(&code, 0, 1, T(UD));
    Op cr0 = op_scalar(VEU_PREDEFINED_CR0);

    CODE_ADD(&code, "or", size_nm(1), 0, 0, op_dst(VEU_PREDEFINED_CR0), cr0,
             op_imm(T(UD), 0x4c0));
    CODE_ADD(&code, "or", size_nm(1), 0, 0, op_dst(d), cr0, op_imm(T(UD), 1));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    for (unsigned n = 0, cost = 0; n < 3; n++) {
        CodeRun run;

        g_assert_true(code_load(&run, &code));
        code_set_cr0(&run, 0x30);
        veu_flow_start(&run.thread, 0xff);
        g_assert_true(veu_run_handlers(&run.thread, cost + 1));
        cost += run.program->instructions[n].cost;
        g_assert_cmpuint(run.flow.cost, ==, cost);
        g_assert_cmphex(veu_thread_cr0(&run.thread), ==, 0x4f0);
        g_assert_cmphex(*(uint32_t *)run.registers, ==, n ? 0x4f1 : 0);
        code_free(&run);
    }
}

/* Messages of the program use @memory, and local memory of 32 bytes. */
static void give_memory(CodeRun *run, TestMemory *memory, void *slm,
                        VeuMessageSum *sum)
{
    test_memory_init(memory);
    run->thread.mem = &memory->mem;
    run->thread.slm = slm;
    run->thread.slm_bytes = 32;
    run->thread.message_sum = sum;
}

/* Data of a message may overlap %cr0. */
static void test_cr0_is_read_again_after_a_message(void)
{
    TestMessage load_mode = {
        .kind = TEST_OWORD_LD,
        .size = 1,
        .offset = test_immediate(0),
        .data = { VEU_FIRST_VARIABLE + 1, 0 },
    };
    uint32_t slm[8] = { 0x4d0 }, subnormal = 2, result;
    VeuMessageSum sum = { 0 };
    Code code = { 0 };
    uint32_t all = code_variable(&code, 0, 16, T(F));
    TestMemory memory;
    CodeRun run;

    code_variable(&code, CODE_CR0_AT, 8, T(UD));
    code_add_message(&code, &load_mode);
    CODE_ADD(&code, "mul", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(F), ABOVE_HALF));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&run, &code));
    memcpy(run.registers, &subnormal, sizeof(subnormal));
    give_memory(&run, &memory, slm, &sum);
    veu_flow_start(&run.thread, 0xffff);
    g_assert_true(veu_run_handlers(&run.thread, 100));
    g_assert_cmpuint(sum.messages, ==, 1);
    g_assert_null(veu_next_instruction(&run.thread));
    memcpy(&result, run.registers, sizeof(result));
    /* The multiplication has rounded up. */
    g_assert_cmphex(result, ==, 2);
    test_memory_free(&memory);
    code_free(&run);
}

/*
 * A message between two additions, all of 1 and a little. Lanes of %cr0's
 * rounding, up, differ from those of the message, whose result is at @data_at.
 */
static void build_atomic_between(Code *code, uint32_t data_at)
{
    TestMessage add = {
        .kind = TEST_DWORD_ATOMIC,
        .op = TEST_FADD,
        .exec = size_m1(8),
        .address = { VEU_FIRST_VARIABLE + 2, 0 },
        .src0 = { VEU_FIRST_VARIABLE + 3, 0 },
        .data = { VEU_FIRST_VARIABLE + 4, 0 },
    };
    uint32_t before = code_variable(code, 0, 8, T(F));
    uint32_t after = code_variable(code, HANDLER_PLACE, 8, T(F));

    code_variable(code, 2 * HANDLER_PLACE, 8, T(UD));
    code_variable(code, 3 * HANDLER_PLACE, 8, T(F));
    code_variable(code, data_at, 8, T(F));
    code->has_no_clock = true;
    CODE_ADD(code, "add", size_m1(8), 0, 0, op_dst(before), op_lanes(before),
             op_imm(T(F), 0x3f800000));
    code_add_message(code, &add);
    CODE_ADD(code, "add", size_m1(8), 0, 0, op_dst(after), op_lanes(after),
             op_imm(T(F), 0x3f800000));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

static float float_at(const CodeRun *run, unsigned place)
{
    float value;

    memcpy(&value, run->registers + place * HANDLER_PLACE, sizeof(value));
    return value;
}

static void check_rounding(uint32_t data_at)
{
    g_autofree Code *code = g_new0(Code, 1);
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    float slm[8] = { 1 }, little = 0x1p-30f;
    VeuMessageSum sum = { 0 };
    TestMemory memory;

    build_atomic_between(code, data_at);
    g_assert_true(code_load(run, code));
    give_memory(run, &memory, slm, &sum);
    memcpy(run->registers, &little, sizeof(little));
    memcpy(run->registers + HANDLER_PLACE, &little, sizeof(little));
    memcpy(run->registers + 3 * HANDLER_PLACE, &little, sizeof(little));
    code_set_cr0(run, 0x10);
    veu_flow_start(&run->thread, 1);
    g_assert_true(veu_run_handlers(&run->thread, 100));
    g_assert_cmpint(fegetround(), ==, FE_TONEAREST);
    g_assert_cmpuint(sum.messages, ==, 1);
    g_assert_null(veu_next_instruction(&run->thread));
    g_assert_true(float_at(run, 0) == 0x1.000002p0f);
    g_assert_true(slm[0] == 1);
    g_assert_true(float_at(run, 1) == 0x1.000002p0f);
    test_memory_free(&memory);
    code_free(run);
}

/*
 * Messages and the host round to nearest. %cr0 is not read again after a
 * message whose result begins after it.
 */
static void test_only_handlers_round_up(void)
{
    check_rounding(4 * HANDLER_PLACE);
    check_rounding(CODE_TSC_AT);
}

/*
 * Subnormal doubles are flushed, so that a mov does not round them up to the
 * least float, as it does with the least normal one.
 */
static void test_a_subnormal_double_becomes_a_float_of_0(void)
{
    static const double values[4] = { 0x1p-1022, 0x1p-1023, 0x1p-1074, 1 };
    static const uint32_t floats[4] = { 1, 0, 0, 0x3f800000 };
    g_autofree Code *code = g_new0(Code, 1);
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    uint32_t dst = code_variable(code, 0, 4, T(F));
    uint32_t src = code_variable(code, HANDLER_PLACE, 4, T(DF));

    CODE_ADD(code, "mov", size_m1(4), 0, 0, op_dst(dst), op_lanes(src));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(run, code));
    memcpy(run->registers + HANDLER_PLACE, values, sizeof(values));
    code_set_cr0(run, 0x90);
    veu_flow_start(&run->thread, 0xf);
    g_assert_true(veu_run_handlers(&run->thread, 100));
    g_assert_null(veu_next_instruction(&run->thread));
    g_assert_cmpmem(run->registers, sizeof(floats), floats, sizeof(floats));
    code_free(run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/handler_modes/cr0-is-read-again", test_cr0_is_read_again);
    g_test_add_func("/handler_modes/an-or-rounds-otherwise",
                    test_an_or_rounds_otherwise);
    g_test_add_func("/handler_modes/setting-bits-of-cr0-keeps-the-others",
                    test_setting_bits_of_cr0_keeps_the_others);
    g_test_add_func("/handler_modes/cr0-is-read-again-after-a-message",
                    test_cr0_is_read_again_after_a_message);
    g_test_add_func("/handler_modes/only-handlers-round-up",
                    test_only_handlers_round_up);
    g_test_add_func("/handler_modes/a-subnormal-double-becomes-a-float-of-0",
                    test_a_subnormal_double_becomes_a_float_of_0);
    return g_test_run();
}
