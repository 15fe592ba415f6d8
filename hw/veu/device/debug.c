/*
 * veu device model: memory as a debugger sees it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/host/debug.h"
#include "hw/veu/device/model.h"

static bool access_memory(VeuMem *mem, uint64_t address, void *data,
                          uint32_t bytes, enum veu_access access)
{
    uint64_t failed;

    return access == VEU_ACCESS_READ ?
               veu_mem_read(mem, address, data, bytes, &failed) :
               veu_mem_write(mem, address, data, bytes, &failed);
}

/* An unbound context has no memory. */
bool veu_device_access(VeuDevice *d, uint32_t number, uint64_t address,
                       void *data, uint32_t bytes, enum veu_access access)
{
    VeuContext *context = &d->ring[number].context;
    VeuMem *mem = &context->mem;
    bool ok;

    if (!mem->map) {
        return false;
    }
    veu_mem_forget(mem);
    veu_device_begin_use(d, context);
    ok = access_memory(mem, address, data, bytes, access);
    veu_device_end_use(d);
    veu_ring_flush(&d->ring[number]);
    return ok;
}
