/*
 * veu device model: the command table, and the commands of one piece.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/device/command.h"
#include "hw/veu/device/command_copy.h"
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_load.h"
#include "hw/veu/device/command_wait.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/launch.h"
#include "hw/veu/device/request.h"
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/rule.h"
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

    veu_ring_flush(ring);
    to = mem->map(mem, address, &bytes, VEU_ACCESS_WRITE);
    if (!to || bytes != sizeof(value)) {
        return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY, address,
                                        sizeof(value), VEU_ACCESS_WRITE);
    }
    __atomic_store_n((uint64_t *)to, value, __ATOMIC_RELEASE);
    return VEU_RUN_DONE;
}

static bool bad_fence(const VeuRing *ring, uint32_t *at)
{
    VEU_RULE(struct veu_command_fence, address,
             ring->command.fence.address % sizeof(uint64_t));
    return false;
}

static VeuRun run_fence(VeuRing *ring)
{
    const struct veu_command_fence *fence = &ring->command.fence;

    return store_qword(ring, fence->address, fence->value);
}

static bool bad_timestamp(const VeuRing *ring, uint32_t *at)
{
    VEU_RULE(struct veu_command_timestamp, address,
             ring->command.timestamp.address % sizeof(uint64_t));
    return false;
}

static VeuRun run_timestamp(VeuRing *ring)
{
    VeuHost *host = ring->device->host;

    return store_qword(ring, ring->command.timestamp.address,
                       host->now_ns(host));
}

static bool bad_invalidate(const VeuRing *ring, uint32_t *at)
{
    VEU_RULE(struct veu_command_invalidate, context,
             ring->command.invalidate.context >= ring->device->config.rings);
    return false;
}

/*
 * Steps of rings follow each other, and each begins without extents: nothing of
 * the context is under way.
 */
static VeuRun run_invalidate(VeuRing *ring)
{
    const struct veu_command_invalidate *c = &ring->command.invalidate;
    VeuDevice *d = ring->device;

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

#define FAULTS(first, last)                 \
    {                                       \
        VEU_FAULT_##first, VEU_FAULT_##last \
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
        .progress = VEU_PROGRESS_BEGUN,
        .faults = { FAULTS(MESSAGE_OPCODE, RESULT_MEMORY) },
        .run = veu_launch_run,
        .summary = "Runs one message that stands in the command.",
    },
    {
        .opcode = VEU_COMMAND_DISPATCH,
        .name = "dispatch",
        .slots = 2,
        RESERVED(veu_command_dispatch, launch.reserved),
        .is_launch = true,
        .progress = VEU_PROGRESS_BEGUN,
        .faults = { FAULTS(PROGRAM_MEMORY, PROGRAM_HANDLE),
                    FAULTS(MESSAGE_OPCODE, RESULT_MEMORY) },
        .run = veu_launch_run,
        .summary = "Runs a program on groups * threads EU threads.",
    },
    {
        .opcode = VEU_COMMAND_FENCE,
        .name = "fence",
        .slots = 1,
        RESERVED(veu_command_fence, reserved),
        .access = { ACCESS(fence, address, WRITE) },
        .bad_field = bad_fence,
        .run = run_fence,
        .summary = "Stores a value after all earlier commands.",
    },
    {
        .opcode = VEU_COMMAND_WAIT,
        .name = "wait",
        .slots = 1,
        RESERVED(veu_command_wait, reserved),
        .access = { ACCESS(wait, address, READ) },
        .progress = VEU_PROGRESS_WAIT,
        .faults = { FAULTS(WAIT_TIMEOUT, WAIT_TIMEOUT) },
        .bad_field = veu_wait_bad_field,
        .run = veu_wait_run,
        .summary = "Waits until a word in memory fulfils a condition.",
    },
    {
        .opcode = VEU_COMMAND_TIMESTAMP,
        .name = "timestamp",
        .slots = 1,
        RESERVED(veu_command_timestamp, reserved),
        .access = { ACCESS(timestamp, address, WRITE) },
        .bad_field = bad_timestamp,
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
        .progress = VEU_PROGRESS_BYTES,
        .bad_field = veu_copy_bad_field,
        .run = veu_copy_run,
        .summary = "Copies memory.",
    },
    {
        .opcode = VEU_COMMAND_FILL,
        .name = "fill",
        .slots = 1,
        RESERVED(veu_command_fill, reserved),
        .access = { ACCESS_BYTES(fill, destination, WRITE) },
        .progress = VEU_PROGRESS_BYTES,
        .bad_field = veu_fill_bad_field,
        .run = veu_fill_run,
        .summary = "Fills memory with 8 bytes.",
    },
    {
        .opcode = VEU_COMMAND_KERNEL,
        .name = "kernel",
        .slots = 3,
        RESERVED(veu_command_kernel, reserved),
        .is_launch = true,
        .progress = VEU_PROGRESS_BEGUN,
        .faults = { FAULTS(PROGRAM_MEMORY, PROGRAM_HANDLE),
                    FAULTS(MESSAGE_OPCODE, PAYLOAD_MEMORY) },
        .run = veu_launch_run,
        .summary = "Runs a program of kind 1 on a grid of groups.",
    },
    {
        .opcode = VEU_COMMAND_LOAD,
        .name = "load",
        .slots = 1,
        RESERVED(veu_command_load, reserved),
        .progress = VEU_PROGRESS_BEGUN,
        .faults = { FAULTS(PROGRAM_MEMORY, PROGRAM_SPACE) },
        .bad_field = veu_load_bad_command,
        .run = veu_load_run,
        .summary = "Loads a program, which stays for later launches.",
    },
    {
        .opcode = VEU_COMMAND_UNLOAD,
        .name = "unload",
        .slots = 1,
        RESERVED(veu_command_unload, reserved),
        .faults = { FAULTS(PROGRAM_HANDLE, PROGRAM_HANDLE) },
        .run = veu_unload_run,
        .summary = "Unloads a program.",
    },
    {
        .opcode = VEU_COMMAND_INVALIDATE,
        .name = "invalidate",
        .slots = 1,
        RESERVED(veu_command_invalidate, reserved),
        .needs_identity = true,
        .bad_field = bad_invalidate,
        .run = run_invalidate,
        .summary = "Drops what is kept of page tables.",
    },
};

const unsigned veu_command_count = VEU_ARRAY_SIZE(veu_commands);

const VeuCommandInfo *veu_command_find(uint8_t opcode)
{
    for (unsigned i = 0; i < veu_command_count; i++) {
        if (veu_commands[i].opcode == opcode) {
            return &veu_commands[i];
        }
    }
    return NULL;
}

bool veu_command_may_fault(const VeuCommandInfo *info, uint16_t code)
{
    /* Before it: rings and all commands. */
    if (code < VEU_FAULT_PROGRAM_MEMORY && code != VEU_FAULT_COMMAND_MEMORY &&
        code != VEU_FAULT_WAIT_TIMEOUT) {
        return true;
    }
    if (code == VEU_FAULT_COMMAND_MEMORY) {
        return info->access[0].how != VEU_ACCESS_NONE;
    }
    for (unsigned i = 0; i < VEU_COMMAND_FAULTS; i++) {
        if (code >= info->faults[i].first && code <= info->faults[i].last) {
            return true;
        }
    }
    return false;
}

/* The bytes that a command of VEU_PROGRESS_BYTES moves. */
static uint32_t all_bytes(const VeuCommand *c)
{
    uint32_t bytes = 0;

    if (c->info->progress == VEU_PROGRESS_BYTES) {
        memcpy(&bytes, c->bytes + c->info->access[0].bytes_at, sizeof(bytes));
    }
    return bytes;
}

bool veu_command_progress_is_legal(const VeuRing *ring, bool waits)
{
    const VeuCommand *c = &ring->command;
    VeuProgress progress = c->info->progress;
    bool begins = progress == VEU_PROGRESS_BEGUN ||
                  progress == VEU_PROGRESS_WAIT;
    uint32_t at;

    if (waits && (progress != VEU_PROGRESS_WAIT || !c->begun)) {
        return false;
    }
    if (c->begun &&
        (!begins || (c->info->bad_field && c->info->bad_field(ring, &at)))) {
        return false;
    }
    return c->bytes_done <= all_bytes(c);
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

    VEU_RULE(struct veu_command_header, slots, c->header.slots != info->slots);
    VEU_RULE(struct veu_command_header, flags, bad_flags(ring));
    *at = info->reserved_at;
    return !veu_is_zero(c->bytes + info->reserved_at, info->reserved_bytes);
}
