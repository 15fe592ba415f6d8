/*
 * veu execution unit: lanes as host code's vector instructions take them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With AVX-512, a mask register has a bit for each lane (masks.h), and most
 * instructions take one. AVX2 has neither: there, a vector register has all
 * ones in the elements of the lanes, and a blend follows. It is kept as values
 * are.
 */
#ifndef VEU_EU_JIT_LANES_H
#define VEU_EU_JIT_LANES_H

#include "hw/veu/eu/jit/code.h"

/* Returns true if the first @lanes of a step all run when it is executed. */
bool veu_jit_runs_whole(const VeuJit *t, const VeuHandlerStep *step,
                        unsigned lanes);

/* The lanes for which a step is executed, from lane @first of it on. */
VeuLanes veu_jit_step_lanes(const VeuJit *t, const VeuHandlerStep *step,
                            unsigned first);

/*
 * A mask register, or a vector register for elements of @bytes; 0, which
 * stands for all lanes, if they are all. Changes rax and r11.
 */
unsigned veu_jit_lanes(VeuJit *t, const VeuLanes *lanes, unsigned bytes);

/*
 * to = yes in the lanes of @mask, which are some, and no in all others. The
 * elements have 4 or 8 bytes.
 */
void veu_jit_choose(VeuEmit *e, VeuVectorOperands no_and_yes, unsigned mask,
                    unsigned bytes);

/*
 * Stores a register that nothing else needs, with @lanes elements of @bytes, to
 * @at in the register file; lanes that are not @some keep what they have.
 */
void veu_jit_store_lanes(VeuJit *t, unsigned from, uint32_t at, unsigned lanes,
                         unsigned bytes, const VeuLanes *some);

/*
 * Loads each vector of lanes that the call keeps again: the function that it
 * calls may have changed the register.
 */
void veu_jit_restore_lanes(VeuJitCall *call);

/* A predicate has been written. */
void veu_jit_forget_predicate(VeuJit *t, uint32_t predicate);

/* Other lanes run than before: see veu_masks_change_lanes(). */
void veu_jit_change_lanes(VeuJit *t);

#endif
