/*
 * veu execution unit: where mip levels are in a slice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_SURFACE_LAYOUT_H
#define VEU_EU_SURFACE_LAYOUT_H

#include "hw/veu/eu/surface.h"

/* A level: its place, and its size without padding. */
typedef struct VeuMip {
    uint32_t x_el;
    uint32_t y;
    uint32_t width_el;
    uint32_t height;
    uint32_t slices;
} VeuMip;

/* All levels of a surface, and a slice's size with padding. */
typedef struct VeuLayout {
    unsigned count;
    uint32_t width_el;
    uint32_t height;
    VeuMip mip[VEU_MAX_LEVELS]; /* set: the first count */
} VeuLayout;

/* NULL: linear, or no such tiling. */
const VeuTile *veu_tile_find(uint8_t tiling);

/* Of an illegal descriptor it means nothing, but is harmless. */
void veu_layout_place(const struct veu_surface *from, const VeuShape *shape,
                      VeuLayout *layout);

/* Bytes from the base on that the texels of @layout, all slices, lie in. */
uint64_t veu_layout_bytes(const VeuSurface *surface, const VeuLayout *layout);

#endif
