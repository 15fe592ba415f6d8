/*
 * veu execution unit: SVM GATHER4SCALED, SVM SCATTER4SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A lane's span is aligned to dwords, so each page that it touches holds an
 * enabled channel, and no page without one is accessed.
 */
#include "hw/veu/eu/message/channels.h"

/*
 * Addresses are modulo 2^64, so negative offsets work: semantics.md, section 3.
 */
static bool plan_channels(VeuThread *t, const VeuMessage *m,
                          VeuChannelPlan *plan)
{
    uint64_t base;

    plan->plan.live = 0;
    plan->plan.outside = 0;
    if (!veu_scalar_value(t, &m->global_offset, &base)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t address = base + veu_lane_qword(t, &m->address, lane);
        VeuLaneAccess access = veu_channel_access(m, lane, m->channels,
                                                  address);

        plan->moved[lane] = m->channels;
        if (veu_lane_aligned(t, m, &access)) {
            veu_plan_memory(t, &plan->plan, &access);
        }
    }
    return !veu_plan_waits(t);
}

bool veu_execute_svm_gather4scaled(VeuThread *t, const VeuMessage *m)
{
    VeuChannelPlan plan;

    return plan_channels(t, m, &plan) && veu_load_channels(t, m, &plan);
}

bool veu_execute_svm_scatter4scaled(VeuThread *t, const VeuMessage *m)
{
    VeuChannelPlan plan;

    return plan_channels(t, m, &plan) && veu_store_channels(t, m, &plan);
}
