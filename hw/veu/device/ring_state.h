/*
 * veu device model: rings: their states.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_STATE_H
#define VEU_DEVICE_RING_STATE_H

#include "hw/veu/device/model.h"

/* Returns true if the ring may use its context. */
static inline bool veu_ring_is_at_work(const VeuRing *ring)
{
    return ring->state == VEU_RING_RUNNING || ring->state == VEU_RING_DRAINING;
}

/* The driver has it do nothing, and keep its state. */
static inline bool veu_ring_is_paused(const VeuRing *ring)
{
    return veu_ring_get(ring, VEU_ROW_RING_CONTROL) & VEU_RING_PAUSE;
}

/*
 * The context is still to be copied: the ring was loaded from a state whose
 * device did that in the next step, and not in the write of RELOAD.
 */
static inline bool veu_ring_is_to_reload(const VeuRing *ring)
{
    return veu_ring_get(ring, VEU_ROW_RING_CONTROL) & VEU_RING_RELOAD;
}

/* The ring changes its state; the driver sees it when that is published. */
void veu_ring_set_state(VeuRing *ring, enum veu_ring_state state);

/*
 * Forgets the command at work, its faults, requests and context: the ring is
 * reset, or starts again. Registers stay.
 */
void veu_ring_forget_run(VeuRing *ring);

/* A fault of the ring itself: it stops, whatever the policy. */
void veu_ring_halt(VeuRing *ring, const VeuFault *fault);

/* The same: what the ring itself needs is not in RAM. */
void veu_ring_halt_memory(VeuRing *ring, uint64_t address, uint32_t bytes,
                          enum veu_access access);

#endif
