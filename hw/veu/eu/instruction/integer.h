/*
 * veu execution unit: arithmetic on integers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sources are extended by their own types, and changed by their modifiers. The
 * result is exact, as far as 128 bits have it; the destination truncates or
 * saturates it.
 */
#ifndef VEU_EU_INSTRUCTION_INTEGER_H
#define VEU_EU_INSTRUCTION_INTEGER_H

#include "hw/veu/eu/instruction/lanes.h"

/* Computes from the sources; *second is a carry, a borrow, or high dword. */
typedef VeuInteger VeuIntegerOperation(const VeuInstruction *instruction,
                                       const VeuInteger *src,
                                       VeuInteger *second);

/* NULL where the operation is none on integers. */
VeuIntegerOperation *veu_integer_operation(VeuOperation operation);

#endif
