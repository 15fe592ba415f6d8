/*
 * veu ABI: surface descriptors, formats and samplers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VEU_SURFACE_H
#define VEU_SURFACE_H

#include "veu/base.h"

/** Surface types: the hardware's SurfaceType codes. */
enum veu_surface_type {
    VEU_SURFACE_1D = 0,
    VEU_SURFACE_2D = 1,
    VEU_SURFACE_3D = 2,
    VEU_SURFACE_CUBE = 3,   /**< an array of 2D faces, six to a cube */
    VEU_SURFACE_BUFFER = 4, /**< width elements in a row */
    VEU_SURFACE_NULL = 7,   /**< an unused entry: every access faults */
};

/** Tilings. 1D and buffers are linear. */
enum veu_tiling {
    VEU_TILING_LINEAR = 0,
    VEU_TILING_X = 1,     /**< tiles of 512 bytes x 8 rows; 2D only */
    VEU_TILING_Y = 2,     /**< tiles of 128 bytes x 32 rows */
    VEU_TILING_TILE4 = 3, /**< tiles of 128 bytes x 32 rows */
};

/** Flag: the surface is a buffer in shared local memory, base its offset. */
#define VEU_SURFACE_SLM   0x0001
/** Flag: a 1D or 2D surface is an array. */
#define VEU_SURFACE_ARRAY 0x0002

/**
 * Formats: the hardware's SURFACE_FORMAT codes.
 *
 * Columns: name, code, bytes of a texel, 1 if typed atomics take the format,
 * channels. A channel is CH(name, bit, bits, type), in the order of memory: it
 * has @bits bits of the little-endian texel from bit @bit up, and never crosses
 * a multiple of 32. Bits without a channel (X) are not written. RAW has no
 * channels: it is for buffers that untyped messages access. Only sample_lz and
 * load_lz access formats with channels of type SRGB.
 */
#define VEU_FORMATS(ROW, CH)                                                 \
    ROW(R32G32B32A32_FLOAT, 0x000, 16, 0,                                    \
        CH(R, 0, 32, FLOAT) CH(G, 32, 32, FLOAT) CH(B, 64, 32, FLOAT)        \
            CH(A, 96, 32, FLOAT))                                            \
    ROW(R32G32B32A32_SINT, 0x001, 16, 0,                                     \
        CH(R, 0, 32, SINT) CH(G, 32, 32, SINT) CH(B, 64, 32, SINT)           \
            CH(A, 96, 32, SINT))                                             \
    ROW(R32G32B32A32_UINT, 0x002, 16, 0,                                     \
        CH(R, 0, 32, UINT) CH(G, 32, 32, UINT) CH(B, 64, 32, UINT)           \
            CH(A, 96, 32, UINT))                                             \
    ROW(R16G16B16A16_UNORM, 0x080, 8, 0,                                     \
        CH(R, 0, 16, UNORM) CH(G, 16, 16, UNORM) CH(B, 32, 16, UNORM)        \
            CH(A, 48, 16, UNORM))                                            \
    ROW(R16G16B16A16_SNORM, 0x081, 8, 0,                                     \
        CH(R, 0, 16, SNORM) CH(G, 16, 16, SNORM) CH(B, 32, 16, SNORM)        \
            CH(A, 48, 16, SNORM))                                            \
    ROW(R16G16B16A16_SINT, 0x082, 8, 0,                                      \
        CH(R, 0, 16, SINT) CH(G, 16, 16, SINT) CH(B, 32, 16, SINT)           \
            CH(A, 48, 16, SINT))                                             \
    ROW(R16G16B16A16_UINT, 0x083, 8, 0,                                      \
        CH(R, 0, 16, UINT) CH(G, 16, 16, UINT) CH(B, 32, 16, UINT)           \
            CH(A, 48, 16, UINT))                                             \
    ROW(R16G16B16A16_FLOAT, 0x084, 8, 0,                                     \
        CH(R, 0, 16, FLOAT) CH(G, 16, 16, FLOAT) CH(B, 32, 16, FLOAT)        \
            CH(A, 48, 16, FLOAT))                                            \
    ROW(R32G32_FLOAT, 0x085, 8, 0, CH(R, 0, 32, FLOAT) CH(G, 32, 32, FLOAT)) \
    ROW(R32G32_SINT, 0x086, 8, 0, CH(R, 0, 32, SINT) CH(G, 32, 32, SINT))    \
    ROW(R32G32_UINT, 0x087, 8, 0, CH(R, 0, 32, UINT) CH(G, 32, 32, UINT))    \
    ROW(B8G8R8A8_UNORM, 0x0c0, 4, 0,                                         \
        CH(B, 0, 8, UNORM) CH(G, 8, 8, UNORM) CH(R, 16, 8, UNORM)            \
            CH(A, 24, 8, UNORM))                                             \
    ROW(B8G8R8A8_UNORM_SRGB, 0x0c1, 4, 0,                                    \
        CH(B, 0, 8, SRGB) CH(G, 8, 8, SRGB) CH(R, 16, 8, SRGB)               \
            CH(A, 24, 8, UNORM))                                             \
    ROW(R10G10B10A2_UNORM, 0x0c2, 4, 0,                                      \
        CH(R, 0, 10, UNORM) CH(G, 10, 10, UNORM) CH(B, 20, 10, UNORM)        \
            CH(A, 30, 2, UNORM))                                             \
    ROW(R10G10B10A2_UINT, 0x0c4, 4, 0,                                       \
        CH(R, 0, 10, UINT) CH(G, 10, 10, UINT) CH(B, 20, 10, UINT)           \
            CH(A, 30, 2, UINT))                                              \
    ROW(R8G8B8A8_UNORM, 0x0c7, 4, 0,                                         \
        CH(R, 0, 8, UNORM) CH(G, 8, 8, UNORM) CH(B, 16, 8, UNORM)            \
            CH(A, 24, 8, UNORM))                                             \
    ROW(R8G8B8A8_UNORM_SRGB, 0x0c8, 4, 0,                                    \
        CH(R, 0, 8, SRGB) CH(G, 8, 8, SRGB) CH(B, 16, 8, SRGB)               \
            CH(A, 24, 8, UNORM))                                             \
    ROW(R8G8B8A8_SNORM, 0x0c9, 4, 0,                                         \
        CH(R, 0, 8, SNORM) CH(G, 8, 8, SNORM) CH(B, 16, 8, SNORM)            \
            CH(A, 24, 8, SNORM))                                             \
    ROW(R8G8B8A8_SINT, 0x0ca, 4, 0,                                          \
        CH(R, 0, 8, SINT) CH(G, 8, 8, SINT) CH(B, 16, 8, SINT)               \
            CH(A, 24, 8, SINT))                                              \
    ROW(R8G8B8A8_UINT, 0x0cb, 4, 0,                                          \
        CH(R, 0, 8, UINT) CH(G, 8, 8, UINT) CH(B, 16, 8, UINT)               \
            CH(A, 24, 8, UINT))                                              \
    ROW(R16G16_UNORM, 0x0cc, 4, 0, CH(R, 0, 16, UNORM) CH(G, 16, 16, UNORM)) \
    ROW(R16G16_SNORM, 0x0cd, 4, 0, CH(R, 0, 16, SNORM) CH(G, 16, 16, SNORM)) \
    ROW(R16G16_SINT, 0x0ce, 4, 0, CH(R, 0, 16, SINT) CH(G, 16, 16, SINT))    \
    ROW(R16G16_UINT, 0x0cf, 4, 0, CH(R, 0, 16, UINT) CH(G, 16, 16, UINT))    \
    ROW(R16G16_FLOAT, 0x0d0, 4, 0, CH(R, 0, 16, FLOAT) CH(G, 16, 16, FLOAT)) \
    ROW(B10G10R10A2_UNORM, 0x0d1, 4, 0,                                      \
        CH(B, 0, 10, UNORM) CH(G, 10, 10, UNORM) CH(R, 20, 10, UNORM)        \
            CH(A, 30, 2, UNORM))                                             \
    ROW(R11G11B10_FLOAT, 0x0d3, 4, 0,                                        \
        CH(R, 0, 11, UFLOAT) CH(G, 11, 11, UFLOAT) CH(B, 22, 10, UFLOAT))    \
    ROW(R10G10B10_FLOAT_A2_UNORM, 0x0d5, 4, 0,                               \
        CH(R, 0, 10, UFLOAT) CH(G, 10, 10, UFLOAT) CH(B, 20, 10, UFLOAT)     \
            CH(A, 30, 2, UNORM))                                             \
    ROW(R32_SINT, 0x0d6, 4, 1, CH(R, 0, 32, SINT))                           \
    ROW(R32_UINT, 0x0d7, 4, 1, CH(R, 0, 32, UINT))                           \
    ROW(R32_FLOAT, 0x0d8, 4, 1, CH(R, 0, 32, FLOAT))                         \
    ROW(B5G6R5_UNORM, 0x100, 2, 0,                                           \
        CH(B, 0, 5, UNORM) CH(G, 5, 6, UNORM) CH(R, 11, 5, UNORM))           \
    ROW(B5G5R5A1_UNORM, 0x102, 2, 0,                                         \
        CH(B, 0, 5, UNORM) CH(G, 5, 5, UNORM) CH(R, 10, 5, UNORM)            \
            CH(A, 15, 1, UNORM))                                             \
    ROW(B4G4R4A4_UNORM, 0x104, 2, 0,                                         \
        CH(B, 0, 4, UNORM) CH(G, 4, 4, UNORM) CH(R, 8, 4, UNORM)             \
            CH(A, 12, 4, UNORM))                                             \
    ROW(R8G8_UNORM, 0x106, 2, 0, CH(R, 0, 8, UNORM) CH(G, 8, 8, UNORM))      \
    ROW(R8G8_SNORM, 0x107, 2, 0, CH(R, 0, 8, SNORM) CH(G, 8, 8, SNORM))      \
    ROW(R8G8_SINT, 0x108, 2, 0, CH(R, 0, 8, SINT) CH(G, 8, 8, SINT))         \
    ROW(R8G8_UINT, 0x109, 2, 0, CH(R, 0, 8, UINT) CH(G, 8, 8, UINT))         \
    ROW(R16_UNORM, 0x10a, 2, 0, CH(R, 0, 16, UNORM))                         \
    ROW(R16_SNORM, 0x10b, 2, 0, CH(R, 0, 16, SNORM))                         \
    ROW(R16_SINT, 0x10c, 2, 1, CH(R, 0, 16, SINT))                           \
    ROW(R16_UINT, 0x10d, 2, 1, CH(R, 0, 16, UINT))                           \
    ROW(R16_FLOAT, 0x10e, 2, 1, CH(R, 0, 16, FLOAT))                         \
    ROW(B5G5R5X1_UNORM, 0x11a, 2, 0,                                         \
        CH(B, 0, 5, UNORM) CH(G, 5, 5, UNORM) CH(R, 10, 5, UNORM))           \
    ROW(R8_UNORM, 0x140, 1, 0, CH(R, 0, 8, UNORM))                           \
    ROW(R8_SNORM, 0x141, 1, 0, CH(R, 0, 8, SNORM))                           \
    ROW(R8_SINT, 0x142, 1, 0, CH(R, 0, 8, SINT))                             \
    ROW(R8_UINT, 0x143, 1, 0, CH(R, 0, 8, UINT))                             \
    ROW(A8_UNORM, 0x144, 1, 0, CH(A, 0, 8, UNORM))                           \
    ROW(RAW, 0x1ff, 1, 0, )

/** Codes: VEU_FORMAT_R8G8B8A8_UNORM, ... */
#define VEU_FORMAT_CODE(name, code, bytes, atomics, channels) \
    VEU_FORMAT_##name = (code),
enum veu_format {
    VEU_FORMATS(VEU_FORMAT_CODE, )
};
#undef VEU_FORMAT_CODE

/**
 * A surface. 64 bytes. A field that does not apply to the type is 0. "Slices"
 * are the elements of an array, the faces of cubes and what a 3D surface has
 * along z. The surface has min_lod + levels mip levels; the message's LOD 0 is
 * level min_lod, its slice 0 is slice min_array_element.
 *
 * The device refuses a descriptor that breaks one of these rules:
 * - base is a multiple of the texel size (RAW: any); tiled: of 4096.
 * - format RAW is for buffers only.
 * - width is 1 to 16384; buffer: 1 to 2^32 - 1.
 * - 2D, 3D, cube: height is 1 to 16384; cube: as width.
 * - Arrays, 3D, cube: depth is 1 to 2048; cube: a multiple of 6.
 * - 2D, 3D, cube: pitch is at least a slice's width, at most 2^18, and a
 *   multiple of the texel size, tiled: of the tile's width. 1D: any, ignored.
 * - Arrays, 3D, cube: qpitch is at least the height of a slice (1D array: its
 *   width), a multiple of 4 and of valign (1D array: halign), and for a tiled
 *   3D surface of the tile's height.
 * - Arrays, 3D, cube: min_array_element is less than depth, and view_extent at
 *   most depth - min_array_element.
 * - Not buffer: levels is 1 to 15, min_lod at most 15 - levels.
 * - Not buffer: halign is 4, 8, 16, or what 16, 32, 64 or 128 bytes hold; 2D,
 *   3D, cube: valign is 4, 8 or 16. 0 is legal too if min_lod + levels is 1.
 */
struct veu_surface {
    /** address of level 0, slice 0; with flag SLM: offset in SLM */
    uint64_t base;
    uint16_t format; /**< enum veu_format: see Formats */
    uint8_t type;    /**< 0 1D, 1 2D, 2 3D, 3 cube, 4 buffer, 7 null */
    uint8_t tiling;  /**< 0 linear, 1 X, 2 Y, 3 Tile4 */
    uint32_t width;  /**< texels of a row of level 0; of a buffer, elements */
    uint32_t height; /**< rows of level 0 */
    uint32_t depth;  /**< slices of level 0: array elements, faces, or z */
    uint32_t pitch;  /**< bytes from one row to the next */
    uint32_t qpitch; /**< rows from one slice to the next; 1D array: texels */
    uint32_t min_array_element; /**< slice that is accessed as slice 0 */
    /** slices that can be accessed; 0: all from min_array_element on */
    uint32_t view_extent;
    uint8_t levels;       /**< mip levels that can be accessed */
    uint8_t min_lod;      /**< level that is accessed as LOD 0 */
    uint16_t flags;       /**< bit 0 SLM, bit 1 ARRAY; other bits 0 */
    uint16_t halign;      /**< texels that a level's width is padded to */
    uint16_t valign;      /**< rows that a level's height is padded to */
    uint8_t reserved[16]; /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_surface, 64);
VEU_ASSERT_OFFSET(struct veu_surface, width, 12);
VEU_ASSERT_OFFSET(struct veu_surface, levels, 40);
VEU_ASSERT_OFFSET(struct veu_surface, reserved, 48);

/** Which texels a sampler reads. */
enum veu_filter {
    VEU_FILTER_NEAREST = 0, /**< the texel that contains the coordinate */
    VEU_FILTER_LINEAR =
        1, /**< 2, 4 or 8 texels around it, weighted by distance */
};

/** What a sampler reads for a coordinate outside of the surface. */
enum veu_addressing {
    VEU_ADDRESSING_BORDER = 0, /**< the border: a texel of zero bits */
    VEU_ADDRESSING_EDGE = 1,   /**< the texel at the edge */
    VEU_ADDRESSING_REPEAT = 2, /**< the surface repeats; normalized only */
    VEU_ADDRESSING_MIRROR =
        3, /**< repeats, every other one mirrored; likewise */
};

/** Flag: coordinates from 0 to 1 cover the surface. */
#define VEU_SAMPLER_NORMALIZED 0x01

/** Samplers of a KERNEL. */
#define VEU_SAMPLERS 16

/** How sample_lz reads a surface. Four bytes; all zeros is a valid sampler. */
struct veu_sampler {
    uint8_t filter;     /**< 0 nearest, 1 linear */
    uint8_t addressing; /**< 0 border, 1 edge, 2 repeat, 3 mirror */
    uint8_t flags;      /**< bit 0 NORMALIZED; other bits 0 */
    uint8_t reserved;   /**< 0 */
};
VEU_ASSERT_SIZE(struct veu_sampler, 4);

#endif /* VEU_SURFACE_H */
