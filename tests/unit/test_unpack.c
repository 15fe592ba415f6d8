/*
 * veu unit tests: conversions of typed reads: semantics.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Constants computed by hand test the rules; all codes of up to 16 bits are
 * then compared with the second implementation.
 */
#include <math.h>
#include <string.h>
#include <glib.h>
#include "hw/veu/eu/surface/format_unpack.h"
#include "tests/lib/floats.h"
#include "tests/lib/ref.h"

static float number(VeuChannelType type, unsigned bits, uint32_t code)
{
    return float_of(unpack(type, bits, code));
}

static void test_the_ends_of_unorm_are_0_and_1(void)
{
    static const unsigned widths[] = { 1, 2, 4, 5, 6, 8, 10, 16 };

    for (unsigned i = 0; i < G_N_ELEMENTS(widths); i++) {
        unsigned bits = widths[i];

        g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, bits, 0), ==, 0);
        g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, bits, (1u << bits) - 1), ==,
                        0x3f800000);
    }
}

/* Quotients from an arbitrary-precision calculator, rounded by hand. */
static void test_unorm_is_k_over_max_correctly_rounded(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, 2, 1), ==, 0x3eaaaaab);
    g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, 2, 2), ==, 0x3f2aaaab);
    g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, 8, 1), ==, 0x3b808081);
    g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, 8, 128), ==, 0x3f008081);
    g_assert_cmphex(unpack(VEU_CHANNEL_UNORM, 16, 1), ==, 0x37800080);
}

/* |value * max - k| is not larger for the value than for its neighbours. */
static void test_no_float_is_nearer_to_k_over_max(void)
{
    static const unsigned widths[] = { 5, 6, 8, 10, 16 };

    for (unsigned i = 0; i < G_N_ELEMENTS(widths); i++) {
        double max = (1u << widths[i]) - 1;

        for (uint32_t k = 1; k < max; k++) {
            uint32_t bits = unpack(VEU_CHANNEL_UNORM, widths[i], k);
            /* with 24 and 16 bits, these products and differences are exact */
            double error = fabs((double)float_of(bits) * max - k);

            g_assert_cmpfloat(error, <=,
                              fabs((double)float_of(bits - 1) * max - k));
            g_assert_cmpfloat(error, <=,
                              fabs((double)float_of(bits + 1) * max - k));
        }
    }
}

static void test_unorm_of_8_bits_needs_no_division(void)
{
    for (uint32_t k = 0; k < 256; k++) {
        g_assert_cmphex(unpack_unorm8(8, k), ==,
                        unpack(VEU_CHANNEL_UNORM, 8, k));
    }
}

static void test_both_lowest_snorm_codes_are_minus_1(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 8, 0x80), ==, 0xbf800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 8, 0x81), ==, 0xbf800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 16, 0x8000), ==, 0xbf800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 16, 0x8001), ==, 0xbf800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 8, 0x7f), ==, 0x3f800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 8, 0), ==, 0);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 8, 1), ==, 0x3c010204);
    g_assert_cmphex(unpack(VEU_CHANNEL_SNORM, 8, 0xff), ==, 0xbc010204);
}

static void test_sint_is_sign_extended(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_SINT, 8, 0x7f), ==, 127);
    g_assert_cmphex(unpack(VEU_CHANNEL_SINT, 8, 0x80), ==, 0xffffff80);
    g_assert_cmphex(unpack(VEU_CHANNEL_SINT, 8, 0xff), ==, 0xffffffff);
    g_assert_cmphex(unpack(VEU_CHANNEL_SINT, 16, 0x8000), ==, 0xffff8000);
    g_assert_cmphex(unpack(VEU_CHANNEL_SINT, 32, 0x80000000), ==, 0x80000000);
}

static void test_uint_is_zero_extended(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_UINT, 2, 3), ==, 3);
    g_assert_cmphex(unpack(VEU_CHANNEL_UINT, 8, 0xff), ==, 0xff);
    g_assert_cmphex(unpack(VEU_CHANNEL_UINT, 10, 0x3ff), ==, 0x3ff);
    g_assert_cmphex(unpack(VEU_CHANNEL_UINT, 16, 0x8000), ==, 0x8000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UINT, 32, 0xffffffff), ==, 0xffffffff);
}

/* Tests NaNs, including signalling ones, and denormals. */
static void test_float32_keeps_its_bits(void)
{
    static const uint32_t values[] = { 0,          0x80000000, 0x3f800000,
                                       0x00000001, 0x807fffff, 0x7f800000,
                                       0x7f800001, 0xffc12345, 0xffffffff };

    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 32, values[i]), ==,
                        values[i]);
    }
}

static void test_half(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x0000), ==, 0);
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x8000), ==, 0x80000000);
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x3c00), ==, 0x3f800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x0001), ==,
                    bits_of(0x1p-24f));
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x83ff), ==,
                    bits_of(-0x1.ff8p-15f));
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x0400), ==,
                    bits_of(0x1p-14f));
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x7bff), ==,
                    bits_of(65504.0f));
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0xfc00), ==, 0xff800000);
}

static void test_a_nan_becomes_quiet_and_keeps_its_payload(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x7e00), ==, 0x7fc00000);
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0x7c01), ==, 0x7fc02000);
    g_assert_cmphex(unpack(VEU_CHANNEL_FLOAT, 16, 0xffff), ==, 0xffffe000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 11, 0x7c1), ==, 0x7fc20000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 10, 0x3ff), ==, 0x7ffc0000);
}

static void test_ufloat(void)
{
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 11, 0x3c0), ==, 0x3f800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 10, 0x1e0), ==, 0x3f800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 11, 0x7bf), ==,
                    bits_of(65024.0f));
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 10, 0x3df), ==,
                    bits_of(64512.0f));
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 11, 0x7c0), ==, 0x7f800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 10, 0x3e0), ==, 0x7f800000);
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 11, 1), ==, bits_of(0x1p-20f));
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 10, 1), ==, bits_of(0x1p-19f));
    g_assert_cmphex(unpack(VEU_CHANNEL_UFLOAT, 11, 0), ==, 0);
}

/* A larger code gives a larger number. */
static void test_codes_are_in_order(void)
{
    for (uint32_t code = 0; code < 0x7c00; code++) {
        g_assert_cmpfloat(number(VEU_CHANNEL_FLOAT, 16, code), <,
                          number(VEU_CHANNEL_FLOAT, 16, code + 1));
    }
    for (uint32_t code = 0; code < 0x7c0; code++) {
        g_assert_cmpfloat(number(VEU_CHANNEL_UFLOAT, 11, code), <,
                          number(VEU_CHANNEL_UFLOAT, 11, code + 1));
    }
    for (uint32_t code = 0; code < 0x3e0; code++) {
        g_assert_cmpfloat(number(VEU_CHANNEL_UFLOAT, 10, code), <,
                          number(VEU_CHANNEL_UFLOAT, 10, code + 1));
    }
}

static void test_all_codes_of_all_channels(void)
{
    static const RefType same[] = {
        [VEU_CHANNEL_FLOAT] = REF_FLOAT, [VEU_CHANNEL_UFLOAT] = REF_UFLOAT,
        [VEU_CHANNEL_UNORM] = REF_UNORM, [VEU_CHANNEL_SNORM] = REF_SNORM,
        [VEU_CHANNEL_SRGB] = REF_SRGB,   [VEU_CHANNEL_SINT] = REF_SINT,
        [VEU_CHANNEL_UINT] = REF_UINT,
    };

    for (unsigned i = 0; i < veu_format_count; i++) {
        VEU_FOR_EACH_CHANNEL(c, &veu_formats[i]) {
            uint64_t step = c->bits == 32 ? 9973 : 1;

            for (uint64_t code = 0; code >> c->bits == 0; code += step) {
                g_assert_cmphex(unpack(c->type, c->bits, code), ==,
                                ref_convert_back(same[c->type], c->bits, code));
            }
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/unpack/" #name, test_##name)
    RULE(the_ends_of_unorm_are_0_and_1);
    RULE(unorm_is_k_over_max_correctly_rounded);
    RULE(no_float_is_nearer_to_k_over_max);
    RULE(unorm_of_8_bits_needs_no_division);
    RULE(both_lowest_snorm_codes_are_minus_1);
    RULE(sint_is_sign_extended);
    RULE(uint_is_zero_extended);
    RULE(float32_keeps_its_bits);
    RULE(half);
    RULE(a_nan_becomes_quiet_and_keeps_its_payload);
    RULE(ufloat);
    RULE(codes_are_in_order);
    RULE(all_codes_of_all_channels);
#undef RULE
    return g_test_run();
}
