/*
 * veu execution unit: messages of programs of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/program/program.h"

/* A copy of @m in @other, with the surface of the table's entry @index. */
static __attribute__((noinline)) const VeuMessage *rename_surface(
    const VeuMessage *m, uint32_t index, VeuMessage *other)
{
    *other = *m;
    other->surface = index + VEU_FIRST_SURFACE;
    return other;
}

/*
 * @m on the surface whose index its state variable holds: mostly @m itself,
 * else a copy in @other. Returns NULL with a fault if the table has no such
 * entry.
 */
static inline const VeuMessage *name_surface(VeuThread *t, const VeuMessage *m,
                                             VeuMessage *other)
{
    uint32_t index;

    if (m->surface < VEU_FIRST_SURFACE) {
        return m;
    }
    index = t->flow->states[m->state];
    if (index >= t->surfaces->count ||
        t->surfaces->surface[index].type == VEU_SURFACE_NULL) {
        veu_fault_form(&t->fault, VEU_FAULT_SURFACE_INDEX, 0);
        return NULL;
    }
    return index + VEU_FIRST_SURFACE == m->surface ?
               m :
               rename_surface(m, index, other);
}

/* Executes all lanes in one place, so that the footprint is known. */
static bool execute_profiled(VeuThread *t, const VeuMessage *m)
{
    VeuFootprint *f = &t->profile->footprint;
    VeuObserver *observer = t->observer;
    bool ok;

    t->observer = veu_footprint_begin(f, observer);
    ok = veu_execute(t, m);
    veu_footprint_end(f);
    t->observer = observer;
    return ok;
}

/* A message whose @lanes would run has moved nothing: it has no surface. */
static bool refuse_surface(VeuThread *t, uint32_t lanes)
{
    t->active = lanes;
    t->moved_bytes = 0;
    t->contracts = 0;
    return false;
}

/* The lanes of the message are the running ones; it has its own predicate. */
bool veu_execute_message(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    const VeuMessage *m = &t->program->messages[i->target];
    VeuMessage other;
    uint32_t lanes;

    t->exec_mask = t->flow->running;
    lanes = veu_active_lanes(t, m);
    if (__builtin_expect(m->info->opcode == VEU_OPCODE_SAMPLE, 0)) {
        t->sampler_index =
            t->flow->states[t->program->surface_state_count + m->sampler];
    }
    if (lanes) {
        m = name_surface(t, m, &other);
    }
    if (!m) {
        return refuse_surface(t, lanes);
    }
    return __builtin_expect(t->profile != NULL, 0) ? execute_profiled(t, m) :
                                                     veu_execute(t, m);
}

/* Returns true if name_surface() would return @m. */
static inline bool has_named_surface(const VeuThread *t, const VeuMessage *m)
{
    uint32_t index;

    if (m->surface < VEU_FIRST_SURFACE) {
        return true;
    }
    index = t->flow->states[m->state];
    return index + VEU_FIRST_SURFACE == m->surface &&
           index < t->surfaces->count &&
           t->surfaces->surface[index].type != VEU_SURFACE_NULL;
}

/* Not inlined: without a profile, veu_execute_fast() needs no stack. */
static __attribute__((noinline)) bool measure_fast(VeuThread *t,
                                                   const VeuMessage *m)
{
    VeuProfile *p = t->profile;

    return p->message->plan.measure(t, m, &p->message->plan, &p->footprint) &&
           m->fast(t, m);
}

static inline bool run_fast(VeuThread *t, const VeuMessage *m)
{
    return __builtin_expect(t->profile != NULL, 0) ? measure_fast(t, m) :
                                                     m->fast(t, m);
}

/*
 * Executes a message that has a predicate, another surface than was guessed, or
 * no fast path. Not inlined: the copy that renaming makes takes stack.
 */
static __attribute__((noinline)) bool execute_rare(VeuThread *t,
                                                   const VeuMessage *m)
{
    VeuMessage other;

    t->active = veu_active_lanes(t, m);
    if (!t->active) {
        return true;
    }
    if (!m->fast) {
        return false;
    }
    m = name_surface(t, m, &other);
    return m && run_fast(t, m);
}

/* Each call is the last thing that a path does, so that none needs stack. */
bool veu_execute_fast(VeuThread *t, const VeuMessage *m)
{
    t->exec_mask = t->flow->running;
    t->moved_bytes = 0;
    t->more = 0;
    if (__builtin_expect(
            m->predication.used || !m->fast || !has_named_surface(t, m), 0)) {
        return execute_rare(t, m);
    }
    t->active = veu_active_lanes(t, m);
    return !t->active || run_fast(t, m);
}
