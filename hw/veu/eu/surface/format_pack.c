/*
 * veu execution unit: conversion of register values to what a channel stores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface/format_pack.h"

VEU_CLONED void pack_block(const VeuChannel *channel, const VeuWord *values,
                           uint32_t *dwords)
{
    static const uint8_t first_lane[4];
    uint32_t keep = ~(veu_channel_mask(channel) << channel->bit % 32);
    uint32_t codes[VEU_BLOCK_LANES];

    veu_pack_lanes(channel, 1, (VeuPackSource){ values, first_lane },
                   VEU_BLOCK_LANES, codes);
    for (unsigned i = 0; i < VEU_BLOCK_LANES; i++) {
        dwords[i] = (dwords[i] & keep) | codes[i];
    }
}
VEU_CPU_CLONES(void, pack_block,
               (const VeuChannel *c, const VeuWord *values, uint32_t *dwords),
               (c, values, dwords));

void veu_texels_pack(VeuTexels *texels, const VeuChannel *c,
                     const VeuWord *values, unsigned lanes)
{
    uint32_t *dwords = texels->dword[c->bit / 32];

    for (unsigned at = 0; at < lanes; at += VEU_BLOCK_LANES) {
        pack_block_clones[veu_cpu](c, values + at, dwords + at);
    }
}
