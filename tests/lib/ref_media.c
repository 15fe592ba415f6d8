/*
 * veu tests: a second implementation: MEDIA_LD, MEDIA_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The vendor's loops, byte by byte. Each byte belongs to a texel.
 */
#include <glib.h>
#include "tests/lib/ref_run.h"
#include "tests/lib/ref_surface.h"

typedef struct Media {
    const struct veu_surface *surface;
    uint32_t x;
    uint32_t y;
    /* The bytes of the block, row by row. */
    bool inside[64 * 64];
    uint64_t address[64 * 64];
} Media;

/* "It must be a 2D surface", neither SLM nor stateless; one plane; no sRGB. */
static bool find_surface(RefRun *r, Media *media)
{
    unsigned id = r->m->surface;

    if (id >= 1 && id <= 4) {
        ref_form_fault(r, VEU_FAULT_SURFACE_NOT_MODELLED, 0);
        return false;
    }
    if (id >= 6 && id - 6 >= r->t->surface_count) {
        ref_form_fault(r, VEU_FAULT_SURFACE_INDEX, 0);
        return false;
    }
    media->surface = id < 6 ? NULL : &r->t->surfaces[id - 6];
    if (id < 6 || media->surface->type != VEU_SURFACE_2D || r->m->plane != 0 ||
        ref_format(media->surface->format)->type == REF_SRGB) {
        ref_form_fault(r, VEU_FAULT_SURFACE_KIND, 0);
        return false;
    }
    return true;
}

/* Fields consist of every second row: the even or the odd ones. */
static uint64_t row_of(const Media *media, unsigned mode, unsigned i)
{
    uint64_t row = (uint64_t)media->y + i;

    switch (mode) {
    case 2:
    case 4:
        return row * 2;
    case 3:
    case 5:
        return row * 2 + 1;
    default:
        return row;
    }
}

static bool find_byte(const Media *media, uint64_t x, uint64_t y,
                      uint64_t *address)
{
    unsigned texel = ref_texel_bytes(ref_format(media->surface->format));

    if (x > UINT32_MAX || y > UINT32_MAX ||
        !ref_texel(media->surface, x / texel, y, 0, 0, address)) {
        return false;
    }
    *address += x % texel;
    return true;
}

/*
 * Returns the number of contiguous bytes from number @n on; 0 if it is outside.
 */
static unsigned run_of(const Media *media, unsigned n, unsigned end)
{
    unsigned run = 0;

    while (n + run < end && media->inside[n + run] &&
           media->address[n + run] == media->address[n] + run) {
        run++;
    }
    return run;
}

/*
 * A fault names the row, and the contiguous bytes that are not all accessible.
 */
static bool check_row(RefRun *r, const Media *media, unsigned row)
{
    unsigned end = (row + 1) * r->m->width;
    unsigned run;

    for (unsigned n = row * r->m->width; n < end; n += MAX(run, 1)) {
        run = run_of(media, n, end);
        if (run && !ref_check(r, 0, row, media->address[n], run)) {
            return false;
        }
    }
    return true;
}

/* Places all bytes of the message, or none. */
static bool place_bytes(RefRun *r, Media *media)
{
    const RefMessage *m = r->m;

    for (unsigned i = 0; i < m->height; i++) {
        for (unsigned j = 0; j < m->width; j++) {
            unsigned n = i * m->width + j;

            media->inside[n] = find_byte(media, (uint64_t)media->x + j,
                                         row_of(media, m->mode, i),
                                         &media->address[n]);
        }
        if (!check_row(r, media, i)) {
            return false;
        }
    }
    return true;
}

/* MEDIA_ST: "its [X's] value must be dword-aligned". */
static bool place_block(RefRun *r, Media *media)
{
    uint64_t x;
    uint64_t y;

    if (!find_surface(r, media) || !ref_scalar(r, &r->m->scalar, &x) ||
        !ref_scalar(r, &r->m->y, &y)) {
        return false;
    }
    media->x = x;
    media->y = y;
    if (r->m->align && media->x % r->m->align) {
        ref_lane_fault(r, VEU_FAULT_ALIGNMENT, 0, 0, media->x, r->m->width);
        return false;
    }
    return place_bytes(r, media);
}

void ref_media_ld(RefRun *r)
{
    const RefMessage *m = r->m;
    Media media;

    if (!place_block(r, &media)) {
        return;
    }
    for (unsigned i = 0; i < m->height; i++) {
        for (unsigned j = 0; j < m->width; j++) {
            unsigned n = i * m->width + j;

            ref_write_byte(r, i * m->pitch + j,
                           media.inside[n] ? ref_load(r, media.address[n], 1) :
                                             0);
            r->t->moved_bytes += media.inside[n];
        }
    }
}

void ref_media_st(RefRun *r)
{
    const RefMessage *m = r->m;
    Media media;

    if (!place_block(r, &media)) {
        return;
    }
    for (unsigned i = 0; i < m->height; i++) {
        for (unsigned j = 0; j < m->width; j++) {
            unsigned n = i * m->width + j;

            if (media.inside[n]) {
                ref_store(r, media.address[n],
                          ref_operand_byte(r, &m->data, i * m->pitch + j), 1);
                r->t->moved_bytes++;
            }
        }
    }
}
