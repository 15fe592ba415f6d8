/*
 * veu execution unit: control flow of an EU thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Control flow".
 */
#include <string.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

static void put_places(VeuFlow *f, uint32_t lanes, uint32_t at)
{
    VEU_FOR_EACH_LANE(lane, lanes) {
        f->place[lane] = at;
    }
}

void veu_flow_park(VeuFlow *f)
{
    put_places(f, f->running, f->at);
    for (uint32_t n = 0; n < f->group_count; n++) {
        put_places(f, f->group[n].lanes, f->group[n].at);
    }
}

/*
 * Adds a group of waiting @lanes. There is room, since each group has at least
 * one lane.
 */
static void wait_at(VeuFlow *f, uint32_t lanes, uint32_t at)
{
    uint32_t n = f->group_count;

    while (n && f->group[n - 1].at < at) {
        n--;
    }
    if (n && f->group[n - 1].at == at) {
        f->group[n - 1].lanes |= lanes;
        return;
    }
    for (uint32_t k = f->group_count++; k > n; k--) {
        f->group[k] = f->group[k - 1];
    }
    f->group[n] = (VeuFlowGroup){ .at = at, .lanes = lanes };
    veu_flow_look_at_next(f);
}

/* Makes the group at the lowest place run. */
static void run_group(VeuFlow *f)
{
    f->running = 0;
    f->at = VEU_FLOW_NOWHERE;
    if (f->group_count) {
        f->group_count--;
        f->at = f->group[f->group_count].at;
        f->running = f->group[f->group_count].lanes;
    }
    veu_flow_look_at_next(f);
}

void veu_flow_choose(VeuFlow *f)
{
    f->group_count = 0;
    VEU_FOR_EACH_LANE(lane, f->lanes) {
        wait_at(f, 1u << lane, f->place[lane]);
    }
    run_group(f);
}

/* Leaves frames whose lanes have all returned. */
static void leave_empty_frames(VeuFlow *f)
{
    while (!f->lanes && f->depth) {
        f->lanes = f->frames[--f->depth].lanes;
    }
}

/* All running lanes jump past others, which run now. */
static void leap(VeuFlow *f, uint32_t to)
{
    wait_at(f, f->running, to);
    run_group(f);
}

/*
 * Sends some of the running lanes to @to, and the others to the next
 * instruction. Those at the lower place run; no lane waits before it.
 */
static void split(VeuFlow *f, uint32_t taken, uint32_t to)
{
    uint32_t others = f->running & ~taken;
    uint32_t after = f->at + 1;
    bool back = to < after;

    f->at = back ? to : after;
    f->running = back ? taken : others;
    wait_at(f, back ? others : taken, back ? after : to);
    if (f->at == f->next) {
        veu_flow_join(f);
    }
}

/* Lanes of the frame continue after its call, or end where there is none. */
static void leave(VeuFlow *f, uint32_t leaving)
{
    f->lanes &= ~leaving;
    if (f->depth) {
        put_places(f, leaving, f->frames[f->depth - 1].returns_to);
    }
    leave_empty_frames(f);
    veu_flow_choose(f);
}

/*
 * Past the last instruction are all lanes of the frame, since none waits before
 * the running ones.
 */
void veu_flow_return_at_end(VeuThread *t)
{
    VeuFlow *f = t->flow;

    while (f->depth && f->at >= t->program->instruction_count) {
        leave(f, f->lanes);
    }
    if (f->at >= t->program->instruction_count) {
        veu_flow_end(f);
    }
}

/* Returns the running lanes that take a goto, call or return. */
static uint32_t takers(const VeuThread *t, const VeuInstruction *i)
{
    return veu_flow_takers(t->flow->running, i->lanes, i->mask_offset,
                           veu_predicate_of(t, i));
}

bool veu_execute_goto(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    veu_flow_goto(t, takers(t, i), i->target);
    return true;
}

void veu_flow_goto(VeuThread *t, uint32_t taken, uint32_t label)
{
    VeuFlow *f = t->flow;
    uint32_t to = t->program->label_places[label];

    if (taken == f->running && to < f->next) {
        f->at = to;
    } else if (!taken) {
        veu_flow_advance(t);
    } else if (taken == f->running) {
        leap(f, to);
    } else {
        split(f, taken, to);
    }
}

/* Returns true if the subroutine or function at @entry is being executed. */
static bool is_active(const VeuFlow *f, uint32_t entry)
{
    for (uint32_t n = 0; n < f->depth; n++) {
        if (f->frames[n].callee == entry) {
            return true;
        }
    }
    return false;
}

static bool call(VeuThread *t, const VeuInstruction *i, uint32_t entry)
{
    VeuFlow *f = t->flow;
    uint32_t called = takers(t, i);
    uint32_t returns_to = f->at + 1;

    if (!called) {
        veu_flow_advance(t);
        return true;
    }
    if (f->depth == VEU_LIMIT_CALLS || is_active(f, entry)) {
        return veu_fault_form(&t->fault, VEU_FAULT_CALL,
                              t->program->instructions[entry].offset);
    }
    f->at = returns_to;
    veu_flow_park(f);
    f->frames[f->depth++] = (VeuCallFrame){
        .lanes = f->lanes,
        .returns_to = returns_to,
        .callee = entry,
    };
    f->lanes = called;
    VEU_FOR_EACH_LANE(lane, called) {
        f->place[lane] = entry;
    }
    veu_flow_choose(f);
    return true;
}

bool veu_execute_call(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return call(t, i, t->program->label_places[i->target]);
}

bool veu_execute_fcall(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return call(t, i, t->program->function_places[i->target]);
}

/* The function at the code offset, or VEU_FLOW_NOWHERE. Offsets ascend. */
static uint32_t find_function(const VeuProgram *p, uint64_t offset)
{
    uint32_t at = veu_find_offset(&p->functions[0].offset, p->function_count,
                                  sizeof(p->functions[0]), offset);

    return at < p->function_count && p->functions[at].offset == offset ?
               p->function_places[at] :
               VEU_FLOW_NOWHERE;
}

/* The address is a scalar. It is not read if no lane calls. */
bool veu_execute_ifcall(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    uint64_t offset;
    uint32_t entry;

    if (!takers(t, i)) {
        veu_flow_advance(t);
        return true;
    }
    if (!veu_operand_load(t, &i->src[0], 0, &offset)) {
        return false;
    }
    entry = find_function(t->program, offset);
    if (entry == VEU_FLOW_NOWHERE) {
        return veu_fault_form(&t->fault, VEU_FAULT_CALL, offset);
    }
    return call(t, i, entry);
}

/* The EU thread arrives, no matter which of its lanes run. */
bool veu_execute_barrier(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    t->flow->at_barrier = true;
    return true;
}

/* Lanes that return continue after the call, or end. */
bool veu_execute_ret(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    VeuFlow *f = t->flow;
    uint32_t leaving = takers(t, i);

    if (leaving == f->lanes && f->depth == 0) {
        veu_flow_end(f);
        return true;
    }
    f->at++;
    veu_flow_park(f);
    leave(f, leaving);
    veu_flow_return_at_end(t);
    return true;
}
