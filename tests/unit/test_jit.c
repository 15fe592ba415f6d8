/*
 * veu unit tests: host code, compared with the executors that follow the rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The host may not have AVX2; then all of these tests are skipped.
 */
#include <string.h>
#include "hw/veu/eu/instruction/handler.h"
#include "tests/lib/code_state.h"
#include "tests/lib/handler_cases.h"
#include "tests/lib/random_numbers.h"

#define T(name) VEU_TYPE_##name

/* ---- comparison ---- */

static void check_equal(const CodeRun *run, const CodeState *a,
                        const CodeState *b, const char *what)
{
    for (unsigned n = 0; n < CODE_REGISTER_BYTES; n++) {
        if (a->registers[n] != b->registers[n]) {
            g_error("%s: byte %u is %02x, by the rules %02x", what, n,
                    b->registers[n], a->registers[n]);
        }
    }
    g_assert_cmpmem(a->predicates, sizeof(a->predicates), b->predicates,
                    sizeof(b->predicates));
    g_assert_cmpmem(a->flow.states, sizeof(a->flow.states), b->flow.states,
                    sizeof(b->flow.states));
    g_assert_cmpuint(a->flow.work, ==, b->flow.work);
}

/* Runs what the registers have, both ways. */
static void compare(CodeRun *run, uint32_t lanes, uint32_t slice,
                    const char *what)
{
    CodeState *before = g_new(CodeState, 1), *rules = g_new(CodeState, 1);
    CodeState *host = g_new(CodeState, 1);

    code_state_save(run, before);
    code_run_by_rules(run, lanes, UINT32_MAX);
    code_state_save(run, rules);
    code_state_restore(run, before);
    code_run_compiled(run, lanes, slice, UINT32_MAX);
    g_assert_cmphex(run->flow.running, ==, 0);
    code_state_save(run, host);
    check_equal(run, rules, host, what);
    g_free(before);
    g_free(rules);
    g_free(host);
}

/* ---- one instruction ---- */

/* Returns false for rows that the compiler does not take. */
static bool is_compiled(const HandlerCase *c)
{
    static const char *const none[] = { "div",  "mod",   "lzd",   "fbl",
                                        "cbit", "bfrev", "rsqrt", "exp",
                                        "log",  "pow",   "sin",   "cos" };

    for (unsigned n = 0; n < G_N_ELEMENTS(none); n++) {
        if (!strcmp(c->mnemonic, none[n])) {
            return !strcmp(none[n], "div") && c->src >= T(DF);
        }
    }
    return true;
}

static void run_form(GRand *r, const HandlerCase *c, const Code *code,
                     unsigned runs)
{
    static const uint32_t lanes[] = { UINT32_MAX, 0x5a5a5a5a, 0x00800001,
                                      0x80000100, 0x0000fffe };
    /* that flush, round up, down, and do not truncate */
    static const uint32_t modes[] = { 0, 0x4c0, 0x4c0, 0x4d0, 0x4e0, 0x14f0 };
    CodeRun *run = g_new0(CodeRun, 1);

    g_assert_true(code_load(run, code));
    code_compile(run->program);
    if (is_compiled(c)) {
        g_assert_true(code_is_compiled(run->program->steps[0].handler[0]));
        g_assert_true(code_is_compiled(run->program->steps[0].handler[1]));
    }
    /* Executors take long, so each form has some modes with some lanes. */
    for (unsigned n = 0; n < runs; n++) {
        handler_fill(r, run);
        code_set_cr0(run, modes[n % G_N_ELEMENTS(modes)]);
        compare(run, lanes[g_rand_int(r) % G_N_ELEMENTS(lanes)], UINT32_MAX / 2,
                c->mnemonic);
    }
    code_free(run);
    g_free(run);
}

static void add_instruction(Code *code, const HandlerCase *c, unsigned size,
                            unsigned pred, unsigned shape, unsigned immediate,
                            const uint64_t *value)
{
    Op ops[7] = { 0 };

    handler_operands(code, c, shape, immediate, value, ops);
    code_add(code, c->mnemonic, size, pred, c->number, ops);
}

static void run_case(GRand *r, const HandlerCase *c, unsigned pred,
                     unsigned runs)
{
    static const uint8_t sizes[] = { 1, 8, 16, 32 };
    unsigned all = (1u << c->sources) - 1;
    Code *code = g_new(Code, 1);

    for (unsigned n = 0; n < G_N_ELEMENTS(sizes); n++) {
        for (unsigned shape = sizes[n] == 1 ? all : 0; shape <= all; shape++) {
            for (unsigned k = 0; k <= c->sources; k++) {
                uint64_t value = handler_edge(r);

                if (k < c->sources &&
                    (!(shape >> k & 1) || (c->modifier && k == c->modified))) {
                    continue;
                }
                memset(code, 0, sizeof(*code));
                add_instruction(code, c, size_m1(sizes[n]), pred, shape, k,
                                &value);
                CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
                run_form(r, c, code, runs);
            }
        }
    }
    g_free(code);
}

/* Every form of every row, with all lanes and with some. */
static void test_instructions(void)
{
    GRand *r = test_rand(41);

    for (unsigned n = 0; n < handler_case_count; n++) {
        run_case(r, &handler_cases[n], handler_predicate(&handler_cases[n]), 6);
    }
    g_rand_free(r);
}

/* Lanes whose bit of the predicate is 0 keep the result. */
static void test_predicated_instructions(void)
{
    static const unsigned inverse = 1 << 15;
    GRand *r = test_rand(42);

    for (unsigned n = 0; n < handler_case_count; n++) {
        run_case(r, &handler_cases[n],
                 1 + g_rand_int(r) % 2 + (g_rand_boolean(r) ? inverse : 0), 2);
    }
    g_rand_free(r);
}

/* ---- other types and regions ---- */

/* Returns true if the form is legal and compiled. */
static bool run_random_form(GRand *r, Code *code)
{
    CodeRun *run = g_new0(CodeRun, 1);
    bool compiled;

    handler_random_form(r, code, g_rand_boolean(r));
    compiled = code_load(run, code) && code_compile(run->program);
    for (unsigned n = 0; compiled && n < 6; n++) {
        handler_fill(r, run);
        code_set_cr0(run, g_rand_int(r) & 0x14f0);
        compare(run, n % 2 ? UINT32_MAX : g_rand_int(r) | 1, UINT32_MAX / 2,
                "random form");
    }
    code_free(run);
    g_free(run);
    return compiled;
}

static void test_forms(void)
{
    GRand *r = test_rand(44);
    Code *code = g_new(Code, 1);
    unsigned found = 0;

    while (found < 3000) {
        found += run_random_form(r, code);
    }
    g_free(code);
    g_rand_free(r);
}

/* ---- sequences ---- */

/* Moves an operand to any place, where others are, or parts of them. */
static void move_operand(GRand *r, Code *code, Op *op, uint8_t type)
{
    if (op->class == VEU_OPERAND_GENERAL) {
        op->id = handler_variable(code, g_rand_int(r) % HANDLER_PLACES, type);
        op->column = g_rand_int(r) % 4 ? 0 : g_rand_int(r) % 3;
    }
}

static unsigned random_predicate(GRand *r)
{
    static const unsigned combined[] = { 0, 0, 0, 1 << 13, 2 << 13 };

    return (1 + g_rand_int(r) % 4) | (g_rand_boolean(r) ? 1 << 15 : 0) |
           combined[g_rand_int(r) % G_N_ELEMENTS(combined)];
}

/* An instruction whose operands may be those of others, and each other. */
static void add_random(GRand *r, Code *code)
{
    const HandlerCase *c = &handler_cases[g_rand_int(r) % handler_case_count];
    static const uint8_t sizes[] = { 1, 8, 16, 16, 16, 32 };
    unsigned lanes = sizes[g_rand_int(r) % G_N_ELEMENTS(sizes)];
    unsigned offset = lanes == 32 ? 0 : g_rand_int(r) % 4;
    unsigned mask = lanes == 16 ? offset / 2 * 4 : lanes == 8 ? offset * 2 : 0;
    unsigned size = g_rand_int(r) % 4 ? size_m1(lanes) : size_nm(lanes);
    unsigned pred = handler_predicate(c);
    uint64_t value = handler_edge(r);
    Op ops[7] = { 0 };

    if (g_rand_int(r) % 4 == 0 || pred) {
        pred = random_predicate(r);
    }
    handler_operands(code, c, lanes == 1 ? 7 : g_rand_int(r) % 8,
                     g_rand_int(r) % 8, &value, ops);
    move_operand(r, code, &ops[0], c->dst);
    for (unsigned k = 0; k < c->sources; k++) {
        move_operand(r, code, &ops[1 + c->carries + k], c->src);
    }
    code_add(code, c->mnemonic, size + (mask << 4), pred, c->number, ops);
}

/* Logic of predicates, for lanes that a predicate may choose. */
static void add_logic(GRand *r, Code *code)
{
    static const char *const names[] = { "and", "or", "xor" };
    unsigned lanes = 8u << g_rand_int(r) % 3;

    CODE_ADD(code, names[g_rand_int(r) % G_N_ELEMENTS(names)], size_m1(lanes),
             g_rand_boolean(r) ? random_predicate(r) : 0, 0,
             op_pred(1 + g_rand_int(r) % 4), op_pred(1 + g_rand_int(r) % 4),
             op_pred(1 + g_rand_int(r) % 4));
}

/* Some lanes skip what follows, up to the next label. */
static void add_goto(GRand *r, Code *code, unsigned *label)
{
    unsigned pred = (1 + g_rand_int(r) % 4) | (g_rand_boolean(r) ? 1 << 15 : 0);

    *label = code_new_label(code, VEU_LABEL_BLOCK);
    CODE_ADD(code, "goto", size_m1(g_rand_int(r) % 4 ? 32 : 16), pred, *label,
             { 0 });
}

static void add_any(GRand *r, Code *code)
{
    unsigned kind = g_rand_int(r) % 16;

    if (kind < 11) {
        add_random(r, code);
    } else if (kind < 15) {
        handler_add_random(r, code);
    } else {
        add_logic(r, code);
    }
}

/* Labels come some steps after their gotos, and some after others. */
static void add_steps(GRand *r, Code *code)
{
    unsigned labels[24], open = 0, gotos = 0;

    for (unsigned n = g_rand_int(r) % 24; n < 24; n++) {
        if (g_rand_int(r) % 6 == 0 && gotos < 6) {
            add_goto(r, code, &labels[open++]);
            gotos++;
        } else if (g_rand_int(r) % 4 == 0 && open) {
            unsigned k = g_rand_int(r) % open;

            code_add_label(code, labels[k]);
            labels[k] = labels[--open];
        } else {
            add_any(r, code);
        }
    }
    while (open) {
        code_add_label(code, labels[--open]);
    }
}

static void run_sequence(GRand *r)
{
    Code *code = g_new0(Code, 1);
    CodeRun *run = g_new0(CodeRun, 1);

    add_steps(r, code);
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    if (code_load(run, code)) {
        code_compile(run->program);
        for (unsigned n = 0; n < 4; n++) {
            handler_fill(r, run);
            code_set_cr0(run, n ? 0x4c0 : g_rand_int(r) & 0x14f0);
            compare(run, n % 2 ? UINT32_MAX : g_rand_int(r) | 1,
                    n < 3 ? UINT32_MAX / 2 : 1 + g_rand_int(r) % 8, "sequence");
        }
    }
    code_free(run);
    g_free(run);
    g_free(code);
}

/*
 * What one instruction leaves in the host's registers for the next is what it
 * has stored, whatever else is written between them.
 */
static void test_sequences(void)
{
    GRand *r = test_rand(43);

    for (unsigned n = 0; n < 3000; n++) {
        run_sequence(r);
    }
    g_rand_free(r);
}

/* ---- predicates ---- */

/* The lanes of the second addition are those of the comparison. */
static void build_predicate(Code *code)
{
    uint32_t sum = code_variable(code, 0, 16, T(D));
    uint32_t value = code_variable(code, HANDLER_PLACE, 16, T(D));

    CODE_ADD(code, "add", size_m1(16), 1, 0, op_dst(sum), op_lanes(sum),
             op_imm(T(D), 1));
    CODE_ADD(code, "cmp", size_m1(16), 0, 2, op_pred(1), op_lanes(value),
             op_imm(T(D), 0));
    CODE_ADD(code, "add", size_m1(16), 1, 0, op_dst(sum), op_lanes(sum),
             op_imm(T(D), 2));
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
}

static void test_a_predicate_changes_between_its_uses(void)
{
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    g_autofree Code *code = g_new0(Code, 1);
    GRand *r = test_rand(47);

    build_predicate(code);
    g_assert_true(code_load(run, code));
    code_compile(run->program);
    for (unsigned n = 0; n < 20; n++) {
        handler_fill(r, run);
        code_set_cr0(run, 0x4c0);
        compare(run, n % 2 ? UINT32_MAX : g_rand_int(r) | 1, UINT32_MAX / 2,
                "predicate");
    }
    code_free(run);
    g_rand_free(r);
}

/* ---- room ---- */

/* Where there is no room for a run, its steps keep their handlers. */
static void test_a_program_runs_with_any_room(void)
{
    g_autofree Code *code = g_new0(Code, 1);
    GRand *r = g_rand_new_with_seed(45); /* all are legal */
    uint32_t needed = 1;

    for (unsigned n = 0; n < 24; n++) {
        add_random(r, code);
    }
    CODE_ADD(code, "ret", size_m1(1), 0, 0, { 0 });
    for (uint32_t bytes = 0; bytes <= needed; bytes += 1 + needed / 40) {
        g_autofree CodeRun *run = g_new0(CodeRun, 1);

        g_assert_true(code_load(run, code));
        needed = MAX(needed, code_compile(run->program));
        code_free(run);
        g_assert_true(code_load(run, code));
        g_assert_cmpuint(code_compile_in(run->program, bytes), <=, bytes);
        handler_fill(r, run);
        code_set_cr0(run, 0x4c0);
        compare(run, UINT32_MAX, UINT32_MAX / 2, "room");
        code_free(run);
    }
    g_rand_free(r);
}

/* ---- main ---- */

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (!code_has_jit()) {
        g_print("1..0 # SKIP no AVX2, or no memory for code\n");
        return 0;
    }
    g_test_add_func("/jit/each-form-of-each-row-is-that-of-the-executor",
                    test_instructions);
    g_test_add_func("/jit/lanes-without-their-bit-keep-the-result",
                    test_predicated_instructions);
    g_test_add_func("/jit/other-types-and-regions-are-those-of-the-executor",
                    test_forms);
    g_test_add_func("/jit/what-stays-in-registers-is-what-was-stored",
                    test_sequences);
    g_test_add_func("/jit/a-predicate-changes-between-its-uses",
                    test_a_predicate_changes_between_its_uses);
    g_test_add_func("/jit/a-program-runs-with-any-room",
                    test_a_program_runs_with_any_room);
    return g_test_run();
}
