/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Typed conversions with integers only: the expected values of typed writes.
 */
#include "convert.h"

#define SIGN          0x80000000u
#define ONE           0x3f800000u
#define INFINITE      0x7f800000u
#define MANTISSA      0x007fffffu
#define BIAS          127
#define MANTISSA_BITS 23

/* Returns value / 2^shift, rounded to nearest; ties go to even. */
static uint64_t round_shift(uint64_t value, unsigned shift)
{
    uint64_t whole, rest, half;

    if (shift == 0) {
        return value;
    }
    if (shift > 60) {
        return 0;
    }
    whole = value >> shift;
    rest = value & ((1ull << shift) - 1);
    half = 1ull << (shift - 1);
    return whole + (rest > half || (rest == half && (whole & 1)));
}

static unsigned bit_length(uint64_t value)
{
    return value ? 64 - __builtin_clzll(value) : 0;
}

/*
 * @magnitude has the bits of a float from 0 to 1; returns it times @factor, as
 * an integer.
 */
static uint32_t scale(uint32_t magnitude, uint32_t factor)
{
    unsigned exponent = magnitude >> MANTISSA_BITS;
    uint64_t value = magnitude & MANTISSA;
    int shift = BIAS + MANTISSA_BITS - (exponent ? exponent : 1);
    unsigned length;

    value |= exponent ? MANTISSA + 1 : 0;
    value *= factor;
    length = bit_length(value);
    if (length > MANTISSA_BITS + 1) {
        /* the product is also a float32, with 24 bits */
        unsigned excess = length - MANTISSA_BITS - 1;

        value = round_shift(value, excess);
        shift -= excess;
    }
    return shift >= 0 ? round_shift(value, shift) : value << -shift;
}

static uint32_t clamp_to_one(uint32_t magnitude)
{
    if (magnitude > INFINITE) {
        return 0; /* NaN */
    }
    return magnitude > ONE ? ONE : magnitude;
}

uint32_t convert_unorm(uint32_t value, unsigned bits)
{
    return value & SIGN ? 0 : scale(clamp_to_one(value), (1u << bits) - 1);
}

uint32_t convert_snorm(uint32_t value, unsigned bits)
{
    uint32_t result = scale(clamp_to_one(value & ~SIGN),
                            (1u << (bits - 1)) - 1);

    return (value & SIGN ? -result : result) & ((1u << bits) - 1);
}

uint32_t convert_half(uint32_t value)
{
    uint32_t sign = value >> 16 & 0x8000;
    uint32_t magnitude = value & ~SIGN;
    unsigned exponent = magnitude >> MANTISSA_BITS;
    uint32_t result;

    if (magnitude > INFINITE) {
        return sign | 0x7e00 | (magnitude >> 13 & 0x1ff);
    }
    if (exponent < BIAS - 14) { /* below 2^-14: in units of 2^-24 */
        uint64_t mantissa = (magnitude & MANTISSA) |
                            (exponent ? MANTISSA + 1 : 0);

        return sign |
               round_shift(mantissa, BIAS - 1 - (exponent ? exponent : 1));
    }
    result = round_shift(magnitude - ((BIAS - 15u) << MANTISSA_BITS), 13);
    return sign | (result < 0x7c00 ? result : 0x7c00);
}

uint32_t convert_uint(uint32_t value, unsigned bits)
{
    uint32_t most = bits == 32 ? ~0u : (1u << bits) - 1;

    return value < most ? value : most;
}

uint32_t convert_sint(uint32_t value, unsigned bits)
{
    int64_t most = (1ll << (bits - 1)) - 1, v = (int32_t)value;

    v = v > most ? most : v < -most - 1 ? -most - 1 : v;
    return (uint64_t)v & ((1ull << bits) - 1);
}

uint32_t convert_float(uint32_t numerator, unsigned shift)
{
    unsigned length = bit_length(numerator);

    if (!numerator) {
        return 0;
    }
    return ((BIAS + length - 1 - shift) << MANTISSA_BITS) |
           ((numerator << (MANTISSA_BITS + 1 - length)) & MANTISSA);
}
