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
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/program/program.h"

#define TYPE_BIT(name) (1u << VEU_TYPE_##name)
#define OFFSET_TYPES   (TYPE_BIT(UD) | TYPE_BIT(D))
#define ADDRESS_TYPES  (TYPE_BIT(UQ) | TYPE_BIT(Q))
#define DATA_TYPES     (TYPE_BIT(UD) | TYPE_BIT(D) | TYPE_BIT(F))
#define QW_TYPES       (TYPE_BIT(UQ) | TYPE_BIT(Q) | TYPE_BIT(DF))
#define ANY_TYPE       (~0u)
#define INTEGER_TYPES                                                         \
    (TYPE_BIT(UD) | TYPE_BIT(D) | TYPE_BIT(UW) | TYPE_BIT(W) | TYPE_BIT(UB) | \
     TYPE_BIT(B) | TYPE_BIT(UQ) | TYPE_BIT(Q))

static bool bad_operand(const VeuEncoding *e, VeuField field, VeuFault *fault)
{
    return veu_fault_form(fault, VEU_FAULT_MESSAGE_OPERAND, e->at[field]);
}

/* In a program of instructions, whatever its registers were declared as. */
static bool is_type(const VeuProgram *p, uint32_t types,
                    const struct veu_variable *v)
{
    return p->kind == VEU_PROGRAM_INSTRUCTIONS || (types & (1u << v->type));
}

static uint32_t variable_bytes(const struct veu_variable *v)
{
    return v->elements * veu_type_bytes(v->type);
}

/* @extent_bytes: what all lanes of the operand take, enabled or not. */
static bool decode_raw(const VeuProgram *p, const VeuEncoding *e,
                       VeuField field, uint32_t types, uint32_t extent_bytes,
                       VeuRaw *raw, VeuFault *fault)
{
    const VeuEncodedRaw *from = &e->field[field].raw;
    const struct veu_variable *v = veu_program_variable(p, from->id);

    *raw = (VeuRaw){ .null = from->id == 0 };
    if (raw->null) {
        return true;
    }
    if (!v || !is_type(p, types, v) || from->offset_byte % p->grf_bytes ||
        from->offset_byte + extent_bytes > variable_bytes(v)) {
        return bad_operand(e, field, fault);
    }
    raw->register_byte = v->offset + from->offset_byte;
    raw->type = v->type;
    return true;
}

/* Messages of samplers may have operands of 16 bits, which are not modelled. */
static bool is_half(const VeuEncoding *e, const VeuRaw *raw)
{
    return e->info->samples && !raw->null && raw->type == VEU_TYPE_HF;
}

/* A dword of each lane: an offset or a coordinate. */
static bool decode_dwords(const VeuProgram *p, const VeuEncoding *e,
                          VeuField field, const VeuMessage *m, VeuRaw *raw,
                          VeuFault *fault)
{
    return (decode_raw(p, e, field, OFFSET_TYPES, m->lanes * 4, raw, fault) &&
            !is_half(e, raw)) ||
           bad_operand(e, field, fault);
}

bool veu_decode_offsets(const VeuProgram *p, const VeuEncoding *e,
                        VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_dwords(p, e, field, m, &m->address, fault);
}

bool veu_decode_v(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                  VeuMessage *m, VeuFault *fault)
{
    return decode_dwords(p, e, field, m, &m->v, fault);
}

bool veu_decode_r(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                  VeuMessage *m, VeuFault *fault)
{
    return decode_dwords(p, e, field, m, &m->r, fault);
}

bool veu_decode_lod(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                    VeuMessage *m, VeuFault *fault)
{
    return decode_dwords(p, e, field, m, &m->lod, fault);
}

bool veu_decode_addresses(const VeuProgram *p, const VeuEncoding *e,
                          VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, field, ADDRESS_TYPES, m->lanes * 8, &m->address,
                      fault);
}

/* An element of any size takes a dword per lane. */
bool veu_decode_lane_data(const VeuProgram *p, const VeuEncoding *e,
                          VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, field, DATA_TYPES, m->lanes * 4, &m->data, fault);
}

/* (channels - 1) * max(n, GRF / 4) + n dwords. */
static uint32_t channel_bytes(const VeuMessage *m)
{
    unsigned count = __builtin_popcount(m->channels);

    return ((count - 1) * m->channel_stride + m->lanes) * 4;
}

bool veu_decode_channel_data(const VeuProgram *p, const VeuEncoding *e,
                             VeuField field, VeuMessage *m, VeuFault *fault)
{
    return (decode_raw(p, e, field, DATA_TYPES, channel_bytes(m), &m->data,
                       fault) &&
            !is_half(e, &m->data)) ||
           bad_operand(e, field, fault);
}

bool veu_decode_svm_channel_data(const VeuProgram *p, const VeuEncoding *e,
                                 VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, field, ANY_TYPE, channel_bytes(m), &m->data, fault);
}

bool veu_decode_qw_data(const VeuProgram *p, const VeuEncoding *e,
                        VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, field, QW_TYPES, m->lanes * m->blocks * 8, &m->data,
                      fault);
}

/* Blocks of one byte are padded to a dword per lane. */
bool veu_decode_svm_data(const VeuProgram *p, const VeuEncoding *e,
                         VeuField field, VeuMessage *m, VeuFault *fault)
{
    uint32_t lane_bytes = m->blocks * m->element_bytes;

    return decode_raw(p, e, field, ANY_TYPE,
                      m->lanes * (lane_bytes < 4 ? 4 : lane_bytes), &m->data,
                      fault);
}

/* Owords, one after the other. */
bool veu_decode_block_data(const VeuProgram *p, const VeuEncoding *e,
                           VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, field, ANY_TYPE, m->blocks * m->element_bytes,
                      &m->data, fault);
}

bool veu_decode_media_data(const VeuProgram *p, const VeuEncoding *e,
                           VeuField field, VeuMessage *m, VeuFault *fault)
{
    uint32_t pitch = veu_media_pitch(m->width_byte);

    return decode_raw(p, e, field, ANY_TYPE,
                      (m->height - 1) * pitch + m->width_byte, &m->data, fault);
}

/* Operands of 16 bits take a dword per lane; 32: the same; 64: a qword. */
static bool decode_atomic_data(const VeuProgram *p, const VeuEncoding *e,
                               VeuField field, const VeuMessage *m, VeuRaw *raw,
                               VeuFault *fault)
{
    uint32_t lane_bytes = m->element_bytes < 4 ? 4 : m->element_bytes;

    return decode_raw(p, e, field, lane_bytes == 8 ? QW_TYPES : DATA_TYPES,
                      m->lanes * lane_bytes, raw, fault);
}

/* "It must be V0" where the operation does not take it. */
static bool decode_source(const VeuProgram *p, const VeuEncoding *e,
                          VeuField field, const VeuMessage *m, unsigned number,
                          VeuRaw *raw, VeuFault *fault)
{
    return decode_atomic_data(p, e, field, m, raw, fault) &&
           (number < m->op->sources || raw->null ||
            bad_operand(e, field, fault));
}

bool veu_decode_src0(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                     VeuMessage *m, VeuFault *fault)
{
    return decode_source(p, e, field, m, 0, &m->src0, fault);
}

bool veu_decode_src1(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                     VeuMessage *m, VeuFault *fault)
{
    return decode_source(p, e, field, m, 1, &m->src1, fault);
}

bool veu_decode_atomic_dst(const VeuProgram *p, const VeuEncoding *e,
                           VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_atomic_data(p, e, field, m, &m->data, fault);
}

/* One element; the region is ignored, a row is one register. */
static bool decode_general(const VeuProgram *p, const VeuEncodedScalar *from,
                           VeuScalar *scalar)
{
    const struct veu_variable *v = veu_program_variable(p, from->id);
    uint32_t bytes = v ? veu_type_bytes(v->type) : 0;
    uint32_t at = from->row * p->grf_bytes + from->column * bytes;

    if (!v || !(INTEGER_TYPES & (1u << v->type)) ||
        at + bytes > variable_bytes(v)) {
        return false;
    }
    scalar->type = v->type;
    scalar->register_byte = v->offset + at;
    return true;
}

static bool is_integer(uint8_t type)
{
    return type <= VEU_TYPE_BF && (INTEGER_TYPES & (1u << type));
}

static bool decode_immediate(const VeuProgram *p, const VeuEncodedScalar *from,
                             VeuScalar *scalar)
{
    scalar->value = veu_type_extend(from->type, from->immediate);
    return is_integer(from->type);
}

/* What the address holds is known only when the message runs. */
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
    return is_integer(from->type);
}

static bool decode_scalar(const VeuProgram *p, const VeuEncoding *e,
                          VeuField field, VeuScalar *scalar, VeuFault *fault)
{
    static bool (*const decode[])(const VeuProgram *p,
                                  const VeuEncodedScalar *from,
                                  VeuScalar *scalar) = {
        [VEU_SCALAR_GENERAL] = decode_general,
        [VEU_SCALAR_INDIRECT] = decode_indirect,
        [VEU_SCALAR_IMMEDIATE] = decode_immediate,
    };
    const VeuEncodedScalar *from = &e->field[field].scalar;

    scalar->class = from->class;
    return (!from->modifier && decode[from->class](p, from, scalar)) ||
           bad_operand(e, field, fault);
}

bool veu_decode_offset(const VeuProgram *p, const VeuEncoding *e,
                       VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_scalar(p, e, field, &m->global_offset, fault);
}

/* Constant offsets of coordinates: none. */
bool veu_decode_texel_offsets(const VeuProgram *p, const VeuEncoding *e,
                              VeuField field, VeuMessage *m, VeuFault *fault)
{
    const VeuEncodedScalar *from = &e->field[field].scalar;

    return (from->class == VEU_SCALAR_IMMEDIATE && !from->modifier &&
            is_integer(from->type) && !from->immediate) ||
           bad_operand(e, field, fault);
}

bool veu_decode_y_offset(const VeuProgram *p, const VeuEncoding *e,
                         VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_scalar(p, e, field, &m->y_offset, fault);
}
