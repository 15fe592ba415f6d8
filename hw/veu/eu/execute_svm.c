/*
 * veu execution unit: SVM GATHER.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/lanes.h"

/* 8 blocks of 8 bytes. */
#define MAX_LANE_BYTES 64

static void plan_blocks(VeuThread *t, const VeuMessage *m, VeuPlan *plan)
{
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

        if (access.address % m->element_bytes) {
            veu_fault_lane(t, VEU_FAULT_ALIGNMENT, &access, 0);
        } else {
            veu_plan_memory(t, plan, &access);
        }
    }
}

/* Blocks of 4 and 8 bytes: block j of lane i is element j * lanes + i. */
static void write_blocks(VeuThread *t, const VeuMessage *m, unsigned lane,
                         const uint8_t *blocks)
{
    uint8_t *to = t->registers + m->data.register_byte;

    for (unsigned j = 0; j < m->blocks; j++) {
        memcpy(to + (j * m->lanes + lane) * m->element_bytes,
               blocks + j * m->element_bytes, m->element_bytes);
    }
}

/* Blocks of 1 byte: a lane's stand together, padded to a dword. */
static void write_bytes(VeuThread *t, const VeuMessage *m, unsigned lane,
                        const uint8_t *blocks)
{
    unsigned stride = m->blocks < 4 ? 4 : m->blocks;
    uint8_t *to = t->registers + m->data.register_byte + lane * stride;

    memset(to, t->config->undefined, stride);
    memcpy(to, blocks, m->blocks);
}

bool veu_execute_svm_gather(VeuThread *t, const VeuMessage *m)
{
    uint8_t blocks[VEU_MAX_LANES][MAX_LANE_BYTES];
    VeuPlan plan;

    if (m->blocks > 1 && m->lanes < 8) {
        veu_break_contract(t, VEU_CONTRACT_FEW_LANES);
    }
    plan_blocks(t, m, &plan);
    VEU_FOR_EACH_LANE(lane, plan.live) {
        veu_span_load(&plan.span[lane], blocks[lane]);
    }
    if (!m->data.null) {
        VEU_FOR_EACH_LANE(lane, plan.live) {
            if (m->element_bytes == 1) {
                write_bytes(t, m, lane, blocks[lane]);
            } else {
                write_blocks(t, m, lane, blocks[lane]);
            }
        }
    }
    return veu_plan_finish(t, &plan, m->element_bytes * m->blocks);
}
