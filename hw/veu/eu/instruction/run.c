/*
 * veu execution unit: running the instructions of an EU thread.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

static uint32_t active_lanes(const VeuThread *t, const VeuInstruction *i)
{
    uint32_t mask = t->flow->running | -(uint32_t)i->no_mask;
    uint32_t lanes = mask >> i->mask_offset & i->all_lanes;

    return i->predicated ? lanes & veu_predicate_of(t, i) : lanes;
}

bool veu_execute_nothing(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return true;
}

static void refresh(VeuThread *t, enum veu_predefined_id id, uint64_t value)
{
    const struct veu_variable *v = &t->program->predefined[id];
    uint32_t bytes = v->elements * veu_type_bytes(v->type);

    if (bytes >= sizeof(value)) {
        memcpy(t->registers + v->offset, &value, sizeof(value));
    } else if (bytes) {
        memcpy(t->registers + v->offset, &value, bytes);
    }
}

/* Sets what an instruction may read from %tsc or %ce0. */
static void refresh_clock(VeuThread *t)
{
    refresh(t, VEU_PREDEFINED_TSC, t->flow->work);
    refresh(t, VEU_PREDEFINED_CE0, t->flow->running);
}

static bool moves_lanes(const VeuInstruction *i)
{
    return i->info && i->info->operation >= VEU_OPERATION_GOTO &&
           i->info->operation <= VEU_OPERATION_IFCALL;
}

static void add_cost(VeuFlow *f, const VeuInstruction *i)
{
    f->cost += i->cost;
    f->work += i->cost;
}

/* A message that waits for pages is counted after it has run. */
static bool execute_profiled(VeuThread *t, const VeuInstruction *i,
                             uint32_t active)
{
    uint32_t running = t->flow->running;
    bool ok;

    if (!veu_profile_is_alone(i)) {
        veu_profile_step(t, i);
        return i->execute(t, i, active);
    }
    t->moved_bytes = 0;
    veu_footprint_begin(&t->profile->footprint, NULL);
    ok = i->execute(t, i, active);
    if (ok || !veu_mem_must_wait(t->mem)) {
        veu_profile_one(t, i, running, i->info ? active : t->active);
    }
    return ok;
}

bool veu_step_by_rules(VeuThread *t, const VeuInstruction *i)
{
    uint32_t active = i->info ? active_lanes(t, i) : 0;

    if (i->reads_clock) {
        refresh_clock(t);
    }
    t->fault.code = VEU_FAULT_NONE;
    t->active = active;
    if (__builtin_expect(t->profile != NULL, 0)) {
        if (!execute_profiled(t, i, active)) {
            return false;
        }
    } else if (!i->execute(t, i, active)) {
        return false;
    }
    add_cost(t->flow, i);
    if (!moves_lanes(i)) {
        veu_flow_advance(t);
    }
    return true;
}

bool veu_step(VeuThread *t, const VeuInstruction *i)
{
    uint32_t active = active_lanes(t, i);
    /*
     * Each instruction costs at least one, so exactly one is executed. The
     * handler of a message runs only if all of its cost is allowed.
     */
    uint32_t limit = t->flow->cost + (i->info ? 1 : i->cost);

    if (!veu_host_has_handlers() || !veu_run_handlers(t, limit)) {
        return veu_step_by_rules(t, i);
    }
    if (i->info) {
        t->active = active;
    }
    t->fault.code = VEU_FAULT_NONE;
    return true;
}

void veu_skip(VeuThread *t)
{
    add_cost(t->flow, &t->program->instructions[t->flow->at]);
    veu_flow_advance(t);
}
