/*
 * veu device model: rings: what the device stores for the driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_PUBLISH_H
#define VEU_DEVICE_RING_PUBLISH_H

#include "hw/veu/device/model.h"

/* Stores the words that the device writes; a ring that cannot is halted. */
void veu_shared_publish(VeuRing *ring);

/* Tells the driver that it has to kick; the host fences afterwards. */
void veu_shared_sleep(VeuRing *ring);

/* The driver need not kick any more: it hears of that at once. */
void veu_shared_wake(VeuRing *ring);

#endif
