/*
 * veu execution unit: conversion of what a channel stores to register values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * semantics.md, section 5: reads mirror writes. Every result is computed for
 * all lanes, and one is chosen: a loop without branches becomes vector
 * instructions.
 */
#ifndef VEU_EU_FORMAT_UNPACK_H
#define VEU_EU_FORMAT_UNPACK_H

#include "hw/veu/eu/surface/format_lanes.h"

static inline uint32_t unpack_uint(unsigned bits, uint32_t code)
{
    return code;
}

static inline uint32_t unpack_sint(unsigned bits, uint32_t code)
{
    uint32_t sign = 1u << (bits - 1);

    return (code ^ sign) - sign;
}

/* k / max: both are exact as floats, and a division is rounded correctly. */
static inline uint32_t unpack_unorm(unsigned bits, uint32_t code)
{
    return veu_float_bits((float)(int32_t)code / (float)((1 << bits) - 1));
}

/*
 * Like unpack_unorm(), for 8 bits, without a division: k / 255 is 257 / 65536
 * of k, which is exact, and a small rest. No code gives another float, even if
 * the compiler fuses one of the products with the sum. CPUs without such an
 * instruction need more of them than for a division: only loops for AVX-512
 * use this.
 */
static inline uint32_t unpack_unorm8(unsigned bits, uint32_t code)
{
    const float most = 0x1.01p-8f;
    const float rest = 1.0 / 255 - 0x1.01p-8;
    float k = (float)(int32_t)code;

    return veu_float_bits(k * most + k * rest);
}

/* The two lowest codes are both -1.0. */
static inline uint32_t unpack_snorm(unsigned bits, uint32_t code)
{
    int32_t max = (1 << (bits - 1)) - 1;
    int32_t k = (int32_t)unpack_sint(bits, code);

    return veu_float_bits((float)(k < -max ? -max : k) / (float)max);
}

/*
 * Converts 5 bits of exponent above @fraction_bits to binary32, exactly. A NaN
 * becomes quiet and keeps its payload; a denormal is in units of 2^-(14 +
 * fraction_bits).
 */
static inline uint32_t unpack_magnitude(unsigned fraction_bits, uint32_t code)
{
    uint32_t infinity = 31u << fraction_bits;
    uint32_t upper = code << (23 - fraction_bits);
    float unit = veu_bits_float((127 - 14 - fraction_bits) << 23);
    uint32_t denormal = veu_float_bits((float)(int32_t)code * unit);
    uint32_t value = upper + (112u << 23);

    value = code < 1u << fraction_bits ? denormal : value;
    value = code >= infinity ? upper | 0x7f800000 : value;
    return code > infinity ? value | 0x400000 : value;
}

static inline uint32_t unpack_ufloat(unsigned bits, uint32_t code)
{
    return unpack_magnitude(bits - 5, code);
}

static inline uint32_t unpack_half(unsigned bits, uint32_t code)
{
    return (code & 0x8000) << 16 | unpack_magnitude(10, code & 0x7fff);
}

/* Where the values of all channels are stored. */
typedef struct VeuUnpackTarget {
    VeuWord *values;
    const uint8_t *first_lane; /* of a channel, by its name */
    unsigned channels;         /* mask of the wanted channels */
} VeuUnpackTarget;

/*
 * Defines a loop for each type, so that the type is chosen once for all lanes.
 */
#define LANES_OF(unpack)                                                   \
    VEU_CLONED void unpack##_one(const uint32_t *restrict dwords,          \
                                 unsigned bits, unsigned shift,            \
                                 unsigned lanes, VeuWord *restrict to)     \
    {                                                                      \
        uint32_t mask = UINT32_MAX >> (32 - bits);                         \
                                                                           \
        for (unsigned i = 0; i < lanes; i++) {                             \
            to[i] = unpack(bits, dwords[i] >> shift & mask);               \
        }                                                                  \
    }                                                                      \
    VEU_CLONED void unpack##_lanes(const VeuChannel *c, unsigned count,    \
                                   const uint32_t *dwords, unsigned lanes, \
                                   const VeuUnpackTarget to)               \
    {                                                                      \
        bool even = count == 4 && c->bits == 8;                            \
                                                                           \
        VEU_UNROLL                                                         \
        for (unsigned n = 0; n < 4; n++) {                                 \
            if (n < count && (to.channels >> c[n].name & 1)) {             \
                VeuWord *values = to.values + to.first_lane[c[n].name];    \
                                                                           \
                if (even) {                                                \
                    unpack##_one(dwords, 8, n * 8, lanes, values);         \
                } else {                                                   \
                    unpack##_one(dwords, c[n].bits, c[n].bit % 32, lanes,  \
                                 values);                                  \
                }                                                          \
            }                                                              \
        }                                                                  \
    }
LANES_OF(unpack_half)
LANES_OF(unpack_ufloat)
LANES_OF(unpack_unorm)
LANES_OF(unpack_unorm8)
LANES_OF(unpack_snorm)
LANES_OF(unpack_sint)
LANES_OF(unpack_uint)
#undef LANES_OF

/*
 * Unpacks @count channels from @c on, which are of one type and in one dword.
 * @lanes must be whole blocks.
 */
VEU_CLONED void veu_unpack_lanes(const VeuChannel *c, unsigned count,
                                 const uint32_t *dwords, unsigned lanes,
                                 const VeuUnpackTarget to)
{
    /* A channel of 32 bits stores the value unchanged. */
    switch (c->bits == 32 ? VEU_CHANNEL_UINT : c->type) {
    case VEU_CHANNEL_FLOAT:
        unpack_half_lanes(c, count, dwords, lanes, to);
        break;
    case VEU_CHANNEL_UFLOAT:
        unpack_ufloat_lanes(c, count, dwords, lanes, to);
        break;
    case VEU_CHANNEL_UNORM:
        unpack_unorm_lanes(c, count, dwords, lanes, to);
        break;
    case VEU_CHANNEL_SNORM:
        unpack_snorm_lanes(c, count, dwords, lanes, to);
        break;
    case VEU_CHANNEL_SINT:
        unpack_sint_lanes(c, count, dwords, lanes, to);
        break;
    default:
        unpack_uint_lanes(c, count, dwords, lanes, to);
        break;
    }
}

#endif
