/*
 * veu device model: the state of groups in flight.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_STATE_GROUP_H
#define VEU_DEVICE_STATE_GROUP_H

#include "hw/veu/device/stream.h"

/*
 * Requires that the ring's command is a KERNEL whose program and surfaces are
 * loaded.
 */
bool veu_groups_move(VeuRing *ring, VeuStream *stream);

#endif
