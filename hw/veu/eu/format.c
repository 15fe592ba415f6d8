/*
 * veu execution unit: surface formats and the conversions of typed messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SCATTER4_TYPED's page has the table of conversions; semantics, section 5,
 * says what it leaves open.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/format.h"

#define CHANNEL(name, bits, type) \
    { VEU_CHANNEL_##name, bits, VEU_CHANNEL_##type },
#define FORMAT_ROW(name_, code_, bytes_, channels_) \
    { .code = (code_),                              \
      .name = #name_,                               \
      .bytes = (bytes_),                            \
      .channels = { channels_ } },

const VeuFormat veu_formats[] = { VEU_FORMATS(FORMAT_ROW, CHANNEL) };
#undef FORMAT_ROW
#undef CHANNEL

const unsigned veu_format_count = sizeof(veu_formats) / sizeof(veu_formats[0]);

const VeuFormat *veu_format_find(uint16_t code)
{
    for (unsigned i = 0; i < veu_format_count; i++) {
        if (veu_formats[i].code == code) {
            return &veu_formats[i];
        }
    }
    return NULL;
}

/*
 * Clamp, multiply in float32, round to nearest even; NaN gives 0. A SNORM of
 * -1.0 is -max, so the most negative code is never written.
 */
static uint32_t pack_norm(uint32_t lane, float min, float max)
{
    float value;

    memcpy(&value, &lane, sizeof(value));
    if (isnan(value)) {
        return 0;
    }
    value = value < min ? min : value > 1.0f ? 1.0f : value;
    return (int32_t)rintf(value * max);
}

static uint32_t pack_unorm(unsigned bits, uint32_t lane)
{
    return pack_norm(lane, 0.0f, (1u << bits) - 1);
}

static uint32_t pack_snorm(unsigned bits, uint32_t lane)
{
    return pack_norm(lane, -1.0f, (1u << (bits - 1)) - 1);
}

/* Shifts right and rounds to nearest, ties to even; 1 <= shift <= 31. */
static uint32_t shift_round(uint32_t value, unsigned shift)
{
    uint32_t half = 1u << (shift - 1);
    uint32_t rest = value & ((half << 1) - 1);
    uint32_t result = value >> shift;

    return result + (rest > half || (rest == half && (result & 1)));
}

/* IEEE binary32 to binary16: denormals are made, overflow gives infinity. */
static uint32_t pack_half(uint32_t lane)
{
    uint32_t sign = (lane >> 16) & 0x8000;
    uint32_t exponent = (lane >> 23) & 0xff;
    uint32_t mantissa = lane & 0x7fffff;

    if (exponent == 0xff && mantissa) {
        return sign | 0x7e00 | (mantissa >> 13);
    }
    if (exponent >= 127 + 16) {
        return sign | 0x7c00;
    }
    if (exponent >= 127 - 14) {
        /* A carry out of the mantissa raises the exponent, up to infinity. */
        return sign | shift_round((exponent - 112) << 23 | mantissa, 13);
    }
    if (exponent >= 127 - 25) {
        return sign | shift_round(mantissa | 0x800000, 126 - exponent);
    }
    return sign;
}

static uint32_t pack_float(unsigned bits, uint32_t lane)
{
    return bits == 32 ? lane : pack_half(lane);
}

static uint32_t pack_sint(unsigned bits, uint32_t lane)
{
    int32_t max = INT32_MAX >> (32 - bits);
    int32_t value = (int32_t)lane;

    return value < -max - 1 ? -max - 1 : value > max ? max : value;
}

static uint32_t pack_uint(unsigned bits, uint32_t lane)
{
    uint32_t max = UINT32_MAX >> (32 - bits);

    return lane > max ? max : lane;
}

uint32_t veu_channel_pack(const VeuChannel *channel, uint32_t lane)
{
    static uint32_t (*const pack[])(unsigned bits, uint32_t lane) = {
        [VEU_CHANNEL_FLOAT] = pack_float, [VEU_CHANNEL_UNORM] = pack_unorm,
        [VEU_CHANNEL_SNORM] = pack_snorm, [VEU_CHANNEL_SINT] = pack_sint,
        [VEU_CHANNEL_UINT] = pack_uint,
    };

    return pack[channel->type](channel->bits, lane);
}
