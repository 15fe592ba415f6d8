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

/* A drain does not wait for a WAIT, nor for the page of its word. */
static inline bool veu_ring_gives_up(const VeuRing *ring)
{
    const VeuCommand *c = &ring->command;

    return c->info && !veu_ring_is_held(ring) &&
           (c->waits ||
            (c->header.opcode == VEU_COMMAND_WAIT && ring->blocked));
}

/* Would a step do anything? Cheap; for rings that are idle. */
bool veu_ring_has_work(VeuRing *ring);

#endif
