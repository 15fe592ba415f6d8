/*
 * veu execution unit: atomic operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_ATOMIC_H
#define VEU_EU_ATOMIC_H

#include <stdint.h>

/* What an operation takes its operands for. */
typedef enum VeuAtomicType {
    VEU_ATOMIC_UNSIGNED,
    VEU_ATOMIC_SIGNED,
    VEU_ATOMIC_FLOAT,
} VeuAtomicType;

/*
 * The bits of @bytes (2, 4 or 8) are the low ones of the 64-bit values below;
 * those above are ignored in operands. Memory is aligned to its size.
 */

/* One host instruction, or what the compiler has for it; returns the result. */
typedef uint64_t VeuAtomicFetch(void *at, unsigned bytes, uint64_t src0,
                                uint64_t src1);

/* The new value. */
typedef uint64_t VeuAtomicApply(uint64_t old, uint64_t src0, uint64_t src1,
                                unsigned bytes);

/* A row of the table: DWORD_ATOMIC's page; 0x13 and 0x14 the vendor's own. */
typedef struct VeuAtomicOp {
    uint8_t code;
    const char *name;  /* as the vendor's assembler has it */
    const char *alias; /* as the page has it, where that is another */
    VeuAtomicType type;
    uint8_t sources; /* 0: none, 1: src0, 2: src0 and src1 */
    /* One of the two. */
    VeuAtomicFetch *fetch;
    VeuAtomicApply *apply;
    const char *result; /* for the reference page: what is written */
} VeuAtomicOp;

extern const VeuAtomicOp veu_atomic_ops[];
extern const unsigned veu_atomic_op_count;

/* Bits of the Op field of a message, beside the operation's code. */
#define VEU_ATOMIC_CODE_MASK 0x1f
#define VEU_ATOMIC_16_BIT    0x20
#define VEU_ATOMIC_64_BIT    0x40

/* NULL for a code that no operation has. */
const VeuAtomicOp *veu_atomic_op_find(uint8_t code);

/*
 * Performs the operation on @bytes of memory, atomically; nothing that other
 * threads or guest CPUs do there is lost. Returns what goes to Dst.
 */
uint64_t veu_atomic_perform(const VeuAtomicOp *op, void *at, unsigned bytes,
                            uint64_t src0, uint64_t src1);

/* Operations on half floats, floats and doubles: docs/spec.md, "Atomics". */
VeuAtomicApply veu_atomic_fmax;
VeuAtomicApply veu_atomic_fmin;
VeuAtomicApply veu_atomic_fcmpwr;
VeuAtomicApply veu_atomic_fadd;
VeuAtomicApply veu_atomic_fsub;

#endif
