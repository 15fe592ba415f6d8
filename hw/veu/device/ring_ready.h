/*
 * veu device model: rings: whether one has work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_READY_H
#define VEU_DEVICE_RING_READY_H

#include "hw/veu/device/model.h"

/* A rule keeps its command from continuing. */
static inline bool veu_ring_is_held(const VeuRing *ring)
{
    return ring->command.injected & VEU_INJECTED_HOLD;
}

/* Would a step do anything? Cheap; for rings that are idle. */
bool veu_ring_has_work(VeuRing *ring);

#endif
