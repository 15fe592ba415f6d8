/*
 * veu execution unit: SVM GATHER, SVM SCATTER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/lanes.h"

/* 8 blocks of 8 bytes. */
#define MAX_LANE_BYTES 64

static bool plan_blocks(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
    if (m->blocks > 1 && m->lanes < 8) {
        veu_break_contract(t, VEU_CONTRACT_FEW_LANES);
    }
    plan->live = 0;
    plan->outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        VeuLaneAccess access = {
            .lane = lane,
            .element_bytes = m->element_bytes,
            .address = veu_lane_qword(t, &m->address, lane),
            .bytes = m->element_bytes * m->blocks,
            .access = m->info->access,
        };

        if (veu_lane_aligned(t, m, &access)) {
            veu_plan_memory(t, plan, &access);
        }
    }
    return !veu_plan_waits(t);
}

/*
 * The place of a lane's block @block in Data. Block j of lane i is element j *
 * lanes + i if blocks have 4 or 8 bytes. Blocks of 1 byte are contiguous for
 * each lane, padded to a dword.
 */
static uint8_t *block_data(const VeuThread *t, const VeuMessage *m,
                           unsigned lane, unsigned block)
{
    uint8_t *data = t->registers + m->data.register_byte;

    if (m->element_bytes == 1) {
        return data + lane * (m->blocks < 4 ? 4 : m->blocks) + block;
    }
    return data + (block * m->lanes + lane) * m->element_bytes;
}

static void write_blocks(VeuThread *t, const VeuMessage *m, unsigned lane,
                         const uint8_t *blocks)
{
    if (m->element_bytes == 1 && m->blocks < 4) {
        memset(block_data(t, m, lane, 0), t->config->undefined, 4);
    }
    for (unsigned j = 0; j < m->blocks; j++) {
        memcpy(block_data(t, m, lane, j), blocks + j * m->element_bytes,
               m->element_bytes);
    }
}

bool veu_execute_svm_gather(VeuThread *t, const VeuMessage *m)
{
    uint8_t blocks[VEU_MAX_LANES][MAX_LANE_BYTES];
    VeuPlan plan;

    if (!plan_blocks(t, m, &plan)) {
        return false;
    }
    VEU_FOR_EACH_LANE(lane, plan.live) {
        veu_span_load(&plan.span[lane], blocks[lane]);
    }
    if (!m->data.null) {
        VEU_FOR_EACH_LANE(lane, plan.live) {
            write_blocks(t, m, lane, blocks[lane]);
        }
    }
    return veu_plan_finish(t, &plan, m->element_bytes * m->blocks);
}

static void read_blocks(const VeuThread *t, const VeuMessage *m, unsigned lane,
                        uint8_t *blocks)
{
    for (unsigned j = 0; j < m->blocks; j++) {
        memcpy(blocks + j * m->element_bytes, block_data(t, m, lane, j),
               m->element_bytes);
    }
}

bool veu_execute_svm_scatter(VeuThread *t, const VeuMessage *m)
{
    uint8_t blocks[MAX_LANE_BYTES] = { 0 };
    VeuPlan plan;

    if (!plan_blocks(t, m, &plan)) {
        return false;
    }
    veu_check_collisions(t, &plan);
    VEU_FOR_EACH_LANE(lane, plan.live) {
        if (!m->data.null) {
            read_blocks(t, m, lane, blocks);
        }
        veu_span_store(&plan.span[lane], blocks, 0,
                       m->element_bytes * m->blocks);
    }
    return veu_plan_finish(t, &plan, m->element_bytes * m->blocks);
}
