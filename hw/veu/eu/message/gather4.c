/*
 * veu execution unit: GATHER4_SCALED, SCATTER4_SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/buffer.h"
#include "hw/veu/eu/message/channels.h"

/* Each dword is in or out of bounds by itself, so a prefix of them is in. */
static unsigned channels_inside(const VeuMessage *m, const VeuRange *range,
                                uint64_t offset)
{
    uint64_t left = offset < range->bytes ? range->bytes - offset : 0;
    unsigned dwords = left < 16 ? left / 4 : 4;

    return m->channels & ((1u << dwords) - 1);
}

static void plan_lane(VeuThread *t, const VeuMessage *m,
                      const VeuBuffer *buffer, unsigned lane,
                      VeuChannelPlan *plan)
{
    uint32_t offset = veu_buffer_offset(t, buffer,
                                        veu_buffer_index(t, m, buffer, lane));
    unsigned inside = channels_inside(m, &buffer->range, offset);
    VeuLaneAccess access =
        veu_channel_access(m, lane, inside ? inside : m->channels, offset);

    plan->moved[lane] = inside;
    veu_plan_buffer(t, m, buffer, &access, &plan->plan);
}

static bool plan_lanes(VeuThread *t, const VeuMessage *m, VeuChannelPlan *plan)
{
    VeuBuffer buffer;

    plan->plan.live = 0;
    plan->plan.outside = 0;
    if (!veu_buffer_open(t, m, &buffer)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        plan_lane(t, m, &buffer, lane, plan);
    }
    return !veu_plan_waits(t);
}

bool veu_execute_gather4_scaled(VeuThread *t, const VeuMessage *m)
{
    VeuChannelPlan plan;

    return plan_lanes(t, m, &plan) && veu_load_channels(t, m, &plan);
}

bool veu_execute_scatter4_scaled(VeuThread *t, const VeuMessage *m)
{
    VeuChannelPlan plan;

    return plan_lanes(t, m, &plan) && veu_store_channels(t, m, &plan);
}
