/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: vISA messages, encoded.
 *
 * Each function appends one message. What cannot be encoded is refused, which
 * sticks in veu_code.failed; what a device refuses for other reasons
 * (undeclared variables, for example) is encoded as requested.
 */
#ifndef VEU_GUEST_ENCODE_H
#define VEU_GUEST_ENCODE_H

#include <stdbool.h>

#include "veu/message.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A piece of memory that messages are appended to. */
struct veu_code {
    uint8_t *memory;
    uint32_t capacity;
    uint32_t bytes;
    uint32_t messages;
    bool failed;
};

void veu_code_begin(struct veu_code *code, void *memory, uint32_t capacity);

/** Execution size and mask: "(M5_NM, 8)" is { 8, 5, true }. */
struct veu_exec {
    uint8_t lanes;
    uint8_t mask;
    bool no_mask;
};

static inline struct veu_exec veu_m(unsigned mask, unsigned lanes)
{
    struct veu_exec exec = { (uint8_t)lanes, (uint8_t)mask, false };

    return exec;
}

static inline struct veu_exec veu_m_nm(unsigned mask, unsigned lanes)
{
    struct veu_exec exec = { (uint8_t)lanes, (uint8_t)mask, true };

    return exec;
}

/** A raw operand: a variable from a byte offset on. Id 0 is the null one. */
struct veu_raw {
    uint32_t id;
    uint16_t offset;
};

static inline struct veu_raw veu_v(uint32_t id)
{
    struct veu_raw raw = { id, 0 };

    return raw;
}

#define VEU_NULL veu_v(0)

/**
 * A scalar operand: an immediate, an element of a variable, or the register
 * that an element of an address variable points to.
 */
struct veu_scalar {
    bool is_variable;
    bool is_indirect;
    uint8_t type; /**< immediate, indirect: enum veu_type */
    uint8_t row;  /**< variable: register */
    uint8_t col;  /**< variable: element of that register; indirect: element */
    uint32_t id;  /**< variable; indirect: address variable */
    uint64_t value; /**< immediate; indirect: bytes to add */
};

static inline struct veu_scalar veu_imm(enum veu_type type, uint64_t value)
{
    struct veu_scalar scalar = { false, false, (uint8_t)type, 0, 0, 0, value };

    return scalar;
}

static inline struct veu_scalar veu_ud(uint32_t value)
{
    return veu_imm(VEU_TYPE_UD, value);
}

static inline struct veu_scalar veu_element(uint32_t id, unsigned row,
                                            unsigned col)
{
    struct veu_scalar scalar = { true,         false, 0, (uint8_t)row,
                                 (uint8_t)col, id,    0 };

    return scalar;
}

/** r[A<id>(<element>), <add>]:<type> */
static inline struct veu_scalar veu_indirect(uint16_t id, unsigned element,
                                             int16_t add, enum veu_type type)
{
    struct veu_scalar scalar = {
        false, true, (uint8_t)type, 0, (uint8_t)element, id, (uint16_t)add
    };

    return scalar;
}

/** gather.<element_bytes>: @exec of 1, 8 or 16 lanes. */
bool veu_encode_gather(struct veu_code *code, unsigned element_bytes,
                       struct veu_exec exec, uint8_t surface,
                       struct veu_scalar global, struct veu_raw offsets,
                       struct veu_raw dst);

/** (pred) gather_scaled.<bytes> */
bool veu_encode_gather_scaled(struct veu_code *code, uint16_t pred,
                              unsigned bytes, struct veu_exec exec,
                              uint8_t surface, struct veu_scalar global,
                              struct veu_raw offsets, struct veu_raw dst);

/** (pred) scatter_scaled.<bytes> */
bool veu_encode_scatter_scaled(struct veu_code *code, uint16_t pred,
                               unsigned bytes, struct veu_exec exec,
                               uint8_t surface, struct veu_scalar global,
                               struct veu_raw offsets, struct veu_raw src);

/** The coordinates of a typed message; VEU_NULL for those that are not used. */
struct veu_texels {
    struct veu_raw u;
    struct veu_raw v;
    struct veu_raw r;
    struct veu_raw lod;
};

/** (pred) gather4_typed.<channels> */
bool veu_encode_gather4_typed(struct veu_code *code, uint16_t pred,
                              unsigned channels, struct veu_exec exec,
                              uint8_t surface, struct veu_texels texels,
                              struct veu_raw dst);

/** (pred) scatter4_typed.<channels> */
bool veu_encode_scatter4_typed(struct veu_code *code, uint16_t pred,
                               unsigned channels, struct veu_exec exec,
                               uint8_t surface, struct veu_texels texels,
                               struct veu_raw src);

/** (pred) svm_gather.<block_bytes>.<blocks> */
bool veu_encode_svm_gather(struct veu_code *code, uint16_t pred,
                           unsigned block_bytes, unsigned blocks,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst);

/** (pred) svm_scatter.<block_bytes>.<blocks> */
bool veu_encode_svm_scatter(struct veu_code *code, uint16_t pred,
                            unsigned block_bytes, unsigned blocks,
                            struct veu_exec exec, struct veu_raw addresses,
                            struct veu_raw src);

/** (pred) svm_atomic.<op>.<bits>: operands of 16, 32 or 64 bits. */
bool veu_encode_svm_atomic(struct veu_code *code, uint16_t pred,
                           enum veu_atomic_op op, unsigned bits,
                           struct veu_exec exec, struct veu_raw addresses,
                           struct veu_raw dst, struct veu_raw src0,
                           struct veu_raw src1);

/** (pred) dword_atomic.<op>.<bits>: operands of 16 or 32 bits. */
bool veu_encode_dword_atomic(struct veu_code *code, uint16_t pred,
                             enum veu_atomic_op op, unsigned bits,
                             struct veu_exec exec, uint8_t surface,
                             struct veu_raw offsets, struct veu_raw src0,
                             struct veu_raw src1, struct veu_raw dst);

/** (pred) typed_atomic.<op>.<bits>: operands of 16 or 32 bits. */
bool veu_encode_typed_atomic(struct veu_code *code, uint16_t pred,
                             enum veu_atomic_op op, unsigned bits,
                             struct veu_exec exec, uint8_t surface,
                             struct veu_texels texels, struct veu_raw src0,
                             struct veu_raw src1, struct veu_raw dst);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_ENCODE_H */
