/*
 * veu unit tests: conversions of typed writes to 11- and 10-bit floats, and to
 * channels of other sizes than 8 bits: semantics.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <string.h>
#include <glib.h>
#include "tests/lib/floats.h"

static uint32_t float11(float f)
{
    return pack(VEU_CHANNEL_UFLOAT, 11, bits_of(f));
}

static uint32_t float10(float f)
{
    return pack(VEU_CHANNEL_UFLOAT, 10, bits_of(f));
}

static void test_ufloat_of_plain_values(void)
{
    g_assert_cmphex(float11(0.0f), ==, 0);
    g_assert_cmphex(float11(1.0f), ==, 0x3c0);
    g_assert_cmphex(float10(1.0f), ==, 0x1e0);
    g_assert_cmphex(float11(1.5f), ==, 0x3e0);
    g_assert_cmphex(float10(1.5f), ==, 0x1f0);
    g_assert_cmphex(float11(0x1p-14f), ==, 0x040);
    g_assert_cmphex(float10(0x1p-14f), ==, 0x020);
    g_assert_cmphex(float11(65024.0f), ==, 0x7bf);
    g_assert_cmphex(float10(64512.0f), ==, 0x3df);
}

static void test_ufloat_of_what_is_below_0_is_0(void)
{
    g_assert_cmphex(float11(-0.0f), ==, 0);
    g_assert_cmphex(float10(-0.0f), ==, 0);
    g_assert_cmphex(float11(-1.0f), ==, 0);
    g_assert_cmphex(float10(-1e-40f), ==, 0);
    g_assert_cmphex(float11(-INFINITY), ==, 0);
    g_assert_cmphex(float10(-INFINITY), ==, 0);
}

static void test_ufloat_of_a_nan_is_a_quiet_nan(void)
{
    static const uint32_t nans[] = { 0x7fc00000, 0xffc00000, 0x7f800001,
                                     0xff800001, 0xffffffff, 0x7fffffff };

    for (unsigned i = 0; i < G_N_ELEMENTS(nans); i++) {
        g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, nans[i]) & ~0x1fu, ==,
                        0x7e0);
        g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 10, nans[i]) & ~0xfu, ==,
                        0x3f0);
    }
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, 0xffc00000), ==, 0x7e0);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 10, 0x7fc00000), ==, 0x3f0);
}

/* The top bits of a payload are kept, as with 16 bits. */
static void test_ufloat_keeps_the_top_of_a_nan(void)
{
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, 0x7f820000), ==, 0x7e1);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 10, 0x7f840000), ==, 0x3f1);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, 0xffffffff), ==, 0x7ff);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 10, 0xffffffff), ==, 0x3ff);
}

/* Values half-way between the largest number and 65536: 65280 and 65024. */
static void test_ufloat_overflows_to_infinity(void)
{
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, bits_of(65280.0f) - 1), ==,
                    0x7bf);
    g_assert_cmphex(float11(65280.0f), ==, 0x7c0);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 10, bits_of(65024.0f) - 1), ==,
                    0x3df);
    g_assert_cmphex(float10(65024.0f), ==, 0x3e0);
    g_assert_cmphex(float11(1e38f), ==, 0x7c0);
    g_assert_cmphex(float11(INFINITY), ==, 0x7c0);
    g_assert_cmphex(float10(INFINITY), ==, 0x3e0);
}

static void test_ufloat_denormals_are_made(void)
{
    g_assert_cmphex(float11(0x1p-20f), ==, 1);
    g_assert_cmphex(float10(0x1p-19f), ==, 1);
    g_assert_cmphex(float11(0x1p-15f), ==, 0x20);
    g_assert_cmphex(float10(0x1p-15f), ==, 0x10);
    g_assert_cmphex(float11(0x1p-21f), ==, 0); /* a tie, to even */
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, bits_of(0x1p-21f) + 1), ==, 1);
    g_assert_cmphex(float10(0x1p-20f), ==, 0);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 10, bits_of(0x1p-20f) + 1), ==, 1);
    g_assert_cmphex(float11(0x1.8p-20f), ==, 2); /* tie */
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, bits_of(0x1p-14f) - 1), ==,
                    0x40); /* carries */
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, 1), ==, 0);
}

static void test_ufloat_rounds_halves_to_even(void)
{
    g_assert_cmphex(float11(1.0f + 0x1p-7f), ==, 0x3c0);
    g_assert_cmphex(float11(1.0f + 0x3p-7f), ==, 0x3c2);
    g_assert_cmphex(float10(1.0f + 0x1p-6f), ==, 0x1e0);
    g_assert_cmphex(float10(1.0f + 0x3p-6f), ==, 0x1e2);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, bits_of(1.0f + 0x1p-7f) + 1),
                    ==, 0x3c1);
    g_assert_cmphex(pack(VEU_CHANNEL_UFLOAT, 11, bits_of(2.0f) - 1), ==, 0x400);
}

/* 0.5 * max is half-way for every size, and rounds to even. */
static void test_unorm_of_every_size_rounds_to_even(void)
{
    static const struct {
        unsigned bits;
        uint32_t half;
    } sizes[] = { { 1, 0 },  { 2, 2 },    { 4, 8 },     { 5, 16 },
                  { 6, 32 }, { 10, 512 }, { 16, 32768 } };

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        unsigned bits = sizes[i].bits;
        uint32_t max = (1u << bits) - 1;

        g_assert_cmphex(pack(VEU_CHANNEL_UNORM, bits, bits_of(0.5f)), ==,
                        sizes[i].half);
        g_assert_cmphex(pack(VEU_CHANNEL_UNORM, bits, bits_of(1.0f)), ==, max);
        g_assert_cmphex(pack(VEU_CHANNEL_UNORM, bits, bits_of(-1.0f)), ==, 0);
        g_assert_cmphex(pack(VEU_CHANNEL_UNORM, bits, bits_of(7.0f)), ==, max);
        g_assert_cmphex(pack(VEU_CHANNEL_UNORM, bits, 0x7fc00000), ==, 0);
    }
}

static void test_snorm16(void)
{
    g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 16, bits_of(1.0f)), ==, 0x7fff);
    g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 16, bits_of(-1.0f)), ==, 0x8001);
    g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 16, bits_of(-INFINITY)), ==,
                    0x8001);
    g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 16, bits_of(0.5f)), ==, 0x4000);
    g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 16, bits_of(-0.5f)), ==, 0xc000);
    g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 16, 0xffc00000), ==, 0);
}

static void test_integers_of_16_10_and_2_bits_clamp(void)
{
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 16, 32768), ==, 0x7fff);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 16, -32769), ==, 0x8000);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 16, 65536), ==, 0xffff);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 10, 1023), ==, 0x3ff);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 10, 1024), ==, 0x3ff);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 2, 3), ==, 3);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 2, 0xffffffff), ==, 3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/narrow/" #name, test_##name)
    RULE(ufloat_of_plain_values);
    RULE(ufloat_of_what_is_below_0_is_0);
    RULE(ufloat_of_a_nan_is_a_quiet_nan);
    RULE(ufloat_keeps_the_top_of_a_nan);
    RULE(ufloat_overflows_to_infinity);
    RULE(ufloat_denormals_are_made);
    RULE(ufloat_rounds_halves_to_even);
    RULE(unorm_of_every_size_rounds_to_even);
    RULE(snorm16);
    RULE(integers_of_16_10_and_2_bits_clamp);
#undef RULE
    return g_test_run();
}
