/*
 * veu device model: the counters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a ring does is counted once, in VeuRing.counted. Before anybody looks,
 * and before the ring gets another context, that is added to the counters of
 * the device, the ring and the context.
 */
#ifndef VEU_DEVICE_COUNTERS_H
#define VEU_DEVICE_COUNTERS_H

#include "hw/veu/device/model.h"

/* Adds up what the ring has counted while it was bound to its context. */
void veu_counters_settle(VeuRing *ring);

/* Brings all counters up to date; no step is under way. */
void veu_counters_gather(VeuDevice *d);

/* The device sleeps from now on if @idle; otherwise it works. */
void veu_counters_idle(VeuDevice *d, bool idle);

/* What writes of COUNTER_CONTROL do: SNAPSHOT, and RINGS. */
void veu_counters_snapshot(VeuDevice *d);
void veu_counters_snapshot_rings(VeuDevice *d);

void veu_counters_reset(VeuDevice *d);

#endif
