/*
 * veu device model: the command WAIT.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_WAIT_H
#define VEU_DEVICE_COMMAND_WAIT_H

#include "hw/veu/device/model.h"

/* VeuCommandInfo.bad_field of WAIT. */
bool veu_wait_bad_field(const VeuRing *ring, uint32_t *at);

/* Looks at the word of a WAIT. */
VeuRun veu_wait_run(VeuRing *ring);

/* Cheap: would it say VEU_RUN_WAIT again? */
bool veu_wait_goes_on(VeuRing *ring);

#endif
