/*
 * veu device model: the state of a launch that is under way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that is not fully loaded is loaded from the beginning, except that
 * bytes that were copied from guest memory are not read again. After that, the
 * copied bytes and descriptors, and the EU threads' registers, are the state.
 */
#include <stddef.h>
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/device/launch_args.h"
#include "hw/veu/device/launch_load.h"
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/device/request.h"
#include "hw/veu/device/slice.h"
#include "hw/veu/device/state_flow.h"
#include "hw/veu/device/state_group.h"
#include "hw/veu/device/state_launch.h"

static bool check_arguments(VeuRing *ring, VeuStream *s)
{
    uint32_t at;

    if (veu_launch_bad_field(ring, &at) ||
        (veu_launch_is_inline(ring) &&
         veu_message_bad_rest(&ring->command.message, &at))) {
        return veu_stream_refuse(s, "a launch is illegal");
    }
    return true;
}

/* An inline message is in the command, so nothing of it was copied. */
static bool move_code(VeuRing *ring, VeuStream *s)
{
    VeuLaunch *l = ring->launch;
    uint32_t limit = veu_launch_is_inline(ring) ?
                         0 :
                         veu_launch_args(ring)->code_bytes;

    return veu_stream_upto(s, &l->copied_bytes, limit,
                           "a program is longer than its launch says") &&
           veu_stream_bytes(s, l->code, l->copied_bytes);
}

static bool decode_all(VeuLaunch *l)
{
    VeuFault fault;
    uint32_t offset;

    return veu_program_decode(l->own, VEU_LIMIT_INSTRUCTIONS + 1, &fault,
                              &offset) == VEU_LOAD_DONE;
}

static bool load_program(VeuRing *ring, VeuStream *s)
{
    VeuLaunch *l = ring->launch;
    VeuFault fault;
    uint32_t offset;

    if (!veu_launch_is_inline(ring) &&
        l->copied_bytes != veu_launch_args(ring)->code_bytes) {
        return veu_stream_refuse(s, "a program that runs is not whole");
    }
    if (ring->command.loaded) {
        veu_launch_use_loaded(ring);
    } else if (!veu_launch_open(ring, &fault) || !decode_all(l)) {
        return veu_stream_refuse(s, "a program is illegal");
    }
    return (!veu_launch_has_wrong_kind(ring) &&
            !veu_launch_misfit(ring, &offset)) ||
           veu_stream_refuse(s, "a program does not fit to its launch");
}

static bool move_surface(VeuLaunch *l, uint32_t entry, VeuStream *s)
{
    uint32_t field;

    return veu_stream_bytes(s, &l->descriptors[entry],
                            sizeof(l->descriptors[0])) &&
           (!s->loading || veu_launch_decode_surface(l, entry, &field) ||
            veu_stream_refuse(s, "a surface is illegal"));
}

/*
 * An entry that no message names was not read, and is saved as a null surface.
 */
static bool move_surfaces(VeuRing *ring, VeuStream *s)
{
    VeuLaunch *l = ring->launch;
    const uint8_t *named = l->program->entries;
    const uint8_t *end = named + l->program->entry_count;

    l->surfaces.count = veu_launch_args(ring)->surface_count;
    for (uint32_t i = 0; i < l->surfaces.count; i++) {
        struct veu_surface null = { .type = VEU_SURFACE_NULL };
        bool is_named = named < end && *named == i;

        if (!(is_named ? move_surface(l, i, s) :
                         veu_stream_bytes(s, &null, sizeof(null)))) {
            return false;
        }
        named += is_named;
    }
    return true;
}

static bool move_thread(VeuSlice *slice, VeuStream *s)
{
    return veu_stream_upto(s, &slice->message, slice->eu.program->message_count,
                           "an EU thread is past its program's end") &&
           veu_stream_u32(s, &slice->eu.exec_mask) &&
           veu_registers_move(&slice->eu, s);
}

static bool move_group(VeuSlice *slice, VeuStream *s)
{
    const struct veu_launch *args = veu_launch_args(slice->ring);

    return veu_stream_upto(s, &slice->group, args->groups - 1,
                           "an EU thread's group does not exist") &&
           veu_stream_upto(s, &slice->thread, args->threads - 1,
                           "an EU thread does not exist") &&
           veu_stream_bytes(s, slice->slm, args->slm_bytes);
}

static bool move_slice(VeuSlice *slice, VeuStream *s)
{
    uint32_t state = slice->state;

    if (!veu_stream_upto(s, &state, VEU_SLICE_MESSAGE,
                         "a slice's state does not exist")) {
        return false;
    }
    slice->state = state;
    return state == VEU_SLICE_IDLE ||
           (veu_request_move(slice->ring, &slice->request, s) &&
            move_group(slice, s) &&
            (state == VEU_SLICE_START || move_thread(slice, s)));
}

static bool move_slices(VeuRing *ring, VeuStream *s)
{
    VeuLaunch *l = ring->launch;
    uint32_t count = l->slice_count;

    if (!veu_stream_upto(s, &count, VEU_MAX_SLICES,
                         "a launch has too many slices") ||
        !veu_stream_u32(s, &l->next_group)) {
        return false;
    }
    if (s->loading) {
        veu_launch_set_up_slices(ring, count);
    }
    for (unsigned n = 0; n < count; n++) {
        if (!move_slice(&l->slice[n], s)) {
            return false;
        }
    }
    return true;
}

/* A launch that was not loaded restarts at the copying of its code. */
static void restart(VeuRing *ring)
{
    ring->launch->phase = VEU_LAUNCH_COPY;
    ring->launch->next_group = 0;
    ring->launch->hurries = true;
    ring->command.begun = !veu_launch_is_inline(ring) &&
                          !veu_launch_is_of_loaded(ring);
    ring->command.cost = 0;
}

bool veu_launch_move(VeuRing *ring, VeuStream *s)
{
    VeuLaunch *l = ring->launch;
    bool loaded = l->phase == VEU_LAUNCH_RUN;

    if (s->loading) {
        veu_launch_forget(l);
        l->program = l->own;
    }
    if ((s->loading && !check_arguments(ring, s)) || !move_code(ring, s) ||
        !veu_stream_bool(s, &loaded)) {
        return false;
    }
    if (!loaded) {
        if (ring->command.loaded) {
            return veu_stream_refuse(s, "a launch has a program too early");
        }
        if (s->loading) {
            restart(ring);
        }
        return true;
    }
    l->phase = VEU_LAUNCH_RUN;
    return (!s->loading || load_program(ring, s)) && move_surfaces(ring, s) &&
           (veu_launch_is_kernel(ring) ? veu_groups_move(ring, s) :
                                         move_slices(ring, s));
}
