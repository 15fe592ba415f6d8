/*
 * veu execution unit: vector instructions of the host, by opcode.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For elements that are dwords (D), quad words (Q) and floats (F), in opcode
 * maps 0F, 0F38 and 0F3A.
 */
#ifndef VEU_EU_JIT_VECTOR_OPS_H
#define VEU_EU_JIT_VECTOR_OPS_H

#include "hw/veu/eu/jit/emit.h"

#define D(opcode)   VEU_VECTOR_OP(66, 0F, opcode)
#define Q(opcode)   VEU_VECTOR_OP_WIDE(66, 0F, opcode)
#define D38(opcode) VEU_VECTOR_OP(66, 0F38, opcode)
#define Q38(opcode) VEU_VECTOR_OP_WIDE(66, 0F38, opcode)
#define D3A(opcode) VEU_VECTOR_OP(66, 0F3A, opcode)
#define Q3A(opcode) VEU_VECTOR_OP_WIDE(66, 0F3A, opcode)
#define F(opcode)   VEU_VECTOR_OP(NONE, 0F, opcode)
#define F2(opcode)  VEU_VECTOR_OP(F2, 0F, opcode)
#define F3(opcode)  VEU_VECTOR_OP(F3, 0F, opcode)

#endif
