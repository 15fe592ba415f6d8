/*
 * veu device model: rings: whether one has work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/command_wait.h"
#include "hw/veu/device/inject_fire.h"
#include "hw/veu/device/ring_ready.h"
#include "hw/veu/device/ring_shared.h"
#include "hw/veu/device/ring_state.h"

#define SHARED_OFFSET(field) offsetof(struct veu_ring_shared, field)

/* Returns true if a step would advance the command. */
static bool command_goes_on(VeuRing *ring)
{
    if (ring->blocked) {
        return false;
    }
    return veu_ring_is_held(ring) ?
               !veu_inject_holds(ring) :
               !ring->command.waits || !veu_wait_goes_on(ring);
}

/* The driver may store a tail at any time. */
static bool tail_moved(VeuRing *ring)
{
    uint32_t tail;

    return !veu_shared_load(ring, SHARED_OFFSET(tail), &tail) ||
           tail != (uint32_t)veu_ring_get(ring, VEU_ROW_RING_HEAD);
}

bool veu_ring_has_work(VeuRing *ring)
{
    if (veu_ring_is_paused(ring)) {
        return false;
    }
    if (veu_ring_is_to_reload(ring)) {
        return true; /* its old context must not be used to read a tail */
    }
    switch (ring->state) {
    case VEU_RING_RUNNING:
        return ring->start || ring->publish ||
               (ring->command.info ? command_goes_on(ring) : tail_moved(ring));
    case VEU_RING_DRAINING:
        return !ring->command.info || veu_ring_gives_up(ring) ||
               !(veu_ring_is_held(ring) || ring->blocked) ||
               command_goes_on(ring);
    default:
        return ring->publish;
    }
}
