/*
 * veu execution unit: the places of the lanes' texels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This does what texel.c does for one texel for all lanes at once, without
 * branches. Numbers are modulo 2^32, which is enough for offsets in a narrow
 * surface.
 */
#ifndef VEU_EU_SURFACE_LANES_H
#define VEU_EU_SURFACE_LANES_H

#include "hw/veu/eu/simd/cpu.h"
#include "hw/veu/eu/surface/layout.h"

/* Coordinates of lanes. */
typedef struct VeuLaneCoordinates {
    const VeuWord *u;
    const VeuWord *v;
    const VeuWord *r;
    const VeuWord *lod;
} VeuLaneCoordinates;

/*
 * Returns a bit for each of the 8 or 16 lanes, set if its word is all ones; the
 * words are all ones or 0. fast_avx512_texels.h has a variant for CPUs with an
 * instruction for this.
 */
typedef uint32_t VeuLaneBits(const uint32_t *words, unsigned lanes);

VEU_CLONED uint32_t veu_lane_bits(const uint32_t *words, unsigned lanes)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < lanes; i++) {
        bits |= words[i] & (1u << i);
    }
    return bits;
}

VEU_CLONED uint32_t veu_spread(const VeuTileBits bits[3], uint32_t value)
{
    return (value & bits[0].mask) << bits[0].shift |
           (value & bits[1].mask) << bits[1].shift |
           (value & bits[2].mask) << bits[2].shift;
}

VEU_CLONED uint32_t veu_texel_offset(const VeuTile *t, uint32_t pitch,
                                     uint32_t x, uint32_t y)
{
    return t ? (y >> t->height_log2 << t->height_log2) * pitch +
                   (x >> t->width_log2) * VEU_TILE_BYTES + veu_spread(t->x, x) +
                   veu_spread(t->y, y) :
               y * pitch + x;
}

/*
 * Computes the offsets of the lanes that access level @lod and are in bounds;
 * those of the others are 0. Returns these lanes, and above them those that
 * access the level. A level that does not exist has no width.
 */
VEU_CLONED uint32_t veu_place_level(const VeuSurface *s, const VeuTile *tile,
                                    const VeuLaneCoordinates at, uint32_t lod,
                                    unsigned lanes, VeuLaneBits *bits,
                                    uint32_t *restrict offset)
{
    const VeuShape shape = *s->shape;
    const VeuLevel level = s->level[lod < s->levels ? lod : 0];
    uint32_t width = lod < s->levels ? level.width : 0;
    uint32_t pitch = s->pitch;
    uint32_t qpitch = s->qpitch;
    unsigned texel_log2 = s->texel_log2;
    VEU_ALIGNED_LANES uint32_t wants[VEU_TYPED_LANES];
    VEU_ALIGNED_LANES uint32_t is_in[VEU_TYPED_LANES];

    for (unsigned i = 0; i < lanes; i++) {
        uint32_t row = at.v[i] & shape.v_row;
        uint32_t slice = (at.v[i] & shape.v_slice) | (at.r[i] & shape.r_slice);
        uint32_t x = (at.u[i] << texel_log2) + level.x_byte;
        uint32_t y = slice * qpitch + row + (uint32_t)level.y;

        wants[i] = -(uint32_t)((at.lod[i] & shape.lod) == lod);
        is_in[i] = wants[i] & -(uint32_t)(at.u[i] < width) &
                   -(uint32_t)(row < level.height) &
                   -(uint32_t)(slice < level.slices);
        offset[i] = veu_texel_offset(tile, pitch, x, y) & is_in[i];
    }
    return bits(is_in, lanes) | bits(wants, lanes) << 16;
}

/*
 * Usually all lanes access the same level; otherwise each level takes a round.
 */
VEU_CLONED uint32_t veu_place_levels(const VeuSurface *s, const VeuTile *tile,
                                     const VeuLaneCoordinates *at,
                                     unsigned lanes, VeuLaneBits *bits,
                                     uint32_t *restrict offset)
{
    uint32_t all = UINT32_MAX >> (32 - lanes);
    uint32_t flags = veu_place_level(s, tile, *at, at->lod[0] & s->shape->lod,
                                     lanes, bits, offset);
    uint32_t placed = flags >> 16;
    uint32_t inside = flags & all;

    while (placed != all) {
        uint32_t lod = at->lod[__builtin_ctz(~placed)] & s->shape->lod;
        uint32_t more[VEU_TYPED_LANES];

        flags = veu_place_level(s, tile, *at, lod, lanes, bits, more);
        for (unsigned i = 0; i < lanes; i++) {
            offset[i] |= more[i];
        }
        placed |= flags >> 16;
        inside |= flags & all;
    }
    return inside;
}

/*
 * Computes the offsets from the base of the texels of @lanes lanes, 8 or 16.
 * Returns the lanes that are in bounds; the others have offset 0. Only for
 * narrow surfaces. Each tiling has a case, in which its row of the table is
 * constant.
 */
VEU_CLONED uint32_t veu_place_lanes(const VeuSurface *s,
                                    const VeuLaneCoordinates *at,
                                    unsigned lanes, VeuLaneBits *bits,
                                    uint32_t *offset)
{
    switch (s->tiling) {
    case VEU_TILING_X:
        return veu_place_levels(s, &veu_tiles[VEU_TILING_X], at, lanes, bits,
                                offset);
    case VEU_TILING_Y:
        return veu_place_levels(s, &veu_tiles[VEU_TILING_Y], at, lanes, bits,
                                offset);
    case VEU_TILING_TILE4:
        return veu_place_levels(s, &veu_tiles[VEU_TILING_TILE4], at, lanes,
                                bits, offset);
    default:
        return veu_place_levels(s, NULL, at, lanes, bits, offset);
    }
}

#endif
