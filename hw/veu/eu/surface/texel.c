/*
 * veu execution unit: the places of a surface's texels.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/layout.h"

const VeuTile *veu_tile_find(uint8_t tiling)
{
    return tiling != VEU_TILING_LINEAR && tiling < VEU_TILINGS ?
               &veu_tiles[tiling] :
               NULL;
}

static uint32_t spread(const VeuTileBits bits[3], uint32_t value)
{
    return (value & bits[0].mask) << bits[0].shift |
           (value & bits[1].mask) << bits[1].shift |
           (value & bits[2].mask) << bits[2].shift;
}

/* Tiles are 4096 bytes, row-major. */
static uint64_t tiled_offset(const VeuSurface *s, uint32_t x_byte, uint64_t y)
{
    const VeuTile *t = s->tile;
    uint64_t tile_row = (y >> t->height_log2 << t->height_log2) * s->pitch;
    uint32_t tile = (x_byte >> t->width_log2) * VEU_TILE_BYTES;

    return tile_row + tile + spread(t->x, x_byte) + spread(t->y, y);
}

/*
 * @x_byte, @y: the place in the whole surface, with the level's and slice's
 * place added.
 */
static uint64_t address_of(const VeuSurface *s, uint64_t x_byte, uint64_t y)
{
    return s->base +
           (s->tile ? tiled_offset(s, x_byte, y) : y * s->pitch + x_byte);
}

bool veu_surface_texel(const VeuSurface *s, const VeuCoordinates *at,
                       uint64_t *address)
{
    const VeuShape *shape = s->shape;
    uint32_t lod = at->lod & shape->lod;
    uint32_t row = at->v & shape->v_row;
    uint32_t slice = (at->v & shape->v_slice) | (at->r & shape->r_slice);
    const VeuLevel *level = &s->level[lod < s->levels ? lod : 0];

    /* Checked before anything is added: semantics.md, section 5. */
    if (lod >= s->levels || at->u >= level->width || row >= level->height ||
        slice >= level->slices) {
        return false;
    }
    *address = address_of(s, level->x_byte + (uint64_t)at->u * s->format->bytes,
                          (uint64_t)slice * s->qpitch + level->y + row);
    return true;
}

uint32_t veu_surface_byte(const VeuSurface *s, uint32_t x, uint32_t y,
                          uint64_t *address)
{
    const VeuLevel *level = &s->level[0];
    uint32_t row_bytes = level->width * s->format->bytes;
    uint32_t x_byte = level->x_byte + x;
    uint32_t left;
    uint32_t run;

    if (x >= row_bytes || y >= level->height) {
        return 0;
    }
    *address = address_of(s, x_byte, level->y + y);
    left = row_bytes - x;
    /* Within a tile, only the lowest bits of x are contiguous. */
    run = s->tile ? s->tile->x[0].mask + 1 - (x_byte & s->tile->x[0].mask) :
                    left;
    return MIN(run, left);
}
