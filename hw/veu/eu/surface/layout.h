/*
 * veu execution unit: the layout of mip levels in a slice.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_SURFACE_LAYOUT_H
#define VEU_EU_SURFACE_LAYOUT_H

#include "hw/veu/eu/array.h"
#include "hw/veu/eu/surface/surface.h"

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
    VeuMip mip[VEU_MAX_LEVELS]; /* the first @count are set */
} VeuLayout;

/*
 * docs/spec.md, section 9, "Tilings". Defined here so that loops over lanes
 * have constants.
 */
static const VeuTile veu_tiles[] = {
    [VEU_TILING_X] = { .width_log2 = 9,
                       .height_log2 = 3,
                       .x = { { 0x1ff, 0 } },
                       .y = { { 0x7, 9 } } },
    [VEU_TILING_Y] = { .width_log2 = 7,
                       .height_log2 = 5,
                       .x = { { 0x0f, 0 }, { 0x70, 5 } },
                       .y = { { 0x1f, 4 } } },
    [VEU_TILING_TILE4] = { .width_log2 = 7,
                           .height_log2 = 5,
                           .x = { { 0x0f, 0 }, { 0x30, 2 }, { 0x40, 3 } },
                           .y = { { 0x03, 4 }, { 0x04, 6 }, { 0x18, 7 } } },
};

#define VEU_TILINGS (VEU_ARRAY_SIZE(veu_tiles))

/* The result for an illegal descriptor is meaningless, but harmless. */
void veu_layout_place(const struct veu_surface *from, const VeuShape *shape,
                      VeuLayout *layout);

/*
 * The bytes from the base on that contain the texels of @layout, in all slices.
 */
uint64_t veu_layout_bytes(const VeuSurface *surface, const VeuLayout *layout);

#endif
