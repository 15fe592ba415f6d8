/*
 * veu device model: the command LOAD.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_LOAD_H
#define VEU_DEVICE_COMMAND_LOAD_H

#include "hw/veu/device/model.h"

/*
 * Returns true if a field of a LOAD is illegal, with the first one's byte
 * offset in *at.
 */
bool veu_load_bad_field(const struct veu_command_load *command, uint32_t *at);

#endif
