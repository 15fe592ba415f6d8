/*
 * veu execution unit: control flow of an EU thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each lane has a place in the code. Those lanes of the current frame that are
 * at the lowest place run together; the others wait. So waiting lanes are never
 * before the running ones, which pick them up on reaching their place. A call
 * creates a frame with the lanes that take it; the frame ends when all of them
 * have returned.
 *
 * This is all that an EU thread has besides its registers, predicates and
 * address elements. It is plain data: a thread may be saved, and resumed,
 * between any two instructions.
 */
#ifndef VEU_EU_INSTRUCTION_FLOW_H
#define VEU_EU_INSTRUCTION_FLOW_H

#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/limits.h"

/* No place. It is greater than all places. */
#define VEU_FLOW_NOWHERE UINT32_MAX

/* Places are instruction indexes. */
typedef struct VeuCallFrame {
    uint32_t lanes;      /* all lanes of the caller's frame */
    uint32_t returns_to; /* where the called lanes continue */
    uint32_t callee;     /* label of a subroutine, or function: see entry() */
} VeuCallFrame;

typedef struct VeuFlowGroup {
    uint32_t at;
    uint32_t lanes;
} VeuFlowGroup;

typedef struct VeuFlow {
    uint32_t at;      /* where the running lanes are */
    uint32_t running; /* 0: the thread has ended */
    uint32_t lanes;   /* of the current frame */
    uint32_t next;    /* the lowest place where others of the frame wait */
    uint32_t depth;   /* frames below the current one */
    uint32_t cost;    /* sixteenths of a unit that are not accounted yet */
    uint64_t work;    /* all sixteenths that the thread has taken: %tsc */
    /*
     * Set by a barrier. The code that runs the thread stops after the barrier,
     * and clears this when all EU threads of the group have arrived.
     */
    bool at_barrier;
    /*
     * The waiting groups of the frame, each at its place, the lowest place
     * last. The places of lanes in frames below are in @place.
     */
    uint32_t group_count;
    VeuFlowGroup group[VEU_MAX_LANES];
    uint32_t place[VEU_MAX_LANES];
    VeuCallFrame frames[VEU_LIMIT_CALLS];
    uint32_t states[VEU_LIMIT_STATES]; /* what state variables hold */
} VeuFlow;

/*
 * Starts @lanes in a flow that has ended; @at is set where they stop, and @cost
 * is the caller's.
 */
static inline void veu_flow_restart(VeuThread *t, uint32_t lanes)
{
    const VeuProgram *p = t->program;
    VeuFlow *f = t->flow;

    f->running = lanes;
    f->lanes = lanes;
    for (uint32_t i = 0; i < p->state_count; i++) {
        f->states[i] = p->states[i].value;
    }
}

/* Starts @lanes at the program's entry. */
static inline void veu_flow_start(VeuThread *t, uint32_t lanes)
{
    VeuFlow *f = t->flow;

    f->at = t->program->entry_instruction;
    f->next = VEU_FLOW_NOWHERE;
    f->group_count = 0;
    f->depth = 0;
    f->cost = 0;
    f->work = 0;
    f->at_barrier = false;
    veu_flow_restart(t, lanes);
}

/*
 * Lanes that have passed the last instruction of the code return, or end: a ret
 * or a goto there may name fewer lanes than run.
 */
void veu_flow_return_at_end(VeuThread *thread);

static inline void veu_flow_look_at_next(VeuFlow *f)
{
    f->next = f->group_count ? f->group[f->group_count - 1].at :
                               VEU_FLOW_NOWHERE;
}

/*
 * Lanes that waited at the place that the running ones have reached join them.
 */
static inline void veu_flow_join(VeuFlow *f)
{
    f->group_count--;
    f->running |= f->group[f->group_count].lanes;
    veu_flow_look_at_next(f);
}

/* The running lanes have reached their place. */
static inline void veu_flow_arrive(VeuFlow *f)
{
    if (__builtin_expect(f->at == f->next, 0)) {
        veu_flow_join(f);
    }
}

/* The running lanes proceed to the next instruction. */
static inline void veu_flow_advance(VeuThread *t)
{
    t->flow->at++;
    veu_flow_arrive(t->flow);
    if (__builtin_expect(t->flow->at >= t->program->instruction_count, 0)) {
        veu_flow_return_at_end(t);
    }
}

/*
 * Returns those of the @running lanes that take a goto, call or return of
 * @lanes lanes. With one lane, all of them follow the first bit of the
 * predicate.
 */
static inline uint32_t veu_flow_takers(uint32_t running, unsigned lanes,
                                       unsigned mask_offset, uint32_t predicate)
{
    if (lanes == 1) {
        return predicate & 1 ? running : 0;
    }
    return running & predicate << mask_offset;
}

/* All lanes of the EU thread end. */
static inline void veu_flow_end(VeuFlow *f)
{
    f->at = VEU_FLOW_NOWHERE;
    f->next = VEU_FLOW_NOWHERE;
    f->group_count = 0;
    f->running = 0;
    f->lanes = 0;
}

/* Those of the running lanes that are in @taken go to the label. */
void veu_flow_goto(VeuThread *thread, uint32_t taken, uint32_t label);

/*
 * After places were loaded from a stream, chooses the lanes that run. @at is
 * ignored: all lanes of the frame are at their places.
 */
void veu_flow_choose(VeuFlow *flow);

/* Stores the places of all lanes of the frame with those of the others. */
void veu_flow_park(VeuFlow *flow);

#endif
