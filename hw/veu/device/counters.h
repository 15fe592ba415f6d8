/*
 * veu device model: the counters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The work of a ring is counted once, in VeuRing.counted. Before counters are
 * read, and before the ring is bound to another context, that is added to the
 * counters of the device, the ring and the context.
 */
#ifndef VEU_DEVICE_COUNTERS_H
#define VEU_DEVICE_COUNTERS_H

#include "hw/veu/device/model.h"

/*
 * Adds the ring's counts to the counters of the context that it was bound to.
 */
void veu_counters_settle(VeuRing *ring);

/* Brings all counters up to date. Must not be called during a step. */
void veu_counters_gather(VeuDevice *d);

/* Records that the device sleeps from now on if @idle, or works otherwise. */
void veu_counters_idle(VeuDevice *d, bool idle);

/* Implement writes of COUNTER_CONTROL: SNAPSHOT, and RINGS. */
void veu_counters_snapshot(VeuDevice *d);
void veu_counters_snapshot_rings(VeuDevice *d);

void veu_counters_reset(VeuDevice *d);

#endif
