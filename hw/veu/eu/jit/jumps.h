/*
 * veu execution unit: host code for gotos, and for lanes that join.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host code does what handler_run.c does in the usual cases, and jumps to the
 * handler there, before it has changed anything, in all others. Each goto then
 * has a jump of its own, which the host predicts by what that goto did before.
 */
#ifndef VEU_EU_JIT_JUMPS_H
#define VEU_EU_JIT_JUMPS_H

#include "hw/veu/eu/jit/code.h"

/* Returns true if a run may end with this instruction, a goto. */
bool veu_jit_takes_goto(const VeuInstruction *instruction,
                        const VeuHandlerStep *step);

/*
 * The cost in rax, which is that of what the code continues with, is due. Stops
 * at the limit, or if a thread waits. See VEU_CONTINUE_AFTER_MESSAGE().
 */
void veu_jit_pay(VeuEmit *e, VeuJitJumps *stops);

/* Ends host code: VEU_STEP is the goto. */
void veu_jit_goto(VeuJit *t, const VeuHandlerStep *step);

/*
 * Ends host code: VEU_STEP is the step after the run. If it is a label, lanes
 * often join there.
 */
void veu_jit_end(VeuJit *t, bool is_label);

#endif
