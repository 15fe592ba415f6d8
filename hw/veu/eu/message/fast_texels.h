/*
 * veu execution unit: the places of the texels of all lanes, and their pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_FAST_TEXELS_H
#define VEU_EU_FAST_TEXELS_H

#include "hw/veu/eu/message/fast_path.h"
#include "hw/veu/eu/message/page_lanes.h"
#include "hw/veu/eu/surface/texel_lanes.h"

static const uint32_t veu_zeroes[VEU_TYPED_LANES];

/* The texels that a message accesses. */
typedef struct VeuPlaced {
    const VeuSurface *surface;
    const VeuExtent *extent; /* NULL: it is in several pages */
    uint8_t *host; /* address of the surface's base, if it has an extent */
    uint32_t live; /* lanes that run and are in bounds */
    /* Offsets from the base; 0 if not in bounds. */
    VEU_ALIGNED_LANES uint32_t offset[VEU_TYPED_LANES];
} VeuPlaced;

VEU_CLONED const VeuWord *veu_texel_operand(const VeuThread *t,
                                            const VeuRaw *raw)
{
    return raw->null ? veu_zeroes :
                       (const VeuWord *)(t->registers + raw->register_byte);
}

/* The first lane of a channel's data in the registers. */
static inline VeuWord *veu_channel_data(const VeuThread *t, const VeuMessage *m,
                                        unsigned channel)
{
    return (VeuWord *)(t->registers + m->data.register_byte) +
           m->first_lane[channel];
}

static inline const VeuSurface *veu_find_texels(const VeuThread *t,
                                                const VeuMessage *m)
{
    return t->config->strict_types ? NULL : veu_table_surface(t, m);
}

/*
 * Computes the offsets of texels, like veu_place_lanes(). fast_avx512_texels.h
 * has a variant for CPUs with AVX-512.
 */
typedef uint32_t VeuPlaceTexels(const VeuSurface *s,
                                const VeuLaneCoordinates *at, unsigned lanes,
                                uint32_t *offset);

VEU_CLONED uint32_t veu_place_texels(const VeuSurface *s,
                                     const VeuLaneCoordinates *at,
                                     unsigned lanes, uint32_t *offset)
{
    return veu_place_lanes(s, at, lanes, veu_lane_bits, offset);
}

/*
 * Finds the surface of a message. Returns false to give up. Without an extent,
 * each texel must be looked up.
 */
VEU_CLONED bool veu_open_surface(const VeuThread *t, const VeuMessage *m,
                                 enum veu_access access, VeuPlaced *placed)
{
    const VeuSurface *s = veu_find_texels(t, m);

    if (!s || !s->is_narrow) {
        return false;
    }
    placed->surface = s;
    placed->extent = veu_is_apart(t, s->base, s->bytes) ?
                         NULL :
                         veu_mem_find_buffer(t->mem, s->base, s->bytes, access);
    if (placed->extent) {
        placed->host = veu_extent_at(placed->extent, s->base);
    }
    return placed->extent || t->mem->host_pages;
}

/*
 * @m follows one whose surface is in @placed. Makes it the surface of @m.
 * Returns false to give up.
 */
VEU_CLONED bool veu_follow_surface(const VeuThread *t, const VeuMessage *m,
                                   enum veu_access access, VeuPlaced *placed)
{
    return m->surface == m[-1].surface ||
           veu_open_surface(t, m, access, placed);
}

VEU_CLONED VeuLaneCoordinates veu_texel_operands(const VeuThread *t,
                                                 const VeuMessage *m)
{
    return (VeuLaneCoordinates){
        veu_texel_operand(t, &m->address),
        veu_texel_operand(t, &m->v),
        veu_texel_operand(t, &m->r),
        veu_texel_operand(t, &m->lod),
    };
}

/* Finds the places of a message's texels in its surface. */
VEU_CLONED void veu_find_lanes(const VeuThread *t, const VeuMessage *m,
                               unsigned lanes, VeuPlaceTexels *place,
                               VeuPlaced *placed)
{
    const VeuLaneCoordinates at = veu_texel_operands(t, m);

    placed->live = t->active &
                   place(placed->surface, &at, lanes, placed->offset);
}

/* Both: for one message. */
VEU_CLONED bool veu_open_texels(const VeuThread *t, const VeuMessage *m,
                                enum veu_access access, unsigned lanes,
                                VeuPlaceTexels *place, VeuPlaced *placed)
{
    if (!veu_open_surface(t, m, access, placed)) {
        return false;
    }
    veu_find_lanes(t, m, lanes, place, placed);
    return true;
}

/*
 * Finds the texels of a surface in several pages; @needs is as for
 * veu_mem_look_at(). Returns false if a page is not known.
 */
VEU_CLONED bool veu_find_texel_pages(VeuThread *t, const VeuPlaced *placed,
                                     unsigned lanes, uint64_t needs,
                                     uint8_t **at)
{
    const VeuPageOffsets of = {
        .base = placed->surface->base,
        .bytes = placed->surface->bytes,
        .offsets = placed->offset,
        .access_bytes = placed->surface->format->bytes,
    };

    return veu_page_offsets_find(t, &of, placed->live, lanes, needs, at);
}

/* --- Dirty pages ---------------------------------------------------------- */

/* Returns true if all lanes run and are in bounds. */
VEU_CLONED bool veu_texels_are_all_live(const VeuPlaced *texels, unsigned lanes)
{
    return texels->live == UINT32_MAX >> (32 - lanes);
}

/* Marks the pages of a small surface that all lanes are about to write. */
VEU_CLONED void veu_texels_note_all(const VeuPlaced *texels, unsigned lanes)
{
    uint32_t first = (uintptr_t)texels->host % VEU_PAGE_BYTES;
    uint8_t *noted = (uint8_t *)(texels->extent->noted +
                                 ((uintptr_t)texels->host >> VEU_PAGE_BITS));
    VEU_ALIGNED_LANES uint32_t page[VEU_TYPED_LANES];
    uint32_t differ = 0;

    for (unsigned i = 0; i < lanes; i++) {
        page[i] = (first + texels->offset[i]) >> VEU_PAGE_BITS;
    }
    for (unsigned i = 0; i < lanes; i++) {
        differ |= page[i] ^ page[0];
    }
    if (!differ) {
        noted[page[0]] = 1;
        return;
    }
    VEU_UNROLL
    for (unsigned i = 0; i < lanes; i++) {
        noted[page[i]] = 1;
    }
}

/* Marks the pages that lanes are about to write as dirty. */
VEU_CLONED void veu_texels_note(VeuThread *t, const VeuPlaced *texels,
                                unsigned lanes)
{
    const VeuExtent *e = texels->extent;
    uint64_t bytes = texels->surface->bytes;

    if (!e->noted || (bytes <= VEU_SMALL_BYTES &&
                      veu_mem_is_noted(t->mem, e, texels->host, bytes))) {
        return;
    }
    if (bytes <= VEU_SMALL_BYTES && veu_texels_are_all_live(texels, lanes)) {
        veu_mem_list_all(t->mem, e, texels->host, bytes);
        veu_texels_note_all(texels, lanes);
    } else {
        VEU_FOR_EACH_LANE(lane, texels->live) {
            veu_mem_note(t->mem, e, texels->host + texels->offset[lane], 1);
        }
    }
}

#endif
