/*
 * veu device model: what all commands have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_H
#define VEU_DEVICE_COMMAND_H

#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/model.h"

/*
 * What all commands have in common: is that of the ring broken, and at which
 * offset? @info: of its opcode.
 */
bool veu_command_bad_field(const VeuRing *ring, const VeuCommandInfo *info,
                           uint32_t *at);

/* Does a piece of the ring's command, whose fields are checked before. */
static inline VeuRun veu_command_do_piece(VeuRing *ring)
{
    const VeuCommandInfo *info = ring->command.info;
    uint32_t at;

    if (info->bad_field && info->bad_field(ring, &at)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, at);
    }
    return info->run(ring);
}

/* Returns true if a command of the row can have the fault @code. */
bool veu_command_may_fault(const VeuCommandInfo *info, uint16_t code);

/* Returns true if the ring's command could have come as far as it says. */
bool veu_command_progress_is_legal(const VeuRing *ring, bool waits);

/* Like veu_command_fault(): the budget is spent before the command is done. */
VeuRun veu_command_overrun(VeuRing *ring);

#endif
