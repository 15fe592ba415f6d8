/*
 * veu execution unit: conversion of what a channel stores to register values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface/format_unpack.h"

VEU_CLONED void unpack_block(const VeuChannel *c, const uint32_t *dwords,
                             uint32_t *values)
{
    static const uint8_t first_lane[4];
    VeuUnpackTarget to = { values, first_lane, 1u << c->name };

    veu_unpack_lanes(c, 1, dwords, VEU_BLOCK_LANES, to);
}
VEU_CPU_CLONES(void, unpack_block,
               (const VeuChannel *c, const uint32_t *dwords, uint32_t *values),
               (c, dwords, values));

/* Messages that sample have no fast path, so that no loop is needed for it. */
static void unpack_srgb(const VeuChannel *c, const uint32_t *dwords,
                        uint32_t *values, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++) {
        values[i] = veu_srgb_values[dwords[i] >> c->bit % 32 & 0xff];
    }
}

void veu_texels_unpack(const VeuTexels *texels, const VeuChannel *c,
                       uint32_t *values, unsigned lanes)
{
    const uint32_t *dwords = texels->dword[c->bit / 32];

    if (c->type == VEU_CHANNEL_SRGB) {
        unpack_srgb(c, dwords, values, lanes);
        return;
    }
    for (unsigned at = 0; at < lanes; at += VEU_BLOCK_LANES) {
        unpack_block_clones[veu_cpu](c, dwords + at, values + at);
    }
}
