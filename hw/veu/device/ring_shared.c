/*
 * veu device model: rings: the block that driver and device share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, section 4.
 */
#include <stddef.h>
#include "hw/veu/device/ring.h"

#define SHARED_OFFSET(field) offsetof(struct veu_ring_shared, field)

/* Words of the shared block, or NULL where they are not all in RAM. */
static uint32_t *map_shared(VeuRing *ring, uint32_t offset, uint32_t bytes,
                            enum veu_access access)
{
    VeuMem *mem = veu_context_own(&ring->context);
    uint64_t iova = veu_ring_get(ring, VEU_ROW_RING_SHARED) + offset;
    uint32_t mapped = bytes;
    uint8_t *words = mem->map ? mem->map(mem, iova, &mapped, access) : NULL;

    return mapped == bytes ? (uint32_t *)words : NULL;
}

const uint32_t *veu_shared_tail(VeuRing *ring)
{
    return map_shared(ring, SHARED_OFFSET(tail), sizeof(uint32_t),
                      VEU_ACCESS_READ);
}

bool veu_shared_load(VeuRing *ring, uint32_t offset, uint32_t *value)
{
    uint32_t *word = map_shared(ring, offset, sizeof(*word), VEU_ACCESS_READ);

    if (word) {
        *value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    }
    return word;
}

/*
 * The device's half of the shared block. All data goes before the head, and
 * all else before the state.
 */
static bool store_shared(VeuRing *ring)
{
    uint32_t *half;

    veu_ring_flush(ring);
    half = map_shared(ring, SHARED_OFFSET(head), VEU_SLOT_BYTES,
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
    uint32_t *asleep = map_shared(ring, SHARED_OFFSET(asleep), sizeof(*asleep),
                                  VEU_ACCESS_WRITE);

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
