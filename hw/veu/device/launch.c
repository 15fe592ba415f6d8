/*
 * veu device model: dispatches and inline messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Launches". The work before the first EU thread is in
 * launch_load.c.
 */
#include <stddef.h>
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/group.h"
#include "hw/veu/device/inject_fire.h"
#include "hw/veu/device/launch.h"
#include "hw/veu/device/launch_args.h"
#include "hw/veu/device/launch_load.h"
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/device/lazy.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/slice.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/program/room.h"

/* How many times longer a turn is if helpers take part in it. */
#define PARALLEL_TURN 64

_Static_assert(_Alignof(VeuLaunch) % VEU_PROGRAM_ALIGN == 0,
               "the program of a launch is after it");

static size_t launch_bytes(void)
{
    return sizeof(VeuLaunch) + veu_program_room_bytes(&veu_program_limits);
}

VeuLaunch *veu_launch_new(void)
{
    VeuLaunch *launch = veu_lazy_new(launch_bytes());

    if (launch) {
        launch->own = veu_program_place(launch + 1, &veu_program_limits);
        launch->program = launch->own;
    }
    return launch;
}

void veu_launch_free(VeuLaunch *launch)
{
    veu_lazy_free(launch, launch_bytes());
}

static uint32_t groups_left(const VeuRing *ring)
{
    uint32_t groups = veu_launch_args(ring)->groups;

    if (veu_launch_is_kernel(ring)) {
        return veu_groups_left(ring->launch);
    }
    return groups - MIN(ring->launch->next_group, groups);
}

/* The number of slices with a group. Those of a KERNEL do not keep one. */
static unsigned busy_slices(const VeuRing *ring)
{
    const VeuLaunch *l = ring->launch;
    unsigned busy = 0;

    if (veu_launch_is_kernel(ring)) {
        return 0;
    }
    for (unsigned n = 0; n < l->slice_count; n++) {
        busy += l->slice[n].state != VEU_SLICE_IDLE;
    }
    return busy;
}

/* Helpers are for launches that can use them. */
static unsigned parallel_slices(const VeuRing *ring)
{
    const VeuDevice *d = ring->device;
    unsigned helpers = d->host->helper_count;
    /* A host that watches EU threads wants them to run one at a time. */
    uint32_t watches = 1u << VEU_EVENT_MESSAGE | 1u << VEU_EVENT_THREAD |
                       1u << VEU_EVENT_INSTRUCTION;
    bool watched = d->config.eu.check || ring->launch->observer ||
                   veu_wants(d, watches);

    return helpers && !watched && busy_slices(ring) + groups_left(ring) >= 2 ?
               1 + helpers :
               1;
}

/*
 * The gate through which helper @n, or the caller as 0, accesses the ring's
 * memory.
 */
static VeuMem *open_gate(VeuRing *ring, unsigned n, VeuHost **host)
{
    *host = ring->device->host;
    if (n == 0) {
        return &ring->context.mem;
    }
    *host = (*host)->helpers[n - 1];
    return veu_gate_open(&ring->launch->gate[n], &ring->context, *host);
}

/*
 * The slices of share @n that have work to do divide the budget of a turn among
 * them. The first may take a group.
 */
static uint32_t share_of_budget(const VeuLaunch *l, unsigned n)
{
    uint32_t busy = 1;

    for (unsigned i = n + l->parallel; i < l->slice_count; i += l->parallel) {
        busy += l->slice[i].state != VEU_SLICE_IDLE;
    }
    return MAX(l->budget / busy, MIN(l->budget, 1));
}

/* Returns true if the slice waits for pages or will wait for them. */
static bool is_waiting(const VeuSlice *s)
{
    return veu_request_waits(&s->request) || veu_slice_waits(s);
}

static void open_profile(VeuRing *ring, unsigned n, VeuSlice *s)
{
    VeuHost *host = ring->device->host;

    if (__builtin_expect(host->profile != NULL, 0)) {
        s->eu.profile = host->profile(host, ring->number, n, s->eu.program);
    }
    if (s->eu.profile) {
        s->eu.program = &s->eu.profile->program;
    }
}

/* Programs of messages are not counted. */
static void enter_slice(VeuRing *ring, unsigned n, VeuSlice *s, VeuHost *host,
                        VeuMem *mem)
{
    veu_slice_enter(s, host, mem);
    s->eu.profile = NULL;
    if (s->eu.program->kind == VEU_PROGRAM_INSTRUCTIONS) {
        open_profile(ring, n, s);
        veu_slice_watch(s);
    }
}

/* The host may free the profile once the turn is over. */
static void close_profile(VeuRing *ring, VeuSlice *s)
{
    s->eu.profile = NULL;
    s->eu.program = ring->launch->program;
}

/*
 * Runs slices @n, @n + parallel, ... There are more of them than run in
 * parallel if the launch, here or on the device that it comes from, once had
 * more helpers. Each may write as much as is allowed between two flushes.
 */
static void run_share(void *opaque, unsigned n)
{
    VeuRing *ring = opaque;
    unsigned parallel = ring->launch->parallel;
    uint32_t budget = share_of_budget(ring->launch, n);
    uint32_t left = ring->launch->share;
    VeuHost *host;
    VeuMem *mem = open_gate(ring, n, &host);
    bool may_take = true; /* the share's other slices wait for pages */

    if (veu_launch_is_kernel(ring)) {
        parallel = MIN(parallel, ring->launch->slice_count);
        if (n < parallel) {
            enter_slice(ring, n, &ring->launch->slice[n], host, mem);
            veu_groups_run(&ring->launch->slice[n], n, parallel,
                           MIN(ring->launch->budget, left),
                           MIN(ring->launch->most, left));
            close_profile(ring, &ring->launch->slice[n]);
        }
        return;
    }
    for (unsigned i = n; i < ring->launch->slice_count; i += parallel) {
        VeuSlice *s = &ring->launch->slice[i];

        if (i != n && (s->state != VEU_SLICE_IDLE || may_take)) {
            host->flush(host);
            veu_mem_forget(mem);
        }
        enter_slice(ring, n, s, host, mem);
        veu_slice_run(s, MIN(budget, left), may_take);
        close_profile(ring, s);
        may_take = may_take && ring->context.asks && is_waiting(s);
        left -= MIN(s->cost, left);
        if (i != n) {
            ring->launch->slice[n].cost += s->cost;
            s->cost = 0;
        }
    }
}

/*
 * Waking helpers pays only for long turns. Without helpers, all slices use the
 * caller's gate, which is the one that it flushes. Together, all slices take at
 * most what RING_BUDGET leaves the command.
 */
static void run_slices(VeuRing *ring)
{
    VeuHost *host = ring->device->host;
    VeuLaunch *l = ring->launch;
    uint32_t left = veu_command_budget_left(ring);

    l->budget = ring->budget - ring->cost + 1;
    l->observer = host->observer;
    if (veu_inject_is_on(ring)) {
        l->budget = 1; /* a message may hold the ring */
        l->observer = veu_inject_observer(ring);
    }
    l->most = l->budget + MIN(l->budget / 4, VEU_GROUP_MORE);
    l->parallel = parallel_slices(ring);
    if (l->parallel > left) {
        l->parallel = 1;
    }
    l->share = left / l->parallel;
    if (l->parallel == 1) {
        run_share(ring, 0);
        return;
    }
    l->budget *= PARALLEL_TURN;
    l->most *= PARALLEL_TURN;
    host->run_all(host, run_share, ring);
}

/*
 * Adds up the counts of the slices. A turn is as long as the longest of them,
 * but RING_BUDGET is charged with their sum. Returns true if any of them still
 * has a group.
 */
static bool collect_counts(VeuRing *ring)
{
    uint64_t *counted = ring->counted;
    uint32_t cost = 1;
    bool busy = false;

    for (unsigned n = 0; n < ring->launch->slice_count; n++) {
        VeuSlice *s = &ring->launch->slice[n];

        counted[VEU_COUNTER_MESSAGES] += s->counts.messages;
        counted[VEU_COUNTER_LANES] += s->counts.lanes;
        counted[VEU_COUNTER_BYTES] += s->counts.moved_bytes;
        s->counts = (VeuMessageSum){ 0 };
        cost = MAX(cost, s->cost);
        ring->command.cost += s->cost;
        s->cost = 0;
        busy |= s->state != VEU_SLICE_IDLE;
    }
    ring->cost += cost - 1;
    return busy;
}

/* Returns true if the EU thread continues after the message's fault. */
static bool survives_fault(const VeuRing *ring, const VeuSlice *s)
{
    return s->place.message_offset != VEU_FAULT_NOT_APPLICABLE &&
           veu_ring_get(ring, VEU_ROW_RING_POLICY) == VEU_POLICY_SKIP_MESSAGE;
}

/* The request of what waits for pages: a slice, or a group of a KERNEL. */
static VeuRequest *request_of(VeuRing *ring, VeuSlice *s)
{
    VeuGroup *g;

    if (!veu_launch_is_kernel(ring)) {
        return &s->request;
    }
    g = veu_group_of(ring->launch, s->group);
    g->asking = s->thread;
    return &g->request;
}

/*
 * Handles the faults in the order of the slices. Returns false if one of them
 * ends the command.
 */
static bool collect_faults(VeuRing *ring)
{
    for (unsigned n = 0; n < ring->launch->slice_count; n++) {
        VeuSlice *s = &ring->launch->slice[n];

        if (s->state != VEU_SLICE_FAULTED) {
            continue;
        }
        if (s->miss_count) {
            s->state = s->resume;
            veu_request_open(ring, request_of(ring, s), &s->place, s->miss,
                             s->miss_count);
            continue;
        }
        veu_fault_record(ring, &s->fault, &s->place);
        if (!survives_fault(ring, s)) {
            return false;
        }
        if (s->eu.program->kind == VEU_PROGRAM_INSTRUCTIONS) {
            veu_skip(&s->eu);
        } else {
            s->message++;
        }
        s->state = VEU_SLICE_MESSAGE;
    }
    return true;
}

/*
 * Returns true if the command is a message in one EU thread, has not begun, and
 * may be completed at once.
 */
static bool runs_only(const VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    const VeuLaunch *l = ring->launch;
    uint32_t bytes = args->payload_bytes + args->result_bytes;

    return args->groups == 1 && args->threads == 1 && l->next_group == 0 &&
           l->program->kind == VEU_PROGRAM_MESSAGES &&
           l->program->message_count == 1 && l->slice_count == 1 &&
           ring->budget - ring->cost >= 2 + bytes / VEU_COST_BYTES &&
           veu_command_budget_left(ring) >= 3 + bytes / VEU_COST_BYTES &&
           !veu_inject_is_on(ring);
}

static void run_only(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;

    l->next_group = 1;
    l->observer = ring->device->host->observer;
    veu_slice_enter(&l->slice[0], ring->device->host, &ring->context.mem);
    veu_slice_run_only(&l->slice[0]);
}

/* Returns true if every remaining group waits for pages, or for a runner. */
static bool is_blocked(const VeuRing *ring)
{
    const VeuLaunch *l = ring->launch;

    if (veu_launch_is_kernel(ring)) {
        return veu_groups_wait(l);
    }
    for (unsigned n = 0; n < l->slice_count; n++) {
        const VeuSlice *s = &l->slice[n];

        if (s->state == VEU_SLICE_IDLE ? groups_left(ring) :
                                         !veu_request_waits(&s->request)) {
            return false;
        }
    }
    return true;
}

/* Performs a turn of all slices. */
static VeuRun phase_run(VeuRing *ring)
{
    bool is_kernel = veu_launch_is_kernel(ring);
    bool busy;

    if (runs_only(ring)) {
        run_only(ring);
    } else {
        run_slices(ring);
    }
    busy = collect_counts(ring);
    if (busy && !collect_faults(ring)) {
        return VEU_RUN_FAULT;
    }
    if ((busy && !is_kernel) || groups_left(ring)) {
        return is_blocked(ring) ? VEU_RUN_BLOCKED : VEU_RUN_MORE;
    }
    return VEU_RUN_DONE;
}

bool veu_launch_place(const VeuRing *ring, VeuFaultPlace *place)
{
    const VeuLaunch *l = ring->launch;

    if (!ring->command.begun || l->phase != VEU_LAUNCH_RUN) {
        return false;
    }
    *place = (VeuFaultPlace){ .group = l->next_group,
                              .message_offset = VEU_FAULT_NOT_APPLICABLE };
    if (veu_launch_is_kernel(ring)) {
        veu_groups_place(l, place);
        return true;
    }
    for (unsigned n = 0; n < l->slice_count; n++) {
        const VeuSlice *s = &l->slice[n];

        if (s->state != VEU_SLICE_IDLE && s->group < place->group) {
            place->group = s->group;
            place->thread = s->thread;
        }
    }
    return true;
}

VeuRun veu_launch_run(VeuRing *ring)
{
    static VeuRun (*const phases[])(VeuRing * ring) = {
        [VEU_LAUNCH_COPY] = veu_launch_copy,
        [VEU_LAUNCH_DECODE] = veu_launch_decode,
        [VEU_LAUNCH_RUN] = phase_run,
    };

    return ring->command.begun ? phases[ring->launch->phase](ring) :
                                 veu_launch_begin(ring);
}
