/*
 * veu execution unit: the steps that host code executes together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_goto.h"
#include "hw/veu/eu/instruction/handler_parts.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/jit/jumps.h"
#include "hw/veu/eu/jit/messages.h"
#include "hw/veu/eu/jit/runs.h"

/* The most steps of a run, so that a piece of compiling is bounded. */
#define MOST_STEPS 128

/* The bits of all lanes of a predicate may decide, which no code reads. */
static bool is_compiled(const VeuInstruction *i)
{
    return i->stop == VEU_STOP_NONE && !i->stage.may_fault &&
           veu_handler_has_own_lanes(i) &&
           (i->row == VEU_HANDLER_ROW_STATE || i->row == VEU_HANDLER_ROW_AND ||
            i->row == VEU_HANDLER_ROW_OR || i->row == VEU_HANDLER_ROW_XOR ||
            veu_jit_takes_row(i));
}

/* Adds the next step to the run. Returns false if it does not belong to it. */
static bool take_step(VeuRun *run)
{
    const VeuProgram *p = run->program;
    uint32_t at = run->at + run->count;
    const VeuInstruction *i = &p->instructions[at];

    if (run->count == MOST_STEPS || at == p->instruction_count) {
        return false;
    }
    if (run->messages < VEU_JIT_MESSAGES && veu_jit_message_row(p, at)) {
        run->messages++;
    } else if (is_compiled(i)) {
        run->unless |= veu_jit_unless(i);
    } else {
        return false;
    }
    run->count++;
    return true;
}

/* ---- blocks ---- */

/*
 * Compilers write a label after each goto. A goto that leads there anyway finds
 * handlers for the rest of the block.
 */
static void take_first_label(VeuRun *run)
{
    const VeuProgram *p = run->program;
    uint32_t at = run->at + run->count;

    if (at < p->instruction_count && p->steps[at].is_empty) {
        run->count++;
        run->block++;
    }
}

/*
 * Adds the steps that the goto, the last step so far, skips, if all of them
 * can be compiled.
 */
static void take_block(VeuRun *run)
{
    const VeuProgram *p = run->program;
    uint32_t label = p->steps[run->at + run->count - 1].to;
    VeuRun with = *run;

    take_first_label(&with);
    while (take_step(&with)) {
        with.block++;
    }
    if (veu_jit_is_label(p, with.at + with.count, label)) {
        *run = with;
    }
    run->waits = with.at + with.count == p->instruction_count;
}

/* ---- runs ---- */

VeuRun veu_run_find(VeuProgram *p, uint32_t at)
{
    VeuRun run = { .program = p, .at = at };

    while (take_step(&run)) {}
    at += run.count;
    run.has_goto = run.count < MOST_STEPS && at < p->instruction_count &&
                   veu_jit_takes_goto(&p->instructions[at], &p->steps[at]);
    run.count += run.has_goto;
    if (run.has_goto && p->steps[at].handler[0] == veu_handler_goto_own) {
        take_block(&run);
    }
    return run;
}

bool veu_run_is_open(const VeuRun *run)
{
    const VeuProgram *p = run->program;
    bool is_whole = run->has_goto || run->count == MOST_STEPS;

    return p->code_at < p->code_bytes &&
           (run->waits ||
            (!is_whole && run->at + run->count == p->instruction_count));
}

bool veu_run_ends_with_message(const VeuRun *run)
{
    return !run->has_goto && run->count &&
           run->program->instructions[run->at + run->count - 1].stop ==
               VEU_STOP_MESSAGE;
}
