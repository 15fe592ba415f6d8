/*
 * veu execution unit: the host code of one run of steps, while it is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_TRANSLATE_TRANSLATION_H
#define VEU_EU_TRANSLATE_TRANSLATION_H

#include "hw/veu/eu/translate/masks.h"
#include "hw/veu/eu/translate/values.h"

typedef struct VeuTranslation {
    VeuEmit *emit;
    const VeuProgram *program;
    bool some; /* only some lanes of the dispatch run */
    VeuValues values;
    VeuMasks masks;
} VeuTranslation;

/* Returns true if veu_translate_row() knows the instruction's row. */
bool veu_row_is_translated(const VeuInstruction *instruction);

/* Whether the row computes with floats, which %cr0 may treat otherwise. */
bool veu_row_has_floats(const VeuInstruction *instruction);
bool veu_row_has_doubles(const VeuInstruction *instruction);

/* Writes host code for a step whose row is translated. */
void veu_translate_row(VeuTranslation *t, const VeuInstruction *instruction,
                       const VeuHandlerStep *step);

#endif
