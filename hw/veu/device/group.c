/*
 * veu device model: groups of a KERNEL that are in flight.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Groups in flight". The arena of a launch begins with a
 * VeuGroup for each place. Then comes an area for each place: the states of the
 * EU threads, local memory, and a block for each EU thread with its flow, its
 * predicates and addresses, and its registers.
 */
#include <stddef.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/group.h"
#include "hw/veu/device/group_thread.h"
#include "hw/veu/device/kernel_args.h"
#include "hw/veu/device/model.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/slice.h"
#include "hw/veu/eu/program/type.h"

/* No number of a group. */
#define NO_GROUP UINT32_MAX

#define ROUND64(bytes) (((bytes) + 63) / 64 * 64)

/*
 * A group needs more than drivers compute: its VeuGroup, the states, and
 * padding. This is taken from the EU threads' share.
 */
_Static_assert(sizeof(VeuGroup) + 64 + 1 + 63 + ROUND64(sizeof(VeuFlow)) <=
                   VEU_KERNEL_THREAD_BYTES,
               "the arena has room for what the driver computes");

static uint32_t operand_bytes(const VeuProgram *p)
{
    return ROUND64(p->predicate_count * sizeof(uint32_t) +
                   p->address_element_count * sizeof(uint16_t));
}

uint64_t veu_group_limit_bytes(const struct veu_launch *args,
                               const VeuProgram *p)
{
    uint64_t thread = VEU_KERNEL_THREAD_BYTES + operand_bytes(p) +
                      ROUND64(p->register_bytes);

    return ROUND64(args->slm_bytes) + args->threads * thread;
}

static uint32_t hw_id_bytes(const VeuProgram *p)
{
    const struct veu_variable *v = &p->predefined[VEU_PREDEFINED_HW_ID];

    return MIN(v->elements * veu_type_bytes(v->type), sizeof(uint64_t));
}

void veu_groups_set_up(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    const struct veu_launch *args = &l->kernel_args;
    VeuGroups *all = &l->groups;

    all->count = veu_kernel_places(&ring->command.kernel);
    all->slm_at = ROUND64(args->threads);
    all->threads_at = all->slm_at + ROUND64(args->slm_bytes);
    all->operands_at = ROUND64(sizeof(VeuFlow));
    all->addresses_at = all->operands_at +
                        l->program->predicate_count * sizeof(uint32_t);
    all->registers_at = all->operands_at + operand_bytes(l->program);
    all->thread_bytes = all->registers_at + ROUND64(l->program->register_bytes);
    all->group_bytes = all->threads_at + args->threads * all->thread_bytes;
    all->hw_id_bytes = hw_id_bytes(l->program);
    all->has_slot = all->hw_id_bytes || ring->command.kernel.scratch_bytes;
    all->start_pieces = 1 + veu_kernel_image_bytes(&ring->command.kernel,
                                                   l->program) /
                                VEU_COST_BYTES;
}

void veu_groups_begin(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;

    veu_groups_set_up(ring);
    for (uint32_t i = 0; i < l->groups.count; i++) {
        l->groups.group[i] = (VeuGroup){ .number = i };
    }
    l->next_group = l->kernel_args.groups;
}

static uint32_t place_of(const VeuLaunch *l, const VeuGroup *g)
{
    return g - l->groups.group;
}

static uint8_t *area(VeuLaunch *l, const VeuGroup *g)
{
    const VeuGroups *all = &l->groups;

    return l->groups.arena + ROUND64(all->count * sizeof(VeuGroup)) +
           (size_t)place_of(l, g) * all->group_bytes;
}

uint8_t *veu_group_states(VeuLaunch *l, const VeuGroup *g)
{
    return area(l, g);
}

uint8_t *veu_group_slm(VeuLaunch *l, const VeuGroup *g)
{
    return area(l, g) + l->groups.slm_at;
}

void veu_group_thread(VeuLaunch *l, const VeuGroup *g, uint32_t thread,
                      VeuThread *eu)
{
    veu_group_place_thread(l, area(l, g), thread, eu);
}

void veu_group_bind(VeuSlice *s, const VeuGroup *g, uint32_t thread)
{
    s->group = g->number;
    s->thread = thread;
    veu_group_thread(s->ring->launch, g, thread, &s->eu);
}

unsigned veu_groups_left(const VeuLaunch *l)
{
    unsigned left = 0;

    for (uint32_t i = 0; i < l->groups.count; i++) {
        left += veu_group_exists(l, &l->groups.group[i]);
    }
    return left;
}

VeuGroup *veu_group_of(VeuLaunch *l, uint32_t number)
{
    return &l->groups.group[number % l->groups.count];
}

bool veu_groups_wait(const VeuLaunch *l)
{
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const VeuGroup *g = &l->groups.group[i];

        if (veu_group_exists(l, g) && !veu_request_waits(&g->request)) {
            return false;
        }
    }
    return true;
}

uint32_t veu_groups_begun(const VeuLaunch *l)
{
    uint32_t begun = 0;

    for (uint32_t i = 0; i < l->groups.count; i++) {
        const VeuGroup *g = &l->groups.group[i];

        begun += g->number / l->groups.count + g->begun;
    }
    return begun;
}

void veu_groups_place(const VeuLaunch *l, VeuFaultPlace *place)
{
    place->group = l->kernel_args.groups;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const VeuGroup *g = &l->groups.group[i];

        if (g->number < place->group) {
            place->group = g->number;
            place->thread = g->thread;
        }
    }
}

static bool can_run(const VeuLaunch *l, const VeuGroup *g)
{
    return veu_group_exists(l, g) && !veu_request_waits(&g->request);
}

/*
 * The first place of the slice that has had the fewest turns. The search ends
 * at a place that has had @least: none has had less, or @least is no number of
 * turns that a place has.
 */
static VeuGroup *next_place(VeuLaunch *l, unsigned first, unsigned step,
                            uint64_t least)
{
    VeuGroup *next = NULL;

    for (uint32_t i = first; i < l->groups.count; i += step) {
        VeuGroup *g = &l->groups.group[i];

        if (can_run(l, g) && (!next || g->turns < next->turns)) {
            next = g;
            if (g->turns == least) {
                break;
            }
        }
    }
    return next;
}

/*
 * Like next_place() after a turn of @g, or of its last group: all places before
 * it have had more turns, or cannot run.
 */
static VeuGroup *place_after(VeuLaunch *l, const VeuGroup *g, unsigned first,
                             unsigned step)
{
    uint64_t least = g->turns - (g->used == 0);
    VeuGroup *next = next_place(l, place_of(l, g) + step, step, least);

    return next && next->turns == least ? next :
                                          next_place(l, first, step, least);
}

/* ---- EU threads ---- */

static void begin_group(VeuSlice *s, VeuGroup *g)
{
    const struct veu_launch *args = &s->ring->launch->kernel_args;

    for (uint32_t i = 0; i < args->threads; i += 64) {
        memset(s->area + i, VEU_GROUP_THREAD_START, 64); /* not a call */
    }
    if (args->slm_bytes) {
        memset(s->area + s->ring->launch->groups.slm_at,
               s->eu.config->undefined, args->slm_bytes);
    }
    g->thread = 0;
    g->ended = 0;
    g->begun = true;
}

/* The ids of the group, as its EU threads find them in r0. */
static void set_ids(VeuSlice *s)
{
    const struct veu_command_kernel *c = &s->ring->command.kernel;
    uint32_t x = s->group, rows = 0;

    if (x >= c->group_count[0]) {
        rows = x / c->group_count[0];
        x %= c->group_count[0];
    }
    s->image.r0[VEU_R0_GROUP_X] = c->first_group[0] + x;
    s->image.r0[VEU_R0_GROUP_Y] = c->first_group[1];
    s->image.r0[VEU_R0_GROUP_Z] = c->first_group[2];
    if (rows) {
        s->image.r0[VEU_R0_GROUP_Y] += rows % c->group_count[1];
        s->image.r0[VEU_R0_GROUP_Z] += rows / c->group_count[1];
    }
}

/* Gives the slice the group: what all of its EU threads have in common. */
static void enter_group(VeuSlice *s, VeuGroup *g)
{
    s->group = g->number;
    s->area = area(s->ring->launch, g);
    s->eu.slm = s->area + s->ring->launch->groups.slm_at;
    s->slot = place_of(s->ring->launch, g) *
              s->ring->launch->kernel_args.threads;
    set_ids(s);
    if (!g->begun) {
        begin_group(s, g);
    }
}

/* Runs the EU thread that has requested pages again. */
static unsigned run_asked(VeuSlice *s, VeuGroup *g)
{
    unsigned pieces;

    s->request = g->request;
    veu_slice_begin_asked(s);
    pieces = veu_group_run_threads(s, g, &(VeuGroupLimits){ .most = 1 });
    veu_slice_end_asked(s);
    g->request = s->request;
    s->request = (VeuRequest){ 0 };
    return pieces;
}

/* ---- turns ---- */

/*
 * Finds the next EU thread that can run, which may be the same one. Returns
 * false if none can.
 */
static bool next_thread(VeuGroup *g, const uint8_t *states, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        g->thread = g->thread + 1 < threads ? g->thread + 1 : 0;
        if (veu_group_is_ready(states[g->thread])) {
            return true;
        }
    }
    return false;
}

/* Reports EU threads that ended while others were at a barrier. */
static void report_barrier(const VeuSlice *s)
{
    const VeuInstruction *next = veu_next_instruction(&s->eu);

    veu_emit(s->ring->device, &(VeuEvent){ .kind = VEU_EVENT_CONTRACT,
                                           .ring = s->ring->number,
                                           .name = "barrier",
                                           .at = next ? next->offset : 0 });
}

/*
 * Releases all EU threads that have not ended from the barrier, the lowest
 * first. Returns false if all have ended.
 */
static bool release(VeuSlice *s, VeuGroup *g, uint32_t threads)
{
    uint32_t released = 0;

    for (uint32_t i = threads; i-- > 0;) {
        if (s->area[i] == VEU_GROUP_THREAD_WAITS) {
            s->area[i] = VEU_GROUP_THREAD_RUNS;
            s->thread = i;
            veu_group_place_thread(s->ring->launch, s->area, i, &s->eu);
            s->eu.flow->at_barrier = false;
            g->thread = i;
            released++;
        }
    }
    if (released && released < threads && s->eu.config->check) {
        report_barrier(s);
    }
    return released;
}

/*
 * Chooses the next EU thread, or the next group, after a piece. Returns false
 * if it is another place's turn.
 */
static bool advance(VeuSlice *s, VeuGroup *g)
{
    VeuLaunch *l = s->ring->launch;
    uint32_t threads = l->kernel_args.threads;
    bool turn_ends = g->used >= VEU_GROUP_TURN + VEU_GROUP_MORE ||
                     (g->used >= VEU_GROUP_TURN &&
                      s->area[g->thread] != VEU_GROUP_THREAD_RUNS);

    if (turn_ends) {
        g->used = 0;
        g->turns++;
    } else if (veu_group_is_ready(s->area[g->thread])) {
        return g->used;
    }
    if (g->ended == threads ||
        (!next_thread(g, s->area, threads) && !release(s, g, threads))) {
        g->number += l->groups.count;
        g->begun = false;
    }
    return g->used && veu_group_exists(l, g);
}

/* Runs up to @most pieces, with no further EU thread after @begin. */
static unsigned run_piece(VeuSlice *s, VeuGroup *g, unsigned begin,
                          unsigned most)
{
    unsigned turn = VEU_GROUP_TURN - MIN(g->used, VEU_GROUP_TURN);
    VeuGroupLimits l = {
        .begin = MIN(begin, turn),
        .most = MIN(most, VEU_GROUP_TURN + VEU_GROUP_MORE - g->used),
        .end = s->ring->launch->kernel_args.threads,
    };

    if (s->group != g->number) {
        enter_group(s, g);
    }
    if (__builtin_expect(veu_request_was_made(&g->request), 0)) {
        if (g->asking == g->thread) {
            return run_asked(s, g);
        }
        l.end = g->asking;
    }
    return veu_group_run_threads(s, g, &l);
}

static void begin_turn(VeuSlice *s)
{
    s->cost = 0;
    s->state = VEU_SLICE_MESSAGE;
    s->group = NO_GROUP;
    veu_group_begin_threads(s);
}

void veu_groups_run(VeuSlice *s, unsigned first, unsigned step, uint32_t budget,
                    uint32_t most)
{
    VeuLaunch *l = s->ring->launch;
    VeuGroup *g = next_place(l, first, step, 0);
    unsigned pieces = 0; /* since the last flush */

    begin_turn(s);
    while (g && s->cost < budget && s->state != VEU_SLICE_FAULTED &&
           !veu_slice_must_yield(s)) {
        unsigned begin = MIN(VEU_FLUSH_PIECES - pieces, budget - s->cost);
        unsigned done = run_piece(s, g, begin, most - s->cost);

        s->cost += done;
        pieces += done;
        g->used += done;
        if (!advance(s, g)) {
            g = place_after(l, g, first, step);
        }
        veu_slice_flush(s, &pieces);
    }
    if (!g && s->state != VEU_SLICE_FAULTED) {
        s->state = VEU_SLICE_IDLE;
    }
}
