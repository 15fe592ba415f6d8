/*
 * veu execution unit: what a channel stores for a register value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SCATTER4_TYPED's page has the table of conversions; semantics, section 5,
 * says what it leaves open.
 */
#include <math.h>
#include <string.h>
#include "hw/veu/eu/format.h"

/*
 * Clamp, multiply in float32, round to nearest even; NaN gives 0. A SNORM of
 * -1.0 is -max, so the most negative code is never written.
 */
static inline uint32_t pack_norm(uint32_t lane, float min, float max)
{
    float value;

    memcpy(&value, &lane, sizeof(value));
    if (isnan(value)) {
        return 0;
    }
    value = value < min ? min : value > 1.0f ? 1.0f : value;
    return (int32_t)rintf(value * max);
}

static inline uint32_t pack_unorm(unsigned bits, uint32_t lane)
{
    return pack_norm(lane, 0.0f, (1u << bits) - 1);
}

static inline uint32_t pack_snorm(unsigned bits, uint32_t lane)
{
    return pack_norm(lane, -1.0f, (1u << (bits - 1)) - 1);
}

/* Shifts right and rounds to nearest, ties to even; 1 <= shift <= 31. */
static inline uint32_t shift_round(uint32_t value, unsigned shift)
{
    uint32_t half = 1u << (shift - 1);
    uint32_t rest = value & ((half << 1) - 1);
    uint32_t result = value >> shift;

    return result + (rest > half || (rest == half && (result & 1)));
}

/*
 * The size of a binary32 in 5 bits of exponent and @fraction_bits: rounded to
 * nearest even, denormals are made, overflow gives infinity, a NaN is quiet and
 * keeps the upper bits of its payload.
 */
static inline uint32_t pack_magnitude(unsigned fraction_bits, uint32_t lane)
{
    uint32_t exponent = (lane >> 23) & 0xff;
    uint32_t fraction = lane & 0x7fffff;
    uint32_t infinity = 31u << fraction_bits;
    unsigned shift = 23 - fraction_bits;

    if (exponent == 0xff && fraction) {
        return infinity | 1u << (fraction_bits - 1) | fraction >> shift;
    }
    if (exponent >= 127 + 16) {
        return infinity;
    }
    if (exponent >= 127 - 14) {
        /* A carry out of the fraction raises the exponent, up to infinity. */
        return shift_round((exponent - 112) << 23 | fraction, shift);
    }
    if (exponent >= 127 - 15 - fraction_bits) {
        return shift_round(fraction | 0x800000, shift + 113 - exponent);
    }
    return 0;
}

static inline uint32_t pack_float(unsigned bits, uint32_t lane)
{
    return bits == 32 ? lane : (lane >> 16 & 0x8000) | pack_magnitude(10, lane);
}

/* There is no sign: what is below 0 is 0, but a NaN is one. */
static inline uint32_t pack_ufloat(unsigned bits, uint32_t lane)
{
    return lane >= 0x80000000 && lane <= 0xff800000 ?
               0 :
               pack_magnitude(bits - 5, lane);
}

static inline uint32_t pack_sint(unsigned bits, uint32_t lane)
{
    int32_t max = INT32_MAX >> (32 - bits);
    int32_t value = (int32_t)lane;

    return value < -max - 1 ? -max - 1 : value > max ? max : value;
}

static inline uint32_t pack_uint(unsigned bits, uint32_t lane)
{
    uint32_t max = UINT32_MAX >> (32 - bits);

    return lane > max ? max : lane;
}

/* A loop for each type, so that the choice is made once for all lanes. */
#define LANES_OF(pack)                                              \
    static void pack##_lanes(unsigned bits, const uint32_t *values, \
                             uint32_t *codes, unsigned count)       \
    {                                                               \
        uint32_t mask = UINT32_MAX >> (32 - bits);                  \
                                                                    \
        for (unsigned i = 0; i < count; i++) {                      \
            codes[i] = pack(bits, values[i]) & mask;                \
        }                                                           \
    }
LANES_OF(pack_float)
LANES_OF(pack_ufloat)
LANES_OF(pack_unorm)
LANES_OF(pack_snorm)
LANES_OF(pack_sint)
LANES_OF(pack_uint)
#undef LANES_OF

void veu_channel_pack(const VeuChannel *channel, const uint32_t *values,
                      uint32_t *codes, unsigned count)
{
    static void (*const pack[VEU_CHANNEL_TYPES])(unsigned bits,
                                                 const uint32_t *values,
                                                 uint32_t *codes,
                                                 unsigned count) = {
        [VEU_CHANNEL_FLOAT] = pack_float_lanes,
        [VEU_CHANNEL_UFLOAT] = pack_ufloat_lanes,
        [VEU_CHANNEL_UNORM] = pack_unorm_lanes,
        [VEU_CHANNEL_SNORM] = pack_snorm_lanes,
        [VEU_CHANNEL_SINT] = pack_sint_lanes,
        [VEU_CHANNEL_UINT] = pack_uint_lanes,
    };

    pack[channel->type](channel->bits, values, codes, count);
}
