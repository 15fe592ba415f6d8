/*
 * veu device model: making and freeing it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include "hw/veu/device/model.h"

/*
 * The memory of a context that has no page tables is never touched: see
 * veu_launch_new().
 */
static bool make_tlbs(VeuDevice *d)
{
    d->tlbs = calloc(d->config.rings, sizeof(*d->tlbs));
    if (!d->tlbs) {
        return false;
    }
    for (uint32_t i = 0; d->config.tlb_limit && i < d->config.rings; i++) {
        d->tlbs[i].limit = d->config.tlb_limit;
    }
    d->scanout.context.tlbs = d->tlbs;
    d->scanout.last_context.tlbs = d->tlbs;
    return true;
}

VeuDevice *veu_device_new(const VeuDeviceConfig *config, VeuHost *host)
{
    VeuDevice *d = calloc(1, sizeof(*d));

    if (!d) {
        return NULL;
    }
    d->host = host;
    d->config = *config;
    if (!make_tlbs(d)) {
        free(d);
        return NULL;
    }
    for (uint32_t i = 0; i < config->rings; i++) {
        d->ring[i].device = d;
        d->ring[i].number = i;
        d->ring[i].context.tlbs = d->tlbs;
        d->ring[i].launch = veu_launch_new();
        if (!d->ring[i].launch) {
            veu_device_free(d);
            return NULL;
        }
    }
    veu_device_reset(d);
    return d;
}

void veu_device_free(VeuDevice *d)
{
    if (!d) {
        return;
    }
    for (uint32_t i = 0; i < d->config.rings; i++) {
        veu_launch_free(d->ring[i].launch);
    }
    free(d->tlbs);
    free(d);
}
