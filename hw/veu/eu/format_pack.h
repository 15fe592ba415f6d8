/*
 * veu execution unit: what a channel stores for a register value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SCATTER4_TYPED's page has the table of conversions; semantics, section 5,
 * says what it leaves open. All is computed for all lanes and then chosen from:
 * a loop without branches becomes vector instructions.
 */
#ifndef VEU_EU_FORMAT_PACK_H
#define VEU_EU_FORMAT_PACK_H

#include <math.h>
#include "hw/veu/eu/format_lanes.h"

/* Register values of all channels: of each, from its first lane on. */
typedef struct VeuPackSource {
    const VeuWord *values;
    const uint8_t *first_lane; /* by name of the channel */
} VeuPackSource;

/* As binary32. */
#define ONE_BITS      0x3f800000u
#define INFINITY_BITS 0x7f800000u

/*
 * To nearest, ties to even; |value| < 2^22. The sum has no room for a fraction,
 * and its low bits are the integer. A CPU that multiplies and adds at once
 * would not round the product first, but such have an instruction for this.
 */
static inline uint32_t round_even(float value)
{
#ifdef __FP_FAST_FMAF
    return (int32_t)rintf(value);
#else
    return veu_float_bits(value + 0x1.8p23f);
#endif
}

/*
 * Clamp, multiply in float32, round to nearest even; NaN gives 0. Positive
 * floats have the order of their bits; what is negative, or a NaN, is above
 * all of them.
 */
static inline uint32_t pack_unorm(unsigned bits, uint32_t lane)
{
    lane = lane > INFINITY_BITS ? 0 : lane;
    lane = lane > ONE_BITS ? ONE_BITS : lane;
    return round_even(veu_bits_float(lane) * (float)((1 << bits) - 1));
}

/* A SNORM of -1.0 is -max, so the most negative code is never written. */
static inline uint32_t pack_snorm(unsigned bits, uint32_t lane)
{
    uint32_t magnitude = lane & 0x7fffffff;
    uint32_t sign = lane & 0x80000000;

    magnitude = magnitude > INFINITY_BITS ? 0 : magnitude;
    magnitude = magnitude > ONE_BITS ? ONE_BITS : magnitude;
    return round_even(veu_bits_float(magnitude | sign) *
                      (float)((1 << (bits - 1)) - 1));
}

/* Shifts right and rounds to nearest, ties to even; 1 <= shift <= 31. */
static inline uint32_t shift_round(uint32_t value, unsigned shift)
{
    uint32_t half = 1u << (shift - 1);

    return (value + half - 1 + (value >> shift & 1)) >> shift;
}

/*
 * A binary32 below the least normal number, in units of the least denormal one:
 * the sum with a float whose last place that unit is.
 */
static inline uint32_t pack_denormal(unsigned fraction_bits, uint32_t magnitude)
{
    uint32_t unit = (127 + 9 - fraction_bits) << 23;

    return veu_float_bits(veu_bits_float(magnitude) + veu_bits_float(unit)) -
           unit;
}

/*
 * A binary32 without its sign in 5 bits of exponent and @fraction_bits: rounded
 * to nearest even, denormals are made, overflow gives infinity, a NaN is quiet
 * and keeps the upper bits of its payload.
 */
static inline uint32_t pack_magnitude(unsigned fraction_bits,
                                      uint32_t magnitude)
{
    unsigned shift = 23 - fraction_bits;
    uint32_t infinity = 31u << fraction_bits;
    uint32_t nan = infinity | 1u << (fraction_bits - 1) |
                   (magnitude & 0x7fffff) >> shift;
    uint32_t denormal = pack_denormal(fraction_bits, magnitude);
    /* A carry out of the fraction raises the exponent, up to infinity. */
    uint32_t code = shift_round(magnitude - (112u << 23), shift);

    code = magnitude < 113u << 23 ? denormal : code;
    code = magnitude >= 143u << 23 ? infinity : code;
    return magnitude > INFINITY_BITS ? nan : code;
}

static inline uint32_t pack_half(unsigned bits, uint32_t lane)
{
    return (lane >> 16 & 0x8000) | pack_magnitude(10, lane & 0x7fffffff);
}

/* There is no sign: what is below 0 is 0, but a NaN is one. */
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

/* A channel in its place in the dword, of lane @i. */
#define CODE(pack, n) \
    ((pack(bits##n, values##n[i]) & (UINT32_MAX >> (32 - bits##n))) << shift##n)
#define CHANNEL(n)                                                       \
    const VeuWord *values##n = from.values + from.first_lane[c[n].name]; \
    unsigned bits##n = c[n].bits;                                        \
    unsigned shift##n = c[n].bit % 32
#define EACH_LANE(code)                    \
    for (unsigned i = 0; i < lanes; i++) { \
        dwords[i] = (code);                \
    }

/* A loop for each number of channels of one type. */
#define LANES_OF(pack)                                                      \
    VEU_CLONED void pack##_1(const VeuChannel *c, const VeuPackSource from, \
                             unsigned lanes, uint32_t *restrict dwords)     \
    {                                                                       \
        CHANNEL(0);                                                         \
        EACH_LANE(CODE(pack, 0));                                           \
    }                                                                       \
    VEU_CLONED void pack##_2(const VeuChannel *c, const VeuPackSource from, \
                             unsigned lanes, uint32_t *restrict dwords)     \
    {                                                                       \
        CHANNEL(0);                                                         \
        CHANNEL(1);                                                         \
        EACH_LANE(CODE(pack, 0) | CODE(pack, 1));                           \
    }                                                                       \
    VEU_CLONED void pack##_3(const VeuChannel *c, const VeuPackSource from, \
                             unsigned lanes, uint32_t *restrict dwords)     \
    {                                                                       \
        CHANNEL(0);                                                         \
        CHANNEL(1);                                                         \
        CHANNEL(2);                                                         \
        EACH_LANE(CODE(pack, 0) | CODE(pack, 1) | CODE(pack, 2));           \
    }                                                                       \
    VEU_CLONED void pack##_4(const VeuChannel *c, const VeuPackSource from, \
                             unsigned lanes, uint32_t *restrict dwords)     \
    {                                                                       \
        CHANNEL(0);                                                         \
        CHANNEL(1);                                                         \
        CHANNEL(2);                                                         \
        CHANNEL(3);                                                         \
        EACH_LANE(CODE(pack, 0) | CODE(pack, 1) | CODE(pack, 2) |           \
                  CODE(pack, 3));                                           \
    }                                                                       \
    VEU_CLONED void pack##_lanes(const VeuChannel *c, unsigned count,       \
                                 const VeuPackSource from, unsigned lanes,  \
                                 uint32_t *dwords)                          \
    {                                                                       \
        switch (count) {                                                    \
        case 1:                                                             \
            pack##_1(c, from, lanes, dwords);                               \
            break;                                                          \
        case 2:                                                             \
            pack##_2(c, from, lanes, dwords);                               \
            break;                                                          \
        case 3:                                                             \
            pack##_3(c, from, lanes, dwords);                               \
            break;                                                          \
        default:                                                            \
            pack##_4(c, from, lanes, dwords);                               \
            break;                                                          \
        }                                                                   \
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
 * What @count channels from @c on store, which are of one type and in one
 * dword; the other bits are 0. @lanes are whole blocks.
 */
VEU_CLONED void veu_pack_lanes(const VeuChannel *c, unsigned count,
                               const VeuPackSource from, unsigned lanes,
                               uint32_t *dwords)
{
    /* A channel of 32 bits has the value as it is. */
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
