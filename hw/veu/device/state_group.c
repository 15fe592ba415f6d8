/*
 * veu device model: the state of groups in flight.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An EU thread that has not begun, or has ended, consists of its state only.
 */
#include <stddef.h>
#include "hw/veu/device/group.h"
#include "hw/veu/device/model.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/slice.h"
#include "hw/veu/device/state_flow.h"
#include "hw/veu/device/state_group.h"

static bool move_thread(VeuSlice *slice, const VeuGroup *g, uint32_t thread,
                        VeuStream *s)
{
    uint8_t *state = veu_group_states(slice->ring->launch, g) + thread;
    uint32_t number = *state;

    if (!veu_stream_upto(s, &number, VEU_GROUP_THREAD_ENDED,
                         "an EU thread's state does not exist")) {
        return false;
    }
    *state = number;
    if (number != VEU_GROUP_THREAD_RUNS && number != VEU_GROUP_THREAD_WAITS) {
        return true;
    }
    veu_group_bind(slice, g, thread);
    slice->eu.flow->at_barrier = number == VEU_GROUP_THREAD_WAITS;
    return veu_registers_move(&slice->eu, s);
}

/* Returns true if the EU thread whose turn it is can run. */
static bool check_turn(VeuLaunch *l, const VeuGroup *g, VeuStream *s)
{
    uint8_t state = veu_group_states(l, g)[g->thread];

    return state == VEU_GROUP_THREAD_START || state == VEU_GROUP_THREAD_RUNS ||
           veu_stream_refuse(s, "an EU thread that waits has a turn");
}

static bool move_threads(VeuSlice *slice, VeuGroup *g, VeuStream *s)
{
    VeuLaunch *l = slice->ring->launch;

    g->ended = 0;
    for (uint32_t i = 0; i < l->kernel_args.threads; i++) {
        if (!move_thread(slice, g, i, s)) {
            return false;
        }
        g->ended += veu_group_states(l, g)[i] == VEU_GROUP_THREAD_ENDED;
    }
    return check_turn(l, g, s);
}

static bool move_request(VeuSlice *slice, VeuGroup *g, VeuStream *s)
{
    uint32_t threads = slice->ring->launch->kernel_args.threads;

    return !slice->ring->context.asks ||
           (veu_request_move(slice->ring, &g->request, s) &&
            veu_stream_upto(s, &g->asking, threads - 1,
                            "an EU thread does not exist"));
}

static bool move_group(VeuSlice *slice, VeuGroup *g, VeuStream *s)
{
    VeuLaunch *l = slice->ring->launch;
    uint32_t place = g - l->groups.group;

    if (!veu_stream_u32(s, &g->number) || !veu_stream_u64(s, &g->turns) ||
        !veu_stream_upto(s, &g->used, VEU_GROUP_TURN + VEU_GROUP_MORE - 1,
                         "a group's turn is too long") ||
        !veu_stream_bool(s, &g->begun)) {
        return false;
    }
    if (g->number % l->groups.count != place ||
        g->number >= l->kernel_args.groups + l->groups.count) {
        return veu_stream_refuse(s, "a group is at another place");
    }
    if (!g->begun || !veu_group_exists(l, g)) {
        g->begun = false;
        return true;
    }
    return veu_stream_upto(s, &g->thread, l->kernel_args.threads - 1,
                           "an EU thread does not exist") &&
           move_request(slice, g, s) &&
           veu_stream_bytes(s, veu_group_slm(l, g), l->kernel_args.slm_bytes) &&
           move_threads(slice, g, s);
}

bool veu_groups_move(VeuRing *ring, VeuStream *s)
{
    VeuLaunch *l = ring->launch;

    if (s->loading) {
        veu_launch_set_up_slices(ring, 0);
        veu_groups_begin(ring);
    }
    for (uint32_t i = 0; i < l->groups.count; i++) {
        if (!move_group(&l->slice[0], &l->groups.group[i], s)) {
            return false;
        }
    }
    return true;
}
