/*
 * veu unit tests: random control flow, compared with the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * VEU_TEST_SEED repeats a run, VEU_TEST_PROGRAMS makes it longer or shorter.
 */
#include <string.h>
#include "tests/lib/isa_compare.h"
#include "tests/lib/random_numbers.h"

#define PROGRAMS  250
/* The number of runs of each program, with other registers. */
#define RUNS      4
/* More steps than a program can take. */
#define MAX_STEPS 200000

static void start(IsaPair *p, GRand *r, unsigned lanes)
{
    uint32_t mask = g_rand_int(r) | g_rand_int(r);

    isa_random_registers(r, p->run.registers);
    isa_random_fuel(r, p->run.registers);
    for (unsigned n = 0; n < G_N_ELEMENTS(p->run.predicates); n++) {
        p->run.predicates[n] = g_rand_int(r);
    }
    isa_pair_start(p, lanes == 32 ? mask : mask & ((1u << lanes) - 1));
}

static uint64_t program_count(void)
{
    return test_count("VEU_TEST_PROGRAMS", PROGRAMS);
}

typedef void Check(IsaPair *p);

static IsaPair *for_random_programs(IsaFlowKind kind, Check *check)
{
    g_autoptr(GRand) r = test_rand_any();
    g_autofree Code *code = g_new0(Code, 1);
    IsaPair *p = isa_pair_new();

    for (unsigned n = 0; n < program_count(); n++) {
        unsigned lanes = 8u << g_rand_int(r) % 3;

        isa_random_flow(code, r, lanes, kind);
        isa_pair_load(p, code);
        for (unsigned k = 0; k < RUNS; k++) {
            start(p, r, lanes);
            check(p);
        }
    }
    g_assert_cmpuint(p->faults, ==, 0);
    return p;
}

/*
 * All lanes end, and each step has the lanes and the place that the model has.
 */
static void check_steps(IsaPair *p)
{
    isa_pair_run(p, MAX_STEPS);
    g_assert_cmphex(p->run.flow.running, ==, 0);
    g_assert_cmpuint(p->run.flow.depth, ==, 0);
}

static void test_the_lanes_at_the_lowest_place_run(void)
{
    /* jmp, call, ret, ifcall, fcall, fret, goto */
    static const uint8_t flow[] = { 0x32, 0x33, 0x34, 0x4f, 0x67, 0x68, 0x6c };
    IsaPair *p = for_random_programs(ISA_FLOW_TOGETHER, check_steps);

    for (unsigned n = 0; n < G_N_ELEMENTS(flow); n++) {
        g_test_message("opcode %02x: %" G_GUINT64_FORMAT " times", flow[n],
                       p->executed[flow[n]]);
        g_assert_cmpuint(p->executed[flow[n]], >, program_count());
    }
    isa_pair_free(p);
}

/* One lane after the other computes what all of them compute together. */
static void check_lanes(IsaPair *p)
{
    uint32_t lanes = p->thread.members;

    for (unsigned lane = 0; lane < 32; lane++) {
        g_assert_true(!(lanes >> lane & 1) ||
                      isa_run_lane(&p->thread, lane, MAX_STEPS));
    }
    for (unsigned limit = MAX_STEPS;; limit--) {
        const VeuInstruction *next = veu_next_instruction(&p->run.thread);

        if (!next) {
            break;
        }
        g_assert_cmpuint(limit, >, 0);
        g_assert_true(veu_step(&p->run.thread, next));
    }
    g_assert_cmpmem(p->run.registers, sizeof(p->run.registers),
                    p->thread.registers, sizeof(p->run.registers));
    g_assert_cmpmem(p->run.predicates, sizeof(p->run.predicates),
                    p->thread.predicates, sizeof(p->run.predicates));
}

static void test_each_lane_is_alone(void)
{
    isa_pair_free(for_random_programs(ISA_FLOW_ALONE, check_lanes));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa-flow/the-lanes-at-the-lowest-place-run",
                    test_the_lanes_at_the_lowest_place_run);
    g_test_add_func("/isa-flow/each-lane-is-alone", test_each_lane_is_alone);
    return g_test_run();
}
