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

/* Returns true if step @at, which may be any number, is this label. */
bool veu_jit_is_label(const VeuProgram *program, uint32_t at, uint32_t label);

/*
 * The cost in rax, which is that of what the code continues with, is due. Stops
 * at the limit, or if a thread waits. See VEU_CONTINUE_AFTER_MESSAGE().
 */
void veu_jit_pay(VeuEmit *e, VeuJitJumps *stops);

/* The second part of it: stops if a thread waits. Changes @scratch. */
void veu_jit_stop_if_awaited(VeuEmit *e, VeuJitJumps *stops, unsigned scratch);

/*
 * A general register becomes the lanes that take the goto, each by its own bit
 * of the predicate. Sets the condition VEU_IF_EQUAL if there are none.
 */
void veu_jit_load_taken(VeuJit *t, unsigned to, const VeuHandlerStep *step);

/* Ends host code: VEU_STEP is the goto. */
void veu_jit_goto(VeuJit *t, const VeuHandlerStep *step);

/*
 * Ends host code: VEU_STEP is the step after the run. If it is a label, lanes
 * often join there.
 */
void veu_jit_end(VeuJit *t, bool is_label);

#endif
