/*
 * veu execution unit: the places of the lanes of typed messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_TEXELS_H
#define VEU_EU_TEXELS_H

#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/surface/texel.h"

/* Plans a texel for each lane, by its U, V, R and LOD. */
void veu_plan_texels(VeuThread *thread, const VeuMessage *message,
                     const VeuSurface *surface, VeuPlan *plan);

/* Plans the texel at @at for one lane. */
void veu_plan_texel(VeuThread *thread, const VeuMessage *message,
                    const VeuSurface *surface, unsigned lane,
                    const VeuCoordinates *at, VeuPlan *plan);

/* Loads the texels of the live lanes; those of the others are zero. */
void veu_load_texels(const VeuFormat *format, const VeuPlan *plan,
                     VeuTexels *texels);

/* The values that lanes read from a channel inside the surface. */
void veu_channel_values(const VeuFormat *format, const VeuTexels *texels,
                        unsigned name, uint32_t *values, unsigned lanes);

/* Puts a channel of @lanes into the registers. @values may be overwritten. */
void veu_write_channel(VeuThread *thread, const VeuMessage *message,
                       const VeuFormat *format, unsigned name, uint32_t *values,
                       uint32_t lanes);

/*
 * Ends a message that reads: writes the chosen channels of live lanes and of
 * lanes outside to the registers. All texels are loaded before any register is
 * written.
 */
bool veu_read_texels(VeuThread *thread, const VeuMessage *message,
                     const VeuFormat *format, const VeuPlan *plan);

#endif
