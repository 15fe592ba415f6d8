/*
 * veu proofs: the places of the levels of surfaces with a legal descriptor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/surface/descriptor.h"
#include "hw/veu/eu/surface/layout.c"
#include "hw/veu/eu/surface/descriptor.c"
#include "hw/veu/eu/surface/texel.c"
#include "tests/proofs/proof.h"

/* Texels of 4 bytes, whose contents do not matter. */
static const VeuFormat format = { .code = 1, .bytes = 4 };

const VeuFormat *veu_format_find(uint16_t code)
{
    return code == format.code ? &format : NULL;
}

unsigned veu_format_mask(const VeuFormat *f)
{
    return nondet_u8();
}

bool veu_format_is_whole(const VeuFormat *f)
{
    return nondet_bool();
}

bool veu_format_is_srgb(const VeuFormat *f)
{
    return nondet_bool();
}

uint32_t veu_format_default(const VeuFormat *f, unsigned name)
{
    return nondet_u32();
}

void veu_format_runs(const VeuFormat *f, VeuChannelRun runs[5])
{
}

static void take_descriptor(struct veu_surface *d, uint8_t tiling)
{
    *d = (struct veu_surface){
        .base = nondet_u64(),
        .format = format.code,
        .type = nondet_u8(),
        .tiling = tiling,
        .width = nondet_u32(),
        .height = nondet_u32(),
        .depth = nondet_u32(),
        .pitch = nondet_u32(),
        .qpitch = nondet_u32(),
        .min_array_element = nondet_u32(),
        .view_extent = nondet_u32(),
        .levels = nondet_u8(),
        .min_lod = nondet_u8(),
        .halign = nondet_u8(),
        .valign = nondet_u8(),
        .flags = nondet_u16(),
    };
    /* surfaces with several rows: a buffer is one row */
    ASSUME(d->type != VEU_SURFACE_NULL && d->type != VEU_SURFACE_BUFFER);
    ASSUME(d->qpitch <= 8 * MAX_SIDE);
}

static bool any_texel(const VeuSurface *s, uint64_t *address)
{
    VeuCoordinates at = { .u = nondet_u32(),
                          .v = nondet_u32(),
                          .r = nondet_u32(),
                          .lod = nondet_u32() };

    return veu_surface_texel(s, &at, address);
}

static void check_texels(uint8_t tiling)
{
    struct veu_surface d;
    VeuSurface s;
    uint32_t field;
    uint64_t address;

    take_descriptor(&d, tiling);
    ASSUME(veu_surface_decode(&d, &s, &field));
    ASSUME(any_texel(&s, &address));
    REACHED(s.levels == VEU_MAX_LEVELS);
    REACHED(d.min_lod && d.min_array_element);
    REACHED(tiling || address - s.base == s.bytes - format.bytes);
    PROVE(address >= s.base && address - s.base < s.bytes &&
              s.bytes - (address - s.base) >= format.bytes,
          "a texel of any level is in the surface");
}

void texels_of_levels_are_in_the_surface(void)
{
    check_texels(VEU_TILING_LINEAR);
}

void texels_of_levels_are_in_the_tiles(void)
{
    check_texels(VEU_TILING_Y);
}

/* Compares the rectangles of two levels, without their texels. */
void levels_do_not_overlap(void)
{
    struct veu_surface d;
    const VeuShape *shape;
    VeuLayout layout;
    uint32_t x = nondet_u32(), y = nondet_u32();
    unsigned one = nondet_u8(), other = nondet_u8();

    take_descriptor(&d, VEU_TILING_LINEAR);
    ASSUME(d.width >= 1 && d.width <= MAX_SIDE);
    ASSUME(d.height >= 1 && d.height <= MAX_SIDE);
    ASSUME(d.halign == 4 || d.halign == 8 || d.halign == 16);
    ASSUME(d.valign == 4 || d.valign == 8 || d.valign == 16);
    shape = veu_shape_find(d.type, nondet_bool());
    ASSUME(shape && d.levels <= VEU_MAX_LEVELS);
    veu_layout_place(&d, shape, &layout);
    ASSUME(one < other && other < layout.count);
    const VeuMip *a = &layout.mip[one], *b = &layout.mip[other];
    uint32_t rows_a = shape->v_row ? a->height : 1;
    uint32_t rows_b = shape->v_row ? b->height : 1;

    ASSUME(x - a->x_el < a->width_el && y - a->y < rows_a);
    REACHED(other == VEU_MAX_LEVELS - 1 && one == 1);
    PROVE(x < layout.width_el && y < layout.height, "a level is in its slice");
    PROVE(x - b->x_el >= b->width_el || y - b->y >= rows_b,
          "no texel is in two levels");
}
