/*
 * veu tests: legal descriptors of all shapes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/random_surface.h"
#include "tests/lib/ref.h"
#include "tests/lib/ref_surface.h"

typedef struct veu_surface Surface;

#define LINEAR 0x1
#define NOT_X  0xd
#define ALL    0xf

const TestShape test_shapes[TEST_SHAPES] = {
    { "1D", VEU_SURFACE_1D, 0, LINEAR },
    { "1D array", VEU_SURFACE_1D, VEU_SURFACE_ARRAY, LINEAR },
    { "2D", VEU_SURFACE_2D, 0, ALL },
    { "2D array", VEU_SURFACE_2D, VEU_SURFACE_ARRAY, ALL },
    { "3D", VEU_SURFACE_3D, 0, NOT_X },
    { "cube", VEU_SURFACE_CUBE, 0, NOT_X },
    { "buffer", VEU_SURFACE_BUFFER, 0, LINEAR },
};

uint8_t test_random_tiling(GRand *rng, const TestShape *shape)
{
    uint8_t tiling;

    do {
        tiling = g_rand_int(rng) % 4;
    } while (!(shape->tilings >> tiling & 1));
    return tiling;
}

/* Returns 1 to n, often small, often n itself. */
static uint32_t upto(GRand *rng, uint32_t n)
{
    switch (g_rand_int_range(rng, 0, 8)) {
    case 0:
        return n;
    case 1:
    case 2:
        return 1 + g_rand_int(rng) % MIN(n, 16);
    default:
        return 1 + g_rand_int(rng) % n;
    }
}

static uint32_t round_up(uint64_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static bool has_slices(const Surface *s)
{
    return s->type == VEU_SURFACE_3D || s->type == VEU_SURFACE_CUBE ||
           (s->flags & VEU_SURFACE_ARRAY);
}

static void choose_size(GRand *rng, Surface *s, const TestExtent *most)
{
    bool flat = s->type == VEU_SURFACE_1D || s->type == VEU_SURFACE_BUFFER;

    s->width = upto(rng, most->width);
    s->height = flat ? 0 : upto(rng, most->height);
    if (s->type == VEU_SURFACE_CUBE) {
        s->width = s->height = MIN(s->width, s->height);
        s->depth = 6 * upto(rng, MAX(1, most->depth / 6));
    } else if (has_slices(s)) {
        s->depth = upto(rng, most->depth);
    }
}

static void choose_levels(GRand *rng, Surface *s, unsigned texel)
{
    static const uint8_t texels[] = { 4, 8, 16 };
    static const uint8_t bytes[] = { 16, 32, 64, 128 };
    unsigned total = upto(rng, g_rand_boolean(rng) ? 5 : 15);

    s->min_lod = g_rand_int(rng) % total;
    s->levels = total - s->min_lod;
    if (total == 1 && g_rand_boolean(rng)) {
        return; /* nothing is padded */
    }
    s->halign = g_rand_boolean(rng) ? texels[g_rand_int(rng) % 3] :
                                      bytes[g_rand_int(rng) % 4] / texel;
    if (s->type != VEU_SURFACE_1D) {
        s->valign = texels[g_rand_int(rng) % 3];
    }
}

static void choose_pitch(GRand *rng, Surface *s, unsigned texel,
                         const TestExtent *most)
{
    unsigned unit = s->tiling == VEU_TILING_LINEAR ? texel :
                    s->tiling == VEU_TILING_X      ? 512 :
                                                     128;
    uint32_t row = round_up(ref_slice(s).width * texel, unit);
    uint32_t pitch = row + g_rand_int(rng) % (most->slack + 1) * unit;

    s->pitch = pitch <= 1u << 18 ? pitch : row;
    if (s->type == VEU_SURFACE_1D) {
        s->pitch = g_rand_int(rng); /* ignored */
    }
}

static void choose_slices(GRand *rng, Surface *s, const TestExtent *most)
{
    bool flat = s->type == VEU_SURFACE_1D;
    bool tiled_3d = s->type == VEU_SURFACE_3D && s->tiling;
    uint32_t unit = MAX(4, flat ? s->halign : s->valign);
    RefRectangle slice = ref_slice(s);

    unit = tiled_3d ? 32 : unit;
    s->qpitch = round_up(flat ? slice.width : slice.height, unit) +
                g_rand_int(rng) % (most->slack + 1) * unit;
    if (g_rand_boolean(rng)) {
        s->min_array_element = g_rand_int(rng) % s->depth;
    }
    if (g_rand_boolean(rng)) {
        s->view_extent = upto(rng, s->depth - s->min_array_element);
    }
}

Surface test_random_surface(GRand *rng, const TestShape *shape, uint8_t tiling,
                            uint16_t format, const TestExtent *most)
{
    unsigned texel = ref_texel_bytes(ref_format(format));
    Surface s = {
        .format = format,
        .type = shape->type,
        .tiling = tiling,
        .flags = shape->flags,
    };

    do {
        s.min_lod = s.levels = s.halign = s.valign = 0;
        choose_size(rng, &s, most);
        if (s.type != VEU_SURFACE_BUFFER) {
            choose_levels(rng, &s, texel);
            choose_pitch(rng, &s, texel, most);
        }
        /* padding can make a slice too wide for any pitch */
    } while (s.type != VEU_SURFACE_1D && s.pitch > 1u << 18);
    if (has_slices(&s)) {
        choose_slices(rng, &s, most);
    }
    return s;
}
