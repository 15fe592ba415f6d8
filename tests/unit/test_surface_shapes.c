/*
 * veu unit tests: descriptors of arrays, cubes, mip levels and tilings:
 * include/veu/surface.h, and docs/spec.md, section 9. For each rule, the tests
 * use the value that is just legal, and one that is not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/ref.h"
#include "tests/unit/surface.h"

static const Surface lines = { .base = 0x1000,
                               .format = VEU_FORMAT_R8G8B8A8_UINT,
                               .type = VEU_SURFACE_1D,
                               .flags = VEU_SURFACE_ARRAY,
                               .width = 21,
                               .depth = 3,
                               .qpitch = 24,
                               .levels = 1 };
static const Surface images = { .base = 0x1000,
                                .format = VEU_FORMAT_R8G8B8A8_UINT,
                                .type = VEU_SURFACE_2D,
                                .flags = VEU_SURFACE_ARRAY,
                                .width = 16,
                                .height = 10,
                                .depth = 5,
                                .pitch = 64,
                                .qpitch = 12,
                                .levels = 1 };
static const Surface cube = { .base = 0x1000,
                              .format = VEU_FORMAT_R8G8B8A8_UINT,
                              .type = VEU_SURFACE_CUBE,
                              .width = 16,
                              .height = 16,
                              .depth = 12,
                              .pitch = 64,
                              .qpitch = 16,
                              .levels = 1 };
static const Surface *const sliced[] = { &lines, &images, &cube, &volume };
/* Sizes of 24, 12, 6 and 20, 10, 5 texels; padded to 24, 12, 8 and 20, 12, 8 */
static const Surface mips = { .base = 0x1000,
                              .format = VEU_FORMAT_R8G8B8A8_UINT,
                              .type = VEU_SURFACE_2D,
                              .width = 24,
                              .height = 20,
                              .pitch = 96,
                              .levels = 3,
                              .halign = 4,
                              .valign = 4 };

static void test_flag_array_is_for_1d_and_2d(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(sliced); i++) {
        g_assert_cmpuint(check(sliced[i]), ==, LEGAL);
    }
    ASSERT_REFUSED(&cube, flags, VEU_SURFACE_ARRAY);
    ASSERT_REFUSED(&volume, flags, VEU_SURFACE_ARRAY);
    ASSERT_REFUSED(&buffer, flags, VEU_SURFACE_ARRAY);
    ASSERT_REFUSED(&images, flags, VEU_SURFACE_ARRAY | VEU_SURFACE_SLM);
}

static void test_an_array_has_1_to_2048_elements(void)
{
    for (unsigned i = 0; i < 2; i++) {
        ASSERT_REFUSED(sliced[i], depth, 0);
        ASSERT_LEGAL(sliced[i], depth, 1);
        ASSERT_LEGAL(sliced[i], depth, 2048);
        ASSERT_REFUSED(sliced[i], depth, 2049);
        ASSERT_REFUSED(sliced[i], depth, UINT32_MAX);
    }
}

static void test_a_cube_has_six_square_faces(void)
{
    ASSERT_REFUSED(&cube, depth, 0);
    ASSERT_REFUSED(&cube, depth, 5);
    ASSERT_LEGAL(&cube, depth, 6);
    ASSERT_REFUSED(&cube, depth, 7);
    ASSERT_LEGAL(&cube, depth, 2046);
    ASSERT_REFUSED(&cube, depth, 2052);
    ASSERT_REFUSED(&cube, height, 15);
    ASSERT_REFUSED(&cube, height, 17);
}

/* slice = index + MinArrayElement; index < view extent. */
static void test_min_array_element_and_view_extent(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(sliced); i++) {
        uint32_t depth = sliced[i]->depth;
        Surface s = *sliced[i];

        ASSERT_LEGAL(&s, min_array_element, depth - 1);
        ASSERT_REFUSED(&s, min_array_element, depth);
        ASSERT_REFUSED(&s, min_array_element, UINT32_MAX);
        ASSERT_LEGAL(&s, view_extent, 1);
        ASSERT_LEGAL(&s, view_extent, depth);
        ASSERT_REFUSED(&s, view_extent, depth + 1);
        s.min_array_element = 2;
        ASSERT_LEGAL(&s, view_extent, 0);
        ASSERT_LEGAL(&s, view_extent, depth - 2);
        ASSERT_REFUSED(&s, view_extent, depth - 1);
        ASSERT_REFUSED(&s, view_extent, UINT32_MAX);
    }
}

/* At least the height of a slice, and a multiple of j and 4. */
static void test_qpitch_of_arrays(void)
{
    Surface s = images;

    ASSERT_REFUSED(&s, qpitch, 0);
    ASSERT_REFUSED(&s, qpitch, 8);
    ASSERT_REFUSED(&s, qpitch, 10);
    ASSERT_LEGAL(&s, qpitch, 12);
    ASSERT_REFUSED(&s, qpitch, 14);
    ASSERT_LEGAL(&s, qpitch, 0xfffffffc);
    s.valign = 8;
    ASSERT_REFUSED(&s, qpitch, 12);
    ASSERT_LEGAL(&s, qpitch, 16);
    s = mips;
    s.flags = VEU_SURFACE_ARRAY;
    s.depth = 2;
    ASSERT_REFUSED(&s, qpitch, 28);
    ASSERT_LEGAL(&s, qpitch, 32); /* 20 + 12 */
}

/* The unit is texels, not rows. */
static void test_qpitch_of_a_1d_array(void)
{
    Surface s = lines;

    ASSERT_REFUSED(&s, qpitch, 20);
    ASSERT_REFUSED(&s, qpitch, 21);
    ASSERT_LEGAL(&s, qpitch, 24);
    ASSERT_REFUSED(&s, qpitch, 26);
    s.halign = 16;
    ASSERT_REFUSED(&s, qpitch, 24);
    ASSERT_LEGAL(&s, qpitch, 32);
    s.levels = 2; /* heights 21 and 10: 32 + 16 */
    ASSERT_REFUSED(&s, qpitch, 32);
    ASSERT_LEGAL(&s, qpitch, 48);
}

/* A tiled 3D surface also needs a multiple of th. */
static void test_qpitch_of_tiled_surfaces(void)
{
    Surface s = volume;

    s.tiling = VEU_TILING_Y;
    s.pitch = 128;
    ASSERT_REFUSED(&s, qpitch, 12);
    ASSERT_REFUSED(&s, qpitch, 48);
    ASSERT_LEGAL(&s, qpitch, 32);
    s.tiling = VEU_TILING_TILE4;
    ASSERT_REFUSED(&s, qpitch, 16);
    ASSERT_LEGAL(&s, qpitch, 64);
    s = images;
    s.tiling = VEU_TILING_TILE4;
    s.pitch = 128;
    ASSERT_LEGAL(&s, qpitch, 12);
    s = cube;
    s.tiling = VEU_TILING_Y;
    s.pitch = 128;
    ASSERT_LEGAL(&s, qpitch, 20);
}

static void test_levels_and_min_lod_are_15_together(void)
{
    Surface s = mips;

    ASSERT_REFUSED(&s, levels, 0);
    ASSERT_LEGAL(&s, levels, 1);
    ASSERT_LEGAL(&s, levels, 15);
    ASSERT_REFUSED(&s, levels, 16);
    ASSERT_REFUSED(&s, levels, 255);
    ASSERT_LEGAL(&s, min_lod, 12);
    ASSERT_REFUSED(&s, min_lod, 13);
    ASSERT_REFUSED(&s, min_lod, 255);
}

/* halign is 4, 8 or 16 texels, or 16, 32, 64 or 128 bytes. */
static void test_halign(void)
{
    for (unsigned i = 0; i < ref_format_count; i++) {
        unsigned texel = ref_texel_bytes(&ref_formats[i]);
        Surface s = mips;

        if (!*ref_formats[i].channels) {
            continue;
        }
        s.format = ref_formats[i].code;
        s.pitch = 1u << 18;
        for (unsigned n = 1; n < 1024; n++) {
            bool legal = n == 4 || n == 8 || n == 16 || n * texel == 16 ||
                         n * texel == 32 || n * texel == 64 || n * texel == 128;

            g_assert_cmpuint(CHECK_WITH(&s, halign, n), ==,
                             legal ? LEGAL : AT(halign));
        }
    }
}

static void test_valign(void)
{
    for (unsigned n = 1; n < 0x10000; n++) {
        bool legal = n == 4 || n == 8 || n == 16;

        g_assert_cmpuint(CHECK_WITH(&mips, valign, n), ==,
                         legal ? LEGAL : AT(valign));
    }
}

/* "One level: W x H unpadded". */
static void test_alignment_of_one_level_may_be_0(void)
{
    Surface s = mips;

    ASSERT_REFUSED(&s, halign, 0);
    ASSERT_REFUSED(&s, valign, 0);
    s.levels = 1;
    ASSERT_LEGAL(&s, halign, 0);
    ASSERT_LEGAL(&s, valign, 0);
    ASSERT_REFUSED(&s, halign, 1);
    ASSERT_REFUSED(&s, valign, 1);
    s.halign = s.valign = 0;
    /* then there are two levels */
    g_assert_cmpuint(CHECK_WITH(&s, min_lod, 1), ==, AT(halign));
}

/* The pitch holds the width of a slice: max(w_0, w_1 + w_2). */
static void test_pitch_holds_a_slice(void)
{
    Surface s = mips;

    ASSERT_REFUSED(&s, pitch, 92);
    ASSERT_LEGAL(&s, pitch, 96);
    s.width = 3; /* widths 3, 1, 1, padded to 4, 4, 4 */
    ASSERT_REFUSED(&s, pitch, 28);
    ASSERT_LEGAL(&s, pitch, 32);
    s.levels = 2;
    ASSERT_REFUSED(&s, pitch, 12);
    ASSERT_LEGAL(&s, pitch, 16);
    s.levels = 1;
    ASSERT_LEGAL(&s, pitch, 12);
}

static void test_pitch_is_whole_tiles(void)
{
    Surface s = image;

    s.tiling = VEU_TILING_X;
    ASSERT_REFUSED(&s, pitch, 64);
    ASSERT_REFUSED(&s, pitch, 256);
    ASSERT_LEGAL(&s, pitch, 512);
    ASSERT_REFUSED(&s, pitch, 640);
    ASSERT_LEGAL(&s, pitch, 1u << 18);
    ASSERT_REFUSED(&s, pitch, (1u << 18) + 512);
    s.tiling = VEU_TILING_Y;
    ASSERT_REFUSED(&s, pitch, 64);
    ASSERT_LEGAL(&s, pitch, 128);
    ASSERT_REFUSED(&s, pitch, 192);
    s.tiling = VEU_TILING_TILE4;
    ASSERT_LEGAL(&s, pitch, 128);
    ASSERT_REFUSED(&s, pitch, 192);
}

static void test_base_of_tiled_surfaces_is_4_kib_aligned(void)
{
    Surface s = image;

    s.pitch = 512;
    for (s.tiling = 1; s.tiling < 4; s.tiling++) {
        ASSERT_LEGAL(&s, base, 0x2000);
        ASSERT_REFUSED(&s, base, 0x2800);
        ASSERT_REFUSED(&s, base, 0x2004);
    }
}

/* base + size, with whole tiles, must not wrap at 2^64. */
static void test_tiled_surfaces_end_within_the_address_space(void)
{
    Surface s = image;

    s.pitch = 512;
    for (s.tiling = 1; s.tiling < 4; s.tiling++) {
        /* X has 2 tiles, the others 4 */
        uint64_t bytes = s.tiling == VEU_TILING_X ? 0x2000 : 0x4000;

        ASSERT_REFUSED(&s, base, -bytes);
        ASSERT_LEGAL(&s, base, -bytes - 0x1000);
    }
}

/* The last texel decides: level 1 at row 20 has 12 x 10 texels. */
static void test_padding_may_lie_beyond_the_address_space(void)
{
    const uint64_t bytes = 29 * 96 + 12 * 4;

    ASSERT_REFUSED(&mips, base, UINT64_MAX - bytes + 1 - 3);
    ASSERT_LEGAL(&mips, base, UINT64_MAX - bytes - 3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/surface_shapes/" #name, test_##name)
    RULE(flag_array_is_for_1d_and_2d);
    RULE(an_array_has_1_to_2048_elements);
    RULE(a_cube_has_six_square_faces);
    RULE(min_array_element_and_view_extent);
    RULE(qpitch_of_arrays);
    RULE(qpitch_of_a_1d_array);
    RULE(qpitch_of_tiled_surfaces);
    RULE(levels_and_min_lod_are_15_together);
    RULE(halign);
    RULE(valign);
    RULE(alignment_of_one_level_may_be_0);
    RULE(pitch_holds_a_slice);
    RULE(pitch_is_whole_tiles);
    RULE(base_of_tiled_surfaces_is_4_kib_aligned);
    RULE(tiled_surfaces_end_within_the_address_space);
    RULE(padding_may_lie_beyond_the_address_space);
#undef RULE
    return g_test_run();
}
