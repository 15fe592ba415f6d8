/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: vISA messages, encoded.
 */
#include "veu_encode_parts.h"

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

/* Appends the bytes of an operand, from @from up to @end. */
static void put_bytes(struct veu_code *code, const uint8_t *from,
                      const uint8_t *end)
{
    while (from < end) {
        veu_put(code, 1, *from++);
    }
}

void veu_put_field(struct veu_code *code, unsigned value)
{
    code->failed |= value == VEU_FIELD_BAD;
    veu_put(code, 1, value);
}

unsigned veu_exec_field(struct veu_exec exec, unsigned limit)
{
    return exec.lanes <= limit ?
               veu_field_exec_size(exec.lanes, exec.mask, exec.no_mask) :
               VEU_FIELD_BAD;
}

void veu_put_raw(struct veu_code *code, struct veu_raw raw)
{
    uint8_t bytes[VEU_OPERAND_RAW_BYTES];

    put_bytes(code, bytes, veu_operand_raw(bytes, raw.id, raw.offset));
}

void veu_put_scalar(struct veu_code *code, struct veu_scalar s)
{
    uint8_t bytes[VEU_OPERAND_SCALAR_BYTES], *end;

    if (s.is_variable) {
        end = veu_operand_general(bytes, s.id, s.row, s.col);
    } else if (s.is_indirect) {
        end = veu_operand_indirect(bytes, s.id, s.col, s.value, s.type);
    } else {
        end = veu_operand_immediate(bytes, s.type, s.value);
    }
    put_bytes(code, bytes, end);
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
    veu_put(code, 1, VEU_OPCODE_GATHER);
    veu_put_field(code, veu_field_size(element_bytes, 4));
    veu_put(code, 1, 0); /* is_modified */
    veu_put_field(code,
                  veu_field_num_elts(exec.lanes, exec.mask, exec.no_mask));
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
    veu_put_field(code, veu_exec_field(exec, 32));
    veu_put(code, 2, pred);
    veu_put(code, 1, 0); /* block_size */
    veu_put_field(code, veu_field_size(bytes, 4));
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
    return put_scaled(code, VEU_OPCODE_GATHER_SCALED, pred, bytes, exec,
                      surface, global, offsets, dst);
}

bool veu_encode_scatter_scaled(struct veu_code *code, uint16_t pred,
                               unsigned bytes, struct veu_exec exec,
                               uint8_t surface, struct veu_scalar global,
                               struct veu_raw offsets, struct veu_raw src)
{
    return put_scaled(code, VEU_OPCODE_SCATTER_SCALED, pred, bytes, exec,
                      surface, global, offsets, src);
}

static void put_texels(struct veu_code *code, struct veu_texels texels)
{
    veu_put_raw(code, texels.u);
    veu_put_raw(code, texels.v);
    veu_put_raw(code, texels.r);
    veu_put_raw(code, texels.lod);
}

static bool put_typed(struct veu_code *code, uint8_t opcode, uint16_t pred,
                      unsigned channels, struct veu_exec exec, uint8_t surface,
                      struct veu_texels texels, struct veu_raw data)
{
    veu_put(code, 1, opcode);
    veu_put_field(code, veu_exec_field(exec, 32));
    veu_put(code, 2, pred);
    veu_put_field(code, veu_field_channels(channels));
    veu_put(code, 1, surface);
    put_texels(code, texels);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_gather4_typed(struct veu_code *code, uint16_t pred,
                              unsigned channels, struct veu_exec exec,
                              uint8_t surface, struct veu_texels texels,
                              struct veu_raw dst)
{
    return put_typed(code, VEU_OPCODE_GATHER4_TYPED, pred, channels, exec,
                     surface, texels, dst);
}

bool veu_encode_scatter4_typed(struct veu_code *code, uint16_t pred,
                               unsigned channels, struct veu_exec exec,
                               uint8_t surface, struct veu_texels texels,
                               struct veu_raw src)
{
    return put_typed(code, VEU_OPCODE_SCATTER4_TYPED, pred, channels, exec,
                     surface, texels, src);
}

/* 8-byte blocks: code 2, as compilers write it: semantics.md, section 2. */
static bool put_svm(struct veu_code *code, uint8_t message, uint16_t pred,
                    unsigned block_bytes, unsigned blocks, struct veu_exec exec,
                    struct veu_raw addresses, struct veu_raw data)
{
    veu_put(code, 1, VEU_OPCODE_SVM);
    veu_put(code, 1, message);
    veu_put_field(code, veu_exec_field(exec, 16));
    veu_put(code, 2, pred);
    veu_put_field(code, veu_field_svm_block_size(block_bytes));
    veu_put_field(code, veu_field_size(blocks, 8));
    veu_put_raw(code, addresses);
    veu_put_raw(code, data);
    return veu_end_message(code);
}

bool veu_encode_svm_gather(struct veu_code *code, uint16_t pred,
                           unsigned block_bytes, unsigned blocks,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst)
{
    return put_svm(code, VEU_SVM_GATHER, pred, block_bytes, blocks, exec,
                   addresses, dst);
}

bool veu_encode_svm_scatter(struct veu_code *code, uint16_t pred,
                            unsigned block_bytes, unsigned blocks,
                            struct veu_exec exec, struct veu_raw addresses,
                            struct veu_raw src)
{
    return put_svm(code, VEU_SVM_SCATTER, pred, block_bytes, blocks, exec,
                   addresses, src);
}

bool veu_encode_svm_atomic(struct veu_code *code, uint16_t pred,
                           enum veu_atomic_op op, unsigned bits,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst, struct veu_raw src0,
                           struct veu_raw src1)
{
    veu_put(code, 1, VEU_OPCODE_SVM);
    veu_put(code, 1, VEU_SVM_ATOMIC);
    veu_put_field(code, veu_exec_field(exec, 8));
    veu_put(code, 2, pred);
    veu_put_field(code, veu_field_atomic(op, bits));
    veu_put_raw(code, addresses);
    veu_put_raw(code, src0);
    veu_put_raw(code, src1);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}

/* The common start of atomics on surfaces. */
static void put_atomic(struct veu_code *code, uint8_t opcode, uint16_t pred,
                       enum veu_atomic_op op, unsigned bits,
                       struct veu_exec exec, uint8_t surface)
{
    veu_put(code, 1, opcode);
    veu_put_field(code,
                  bits <= 32 ? veu_field_atomic(op, bits) : VEU_FIELD_BAD);
    veu_put_field(code, veu_exec_field(exec, 16));
    veu_put(code, 2, pred);
    veu_put(code, 1, surface);
}

bool veu_encode_dword_atomic(struct veu_code *code, uint16_t pred,
                             enum veu_atomic_op op, unsigned bits,
                             struct veu_exec exec, uint8_t surface,
                             struct veu_raw offsets, struct veu_raw src0,
                             struct veu_raw src1, struct veu_raw dst)
{
    put_atomic(code, VEU_OPCODE_DWORD_ATOMIC, pred, op, bits, exec, surface);
    veu_put_raw(code, offsets);
    veu_put_raw(code, src0);
    veu_put_raw(code, src1);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}

bool veu_encode_typed_atomic(struct veu_code *code, uint16_t pred,
                             enum veu_atomic_op op, unsigned bits,
                             struct veu_exec exec, uint8_t surface,
                             struct veu_texels texels, struct veu_raw src0,
                             struct veu_raw src1, struct veu_raw dst)
{
    put_atomic(code, VEU_OPCODE_TYPED_ATOMIC, pred, op, bits, exec, surface);
    put_texels(code, texels);
    veu_put_raw(code, src0);
    veu_put_raw(code, src1);
    veu_put_raw(code, dst);
    return veu_end_message(code);
}
