/*
 * veu unit tests: handlers, compared with the executors that follow the rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tests reach every handler of every CPU level that the host has, with all
 * lanes, with some and with none, and compare all registers and predicates
 * afterwards.
 */
#include <string.h>
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/handler_stage.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "tests/lib/handler_cases.h"
#include "tests/lib/random_numbers.h"

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
        code_set_cr0(run, (g_rand_int(r) & CR0_MODES & ~CR0_ROUNDING(3)) |
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
    GRand *r = test_rand(23);

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
        code_set_cr0(run, g_rand_int(r) & CR0_MODES);
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
    GRand *r = test_rand(29);
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
    GRand *r = test_rand(30);
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
    GRand *r = test_rand(31);

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
    GRand *r = test_rand(33);

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
    GRand *r = test_rand(32);

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
    return g_test_run();
}
