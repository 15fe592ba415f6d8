/*
 * veu execution unit: definitions for media blocks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_MEDIA_H
#define VEU_EU_MEDIA_H

#include "hw/veu/eu/program/message.h"

/* The largest side of a media block, and the largest block in registers. */
#define VEU_MEDIA_MAX_SIDE  64
#define VEU_MEDIA_MAX_BYTES 256
/* Bytes from one row of a block to the next in registers. */
static inline unsigned veu_media_pitch(unsigned width_byte)
{
    return width_byte <= 4 ? 4 : 1u << (32 - __builtin_clz(width_byte - 1));
}

/* Modifiers of media messages. */
#define VEU_MEDIA_MODES 6

/*
 * The row of the surface for row @row of a block at @y; a field has every
 * second row.
 */
static inline uint64_t veu_media_row(const VeuMessage *m, uint32_t y,
                                     unsigned row)
{
    static const uint8_t step[VEU_MEDIA_MODES] = { 1, 1, 2, 2, 2, 2 };
    static const uint8_t first[VEU_MEDIA_MODES] = { 0, 0, 0, 1, 0, 1 };

    return ((uint64_t)y + row) * step[m->mode] + first[m->mode];
}

#endif
