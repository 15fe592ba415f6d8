/*
 * veu tests: the same program by the rules, and compiled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_CODE_STATE_H
#define VEU_TEST_CODE_STATE_H

#include "tests/lib/code_builder.h"

/* What a program without messages changes. */
typedef struct CodeState {
    uint8_t registers[CODE_REGISTER_BYTES];
    uint16_t addresses[16];
    uint32_t predicates[4];
    VeuFlow flow;
} CodeState;

void code_state_save(const CodeRun *run, CodeState *state);
/* Restores all but the flow, which begins again with each run. */
void code_state_restore(CodeRun *run, const CodeState *state);

/*
 * Runs the program with the executors, until @work is done or it ends; none of
 * these instructions faults.
 */
void code_run_by_rules(CodeRun *run, uint32_t lanes, uint32_t work);
/*
 * Runs it with handlers and host code in at most @turns, each of which stops
 * after @turn_cost. Ends where an instruction faults.
 */
void code_run_compiled(CodeRun *run, uint32_t lanes, uint32_t turn_cost,
                       unsigned turns);

#endif
