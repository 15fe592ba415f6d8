/*
 * veu execution unit: starting threads with handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Most EU threads of a KERNEL run from start to end in their first handlers,
 * and some take no longer than their start. So what is the same for all of
 * them is set up once, in variables of the loop that starts them.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_START_H
#define VEU_EU_INSTRUCTION_HANDLER_START_H

#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/handler_modes.h"
#include "hw/veu/eu/instruction/handler_step.h"

/* What threads have in common where they start. */
typedef struct VeuStart {
    const VeuHandlerStep *first;
    uint32_t ahead; /* the cost of the first step, and others */
    uint32_t all_lanes;
    VeuWait *waits; /* where lanes wait: below all others, none at the end */
} VeuStart;

/* Sets the lanes that run if no lane waits. */
static inline void veu_set_all_lanes(VeuThread *t)
{
    t->all_lanes = UINT32_MAX >> (32 - t->program->simd);
}

/* Makes @waits the thread's: one of no lanes, at the end of all steps. */
static inline void veu_open_waits(VeuThread *t, VeuWait *waits)
{
    waits[0] = (VeuWait){ .at = t->program->steps +
                                t->program->instruction_count };
    t->wait = waits;
}

/*
 * Prepares @thread, in its flow, for veu_run_new(). @waits: room for
 * VEU_MAX_LANES + 1.
 */
static inline VeuStart veu_start_open(VeuThread *t, VeuWait *waits)
{
    const VeuProgram *p = t->program;
    const VeuHandlerStep *first = p->steps + p->entry_instruction;

    veu_set_all_lanes(t);
    veu_flow_start(t, 0);
    veu_open_waits(t, waits);
    t->steps_end = waits->at;
    return (VeuStart){ first, first->ahead, t->all_lanes, waits };
}

/* For veu_run_new(): the thread has not ended where its handlers stopped. */
void veu_stop_new(VeuThread *thread, const VeuHandlerStep *step,
                  const VeuWait *waits);

/*
 * Starts the thread with @lanes, which may be none, and executes what
 * veu_run_handlers() would execute up to the first stop, or nothing. Returns
 * true if the thread has ended with that. No lane waits then, and the next one
 * may start in its flow; else the next one needs veu_start_open().
 */
static inline __attribute__((always_inline)) bool veu_run_new(VeuThread *t,
                                                              const VeuStart *s,
                                                              uint32_t lanes,
                                                              uint32_t limit)
{
    const VeuHandlerStep *i;
    bool some = lanes != s->all_lanes;

    if (__builtin_expect(!lanes || s->ahead > limit, 0)) {
        veu_flow_start(t, lanes);
        return false;
    }
    veu_flow_restart(t, lanes);
    t->flow->cost = s->ahead;
    t->cost_limit = limit;
    veu_take_cr0(t);
    i = s->first->handler[some](t, s->first, t->registers, some);
    veu_set_rounding(t, VEU_ROUND_NEAREST);
    if (__builtin_expect(t->flow->running != 0, 0)) {
        veu_stop_new(t, i, s->waits);
        return false;
    }
    return true;
}

#endif
