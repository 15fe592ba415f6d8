/*
 * veu execution unit: the rules of a surface descriptor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are those of include/veu/surface.h, in its order.
 */
#include <stddef.h>
#include "hw/veu/eu/surface.h"

#define MAX_SIDE  16384
#define MAX_DEPTH 2048
#define MAX_PITCH (1u << 18)

typedef struct veu_surface Descriptor;

static bool is_image(const Descriptor *d)
{
    return d->type == VEU_SURFACE_1D || d->type == VEU_SURFACE_2D ||
           d->type == VEU_SURFACE_3D;
}

static bool has_rows(const Descriptor *d)
{
    return d->type == VEU_SURFACE_2D || d->type == VEU_SURFACE_3D;
}

static uint64_t row_bytes(const Descriptor *d)
{
    return (uint64_t)d->width * veu_format_find(d->format)->bytes;
}

/* Bytes from the base to behind the last texel; fits 64 bits by far. */
static uint64_t extent_bytes(const Descriptor *d)
{
    uint64_t rows = 0;

    if (d->type == VEU_SURFACE_3D) {
        rows = (uint64_t)(d->depth - 1) * d->qpitch;
    }
    if (has_rows(d)) {
        rows += d->height - 1;
    }
    return rows * d->pitch + row_bytes(d);
}

static bool bad_type(const Descriptor *d)
{
    return !is_image(d) && d->type != VEU_SURFACE_BUFFER;
}

static bool bad_tiling(const Descriptor *d)
{
    return d->tiling != VEU_TILING_LINEAR;
}

static bool bad_format(const Descriptor *d)
{
    return !veu_format_find(d->format) ||
           (d->format == VEU_FORMAT_RAW && is_image(d));
}

static bool bad_flags(const Descriptor *d)
{
    return (d->flags & ~VEU_SURFACE_SLM) ||
           ((d->flags & VEU_SURFACE_SLM) && d->type != VEU_SURFACE_BUFFER);
}

static bool bad_width(const Descriptor *d)
{
    return d->width == 0 || (is_image(d) && d->width > MAX_SIDE);
}

static bool bad_height(const Descriptor *d)
{
    return has_rows(d) ? d->height == 0 || d->height > MAX_SIDE : d->height;
}

static bool bad_depth(const Descriptor *d)
{
    return d->type == VEU_SURFACE_3D ? d->depth == 0 || d->depth > MAX_DEPTH :
                                       d->depth;
}

static bool bad_pitch(const Descriptor *d)
{
    if (!has_rows(d)) {
        return d->pitch;
    }
    return d->pitch < row_bytes(d) || d->pitch > MAX_PITCH ||
           d->pitch % veu_format_find(d->format)->bytes;
}

static bool bad_qpitch(const Descriptor *d)
{
    if (d->type != VEU_SURFACE_3D) {
        return d->qpitch;
    }
    return d->qpitch < d->height || d->qpitch % 4;
}

static bool bad_base(const Descriptor *d)
{
    return d->base % veu_format_find(d->format)->bytes ||
           d->base + extent_bytes(d) < d->base;
}

static bool bad_levels(const Descriptor *d)
{
    return d->levels != is_image(d);
}

static bool bad_min_array_element(const Descriptor *d)
{
    return d->min_array_element;
}

static bool bad_view_extent(const Descriptor *d)
{
    return d->view_extent;
}

static bool bad_min_lod(const Descriptor *d)
{
    return d->min_lod;
}

static bool bad_halign(const Descriptor *d)
{
    return d->halign;
}

static bool bad_valign(const Descriptor *d)
{
    return d->valign;
}

static bool bad_reserved(const Descriptor *d)
{
    for (size_t i = 0; i < sizeof(d->reserved); i++) {
        if (d->reserved[i]) {
            return true;
        }
    }
    return false;
}

/* In an order in which a rule may rely on those before it. */
#define RULE(field)                              \
    {                                            \
        offsetof(Descriptor, field), bad_##field \
    }
static const struct {
    uint32_t offset;
    bool (*broken)(const Descriptor *d);
} rules[] = {
    RULE(type),        RULE(tiling),  RULE(format), RULE(flags),
    RULE(width),       RULE(height),  RULE(depth),  RULE(pitch),
    RULE(qpitch),      RULE(base),    RULE(levels), RULE(min_array_element),
    RULE(view_extent), RULE(min_lod), RULE(halign), RULE(valign),
    RULE(reserved),
};

bool veu_surface_decode(const Descriptor *d, VeuSurface *s, uint32_t *detail)
{
    if (d->type == VEU_SURFACE_NULL) {
        *s = (VeuSurface){ .type = d->type };
        return true;
    }
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].broken(d)) {
            *detail = rules[i].offset;
            return false;
        }
    }
    *s = (VeuSurface){
        .base = d->base,
        .bytes = extent_bytes(d),
        .format = veu_format_find(d->format),
        .type = d->type,
        .slm = d->flags & VEU_SURFACE_SLM,
        .width = d->width,
        .height = d->height,
        .depth = d->depth,
        .pitch = d->pitch,
        .slice_pitch = (uint64_t)d->qpitch * d->pitch,
    };
    return true;
}
