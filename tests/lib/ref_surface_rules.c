/*
 * veu tests: a second implementation: the rules for legal descriptors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The comments of include/veu/surface.h, field by field.
 */
#include "tests/lib/ref.h"
#include "tests/lib/ref_surface.h"

typedef struct veu_surface Surface;

static bool is_buffer(const Surface *s)
{
    return s->type == VEU_SURFACE_BUFFER;
}

static bool is_array(const Surface *s)
{
    return s->flags & VEU_SURFACE_ARRAY;
}

static bool has_rows(const Surface *s)
{
    return s->type >= VEU_SURFACE_2D && s->type <= VEU_SURFACE_CUBE;
}

static bool has_slices(const Surface *s)
{
    return is_array(s) || s->type == VEU_SURFACE_3D ||
           s->type == VEU_SURFACE_CUBE;
}

static uint32_t texel(const Surface *s)
{
    return ref_texel_bytes(ref_format(s->format));
}

static bool kind_is_legal(const Surface *s)
{
    const RefFormat *f = ref_format(s->format);

    if (s->type > VEU_SURFACE_BUFFER || s->flags > 3 || s->tiling > 3 || !f) {
        return false;
    }
    if ((s->flags & VEU_SURFACE_SLM) && !is_buffer(s)) {
        return false;
    }
    if (is_array(s) && s->type != VEU_SURFACE_1D && s->type != VEU_SURFACE_2D) {
        return false;
    }
    if (s->tiling && !has_rows(s)) {
        return false;
    }
    if (s->tiling == VEU_TILING_X && s->type != VEU_SURFACE_2D) {
        return false;
    }
    return f->code != VEU_FORMAT_RAW || is_buffer(s);
}

static bool in_range(uint32_t value, uint32_t low, uint32_t high)
{
    return value >= low && value <= high;
}

static bool size_is_legal(const Surface *s)
{
    if (s->width == 0 || (!is_buffer(s) && s->width > 16384)) {
        return false;
    }
    if (has_rows(s) ? !in_range(s->height, 1, 16384) : s->height) {
        return false;
    }
    if (has_slices(s) ? !in_range(s->depth, 1, 2048) : s->depth) {
        return false;
    }
    return s->type != VEU_SURFACE_CUBE ||
           (s->height == s->width && s->depth % 6 == 0);
}

static bool halign_is_legal(const Surface *s)
{
    uint32_t bytes = s->halign * texel(s);

    switch (s->halign) {
    case 0:
        return s->min_lod + s->levels == 1;
    case 4:
    case 8:
    case 16:
        return true;
    default:
        return bytes == 16 || bytes == 32 || bytes == 64 || bytes == 128;
    }
}

static bool valign_is_legal(const Surface *s)
{
    return s->valign == 4 || s->valign == 8 || s->valign == 16 ||
           (s->valign == 0 && s->min_lod + s->levels == 1);
}

static bool levels_are_legal(const Surface *s)
{
    if (is_buffer(s)) {
        return !s->levels && !s->min_lod && !s->halign && !s->valign;
    }
    return in_range(s->levels, 1, 15) && s->min_lod <= 15 - s->levels &&
           halign_is_legal(s) &&
           (has_rows(s) ? valign_is_legal(s) : !s->valign);
}

static bool pitch_is_legal(const Surface *s)
{
    uint32_t unit = s->tiling == 0            ? texel(s) :
                    s->tiling == VEU_TILING_X ? 512 :
                                                128;

    if (!has_rows(s)) {
        return s->type == VEU_SURFACE_1D || s->pitch == 0;
    }
    return s->pitch >= ref_slice(s).width * texel(s) && s->pitch <= 1u << 18 &&
           s->pitch % unit == 0;
}

static bool qpitch_is_legal(const Surface *s)
{
    RefRectangle slice;
    uint32_t unit;

    if (!has_slices(s)) {
        return s->qpitch == 0;
    }
    slice = ref_slice(s);
    unit = has_rows(s) ? s->valign : s->halign;
    if (s->type == VEU_SURFACE_3D && s->tiling && s->qpitch % 32) {
        return false;
    }
    return s->qpitch >= (has_rows(s) ? slice.height : slice.width) &&
           s->qpitch % 4 == 0 && (!unit || s->qpitch % unit == 0);
}

static bool view_is_legal(const Surface *s)
{
    if (!has_slices(s)) {
        return !s->min_array_element && !s->view_extent;
    }
    return s->min_array_element < s->depth &&
           s->view_extent <= s->depth - s->min_array_element;
}

static bool base_is_legal(const Surface *s)
{
    uint32_t unit = s->tiling ? 4096 : texel(s);

    return s->base % unit == 0 && s->base <= UINT64_MAX - ref_surface_bytes(s);
}

static bool rest_is_zero(const Surface *s)
{
    for (unsigned i = 0; i < sizeof(s->reserved); i++) {
        if (s->reserved[i]) {
            return false;
        }
    }
    return true;
}

bool ref_surface_is_legal(const Surface *s)
{
    return s->type == VEU_SURFACE_NULL ||
           (kind_is_legal(s) && size_is_legal(s) && levels_are_legal(s) &&
            pitch_is_legal(s) && qpitch_is_legal(s) && view_is_legal(s) &&
            base_is_legal(s) && rest_is_zero(s));
}
