/*
 * veu execution unit: the rules of a surface descriptor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are those of include/veu/surface.h and docs/spec.md, section 9.
 */
#include <stddef.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/surface/layout.h"
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/zero.h"

#define MAX_SIDE  16384
#define MAX_DEPTH 2048
#define MAX_PITCH (1u << 18)
#define FACES     6
#define ALL       UINT32_MAX

#define TILING(name) (1u << VEU_TILING_##name)

/* The coordinates that apply: semantics.md, section 5. */
static const VeuShape shapes[] = {
    { .type = VEU_SURFACE_1D, .tilings = TILING(LINEAR), .lod = ALL },
    { .type = VEU_SURFACE_1D,
      .array = true,
      .tilings = TILING(LINEAR),
      .v_slice = ALL,
      .lod = ALL },
    { .type = VEU_SURFACE_2D,
      .tilings = TILING(LINEAR) | TILING(X) | TILING(Y) | TILING(TILE4),
      .v_row = ALL,
      .lod = ALL },
    { .type = VEU_SURFACE_2D,
      .array = true,
      .tilings = TILING(LINEAR) | TILING(X) | TILING(Y) | TILING(TILE4),
      .v_row = ALL,
      .r_slice = ALL,
      .lod = ALL },
    { .type = VEU_SURFACE_3D,
      .tilings = TILING(LINEAR) | TILING(Y) | TILING(TILE4),
      .v_row = ALL,
      .r_slice = ALL,
      .lod = ALL },
    { .type = VEU_SURFACE_CUBE,
      .tilings = TILING(LINEAR) | TILING(Y) | TILING(TILE4),
      .v_row = ALL,
      .r_slice = ALL,
      .lod = ALL },
    { .type = VEU_SURFACE_BUFFER, .tilings = TILING(LINEAR) },
};

/* The input of the rules. */
typedef struct Draft {
    const struct veu_surface *d;
    const VeuShape *shape;
    const VeuFormat *format;
    const VeuTile *tile;
    VeuLayout layout;
} Draft;

const VeuShape *veu_shape_find(uint8_t type, bool array)
{
    for (size_t i = 0; i < VEU_ARRAY_SIZE(shapes); i++) {
        if (shapes[i].type == type && shapes[i].array == array) {
            return &shapes[i];
        }
    }
    return NULL;
}

static bool has_slices(const Draft *a)
{
    return a->shape->v_slice || a->shape->r_slice;
}

/* A single level needs no padding. */
static bool may_lack_alignment(const Draft *a)
{
    return a->layout.count == 1;
}

/*
 * The surface without its levels; a 1D surface has rows of one texel. It is set
 * member by member: clearing all levels would take longer than the rest.
 */
static void set_surface(const Draft *a, VeuSurface *s)
{
    const struct veu_surface *d = a->d;

    s->base = d->base;
    s->format = a->format;
    s->shape = a->shape;
    s->tile = a->tile;
    s->type = d->type;
    s->tiling = d->tiling;
    s->texel_log2 = __builtin_ctz(a->format->bytes);
    s->slm = d->flags & VEU_SURFACE_SLM;
    s->levels = a->shape->lod ? d->levels : 1;
    s->pitch = a->shape->v_row ? d->pitch : a->format->bytes;
    s->qpitch = d->qpitch;
    s->bytes = veu_layout_bytes(s, &a->layout);
    s->is_narrow = !s->slm && a->format->channels[0].bits &&
                   !veu_format_is_srgb(a->format) &&
                   s->bytes <= VEU_NARROW_BYTES;
    s->channels = veu_format_mask(a->format);
    s->whole = veu_format_is_whole(a->format) ? s->channels : UINT8_MAX;
    s->alpha = veu_format_default(a->format, VEU_CHANNEL_BIT_A);
    veu_format_runs(a->format, s->runs);
}

static uint64_t extent_bytes(const Draft *a)
{
    VeuSurface s;

    set_surface(a, &s);
    return s.bytes;
}

static bool bad_type(const Draft *a)
{
    return !veu_shape_find(a->d->type, false);
}

static bool bad_flags(const Draft *a)
{
    uint16_t flags = a->d->flags;

    return !a->shape || (flags & ~(VEU_SURFACE_SLM | VEU_SURFACE_ARRAY)) ||
           ((flags & VEU_SURFACE_SLM) && a->d->type != VEU_SURFACE_BUFFER);
}

static bool bad_tiling(const Draft *a)
{
    return a->d->tiling >= 8 || !(a->shape->tilings >> a->d->tiling & 1);
}

static bool bad_format(const Draft *a)
{
    return !a->format ||
           (a->d->format == VEU_FORMAT_RAW && a->d->type != VEU_SURFACE_BUFFER);
}

static bool bad_width(const Draft *a)
{
    return a->d->width == 0 ||
           (a->d->type != VEU_SURFACE_BUFFER && a->d->width > MAX_SIDE);
}

static bool bad_height(const Draft *a)
{
    uint32_t height = a->d->height;

    if (a->d->type == VEU_SURFACE_CUBE) {
        return height != a->d->width;
    }
    return a->shape->v_row ? height == 0 || height > MAX_SIDE : height;
}

static bool bad_depth(const Draft *a)
{
    uint32_t depth = a->d->depth;

    if (a->d->type == VEU_SURFACE_CUBE && depth % FACES) {
        return true;
    }
    return has_slices(a) ? depth == 0 || depth > MAX_DEPTH : depth;
}

static bool bad_levels(const Draft *a)
{
    uint8_t levels = a->d->levels;

    return a->shape->lod ? levels == 0 || levels > VEU_MAX_LEVELS : levels;
}

static bool bad_min_lod(const Draft *a)
{
    return a->shape->lod ? a->d->min_lod + a->d->levels > VEU_MAX_LEVELS :
                           a->d->min_lod;
}

/* 4, 8, 16 texels up to Gen12; 16, 32, 64, 128 bytes from Gen12.5 on. */
static bool bad_halign(const Draft *a)
{
    uint32_t halign = a->d->halign;
    uint32_t bytes = halign * a->format->bytes;

    if (!a->shape->lod || halign == 0) {
        return halign || (a->shape->lod && !may_lack_alignment(a));
    }
    return halign != 4 && halign != 8 && halign != 16 && bytes != 16 &&
           bytes != 32 && bytes != 64 && bytes != 128;
}

static bool bad_valign(const Draft *a)
{
    uint32_t valign = a->d->valign;

    if (!a->shape->v_row || valign == 0) {
        return valign || (a->shape->v_row && !may_lack_alignment(a));
    }
    return valign != 4 && valign != 8 && valign != 16;
}

static bool bad_pitch(const Draft *a)
{
    uint32_t pitch = a->d->pitch;
    uint32_t unit = a->tile ? 1u << a->tile->width_log2 : a->format->bytes;

    if (!a->shape->v_row) {
        return a->d->type == VEU_SURFACE_BUFFER && pitch;
    }
    return pitch < (uint64_t)a->layout.width_el * a->format->bytes ||
           pitch > MAX_PITCH || pitch % unit;
}

static bool bad_qpitch(const Draft *a)
{
    bool rows = a->shape->v_row;
    uint32_t qpitch = a->d->qpitch;
    uint32_t align = rows ? a->d->valign : a->d->halign;

    if (!has_slices(a)) {
        return qpitch;
    }
    if (a->d->type == VEU_SURFACE_3D && a->tile &&
        qpitch % (1u << a->tile->height_log2)) {
        return true;
    }
    return qpitch < (rows ? a->layout.height : a->layout.width_el) ||
           qpitch % 4 || (align && qpitch % align);
}

static bool bad_base(const Draft *a)
{
    uint32_t unit = a->tile ? VEU_TILE_BYTES : a->format->bytes;

    return a->d->base % unit || a->d->base + extent_bytes(a) < a->d->base;
}

static bool bad_min_array_element(const Draft *a)
{
    uint32_t first = a->d->min_array_element;

    return has_slices(a) ? first >= a->d->depth : first;
}

static bool bad_view_extent(const Draft *a)
{
    return a->d->view_extent >
           (has_slices(a) ? a->d->depth - a->d->min_array_element : 0);
}

static bool bad_reserved(const Draft *a)
{
    return !veu_is_zero(a->d->reserved, sizeof(a->d->reserved));
}

/* The order matters: a rule may rely on those before it. */
#define RULE(field)                                      \
    {                                                    \
        offsetof(struct veu_surface, field), bad_##field \
    }
static const struct {
    uint32_t offset;
    bool (*broken)(const Draft *a);
} rules[] = {
    RULE(type),        RULE(flags),    RULE(tiling),
    RULE(format),      RULE(width),    RULE(height),
    RULE(depth),       RULE(levels),   RULE(min_lod),
    RULE(halign),      RULE(valign),   RULE(pitch),
    RULE(qpitch),      RULE(base),     RULE(min_array_element),
    RULE(view_extent), RULE(reserved),
};

/*
 * The slices of a level from min_array_element on. Only in 3D surfaces does
 * each level have fewer.
 */
static uint32_t visible_slices(const Draft *a, const VeuMip *mip)
{
    uint32_t first = a->d->min_array_element;
    uint32_t extent = a->d->view_extent;
    uint32_t left = mip->slices > first ? mip->slices - first : 0;

    return extent && extent < left ? extent : left;
}

static void add_levels(const Draft *a, VeuSurface *s)
{
    for (unsigned l = 0; l < s->levels; l++) {
        const VeuMip *mip = &a->layout.mip[a->d->min_lod + l];

        s->level[l] = (VeuLevel){
            .width = mip->width_el,
            .height = mip->height,
            .slices = visible_slices(a, mip),
            .x_byte = mip->x_el * a->format->bytes,
            .y = (uint64_t)a->d->min_array_element * s->qpitch + mip->y,
        };
    }
}

bool veu_surface_decode(const struct veu_surface *d, VeuSurface *s,
                        uint32_t *detail)
{
    Draft a;

    if (d->type == VEU_SURFACE_NULL) {
        *s = (VeuSurface){ .type = d->type };
        return true;
    }
    a.d = d;
    a.shape = veu_shape_find(d->type, d->flags & VEU_SURFACE_ARRAY);
    a.format = veu_format_find(d->format);
    a.tile = veu_tile_find(d->tiling);
    if (a.shape) {
        veu_layout_place(d, a.shape, &a.layout);
    }
    for (size_t i = 0; i < VEU_ARRAY_SIZE(rules); i++) {
        if (rules[i].broken(&a)) {
            *detail = rules[i].offset;
            return false;
        }
    }
    set_surface(&a, s);
    add_levels(&a, s);
    return true;
}
