/*
 * veu execution unit: the field table: the legal values of each field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * Fields are decoded in the order of the encoding, and every page puts sizes
 * before operands, so the extent of an operand is known when it is decoded.
 */
#include <stddef.h>
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/message.h"
#include "hw/veu/eu/message/media.h"
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/decode/operand.h"
#include "hw/veu/eu/decode/encoding.h"
#include "hw/veu/eu/decode/field.h"
#include "hw/veu/eu/program/program.h"

const char *const veu_media_modes[VEU_MEDIA_MODES] = {
    "nomod", "modified", "top", "bottom", "top_mod", "bottom_mod",
};

bool veu_bad_field(const VeuEncoding *e, VeuField field, VeuFault *fault)
{
    return veu_fault_form(fault, VEU_FAULT_MESSAGE_FIELD, e->at[field]);
}

/* Legal lane counts; a mask offset is a multiple of the count. */
static bool set_lanes(const VeuProgram *p, const VeuEncoding *e, VeuField field,
                      unsigned lanes, VeuMessage *m, VeuFault *fault)
{
    unsigned mask_code = e->field[field].number >> 4;
    unsigned mask_offset = (mask_code & 7) * 4;

    if (!(e->info->lanes & lanes)) {
        return veu_bad_field(e, field, fault);
    }
    /* 32 lanes M1; 16: M1, M5; 8: M1, M3, M5, M7; 4 and fewer: any. */
    if (mask_offset % lanes) {
        return veu_bad_field(e, field, fault);
    }
    if (p->kind == VEU_PROGRAM_MESSAGES && mask_offset + lanes > p->simd) {
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_LANES, e->at[field]);
    }
    m->lanes = lanes;
    m->mask_offset = mask_offset;
    m->no_mask = mask_code & 8;
    return true;
}

/* Bits 0..3: size; 4..7: mask. The field's values are its legal sizes. */
static bool decode_lanes(const VeuProgram *p, const VeuEncoding *e,
                         VeuField field, VeuMessage *m, VeuFault *fault)
{
    const VeuFieldInfo *info = &veu_fields[field];
    unsigned size = e->field[field].number & 0xf;

    if (size >= info->value_count) {
        return veu_bad_field(e, field, fault);
    }
    return set_lanes(p, e, field, info->values[size], m, fault);
}

/* Bits 0..11: id; 12: unassigned; 13..14: combine; 15: inverse. */
static bool decode_pred(const VeuProgram *p, const VeuEncoding *e,
                        VeuField field, VeuMessage *m, VeuFault *fault)
{
    uint16_t pred = e->field[field].number;
    unsigned id = pred & 0xfff;
    unsigned combine = (pred >> 13) & 3;

    if ((pred & 0x1000) || combine > VEU_COMBINE_ALL || (!id && pred)) {
        return veu_bad_field(e, field, fault);
    }
    if (!id) {
        return true;
    }
    if (id > p->predicate_count ||
        m->mask_offset + m->lanes > p->predicate_bits[id - 1]) {
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_PREDICATE, e->at[field]);
    }
    m->predication = (VeuPredication){
        .used = true,
        .inverse = pred >> 15,
        .combine = combine,
        .index = id - 1,
    };
    return true;
}

/* A code for one of the field's values; the rest of the byte is unassigned. */
static bool decode_value(const VeuEncoding *e, VeuField field, uint8_t *value,
                         VeuFault *fault)
{
    const VeuFieldInfo *info = &veu_fields[field];
    unsigned code = e->field[field].number;

    if (code >= info->value_count) {
        return veu_bad_field(e, field, fault);
    }
    *value = info->values[code];
    return true;
}

/* An element. Scaled messages give its size as a number of 1-byte blocks. */
static bool decode_element_size(const VeuProgram *p, const VeuEncoding *e,
                                VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->blocks = 1;
    return decode_value(e, field, &m->element_bytes, fault);
}

/* Each block is aligned to its size (spec.md, svm_gather). */
static bool decode_svm_block_size(const VeuProgram *p, const VeuEncoding *e,
                                  VeuField field, VeuMessage *m,
                                  VeuFault *fault)
{
    if (!decode_value(e, field, &m->element_bytes, fault)) {
        return false;
    }
    m->align_bytes = m->element_bytes;
    return true;
}

/*
 * 8 blocks take 8 lanes, with blocks of 1 or 4 bytes: semantics.md, section 2.
 */
static bool decode_svm_num_blocks(const VeuProgram *p, const VeuEncoding *e,
                                  VeuField field, VeuMessage *m,
                                  VeuFault *fault)
{
    if (!decode_value(e, field, &m->blocks, fault)) {
        return false;
    }
    if (m->blocks == 8 && (m->lanes != 8 || m->element_bytes == 8)) {
        return veu_bad_field(e, field, fault);
    }
    return true;
}

/* Only 1 block is documented; the vendor's assembler accepts more. */
static bool decode_qw_num_blocks(const VeuProgram *p, const VeuEncoding *e,
                                 VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->element_bytes = 8;
    return decode_value(e, field, &m->blocks, fault) &&
           (m->blocks == 1 || veu_bad_field(e, field, fault));
}

static bool decode_owords(const VeuProgram *p, const VeuEncoding *e,
                          VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->element_bytes = 16;
    return decode_value(e, field, &m->blocks, fault);
}

/*
 * Bit 3 is documented as "unaligned"; compilers set bit 7. They also use 16
 * owords, while the vendor's page lists up to 8.
 */
static bool decode_svm_owords(const VeuProgram *p, const VeuEncoding *e,
                              VeuField field, VeuMessage *m, VeuFault *fault)
{
    const VeuFieldInfo *info = &veu_fields[field];
    unsigned number = e->field[field].number;
    unsigned code = number & ~VEU_SVM_UNALIGNED_BITS;

    if (code >= info->value_count || info->values[code] > 8) {
        return veu_bad_field(e, field, fault);
    }
    m->element_bytes = 16;
    m->blocks = info->values[code];
    m->align_bytes = number & VEU_SVM_UNALIGNED_BITS ? 4 : 16;
    return true;
}

/* Bits 0..4: the operation; 5: 16 bits; 6: 64 bits (SVM only). */
static bool decode_atomic(const VeuEncoding *e, VeuField field, VeuMessage *m,
                          unsigned widths, VeuFault *fault)
{
    unsigned number = e->field[field].number;
    unsigned width = number & ~VEU_ATOMIC_CODE_MASK;

    m->op = veu_atomic_op_find(number & VEU_ATOMIC_CODE_MASK);
    if (!m->op || (width & ~widths) || (width & (width - 1))) {
        return veu_bad_field(e, field, fault);
    }
    m->element_bytes = width == VEU_ATOMIC_16_BIT ? 2 :
                       width == VEU_ATOMIC_64_BIT ? 8 :
                                                    4;
    m->align_bytes = m->element_bytes;
    m->blocks = 1;
    return true;
}

static bool decode_atomic_op(const VeuProgram *p, const VeuEncoding *e,
                             VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_atomic(e, field, m, VEU_ATOMIC_16_BIT, fault);
}

static bool decode_svm_atomic_op(const VeuProgram *p, const VeuEncoding *e,
                                 VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_atomic(e, field, m, VEU_ATOMIC_16_BIT | VEU_ATOMIC_64_BIT,
                         fault);
}

static bool decode_channels(const VeuProgram *p, const VeuEncoding *e,
                            VeuField field, VeuMessage *m, VeuFault *fault)
{
    unsigned channels = e->field[field].number;

    if (channels == 0 || channels > 0xf) {
        return veu_bad_field(e, field, fault);
    }
    m->channels = channels;
    veu_place_channels(p, m, 4);
    return true;
}

static bool decode_mode(const VeuEncoding *e, VeuField field, unsigned legal,
                        VeuMessage *m, VeuFault *fault)
{
    unsigned mode = e->field[field].number;

    if (mode >= VEU_MEDIA_MODES || !(legal & (1u << mode))) {
        return veu_bad_field(e, field, fault);
    }
    m->mode = mode;
    return true;
}

/* "Modified" asks for what every read does anyway, like Is_modified. */
static bool decode_load_mode(const VeuProgram *p, const VeuEncoding *e,
                             VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_mode(e, field, 0x3f, m, fault);
}

/* spec.md, media_st: none, top field, bottom field. */
static bool decode_store_mode(const VeuProgram *p, const VeuEncoding *e,
                              VeuField field, VeuMessage *m, VeuFault *fault)
{
    return decode_mode(e, field, 0x0d, m, fault);
}

static bool decode_plane(const VeuProgram *p, const VeuEncoding *e,
                         VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->plane = e->field[field].number;
    return m->plane <= 3 || veu_bad_field(e, field, fault);
}

static bool decode_block_width(const VeuProgram *p, const VeuEncoding *e,
                               VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->width_byte = e->field[field].number;
    return (m->width_byte >= 1 && m->width_byte <= VEU_MEDIA_MAX_SIDE) ||
           veu_bad_field(e, field, fault);
}

/*
 * Heights for which the block fits 256 bytes of registers: encoding.md, section
 * 4.
 */
static bool decode_block_height(const VeuProgram *p, const VeuEncoding *e,
                                VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->height = e->field[field].number;
    return (m->height >= 1 && m->height <= VEU_MEDIA_MAX_SIDE &&
            m->height * veu_media_pitch(m->width_byte) <=
                VEU_MEDIA_MAX_BYTES) ||
           veu_bad_field(e, field, fault);
}

static bool decode_fence_mask(const VeuProgram *p, const VeuEncoding *e,
                              VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->fence = e->field[field].number;
    return true;
}

/* Flags, and the high byte of the operation: docs/spec.md, sample_lz. */
static bool decode_sample_op(const VeuProgram *p, const VeuEncoding *e,
                             VeuField field, VeuMessage *m, VeuFault *fault)
{
    return !e->field[field].number || veu_bad_field(e, field, fault);
}

/* A variable that holds the sampler's index. */
static bool decode_sampler(const VeuProgram *p, const VeuEncoding *e,
                           VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->sampler = e->field[field].number;
    return m->sampler < p->state_count - p->surface_state_count ||
           veu_bad_field(e, field, fault);
}

static bool decode_parameters(const VeuProgram *p, const VeuEncoding *e,
                              VeuField field, VeuMessage *m, VeuFault *fault)
{
    return e->field[field].number || veu_bad_field(e, field, fault);
}

/*
 * Which surface this is depends on the dispatch: veu_surface_find(). OWORD's
 * pages: 16 owords may only be used when the surface is T0.
 */
static bool decode_surface(const VeuProgram *p, const VeuEncoding *e,
                           VeuField field, VeuMessage *m, VeuFault *fault)
{
    m->surface = e->field[field].number;
    if (p->kind == VEU_PROGRAM_INSTRUCTIONS &&
        m->surface >= VEU_FIRST_SURFACE + p->surface_state_count) {
        return veu_bad_field(e, field, fault);
    }
    return m->blocks <= 8 || m->surface == 0 ||
           veu_bad_field(e, VEU_FIELD_OWORDS, fault);
}

/* Is_modified, Block_size and Scale: any value (semantics.md, section 2). */
static bool decode_ignored(const VeuProgram *p, const VeuEncoding *e,
                           VeuField field, VeuMessage *m, VeuFault *fault)
{
    return true;
}

#define ROW(field, name_, kind_, text_, decode_)      \
    [VEU_FIELD_##field] = { .name = name_,            \
                            .kind = VEU_KIND_##kind_, \
                            .text = VEU_TEXT_##text_, \
                            .decode = decode_ }
/* Like CODED(), with the values that its codes stand for. */
#define SIZES(...)  \
    {               \
        __VA_ARGS__ \
    }
#define CODED(field, name_, text_, decode_, count_, sizes_) \
    [VEU_FIELD_##field] = { .name = name_,                  \
                            .kind = VEU_KIND_BYTE,          \
                            .text = VEU_TEXT_##text_,       \
                            .values = sizes_,               \
                            .value_count = count_,          \
                            .decode = decode_ }

/* An operand: where it is stored in the message, and its registers. */
#define RAW(field, name_, to, types_, extent_, decode_)        \
    [VEU_FIELD_##field] = { .name = name_,                     \
                            .kind = VEU_KIND_RAW,              \
                            .text = VEU_TEXT_RAW,              \
                            .to_at = offsetof(VeuMessage, to), \
                            .types = VEU_RAW_##types_,         \
                            .extent = VEU_RAW_##extent_,       \
                            .decode = veu_decode_##decode_ }
#define SCALAR(field, name_, to)                               \
    [VEU_FIELD_##field] = { .name = name_,                     \
                            .kind = VEU_KIND_SCALAR,           \
                            .text = VEU_TEXT_SCALAR,           \
                            .to_at = offsetof(VeuMessage, to), \
                            .decode = veu_decode_scalar }

const VeuFieldInfo veu_fields[VEU_FIELD_COUNT] = {
    CODED(ELT_SIZE, "Elt_size", SUFFIX, decode_element_size, 3, SIZES(1, 2, 4)),
    ROW(IS_MODIFIED, "Is_modified", BYTE, NONE, decode_ignored),
    CODED(NUM_ELTS, "Num_elts", LANES, decode_lanes, 3, SIZES(8, 16, 1)),
    CODED(EXEC_SIZE, "Exec_size", LANES, decode_lanes, 6,
          SIZES(1, 2, 4, 8, 16, 32)),
    ROW(PRED, "Pred", WORD, PREDICATE, decode_pred),
    ROW(BLOCK_SIZE, "Block_size", BYTE, NONE, decode_ignored),
    CODED(NUM_BLOCKS, "Num_blocks", SUFFIX, decode_element_size, 3,
          SIZES(1, 2, 4)),
    /* Compilers write 0b10 for 8 bytes; 0b11 is documented. */
    CODED(SVM_BLOCK_SIZE, "Block_size", SUFFIX, decode_svm_block_size, 4,
          SIZES(1, 4, 8, 8)),
    CODED(SVM_STORE_BLOCK_SIZE, "Block_size", SUFFIX, decode_svm_block_size, 3,
          SIZES(1, 4, 8)),
    CODED(SVM_NUM_BLOCKS, "Num_blocks", SUFFIX, decode_svm_num_blocks, 4,
          SIZES(1, 2, 4, 8)),
    CODED(QW_NUM_BLOCKS, "Num_blocks", SUFFIX, decode_qw_num_blocks, 4,
          SIZES(1, 2, 4, 8)),
    CODED(OWORDS, "Size", SIZE, decode_owords, 5, SIZES(1, 2, 4, 8, 16)),
    CODED(SVM_OWORDS, "Properties", SVM_SIZE, decode_svm_owords, 5,
          SIZES(1, 2, 4, 8, 16)),
    ROW(ATOMIC_OP, "Op", BYTE, ATOMIC, decode_atomic_op),
    ROW(SVM_ATOMIC_OP, "Op", BYTE, ATOMIC, decode_svm_atomic_op),
    ROW(MEDIA_LOAD_MODE, "Modifiers", BYTE, MODE, decode_load_mode),
    ROW(MEDIA_STORE_MODE, "Modifiers", BYTE, MODE, decode_store_mode),
    ROW(PLANE, "Plane", BYTE, PLANE, decode_plane),
    ROW(BLOCK_WIDTH, "Block_width", BYTE, EXTENT, decode_block_width),
    ROW(BLOCK_HEIGHT, "Block_height", BYTE, EXTENT, decode_block_height),
    ROW(FENCE_MASK, "Mask", BYTE, FENCE, decode_fence_mask),
    ROW(SAMPLE_OP, "Op", BYTE, NONE, decode_sample_op),
    ROW(TEXEL_OFFSETS, "Aoffimmi", SCALAR, SCALAR, veu_decode_texel_offsets),
    ROW(SAMPLER, "Sampler", BYTE, SAMPLER, decode_sampler),
    ROW(PARAMETERS, "Num_parms", BYTE, NONE, decode_parameters),
    ROW(SCALE, "Scale", WORD, NONE, decode_ignored),
    ROW(CHANNELS, "Channels", BYTE, CHANNELS, decode_channels),
    ROW(SURFACE, "Surface", BYTE, SURFACE, decode_surface),
    SCALAR(OFFSET, "Offset", global_offset),
    RAW(ELEMENT_OFFSET, "Element_offset", address, OFFSET, DWORDS, raw),
    RAW(U, "U", address, OFFSET, DWORDS, raw),
    RAW(V, "V", v, OFFSET, DWORDS, raw),
    RAW(R, "R", r, OFFSET, DWORDS, raw),
    RAW(LOD, "LOD", lod, OFFSET, DWORDS, raw),
    SCALAR(X_OFFSET, "X_offset", global_offset),
    SCALAR(Y_OFFSET, "Y_offset", y_offset),
    SCALAR(ADDRESS, "Address", global_offset),
    RAW(ADDRESSES, "Addresses", address, ADDRESS, QWORDS, raw),
    RAW(SVM_ELEMENT_OFFSET, "Element_offset", address, ADDRESS, QWORDS, raw),
    RAW(LANE_DATA, "Data", data, DATA, LANES, raw),
    RAW(CHANNEL_DATA, "Data", data, DATA, CHANNELS, channel_data),
    RAW(QW_DATA, "Data", data, DATA, LANES, raw),
    RAW(SVM_DATA, "Data", data, ANY, LANES, raw),
    RAW(SVM_CHANNEL_DATA, "Data", data, ANY, CHANNELS, raw),
    RAW(BLOCK_DATA, "Data", data, ANY, BLOCK, raw),
    RAW(MEDIA_DATA, "Data", data, ANY, MEDIA, raw),
    RAW(ATOMIC_SRC0, "Src0", src0, DATA, LANES, source),
    RAW(ATOMIC_SRC1, "Src1", src1, DATA, LANES, source),
    RAW(ATOMIC_DST, "Dst", data, DATA, LANES, raw),
};

static bool is_slm_that_wraps(const VeuProgram *program, const VeuMessage *m)
{
    return program->kind == VEU_PROGRAM_INSTRUCTIONS && m->info->choose_slm &&
           m->surface == VEU_SLM_SURFACE;
}

static VeuFast *choose_fast(const VeuProgram *program, const VeuMessage *m)
{
    if (is_slm_that_wraps(program, m)) {
        return m->info->choose_slm(m);
    }
    return m->info->choose_fast ? m->info->choose_fast(m) : NULL;
}

bool veu_message_decode(const VeuProgram *program, const uint8_t *code,
                        uint32_t code_bytes, uint32_t offset,
                        VeuMessage *message, uint32_t *next, VeuFault *fault)
{
    VeuEncoding encoding;

    const VeuMessageInfo *info = veu_message_find(code + offset,
                                                  code_bytes - offset);

    if (info && info->samples && program->kind == VEU_PROGRAM_MESSAGES) {
        return veu_fault_form(fault, VEU_FAULT_MESSAGE_OPCODE, 0);
    }
    if (!veu_encoding_parse(code + offset, code_bytes - offset, &encoding,
                            fault)) {
        return false;
    }
    *message = (VeuMessage){
        .info = encoding.info,
        .offset = offset,
        .align_bytes = encoding.info->align_bytes,
        /* A message without lanes runs once, whatever the mask is. */
        .lanes = 1,
        .no_mask = true,
        /* 0 for a message that has no such operand. */
        .global_offset = { .class = VEU_SCALAR_IMMEDIATE },
        .lod = { .null = true },
    };
    for (const uint8_t *f = encoding.info->fields; *f != VEU_FIELD_END; f++) {
        if (!veu_fields[*f].decode(program, &encoding, *f, message, fault)) {
            return false;
        }
    }
    message->all_lanes = UINT32_MAX >> (32 - message->lanes);
    message->fast = choose_fast(program, message);
    *next = offset + encoding.bytes;
    return true;
}

/*
 * Registers may change from one message to the next, so byte 0 counts, too.
 * Fast paths of messages without lanes read it again.
 */
static bool is_same_offset(const VeuMessage *a, const VeuMessage *b)
{
    const VeuScalar *x = &a->global_offset;
    const VeuScalar *y = &b->global_offset;

    return a->info->lanes == 0 ||
           (x->class == VEU_SCALAR_IMMEDIATE &&
            y->class == VEU_SCALAR_IMMEDIATE && x->value == y->value);
}

bool veu_message_alike(const VeuMessage *a, const VeuMessage *b)
{
    return a->fast && a->fast == b->fast && a->info == b->info &&
           a->all_lanes == b->all_lanes && a->mask_offset == b->mask_offset &&
           a->no_mask == b->no_mask && !a->predication.used &&
           !b->predication.used && a->element_bytes == b->element_bytes &&
           a->align_bytes == b->align_bytes && a->blocks == b->blocks &&
           is_same_offset(a, b);
}
