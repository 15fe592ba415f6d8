/*
 * veu tests: a second implementation: the results of atomic operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The operations of docs/spec.md, "Atomics", row by row.
 */
#include <glib.h>
#include <math.h>
#include <string.h>
#include "tests/lib/ref_run.h"

/* A float format: its bits of exponent and of fraction. */
typedef struct Float {
    unsigned exponent;
    unsigned fraction;
} Float;

static Float float_of(unsigned bytes)
{
    static const Float half = { 5, 10 };
    static const Float single = { 8, 23 };
    static const Float wide = { 11, 52 };

    return bytes == 2 ? half : bytes == 4 ? single : wide;
}

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits == 64 ? value : value % (UINT64_C(1) << bits);
}

static bool is_nan(uint64_t value, unsigned bytes)
{
    Float f = float_of(bytes);
    uint64_t fraction = low_bits(value, f.fraction);
    uint64_t exponent = low_bits(value >> f.fraction, f.exponent);

    return exponent == (1u << f.exponent) - 1 && fraction;
}

/* Exact, because halves and floats are doubles, too. */
static double number(uint64_t value, unsigned bytes)
{
    Float f = float_of(bytes);
    int bias = (1 << (f.exponent - 1)) - 1;
    double sign = value >> (bytes * 8 - 1) & 1 ? -1 : 1;
    uint64_t fraction = low_bits(value, f.fraction);
    int exponent = low_bits(value >> f.fraction, f.exponent);

    if (exponent == (1 << f.exponent) - 1) {
        return sign * INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexp(fraction, 1 - bias - (int)f.fraction);
    }
    return sign * ldexp((UINT64_C(1) << f.fraction) + fraction,
                        exponent - bias - (int)f.fraction);
}

/*
 * Returns the half nearest to @x, which is exact; a tie goes to the even one.
 */
static uint64_t to_half(double x)
{
    uint64_t sign = signbit(x) ? 0x8000 : 0;
    double distance = INFINITY;
    uint64_t nearest = 0;

    /* binary search for the largest half that is not above |x| */
    uint64_t low = 0;
    for (uint64_t step = 0x4000; step; step /= 2) {
        if (low + step <= 0x7c00 && number(low + step, 2) <= fabs(x)) {
            low += step;
        }
    }
    for (uint64_t code = low; code <= low + 1 && code <= 0x7c00; code++) {
        /* for this, infinity is the value of the next number */
        double value = code == 0x7c00 ? 65536 : number(code, 2);
        double d = fabs(fabs(x) - value);

        if (d < distance || (d == distance && code % 2 == 0)) {
            distance = d;
            nearest = code;
        }
    }
    return sign | nearest;
}

/* Rounds once, because a sum of two halves is exact as a double. */
static uint64_t sum(uint64_t a, uint64_t b, unsigned bytes)
{
    uint64_t result = 0;

    if (bytes == 2) {
        return to_half(number(a, 2) + number(b, 2));
    }
    if (bytes == 4) {
        float total = (float)number(a, 4) + (float)number(b, 4);

        memcpy(&result, &total, 4);
    } else {
        double total = number(a, 8) + number(b, 8);

        memcpy(&result, &total, 8);
    }
    return result;
}

/* Returns the first NaN, made quiet; inf - inf is a positive quiet NaN. */
static uint64_t add(uint64_t old, uint64_t src0, unsigned bytes, bool subtract)
{
    Float f = float_of(bytes);
    uint64_t quiet = UINT64_C(1) << (f.fraction - 1);
    uint64_t infinity = ((UINT64_C(1) << f.exponent) - 1) << f.fraction;
    uint64_t minus = subtract ? UINT64_C(1) << (bytes * 8 - 1) : 0;

    if (is_nan(old, bytes)) {
        return old | quiet;
    }
    if (is_nan(src0, bytes)) {
        return src0 | quiet;
    }
    if (isnan(number(old, bytes) + number(src0 ^ minus, bytes))) {
        return infinity | quiet;
    }
    return sum(old, src0 ^ minus, bytes);
}

/*
 * Returns the number if the other is a NaN, and the old value if they are
 * equal.
 */
static uint64_t choose(uint64_t old, uint64_t src0, unsigned bytes, int sign)
{
    if (is_nan(src0, bytes)) {
        return old;
    }
    if (is_nan(old, bytes)) {
        return src0;
    }
    return number(src0, bytes) * sign > number(old, bytes) * sign ? src0 : old;
}

static bool same_number(uint64_t a, uint64_t b, unsigned bytes)
{
    return !is_nan(a, bytes) && !is_nan(b, bytes) &&
           number(a, bytes) == number(b, bytes);
}

static int64_t with_sign(uint64_t value, unsigned bytes)
{
    return bytes == 2 ? (int16_t)value :
           bytes == 4 ? (int32_t)value :
                        (int64_t)value;
}

static uint64_t new_value(uint8_t op, unsigned bytes, uint64_t old,
                          uint64_t src0, uint64_t src1)
{
    switch (op) {
    case TEST_ADD:
        return old + src0;
    case TEST_SUB:
        return old - src0;
    case TEST_INC:
        return old + 1;
    case TEST_DEC:
    case TEST_PREDEC:
        return old - 1;
    case TEST_MIN:
        return MIN(old, src0);
    case TEST_MAX:
        return MAX(old, src0);
    case TEST_XCHG:
        return src0;
    case TEST_CMPXCHG:
        return old == src1 ? src0 : old;
    case TEST_AND:
        return old & src0;
    case TEST_OR:
        return old | src0;
    case TEST_XOR:
        return old ^ src0;
    case TEST_IMIN:
        return with_sign(src0, bytes) < with_sign(old, bytes) ? src0 : old;
    case TEST_IMAX:
        return with_sign(src0, bytes) > with_sign(old, bytes) ? src0 : old;
    case TEST_FMAX:
        return choose(old, src0, bytes, 1);
    case TEST_FMIN:
        return choose(old, src0, bytes, -1);
    case TEST_FCMPWR:
        return same_number(old, src0, bytes) ? src1 : old;
    case TEST_FADD:
        return add(old, src0, bytes, false);
    default: /* TEST_FSUB */
        return add(old, src0, bytes, true);
    }
}

uint64_t ref_atomic(uint8_t op, unsigned bytes, uint64_t old, uint64_t src0,
                    uint64_t src1, uint64_t *result)
{
    uint64_t new = new_value(op, bytes, low_bits(old, bytes * 8),
                             low_bits(src0, bytes * 8),
                             low_bits(src1, bytes * 8));

    new = low_bits(new, bytes * 8);
    *result = op == TEST_PREDEC ? new : old;
    return new;
}
