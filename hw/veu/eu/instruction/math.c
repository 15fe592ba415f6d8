/*
 * veu execution unit: mathematical functions of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/math.h"

typedef unsigned __int128 Wide;

/* A number in [0, 4) with 62 fractional bits, and in [0, 1) with 64. */
#define ONE62         (UINT64_C(1) << 62)
#define LN2_64        UINT64_C(0xb17217f7d1cf79ab)
/* 2 / ln 2, with 62 fractional bits. */
#define TWO_BY_LN2_62 UINT64_C(0xb8aa3b295c17f0bb)
/* pi / 2, with 63 fractional bits. */
#define HALF_PI_63    UINT64_C(0xc90fdaa22168c234)
/* The square root of 2, with 63 fractional bits. */
#define ROOT_2_63     UINT64_C(0xb504f333f9de6484)

/* Past these, every format overflows or underflows. */
#define EXP_LIMIT 4096

static uint64_t high(uint64_t a, uint64_t b)
{
    return (Wide)a * b >> 64;
}

static unsigned bit_length(Wide value)
{
    uint64_t top = value >> 64;

    return top             ? 128 - __builtin_clzll(top) :
           (uint64_t)value ? 64 - __builtin_clzll((uint64_t)value) :
                             0;
}

/* A result that is not exact. */
static VeuFloat inexact(uint64_t sig, int32_t exponent)
{
    return (VeuFloat){ .sig = sig, .exponent = exponent, .sticky = true };
}

/* Shifts the highest 1 to bit 63; @sig is not 0. */
static uint64_t top_bits(Wide sig, int32_t *exponent)
{
    int32_t shift = (int32_t)bit_length(sig) - 64;

    *exponent += shift;
    return shift > 0 ? sig >> shift : sig << -shift;
}

/*
 * e^r for @r in [0, 1) with 64 fractional bits: a Taylor series, exact to 62
 * bits.
 */
static uint64_t exp_series(uint64_t r)
{
    uint64_t sum = ONE62;

    for (unsigned k = 24; k >= 1; k--) {
        sum = ONE62 + high(r, sum) / k;
    }
    return sum;
}

/* 2^(@x / 2^64). */
static VeuFloat exp_fixed(__int128 x)
{
    int32_t whole = x >> 64;
    uint64_t fraction = x;

    if (fraction == 0) {
        return (VeuFloat){ .sig = 1, .exponent = whole };
    }
    return inexact(exp_series(high(fraction, LN2_64)), whole - 62);
}

/*
 * @sig * 2^@exponent with 64 fractional bits, rounded down; it is below 2^12.
 */
static __int128 to_fixed(Wide sig, int32_t exponent)
{
    int32_t shift = exponent + 64;

    return shift >= 0 ? sig << shift : shift < -127 ? 0 : sig >> -shift;
}

/* 2^(+-@sig * 2^@exponent) */
static VeuFloat exp_finite(bool negative, Wide sig, int32_t exponent)
{
    __int128 fixed;

    if (sig == 0) {
        return veu_float_of_integer(1);
    }
    if (exponent + (int32_t)bit_length(sig) > 12) {
        return inexact(ONE62, negative ? -EXP_LIMIT : EXP_LIMIT);
    }
    fixed = to_fixed(sig, exponent);
    if (fixed == 0) {
        /* One plus a little, or one minus a little. */
        return inexact(negative ? ONE62 - 1 : ONE62, -62);
    }
    return exp_fixed(negative ? -fixed : fixed);
}

VeuFloat veu_math_exp(VeuFloat x)
{
    if (x.class == VEU_FLOAT_NAN) {
        return x;
    }
    if (x.class == VEU_FLOAT_INFINITE) {
        return x.negative ? veu_float_zero(false) : x;
    }
    return exp_finite(x.negative, x.sig, x.exponent);
}

/*
 * The logarithm of a number that is not 0, with 62 fractional bits. With
 * m in [1/sqrt 2, sqrt 2) and s = (m - 1) / (m + 1), it is e + 2 / ln 2 * s *
 * (1 + s^2 / 3 + s^4 / 5 + ...).
 */
static __int128 log_fixed(const VeuFloat *x)
{
    int32_t exponent = x->exponent;
    /* in [1, 2), 63 fractional bits */
    uint64_t m = top_bits(x->sig, &exponent);
    Wide one = (Wide)1 << 63;
    Wide difference, s, square;
    uint64_t sum = 0;
    bool negative = false;
    __int128 log;

    exponent += 63;
    difference = m - one;
    if (m > ROOT_2_63) {
        /* Halved, so that one counts double. */
        one <<= 1;
        exponent++;
        difference = one - m;
        negative = true;
    }
    s = (difference << 64) / (m + one);
    square = s * s >> 64;
    for (int k = 14; k >= 0; k--) {
        sum = ONE62 / (2 * k + 1) + high(square, sum);
    }
    log = (Wide)high(s, sum) * TWO_BY_LN2_62 >> 62;
    return exponent * ((__int128)1 << 62) + (negative ? -log : log);
}

static VeuFloat of_fixed62(__int128 value)
{
    VeuFloat a = veu_float_of_integer(value);

    a.exponent -= 62;
    /* Only powers of 2 have exact logarithms. */
    a.sticky = (Wide)value << 66 != 0;
    return a;
}

VeuFloat veu_math_log(VeuFloat x)
{
    if (x.class == VEU_FLOAT_NAN) {
        return x;
    }
    if (veu_float_is_zero(&x)) {
        return veu_float_infinity(true);
    }
    if (x.negative) {
        return veu_float_nan();
    }
    return x.class == VEU_FLOAT_INFINITE ? x : of_fixed62(log_fixed(&x));
}

/*
 * The limit that 2^(y log x) approaches if an operand is not finite or not
 * greater than 0.
 */
static VeuFloat pow_limit(VeuFloat x, VeuFloat y)
{
    VeuFloat one = veu_float_of_integer(1);
    int size = veu_float_compare(x, one);
    bool grows = (size > 0) != y.negative;

    if (size == 0 || veu_float_is_zero(&y)) {
        return one;
    }
    return grows ? veu_float_infinity(false) : veu_float_zero(false);
}

VeuFloat veu_math_pow(VeuFloat x, VeuFloat y)
{
    __int128 log;

    x.negative = false;
    if (x.class == VEU_FLOAT_NAN || y.class == VEU_FLOAT_NAN) {
        return veu_float_nan();
    }
    if (x.class == VEU_FLOAT_INFINITE || y.class == VEU_FLOAT_INFINITE ||
        veu_float_is_zero(&x) || veu_float_is_zero(&y)) {
        return pow_limit(x, y);
    }
    /* The logarithm has at most 73 bits, and a number of type F has 24. */
    log = log_fixed(&x);
    return exp_finite((log < 0) != y.negative,
                      (Wide)(log < 0 ? -log : log) * y.sig, y.exponent - 62);
}

/* 2 / pi: the 320 bits after the point. */
static const uint32_t two_by_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
    0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0,
};

/*
 * 32 bits of 2 / pi, starting at bit @at after the point; those before it are
 * 0.
 */
static uint32_t two_by_pi_bits(int32_t at)
{
    const int32_t words = VEU_ARRAY_SIZE(two_by_pi);
    int32_t word = at >> 5;
    uint64_t first = word >= 0 && word < words ? two_by_pi[word] : 0;
    uint64_t second = word + 1 >= 0 && word + 1 < words ? two_by_pi[word + 1] :
                                                          0;

    return (first << 32 | second) >> (32 - (at & 31));
}

/*
 * |x| / (pi / 2) modulo 4, with 124 fractional bits: the bits of 2 / pi that
 * matter, times the significand, which has at most 24 bits.
 */
static Wide quarters(const VeuFloat *x)
{
    Wide window = 0;

    /* Bit 125 of the window is worth 2: bit -1 after the point, scaled. */
    for (unsigned i = 0; i < 4; i++) {
        window = window << 32 | two_by_pi_bits(x->exponent - 4 + 32 * (int)i);
    }
    return window * x->sig & (((Wide)1 << 126) - 1);
}

/* sin or cos of @angle, up to pi / 4: 1 - z/(a b) (1 - z/(c d) (...)). */
static uint64_t series(uint64_t square, unsigned first)
{
    uint64_t sum = ONE62;

    for (unsigned k = first + 24; k > first; k -= 2) {
        sum = ONE62 - high(square, sum) / (k * (k - 1));
    }
    return sum;
}

/* @value * 2^@scale, rounded down. */
static uint64_t scaled(uint64_t value, int32_t scale)
{
    return scale >= 0 ? value << scale : scale > -64 ? value >> -scale : 0;
}

/* The sine or cosine of an angle between -pi / 4 and pi / 4, not 0. */
static VeuFloat sin_cos(bool cosine, Wide part, bool negative)
{
    int32_t exponent = -124;
    uint64_t top = top_bits(part, &exponent);
    uint64_t angle = high(top, HALF_PI_63);
    int32_t scale = exponent + 1; /* the angle is angle * 2^scale */
    uint64_t small = scaled(angle, scale + 64);
    uint64_t square = high(small, small);
    VeuFloat result;

    if (cosine) {
        return inexact(series(square, 0), -62);
    }
    result = inexact(high(angle, series(square, 1)), scale + 2);
    result.negative = negative;
    return result;
}

/* The sine of @x plus @turn quarter turns; @x is finite and not 0. */
static VeuFloat sin_turned(VeuFloat x, unsigned turn)
{
    Wide part = quarters(&x);
    unsigned quarter = part >> 124;
    bool negative = x.negative;
    bool back;
    VeuFloat result;

    part &= ((Wide)1 << 124) - 1;
    back = part >> 123;
    if (back) {
        /* Counts back from the next quarter. */
        part = ((Wide)1 << 124) - part;
        quarter++;
    }
    /* sin(-a + turn): the sine, turn 0, is odd; the cosine, turn 1, is even. */
    result = sin_cos((quarter + turn) & 1, part, back);
    if ((quarter + turn) & 2) {
        result.negative = !result.negative;
    }
    if (negative && turn == 0) {
        result.negative = !result.negative;
    }
    return result;
}

/* Below this exponent, sin x is almost x, and cos x almost 1. */
#define TINY (-30)

static bool is_tiny(const VeuFloat *x)
{
    return x->exponent + (int32_t)bit_length(x->sig) < TINY;
}

/* The magnitude, minus a little. */
static VeuFloat a_little_less(VeuFloat x)
{
    x.sig = top_bits(x.sig, &x.exponent) - 1;
    x.sticky = true;
    return x;
}

VeuFloat veu_math_sin(VeuFloat x)
{
    if (x.class != VEU_FLOAT_FINITE) {
        return veu_float_nan();
    }
    if (veu_float_is_zero(&x)) {
        return x;
    }
    return is_tiny(&x) ? a_little_less(x) : sin_turned(x, 0);
}

VeuFloat veu_math_cos(VeuFloat x)
{
    if (x.class != VEU_FLOAT_FINITE) {
        return veu_float_nan();
    }
    if (veu_float_is_zero(&x)) {
        return veu_float_of_integer(1);
    }
    return is_tiny(&x) ? a_little_less(veu_float_of_integer(1)) :
                         sin_turned(x, 1);
}

VeuFloat veu_math_rsqrt(VeuFloat x)
{
    if (veu_float_is_zero(&x)) {
        return veu_float_infinity(x.negative);
    }
    return veu_float_div(veu_float_of_integer(1), veu_float_sqrt(x));
}
