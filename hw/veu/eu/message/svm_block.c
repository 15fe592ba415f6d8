/*
 * veu execution unit: SVM BLOCK_LD, SVM BLOCK_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/lanes.h"

/* 8 owords. */
#define MAX_BLOCK_BYTES 128

/* The bytes up to 2^64 if an oword crosses it, else 0. */
static uint32_t bytes_to_crossing(const VeuLaneAccess *access)
{
    uint64_t to_end = -access->address;

    return to_end < access->bytes && to_end % access->element_bytes ? to_end :
                                                                      0;
}

/*
 * Such a block faults (semantics.md, section 3), unless an oword before it
 * does.
 */
static void fault_crossing(VeuThread *t, const VeuLaneAccess *access,
                           uint32_t to_end)
{
    unsigned oword = to_end / access->element_bytes;
    VeuSpan span;

    if (oword &&
        !veu_mem_span(t->mem, access->address, oword * access->element_bytes,
                      access->access, &span)) {
        oword = span.piece_bytes[0] / access->element_bytes;
    }
    veu_fault_lane(t, VEU_FAULT_ADDRESS, access, oword);
}

/* Plans the owords of the message, as those of one lane. */
static bool plan_block(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    uint32_t to_end;
    VeuLaneAccess access = {
        .element_bytes = m->element_bytes,
        .bytes = m->element_bytes * m->blocks,
        .access = m->info->access,
    };

    plan->live = 0;
    if (!veu_scalar_value(t, &m->global_offset, &access.address)) {
        return false;
    }
    if (!veu_lane_aligned(t, m, &access)) {
        return false;
    }
    to_end = bytes_to_crossing(&access);
    if (to_end) {
        fault_crossing(t, &access, to_end);
    } else {
        veu_plan_memory(t, plan, &access);
    }
    return plan->live;
}

bool veu_execute_svm_block_ld(VeuThread *t, const VeuMessage *m)
{
    uint8_t block[MAX_BLOCK_BYTES];
    uint32_t bytes = m->element_bytes * m->blocks;
    VeuPlan plan;

    if (!plan_block(t, m, &plan)) {
        return false;
    }
    veu_span_load(&plan.span[0], block);
    if (!m->data.null) {
        memcpy(t->registers + m->data.register_byte, block, bytes);
    }
    return veu_plan_finish(t, &plan, bytes);
}

bool veu_execute_svm_block_st(VeuThread *t, const VeuMessage *m)
{
    uint8_t block[MAX_BLOCK_BYTES] = { 0 };
    uint32_t bytes = m->element_bytes * m->blocks;
    VeuPlan plan;

    if (!plan_block(t, m, &plan)) {
        return false;
    }
    if (!m->data.null) {
        memcpy(block, t->registers + m->data.register_byte, bytes);
    }
    veu_span_store(&plan.span[0], block, 0, bytes);
    return veu_plan_finish(t, &plan, bytes);
}
