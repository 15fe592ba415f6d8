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
#include "hw/veu/eu/simd/cpu.h"

static size_t steps_bytes(const VeuProgram *p)
{
    return (size_t)p->instruction_count * sizeof(VeuHandlerStep);
}

static size_t places_bytes(const VeuProgram *p)
{
    return (size_t)p->instruction_count * sizeof(VeuProfilePlace);
}

static size_t messages_bytes(const VeuProgram *p)
{
    return (size_t)p->message_count * sizeof(VeuProfileMessage);
}

size_t veu_profile_bytes(const VeuProgram *p)
{
    return sizeof(VeuProfile) + steps_bytes(p) + places_bytes(p) +
           messages_bytes(p) +
           (size_t)p->instruction_count * sizeof(VeuInstructionCounts);
}

bool veu_profile_is_alone(const VeuInstruction *i)
{
    return i->stop == VEU_STOP_MESSAGE || i->stage.may_fault ||
           (i->stop == VEU_STOP_RULES &&
            i->info->operation != VEU_OPERATION_BARRIER);
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

/* Adds what veu_profile_fast() has counted of the message that is @n. */
static void add_message(VeuProfile *p, uint32_t n)
{
    const VeuInstruction *i = &p->program.instructions[n];
    VeuProfileMessage *m = &p->messages[i->target];
    VeuInstructionCounts *c = &p->counts[n];

    c->executions += m->times;
    c->lanes += m->times * p->program.messages[i->target].lanes;
    c->bytes += m->bytes;
    c->lines += m->lines;
    c->conflicts += m->conflicts;
    *m = (VeuProfileMessage){ .plan = m->plan };
}

/* Adds the counts of a place; those of blocks, if one begins there. */
static void add_block_at(VeuProfile *p, uint32_t n)
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
        if (p->program.instructions[n].info) {
            add_block_at(p, n);
        } else {
            add_message(p, n);
        }
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
        place->lanes += veu_lane_count(
            veu_step_lanes(t, &t->program->steps[n]));
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

/* Not all lanes of the message or of the EU thread run. */
static __attribute__((noinline)) void count_some(VeuThread *t)
{
    VeuProfile *p = t->profile;
    VeuInstructionCounts *c = &p->counts[t->flow->at];

    c->executions++;
    c->lanes += veu_lane_count(t->active);
    c->divergent += t->flow->running != p->started;
    if (!t->active) {
        p->footprint.lines = 0;
        p->footprint.conflicts = 0;
    }
}

bool veu_profile_fast(VeuThread *t, const VeuMessage *m, uint32_t number)
{
    VeuProfile *p = t->profile;
    VeuProfileMessage *c = &p->messages[number];

    p->message = c;
    if (!veu_execute_fast(t, m)) {
        return false;
    }
    if (t->active == m->all_lanes && t->flow->running == p->started) {
        c->times++;
    } else {
        count_some(t);
    }
    c->bytes += t->moved_bytes;
    c->lines += p->footprint.lines;
    c->conflicts += p->footprint.conflicts;
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

/*
 * Handlers of instructions with a predicate, which count their lanes, and of
 * those that also begin a block.
 */
#define PREDICATED(name, target, count)                                       \
    target static VEU_HANDLER(veu_handler_predicated_##name)                  \
    {                                                                         \
        VeuProfilePlace *place = place_of(t, i);                              \
                                                                              \
        place->lanes += count(veu_step_lanes(t, i));                          \
        VEU_TAIL return place->handler[some](t, i, registers, some);          \
    }                                                                         \
                                                                              \
    target static VEU_HANDLER(veu_handler_both_##name)                        \
    {                                                                         \
        VeuProfilePlace *place = place_of(t, i);                              \
                                                                              \
        if (__builtin_expect(has_changed(t, place), 0)) {                     \
            VEU_TAIL return veu_handler_begin_changed(t, i, registers, some); \
        }                                                                     \
        place->some.times++;                                                  \
        place->lanes += count(veu_step_lanes(t, i));                          \
        VEU_TAIL return place->handler[some](t, i, registers, some);          \
    }

PREDICATED(scalar, , veu_lane_count)
PREDICATED(avx2, VEU_TARGET_AVX2, __builtin_popcount)

static VeuHandler *const predicated[VEU_CPU_COUNT] = {
    [VEU_CPU_SCALAR] = veu_handler_predicated_scalar,
    [VEU_CPU_AVX2] = veu_handler_predicated_avx2,
    [VEU_CPU_AVX512] = veu_handler_predicated_avx2,
};

static VeuHandler *const both[VEU_CPU_COUNT] = {
    [VEU_CPU_SCALAR] = veu_handler_both_scalar,
    [VEU_CPU_AVX2] = veu_handler_both_avx2,
    [VEU_CPU_AVX512] = veu_handler_both_avx2,
};

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
        set_both(step, both[veu_cpu]);
    } else if (i->predicated) {
        set_both(step, predicated[veu_cpu]);
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

/* Host code counts no lanes, so the steps have their own handlers. */
static void use_own_handlers(VeuHandlerStep *step, const VeuInstruction *i)
{
    if (i->own[0]) {
        memcpy(step->handler, i->own, sizeof(step->handler));
    }
}

static void make_steps(VeuProfile *p, const VeuProgram *program)
{
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const VeuInstruction *i = &program->instructions[n];
        VeuProfilePlace *place = &p->places[n];

        use_own_handlers(&p->program.steps[n], i);
        memcpy(place->handler, p->program.steps[n].handler,
               sizeof(place->handler));
        place->alone = veu_profile_is_alone(i);
        place->begins = place->begins && !place->alone;
        if (!place->alone) {
            set_handlers(&p->program.steps[n], i, place);
        } else if (i->info) {
            set_both(&p->program.steps[n], veu_handler_stop);
        } else {
            set_both(&p->program.steps[n], i->alone);
            p->messages[i->target].plan = veu_footprint_plan(
                &program->messages[i->target]);
        }
    }
}

VeuProfile *veu_profile_place(void *memory, const VeuProgram *program)
{
    VeuProfile *p = memory;

    p->program = *program;
    p->program.steps = (VeuHandlerStep *)(p + 1);
    p->places = (void *)((char *)(p + 1) + steps_bytes(program));
    p->messages = (void *)((char *)p->places + places_bytes(program));
    p->counts = (void *)((char *)p->messages + messages_bytes(program));
    memcpy(p->program.steps, program->steps, steps_bytes(program));
    find_blocks(p);
    make_steps(p, program);
    return p;
}
