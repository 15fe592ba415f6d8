/*
 * veu device model: rings: the device's stores for the driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_PUBLISH_H
#define VEU_DEVICE_RING_PUBLISH_H

#include "hw/veu/device/model.h"

/* Stores the device's words. A ring that cannot store them is halted. */
void veu_shared_publish(VeuRing *ring);

/* Tells the driver to kick; the host issues a fence afterwards. */
void veu_shared_sleep(VeuRing *ring);

/* Tells the driver, at once, that it need not kick any more. */
void veu_shared_wake(VeuRing *ring);

#endif
