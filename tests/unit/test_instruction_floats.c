/*
 * veu unit tests: floating-point arithmetic of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Results are compared with the CPU's own arithmetic in each rounding mode, and
 * functions with those of the C library, which are more precise by 29 bits.
 */
#include <fenv.h>
#include <glib.h>
#include <math.h>
#include "hw/veu/eu/instruction/math.h"
#include "tests/lib/floats.h"

#define ROUNDS 20000

static const int host_modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                                  FE_TOWARDZERO };

static VeuFloatMode keep_all(VeuRounding rounding)
{
    return (VeuFloatMode){ rounding, true, true, true };
}

static uint64_t random64(GRand *r)
{
    return (uint64_t)g_rand_int(r) << 32 | g_rand_int(r);
}

/* Numbers near each other, subnormal ones, large ones, and arbitrary ones. */
static uint32_t random_single(GRand *r)
{
    uint32_t bits = g_rand_int(r);

    switch (g_rand_int_range(r, 0, 5)) {
    case 0:
        return bits & 0x807fffff;
    case 1:
        return bits & 0x80ffffff;
    case 2:
        return (bits & 0x807fffff) | 0x3f800000;
    case 3:
        return (bits & 0x80000003) | 0x7f7ffffc;
    default:
        return bits;
    }
}

static void check_single(uint32_t x, uint32_t y, uint32_t z,
                         VeuRounding rounding)
{
    volatile float a = float_of(x), b = float_of(y), c = float_of(z);
    VeuFloatMode mode = keep_all(rounding);
    VeuFloat p = veu_float_unpack(VEU_TYPE_F, x, mode);
    VeuFloat q = veu_float_unpack(VEU_TYPE_F, y, mode);
    VeuFloat r = veu_float_unpack(VEU_TYPE_F, z, mode);
    volatile float host[] = { a + b, a * b,    fmaf(a, b, c),
                              a / b, sqrtf(a), nearbyintf(a) };
    VeuFloat mine[] = {
        veu_float_add(p, q, rounding),
        veu_float_mul(p, q),
        veu_float_mad(p, q, r, rounding),
        veu_float_div(p, q),
        veu_float_sqrt(p),
        veu_float_integral(p, rounding),
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(host); i++) {
        g_assert_cmphex(veu_float_pack(VEU_TYPE_F, mine[i], mode), ==,
                        quiet_bits_of(host[i]));
    }
    if (!isnan(a) && !isnan(b)) {
        g_assert_cmpint(veu_float_compare(p, q), ==, (a > b) - (a < b));
    }
}

static void check_double(uint64_t x, uint64_t y, uint64_t z,
                         VeuRounding rounding)
{
    volatile double a = double_of(x), b = double_of(y), c = double_of(z);
    VeuFloatMode mode = keep_all(rounding);
    VeuFloat p = veu_float_unpack(VEU_TYPE_DF, x, mode);
    VeuFloat q = veu_float_unpack(VEU_TYPE_DF, y, mode);
    VeuFloat r = veu_float_unpack(VEU_TYPE_DF, z, mode);
    volatile double host[] = { a + b, a * b, fma(a, b, c), a / b, sqrt(a) };
    volatile float narrow = a;
    VeuFloat mine[] = {
        veu_float_add(p, q, rounding),
        veu_float_mul(p, q),
        veu_float_mad(p, q, r, rounding),
        veu_float_div(p, q),
        veu_float_sqrt(p),
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(host); i++) {
        g_assert_cmphex(veu_float_pack(VEU_TYPE_DF, mine[i], mode), ==,
                        quiet_bits_of_double(host[i]));
    }
    g_assert_cmphex(veu_float_pack(VEU_TYPE_F, p, mode), ==,
                    quiet_bits_of(narrow));
}

static void test_arithmetic_is_that_of_ieee_754(void)
{
    GRand *r = g_rand_new_with_seed(754);

    for (unsigned mode = 0; mode < G_N_ELEMENTS(host_modes); mode++) {
        fesetround(host_modes[mode]);
        for (unsigned i = 0; i < ROUNDS; i++) {
            uint32_t a = random_single(r), b = random_single(r);
            uint64_t c = random64(r), d = random64(r);

            check_single(a, b, i & 1 ? a ^ (b & 0x80000007) : b, mode);
            check_double(c, d, i & 1 ? c ^ (d & 7) : d, mode);
        }
        fesetround(FE_TONEAREST);
    }
    g_rand_free(r);
}

/*
 * Converts all 65,536 halves to F and back; the host formats them differently.
 */
static void test_every_half_survives_f(void)
{
    VeuFloatMode mode = keep_all(VEU_ROUND_NEAREST);

    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        VeuFloat half = veu_float_unpack(VEU_TYPE_HF, bits, mode);
        int exponent = bits >> 10 & 0x1f;
        double fraction = bits & 0x3ff;
        double value = exponent ? ldexp(1024 + fraction, exponent - 25) :
                                  ldexp(fraction, -24);

        if (exponent == 0x1f) {
            value = fraction ? NAN : INFINITY;
        }
        value = bits >> 15 ? -value : value;
        g_assert_cmphex(veu_float_pack(VEU_TYPE_F, half, mode), ==,
                        quiet_bits_of(value));
        g_assert_cmphex(veu_float_pack(VEU_TYPE_HF, half, mode), ==,
                        isnan(value) ? 0x7e00 : bits);
    }
}

static void test_flushing_keeps_the_sign(void)
{
    VeuFloatMode flush = { .rounding = VEU_ROUND_UP };
    VeuFloat small = veu_float_unpack(VEU_TYPE_F, 0x80000001,
                                      keep_all(VEU_ROUND_NEAREST));

    g_assert_cmphex(veu_float_pack(VEU_TYPE_F, small, flush), ==, 0x80000000);
    small = veu_float_unpack(VEU_TYPE_F, 0x807fffff, flush);
    g_assert_true(veu_float_is_zero(&small) && small.negative);
}

/* The error in units in the last place of F. */
static double error_of(VeuFloat mine, long double exact)
{
    float result = float_of(
        veu_float_pack(VEU_TYPE_F, mine, keep_all(VEU_ROUND_NEAREST)));
    int exponent;

    if (isnan((float)exact) || isinf((float)exact) || isinf(result)) {
        g_assert_true(isnan((float)exact) ? isnan(result) :
                                            result == (float)exact);
        return 0;
    }
    frexpl(exact, &exponent);
    exponent = exponent < -125 ? -125 : exponent;
    return fabsl(result - exact) / ldexpl(1, exponent - 24);
}

static void test_functions_are_precise(void)
{
    GRand *r = g_rand_new_with_seed(23);
    double worst = 0;

    for (unsigned i = 0; i < ROUNDS; i++) {
        float x = float_of(i & 1 ? random_single(r) :
                                   0x3f800000u + g_rand_int_range(r, 0, 99));
        float y = g_rand_double_range(r, -150, 150);
        VeuFloat a = veu_float_unpack(VEU_TYPE_F, quiet_bits_of(x),
                                      keep_all(VEU_ROUND_NEAREST));
        VeuFloat b = veu_float_unpack(VEU_TYPE_F, quiet_bits_of(y),
                                      keep_all(VEU_ROUND_NEAREST));

        worst = MAX(worst, error_of(veu_math_exp(b), exp2l(y)));
        worst = MAX(worst, error_of(veu_math_log(a), log2l(x)));
        worst = MAX(worst, error_of(veu_math_sin(a), sinl(x)));
        worst = MAX(worst, error_of(veu_math_cos(a), cosl(x)));
        worst = MAX(worst, error_of(veu_math_pow(a, b), powl(fabsf(x), y)));
        if (x != 0) {
            worst = MAX(worst, error_of(veu_math_rsqrt(a), 1 / sqrtl(x)));
        }
    }
    g_assert_cmpfloat(worst, <, 0.52);
    g_rand_free(r);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/instruction-floats/arithmetic-is-that-of-ieee-754",
                    test_arithmetic_is_that_of_ieee_754);
    g_test_add_func("/instruction-floats/every-half-survives-f",
                    test_every_half_survives_f);
    g_test_add_func("/instruction-floats/flushing-keeps-the-sign",
                    test_flushing_keeps_the_sign);
    g_test_add_func("/instruction-floats/functions-are-precise",
                    test_functions_are_precise);
    return g_test_run();
}
