/*
 * veu execution unit: surfaces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_SURFACE_H
#define VEU_EU_SURFACE_H

#include "hw/veu/eu/surface/format.h"
#include "hw/veu/eu/limits.h"
#include "veu/surface.h"

#define VEU_MAX_LEVELS   15
#define VEU_TILE_BYTES   4096
/* The size up to which offsets in a surface have 32 bits. */
#define VEU_NARROW_BYTES (UINT64_C(1) << 32)

/*
 * The meaning of a surface's coordinates, by its type and flag ARRAY. A mask is
 * all ones if the coordinate is what its name says, else 0.
 */
typedef struct VeuShape {
    uint8_t type; /* enum veu_surface_type */
    bool array;
    uint8_t tilings; /* bit n: tiling n is legal */
    uint32_t v_row;
    uint32_t v_slice;
    uint32_t r_slice;
    uint32_t lod;
} VeuShape;

/*
 * Bits of a coordinate, and how far they are shifted up in the tile's offset.
 */
typedef struct VeuTileBits {
    uint16_t mask;
    uint8_t shift;
} VeuTileBits;

/* A tile of 4096 bytes. */
typedef struct VeuTile {
    uint8_t width_log2; /* bytes */
    uint8_t height_log2;
    VeuTileBits x[3]; /* bits of the byte in the row; the lowest ones stay */
    VeuTileBits y[3];
} VeuTile;

/* A mip level that can be accessed. */
typedef struct VeuLevel {
    uint32_t width;
    uint32_t height;
    uint32_t slices;
    uint32_t x_byte; /* its place in a slice */
    uint64_t y;      /* its place in the slice that is accessed as slice 0 */
} VeuLevel;

/* A checked descriptor. */
typedef struct VeuSurface {
    uint64_t base;
    uint64_t bytes; /* size from the base on; no texel is outside */
    const VeuFormat *format;
    const VeuShape *shape;
    const VeuTile *tile; /* NULL: linear */
    uint8_t type;        /* enum veu_surface_type */
    bool slm;
    uint8_t tiling;     /* enum veu_tiling */
    uint8_t texel_log2; /* bytes of a texel, which are a power of two */
    bool is_narrow; /* at most VEU_NARROW_BYTES of texels, which are not sRGB */
    uint8_t channels;      /* mask of those that the format has */
    uint8_t whole;         /* the same; ~0: a texel has other bits, too */
    VeuChannelRun runs[5]; /* of the format */
    uint32_t alpha;        /* the value read if there is none */
    uint8_t levels;        /* buffer: 1 */
    uint32_t pitch;        /* bytes; 1D: a texel, which is a row of its own */
    uint32_t qpitch;
    VeuLevel level[VEU_MAX_LEVELS];
} VeuSurface;

typedef struct VeuSurfaceTable {
    uint32_t count;
    VeuSurface surface[VEU_LIMIT_SURFACES];
} VeuSurfaceTable;

/* The value read for a channel that the format lacks, or out of bounds. */
static inline uint32_t veu_surface_default(const VeuSurface *surface,
                                           unsigned name)
{
    return name == VEU_CHANNEL_BIT_A ? surface->alpha : 0;
}

#endif
