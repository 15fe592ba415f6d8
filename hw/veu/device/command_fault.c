/*
 * veu device model: faults of the command in progress, and its budget.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/fault_queue.h"
#include "hw/veu/device/request.h"

VeuRun veu_command_fault(VeuRing *ring, uint16_t code, uint32_t detail)
{
    VeuFault fault;

    veu_fault_form(&fault, code, detail);
    veu_fault_record(ring, &fault, NULL);
    return VEU_RUN_FAULT;
}

VeuRun veu_command_memory_fault(VeuRing *ring, uint16_t code, uint64_t address,
                                uint32_t bytes, enum veu_access access)
{
    VeuFault fault;

    if (veu_request_for_command(ring)) {
        return VEU_RUN_BLOCKED;
    }
    veu_fault_address(&fault, code, address, bytes, access);
    fault.bytes_done = ring->command.bytes_done;
    fault.detail = veu_mem_why(&ring->context.mem, address);
    veu_fault_record(ring, &fault, NULL);
    return VEU_RUN_FAULT;
}

uint32_t veu_command_budget_left(const VeuRing *ring)
{
    uint64_t budget = veu_ring_get(ring, VEU_ROW_RING_BUDGET);
    uint64_t cost = ring->command.cost;

    if (!budget) {
        return UINT32_MAX;
    }
    return budget > cost ? budget - cost : 0;
}
