/*
 * veu tests: a second implementation: where the texels of a surface are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every level of every slice is a rectangle in one plane of texels; a tiling
 * gives the place of a byte of the plane. It shares no code with hw/veu/eu.
 */
#ifndef VEU_TEST_REF_SURFACE_H
#define VEU_TEST_REF_SURFACE_H

#include <glib.h>
#include <stdbool.h>
#include "veu/surface.h"

/* Returns true if the descriptor follows include/veu/surface.h. */
bool ref_surface_is_legal(const struct veu_surface *surface);

/* The dimensions of the plane, in texels and rows. */
typedef struct RefRectangle {
    uint64_t x, y, width, height;
} RefRectangle;

/* Level @level (from the first that exists) of slice @slice of all. */
RefRectangle ref_rectangle(const struct veu_surface *surface, unsigned level,
                           uint32_t slice);

/* All levels of a slice, including padding. */
RefRectangle ref_slice(const struct veu_surface *surface);

/* The levels that exist; the slices of a level. */
unsigned ref_levels(const struct veu_surface *surface);
uint32_t ref_slices(const struct veu_surface *surface, unsigned level);

/* Returns the address of a byte of the plane. */
uint64_t ref_plane_byte(const struct veu_surface *surface, uint64_t x_byte,
                        uint64_t y);

/*
 * Bytes from the base to the end of the last texel; if tiled, of the last tile.
 */
uint64_t ref_surface_bytes(const struct veu_surface *surface);

/* Returns false if the texel is out of bounds. */
bool ref_texel(const struct veu_surface *surface, uint32_t u, uint32_t v,
               uint32_t r, uint32_t lod, uint64_t *address);

#endif
