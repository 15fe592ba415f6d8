/*
 * veu execution unit: profiles: counts for each instruction of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"

static size_t steps_bytes(const VeuProgram *p)
{
    return (size_t)p->instruction_count * sizeof(VeuHandlerStep);
}

static size_t places_bytes(const VeuProgram *p)
{
    return (size_t)p->instruction_count * sizeof(VeuProfilePlace);
}

size_t veu_profile_bytes(const VeuProgram *p)
{
    return sizeof(VeuProfile) + steps_bytes(p) + places_bytes(p) +
           (size_t)p->instruction_count * sizeof(VeuInstructionCounts);
}

bool veu_profile_is_alone(const VeuInstruction *i)
{
    return i->stop == VEU_STOP_MESSAGE || i->stop == VEU_STOP_RULES;
}

/* An instruction without a size is executed for all running lanes. */
static bool has_lanes(const VeuInstruction *i)
{
    return !i->info || veu_instruction_has(i->info, VEU_IFIELD_EXEC_SIZE);
}

/* The number of lanes that it is executed for, without its predicate. */
static unsigned lanes_of(const VeuInstruction *i, uint32_t running)
{
    uint32_t mask = running | -(uint32_t)i->no_mask;

    return veu_lane_count(has_lanes(i) ? mask >> i->mask_offset & i->all_lanes :
                                         running);
}

/* Counts instruction @n of the block. */
static void add_instruction(VeuProfile *p, const VeuProfileBlock *b, uint32_t n)
{
    const VeuInstruction *i = &p->program.instructions[n];
    VeuInstructionCounts *c = &p->counts[n];

    c->executions += b->times;
    c->divergent += b->diverges * b->times;
    if (!i->predicated) {
        c->lanes += b->times * lanes_of(i, b->running);
    }
}

static void add_block(VeuProfile *p, const VeuProfileBlock *b)
{
    uint32_t n = b->first;

    if (!b->times) {
        return;
    }
    if (n && p->places[n - 1].leads) {
        add_instruction(p, b, n - 1);
    }
    do {
        add_instruction(p, b, n++);
    } while (n < p->program.instruction_count && !p->places[n].begins &&
             !p->places[n].alone);
}

/* Adds the counts of a place; those of blocks, if one begins there. */
static void add_place(VeuProfile *p, uint32_t n)
{
    VeuProfilePlace *place = &p->places[n];
    VeuProfileBlock whole = {
        .first = n,
        .running = UINT32_MAX >> (32 - p->program.simd),
        .times = place->times,
    };

    add_block(p, &whole);
    add_block(p, &place->some);
    p->counts[n].lanes += place->lanes;
    place->times = place->some.times = place->lanes = 0;
}

void veu_profile_finish(VeuProfile *p)
{
    for (unsigned i = 0; i < VEU_PROFILE_BLOCKS; i++) {
        add_block(p, &p->blocks[i]);
        p->blocks[i].times = 0;
    }
    for (uint32_t n = 0; n < p->program.instruction_count; n++) {
        add_place(p, n);
    }
}

/* ---- counting ---- */

/* Moves the count of the lanes that ran the block last to the table. */
static __attribute__((noinline)) void change_lanes(VeuProfile *p,
                                                   VeuProfilePlace *place,
                                                   uint32_t running)
{
    VeuProfileBlock last = place->some;
    uint32_t hash = last.first * UINT32_C(0x9e3779b1) ^
                    last.running * UINT32_C(0xc2b2ae35);
    VeuProfileBlock *b = &p->blocks[hash >> 16 & (VEU_PROFILE_BLOCKS - 1)];

    if (b->first != last.first || b->running != last.running ||
        b->diverges != last.diverges) {
        add_block(p, b);
        *b = last;
    } else {
        b->times += last.times;
    }
    place->some = (VeuProfileBlock){
        .first = place - p->places,
        .running = running,
        .diverges = running != p->started,
    };
}

/* Returns true if other lanes than before run the block. */
static inline bool has_changed(const VeuThread *t, const VeuProfilePlace *place)
{
    uint32_t running = t->flow->running;

    return place->some.running != running ||
           place->some.diverges != (running != t->profile->started);
}

static inline void count_lanes(const VeuThread *t, VeuProfilePlace *place,
                               const VeuHandlerStep *step)
{
    place->lanes += veu_lane_count(veu_step_lanes(t, step));
}

void veu_profile_step(VeuThread *t, const VeuInstruction *i)
{
    uint32_t n = i - t->program->instructions;
    VeuProfilePlace *place = &t->profile->places[n];

    if (place->begins && !place->leads) {
        if (has_changed(t, place)) {
            change_lanes(t->profile, place, t->flow->running);
        }
        place->some.times++;
    }
    if (i->predicated) {
        count_lanes(t, place, &t->program->steps[n]);
    }
}

void veu_profile_one(VeuThread *t, const VeuInstruction *i, uint32_t running,
                     uint32_t active)
{
    VeuProfile *p = t->profile;
    VeuInstructionCounts *c = &p->counts[i - t->program->instructions];

    c->executions++;
    c->lanes += veu_lane_count(has_lanes(i) ? active : running);
    c->divergent += running != p->started;
    if (!i->info && active) {
        c->bytes += t->moved_bytes;
        c->lines += p->footprint.lines;
        c->conflicts += p->footprint.conflicts;
    }
}

bool veu_profile_fast(VeuThread *t, const VeuMessage *m)
{
    VeuProfile *p = t->profile;
    VeuInstructionCounts *c = &p->counts[t->flow->at];

    if (!veu_execute_fast(t, m)) {
        return false;
    }
    c->executions++;
    c->divergent += t->flow->running != p->started;
    if (t->active) {
        c->lanes += t->active == m->all_lanes ? m->lanes :
                                                veu_lane_count(t->active);
        c->bytes += t->moved_bytes;
        c->lines += p->footprint.lines;
        c->conflicts += p->footprint.conflicts;
    }
    return true;
}

/* ---- handlers ---- */

static inline VeuProfilePlace *place_of(const VeuThread *t,
                                        const VeuHandlerStep *i)
{
    return &t->profile->places[i - t->program->steps];
}

/* All lanes run the block that begins here. */
static VEU_HANDLER(veu_handler_begin)
{
    VeuProfilePlace *place = place_of(t, i);

    place->times++;
    VEU_TAIL return place->handler[0](t, i, registers, some);
}

/* Continues with the same step. Not inlined: its callers need no stack. */
static __attribute__((noinline)) VEU_HANDLER(veu_handler_begin_changed)
{
    change_lanes(t->profile, place_of(t, i), t->flow->running);
    VEU_CONTINUE_AT(i);
}

static VEU_HANDLER(veu_handler_begin_some)
{
    VeuProfilePlace *place = place_of(t, i);

    if (__builtin_expect(has_changed(t, place), 0)) {
        VEU_TAIL return veu_handler_begin_changed(t, i, registers, some);
    }
    place->some.times++;
    VEU_TAIL return place->handler[1](t, i, registers, some);
}

static VEU_HANDLER(veu_handler_predicated)
{
    VeuProfilePlace *place = place_of(t, i);

    count_lanes(t, place, i);
    VEU_TAIL return place->handler[some](t, i, registers, some);
}

/* Both. */
static VEU_HANDLER(veu_handler_begin_predicated)
{
    VeuProfilePlace *place = place_of(t, i);

    if (__builtin_expect(has_changed(t, place), 0)) {
        VEU_TAIL return veu_handler_begin_changed(t, i, registers, some);
    }
    place->some.times++;
    count_lanes(t, place, i);
    VEU_TAIL return place->handler[some](t, i, registers, some);
}

static void set_both(VeuHandlerStep *step, VeuHandler *handler)
{
    step->handler[0] = handler;
    step->handler[1] = handler;
}

/* The handler of a ret counts, because it may give up. */
static void set_handlers(VeuHandlerStep *step, const VeuInstruction *i,
                         const VeuProfilePlace *place)
{
    if (place->leads || (i->info && i->info->operation == VEU_OPERATION_RET)) {
        return;
    }
    step->is_empty = false;
    if (place->begins && i->predicated) {
        set_both(step, veu_handler_begin_predicated);
    } else if (i->predicated) {
        set_both(step, veu_handler_predicated);
    } else if (place->begins) {
        step->handler[0] = veu_handler_begin;
        step->handler[1] = veu_handler_begin_some;
    }
}

/* ---- making one ---- */

/* Returns true if other lanes may run after @i, or none. */
static bool ends_block(const VeuInstruction *i)
{
    return veu_profile_is_alone(i) || i->stop == VEU_STOP_FLOW ||
           (i->info && i->info->operation >= VEU_OPERATION_GOTO);
}

static void begin_at(VeuProfile *p, uint32_t place)
{
    if (place < p->program.instruction_count) {
        p->places[place].begins = true;
    }
}

static bool is_label(const VeuInstruction *i)
{
    return i->info && i->info->operation == VEU_OPERATION_LABEL;
}

/*
 * Lanes that pass a label execute the instruction after it. If they come to
 * that only from the label, the block is counted there, so that gotos still
 * skip the label.
 */
static void find_leads(VeuProfile *p)
{
    const VeuInstruction *i = p->program.instructions;

    for (uint32_t n = 0; n + 1 < p->program.instruction_count; n++) {
        if (is_label(&i[n]) && !p->places[n + 1].begins &&
            !veu_profile_is_alone(&i[n + 1])) {
            p->places[n].leads = true;
            p->places[n + 1].begins = true;
        }
    }
}

static void find_blocks(VeuProfile *p)
{
    const VeuProgram *program = &p->program;
    bool ended = true;

    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const VeuInstruction *i = &program->instructions[n];

        p->places[n].begins = ended || is_label(i);
        ended = ends_block(i);
    }
    begin_at(p, program->entry_instruction);
    for (uint32_t n = 0; n < program->function_count; n++) {
        begin_at(p, program->function_places[n]);
    }
    find_leads(p);
}

static void make_steps(VeuProfile *p, const VeuProgram *program)
{
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const VeuInstruction *i = &program->instructions[n];
        VeuProfilePlace *place = &p->places[n];

        memcpy(place->handler, program->steps[n].handler,
               sizeof(place->handler));
        place->alone = veu_profile_is_alone(i);
        place->begins = place->begins && !place->alone;
        if (!place->alone) {
            set_handlers(&p->program.steps[n], i, place);
        }
    }
}

VeuProfile *veu_profile_place(void *memory, const VeuProgram *program)
{
    VeuProfile *p = memory;

    p->program = *program;
    p->program.steps = (VeuHandlerStep *)(p + 1);
    p->places = (void *)((char *)(p + 1) + steps_bytes(program));
    p->counts = (void *)((char *)p->places + places_bytes(program));
    memcpy(p->program.steps, program->steps, steps_bytes(program));
    find_blocks(p);
    make_steps(p, program);
    return p;
}
