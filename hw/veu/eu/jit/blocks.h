/*
 * veu execution unit: host code for the lanes that do not take a goto.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where some lanes skip a few steps, they would wait at the goto's label, and
 * the others would meet them there, which takes longer than the steps. Host
 * code executes the block with a mask instead: the lanes wait only where it is
 * left before its end, by a message that stops or is executed elsewhere.
 */
#ifndef VEU_EU_JIT_BLOCKS_H
#define VEU_EU_JIT_BLOCKS_H

#include "hw/veu/eu/jit/code.h"
#include "hw/veu/eu/jit/runs.h"

/* The jumps of a block to the goto's other code. */
typedef struct VeuJitBlock {
    VeuJitJumps leaves;
    VeuMasks masks; /* there */
} VeuJitBlock;

/* Writes what comes before the block of a goto, step @goto_at of the run. */
VeuJitBlock veu_jit_block_begin(VeuJit *t, const VeuRun *run, uint32_t goto_at);

/*
 * After this, VEU_STEP is the first step of the run again: the code of the goto
 * follows.
 */
void veu_jit_block_leave(VeuJit *t, const VeuJitBlock *block);

/* The lanes that skip the block wait at its label. */
void veu_jit_block_split(VeuJit *t, uint32_t label_byte);
/* They do not: the inverse. All registers but VEU_STEP may change. */
void veu_jit_block_join(VeuJit *t);

#endif
