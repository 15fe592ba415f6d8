/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: surface descriptors.
 */
#ifndef VEU_GUEST_SURFACES_H
#define VEU_GUEST_SURFACES_H

#include "veu/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a texel; 0: no such format. */
unsigned veu_format_bytes(enum veu_format format);

/** @memory as a buffer of @bytes bytes for untyped messages. */
struct veu_surface veu_surface_raw(void *memory, uint32_t bytes);

/** @bytes of shared local memory from @offset on, likewise. */
struct veu_surface veu_surface_slm(uint32_t offset, uint32_t bytes);

/** A buffer of @elements of a format, for typed messages. */
struct veu_surface veu_surface_buffer(void *memory, enum veu_format format,
                                      uint32_t elements);

/** Linear images: @pitch bytes from row to row, @rows rows per slice. */
struct veu_surface veu_surface_1d(void *memory, enum veu_format format,
                                  uint32_t width);
struct veu_surface veu_surface_2d(void *memory, enum veu_format format,
                                  uint32_t width, uint32_t height,
                                  uint32_t pitch);
struct veu_surface veu_surface_3d(void *memory, enum veu_format format,
                                  uint32_t width, uint32_t height,
                                  uint32_t depth, uint32_t pitch,
                                  uint32_t rows);

/**
 * An image of any shape at @memory, tiled and with mip levels, say. @image has
 * type, flags, tiling, format, width, height, depth, levels and what else is
 * wanted; alignment, pitch and qpitch become the smallest that are legal.
 */
struct veu_surface veu_surface_image(void *memory, struct veu_surface image);

/** Memory for an image, padding and all; tiled: from a multiple of 4096 on. */
uint64_t veu_surface_bytes(const struct veu_surface *image);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_SURFACES_H */
