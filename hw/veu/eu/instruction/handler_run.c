/*
 * veu execution unit: running instructions with handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/instruction/handler_goto.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"

/* Float to integer rounds toward zero, unless bit 12 asks for bits 5:4. */
#define CR0_OTHER_ROUNDING (1u << 12 | 3u << 4)
#define CR0_KEEPS_DF       (1u << 6)
#define CR0_KEEPS_F        (1u << 7)
#define CR0_KEEPS_HF       (1u << 10)

/*
 * The host's thread must round to nearest, keep subnormal numbers, and mask
 * exceptions. Its environment is never changed.
 */
bool veu_host_has_handlers(void)
{
#if defined(__x86_64__)
    return (__builtin_ia32_stmxcsr() & 0xffc0) == 0x1f80;
#elif defined(__aarch64__)
    uint64_t fpcr;

    __asm__("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr == 0;
#else
    return true;
#endif
}

/*
 * Reads from %cr0 what handlers need. Returns false if they cannot honour it.
 */
static bool take_cr0(VeuThread *t)
{
    uint32_t cr0 = veu_thread_cr0(t);

    t->flushes_f = !(cr0 & CR0_KEEPS_F);
    t->flushes_df = !(cr0 & CR0_KEEPS_DF);
    t->flushes_hf = !(cr0 & CR0_KEEPS_HF);
    return !(cr0 & CR0_OTHER_ROUNDING);
}

VEU_HANDLER(veu_handler_nothing)
{
    VEU_NEXT_STEP();
}

/* The first step where handlers stop because other lanes wait there. */
static const VeuHandlerStep *end_of(const VeuThread *t)
{
    return t->program->steps +
           MIN(t->flow->next, t->program->instruction_count);
}

/*
 * The step if lanes wait there, else NULL. A hostile stream can place lanes
 * past the last step, where no handler exists.
 */
static const VeuHandlerStep *join_of(const VeuThread *t)
{
    return t->flow->next < t->program->instruction_count ?
               t->program->steps + t->flow->next :
               NULL;
}

static bool some_wait(const VeuThread *t)
{
    return t->flow->running != UINT32_MAX >> (32 - t->program->simd);
}

/* Past the last step, nothing is ahead. */
static uint32_t ahead_of(const VeuThread *t, const VeuHandlerStep *i)
{
    return i < t->program->steps + t->program->instruction_count ? i->ahead : 0;
}

static bool is_plain(const VeuThread *t, const VeuHandlerStep *i)
{
    return veu_step_instruction(t, i)->stop == VEU_STOP_NONE;
}

/*
 * The step that the cost reaches from @i on. An instruction is executed while
 * the cost before it is less than the limit, and costs at least one.
 */
static __attribute__((noinline)) const VeuHandlerStep *reach_near(
    const VeuThread *t, const VeuHandlerStep *i)
{
    const VeuHandlerStep *end = end_of(t), *first = i;

    while (i < end && is_plain(t, i) &&
           t->flow->cost + (first->ahead - i->ahead) < t->cost_limit) {
        i++;
    }
    return i;
}

static const VeuHandlerStep *reach_of(const VeuThread *t,
                                      const VeuHandlerStep *i)
{
    return t->flow->cost + i->ahead <= t->cost_limit ? end_of(t) :
                                                       reach_near(t, i);
}

/* Executes steps from @i to @end, or until their handlers stop. */
static void run_ahead(VeuThread *t, const VeuHandlerStep *i,
                      const VeuHandlerStep *end)
{
    VeuFlow *f = t->flow;
    uint32_t cost = f->cost;
    bool some = some_wait(t);

    t->steps_end = end;
    t->steps_join = join_of(t);
    f->cost += i->ahead;
    i = i->handler[some](t, i, t->registers, some);
    f->cost -= ahead_of(t, i);
    f->work += f->cost - cost;
    if (f->running) {
        f->at = i - t->program->steps;
        veu_flow_arrive(f);
    }
}

static void pay(VeuFlow *f, const VeuInstruction *i)
{
    f->cost += i->cost;
    f->work += i->cost;
}

/* An instruction after which %cr0 must be read again. */
static void run_alone(VeuThread *t, const VeuHandlerStep *step)
{
    const VeuHandlerStep *end = t->steps_end, *join = t->steps_join;

    t->steps_end = step + 1;
    t->steps_join = NULL;
    veu_step_instruction(t, step)->alone(t, step, t->registers, 1);
    t->steps_end = end;
    t->steps_join = join;
}

/* The profile finds the message's counts by the flow's place. */
static bool run_profiled(VeuThread *t, const VeuHandlerStep *i,
                         const VeuMessage *m)
{
    t->flow->at = i - t->program->steps;
    return veu_profile_fast(t, m, i->to);
}

/*
 * A message that its fast path executes. The caller executes all others: it
 * reports them, and handles their faults and waits.
 */
static inline bool run_message(VeuThread *t, const VeuHandlerStep *i)
{
    const VeuMessage *m = &t->program->messages[i->to];

    if (!t->message_sum ||
        !(__builtin_expect(t->profile != NULL, 0) ? run_profiled(t, i, m) :
                                                    veu_execute_fast(t, m))) {
        return false;
    }
    t->message_sum->messages++;
    t->message_sum->lanes += t->active == m->all_lanes ?
                                 m->lanes :
                                 veu_lane_count(t->active);
    t->message_sum->moved_bytes += t->moved_bytes;
    return true;
}

/*
 * Executes a step that costs more than is left. Returns false if the caller
 * must do it.
 */
static __attribute__((noinline)) bool run_last(VeuThread *t,
                                               const VeuHandlerStep *step)
{
    const VeuInstruction *i = veu_step_instruction(t, step);

    if (t->profile && i->stop != VEU_STOP_RULES) {
        veu_profile_step(t, i);
    }
    if (i->stop == VEU_STOP_FLOW) {
        pay(t->flow, i);
        return i->execute(t, i, 0);
    }
    if (i->stop == VEU_STOP_ALONE) {
        run_alone(t, step);
    } else if (i->stop != VEU_STOP_MESSAGE || !run_message(t, step)) {
        return false;
    }
    pay(t->flow, i);
    veu_flow_advance(t);
    return true;
}

/*
 * Executes the next instruction, and maybe more. Returns false if it executed
 * none.
 */
static bool run_some(VeuThread *t)
{
    VeuFlow *f = t->flow;
    const VeuHandlerStep *step = &t->program->steps[f->at], *end;
    uint32_t cost = f->cost;

    if (f->at >= t->program->instruction_count || f->cost >= t->cost_limit) {
        return false;
    }
    end = reach_of(t, step);
    if (end == step) {
        return run_last(t, step);
    }
    run_ahead(t, step, end);
    /* Every executed instruction costs. */
    return f->cost != cost ||
           (veu_step_instruction(t, step)->stop == VEU_STOP_FLOW &&
            run_last(t, step));
}

bool veu_run_handlers(VeuThread *t, uint32_t limit)
{
    bool any = false;

    t->cost_limit = limit;
    while (take_cr0(t) && run_some(t)) {
        any = true;
        if (!t->flow->running || t->flow->at_barrier ||
            veu_is_awaited(t->awaited)) {
            break;
        }
    }
    return any;
}

/* ---- handlers that check the cost ---- */

/* Adds the cost ahead of @i. Returns false if the handlers stop at it. */
static inline bool may_continue(VeuThread *t, const VeuHandlerStep *i)
{
    if (i == t->steps_end) {
        t->flow->cost += ahead_of(t, i);
        return false;
    }
    t->flow->cost += i->ahead;
    return t->flow->cost <= t->cost_limit && !veu_is_awaited(t->awaited);
}

/* Returns true if other lanes run than before. */
static inline bool changed_lanes(VeuThread *t)
{
    t->steps_end = end_of(t);
    t->steps_join = join_of(t);
    return some_wait(t);
}

static inline uint32_t takers(const VeuThread *t, const VeuHandlerStep *i)
{
    return veu_flow_takers(t->flow->running, i->lanes, i->mask_offset,
                           veu_step_predicate(t, i));
}

/* Returns the step after @i if that is a label and no lanes wait after it. */
static inline const VeuHandlerStep *pass_label(const VeuThread *t,
                                               const VeuHandlerStep *i)
{
    return i + 1 != t->steps_end && i->is_empty ? i + 1 : i;
}

/*
 * The running lanes go to different places, or meet others. Not inlined: gotos
 * that do not call anything need no stack.
 */
static __attribute__((noinline)) VEU_HANDLER(goto_apart)
{
    VeuFlow *f = t->flow;
    const VeuHandlerStep *to;

    f->at = i - t->program->steps;
    veu_flow_goto(t, takers(t, i), i->to);
    some = changed_lanes(t);
    to = t->program->steps + f->at;
    if (!may_continue(t, to)) {
        return to;
    }
    i = pass_label(t, to);
    VEU_CONTINUE_AT(i);
}

/* Makes @lanes wait at @place, which is before all places where others wait. */
static inline void wait_first(VeuThread *t, uint32_t lanes,
                              const VeuHandlerStep *place)
{
    VeuFlow *f = t->flow;

    f->next = place - t->program->steps;
    f->group[f->group_count++] = (VeuFlowGroup){
        .at = f->next,
        .lanes = lanes,
    };
    t->steps_end = place;
    t->steps_join = place;
}

/*
 * Sends @taken, some of the running lanes, to @to, and the others to the step
 * after @i. Those at the lower place run. Returns that place. Changes nothing
 * and returns NULL if lanes wait before the higher place, or it is the same.
 */
static inline const VeuHandlerStep *split(VeuThread *t, const VeuHandlerStep *i,
                                          uint32_t taken,
                                          const VeuHandlerStep *to)
{
    VeuFlow *f = t->flow;
    bool back = to <= i;
    uint32_t waiting = back ? f->running & ~taken : taken;
    const VeuHandlerStep *place = back ? i + 1 : to;

    if (to == i + 1) {
        return NULL;
    }
    if (place == t->steps_join) {
        f->group[f->group_count - 1].lanes |= waiting;
    } else if (place < t->steps_end) {
        wait_first(t, waiting, place);
    } else {
        return NULL;
    }
    f->running &= ~waiting;
    return back ? to : i + 1;
}

/*
 * The common cases: the running lanes go to one place and meet no others, or
 * split() says where they run.
 */
#define GOTO(name, taken_)                                            \
    VEU_HANDLER(name)                                                 \
    {                                                                 \
        VeuFlow *f = t->flow;                                         \
        uint32_t taken = taken_;                                      \
        const VeuHandlerStep *to = i + 1;                             \
                                                                      \
        if (taken) {                                                  \
            to = t->program->steps + t->program->label_places[i->to]; \
            if (taken != f->running) {                                \
                to = split(t, i, taken, to);                          \
                some = 1;                                             \
            }                                                         \
        }                                                             \
        if (!to || to >= t->steps_end) {                              \
            VEU_TAIL return goto_apart(t, i, registers, some);        \
        }                                                             \
        f->cost += to->ahead;                                         \
        if (f->cost > t->cost_limit || veu_is_awaited(t->awaited)) {  \
            return to;                                                \
        }                                                             \
        i = pass_label(t, to);                                        \
        VEU_CONTINUE_AT(i);                                           \
    }

GOTO(veu_handler_goto, takers(t, i))
GOTO(veu_handler_goto_always, f->running)
GOTO(veu_handler_goto_own, f->running & i->value &
                               (t->predicates[i->predication.index] ^
                                -(uint32_t)i->predication.inverse))

static inline const VeuHandlerStep *end_thread(VeuThread *t)
{
    veu_flow_end(t->flow);
    return t->program->steps + t->program->instruction_count;
}

static __attribute__((noinline)) VEU_HANDLER(ret_profiled)
{
    veu_profile_step(t, veu_step_instruction(t, i));
    return end_thread(t);
}

/* The executor is asked if not all lanes of the EU thread end here. */
VEU_HANDLER(veu_handler_ret)
{
    VeuFlow *f = t->flow;

    if (f->depth || takers(t, i) != f->lanes) {
        return i;
    }
    if (__builtin_expect(t->profile != NULL, 0)) {
        VEU_TAIL return ret_profiled(t, i, registers, some);
    }
    return end_thread(t);
}

VEU_HANDLER(veu_handler_barrier)
{
    t->flow->at_barrier = true;
    t->flow->cost += ahead_of(t, i + 1);
    return i + 1;
}

VEU_HANDLER(veu_handler_end)
{
    VeuFlow *f = t->flow;

    if (i != t->steps_join || f->cost > t->cost_limit) {
        return i;
    }
    veu_flow_join(f);
    some = changed_lanes(t);
    i = pass_label(t, i);
    VEU_CONTINUE_AT(i);
}

VEU_HANDLER(veu_handler_message)
{
    if (!run_message(t, i)) {
        return i;
    }
    /* The message may have written to %cr0. */
    if (!may_continue(t, i + 1) || (i->writes_cr0 && !take_cr0(t))) {
        return i + 1;
    }
    i++;
    VEU_CONTINUE_AT(i);
}

VEU_HANDLER(veu_handler_alone)
{
    run_alone(t, i);
    i++;
    if (!may_continue(t, i) || !take_cr0(t)) {
        return i;
    }
    VEU_CONTINUE_AT(i);
}
