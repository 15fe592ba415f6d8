/*
 * veu tests: the same program by the rules, and compiled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/handler_run.h"
#include "tests/lib/code_state.h"

void code_state_save(const CodeRun *run, CodeState *s)
{
    memcpy(s->registers, run->registers, sizeof(s->registers));
    memcpy(s->addresses, run->addresses, sizeof(s->addresses));
    memcpy(s->predicates, run->predicates, sizeof(s->predicates));
    s->flow = run->flow;
}

void code_state_restore(CodeRun *run, const CodeState *s)
{
    memcpy(run->registers, s->registers, sizeof(s->registers));
    memcpy(run->addresses, s->addresses, sizeof(s->addresses));
    memcpy(run->predicates, s->predicates, sizeof(s->predicates));
}

static bool step_by_rules(CodeRun *run)
{
    return veu_step_by_rules(&run->thread,
                             &run->program->instructions[run->flow.at]);
}

void code_run_by_rules(CodeRun *run, uint32_t lanes, uint32_t work)
{
    veu_flow_start(&run->thread, lanes);
    while (run->flow.running && run->flow.work < work) {
        g_assert_true(step_by_rules(run));
    }
}

/* An instruction that has no handler is for the executor. */
void code_run_compiled(CodeRun *run, uint32_t lanes, uint32_t turn_cost,
                       unsigned turns)
{
    veu_flow_start(&run->thread, lanes);
    for (unsigned n = 0; n < turns && run->flow.running; n++) {
        if (!veu_run_handlers(&run->thread, run->flow.cost + turn_cost) &&
            !step_by_rules(run)) {
            return;
        }
    }
}
