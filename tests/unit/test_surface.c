/*
 * veu unit tests: surface descriptors: include/veu/surface.h, and
 * docs/spec.md, section 9.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/ref.h"
#include "tests/unit/surface.h"

static void test_plain_descriptors_are_legal(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        g_assert_cmpuint(check(all[i]), ==, LEGAL);
    }
}

static void test_types(void)
{
    Surface null = { .type = VEU_SURFACE_NULL };

    g_assert_cmpuint(check(&null), ==, LEGAL);
    for (unsigned type = 0; type < 256; type++) {
        if (type > 4 && type != 7) {
            ASSERT_REFUSED(&line, type, type);
        }
    }
}

/* A null surface has no texels, whatever the table had before. */
static void test_a_null_surface_forgets_the_one_before(void)
{
    const Surface null = { .type = VEU_SURFACE_NULL };
    uint32_t detail;
    VeuSurface s;

    g_assert_true(veu_surface_decode(&image, &s, &detail));
    g_assert_cmpuint(s.level[0].slices, ==, 1);
    g_assert_true(veu_surface_decode(&null, &s, &detail));
    g_assert_cmpuint(s.type, ==, VEU_SURFACE_NULL);
    g_assert_cmpuint(s.level[0].slices, ==, 0);
    g_assert_cmpuint(s.bytes, ==, 0);
    g_assert_false(s.slm);
}

/* X tiling is for 2D only; 1D and buffers are linear. */
static void test_tilings(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        bool rows = all[i]->height;
        Surface s = *all[i];

        s.pitch = rows ? 512 : 0;
        s.qpitch = s.depth ? 32 : 0;
        s.base = 0x1000;
        ASSERT_LEGAL(&s, tiling, VEU_TILING_LINEAR);
        for (unsigned tiling = 1; tiling < 256; tiling++) {
            bool legal = tiling == VEU_TILING_X ? rows && s.depth == 0 :
                                                  rows && tiling < 4;

            g_assert_cmpuint(CHECK_WITH(&s, tiling, tiling), ==,
                             legal ? LEGAL : AT(tiling));
        }
    }
}

static void test_formats(void)
{
    for (unsigned code = 0; code < 0x10000; code++) {
        if (ref_format(code)) {
            Surface s = buffer;

            s.base = 0;
            ASSERT_LEGAL(&s, format, code);
        } else {
            ASSERT_REFUSED(&line, format, code);
        }
    }
}

static void test_raw_is_for_buffers_only(void)
{
    ASSERT_REFUSED(&line, format, VEU_FORMAT_RAW);
    ASSERT_REFUSED(&image, format, VEU_FORMAT_RAW);
    ASSERT_REFUSED(&volume, format, VEU_FORMAT_RAW);
}

static void test_only_buffers_may_be_in_slm(void)
{
    ASSERT_LEGAL(&buffer, flags, VEU_SURFACE_SLM);
    ASSERT_REFUSED(&line, flags, VEU_SURFACE_SLM);
    ASSERT_REFUSED(&image, flags, VEU_SURFACE_SLM);
    ASSERT_REFUSED(&volume, flags, VEU_SURFACE_SLM);
}

static void test_other_flags_are_refused(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        for (unsigned bit = 2; bit < 16; bit++) {
            ASSERT_REFUSED(all[i], flags, 1u << bit);
        }
    }
}

static void test_width_is_1_to_16384(void)
{
    for (unsigned i = 0; i < 3; i++) {
        Surface s = *all[i];

        s.pitch = s.pitch ? 1u << 18 : 0;
        ASSERT_REFUSED(&s, width, 0);
        ASSERT_LEGAL(&s, width, 1);
        ASSERT_LEGAL(&s, width, 16384);
        ASSERT_REFUSED(&s, width, 16385);
        ASSERT_REFUSED(&s, width, UINT32_MAX);
    }
}

static void test_width_of_a_buffer_is_1_to_2_to_32_less_1(void)
{
    Surface s = buffer;

    ASSERT_REFUSED(&buffer, width, 0);
    ASSERT_LEGAL(&buffer, width, 1);
    ASSERT_LEGAL(&buffer, width, UINT32_MAX);
    s.format = VEU_FORMAT_R32G32B32A32_FLOAT;
    s.base = 0;
    ASSERT_LEGAL(&s, width, UINT32_MAX);
}

static void test_height_is_1_to_16384(void)
{
    ASSERT_REFUSED(&image, height, 0);
    ASSERT_LEGAL(&image, height, 1);
    ASSERT_LEGAL(&image, height, 16384);
    ASSERT_REFUSED(&image, height, 16385);
    ASSERT_REFUSED(&volume, height, 0);
    ASSERT_REFUSED(&volume, height, 16385);
}

static void test_depth_is_1_to_2048(void)
{
    ASSERT_REFUSED(&volume, depth, 0);
    ASSERT_LEGAL(&volume, depth, 1);
    ASSERT_LEGAL(&volume, depth, 2048);
    ASSERT_REFUSED(&volume, depth, 2049);
}

/*
 * The pitch is a multiple of the texel size, at least a row, and at most 2^18.
 */
static void test_pitch(void)
{
    for (unsigned i = 1; i < 3; i++) {
        ASSERT_REFUSED(all[i], pitch, 0);
        ASSERT_REFUSED(all[i], pitch, 60);
        ASSERT_LEGAL(all[i], pitch, 64);
        ASSERT_REFUSED(all[i], pitch, 66);
        ASSERT_LEGAL(all[i], pitch, 68);
        ASSERT_LEGAL(all[i], pitch, 1u << 18);
        ASSERT_REFUSED(all[i], pitch, (1u << 18) + 4);
    }
}

/* The qpitch is a multiple of 4 and at least the height. */
static void test_qpitch(void)
{
    ASSERT_REFUSED(&volume, qpitch, 0);
    ASSERT_REFUSED(&volume, qpitch, 8);
    ASSERT_REFUSED(&volume, qpitch, 10);
    ASSERT_LEGAL(&volume, qpitch, 12);
    ASSERT_REFUSED(&volume, qpitch, 14);
    ASSERT_LEGAL(&volume, qpitch, 16);
    ASSERT_LEGAL(&volume, qpitch, 0xfffffffc);
}

static void test_fields_that_do_not_apply_are_0(void)
{
    ASSERT_REFUSED(&line, height, 1);
    ASSERT_REFUSED(&line, depth, 1);
    ASSERT_REFUSED(&line, qpitch, 4);
    ASSERT_REFUSED(&image, depth, 1);
    ASSERT_REFUSED(&image, qpitch, 12);
    ASSERT_REFUSED(&buffer, height, 1);
    ASSERT_REFUSED(&buffer, depth, 1);
    ASSERT_REFUSED(&buffer, pitch, 100);
    ASSERT_REFUSED(&buffer, qpitch, 4);
    ASSERT_REFUSED(&buffer, levels, 1);
    ASSERT_REFUSED(&buffer, min_lod, 1);
    ASSERT_REFUSED(&buffer, halign, 4);
    ASSERT_REFUSED(&buffer, valign, 4);
    ASSERT_REFUSED(&line, valign, 4);
    ASSERT_REFUSED(&line, min_array_element, 1);
    ASSERT_REFUSED(&line, view_extent, 1);
    ASSERT_REFUSED(&image, min_array_element, 1);
    ASSERT_REFUSED(&image, view_extent, 1);
    ASSERT_REFUSED(&buffer, min_array_element, 1);
    ASSERT_REFUSED(&buffer, view_extent, 1);
}

/* The pitch of a 1D surface is ignored. */
static void test_the_pitch_of_a_1d_surface_is_ignored(void)
{
    ASSERT_LEGAL(&line, pitch, 1);
    ASSERT_LEGAL(&line, pitch, UINT32_MAX);
}

/* "Not checked further": docs/spec.md, section 9. */
static void test_an_unused_entry_is_not_checked_further(void)
{
    Surface null;

    memset(&null, 0xff, sizeof(null));
    null.type = VEU_SURFACE_NULL;
    g_assert_cmpuint(check(&null), ==, LEGAL);
}

static void test_base_is_a_multiple_of_the_texel_size(void)
{
    Surface s = line;

    ASSERT_REFUSED(&line, base, 0x1001);
    ASSERT_REFUSED(&line, base, 0x1002);
    ASSERT_LEGAL(&line, base, 0x1004);
    s.format = VEU_FORMAT_R32G32B32A32_FLOAT;
    ASSERT_REFUSED(&s, base, 0x1008);
    ASSERT_LEGAL(&s, base, 0x1010);
}

/* base + size is less than 2^64. */
static void test_a_surface_ends_within_the_address_space(void)
{
    ASSERT_REFUSED(&line, base, UINT64_MAX - 59);
    ASSERT_REFUSED(&line, base, UINT64_MAX - 63);
    ASSERT_LEGAL(&line, base, UINT64_MAX - 67);
    /* 9 rows of 64 bytes, and a last one */
    ASSERT_REFUSED(&image, base, UINT64_MAX - 639);
    ASSERT_LEGAL(&image, base, UINT64_MAX - 643);
    /* preceded by 2 slices of 12 rows */
    ASSERT_REFUSED(&volume, base, UINT64_MAX - 2175);
    ASSERT_LEGAL(&volume, base, UINT64_MAX - 2179);
    ASSERT_REFUSED(&buffer, base, UINT64_MAX - 99);
    ASSERT_LEGAL(&buffer, base, UINT64_MAX - 100);
}

/* If two rules are broken, the first one in the text's order is reported. */
static void test_the_order_of_the_checks(void)
{
    static const struct {
        uint32_t at;
        uint32_t bytes;
    } order[] = {
        { AT(type), 1 },        { AT(flags), 2 },  { AT(tiling), 1 },
        { AT(format), 2 },      { AT(width), 4 },  { AT(height), 4 },
        { AT(depth), 4 },       { AT(levels), 1 }, { AT(min_lod), 1 },
        { AT(halign), 2 },      { AT(valign), 2 }, { AT(pitch), 4 },
        { AT(qpitch), 4 },      { AT(base), 8 },   { AT(min_array_element), 4 },
        { AT(view_extent), 4 },
    };
    Surface s;

    /* all bits set is illegal everywhere: repair one field after the other */
    memset(&s, 0xff, sizeof(s));
    for (unsigned i = 0; i < G_N_ELEMENTS(order); i++) {
        g_assert_cmpuint(check(&s), ==, order[i].at);
        memcpy((uint8_t *)&s + order[i].at, (uint8_t *)&image + order[i].at,
               order[i].bytes);
    }
}

static void test_reserved_bytes_are_0(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
        for (unsigned byte = 0; byte < 16; byte++) {
            g_assert_cmpuint(CHECK_WITH(all[i], reserved[byte], 0x80), ==,
                             AT(reserved));
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/surface/" #name, test_##name)
    RULE(plain_descriptors_are_legal);
    RULE(types);
    RULE(a_null_surface_forgets_the_one_before);
    RULE(tilings);
    RULE(formats);
    RULE(raw_is_for_buffers_only);
    RULE(only_buffers_may_be_in_slm);
    RULE(other_flags_are_refused);
    RULE(width_is_1_to_16384);
    RULE(width_of_a_buffer_is_1_to_2_to_32_less_1);
    RULE(height_is_1_to_16384);
    RULE(depth_is_1_to_2048);
    RULE(pitch);
    RULE(qpitch);
    RULE(fields_that_do_not_apply_are_0);
    RULE(the_pitch_of_a_1d_surface_is_ignored);
    RULE(an_unused_entry_is_not_checked_further);
    RULE(base_is_a_multiple_of_the_texel_size);
    RULE(a_surface_ends_within_the_address_space);
    RULE(the_order_of_the_checks);
    RULE(reserved_bytes_are_0);
#undef RULE
    return g_test_run();
}
