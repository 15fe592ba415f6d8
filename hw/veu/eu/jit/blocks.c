/*
 * veu execution unit: host code for the lanes that do not take a goto.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/jit/account.h"
#include "hw/veu/eu/jit/blocks.h"
#include "hw/veu/eu/jit/jumps.h"
#include "hw/veu/eu/jit/lanes.h"

#define OTHER VEU_R11
#define WAIT  VEU_RAX

#define OFFSET(member) offsetof(VeuThread, member)

static void leave_if(VeuJit *t, VeuJitBlock *b, unsigned condition)
{
    veu_jit_jump_if(t->emit, &b->leaves, condition);
}

/* Lanes that wait at the label could not be told from those that skip. */
static void check_label(VeuJit *t, VeuJitBlock *b)
{
    veu_emit_load(t->emit, VEU_RAX, VEU_THREAD, OFFSET(steps_end), true);
    veu_emit_general(t->emit, VEU_GENERAL_SUB, VEU_RAX, VEU_STEP, true);
    veu_emit_with_number(t->emit, VEU_NUMBER_COMPARE, VEU_RAX, t->label_byte,
                         true);
    leave_if(t, b, VEU_IF_EQUAL);
}

/* VEU_RUNNING becomes those lanes that do not take the goto. */
static void skip_lanes(VeuJit *t, VeuJitBlock *b, const VeuRun *run,
                       const VeuHandlerStep *s)
{
    veu_jit_load_taken(t, OTHER, s);
    b->masks = t->masks;
    if (!t->some && veu_run_has_long_block(run)) {
        leave_if(t, b, VEU_IF_EQUAL);
    }
    veu_emit_general(t->emit, VEU_GENERAL_XOR, VEU_RUNNING, OTHER, false);
    leave_if(t, b, VEU_IF_EQUAL);
}

VeuJitBlock veu_jit_block_begin(VeuJit *t, const VeuRun *run, uint32_t goto_at)
{
    VeuJitBlock b = { .leaves.count = 0 };

    t->label_byte = run->count * sizeof(VeuHandlerStep);
    veu_masks_need_flow(&t->masks);
    skip_lanes(t, &b, run, &run->program->steps[run->at + goto_at]);
    if (run->messages) {
        check_label(t, &b);
    }
    veu_jit_begin_part(t, goto_at + 1, run->count);
    veu_jit_pay_from(t, goto_at + 1, &b.leaves);
    veu_jit_change_lanes(t);
    t->some = true;
    t->in_block = true;
    return b;
}

void veu_jit_block_leave(VeuJit *t, const VeuJitBlock *b)
{
    veu_jit_land(t->emit, &b->leaves);
    t->masks = b->masks;
    veu_emit_load(t->emit, VEU_RUNNING, VEU_FLOW, offsetof(VeuFlow, running),
                  false);
}

void veu_jit_block_split(VeuJit *t, uint32_t label_byte)
{
    VeuEmit *e = t->emit;

    veu_emit_load(e, WAIT, VEU_THREAD, OFFSET(wait), true);
    veu_emit_with_number(e, VEU_NUMBER_ADD, WAIT, sizeof(VeuWait), true);
    veu_emit_store(e, WAIT, VEU_THREAD, OFFSET(wait), true);
    veu_emit_general(e, VEU_GENERAL_MOVE, OTHER, VEU_STEP, true);
    veu_emit_with_number(e, VEU_NUMBER_ADD, OTHER, label_byte, true);
    veu_emit_store(e, OTHER, WAIT, offsetof(VeuWait, at), true);
    veu_emit_store(e, OTHER, VEU_THREAD, OFFSET(steps_end), true);
    veu_emit_load(e, OTHER, VEU_FLOW, offsetof(VeuFlow, running), false);
    veu_emit_general(e, VEU_GENERAL_XOR, OTHER, VEU_RUNNING, false);
    veu_emit_store(e, OTHER, WAIT, offsetof(VeuWait, lanes), false);
    veu_emit_store(e, VEU_RUNNING, VEU_FLOW, offsetof(VeuFlow, running), false);
}

void veu_jit_block_join(VeuJit *t)
{
    VeuEmit *e = t->emit;

    veu_emit_load(e, WAIT, VEU_THREAD, OFFSET(wait), true);
    veu_emit_load(e, OTHER, WAIT, offsetof(VeuWait, lanes), false);
    veu_emit_with_memory(e, VEU_GENERAL_OR, OTHER, VEU_FLOW,
                         offsetof(VeuFlow, running), false);
    veu_emit_store(e, OTHER, VEU_FLOW, offsetof(VeuFlow, running), false);
    veu_emit_with_number(e, VEU_NUMBER_ADD, WAIT, -(uint32_t)sizeof(VeuWait),
                         true);
    veu_emit_store(e, WAIT, VEU_THREAD, OFFSET(wait), true);
    veu_emit_load(e, OTHER, WAIT, offsetof(VeuWait, at), true);
    veu_emit_store(e, OTHER, VEU_THREAD, OFFSET(steps_end), true);
}
