/*
 * veu execution unit: atomic operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_ATOMIC_H
#define VEU_EU_ATOMIC_H

#include <stdint.h>
#include "hw/veu/eu/limits.h"
#include "veu/message.h"

/* The type as which an operation takes its operands. */
typedef enum VeuAtomicType {
    VEU_ATOMIC_UNSIGNED,
    VEU_ATOMIC_SIGNED,
    VEU_ATOMIC_FLOAT,
} VeuAtomicType;

/*
 * Lanes of a message: words of 2, 4 or 8 bytes, aligned to their size. An
 * operand or result takes 4 or 8 bytes in registers. A word of 2 bytes takes
 * the low half of 4; the upper half of a result is @undefined.
 */
typedef struct VeuAtomicLanes {
    uint32_t live;
    uint32_t undefined;
    uint8_t *at[VEU_MAX_LANES];
    const uint8_t *src0; /* of lane 0 */
    const uint8_t *src1;
    uint8_t result[VEU_MAX_LANES * 8];
} VeuAtomicLanes;

/*
 * Performs the operation on words of @bytes, atomically; nothing that other
 * threads or guest CPUs write there is lost. Lanes are performed in ascending
 * order. Sets their results.
 */
typedef void VeuAtomicPerform(VeuAtomicLanes *lanes, unsigned bytes);

/* A row of the table: encoding.md, section 2, "Atomic operation". */
typedef struct VeuAtomicOp {
    uint8_t code;      /* enum veu_atomic_op */
    const char *name;  /* the vendor's assembler's name */
    const char *alias; /* the documented name, if it is another */
    VeuAtomicType type;
    uint8_t sources; /* 0: none, 1: src0, 2: src0 and src1 */
    VeuAtomicPerform *perform;
    const char *result; /* the value that is written, for the reference page */
} VeuAtomicOp;

extern const VeuAtomicOp veu_atomic_ops[];
extern const unsigned veu_atomic_op_count;

/* Returns NULL for a code without an operation. */
const VeuAtomicOp *veu_atomic_op_find(uint8_t code);

/*
 * The new value, in the low @bytes. The bytes above them are ignored in
 * operands.
 */
typedef uint64_t VeuAtomicApply(uint64_t old, uint64_t src0, uint64_t src1,
                                unsigned bytes);

/* Operations on half floats, floats and doubles: docs/spec.md, "Atomics". */
VeuAtomicApply veu_atomic_fmax;
VeuAtomicApply veu_atomic_fmin;
VeuAtomicApply veu_atomic_fcmpwr;
VeuAtomicApply veu_atomic_fadd;
VeuAtomicApply veu_atomic_fsub;

#endif
