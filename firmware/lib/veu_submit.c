/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: putting commands into a ring and reading fault records.
 * This needs only the ring's memory and its doorbell.
 */
#include "veu_ring.h"

uint32_t veu_ring_head(const struct veu_ring *ring)
{
    return __atomic_load_n(&ring->config.shared->head, __ATOMIC_ACQUIRE);
}

uint32_t veu_ring_space(const struct veu_ring *ring)
{
    return ring->config.slot_count - (ring->tail - veu_ring_head(ring));
}

enum veu_status veu_ring_reserve(const struct veu_ring *ring, uint32_t slots)
{
    return veu_ring_space(ring) >= slots ? VEU_OK : VEU_FULL;
}

static void put_slot(struct veu_ring *ring, const uint8_t *from)
{
    uint32_t slot = ring->tail & (ring->config.slot_count - 1);
    uint8_t *to = (uint8_t *)ring->config.slots + slot * VEU_SLOT_BYTES;

    __builtin_memcpy(to, from, VEU_SLOT_BYTES);
    ring->tail++;
}

/* Copies slot by slot, because a command may wrap around the ring's end. */
enum veu_status veu_ring_put(struct veu_ring *ring,
                             const struct veu_command_header *command)
{
    const uint8_t *bytes = (const uint8_t *)command;
    enum veu_status status = veu_ring_reserve(ring, command->slots);

    if (status != VEU_OK) {
        return status;
    }
    for (unsigned i = 0; i < command->slots; i++) {
        put_slot(ring, bytes + i * VEU_SLOT_BYTES);
    }
    return VEU_OK;
}

void veu_ring_kick(struct veu_ring *ring)
{
    ring->kicks++;
    veu_port_write32(ring->doorbell, 1);
}

/*
 * The sleep protocol. The device stores asleep, fences, and reads the tail and
 * the word that the ring waits for once more before it sleeps; the driver
 * stores one of these, fences, and reads asleep. At least one side sees the
 * other's store. Without the fence, the load may be performed before the store
 * is visible, and both sides may miss the other's.
 */
void veu_ring_notify(struct veu_ring *ring)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ring->config.shared->asleep, __ATOMIC_RELAXED)) {
        veu_ring_kick(ring);
    }
}

void veu_ring_submit(struct veu_ring *ring)
{
    struct veu_ring_shared *shared = ring->config.shared;

    /* Release: a reader that sees the tail sees the commands before it. */
    __atomic_store_n(&shared->tail, ring->tail, __ATOMIC_RELEASE);
    ring->submits++;
    veu_ring_notify(ring);
}

bool veu_ring_read_fault(struct veu_ring *ring, struct veu_fault_record *record)
{
    const struct veu_ring_config *c = &ring->config;
    uint32_t head = ring->fault_head;

    if (!c->fault_count ||
        __atomic_load_n(&c->shared->fault_tail, __ATOMIC_ACQUIRE) == head) {
        return false;
    }
    *record = c->faults[head & (c->fault_count - 1)];
    ring->fault_head = head + 1;
    __atomic_store_n(&c->shared->fault_head, head + 1, __ATOMIC_RELEASE);
    return true;
}
