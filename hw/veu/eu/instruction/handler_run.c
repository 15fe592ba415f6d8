/*
 * veu execution unit: running instructions with handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fenv.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/eu/instruction/handler_goto.h"
#include "hw/veu/eu/instruction/handler_modes.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/handler_start.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"

/*
 * The host's thread must round to nearest, keep subnormal numbers, and mask
 * exceptions. Handlers change nothing of that but the rounding.
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

void veu_change_rounding(VeuThread *t, VeuRounding rounding)
{
    static const int host[] = {
        [VEU_ROUND_NEAREST] = FE_TONEAREST,
        [VEU_ROUND_UP] = FE_UPWARD,
        [VEU_ROUND_DOWN] = FE_DOWNWARD,
        [VEU_ROUND_ZERO] = FE_TOWARDZERO,
    };

    t->rounding = rounding;
    fesetround(host[rounding]);
}

VEU_HANDLER(veu_handler_nothing)
{
    VEU_NEXT_STEP();
}

VEU_HANDLER(veu_handler_by_rules)
{
    const VeuInstruction *instruction = veu_step_instruction(t, i);

    if (!instruction->execute(t, instruction, veu_step_lanes(t, i))) {
        return i;
    }
    VEU_NEXT_STEP();
}

/* The first step where handlers stop because other lanes wait there. */
static const VeuHandlerStep *end_of(const VeuThread *t)
{
    return t->program->steps +
           MIN(t->flow->next, t->program->instruction_count);
}

/*
 * The number of groups that wait past the last step, where no handler exists:
 * the last instruction may end fewer lanes than run, and a hostile stream can
 * place lanes there. They are the first ones.
 */
static uint32_t groups_past_end(const VeuThread *t)
{
    const VeuFlow *f = t->flow;
    uint32_t n = 0;

    while (n < f->group_count &&
           f->group[n].at >= t->program->instruction_count) {
        n++;
    }
    return n;
}

/* Adds the flow's groups to the thread's waits. */
static __attribute__((noinline)) void take_groups(VeuThread *t)
{
    const VeuFlow *f = t->flow;

    for (uint32_t n = groups_past_end(t); n < f->group_count; n++) {
        *++t->wait = (VeuWait){ t->program->steps + f->group[n].at,
                                f->group[n].lanes };
    }
}

/* Sets the thread's waits to the flow's groups, above an end of no lanes. */
static inline void take_waits(VeuThread *t, VeuWait *waits)
{
    veu_open_waits(t, waits);
    if (__builtin_expect(t->flow->group_count, 0)) {
        take_groups(t);
    }
}

/* The inverse of take_waits(). */
static void put_waits(VeuThread *t, const VeuWait *waits)
{
    VeuFlow *f = t->flow;

    f->group_count = groups_past_end(t);
    while (waits != t->wait) {
        waits++;
        f->group[f->group_count++] = (VeuFlowGroup){
            .at = waits->at - t->program->steps,
            .lanes = waits->lanes,
        };
    }
    veu_flow_look_at_next(f);
}

static bool some_wait(const VeuThread *t)
{
    return t->flow->running != t->all_lanes;
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

/* The thread has not ended where its handlers stopped: at @i. */
static __attribute__((noinline)) void put_flow(VeuThread *t,
                                               const VeuHandlerStep *i,
                                               const VeuWait *waits)
{
    t->flow->at = i - t->program->steps;
    put_waits(t, waits);
    veu_flow_arrive(t->flow);
    veu_flow_return_at_end(t);
}

/* Executes steps from @i to @end, or until their handlers stop. */
static void run_ahead(VeuThread *t, const VeuHandlerStep *i,
                      const VeuHandlerStep *end)
{
    VeuWait waits[VEU_MAX_LANES + 1];
    VeuFlow *f = t->flow;
    uint32_t cost = f->cost;
    bool some = some_wait(t);

    take_waits(t, waits);
    t->steps_end = end;
    f->cost = cost + i->ahead;
    i = i->handler[some](t, i, t->registers, some);
    f->cost -= veu_step_ahead(t, i);
    f->work += f->cost - cost;
    if (f->running) {
        put_flow(t, i, waits);
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
    const VeuHandlerStep *end = t->steps_end;
    VeuWait *wait = t->wait, none = { 0 };

    t->steps_end = step + 1;
    t->wait = &none;
    veu_step_instruction(t, step)->alone(t, step, t->registers, 1);
    t->steps_end = end;
    t->wait = wait;
}

/*
 * Messages round to nearest, whatever %cr0 specifies. The profile finds the
 * message's counts by the flow's place.
 */
static __attribute__((noinline)) bool run_rounded_or_profiled(
    VeuThread *t, const VeuHandlerStep *i, const VeuMessage *m)
{
    VeuRounding rounding = t->rounding;
    bool ok;

    veu_set_rounding(t, VEU_ROUND_NEAREST);
    t->flow->at = i - t->program->steps;
    ok = t->profile ? veu_profile_fast(t, m, i->to) : veu_execute_fast(t, m);
    veu_set_rounding(t, rounding);
    return ok;
}

/*
 * A message that its fast path executes. The caller executes all others: it
 * reports them, and handles their faults and waits.
 */
static inline bool run_message(VeuThread *t, const VeuHandlerStep *i)
{
    const VeuMessage *m = &t->program->messages[i->to];

    if (!t->message_sum || !(__builtin_expect(t->profile || t->rounding, 0) ?
                                 run_rounded_or_profiled(t, i, m) :
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
static inline bool run_some(VeuThread *t)
{
    VeuFlow *f = t->flow;
    const VeuHandlerStep *step = &t->program->steps[f->at], *end;
    uint32_t cost = f->cost;

    if (f->at >= t->program->instruction_count || f->cost >= t->cost_limit) {
        return false;
    }
    if (step->handler[0] == veu_handler_stop) {
        return false; /* the executors run this step, and perhaps many more */
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

void veu_stop_new(VeuThread *t, const VeuHandlerStep *i, const VeuWait *waits)
{
    t->flow->cost -= veu_step_ahead(t, i);
    t->flow->work = t->flow->cost;
    put_flow(t, i, waits);
}

bool veu_run_handlers(VeuThread *t, uint32_t limit)
{
    bool any = false;

    t->cost_limit = limit;
    veu_set_all_lanes(t);
    do {
        veu_take_cr0(t);
        if (!run_some(t)) {
            break;
        }
        any = true;
    } while (t->flow->running && !t->flow->at_barrier &&
             !veu_is_awaited(t->awaited));
    veu_set_rounding(t, VEU_ROUND_NEAREST);
    return any;
}

/* ---- handlers that check the cost ---- */

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

static inline const VeuHandlerStep *target_of(const VeuThread *t,
                                              const VeuHandlerStep *i)
{
    return t->program->steps + t->program->label_places[i->to];
}

/* Ends a handler: the running lanes have gone to @to, where no others wait. */
#define CONTINUE_AFTER_GOTO(to)                               \
    do {                                                      \
        t->flow->cost += (to)->ahead;                         \
        if (__builtin_expect(t->flow->cost > t->cost_limit || \
                                 veu_is_awaited(t->awaited),  \
                             0)) {                            \
            return to;                                        \
        }                                                     \
        i = pass_label(t, to);                                \
        VEU_CONTINUE_AT(i);                                   \
    } while (0)

/* Makes @lanes wait at @place, together with others that wait there. */
static void wait_at(VeuThread *t, uint32_t lanes, const VeuHandlerStep *place)
{
    VeuWait *before = t->wait;

    while (before->at < place) {
        before--;
    }
    if (before->at == place && before->lanes) {
        before->lanes |= lanes;
        return;
    }
    for (VeuWait *w = ++t->wait; w > before + 1; w--) {
        *w = w[-1];
    }
    before[1] = (VeuWait){ place, lanes };
}

/*
 * All running lanes go to step @i, where others wait, or past others, which run
 * now. Not inlined, like all that common gotos do not need: so they need no
 * stack.
 */
static __attribute__((noinline)) VEU_HANDLER(goto_past)
{
    VeuFlow *f = t->flow;
    const VeuWait next = *t->wait;

    if (!next.lanes) {
        return i; /* past the last step */
    }
    t->wait--;
    if (i == next.at) {
        f->running |= next.lanes;
    } else {
        wait_at(t, f->running, i);
        f->running = next.lanes;
        i = next.at;
    }
    t->steps_end = t->wait->at;
    some = some_wait(t);
    CONTINUE_AFTER_GOTO(i);
}

/*
 * What becomes of lanes where some of them take a goto: those at the lower
 * place run.
 */
typedef struct Split {
    const VeuHandlerStep *runs_at;
    const VeuHandlerStep *waits_at;
    uint32_t waiting;
} Split;

static inline Split split(const VeuThread *t, const VeuHandlerStep *i,
                          uint32_t taken)
{
    const VeuHandlerStep *to = target_of(t, i);

    return __builtin_expect(to > i, 1) ?
               (Split){ i + 1, to, taken } :
               (Split){ to, i + 1, t->flow->running & ~taken };
}

/*
 * Some of the running lanes, @taken, take the goto, and others may wait before
 * the higher place. A handler, except that @taken replaces @some.
 */
static __attribute__((noinline)) const VeuHandlerStep *split_past(
    VeuThread *t, const VeuHandlerStep *i, uint8_t *registers, uintptr_t taken)
{
    Split s = split(t, i, taken);
    uintptr_t some;

    if (s.waits_at == t->program->steps + t->program->instruction_count) {
        return i; /* no step: the executor takes the goto */
    }
    if (s.waits_at != s.runs_at) {
        wait_at(t, s.waiting, s.waits_at);
        t->flow->running &= ~s.waiting;
    }
    t->steps_end = t->wait->at;
    some = some_wait(t);
    if (s.runs_at == t->steps_end) {
        VEU_TAIL return goto_past(t, s.runs_at, registers, some);
    }
    CONTINUE_AFTER_GOTO(s.runs_at);
}

static inline uint32_t predicate_word(const VeuThread *t,
                                      const VeuPredication *p)
{
    return t->predicates[p->index] ^ -(uint32_t)p->inverse;
}

/*
 * Lanes that split take no branch of the host before the last jump: the host
 * predicts where that goes by the branches that were taken before.
 */
#define GOTO(name, taken_)                                                  \
    VEU_HANDLER(name)                                                       \
    {                                                                       \
        uint32_t running = t->flow->running, taken = taken_;                \
        Split s;                                                            \
                                                                            \
        if (__builtin_expect(!taken || taken == running, 0)) {              \
            const VeuHandlerStep *to = taken ? target_of(t, i) : i + 1;     \
                                                                            \
            if (to >= t->wait->at) {                                        \
                VEU_TAIL return goto_past(t, to, registers, some);          \
            }                                                               \
            CONTINUE_AFTER_GOTO(to);                                        \
        }                                                                   \
        s = split(t, i, taken);                                             \
        if (__builtin_expect(                                               \
                s.waits_at >= t->wait->at || s.waits_at == s.runs_at, 0)) { \
            VEU_TAIL return split_past(t, i, registers, taken);             \
        }                                                                   \
        *++t->wait = (VeuWait){ s.waits_at, s.waiting };                    \
        t->steps_end = s.waits_at;                                          \
        t->flow->running = running & ~s.waiting;                            \
        some = 1;                                                           \
        CONTINUE_AFTER_GOTO(s.runs_at);                                     \
    }

GOTO(veu_handler_goto, takers(t, i))
GOTO(veu_handler_goto_always, running)
GOTO(veu_handler_goto_first,
     predicate_word(t, &i->predication) >> i->mask_offset & 1 ? running : 0)
GOTO(veu_handler_goto_own,
     running & i->value & predicate_word(t, &i->predication))

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
#define RET(name, taken)                                         \
    VEU_HANDLER(name)                                            \
    {                                                            \
        VeuFlow *f = t->flow;                                    \
                                                                 \
        if (f->depth || (taken) != f->lanes) {                   \
            return i;                                            \
        }                                                        \
        if (__builtin_expect(t->profile != NULL, 0)) {           \
            VEU_TAIL return ret_profiled(t, i, registers, some); \
        }                                                        \
        return end_thread(t);                                    \
    }

RET(veu_handler_ret, takers(t, i))
RET(veu_handler_ret_always, f->running)

VEU_HANDLER(veu_handler_barrier)
{
    t->flow->at_barrier = true;
    t->flow->cost += veu_step_ahead(t, i + 1);
    return i + 1;
}

VEU_HANDLER(veu_handler_end)
{
    const VeuWait *w = t->wait;
    VeuFlow *f = t->flow;

    if (__builtin_expect(i != w->at || !w->lanes || f->cost > t->cost_limit,
                         0)) {
        return i;
    }
    f->running |= w->lanes;
    t->wait--;
    t->steps_end = w[-1].at;
    some = some_wait(t);
    i = pass_label(t, i);
    VEU_CONTINUE_AT(i);
}

VEU_HANDLER(veu_handler_join)
{
    t->flow->cost += veu_step_ahead(t, i);
    if (veu_is_awaited(t->awaited)) {
        return i;
    }
    VEU_TAIL return veu_handler_end(t, i, registers, some);
}

VEU_HANDLER(veu_handler_message)
{
    if (!run_message(t, i)) {
        return i;
    }
    if (i->writes_cr0) {
        veu_take_cr0(t);
    }
    VEU_CONTINUE_AFTER_MESSAGE();
}

VEU_HANDLER(veu_handler_alone)
{
    run_alone(t, i);
    i++;
    if (!veu_step_may_continue(t, i)) {
        return i;
    }
    veu_take_cr0(t);
    VEU_CONTINUE_AT(i);
}

/* A handler, not inlined: so veu_handler_or_cr0() needs no stack. */
static __attribute__((noinline)) const VeuHandlerStep *round_and_continue(
    VeuThread *t, const VeuHandlerStep *i, uint8_t *registers, uintptr_t some)
{
    veu_take_cr0(t);
    VEU_CONTINUE_AT(i);
}

VEU_HANDLER(veu_handler_or_cr0)
{
    uint32_t cr0;

    memcpy(&cr0, registers + i->to, sizeof(cr0));
    cr0 |= i->value;
    memcpy(registers + i->to, &cr0, sizeof(cr0));
    i++;
    if (!veu_step_may_continue(t, i)) {
        return i;
    }
    if (t->rounding != VEU_CR0_ROUNDING(cr0)) {
        VEU_TAIL return round_and_continue(t, i, registers, some);
    }
    veu_set_floats(t, cr0);
    VEU_CONTINUE_AT(i);
}
