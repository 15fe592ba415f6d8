/*
 * veu tests: a second implementation: messages on buffers, lane by lane.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GATHER, GATHER_SCALED, QW_GATHER, the SCATTERs, and the 4_SCALED messages,
 * including those with addresses.
 */
#include <glib.h>
#include "tests/lib/ref_run.h"

static void find_slm(RefRun *r, const struct veu_surface *s, RefRange *range)
{
    r->slm = true;
    if (range->base > r->t->slm_bytes) {
        range->size = 0;
    } else if (range->size > r->t->slm_bytes - range->base) {
        range->size = r->t->slm_bytes - range->base;
    }
}

static bool find_entry(RefRun *r, unsigned entry, RefRange *range)
{
    const struct veu_surface *s = &r->t->surfaces[entry];

    if (entry >= r->t->surface_count) {
        ref_form_fault(r, VEU_FAULT_SURFACE_INDEX, 0);
        return false;
    }
    if (s->type != VEU_SURFACE_BUFFER) {
        ref_form_fault(r, VEU_FAULT_SURFACE_KIND, 0);
        return false;
    }
    range->base = s->base;
    range->size = (uint64_t)s->width * ref_texel_bytes(ref_format(s->format));
    if (s->flags & VEU_SURFACE_SLM) {
        find_slm(r, s, range);
    }
    return true;
}

bool ref_find_buffer(RefRun *r, RefRange *range)
{
    const RefThread *t = r->t;

    switch (r->m->surface) {
    case 0:
        r->slm = true;
        *range = (RefRange){ 0, t->slm_bytes };
        return true;
    case 1:
    case 2:
    case 3:
    case 4:
        ref_form_fault(r, VEU_FAULT_SURFACE_NOT_MODELLED, 0);
        return false;
    case 5:
        *range = (RefRange){ t->stateless_base, t->stateless_bytes };
        return true;
    default:
        return find_entry(r, r->m->surface - 6, range);
    }
}

/* docs/spec.md, 17.4. */
uint64_t ref_offset(const RefRun *r, uint64_t offset)
{
    return r->slm && r->t->slm_wraps ? offset % 65536 : offset;
}

/* Places the lanes. */
static bool place_elements(RefRun *r)
{
    const RefMessage *m = r->m;
    bool elements = m->kind == TEST_GATHER || m->kind == TEST_SCATTER;
    uint64_t unit = elements ? m->element_bytes : 1;
    RefRange range;
    uint64_t global;

    if (!ref_find_buffer(r, &range) || !ref_scalar(r, &m->scalar, &global)) {
        return false;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        uint32_t index;
        uint64_t offset;

        if (!ref_lane_enabled(r->t, m, i)) {
            continue;
        }
        index = (uint32_t)global + ref_operand_dword(r, &m->address, i);
        offset = ref_offset(r, index * unit);
        r->address[i] = range.base + offset;
        if (offset + m->element_bytes > range.size) {
            r->outside[i] = true;
        } else {
            ref_check_lane(r, i, m->element_bytes);
        }
    }
    return true;
}

void ref_gather(RefRun *r)
{
    const RefMessage *m = r->m;
    unsigned place = MAX(4, m->element_bytes);

    if (!place_elements(r)) {
        return;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (r->live[i] || r->outside[i]) {
            uint64_t value = 0;

            if (r->live[i]) {
                value = ref_load(r, r->address[i], m->element_bytes);
            }
            ref_write(r, i * place, value, m->element_bytes, place);
        }
    }
    ref_moved(r, m->element_bytes);
}

void ref_scatter(RefRun *r)
{
    const RefMessage *m = r->m;

    if (!place_elements(r)) {
        return;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (r->live[i]) {
            ref_store(r, r->address[i],
                      m->element_bytes == 8 ?
                          ref_operand_qword(r, &m->data, i) :
                          ref_operand_dword(r, &m->data, i),
                      m->element_bytes);
        }
    }
    ref_moved(r, m->element_bytes);
}

/* The address of each lane's channel R, relative to the base and absolute. */
typedef struct Places {
    RefRange range; /* all of memory for an SVM message */
    uint64_t offset[REF_MAX_LANES];
} Places;

static bool is_svm(const RefMessage *m)
{
    return m->kind == TEST_SVM_GATHER4_SCALED ||
           m->kind == TEST_SVM_SCATTER4_SCALED;
}

/* "Per dword" in or out of bounds: semantics.md, section 3. */
static bool channel_inside(const RefRun *r, const Places *p, unsigned lane,
                           unsigned c)
{
    return is_svm(r->m) || p->offset[lane] + c * 4 + 4 <= p->range.size;
}

/* A lane is checked as a whole: all its channels that are in bounds. */
static void check_channels(RefRun *r, const Places *p, unsigned lane)
{
    bool any = false;

    for (unsigned c = 0; c < 4; c++) {
        if ((r->m->channels >> c & 1) && channel_inside(r, p, lane, c)) {
            any = true;
            if (!ref_check(r, lane, c, r->address[lane] + c * 4, 4)) {
                return;
            }
        }
    }
    r->live[lane] = any;
    r->outside[lane] = !any;
}

/* The record names the first channel that the message has. */
static void misaligned(RefRun *r, unsigned lane)
{
    unsigned c = 0;

    while (!(r->m->channels >> c & 1)) {
        c++;
    }
    ref_lane_fault(r, VEU_FAULT_ALIGNMENT, lane, c, r->address[lane] + c * 4,
                   4);
}

static bool place_channels(RefRun *r, Places *p)
{
    const RefMessage *m = r->m;
    uint64_t global;

    p->range.base = 0;
    if ((!is_svm(m) && !ref_find_buffer(r, &p->range)) ||
        !ref_scalar(r, &m->scalar, &global)) {
        return false;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        if (!ref_lane_enabled(r->t, m, i)) {
            continue;
        }
        if (is_svm(m)) {
            p->offset[i] = global + ref_operand_qword(r, &m->address, i);
        } else {
            uint32_t offset = global + ref_operand_dword(r, &m->address, i);

            p->offset[i] = ref_offset(r, offset);
        }
        r->address[i] = p->range.base + p->offset[i];
        if (p->offset[i] % 4) {
            misaligned(r, i);
        } else {
            check_channels(r, p, i);
        }
    }
    return true;
}

/* Performs a channel whose data begins at lane @ch_start. */
typedef void Channel(RefRun *r, const Places *p, unsigned c, unsigned lane,
                     unsigned ch_start);

/*
 * The vendor's loops are nested the other way round. The order shows in lanes
 * that touch the same dword: the highest lane wins.
 */
static void for_each_channel(RefRun *r, Channel *perform)
{
    const RefMessage *m = r->m;
    Places p;

    if (!place_channels(r, &p)) {
        return;
    }
    for (unsigned i = 0; i < m->lanes; i++) {
        unsigned ch_pos = 0;

        for (unsigned c = 0; c < 4; c++) {
            if (!(m->channels >> c & 1)) {
                continue;
            }
            if (r->live[i] || r->outside[i]) {
                perform(r, &p, c, i, ch_pos * m->channel_stride);
                r->t->moved_bytes += channel_inside(r, &p, i, c) ? 4 : 0;
            }
            ch_pos++;
        }
    }
}

static void gather_channel(RefRun *r, const Places *p, unsigned c,
                           unsigned lane, unsigned ch_start)
{
    uint64_t value = 0;

    if (channel_inside(r, p, lane, c)) {
        value = ref_load(r, r->address[lane] + c * 4, 4);
    }
    ref_write(r, (ch_start + lane) * 4, value, 4, 4);
}

static void scatter_channel(RefRun *r, const Places *p, unsigned c,
                            unsigned lane, unsigned ch_start)
{
    if (channel_inside(r, p, lane, c)) {
        ref_store(r, r->address[lane] + c * 4,
                  ref_operand_dword(r, &r->m->data, ch_start + lane), 4);
    }
}

void ref_gather4_scaled(RefRun *r)
{
    for_each_channel(r, gather_channel);
}

void ref_scatter4_scaled(RefRun *r)
{
    for_each_channel(r, scatter_channel);
}
