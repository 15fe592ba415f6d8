/*
 * veu proofs: addresses in tiled and linear surfaces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface/texel.c"
#include "tests/proofs/proof.h"

/* By the tiling's code: docs/spec.md, "Tilings". */
static const unsigned width_byte[] = { 0, 512, 128, 128 };
static const unsigned height[] = { 0, 8, 32, 32 };

/* The offset by the specification's figures, bit by bit. */
static unsigned spec_offset(unsigned tiling, unsigned x, unsigned y)
{
    switch (tiling) {
    case VEU_TILING_X:
        return y * 512 + x;
    case VEU_TILING_Y: /* columns of owords */
        return x / 16 * 512 + y * 16 + x % 16;
    /* 4 rows of owords, 4 of these side by side, 2 below each other... */
    default:
        return x % 16 + y % 4 * 16 + x / 16 % 4 * 64 + y / 4 % 2 * 256 +
               x / 64 * 512 + y / 8 * 1024;
    }
}

void tiles_are_as_specified(void)
{
    unsigned tiling = nondet_u8();
    unsigned x = nondet_u32();
    unsigned y = nondet_u32();

    ASSUME(tiling >= 1 && tiling <= 3);
    const VeuTile *t = veu_tile_find(tiling);

    PROVE(1u << t->width_log2 == width_byte[tiling] &&
              1u << t->height_log2 == height[tiling],
          "tiles have the sides that are specified");
    ASSUME(x < width_byte[tiling] && y < height[tiling]);
    REACHED(x == 127 && y == 31 && tiling == 3);
    PROVE((spread(t->x, x) + spread(t->y, y)) == spec_offset(tiling, x, y),
          "bytes of a tile are where they are specified");
}

/* Compares bytes in any two places of a tile. */
void bytes_of_a_tile_do_not_overlap(void)
{
    unsigned tiling = nondet_u8();
    unsigned x[2] = { nondet_u32(), nondet_u32() };
    unsigned y[2] = { nondet_u32(), nondet_u32() };
    unsigned offset[2];

    ASSUME(tiling >= 1 && tiling <= 3);
    const VeuTile *t = veu_tile_find(tiling);

    for (unsigned i = 0; i < 2; i++) {
        ASSUME(x[i] < width_byte[tiling] && y[i] < height[tiling]);
        offset[i] = spread(t->x, x[i]) + spread(t->y, y[i]);
        PROVE(offset[i] < 4096, "a byte of a tile is in its 4096 bytes");
    }
    REACHED(offset[0] == 4095 && offset[1] == 0);
    ASSUME(x[0] != x[1] || y[0] != y[1]);
    PROVE(offset[0] != offset[1], "two bytes of a tile are in two places");
}

/*
 * A surface of a few rows of a few tiles: a byte that is in bounds of the pitch
 * and of the rows is in bounds of their product.
 */
#define SIDE 8

static void take_surface(VeuSurface *s, uint64_t *rows)
{
    unsigned tiling = nondet_u8();
    unsigned across = nondet_u32();
    unsigned down = nondet_u32();

    ASSUME(tiling <= 3 && across >= 1 && across <= SIDE && down >= 1 &&
           down <= SIDE);
    s->tile = veu_tile_find(tiling);
    s->base = 0;
    s->pitch = tiling ? across * width_byte[tiling] : across;
    *rows = tiling ? down * height[tiling] : down;
}

void bytes_are_in_the_surface(void)
{
    VeuSurface s;
    uint64_t rows;
    uint64_t x = nondet_u32();
    uint64_t y = nondet_u32();

    take_surface(&s, &rows);
    ASSUME(x < s.pitch && y < rows);
    REACHED(address_of(&s, x, y) == SIDE * SIDE * 4096 - 1);
    PROVE(address_of(&s, x, y) < rows * s.pitch,
          "a byte that is in bounds is in the surface");
}

void bytes_of_a_surface_do_not_overlap(void)
{
    VeuSurface s;
    uint64_t rows;
    uint64_t x[2] = { nondet_u32(), nondet_u32() };
    uint64_t y[2] = { nondet_u32(), nondet_u32() };

    take_surface(&s, &rows);
    ASSUME(x[0] < s.pitch && y[0] < rows && x[1] < s.pitch && y[1] < rows);
    ASSUME(x[0] != x[1] || y[0] != y[1]);
    REACHED(s.tile && y[0] > 200);
    PROVE(address_of(&s, x[0], y[0]) != address_of(&s, x[1], y[1]),
          "two bytes of a surface are in two places");
}
