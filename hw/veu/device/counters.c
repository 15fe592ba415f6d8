/*
 * veu device model: the counters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Counters". Most are counted where things happen. The rest is
 * gathered before anybody looks: what hosts count, and the time asleep.
 */
#include <string.h>
#include "hw/veu/device/counters.h"

_Static_assert(VEU_ROW_COUNTER_COMMANDS + VEU_COUNTER_COUNT == VEU_DEVICE_ROWS,
               "the rows of the counters are in the order of their numbers");

/* Takes what a host has counted. */
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

/* A device that has been reset has nothing to do. */
void veu_counters_reset(VeuDevice *d)
{
    veu_counters_idle(d, true);
    veu_counters_gather(d);
    memset(d->counter, 0, sizeof(d->counter));
}
