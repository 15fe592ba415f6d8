/*
 * veu execution unit: running the instructions of an EU thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_RUN_H
#define VEU_EU_INSTRUCTION_RUN_H

#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/flow.h"

/* Sixteenths in a unit of work: a message takes one unit. */
#define VEU_INSTRUCTION_UNIT 16

/* Returns false at the end of the thread. */
static inline bool veu_has_instruction(const VeuThread *t)
{
    const VeuFlow *f = t->flow;

    return f->running && f->at < t->program->instruction_count;
}

/* The instruction that runs next, or NULL at the end of the thread. */
static inline const VeuInstruction *veu_next_instruction(const VeuThread *t)
{
    return veu_has_instruction(t) ? &t->program->instructions[t->flow->at] :
                                    NULL;
}

/*
 * Executes @instruction, which is the next one, and proceeds. Returns false
 * with thread->fault set: the instruction had no effect, except for the lanes
 * of a message that did not fault, and is still the next one.
 */
bool veu_step(VeuThread *thread, const VeuInstruction *instruction);

/* Like veu_step(), but never uses a handler. */
bool veu_step_by_rules(VeuThread *thread, const VeuInstruction *instruction);

/*
 * Executes a message by its fast path. The thread has a message_sum: it has no
 * observer and checks no contracts, which fast paths could not report to.
 * Returns false, having done nothing, if the message has no fast path or if
 * that gives up: the executor must then run.
 */
bool veu_execute_fast(VeuThread *thread, const VeuMessage *message);

/* Skips the next instruction, which has faulted, at its cost. */
void veu_skip(VeuThread *thread);

#endif
