/*
 * veu execution unit: the layout of mip levels in a slice (docs/spec.md,
 * section 9, "Mip levels").
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/param.h>
#include "hw/veu/eu/surface/layout.h"

static uint32_t minify(uint32_t size, unsigned level)
{
    return MAX(1, size >> level);
}

static uint32_t align(uint32_t size, uint32_t unit)
{
    return unit ? (size + unit - 1) / unit * unit : size;
}

/*
 * Places a level. In an image with rows, level 1 is below level 0, level 2 to
 * the right of level 1, and each later level below the one before it. The
 * levels of a 1D surface are consecutive. @last is the previous level, padded.
 */
static void place_next(const VeuShape *shape, unsigned l, const VeuMip *last,
                       VeuMip *mip)
{
    bool right = !shape->v_row || l == 2;

    mip->x_el = right ? last->x_el + last->width_el : last->x_el;
    mip->y = right ? last->y : last->y + last->height;
}

void veu_layout_place(const struct veu_surface *d, const VeuShape *shape,
                      VeuLayout *layout)
{
    unsigned count = d->min_lod + d->levels;
    VeuMip padded = { 0 };

    layout->count = count > VEU_MAX_LEVELS ? VEU_MAX_LEVELS : MAX(1, count);
    layout->width_el = 0;
    layout->height = 0;
    for (unsigned l = 0; l < layout->count; l++) {
        VeuMip *mip = &layout->mip[l];

        mip->width_el = minify(d->width, l);
        mip->height = minify(d->height, l);
        mip->slices = minify(d->depth, shape->type == VEU_SURFACE_3D ? l : 0);
        mip->x_el = 0;
        mip->y = 0;
        if (l > 0) {
            place_next(shape, l, &padded, mip);
        }
        padded = *mip;
        /* A single level is not padded. */
        if (layout->count > 1) {
            padded.width_el = align(mip->width_el, d->halign);
            padded.height = align(mip->height, d->valign);
        }
        layout->width_el = MAX(layout->width_el, padded.x_el + padded.width_el);
        layout->height = MAX(layout->height, padded.y + padded.height);
    }
}

/*
 * The bytes up to the end of the last texel of a level, in whole rows of tiles.
 */
static uint64_t mip_end(const VeuSurface *s, const VeuMip *mip)
{
    uint64_t rows = (uint64_t)(mip->slices - 1) * s->qpitch + mip->y +
                    mip->height;

    if (s->tile) {
        uint64_t tile_rows = (rows - 1) >> s->tile->height_log2;

        return ((tile_rows + 1) << s->tile->height_log2) * s->pitch;
    }
    return (rows - 1) * s->pitch +
           ((uint64_t)mip->x_el + mip->width_el) * s->format->bytes;
}

uint64_t veu_layout_bytes(const VeuSurface *s, const VeuLayout *layout)
{
    uint64_t bytes = 0;

    for (unsigned l = 0; l < layout->count; l++) {
        uint64_t end = mip_end(s, &layout->mip[l]);

        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}
