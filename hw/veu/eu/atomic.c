/*
 * veu execution unit: atomic operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DWORD_ATOMIC's page has the table; fadd and fsub are the vendor's.
 */
#include <stddef.h>
#include "hw/veu/eu/atomic.h"

#define OP(code_, name_, type_, sources_, result_, ...)               \
    {                                                                 \
        .code = (code_), .name = (name_), .type = VEU_ATOMIC_##type_, \
        .sources = (sources_), .result = (result_), __VA_ARGS__       \
    }

const VeuAtomicOp veu_atomic_ops[] = {
    OP(0x00, "add", UNSIGNED, 1, "old + src0"),
    OP(0x01, "sub", UNSIGNED, 1, "old - src0"),
    OP(0x02, "inc", UNSIGNED, 0, "old + 1"),
    OP(0x03, "dec", UNSIGNED, 0, "old - 1"),
    OP(0x04, "min", UNSIGNED, 1, "min(old, src0)"),
    OP(0x05, "max", UNSIGNED, 1, "max(old, src0)"),
    OP(0x06, "xchg", UNSIGNED, 1, "src0"),
    OP(0x07, "cmpxchg", UNSIGNED, 2, "old == src1 ? src0 : old"),
    OP(0x08, "and", UNSIGNED, 1, "old AND src0"),
    OP(0x09, "or", UNSIGNED, 1, "old OR src0"),
    OP(0x0a, "xor", UNSIGNED, 1, "old XOR src0"),
    OP(0x0b, "minsint", SIGNED, 1, "min(old, src0)", .alias = "imin"),
    OP(0x0c, "maxsint", SIGNED, 1, "max(old, src0)", .alias = "imax"),
    OP(0x0d, "predec", UNSIGNED, 0, "old - 1", .returns_new = true),
    OP(0x10, "fmax", FLOAT, 1, "max(old, src0)"),
    OP(0x11, "fmin", FLOAT, 1, "min(old, src0)"),
    OP(0x12, "fcmpwr", FLOAT, 2, "old == src0 ? src1 : old"),
    OP(0x13, "fadd", FLOAT, 1, "old + src0"),
    OP(0x14, "fsub", FLOAT, 1, "old - src0"),
};

const unsigned veu_atomic_op_count = sizeof(veu_atomic_ops) /
                                     sizeof(veu_atomic_ops[0]);

const VeuAtomicOp *veu_atomic_op_find(uint8_t code)
{
    for (unsigned i = 0; i < veu_atomic_op_count; i++) {
        if (veu_atomic_ops[i].code == code) {
            return &veu_atomic_ops[i];
        }
    }
    return NULL;
}
