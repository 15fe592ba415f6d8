/*
 * veu device model: the legal values of fields of dispatches and inline
 * messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_LAUNCH_RULES_H
#define VEU_DEVICE_LAUNCH_RULES_H

#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/*
 * Returns true if a field is illegal, with the byte offset of the first one in
 * *at.
 */
bool veu_dispatch_bad_field(const struct veu_command_dispatch *command,
                            uint32_t *at);
bool veu_message_bad_field(const struct veu_command_message *command,
                           uint32_t *at);
/*
 * Like veu_dispatch_bad_field(), for the parts of the command that an inline
 * message does not use.
 */
bool veu_message_bad_rest(const struct veu_command_message *command,
                          uint32_t *at);

/*
 * Checks payload and result against the program; *at is an offset in the
 * launch.
 */
bool veu_launch_bad_size(const struct veu_launch *launch,
                         const VeuProgram *program, uint32_t *at);

#endif
