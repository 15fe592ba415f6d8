/*
 * veu device model: which ring is next.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_SCHEDULE_H
#define VEU_DEVICE_SCHEDULE_H

#include "hw/veu/device/model.h"

/* The ring has had a turn: ring->cost. */
void veu_schedule_charge(VeuRing *ring);

#endif
