/*
 * veu device model: the command WAIT.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COMMAND_WAIT_H
#define VEU_DEVICE_COMMAND_WAIT_H

#include "hw/veu/device/model.h"

/* Cheap: returns true if the next look at the word would be VEU_RUN_WAIT. */
bool veu_wait_goes_on(VeuRing *ring);

#endif
