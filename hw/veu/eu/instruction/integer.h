/*
 * veu execution unit: arithmetic on integers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sources are extended according to their types, then modified. The result is
 * exact within 128 bits; the destination truncates or saturates it. Where it
 * truncates, and 64 bits hold the sources, its low 64 bits are computed.
 */
#ifndef VEU_EU_INSTRUCTION_INTEGER_H
#define VEU_EU_INSTRUCTION_INTEGER_H

#include "hw/veu/eu/instruction/lanes.h"

/*
 * Computes lanes @active from the sources; second results are carries, borrows,
 * or high dwords.
 */
typedef void VeuIntegerOperation(const VeuInstruction *instruction,
                                 uint32_t active, VeuIntegerSources src,
                                 VeuInteger *values, uint64_t *second);

/*
 * Computes the low 64 bits of the results of @lanes from sources that are
 * signed numbers of 64 bits.
 */
typedef void VeuNarrowOperation(const VeuInstruction *instruction,
                                unsigned lanes, VeuSourceBits src,
                                VeuResults *results);

/*
 * Both are NULL if the operation has no integer form. Of @narrow, there is one
 * for each level of the CPU.
 */
typedef struct VeuIntegerOperations {
    VeuIntegerOperation *wide;
    VeuNarrowOperation *const *narrow;
} VeuIntegerOperations;

const VeuIntegerOperations *veu_integer_operation(VeuOperation operation);

#endif
