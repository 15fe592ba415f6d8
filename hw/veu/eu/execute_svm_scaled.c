/*
 * veu execution unit: SVM GATHER4SCALED, SVM SCATTER4SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A lane's span goes from its lowest enabled channel to its highest. It is
 * aligned to dwords, so a page that it touches holds an enabled channel, and
 * nothing is asked of pages that hold none.
 */
#include <string.h>
#include "hw/veu/eu/lanes.h"

static unsigned lowest(const VeuMessage *m)
{
    return __builtin_ctz(m->channels);
}

static unsigned highest(const VeuMessage *m)
{
    return 31 - __builtin_clz(m->channels);
}

/* The first enabled channel from @channel on. */
static unsigned enabled_from(const VeuMessage *m, unsigned channel)
{
    return __builtin_ctz(m->channels >> channel << channel);
}

/* @lane_access: at the address of channel R. */
static void plan_lane(VeuThread *t, const VeuMessage *m, VeuPlan *plan,
                      const VeuLaneAccess *lane_access)
{
    VeuSpan *span = &plan->span[lane_access->lane];
    VeuLaneAccess access = *lane_access;

    access.address += 4 * lowest(m);
    if (veu_mem_span(t->mem, access.address, access.bytes, access.access,
                     span)) {
        plan->live |= 1u << access.lane;
        veu_observe(t, &access, VEU_LANE_MEMORY, span);
    } else {
        veu_fault_lane(t, VEU_FAULT_ADDRESS, lane_access,
                       enabled_from(m, lowest(m) + span->piece_bytes[0] / 4));
    }
}

/* Modulo 2^64, so that negative offsets work: semantics, section 3. */
static bool plan_channels(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    uint64_t base;

    plan->live = 0;
    if (!veu_scalar_value(t, &m->global_offset, &base)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        VeuLaneAccess access = {
            .lane = lane,
            .element_bytes = 4,
            .address = base + veu_lane_qword(t, &m->address, lane),
            .bytes = 4 * (highest(m) - lowest(m) + 1),
            .access = m->info->access,
        };

        if (veu_lane_aligned(t, m, &access)) {
            plan_lane(t, m, plan, &access);
        }
    }
    return true;
}

static uint32_t lane_bytes(const VeuMessage *m)
{
    return 4 * __builtin_popcount(m->channels);
}

bool veu_execute_svm_gather4scaled(VeuThread *t, const VeuMessage *m)
{
    uint32_t dwords[VEU_MAX_LANES][4];
    unsigned first[4];
    VeuPlan plan;

    if (!plan_channels(t, m, &plan)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, plan.live) {
        veu_span_load(&plan.span[lane], (uint8_t *)&dwords[lane][lowest(m)]);
    }
    veu_channel_lanes(m, first);
    if (!m->data.null) {
        uint8_t *data = t->registers + m->data.register_byte;

        VEU_FOR_EACH_LANE(c, m->channels) {
            VEU_FOR_EACH_LANE(lane, plan.live) {
                memcpy(data + (first[c] + lane) * 4, &dwords[lane][c], 4);
            }
        }
    }
    return veu_plan_finish(t, &plan, lane_bytes(m));
}

/* Disabled channels keep their bytes, which may be somebody else's. */
bool veu_execute_svm_scatter4scaled(VeuThread *t, const VeuMessage *m)
{
    unsigned first[4];
    VeuPlan plan;

    if (!plan_channels(t, m, &plan)) {
        return false;
    }
    veu_check_collisions(t, &plan);
    veu_channel_lanes(m, first);
    VEU_FOR_EACH_LANE(lane, plan.live) {
        VEU_FOR_EACH_LANE(c, m->channels) {
            uint32_t dword = veu_lane_dword(t, &m->data, first[c] + lane);

            veu_span_store(&plan.span[lane], (const uint8_t *)&dword,
                           (c - lowest(m)) * 4, 4);
        }
    }
    return veu_plan_finish(t, &plan, lane_bytes(m));
}
