/*
 * veu execution unit: running the instructions of an EU thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_RUN_H
#define VEU_EU_INSTRUCTION_RUN_H

#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/flow.h"

/* Sixteenths that a unit of work has: a message takes one unit. */
#define VEU_INSTRUCTION_UNIT 16

/* The instruction that runs next, or NULL at the end of the thread. */
const VeuInstruction *veu_next_instruction(const VeuThread *thread);

/*
 * Executes @instruction, which is the next one, and proceeds. False with
 * thread->fault set: nothing of the instruction is done, except the lanes of a
 * message that did not fault; the thread is still at it.
 */
bool veu_step(VeuThread *thread, const VeuInstruction *instruction);

/* As veu_step(), whether the instruction has a handler or not. */
bool veu_step_by_rules(VeuThread *thread, const VeuInstruction *instruction);

/*
 * Executes instructions that have handlers, gotos, returns, and messages that
 * have fast paths if the thread has a message_sum, while its cost is less than
 * @limit and no other thread waits. Stops before any other; false where that is
 * the next instruction.
 */
bool veu_run_handlers(VeuThread *thread, uint32_t limit);

/*
 * Executes a message by its fast path; false where it has none, or that gives
 * up: then nothing was done, and the executor is to be asked.
 */
bool veu_execute_fast(VeuThread *thread, const VeuInstruction *instruction);

/* Proceeds past the next instruction, which has faulted, at its cost. */
void veu_skip(VeuThread *thread);

#endif
