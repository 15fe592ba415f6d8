/*
 * veu execution unit: the places of a surface's texels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_TEXEL_H
#define VEU_EU_TEXEL_H

#include "hw/veu/eu/surface/surface.h"

/* Texel coordinates of a lane; those that do not apply are ignored. */
typedef struct VeuCoordinates {
    uint32_t u;
    uint32_t v;
    uint32_t r;
    uint32_t lod;
} VeuCoordinates;

/* Finds the address of a texel. Returns false if it is out of bounds. */
bool veu_surface_texel(const VeuSurface *surface, const VeuCoordinates *at,
                       uint64_t *address);

/*
 * Finds the address of byte @x of row @y, in LOD 0 and slice 0 of a 2D surface.
 * Returns the number of contiguous bytes of that row from there on, or 0 if out
 * of bounds.
 */
uint32_t veu_surface_byte(const VeuSurface *surface, uint32_t x, uint32_t y,
                          uint64_t *address);

/* Returns NULL for linear, and for a tiling that does not exist. */
const VeuTile *veu_tile_find(uint8_t tiling);

#endif
