/*
 * veu execution unit: surfaces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_SURFACE_H
#define VEU_EU_SURFACE_H

#include "hw/veu/eu/format.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message.h"
#include "veu/surface.h"

/* A descriptor that has been checked. */
typedef struct VeuSurface {
    uint64_t base;
    uint64_t bytes; /* a buffer's size */
    const VeuFormat *format;
    uint8_t type; /* enum veu_surface_type */
    bool slm;
    uint32_t width;
    uint32_t height;
    uint32_t depth;
    uint64_t pitch;
    uint64_t slice_pitch; /* bytes */
} VeuSurface;

typedef struct VeuSurfaceTable {
    uint32_t count;
    VeuSurface surface[VEU_LIMIT_SURFACES];
} VeuSurfaceTable;

/* Memory that an untyped message may access: [0, bytes) from base. */
typedef struct VeuRange {
    uint64_t base; /* with slm: offset of the range in it */
    uint64_t bytes;
    uint8_t *slm; /* NULL: base is an address in guest memory */
} VeuRange;

/* Texel coordinates of a lane; those that do not apply are not looked at. */
typedef struct VeuCoordinates {
    uint32_t u;
    uint32_t v;
    uint32_t r;
    uint32_t lod;
} VeuCoordinates;

/* Checks @from; *detail is the offset of the field that is wrong. */
bool veu_surface_decode(const struct veu_surface *from, VeuSurface *surface,
                        uint32_t *detail);

/* The memory behind surface id @message->surface; false with a fault. */
bool veu_surface_range(VeuThread *thread, const VeuMessage *message,
                       VeuRange *range);

/* The image, or typed buffer, that a typed message names. */
const VeuSurface *veu_surface_image(VeuThread *thread,
                                    const VeuMessage *message);

/* Address of a texel; false where it is out of bounds. */
bool veu_surface_texel(const VeuSurface *surface, const VeuCoordinates *at,
                       uint64_t *address);

#endif
