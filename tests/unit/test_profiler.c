/*
 * veu unit tests: profilers: memory of launches in progress: docs/profile.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/capture/profiler.h"
#include "hw/veu/eu/limits.h"
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
    unsigned most = (256u << 20) / veu_profile_bytes(&program);

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
    VeuInstruction instruction = { 0 };
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/profiler/memory-is-bounded", test_memory_is_bounded);
    g_test_add_func("/profiler/a-runner-has-one-place",
                    test_a_runner_has_one_place);
    return g_test_run();
}
