/*
 * veu device model: the command table, and the commands of one piece.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/command.h"
#include "hw/veu/device/command_copy.h"
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_load.h"
#include "hw/veu/device/command_wait.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/launch.h"
#include "hw/veu/device/request.h"
#include "hw/veu/eu/zero.h"

VeuRun veu_command_overrun(VeuRing *ring)
{
    VeuFaultPlace place;
    VeuFault fault;
    bool has_place = ring->command.info->is_launch &&
                     veu_launch_place(ring, &place);

    veu_fault_form(&fault, VEU_FAULT_BUDGET, 0);
    fault.bytes_done = ring->command.bytes_done;
    veu_fault_record(ring, &fault, has_place ? &place : NULL);
    return VEU_RUN_FAULT;
}

static VeuRun run_nop(VeuRing *ring)
{
    return VEU_RUN_DONE;
}

/*
 * Stores 8 bytes for the driver to wait on. Whoever reads them sees all that
 * went before: it is marked as written first, and the store is a release.
 */
static VeuRun store_qword(VeuRing *ring, uint64_t address, uint64_t value)
{
    VeuMem *mem = &ring->context.mem;
    uint32_t bytes = sizeof(value);
    uint8_t *to;

    if (address % sizeof(value)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD,
                                 offsetof(struct veu_command_fence, address));
    }
    veu_ring_flush(ring);
    to = mem->map(mem, address, &bytes, VEU_ACCESS_WRITE);
    if (!to || bytes != sizeof(value)) {
        return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY, address,
                                        sizeof(value), VEU_ACCESS_WRITE);
    }
    __atomic_store_n((uint64_t *)to, value, __ATOMIC_RELEASE);
    return VEU_RUN_DONE;
}

static VeuRun run_fence(VeuRing *ring)
{
    const struct veu_command_fence *fence = &ring->command.fence;

    return store_qword(ring, fence->address, fence->value);
}

_Static_assert(offsetof(struct veu_command_fence, address) ==
                   offsetof(struct veu_command_timestamp, address),
               "store_qword() names the field for both");

static VeuRun run_timestamp(VeuRing *ring)
{
    VeuHost *host = ring->device->host;

    return store_qword(ring, ring->command.timestamp.address,
                       host->now_ns(host));
}

/*
 * Steps of rings follow each other, and each begins without extents: nothing of
 * the context is under way.
 */
static VeuRun run_invalidate(VeuRing *ring)
{
    const struct veu_command_invalidate *c = &ring->command.invalidate;
    VeuDevice *d = ring->device;

    if (c->context >= d->config.rings) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD,
                                 offsetof(struct veu_command_invalidate,
                                          context));
    }
    veu_tlb_forget(&d->tlbs[c->context], c->range & -VEU_PAGE_BYTES,
                   c->range & 0x3f);
    return VEU_RUN_DONE;
}

#define RESERVED(type, field)                    \
    .reserved_at = offsetof(struct type, field), \
    .reserved_bytes = sizeof(((struct type *)0)->field)

#define AT(type, field) offsetof(struct veu_command_##type, field)
#define ACCESS(type, field, how_)                               \
    {                                                           \
        .address_at = AT(type, field), .how = VEU_ACCESS_##how_ \
    }
#define ACCESS_BYTES(type, field, how_)                             \
    {                                                               \
        .address_at = AT(type, field), .bytes_at = AT(type, bytes), \
        .how = VEU_ACCESS_##how_,                                   \
    }

const VeuCommandInfo veu_commands[] = {
    {
        .opcode = VEU_COMMAND_NOP,
        .name = "nop",
        .slots = 1,
        RESERVED(veu_command_nop, reserved),
        .run = run_nop,
        .summary = "Does nothing.",
    },
    {
        .opcode = VEU_COMMAND_MESSAGE,
        .name = "message",
        .slots = 4,
        RESERVED(veu_command_message, launch.reserved),
        .is_launch = true,
        .run = veu_launch_run,
        .summary = "Runs one message that stands in the command.",
    },
    {
        .opcode = VEU_COMMAND_DISPATCH,
        .name = "dispatch",
        .slots = 2,
        RESERVED(veu_command_dispatch, launch.reserved),
        .is_launch = true,
        .run = veu_launch_run,
        .summary = "Runs a program on groups * threads EU threads.",
    },
    {
        .opcode = VEU_COMMAND_FENCE,
        .name = "fence",
        .slots = 1,
        RESERVED(veu_command_fence, reserved),
        .access = { ACCESS(fence, address, WRITE) },
        .run = run_fence,
        .summary = "Stores a value after all earlier commands.",
    },
    {
        .opcode = VEU_COMMAND_WAIT,
        .name = "wait",
        .slots = 1,
        RESERVED(veu_command_wait, reserved),
        .access = { ACCESS(wait, address, READ) },
        .run = veu_wait_run,
        .summary = "Waits until a word in memory fulfils a condition.",
    },
    {
        .opcode = VEU_COMMAND_TIMESTAMP,
        .name = "timestamp",
        .slots = 1,
        RESERVED(veu_command_timestamp, reserved),
        .access = { ACCESS(timestamp, address, WRITE) },
        .run = run_timestamp,
        .summary = "Stores the device clock.",
    },
    {
        .opcode = VEU_COMMAND_COPY,
        .name = "copy",
        .slots = 1,
        RESERVED(veu_command_copy, reserved),
        .access = { ACCESS_BYTES(copy, source, READ),
                    ACCESS_BYTES(copy, destination, WRITE) },
        .run = veu_copy_run,
        .summary = "Copies memory.",
    },
    {
        .opcode = VEU_COMMAND_FILL,
        .name = "fill",
        .slots = 1,
        RESERVED(veu_command_fill, reserved),
        .access = { ACCESS_BYTES(fill, destination, WRITE) },
        .run = veu_fill_run,
        .summary = "Fills memory with 8 bytes.",
    },
    {
        .opcode = VEU_COMMAND_KERNEL,
        .name = "kernel",
        .slots = 3,
        RESERVED(veu_command_kernel, reserved),
        .is_launch = true,
        .run = veu_launch_run,
        .summary = "Runs a program of kind 1 on a grid of groups.",
    },
    {
        .opcode = VEU_COMMAND_LOAD,
        .name = "load",
        .slots = 1,
        RESERVED(veu_command_load, reserved),
        .run = veu_load_run,
        .summary = "Loads a program, which stays for later launches.",
    },
    {
        .opcode = VEU_COMMAND_UNLOAD,
        .name = "unload",
        .slots = 1,
        RESERVED(veu_command_unload, reserved),
        .run = veu_unload_run,
        .summary = "Unloads a program.",
    },
    {
        .opcode = VEU_COMMAND_INVALIDATE,
        .name = "invalidate",
        .slots = 1,
        RESERVED(veu_command_invalidate, reserved),
        .needs_identity = true,
        .run = run_invalidate,
        .summary = "Drops what is kept of page tables.",
    },
};

const unsigned veu_command_count = sizeof(veu_commands) /
                                   sizeof(veu_commands[0]);

const VeuCommandInfo *veu_command_find(uint8_t opcode)
{
    for (unsigned i = 0; i < veu_command_count; i++) {
        if (veu_commands[i].opcode == opcode) {
            return &veu_commands[i];
        }
    }
    return NULL;
}

/* A ring without an array for them stores no times. */
static bool bad_flags(const VeuRing *ring)
{
    uint16_t others = ring->command.header.flags & ~VEU_COMMAND_INTERRUPT;

    return others && (others != VEU_COMMAND_TIMES ||
                      !veu_ring_get(ring, VEU_ROW_RING_TIMES));
}

bool veu_command_bad_field(const VeuRing *ring, const VeuCommandInfo *info,
                           uint32_t *at)
{
    const VeuCommand *c = &ring->command;

    if (c->header.slots != info->slots) {
        *at = offsetof(struct veu_command_header, slots);
        return true;
    }
    if (bad_flags(ring)) {
        *at = offsetof(struct veu_command_header, flags);
        return true;
    }
    *at = info->reserved_at;
    return !veu_is_zero(c->bytes + info->reserved_at, info->reserved_bytes);
}
