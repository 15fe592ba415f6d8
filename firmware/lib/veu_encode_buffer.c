/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: messages on buffers and blocks, encoded.
 */
#include "veu_encode_buffer.h"
#include "veu_encode_parts.h"

bool veu_encode_scatter(struct veu_code *code, unsigned element_bytes,
                        struct veu_exec exec, uint8_t surface,
                        struct veu_scalar global, struct veu_raw offsets,
                        struct veu_raw src)
{
    veu_put(code, 1, VEU_OPCODE_SCATTER);
    veu_put_field(code, veu_field_size(element_bytes, 4));
    veu_put_field(code,
                  veu_field_num_elts(exec.lanes, exec.mask, exec.no_mask));
    veu_put(code, 1, surface);
    veu_put_scalar(code, global);
    veu_put_raw(code, offsets);
    veu_put_raw(code, src);
    return veu_end_message(code);
}

/* The common start of messages of up to 16 lanes. */
static void put_lanes(struct veu_code *code, uint8_t opcode,
                      struct veu_exec exec, uint16_t pred)
{
    veu_put(code, 1, opcode);
    veu_put_field(code, veu_exec_field(exec, 16));
    veu_put(code, 2, pred);
}

static bool put_scaled4(struct veu_code *code, uint8_t opcode, uint16_t pred,
                        unsigned channels, struct veu_exec exec,
                        uint8_t surface, struct veu_scalar global,
                        struct veu_raw offsets, struct veu_raw data)
{
    put_lanes(code, opcode, exec, pred);
    veu_put_field(code, veu_field_channels(channels));
    veu_put(code, 2, 0); /* scale */
    veu_put(code, 1, surface);
    veu_put_scalar(code, global);
    veu_put_raw(code, offsets);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_gather4_scaled(struct veu_code *code, uint16_t pred,
                               unsigned channels, struct veu_exec exec,
                               uint8_t surface, struct veu_scalar global,
                               struct veu_raw offsets, struct veu_raw dst)
{
    return put_scaled4(code, VEU_OPCODE_GATHER4_SCALED, pred, channels, exec,
                       surface, global, offsets, dst);
}

bool veu_encode_scatter4_scaled(struct veu_code *code, uint16_t pred,
                                unsigned channels, struct veu_exec exec,
                                uint8_t surface, struct veu_scalar global,
                                struct veu_raw offsets, struct veu_raw src)
{
    return put_scaled4(code, VEU_OPCODE_SCATTER4_SCALED, pred, channels, exec,
                       surface, global, offsets, src);
}

static bool put_svm4(struct veu_code *code, uint8_t message, uint16_t pred,
                     unsigned channels, struct veu_exec exec,
                     struct veu_scalar address, struct veu_raw offsets,
                     struct veu_raw data)
{
    veu_put(code, 1, VEU_OPCODE_SVM);
    put_lanes(code, message, exec, pred);
    veu_put_field(code, veu_field_channels(channels));
    veu_put(code, 2, 0); /* scale */
    veu_put_scalar(code, address);
    veu_put_raw(code, offsets);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_svm_gather4scaled(struct veu_code *code, uint16_t pred,
                                  unsigned channels, struct veu_exec exec,
                                  struct veu_scalar address,
                                  struct veu_raw offsets, struct veu_raw dst)
{
    return put_svm4(code, VEU_SVM_GATHER4SCALED, pred, channels, exec, address,
                    offsets, dst);
}

bool veu_encode_svm_scatter4scaled(struct veu_code *code, uint16_t pred,
                                   unsigned channels, struct veu_exec exec,
                                   struct veu_scalar address,
                                   struct veu_raw offsets, struct veu_raw src)
{
    return put_svm4(code, VEU_SVM_SCATTER4SCALED, pred, channels, exec, address,
                    offsets, src);
}

static bool put_qw(struct veu_code *code, uint8_t opcode, uint16_t pred,
                   struct veu_exec exec, uint8_t surface,
                   struct veu_raw offsets, struct veu_raw data)
{
    put_lanes(code, opcode, exec, pred);
    veu_put(code, 1, 0); /* 1 block */
    veu_put(code, 1, surface);
    veu_put_raw(code, offsets);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_qw_gather(struct veu_code *code, uint16_t pred,
                          struct veu_exec exec, uint8_t surface,
                          struct veu_raw offsets, struct veu_raw dst)
{
    return put_qw(code, VEU_OPCODE_QW_GATHER, pred, exec, surface, offsets,
                  dst);
}

bool veu_encode_qw_scatter(struct veu_code *code, uint16_t pred,
                           struct veu_exec exec, uint8_t surface,
                           struct veu_raw offsets, struct veu_raw src)
{
    return put_qw(code, VEU_OPCODE_QW_SCATTER, pred, exec, surface, offsets,
                  src);
}

static bool put_load(struct veu_code *code, uint8_t opcode, unsigned owords,
                     uint8_t surface, struct veu_scalar offset,
                     struct veu_raw dst)
{
    veu_put(code, 1, opcode);
    veu_put_field(code, veu_field_size(owords, 16));
    veu_put(code, 1, 0); /* is_modified */
    veu_put(code, 1, surface);
    veu_put_scalar(code, offset);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}

bool veu_encode_oword_ld(struct veu_code *code, unsigned owords,
                         uint8_t surface, struct veu_scalar offset,
                         struct veu_raw dst)
{
    return put_load(code, VEU_OPCODE_OWORD_LD, owords, surface, offset, dst);
}

bool veu_encode_oword_ld_unaligned(struct veu_code *code, unsigned owords,
                                   uint8_t surface, struct veu_scalar offset,
                                   struct veu_raw dst)
{
    return put_load(code, VEU_OPCODE_OWORD_LD_UNALIGNED, owords, surface,
                    offset, dst);
}

bool veu_encode_oword_st(struct veu_code *code, unsigned owords,
                         uint8_t surface, struct veu_scalar offset,
                         struct veu_raw src)
{
    veu_put(code, 1, VEU_OPCODE_OWORD_ST);
    veu_put_field(code, veu_field_size(owords, 16));
    veu_put(code, 1, surface);
    veu_put_scalar(code, offset);
    veu_put_raw(code, src);
    return veu_end_message(code);
}

static bool put_svm_block(struct veu_code *code, uint8_t message,
                          unsigned owords, uint8_t flags,
                          struct veu_scalar address, struct veu_raw data)
{
    unsigned size = veu_field_size(owords, 8);

    veu_put(code, 1, VEU_OPCODE_SVM);
    veu_put(code, 1, message);
    veu_put_field(code, size == VEU_FIELD_BAD || flags & ~VEU_SVM_UNALIGNED ?
                            VEU_FIELD_BAD :
                            size | flags);
    veu_put_scalar(code, address);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_svm_block_ld(struct veu_code *code, unsigned owords,
                             uint8_t flags, struct veu_scalar address,
                             struct veu_raw dst)
{
    return put_svm_block(code, VEU_SVM_BLOCK_LD, owords, flags, address, dst);
}

bool veu_encode_svm_block_st(struct veu_code *code, unsigned owords,
                             uint8_t flags, struct veu_scalar address,
                             struct veu_raw src)
{
    return put_svm_block(code, VEU_SVM_BLOCK_ST, owords, flags, address, src);
}

static bool put_media(struct veu_code *code, uint8_t opcode,
                      struct veu_block block, uint8_t surface,
                      struct veu_raw data)
{
    veu_put(code, 1, opcode);
    veu_put(code, 1, block.mode);
    veu_put(code, 1, surface);
    veu_put(code, 1, 0); /* plane */
    veu_put(code, 1, block.width);
    veu_put(code, 1, block.height);
    veu_put_scalar(code, block.x);
    veu_put_scalar(code, block.y);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_media_ld(struct veu_code *code, struct veu_block block,
                         uint8_t surface, struct veu_raw dst)
{
    return put_media(code, VEU_OPCODE_MEDIA_LD, block, surface, dst);
}

bool veu_encode_media_st(struct veu_code *code, struct veu_block block,
                         uint8_t surface, struct veu_raw src)
{
    return put_media(code, VEU_OPCODE_MEDIA_ST, block, surface, src);
}

bool veu_encode_fence(struct veu_code *code, uint8_t mask)
{
    veu_put(code, 1, VEU_OPCODE_FENCE);
    veu_put(code, 1, mask);
    return veu_end_message(code);
}
