/*
 * veu unit tests: handlers, and where lanes go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tests compare lanes, their places and the cost with what the executors
 * do that follow the rules.
 */
#include <pthread.h>
#include <string.h>
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "tests/lib/handler_cases.h"
#include "tests/lib/random_numbers.h"

#define T(name) VEU_TYPE_##name

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

/* The same program by handlers, and by the rules. */
typedef struct Both {
    CodeRun *run, *rules;
} Both;

static Both both_new(const Code *code)
{
    Both b = { g_new0(CodeRun, 1), g_new0(CodeRun, 1) };

    g_assert_true(code_load(b.run, code) && code_load(b.rules, code));
    return b;
}

static void both_free(const Both *b)
{
    code_free(b->run);
    code_free(b->rules);
    g_free(b->run);
    g_free(b->rules);
}

/* Both begin with the same random values. */
static void both_start(const Both *b, GRand *r, uint32_t lanes)
{
    handler_fill(r, b->run);
    memcpy(b->rules->registers, b->run->registers, sizeof(b->run->registers));
    memcpy(b->rules->predicates, b->run->predicates,
           sizeof(b->run->predicates));
    veu_flow_start(&b->run->thread, lanes);
    veu_flow_start(&b->rules->thread, lanes);
}

/* All results equal those of the rules. */
static void both_run(const Both *b, uint32_t limit)
{
    const CodeRun *run = b->run, *rules = b->rules;

    run_by_handlers(b->run, limit);
    run_by_rules(b->rules, limit);
    g_assert_cmpuint(run->flow.cost, ==, rules->flow.cost);
    g_assert_cmpmem(run->registers, CODE_REGISTER_BYTES, rules->registers,
                    CODE_REGISTER_BYTES);
    g_assert_cmpmem(run->predicates, sizeof(run->predicates), rules->predicates,
                    sizeof(rules->predicates));
}

static void check_limits(const Code *code, uint32_t first, uint32_t end)
{
    Both b = both_new(code);
    const VeuFlow *flow = &b.run->flow, *rules = &b.rules->flow;

    for (uint32_t limit = first; limit < end; limit += limit < 300 ? 1 : 37) {
        start_loop(b.run);
        start_loop(b.rules);
        both_run(&b, limit);
        g_assert_cmpuint(flow->work, ==, rules->work);
        g_assert_cmpuint(flow->at, ==, rules->at);
        g_assert_cmpuint(flow->running, ==, rules->running);
    }
    both_free(&b);
}

/* With each limit, handlers stop where executors do, at the same cost. */
static void test_handlers_stop_at_the_limit(void)
{
    g_autofree Code *code = g_new0(Code, 1);

    build_loop(code);
    check_limits(code, 1, 3000);
}

/* ---- gotos and logic of predicates ---- */

static void compare_flow(GRand *r, const Code *code)
{
    static const uint32_t lanes[] = { UINT32_MAX, 0x5a5a5a5a, 0x0000ff01,
                                      0x80010000 };
    Both b = both_new(code);

    for (unsigned n = 0; n < 4 * G_N_ELEMENTS(lanes); n++) {
        both_start(&b, r, lanes[n / 4]);
        both_run(&b, UINT16_MAX);
    }
    both_free(&b);
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
    GRand *r = test_rand(24);

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
    Both both = both_new(code);
    const VeuFlow *a = &both.run->flow, *b = &both.rules->flow;

    both_start(&both, r, 0xffff);
    both_run(&both, limit);
    g_assert_cmpuint(a->running, ==, b->running);
    g_assert_cmpuint(a->at, ==, b->at);
    g_assert_cmpuint(a->next, ==, b->next);
    g_assert_cmpmem(a->group, a->group_count * sizeof(a->group[0]), b->group,
                    b->group_count * sizeof(b->group[0]));
    both_free(&both);
}

static void test_lanes_wait_where_the_rules_say(void)
{
    g_autofree Code *code = g_new(Code, 1);
    GRand *r = test_rand(26);

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
    GRand *r = test_rand(25);

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
    g_test_add_func("/handler_flow/lanes-past-the-end-wait-for-no-handler",
                    test_lanes_past_the_end_wait_for_no_handler);
    g_test_add_func("/handler_flow/lanes-end-after-the-last-instruction",
                    test_lanes_end_after_the_last_instruction);
    g_test_add_func("/handler_flow/lanes-past-the-end-of-a-routine-return",
                    test_lanes_past_the_end_of_a_routine_return);
    g_test_add_func("/handler_flow/handlers-stop-at-the-limit",
                    test_handlers_stop_at_the_limit);
    g_test_add_func("/handler_flow/gotos-move-the-lanes-of-the-rules",
                    test_gotos_move_the_lanes_of_the_rules);
    g_test_add_func("/handler_flow/lanes-wait-where-the-rules-say",
                    test_lanes_wait_where_the_rules_say);
    g_test_add_func("/handler_flow/handlers-stop-after-a-barrier",
                    test_handlers_stop_after_a_barrier);
    g_test_add_func("/handler_flow/logic-of-predicates",
                    test_logic_of_predicates);
    g_test_add_func("/handler_flow/a-goto-pays-for-the-next-steps",
                    test_a_goto_pays_for_the_next_steps);
    g_test_add_func("/handler_flow/handlers-take-no-stack",
                    test_handlers_take_no_stack);
    return g_test_run();
}
