/*
 * veu execution unit: the rules of a surface descriptor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_DESCRIPTOR_H
#define VEU_EU_DESCRIPTOR_H

#include "hw/veu/eu/surface/surface.h"

/* Returns NULL if there is no such type, or no arrays of it. */
const VeuShape *veu_shape_find(uint8_t type, bool array);

/* Checks @from; *detail is the offset of the illegal field. */
bool veu_surface_decode(const struct veu_surface *from, VeuSurface *surface,
                        uint32_t *detail);

#endif
