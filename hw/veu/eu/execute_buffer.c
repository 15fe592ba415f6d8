/*
 * veu execution unit: GATHER, GATHER_SCALED, SCATTER_SCALED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/guest_copy.h"
#include "hw/veu/eu/lanes.h"

/* Byte offset of a lane's element: semantics, section 3. */
static uint64_t element_offset(const VeuThread *t, const VeuMessage *m,
                               uint32_t global, unsigned lane)
{
    /* The sum wraps once, at 2^32; what follows is in 64 bits. */
    uint32_t index = global + veu_lane_dword(t, &m->address, lane);

    return m->info->unit == VEU_UNIT_ELEMENT ?
               (uint64_t)index * m->element_bytes :
               index;
}

/* An element is in or out of bounds as a whole. */
static bool plan_elements(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    uint64_t global;
    VeuRange range;

    if (!veu_surface_range(t, m, &range) ||
        !veu_scalar_value(t, &m->global_offset, &global)) {
        return false;
    }
    plan->live = 0;
    plan->outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t offset = element_offset(t, m, global, lane);
        VeuLaneAccess access = {
            .lane = lane,
            .element_bytes = m->element_bytes,
            .address = range.base + offset,
            .bytes = m->element_bytes,
            .access = m->info->access,
        };

        if (offset + m->element_bytes > range.bytes) {
            veu_plan_outside(t, plan, &access);
        } else if (range.slm) {
            veu_plan_slm(t, plan, &access, range.slm + offset);
        } else {
            veu_plan_memory(t, plan, &access);
        }
    }
    return true;
}

/* A dword per lane; the upper bytes of shorter elements are undefined. */
static void write_lane(VeuThread *t, const VeuMessage *m, unsigned lane,
                       const uint8_t *element)
{
    uint8_t dword[4];

    if (!m->data.null) {
        memset(dword, t->config->undefined, sizeof(dword));
        memcpy(dword, element, m->element_bytes);
        memcpy(t->registers + m->data.register_byte + lane * 4, dword, 4);
    }
}

bool veu_execute_gather(VeuThread *t, const VeuMessage *m)
{
    static const uint8_t zero[4];
    uint8_t element[VEU_MAX_LANES][4];
    VeuPlan plan;

    if (!plan_elements(t, m, &plan)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, plan.live) {
        veu_span_load(&plan.span[lane], element[lane]);
    }
    VEU_FOR_EACH_LANE(lane, plan.live) {
        write_lane(t, m, lane, element[lane]);
    }
    VEU_FOR_EACH_LANE(lane, plan.outside) {
        write_lane(t, m, lane, zero);
    }
    return veu_plan_finish(t, &plan, m->element_bytes);
}

/* Where lanes collide the highest one wins: they are stored in order. */
bool veu_execute_scatter(VeuThread *t, const VeuMessage *m)
{
    VeuPlan plan;

    if (!plan_elements(t, m, &plan)) {
        return false;
    }
    veu_check_collisions(t, &plan);
    VEU_FOR_EACH_LANE(lane, plan.live) {
        uint32_t dword = veu_lane_dword(t, &m->data, lane);

        veu_span_store(&plan.span[lane], (const uint8_t *)&dword, 0,
                       m->element_bytes);
    }
    return veu_plan_finish(t, &plan, m->element_bytes);
}
