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

static bool refuse_field(const VeuFieldDecoder *d)
{
    return veu_field_refuse(d, VEU_FAULT_MESSAGE_FIELD);
}

static unsigned number_of(const VeuFieldDecoder *d)
{
    return d->encoding->field[d->field].number;
}

/* Legal lane counts; a mask offset is a multiple of the count. */
static bool set_lanes(const VeuFieldDecoder *d, unsigned lanes)
{
    VeuMessage *m = d->message;
    unsigned mask_code = number_of(d) >> 4;
    unsigned mask_offset = (mask_code & 7) * 4;

    if (!(d->encoding->info->lanes & lanes)) {
        return refuse_field(d);
    }
    /* 32 lanes M1; 16: M1, M5; 8: M1, M3, M5, M7; 4 and fewer: any. */
    if (mask_offset % lanes) {
        return refuse_field(d);
    }
    if (d->program->kind == VEU_PROGRAM_MESSAGES &&
        mask_offset + lanes > d->program->simd) {
        return veu_field_refuse(d, VEU_FAULT_MESSAGE_LANES);
    }
    m->lanes = lanes;
    m->mask_offset = mask_offset;
    m->no_mask = mask_code & 8;
    return true;
}

/* Bits 0..3: size; 4..7: mask. The field's values are its legal sizes. */
static bool decode_lanes(const VeuFieldDecoder *d)
{
    const VeuFieldInfo *info = d->info;
    unsigned size = number_of(d) & 0xf;

    if (size >= info->value_count) {
        return refuse_field(d);
    }
    return set_lanes(d, info->values[size]);
}

/* Bits 0..11: id; 12: unassigned; 13..14: combine; 15: inverse. */
static bool decode_pred(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;
    uint16_t pred = number_of(d);
    unsigned id = pred & 0xfff;
    unsigned combine = (pred >> 13) & 3;

    if ((pred & 0x1000) || combine > VEU_COMBINE_ALL || (!id && pred)) {
        return refuse_field(d);
    }
    if (!id) {
        return true;
    }
    if (id > d->program->predicate_count ||
        m->mask_offset + m->lanes > d->program->predicate_bits[id - 1]) {
        return veu_field_refuse(d, VEU_FAULT_MESSAGE_PREDICATE);
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
static bool decode_value(const VeuFieldDecoder *d, uint8_t *value)
{
    const VeuFieldInfo *info = d->info;
    unsigned code = number_of(d);

    if (code >= info->value_count) {
        return refuse_field(d);
    }
    *value = info->values[code];
    return true;
}

/* An element. Scaled messages give its size as a number of 1-byte blocks. */
static bool decode_element_size(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->blocks = 1;
    return decode_value(d, &m->element_bytes);
}

/* Each block is aligned to its size (spec.md, svm_gather). */
static bool decode_svm_block_size(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    if (!decode_value(d, &m->element_bytes)) {
        return false;
    }
    m->align_bytes = m->element_bytes;
    return true;
}

/*
 * 8 blocks take 8 lanes, with blocks of 1 or 4 bytes: semantics.md, section 2.
 */
static bool decode_svm_num_blocks(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    if (!decode_value(d, &m->blocks)) {
        return false;
    }
    if (m->blocks == 8 && (m->lanes != 8 || m->element_bytes == 8)) {
        return refuse_field(d);
    }
    return true;
}

/* Only 1 block is documented; the vendor's assembler accepts more. */
static bool decode_qw_num_blocks(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->element_bytes = 8;
    return decode_value(d, &m->blocks) && (m->blocks == 1 || refuse_field(d));
}

static bool decode_owords(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->element_bytes = 16;
    return decode_value(d, &m->blocks);
}

/*
 * Bit 3 is documented as "unaligned"; compilers set bit 7. They also use 16
 * owords, while the vendor's page lists up to 8.
 */
static bool decode_svm_owords(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;
    const VeuFieldInfo *info = d->info;
    unsigned number = number_of(d);
    unsigned code = number & ~VEU_SVM_UNALIGNED_BITS;

    if (code >= info->value_count || info->values[code] > 8) {
        return refuse_field(d);
    }
    m->element_bytes = 16;
    m->blocks = info->values[code];
    m->align_bytes = number & VEU_SVM_UNALIGNED_BITS ? 4 : 16;
    return true;
}

/* Bits 0..4: the operation; 5: 16 bits; 6: 64 bits (SVM only). */
static bool decode_atomic(const VeuFieldDecoder *d, unsigned widths)
{
    VeuMessage *m = d->message;
    unsigned number = number_of(d);
    unsigned width = number & ~VEU_ATOMIC_CODE_MASK;

    m->op = veu_atomic_op_find(number & VEU_ATOMIC_CODE_MASK);
    if (!m->op || (width & ~widths) || (width & (width - 1))) {
        return refuse_field(d);
    }
    m->element_bytes = width == VEU_ATOMIC_16_BIT ? 2 :
                       width == VEU_ATOMIC_64_BIT ? 8 :
                                                    4;
    m->align_bytes = m->element_bytes;
    m->blocks = 1;
    return true;
}

static bool decode_atomic_op(const VeuFieldDecoder *d)
{
    return decode_atomic(d, VEU_ATOMIC_16_BIT);
}

static bool decode_svm_atomic_op(const VeuFieldDecoder *d)
{
    return decode_atomic(d, VEU_ATOMIC_16_BIT | VEU_ATOMIC_64_BIT);
}

static bool decode_channels(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;
    unsigned channels = number_of(d);

    if (channels == 0 || channels > 0xf) {
        return refuse_field(d);
    }
    m->channels = channels;
    veu_place_channels(d->program, m, 4);
    return true;
}

static bool decode_mode(const VeuFieldDecoder *d, unsigned legal)
{
    VeuMessage *m = d->message;
    unsigned mode = number_of(d);

    if (mode >= VEU_MEDIA_MODES || !(legal & (1u << mode))) {
        return refuse_field(d);
    }
    m->mode = mode;
    return true;
}

/* "Modified" asks for what every read does anyway, like Is_modified. */
static bool decode_load_mode(const VeuFieldDecoder *d)
{
    return decode_mode(d, 0x3f);
}

/* spec.md, media_st: none, top field, bottom field. */
static bool decode_store_mode(const VeuFieldDecoder *d)
{
    return decode_mode(d, 0x0d);
}

static bool decode_plane(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->plane = number_of(d);
    return m->plane <= 3 || refuse_field(d);
}

static bool decode_block_width(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->width_byte = number_of(d);
    return (m->width_byte >= 1 && m->width_byte <= VEU_MEDIA_MAX_SIDE) ||
           refuse_field(d);
}

/*
 * Heights for which the block fits 256 bytes of registers: encoding.md, section
 * 4.
 */
static bool decode_block_height(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->height = number_of(d);
    return (m->height >= 1 && m->height <= VEU_MEDIA_MAX_SIDE &&
            m->height * veu_media_pitch(m->width_byte) <=
                VEU_MEDIA_MAX_BYTES) ||
           refuse_field(d);
}

static bool decode_fence_mask(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->fence = number_of(d);
    return true;
}

/* Flags, and the high byte of the operation: docs/spec.md, sample_lz. */
static bool decode_sample_op(const VeuFieldDecoder *d)
{
    return !number_of(d) || refuse_field(d);
}

/* A variable that holds the sampler's index. */
static bool decode_sampler(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->sampler = number_of(d);
    return m->sampler <
               d->program->state_count - d->program->surface_state_count ||
           refuse_field(d);
}

static bool decode_parameters(const VeuFieldDecoder *d)
{
    return number_of(d) || refuse_field(d);
}

/*
 * Which surface this is depends on the dispatch: veu_surface_find(). OWORD's
 * pages: 16 owords may only be used when the surface is T0.
 */
static bool decode_surface(const VeuFieldDecoder *d)
{
    VeuMessage *m = d->message;

    m->surface = number_of(d);
    if (d->program->kind == VEU_PROGRAM_INSTRUCTIONS &&
        m->surface >= VEU_FIRST_SURFACE + d->program->surface_state_count) {
        return refuse_field(d);
    }
    return m->blocks <= 8 || m->surface == 0 ||
           veu_fault_form(d->fault, VEU_FAULT_MESSAGE_FIELD,
                          d->encoding->at[VEU_FIELD_OWORDS]);
}

/* Is_modified, Block_size and Scale: any value (semantics.md, section 2). */
static bool decode_ignored(const VeuFieldDecoder *d)
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
