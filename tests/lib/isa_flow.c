/*
 * veu tests: control flow of the second implementation, twice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * isa_step() is the model of docs/spec.md, 17.3: among the lanes of a frame,
 * those at the lowest place run. isa_run_lane() knows nothing of other lanes:
 * its result has to be the same if lanes share no data.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/isa.h"

#define NOWHERE UINT_MAX

static unsigned function_at(const IsaProgram *p, uint64_t offset)
{
    for (unsigned n = 0; n < p->function_count; n++) {
        if (p->functions[n].offset == offset) {
            return isa_at(p, offset);
        }
    }
    return NOWHERE;
}

/* Returns the target of a taken branch or a call. */
static unsigned target_of(const IsaThread *t, const IsaInstruction *i)
{
    const IsaProgram *p = t->program;

    switch (i->row->fields[2]) {
    case 'l':
        return isa_at(p, p->labels[i->number].offset);
    case 'f':
        return isa_at(p, p->functions[i->number].offset);
    default:
        return function_at(p, isa_scalar(t, i, 0));
    }
}

static bool is(const IsaInstruction *i, const char *name)
{
    return !strcmp(i->row->name, name);
}

static bool is_goto(const IsaInstruction *i)
{
    return is(i, "goto") || is(i, "jmp");
}

static bool is_call(const IsaInstruction *i)
{
    return is(i, "call") || is(i, "fcall") || is(i, "ifcall");
}

static bool is_return(const IsaInstruction *i)
{
    return is(i, "ret") || is(i, "fret");
}

/* With size 1, the first bit of the predicate decides for all running lanes. */
static uint32_t takers(const IsaThread *t, const IsaInstruction *i,
                       uint32_t running)
{
    if (i->lanes == 1) {
        return isa_predicated(t, i, UINT32_MAX) ? running : 0;
    }
    return isa_predicated(t, i, running) << i->mask_offset & running;
}

void isa_start(IsaThread *t, uint32_t lanes)
{
    t->members = lanes;
    t->depth = 0;
    t->work = 0;
    for (unsigned lane = 0; lane < ISA_MAX_LANES; lane++) {
        t->place[lane] = t->program->entry;
    }
    for (unsigned n = 0; n < t->program->state_count; n++) {
        t->states[n] = t->program->states[n].value;
    }
}

uint32_t isa_running(const IsaThread *t, unsigned *place)
{
    uint32_t running = 0;

    *place = UINT_MAX;
    for (unsigned lane = 0; lane < ISA_MAX_LANES; lane++) {
        if (t->members >> lane & 1) {
            *place = MIN(*place, t->place[lane]);
        }
    }
    for (unsigned lane = 0; lane < ISA_MAX_LANES; lane++) {
        if ((t->members >> lane & 1) && t->place[lane] == *place) {
            running |= 1u << lane;
        }
    }
    return running;
}

static void put(IsaThread *t, uint32_t lanes, unsigned place)
{
    for (unsigned lane = 0; lane < ISA_MAX_LANES; lane++) {
        if (lanes >> lane & 1) {
            t->place[lane] = place;
        }
    }
}

static bool may_enter(const IsaThread *t, unsigned callee)
{
    for (unsigned n = 0; n < t->depth; n++) {
        if (t->frames[n].callee == callee) {
            return false;
        }
    }
    return callee != NOWHERE && t->depth < ISA_MAX_CALLS;
}

static bool enter(IsaThread *t, uint32_t lanes, unsigned resume,
                  unsigned callee)
{
    if (!may_enter(t, callee)) {
        return false;
    }
    t->frames[t->depth++] = (IsaFrame){
        .members = t->members,
        .called = lanes,
        .resume = resume,
        .callee = callee,
    };
    t->members = lanes;
    put(t, lanes, callee);
    return true;
}

static void leave(IsaThread *t, uint32_t lanes)
{
    t->members &= ~lanes;
    while (!t->members && t->depth) {
        const IsaFrame *frame = &t->frames[--t->depth];

        t->members = frame->members;
        put(t, frame->called, frame->resume);
    }
}

/* Past the last instruction, lanes return; in the kernel, they end. */
static void leave_end(IsaThread *t)
{
    for (unsigned lane = 0; lane < ISA_MAX_LANES; lane++) {
        if (t->place[lane] == t->program->count) {
            leave(t, t->members & 1u << lane);
        }
    }
}

static bool move_lanes(IsaThread *t, const IsaInstruction *i, unsigned place,
                       uint32_t taken)
{
    if (is_goto(i)) {
        put(t, taken, target_of(t, i));
    } else if (is_call(i) && taken) {
        return enter(t, taken, place + 1, target_of(t, i));
    } else if (is_return(i)) {
        leave(t, taken);
    }
    return true;
}

bool isa_step(IsaThread *t)
{
    unsigned place;
    uint32_t running = isa_running(t, &place);
    const IsaInstruction *i = &t->program->instructions[place];
    uint32_t taken = takers(t, i, running);
    bool ok = isa_execute(t, i, running);

    t->work += i->row->cost;
    put(t, running, place + 1);
    ok = ok && move_lanes(t, i, place, taken);
    leave_end(t);
    return ok;
}

/* A scalar machine with a place and a stack of places. */
bool isa_run_lane(IsaThread *t, unsigned lane, unsigned limit)
{
    uint32_t me = UINT32_C(1) << lane;
    unsigned stack[ISA_MAX_CALLS], depth = 0;
    unsigned at = t->program->entry;

    while (limit--) {
        const IsaInstruction *i = &t->program->instructions[at];
        bool past_end = at++ == t->program->count;
        bool taken = past_end || takers(t, i, me);

        if (!past_end) {
            isa_execute(t, i, me);
        }
        if (!taken) {
            continue;
        }
        if (past_end || is_return(i)) {
            if (!depth) {
                return true;
            }
            at = stack[--depth];
        } else if (is_goto(i)) {
            at = target_of(t, i);
        } else if (is_call(i)) {
            stack[depth++] = at;
            at = target_of(t, i);
        }
    }
    return false;
}
