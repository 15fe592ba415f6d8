/*
 * veu execution unit: which host code the rows of handlers have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_JIT_ROWS_H
#define VEU_EU_JIT_ROWS_H

#include "hw/veu/eu/jit/forms.h"

/*
 * The row of an operation for the level that host code is written for; its form
 * is NULL if it is not compiled.
 */
const VeuJitRow *veu_jit_row_of(unsigned row);

#endif
