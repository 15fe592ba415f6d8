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

void veu_texels_unpack(const VeuTexels *texels, const VeuChannel *c,
                       uint32_t *values, unsigned lanes)
{
    const uint32_t *dwords = texels->dword[c->bit / 32];

    for (unsigned at = 0; at < lanes; at += VEU_BLOCK_LANES) {
        unpack_block_clones[veu_cpu](c, dwords + at, values + at);
    }
}
