/*
 * veu execution unit: where the lanes of typed messages go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_TEXELS_H
#define VEU_EU_TEXELS_H

#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/surface/texel.h"

/* A texel of each lane, by its U, V, R and LOD. */
void veu_plan_texels(VeuThread *thread, const VeuMessage *message,
                     const VeuSurface *surface, VeuPlan *plan);

/* The texel at @at of one lane. */
void veu_plan_texel(VeuThread *thread, const VeuMessage *message,
                    const VeuSurface *surface, unsigned lane,
                    const VeuCoordinates *at, VeuPlan *plan);

/* The texels of the live lanes; zeroes for the others. */
void veu_load_texels(const VeuFormat *format, const VeuPlan *plan,
                     VeuTexels *texels);

/* What lanes read of a channel, inside of the surface. */
void veu_channel_values(const VeuFormat *format, const VeuTexels *texels,
                        unsigned name, uint32_t *values, unsigned lanes);

/* Puts a channel of @lanes into the registers. */
void veu_write_channel(VeuThread *thread, const VeuMessage *message,
                       unsigned name, const uint32_t *values, uint32_t lanes);

/*
 * The end of a message that reads: the chosen channels of live lanes and of
 * lanes outside into the registers. All texels are loaded before a register is
 * written.
 */
bool veu_read_texels(VeuThread *thread, const VeuMessage *message,
                     const VeuFormat *format, const VeuPlan *plan);

#endif
