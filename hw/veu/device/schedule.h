/*
 * veu device model: the choice of the next ring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_SCHEDULE_H
#define VEU_DEVICE_SCHEDULE_H

#include "hw/veu/device/model.h"

/* Charges the ring for its turn: ring->cost. */
void veu_schedule_charge(VeuRing *ring);

#endif
