/*
 * veu device model: what the fields of a dispatch or inline message may say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_LAUNCH_RULES_H
#define VEU_DEVICE_LAUNCH_RULES_H

#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/* True: *at is the byte offset in the command of the first illegal field. */
bool veu_dispatch_bad_field(const struct veu_command_dispatch *command,
                            uint32_t *at);
bool veu_message_bad_field(const struct veu_command_message *command,
                           uint32_t *at);
/* The same, of what an inline message does not use of its command. */
bool veu_message_bad_rest(const struct veu_command_message *command,
                          uint32_t *at);

/* Payload and result against the program; *at is an offset in the launch. */
bool veu_launch_bad_size(const struct veu_launch *launch,
                         const VeuProgram *program, uint32_t *at);

#endif
