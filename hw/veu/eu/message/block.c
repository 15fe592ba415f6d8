/*
 * veu execution unit: OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They have no lanes; a fault record reports lane 0, and the oword as element.
 */
#include <string.h>
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/buffer.h"

#define OWORD_BYTES 16
#define MAX_BYTES   (16 * OWORD_BYTES)

static uint32_t block_bytes(const VeuMessage *m)
{
    return m->blocks * OWORD_BYTES;
}

static uint64_t block_offset(const VeuMessage *m, const VeuBuffer *buffer)
{
    return m->info->unit == VEU_UNIT_OWORD ?
               (uint64_t)buffer->global * OWORD_BYTES :
               buffer->global;
}

/* @inside_bytes: the part of the block that is moved. */
static bool plan_block(VeuThread *t, const VeuMessage *m, VeuPlan *plan,
                       uint32_t *inside_bytes)
{
    VeuBuffer buffer;
    VeuLaneAccess access = {
        .element_bytes = OWORD_BYTES,
        .access = m->info->access,
    };

    plan->live = 0;
    plan->outside = 0;
    if (!veu_buffer_open(t, m, &buffer)) {
        return false;
    }
    access.address = veu_buffer_offset(t, &buffer, block_offset(m, &buffer));
    *inside_bytes = veu_owords_inside(buffer.range.bytes, access.address,
                                      block_bytes(m));
    access.bytes = *inside_bytes ? *inside_bytes : block_bytes(m);
    veu_plan_buffer(t, m, &buffer, &access, plan);
    return !veu_plan_waits(t);
}

bool veu_execute_oword_ld(VeuThread *t, const VeuMessage *m)
{
    uint8_t block[MAX_BYTES] = { 0 };
    uint32_t inside_bytes;
    VeuPlan plan;

    if (!plan_block(t, m, &plan, &inside_bytes)) {
        return false;
    }
    if (plan.live) {
        veu_span_load(&plan.span[0], block);
    }
    if (!t->fault.code && !m->data.null) {
        memcpy(t->registers + m->data.register_byte, block, block_bytes(m));
    }
    return veu_plan_finish(t, &plan, inside_bytes);
}

bool veu_execute_oword_st(VeuThread *t, const VeuMessage *m)
{
    uint8_t block[MAX_BYTES] = { 0 };
    uint32_t inside_bytes;
    VeuPlan plan;

    if (!plan_block(t, m, &plan, &inside_bytes)) {
        return false;
    }
    if (!m->data.null) {
        memcpy(block, t->registers + m->data.register_byte, block_bytes(m));
    }
    if (plan.live) {
        veu_span_store(&plan.span[0], block, 0, inside_bytes);
    }
    return veu_plan_finish(t, &plan, inside_bytes);
}
