/*
 * veu device model: launches, as seen by a host that records them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/group.h"
#include "hw/veu/device/host/capture.h"
#include "hw/veu/device/launch_args.h"
#include "hw/veu/device/request.h"
#include "hw/veu/eu/instruction/run.h"

/* At VEU_EVENT_COMMAND, the launch has not looked up its program yet. */
static void view_loaded(VeuRing *ring, VeuLaunchView *view)
{
    const VeuLoaded *loaded = ring->command.loaded;

    view->handle = veu_launch_is_kernel(ring) ?
                       ring->command.kernel.program :
                       ring->command.dispatch.launch.code_address;
    if (!loaded) {
        loaded = veu_programs_find(ring->device, ring->context.number,
                                   view->handle);
    }
    if (loaded && loaded->state >= VEU_LOADED_READY) {
        view->code = loaded->code;
        view->code_bytes = loaded->code_bytes;
        view->serial = loaded->serial;
        view->simd = loaded->simd;
    }
}

static uint32_t code_bytes_of(const VeuRing *ring)
{
    return veu_launch_is_kernel(ring) ?
               ring->command.kernel.code_bytes :
               ring->command.dispatch.launch.code_bytes;
}

static void view_program(VeuRing *ring, VeuLaunchView *view)
{
    const VeuLaunch *l = ring->launch;

    if (!veu_launch_is_inline(ring) && !code_bytes_of(ring)) {
        view_loaded(ring, view);
    } else if (ring->command.begun && l->phase != VEU_LAUNCH_COPY) {
        view->code = l->code;
        view->code_bytes = code_bytes_of(ring);
    }
}

static void view_own(const VeuRing *ring, VeuLaunchView *view)
{
    view->own[0].address = veu_ring_get(ring, VEU_ROW_RING_SHARED);
    view->own[0].bytes = sizeof(struct veu_ring_shared);
    view->own[1].address = veu_ring_get(ring, VEU_ROW_RING_FAULTS);
    view->own[1].bytes = (uint64_t)ring->fault_records *
                         sizeof(struct veu_fault_record);
    if (ring->context.asks) {
        veu_request_queue_place(ring->device, ring->context.number,
                                &view->own[2].address, &view->own[2].bytes);
    }
}

bool veu_device_view_launch(VeuDevice *d, uint32_t number, VeuLaunchView *view)
{
    VeuRing *ring = &d->ring[number];
    const VeuCommand *c = &ring->command;
    const VeuContext *context = &ring->context;

    if (!c->info || !c->info->is_launch) {
        return false;
    }
    *view = (VeuLaunchView){
        .command = c->bytes,
        .command_bytes = c->info->slots * VEU_SLOT_BYTES,
        .policy = veu_ring_get(ring, VEU_ROW_RING_POLICY),
        .budget = veu_ring_get(ring, VEU_ROW_RING_BUDGET),
        .eu = d->config.eu,
        .context_type = veu_context_type(context),
        .context_options = veu_context_options(context),
        .root = context->root,
        .windows = context->windows,
        .window_count = context->window_count,
    };
    view_own(ring, view);
    view_program(ring, view);
    return true;
}

void veu_device_forget_memory(VeuDevice *d, uint32_t number)
{
    VeuContext *context = &d->ring[number].context;

    veu_mem_forget(&context->mem);
    if (veu_context_has_tables(context)) {
        veu_tlb_forget_all(&context->tlbs[context->number]);
    }
}

/* --- EU threads ---------------------------------------------------------- */

static uint32_t next_offset(const VeuSlice *s, const VeuThread *eu)
{
    const VeuProgram *p = eu->program;
    const VeuInstruction *next;

    if (p->kind != VEU_PROGRAM_INSTRUCTIONS) {
        return s->message < p->message_count ? p->messages[s->message].offset :
                                               VEU_FAULT_NOT_APPLICABLE;
    }
    next = veu_next_instruction(eu);
    return next ? next->offset : VEU_FAULT_NOT_APPLICABLE;
}

typedef struct Visit {
    void (*visit)(void *opaque, const VeuThreadView *view);
    void *opaque;
    const VeuSlice *slice;
} Visit;

static void visit(const Visit *v, uint32_t group, uint32_t thread,
                  VeuThreadState state, const VeuThread *eu)
{
    const VeuThreadView view = {
        .group = group,
        .thread = thread,
        .number = (uint64_t)group * veu_launch_args(v->slice->ring)->threads +
                  thread,
        .state = state,
        .offset = next_offset(v->slice, eu),
        .eu = eu,
    };

    v->visit(v->opaque, &view);
}

static void visit_group(const Visit *v, VeuLaunch *l, const VeuGroup *g)
{
    const uint8_t *states = veu_group_states(l, g);
    VeuThread eu = v->slice->eu;

    for (uint32_t i = 0; i < l->kernel_args.threads; i++) {
        if (states[i] == VEU_GROUP_THREAD_RUNS ||
            states[i] == VEU_GROUP_THREAD_WAITS) {
            veu_group_thread(l, g, i, &eu);
            visit(v, g->number, i,
                  states[i] == VEU_GROUP_THREAD_RUNS ? VEU_THREAD_RUNS :
                                                       VEU_THREAD_BARRIER,
                  &eu);
        }
    }
}

static void visit_groups(Visit *v, VeuLaunch *l)
{
    v->slice = &l->slice[0];
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const VeuGroup *g = &l->groups.group[i];

        if (veu_group_exists(l, g) && g->begun) {
            visit_group(v, l, g);
        }
    }
}

static void visit_slices(Visit *v, VeuLaunch *l)
{
    for (unsigned n = 0; n < l->slice_count; n++) {
        const VeuSlice *s = &l->slice[n];
        bool begun = s->state == VEU_SLICE_MESSAGE ||
                     (s->state == VEU_SLICE_FAULTED &&
                      s->resume == VEU_SLICE_MESSAGE);

        if (begun) {
            v->slice = s;
            visit(v, s->group, s->thread, VEU_THREAD_RUNS, &s->eu);
        }
    }
}

void veu_device_view_threads(VeuDevice *d, uint32_t number,
                             void (*visit_one)(void *opaque,
                                               const VeuThreadView *view),
                             void *opaque)
{
    VeuRing *ring = &d->ring[number];
    Visit v = { .visit = visit_one, .opaque = opaque };

    if (!ring->command.info || !ring->command.info->is_launch ||
        !ring->command.begun || ring->launch->phase != VEU_LAUNCH_RUN) {
        return;
    }
    if (veu_launch_is_kernel(ring)) {
        visit_groups(&v, ring->launch);
    } else {
        visit_slices(&v, ring->launch);
    }
}
