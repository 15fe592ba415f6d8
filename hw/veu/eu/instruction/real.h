/*
 * veu execution unit: arithmetic on floating-point numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_REAL_H
#define VEU_EU_INSTRUCTION_REAL_H

#include "hw/veu/eu/instruction/lanes.h"

/* Computes what is then rounded once, to the type of the destination. */
typedef VeuFloat VeuRealFunction(const VeuInstruction *instruction,
                                 const VeuFloat *src, VeuFloatMode mode);

typedef struct VeuRealOperation {
    VeuRealFunction *real;
    bool nearest; /* rounds to nearest even, whatever %cr0 says */
} VeuRealOperation;

/* Its function is NULL where the operation is none on floats. */
const VeuRealOperation *veu_real_operation(VeuOperation operation);

#endif
