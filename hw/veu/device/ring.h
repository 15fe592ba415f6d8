/*
 * veu device model: rings: their control register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_H
#define VEU_DEVICE_RING_H

#include "hw/veu/device/model.h"

/* Implements a write to RING_CONTROL. */
void veu_ring_control(VeuRing *ring, uint32_t control);

#endif
