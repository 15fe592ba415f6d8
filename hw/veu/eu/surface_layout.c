/*
 * veu execution unit: where the texels of a surface are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface.h"

bool veu_surface_texel(const VeuSurface *s, const VeuCoordinates *at,
                       uint64_t *address)
{
    uint64_t offset = (uint64_t)at->u * s->format->bytes;

    if (at->u >= s->width) {
        return false;
    }
    /* One level so far: semantics, section 5, "LOD >= levels". */
    if (s->type != VEU_SURFACE_BUFFER && at->lod) {
        return false;
    }
    if (s->type == VEU_SURFACE_2D || s->type == VEU_SURFACE_3D) {
        if (at->v >= s->height) {
            return false;
        }
        offset += at->v * s->pitch;
    }
    if (s->type == VEU_SURFACE_3D) {
        if (at->r >= s->depth) {
            return false;
        }
        offset += at->r * s->slice_pitch;
    }
    *address = s->base + offset;
    return true;
}
