/*
 * veu execution unit: running instructions that have handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/instruction/run.h"

/* Float to integer rounds toward zero, unless bit 12 asks for bits 5:4. */
#define CR0_OTHER_ROUNDING (1u << 12 | 3u << 4)
#define CR0_KEEPS_DF       (1u << 6)
#define CR0_KEEPS_F        (1u << 7)
#define CR0_KEEPS_HF       (1u << 10)

/*
 * Whether the host's thread computes as it does by default: it rounds to
 * nearest, keeps subnormal numbers, and masks exceptions. A host that has
 * changed that finds it unchanged, and its programs run by the rules.
 */
static inline bool host_is_usual(void)
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

/* What handlers need to know of %cr0; false where they do not do it. */
static bool take_mode(VeuThread *t)
{
    uint32_t cr0 = veu_thread_cr0(t);

    t->flushes_f = !(cr0 & CR0_KEEPS_F);
    t->flushes_df = !(cr0 & CR0_KEEPS_DF);
    t->flushes_hf = !(cr0 & CR0_KEEPS_HF);
    return !(cr0 & CR0_OTHER_ROUNDING) && host_is_usual();
}

static inline uint32_t lanes_of(const VeuThread *t, const VeuInstruction *i)
{
    uint32_t mask = t->flow->running | -(uint32_t)i->no_mask;
    uint32_t lanes = mask >> i->mask_offset & i->all_lanes;

    return __builtin_expect(i->predicated, 0) ? lanes & veu_predicate_of(t, i) :
                                                lanes;
}

/*
 * Up to an instruction without a handler, to where lanes wait, to the end of
 * the program, which lanes may reach that the last goto does not take, or to
 * @limit.
 */
static bool run_straight(VeuThread *t, uint32_t limit)
{
    VeuFlow *f = t->flow;
    const VeuInstruction *first = t->program->instructions;
    const VeuInstruction *i = first + f->at;
    const VeuInstruction *begin = i;
    const VeuInstruction *end = first +
                                MIN(f->next, t->program->instruction_count);
    uint32_t cost = f->cost, lanes = 0;
    VeuHandler *handler;

    while (i < end && i->handler && cost < limit) {
        lanes = lanes_of(t, i);
        cost += i->cost;
        handler = lanes == i->all_lanes ? i->handler : i->masked;
        handler(t, i, lanes);
        i++;
    }
    if (i != begin) {
        f->work += cost - f->cost;
        f->cost = cost;
        f->at = i - first - 1;
        t->active = lanes;
        veu_flow_advance(t);
    }
    return i != begin;
}

/* The cost of an instruction that was executed. */
static void pay(VeuFlow *f, const VeuInstruction *i)
{
    f->cost += i->cost;
    f->work += i->cost;
}

/* An instruction that may change %cr0; false where handlers have to end. */
static bool run_mode(VeuThread *t, const VeuInstruction *i, bool *any)
{
    uint32_t lanes = lanes_of(t, i);

    t->active = lanes;
    if (lanes) {
        i->masked(t, i, lanes);
    }
    pay(t->flow, i);
    veu_flow_advance(t);
    *any = true;
    return take_mode(t);
}

/* Lanes that go elsewhere. */
static bool run_flow(VeuThread *t, const VeuInstruction *i, bool *any)
{
    t->active = lanes_of(t, i);
    pay(t->flow, i);
    i->execute(t, i, t->active);
    *any = true;
    return t->flow->running;
}

/*
 * A message that its fast path executes. All others are for the caller, who
 * reports them, and has what they fault or wait for dealt with.
 */
static bool run_message(VeuThread *t, const VeuInstruction *i, bool *any)
{
    VeuFlow *f = t->flow;

    if (!t->message_sum || !veu_execute_fast(t, i)) {
        return false;
    }
    t->message_sum->messages++;
    t->message_sum->lanes += veu_lane_count(t->active);
    t->message_sum->moved_bytes += t->moved_bytes;
    pay(f, i);
    veu_flow_advance(t);
    *any = true;
    return true;
}

/*
 * Executes the next instruction, which has no handler, if that can be done
 * here; false where the caller has to look.
 */
static bool run_stop(VeuThread *t, uint32_t limit, bool *any)
{
    VeuFlow *f = t->flow;
    const VeuInstruction *i = &t->program->instructions[f->at];

    if (f->at >= t->program->instruction_count || f->cost >= limit) {
        return false;
    }
    switch (i->stop) {
    case VEU_STOP_FLOW:
        return run_flow(t, i, any);
    case VEU_STOP_MESSAGE:
        return run_message(t, i, any);
    case VEU_STOP_MODE:
        return run_mode(t, i, any);
    default:
        return false;
    }
}

bool veu_run_handlers(VeuThread *t, uint32_t limit)
{
    bool any = false, more;

    if (!take_mode(t)) {
        return false;
    }
    do {
        any |= run_straight(t, limit);
        more = run_stop(t, limit, &any);
    } while (more && !veu_is_awaited(t->awaited));
    return any;
}
