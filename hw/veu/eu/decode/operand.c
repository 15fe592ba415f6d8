/*
 * veu execution unit: operands of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The types are those of semantics.md, section 2, "Types".
 */
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/media.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/decode/operand.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/variable.h"

#define QW_TYPES (VEU_TYPES_Q | VEU_TYPE_BIT(DF))

/* Indexed by VeuRawTypes; data in elements of 8 bytes has QW_TYPES. */
static const uint32_t raw_types[] = {
    [VEU_RAW_OFFSET] = VEU_TYPES_D,
    [VEU_RAW_ADDRESS] = VEU_TYPES_Q,
    [VEU_RAW_DATA] = VEU_TYPES_D | VEU_TYPE_BIT(F),
    [VEU_RAW_ANY] = ~0u,
};

static bool bad_operand(const VeuFieldDecoder *d)
{
    return veu_field_refuse(d, VEU_FAULT_MESSAGE_OPERAND);
}

static uint32_t variable_bytes(const struct veu_variable *v)
{
    return v->elements * veu_type_bytes(v->type);
}

/*
 * The bytes of the operand for all lanes, enabled or not. A lane with less than
 * a dword is padded to one.
 */
static uint32_t bytes_of(const VeuMessage *m, VeuRawExtent extent)
{
    uint32_t lane_bytes = m->blocks * m->element_bytes;

    switch (extent) {
    case VEU_RAW_DWORDS:
        return m->lanes * 4;
    case VEU_RAW_QWORDS:
        return m->lanes * 8;
    case VEU_RAW_LANES:
        return m->lanes * (lane_bytes < 4 ? 4 : lane_bytes);
    case VEU_RAW_CHANNELS:
        /* (channels - 1) * max(n, elements of a GRF) + n elements */
        return ((__builtin_popcount(m->channels) - 1) * m->channel_stride +
                m->lanes) *
               m->element_bytes;
    case VEU_RAW_BLOCK:
        return lane_bytes;
    default:
        return (m->height - 1) * veu_media_pitch(m->width_byte) + m->width_byte;
    }
}

/*
 * In a program of instructions, whatever its registers were declared as. But
 * coordinates of 16 bits, which a sampler's message may have, are not modelled.
 */
static bool is_type(const VeuProgram *p, const VeuMessage *m, VeuRawTypes types,
                    uint8_t type)
{
    uint32_t legal = types == VEU_RAW_DATA && m->element_bytes == 8 ?
                         QW_TYPES :
                         raw_types[types];

    if (p->kind == VEU_PROGRAM_INSTRUCTIONS) {
        return !m->info->samples || type != VEU_TYPE_HF ||
               types == VEU_RAW_DATA;
    }
    return legal & (1u << type);
}

static bool raw_of_variable(const VeuProgram *p, const VeuMessage *m,
                            const VeuEncodedRaw *from, VeuRawTypes types,
                            uint32_t extent_bytes, VeuRaw *raw)
{
    const struct veu_variable *v = veu_variable_find(p, from->id);

    if (!v || !is_type(p, m, types, v->type) ||
        from->offset_byte % p->grf_bytes ||
        from->offset_byte + extent_bytes > variable_bytes(v)) {
        return false;
    }
    raw->register_byte = v->offset + from->offset_byte;
    raw->type = v->type;
    return true;
}

bool veu_decode_raw(const VeuFieldDecoder *d)
{
    const VeuFieldInfo *info = d->info;
    const VeuEncodedRaw *from = &d->encoding->field[d->field].raw;
    VeuRaw *raw = (VeuRaw *)((uint8_t *)d->message + info->to_at);

    *raw = (VeuRaw){ .null = from->id == 0 };
    return raw->null ||
           raw_of_variable(d->program, d->message, from, info->types,
                           bytes_of(d->message, info->extent), raw) ||
           bad_operand(d);
}

void veu_place_channels(const VeuProgram *p, VeuMessage *m,
                        unsigned element_bytes)
{
    unsigned grf_lanes = p->grf_bytes / element_bytes;

    m->element_bytes = element_bytes;
    m->channel_stride = m->lanes > grf_lanes ? m->lanes : grf_lanes;
    for (unsigned c = 0, place = 0; c < 4; c++) {
        m->first_lane[c] = place * m->channel_stride;
        place += m->channels >> c & 1;
    }
}

/* A sampler's data is halves if it is declared HF: docs/spec.md, sample_lz. */
bool veu_decode_channel_data(const VeuFieldDecoder *d)
{
    uint32_t id = d->encoding->field[d->field].raw.id;
    const struct veu_variable *v = veu_variable_find(d->program, id);

    if (d->message->info->samples && v && v->type == VEU_TYPE_HF) {
        veu_place_channels(d->program, d->message, 2);
    }
    return veu_decode_raw(d);
}

/* The source "must be V0" if the operation does not take it. */
bool veu_decode_source(const VeuFieldDecoder *d)
{
    unsigned number = d->field - VEU_FIELD_ATOMIC_SRC0;

    return veu_decode_raw(d) &&
           (number < d->message->op->sources ||
            d->encoding->field[d->field].raw.id == 0 || bad_operand(d));
}

/* One element; the region is ignored, a row is one register. */
static bool decode_general(const VeuProgram *p, const VeuEncodedScalar *from,
                           VeuScalar *scalar)
{
    const struct veu_variable *v = veu_variable_find(p, from->id);
    uint32_t bytes = v ? veu_type_bytes(v->type) : 0;
    uint32_t at = from->row * p->grf_bytes + from->column * bytes;

    if (!v || !veu_type_is_integer(v->type) || at + bytes > variable_bytes(v)) {
        return false;
    }
    scalar->type = v->type;
    scalar->register_byte = v->offset + at;
    return true;
}

static bool decode_immediate(const VeuProgram *p, const VeuEncodedScalar *from,
                             VeuScalar *scalar)
{
    scalar->value = veu_type_extend(from->type, from->immediate);
    return veu_type_is_integer(from->type);
}

/* The address is known only when the message runs. */
static bool decode_indirect(const VeuProgram *p, const VeuEncodedScalar *from,
                            VeuScalar *scalar)
{
    if (from->id >= p->address_count ||
        from->column >= p->addresses[from->id].elements) {
        return false;
    }
    scalar->type = from->type;
    scalar->address = p->addresses[from->id].first + from->column;
    scalar->add_byte = from->add_byte;
    return veu_type_is_integer(from->type);
}

bool veu_decode_scalar(const VeuFieldDecoder *d)
{
    static bool (*const decode[])(const VeuProgram *p,
                                  const VeuEncodedScalar *from,
                                  VeuScalar *scalar) = {
        [VEU_SCALAR_GENERAL] = decode_general,
        [VEU_SCALAR_INDIRECT] = decode_indirect,
        [VEU_SCALAR_IMMEDIATE] = decode_immediate,
    };
    const VeuEncodedScalar *from = &d->encoding->field[d->field].scalar;
    VeuScalar *scalar = (VeuScalar *)((uint8_t *)d->message + d->info->to_at);

    scalar->class = from->class;
    return (!from->modifier && decode[from->class](d->program, from, scalar)) ||
           bad_operand(d);
}

/* Constant offsets of coordinates, which are not modelled: they must be 0. */
bool veu_decode_texel_offsets(const VeuFieldDecoder *d)
{
    const VeuEncodedScalar *from = &d->encoding->field[d->field].scalar;

    return (from->class == VEU_SCALAR_IMMEDIATE && !from->modifier &&
            veu_type_is_integer(from->type) && !from->immediate) ||
           bad_operand(d);
}
