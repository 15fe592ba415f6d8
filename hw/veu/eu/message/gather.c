/*
 * veu execution unit: messages with an element per lane: GATHER, SCATTER, their
 * SCALED forms, QW_GATHER and QW_SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/buffer.h"

#define MAX_ELEMENT_BYTES 8

/* A lane takes a dword or a qword in registers. */
static unsigned lane_bytes(const VeuMessage *m)
{
    return m->element_bytes < 4 ? 4 : m->element_bytes;
}

/* The upper bytes of elements of less than a dword are undefined. */
static void write_lane(VeuThread *t, const VeuMessage *m, unsigned lane,
                       const uint8_t *element)
{
    uint8_t *to = t->registers + m->data.register_byte;
    uint8_t value[MAX_ELEMENT_BYTES];

    if (!m->data.null) {
        memset(value, t->config->undefined, sizeof(value));
        memcpy(value, element, m->element_bytes);
        if (lane_bytes(m) == 8) {
            memcpy(to + lane * 8, value, 8);
        } else {
            memcpy(to + lane * 4, value, 4);
        }
    }
}

bool veu_execute_gather(VeuThread *t, const VeuMessage *m)
{
    static const uint8_t zero[MAX_ELEMENT_BYTES];
    uint8_t element[VEU_MAX_LANES][MAX_ELEMENT_BYTES];
    VeuPlan plan;

    if (!veu_plan_elements(t, m, &plan)) {
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

static uint64_t lane_data(const VeuThread *t, const VeuMessage *m,
                          unsigned lane)
{
    return lane_bytes(m) == 8 ? veu_lane_qword(t, &m->data, lane) :
                                veu_lane_dword(t, &m->data, lane);
}

/* If lanes collide the highest one wins, because they are stored in order. */
bool veu_execute_scatter(VeuThread *t, const VeuMessage *m)
{
    VeuPlan plan;

    if (!veu_plan_elements(t, m, &plan)) {
        return false;
    }
    veu_check_collisions(t, &plan);
    VEU_FOR_EACH_LANE(lane, plan.live) {
        uint64_t element = lane_data(t, m, lane);

        veu_span_store(&plan.span[lane], (const uint8_t *)&element, 0,
                       m->element_bytes);
    }
    return veu_plan_finish(t, &plan, m->element_bytes);
}
