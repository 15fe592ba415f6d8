/*
 * veu unit tests: atomic operations on half floats, floats and doubles:
 * docs/spec.md, "Atomics".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <string.h>
#include "tests/unit/atomic.h"

/* 1.0, 2.0, ... of each width. */
typedef struct Floats {
    unsigned bytes;
    uint64_t one, two, three, inf, max, least, quiet, signalling, sign;
} Floats;

static const Floats floats[] = {
    { 2, 0x3c00, 0x4000, 0x4200, 0x7c00, 0x7bff, 1, 0x7e55, 0x7c55, 0x8000 },
    { 4, 0x3f800000, 0x40000000, 0x40400000, 0x7f800000, 0x7f7fffff, 1,
      0x7fc12345, 0x7f812345, 0x80000000 },
    { 8, 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000,
      0x7ff0000000000000, 0x7fefffffffffffff, 1, 0x7ff8123456789abc,
      0x7ff0123456789abc, 0x8000000000000000 },
};

#define FOR_EACH_FLOAT(f) \
    for (const Floats *f = floats; f < floats + G_N_ELEMENTS(floats); f++)

static void test_fmax_and_fmin_compare_numbers(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        atomic_check(eu, TEST_FMAX, b, f->one, f->two, 0, f->two);
        atomic_check(eu, TEST_FMAX, b, f->two, f->one, 0, f->two);
        atomic_check(eu, TEST_FMIN, b, f->one, f->two, 0, f->one);
        atomic_check(eu, TEST_FMIN, b, f->two, f->one, 0, f->one);
        /* negative numbers, infinities, denormals */
        atomic_check(eu, TEST_FMAX, b, f->one | f->sign, f->two | f->sign, 0,
                     f->one | f->sign);
        atomic_check(eu, TEST_FMIN, b, f->one, f->two | f->sign, 0,
                     f->two | f->sign);
        atomic_check(eu, TEST_FMAX, b, f->max, f->inf, 0, f->inf);
        atomic_check(eu, TEST_FMIN, b, f->inf, f->inf | f->sign, 0,
                     f->inf | f->sign);
        atomic_check(eu, TEST_FMAX, b, 0, f->least, 0, f->least);
        atomic_check(eu, TEST_FMIN, b, f->least, f->least | f->sign, 0,
                     f->least | f->sign);
    }
}

/* A number wins; if both are NaNs, memory keeps its value bit for bit. */
static void test_fmax_and_fmin_prefer_numbers_to_nans(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        for (uint8_t op = TEST_FMAX; op <= TEST_FMIN; op++) {
            atomic_check(eu, op, b, f->quiet, f->one, 0, f->one);
            atomic_check(eu, op, b, f->one, f->quiet, 0, f->one);
            atomic_check(eu, op, b, f->signalling, f->one, 0, f->one);
            atomic_check(eu, op, b, f->one, f->signalling, 0, f->one);
            atomic_check(eu, op, b, f->quiet, f->signalling, 0, f->quiet);
            atomic_check(eu, op, b, f->signalling, f->quiet, 0, f->signalling);
            atomic_check(eu, op, b, f->quiet | f->sign, f->quiet, 0,
                         f->quiet | f->sign);
        }
    }
}

/* -0 equals +0, so memory keeps its value. */
static void test_fmax_and_fmin_keep_the_zero_in_memory(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        for (uint8_t op = TEST_FMAX; op <= TEST_FMIN; op++) {
            atomic_check(eu, op, f->bytes, 0, f->sign, 0, 0);
            atomic_check(eu, op, f->bytes, f->sign, 0, 0, f->sign);
        }
    }
}

/* FCMPWR stores src0 == old ? src1 : old, with the comparison of IEEE 754. */
static void test_fcmpwr_compares_with_src0_and_stores_src1(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        atomic_check(eu, TEST_FCMPWR, b, f->one, f->one, f->three, f->three);
        atomic_check(eu, TEST_FCMPWR, b, f->one, f->two, f->three, f->one);
        atomic_check(eu, TEST_FCMPWR, b, f->one, f->two, f->one, f->one);
        atomic_check(eu, TEST_FCMPWR, b, 0, f->sign, f->three, f->three);
        atomic_check(eu, TEST_FCMPWR, b, f->sign, 0, f->signalling,
                     f->signalling);
        atomic_check(eu, TEST_FCMPWR, b, f->quiet, f->quiet, f->three,
                     f->quiet);
        atomic_check(eu, TEST_FCMPWR, b, f->signalling, f->one, f->three,
                     f->signalling);
    }
}

static void test_fadd_and_fsub(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;

        atomic_check(eu, TEST_FADD, b, f->one, f->two, 0, f->three);
        atomic_check(eu, TEST_FSUB, b, f->three, f->two, 0, f->one);
        atomic_check(eu, TEST_FSUB, b, f->two, f->three, 0, f->one | f->sign);
        atomic_check(eu, TEST_FADD, b, f->max, f->max, 0, f->inf);
        atomic_check(eu, TEST_FADD, b, f->inf, f->max | f->sign, 0, f->inf);
        atomic_check(eu, TEST_FSUB, b, f->one, f->one, 0, 0);
        atomic_check(eu, TEST_FADD, b, f->sign, f->sign, 0, f->sign);
        atomic_check(eu, TEST_FSUB, b, f->sign, 0, 0, f->sign);
        /* denormals are kept */
        atomic_check(eu, TEST_FADD, b, f->least, f->least, 0, 2);
        atomic_check(eu, TEST_FSUB, b, f->least, 3, 0, 2 | f->sign);
    }
    /* ties to even: 1 + 2^-24, (1 + 2^-23) + 2^-24, and 2048 + 1 as halves */
    atomic_check(eu, TEST_FADD, 4, 0x3f800000, 0x33800000, 0, 0x3f800000);
    atomic_check(eu, TEST_FADD, 4, 0x3f800001, 0x33800000, 0, 0x3f800002);
    atomic_check(eu, TEST_FADD, 2, 0x6800, 0x3c00, 0, 0x6800);
    atomic_check(eu, TEST_FADD, 2, 0x6802, 0x3c00, 0, 0x6802);
    atomic_check(eu, TEST_FADD, 2, 0x6801, 0x3c00, 0, 0x6802);
}

/*
 * The result is the NaN of memory, or otherwise that of src0, made quiet;
 * infinity - infinity gives the positive NaN without a payload.
 */
static void test_nans_of_fadd_and_fsub(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_FLOAT(f)
    {
        unsigned b = f->bytes;
        uint64_t quiet_bit = UINT64_C(1) << (b == 2 ? 9 : b == 4 ? 22 : 51);

        for (uint8_t op = TEST_FADD; op <= TEST_FSUB; op++) {
            atomic_check(eu, op, b, f->quiet, f->one, 0, f->quiet);
            atomic_check(eu, op, b, f->one, f->quiet | f->sign, 0,
                         f->quiet | f->sign);
            atomic_check(eu, op, b, f->signalling, f->one, 0,
                         f->signalling | quiet_bit);
            atomic_check(eu, op, b, f->one, f->signalling, 0,
                         f->signalling | quiet_bit);
            atomic_check(eu, op, b, f->signalling | f->sign, f->quiet, 0,
                         f->signalling | f->sign | quiet_bit);
        }
        atomic_check(eu, TEST_FSUB, b, f->inf, f->inf, 0, f->inf | quiet_bit);
        atomic_check(eu, TEST_FADD, b, f->inf | f->sign, f->inf, 0,
                     f->inf | quiet_bit);
    }
}

/* A half in units of 2^-24: all finite ones are integers of at most 41 bits. */
static int64_t half_units(uint16_t half)
{
    unsigned exponent = half >> 10 & 0x1f;
    int64_t fraction = half & 0x3ff;
    int64_t units = exponent ? (fraction | 0x400) << (exponent - 1) : fraction;

    return half & 0x8000 ? -units : units;
}

/* Finds by search the half nearest to @units; a tie goes to the even one. */
static uint16_t nearest_half(int64_t units)
{
    int64_t size = units < 0 ? -units : units;
    uint16_t low = 0;
    uint16_t high = 0x7c00; /* the next half would be 65536 */

    while (high - low > 1) {
        uint16_t middle = (low + high) / 2;

        if (half_units(middle) <= size) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (size > half_units(low)) {
        int64_t twice = 2 * size - half_units(low) - half_units(high);

        low = twice > 0 || (twice == 0 && (low & 1)) ? high : low;
    }
    return low | (units < 0 ? 0x8000 : 0);
}

static void test_sums_of_halves_are_rounded_once(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    g_autoptr(GRand) rng = g_rand_new_with_seed(1);

    for (unsigned n = 0; n < 200000; n++) {
        uint16_t a = g_rand_int(rng);
        /*
         * the numbers are often close in size, so that the sum has to be
         * rounded
         */
        uint16_t b = n & 1 ? g_rand_int(rng) : a + g_rand_int(rng) % 999;
        int64_t sum = half_units(a) + half_units(b);

        if ((a & 0x7c00) == 0x7c00 || (b & 0x7c00) == 0x7c00 || sum == 0) {
            continue;
        }
        atomic_check(eu, TEST_FADD, 2, a, b, 0, nearest_half(sum));
    }
}

/* Compares with the host's own addition of floats. */
static void test_sums_of_floats_are_rounded_once(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    g_autoptr(GRand) rng = g_rand_new_with_seed(2);

    for (unsigned n = 0; n < 200000; n++) {
        uint32_t a_bits = g_rand_int(rng);
        uint32_t b_bits = a_bits ^ (g_rand_int(rng) & 0x8fffffff);
        volatile float a;
        volatile float b;
        volatile float sum;
        uint32_t bits;

        memcpy((float *)&a, &a_bits, 4);
        memcpy((float *)&b, &b_bits, 4);
        sum = a + b;
        memcpy(&bits, (float *)&sum, 4);
        if (!isnan(sum)) {
            atomic_check(eu, TEST_FADD, 4, a_bits, b_bits, 0, bits);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/atomic-float/" #name, test_##name)
    RULE(fmax_and_fmin_compare_numbers);
    RULE(fmax_and_fmin_prefer_numbers_to_nans);
    RULE(fmax_and_fmin_keep_the_zero_in_memory);
    RULE(fcmpwr_compares_with_src0_and_stores_src1);
    RULE(fadd_and_fsub);
    RULE(nans_of_fadd_and_fsub);
    RULE(sums_of_halves_are_rounded_once);
    RULE(sums_of_floats_are_rounded_once);
#undef RULE
    return g_test_run();
}
