/*
 * veu device model: what the fields of a dispatch or inline message may say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_LAUNCH_RULES_H
#define VEU_DEVICE_LAUNCH_RULES_H

#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/* Byte offset in the command of the first illegal field, or 0. */
uint32_t veu_dispatch_bad_field(const struct veu_command_dispatch *command);
uint32_t veu_message_bad_field(const struct veu_command_message *command);
/* The same, of what an inline message does not use of its command. */
uint32_t veu_message_bad_rest(const struct veu_command_message *command);

/* Payload and result against the program: offset in the launch, or 0. */
uint32_t veu_launch_bad_size(const struct veu_launch *launch,
                             const VeuProgram *program);

#endif
