/*
 * veu execution unit: where the lanes of typed messages go.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_TEXELS_H
#define VEU_EU_TEXELS_H

#include "hw/veu/eu/message/lanes.h"

/* A texel of each lane, by its U, V, R and LOD. */
void veu_plan_texels(VeuThread *thread, const VeuMessage *message,
                     const VeuSurface *surface, VeuPlan *plan);

#endif
