/*
 * veu execution unit: the bytes of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#ifndef VEU_EU_INSTRUCTION_ENCODING_H
#define VEU_EU_INSTRUCTION_ENCODING_H

#include "hw/veu/eu/fault.h"
#include "hw/veu/eu/instruction/instruction.h"

/* A vector operand as it is encoded, unchecked; see VeuOperandClass. */
typedef struct VeuEncodedVector {
    uint8_t class;      /* VeuOperandClass */
    uint8_t modifier;   /* VeuModifier */
    uint8_t type;       /* immediate, indirect: enum veu_type; state: 0, 1 */
    uint8_t row;        /* general; address: its width, as a size code */
    uint8_t column;     /* general; others: an element of the variable */
    uint16_t region;    /* general, indirect: codes of 4 bits, as encoded */
    uint32_t id;        /* of the variable; predicate: its control word */
    int16_t add_byte;   /* indirect */
    uint64_t immediate; /* in as many bytes as its type has, at least 4 */
} VeuEncodedVector;

/* The longest vector operand: an immediate of 64 bits. */
#define VEU_VECTOR_MAX_BYTES 10

/*
 * Reads the vector operand at @code. Returns its length, or 0 if it is
 * truncated or its class does not exist.
 */
uint32_t veu_vector_parse(const uint8_t *code, uint32_t bytes,
                          VeuEncodedVector *vector);

/*
 * The inverse: writes to @code, which has VEU_VECTOR_MAX_BYTES, and returns the
 * length.
 */
uint32_t veu_vector_write(const VeuEncodedVector *vector, uint8_t *code);

/*
 * Codes of a region's numbers: 0 means none; 1, 2, ... mean 0, 1, 2, 4, ... 32.
 */
#define VEU_REGION_NONE  0
#define VEU_REGION_CODES 8
#define VEU_REGION(vertical, width, horizontal) \
    ((vertical) | (width) << 4 | (horizontal) << 8)
/* All bits that codes have. */
#define VEU_REGION_ALL \
    VEU_REGION(VEU_REGION_CODES - 1, VEU_REGION_CODES - 1, VEU_REGION_CODES - 1)
/* The number that a code stands for; 0 for VEU_REGION_NONE. */
static inline unsigned veu_region_number(unsigned code)
{
    return code < 2 ? 0 : 1u << (code - 2);
}

typedef union VeuInstructionValue {
    uint32_t number;
    VeuEncodedVector vector;
} VeuInstructionValue;

/* An instruction as it is encoded, unchecked. */
typedef struct VeuInstructionEncoding {
    const VeuInstructionInfo *info;
    uint32_t bytes;
    uint8_t at[VEU_IFIELD_COUNT]; /* offset of each field, or 0 */
    VeuInstructionValue field[VEU_IFIELD_COUNT];
} VeuInstructionEncoding;

/* Room for any instruction: six operands of up to 10 bytes. */
#define VEU_INSTRUCTION_MAX_BYTES 64

/*
 * Reads the instruction of row @info at @code; returns false with a fault if it
 * is truncated, or if an operand's class does not exist.
 */
bool veu_instruction_parse(const VeuInstructionInfo *info, const uint8_t *code,
                           uint32_t bytes, VeuInstructionEncoding *encoding,
                           VeuFault *fault);

/*
 * Returns the size of the instruction, or 0 where veu_instruction_parse()
 * returns false.
 */
uint32_t veu_instruction_length(const VeuInstructionInfo *info,
                                const uint8_t *code, uint32_t bytes);

/*
 * The inverse: writes to @code, which has VEU_INSTRUCTION_MAX_BYTES, and
 * returns the size.
 */
uint32_t veu_instruction_write(const VeuInstructionEncoding *encoding,
                               uint8_t *code);

#endif
