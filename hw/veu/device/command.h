/*
 * veu device model: what all commands have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_H
#define VEU_DEVICE_COMMAND_H

#include "hw/veu/device/model.h"

/*
 * What all commands have in common: is that of the ring broken, and at which
 * offset? @info: of its opcode.
 */
bool veu_command_bad_field(const VeuRing *ring, const VeuCommandInfo *info,
                           uint32_t *at);

/* Like veu_command_fault(): the budget is spent before the command is done. */
VeuRun veu_command_overrun(VeuRing *ring);

#endif
