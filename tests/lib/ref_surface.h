/*
 * veu tests: a second implementation: where the texels of a surface are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every level of every slice is a rectangle in one plane of texels; a tiling
 * tells where a byte of the plane is. It shares no code with hw/veu/eu.
 */
#ifndef VEU_TEST_REF_SURFACE_H
#define VEU_TEST_REF_SURFACE_H

#include <glib.h>
#include <stdbool.h>
#include "veu/surface.h"

/* Is it as include/veu/surface.h says? */
bool ref_surface_is_legal(const struct veu_surface *surface);

/* Dimensions of the plane, in texels and rows. */
typedef struct RefRectangle {
    uint64_t x, y, width, height;
} RefRectangle;

/* Level @level (from the first there is) of slice @slice of all. */
RefRectangle ref_rectangle(const struct veu_surface *surface, unsigned level,
                           uint32_t slice);

/* All levels of a slice, with padding. */
RefRectangle ref_slice(const struct veu_surface *surface);

/* Levels that there are; slices that a level has. */
unsigned ref_levels(const struct veu_surface *surface);
uint32_t ref_slices(const struct veu_surface *surface, unsigned level);

/* Address of a byte of the plane. */
uint64_t ref_plane_byte(const struct veu_surface *surface, uint64_t x_byte,
                        uint64_t y);

/* Bytes from the base to after the last texel; tiled: the last tile. */
uint64_t ref_surface_bytes(const struct veu_surface *surface);

/* False: out of bounds. */
bool ref_texel(const struct veu_surface *surface, uint32_t u, uint32_t v,
               uint32_t r, uint32_t lod, uint64_t *address);

#endif
