/*
 * veu device model: dispatches and inline messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Launches". What comes before the first EU thread is in
 * launch_load.c.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/launch.h"
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/device/ring.h"

#define LAUNCH_ALIGN _Alignof(VeuLaunch)

/*
 * Megabytes, of which a ring that is not used should cost none: calloc() leaves
 * them untouched, which aligned_alloc() and memset() would not.
 */
VeuLaunch *veu_launch_new(void)
{
    void *memory = calloc(1, sizeof(VeuLaunch) + LAUNCH_ALIGN);
    VeuLaunch *launch;

    if (!memory) {
        return NULL;
    }
    launch = (VeuLaunch *)(((uintptr_t)memory + LAUNCH_ALIGN) &
                           -(uintptr_t)LAUNCH_ALIGN);
    launch->memory = memory;
    return launch;
}

void veu_launch_free(VeuLaunch *launch)
{
    if (launch) {
        free(launch->memory);
    }
}

/* Dispatch and inline message have it at the same place. */
const struct veu_launch *veu_launch_args(const VeuRing *ring)
{
    return &ring->command.dispatch.launch;
}

_Static_assert(offsetof(struct veu_command_dispatch, launch) ==
                   offsetof(struct veu_command_message, launch),
               "veu_launch_args() serves both");

bool veu_launch_is_inline(const VeuRing *ring)
{
    return ring->command.header.opcode == VEU_COMMAND_MESSAGE;
}

/* Where the launch is, for a fault record. */
static VeuFaultPlace launch_place(const VeuLaunch *l)
{
    return (VeuFaultPlace){
        .group = l->group,
        .thread = l->thread,
        .message_offset = VEU_FAULT_NOT_APPLICABLE,
    };
}

static uint64_t thread_number(const VeuRing *ring)
{
    const VeuLaunch *l = ring->launch;

    return (uint64_t)l->group * veu_launch_args(ring)->threads + l->thread;
}

/* A fault of an EU thread's memory; ends the command. */
static VeuRun thread_fault(VeuRing *ring, const VeuFault *fault)
{
    VeuFaultPlace place = launch_place(ring->launch);

    veu_fault_record(ring, fault, &place);
    return VEU_RUN_FAULT;
}

/*
 * Reads [@from, @from + @all) of the payload into @to, as far as the payload
 * reaches; the rest is 0.
 */
static bool read_part(VeuRing *ring, uint32_t from, void *to, uint32_t all,
                      uint64_t *failed)
{
    const struct veu_launch *args = veu_launch_args(ring);
    uint64_t address = args->payload_address +
                       thread_number(ring) * args->payload_stride + from;
    uint32_t bytes = args->payload_bytes > from ? args->payload_bytes - from :
                                                  0;

    bytes = bytes < all ? bytes : all;
    memset((uint8_t *)to + bytes, 0, all - bytes);
    return veu_mem_read(&ring->context.mem, address, to, bytes, failed);
}

/* The header; without one all lanes run. */
static VeuRun read_payload_header(VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    uint64_t address = args->payload_address +
                       thread_number(ring) * args->payload_stride;
    struct veu_payload_header header = { .exec_mask = UINT32_MAX };
    VeuFault fault;

    if (args->payload_bytes &&
        !veu_mem_read(&ring->context.mem, address, &header, sizeof(header),
                      &fault.address)) {
        veu_fault_address(&fault, VEU_FAULT_PAYLOAD_MEMORY, fault.address,
                          args->payload_bytes, VEU_ACCESS_READ);
        return thread_fault(ring, &fault);
    }
    for (unsigned i = 0; i < 15; i++) {
        if (header.reserved[i]) {
            veu_fault_form(&fault, VEU_FAULT_PAYLOAD_FIELD,
                           offsetof(struct veu_payload_header, reserved[i]));
            return thread_fault(ring, &fault);
        }
    }
    ring->launch->eu.exec_mask &= header.exec_mask;
    return VEU_RUN_MORE;
}

/* Header, predicates, addresses, registers: include/veu/program.h. */
static VeuRun read_payload(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    const VeuProgram *p = &l->program;
    uint32_t predicates = p->predicate_count * sizeof(l->predicates[0]);
    uint32_t addresses = p->address_element_count * sizeof(l->addresses[0]);
    uint32_t at = sizeof(struct veu_payload_header);
    VeuFault fault;

    ring->cost += veu_launch_args(ring)->payload_bytes / VEU_COST_BYTES;
    if (read_payload_header(ring) == VEU_RUN_FAULT) {
        return VEU_RUN_FAULT;
    }
    if (!read_part(ring, at, l->predicates, predicates, &fault.address) ||
        !read_part(ring, at + predicates, l->addresses, addresses,
                   &fault.address) ||
        !read_part(ring, veu_payload_registers_at(p), l->registers,
                   p->register_bytes, &fault.address)) {
        veu_fault_address(&fault, VEU_FAULT_PAYLOAD_MEMORY, fault.address,
                          veu_launch_args(ring)->payload_bytes,
                          VEU_ACCESS_READ);
        return thread_fault(ring, &fault);
    }
    return VEU_RUN_MORE;
}

/* On to the next thread, group, or the end. */
static VeuRun next_thread(VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    VeuLaunch *l = ring->launch;

    l->phase = VEU_LAUNCH_START_THREAD;
    if (++l->thread == args->threads) {
        l->thread = 0;
        l->group++;
    }
    return l->group == args->groups ? VEU_RUN_DONE : VEU_RUN_MORE;
}

static VeuRun phase_end_thread(VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    VeuLaunch *l = ring->launch;
    VeuFault fault;

    ring->cost += args->result_bytes / VEU_COST_BYTES;
    if (!veu_mem_write(&ring->context.mem,
                       args->result_address +
                           thread_number(ring) * args->result_stride,
                       l->registers + args->result_offset, args->result_bytes,
                       &fault.address)) {
        veu_fault_address(&fault, VEU_FAULT_RESULT_MEMORY, fault.address,
                          args->result_bytes, VEU_ACCESS_WRITE);
        return thread_fault(ring, &fault);
    }
    return next_thread(ring);
}

static const char *contract_names[VEU_CONTRACT_COUNT] = {
    [VEU_CONTRACT_LANE_COLLISION] = "lane collision",
    [VEU_CONTRACT_REGISTER_TYPE] = "register type",
    [VEU_CONTRACT_UNUSED_OPERAND] = "unused operand",
    [VEU_CONTRACT_FEW_LANES] = "few lanes",
};

static void emit_contracts(VeuRing *ring, const VeuMessage *message)
{
    for (unsigned i = 0; i < VEU_CONTRACT_COUNT; i++) {
        if (ring->launch->eu.contracts & (1u << i)) {
            veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_CONTRACT,
                                                .ring = ring->number,
                                                .name = contract_names[i],
                                                .at = message->offset });
        }
    }
}

/* Records a message's fault; does the launch go on? */
static bool survives_fault(VeuRing *ring, const VeuMessage *message)
{
    VeuFaultPlace place = launch_place(ring->launch);

    place.message_offset = message->offset;
    place.opcode = message->info->opcode;
    place.sub = message->info->sub;
    veu_fault_record(ring, &ring->launch->eu.fault, &place);
    return veu_ring_get(ring, VEU_ROW_RING_POLICY) == VEU_POLICY_SKIP_MESSAGE;
}

static void count_message(const VeuRing *ring)
{
    const VeuThread *eu = &ring->launch->eu;
    uint64_t *counter = ring->device->counter;

    counter[VEU_COUNTER_MESSAGES]++;
    counter[VEU_COUNTER_LANES] += __builtin_popcount(eu->active);
    counter[VEU_COUNTER_BYTES] += eu->moved_bytes;
}

static VeuRun phase_message(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    const VeuMessage *message = &l->program.messages[l->message];
    bool ok;

    if (l->message == l->program.message_count) {
        return phase_end_thread(ring);
    }
    ok = veu_execute(&l->eu, message);
    count_message(ring);
    veu_emit(ring->device, &(VeuEvent){ .kind = VEU_EVENT_MESSAGE,
                                        .ring = ring->number,
                                        .name = message->info->mnemonic,
                                        .at = message->offset,
                                        .value = l->eu.active,
                                        .thread = thread_number(ring) });
    if (l->eu.contracts) {
        emit_contracts(ring, message);
    }
    if (!ok && !survives_fault(ring, message)) {
        return VEU_RUN_FAULT;
    }
    l->message++;
    return VEU_RUN_MORE;
}

void veu_launch_set_up_thread(VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    VeuLaunch *l = ring->launch;

    l->eu = (VeuThread){
        .config = &ring->device->config.eu,
        .program = &l->program,
        .surfaces = &l->surfaces,
        .mem = &ring->context.mem,
        .registers = l->registers,
        .predicates = l->predicates,
        .addresses = l->addresses,
        .exec_mask = args->exec_mask,
        .slm = l->slm,
        .slm_bytes = args->slm_bytes,
        .stateless_base = args->stateless_base,
        .stateless_bytes = args->stateless_bytes,
        .observer = ring->device->host->observer,
    };
}

static VeuRun phase_start_thread(VeuRing *ring)
{
    const struct veu_launch *args = veu_launch_args(ring);
    VeuLaunch *l = ring->launch;

    if (l->thread == 0) {
        memset(l->slm, ring->device->config.eu.undefined, args->slm_bytes);
    }
    l->message = 0;
    l->phase = VEU_LAUNCH_MESSAGE;
    veu_launch_set_up_thread(ring);
    return read_payload(ring);
}

VeuRun veu_launch_run(VeuRing *ring)
{
    static VeuRun (*const phases[])(VeuRing * ring) = {
        [VEU_LAUNCH_COPY] = veu_launch_copy,
        [VEU_LAUNCH_DECODE] = veu_launch_decode,
        [VEU_LAUNCH_SURFACES] = veu_launch_surfaces,
        [VEU_LAUNCH_START_THREAD] = phase_start_thread,
        [VEU_LAUNCH_MESSAGE] = phase_message,
    };

    return ring->command.begun ? phases[ring->launch->phase](ring) :
                                 veu_launch_begin(ring);
}
