/*
 * veu execution unit: the host code of one run of steps, while it is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_JIT_CODE_H
#define VEU_EU_JIT_CODE_H

#include "hw/veu/eu/jit/masks.h"
#include "hw/veu/eu/jit/values.h"

typedef struct VeuJit {
    VeuEmit *emit;
    const VeuProgram *program;
    bool some; /* only some lanes of the dispatch run */
    VeuValues values;
    VeuMasks masks;
} VeuJit;

/* Returns true if veu_jit_row() knows the instruction's row. */
bool veu_jit_takes_row(const VeuInstruction *instruction);

/* Return true if the row reads F, or DF, whose subnormals %cr0 may flush. */
bool veu_jit_has_floats(const VeuInstruction *instruction);
bool veu_jit_has_doubles(const VeuInstruction *instruction);
/*
 * Returns true if the code is right only where arithmetic rounds to nearest,
 * and float to integer truncates.
 */
bool veu_jit_rounds(const VeuInstruction *instruction);

/* Writes host code for a step of a row that the compiler takes. */
void veu_jit_row(VeuJit *t, const VeuInstruction *instruction,
                 const VeuHandlerStep *step);

#endif
