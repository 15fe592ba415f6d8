/*
 * veu unit tests: conversions of typed writes: semantics.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Constants computed by hand test the rules; many values are then compared with
 * the second implementation and, for half floats, with the CPU.
 */
#include <math.h>
#include <string.h>
#include "tests/lib/eu_fixture.h"
#include "tests/lib/floats.h"
#include "tests/lib/ref.h"

static uint32_t unorm8(float f)
{
    return pack(VEU_CHANNEL_UNORM, 8, bits_of(f));
}

static uint32_t snorm8(float f)
{
    return pack(VEU_CHANNEL_SNORM, 8, bits_of(f));
}

static uint32_t half(uint32_t bits)
{
    return pack(VEU_CHANNEL_FLOAT, 16, bits);
}

static void test_unorm_clamps(void)
{
    g_assert_cmphex(unorm8(0.0f), ==, 0);
    g_assert_cmphex(unorm8(-0.0f), ==, 0);
    g_assert_cmphex(unorm8(-1.0f), ==, 0);
    g_assert_cmphex(unorm8(-INFINITY), ==, 0);
    g_assert_cmphex(unorm8(1.0f), ==, 255);
    g_assert_cmphex(unorm8(1.0000001f), ==, 255);
    g_assert_cmphex(unorm8(1e30f), ==, 255);
    g_assert_cmphex(unorm8(INFINITY), ==, 255);
}

static void test_snorm_clamps_and_never_writes_the_lowest_code(void)
{
    g_assert_cmphex(snorm8(1.0f), ==, 0x7f);
    g_assert_cmphex(snorm8(INFINITY), ==, 0x7f);
    g_assert_cmphex(snorm8(0.0f), ==, 0);
    g_assert_cmphex(snorm8(-0.0f), ==, 0);
    g_assert_cmphex(snorm8(-1.0f), ==, 0x81);
    g_assert_cmphex(snorm8(-1.5f), ==, 0x81);
    g_assert_cmphex(snorm8(-INFINITY), ==, 0x81);
}

static void test_nan_to_unorm_and_snorm_is_0(void)
{
    static const uint32_t nans[] = { 0x7fc00000, 0xffc00000, 0x7f800001,
                                     0xffffffff, 0x7fffffff, 0xff812345 };

    for (unsigned i = 0; i < G_N_ELEMENTS(nans); i++) {
        g_assert_cmphex(pack(VEU_CHANNEL_UNORM, 8, nans[i]), ==, 0);
        g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 8, nans[i]), ==, 0);
    }
}

/*
 * The product in float32 is k + 0.5, which rounds to even: 0.5 * 255 = 127.5 ->
 * 128.
 */
static void test_unorm_and_snorm_round_halves_to_even(void)
{
    g_assert_cmphex(unorm8(0.5f), ==, 128);
    g_assert_cmphex(snorm8(0.5f), ==, 64);    /* 63.5 */
    g_assert_cmphex(snorm8(-0.5f), ==, 0xc0); /* -63.5 -> -64 */
    g_assert_cmphex(unorm8(0.1f), ==, 26);    /* 25.50000038 -> 25.5 */
    g_assert_cmphex(unorm8(0.3f), ==, 76);    /* 76.500003 -> 76.5 */
    g_assert_cmphex(unorm8(0.7f), ==, 178);   /* 178.49999 -> 178.5 */
}

/* Tests all floats whose product becomes a half-way value only in float32. */
static void test_the_product_is_rounded_to_float32(void)
{
    unsigned seen = 0;

    for (uint32_t lane = bits_of(1.0f / 512); lane < bits_of(1.0f); lane++) {
        float f;
        double exact;

        memcpy(&f, &lane, sizeof(f));
        exact = (double)f * 255.0;
        if (exact == floor(exact) + 0.5 || (float)exact != floor(exact) + 0.5) {
            continue;
        }
        seen++;
        /* the even one of its two neighbours */
        g_assert_cmpuint(pack(VEU_CHANNEL_UNORM, 8, lane), ==,
                         ((unsigned)exact + 1) / 2 * 2);
    }
    g_assert_cmpuint(seen, >, 100);
}

/* Every code is the result of k / max, and of its half-way neighbours. */
static void test_every_unorm_and_snorm_code_is_reached(void)
{
    for (int k = 0; k <= 255; k++) {
        g_assert_cmphex(unorm8(k / 255.0f), ==, k);
    }
    for (int k = -127; k <= 127; k++) {
        g_assert_cmphex(snorm8(k / 127.0f), ==, (uint8_t)k);
    }
}

/* Tests all half-way points, and the floats next to them. */
static void test_half_way_values_of_unorm_and_snorm(void)
{
    for (int k = -128; k <= 255; k++) {
        uint32_t unorm = bits_of((k + 0.5f) / 255.0f);
        uint32_t snorm = bits_of((k + 0.5f) / 127.0f);

        for (uint32_t i = 0; i < 17; i++) {
            uint32_t u = unorm + i - 8;
            uint32_t s = snorm + i - 8;

            g_assert_cmphex(pack(VEU_CHANNEL_UNORM, 8, u), ==,
                            ref_convert(REF_UNORM, 8, u));
            g_assert_cmphex(pack(VEU_CHANNEL_SNORM, 8, s), ==,
                            ref_convert(REF_SNORM, 8, s));
        }
    }
}

static void test_sint_clamps(void)
{
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, 0), ==, 0);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, 127), ==, 0x7f);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, 128), ==, 0x7f);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, 0x7fffffff), ==, 0x7f);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, -1), ==, 0xff);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, -128), ==, 0x80);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, -129), ==, 0x80);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 8, 0x80000000), ==, 0x80);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 32, 0x80000000), ==, 0x80000000);
    g_assert_cmphex(pack(VEU_CHANNEL_SINT, 32, 0x7fffffff), ==, 0x7fffffff);
}

static void test_uint_clamps(void)
{
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 8, 0), ==, 0);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 8, 255), ==, 255);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 8, 256), ==, 255);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 8, 0x80000000), ==, 255);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 8, UINT32_MAX), ==, 255);
    g_assert_cmphex(pack(VEU_CHANNEL_UINT, 32, UINT32_MAX), ==, UINT32_MAX);
}

/* 32-bit floats keep their bits, including NaNs and denormals. */
static void test_float32_keeps_its_bits(void)
{
    static const uint32_t values[] = { 0,          0x80000000, 0x3f800000,
                                       0x00000001, 0x807fffff, 0x7f800000,
                                       0x7f800001, 0xffc12345, 0xffffffff };

    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        g_assert_cmphex(pack(VEU_CHANNEL_FLOAT, 32, values[i]), ==, values[i]);
    }
}

static void test_half_of_plain_values(void)
{
    g_assert_cmphex(half(0x00000000), ==, 0x0000);
    g_assert_cmphex(half(0x80000000), ==, 0x8000);
    g_assert_cmphex(half(bits_of(1.0f)), ==, 0x3c00);
    g_assert_cmphex(half(bits_of(-2.0f)), ==, 0xc000);
    g_assert_cmphex(half(bits_of(65504.0f)), ==, 0x7bff);
    g_assert_cmphex(half(bits_of(0.333251953125f)), ==, 0x3555);
}

static void test_half_overflows_to_infinity(void)
{
    g_assert_cmphex(half(0x477fefff), ==, 0x7bff); /* just below 65520 */
    g_assert_cmphex(half(bits_of(65520.0f)), ==, 0x7c00);
    g_assert_cmphex(half(bits_of(-65520.0f)), ==, 0xfc00);
    g_assert_cmphex(half(bits_of(1e30f)), ==, 0x7c00);
    g_assert_cmphex(half(0x7f7fffff), ==, 0x7c00);
    g_assert_cmphex(half(0x7f800000), ==, 0x7c00);
    g_assert_cmphex(half(0xff800000), ==, 0xfc00);
}

static void test_half_denormals_are_made(void)
{
    g_assert_cmphex(half(bits_of(0x1p-14f)), ==, 0x0400);
    g_assert_cmphex(half(bits_of(0x1p-15f)), ==, 0x0200);
    g_assert_cmphex(half(bits_of(0x1p-24f)), ==, 0x0001);
    g_assert_cmphex(half(bits_of(-0x1p-24f)), ==, 0x8001);
    g_assert_cmphex(half(bits_of(0x1p-25f)), ==, 0x0000);     /* tie */
    g_assert_cmphex(half(bits_of(0x1p-25f) + 1), ==, 0x0001); /* above */
    g_assert_cmphex(half(bits_of(0x1.8p-24f)), ==, 0x0002);   /* tie */
    g_assert_cmphex(half(bits_of(0x1p-14f) - 1), ==, 0x0400); /* carries */
    g_assert_cmphex(half(0x00000001), ==, 0x0000);
    g_assert_cmphex(half(0x807fffff), ==, 0x8000);
}

static void test_half_rounds_halves_to_even(void)
{
    g_assert_cmphex(half(bits_of(1.0f) + 0x1000), ==, 0x3c00);
    g_assert_cmphex(half(bits_of(1.0f) + 0x1001), ==, 0x3c01);
    g_assert_cmphex(half(bits_of(1.0f) + 0x2fff), ==, 0x3c01);
    g_assert_cmphex(half(bits_of(1.0f) + 0x3000), ==, 0x3c02);
    g_assert_cmphex(half(bits_of(2.0f) - 1), ==, 0x4000);
}

/* A NaN keeps its sign, quiet bit and top payload bits. */
static void test_half_keeps_the_top_of_a_nan(void)
{
    g_assert_cmphex(half(0x7fc00000), ==, 0x7e00);
    g_assert_cmphex(half(0xffc00000), ==, 0xfe00);
    g_assert_cmphex(half(0x7f800001), ==, 0x7e00);
    g_assert_cmphex(half(0x7f802000), ==, 0x7e01);
    g_assert_cmphex(half(0xffffffff), ==, 0xffff);
}

/*
 * For each half value, tests the floats around it and around the half-way point
 * to the next one, and every 997th float.
 */
static void check_many_halves(uint32_t (*expected)(uint32_t lane))
{
    for (uint32_t h = 0; h < 0x7c00; h++) {
        float value = h < 0x400 ? ldexpf(h, -24) :
                                  ldexpf(1024 + (h & 0x3ff), (h >> 10) - 25);
        uint32_t exact = bits_of(value);
        uint32_t step = h < 0x400 ? bits_of(ldexpf(h + 0.5f, -24)) - exact :
                                    0x1000;

        for (uint32_t i = 0; i < 5; i++) {
            uint32_t near = exact + i - 2;
            uint32_t tie = exact + step + i - 2;

            g_assert_cmphex(half(near), ==, expected(near));
            g_assert_cmphex(half(tie), ==, expected(tie));
            tie |= 0x80000000;
            g_assert_cmphex(half(tie), ==, expected(tie));
        }
    }
    for (uint64_t lane = 0; lane <= UINT32_MAX; lane += 997) {
        g_assert_cmphex(half(lane), ==, expected(lane));
    }
}

static uint32_t half_by_reference(uint32_t lane)
{
    return ref_convert(REF_FLOAT, 16, lane);
}

static void test_half_of_many_values(void)
{
    check_many_halves(half_by_reference);
}

#ifdef __FLT16_MAX__
static uint32_t half_by_compiler(uint32_t lane)
{
    _Float16 result;
    uint16_t code;
    float f;

    memcpy(&f, &lane, sizeof(f));
    result = f;
    memcpy(&code, &result, sizeof(code));
    return code;
}
#endif

#if HAVE_F16C
__attribute__((target("f16c"))) static uint32_t half_by_cpu(uint32_t lane)
{
    float f;

    memcpy(&f, &lane, sizeof(f));
    return _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT);
}
#endif

static void test_half_as_the_cpu_does_it(void)
{
#if HAVE_F16C
    if (cpu_has_f16c()) {
        check_many_halves(half_by_cpu);
        return;
    }
#endif
#ifdef __FLT16_MAX__
    check_many_halves(half_by_compiler);
#else
    g_test_skip("neither CPU nor compiler have half floats");
#endif
}

/* Tests the other types with numbers of all magnitudes. */
static void test_many_values_of_all_types(void)
{
    static const struct {
        VeuChannelType type;
        RefType ref;
        unsigned bits;
    } types[] = {
        { VEU_CHANNEL_FLOAT, REF_FLOAT, 32 },
        { VEU_CHANNEL_UNORM, REF_UNORM, 8 },
        { VEU_CHANNEL_SNORM, REF_SNORM, 8 },
        { VEU_CHANNEL_SINT, REF_SINT, 8 },
        { VEU_CHANNEL_UINT, REF_UINT, 8 },
        { VEU_CHANNEL_SINT, REF_SINT, 32 },
        { VEU_CHANNEL_UINT, REF_UINT, 32 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++) {
        for (uint64_t lane = 0; lane <= UINT32_MAX; lane += 9973) {
            g_assert_cmphex(pack(types[i].type, types[i].bits, lane), ==,
                            ref_convert(types[i].ref, types[i].bits, lane));
        }
        for (uint32_t lane = 0; lane < 2048; lane++) {
            g_assert_cmphex(pack(types[i].type, types[i].bits, lane - 1024), ==,
                            ref_convert(types[i].ref, types[i].bits,
                                        lane - 1024));
        }
    }
}

/* The packed value is what is stored: one texel of each format. */
static void check_texel(uint16_t format, const uint32_t *lanes,
                        const char *expected)
{
    g_autoptr(EuFixture) eu = eu_standard();
    struct veu_surface s = { .base = EU_RAM,
                             .format = format,
                             .type = VEU_SURFACE_1D,
                             .width = 8,
                             .levels = 1 };
    TestMessage m = eu_message(TEST_SCATTER4_TYPED);
    GString *stored = g_string_new(NULL);

    m.surface = eu_surface(eu, &s);
    eu->thread.exec_mask = 1;
    for (unsigned c = 0; c < 4; c++) {
        eu_set32(eu, EU_DATA_AT, 8 * c, lanes[c]);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < strlen(expected) / 2; i++) {
        g_string_append_printf(stored, "%02x",
                               test_memory_get8(&eu->memory, EU_RAM + i));
    }
    g_assert_cmpstr(stored->str, ==, expected);
    g_string_free(stored, TRUE);
}

/* 1.0, -0.5, 0.25, 1e9 */
static void test_texels_of_float_formats(void)
{
    static const uint32_t f[] = { 0x3f800000, 0xbf000000, 0x3e800000,
                                  0x4e6e6b28 };

    check_texel(VEU_FORMAT_R32G32B32A32_FLOAT, f,
                "0000803f000000bf0000803e286b6e4e");
    check_texel(VEU_FORMAT_R16G16B16A16_FLOAT, f, "003c00b80034007c");
    check_texel(VEU_FORMAT_R8G8B8A8_UNORM, f, "ff0040ff");
    check_texel(VEU_FORMAT_R8G8B8A8_SNORM, f, "7fc0207f");
    check_texel(VEU_FORMAT_R32_FLOAT, f, "0000803f");
}

static void test_texels_of_integer_formats(void)
{
    static const uint32_t n[] = { 5, -6, 1000, -1000, 0 };

    check_texel(VEU_FORMAT_R8G8B8A8_SINT, n, "05fa7f80");
    check_texel(VEU_FORMAT_R8G8B8A8_UINT, n, "05ffffff");
    check_texel(VEU_FORMAT_R32_SINT, n + 1, "faffffff");
    check_texel(VEU_FORMAT_R32_UINT, n + 1, "faffffff");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/convert/" #name, test_##name)
    RULE(unorm_clamps);
    RULE(snorm_clamps_and_never_writes_the_lowest_code);
    RULE(nan_to_unorm_and_snorm_is_0);
    RULE(unorm_and_snorm_round_halves_to_even);
    RULE(the_product_is_rounded_to_float32);
    RULE(every_unorm_and_snorm_code_is_reached);
    RULE(half_way_values_of_unorm_and_snorm);
    RULE(sint_clamps);
    RULE(uint_clamps);
    RULE(float32_keeps_its_bits);
    RULE(half_of_plain_values);
    RULE(half_overflows_to_infinity);
    RULE(half_denormals_are_made);
    RULE(half_rounds_halves_to_even);
    RULE(half_keeps_the_top_of_a_nan);
    RULE(half_of_many_values);
    RULE(half_as_the_cpu_does_it);
    RULE(many_values_of_all_types);
    RULE(texels_of_float_formats);
    RULE(texels_of_integer_formats);
#undef RULE
    return g_test_run();
}
