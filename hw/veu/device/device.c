/*
 * veu device model: creating and freeing it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/launch.h"
#include "hw/veu/device/lazy.h"
#include "hw/veu/device/model.h"

static size_t tlb_bytes(const VeuDevice *d)
{
    return d->config.rings * sizeof(*d->tlbs);
}

static bool make_tlbs(VeuDevice *d)
{
    d->tlbs = veu_lazy_new(tlb_bytes(d));
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

static bool make_pool(VeuDevice *d)
{
    VeuPool *pool = &d->programs.pool;
    uint32_t bytes = d->config.program_memory_bytes;

    if (!bytes) {
        return true;
    }
    pool->memory = veu_lazy_new(bytes);
    pool->bytes = pool->memory ? bytes : 0;
    return pool->memory;
}

/* Without such memory, handlers execute everything. */
static void make_host_code(VeuDevice *d)
{
    VeuPrograms *p = &d->programs;

    if (d->config.host_code_bytes && veu_jit_is_available()) {
        p->host_memory = veu_host_memory_new(d->config.host_code_bytes);
        p->host_pool.memory = p->host_memory.writable;
        p->host_pool.bytes = p->host_memory.bytes;
    }
}

VeuDevice *veu_device_new(const VeuDeviceConfig *config, VeuHost *host)
{
    VeuDevice *d = veu_lazy_new(sizeof(*d));

    if (!d) {
        return NULL;
    }
    d->host = host;
    d->context_in_use = VEU_NO_CONTEXT;
    d->config = *config;
    if (!make_tlbs(d) || !make_pool(d)) {
        veu_device_free(d);
        return NULL;
    }
    make_host_code(d);
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
    veu_lazy_free(d->tlbs, tlb_bytes(d));
    veu_lazy_free(d->programs.pool.memory, d->programs.pool.bytes);
    veu_host_memory_free(&d->programs.host_memory);
    veu_lazy_free(d, sizeof(*d));
}
