/*
 * veu execution unit: mathematical functions of handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The executor (math.h) rounds a value with a relative or an absolute error of
 * less than 2^-57. Here, a function is approximated in doubles, with a bound of
 * its error that is far from tight. If all values within the bound round to the
 * same float, that float is the result. All other lanes, about one in a
 * million, are computed as the executor does, and so are lanes with special
 * values.
 *
 * handler_loops.h includes this file for each CPU level.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MATH_H
#define VEU_EU_INSTRUCTION_HANDLER_MATH_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#include "hw/veu/eu/instruction/handler_element.h"
#include "hw/veu/eu/instruction/handler_exact.h"
#include "hw/veu/eu/message/lanes.h"

/*
 * Lanes that are computed together. With AVX-512, these are two vectors of
 * doubles; with AVX2, they are four, so that more of their latency overlaps.
 * The values of lanes that do not run, or that the instruction does not have,
 * are arbitrary.
 */
#if defined(__AVX2__)
#define MATH_LANES 16
#else
#define MATH_LANES 8
#endif
#define MATH_ALL  ((1u << MATH_LANES) - 1)
#define MATH_HALF 8

typedef struct MathLanes {
    bool flush; /* subnormal operands and results are zeros */
    float a[MATH_LANES];
    float b[MATH_LANES]; /* the exponents of pow */
    float result[MATH_LANES];
    double near[MATH_LANES];  /* an approximation of the result */
    double error[MATH_LANES]; /* its bound; NaN if there is none */
} MathLanes;

/* Bounds the sum of the relative errors below, which is less than 2^-46. */
#define MATH_ERROR  0x1p-44
/* A number to which this is added has its integer part in the low bits. */
#define MATH_ROUND  0x1.8p52
#define MATH_BIASED 1023

#define MATH(name) INLINE void name##_math(MathLanes *l)

INLINE double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

INLINE uint64_t bits_of_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/*
 * 2^x for x from -1022 to 1023: a Taylor series for the distance to the nearest
 * integer.
 */
INLINE double exp_near(double x)
{
    double rounded = x + MATH_ROUND;
    double r = x - (rounded - MATH_ROUND);
    double scale = double_of((bits_of_double(rounded) + MATH_BIASED) << 52);
    double sum = 0x1.e8cac7351bb25p-32;

    sum = sum * r + 0x1.e4cf5158b8ecap-28;
    sum = sum * r + 0x1.b5253d395e7c4p-24;
    sum = sum * r + 0x1.62c0223a5c824p-20;
    sum = sum * r + 0x1.ffcbfc588b0c7p-17;
    sum = sum * r + 0x1.430912f86c787p-13;
    sum = sum * r + 0x1.5d87fe78a6731p-10;
    sum = sum * r + 0x1.3b2ab6fba4e77p-7;
    sum = sum * r + 0x1.c6b08d704a0c0p-5;
    sum = sum * r + 0x1.ebfbdff82c58fp-3;
    sum = sum * r + 0x1.62e42fefa39efp-1;
    return (sum * r + 1) * scale;
}

/*
 * The logarithm of a normal positive number: the series of math.c with 9 terms.
 * Since s is at most 0.172, the others add less than 2^-49 of the sum.
 */
INLINE double log_near(float x)
{
    uint32_t bits;
    int32_t exponent;
    float part;
    double s, square;
    double sum = 0x1.5b9ac9b743f0dp-3;

    memcpy(&bits, &x, sizeof(bits));
    exponent = (int32_t)(bits - 0x3f3504f3) >> 23; /* root of 1/2 */
    bits -= (uint32_t)exponent << 23;
    memcpy(&part, &bits, sizeof(part));
    s = ((double)part - 1) / ((double)part + 1);
    square = s * s;
    sum = sum * square + 0x1.89f3b1694cffep-3;
    sum = sum * square + 0x1.c68f568d31760p-3;
    sum = sum * square + 0x1.0c9a84994022dp-2;
    sum = sum * square + 0x1.484b13d7c02a9p-2;
    sum = sum * square + 0x1.a61762a7aded9p-2;
    sum = sum * square + 0x1.2776c50ef9bfep-1;
    sum = sum * square + 0x1.ec709dc3a03fdp-1;
    sum = sum * square + 0x1.71547652b82fep+1;
    return s * sum + exponent;
}

/* Stores the result of lane @n, which is computed exactly if not @usual. */
INLINE void math_set(MathLanes *l, unsigned n, double near, double error,
                     bool usual)
{
    l->near[n] = near;
    l->error[n] = usual ? error : __builtin_nan("");
}

INLINE bool is_usual(float x)
{
    return (x >= 0x1p-126f) & (x <= 0x1.fffffep127f);
}

/* Results of at least 2^-126 are normal. */
MATH(exp)
{
    for (unsigned n = 0; n < MATH_LANES; n++) {
        double x = l->a[n];
        bool inside = (x >= -126) & (x < 128);
        double near = exp_near(inside ? x : 0);

        math_set(l, n, near, near * MATH_ERROR, inside);
    }
}

/* The error of the executor's logarithm is less than 2^-57, even near 0. */
MATH(log)
{
    for (unsigned n = 0; n < MATH_LANES; n++) {
        bool usual = is_usual(l->a[n]);
        double near = log_near(usual ? l->a[n] : 1);

        math_set(l, n, near, __builtin_fabs(near) * MATH_ERROR + 0x1p-56,
                 usual);
    }
}

/* The errors of both logarithms are multiplied by y. */
MATH(pow)
{
    for (unsigned n = 0; n < MATH_LANES; n++) {
        double x = __builtin_fabsf(l->a[n]);
        double y = l->b[n];
        bool usual = is_usual(x);
        double product = y * log_near(usual ? x : 1);
        bool inside = (product >= -126) & (product < 128) & usual;
        double near = exp_near(inside ? product : 0);
        double error = __builtin_fabs(product) * MATH_ERROR +
                       __builtin_fabs(y) * 0x1p-56 + MATH_ERROR;

        math_set(l, n, near, near * error, inside);
    }
}

/*
 * The sine of the lanes plus @turn quarter turns. Multiples of pi / 2 are
 * subtracted in two parts, the first of 33 bits. Up to 2^15, the error of the
 * difference is less than 2^-66.
 */
INLINE void sin_turned(MathLanes *l, uint64_t turn)
{
    for (unsigned n = 0; n < MATH_LANES; n++) {
        double x = l->a[n];
        bool usual = __builtin_fabs(x) < 0x1p15;
        double inside = usual ? x : 0;
        double rounded = inside * 0x1.45f306dc9c883p-1 + MATH_ROUND;
        double quarters = rounded - MATH_ROUND;
        uint64_t quarter = bits_of_double(rounded) + turn;
        double r = inside - quarters * 0x1.921fb544p+0;
        double square, sine, cosine, near, error;

        r -= quarters * 0x1.0b4611a626331p-34;
        square = r * r;
        sine = -0x1.ae7f3e733b81fp-41;
        sine = sine * square + 0x1.6124613a86d09p-33;
        sine = sine * square - 0x1.ae64567f544e4p-26;
        sine = sine * square + 0x1.71de3a556c734p-19;
        sine = sine * square - 0x1.a01a01a01a01ap-13;
        sine = sine * square + 0x1.1111111111111p-7;
        sine = sine * square - 0x1.5555555555555p-3;
        sine = r * (sine * square + 1); /* keeps -0 */
        cosine = -0x1.93974a8c07c9dp-37;
        cosine = cosine * square + 0x1.1eed8eff8d898p-29;
        cosine = cosine * square - 0x1.27e4fb7789f5cp-22;
        cosine = cosine * square + 0x1.a01a01a01a01ap-16;
        cosine = cosine * square - 0x1.6c16c16c16c17p-10;
        cosine = cosine * square + 0x1.5555555555555p-5;
        cosine = cosine * square - 0.5;
        cosine = cosine * square + 1;
        near = quarter & 1 ? cosine : sine;
        near = double_of(bits_of_double(near) ^ (quarter & 2) << 62);
        error = __builtin_fabs(near) * MATH_ERROR;
        math_set(l, n, near, error + (quarters == 0 ? 0 : 0x1p-64), usual);
    }
}

MATH(sin)
{
    sin_turned(l, 0);
}

MATH(cos)
{
    sin_turned(l, 1);
}

/*
 * The reciprocal square roots of normal positive numbers, which are floats.
 * Each step of Newton's method doubles the correct bits: two suffice after an
 * approximation of 14 bits (AVX-512), three after one of 11 bits (AVX2). A
 * square root and a division of doubles take longer: five times with AVX-512.
 */
#if defined(__AVX512VL__)
INLINE void rsqrt_near(const double *x, double *near)
{
    const __m512d half = _mm512_set1_pd(0.5);

    for (unsigned n = 0; n < MATH_LANES; n += 8) {
        __m512d number = _mm512_loadu_pd(x + n);
        __m512d root = _mm512_rsqrt14_pd(number);

        number = _mm512_mul_pd(number, half);
        for (unsigned k = 0; k < 2; k++) {
            __m512d part = _mm512_mul_pd(number, root);

            part = _mm512_fnmadd_pd(part, root, half);
            root = _mm512_fmadd_pd(root, part, root);
        }
        _mm512_storeu_pd(near + n, root);
    }
}
#elif defined(__AVX2__)
INLINE void rsqrt_near(const double *x, double *near)
{
    const __m256d half = _mm256_set1_pd(0.5);

    for (unsigned n = 0; n < MATH_LANES; n += 4) {
        __m256d number = _mm256_loadu_pd(x + n);
        __m256d root = _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(number)));

        number = _mm256_mul_pd(number, half);
        for (unsigned k = 0; k < 3; k++) {
            __m256d part = _mm256_mul_pd(number, root);

            part = _mm256_fnmadd_pd(part, root, half);
            root = _mm256_fmadd_pd(root, part, root);
        }
        _mm256_storeu_pd(near + n, root);
    }
}
#else
INLINE void rsqrt_near(const double *x, double *near)
{
    for (unsigned n = 0; n < MATH_LANES; n++) {
        near[n] = 1 / __builtin_sqrt(x[n]);
    }
}
#endif

MATH(rsqrt)
{
    double x[MATH_LANES], near[MATH_LANES];

    for (unsigned n = 0; n < MATH_LANES; n++) {
        x[n] = is_usual(l->a[n]) ? l->a[n] : 1;
    }
    rsqrt_near(x, near);
    for (unsigned n = 0; n < MATH_LANES; n++) {
        math_set(l, n, near[n], near[n] * MATH_ERROR, is_usual(l->a[n]));
    }
}

/* Subnormal operands and results are rarely flushed. */
INLINE void math_flush(const MathLanes *l, float *lane)
{
    if (__builtin_expect(l->flush, 0)) {
        for (unsigned n = 0; n < MATH_LANES; n++) {
            lane[n] = flush_float(lane[n]);
        }
    }
}

/* Loads @count lanes of the source @at, or @same for all lanes. */
INLINE void math_load(const MathLanes *l, float *lane, const float_element *at,
                      unsigned count, float same, bool is_same)
{
    if (is_same) {
        for (unsigned n = 0; n < MATH_LANES; n++) {
            lane[n] = same;
        }
    } else if (count < MATH_LANES) {
        memcpy(lane, at, MATH_HALF * sizeof(*lane));
    } else {
        memcpy(lane, at, MATH_LANES * sizeof(*lane));
    }
    math_flush(l, lane);
}

/* Rounds; returns the lanes whose result is not certain. */
INLINE uint32_t math_round(MathLanes *l)
{
    uint32_t unsure = 0;

    for (unsigned n = 0; n < MATH_LANES; n++) {
        float low = (float)(l->near[n] - l->error[n]);
        float high = (float)(l->near[n] + l->error[n]);

        l->result[n] = low;
        unsure |= low == high ? 0 : 1u << n;
    }
    return unsure;
}

/* Stores the lanes in @active. */
INLINE void math_store(MathLanes *l, float_element *to, uint32_t active,
                       VeuExactFunction *exact)
{
    uint32_t unsure = math_round(l) & active;

    VEU_FOR_EACH_LANE(n, unsure) {
        l->result[n] = exact(l->a[n], l->b[n]);
    }
    math_flush(l, l->result);
    if (active == MATH_ALL) {
        memcpy(to, l->result, sizeof(l->result));
        return;
    }
    VEU_FOR_EACH_LANE(n, active) {
        to[n] = l->result[n];
    }
}

#endif
