/*
 * veu unit tests: the places of texels: docs/spec.md, section 9, by constants
 * that were computed by hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/surface/surface.h"
#include "tests/lib/random_surface.h"

typedef struct veu_surface Surface;

#define OUTSIDE UINT64_MAX
#define BASE    UINT64_C(0x100000000)

static VeuSurface decode(const Surface *s)
{
    VeuSurface out;
    uint32_t detail = 0;

    g_assert_true(veu_surface_decode(s, &out, &detail));
    return out;
}

/* Returns the offset from the base, or OUTSIDE. */
static uint64_t texel(const Surface *s, uint32_t u, uint32_t v, uint32_t r,
                      uint32_t lod)
{
    VeuSurface out = decode(s);
    VeuCoordinates at = { u, v, r, lod };
    uint64_t address;

    return veu_surface_texel(&out, &at, &address) ? address - s->base : OUTSIDE;
}

#define ASSERT_TEXEL(s, u, v, r, lod, offset) \
    g_assert_cmphex(texel(s, u, v, r, lod), ==, offset)

/* At most 4 x 3 tiles of either size: one byte is one column. */
static Surface tiled(uint8_t tiling, uint32_t width, uint32_t height,
                     uint32_t pitch)
{
    return (Surface){ .base = BASE,
                      .format = VEU_FORMAT_R32_UINT,
                      .type = VEU_SURFACE_2D,
                      .tiling = tiling,
                      .width = width,
                      .height = height,
                      .pitch = pitch,
                      .levels = 1 };
}

static void test_x_tiles_are_512_bytes_by_8_rows(void)
{
    Surface s = tiled(VEU_TILING_X, 256, 24, 1024);

    ASSERT_TEXEL(&s, 0, 0, 0, 0, 0);
    ASSERT_TEXEL(&s, 127, 0, 0, 0, 508);
    ASSERT_TEXEL(&s, 0, 1, 0, 0, 512);
    ASSERT_TEXEL(&s, 127, 7, 0, 0, 4092);
    ASSERT_TEXEL(&s, 128, 0, 0, 0, 4096);
    ASSERT_TEXEL(&s, 0, 8, 0, 0, 8192);
    ASSERT_TEXEL(&s, 255, 23, 0, 0, 6 * 4096 - 4);
}

static void test_y_tiles_are_columns_of_owords(void)
{
    Surface s = tiled(VEU_TILING_Y, 64, 64, 256);

    ASSERT_TEXEL(&s, 3, 0, 0, 0, 12);
    ASSERT_TEXEL(&s, 0, 1, 0, 0, 16);
    ASSERT_TEXEL(&s, 4, 0, 0, 0, 512);
    ASSERT_TEXEL(&s, 31, 31, 0, 0, 4092);
    ASSERT_TEXEL(&s, 32, 0, 0, 0, 4096);
    ASSERT_TEXEL(&s, 0, 32, 0, 0, 8192);
}

/* Cells of 16 bytes x 4 rows: the first row and column in surfaces.md. */
static void test_tile4_cells(void)
{
    static const uint32_t across[] = { 0x000, 0x040, 0x080, 0x0c0,
                                       0x200, 0x240, 0x280, 0x2c0 };
    static const uint32_t down[] = { 0x000, 0x100, 0x400, 0x500,
                                     0x800, 0x900, 0xc00, 0xd00 };
    Surface s = tiled(VEU_TILING_TILE4, 64, 64, 256);

    for (unsigned i = 0; i < 8; i++) {
        ASSERT_TEXEL(&s, 4 * i, 0, 0, 0, across[i]);
        ASSERT_TEXEL(&s, 0, 4 * i, 0, 0, down[i]);
    }
    ASSERT_TEXEL(&s, 3, 0, 0, 0, 12);
    ASSERT_TEXEL(&s, 0, 3, 0, 0, 48);
    ASSERT_TEXEL(&s, 31, 31, 0, 0, 4092);
    ASSERT_TEXEL(&s, 32, 0, 0, 0, 4096);
    ASSERT_TEXEL(&s, 0, 32, 0, 0, 8192);
}

/* 20 x 12 texels, padded to 4: 20 x 12, 12 x 8, 8 x 4, 4 x 4, 4 x 4. */
static const Surface mipped = { .base = BASE,
                                .format = VEU_FORMAT_R32_UINT,
                                .type = VEU_SURFACE_2D,
                                .width = 20,
                                .height = 12,
                                .pitch = 100,
                                .levels = 5,
                                .halign = 4,
                                .valign = 4 };

static void test_mip_levels_of_2d(void)
{
    ASSERT_TEXEL(&mipped, 0, 0, 0, 0, 0);
    ASSERT_TEXEL(&mipped, 0, 0, 0, 1, 12 * 100);
    ASSERT_TEXEL(&mipped, 0, 0, 0, 2, 12 * 100 + 48);
    ASSERT_TEXEL(&mipped, 0, 0, 0, 3, 16 * 100 + 48);
    ASSERT_TEXEL(&mipped, 0, 0, 0, 4, 20 * 100 + 48);
}

/* Padding only determines places; bounds use the unaligned minify(). */
static void test_padding_of_a_level_is_out_of_bounds(void)
{
    ASSERT_TEXEL(&mipped, 9, 5, 0, 1, 17 * 100 + 36);
    ASSERT_TEXEL(&mipped, 10, 0, 0, 1, OUTSIDE);
    ASSERT_TEXEL(&mipped, 0, 6, 0, 1, OUTSIDE);
    ASSERT_TEXEL(&mipped, 4, 2, 0, 2, 14 * 100 + 64);
    ASSERT_TEXEL(&mipped, 5, 0, 0, 2, OUTSIDE);
    ASSERT_TEXEL(&mipped, 0, 3, 0, 2, OUTSIDE);
    ASSERT_TEXEL(&mipped, 1, 0, 0, 3, 16 * 100 + 52);
    ASSERT_TEXEL(&mipped, 2, 0, 0, 3, OUTSIDE);
    ASSERT_TEXEL(&mipped, 0, 1, 0, 3, OUTSIDE);
    ASSERT_TEXEL(&mipped, 1, 0, 0, 4, OUTSIDE);
}

/* level = LOD + MinLOD; LOD has to be less than the number of levels. */
static void test_min_lod(void)
{
    Surface s = mipped;

    s.min_lod = 2;
    s.levels = 2;
    ASSERT_TEXEL(&s, 0, 0, 0, 0, 12 * 100 + 48);
    ASSERT_TEXEL(&s, 0, 0, 0, 1, 16 * 100 + 48);
    ASSERT_TEXEL(&s, 0, 0, 0, 2, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, 0, UINT32_MAX - 1, OUTSIDE); /* + 2 is 0 */
    ASSERT_TEXEL(&s, 5, 0, 0, 0, OUTSIDE);
}

/* x_l = sum of align(minify(W, k), i); the distance of slices is in texels. */
static void test_mip_levels_and_slices_of_1d(void)
{
    Surface s = { .base = BASE,
                  .format = VEU_FORMAT_R32_UINT,
                  .type = VEU_SURFACE_1D,
                  .flags = VEU_SURFACE_ARRAY,
                  .width = 21,
                  .depth = 3,
                  .qpitch = 64,
                  .pitch = 12345,
                  .levels = 3,
                  .halign = 8 };

    ASSERT_TEXEL(&s, 20, 0, 7, 0, 80);
    ASSERT_TEXEL(&s, 21, 0, 0, 0, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, 0, 1, 24 * 4);
    ASSERT_TEXEL(&s, 9, 0, 0, 1, 33 * 4);
    ASSERT_TEXEL(&s, 10, 0, 0, 1, OUTSIDE);
    ASSERT_TEXEL(&s, 4, 0, 0, 2, (24 + 16 + 4) * 4);
    ASSERT_TEXEL(&s, 0, 2, 0, 0, 128 * 4);
    ASSERT_TEXEL(&s, 1, 2, 0, 2, (128 + 40 + 1) * 4);
    ASSERT_TEXEL(&s, 0, 3, 0, 0, OUTSIDE);
    s.flags = s.depth = s.qpitch = 0;
    ASSERT_TEXEL(&s, 1, 3, 7, 0, 4); /* V and R do not apply */
}

/* The array index is not minified; tests V, R and slices of 2D arrays. */
static void test_slices_of_arrays(void)
{
    Surface s = mipped;

    s.flags = VEU_SURFACE_ARRAY;
    s.depth = 5;
    s.qpitch = 24;
    s.min_array_element = 1;
    s.view_extent = 3;
    ASSERT_TEXEL(&s, 0, 0, 0, 0, 24 * 100);
    ASSERT_TEXEL(&s, 0, 0, 2, 0, 72 * 100);
    ASSERT_TEXEL(&s, 0, 0, 3, 0, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, UINT32_MAX, 0, OUTSIDE); /* + 1 is 0 */
    ASSERT_TEXEL(&s, 0, 0, 2, 4, (72 + 20) * 100 + 48);
    s.view_extent = 0; /* all slices that exist */
    ASSERT_TEXEL(&s, 0, 0, 3, 4, (96 + 20) * 100 + 48);
    ASSERT_TEXEL(&s, 0, 0, 4, 0, OUTSIDE);
}

/* R < view extent and R + MinArrayElement < minify(D, level). */
static void test_slices_of_3d(void)
{
    Surface s = mipped;

    s.type = VEU_SURFACE_3D;
    s.depth = 9;
    s.qpitch = 24;
    ASSERT_TEXEL(&s, 0, 0, 8, 0, 8 * 2400);
    ASSERT_TEXEL(&s, 0, 0, 9, 0, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, 3, 1, 3 * 2400 + 1200);
    ASSERT_TEXEL(&s, 0, 0, 4, 1, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, 0, 4, 2000 + 48);
    ASSERT_TEXEL(&s, 0, 0, 1, 4, OUTSIDE);
    s.min_array_element = 2;
    s.view_extent = 3;
    ASSERT_TEXEL(&s, 0, 0, 2, 0, 4 * 2400);
    ASSERT_TEXEL(&s, 0, 0, 3, 0, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, 1, 1, 3 * 2400 + 1200);
    ASSERT_TEXEL(&s, 0, 0, 2, 1, OUTSIDE);
    ASSERT_TEXEL(&s, 0, 0, 0, 2, OUTSIDE); /* 2 slices, and 2 skipped ones */
}

static void test_a_cube_is_an_array_of_faces(void)
{
    Surface s = { .base = BASE,
                  .format = VEU_FORMAT_R32_UINT,
                  .type = VEU_SURFACE_CUBE,
                  .width = 8,
                  .height = 8,
                  .depth = 12,
                  .pitch = 32,
                  .qpitch = 12,
                  .levels = 2,
                  .halign = 4,
                  .valign = 4 };

    ASSERT_TEXEL(&s, 1, 2, 7, 0, (7 * 12 + 2) * 32 + 4);
    ASSERT_TEXEL(&s, 3, 3, 11, 1, (11 * 12 + 11) * 32 + 12);
    ASSERT_TEXEL(&s, 0, 0, 12, 1, OUTSIDE);
}

/* Hardware stops at 2^27 elements; the device allows larger buffers. */
static void test_large_buffers(void)
{
    Surface s = { .format = VEU_FORMAT_R32G32B32A32_FLOAT,
                  .type = VEU_SURFACE_BUFFER,
                  .width = 1u << 27 };

    ASSERT_TEXEL(&s, (1u << 27) - 1, 0, 0, 0, (UINT64_C(1) << 31) - 16);
    ASSERT_TEXEL(&s, 1u << 27, 0, 0, 0, OUTSIDE);
    s.width = UINT32_MAX;
    ASSERT_TEXEL(&s, UINT32_MAX - 1, 9, 9, 9, UINT64_C(16) * 0xfffffffe);
    ASSERT_TEXEL(&s, UINT32_MAX, 0, 0, 0, OUTSIDE);
}

/* semantics.md, section 5, "Coordinates". */
static void test_coordinates_that_do_not_apply(void)
{
    static const struct {
        const char *shape;
        bool v, r, lod;
    } rows[TEST_SHAPES] = {
        { "1D", false, false, true },      { "1D array", true, false, true },
        { "2D", true, false, true },       { "2D array", true, true, true },
        { "3D", true, true, true },        { "cube", true, true, true },
        { "buffer", false, false, false },
    };
    static const TestExtent extent = { 9, 9, 6, 0 };
    GRand *rng = g_rand_new_with_seed(1);

    for (unsigned i = 0; i < TEST_SHAPES; i++) {
        Surface s = test_random_surface(rng, &test_shapes[i], 0,
                                        VEU_FORMAT_R32_UINT, &extent);
        VeuSurface out = decode(&s);
        VeuMessage m = { .v.null = true, .r.null = true, .lod.null = true };

        g_assert_cmpstr(rows[i].shape, ==, test_shapes[i].name);
        g_assert_false(veu_surface_ignores(&out, &m));
        m.v.null = false;
        g_assert_cmpint(veu_surface_ignores(&out, &m), !=, rows[i].v);
        m.v.null = true;
        m.r.null = false;
        g_assert_cmpint(veu_surface_ignores(&out, &m), !=, rows[i].r);
        m.r.null = true;
        m.lod.null = false;
        g_assert_cmpint(veu_surface_ignores(&out, &m), !=, rows[i].lod);
    }
    g_rand_free(rng);
}

/* The last texel, of 16 bytes, in 16384 x 16384 x 2048 texels. */
static void test_the_largest_surface(void)
{
    Surface s = { .format = VEU_FORMAT_R32G32B32A32_FLOAT,
                  .type = VEU_SURFACE_2D,
                  .flags = VEU_SURFACE_ARRAY,
                  .tiling = VEU_TILING_TILE4,
                  .width = 16384,
                  .height = 16384,
                  .depth = 2048,
                  .pitch = 1u << 18,
                  .qpitch = 16384,
                  .levels = 1 };
    uint64_t bytes = (UINT64_C(1) << 18) * 16384 * 2048;
    VeuSurface out = decode(&s);

    g_assert_cmphex(out.bytes, ==, bytes);
    ASSERT_TEXEL(&s, 16383, 16383, 2047, 0, bytes - 16);
}

/* docs/spec.md, section 9, "A worked example". */
static void test_the_worked_example_of_the_specification(void)
{
    Surface s = { .base = BASE,
                  .format = VEU_FORMAT_R8G8B8A8_UNORM,
                  .type = VEU_SURFACE_2D,
                  .flags = VEU_SURFACE_ARRAY,
                  .tiling = VEU_TILING_TILE4,
                  .width = 40,
                  .height = 24,
                  .depth = 3,
                  .pitch = 256,
                  .qpitch = 44,
                  .levels = 6,
                  .halign = 4,
                  .valign = 4 };

    g_assert_cmpuint(decode(&s).bytes, ==, 40960);
    ASSERT_TEXEL(&s, 9, 5, 1, 2, 0x46d4);
    ASSERT_TEXEL(&s, 10, 5, 1, 2, OUTSIDE);
    ASSERT_TEXEL(&s, 9, 5, 3, 2, OUTSIDE);
}

/* Slices begin 2^31 rows apart, so slice 2 begins at row 2^32. */
static void test_rows_of_slices_exceed_32_bits(void)
{
    Surface s = { .base = BASE,
                  .format = VEU_FORMAT_R8_UINT,
                  .type = VEU_SURFACE_2D,
                  .flags = VEU_SURFACE_ARRAY,
                  .width = 4,
                  .height = 4,
                  .depth = 3,
                  .pitch = 4,
                  .qpitch = UINT32_C(1) << 31,
                  .levels = 1 };

    ASSERT_TEXEL(&s, 1, 3, 1, 0, (UINT64_C(1) << 33) + 13);
    ASSERT_TEXEL(&s, 1, 3, 2, 0, (UINT64_C(1) << 34) + 13);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/layout/" #name, test_##name)
    RULE(x_tiles_are_512_bytes_by_8_rows);
    RULE(rows_of_slices_exceed_32_bits);
    RULE(y_tiles_are_columns_of_owords);
    RULE(tile4_cells);
    RULE(mip_levels_of_2d);
    RULE(padding_of_a_level_is_out_of_bounds);
    RULE(min_lod);
    RULE(mip_levels_and_slices_of_1d);
    RULE(slices_of_arrays);
    RULE(slices_of_3d);
    RULE(a_cube_is_an_array_of_faces);
    RULE(large_buffers);
    RULE(coordinates_that_do_not_apply);
    RULE(the_largest_surface);
    RULE(the_worked_example_of_the_specification);
#undef RULE
    return g_test_run();
}
