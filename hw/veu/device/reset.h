/*
 * veu device model: what a reset leaves of rings and of the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RESET_H
#define VEU_DEVICE_RESET_H

#include "hw/veu/device/model.h"

/*
 * The model to its reset state, but nothing of the host: interrupts that are
 * pending there may have been loaded already.
 */
void veu_device_clear(VeuDevice *device);

/* Registers of a ring back to their reset values; it stops where it is. */
void veu_ring_reset(VeuRing *ring);

#endif
