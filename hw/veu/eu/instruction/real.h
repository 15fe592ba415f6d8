/*
 * veu execution unit: arithmetic on floating-point numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_REAL_H
#define VEU_EU_INSTRUCTION_REAL_H

#include "hw/veu/eu/instruction/lanes.h"

/* Computes what is then rounded once, to the destination's type. */
typedef VeuFloat VeuRealFunction(const VeuInstruction *instruction,
                                 const VeuFloat *src, VeuFloatMode mode);

typedef struct VeuRealOperation {
    VeuRealFunction *real;
    bool nearest; /* rounds in the same way, whatever %cr0 says */
} VeuRealOperation;

/* The function is NULL if the operation has no float form. */
const VeuRealOperation *veu_real_operation(VeuOperation operation);

#endif
