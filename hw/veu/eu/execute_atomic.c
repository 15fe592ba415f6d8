/*
 * veu execution unit: DWORD_ATOMIC, SVM_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lanes that meet at one word are performed in ascending order. A word that is
 * aligned lies in one page, so a span has one piece.
 */
#include <string.h>
#include "hw/veu/eu/buffer.h"
#include "hw/veu/eu/execute_atomic.h"
#include "veu/program.h"

/* The page's notes: one type for all operands of an operation. */
static uint8_t register_type(const VeuMessage *m)
{
    static const uint8_t types[][2] = {
        [VEU_ATOMIC_UNSIGNED] = { VEU_TYPE_UD, VEU_TYPE_UQ },
        [VEU_ATOMIC_SIGNED] = { VEU_TYPE_D, VEU_TYPE_Q },
        [VEU_ATOMIC_FLOAT] = { VEU_TYPE_F, VEU_TYPE_DF },
    };

    return types[m->op->type][m->element_bytes == 8];
}

bool veu_atomic_check_types(VeuThread *t, const VeuMessage *m)
{
    uint8_t type = register_type(m);

    return veu_check_type(t, &m->src0, type) &&
           veu_check_type(t, &m->src1, type) &&
           veu_check_type(t, &m->data, type);
}

static uint64_t source(const VeuThread *t, const VeuMessage *m,
                       const VeuRaw *raw, unsigned lane)
{
    return m->element_bytes == 8 ? veu_lane_qword(t, raw, lane) :
                                   veu_lane_dword(t, raw, lane);
}

/* Operands of 16 bits are the low half of a dword; the rest is undefined. */
static void write_result(VeuThread *t, const VeuMessage *m, unsigned lane,
                         uint64_t result)
{
    unsigned bytes = m->element_bytes < 4 ? 4 : m->element_bytes;
    uint8_t value[8];

    memset(value, t->config->undefined, sizeof(value));
    memcpy(value, &result, m->element_bytes);
    memcpy(t->registers + m->data.register_byte + lane * bytes, value, bytes);
}

bool veu_atomic_perform_lanes(VeuThread *t, const VeuMessage *m,
                              const VeuPlan *plan)
{
    uint64_t results[VEU_MAX_LANES] = { 0 };

    VEU_FOR_EACH_LANE(lane, plan->live) {
        results[lane] = veu_atomic_perform(m->op, plan->span[lane].piece[0],
                                           m->element_bytes,
                                           source(t, m, &m->src0, lane),
                                           source(t, m, &m->src1, lane));
    }
    if (!m->data.null) {
        VEU_FOR_EACH_LANE(lane, plan->live | plan->outside) {
            write_result(t, m, lane, results[lane]);
        }
    }
    return veu_plan_finish(t, plan, m->element_bytes);
}

static VeuLaneAccess lane_access(const VeuMessage *m, unsigned lane,
                                 uint64_t address)
{
    return (VeuLaneAccess){
        .lane = lane,
        .element_bytes = m->element_bytes,
        .address = address,
        .bytes = m->element_bytes,
        .access = m->info->access,
    };
}

bool veu_execute_svm_atomic(VeuThread *t, const VeuMessage *m)
{
    VeuPlan plan;

    if (!veu_atomic_check_types(t, m)) {
        return false;
    }
    plan.live = 0;
    plan.outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        VeuLaneAccess access =
            lane_access(m, lane, veu_lane_qword(t, &m->address, lane));

        if (veu_lane_aligned(t, m, &access)) {
            veu_plan_memory(t, &plan, &access);
        }
    }
    return veu_atomic_perform_lanes(t, m, &plan);
}

/*
 * Both the offset and where it leads to are aligned: the page asks for the
 * one, the host's instructions for the other.
 */
static void plan_word(VeuThread *t, const VeuMessage *m,
                      const VeuBuffer *buffer, VeuLaneAccess *access,
                      VeuPlan *plan)
{
    if (buffer->range.base % m->align_bytes) {
        access->address += buffer->range.base;
        veu_fault_lane(t, VEU_FAULT_ALIGNMENT, access, 0);
    } else {
        veu_plan_buffer(t, m, buffer, access, plan);
    }
}

bool veu_execute_dword_atomic(VeuThread *t, const VeuMessage *m)
{
    VeuBuffer buffer;
    VeuPlan plan;

    if (!veu_buffer_open(t, m, &buffer) || !veu_atomic_check_types(t, m)) {
        return false;
    }
    plan.live = 0;
    plan.outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        VeuLaneAccess access =
            lane_access(m, lane, veu_buffer_index(t, m, &buffer, lane));

        plan_word(t, m, &buffer, &access, &plan);
    }
    return veu_atomic_perform_lanes(t, m, &plan);
}
