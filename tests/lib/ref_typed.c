/*
 * veu tests: a second implementation: typed messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The loops of spec.md, gather4_typed and scatter4_typed; semantics.md,
 * section 5.
 */
#include <glib.h>
#include <string.h>
#include "tests/lib/ref_run.h"
#include "tests/lib/ref_surface.h"

const struct veu_surface *ref_find_image(RefRun *r)
{
    unsigned id = r->m->surface;
    const struct veu_surface *s;

    if (id == 0 || id == 5) {
        ref_form_fault(r, VEU_FAULT_SURFACE_KIND, 0);
    } else if (id < 6) {
        ref_form_fault(r, VEU_FAULT_SURFACE_NOT_MODELLED, 0);
    } else if (id - 6 >= r->t->surface_count) {
        ref_form_fault(r, VEU_FAULT_SURFACE_INDEX, 0);
    } else {
        s = &r->t->surfaces[id - 6];
        if (s->type != VEU_SURFACE_NULL && !(s->flags & VEU_SURFACE_SLM) &&
            s->format != VEU_FORMAT_RAW &&
            ref_format(s->format)->type != REF_SRGB) {
            return s;
        }
        ref_form_fault(r, VEU_FAULT_SURFACE_KIND, 0);
    }
    return NULL;
}

static bool type_fits(const RefMessage *m, const RefFormat *f)
{
    uint8_t wanted = f->type == REF_SINT ? VEU_TYPE_D :
                     f->type == REF_UINT ? VEU_TYPE_UD :
                                           VEU_TYPE_F;

    return m->data.null || m->data.type == wanted;
}

void ref_place_texels(RefRun *r, const struct veu_surface *s)
{
    const RefMessage *m = r->m;

    for (unsigned i = 0; i < m->lanes; i++) {
        if (!ref_lane_enabled(r->t, m, i)) {
            continue;
        }
        r->outside[i] = !ref_texel(s, ref_operand_dword(r, &m->address, i),
                                   ref_operand_dword(r, &m->v, i),
                                   ref_operand_dword(r, &m->r, i),
                                   ref_operand_dword(r, &m->lod, i),
                                   &r->address[i]);
        if (!r->outside[i]) {
            ref_check_lane(r, i, ref_texel_bytes(ref_format(s->format)));
        }
    }
}

/* Finds the format and the texel of each lane; returns NULL with a fault. */
static const RefFormat *place_texels(RefRun *r)
{
    const struct veu_surface *s = ref_find_image(r);
    const RefFormat *f = s ? ref_format(s->format) : NULL;

    if (!s) {
        return NULL;
    }
    if (r->t->strict_types && !type_fits(r->m, f)) {
        ref_form_fault(r, VEU_FAULT_REGISTER_TYPE, 0);
        return NULL;
    }
    ref_place_texels(r, s);
    return f;
}

/* Returns the bytes that hold a bit of the channel, as a number. */
static uint64_t window_at(const RefRun *r, const RefChannel *c, unsigned lane,
                          uint64_t *address, unsigned *bytes)
{
    *address = r->address[lane] + c->bit / 8;
    *bytes = (c->bit % 8 + c->bits + 7) / 8;
    return ref_load(r, *address, *bytes);
}

static uint32_t get_code(const RefRun *r, const RefChannel *c, unsigned lane)
{
    uint64_t address;
    unsigned bytes;
    uint64_t window = window_at(r, c, lane, &address, &bytes);

    return (window >> c->bit % 8) % (UINT64_C(1) << c->bits);
}

static void put_code(const RefRun *r, const RefChannel *c, unsigned lane,
                     uint64_t code)
{
    uint64_t address;
    unsigned bytes;
    uint64_t window = window_at(r, c, lane, &address, &bytes);
    uint64_t old = (window >> c->bit % 8) % (UINT64_C(1) << c->bits);

    ref_store(r, address, window + ((code - old) << c->bit % 8), bytes);
}

/* Returns the bytes of a texel in which the message has bits. */
static uint32_t bytes_of(const RefMessage *m, const RefFormat *f)
{
    bool used[16] = { false };
    uint32_t count = 0;

    for (unsigned c = 0; c < 4; c++) {
        RefChannel channel;

        if ((m->channels >> c & 1) && ref_channel(f, "RGBA"[c], &channel)) {
            for (unsigned i = 0; i < channel.bits; i++) {
                used[(channel.bit + i) / 8] = true;
            }
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        count += used[i];
    }
    return count;
}

static void scatter_channel(const RefRun *r, const RefChannel *c,
                            unsigned ch_start)
{
    for (unsigned i = 0; i < r->m->lanes; i++) {
        uint32_t lane = ref_operand_dword(r, &r->m->data, ch_start + i);

        if (r->live[i]) {
            put_code(r, c, i, ref_convert(c->type, c->bits, lane));
        }
    }
}

void ref_scatter4_typed(RefRun *r)
{
    const RefMessage *m = r->m;
    const RefFormat *f = place_texels(r);
    unsigned ch_pos = 0;

    for (unsigned c = 0; f && c < 4; c++) {
        RefChannel channel;

        if (m->channels >> c & 1) {
            if (ref_channel(f, "RGBA"[c], &channel)) {
                scatter_channel(r, &channel, ch_pos * m->channel_stride);
            }
            ch_pos++;
        }
    }
    ref_moved(r, f ? bytes_of(m, f) : 0);
}

/*
 * Returns what lane @i reads; @c is NULL for a channel that the format lacks.
 */
static uint32_t read_channel(const RefRun *r, const RefFormat *f, char name,
                             const RefChannel *c, unsigned i)
{
    if (!c || r->outside[i]) {
        if (name != 'A') {
            return 0;
        }
        return f->type == REF_SINT || f->type == REF_UINT ? 1 : 0x3f800000;
    }
    return ref_convert_back(c->type, c->bits, get_code(r, c, i));
}

static void gather_channel(RefRun *r, const RefFormat *f, char name,
                           unsigned ch_start)
{
    RefChannel channel;
    bool has = ref_channel(f, name, &channel);

    for (unsigned i = 0; i < r->m->lanes; i++) {
        if (!r->m->data.null && (r->live[i] || r->outside[i])) {
            uint32_t value = read_channel(r, f, name, has ? &channel : NULL, i);

            memcpy(r->t->registers + r->m->data.at + (ch_start + i) * 4, &value,
                   4);
        }
    }
}

void ref_gather4_typed(RefRun *r)
{
    const RefMessage *m = r->m;
    const RefFormat *f = place_texels(r);
    unsigned ch_pos = 0;

    for (unsigned c = 0; f && c < 4; c++) {
        if (m->channels >> c & 1) {
            gather_channel(r, f, "RGBA"[c], ch_pos * m -> channel_stride);
            ch_pos++;
        }
    }
    ref_moved(r, f ? bytes_of(m, f) : 0);
}
