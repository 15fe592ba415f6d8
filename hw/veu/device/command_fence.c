/*
 * veu device model: the commands NOP, FENCE and TIMESTAMP.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_row.h"
#include "hw/veu/eu/rule.h"

static VeuRun run_nop(VeuRing *ring)
{
    return VEU_RUN_DONE;
}

const VeuCommandInfo veu_command_row_nop = {
    VEU_COMMAND_ROW(NOP, nop, reserved),
    .run = run_nop,
    .summary = "Does nothing.",
};

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

const VeuCommandInfo veu_command_row_fence = {
    VEU_COMMAND_ROW(FENCE, fence, reserved),
    .access = { VEU_COMMAND_WORD(fence, address, WRITE) },
    .bad_field = bad_fence,
    .run = run_fence,
    .summary = "Stores a value after all earlier commands.",
};

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

const VeuCommandInfo veu_command_row_timestamp = {
    VEU_COMMAND_ROW(TIMESTAMP, timestamp, reserved),
    .access = { VEU_COMMAND_WORD(timestamp, address, WRITE) },
    .bad_field = bad_timestamp,
    .run = run_timestamp,
    .summary = "Stores the device clock.",
};
