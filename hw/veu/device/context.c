/*
 * veu device model: contexts, through which all addresses of a ring go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/device/context.h"
#include "veu/regs.h"

/* Identity: an address is the device's DMA address. */
static uint8_t *map_identity(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                             enum veu_access access)
{
    VeuContext *context = (VeuContext *)mem;

    return context->host->map(context->host, iova, bytes, access);
}

static uint8_t *(*const maps[])(VeuMem *, uint64_t, uint32_t *,
                                enum veu_access) = {
    [VEU_CONTEXT_IDENTITY] = map_identity,
};

bool veu_context_bind(VeuContext *context, VeuHost *host, uint64_t type)
{
    if (type >= sizeof(maps) / sizeof(maps[0])) {
        return false;
    }
    context->mem.map = maps[type];
    context->host = host;
    return true;
}
