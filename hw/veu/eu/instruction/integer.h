/*
 * veu execution unit: arithmetic on integers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sources are extended according to their types, then modified. The result is
 * exact within 128 bits; the destination truncates or saturates it.
 */
#ifndef VEU_EU_INSTRUCTION_INTEGER_H
#define VEU_EU_INSTRUCTION_INTEGER_H

#include "hw/veu/eu/instruction/lanes.h"

/* Computes from the sources; *second is a carry, a borrow, or a high dword. */
typedef VeuInteger VeuIntegerOperation(const VeuInstruction *instruction,
                                       const VeuInteger *src,
                                       VeuInteger *second);

/* Returns NULL if the operation has no integer form. */
VeuIntegerOperation *veu_integer_operation(VeuOperation operation);

#endif
