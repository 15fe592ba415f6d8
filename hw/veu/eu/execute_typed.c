/*
 * veu execution unit: SCATTER4_TYPED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/lanes.h"
#include "veu/program.h"

/* The register type that a format wants: semantics, section 5. */
static uint8_t register_type(const VeuFormat *format)
{
    switch (format->channels[0].type) {
    case VEU_CHANNEL_SINT:
        return VEU_TYPE_D;
    case VEU_CHANNEL_UINT:
        return VEU_TYPE_UD;
    default:
        return VEU_TYPE_F;
    }
}

/* Compilers store integers through F registers: a fault only on request. */
static bool check_register_type(VeuThread *t, const VeuMessage *m,
                                const VeuSurface *s)
{
    if (m->data.null || m->data.type == register_type(s->format)) {
        return true;
    }
    if (t->config->strict_types) {
        return veu_fault_form(&t->fault, VEU_FAULT_REGISTER_TYPE, 0);
    }
    veu_break_contract(t, VEU_CONTRACT_REGISTER_TYPE);
    return true;
}

static void plan_texels(VeuThread *t, const VeuMessage *m, const VeuSurface *s,
                        VeuPlan *plan)
{
    plan->live = 0;
    plan->outside = 0;
    VEU_FOR_EACH_LANE(lane, t->active) {
        VeuCoordinates at = {
            .u = veu_lane_dword(t, &m->address, lane),
            .v = veu_lane_dword(t, &m->v, lane),
            .r = veu_lane_dword(t, &m->r, lane),
            .lod = veu_lane_dword(t, &m->lod, lane),
        };
        VeuLaneAccess access = {
            .lane = lane,
            .element_bytes = s->format->bytes,
            .bytes = s->format->bytes,
            .access = m->info->access,
        };

        if (veu_surface_texel(s, &at, &access.address)) {
            veu_plan_memory(t, plan, &access);
        } else {
            veu_plan_outside(t, plan, &access);
        }
    }
}

/* Stores the chosen channels as exactly their bytes; the texel is not read. */
static void store_texel(const VeuThread *t, const VeuMessage *m,
                        const VeuFormat *format, const unsigned first[4],
                        unsigned lane, const VeuSpan *span)
{
    uint32_t byte = 0;

    for (unsigned i = 0; i < 4 && format->channels[i].bits; i++) {
        const VeuChannel *channel = &format->channels[i];
        uint32_t bytes = channel->bits / 8;

        if (m->channels & (1u << channel->name)) {
            uint32_t from = veu_lane_dword(t, &m->data,
                                           first[channel->name] + lane);
            uint32_t packed = veu_channel_pack(channel, from);

            veu_span_store(span, (const uint8_t *)&packed, byte, bytes);
        }
        byte += bytes;
    }
}

/* What a lane stores: the chosen channels that the format has. */
static uint32_t stored_bytes(const VeuMessage *m, const VeuFormat *format)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < 4; i++) {
        if (m->channels & (1u << format->channels[i].name)) {
            bits += format->channels[i].bits;
        }
    }
    return bits / 8;
}

bool veu_execute_scatter4_typed(VeuThread *t, const VeuMessage *m)
{
    const VeuSurface *s = veu_surface_image(t, m);
    unsigned first[4];
    VeuPlan plan;

    if (!s || !check_register_type(t, m, s)) {
        return false;
    }
    if (veu_surface_ignores(s, m)) {
        veu_break_contract(t, VEU_CONTRACT_UNUSED_OPERAND);
    }
    plan_texels(t, m, s, &plan);
    veu_check_collisions(t, &plan);
    veu_channel_lanes(m, first);
    VEU_FOR_EACH_LANE(lane, plan.live) {
        store_texel(t, m, s->format, first, lane, &plan.span[lane]);
    }
    return veu_plan_finish(t, &plan, stored_bytes(m, s->format));
}
