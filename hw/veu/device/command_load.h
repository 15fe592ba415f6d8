/*
 * veu device model: the commands LOAD and UNLOAD.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_LOAD_H
#define VEU_DEVICE_COMMAND_LOAD_H

#include "hw/veu/device/model.h"

/* Pieces of LOAD; UNLOAD, which is one. */
VeuRun veu_load_run(VeuRing *ring);
VeuRun veu_unload_run(VeuRing *ring);

/* VeuCommandInfo.bad_field of LOAD. */
bool veu_load_bad_command(const VeuRing *ring, uint32_t *at);

/* True: *at is the byte offset of a LOAD's first illegal field. */
bool veu_load_bad_field(const struct veu_command_load *command, uint32_t *at);

#endif
