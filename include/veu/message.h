/*
 * veu ABI: messages: opcodes, operations, and the encoding of their fields.
 *
 * SPDX-License-Identifier: MIT
 *
 * A message is an opcode and its fields, without padding, in the order that
 * docs/spec.md, section 8, gives. A field is a number of one or two bytes, a
 * raw operand or a scalar operand. The functions veu_field_*() return the
 * number of a field, the functions veu_operand_*() write an operand; a program
 * that appends their results to the opcode has encoded a message:
 *
 *     uint8_t code[23], *at = code;
 *
 *     *at++ = VEU_OPCODE_GATHER;                        // gather.4 (M1, 8) T6
 *     *at++ = veu_field_size(4, 4); *at++ = 0;
 *     // Is_modified *at++ = veu_field_num_elts(8, 1, 0); *at++ = 6; at =
 *     veu_operand_immediate(at, VEU_TYPE_UD, 0);   // 0x0:ud at =
 *     veu_operand_raw(at, 32, 0);                  // V32.0 at =
 *     veu_operand_raw(at, 33, 0);                  // V33.0
 *
 * A veu_field_*() function whose argument the field cannot express returns
 * VEU_FIELD_BAD, which the device refuses with MESSAGE_FIELD.
 */
#ifndef VEU_MESSAGE_H
#define VEU_MESSAGE_H

#include "veu/base.h"
#include "veu/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The first byte of a message. */
enum veu_opcode {
    VEU_OPCODE_OWORD_LD = 0x35,
    VEU_OPCODE_OWORD_ST = 0x36,
    VEU_OPCODE_MEDIA_LD = 0x37,
    VEU_OPCODE_MEDIA_ST = 0x38,
    VEU_OPCODE_GATHER = 0x39,
    VEU_OPCODE_SCATTER = 0x3a,
    VEU_OPCODE_OWORD_LD_UNALIGNED = 0x3c,
    VEU_OPCODE_GATHER4_TYPED = 0x4b,
    VEU_OPCODE_SCATTER4_TYPED = 0x4c,
    VEU_OPCODE_SVM = 0x4e, /**< an enum veu_svm_opcode follows */
    VEU_OPCODE_FENCE = 0x5c,
    VEU_OPCODE_SAMPLE = 0x6d, /**< VEU_SAMPLE_LZ follows */
    VEU_OPCODE_LOAD = 0x6e,   /**< VEU_LOAD_LZ follows */
    VEU_OPCODE_TYPED_ATOMIC = 0x73,
    VEU_OPCODE_GATHER4_SCALED = 0x74,
    VEU_OPCODE_SCATTER4_SCALED = 0x75,
    VEU_OPCODE_GATHER_SCALED = 0x78,
    VEU_OPCODE_SCATTER_SCALED = 0x79,
    VEU_OPCODE_DWORD_ATOMIC = 0x7d,
    VEU_OPCODE_QW_GATHER = 0x86,
    VEU_OPCODE_QW_SCATTER = 0x87,
};

/** The second byte of a message whose first byte is VEU_OPCODE_SAMPLE. */
#define VEU_SAMPLE_LZ 0x18
/** The second byte of a message whose first byte is VEU_OPCODE_LOAD. */
#define VEU_LOAD_LZ   0x1a

/** The second byte of a message whose first byte is VEU_OPCODE_SVM. */
enum veu_svm_opcode {
    VEU_SVM_BLOCK_LD = 0x01,
    VEU_SVM_BLOCK_ST = 0x02,
    VEU_SVM_GATHER = 0x03,
    VEU_SVM_SCATTER = 0x04,
    VEU_SVM_ATOMIC = 0x05,
    VEU_SVM_GATHER4SCALED = 0x06,
    VEU_SVM_SCATTER4SCALED = 0x07,
};

/** Operations of atomic messages: bits 0 to 4 of field Op. */
enum veu_atomic_op {
    VEU_ATOMIC_ADD = 0x00,
    VEU_ATOMIC_SUB = 0x01,
    VEU_ATOMIC_INC = 0x02,
    VEU_ATOMIC_DEC = 0x03,
    VEU_ATOMIC_MIN = 0x04,
    VEU_ATOMIC_MAX = 0x05,
    VEU_ATOMIC_XCHG = 0x06,
    VEU_ATOMIC_CMPXCHG = 0x07,
    VEU_ATOMIC_AND = 0x08,
    VEU_ATOMIC_OR = 0x09,
    VEU_ATOMIC_XOR = 0x0a,
    VEU_ATOMIC_MINSINT = 0x0b,
    VEU_ATOMIC_MAXSINT = 0x0c,
    VEU_ATOMIC_PREDEC = 0x0d,
    VEU_ATOMIC_FMAX = 0x10,
    VEU_ATOMIC_FMIN = 0x11,
    VEU_ATOMIC_FCMPWR = 0x12,
    VEU_ATOMIC_FADD = 0x13,
    VEU_ATOMIC_FSUB = 0x14,
};

/** Bits of field Op that give the size of an atomic's operands. */
#define VEU_ATOMIC_CODE_MASK 0x1f
#define VEU_ATOMIC_16_BIT    0x20
#define VEU_ATOMIC_64_BIT    0x40 /**< svm_atomic only */

/** Field Channels: the sum of the channels that are read or written. */
#define VEU_CHANNEL_R    1
#define VEU_CHANNEL_G    2
#define VEU_CHANNEL_B    4
#define VEU_CHANNEL_A    8
#define VEU_CHANNEL_RGBA 15

/** Field Pred: a predicate's number or-ed with these bits. */
#define VEU_PRED_ALWAYS 0x0000 /**< no predicate */
#define VEU_PRED_ANY    0x2000 /**< all lanes run if one bit is set */
#define VEU_PRED_ALL    0x4000 /**< all lanes run if all bits are set */
#define VEU_PRED_NOT    0x8000 /**< inverts the result */

/** Field Modifiers of media messages; media_st takes 0, TOP and BOTTOM. */
enum veu_media_mode {
    VEU_MEDIA_NOMOD = 0,
    VEU_MEDIA_MODIFIED = 1,
    VEU_MEDIA_TOP = 2,    /**< rows 0, 2, 4, ... */
    VEU_MEDIA_BOTTOM = 3, /**< rows 1, 3, 5, ... */
    VEU_MEDIA_TOP_MOD = 4,
    VEU_MEDIA_BOTTOM_MOD = 5,
};

/** Field Mask of a fence. A fence with LOCAL or SW orders nothing. */
#define VEU_FENCE_COMMIT 0x01
#define VEU_FENCE_LOCAL  0x20 /**< of shared local memory only */
#define VEU_FENCE_SW     0x80 /**< keeps a compiler from reordering */

/** Field Properties of SVM blocks: the address is a multiple of 4, not 16. */
#define VEU_SVM_UNALIGNED 0x80

/** Surface ids that are not entries of a table. */
#define VEU_SURFACE_ID_SLM       0
#define VEU_SURFACE_ID_STATELESS 5

/** The first byte of a scalar operand. */
enum veu_scalar_class {
    VEU_SCALAR_GENERAL = 0,
    VEU_SCALAR_INDIRECT = 3,
    VEU_SCALAR_IMMEDIATE = 5,
};

/**
 * The number of a value that a field cannot express. It is not legal in any
 * field.
 */
#define VEU_FIELD_BAD 0xffu

/** The size of operands in bytes: a raw one, and the longest scalar one. */
#define VEU_OPERAND_RAW_BYTES    6
#define VEU_OPERAND_SCALAR_BYTES 10

/** The region <0;1,0> that compilers write; the device ignores it. */
#define VEU_REGION_SCALAR 0x0121

/**
 * Elt_size, Num_blocks and Size: returns log2 of @value, a power of two from 1
 * to @limit, which counts bytes of an element, blocks of a lane or owords of a
 * block.
 */
static inline unsigned veu_field_size(unsigned value, unsigned limit)
{
    unsigned code = 0;

    while (code < 7 && 1u << code < value) {
        code++;
    }
    return value && value <= limit && 1u << code == value ? code :
                                                            VEU_FIELD_BAD;
}

/** The upper half of Exec_size and Num_elts: @mask 1 to 8 stands for M1..M8. */
static inline unsigned veu_field_mask(unsigned mask, int no_mask)
{
    return mask >= 1 && mask <= 8 ? (mask - 1 + (no_mask ? 8 : 0)) << 4 :
                                    VEU_FIELD_BAD;
}

/**
 * Exec_size: @lanes is 1, 2, 4, 8, 16 or 32; (M5_NM, 8) is
 * veu_field_exec_size(8, 5, 1).
 */
static inline unsigned veu_field_exec_size(unsigned lanes, unsigned mask,
                                           int no_mask)
{
    unsigned size = veu_field_size(lanes, 32);
    unsigned upper = veu_field_mask(mask, no_mask);

    return size == VEU_FIELD_BAD || upper == VEU_FIELD_BAD ? VEU_FIELD_BAD :
                                                             size | upper;
}

/** Num_elts of gather and scatter: @lanes is 1, 8 or 16. */
static inline unsigned veu_field_num_elts(unsigned lanes, unsigned mask,
                                          int no_mask)
{
    unsigned upper = veu_field_mask(mask, no_mask);
    unsigned size = lanes == 8  ? 0 :
                    lanes == 16 ? 1 :
                    lanes == 1  ? 2 :
                                  VEU_FIELD_BAD;

    return size == VEU_FIELD_BAD || upper == VEU_FIELD_BAD ? VEU_FIELD_BAD :
                                                             size | upper;
}

/** Channels: a sum of VEU_CHANNEL_*, not 0. */
static inline unsigned veu_field_channels(unsigned channels)
{
    return channels && channels <= VEU_CHANNEL_RGBA ? channels : VEU_FIELD_BAD;
}

/** Block_size of SVM messages: @bytes is 1, 4 or 8. */
static inline unsigned veu_field_svm_block_size(unsigned bytes)
{
    return bytes == 1 ? 0 : bytes == 4 ? 1 : bytes == 8 ? 2 : VEU_FIELD_BAD;
}

/** Op of atomics: @bits is 16, 32, or, for svm_atomic, 64. */
static inline unsigned veu_field_atomic(enum veu_atomic_op op, unsigned bits)
{
    return bits == 16 ? (unsigned)op | VEU_ATOMIC_16_BIT :
           bits == 32 ? (unsigned)op :
           bits == 64 ? (unsigned)op | VEU_ATOMIC_64_BIT :
                        VEU_FIELD_BAD;
}

/**
 * The number of bytes in registers from one row of a media block to the next.
 */
static inline unsigned veu_block_pitch(unsigned width_bytes)
{
    unsigned pitch = 4;

    while (pitch < width_bytes) {
        pitch *= 2;
    }
    return pitch;
}

/**
 * Writes the low @bytes bytes of @value; returns the end of what it has
 * written.
 */
static inline uint8_t *veu_operand_number(uint8_t *at, unsigned bytes,
                                          uint64_t value)
{
    unsigned i;

    for (i = 0; i < bytes; i++) {
        *at++ = (uint8_t)(value >> 8 * i);
    }
    return at;
}

/** A raw operand: variable @id from byte @offset on; id 0 is null. 6 bytes. */
static inline uint8_t *veu_operand_raw(uint8_t *at, uint32_t id,
                                       uint16_t offset)
{
    return veu_operand_number(veu_operand_number(at, 4, id), 2, offset);
}

/** A general scalar: element @column of register @row of a variable. 9 bytes.*/
static inline uint8_t *veu_operand_general(uint8_t *at, uint32_t id,
                                           uint8_t row, uint8_t column)
{
    *at++ = VEU_SCALAR_GENERAL;
    at = veu_operand_number(at, 4, id);
    *at++ = row;
    *at++ = column;
    return veu_operand_number(at, 2, VEU_REGION_SCALAR);
}

/** An immediate scalar. 10 bytes of type UQ, Q and DF, else 6. */
static inline uint8_t *veu_operand_immediate(uint8_t *at, enum veu_type type,
                                             uint64_t value)
{
    int wide = type == VEU_TYPE_UQ || type == VEU_TYPE_Q || type == VEU_TYPE_DF;

    *at++ = VEU_SCALAR_IMMEDIATE;
    *at++ = (uint8_t)type;
    return veu_operand_number(at, wide ? 8 : 4, value);
}

/**
 * An indirect scalar, r[A<address>(<element>), <add>]:<type>: the value in the
 * register file @add bytes after the offset in an element of an address
 * variable. 9 bytes.
 */
static inline uint8_t *veu_operand_indirect(uint8_t *at, uint16_t address,
                                            uint8_t element, int16_t add,
                                            enum veu_type type)
{
    *at++ = VEU_SCALAR_INDIRECT;
    at = veu_operand_number(at, 2, address);
    *at++ = element;
    at = veu_operand_number(at, 2, (uint16_t)add);
    *at++ = (uint8_t)type;
    return veu_operand_number(at, 2, VEU_REGION_SCALAR);
}

#ifdef __cplusplus
}
#endif

#endif /* VEU_MESSAGE_H */
