/*
 * veu execution unit: surface formats and the conversions of typed messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FORMAT_H
#define VEU_EU_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/surface.h"

#define VEU_MAX_TEXEL_BYTES 16

typedef enum VeuChannelType {
    VEU_CHANNEL_FLOAT,
    VEU_CHANNEL_UNORM,
    VEU_CHANNEL_SNORM,
    VEU_CHANNEL_SINT,
    VEU_CHANNEL_UINT,
} VeuChannelType;

/* The bit of a channel in a message's mask. */
enum {
    VEU_CHANNEL_R = 0,
    VEU_CHANNEL_G = 1,
    VEU_CHANNEL_B = 2,
    VEU_CHANNEL_A = 3,
};

typedef struct VeuChannel {
    uint8_t name; /* VEU_CHANNEL_R ... VEU_CHANNEL_A */
    uint8_t bits; /* whole bytes */
    uint8_t type; /* VeuChannelType; the same in all channels of a format */
} VeuChannel;

/* A row of the format table. */
typedef struct VeuFormat {
    uint16_t code;
    const char *name;
    uint8_t bytes;          /* of a texel */
    VeuChannel channels[4]; /* in the order of memory; unused: 0 bits */
} VeuFormat;

extern const VeuFormat veu_formats[];
extern const unsigned veu_format_count;

/* NULL for a code that is not in the table. */
const VeuFormat *veu_format_find(uint16_t code);

/*
 * What a channel of this type and size stores for the register value @lane,
 * which is read as the type demands: F, D or UD (semantics, section 5).
 */
uint32_t veu_channel_pack(const VeuChannel *channel, uint32_t lane);

#endif
