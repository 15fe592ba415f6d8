/*
 * veu device model: the choice of the next ring, and of when all sleep.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Priorities". Each ring has a pass: the work that it has been
 * given, weighted by its priority. The ring with the lowest pass is next, so
 * rings share the device by weight and none waits forever.
 */
#include <sys/param.h>
#include "hw/veu/device/counters.h"
#include "hw/veu/device/ring_publish.h"
#include "hw/veu/device/ring_ready.h"
#include "hw/veu/device/ring_state.h"
#include "hw/veu/device/schedule.h"

/* The pass that a unit of work costs: a quarter for each higher priority. */
static uint64_t stride(const VeuRing *ring)
{
    return 64 >> (2 * veu_ring_get(ring, VEU_ROW_RING_PRIORITY));
}

void veu_schedule_charge(VeuRing *ring)
{
    ring->pass += ring->cost * stride(ring);
}

uint64_t veu_device_ready(VeuDevice *d)
{
    uint64_t ready = 0;

    for (uint32_t i = 0; i < d->config.rings; i++) {
        ready |= (uint64_t)veu_ring_has_work(&d->ring[i]) << i;
    }
    return ready;
}

/* A ring that was idle for long starts where the others are, without credit. */
uint32_t veu_device_pick(VeuDevice *d, uint64_t rings)
{
    VeuRing *next = NULL;

    for (; rings; rings &= rings - 1) {
        VeuRing *ring = &d->ring[__builtin_ctzll(rings)];

        ring->pass = ring->pass > d->pass ? ring->pass : d->pass;
        if (!next || ring->pass < next->pass) {
            next = ring;
        }
    }
    d->pass = next->pass;
    return next->number;
}

bool veu_device_is_enabled(const VeuDevice *d)
{
    for (uint32_t i = 0; i < d->config.rings; i++) {
        if (d->ring[i].state == VEU_RING_RUNNING) {
            return true;
        }
    }
    return false;
}

/*
 * Returns true if the command waits for its deadline. A command that is held
 * does not wait yet if the response to its request came before the hold ended.
 */
static bool has_deadline(const VeuRing *ring)
{
    return ring->command.info && !veu_ring_is_paused(ring) &&
           (ring->command.waits || (veu_ring_is_held(ring) && !ring->blocked));
}

uint64_t veu_device_deadline(const VeuDevice *d)
{
    uint64_t deadline = VEU_NO_DEADLINE;

    for (uint32_t i = 0; i < d->config.rings; i++) {
        const VeuRing *ring = &d->ring[i];

        if (has_deadline(ring)) {
            deadline = MIN(deadline, ring->command.deadline_ns);
        }
    }
    return deadline;
}

/* One fence serves all of them. */
static void announce_sleep(VeuDevice *d)
{
    bool announced = false;

    for (uint32_t i = 0; i < d->config.rings; i++) {
        VeuRing *ring = &d->ring[i];

        if (ring->state == VEU_RING_RUNNING && !ring->asleep &&
            !veu_ring_is_paused(ring)) {
            veu_shared_sleep(ring);
            announced = true;
        }
    }
    if (announced) {
        /* The driver stores the tail, fences, and then reads the word. */
        d->host->fence(d->host);
    }
}

bool veu_device_sleep(VeuDevice *d)
{
    if (d->scanout.busy || veu_device_ready(d)) {
        return false;
    }
    announce_sleep(d);
    if (veu_device_ready(d)) {
        return false;
    }
    veu_counters_idle(d, true);
    return true;
}
