/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: surface descriptors.
 */
#include "veu_surfaces.h"

#include "veu_port.h"

unsigned veu_format_bytes(enum veu_format format)
{
    switch (format) {
#define FORMAT_BYTES(name, code, bytes, atomics, channels) \
    case VEU_FORMAT_##name:                                \
        return (bytes);
#define NO_CHANNEL(name, bit, bits, type)
        VEU_FORMATS(FORMAT_BYTES, NO_CHANNEL)
#undef FORMAT_BYTES
#undef NO_CHANNEL
    }
    return 0;
}

struct veu_surface veu_surface_buffer(void *memory, enum veu_format format,
                                      uint32_t elements)
{
    return (struct veu_surface){
        .base = veu_port_device_address(memory),
        .format = format,
        .type = VEU_SURFACE_BUFFER,
        .tiling = VEU_TILING_LINEAR,
        .width = elements,
    };
}

struct veu_surface veu_surface_raw(void *memory, uint32_t bytes)
{
    return veu_surface_buffer(memory, VEU_FORMAT_RAW, bytes);
}

struct veu_surface veu_surface_slm(uint32_t offset, uint32_t bytes)
{
    return (struct veu_surface){
        .base = offset,
        .format = VEU_FORMAT_RAW,
        .type = VEU_SURFACE_BUFFER,
        .width = bytes,
        .flags = VEU_SURFACE_SLM,
    };
}

struct veu_surface veu_surface_1d(void *memory, enum veu_format format,
                                  uint32_t width)
{
    return (struct veu_surface){
        .base = veu_port_device_address(memory),
        .format = format,
        .type = VEU_SURFACE_1D,
        .tiling = VEU_TILING_LINEAR,
        .width = width,
        .levels = 1,
    };
}

struct veu_surface veu_surface_2d(void *memory, enum veu_format format,
                                  uint32_t width, uint32_t height,
                                  uint32_t pitch)
{
    struct veu_surface surface = veu_surface_1d(memory, format, width);

    surface.type = VEU_SURFACE_2D;
    surface.height = height;
    surface.pitch = pitch;
    return surface;
}

struct veu_surface veu_surface_3d(void *memory, enum veu_format format,
                                  uint32_t width, uint32_t height,
                                  uint32_t depth, uint32_t pitch, uint32_t rows)
{
    struct veu_surface surface = veu_surface_2d(memory, format, width, height,
                                                pitch);

    surface.type = VEU_SURFACE_3D;
    surface.depth = depth;
    surface.qpitch = rows;
    return surface;
}

/* docs/spec.md, section 9, "Mip levels" and "Tilings". */

#define ALIGN 4

struct size {
    uint32_t width, height;
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint64_t round_up(uint64_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static unsigned level_count(const struct veu_surface *s)
{
    return s->min_lod + s->levels;
}

static int has_slices(const struct veu_surface *s)
{
    return s->type == VEU_SURFACE_3D || s->type == VEU_SURFACE_CUBE ||
           (s->flags & VEU_SURFACE_ARRAY);
}

/* The size of a level with its padding; 0 for a level that does not exist. */
static struct size level_size(const struct veu_surface *s, unsigned level)
{
    struct size size = { larger(1, s->width >> level),
                         larger(1, s->height >> level) };

    if (level >= level_count(s)) {
        return (struct size){ 0, 0 };
    }
    if (level_count(s) == 1) {
        return size;
    }
    return (struct size){ round_up(size.width, ALIGN),
                          round_up(size.height, ALIGN) };
}

/* Level 1 is below level 0; all others are in a column to its right. */
static struct size slice_size(const struct veu_surface *s)
{
    struct size first = level_size(s, 0);
    struct size left = level_size(s, 1);
    struct size right = { level_size(s, 2).width, 0 };
    uint32_t line = first.width + left.width;

    for (unsigned l = 2; l < level_count(s); l++) {
        line += level_size(s, l).width;
        right.height += level_size(s, l).height;
    }
    if (s->type == VEU_SURFACE_1D) {
        return (struct size){ line, 1 };
    }
    return (struct size){ larger(first.width, left.width + right.width),
                          first.height + larger(left.height, right.height) };
}

static struct size tile_size(const struct veu_surface *s)
{
    switch (s->tiling) {
    case VEU_TILING_LINEAR:
        return (struct size){ veu_format_bytes(s->format), 1 };
    case VEU_TILING_X:
        return (struct size){ 512, 8 };
    default:
        return (struct size){ 128, 32 };
    }
}

struct veu_surface veu_surface_image(void *memory, struct veu_surface s)
{
    struct size slice = slice_size(&s);
    struct size tile = tile_size(&s);
    int flat = s.type == VEU_SURFACE_1D;

    s.base = veu_port_device_address(memory);
    if (level_count(&s) > 1) {
        s.halign = ALIGN;
        s.valign = flat ? 0 : ALIGN;
    }
    if (!flat) {
        s.pitch = round_up((uint64_t)slice.width * veu_format_bytes(s.format),
                           tile.width);
    }
    if (has_slices(&s)) {
        s.qpitch = round_up(flat ? slice.width : slice.height,
                            s.type == VEU_SURFACE_3D && s.tiling ? tile.height :
                                                                   ALIGN);
    }
    return s;
}

uint64_t veu_surface_bytes(const struct veu_surface *s)
{
    struct size slice = slice_size(s);
    uint64_t before = (uint64_t)s->qpitch * (s->depth ? s->depth - 1 : 0);

    if (s->type == VEU_SURFACE_1D) {
        return (before + slice.width) * veu_format_bytes(s->format);
    }
    return round_up(before + slice.height, tile_size(s).height) * s->pitch;
}
