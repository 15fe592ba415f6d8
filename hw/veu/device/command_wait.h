/*
 * veu device model: the command WAIT.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_WAIT_H
#define VEU_DEVICE_COMMAND_WAIT_H

#include "hw/veu/device/model.h"

/* The offset of a WAIT's field that is illegal, or 0. */
uint32_t veu_wait_bad_field(const VeuRing *ring);

/* Looks at the word of a WAIT. */
VeuRun veu_wait_run(VeuRing *ring);

/* Cheap: would it say VEU_RUN_WAIT again? */
bool veu_wait_goes_on(VeuRing *ring);

#endif
