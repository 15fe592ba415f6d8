/*
 * veu unit tests: profilers: memory of launches in progress: docs/profile.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <unistd.h>
#include "hw/veu/capture/profiler.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/limits.h"
#include "tests/lib/code_builder.h"
#include "tests/lib/device_fixture.h"

#define RINGS   VEU_MAX_RINGS
#define RUNNERS VEU_MAX_SLICES

/*
 * Opens the largest program for all rings and runners that a device may have.
 */
static unsigned open_all(VeuProfiler *p, const VeuProgram *program)
{
    unsigned places = 0;

    for (unsigned i = 0; i < RINGS * RUNNERS; i++) {
        places += veu_profiler_open(p, i / RUNNERS, i % RUNNERS, program) !=
                  NULL;
    }
    return places;
}

static void end_all(VeuProfiler *p, Dev *d)
{
    VeuEvent reset = { .kind = VEU_EVENT_RESET, .ring = VEU_EVENT_NO_RING };

    veu_profiler_event(p, d->device, &reset);
}

static void test_memory_is_bounded(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuProfiler *p = veu_profiler_new();
    g_autofree VeuInstruction *instructions =
        g_new0(VeuInstruction, VEU_LIMIT_LOAD_INSTRUCTIONS);
    g_autofree VeuHandlerStep *steps = g_new0(VeuHandlerStep,
                                              VEU_LIMIT_LOAD_INSTRUCTIONS);
    VeuProgram program = {
        .kind = VEU_PROGRAM_INSTRUCTIONS,
        .instruction_count = VEU_LIMIT_LOAD_INSTRUCTIONS,
        .instructions = instructions,
        .steps = steps,
    };
    unsigned most = (512u << 20) / veu_profile_bytes(&program);

    for (unsigned i = 0; i < VEU_LIMIT_LOAD_INSTRUCTIONS; i++) {
        instructions[i].info = veu_instructions;
    }
    g_assert_cmpuint(open_all(p, &program), ==, most);
    /* A launch for which there was once no room gets none later. */
    g_assert_null(veu_profiler_open(p, RINGS - 1, 0, &program));
    end_all(p, d);
    g_assert_cmpuint(open_all(p, &program), ==, most);
    veu_profiler_free(p);
}

/* Successive turns count in the same place. */
static void test_a_runner_has_one_place(void)
{
    VeuProfiler *p = veu_profiler_new();
    VeuInstruction instruction = { .info = veu_instructions };
    VeuHandlerStep step = { 0 };
    VeuProgram program = {
        .kind = VEU_PROGRAM_INSTRUCTIONS,
        .instruction_count = 1,
        .instructions = &instruction,
        .steps = &step,
    };
    VeuProfile *first = veu_profiler_open(p, 0, 0, &program);

    g_assert_nonnull(first);
    g_assert_true(veu_profiler_open(p, 0, 0, &program) == first);
    g_assert_true(veu_profiler_open(p, 0, 1, &program) != first);
    g_assert_true(veu_profiler_open(p, 1, 0, &program) != first);
    veu_profiler_free(p);
}

/* --- A loop -------------------------------------------------------------- */

typedef struct Profiled {
    Dev *dev;
    VeuProfiler *profiler;
    const VeuProgram *program; /* of the last turn */
} Profiled;

static VeuProfile *open_profile(VeuHost *host, uint32_t ring, unsigned runner,
                                const VeuProgram *program)
{
    Profiled *p = ((TestHost *)host)->opaque;

    /* a launch has one program, whatever the host returned before */
    g_assert_true(!p->program || p->program == program);
    p->program = program;
    return veu_profiler_open(p->profiler, ring, runner, program);
}

static void see_event(VeuHost *host, const VeuEvent *event)
{
    Profiled *p = ((TestHost *)host)->opaque;

    veu_profiler_event(p->profiler, p->dev->device, event);
}

/* Lane i makes i + 3 passes, each of which calls a subroutine. */
static Code make_loop(void)
{
    Code code = { 0 };
    uint32_t left = code_variable(&code, 0, 8, VEU_TYPE_D);
    unsigned loop = code_new_label(&code, VEU_LABEL_BLOCK);
    unsigned work = code_new_label(&code, VEU_LABEL_SUBROUTINE);

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(left),
             op_imm(VEU_TYPE_UV, 0x76543210));
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(left), op_lanes(left),
             op_imm(VEU_TYPE_D, 3));
    code_add_label(&code, loop);
    CODE_ADD(&code, "call", size_m1(8), 0, work, { 0 });
    CODE_ADD(&code, "cmp", size_m1(8), 0, 2, op_pred(1), op_lanes(left),
             op_imm(VEU_TYPE_D, 0));
    CODE_ADD(&code, "goto", size_m1(8), 1, loop, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&code, work);
    CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(left), op_lanes(left),
             op_imm(VEU_TYPE_D, -1));
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    return code;
}

/*
 * 10 passes, with 52 lanes in all; in 7 of them, some lanes have left the loop.
 * All lanes but those that leave it take the goto.
 */
static const struct {
    const char *name;
    uint64_t executions, lanes, divergent;
} loop_counts[] = {
    { "mov", 1, 8, 0 },    { "add", 1, 8, 0 },          { "label", 10, 52, 7 },
    { "call", 10, 52, 7 }, { "cmp", 10, 52, 7 },        { "goto", 10, 44, 7 },
    { "ret", 1, 1, 0 },    { "subroutine", 10, 52, 7 }, { "add", 10, 52, 7 },
    { "ret", 10, 52, 7 },
};

static void assert_loop(const VeuProfiledProgram *p)
{
    g_assert_cmpuint(p->launches, ==, 1);
    g_assert_cmpuint(p->instruction_count, ==, G_N_ELEMENTS(loop_counts));
    for (unsigned i = 0; i < G_N_ELEMENTS(loop_counts); i++) {
        const VeuProfiledInstruction *row = &p->instructions[i];

        g_assert_cmpstr(row->name, ==, loop_counts[i].name);
        g_assert_cmpuint(row->counts.executions, ==, loop_counts[i].executions);
        g_assert_cmpuint(row->counts.lanes, ==, loop_counts[i].lanes);
        g_assert_cmpuint(row->counts.divergent, ==, loop_counts[i].divergent);
    }
}

static void profile_dispatch(Profiled *p, struct veu_command_dispatch c,
                             unsigned budget, uint32_t events)
{
    Dev *d = p->dev;

    p->program = NULL;
    d->host.opaque = p;
    d->host.host.profile = open_profile;
    d->host.host.event = see_event;
    d->host.host.events = events;
    DEV_PUSH(d, c);
    dev_run_by(d, budget);
    dev_assert_no_fault(d);
}

/* Runs the code, @budget pieces at a time, on a host with these events. */
static void profile(Profiled *p, const Code *code, unsigned budget,
                    uint32_t events)
{
    profile_dispatch(p, code_dispatch(p->dev, code), budget, events);
}

static void profile_loop(unsigned budget, uint32_t events)
{
    g_autoptr(Dev) d = dev_running();
    Profiled p = { d, veu_profiler_new(), NULL };
    Code code = make_loop();
    const GPtrArray *programs = veu_profiler_programs(p.profiler);

    profile(&p, &code, budget, events);
    g_assert_cmpuint(programs->len, ==, 1);
    assert_loop(g_ptr_array_index(programs, 0));
    veu_profiler_free(p.profiler);
}

static void test_a_loop(void)
{
    profile_loop(100000, VEU_PROFILER_EVENTS);
}

/* Stops within a block, and at any instruction, change no count. */
static void test_a_loop_that_stops(void)
{
    for (unsigned budget = 1; budget < 8; budget++) {
        profile_loop(budget, VEU_PROFILER_EVENTS);
    }
}

/* A host that sees each instruction has all of them executed by the rules. */
static void test_a_loop_by_the_rules(void)
{
    profile_loop(7, VEU_PROFILER_EVENTS | 1u << VEU_EVENT_INSTRUCTION);
}

/* Lanes that a payload does not start do not make the others divergent. */
static void test_lanes_of_a_payload_do_not_diverge(void)
{
    g_autoptr(Dev) d = dev_running();
    Profiled p = { d, veu_profiler_new(), NULL };
    Code code = { 0 };
    uint32_t to = code_variable(&code, 0, 8, VEU_TYPE_D);
    struct veu_command_dispatch c;
    const VeuProfiledProgram *program;

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(to), op_imm(VEU_TYPE_D, 1));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    c.launch.payload_bytes = sizeof(struct veu_payload_header);
    test_memory_put32(&d->host.memory, DEV_PAYLOAD, 0x5a);
    profile_dispatch(&p, c, 100000, VEU_PROFILER_EVENTS);
    program = g_ptr_array_index(veu_profiler_programs(p.profiler), 0);
    g_assert_cmpuint(program->instructions[0].counts.lanes, ==, 4);
    g_assert_cmpuint(program->instructions[0].counts.divergent, ==, 0);
    veu_profiler_free(p.profiler);
}

/* Eight dwords, 256 bytes apart, in all lanes and then in none. */
static Code make_loads(unsigned surface)
{
    Code code = { 0 };
    uint32_t to = code_variable(&code, 0, 8, VEU_TYPE_D);
    uint32_t offsets = code_variable(&code, 32, 8, VEU_TYPE_D);
    TestMessage load = {
        .kind = TEST_GATHER_SCALED,
        .exec = TEST_LANES_8,
        .num_blocks = 2,
        .surface = surface,
        .offset = test_immediate(0),
        .address = { offsets, 0 },
        .data = { to, 0 },
    };

    CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(offsets),
             op_imm(VEU_TYPE_UV, 0x76543210));
    CODE_ADD(&code, "shl", size_m1(8), 0, 0, op_dst(offsets), op_lanes(offsets),
             op_imm(VEU_TYPE_D, 8));
    CODE_ADD(&code, "cmp", size_m1(8), 0, 4 /* lt */, op_pred(1),
             op_lanes(offsets), op_imm(VEU_TYPE_D, 0));
    code_add_message(&code, &load);
    load.pred = TEST_PRED(1);
    code_add_message(&code, &load);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    return code;
}

static void check_loads(unsigned surface, unsigned lines, unsigned conflicts)
{
    g_autoptr(Dev) d = dev_running();
    Profiled p = { d, veu_profiler_new(), NULL };
    Code code = make_loads(surface);
    struct veu_command_dispatch c = code_dispatch(d, &code);
    const VeuProfiledProgram *program;
    const VeuInstructionCounts *all, *none;

    c.launch.slm_bytes = 2048;
    c.launch.stateless_base = DEV_DATA;
    c.launch.stateless_bytes = 2048;
    profile_dispatch(&p, c, 100000, VEU_PROFILER_EVENTS);
    program = g_ptr_array_index(veu_profiler_programs(p.profiler), 0);
    all = &program->instructions[3].counts;
    none = &program->instructions[4].counts;
    g_assert_cmpuint(all->lanes, ==, 8);
    g_assert_cmpuint(all->lines, ==, lines);
    g_assert_cmpuint(all->conflicts, ==, conflicts);
    g_assert_cmpuint(none->executions, ==, 1);
    g_assert_cmpuint(none->lanes, ==, 0);
    g_assert_cmpuint(none->bytes, ==, 0);
    g_assert_cmpuint(none->lines, ==, 0);
    g_assert_cmpuint(none->conflicts, ==, 0);
    veu_profiler_free(p.profiler);
}

static void test_a_message_without_lanes_touches_nothing(void)
{
    check_loads(0, 0, 7); /* SLM */
    check_loads(5, 8, 0); /* stateless */
}

/* docs/profile.md: only instructions are counted. */
static void test_programs_of_messages_are_not_counted(void)
{
    g_autoptr(Dev) d = dev_running();
    Profiled p = { d, veu_profiler_new(), NULL };
    TestMessage fence = { .kind = TEST_FENCE, .exec = TEST_LANES_8 };
    struct veu_command_dispatch c;

    test_program_add(&d->program, &fence);
    c = dev_dispatch(d);
    c.launch.groups = 2;
    profile_dispatch(&p, c, 100000, VEU_PROFILER_EVENTS);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==, 2);
    g_assert_null(p.program);
    g_assert_cmpuint(veu_profiler_programs(p.profiler)->len, ==, 0);
    veu_profiler_free(p.profiler);
}

/* A launch of another program than the first 256 is only counted. */
static void test_a_file_has_256_programs(void)
{
    g_autoptr(Dev) d = dev_running();
    Profiled p = { d, veu_profiler_new(), NULL };
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;
    GError *error = NULL;

    for (unsigned n = 0; n <= 256; n++) {
        Code code = { 0 };
        uint32_t to = code_variable(&code, 0, 8, VEU_TYPE_D);

        CODE_ADD(&code, "mov", size_m1(8), 0, 0, op_dst(to),
                 op_imm(VEU_TYPE_D, n));
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        profile(&p, &code, 100000, VEU_PROFILER_EVENTS);
    }
    g_assert_cmpuint(veu_profiler_programs(p.profiler)->len, ==, 256);
    close(g_file_open_tmp(NULL, &path, &error));
    g_assert_no_error(error);
    g_assert_true(veu_profiler_write(p.profiler, path, &error));
    g_assert_true(g_file_get_contents(path, &text, NULL, &error));
    unlink(path);
    g_assert_true(g_str_has_prefix(text, "{\"launches_left_out\": 1, "
                                         "\"programs\": [\n{"));
    g_assert_true(g_str_has_suffix(text, "]}\n]}\n"));
    veu_profiler_free(p.profiler);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/profiler/memory-is-bounded", test_memory_is_bounded);
    g_test_add_func("/profiler/a-runner-has-one-place",
                    test_a_runner_has_one_place);
    g_test_add_func("/profiler/a-loop", test_a_loop);
    g_test_add_func("/profiler/a-loop-that-stops", test_a_loop_that_stops);
    g_test_add_func("/profiler/a-loop-by-the-rules", test_a_loop_by_the_rules);
    g_test_add_func("/profiler/lanes-of-a-payload-do-not-diverge",
                    test_lanes_of_a_payload_do_not_diverge);
    g_test_add_func("/profiler/a-message-without-lanes-touches-nothing",
                    test_a_message_without_lanes_touches_nothing);
    g_test_add_func("/profiler/programs-of-messages-are-not-counted",
                    test_programs_of_messages_are_not_counted);
    g_test_add_func("/profiler/a-file-has-256-programs",
                    test_a_file_has_256_programs);
    return g_test_run();
}
