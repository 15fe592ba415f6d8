/*
 * veu execution unit: how one handler continues with the next.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Handlers are threaded: each ends with a call of the next step's handler,
 * which the compiler turns into a jump. So the host predicts the successor of
 * each handler, rather than the branch of one loop for all of them. If a
 * compiler makes no jump of the call, a handler returns, and veu_run_handlers()
 * calls the next one.
 *
 * A handler returns the step at which it stopped: steps_end, where other lanes
 * of the frame wait; or one that has no handler; or, after a goto, one that the
 * cost limit may not reach. The flow's cost then includes all that is ahead of
 * that step (VeuHandlerStep.ahead), which must be subtracted.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_STEP_H
#define VEU_EU_INSTRUCTION_HANDLER_STEP_H

#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/program/program.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VEU_HANDLERS_RETURN
#endif
#endif
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__)
#define VEU_HANDLERS_RETURN
#endif
/* On other hosts, a call through a pointer may not become a jump. */
#if !defined(__x86_64__) && !defined(__aarch64__)
#define VEU_HANDLERS_RETURN
#endif

#if defined(__clang__)
#define VEU_TAIL __attribute__((musttail))
#else
#define VEU_TAIL
#pragma GCC optimize("optimize-sibling-calls")
#endif

/*
 * The parameters of a handler: VeuHandler. @some: 0 if all lanes of the
 * dispatch run, else 1. They are so few that they stay in the host's registers.
 */
#define VEU_HANDLER(name)                                             \
    const VeuHandlerStep *name(VeuThread *t, const VeuHandlerStep *i, \
                               uint8_t *registers, uintptr_t some)

/* Ends a handler, with @i as the next step. */
#if defined(VEU_HANDLERS_RETURN)
#define VEU_CONTINUE_AT(i) \
    do {                   \
        (void)some;        \
        return i;          \
    } while (0)
#else
#define VEU_CONTINUE_AT(i) \
    VEU_TAIL return (i)->handler[some](t, i, registers, some)
#endif

/* Ends a handler, with the step after @i as the next one. */
#define VEU_NEXT_STEP()                                             \
    do {                                                            \
        i++;                                                        \
        if (__builtin_expect(i == t->steps_end, 0)) {               \
            VEU_TAIL return veu_handler_end(t, i, registers, some); \
        }                                                           \
        VEU_CONTINUE_AT(i);                                         \
    } while (0)

/* The cost ahead of a step. Past the last step, nothing is ahead. */
static inline uint32_t veu_step_ahead(const VeuThread *t,
                                      const VeuHandlerStep *i)
{
    return i < t->program->steps + t->program->instruction_count ? i->ahead : 0;
}

/* Adds the cost ahead of @i. Returns false if the handlers stop at it. */
static inline bool veu_step_may_continue(VeuThread *t, const VeuHandlerStep *i)
{
    if (i == t->steps_end) {
        t->flow->cost += veu_step_ahead(t, i);
        return false;
    }
    t->flow->cost += i->ahead;
    return t->flow->cost <= t->cost_limit && !veu_is_awaited(t->awaited);
}

/* Ends the handler of a message, with the step after @i as the next one. */
#define VEU_CONTINUE_AFTER_MESSAGE()                                 \
    do {                                                             \
        i++;                                                         \
        if (__builtin_expect(i == t->steps_end, 0)) {                \
            VEU_TAIL return veu_handler_join(t, i, registers, some); \
        }                                                            \
        t->flow->cost += i->ahead;                                   \
        if (__builtin_expect(t->flow->cost > t->cost_limit ||        \
                                 veu_is_awaited(t->awaited),         \
                             0)) {                                   \
            return i;                                                \
        }                                                            \
        VEU_CONTINUE_AT(i);                                          \
    } while (0)

/* The value of the step's predicate for its lanes; all 1 if it has none. */
static inline __attribute__((always_inline)) uint32_t veu_step_predicate(
    const VeuThread *t, const VeuHandlerStep *i)
{
    return i->predication.used ?
               veu_predicate_bits(t, &i->predication, i->mask_offset,
                                  i->all_lanes) :
               i->all_lanes;
}

/* The lanes for which the step is executed. */
static inline __attribute__((always_inline)) uint32_t veu_step_lanes(
    const VeuThread *t, const VeuHandlerStep *i)
{
    uint32_t mask = t->flow->running | i->always;
    uint32_t lanes = mask >> i->mask_offset & i->all_lanes;

    return i->predicated ?
               lanes & veu_predicate_bits(t, &i->predication, i->mask_offset,
                                          i->all_lanes) :
               lanes;
}

/* Like veu_step_lanes(), if each lane has its own bit of the predicate. */
static inline __attribute__((always_inline)) uint32_t veu_step_own_lanes(
    const VeuThread *t, const VeuHandlerStep *i)
{
    uint32_t lanes = t->flow->running | i->always;

    if (i->predicated) {
        lanes &= t->predicates[i->predication.index] ^
                 -(uint32_t)i->predication.inverse;
    }
    return lanes >> i->mask_offset & i->all_lanes;
}

/* Returns the instruction of a step. */
static inline const VeuInstruction *veu_step_instruction(
    const VeuThread *t, const VeuHandlerStep *i)
{
    return &t->program->instructions[i - t->program->steps];
}

/*
 * Lanes that wait at a step. While handlers run, a thread's @wait is the top of
 * a stack of them, the nearest step last; below them is one without lanes, at
 * the end of all steps. VeuFlow has them as groups while no handler runs.
 */
typedef struct VeuWait {
    const VeuHandlerStep *at;
    uint32_t lanes;
} VeuWait;

/* At the thread's steps_end: continues only if lanes join. */
VEU_HANDLER(veu_handler_end);

/*
 * Like veu_handler_end(), where what is ahead of the step before ended with it.
 */
VEU_HANDLER(veu_handler_join);

/* No handler: handlers stop before this step. */
VEU_HANDLER(veu_handler_stop);

/* The executor, for a step whose handler does not hold for %cr0. */
VEU_HANDLER(veu_handler_by_rules);

/* Does nothing, as labels do. */
VEU_HANDLER(veu_handler_nothing);

/*
 * Handlers of gotos, whose @to is the label, of ret, of messages, whose @to is
 * the message, and of what may write %cr0. What is ahead of a step ends with
 * them.
 */
VEU_HANDLER(veu_handler_goto);
VEU_HANDLER(veu_handler_ret);
VEU_HANDLER(veu_handler_message);
VEU_HANDLER(veu_handler_alone);

/*
 * Besides veu_handler_ret(): one without a predicate that all running lanes
 * take. Besides veu_handler_alone(): sets bits of %cr0, those in @value.
 */
VEU_HANDLER(veu_handler_ret_always);
VEU_HANDLER(veu_handler_or_cr0);

#endif
