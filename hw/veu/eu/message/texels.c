/*
 * veu execution unit: the places of the lanes of typed messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/surface/texel.h"
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/texels.h"

void veu_plan_texel(VeuThread *t, const VeuMessage *m, const VeuSurface *s,
                    unsigned lane, const VeuCoordinates *at, VeuPlan *plan)
{
    VeuLaneAccess access = {
        .lane = lane,
        .element_bytes = s->format->bytes,
        .bytes = s->format->bytes,
        .access = m->info->access,
        .is_atomic = m->op,
    };

    if (veu_surface_texel(s, at, &access.address)) {
        veu_plan_memory(t, plan, &access);
    } else {
        veu_plan_outside(t, plan, &access);
    }
}

void veu_plan_texels(VeuThread *t, const VeuMessage *m, const VeuSurface *s,
                     VeuPlan *plan)
{
    if (veu_surface_ignores(s, m)) {
        veu_break_contract(t, VEU_CONTRACT_UNUSED_OPERAND);
    }
    plan->live = 0;
    plan->outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        VeuCoordinates at = {
            .u = veu_lane_dword(t, &m->address, lane),
            .v = veu_lane_dword(t, &m->v, lane),
            .r = veu_lane_dword(t, &m->r, lane),
            .lod = veu_lane_dword(t, &m->lod, lane),
        };

        veu_plan_texel(t, m, s, lane, &at, plan);
    }
}
