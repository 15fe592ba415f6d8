/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: vISA messages, encoded.
 */
#include "veu_encode_parts.h"

#define OP_GATHER         0x39
#define OP_GATHER4_TYPED  0x4b
#define OP_SCATTER4_TYPED 0x4c
#define OP_SVM            0x4e
#define OP_GATHER_SCALED  0x78
#define OP_SCATTER_SCALED 0x79
#define OP_DWORD_ATOMIC   0x7d
#define SVM_GATHER        0x03
#define SVM_ATOMIC        0x05

#define ATOMIC_16_BITS 0x20
#define ATOMIC_64_BITS 0x40

#define TAG_GENERAL   0
#define TAG_INDIRECT  3
#define TAG_IMMEDIATE 5
#define REGION_SCALAR 0x0121 /* <0;1,0> */

#define BAD VEU_CODE_BAD

void veu_code_begin(struct veu_code *code, void *memory, uint32_t capacity)
{
    *code = (struct veu_code){ .memory = memory, .capacity = capacity };
}

void veu_put(struct veu_code *code, unsigned bytes, uint64_t value)
{
    if (code->capacity - code->bytes < bytes) {
        code->failed = true;
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        code->memory[code->bytes++] = value >> 8 * i;
    }
}

void veu_put_code(struct veu_code *code, unsigned value)
{
    code->failed |= value == BAD;
    veu_put(code, 1, value);
}

unsigned veu_log2_code(unsigned value, unsigned limit)
{
    for (unsigned i = 0; 1u << i <= limit; i++) {
        if (value == 1u << i) {
            return i;
        }
    }
    return BAD;
}

static unsigned mask_code(struct veu_exec exec)
{
    if (exec.mask < 1 || exec.mask > 8) {
        return BAD;
    }
    return exec.mask - 1 + (exec.no_mask ? 8 : 0);
}

unsigned veu_exec_code(struct veu_exec exec)
{
    unsigned size = veu_log2_code(exec.lanes, 32), mask = mask_code(exec);

    return size == BAD || mask == BAD ? BAD : size | mask << 4;
}

unsigned veu_num_elts_code(struct veu_exec exec)
{
    unsigned size = exec.lanes == 8  ? 0 :
                    exec.lanes == 16 ? 1 :
                    exec.lanes == 1  ? 2 :
                                       BAD;
    unsigned mask = mask_code(exec);

    return size == BAD || mask == BAD ? BAD : size | mask << 4;
}

unsigned veu_channels_code(unsigned channels)
{
    return channels && channels <= VEU_CHANNEL_RGBA ? channels : BAD;
}

void veu_put_raw(struct veu_code *code, struct veu_raw raw)
{
    veu_put(code, 4, raw.id);
    veu_put(code, 2, raw.offset);
}

void veu_put_scalar(struct veu_code *code, struct veu_scalar scalar)
{
    bool wide = scalar.type == VEU_TYPE_UQ || scalar.type == VEU_TYPE_Q ||
                scalar.type == VEU_TYPE_DF;

    if (scalar.is_variable) {
        veu_put(code, 1, TAG_GENERAL);
        veu_put(code, 4, scalar.id);
        veu_put(code, 1, scalar.row);
        veu_put(code, 1, scalar.col);
        veu_put(code, 2, REGION_SCALAR);
    } else if (scalar.is_indirect) {
        veu_put(code, 1, TAG_INDIRECT);
        veu_put(code, 2, scalar.id);
        veu_put(code, 1, scalar.col);
        veu_put(code, 2, scalar.value);
        veu_put(code, 1, scalar.type);
        veu_put(code, 2, REGION_SCALAR);
    } else {
        veu_put(code, 1, TAG_IMMEDIATE);
        veu_put(code, 1, scalar.type);
        veu_put(code, wide ? 8 : 4, scalar.value);
    }
}

bool veu_end_message(struct veu_code *code)
{
    code->messages += !code->failed;
    return !code->failed;
}

bool veu_encode_gather(struct veu_code *code, unsigned element_bytes,
                       struct veu_exec exec, uint8_t surface,
                       struct veu_scalar global, struct veu_raw offsets,
                       struct veu_raw dst)
{
    veu_put(code, 1, OP_GATHER);
    veu_put_code(code, veu_log2_code(element_bytes, 4));
    veu_put(code, 1, 0); /* is_modified */
    veu_put_code(code, veu_num_elts_code(exec));
    veu_put(code, 1, surface);
    veu_put_scalar(code, global);
    veu_put_raw(code, offsets);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}

static bool put_scaled(struct veu_code *code, uint8_t opcode, uint16_t pred,
                       unsigned bytes, struct veu_exec exec, uint8_t surface,
                       struct veu_scalar global, struct veu_raw offsets,
                       struct veu_raw data)
{
    veu_put(code, 1, opcode);
    veu_put_code(code, veu_exec_code(exec));
    veu_put(code, 2, pred);
    veu_put(code, 1, 0); /* block_size */
    veu_put_code(code, veu_log2_code(bytes, 4));
    veu_put(code, 2, 0); /* scale */
    veu_put(code, 1, surface);
    veu_put_scalar(code, global);
    veu_put_raw(code, offsets);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_gather_scaled(struct veu_code *code, uint16_t pred,
                              unsigned bytes, struct veu_exec exec,
                              uint8_t surface, struct veu_scalar global,
                              struct veu_raw offsets, struct veu_raw dst)
{
    return put_scaled(code, OP_GATHER_SCALED, pred, bytes, exec, surface,
                      global, offsets, dst);
}

bool veu_encode_scatter_scaled(struct veu_code *code, uint16_t pred,
                               unsigned bytes, struct veu_exec exec,
                               uint8_t surface, struct veu_scalar global,
                               struct veu_raw offsets, struct veu_raw src)
{
    return put_scaled(code, OP_SCATTER_SCALED, pred, bytes, exec, surface,
                      global, offsets, src);
}

static bool put_typed(struct veu_code *code, uint8_t opcode, uint16_t pred,
                      unsigned channels, struct veu_exec exec, uint8_t surface,
                      struct veu_texels texels, struct veu_raw data)
{
    veu_put(code, 1, opcode);
    veu_put_code(code, veu_exec_code(exec));
    veu_put(code, 2, pred);
    veu_put_code(code, veu_channels_code(channels));
    veu_put(code, 1, surface);
    veu_put_raw(code, texels.u);
    veu_put_raw(code, texels.v);
    veu_put_raw(code, texels.r);
    veu_put_raw(code, texels.lod);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_gather4_typed(struct veu_code *code, uint16_t pred,
                              unsigned channels, struct veu_exec exec,
                              uint8_t surface, struct veu_texels texels,
                              struct veu_raw dst)
{
    return put_typed(code, OP_GATHER4_TYPED, pred, channels, exec, surface,
                     texels, dst);
}

bool veu_encode_scatter4_typed(struct veu_code *code, uint16_t pred,
                               unsigned channels, struct veu_exec exec,
                               uint8_t surface, struct veu_texels texels,
                               struct veu_raw src)
{
    return put_typed(code, OP_SCATTER4_TYPED, pred, channels, exec, surface,
                     texels, src);
}

/* 8-byte blocks: code 2, as compilers write it: semantics.md, section 2. */
bool veu_encode_svm_gather(struct veu_code *code, uint16_t pred,
                           unsigned block_bytes, unsigned blocks,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst)
{
    unsigned size = block_bytes == 1 ? 0 :
                    block_bytes == 4 ? 1 :
                    block_bytes == 8 ? 2 :
                                       BAD;

    veu_put(code, 1, OP_SVM);
    veu_put(code, 1, SVM_GATHER);
    veu_put_code(code, exec.lanes <= 16 ? veu_exec_code(exec) : BAD);
    veu_put(code, 2, pred);
    veu_put_code(code, size);
    veu_put_code(code, veu_log2_code(blocks, 8));
    veu_put_raw(code, addresses);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}

static unsigned atomic_code(enum veu_atomic_op op, unsigned bits)
{
    return bits == 16 ? op | ATOMIC_16_BITS :
           bits == 32 ? op :
           bits == 64 ? op | ATOMIC_64_BITS :
                        BAD;
}

bool veu_encode_svm_atomic(struct veu_code *code, uint16_t pred,
                           enum veu_atomic_op op, unsigned bits,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst, struct veu_raw src0,
                           struct veu_raw src1)
{
    veu_put(code, 1, OP_SVM);
    veu_put(code, 1, SVM_ATOMIC);
    veu_put_code(code, exec.lanes <= 8 ? veu_exec_code(exec) : BAD);
    veu_put(code, 2, pred);
    veu_put_code(code, atomic_code(op, bits));
    veu_put_raw(code, addresses);
    veu_put_raw(code, src0);
    veu_put_raw(code, src1);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}

bool veu_encode_dword_atomic(struct veu_code *code, uint16_t pred,
                             enum veu_atomic_op op, unsigned bits,
                             struct veu_exec exec, uint8_t surface,
                             struct veu_raw offsets, struct veu_raw src0,
                             struct veu_raw src1, struct veu_raw dst)
{
    veu_put(code, 1, OP_DWORD_ATOMIC);
    veu_put_code(code, bits <= 32 ? atomic_code(op, bits) : BAD);
    veu_put_code(code, exec.lanes <= 16 ? veu_exec_code(exec) : BAD);
    veu_put(code, 2, pred);
    veu_put(code, 1, surface);
    veu_put_raw(code, offsets);
    veu_put_raw(code, src0);
    veu_put_raw(code, src1);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}
