/*
 * veu execution unit: GATHER4_TYPED, SCATTER4_TYPED.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/message/texels.h"

/* Finds the surface, and the place of each lane. Returns NULL with a fault. */
static const VeuSurface *plan_message(VeuThread *t, const VeuMessage *m,
                                      VeuPlan *plan)
{
    const VeuSurface *s = veu_surface_typed(t, m);

    if (!s ||
        !veu_check_type(t, &m->data, veu_format_register_type(s->format))) {
        return NULL;
    }
    veu_plan_texels(t, m, s, plan);
    return veu_plan_waits(t) ? NULL : s;
}

/* First byte of a channel's data in the registers. */
static uint32_t data_byte(const VeuMessage *m, unsigned channel)
{
    return m->data.register_byte + m->first_lane[channel] * m->element_bytes;
}

/* Packs the chosen channels of all lanes; all other bits are 0. */
static void pack_texels(const VeuThread *t, const VeuMessage *m,
                        const VeuFormat *format, VeuTexels *texels)
{
    uint32_t values[VEU_MAX_LANES] = { 0 };

    memset(texels, 0, sizeof(*texels));
    VEU_FOR_EACH_CHANNEL(channel, format) {
        if (!(m->channels & (1u << channel->name))) {
            continue;
        }
        if (!m->data.null) {
            memcpy(values, t->registers + data_byte(m, channel->name),
                   m->lanes * 4);
        }
        veu_texels_pack(texels, channel, values, m->lanes);
    }
}

/* Stores the bytes of a texel that @written names, without reading it. */
static void store_bytes(const VeuSpan *span, uint32_t bytes,
                        const uint8_t *texel, const uint8_t *written)
{
    for (uint32_t from = 0, to; from < bytes; from = to) {
        for (to = from + 1; to < bytes && written[to] == written[from]; to++) {}
        if (written[from]) {
            veu_span_store(span, texel + from, from, to - from);
        }
    }
}

/*
 * Handles bits of a texel that are not whole bytes: the others must be
 * preserved.
 */
static void exchange_bits(const VeuSpan *span, uint32_t bytes, uint32_t texel,
                          uint32_t written)
{
    uint32_t old = 0;

    if (span->piece_bytes[1]) {
        /* Memory that ends within a texel exists only in tools. */
        veu_span_load(span, (uint8_t *)&old);
        texel |= old & ~written;
        veu_span_store(span, (const uint8_t *)&texel, 0, bytes);
    } else if (bytes == 2) {
        veu_guest_exchange16(span->piece[0], written, texel);
    } else {
        veu_guest_exchange32(span->piece[0], written, texel);
    }
}

static bool whole_bytes(const uint32_t bits[VEU_MAX_TEXEL_DWORDS])
{
    const uint8_t *byte = (const uint8_t *)bits;

    for (unsigned i = 0; i < VEU_MAX_TEXEL_BYTES; i++) {
        if (byte[i] != 0 && byte[i] != 0xff) {
            return false;
        }
    }
    return true;
}

/* Lanes are stored in order, so the last of those that collide wins. */
static void store_texels(VeuThread *t, const VeuMessage *m,
                         const VeuFormat *format, const VeuPlan *plan,
                         const uint32_t written[VEU_MAX_TEXEL_DWORDS])
{
    bool whole = whole_bytes(written);
    VeuTexels texels;

    pack_texels(t, m, format, &texels);
    VEU_FOR_EACH_LANE(lane, plan->live) {
        const VeuSpan *span = &plan->span[lane];
        uint8_t texel[VEU_MAX_TEXEL_BYTES];

        if (whole) {
            veu_texels_get(&texels, format, lane, texel);
            store_bytes(span, format->bytes, texel, (const uint8_t *)written);
        } else {
            exchange_bits(span, format->bytes, texels.dword[0][lane],
                          written[0]);
        }
    }
}

bool veu_execute_scatter4_typed(VeuThread *t, const VeuMessage *m)
{
    VeuPlan plan;
    const VeuSurface *s = plan_message(t, m, &plan);
    uint32_t written[VEU_MAX_TEXEL_DWORDS];
    uint32_t bytes;

    if (!s) {
        return false;
    }
    veu_format_bits(s->format, m->channels, written);
    bytes = veu_format_moved_bytes(s->format, m->channels);
    if (bytes) {
        veu_check_collisions(t, &plan);
        store_texels(t, m, s->format, &plan, written);
    }
    return veu_plan_finish(t, &plan, bytes);
}

void veu_load_texels(const VeuFormat *format, const VeuPlan *plan,
                     VeuTexels *texels)
{
    uint8_t texel[VEU_MAX_TEXEL_BYTES];

    memset(texels, 0, sizeof(*texels));
    VEU_FOR_EACH_LANE(lane, plan->live) {
        veu_span_load(&plan->span[lane], texel);
        veu_texels_put(texels, format, lane, texel);
    }
}

void veu_channel_values(const VeuFormat *format, const VeuTexels *texels,
                        unsigned name, uint32_t *values, unsigned lanes)
{
    const VeuChannel *channel = veu_format_channel(format, name);

    if (channel) {
        veu_texels_unpack(texels, channel, values, lanes);
        return;
    }
    for (unsigned i = 0; i < lanes; i++) {
        values[i] = veu_format_default(format, name);
    }
}

/* A float becomes a half, rounded to nearest even; an integer, its low bits. */
static void make_halves(const VeuFormat *format, uint32_t *values,
                        unsigned lanes)
{
    static const VeuChannel half = { .bits = 16, .type = VEU_CHANNEL_FLOAT };

    if (veu_format_register_type(format) == VEU_TYPE_F) {
        veu_channel_pack(&half, values, values, lanes);
    }
}

void veu_write_channel(VeuThread *t, const VeuMessage *m,
                       const VeuFormat *format, unsigned name, uint32_t *values,
                       uint32_t lanes)
{
    uint8_t *to = t->registers + data_byte(m, name);

    if (m->element_bytes == 2) {
        make_halves(format, values, m->lanes);
    }
    VEU_FOR_EACH_LANE(lane, lanes) {
        memcpy(to + lane * m->element_bytes, &values[lane], m->element_bytes);
    }
}

static void read_channel(VeuThread *t, const VeuMessage *m,
                         const VeuFormat *format, const VeuTexels *texels,
                         const VeuPlan *plan, unsigned name)
{
    uint32_t values[VEU_MAX_LANES];

    /* Texels of lanes outside are zero bits, which is the border. */
    veu_channel_values(format, texels, name, values, m->lanes);
    if (m->info->outside == VEU_OUTSIDE_DEFAULT) {
        VEU_FOR_EACH_LANE(lane, plan->outside) {
            values[lane] = veu_format_default(format, name);
        }
    }
    veu_write_channel(t, m, format, name, values, plan->live | plan->outside);
}

bool veu_read_texels(VeuThread *t, const VeuMessage *m, const VeuFormat *format,
                     const VeuPlan *plan)
{
    VeuTexels texels;

    if (!m->data.null) {
        veu_load_texels(format, plan, &texels);
        for (unsigned name = 0; name < 4; name++) {
            if (m->channels & (1u << name)) {
                read_channel(t, m, format, &texels, plan, name);
            }
        }
    }
    return veu_plan_finish(t, plan,
                           veu_format_moved_bytes(format, m->channels));
}

bool veu_execute_gather4_typed(VeuThread *t, const VeuMessage *m)
{
    VeuPlan plan;
    const VeuSurface *s = plan_message(t, m, &plan);

    return s && veu_read_texels(t, m, s->format, &plan);
}
