/*
 * veu device model: resets of rings and of the device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RESET_H
#define VEU_DEVICE_RESET_H

#include "hw/veu/device/model.h"

/*
 * Resets the model, but not the host: interrupts that are pending there may
 * have been loaded already.
 */
void veu_device_clear(VeuDevice *device);

/* Resets the registers of a ring, which stops immediately. */
void veu_ring_reset(VeuRing *ring);

#endif
