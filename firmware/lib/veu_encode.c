/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: vISA messages, encoded.
 */
#include "veu_encode.h"

#define OP_GATHER         0x39
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

#define BAD 0xff

void veu_code_begin(struct veu_code *code, void *memory, uint32_t capacity)
{
    *code = (struct veu_code){ .memory = memory, .capacity = capacity };
}

static void put(struct veu_code *code, unsigned bytes, uint64_t value)
{
    if (code->capacity - code->bytes < bytes) {
        code->failed = true;
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        code->memory[code->bytes++] = value >> 8 * i;
    }
}

/* A field's code, or BAD. */
static void put_code(struct veu_code *code, unsigned value)
{
    code->failed |= value == BAD;
    put(code, 1, value);
}

static unsigned log2_code(unsigned value, unsigned limit)
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

static unsigned exec_code(struct veu_exec exec)
{
    unsigned size = log2_code(exec.lanes, 32), mask = mask_code(exec);

    return size == BAD || mask == BAD ? BAD : size | mask << 4;
}

static unsigned num_elts_code(struct veu_exec exec)
{
    unsigned size = exec.lanes == 8  ? 0 :
                    exec.lanes == 16 ? 1 :
                    exec.lanes == 1  ? 2 :
                                       BAD;
    unsigned mask = mask_code(exec);

    return size == BAD || mask == BAD ? BAD : size | mask << 4;
}

static void put_raw(struct veu_code *code, struct veu_raw raw)
{
    put(code, 4, raw.id);
    put(code, 2, raw.offset);
}

static void put_scalar(struct veu_code *code, struct veu_scalar scalar)
{
    bool wide = scalar.type == VEU_TYPE_UQ || scalar.type == VEU_TYPE_Q ||
                scalar.type == VEU_TYPE_DF;

    if (scalar.is_variable) {
        put(code, 1, TAG_GENERAL);
        put(code, 4, scalar.id);
        put(code, 1, scalar.row);
        put(code, 1, scalar.col);
        put(code, 2, REGION_SCALAR);
    } else if (scalar.is_indirect) {
        put(code, 1, TAG_INDIRECT);
        put(code, 2, scalar.id);
        put(code, 1, scalar.col);
        put(code, 2, scalar.value);
        put(code, 1, scalar.type);
        put(code, 2, REGION_SCALAR);
    } else {
        put(code, 1, TAG_IMMEDIATE);
        put(code, 1, scalar.type);
        put(code, wide ? 8 : 4, scalar.value);
    }
}

static bool end_message(struct veu_code *code)
{
    code->messages += !code->failed;
    return !code->failed;
}

bool veu_encode_gather(struct veu_code *code, unsigned element_bytes,
                       struct veu_exec exec, uint8_t surface,
                       struct veu_scalar global, struct veu_raw offsets,
                       struct veu_raw dst)
{
    put(code, 1, OP_GATHER);
    put_code(code, log2_code(element_bytes, 4));
    put(code, 1, 0); /* is_modified */
    put_code(code, num_elts_code(exec));
    put(code, 1, surface);
    put_scalar(code, global);
    put_raw(code, offsets);
    put_raw(code, dst);
    return end_message(code);
}

static bool put_scaled(struct veu_code *code, uint8_t opcode, uint16_t pred,
                       unsigned bytes, struct veu_exec exec, uint8_t surface,
                       struct veu_scalar global, struct veu_raw offsets,
                       struct veu_raw data)
{
    put(code, 1, opcode);
    put_code(code, exec_code(exec));
    put(code, 2, pred);
    put(code, 1, 0); /* block_size */
    put_code(code, log2_code(bytes, 4));
    put(code, 2, 0); /* scale */
    put(code, 1, surface);
    put_scalar(code, global);
    put_raw(code, offsets);
    put_raw(code, data);
    return end_message(code);
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

bool veu_encode_scatter4_typed(struct veu_code *code, uint16_t pred,
                               unsigned channels, struct veu_exec exec,
                               uint8_t surface, struct veu_texels texels,
                               struct veu_raw src)
{
    put(code, 1, OP_SCATTER4_TYPED);
    put_code(code, exec_code(exec));
    put(code, 2, pred);
    put_code(code, channels && channels <= VEU_CHANNEL_RGBA ? channels : BAD);
    put(code, 1, surface);
    put_raw(code, texels.u);
    put_raw(code, texels.v);
    put_raw(code, texels.r);
    put_raw(code, texels.lod);
    put_raw(code, src);
    return end_message(code);
}

/* 8-byte blocks: code 2, as compilers write it, though the page says 3. */
bool veu_encode_svm_gather(struct veu_code *code, uint16_t pred,
                           unsigned block_bytes, unsigned blocks,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst)
{
    unsigned size = block_bytes == 1 ? 0 :
                    block_bytes == 4 ? 1 :
                    block_bytes == 8 ? 2 :
                                       BAD;

    put(code, 1, OP_SVM);
    put(code, 1, SVM_GATHER);
    put_code(code, exec.lanes <= 16 ? exec_code(exec) : BAD);
    put(code, 2, pred);
    put_code(code, size);
    put_code(code, log2_code(blocks, 8));
    put_raw(code, addresses);
    put_raw(code, dst);
    return end_message(code);
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
    put(code, 1, OP_SVM);
    put(code, 1, SVM_ATOMIC);
    put_code(code, exec.lanes <= 8 ? exec_code(exec) : BAD);
    put(code, 2, pred);
    put_code(code, atomic_code(op, bits));
    put_raw(code, addresses);
    put_raw(code, src0);
    put_raw(code, src1);
    put_raw(code, dst);
    return end_message(code);
}

bool veu_encode_dword_atomic(struct veu_code *code, uint16_t pred,
                             enum veu_atomic_op op, unsigned bits,
                             struct veu_exec exec, uint8_t surface,
                             struct veu_raw offsets, struct veu_raw src0,
                             struct veu_raw src1, struct veu_raw dst)
{
    put(code, 1, OP_DWORD_ATOMIC);
    put_code(code, bits <= 32 ? atomic_code(op, bits) : BAD);
    put_code(code, exec.lanes <= 16 ? exec_code(exec) : BAD);
    put(code, 2, pred);
    put(code, 1, surface);
    put_raw(code, offsets);
    put_raw(code, src0);
    put_raw(code, src1);
    put_raw(code, dst);
    return end_message(code);
}
