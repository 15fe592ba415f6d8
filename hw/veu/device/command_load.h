/*
 * veu device model: the command LOAD.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_LOAD_H
#define VEU_DEVICE_COMMAND_LOAD_H

#include "hw/veu/device/model.h"

/* True: *at is the byte offset of a LOAD's first illegal field. */
bool veu_load_bad_field(const struct veu_command_load *command, uint32_t *at);

#endif
