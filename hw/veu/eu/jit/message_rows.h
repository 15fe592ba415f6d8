/*
 * veu execution unit: vector instructions of messages whose lanes are a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The 16 lanes are one vector with AVX-512, otherwise two.
 */
#ifndef VEU_EU_JIT_MESSAGE_ROWS_H
#define VEU_EU_JIT_MESSAGE_ROWS_H

#include "hw/veu/eu/jit/code.h"

/*
 * Loads the message's offsets, and what it stores, to vector registers. May
 * change general registers.
 */
void veu_jit_row_load(VeuJit *t, VeuJitCall *call);

/*
 * Compares the offsets with those of a row that begins with the first one, or
 * with the first one if lanes have several elements. AT becomes the first one.
 * Returns the condition that is set if the lanes are in no row.
 */
unsigned veu_jit_row_compare(VeuJit *t, const VeuJitCall *call);

/* Moves the row at the host's address AT, to or from the registers. */
void veu_jit_row_move(VeuJit *t, VeuJitCall *call);

#endif
