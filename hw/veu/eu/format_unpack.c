/*
 * veu execution unit: what is read into a register for what a channel has.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Semantics, section 5: reads mirror writes.
 */
#include <string.h>
#include "hw/veu/eu/format.h"

static inline uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline uint32_t unpack_uint(unsigned bits, uint32_t code)
{
    return code;
}

static inline uint32_t unpack_sint(unsigned bits, uint32_t code)
{
    uint32_t sign = 1u << (bits - 1);

    return (code ^ sign) - sign;
}

/* k / max: both are floats exactly, and a division is rounded correctly. */
static inline uint32_t unpack_unorm(unsigned bits, uint32_t code)
{
    return bits_of((float)code / (float)((1u << bits) - 1));
}

/* Both lowest codes are -1.0. */
static inline uint32_t unpack_snorm(unsigned bits, uint32_t code)
{
    int32_t max = (1 << (bits - 1)) - 1;
    int32_t k = (int32_t)unpack_sint(bits, code);

    return bits_of((float)(k < -max ? -max : k) / (float)max);
}

/*
 * 5 bits of exponent above @fraction_bits, as binary32: exact. A NaN becomes
 * quiet and keeps its payload.
 */
static inline uint32_t unpack_magnitude(unsigned fraction_bits, uint32_t code)
{
    uint32_t exponent = code >> fraction_bits;
    uint32_t fraction = code & ((1u << fraction_bits) - 1);

    if (exponent == 31) {
        return 0x7f800000 | (fraction ? 0x400000 : 0) |
               fraction << (23 - fraction_bits);
    }
    if (exponent == 0) {
        /* a denormal counts in 2^-(14 + fraction_bits) */
        return bits_of((float)fraction / (float)(1u << (14 + fraction_bits)));
    }
    return (exponent + 112) << 23 | fraction << (23 - fraction_bits);
}

static inline uint32_t unpack_ufloat(unsigned bits, uint32_t code)
{
    return unpack_magnitude(bits - 5, code);
}

static inline uint32_t unpack_float(unsigned bits, uint32_t code)
{
    return bits == 32 ?
               code :
               (code & 0x8000) << 16 | unpack_magnitude(10, code & 0x7fff);
}

/* A loop for each type, so that the choice is made once for all lanes. */
#define LANES_OF(unpack)                                             \
    static void unpack##_lanes(unsigned bits, const uint32_t *codes, \
                               uint32_t *values, unsigned count)     \
    {                                                                \
        for (unsigned i = 0; i < count; i++) {                       \
            values[i] = unpack(bits, codes[i]);                      \
        }                                                            \
    }
LANES_OF(unpack_float)
LANES_OF(unpack_ufloat)
LANES_OF(unpack_unorm)
LANES_OF(unpack_snorm)
LANES_OF(unpack_sint)
LANES_OF(unpack_uint)
#undef LANES_OF

void veu_channel_unpack(const VeuChannel *channel, const uint32_t *codes,
                        uint32_t *values, unsigned count)
{
    static void (*const unpack[VEU_CHANNEL_TYPES])(unsigned bits,
                                                   const uint32_t *codes,
                                                   uint32_t *values,
                                                   unsigned count) = {
        [VEU_CHANNEL_FLOAT] = unpack_float_lanes,
        [VEU_CHANNEL_UFLOAT] = unpack_ufloat_lanes,
        [VEU_CHANNEL_UNORM] = unpack_unorm_lanes,
        [VEU_CHANNEL_SNORM] = unpack_snorm_lanes,
        [VEU_CHANNEL_SINT] = unpack_sint_lanes,
        [VEU_CHANNEL_UINT] = unpack_uint_lanes,
    };

    unpack[channel->type](channel->bits, codes, values, count);
}
