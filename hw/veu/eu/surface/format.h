/*
 * veu execution unit: surface formats and the conversions of typed messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FORMAT_H
#define VEU_EU_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/limits.h"
#include "veu/program.h"
#include "veu/surface.h"

/* A dword of registers, of any alignment. */
typedef uint32_t __attribute__((aligned(1), may_alias)) VeuWord;

#define VEU_MAX_TEXEL_BYTES  16
#define VEU_MAX_TEXEL_DWORDS (VEU_MAX_TEXEL_BYTES / 4)

typedef enum VeuChannelType {
    VEU_CHANNEL_FLOAT,  /* 32 or 16 bits */
    VEU_CHANNEL_UFLOAT, /* 11 or 10 bits, without a sign */
    VEU_CHANNEL_UNORM,
    VEU_CHANNEL_SNORM,
    VEU_CHANNEL_SRGB, /* 8 bits; only read */
    VEU_CHANNEL_SINT,
    VEU_CHANNEL_UINT,
    VEU_CHANNEL_TYPES
} VeuChannelType;

/* The bit of a channel in a message's mask. */
enum {
    VEU_CHANNEL_BIT_R = 0,
    VEU_CHANNEL_BIT_G = 1,
    VEU_CHANNEL_BIT_B = 2,
    VEU_CHANNEL_BIT_A = 3,
};

typedef struct VeuChannel {
    uint8_t name; /* VEU_CHANNEL_BIT_R ... VEU_CHANNEL_BIT_A */
    uint8_t bit;  /* lowest bit in the texel; all bits are in one dword */
    uint8_t bits;
    uint8_t type; /* VeuChannelType */
} VeuChannel;

/* A row of the format table. */
typedef struct VeuFormat {
    uint16_t code;
    const char *name;
    uint8_t bytes; /* of a texel */
    bool atomics;  /* typed atomics accept it */
    /* in the order of memory; unused ones have 0 bits */
    VeuChannel channels[4];
} VeuFormat;

#define VEU_FOR_EACH_CHANNEL(channel, format)            \
    for (const VeuChannel *channel = (format)->channels; \
         channel < (format)->channels + 4 && channel->bits; channel++)

extern const VeuFormat veu_formats[];
extern const unsigned veu_format_count;

/* Returns NULL for a code that is not in the table. */
const VeuFormat *veu_format_find(uint16_t code);

/* Returns NULL for a channel that the format lacks. */
const VeuChannel *veu_format_channel(const VeuFormat *format, unsigned name);

/* Returns true if only messages that sample read the format. */
bool veu_format_is_srgb(const VeuFormat *format);

/* Values that codes of a channel of type SRGB have, as binary32. */
extern const uint32_t veu_srgb_values[256];

/* The type of register lanes for this format: F, D or UD. Not for RAW. */
enum veu_type veu_format_register_type(const VeuFormat *format);

/* The value read for a channel that the format lacks, or out of bounds. */
uint32_t veu_format_default(const VeuFormat *format, unsigned name);

/* Sets a bit for each bit of the texel that the channels of @mask have. */
void veu_format_bits(const VeuFormat *format, unsigned mask,
                     uint32_t bits[VEU_MAX_TEXEL_DWORDS]);

/* The number of bytes of a texel in which the channels of @mask have a bit. */
unsigned veu_format_moved_bytes(const VeuFormat *format, unsigned mask);

/* The mask of its channels, and whether they cover all bits of a texel. */
unsigned veu_format_mask(const VeuFormat *format);
bool veu_format_is_whole(const VeuFormat *format);

/* Consecutive channels of one type in one dword. */
typedef struct VeuChannelRun {
    uint8_t count; /* 0: the end */
    bool is_first; /* in its dword */
} VeuChannelRun;

void veu_format_runs(const VeuFormat *format, VeuChannelRun runs[5]);

/*
 * Convert register values to the codes that a channel stores, and back. Values
 * are F, D or UD, according to the type; a code is in the low bits of its
 * dword, and the other bits are 0 (semantics.md, section 5). SRGB is not
 * packed.
 */
void veu_channel_pack(const VeuChannel *channel, const uint32_t *values,
                      uint32_t *codes, unsigned count);
void veu_channel_unpack(const VeuChannel *channel, const uint32_t *codes,
                        uint32_t *values, unsigned count);

/* The texels of some lanes; dword d of lane n is dword[d][n]. */
typedef struct VeuTexels {
    VEU_ALIGNED_LANES uint32_t dword[VEU_MAX_TEXEL_DWORDS][VEU_MAX_LANES];
} VeuTexels;

/* Sets or gets the texel of one lane. */
void veu_texels_put(VeuTexels *texels, const VeuFormat *format, unsigned lane,
                    const uint8_t *texel);
void veu_texels_get(const VeuTexels *texels, const VeuFormat *format,
                    unsigned lane, uint8_t *texel);

/*
 * Packs or unpacks a channel of lanes 0 to @lanes - 1; the other bits of a
 * texel are preserved. @values has room for whole blocks of VEU_BLOCK_LANES.
 */
void veu_texels_pack(VeuTexels *texels, const VeuChannel *channel,
                     const VeuWord *values, unsigned lanes);
void veu_texels_unpack(const VeuTexels *texels, const VeuChannel *channel,
                       uint32_t *values, unsigned lanes);

#endif
