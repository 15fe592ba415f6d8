/*
 * veu device model: a piece of the command in progress.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_PIECE_H
#define VEU_DEVICE_COMMAND_PIECE_H

#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/model.h"

/* Performs a piece of the ring's command, whose fields have been checked. */
static inline VeuRun veu_command_do_piece(VeuRing *ring)
{
    const VeuCommandInfo *info = ring->command.info;
    uint32_t at;

    if (info->bad_field && info->bad_field(ring, &at)) {
        return veu_command_fault(ring, VEU_FAULT_COMMAND_FIELD, at);
    }
    return info->run(ring);
}

#endif
