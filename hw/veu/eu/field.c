/*
 * veu execution unit: the field table: what a field of a message may say.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fields are decoded in the order of the encoding, and all pages put sizes
 * before operands, so that an operand knows how far it has to reach.
 */
#include "hw/veu/eu/message.h"
#include "hw/veu/eu/program.h"

#define TYPE_BIT(name) (1u << VEU_TYPE_##name)
/* semantics, section 2, "Types". */
#define OFFSET_TYPES   (TYPE_BIT(UD) | TYPE_BIT(D))
#define ADDRESS_TYPES  (TYPE_BIT(UQ) | TYPE_BIT(Q))
#define DATA_TYPES     (TYPE_BIT(UD) | TYPE_BIT(D) | TYPE_BIT(F))
#define ANY_TYPE       (~0u)
#define INTEGER_TYPES                                                         \
    (TYPE_BIT(UD) | TYPE_BIT(D) | TYPE_BIT(UW) | TYPE_BIT(W) | TYPE_BIT(UB) | \
     TYPE_BIT(B) | TYPE_BIT(UQ) | TYPE_BIT(Q))

static bool bad_field(const VeuEncoding *e, VeuField field, VeuFault *fault)
{
    return veu_fault_form(fault, VEU_FAULT_MESSAGE_FIELD, e->at[field]);
}

static bool bad_operand(const VeuEncoding *e, VeuField field, VeuFault *fault)
{
    return veu_fault_form(fault, VEU_FAULT_MESSAGE_OPERAND, e->at[field]);
}

/* Legal lane counts, and mask offsets that are a multiple of them. */
static bool set_lanes(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                      unsigned lanes, VeuMessage *m, VeuFault *fault)
{
    unsigned mask_code = e->field[field].number >> 4;
    unsigned mask_offset = (mask_code & 7) * 4;

    if (!(e->info->lanes & lanes)) {
        return bad_field(e, field, fault);
    }
    /* 32 lanes M1; 16: M1, M5; 8: M1, M3, M5, M7; 4 and fewer: any. */
    if (mask_offset % lanes) {
        return bad_field(e, field, fault);
    }
    if (mask_offset + lanes > p->simd) {
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_LANES, e->at[field]);
    }
    m->lanes = lanes;
    m->mask_offset = mask_offset;
    m->no_mask = mask_code & 8;
    return true;
}

static bool decode_exec_size(const VeuProgram *p, const VeuEncoding *e,
                             VeuMessage *m, VeuFault *fault)
{
    unsigned size = e->field[VEU_FIELD_EXEC_SIZE].number & 0xf;

    if (size > 5) {
        return bad_field(e, VEU_FIELD_EXEC_SIZE, fault);
    }
    return set_lanes(p, e, VEU_FIELD_EXEC_SIZE, 1u << size, m, fault);
}

/* GATHER's page: bits 0..1 the size, 4..7 the mask; 2 and 3 unassigned. */
static bool decode_num_elts(const VeuProgram *p, const VeuEncoding *e,
                            VeuMessage *m, VeuFault *fault)
{
    static const uint8_t lanes[] = { 8, 16, 1 };
    unsigned size = e->field[VEU_FIELD_NUM_ELTS].number & 0xf;

    if (size >= sizeof(lanes)) {
        return bad_field(e, VEU_FIELD_NUM_ELTS, fault);
    }
    return set_lanes(p, e, VEU_FIELD_NUM_ELTS, lanes[size], m, fault);
}

/* Bits 0..11 id, 12 unassigned, 13..14 combine, 15 inverse. */
static bool decode_pred(const VeuProgram *p, const VeuEncoding *e,
                        VeuMessage *m, VeuFault *fault)
{
    uint16_t pred = e->field[VEU_FIELD_PRED].number;
    unsigned id = pred & 0xfff;
    unsigned combine = (pred >> 13) & 3;

    if ((pred & 0x1000) || combine > VEU_COMBINE_ALL || (!id && pred)) {
        return bad_field(e, VEU_FIELD_PRED, fault);
    }
    if (!id) {
        return true;
    }
    if (id > p->predicate_count ||
        m->mask_offset + m->lanes > p->predicate_bits[id - 1]) {
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_PREDICATE,
                              e->at[VEU_FIELD_PRED]);
    }
    m->predication = (VeuPredication){
        .used = true,
        .inverse = pred >> 15,
        .combine = combine,
        .index = id - 1,
    };
    return true;
}

/* A size code with @count legal values, the rest of its byte unassigned. */
static bool decode_size(const VeuEncoding *e, VeuField field,
                        const uint8_t *sizes, unsigned count, uint8_t *size,
                        VeuFault *fault)
{
    unsigned code = e->field[field].number;

    if (code >= count) {
        return bad_field(e, field, fault);
    }
    *size = sizes[code];
    return true;
}

static const uint8_t element_sizes[] = { 1, 2, 4 };

static bool decode_elt_size(const VeuProgram *p, const VeuEncoding *e,
                            VeuMessage *m, VeuFault *fault)
{
    m->blocks = 1;
    return decode_size(e, VEU_FIELD_ELT_SIZE, element_sizes, 3,
                       &m->element_bytes, fault);
}

/* The scaled messages count blocks of one byte: the element's size. */
static bool decode_num_blocks(const VeuProgram *p, const VeuEncoding *e,
                              VeuMessage *m, VeuFault *fault)
{
    m->blocks = 1;
    return decode_size(e, VEU_FIELD_NUM_BLOCKS, element_sizes, 3,
                       &m->element_bytes, fault);
}

/* 0b10 is what compilers write for 8 bytes, 0b11 what GATHER's page says. */
static bool decode_svm_block_size(const VeuProgram *p, const VeuEncoding *e,
                                  VeuMessage *m, VeuFault *fault)
{
    static const uint8_t sizes[] = { 1, 4, 8, 8 };

    return decode_size(e, VEU_FIELD_SVM_BLOCK_SIZE, sizes, 4, &m->element_bytes,
                       fault);
}

/* 8 blocks: of 4 bytes (text of the page) or 1 (its figure), 8 lanes. */
static bool decode_svm_num_blocks(const VeuProgram *p, const VeuEncoding *e,
                                  VeuMessage *m, VeuFault *fault)
{
    static const uint8_t sizes[] = { 1, 2, 4, 8 };

    if (!decode_size(e, VEU_FIELD_SVM_NUM_BLOCKS, sizes, 4, &m->blocks,
                     fault)) {
        return false;
    }
    if (m->blocks == 8 && (m->lanes != 8 || m->element_bytes == 8)) {
        return bad_field(e, VEU_FIELD_SVM_NUM_BLOCKS, fault);
    }
    return true;
}

static bool decode_channels(const VeuProgram *p, const VeuEncoding *e,
                            VeuMessage *m, VeuFault *fault)
{
    unsigned channels = e->field[VEU_FIELD_CHANNELS].number;
    unsigned grf_lanes = p->grf_bytes / 4;

    if (channels == 0 || channels > 0xf) {
        return bad_field(e, VEU_FIELD_CHANNELS, fault);
    }
    m->channels = channels;
    m->channel_stride = m->lanes > grf_lanes ? m->lanes : grf_lanes;
    return true;
}

/* Which surface it is depends on the dispatch: veu_surface_find(). */
static bool decode_surface(const VeuProgram *p, const VeuEncoding *e,
                           VeuMessage *m, VeuFault *fault)
{
    m->surface = e->field[VEU_FIELD_SURFACE].number;
    return true;
}

/* Is_modified, Block_size and Scale: any value (semantics, section 2). */
static bool decode_ignored(const VeuProgram *p, const VeuEncoding *e,
                           VeuMessage *m, VeuFault *fault)
{
    return true;
}

/* NULL for ids that are predefined or not declared. */
static const struct veu_variable *find_variable(const VeuProgram *p,
                                                uint32_t id)
{
    if (id < VEU_FIRST_VARIABLE ||
        id - VEU_FIRST_VARIABLE >= p->variable_count) {
        return NULL;
    }
    return &p->variables[id - VEU_FIRST_VARIABLE];
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
    const struct veu_variable *v = find_variable(p, from->id);

    *raw = (VeuRaw){ .null = from->id == 0 };
    if (raw->null) {
        return true;
    }
    if (!v || !(types & (1u << v->type)) || from->offset_byte % p->grf_bytes ||
        from->offset_byte + extent_bytes > variable_bytes(v)) {
        return bad_operand(e, field, fault);
    }
    raw->register_byte = v->offset + from->offset_byte;
    raw->type = v->type;
    return true;
}

static bool decode_element_offset(const VeuProgram *p, const VeuEncoding *e,
                                  VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_ELEMENT_OFFSET, OFFSET_TYPES,
                      m->lanes * 4, &m->address, fault);
}

static bool decode_addresses(const VeuProgram *p, const VeuEncoding *e,
                             VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_ADDRESSES, ADDRESS_TYPES, m->lanes * 8,
                      &m->address, fault);
}

static bool decode_u(const VeuProgram *p, const VeuEncoding *e, VeuMessage *m,
                     VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_U, OFFSET_TYPES, m->lanes * 4,
                      &m->address, fault);
}

static bool decode_v(const VeuProgram *p, const VeuEncoding *e, VeuMessage *m,
                     VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_V, OFFSET_TYPES, m->lanes * 4, &m->v,
                      fault);
}

static bool decode_r(const VeuProgram *p, const VeuEncoding *e, VeuMessage *m,
                     VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_R, OFFSET_TYPES, m->lanes * 4, &m->r,
                      fault);
}

static bool decode_lod(const VeuProgram *p, const VeuEncoding *e, VeuMessage *m,
                       VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_LOD, OFFSET_TYPES, m->lanes * 4, &m->lod,
                      fault);
}

/* An element of any size takes a dword per lane. */
static bool decode_lane_data(const VeuProgram *p, const VeuEncoding *e,
                             VeuMessage *m, VeuFault *fault)
{
    return decode_raw(p, e, VEU_FIELD_LANE_DATA, DATA_TYPES, m->lanes * 4,
                      &m->data, fault);
}

/* (channels - 1) * max(n, GRF / 4) + n dwords. */
static bool decode_channel_data(const VeuProgram *p, const VeuEncoding *e,
                                VeuMessage *m, VeuFault *fault)
{
    unsigned count = __builtin_popcount(m->channels);
    uint32_t lanes = (count - 1) * m->channel_stride + m->lanes;

    return decode_raw(p, e, VEU_FIELD_CHANNEL_DATA, DATA_TYPES, lanes * 4,
                      &m->data, fault);
}

/* Blocks of one byte are padded to a dword per lane. */
static bool decode_svm_data(const VeuProgram *p, const VeuEncoding *e,
                            VeuMessage *m, VeuFault *fault)
{
    uint32_t lane_bytes = m->blocks * m->element_bytes;

    return decode_raw(p, e, VEU_FIELD_SVM_DATA, ANY_TYPE,
                      m->lanes * (lane_bytes < 4 ? 4 : lane_bytes), &m->data,
                      fault);
}

/* One element; the region is ignored, a row is one register. */
static bool decode_general(const VeuProgram *p, const VeuEncodedScalar *from,
                           VeuScalar *scalar)
{
    const struct veu_variable *v = find_variable(p, from->id);
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

/* Indirect operands need address variables, which programs cannot have yet. */
static bool decode_offset(const VeuProgram *p, const VeuEncoding *e,
                          VeuMessage *m, VeuFault *fault)
{
    const VeuEncodedScalar *from = &e->field[VEU_FIELD_OFFSET].scalar;
    VeuScalar *scalar = &m->global_offset;

    if (from->modifier) {
        return bad_operand(e, VEU_FIELD_OFFSET, fault);
    }
    if (from->class == VEU_SCALAR_IMMEDIATE && from->type <= VEU_TYPE_BF &&
        (INTEGER_TYPES & (1u << from->type))) {
        scalar->immediate = true;
        scalar->value = veu_type_extend(from->type, from->immediate);
        return true;
    }
    if (from->class == VEU_SCALAR_GENERAL && decode_general(p, from, scalar)) {
        return true;
    }
    return bad_operand(e, VEU_FIELD_OFFSET, fault);
}

#define ROW(field, name_, kind_, decode_)             \
    [VEU_FIELD_##field] = { .name = name_,            \
                            .kind = VEU_KIND_##kind_, \
                            .decode = decode_ }

const VeuFieldInfo veu_fields[VEU_FIELD_COUNT] = {
    ROW(ELT_SIZE, "Elt_size", BYTE, decode_elt_size),
    ROW(IS_MODIFIED, "Is_modified", BYTE, decode_ignored),
    ROW(NUM_ELTS, "Num_elts", BYTE, decode_num_elts),
    ROW(EXEC_SIZE, "Exec_size", BYTE, decode_exec_size),
    ROW(PRED, "Pred", WORD, decode_pred),
    ROW(BLOCK_SIZE, "Block_size", BYTE, decode_ignored),
    ROW(NUM_BLOCKS, "Num_blocks", BYTE, decode_num_blocks),
    ROW(SVM_BLOCK_SIZE, "Block_size", BYTE, decode_svm_block_size),
    ROW(SVM_NUM_BLOCKS, "Num_blocks", BYTE, decode_svm_num_blocks),
    ROW(SCALE, "Scale", WORD, decode_ignored),
    ROW(CHANNELS, "Channels", BYTE, decode_channels),
    ROW(SURFACE, "Surface", BYTE, decode_surface),
    ROW(OFFSET, "Offset", SCALAR, decode_offset),
    ROW(ELEMENT_OFFSET, "Element_offset", RAW, decode_element_offset),
    ROW(U, "U", RAW, decode_u),
    ROW(V, "V", RAW, decode_v),
    ROW(R, "R", RAW, decode_r),
    ROW(LOD, "LOD", RAW, decode_lod),
    ROW(ADDRESSES, "Addresses", RAW, decode_addresses),
    ROW(LANE_DATA, "Data", RAW, decode_lane_data),
    ROW(CHANNEL_DATA, "Data", RAW, decode_channel_data),
    ROW(SVM_DATA, "Data", RAW, decode_svm_data),
};

bool veu_message_decode(const VeuProgram *program, const uint8_t *code,
                        uint32_t code_bytes, uint32_t offset,
                        VeuMessage *message, uint32_t *next, VeuFault *fault)
{
    VeuEncoding encoding;

    if (!veu_encoding_parse(code + offset, code_bytes - offset, &encoding,
                            fault)) {
        return false;
    }
    *message = (VeuMessage){ .info = encoding.info, .offset = offset };
    for (const uint8_t *f = encoding.info->fields; *f != VEU_FIELD_END; f++) {
        if (!veu_fields[*f].decode(program, &encoding, message, fault)) {
            return false;
        }
    }
    *next = offset + encoding.bytes;
    return true;
}
