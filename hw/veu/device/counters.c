/*
 * veu device model: the counters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Counters". Most events are counted where they happen. The
 * counts of hosts and the time asleep are gathered before the counters are
 * read.
 */
#include <string.h>
#include "hw/veu/device/counters.h"

_Static_assert(VEU_ROW_COUNTER_COMMANDS + VEU_COUNTER_COUNT == VEU_DEVICE_ROWS,
               "the rows of the counters are in the order of their numbers");

void veu_counters_settle(VeuRing *ring)
{
    VeuDevice *d = ring->device;
    uint64_t *context = ring->context.mem.map ?
                            d->context_counter[ring->context.number] :
                            NULL;

    for (unsigned i = 0; i < VEU_WORK_COUNTERS; i++) {
        ring->counter[i] += ring->counted[i];
        if (context) {
            context[i] += ring->counted[i];
        }
        if (i != VEU_WORK_BUSY_NS) {
            d->counter[i] += ring->counted[i];
        }
        ring->counted[i] = 0;
    }
}

/* Takes over what a host has counted. */
static void gather_host(VeuDevice *d, VeuHost *host)
{
    if (host->counts) {
        d->counter[VEU_COUNTER_CACHE_HITS] += host->counts->cache_hits;
        d->counter[VEU_COUNTER_CACHE_MISSES] += host->counts->cache_misses;
        *host->counts = (VeuHostCounts){ 0 };
    }
}

static void gather_idle(VeuDevice *d)
{
    uint64_t now;

    if (d->idle) {
        now = d->host->now_ns(d->host);
        d->counter[VEU_COUNTER_IDLE_NS] += now - d->idle_since_ns;
        d->idle_since_ns = now;
    }
}

void veu_counters_gather(VeuDevice *d)
{
    for (uint32_t i = 0; i < d->config.rings; i++) {
        veu_counters_settle(&d->ring[i]);
    }
    gather_host(d, d->host);
    for (unsigned i = 0; i < d->host->helper_count; i++) {
        gather_host(d, d->host->helpers[i]);
    }
    gather_idle(d);
}

void veu_counters_idle(VeuDevice *d, bool idle)
{
    if (d->idle != idle) {
        gather_idle(d);
        d->idle = idle;
        d->idle_since_ns = idle ? d->host->now_ns(d->host) : 0;
    }
}

void veu_counters_snapshot(VeuDevice *d)
{
    veu_counters_gather(d);
    for (unsigned i = 0; i < VEU_COUNTER_COUNT; i++) {
        veu_register_set(d->reg, VEU_ROW_COUNTER_COMMANDS + i, d->counter[i]);
    }
}

void veu_counters_snapshot_rings(VeuDevice *d)
{
    veu_counters_gather(d);
    d->shows_rings = true;
    for (uint32_t n = 0; n < d->config.rings; n++) {
        for (unsigned i = 0; i < VEU_WORK_COUNTERS; i++) {
            veu_register_set(d->ring[n].reg, VEU_ROW_RING_COUNTER_COMMANDS + i,
                             d->ring[n].counter[i]);
            veu_register_set(d->context_reg[n],
                             VEU_ROW_CONTEXT_COUNTER_COMMANDS + i,
                             d->context_counter[n][i]);
        }
    }
}

/* A device has nothing to do after a reset. */
void veu_counters_reset(VeuDevice *d)
{
    veu_counters_idle(d, true);
    veu_counters_gather(d);
    memset(d->counter, 0, sizeof(d->counter));
    memset(d->context_counter, 0, sizeof(d->context_counter));
    for (uint32_t i = 0; i < d->config.rings; i++) {
        memset(d->ring[i].counter, 0, sizeof(d->ring[i].counter));
    }
    d->shows_rings = false;
}
