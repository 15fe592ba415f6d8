/*
 * veu device model: the common part of all commands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_H
#define VEU_DEVICE_COMMAND_H

#include "hw/veu/device/model.h"

/*
 * Checks the rules that all commands share. Returns true if the ring's command
 * breaks one, with the field's offset in *at. @info is the row of its opcode.
 */
bool veu_command_bad_field(const VeuRing *ring, const VeuCommandInfo *info,
                           uint32_t *at);

/* Returns true if a command of the row can have the fault @code. */
bool veu_command_may_fault(const VeuCommandInfo *info, uint16_t code);

/*
 * Returns true if the ring's command can have made the progress that its state
 * claims.
 */
bool veu_command_progress_is_legal(const VeuRing *ring, bool waits);

#endif
