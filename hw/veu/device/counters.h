/*
 * veu device model: the counters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_COUNTERS_H
#define VEU_DEVICE_COUNTERS_H

#include "hw/veu/device/model.h"

/* Brings d->counter up to date; no step is under way. */
void veu_counters_gather(VeuDevice *d);

/* Does the device sleep from now on, or does it work? */
void veu_counters_idle(VeuDevice *d, bool idle);

/* What a write of COUNTER_CONTROL does. */
void veu_counters_snapshot(VeuDevice *d);

void veu_counters_reset(VeuDevice *d);

#endif
