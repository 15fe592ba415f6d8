/*
 * veu execution unit: which types, classes and modifiers an instruction takes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_CHECK_H
#define VEU_EU_INSTRUCTION_CHECK_H

#include "hw/veu/eu/instruction/instruction.h"

/* Returns true if the row takes these types, classes and modifiers. */
bool veu_instruction_check(const VeuInstruction *instruction,
                           VeuInstructionField *bad);

#endif
