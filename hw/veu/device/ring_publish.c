/*
 * veu device model: rings: the device's stores for the driver.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 4.
 */
#include <stddef.h>
#include "hw/veu/device/ring_publish.h"
#include "hw/veu/device/ring_shared.h"
#include "hw/veu/device/ring_state.h"

#define SHARED_OFFSET(field) offsetof(struct veu_ring_shared, field)

/*
 * Stores the device's half of the shared block. All data is stored before the
 * head, and everything else before the state.
 */
static bool store_shared(VeuRing *ring)
{
    uint32_t *half;

    veu_ring_flush(ring);
    half = veu_shared_map(ring, SHARED_OFFSET(head), VEU_SLOT_BYTES,
                          VEU_ACCESS_WRITE);
    if (!half) {
        return false;
    }
#define STORE(field, value)                                                   \
    __atomic_store_n(half + (SHARED_OFFSET(field) - SHARED_OFFSET(head)) / 4, \
                     (uint32_t)(value), __ATOMIC_RELEASE)
    STORE(asleep, ring->asleep);
    STORE(fault_overflow, ring->fault_overflow);
    STORE(fault_tail, ring->fault_tail);
    if (!ring->hides_head) {
        STORE(head, veu_ring_get(ring, VEU_ROW_RING_HEAD));
    }
    STORE(state, ring->state);
#undef STORE
    return true;
}

void veu_shared_publish(VeuRing *ring)
{
    if (!store_shared(ring) && ring->state == VEU_RING_RUNNING) {
        veu_ring_halt_memory(ring,
                             veu_ring_get(ring, VEU_ROW_RING_SHARED) +
                                 SHARED_OFFSET(head),
                             VEU_SLOT_BYTES, VEU_ACCESS_WRITE);
    }
}

void veu_shared_wake(VeuRing *ring)
{
    uint32_t *asleep = veu_shared_map(ring, SHARED_OFFSET(asleep),
                                      sizeof(*asleep), VEU_ACCESS_WRITE);

    ring->asleep = false;
    if (asleep) {
        __atomic_store_n(asleep, 0, __ATOMIC_RELAXED);
    }
}

void veu_shared_sleep(VeuRing *ring)
{
    ring->asleep = true;
    if (!store_shared(ring)) {
        ring->publish = true; /* the next step halts it */
    }
}
