/*
 * veu execution unit: profiles: counts for each instruction of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"

static size_t counts_bytes(const VeuProgram *p)
{
    return (size_t)p->instruction_count * sizeof(VeuInstructionCounts);
}

size_t veu_profile_bytes(const VeuProgram *p)
{
    return sizeof(VeuProfile) + counts_bytes(p) +
           (2 * (size_t)p->instruction_count + 1) * sizeof(uint32_t);
}

static bool is_alone(const VeuInstruction *i)
{
    return !i->info || i->predicated ||
           i->info->operation >= VEU_OPERATION_GOTO;
}

VeuProfile *veu_profile_place(void *memory, const VeuProgram *program)
{
    uint32_t count = program->instruction_count;
    uint32_t next = count;
    VeuProfile *p = memory;

    p->program = program;
    p->counts = (VeuInstructionCounts *)(p + 1);
    p->alone = (uint32_t *)((char *)p->counts + counts_bytes(program));
    p->cost = p->alone + count;
    for (uint32_t i = count; i-- > 0;) {
        next = is_alone(&program->instructions[i]) ? i : next;
        p->alone[i] = next;
    }
    for (uint32_t i = 0; i < count; i++) {
        p->cost[i + 1] = p->cost[i] + program->instructions[i].cost;
    }
    return p;
}

/* An instruction without a size is executed for all running lanes. */
static unsigned lanes_of(const VeuInstruction *i, uint32_t running,
                         uint32_t active)
{
    return veu_lane_count(
        i->info && !veu_instruction_has(i->info, VEU_IFIELD_EXEC_SIZE) ?
            running :
            active);
}

static uint32_t active_lanes(const VeuInstruction *i, uint32_t running)
{
    uint32_t mask = running | -(uint32_t)i->no_mask;

    return mask >> i->mask_offset & i->all_lanes;
}

static void add_block(VeuProfile *p, const VeuProfileBlock *b)
{
    for (uint32_t n = b->first; n < b->end; n++) {
        const VeuInstruction *i = &p->program->instructions[n];
        VeuInstructionCounts *c = &p->counts[n];

        c->executions += b->times;
        c->lanes += b->times *
                    lanes_of(i, b->running, active_lanes(i, b->running));
        c->divergent += b->diverges * b->times;
    }
}

void veu_profile_finish(VeuProfile *p)
{
    for (unsigned i = 0; i < VEU_PROFILE_BLOCKS; i++) {
        add_block(p, &p->blocks[i]);
        p->blocks[i] = (VeuProfileBlock){ 0 };
    }
}

static void add_one(VeuProfile *p, uint32_t at, uint32_t running,
                    uint32_t active)
{
    VeuInstructionCounts *c = &p->counts[at];

    c->executions++;
    c->lanes += lanes_of(&p->program->instructions[at], running, active);
    c->divergent += running != p->started;
}

/* Counts instructions [@first, @end), executed for @running. */
static void count_block(VeuProfile *p, uint32_t first, uint32_t end,
                        uint32_t running)
{
    bool diverges = running != p->started;
    uint32_t hash = first * UINT32_C(0x9e3779b1) ^ end * UINT32_C(0x85ebca6b) ^
                    running * UINT32_C(0xc2b2ae35);
    VeuProfileBlock *b = &p->blocks[hash >> 16 & (VEU_PROFILE_BLOCKS - 1)];

    if (b->first != first || b->end != end || b->running != running ||
        b->diverges != diverges) {
        add_block(p, b);
        *b = (VeuProfileBlock){
            .first = first,
            .end = end,
            .running = running,
            .diverges = diverges,
        };
    }
    b->times++;
}

static bool run_alone(VeuThread *t, const VeuInstruction *i)
{
    uint32_t running = t->flow->running;
    uint32_t active = active_lanes(i, running);

    if (i->predicated) {
        active &= veu_predicate_of(t, i);
    }
    /* Every instruction costs at least one. */
    if (!veu_run_handlers(t, t->flow->cost + 1)) {
        return false;
    }
    veu_profile_one(t, i, running, i->info ? active : t->active);
    return true;
}

bool veu_profile_run(VeuThread *t, uint32_t limit)
{
    VeuProfile *p = t->profile;
    VeuFlow *f = t->flow;
    uint32_t first = f->at, end = MIN(p->alone[first], f->next);
    uint32_t running = f->running;
    uint32_t cost = f->cost + (p->cost[end] - p->cost[first]);

    if (p->alone[first] == first) {
        return run_alone(t, &p->program->instructions[first]);
    }
    if (!veu_run_handlers(t, MIN(limit, cost))) {
        return false;
    }
    count_block(p, first, f->at, running);
    return true;
}

void veu_profile_one(VeuThread *t, const VeuInstruction *i, uint32_t running,
                     uint32_t active)
{
    VeuProfile *p = t->profile;
    uint32_t at = i - p->program->instructions;
    VeuInstructionCounts *c = &p->counts[at];

    add_one(p, at, running, active);
    if (!i->info && active) {
        c->bytes += t->moved_bytes;
        c->lines += p->footprint.lines;
        c->conflicts += p->footprint.conflicts;
    }
}
