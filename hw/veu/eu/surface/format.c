/*
 * veu execution unit: surface formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/surface/format.h"

#define CHANNEL(name, bit, bits, type) \
    { VEU_CHANNEL_BIT_##name, bit, bits, VEU_CHANNEL_##type },
#define FORMAT_ROW(name_, code_, bytes_, atomics_, channels_) \
    { .code = (code_),                                        \
      .name = #name_,                                         \
      .bytes = (bytes_),                                      \
      .atomics = (atomics_),                                  \
      .channels = { channels_ } },

const VeuFormat veu_formats[] = { VEU_FORMATS(FORMAT_ROW, CHANNEL) };
#undef FORMAT_ROW
#undef CHANNEL

const unsigned veu_format_count = VEU_ARRAY_SIZE(veu_formats);

/* The row of each code, counted from 1; 0: there is no such format. */
#define ROW(name, ...) ROW_##name,
enum {
    ROW_NONE,
    VEU_FORMATS(ROW, )
};
#define ROW_BY_CODE(name, code, ...) [code] = ROW_##name,
static const uint8_t row_by_code[] = { VEU_FORMATS(ROW_BY_CODE, ) };
#undef ROW
#undef ROW_BY_CODE

const VeuFormat *veu_format_find(uint16_t code)
{
    return code < sizeof(row_by_code) && row_by_code[code] ?
               &veu_formats[row_by_code[code] - 1] :
               NULL;
}

const VeuChannel *veu_format_channel(const VeuFormat *format, unsigned name)
{
    VEU_FOR_EACH_CHANNEL(channel, format) {
        if (channel->name == name) {
            return channel;
        }
    }
    return NULL;
}

/*
 * The channels of a format may differ in type, but all have one register type.
 */
enum veu_type veu_format_register_type(const VeuFormat *format)
{
    switch (format->channels[0].type) {
    case VEU_CHANNEL_SINT:
        return VEU_TYPE_D;
    case VEU_CHANNEL_UINT:
        return VEU_TYPE_UD;
    default:
        return VEU_TYPE_F;
    }
}

uint32_t veu_format_default(const VeuFormat *format, unsigned name)
{
    if (name != VEU_CHANNEL_BIT_A) {
        return 0;
    }
    return veu_format_register_type(format) == VEU_TYPE_F ? 0x3f800000 : 1;
}

bool veu_format_is_srgb(const VeuFormat *format)
{
    return format->channels[0].type == VEU_CHANNEL_SRGB;
}

static uint32_t low_bits(const VeuChannel *channel)
{
    return UINT32_MAX >> (32 - channel->bits);
}

void veu_format_bits(const VeuFormat *format, unsigned mask,
                     uint32_t bits[VEU_MAX_TEXEL_DWORDS])
{
    memset(bits, 0, VEU_MAX_TEXEL_BYTES);
    VEU_FOR_EACH_CHANNEL(channel, format) {
        if (mask & (1u << channel->name)) {
            bits[channel->bit / 32] |= low_bits(channel) << channel->bit % 32;
        }
    }
}

/* Bit 0 of each byte becomes the OR of its bits, and is counted. */
static unsigned bytes_with(uint64_t bits)
{
    bits |= bits >> 4;
    bits |= bits >> 2;
    bits |= bits >> 1;
    return __builtin_popcountll(bits & UINT64_C(0x0101010101010101));
}

unsigned veu_format_moved_bytes(const VeuFormat *format, unsigned mask)
{
    uint32_t bits[VEU_MAX_TEXEL_DWORDS];
    uint64_t halves[2];

    veu_format_bits(format, mask, bits);
    memcpy(halves, bits, sizeof(halves));
    return bytes_with(halves[0]) + bytes_with(halves[1]);
}

unsigned veu_format_mask(const VeuFormat *format)
{
    unsigned mask = 0;

    VEU_FOR_EACH_CHANNEL(channel, format) {
        mask |= 1u << channel->name;
    }
    return mask;
}

bool veu_format_is_whole(const VeuFormat *format)
{
    unsigned bits = 0;

    VEU_FOR_EACH_CHANNEL(channel, format) {
        bits += channel->bits;
    }
    return bits == format->bytes * 8u;
}

void veu_format_runs(const VeuFormat *format, VeuChannelRun runs[5])
{
    VeuChannelRun *next = runs;

    memset(runs, 0, 5 * sizeof(*runs));
    VEU_FOR_EACH_CHANNEL(channel, format) {
        bool is_first = channel->bit % 32 == 0;

        if (is_first || channel->type != channel[-1].type) {
            *next++ = (VeuChannelRun){ .is_first = is_first };
        }
        next[-1].count++;
    }
}

void veu_texels_put(VeuTexels *texels, const VeuFormat *format, unsigned lane,
                    const uint8_t *texel)
{
    uint32_t dwords[VEU_MAX_TEXEL_DWORDS] = { 0 };

    memcpy(dwords, texel, format->bytes);
    for (unsigned d = 0; d * 4 < format->bytes; d++) {
        texels->dword[d][lane] = dwords[d];
    }
}

void veu_texels_get(const VeuTexels *texels, const VeuFormat *format,
                    unsigned lane, uint8_t *texel)
{
    uint32_t dwords[VEU_MAX_TEXEL_DWORDS];

    for (unsigned d = 0; d * 4 < format->bytes; d++) {
        dwords[d] = texels->dword[d][lane];
    }
    memcpy(texel, dwords, format->bytes);
}

void veu_channel_pack(const VeuChannel *channel, const uint32_t *values,
                      uint32_t *codes, unsigned count)
{
    VeuChannel alone = { .bits = channel->bits, .type = channel->type };
    uint32_t block[VEU_BLOCK_LANES] = { 0 };
    VeuTexels texels = { 0 };

    for (unsigned at = 0; at < count; at += VEU_BLOCK_LANES) {
        unsigned left = count - at < VEU_BLOCK_LANES ? count - at :
                                                       VEU_BLOCK_LANES;

        memcpy(block, values + at, left * sizeof(*block));
        veu_texels_pack(&texels, &alone, block, left);
        memcpy(codes + at, texels.dword[0], left * sizeof(*block));
    }
}

void veu_channel_unpack(const VeuChannel *channel, const uint32_t *codes,
                        uint32_t *values, unsigned count)
{
    VeuChannel alone = { .bits = channel->bits, .type = channel->type };
    uint32_t block[VEU_BLOCK_LANES];
    VeuTexels texels = { 0 };

    for (unsigned at = 0; at < count; at += VEU_BLOCK_LANES) {
        unsigned left = count - at < VEU_BLOCK_LANES ? count - at :
                                                       VEU_BLOCK_LANES;

        memcpy(texels.dword[0], codes + at, left * sizeof(*block));
        veu_texels_unpack(&texels, &alone, block, left);
        memcpy(values + at, block, left * sizeof(*block));
    }
}
