/*
 * veu device model: rings: whether one has work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_READY_H
#define VEU_DEVICE_RING_READY_H

#include "hw/veu/device/model.h"

/* Returns true if a rule holds its command. */
static inline bool veu_ring_is_held(const VeuRing *ring)
{
    return ring->command.injected & VEU_INJECTED_HOLD;
}

/*
 * Returns true if a drain gives the command up: it does not wait for a WAIT,
 * nor for the page of its word.
 */
static inline bool veu_ring_gives_up(const VeuRing *ring)
{
    const VeuCommand *c = &ring->command;

    return c->info && !veu_ring_is_held(ring) &&
           (c->waits ||
            (c->header.opcode == VEU_COMMAND_WAIT && ring->blocked));
}

/* Returns true if a step would do anything. Cheap; for idle rings. */
bool veu_ring_has_work(VeuRing *ring);

#endif
