/*
 * veu execution unit: decoding of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_DECODE_INSTRUCTION_H
#define VEU_EU_DECODE_INSTRUCTION_H

#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/program/program.h"

/* Decodes the instruction, or message, at code_at; advances it. */
bool veu_instruction_decode(VeuProgram *program, VeuInstruction *instruction,
                            VeuFault *fault);

/* ---- instruction_operand.c ---- */

/* What an operand is decoded for: a field, and how many lanes it has. */
typedef struct VeuOperandContext {
    const VeuProgram *program;
    const VeuInstructionEncoding *encoding;
    VeuInstructionField field;
    unsigned lanes;
} VeuOperandContext;

/* False where the operand is illegal; the caller makes the fault. */
bool veu_operand_decode_source(const VeuOperandContext *context,
                               VeuOperand *operand);
bool veu_operand_decode_destination(const VeuOperandContext *context,
                                    VeuOperand *operand);

/* ---- instruction_check.c ---- */

/* Whether types, classes and modifiers are such as the row takes. */
bool veu_instruction_check(const VeuInstruction *instruction,
                           VeuInstructionField *bad);

#endif
