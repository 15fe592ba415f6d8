/*
 * veu tests: a second implementation: where the texels of a surface are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The formulas are those of docs/surfaces.md, term by term. Tile4
 * is its table of cells, not its table of bits.
 */
#include "tests/lib/ref.h"
#include "tests/lib/ref_surface.h"

typedef struct veu_surface Surface;

static bool is_flat(const Surface *s)
{
    return s->type == VEU_SURFACE_1D || s->type == VEU_SURFACE_BUFFER;
}

static bool is_array(const Surface *s)
{
    return s->type == VEU_SURFACE_CUBE || (s->flags & VEU_SURFACE_ARRAY);
}

static unsigned texel_bytes(const Surface *s)
{
    return ref_texel_bytes(ref_format(s->format));
}

static uint64_t minify(uint64_t n, unsigned l)
{
    while (l-- && n > 1) {
        n /= 2;
    }
    return n;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    while (unit && n % unit) {
        n++;
    }
    return n;
}

unsigned ref_levels(const Surface *s)
{
    return s->type == VEU_SURFACE_BUFFER ? 1 : s->min_lod + s->levels;
}

uint32_t ref_slices(const Surface *s, unsigned level)
{
    if (s->type == VEU_SURFACE_3D) {
        return minify(s->depth, level);
    }
    return is_array(s) ? s->depth : 1;
}

/* w_l and h_l of surfaces.md; 0 for a level that does not exist. */
static uint64_t w(const Surface *s, unsigned l)
{
    if (l >= ref_levels(s)) {
        return 0;
    }
    return ref_levels(s) == 1 ? s->width :
                                round_up(minify(s->width, l), s->halign);
}

static uint64_t h(const Surface *s, unsigned l)
{
    if (l >= ref_levels(s)) {
        return 0;
    }
    if (is_flat(s)) {
        return 1;
    }
    return ref_levels(s) == 1 ? s->height :
                                round_up(minify(s->height, l), s->valign);
}

static uint64_t sum(const Surface *s,
                    uint64_t (*size)(const Surface *s, unsigned l),
                    unsigned from, unsigned to)
{
    uint64_t total = 0;

    for (unsigned l = from; l < to; l++) {
        total += size(s, l);
    }
    return total;
}

RefRectangle ref_slice(const Surface *s)
{
    unsigned n = ref_levels(s);

    if (is_flat(s)) {
        return (RefRectangle){ .width = sum(s, w, 0, n), .height = 1 };
    }
    return (RefRectangle){
        .width = MAX(w(s, 0), w(s, 1) + w(s, 2)),
        .height = MAX(h(s, 0) + h(s, 1), h(s, 0) + sum(s, h, 2, n)),
    };
}

RefRectangle ref_rectangle(const Surface *s, unsigned l, uint32_t slice)
{
    RefRectangle at = {
        .width = minify(s->width, l),
        .height = is_flat(s) ? 1 : minify(s->height, l),
    };

    if (is_flat(s)) {
        at.x = sum(s, w, 0, l) + (uint64_t)slice * s->qpitch;
        return at;
    }
    if (l == 1) {
        at.y = h(s, 0);
    } else if (l == 2) {
        at.x = w(s, 1);
        at.y = h(s, 0);
    } else if (l >= 3) {
        at.x = w(s, 1);
        at.y = h(s, 0) + sum(s, h, 2, l);
    }
    at.y += (uint64_t)slice * s->qpitch;
    return at;
}

/* Returns the offset in a tile of byte u of row v. */
static uint64_t in_tile(uint8_t tiling, uint64_t u, uint64_t v)
{
    /* Cells of 16 bytes x 4 rows: across the top, and down the left side. */
    static const uint16_t across[] = { 0x000, 0x040, 0x080, 0x0c0,
                                       0x200, 0x240, 0x280, 0x2c0 };
    static const uint16_t down[] = { 0x000, 0x100, 0x400, 0x500,
                                     0x800, 0x900, 0xc00, 0xd00 };

    switch (tiling) {
    case VEU_TILING_X: /* 8 rows of 512 bytes */
        return v * 512 + u;
    case VEU_TILING_Y: /* 8 columns of 32 owords */
        return (u / 16 * 32 + v) * 16 + u % 16;
    default:
        return across[u / 16] + down[v / 4] + v % 4 * 16 + u % 16;
    }
}

static unsigned tile_width(const Surface *s)
{
    return s->tiling == VEU_TILING_X ? 512 : 128;
}

static unsigned tile_height(const Surface *s)
{
    return s->tiling == VEU_TILING_X ? 8 : 32;
}

uint64_t ref_plane_byte(const Surface *s, uint64_t x, uint64_t y)
{
    unsigned tw = tile_width(s);
    unsigned th = tile_height(s);

    if (is_flat(s)) {
        return s->base + x;
    }
    if (s->tiling == VEU_TILING_LINEAR) {
        return s->base + y * s->pitch + x;
    }
    return s->base + 4096 * (y / th * (s->pitch / tw) + x / tw) +
           in_tile(s->tiling, x % tw, y % th);
}

uint64_t ref_surface_bytes(const Surface *s)
{
    uint64_t bytes = 0;

    for (unsigned l = 0; l < ref_levels(s); l++) {
        RefRectangle last = ref_rectangle(s, l, ref_slices(s, l) - 1);
        uint64_t x_end = (last.x + last.width) * texel_bytes(s);
        uint64_t y_end = last.y + last.height;
        uint64_t end = ref_plane_byte(s, x_end - 1, y_end - 1) + 1 - s->base;

        if (s->tiling != VEU_TILING_LINEAR) {
            end = round_up(y_end, tile_height(s)) * s->pitch;
        }
        bytes = MAX(bytes, end);
    }
    return bytes;
}

/* Returns the slice that U, V, R select, before MinArrayElement is added. */
static uint32_t slice_of(const Surface *s, uint32_t v, uint32_t r)
{
    if (s->type == VEU_SURFACE_1D) {
        return is_array(s) ? v : 0;
    }
    return is_array(s) || s->type == VEU_SURFACE_3D ? r : 0;
}

/* Returns true if both the view and the level contain the slice. */
static bool slice_exists(const Surface *s, unsigned level, uint32_t slice)
{
    if (s->view_extent && slice >= s->view_extent) {
        return false;
    }
    return (uint64_t)slice + s->min_array_element < ref_slices(s, level);
}

bool ref_texel(const Surface *s, uint32_t u, uint32_t v, uint32_t r,
               uint32_t lod, uint64_t *address)
{
    uint32_t slice = slice_of(s, v, r);
    RefRectangle at;

    lod = s->type == VEU_SURFACE_BUFFER ? 0 : lod;
    v = is_flat(s) ? 0 : v;
    if (s->type != VEU_SURFACE_BUFFER && lod >= s->levels) {
        return false;
    }
    lod += s->min_lod;
    if (!slice_exists(s, lod, slice)) {
        return false;
    }
    at = ref_rectangle(s, lod, slice + s->min_array_element);
    if (u >= at.width || v >= at.height) {
        return false;
    }
    *address = ref_plane_byte(s, (at.x + u) * texel_bytes(s), at.y + v);
    return true;
}
