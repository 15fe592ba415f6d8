/*
 * veu tests: a second implementation: fields that are not operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * encoding.md, section 2; semantics.md, sections 1 and 2.
 */
#include <glib.h>
#include "tests/lib/ref_decode.h"

void ref_refuse(RefDecoder *d, uint16_t code, uint32_t detail)
{
    if (!d->fault->code) {
        *d->fault = (RefFault){ .code = code, .detail = detail };
        d->fault->lane = 0xff;
        d->fault->element = 0xff;
    }
}

void ref_bad_field(RefDecoder *d, uint32_t at)
{
    ref_refuse(d, VEU_FAULT_MESSAGE_FIELD, at);
}

uint64_t ref_take(RefDecoder *d, unsigned bytes)
{
    uint64_t value = 0;

    if (d->lost) {
        return 0;
    }
    if (d->bytes - d->at < bytes) {
        d->truncated = true;
        d->at = d->bytes;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++) {
        value += (uint64_t)d->code[d->at + i] << (8 * i);
    }
    d->at += bytes;
    return value;
}

/* "32 lanes M1; 16: M1, M5; 8: M1, M3, M5, M7; 4 and fewer: any". */
static void set_size(RefDecoder *d, unsigned lanes, unsigned mask, uint32_t at)
{
    unsigned number = (mask & 7) + 1; /* of M1 ... M8 */
    bool ok = lanes == 32 ? number == 1 :
              lanes == 16 ? number == 1 || number == 5 :
              lanes == 8  ? number % 2 == 1 :
                            true;

    if (!ok) {
        ref_bad_field(d, at);
        return;
    }
    d->m->lanes = lanes;
    d->m->mask_offset = (number - 1) * 4;
    d->m->no_mask = mask >= 8;
    if (!d->program->predefined &&
        d->m->mask_offset + lanes > d->program->simd) {
        ref_refuse(d, VEU_FAULT_MESSAGE_LANES, at);
    }
}

void ref_take_exec(RefDecoder *d, unsigned min_lanes, unsigned max_lanes)
{
    uint32_t at = d->at;
    uint8_t exec = ref_take(d, 1);
    unsigned lanes = 1u << (exec & 0xf);

    if ((exec & 0xf) > 5 || lanes < min_lanes || lanes > max_lanes) {
        ref_bad_field(d, at);
    } else {
        set_size(d, lanes, exec >> 4, at);
    }
}

void ref_take_num_elts(RefDecoder *d)
{
    uint32_t at = d->at;
    uint8_t num_elts = ref_take(d, 1);

    switch (num_elts & 0xf) {
    case 0:
        set_size(d, 8, num_elts >> 4, at);
        break;
    case 1:
        set_size(d, 16, num_elts >> 4, at);
        break;
    case 2:
        set_size(d, 1, num_elts >> 4, at);
        break;
    default:
        ref_bad_field(d, at);
    }
}

void ref_take_pred(RefDecoder *d)
{
    uint32_t at = d->at;
    uint16_t pred = ref_take(d, 2);
    unsigned id = pred & 0xfff;

    d->m->pred = pred;
    if ((pred & 0x1000) || (pred & 0x6000) == 0x6000 ||
        (id == 0 && pred != 0)) {
        ref_bad_field(d, at);
    } else if (id && (id > d->program->predicate_count ||
                      d->m->mask_offset + d->m->lanes >
                          d->program->predicates[id - 1].bits)) {
        ref_refuse(d, VEU_FAULT_MESSAGE_PREDICATE, at);
    }
}

/* Takes a code with the meanings of @sizes, which ends with a 0. */
unsigned ref_take_size(RefDecoder *d, const uint8_t *sizes)
{
    uint32_t at = d->at;
    uint8_t code = ref_take(d, 1);

    for (unsigned i = 0; sizes[i]; i++) {
        if (i == code) {
            return sizes[i];
        }
    }
    ref_bad_field(d, at);
    return 1;
}

/*
 * Surface ids in a program of instructions are those of its variables:
 * docs/spec.md, 17.1.
 */
void ref_take_surface(RefDecoder *d)
{
    uint32_t at = d->at;

    d->m->surface = ref_take(d, 1);
    if (d->program->predefined &&
        d->m->surface >= 6 + d->program->surface_variables) {
        ref_bad_field(d, at);
    }
}

/* "All 15 channel masks are accepted"; returns the extent of the data. */
uint32_t ref_take_channels(RefDecoder *d)
{
    RefMessage *m = d->m;
    uint32_t at = d->at;
    unsigned count = 0;

    m->channels = ref_take(d, 1);
    m->element_bytes = 4;
    if (m->channels == 0 || m->channels > 15) {
        ref_bad_field(d, at);
        m->channels = 1;
    }
    for (unsigned c = 0; c < 4; c++) {
        count += m->channels >> c & 1;
    }
    m->channel_stride = MAX(m->lanes, d->program->grf_bytes / 4);
    return ((count - 1) * m->channel_stride + m->lanes) * 4;
}
