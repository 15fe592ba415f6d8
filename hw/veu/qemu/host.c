/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device model's host: its calls into QEMU.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/veu/qemu/capture.h"
#include "hw/veu/qemu/gdb.h"
#include "hw/veu/qemu/host_events.h"
#include "hw/veu/qemu/profile.h"
#include "hw/veu/qemu/timeline.h"
#include "hw/veu/qemu/trace.h"
#include "hw/veu/qemu/veu.h"

static VeuState *state_of(VeuHost *host)
{
    return container_of(host, VeuState, host);
}

static uint8_t *host_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                         enum veu_access access)
{
    VeuState *s = state_of(host);

    if (unlikely(veu_capture_is_on(s))) {
        veu_capture_touch(s, iova, access);
        *bytes = veu_recorder_clamp(iova, *bytes);
    }
    return veu_memory_map(&s->memory.map, iova, bytes, access);
}

static bool host_open(VeuHost *host, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    VeuState *s = state_of(host);

    /* While a launch is recorded, the device must ask for each page. */
    return !veu_capture_is_on(s) &&
           veu_memory_open(&s->memory.map, iova, access, extent);
}

static void host_note(VeuHost *host, uint8_t *at)
{
    veu_memory_note(&state_of(host)->memory.map, at);
}

static void host_flush(VeuHost *host)
{
    veu_memory_flush(&state_of(host)->memory.map);
}

static void host_run_all(VeuHost *host, void (*share)(void *opaque, unsigned n),
                         void *opaque)
{
    veu_workers_run(&state_of(host)->workers, share, opaque);
}

static void host_fence(VeuHost *host)
{
    veu_kick_fence(&state_of(host)->engine.kick);
}

static void host_interrupt(VeuHost *host, uint32_t vector)
{
    VeuState *s = state_of(host);

    if (unlikely(s->timeline)) {
        veu_timeline_interrupt(s->timeline, vector, host->now_ns(host));
    }
    qatomic_or(&s->causes, 1ull << vector);
    veu_interrupt_post(s);
}

static void host_reset(VeuHost *host)
{
    veu_interrupt_reset(state_of(host));
}

static uint64_t host_now_ns(VeuHost *host)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void host_event(VeuHost *host, const VeuEvent *e)
{
    veu_capture_event(state_of(host), e);
    veu_timeline_add(state_of(host), e);
    veu_profile_event(state_of(host), e);
    veu_gdb_server_event(state_of(host), e);
    switch (e->kind) {
    case VEU_EVENT_RESET:
        if (e->ring == VEU_EVENT_NO_RING) {
            trace_veu_reset();
        } else {
            trace_veu_ring_reset(e->ring);
        }
        break;
    case VEU_EVENT_STATE:
        trace_veu_ring_state(e->ring, e->name);
        break;
    case VEU_EVENT_COMMAND:
        trace_veu_command(e->ring, e->name, e->at, e->value);
        break;
    case VEU_EVENT_MESSAGE:
        trace_veu_message(e->ring, e->name, e->at, e->value);
        break;
    case VEU_EVENT_FAULT:
        trace_veu_err_fault(e->ring, e->name, e->at, e->value);
        break;
    case VEU_EVENT_CONTRACT:
        trace_veu_ub_contract(e->ring, e->name, e->at);
        break;
    case VEU_EVENT_REGISTER:
        trace_veu_ub_register(e->name, e->at, e->value);
        break;
    case VEU_EVENT_FLIP:
        trace_veu_flip(e->at, e->name);
        break;
    case VEU_EVENT_INJECT:
        trace_veu_inject(e->ring, e->name, e->at, e->value);
        break;
    case VEU_EVENT_REQUEST:
        trace_veu_request(e->ring, e->at, e->value);
        break;
    case VEU_EVENT_RESPONSE:
        trace_veu_response(e->ring, e->at, e->value);
        break;
    default:
        break;
    }
}

void veu_host_init(VeuState *s)
{
    s->host = (VeuHost){
        .map = host_map,
        .open = host_open,
        .note = host_note,
        .flush = host_flush,
        .fence = host_fence,
        .interrupt = host_interrupt,
        .reset = host_reset,
        .now_ns = host_now_ns,
        .event = host_event,
        .run_all = host_run_all,
        /* Migration and the host reset what is cached. */
        .counts = s->deterministic ? NULL : &s->memory.map.counts,
        .screen = s->screen,
        .awaited = &s->engine.awaited,
        .wants_kicks = s->deterministic,
    };
    veu_host_update_events(s);
}
