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

/* Returns true if the driver has paused the ring, which keeps its state. */
static inline bool veu_ring_is_paused(const VeuRing *ring)
{
    return veu_ring_get(ring, VEU_ROW_RING_CONTROL) & VEU_RING_PAUSE;
}

/*
 * Returns true if the context must still be copied: the ring was loaded from a
 * state of a device that did so in the step after RELOAD, not in the write.
 */
static inline bool veu_ring_is_to_reload(const VeuRing *ring)
{
    return veu_ring_get(ring, VEU_ROW_RING_CONTROL) & VEU_RING_RELOAD;
}

/* Changes the state of the ring. The driver sees it once it is published. */
void veu_ring_set_state(VeuRing *ring, enum veu_ring_state state);

/*
 * Forgets the current command, faults, requests and context, when the ring is
 * reset or starts again. Registers are preserved.
 */
void veu_ring_forget_run(VeuRing *ring);

/* Records a fault of the ring itself, which stops it whatever the policy is. */
void veu_ring_halt(VeuRing *ring, const VeuFault *fault);

/* Like veu_ring_halt(), for memory of the ring itself that is not in RAM. */
void veu_ring_halt_memory(VeuRing *ring, uint64_t address, uint32_t bytes,
                          enum veu_access access);

#endif
