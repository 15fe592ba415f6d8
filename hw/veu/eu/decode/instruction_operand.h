/*
 * veu execution unit: decoding of operands of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_OPERAND_H
#define VEU_EU_INSTRUCTION_OPERAND_H

#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/program/program.h"

/* An operand as it is encoded, and what it is decoded for. */
typedef struct VeuOperandContext {
    const VeuProgram *program;
    const VeuEncodedVector *from;
    unsigned lanes;
    bool is_address; /* a general operand is the address of a variable: &V32 */
} VeuOperandContext;

/* Returns false if the operand is illegal; the caller makes the fault. */
bool veu_operand_decode_source(const VeuOperandContext *context,
                               VeuOperand *operand);
bool veu_operand_decode_destination(const VeuOperandContext *context,
                                    VeuOperand *operand);

#endif
