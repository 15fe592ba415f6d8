/*
 * veu device model: the state of a launch that is under way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_STATE_LAUNCH_H
#define VEU_DEVICE_STATE_LAUNCH_H

#include "hw/veu/device/stream.h"

/* Requires that the ring's command is a launch that has begun. */
bool veu_launch_move(VeuRing *ring, VeuStream *stream);

#endif
