/*
 * veu unit tests: narrow floats, sums of differences, planes, and the macros of
 * division and root.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expected values are computed with doubles, which represent all of these
 * numbers exactly.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/code_builder.h"

#define LANES 16

/* A program of one instruction on V32 (destination), V33, V34 and V35. */
typedef struct One {
    CodeRun run;
    uint32_t id[4];
} One;

static One *one_new(const char *mnemonic, const uint8_t types[4],
                    unsigned sources, unsigned lanes)
{
    One *one = g_new0(One, 1);
    Code code = { 0 };
    Op ops[7] = { 0 };

    for (unsigned i = 0; i < 4; i++) {
        one->id[i] = code_variable(&code, 256 * i, 32, types[i]);
    }
    ops[0] = op_dst(one->id[0]);
    for (unsigned i = 0; i < sources; i++) {
        ops[1 + i] = op_lanes(one->id[1 + i]);
    }
    code_add(&code, mnemonic, size_m1(lanes), 0, 0, ops);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&one->run, &code));
    return one;
}

static void one_free(One *one)
{
    code_free(&one->run);
    g_free(one);
}

/* The elements of operand @n, where 0 is the destination. */
static void *elements(One *one, unsigned n)
{
    return one->run.registers + 256 * n;
}

static void run_one(One *one, uint32_t lanes)
{
    g_assert_true(code_run(&one->run, lanes, 10));
}

/* A number with @exponent_bits and @fraction_bits, without its sign. */
static double decode(uint32_t bits, unsigned exponent_bits,
                     unsigned fraction_bits)
{
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = bits >> fraction_bits;
    uint32_t fraction = bits & ((1u << fraction_bits) - 1);

    return exponent ? ldexp((1u << fraction_bits) + fraction,
                            exponent - bias - (int)fraction_bits) :
                      ldexp(fraction, 1 - bias - (int)fraction_bits);
}

/* The nearest of the numbers with fewer bits; a tie goes to the even one. */
static uint32_t nearest(double value, unsigned exponent_bits,
                        unsigned fraction_bits)
{
    uint32_t most = ((1u << exponent_bits) - 1) << fraction_bits;
    uint32_t low = 0, high = most;

    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;

        if (decode(middle, exponent_bits, fraction_bits) <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double below = value - decode(low, exponent_bits, fraction_bits);
    double above = decode(high, exponent_bits, fraction_bits) - value;

    return below < above || (below == above && low % 2 == 0) ? low : high;
}

static void test_all_hf_become_the_nearest_bf8(void)
{
    const uint8_t types[4] = { VEU_TYPE_UB, VEU_TYPE_HF, VEU_TYPE_UD,
                               VEU_TYPE_UD };
    One *one = one_new("fcvt", types, 1, LANES);
    uint16_t *hf = elements(one, 1);
    const uint8_t *bf8 = elements(one, 0);

    for (uint32_t from = 0; from < 0x10000; from += LANES) {
        for (unsigned n = 0; n < LANES; n++) {
            hf[n] = from + n;
        }
        run_one(one, UINT32_MAX);
        for (unsigned n = 0; n < LANES; n++) {
            uint32_t magnitude = (from + n) & 0x7fff;
            uint8_t sign = (from + n) >> 8 & 0x80;

            g_assert_cmphex(bf8[n], ==,
                            magnitude > 0x7c00 ?
                                0x7e :
                                sign | nearest(decode(magnitude, 5, 10), 5, 2));
        }
    }
    one_free(one);
}

static void test_all_bf8_are_exact_in_hf(void)
{
    const uint8_t types[4] = { VEU_TYPE_HF, VEU_TYPE_UB, VEU_TYPE_UD,
                               VEU_TYPE_UD };
    One *one = one_new("fcvt", types, 1, LANES);
    const uint16_t *hf = elements(one, 0);
    uint8_t *bf8 = elements(one, 1);

    for (unsigned from = 0; from < 256; from += LANES) {
        for (unsigned n = 0; n < LANES; n++) {
            bf8[n] = from + n;
        }
        run_one(one, UINT32_MAX);
        for (unsigned n = 0; n < LANES; n++) {
            unsigned magnitude = (from + n) & 0x7f;

            if (magnitude > 0x7c) {
                g_assert_cmphex(hf[n], ==, 0x7e00);
                continue;
            }
            g_assert_cmphex(hf[n] >> 15, ==, (from + n) >> 7);
            g_assert_true(decode(hf[n] & 0x7fff, 5, 10) ==
                          decode(magnitude, 5, 2));
        }
    }
    one_free(one);
}

static void test_f_becomes_the_nearest_tf32(void)
{
    const uint8_t types[4] = { VEU_TYPE_UD, VEU_TYPE_F, VEU_TYPE_UD,
                               VEU_TYPE_UD };
    One *one = one_new("fcvt", types, 1, LANES);
    uint32_t *f = elements(one, 1);
    const uint32_t *tf32 = elements(one, 0);

    for (unsigned round = 0; round < 4000; round++) {
        for (unsigned n = 0; n < LANES; n++) {
            f[n] = g_test_rand_int();
            if (n % 4 == 0) { /* halves */
                f[n] = (f[n] & ~0x1fffu) | 0x1000;
            }
        }
        run_one(one, UINT32_MAX);
        for (unsigned n = 0; n < LANES; n++) {
            uint32_t magnitude = f[n] & INT32_MAX;
            uint32_t sign = f[n] & ~(uint32_t)INT32_MAX;
            uint32_t expected = sign | nearest(decode(magnitude, 8, 23), 8, 10)
                                           << 13;

            if (magnitude > 0x7f800000) {
                expected = 0x7fc00000;
            } else if (magnitude < 0x00800000) {
                expected = sign;
            }
            g_assert_cmphex(tf32[n], ==, expected);
        }
    }
    one_free(one);
}

/* The largest HF that is not above @value, which may exceed all of them. */
static uint16_t hf_below(double value)
{
    uint16_t low = 0;

    if (value >= 65536) {
        return 0x7c00;
    }
    for (unsigned bit = 1u << 14; bit; bit >>= 1) {
        if ((low | bit) < 0x7c00 && decode(low | bit, 5, 10) <= value) {
            low |= bit;
        }
    }
    return low;
}

static void test_f_is_rounded_to_hf_by_a_random_number(void)
{
    const uint8_t types[4] = { VEU_TYPE_HF, VEU_TYPE_F, VEU_TYPE_UW,
                               VEU_TYPE_UD };
    One *one = one_new("srnd", types, 2, LANES);
    uint32_t *f = elements(one, 1);
    uint16_t *random = elements(one, 2);
    const uint16_t *hf = elements(one, 0);

    for (unsigned round = 0; round < 4000; round++) {
        for (unsigned n = 0; n < LANES; n++) {
            /* exponents range from too small for an HF to too large */
            f[n] = (g_test_rand_int() & 0x807fffffu) |
                   (uint32_t)g_test_rand_int_range(95, 146) << 23;
            random[n] = g_test_rand_int();
        }
        f[0] = 0x7fa00000;
        f[1] = 0xff800000;
        f[2] = 0x80000001;
        run_one(one, UINT32_MAX);
        g_assert_cmphex(hf[0], ==, 0x7e00);
        g_assert_cmphex(hf[1], ==, 0xfc00);
        g_assert_cmphex(hf[2], ==, 0x8000);
        for (unsigned n = 3; n < LANES; n++) {
            int exponent = f[n] >> 23 & 0xff;
            double value = decode(f[n] & INT32_MAX, 8, 23) +
                           ldexp(random[n] & 0x1fff, exponent - 150);

            g_assert_cmphex(hf[n], ==, (f[n] >> 16 & 0x8000) | hf_below(value));
        }
    }
    one_free(one);
}

/* Of 256 random numbers, as many round up as the lost bits demand. */
static void test_hf_is_rounded_to_bf8_with_a_probability(void)
{
    const uint8_t types[4] = { VEU_TYPE_UB, VEU_TYPE_HF, VEU_TYPE_UB,
                               VEU_TYPE_UD };
    One *one = one_new("srnd", types, 2, LANES);
    uint16_t *hf = elements(one, 1);
    uint8_t *random = elements(one, 2);
    const uint8_t *bf8 = elements(one, 0);

    for (unsigned value = 0; value < 0x7c00; value += 37) {
        unsigned up = 0;

        for (unsigned from = 0; from < 256; from += LANES) {
            for (unsigned n = 0; n < LANES; n++) {
                hf[n] = 0x8000 | value;
                random[n] = from + n;
            }
            run_one(one, UINT32_MAX);
            for (unsigned n = 0; n < LANES; n++) {
                unsigned steps = bf8[n] - (0x80 | value >> 8);

                g_assert_cmpuint(steps, <=, 1);
                up += steps;
            }
        }
        g_assert_cmpuint(up, ==, value & 0xff);
    }
    one_free(one);
}

static void test_sums_of_differences_are_for_pairs(void)
{
    const uint8_t types[4] = { VEU_TYPE_UW, VEU_TYPE_UB, VEU_TYPE_B,
                               VEU_TYPE_W };
    One *two = one_new("sad2", types, 2, 8);
    One *three = one_new("sad2add", types, 3, 8);
    One *const both[] = { two, three };

    for (unsigned k = 0; k < 2; k++) {
        uint8_t *a = elements(both[k], 1);
        int8_t *b = elements(both[k], 2);
        int16_t *c = elements(both[k], 3);
        const uint16_t *sum = elements(both[k], 0);

        for (unsigned n = 0; n < 8; n++) {
            a[n] = n % 4 < 2 ? 255 - n : n;
            b[n] = -50 + 20 * (int)n;
            c[n] = -5;
        }
        /* lanes 4 and 5 do not run */
        run_one(both[k], 0xcf);
        for (unsigned n = 0; n < 8; n += 2) {
            int expected = abs(a[n] - b[n]) + abs(a[n + 1] - b[n + 1]) +
                           (k ? -5 : 0);

            g_assert_cmpint(sum[n], ==, n == 4 ? 0 : expected);
            g_assert_cmpint(sum[n + 1], ==, 0);
        }
    }
    one_free(two);
    one_free(three);
}

static void test_a_plane_has_blocks_of_points(void)
{
    const uint8_t types[4] = { VEU_TYPE_F, VEU_TYPE_F, VEU_TYPE_F, VEU_TYPE_F };
    One *one = one_new("plane", types, 2, 16);
    float *w = elements(one, 0);
    float *pqr = elements(one, 1);
    float *uv = elements(one, 2);

    pqr[0] = 3;
    pqr[1] = -0.5f;
    pqr[2] = 1e30f; /* is not read */
    pqr[3] = 100;
    for (unsigned n = 0; n < 32; n++) {
        uv[n] = n * n;
    }
    run_one(one, UINT32_MAX);
    for (unsigned n = 0; n < 16; n++) {
        unsigned at = n < 8 ? n : n + 8;

        g_assert_cmpfloat(w[n], ==, 3 * uv[at] - uv[at + 8] / 2 + 100);
    }
    one_free(one);
}

/* Returns true if a program of one instruction is legal. */
static bool is_legal(const char *mnemonic, unsigned lanes, const Op *ops,
                     const uint8_t *types, uint32_t second_at)
{
    CodeRun *run = g_new0(CodeRun, 1);
    Code code = { 0 };
    bool legal;

    code_variable(&code, 0, 32, types[0]);
    code_variable(&code, second_at, 32, types[1]);
    code_variable(&code, 512, 32, types[2]);
    code_add(&code, mnemonic, size_m1(lanes), 0, 0, ops);
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    legal = code_load(run, &code);
    code_free(run);
    g_free(run);
    return legal;
}

static void test_sizes_and_places_that_are_not_legal(void)
{
    const uint8_t bytes[] = { VEU_TYPE_UW, VEU_TYPE_UB, VEU_TYPE_UB };
    const uint8_t floats[] = { VEU_TYPE_F, VEU_TYPE_F, VEU_TYPE_F };
    const uint8_t halves[] = { VEU_TYPE_HF, VEU_TYPE_HF, VEU_TYPE_HF };
    Op ops[7] = { op_dst(32), op_lanes(33), op_lanes(34) };
    Op scalars[7] = { op_dst(32), op_scalar(33), op_scalar(34) };

    g_assert_true(is_legal("sad2", 2, scalars, bytes, 256));
    g_assert_false(is_legal("sad2", 1, scalars, bytes, 256));
    g_assert_true(is_legal("plane", 8, ops, floats, 256));
    g_assert_false(is_legal("plane", 4, scalars, floats, 256));
    g_assert_true(is_legal("plane", 8, ops, floats, 272));
    g_assert_false(is_legal("plane", 8, ops, floats, 264));
    ops[2].column = 4; /* 16 bytes into a register */
    g_assert_false(is_legal("plane", 8, ops, floats, 256));
    ops[2].column = 8; /* 24 elements remain, and 32 are read */
    g_assert_true(is_legal("plane", 8, ops, floats, 256));
    g_assert_false(is_legal("plane", 16, ops, floats, 256));
    g_assert_false(is_legal("fcvt", 8, ops, halves, 256));
    /* the second destination is a predicate */
    ops[1] = op_pred(1);
    ops[2] = op_lanes(33);
    g_assert_true(is_legal("rsqtm", 8, ops, floats, 256));
    ops[1] = op_dst(34);
    g_assert_false(is_legal("rsqtm", 8, ops, floats, 256));
}

static void test_macros_report_what_needs_no_refinement(void)
{
    Code code = { 0 };
    CodeRun run;
    uint32_t a = code_variable(&code, 0, 8, VEU_TYPE_F);
    uint32_t b = code_variable(&code, 32, 8, VEU_TYPE_F);
    uint32_t quotient = code_variable(&code, 64, 8, VEU_TYPE_F);
    uint32_t root = code_variable(&code, 96, 8, VEU_TYPE_F);
    static const float x[8] = { 1, 0, 1, INFINITY, 7, 0, 4, 10 };
    static const float y[8] = { 3, 5, 0, 2, INFINITY, 0, 0.25f, 4 };
    float result[8];

    CODE_ADD(&code, "invm", size_m1(8), 0, 0, op_dst(quotient), op_pred(1),
             op_lanes(a), op_lanes(b));
    CODE_ADD(&code, "rsqtm", size_m1(8), 0, 0, op_dst(root), op_pred(2),
             op_lanes(b));
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&run, &code));
    memcpy(run.registers, x, sizeof(x));
    memcpy(run.registers + 32, y, sizeof(y));
    run.predicates[0] = 0xf00;
    run.predicates[1] = 0;
    g_assert_true(code_run(&run, 0x7f, 10));
    memcpy(result, run.registers + 64, sizeof(result));
    for (unsigned n = 0; n < 7; n++) {
        if (n != 5) {
            g_assert_true(result[n] == (float)(x[n] / y[n]));
        }
    }
    g_assert_true(isnan(result[5]));
    g_assert_true(result[7] == 0); /* a lane that does not run */
    g_assert_cmphex(run.predicates[0], ==, 0xf00 | 0x3e);
    memcpy(result, run.registers + 96, sizeof(result));
    g_assert_cmpfloat_with_epsilon(result[0], 1 / sqrt(3), 1e-7);
    g_assert_true(result[2] == INFINITY && result[4] == 0 && result[6] == 2);
    g_assert_cmphex(run.predicates[1], ==, 0x34);
    code_free(&run);
}

/* The loader knows samplers, lsc_* and others, and refuses their programs. */
static void test_what_is_only_listed_is_refused(void)
{
    CodeRun *run = g_new0(CodeRun, 1);
    unsigned listed = 0;

    for (unsigned i = 0; i < veu_instruction_count; i++) {
        const VeuInstructionInfo *info = &veu_instructions[i];
        Code code = { .count = 40, .bytes = { info->opcode, info->sub } };

        if (info->listed) {
            listed++;
            g_assert_false(code_load(run, &code));
            g_assert_cmphex(run->fault.code, ==,
                            VEU_FAULT_INSTRUCTION_NOT_MODELLED);
            g_assert_cmpuint(run->offset, ==, 0);
            code_free(run);
        }
    }
    g_assert_cmpuint(listed, >, 60);
    g_free(run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/instruction-several/" #name, test_##name)
    RULE(all_hf_become_the_nearest_bf8);
    RULE(all_bf8_are_exact_in_hf);
    RULE(f_becomes_the_nearest_tf32);
    RULE(f_is_rounded_to_hf_by_a_random_number);
    RULE(hf_is_rounded_to_bf8_with_a_probability);
    RULE(sums_of_differences_are_for_pairs);
    RULE(a_plane_has_blocks_of_points);
    RULE(sizes_and_places_that_are_not_legal);
    RULE(macros_report_what_needs_no_refinement);
    RULE(what_is_only_listed_is_refused);
#undef RULE
    return g_test_run();
}
