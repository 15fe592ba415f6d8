/*
 * veu execution unit: decoding of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_DECODE_INSTRUCTION_H
#define VEU_EU_DECODE_INSTRUCTION_H

#include "hw/veu/eu/instruction/encoding.h"
#include "hw/veu/eu/program/program.h"

/* Decodes the instruction, or message, at code_at, and advances code_at. */
bool veu_instruction_decode(VeuProgram *program, VeuInstruction *instruction,
                            VeuFault *fault);

#endif
