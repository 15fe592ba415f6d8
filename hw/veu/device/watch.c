/*
 * veu device model: watching the tails of idle rings.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A driver waits for a host that polls, so the addresses of the words and of
 * the next commands are determined in advance.
 */
#include <stddef.h>
#include <sys/param.h>
#include "hw/veu/device/ring_shared.h"
#include "hw/veu/device/ring_state.h"

/* The place of the next command, or NULL. */
static const uint8_t *find_slot(VeuRing *ring, uint32_t *bytes)
{
    VeuMem *mem = veu_context_own(&ring->context);
    uint64_t slots = veu_ring_get(ring, VEU_ROW_RING_SLOTS);
    uint64_t slot = veu_ring_get(ring, VEU_ROW_RING_HEAD) & (slots - 1);

    *bytes = MIN(VEU_COMMAND_MAX_SLOTS, slots - slot) * VEU_SLOT_BYTES;
    return mem->map(mem,
                    veu_ring_get(ring, VEU_ROW_RING_BASE) +
                        slot * VEU_SLOT_BYTES,
                    bytes, VEU_ACCESS_READ);
}

static bool watch_tail(VeuWatch *watch, VeuRing *ring)
{
    VeuWatchedRing *w = &watch->ring[watch->count];

    w->tail = veu_shared_tail(ring);
    if (!w->tail) {
        return false;
    }
    w->number = ring->number;
    w->head = veu_ring_get(ring, VEU_ROW_RING_HEAD);
    w->slot = find_slot(ring, &w->slot_bytes);
    watch->count++;
    return true;
}

/*
 * Adds a ring that is not ready. Returns false if anything except its tail can
 * make it ready.
 */
static bool watch_ring(VeuWatch *watch, VeuRing *ring)
{
    return !ring->command.info &&
           (ring->state != VEU_RING_RUNNING || veu_ring_is_paused(ring) ||
            watch_tail(watch, ring));
}

uint64_t veu_device_watch(VeuDevice *d, VeuWatch *watch)
{
    uint64_t ready = veu_device_ready(d);

    watch->count = 0;
    watch->is_all = !ready;
    for (uint32_t i = 0; i < d->config.rings && watch->is_all; i++) {
        watch->is_all = watch_ring(watch, &d->ring[i]);
    }
    return ready;
}

/* Fetches the command's cache lines while the step that reads them begins. */
static void prefetch(const VeuWatchedRing *w, uint32_t slots)
{
    uint32_t bytes = MIN(slots * (uint64_t)VEU_SLOT_BYTES, w->slot_bytes);

    for (uint32_t i = 0; w->slot && i < bytes; i += VEU_SLOT_BYTES) {
        __builtin_prefetch(w->slot + i);
    }
}

uint64_t veu_device_look(VeuDevice *d, const VeuWatch *watch)
{
    uint64_t ready = 0;

    if (!watch->is_all) {
        return veu_device_ready(d);
    }
    for (unsigned i = 0; i < watch->count; i++) {
        const VeuWatchedRing *w = &watch->ring[i];
        uint32_t tail = __atomic_load_n(w->tail, __ATOMIC_ACQUIRE);

        if (__builtin_expect(tail != w->head, 0)) {
            prefetch(w, tail - w->head);
            ready |= (uint64_t)1 << w->number;
        }
    }
    return ready;
}
