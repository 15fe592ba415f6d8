/*
 * veu execution unit: where the texels of a surface are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_TEXEL_H
#define VEU_EU_TEXEL_H

#include "hw/veu/eu/surface/surface.h"

/* Texel coordinates of a lane; those that do not apply are not looked at. */
typedef struct VeuCoordinates {
    uint32_t u;
    uint32_t v;
    uint32_t r;
    uint32_t lod;
} VeuCoordinates;

/* Address of a texel; false where it is out of bounds. */
bool veu_surface_texel(const VeuSurface *surface, const VeuCoordinates *at,
                       uint64_t *address);

/*
 * Address of byte @x of row @y: LOD 0, slice 0 of a 2D surface. Returns how
 * many bytes of that row follow each other from there; 0: out of bounds.
 */
uint32_t veu_surface_byte(const VeuSurface *surface, uint32_t x, uint32_t y,
                          uint64_t *address);

/* NULL: linear, or no such tiling. */
const VeuTile *veu_tile_find(uint8_t tiling);

#endif
