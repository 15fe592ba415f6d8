/*
 * veu device model: faults of the command in progress, and its budget.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_FAULT_H
#define VEU_DEVICE_COMMAND_FAULT_H

#include "hw/veu/device/model.h"

/* Records a fault of the command in progress, which ends it. */
VeuRun veu_command_fault(VeuRing *ring, uint16_t code, uint32_t detail);

/*
 * Handles an access of @bytes at @address that the gate has refused: either
 * requests the pages and returns VEU_RUN_BLOCKED, or records a fault that ends
 * the command.
 */
VeuRun veu_command_memory_fault(VeuRing *ring, uint16_t code, uint64_t address,
                                uint32_t bytes, enum veu_access access);

/* The units that RING_BUDGET leaves the command; UINT32_MAX: no limit. */
uint32_t veu_command_budget_left(const VeuRing *ring);

#endif
