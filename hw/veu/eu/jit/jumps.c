/*
 * veu execution unit: host code for gotos, and for lanes that join.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/eu/instruction/handler_goto.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/jit/jumps.h"

/* General registers, besides those of masks.h. */
#define TARGET VEU_R11 /* the step to continue at */
#define SOME   VEU_RCX /* as a handler's parameter */
#define WAIT   VEU_R8  /* the lanes that wait at the nearest place */

#define OFFSET(member) offsetof(VeuThread, member)

bool veu_jit_takes_goto(const VeuInstruction *i, const VeuHandlerStep *s)
{
    return i->stop == VEU_STOP_FLOW &&
           (s->handler[0] == veu_handler_goto_own ||
            s->handler[0] == veu_handler_goto_first ||
            s->handler[0] == veu_handler_goto_always);
}

bool veu_jit_is_label(const VeuProgram *p, uint32_t at, uint32_t label)
{
    const VeuInstruction *i = &p->instructions[at];

    return at < p->instruction_count && i->target == label && i->info &&
           i->info->operation == VEU_OPERATION_LABEL;
}

/* ---- parts ---- */

static void load_wait(VeuEmit *e)
{
    veu_emit_load(e, WAIT, VEU_THREAD, OFFSET(wait), true);
}

/* The place of a label is known when all of the program is decoded. */
static void load_target(VeuJit *t, const VeuHandlerStep *s)
{
    const VeuProgram *p = t->program;

    veu_emit_number(t->emit, VEU_RAX, (uintptr_t)&p->label_places[s->to]);
    veu_emit_load(t->emit, VEU_RAX, VEU_RAX, 0, false);
    veu_emit_shift(t->emit, VEU_SHIFT_LEFT, VEU_RAX,
                   __builtin_ctz(sizeof(VeuHandlerStep)), false);
    veu_emit_number(t->emit, TARGET, (uintptr_t)p->steps);
    veu_emit_general(t->emit, VEU_GENERAL_ADD, TARGET, VEU_RAX, true);
}

static void emit_step_after(VeuEmit *e, unsigned to, unsigned step)
{
    veu_emit_general(e, VEU_GENERAL_MOVE, to, step, true);
    veu_emit_with_number(e, VEU_NUMBER_ADD, to, sizeof(VeuHandlerStep), true);
}

/* If TARGET is a label at which no lanes wait, continues after it. */
static void pass_label(VeuEmit *e)
{
    uint32_t is_none, is_free;

    veu_emit_test_byte(e, TARGET, offsetof(VeuHandlerStep, is_empty));
    is_none = veu_emit_jump_if(e, VEU_IF_EQUAL);
    veu_emit_with_number(e, VEU_NUMBER_ADD, TARGET, sizeof(VeuHandlerStep),
                         true);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, TARGET, VEU_THREAD,
                         OFFSET(steps_end), true);
    is_free = veu_emit_jump_if(e, VEU_IF_NOT_EQUAL);
    veu_emit_with_number(e, VEU_NUMBER_ADD, TARGET,
                         -(uint32_t)sizeof(VeuHandlerStep), true);
    veu_emit_land(e, is_none);
    veu_emit_land(e, is_free);
}

void veu_jit_stop_if_awaited(VeuEmit *e, VeuJitJumps *stops, unsigned scratch)
{
    uint32_t is_alone;

    veu_emit_load(e, scratch, VEU_THREAD, OFFSET(awaited), true);
    veu_emit_general(e, VEU_GENERAL_TEST, scratch, scratch, true);
    is_alone = veu_emit_jump_if(e, VEU_IF_EQUAL);
    veu_emit_load(e, scratch, scratch, 0, false);
    veu_emit_general(e, VEU_GENERAL_TEST, scratch, scratch, false);
    veu_jit_jump_if(e, stops, VEU_IF_NOT_EQUAL);
    veu_emit_land(e, is_alone);
}

void veu_jit_pay(VeuEmit *e, VeuJitJumps *stops)
{
    veu_emit_with_memory(e, VEU_GENERAL_ADD, VEU_RAX, VEU_FLOW,
                         offsetof(VeuFlow, cost), false);
    veu_emit_store(e, VEU_RAX, VEU_FLOW, offsetof(VeuFlow, cost), false);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, VEU_RAX, VEU_THREAD,
                         OFFSET(cost_limit), false);
    veu_jit_jump_if(e, stops, VEU_IF_ABOVE);
    veu_jit_stop_if_awaited(e, stops, VEU_RAX);
}

static void jump_to_step(VeuEmit *e, bool some)
{
    veu_emit_jump_through(e, VEU_STEP,
                          offsetof(VeuHandlerStep, handler) +
                              some * sizeof(VeuHandler *));
}

/* Continues at TARGET, with its cost added, or returns it. */
static void continue_at_target(VeuJit *t, bool some)
{
    VeuEmit *e = t->emit;
    VeuJitJumps stops = { .count = 0 };

    veu_emit_load(e, VEU_RAX, TARGET, offsetof(VeuHandlerStep, ahead), false);
    veu_jit_pay(e, &stops);
    pass_label(e);
    veu_emit_general(e, VEU_GENERAL_MOVE, VEU_STEP, TARGET, true);
    jump_to_step(e, some);
    veu_jit_land(e, &stops);
    veu_emit_general(e, VEU_GENERAL_MOVE, VEU_RAX, TARGET, true);
    veu_emit_return(e);
}

/* All running lanes continue at TARGET, unless others wait there or before. */
static void all_continue(VeuJit *t, VeuJitJumps *others)
{
    load_wait(t->emit);
    veu_emit_with_memory(t->emit, VEU_GENERAL_COMPARE, TARGET, WAIT,
                         offsetof(VeuWait, at), true);
    veu_jit_jump_if(t->emit, others, VEU_IF_NOT_BELOW);
    continue_at_target(t, t->some);
}

/* ---- gotos ---- */

/* Registers with parameters of handlers, which are set again at the end. */
#define TAKEN VEU_RDX
#define PLACE VEU_RCX

static void set_parameters(VeuJit *t, bool some)
{
    veu_emit_load(t->emit, VEU_REGISTERS, VEU_THREAD, OFFSET(registers), true);
    veu_emit_number(t->emit, SOME, some);
}

void veu_jit_load_taken(VeuJit *t, unsigned to, const VeuHandlerStep *s)
{
    VeuLanes lanes = { .is_some = true,
                       .runs = true,
                       .has_predicate = true,
                       .inverse = s->predication.inverse,
                       .predicate = s->predication.index };

    veu_masks_general(&t->masks, to, &lanes);
    veu_emit_with_number(t->emit, VEU_NUMBER_AND, to, s->value, false);
}

/* The lanes in TAKEN wait at PLACE, before all others; the rest runs. */
static void add_wait(VeuJit *t, VeuJitJumps *others)
{
    VeuEmit *e = t->emit;

    load_wait(e);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, PLACE, WAIT,
                         offsetof(VeuWait, at), true);
    veu_jit_jump_if(e, others, VEU_IF_NOT_BELOW);
    veu_emit_with_number(e, VEU_NUMBER_ADD, WAIT, sizeof(VeuWait), true);
    veu_emit_store(e, PLACE, WAIT, offsetof(VeuWait, at), true);
    veu_emit_store(e, TAKEN, WAIT, offsetof(VeuWait, lanes), false);
    veu_emit_store(e, WAIT, VEU_THREAD, OFFSET(wait), true);
    veu_emit_store(e, PLACE, VEU_THREAD, OFFSET(steps_end), true);
    veu_emit_general(e, VEU_GENERAL_XOR, VEU_RUNNING, TAKEN, false);
    veu_emit_store(e, VEU_RUNNING, VEU_FLOW, offsetof(VeuFlow, running), false);
    set_parameters(t, true);
}

/* ---- loops ---- */

/* Returns true if the goto leads back, where all is compiled already. */
static bool leads_back(const VeuJit *t, const VeuHandlerStep *s)
{
    const VeuProgram *p = t->program;
    uint32_t place = p->label_places[s->to];

    return place < (uint32_t)(s - p->steps) &&
           veu_jit_is_label(p, place, s->to);
}

/*
 * Continues after the label of a goto that leads back: no lane waits before its
 * run. If the run begins there, its code continues with itself.
 */
static void continue_back(VeuJit *t, const VeuHandlerStep *s, bool some)
{
    const VeuProgram *p = t->program;
    uint32_t place = p->label_places[s->to];
    VeuEmit *e = t->emit;
    VeuJitJumps stops = { .count = 0 };

    veu_emit_number(e, VEU_RAX, p->steps[place].ahead);
    veu_jit_pay(e, &stops);
    veu_emit_number(e, VEU_STEP, (uintptr_t)&p->steps[place + 1]);
    if (place + 1 == t->first && some == t->some) {
        veu_emit_jump_back(e, t->body);
    } else {
        jump_to_step(e, some);
    }
    veu_jit_land(e, &stops);
    veu_emit_number(e, VEU_RAX, (uintptr_t)&p->steps[place]);
    veu_emit_return(e);
}

/* The lanes that do not take the goto wait after it, before all others. */
static void split_back(VeuJit *t, const VeuHandlerStep *s, VeuJitJumps *others)
{
    emit_step_after(t->emit, PLACE, VEU_STEP);
    veu_emit_general(t->emit, VEU_GENERAL_XOR, TAKEN, VEU_RUNNING, false);
    add_wait(t, others);
    continue_back(t, s, true);
}

/* ---- all of them ---- */

/* The lanes that take the goto wait at its label, if that is further on. */
static void split_ahead(VeuJit *t, const VeuHandlerStep *s, VeuJitJumps *others)
{
    VeuEmit *e = t->emit;

    load_target(t, s);
    veu_emit_general(e, VEU_GENERAL_MOVE, PLACE, TARGET, true);
    emit_step_after(e, TARGET, VEU_STEP);
    veu_emit_general(e, VEU_GENERAL_COMPARE, PLACE, TARGET, true);
    veu_jit_jump_if(e, others, VEU_IF_EQUAL);
    add_wait(t, others);
    continue_at_target(t, true);
}

static void all_take(VeuJit *t, const VeuHandlerStep *s, VeuJitJumps *others)
{
    if (leads_back(t, s)) {
        continue_back(t, s, t->some);
    } else {
        load_target(t, s);
        all_continue(t, others);
    }
}

static void some_take(VeuJit *t, const VeuHandlerStep *s, VeuJitJumps *others)
{
    if (leads_back(t, s)) {
        split_back(t, s, others);
    } else {
        split_ahead(t, s, others);
    }
}

static void none_takes(VeuJit *t, VeuJitJumps *others)
{
    emit_step_after(t->emit, TARGET, VEU_STEP);
    all_continue(t, others);
}

/* All running lanes take the goto, or none does, or they split. */
static void compile_own(VeuJit *t, const VeuHandlerStep *s, VeuJitJumps *others)
{
    VeuEmit *e = t->emit;
    uint32_t none, some;

    veu_jit_load_taken(t, TAKEN, s);
    none = veu_emit_jump_if(e, VEU_IF_EQUAL);
    veu_emit_general(e, VEU_GENERAL_COMPARE, TAKEN, VEU_RUNNING, false);
    some = veu_emit_jump_if(e, VEU_IF_NOT_EQUAL);
    set_parameters(t, t->some);
    all_take(t, s, others);
    veu_emit_land(e, none);
    set_parameters(t, t->some);
    none_takes(t, others);
    veu_emit_land(e, some);
    some_take(t, s, others);
}

/* All running lanes take the goto, or none does. */
static void compile_first(VeuJit *t, const VeuHandlerStep *s,
                          VeuJitJumps *others)
{
    VeuEmit *e = t->emit;
    uint32_t none;

    veu_masks_need_predicates(&t->masks);
    veu_emit_load(e, VEU_RAX, VEU_PREDICATES,
                  veu_predicate_at(s->predication.index), false);
    veu_emit_test_number(e, VEU_RAX, 1u << s->mask_offset);
    none = veu_emit_jump_if(e, s->predication.inverse ? VEU_IF_NOT_EQUAL :
                                                        VEU_IF_EQUAL);
    all_take(t, s, others);
    veu_emit_land(e, none);
    none_takes(t, others);
}

void veu_jit_goto(VeuJit *t, const VeuHandlerStep *s)
{
    VeuJitJumps others = { .count = 0 };

    veu_masks_need_flow(&t->masks);
    if (s->handler[0] == veu_handler_goto_own) {
        compile_own(t, s, &others);
    } else if (s->handler[0] == veu_handler_goto_first) {
        compile_first(t, s, &others);
    } else {
        all_take(t, s, &others);
    }
    veu_jit_land(t->emit, &others);
    set_parameters(t, t->some);
    veu_emit_jump_to(t->emit, s->handler[t->some]);
}

/* ---- ends ---- */

/* The lanes that wait at this step join those that run. */
static void join(VeuJit *t, VeuJitJumps *others)
{
    VeuEmit *e = t->emit;

    veu_masks_need_flow(&t->masks);
    load_wait(e);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, VEU_STEP, WAIT,
                         offsetof(VeuWait, at), true);
    veu_jit_jump_if(e, others, VEU_IF_NOT_EQUAL);
    veu_emit_load(e, VEU_RAX, VEU_FLOW, offsetof(VeuFlow, cost), false);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, VEU_RAX, VEU_THREAD,
                         OFFSET(cost_limit), false);
    veu_jit_jump_if(e, others, VEU_IF_ABOVE);
    veu_emit_load(e, VEU_RAX, WAIT, offsetof(VeuWait, lanes), false);
    veu_emit_general(e, VEU_GENERAL_TEST, VEU_RAX, VEU_RAX, false);
    veu_jit_jump_if(e, others, VEU_IF_EQUAL);
    veu_emit_with_memory(e, VEU_GENERAL_OR, VEU_RAX, VEU_FLOW,
                         offsetof(VeuFlow, running), false);
    veu_emit_store(e, VEU_RAX, VEU_FLOW, offsetof(VeuFlow, running), false);
    veu_emit_with_number(e, VEU_NUMBER_ADD, WAIT, -(uint32_t)sizeof(VeuWait),
                         true);
    veu_emit_store(e, WAIT, VEU_THREAD, OFFSET(wait), true);
    veu_emit_load(e, TARGET, WAIT, offsetof(VeuWait, at), true);
    veu_emit_store(e, TARGET, VEU_THREAD, OFFSET(steps_end), true);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, VEU_RAX, VEU_THREAD,
                         OFFSET(all_lanes), false);
    veu_emit_set_if(e, VEU_IF_NOT_EQUAL, SOME);
    veu_emit_general(e, VEU_GENERAL_MOVE, TARGET, VEU_STEP, true);
    pass_label(e);
    veu_emit_general(e, VEU_GENERAL_MOVE, VEU_STEP, TARGET, true);
    veu_emit_jump_indexed(e, VEU_STEP, SOME);
}

/* Lanes wait at the label, or right after it, or the code continues there. */
static void end_at_label(VeuJit *t, VeuJitJumps *others)
{
    VeuEmit *e = t->emit;
    uint32_t is_near, after;

    veu_emit_load(e, VEU_RAX, VEU_THREAD, OFFSET(steps_end), true);
    veu_emit_general(e, VEU_GENERAL_SUB, VEU_RAX, VEU_STEP, true);
    veu_emit_with_number(e, VEU_NUMBER_COMPARE, VEU_RAX, sizeof(VeuHandlerStep),
                         true);
    is_near = veu_emit_jump_if(e, VEU_IF_NOT_ABOVE);
    veu_emit_with_number(e, VEU_NUMBER_ADD, VEU_STEP, sizeof(VeuHandlerStep),
                         true);
    jump_to_step(e, t->some);
    veu_emit_land(e, is_near);
    after = veu_emit_jump_if(e, VEU_IF_NOT_BELOW);
    join(t, others);
    veu_emit_land(e, after);
    jump_to_step(e, t->some);
}

static void end_at_step(VeuJit *t, VeuJitJumps *others)
{
    veu_emit_with_memory(t->emit, VEU_GENERAL_COMPARE, VEU_STEP, VEU_THREAD,
                         OFFSET(steps_end), true);
    veu_jit_jump_if(t->emit, others, VEU_IF_EQUAL);
    jump_to_step(t->emit, t->some);
}

void veu_jit_end(VeuJit *t, bool is_label)
{
    VeuJitJumps others = { .count = 0 };

    if (is_label) {
        end_at_label(t, &others);
    } else {
        end_at_step(t, &others);
    }
    veu_jit_land(t->emit, &others);
    veu_emit_jump_to(t->emit, veu_handler_end);
}
