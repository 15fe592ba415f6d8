/*
 * veu execution unit: DWORD_ATOMIC, SVM_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lanes that access the same word are performed in ascending order. A word that
 * is aligned lies in one page, so a span has one piece.
 */
#include <string.h>
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/buffer.h"
#include "hw/veu/eu/message/atomic.h"
#include "veu/program.h"

/* All operands of an operation have one type: spec.md, "Atomics". */
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

/* The operand of lane 0. */
static const uint8_t *source(const VeuThread *t, const VeuRaw *raw)
{
    static const uint8_t zero[VEU_MAX_LANES * 8];

    return raw->null ? zero : t->registers + raw->register_byte;
}

/*
 * All results are known before the first is written, because the destination
 * may be an operand, too.
 */
static void write_results(VeuThread *t, const VeuMessage *m,
                          const VeuAtomicLanes *l, uint32_t lanes)
{
    unsigned bytes = m->element_bytes < 4 ? 4 : m->element_bytes;
    uint8_t *to = t->registers + m->data.register_byte;

    if (lanes == m->all_lanes) {
        memcpy(to, l->result, m->lanes * bytes);
        return;
    }
    VEU_FOR_EACH_LANE(lane, lanes) {
        memcpy(to + lane * bytes, l->result + lane * bytes, bytes);
    }
}

/* Returns zero for the lanes out of bounds. */
static void return_zero(const VeuMessage *m, VeuAtomicLanes *l,
                        uint32_t outside)
{
    unsigned bytes = m->element_bytes < 4 ? 4 : m->element_bytes;
    uint64_t result = bytes > m->element_bytes ? l->undefined << 16 : 0;

    VEU_FOR_EACH_LANE(lane, outside) {
        memcpy(l->result + lane * bytes, &result, bytes);
    }
}

uint32_t veu_atomic_perform_lanes(VeuThread *t, const VeuMessage *m,
                                  VeuAtomicLanes *l, uint32_t outside)
{
    l->undefined = t->config->undefined * UINT32_C(0x0101);
    l->src0 = source(t, &m->src0);
    l->src1 = source(t, &m->src1);
    m->op->perform(l, m->element_bytes);
    return_zero(m, l, outside);
    if (!m->data.null) {
        write_results(t, m, l, l->live | outside);
    }
    return veu_lane_count(l->live) * m->element_bytes;
}

bool veu_atomic_perform_plan(VeuThread *t, const VeuMessage *m,
                             const VeuPlan *plan)
{
    VeuAtomicLanes lanes;

    if (veu_plan_waits(t)) {
        return false;
    }
    lanes.live = plan->live;
    VEU_FOR_EACH_LANE(lane, plan->live) {
        lanes.at[lane] = plan->span[lane].piece[0];
    }
    return veu_finish(t, veu_atomic_perform_lanes(t, m, &lanes, plan->outside));
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
        .is_atomic = true,
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
    return veu_atomic_perform_plan(t, m, &plan);
}

/*
 * Both the offset and the resulting address must be aligned: spec.md requires
 * the former, the host's instructions the latter.
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
        uint32_t offset = veu_buffer_index(t, m, &buffer, lane);
        VeuLaneAccess access =
            lane_access(m, lane, veu_buffer_offset(t, &buffer, offset));

        plan_word(t, m, &buffer, &access, &plan);
    }
    return veu_atomic_perform_plan(t, m, &plan);
}
