/*
 * veu unit tests: handlers, compared with the executors that follow the rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tests reach every handler of every CPU level that the host has, with all
 * lanes, with some and with none, and compare all registers and predicates
 * afterwards.
 */
#include <fenv.h>
#include <pthread.h>
#include <string.h>
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/handler_stage.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "tests/lib/handler_cases.h"

#define T(name) VEU_TYPE_##name
#define CASE(mnemonic_, number_, dst_, src_, sources_, ...)               \
    {                                                                     \
        .mnemonic = mnemonic_, .number = number_, .dst = VEU_TYPE_##dst_, \
        .src = VEU_TYPE_##src_, .sources = sources_, __VA_ARGS__          \
    }

static GHashTable *reached;

/* ---- comparison ---- */

/* The bits of %cr0 that arithmetic depends on. */
#define CR0_MODES       0x14f0
#define CR0_ROUNDING(n) ((n) << 4)

static void set_cr0(CodeRun *run, uint32_t cr0)
{
    memcpy(run->registers + CODE_CR0_AT, &cr0, sizeof(cr0));
}

/*
 * Returns false if the handler has left the instruction, which has an operand
 * at an address, to the executor.
 */
static bool compare(CodeRun *run, const HandlerCase *c, uint32_t lanes)
{
    uint8_t before[CODE_REGISTER_BYTES], after[CODE_REGISTER_BYTES];
    uint32_t bits[4], ones[4];
    bool executed;

    memcpy(before, run->registers, sizeof(before));
    memcpy(bits, run->predicates, sizeof(bits));
    veu_flow_start(&run->thread, lanes);
    executed = veu_run_handlers(&run->thread, 1);
    memcpy(after, run->registers, sizeof(after));
    memcpy(ones, run->predicates, sizeof(ones));
    if (!executed) {
        g_assert_true(run->program->instructions[0].stage.may_fault);
        g_assert_cmpmem(after, sizeof(after), before, sizeof(before));
        g_assert_cmpmem(ones, sizeof(ones), bits, sizeof(bits));
        return false;
    }

    /* Handlers must read %cr0 again after it has changed. */
    g_assert_cmpmem(after + CODE_CR0_AT, 4, before + CODE_CR0_AT, 4);
    memcpy(run->registers, before, sizeof(before));
    memcpy(run->predicates, bits, sizeof(bits));
    veu_flow_start(&run->thread, lanes);
    g_assert_true(veu_step_by_rules(&run->thread, run->program->instructions));
    if (memcmp(after, run->registers, sizeof(after)) ||
        memcmp(ones, run->predicates, sizeof(ones))) {
        g_error("%s, number %u, types %u from %u, %%cr0 0x%x: differs",
                run->program->instructions[0].info->mnemonic, c->number,
                run->program->instructions[0].dst.type,
                run->program->instructions[0].src[0].type,
                veu_thread_cr0(&run->thread));
    }
    return true;
}

static void run_form(GRand *r, const HandlerCase *c, const Code *code)
{
    static const uint32_t lanes[] = { UINT32_MAX, 0x5a5a5a5a, 0x00800001,
                                      0x80000100, 0x0000fffe };
    CodeRun *run = g_new0(CodeRun, 1);
    const VeuHandlerStep *step;

    g_assert_true(code_load(run, code));
    step = run->program->steps;
    g_assert_true(step->handler[0] != veu_handler_stop);
    g_hash_table_add(reached, (gpointer)step->handler[0]);
    g_hash_table_add(reached, (gpointer)step->handler[1]);
    for (unsigned n = 0; n < 4 * G_N_ELEMENTS(lanes); n++) {
        handler_fill(r, run);
        set_cr0(run, (g_rand_int(r) & CR0_MODES & ~CR0_ROUNDING(3)) |
                         CR0_ROUNDING(n % 4));
        compare(run, c, lanes[n / 4]);
    }
    code_free(run);
    g_free(run);
}

/* With one lane, the only shape has scalar sources. */
static void run_case(GRand *r, const HandlerCase *c)
{
    static const uint8_t sizes[] = { 1, 8, 16, 32 };
    unsigned all = (1u << c->sources) - 1;
    Code *code = g_new(Code, 1);

    for (unsigned n = 0; n < G_N_ELEMENTS(sizes); n++) {
        for (unsigned shape = sizes[n] == 1 ? all : 0; shape <= all; shape++) {
            handler_build(code, c, shape, sizes[n], UINT32_MAX, NULL);
            run_form(r, c, code);
            for (unsigned k = 0; k < c->sources; k++) {
                uint64_t value = handler_edge(r);

                if ((shape >> k & 1) && !(c->modifier && k == c->modified)) {
                    handler_build(code, c, shape, sizes[n], k, &value);
                    run_form(r, c, code);
                }
            }
        }
    }
    g_free(code);
}

/* Checks that every handler in the table was reached. */
static void check_table(const VeuHandlerSet *table)
{
    VeuHandler *const *handler = &table[0][0][0][0];

    for (unsigned n = 0;
         n < VEU_HANDLER_ROWS * sizeof(*table) / sizeof(*handler); n++) {
        g_assert_true(!handler[n] ||
                      g_hash_table_contains(reached, (gpointer)handler[n]));
    }
}

static void test_level(gconstpointer data)
{
    static const VeuHandlerSet *const tables[VEU_CPU_COUNT] = {
        [VEU_CPU_SCALAR] = veu_handlers_scalar,
#if defined(__x86_64__)
        [VEU_CPU_AVX2] = veu_handlers_avx2,
        [VEU_CPU_AVX512] = veu_handlers_avx512,
#endif
    };
    VeuCpu level = GPOINTER_TO_UINT(data), best = veu_cpu;
    GRand *r = g_rand_new_with_seed(23);

    if (!veu_cpu_has(level)) {
        g_test_skip("the CPU lacks it");
        return;
    }
    veu_cpu = level;
    reached = g_hash_table_new(NULL, NULL);
    for (unsigned n = 0; n < handler_case_count; n++) {
        run_case(r, &handler_cases[n]);
    }
    check_table(tables[level]);
    g_hash_table_unref(reached);
    veu_cpu = best;
    g_rand_free(r);
}

/* ---- staged handlers ---- */

static GHashTable *staged;

static void note_staged(const VeuInstruction *i)
{
    for (unsigned k = 0; k < i->source_count; k++) {
        g_hash_table_add(staged, (gpointer)i->stage.load[k]);
    }
    g_hash_table_add(staged, (gpointer)i->stage.store);
}

/* Most addresses are of values; others are of %cr0, or outside. */
static void fill_addresses(GRand *r, CodeRun *run)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(run->addresses); n++) {
        run->addresses[n] =
            g_rand_int(r) % 16 ?
                g_rand_int_range(r, 0, (HANDLER_PLACES - 1) * HANDLER_PLACE) :
                g_rand_int_range(r, CODE_CR0_AT - 64, CODE_REGISTER_BYTES + 16);
    }
}

/*
 * Returns true if the form is legal and staged, after comparing it with the
 * rules.
 */
static bool run_random_form(GRand *r, Code *code, bool addresses)
{
    static const HandlerCase any = CASE("staged", 0, UD, UD, 1, );
    CodeRun *run = g_new0(CodeRun, 1);
    bool legal, found, executed = false;

    handler_random_form(r, code, addresses);
    legal = code_load(run, code);
    found = legal && run->program->instructions[0].stage.load[0] &&
            run->program->instructions[0].stop == VEU_STOP_NONE;
    for (unsigned n = 0; found && n < 6; n++) {
        note_staged(run->program->instructions);
        handler_fill(r, run);
        set_cr0(run, g_rand_int(r) & CR0_MODES);
        fill_addresses(r, run);
        executed |= compare(run, &any, n % 2 ? UINT32_MAX : g_rand_int(r));
    }
    found &= !addresses || run->program->instructions[0].stage.may_fault;
    code_free(run);
    g_free(run);
    return found && executed;
}

static bool was_staged(gconstpointer function)
{
    return !function || g_hash_table_contains(staged, function);
}

/* Returns true if all loads and stores that exist were used. */
static bool all_were_staged(void)
{
    bool all = true;

    for (unsigned type = 0; type < 16; type++) {
        for (VeuStageType stage = 0; stage < VEU_STAGE_TYPES; stage++) {
            all &= was_staged((gconstpointer)veu_stage_load(type, stage)) &&
                   was_staged(
                       (gconstpointer)veu_stage_store(stage, type, false)) &&
                   was_staged(
                       (gconstpointer)veu_stage_store(stage, type, true));
        }
        all &= was_staged((gconstpointer)veu_stage_store_unsigned(type));
    }
    return all;
}

static void test_staged(void)
{
    GRand *r = g_rand_new_with_seed(29);
    Code *code = g_new(Code, 1);
    unsigned found = 0;

    staged = g_hash_table_new(NULL, NULL);
    while (found < 2000 || (found < 20000 && !all_were_staged())) {
        found += run_random_form(r, code, false);
    }
    g_assert_true(all_were_staged());
    g_hash_table_unref(staged);
    g_free(code);
    g_rand_free(r);
}

/*
 * Elements outside the registers, and results that may change %cr0, are for the
 * executor.
 */
static void test_staged_at_addresses(void)
{
    GRand *r = g_rand_new_with_seed(30);
    g_autofree Code *code = g_new(Code, 1);
    unsigned found = 0;

    staged = g_hash_table_new(NULL, NULL);
    while (found < 2000) {
        found += run_random_form(r, code, true);
    }
    g_hash_table_unref(staged);
    g_rand_free(r);
}

/* ---- copies ---- */

/* A mov of elements @step apart, the first at column @column of a register. */
typedef struct Copy {
    uint8_t dst; /* type */
    uint8_t src;
    uint8_t step;
    uint8_t column;
    uint8_t to_step;
    uint8_t lanes;
} Copy;

static void build_copy(GRand *r, Code *code, const Copy *c)
{
    memset(code, 0, sizeof(*code));
    CODE_ADD(code, "mov", size_m1(c->lanes), 0, 0,
             op_v(handler_any_variable(code, 0, c->dst), 0, 0, 1, c->to_step),
             op_v(handler_any_variable(code, 1, c->src), c->column, c->step, 1,
                  0));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

/* With all lanes, these have handlers of their own; with some, staged ones. */
static void test_copies(void)
{
    static const HandlerCase mov = CASE("mov", 0, UD, UD, 1, );
    static const Copy copies[] = {
        { T(B), T(B), 4, 0, 1, 16 },   { T(UB), T(B), 4, 3, 1, 16 },
        { T(UB), T(D), 1, 0, 1, 16 },  { T(W), T(W), 2, 0, 1, 16 },
        { T(HF), T(HF), 2, 1, 1, 16 }, { T(UW), T(D), 1, 2, 1, 16 },
        { T(D), T(UD), 2, 0, 1, 16 },  { T(F), T(F), 2, 1, 1, 16 },
        { T(D), T(D), 1, 0, 2, 8 },    { T(UD), T(D), 1, 1, 2, 16 },
        { T(F), T(F), 1, 0, 2, 32 },
    };
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    g_autofree Code *code = g_new(Code, 1);
    GRand *r = g_rand_new_with_seed(31);

    for (unsigned n = 0; n < G_N_ELEMENTS(copies); n++) {
        build_copy(r, code, &copies[n]);
        g_assert_true(code_load(run, code));
        g_assert_true(run->program->steps[0].handler[0] !=
                      run->program->steps[0].handler[1]);
        for (unsigned k = 0; k < 20; k++) {
            handler_fill(r, run);
            compare(run, &mov, k % 2 ? UINT32_MAX : g_rand_int(r));
        }
        code_free(run);
    }
    g_rand_free(r);
}

/* The handlers of copies that narrow write 16 elements, for 16 lanes only. */
static void test_copies_of_other_sizes(void)
{
    static const HandlerCase mov = CASE("mov", 0, UD, UD, 1, );
    static const Copy copies[] = {
        { T(UB), T(D), 1, 0, 1, 8 },  { T(UB), T(D), 1, 0, 1, 32 },
        { T(UW), T(D), 1, 0, 1, 8 },  { T(UW), T(D), 1, 0, 1, 32 },
        { T(UD), T(UQ), 1, 0, 1, 8 }, { T(UD), T(UQ), 1, 0, 1, 32 },
    };
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    g_autofree Code *code = g_new(Code, 1);
    GRand *r = g_rand_new_with_seed(33);

    for (unsigned n = 0; n < G_N_ELEMENTS(copies); n++) {
        build_copy(r, code, &copies[n]);
        g_assert_true(code_load(run, code));
        handler_fill(r, run);
        compare(run, &mov, UINT32_MAX);
        code_free(run);
    }
    g_rand_free(r);
}

/* A source that shares bytes with the result is read before it is changed. */
static void test_copies_overlap(void)
{
    static const HandlerCase mov = CASE("mov", 0, UD, UD, 1, );
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    g_autofree Code *code = g_new0(Code, 1);
    uint32_t dwords = code_variable(code, 0, 64, T(D));
    GRand *r = g_rand_new_with_seed(32);

    CODE_ADD(code, "mov", size_m1(16), 0, 0, op_v(dwords, 0, 0, 1, 2),
             op_v(dwords, 4, 1, 1, 0));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(run, code));
    handler_fill(r, run);
    compare(run, &mov, UINT32_MAX);
    code_free(run);
    g_rand_free(r);
}

/* ---- floats ---- */

/* Compares 32 floats from @first on, which is in [1, 4). */
static void check_roots(CodeRun *run, uint32_t first)
{
    static const HandlerCase rsqrt = CASE("rsqrt", 0, F, F, 1, );

    for (unsigned n = 0; n < 32; n++) {
        uint32_t bits = first + n;

        memcpy(run->registers + HANDLER_PLACE + 4 * n, &bits, sizeof(bits));
    }
    compare(run, &rsqrt, UINT32_MAX);
}

/*
 * A power of 4 changes only the exponent, so [1, 4) represents all floats. With
 * VEU_TEST_ROOTS=1 all of them are compared, otherwise every 61st row of 32.
 */
static void test_roots(void)
{
    static const HandlerCase rsqrt = CASE("rsqrt", 0, F, F, 1, );
    uint32_t rows = g_getenv("VEU_TEST_ROOTS") ? 1 : 61;
    CodeRun *run = g_new0(CodeRun, 1);
    Code *code = g_new(Code, 1);

    handler_build(code, &rsqrt, 0, 32, UINT32_MAX, NULL);
    g_assert_true(code_load(run, code));
    for (uint32_t at = 0x3f800000; at < 0x40800000; at += 32 * rows) {
        check_roots(run, at);
    }
    code_free(run);
    g_free(run);
    g_free(code);
}

/*
 * Powers of 2 that are at most 2^-44 of themselves below the middle of two
 * floats, by exp2l(): an approximation with its error may round to either.
 */
static void test_results_near_the_middle_are_exact(void)
{
    static const HandlerCase power = CASE("exp", 0, F, F, 1, );
    static const uint32_t of[] = { 0x3e0392f1, 0x3e196c0e, 0x3e49bcf6,
                                   0x3e89645a, 0x3e96975c, 0x3eb45df3,
                                   0x3ec8766f, 0x3f4d2720 };
    static const float expected[] = { 0x1.17d89ep0f, 0x1.1c03fcp0f,
                                      0x1.25753ap0f, 0x1.345526p0f,
                                      0x1.39e44cp0f, 0x1.46cdacp0f,
                                      0x1.4fd0fap0f, 0x1.be25dcp0f };
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    g_autofree Code *code = g_new(Code, 1);

    handler_build(code, &power, 0, 8, UINT32_MAX, NULL);
    g_assert_true(code_load(run, code));
    memcpy(run->registers + HANDLER_PLACE, of, sizeof(of));
    veu_flow_start(&run->thread, UINT32_MAX);
    g_assert_true(veu_run_handlers(&run->thread, 1));
    g_assert_cmpmem(run->registers, sizeof(expected), expected,
                    sizeof(expected));
    code_free(run);
}

/* ---- ends of handlers ---- */

/*
 * A lane would overwrite what another lane has not read yet, so all are read
 * first.
 */
static void test_overlaps_are_staged(void)
{
    Code code = { 0 };
    uint32_t all = code_variable(&code, 0, 64, T(D));
    CodeRun run;

    CODE_ADD(&code, "mov", size_m1(16), 0, 0, op_v(all, 1, 0, 1, 1),
             op_lanes(all));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&run, &code));
    g_assert_nonnull(run.program->instructions[0].stage.store);
    for (unsigned n = 0; n < 64; n++) {
        run.registers[n] = n;
    }
    veu_flow_start(&run.thread, 0xffff);
    g_assert_true(veu_run_handlers(&run.thread, 1));
    for (unsigned n = 0; n < 64; n++) {
        g_assert_cmpuint(run.registers[n + 4], ==, n);
    }
    code_free(&run);
}

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
        set_cr0(&run, 0x30);
        veu_flow_start(&run.thread, 0xff);
        g_assert_true(veu_run_handlers(&run.thread, cost + 1));
        cost += run.program->instructions[n].cost;
        g_assert_cmpuint(run.flow.cost, ==, cost);
        g_assert_cmphex(veu_thread_cr0(&run.thread), ==, 0x4f0);
        g_assert_cmphex(*(uint32_t *)run.registers, ==, n ? 0x4f1 : 0);
        code_free(&run);
    }
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
    test_memory_init(&memory);
    run.thread.mem = &memory.mem;
    run.thread.slm = (uint8_t *)slm;
    run.thread.slm_bytes = sizeof(slm);
    run.thread.message_sum = &sum;
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
    test_memory_init(&memory);
    run->thread.mem = &memory.mem;
    run->thread.slm = (uint8_t *)slm;
    run->thread.slm_bytes = sizeof(slm);
    run->thread.message_sum = &sum;
    memcpy(run->registers, &little, sizeof(little));
    memcpy(run->registers + HANDLER_PLACE, &little, sizeof(little));
    memcpy(run->registers + 3 * HANDLER_PLACE, &little, sizeof(little));
    set_cr0(run, 0x10);
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

/* A goto of lanes that the EU thread does not have moves no lane. */
static void test_lanes_end_after_the_last_instruction(void)
{
    enum {
        M5 = 4 << 4
    };
    Code code = { 0 };
    CodeRun run;
    uint32_t count = code_variable(&code, 0, 16, T(D));
    unsigned label = code_new_label(&code, VEU_LABEL_BLOCK);
    VeuInstruction *instructions;

    CODE_ADD(&code, "add", size_m1(16), 0, 0, op_dst(count), op_lanes(count),
             op_imm(T(D), 1));
    code_add_label(&code, label);
    CODE_ADD(&code, "goto", M5 | size_m1(8), 0, label, { 0 });
    g_assert_true(code_load(&run, &code));
    /* this is what an earlier program has left in memory */
    instructions = run.program->instructions;
    instructions[run.program->instruction_count] = instructions[0];
    veu_flow_start(&run.thread, 0xffff);
    g_assert_true(veu_run_handlers(&run.thread, 100));
    g_assert_null(veu_next_instruction(&run.thread));
    g_assert_cmpint(run.registers[0], ==, 1);
    code_free(&run);
}

/*
 * A routine of SIMD16 adds 1 to its lanes, and ends with @last, which names
 * some of them; after that, its caller adds 10.
 */
static void build_narrow_end(Code *code, const char *last, unsigned size)
{
    uint32_t v = code_variable(code, 0, 16, T(D));
    unsigned routine = code_new_label(code, VEU_LABEL_SUBROUTINE);
    unsigned label = code_new_label(code, VEU_LABEL_BLOCK);

    CODE_ADD(code, "call", size_m1(16), 0, routine, { 0 });
    CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(v), op_lanes(v),
             op_imm(T(D), 10));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(code, routine);
    CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(v), op_lanes(v),
             op_imm(T(D), 1));
    code_add_label(code, label);
    CODE_ADD(code, last, size, 0, label, { 0 });
}

/* Each of @lanes returns, whether @last names it or not. */
static void assert_lanes_return(const char *last, unsigned size, uint32_t lanes)
{
    Code code = { 0 };
    CodeRun fast, rules;
    const VeuInstruction *i;

    build_narrow_end(&code, last, size);
    g_assert_true(code_load(&fast, &code) && code_load(&rules, &code));
    veu_flow_start(&fast.thread, lanes);
    while ((i = veu_next_instruction(&fast.thread))) {
        g_assert_true(veu_run_handlers(&fast.thread, 1000) ||
                      veu_step_by_rules(&fast.thread, i));
    }
    veu_flow_start(&rules.thread, lanes);
    while ((i = veu_next_instruction(&rules.thread))) {
        g_assert_true(veu_step_by_rules(&rules.thread, i));
    }
    for (unsigned lane = 0; lane < 16; lane++) {
        int expected = lanes >> lane & 1 ? 11 : 0;

        g_assert_cmpint(((int32_t *)rules.registers)[lane], ==, expected);
        g_assert_cmpint(((int32_t *)fast.registers)[lane], ==, expected);
    }
    g_assert_cmphex(rules.flow.running | fast.flow.running, ==, 0);
    code_free(&fast);
    code_free(&rules);
}

static void test_lanes_past_the_end_of_a_routine_return(void)
{
    enum {
        M5 = 4 << 4
    };

    assert_lanes_return("ret", size_m1(8), 0xffff);
    assert_lanes_return("ret", size_m1(8), 0xff00);
    assert_lanes_return("ret", M5 | size_m1(8), 0xffff);
    assert_lanes_return("goto", M5 | size_m1(8), 0x00ff);
}

/* A stream can make lanes wait past the last instruction. */
static void test_lanes_past_the_end_wait_for_no_handler(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t count = code_variable(&code, 0, 16, T(D));
    VeuHandlerStep *steps;

    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    CODE_ADD(&code, "add", size_m1(16), 0, 0, op_dst(count), op_lanes(count),
             op_imm(T(D), 1));
    g_assert_true(code_load(&run, &code));
    /* this is what an earlier program has left in memory */
    steps = run.program->steps;
    steps[2] = steps[1];
    veu_flow_start(&run.thread, 3);
    run.flow.place[0] = 1;
    run.flow.place[1] = 2;
    veu_flow_choose(&run.flow);
    g_assert_true(veu_run_handlers(&run.thread, 100));
    g_assert_null(veu_next_instruction(&run.thread));
    g_assert_cmpint(run.registers[0], ==, 1);
    g_assert_cmpint(run.registers[4], ==, 0);
    code_free(&run);
}

/* ---- cost and stack ---- */

/* Lanes leave a loop one after the other, and some repeat a part of it. */
static void build_loop(Code *code)
{
    uint32_t all = code_variable(code, 0, 16, T(D));
    uint32_t sum = code_variable(code, HANDLER_PLACE, 16, T(D));
    unsigned again = code_new_label(code, VEU_LABEL_BLOCK);
    unsigned over = code_new_label(code, VEU_LABEL_BLOCK);

    code_add_label(code, again);
    CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(sum), op_lanes(sum),
             op_lanes(all));
    CODE_ADD(code, "and", size_m1(16), 0, 0, op_dst(sum), op_lanes(sum),
             op_imm(T(D), 0xffff));
    CODE_ADD(code, "cmp", size_m1(16), 0, 2, op_pred(1), op_lanes(sum),
             op_imm(T(D), 40));
    CODE_ADD(code, "goto", size_m1(16), 1, over, { 0 });
    CODE_ADD(code, "mul", size_m1(16), 0, 0, op_dst(sum), op_lanes(sum),
             op_imm(T(D), 3));
    CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(sum), op_lanes(sum),
             op_imm(T(D), 7));
    code_add_label(code, over);
    CODE_ADD(code, "cmp", size_m1(16), 0, 4, op_pred(1), op_lanes(sum),
             op_imm(T(D), 5000));
    CODE_ADD(code, "goto", size_m1(16), 1, again, { 0 });
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

static void start_loop(CodeRun *run)
{
    for (unsigned n = 0; n < 16; n++) {
        uint32_t value = n * n + 1;

        memcpy(run->registers + 4 * n, &value, sizeof(value));
        memset(run->registers + HANDLER_PLACE + 4 * n, 0, sizeof(value));
    }
    memset(run->predicates, 0, sizeof(run->predicates));
    veu_flow_start(&run->thread, 0xffff);
}

static void run_by_rules(CodeRun *run, uint32_t limit)
{
    const VeuInstruction *i;

    while (run->flow.cost < limit && (i = veu_next_instruction(&run->thread))) {
        g_assert_true(veu_step_by_rules(&run->thread, i));
    }
}

static void run_by_handlers(CodeRun *run, uint32_t limit)
{
    while (run->flow.cost < limit && veu_next_instruction(&run->thread)) {
        g_assert_true(veu_run_handlers(&run->thread, limit));
    }
}

static void check_limits(const Code *code, uint32_t first, uint32_t end)
{
    CodeRun *run = g_new0(CodeRun, 1), *rules = g_new0(CodeRun, 1);

    g_assert_true(code_load(run, code) && code_load(rules, code));
    for (uint32_t limit = first; limit < end; limit += limit < 300 ? 1 : 37) {
        start_loop(run);
        start_loop(rules);
        run_by_handlers(run, limit);
        run_by_rules(rules, limit);
        g_assert_cmpuint(run->flow.cost, ==, rules->flow.cost);
        g_assert_cmpuint(run->flow.work, ==, rules->flow.work);
        g_assert_cmpuint(run->flow.at, ==, rules->flow.at);
        g_assert_cmpuint(run->flow.running, ==, rules->flow.running);
        g_assert_cmpmem(run->registers, CODE_REGISTER_BYTES, rules->registers,
                        CODE_REGISTER_BYTES);
    }
    code_free(run);
    code_free(rules);
    g_free(run);
    g_free(rules);
}

/* With each limit, handlers stop where executors do, at the same cost. */
static void test_handlers_stop_at_the_limit(void)
{
    g_autofree Code *code = g_new0(Code, 1);

    build_loop(code);
    check_limits(code, 1, 3000);
}

/* ---- gotos and logic of predicates ---- */

/* Runs @code with random values; all results equal those of the rules. */
static void compare_flow(GRand *r, const Code *code)
{
    static const uint32_t lanes[] = { UINT32_MAX, 0x5a5a5a5a, 0x0000ff01,
                                      0x80010000 };
    CodeRun *run = g_new0(CodeRun, 1), *rules = g_new0(CodeRun, 1);

    g_assert_true(code_load(run, code) && code_load(rules, code));
    for (unsigned n = 0; n < 4 * G_N_ELEMENTS(lanes); n++) {
        handler_fill(r, run);
        memcpy(rules->registers, run->registers, sizeof(run->registers));
        memcpy(rules->predicates, run->predicates, sizeof(run->predicates));
        veu_flow_start(&run->thread, lanes[n / 4]);
        veu_flow_start(&rules->thread, lanes[n / 4]);
        run_by_handlers(run, UINT16_MAX);
        run_by_rules(rules, UINT16_MAX);
        g_assert_cmpuint(run->flow.cost, ==, rules->flow.cost);
        g_assert_cmpmem(run->registers, CODE_REGISTER_BYTES, rules->registers,
                        CODE_REGISTER_BYTES);
        g_assert_cmpmem(run->predicates, sizeof(run->predicates),
                        rules->predicates, sizeof(rules->predicates));
    }
    code_free(run);
    code_free(rules);
    g_free(run);
    g_free(rules);
}

/* Lanes of @pred skip an addition; all others execute it. */
static void build_skip(Code *code, unsigned size, unsigned pred)
{
    uint32_t all = code_variable(code, 0, 32, T(D));
    uint32_t some = code_variable(code, HANDLER_PLACE, 32, T(D));
    unsigned over = code_new_label(code, VEU_LABEL_BLOCK);

    CODE_ADD(code, "goto", size, pred, over, { 0 });
    CODE_ADD(code, "add", size_m1(32), 0, 0, op_dst(some), op_lanes(some),
             op_imm(T(D), 1));
    code_add_label(code, over);
    CODE_ADD(code, "add", size_m1(32), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(D), 1));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

static void test_gotos_move_the_lanes_of_the_rules(void)
{
    enum {
        M5 = 4 << 4,
        INVERSE = 1 << 15,
        ANY = 1 << 13,
        ALL = 2 << 13,
    };
    const unsigned sizes[] = { size_m1(1),  size_m1(8),      size_m1(16),
                               size_m1(32), M5 | size_m1(8), M5 | size_m1(16) };
    const unsigned preds[] = { 0,       1,       1 | INVERSE,
                               1 | ANY, 1 | ALL, 1 | ANY | INVERSE };
    g_autofree Code *code = g_new(Code, 1);
    GRand *r = g_rand_new_with_seed(24);

    for (unsigned s = 0; s < G_N_ELEMENTS(sizes); s++) {
        for (unsigned p = 0; p < G_N_ELEMENTS(preds); p++) {
            memset(code, 0, sizeof(*code));
            build_skip(code, sizes[s], preds[p]);
            compare_flow(r, code);
        }
    }
    g_rand_free(r);
}

/*
 * Blocks that compute, compare and go to some other block, where @r says: most
 * lanes go back and forth, past others that wait, and meet them.
 */
static void build_graph(GRand *r, Code *code)
{
    enum {
        BLOCKS = 12,
        INVERSE = 1 << 15
    };
    uint32_t step = code_variable(code, 0, 16, T(D));
    uint32_t sum = code_variable(code, HANDLER_PLACE, 16, T(D));
    unsigned labels[BLOCKS];

    for (unsigned n = 0; n < BLOCKS; n++) {
        labels[n] = code_new_label(code, VEU_LABEL_BLOCK);
    }
    for (unsigned n = 0; n < BLOCKS; n++) {
        code_add_label(code, labels[n]);
        CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(sum), op_lanes(sum),
                 op_lanes(step));
        CODE_ADD(code, "and", size_m1(16), 0, 0, op_dst(sum), op_lanes(sum),
                 op_imm(T(D), 0xff));
        CODE_ADD(code, "cmp", size_m1(16), 0, 2, op_pred(1), op_lanes(sum),
                 op_imm(T(D), g_rand_int_range(r, 0, 256)));
        CODE_ADD(code, "goto", size_m1(16), g_rand_boolean(r) ? 1 : 1 | INVERSE,
                 labels[g_rand_int_range(r, 0, BLOCKS)], { 0 });
        if (g_rand_int_range(r, 0, 4) == 0) {
            CODE_ADD(code, "goto", size_m1(16), 0,
                     labels[g_rand_int_range(r, 0, BLOCKS)], { 0 });
        }
    }
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

/* Both stop at the same cost, with the same lanes at the same places. */
static void compare_graph(GRand *r, const Code *code, uint32_t limit)
{
    CodeRun *run = g_new0(CodeRun, 1), *rules = g_new0(CodeRun, 1);
    const VeuFlow *a = &run->flow, *b = &rules->flow;

    g_assert_true(code_load(run, code) && code_load(rules, code));
    handler_fill(r, run);
    memcpy(rules->registers, run->registers, sizeof(run->registers));
    memcpy(rules->predicates, run->predicates, sizeof(run->predicates));
    veu_flow_start(&run->thread, 0xffff);
    veu_flow_start(&rules->thread, 0xffff);
    run_by_handlers(run, limit);
    run_by_rules(rules, limit);
    g_assert_cmpuint(a->cost, ==, b->cost);
    g_assert_cmpuint(a->running, ==, b->running);
    g_assert_cmpuint(a->at, ==, b->at);
    g_assert_cmpuint(a->next, ==, b->next);
    g_assert_cmpmem(a->group, a->group_count * sizeof(a->group[0]), b->group,
                    b->group_count * sizeof(b->group[0]));
    g_assert_cmpmem(run->registers, CODE_REGISTER_BYTES, rules->registers,
                    CODE_REGISTER_BYTES);
    code_free(run);
    code_free(rules);
    g_free(run);
    g_free(rules);
}

static void test_lanes_wait_where_the_rules_say(void)
{
    g_autofree Code *code = g_new(Code, 1);
    GRand *r = g_rand_new_with_seed(26);

    for (unsigned n = 0; n < 400; n++) {
        memset(code, 0, sizeof(*code));
        build_graph(r, code);
        compare_graph(r, code, g_rand_int_range(r, 1, 2000));
    }
    g_rand_free(r);
}

/* Some lanes skip an addition and a barrier. */
static void build_barrier(Code *code)
{
    uint32_t all = code_variable(code, 0, 16, T(D));
    unsigned over = code_new_label(code, VEU_LABEL_BLOCK);

    CODE_ADD(code, "goto", size_m1(16), 1, over, { 0 });
    CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(D), 1));
    CODE_ADD(code, "barrier", 0, 0, 0, { 0 });
    code_add_label(code, over);
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

/*
 * Handlers execute a barrier and stop after it, where waiting lanes join, like
 * the executor.
 */
static void test_handlers_stop_after_a_barrier(void)
{
    g_autofree Code *code = g_new0(Code, 1);
    CodeRun run, rules;

    build_barrier(code);
    g_assert_true(code_load(&run, code) && code_load(&rules, code));
    run.predicates[0] = rules.predicates[0] = 0x5a5a;
    veu_flow_start(&run.thread, 0xffff);
    veu_flow_start(&rules.thread, 0xffff);
    g_assert_true(veu_run_handlers(&run.thread, UINT16_MAX));
    for (unsigned n = 0; n < 3; n++) {
        g_assert_false(rules.flow.at_barrier);
        g_assert_true(veu_step_by_rules(&rules.thread,
                                        veu_next_instruction(&rules.thread)));
    }
    g_assert_true(run.flow.at_barrier && rules.flow.at_barrier);
    g_assert_cmpuint(run.flow.at, ==, 3);
    g_assert_cmphex(run.flow.running, ==, 0xffff);
    g_assert_cmphex(rules.flow.running, ==, 0xffff);
    g_assert_cmpuint(run.flow.cost, ==, rules.flow.cost);
    g_assert_cmpuint(run.flow.work, ==, rules.flow.work);
    code_free(&run);
    code_free(&rules);
}

/* Sources may be inverted; an instruction changes the bits of its lanes. */
static void test_logic_of_predicates(void)
{
    enum {
        M5 = 4 << 4,
        INVERSE = 1 << 15
    };
    static const char *const mnemonics[] = { "and", "or", "xor" };
    g_autofree Code *code = g_new(Code, 1);
    GRand *r = g_rand_new_with_seed(25);

    for (unsigned n = 0; n < G_N_ELEMENTS(mnemonics); n++) {
        memset(code, 0, sizeof(*code));
        CODE_ADD(code, mnemonics[n], M5 | size_m1(16), 0, 0, op_pred(3),
                 op_pred(1 | INVERSE), op_pred(2));
        CODE_ADD(code, mnemonics[n], size_m1(32), 3, 0, op_pred(2), op_pred(1),
                 op_pred(3 | INVERSE));
        CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
        compare_flow(r, code);
    }
    g_rand_free(r);
}

/* A loop whose label follows @count other instructions. */
static void build_far_loop(Code *code, unsigned count)
{
    uint32_t all = code_variable(code, 0, 16, T(D));
    unsigned again = code_new_label(code, VEU_LABEL_BLOCK);

    while (count--) {
        CODE_ADD(code, "not", size_m1(16), 0, 0, op_dst(all), op_lanes(all));
    }
    code_add_label(code, again);
    for (unsigned n = 0; n < 40; n++) {
        CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
                 op_imm(T(D), 1));
    }
    CODE_ADD(code, "goto", size_m1(16), 0, again, { 0 });
}

/*
 * At most 1,024 steps have their cost added at once. A goto to a label that is
 * the last of them pays for the following steps.
 */
static void test_a_goto_pays_for_the_next_steps(void)
{
    for (unsigned count = 1021; count < 1027; count++) {
        g_autofree Code *code = g_new0(Code, 1);

        build_far_loop(code, count);
        check_limits(code, 1000, 3000);
    }
}

/* More instructions than a stack of this size has room for calls. */
#define MANY        (1 << 20)
#define STACK_BYTES (256 << 10)

static void *run_many(void *run)
{
    g_assert_true(veu_run_handlers(&((CodeRun *)run)->thread, MANY));
    return NULL;
}

/* A handler continues with the next one without a call. */
static void test_handlers_take_no_stack(void)
{
    CodeRun *run = g_new0(CodeRun, 1);
    Code *code = g_new0(Code, 1);
    uint32_t all = code_variable(code, 0, 16, T(D));
    unsigned again = code_new_label(code, VEU_LABEL_BLOCK);
    pthread_attr_t attributes;
    pthread_t thread;

    code_add_label(code, again);
    CODE_ADD(code, "add", size_m1(16), 0, 0, op_dst(all), op_lanes(all),
             op_imm(T(D), 1));
    CODE_ADD(code, "goto", size_m1(16), 0, again, { 0 });
    g_assert_true(code_load(run, code));
    veu_flow_start(&run->thread, 0xffff);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    g_assert_cmpint(pthread_create(&thread, &attributes, run_many, run), ==, 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    g_assert_cmpuint(run->flow.cost, >=, MANY);
    code_free(run);
    g_free(run);
    g_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned level = 0; level < VEU_CPU_COUNT; level++) {
        g_autofree char *name = g_strdup_printf("/handlers/%s",
                                                veu_cpu_names[level]);

        g_test_add_data_func(name, GUINT_TO_POINTER(level), test_level);
    }
    g_test_add_func("/handlers/staged", test_staged);
    g_test_add_func("/handlers/addresses", test_staged_at_addresses);
    g_test_add_func("/handlers/copies", test_copies);
    g_test_add_func("/handlers/copies-of-other-sizes",
                    test_copies_of_other_sizes);
    g_test_add_func("/handlers/copies-overlap", test_copies_overlap);
    g_test_add_func("/handlers/roots", test_roots);
    g_test_add_func("/handlers/near-the-middle",
                    test_results_near_the_middle_are_exact);
    g_test_add_func("/handlers/overlaps-are-staged", test_overlaps_are_staged);
    g_test_add_func("/handlers/flow/cr0-is-read-again", test_cr0_is_read_again);
    g_test_add_func("/handlers/flow/an-or-rounds-otherwise",
                    test_an_or_rounds_otherwise);
    g_test_add_func("/handlers/flow/setting-bits-of-cr0-keeps-the-others",
                    test_setting_bits_of_cr0_keeps_the_others);
    g_test_add_func("/handlers/flow/cr0-is-read-again-after-a-message",
                    test_cr0_is_read_again_after_a_message);
    g_test_add_func("/handlers/flow/lanes-past-the-end-wait-for-no-handler",
                    test_lanes_past_the_end_wait_for_no_handler);
    g_test_add_func("/handlers/flow/only-handlers-round-up",
                    test_only_handlers_round_up);
    g_test_add_func("/handlers/flow/lanes-end-after-the-last-instruction",
                    test_lanes_end_after_the_last_instruction);
    g_test_add_func("/handlers/flow/lanes-past-the-end-of-a-routine-return",
                    test_lanes_past_the_end_of_a_routine_return);
    g_test_add_func("/handlers/flow/handlers-stop-at-the-limit",
                    test_handlers_stop_at_the_limit);
    g_test_add_func("/handlers/flow/gotos-move-the-lanes-of-the-rules",
                    test_gotos_move_the_lanes_of_the_rules);
    g_test_add_func("/handlers/flow/lanes-wait-where-the-rules-say",
                    test_lanes_wait_where_the_rules_say);
    g_test_add_func("/handlers/flow/handlers-stop-after-a-barrier",
                    test_handlers_stop_after_a_barrier);
    g_test_add_func("/handlers/flow/logic-of-predicates",
                    test_logic_of_predicates);
    g_test_add_func("/handlers/flow/a-goto-pays-for-the-next-steps",
                    test_a_goto_pays_for_the_next_steps);
    g_test_add_func("/handlers/flow/handlers-take-no-stack",
                    test_handlers_take_no_stack);
    return g_test_run();
}
