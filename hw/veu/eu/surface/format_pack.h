/*
 * veu execution unit: conversion of register values to what a channel stores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The conversions of spec.md, scatter4_typed; semantics.md, section 5, says
 * what it leaves open. Every result is computed for all lanes before one is
 * chosen: a loop without branches becomes vector instructions.
 */
#ifndef VEU_EU_FORMAT_PACK_H
#define VEU_EU_FORMAT_PACK_H

#include "hw/veu/eu/surface/format_lanes.h"

/* Register values of all channels, each starting with its first lane. */
typedef struct VeuPackSource {
    const VeuWord *values;
    const uint8_t *first_lane; /* by the channel's name */
} VeuPackSource;

#define INFINITY_BITS 0x7f800000u /* as binary32 */

/*
 * Rounds to nearest, ties to even; |value| < 2^22. The sum has no room for a
 * fraction, so its low bits are the integer.
 */
static inline uint32_t round_even(float value)
{
    return veu_float_bits(value + 0x1.8p23f);
}

/*
 * A magnitude times @max in float32, at most @max; NaN and what is above it
 * give 0. Positive floats are ordered like their bits. Because the product is
 * clamped, as an integer, no compiler fuses the multiplication with an
 * addition, which would not round the product.
 */
static inline uint32_t clamped_product(uint32_t magnitude, float max)
{
    uint32_t number = magnitude > INFINITY_BITS ? 0 : magnitude;
    uint32_t product = veu_float_bits(veu_bits_float(number) * max);
    uint32_t most = veu_float_bits(max);

    return product > most ? most : product;
}

/*
 * Clamps, multiplies and rounds to nearest even; negative numbers are above
 * NaNs as integers.
 */
static inline uint32_t pack_unorm(unsigned bits, uint32_t lane)
{
    float max = (float)((1 << bits) - 1);

    return round_even(veu_bits_float(clamped_product(lane, max)));
}

/*
 * A SNORM of -1.0 is stored as -max, so the most negative code is never
 * written.
 */
static inline uint32_t pack_snorm(unsigned bits, uint32_t lane)
{
    float max = (float)((1 << (bits - 1)) - 1);
    uint32_t product = clamped_product(lane & 0x7fffffff, max);

    return round_even(veu_bits_float(product | (lane & 0x80000000)));
}

/* Shifts right and rounds to nearest, ties to even; 1 <= shift <= 31. */
static inline uint32_t shift_round(uint32_t value, unsigned shift)
{
    uint32_t half = 1u << (shift - 1);

    return (value + half - 1 + (value >> shift & 1)) >> shift;
}

/*
 * Converts a binary32 below the least normal number to units of the least
 * denormal one, by adding a float whose last place is that unit.
 */
static inline uint32_t pack_denormal(unsigned fraction_bits, uint32_t magnitude)
{
    uint32_t unit = (127 + 9 - fraction_bits) << 23;

    return veu_float_bits(veu_bits_float(magnitude) + veu_bits_float(unit)) -
           unit;
}

/*
 * Converts a binary32 without its sign to 5 bits of exponent and
 * @fraction_bits. It rounds to nearest even, produces denormals, and gives
 * infinity on overflow; a NaN becomes quiet and keeps the upper bits of its
 * payload.
 */
static inline uint32_t pack_magnitude(unsigned fraction_bits,
                                      uint32_t magnitude)
{
    unsigned shift = 23 - fraction_bits;
    uint32_t infinity = 31u << fraction_bits;
    uint32_t nan = infinity | 1u << (fraction_bits - 1) |
                   (magnitude & 0x7fffff) >> shift;
    uint32_t denormal = pack_denormal(fraction_bits, magnitude);
    /* A carry out of the fraction increments the exponent, up to infinity. */
    uint32_t code = shift_round(magnitude - (112u << 23), shift);

    code = magnitude < 113u << 23 ? denormal : code;
    code = magnitude >= 143u << 23 ? infinity : code;
    return magnitude > INFINITY_BITS ? nan : code;
}

static inline uint32_t pack_half(unsigned bits, uint32_t lane)
{
    return (lane >> 16 & 0x8000) | pack_magnitude(10, lane & 0x7fffffff);
}

/* There is no sign: negative numbers become 0, but a NaN stays one. */
static inline uint32_t pack_ufloat(unsigned bits, uint32_t lane)
{
    uint32_t code = pack_magnitude(bits - 5, lane & 0x7fffffff);

    return lane >= 0x80000000 && lane <= 0xff800000 ? 0 : code;
}

static inline uint32_t pack_sint(unsigned bits, uint32_t lane)
{
    int32_t max = INT32_MAX >> (32 - bits);
    int32_t value = (int32_t)lane;

    value = value < -max - 1 ? -max - 1 : value;
    return value > max ? max : value;
}

static inline uint32_t pack_uint(unsigned bits, uint32_t lane)
{
    uint32_t max = UINT32_MAX >> (32 - bits);

    return lane > max ? max : lane;
}

/*
 * Channel @n of those from @c on. If they share a dword evenly (@even),
 * everything except the values is constant.
 */
#define CHANNEL(n, count)                                                \
    const VeuWord *values##n = from.values + from.first_lane[c[n].name]; \
    unsigned bits##n = even ? 32 / count : c[n].bits;                    \
    unsigned shift##n = even ? n * 32 / count : c[n].bit % 32
/* The code of lane @i, at its place in the dword. */
#define CODE(pack, n) \
    ((pack(bits##n, values##n[i]) & (UINT32_MAX >> (32 - bits##n))) << shift##n)
#define EACH_LANE(code)                    \
    for (unsigned i = 0; i < lanes; i++) { \
        dwords[i] = (code);                \
    }

/* Defines a loop for each number of channels of one type. */
#define LANES_OF(pack)                                                     \
    VEU_CLONED void pack##_1(const VeuChannel *c, bool even,               \
                             const VeuPackSource from, unsigned lanes,     \
                             uint32_t *restrict dwords)                    \
    {                                                                      \
        CHANNEL(0, 1);                                                     \
        EACH_LANE(CODE(pack, 0));                                          \
    }                                                                      \
    VEU_CLONED void pack##_2(const VeuChannel *c, bool even,               \
                             const VeuPackSource from, unsigned lanes,     \
                             uint32_t *restrict dwords)                    \
    {                                                                      \
        CHANNEL(0, 2);                                                     \
        CHANNEL(1, 2);                                                     \
        EACH_LANE(CODE(pack, 0) | CODE(pack, 1));                          \
    }                                                                      \
    VEU_CLONED void pack##_3(const VeuChannel *c, bool even,               \
                             const VeuPackSource from, unsigned lanes,     \
                             uint32_t *restrict dwords)                    \
    {                                                                      \
        CHANNEL(0, 3);                                                     \
        CHANNEL(1, 3);                                                     \
        CHANNEL(2, 3);                                                     \
        EACH_LANE(CODE(pack, 0) | CODE(pack, 1) | CODE(pack, 2));          \
    }                                                                      \
    VEU_CLONED void pack##_4(const VeuChannel *c, bool even,               \
                             const VeuPackSource from, unsigned lanes,     \
                             uint32_t *restrict dwords)                    \
    {                                                                      \
        CHANNEL(0, 4);                                                     \
        CHANNEL(1, 4);                                                     \
        CHANNEL(2, 4);                                                     \
        CHANNEL(3, 4);                                                     \
        EACH_LANE(CODE(pack, 0) | CODE(pack, 1) | CODE(pack, 2) |          \
                  CODE(pack, 3));                                          \
    }                                                                      \
    VEU_CLONED void pack##_lanes(const VeuChannel *c, unsigned count,      \
                                 const VeuPackSource from, unsigned lanes, \
                                 uint32_t *dwords)                         \
    {                                                                      \
        if (count == 4 && c->bits == 8) {                                  \
            pack##_4(c, true, from, lanes, dwords);                        \
        } else if (count == 2 && c->bits == 16) {                          \
            pack##_2(c, true, from, lanes, dwords);                        \
        } else if (count == 4) {                                           \
            pack##_4(c, false, from, lanes, dwords);                       \
        } else if (count == 3) {                                           \
            pack##_3(c, false, from, lanes, dwords);                       \
        } else if (count == 2) {                                           \
            pack##_2(c, false, from, lanes, dwords);                       \
        } else {                                                           \
            pack##_1(c, false, from, lanes, dwords);                       \
        }                                                                  \
    }
LANES_OF(pack_half)
LANES_OF(pack_ufloat)
LANES_OF(pack_unorm)
LANES_OF(pack_snorm)
LANES_OF(pack_sint)
LANES_OF(pack_uint)
#undef LANES_OF
#undef EACH_LANE
#undef CHANNEL
#undef CODE

/*
 * Packs @count channels from @c on, which are of one type and in one dword; the
 * other bits are 0. @lanes must be whole blocks.
 */
VEU_CLONED void veu_pack_lanes(const VeuChannel *c, unsigned count,
                               const VeuPackSource from, unsigned lanes,
                               uint32_t *dwords)
{
    /* A channel of 32 bits stores the value unchanged. */
    switch (c->bits == 32 ? VEU_CHANNEL_UINT : c->type) {
    case VEU_CHANNEL_FLOAT:
        pack_half_lanes(c, count, from, lanes, dwords);
        break;
    case VEU_CHANNEL_UFLOAT:
        pack_ufloat_lanes(c, count, from, lanes, dwords);
        break;
    case VEU_CHANNEL_UNORM:
        pack_unorm_lanes(c, count, from, lanes, dwords);
        break;
    case VEU_CHANNEL_SNORM:
        pack_snorm_lanes(c, count, from, lanes, dwords);
        break;
    case VEU_CHANNEL_SINT:
        pack_sint_lanes(c, count, from, lanes, dwords);
        break;
    default:
        pack_uint_lanes(c, count, from, lanes, dwords);
        break;
    }
}

#endif
