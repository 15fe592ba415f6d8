/*
 * veu execution unit: the places of lanes and blocks in a buffer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/buffer.h"

bool veu_buffer_open(VeuThread *t, const VeuMessage *m, VeuBuffer *buffer)
{
    uint64_t global;

    if (!veu_surface_range(t, m, &buffer->range) ||
        !veu_scalar_value(t, &m->global_offset, &global)) {
        return false;
    }
    buffer->global = global;
    return true;
}

void veu_plan_buffer(VeuThread *t, const VeuMessage *m, const VeuBuffer *buffer,
                     VeuLaneAccess *access, VeuPlan *plan)
{
    const VeuRange *range = &buffer->range;
    uint64_t offset = access->address;

    access->address = offset + range->base;
    if (m->align_bytes && offset % m->align_bytes) {
        veu_fault_lane(t, VEU_FAULT_ALIGNMENT, access, 0);
    } else if (offset + access->bytes > range->bytes) {
        veu_plan_outside(t, plan, access);
    } else if (range->slm) {
        veu_plan_slm(t, plan, access, range->slm + offset);
    } else {
        veu_plan_memory(t, plan, access);
    }
}

/* The byte offset of a lane's element. It is scaled and added in 64 bits. */
static uint64_t element_offset(const VeuThread *t, const VeuMessage *m,
                               const VeuBuffer *buffer, unsigned lane)
{
    uint32_t index = veu_buffer_index(t, m, buffer, lane);

    return m->info->unit == VEU_UNIT_ELEMENT ?
               (uint64_t)index * m->element_bytes :
               index;
}

bool veu_plan_elements(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    VeuBuffer buffer;

    plan->live = 0;
    plan->outside = 0;
    if (!veu_buffer_open(t, m, &buffer)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, t->active) {
        uint64_t offset = element_offset(t, m, &buffer, lane);
        VeuLaneAccess access = {
            .lane = lane,
            .element_bytes = m->element_bytes,
            .address = veu_buffer_offset(t, &buffer, offset),
            .bytes = m->element_bytes,
            .access = m->info->access,
        };

        veu_plan_buffer(t, m, &buffer, &access, plan);
    }
    return !veu_plan_waits(t);
}
