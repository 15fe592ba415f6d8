/*
 * veu device model: dispatches and inline messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Launches". Everything is checked before the first EU thread
 * runs, so a command that is refused has had no effect.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/launch.h"
#include "hw/veu/device/launch_rules.h"
#include "hw/veu/device/ring.h"

/* Bounds of one piece of work. */
#define COPY_BYTES      (64 * 1024)
#define DECODE_MESSAGES 64

struct VeuLaunch {
    /* The next piece. */
    VeuRun (*phase)(VeuRing *ring);
    uint32_t copied_bytes; /* of the program */
    /* The EU thread that is running, and its next message. */
    uint32_t group;
    uint32_t thread;
    uint32_t message;
    VeuThread eu;
    VeuSurfaceTable surfaces;
    VeuProgram program;
    uint32_t predicates[VEU_LIMIT_PREDICATES];
    uint16_t addresses[VEU_LIMIT_ADDRESSES * VEU_MAX_ADDRESS_ELEMENTS];
    uint8_t code[VEU_LIMIT_PROGRAM_BYTES];
    _Alignas(64) uint8_t registers[VEU_LIMIT_REGISTER_BYTES];
    _Alignas(64) uint8_t slm[VEU_LIMIT_SLM_BYTES];
};

VeuLaunch *veu_launch_new(void)
{
    size_t bytes = (sizeof(VeuLaunch) + 63) / 64 * 64;
    VeuLaunch *launch = aligned_alloc(64, bytes);

    if (launch) {
        memset(launch, 0, bytes);
    }
    return launch;
}

void veu_launch_free(VeuLaunch *launch)
{
    free(launch);
}

/* Dispatch and inline message have it at the same place. */
static const struct veu_launch *launch_args(const VeuRing *ring)
{
    return &ring->command.dispatch.launch;
}

_Static_assert(offsetof(struct veu_command_dispatch, launch) ==
                   offsetof(struct veu_command_message, launch),
               "launch_args() serves both");

static bool is_inline(const VeuRing *ring)
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

    return (uint64_t)l->group * launch_args(ring)->threads + l->thread;
}

/* A fault of an EU thread's memory; ends the command. */
static VeuRun thread_fault(VeuRing *ring, const VeuFault *fault)
{
    VeuFaultPlace place = launch_place(ring->launch);

    veu_fault_record(ring, fault, &place);
    return VEU_RUN_FAULT;
}

static VeuRun phase_start_thread(VeuRing *ring);

/*
 * Reads [@from, @from + @all) of the payload into @to, as far as the payload
 * reaches; the rest is 0.
 */
static bool read_part(VeuRing *ring, uint32_t from, void *to, uint32_t all,
                      uint64_t *failed)
{
    const struct veu_launch *args = launch_args(ring);
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
    const struct veu_launch *args = launch_args(ring);
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

    if (read_payload_header(ring) == VEU_RUN_FAULT) {
        return VEU_RUN_FAULT;
    }
    if (!read_part(ring, at, l->predicates, predicates, &fault.address) ||
        !read_part(ring, at + predicates, l->addresses, addresses,
                   &fault.address) ||
        !read_part(ring, veu_payload_registers_at(p), l->registers,
                   p->register_bytes, &fault.address)) {
        veu_fault_address(&fault, VEU_FAULT_PAYLOAD_MEMORY, fault.address,
                          launch_args(ring)->payload_bytes, VEU_ACCESS_READ);
        return thread_fault(ring, &fault);
    }
    return VEU_RUN_MORE;
}

/* On to the next thread, group, or the end. */
static VeuRun next_thread(VeuRing *ring)
{
    const struct veu_launch *args = launch_args(ring);
    VeuLaunch *l = ring->launch;

    l->phase = phase_start_thread;
    if (++l->thread == args->threads) {
        l->thread = 0;
        l->group++;
    }
    return l->group == args->groups ? VEU_RUN_DONE : VEU_RUN_MORE;
}

static VeuRun phase_end_thread(VeuRing *ring)
{
    const struct veu_launch *args = launch_args(ring);
    VeuLaunch *l = ring->launch;
    VeuFault fault;

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

static VeuRun phase_start_thread(VeuRing *ring)
{
    const struct veu_launch *args = launch_args(ring);
    const VeuDeviceConfig *config = &ring->device->config;
    VeuLaunch *l = ring->launch;

    if (l->thread == 0) {
        memset(l->slm, config->eu.undefined, args->slm_bytes);
    }
    l->message = 0;
    l->phase = phase_message;
    l->eu = (VeuThread){
        .config = &config->eu,
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
    return read_payload(ring);
}

static VeuRun phase_surfaces(VeuRing *ring)
{
    const struct veu_launch *args = launch_args(ring);
    VeuLaunch *l = ring->launch;
    VeuFault fault;

    l->surfaces.count = args->surface_count;
    for (uint32_t i = 0; i < args->surface_count; i++) {
        uint32_t at = i * sizeof(struct veu_surface);
        struct veu_surface descriptor;
        uint32_t field;

        if (!veu_mem_read(&ring->context.mem, args->surface_table + at,
                          &descriptor, sizeof(descriptor), &fault.address)) {
            veu_fault_address(&fault, VEU_FAULT_SURFACE_TABLE, fault.address,
                              args->surface_count * sizeof(descriptor),
                              VEU_ACCESS_READ);
            veu_fault_record(ring, &fault, NULL);
            return VEU_RUN_FAULT;
        }
        if (!veu_surface_decode(&descriptor, &l->surfaces.surface[i], &field)) {
            return veu_command_fault(ring, VEU_FAULT_SURFACE_FIELD, at + field);
        }
    }
    l->phase = phase_start_thread;
    return VEU_RUN_MORE;
}

/* A fault of loading; @offset: of a message, or not applicable. */
static VeuRun load_fault(VeuRing *ring, const VeuFault *fault, uint32_t offset)
{
    VeuFaultPlace place = {
        .group = VEU_FAULT_NOT_APPLICABLE,
        .thread = VEU_FAULT_NOT_APPLICABLE,
        .message_offset = offset,
    };
    const VeuProgram *p = &ring->launch->program;

    if (offset < p->code_bytes) {
        const VeuMessageInfo *info = veu_message_find(p->code + offset,
                                                      p->code_bytes - offset);

        place.opcode = p->code[offset];
        place.sub = info ? info->sub : 0;
    }
    veu_fault_record(ring, fault, &place);
    return VEU_RUN_FAULT;
}

/* The end of loading: what is known only now. */
static VeuRun check_sizes(VeuRing *ring)
{
    const VeuProgram *program = &ring->launch->program;
    uint32_t field = veu_launch_bad_size(launch_args(ring), program);

    if (is_inline(ring) && program->message_count != 1) {
        field = offsetof(struct veu_launch, code_bytes);
    }

    if (field) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD,
                                 offsetof(struct veu_command_dispatch, launch) +
                                     field);
    }
    ring->launch->phase = phase_surfaces;
    return VEU_RUN_MORE;
}

static VeuRun phase_decode(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    uint32_t offset;
    VeuFault fault;

    switch (veu_program_decode(&l->program, DECODE_MESSAGES, &fault, &offset)) {
    case VEU_LOAD_MORE:
        return VEU_RUN_MORE;
    case VEU_LOAD_DONE:
        return check_sizes(ring);
    default:
        return load_fault(ring, &fault, offset);
    }
}

static VeuRun open_inline(VeuRing *ring)
{
    const struct veu_command_message *c = &ring->command.message;
    VeuLaunch *l = ring->launch;
    VeuFault fault;

    if (!veu_program_open_inline(&l->program, c->launch.simd,
                                 c->launch.grf_bytes, c->variables,
                                 c->launch.variable_count,
                                 c->launch.predicate_count, c->message,
                                 c->launch.code_bytes, &fault)) {
        return veu_command_fault(
            ring, VEU_FAULT_COMMAND_FIELD,
            offsetof(struct veu_command_message, variables) + fault.detail);
    }
    l->phase = phase_decode;
    return VEU_RUN_MORE;
}

/* Copies the program, a chunk at a time; then reads its header. */
static VeuRun phase_copy(VeuRing *ring)
{
    const struct veu_launch *args = launch_args(ring);
    VeuLaunch *l = ring->launch;
    uint32_t bytes = args->code_bytes - l->copied_bytes;
    VeuFault fault;

    bytes = bytes < COPY_BYTES ? bytes : COPY_BYTES;
    if (!veu_mem_read(&ring->context.mem, args->code_address + l->copied_bytes,
                      l->code + l->copied_bytes, bytes, &fault.address)) {
        veu_fault_address(&fault, VEU_FAULT_PROGRAM_MEMORY, fault.address,
                          args->code_bytes, VEU_ACCESS_READ);
        veu_fault_record(ring, &fault, NULL);
        return VEU_RUN_FAULT;
    }
    l->copied_bytes += bytes;
    if (l->copied_bytes < args->code_bytes) {
        return VEU_RUN_MORE;
    }
    if (!veu_program_open(&l->program, l->code, args->code_bytes, args->simd,
                          &fault)) {
        return veu_command_fault(ring, fault.code, fault.detail);
    }
    l->phase = phase_decode;
    return VEU_RUN_MORE;
}

static VeuRun begin(VeuRing *ring)
{
    VeuLaunch *l = ring->launch;
    uint32_t field = is_inline(ring) ?
                         veu_message_bad_field(&ring->command.message) :
                         veu_dispatch_bad_field(&ring->command.dispatch);

    if (field) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, field);
    }
    l->copied_bytes = 0;
    l->group = 0;
    l->thread = 0;
    l->phase = phase_copy;
    ring->command.begun = true;
    return is_inline(ring) ? open_inline(ring) : VEU_RUN_MORE;
}

VeuRun veu_launch_run(VeuRing *ring)
{
    return ring->command.begun ? ring->launch->phase(ring) : begin(ring);
}
