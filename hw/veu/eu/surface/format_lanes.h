/*
 * veu execution unit: the common part of packing and unpacking.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FORMAT_LANES_H
#define VEU_EU_FORMAT_LANES_H

#include <string.h>
#include "hw/veu/eu/simd/cpu.h"
#include "hw/veu/eu/surface/format.h"

static inline uint32_t veu_float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline float veu_bits_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* The bits of a channel, shifted to bit 0. */
static inline uint32_t veu_channel_mask(const VeuChannel *channel)
{
    return UINT32_MAX >> (32 - channel->bits);
}

#endif
