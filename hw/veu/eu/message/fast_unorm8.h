/*
 * veu execution unit: texels of four channels of 8 bits, with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The most common texels are UNORM in a dword: R8G8B8A8 and B8G8R8A8. Messages
 * that access all their channels, in a flat surface in one extent, are executed
 * in loops of their own: no message that follows closely has to ask for its
 * format, and none is refused.
 */
#ifndef VEU_EU_FAST_UNORM8_H
#define VEU_EU_FAST_UNORM8_H

#include "hw/veu/eu/message/fast_avx512_texels.h"
#include "hw/veu/eu/surface/format_pack.h"
#include "hw/veu/eu/surface/format_unpack.h"

#ifdef VEU_HAS_AVX2

/* Returns true if @m, whose surface is @texels, suits the loops. */
VEU_AVX512 bool veu_texels_are_unorm8(const VeuThread *t, const VeuMessage *m,
                                      const VeuPlaced *texels)
{
    const VeuLaneCoordinates at = veu_texel_operands(t, m);
    const VeuSurface *s = texels->surface;
    const VeuChannel *c = s->format->channels;

    return texels->extent && m->channels == 0xf && s->runs->count == 4 &&
           c->bits == 8 && c->type == VEU_CHANNEL_UNORM &&
           veu_avx512_is_flat(s, &at);
}

/* Executes a message that suits, and those that follow it closely. */
VEU_AVX512 bool veu_write_unorm8(VeuThread *t, const VeuMessage *m,
                                 unsigned lanes, VeuPlaced *texels)
{
    const VeuChannel *c = texels->surface->format->channels;
    VeuFollow f = veu_follow_open(t, m);
    VEU_ALIGNED_LANES uint32_t dwords[VEU_TYPED_LANES];
    unsigned moved = 0;

    do {
        const VeuPackSource from = { veu_channel_data(t, f.m, 0),
                                     f.m->first_lane };

        veu_find_lanes(t, f.m, lanes, veu_avx512_place_flat, texels);
        pack_unorm_4(c, true, from, lanes, dwords);
        veu_texels_note(t, texels, lanes);
        veu_avx512_store_dwords(texels->host, texels->live, lanes,
                                texels->offset, dwords);
        moved += __builtin_popcount(texels->live);
    } while (veu_follow_closely(&f));
    return veu_follow_finish(t, m, f.m, moved * sizeof(uint32_t));
}

/*
 * Like veu_write_unorm8(). Lanes that are out of bounds read 0 and an alpha of
 * 1, which is the last channel of these formats.
 */
VEU_AVX512 bool veu_read_unorm8(VeuThread *t, const VeuMessage *m,
                                unsigned lanes, VeuPlaced *texels)
{
    const VeuChannel *c = texels->surface->format->channels;
    VeuFollow f = veu_follow_open(t, m);
    VEU_ALIGNED_LANES uint32_t dwords[VEU_TYPED_LANES];
    VEU_ALIGNED_LANES uint32_t values[VEU_TYPED_LANES];
    unsigned moved = 0;

    do {
        veu_find_lanes(t, f.m, lanes, veu_avx512_place_flat, texels);
        veu_avx512_load_dwords(texels->host, texels->live, lanes,
                               texels->offset, UINT32_C(0xff000000), dwords);
        VEU_UNROLL
        for (unsigned n = 0; n < 4; n++) {
            unpack_unorm8_one(dwords, 8, n * 8, lanes, values);
            veu_avx512_store_lanes(
                (uint8_t *)veu_channel_data(t, f.m, c[n].name), t->active,
                lanes, veu_avx512_load(values, lanes));
        }
        moved += __builtin_popcount(texels->live);
    } while (veu_follow_closely(&f));
    return veu_follow_finish(t, m, f.m, moved * sizeof(uint32_t));
}

#endif
#endif
