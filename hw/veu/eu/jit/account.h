/*
 * veu execution unit: what the messages of host code cost, and what they count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is ahead of a step is due before it, and ends with the next message
 * (VeuHandlerStep.ahead). A part of a run, which is its block or what is before
 * that, pays for all of its steps where it begins. Where it is left earlier, it
 * gets the rest back. Messages are counted where the part ends, or is left.
 *
 * Steps are numbered from the first one of the run.
 */
#ifndef VEU_EU_JIT_ACCOUNT_H
#define VEU_EU_JIT_ACCOUNT_H

#include "hw/veu/eu/jit/code.h"

/*
 * Begins a part of the run, steps @from to @end, without a message that ends
 * the run, which pays for what is after it: sets VeuJit.due.
 */
void veu_jit_begin_part(VeuJit *t, uint32_t from, uint32_t end);

/*
 * Pays for the part's steps from @from on. Leaves, having changed nothing, if
 * the cost would exceed the limit, or if a thread waits, because handlers stop
 * after each message then. Changes rax and r11.
 */
void veu_jit_pay_from(VeuJit *t, uint32_t from, VeuJitJumps *leaves);

/*
 * The same for the run's first part, of which all up to its first message is
 * paid for.
 */
void veu_jit_pay_part(VeuJit *t, VeuJitJumps *leaves);

/*
 * The part is left at step @n, and keeps what is ahead of that. @due is the
 * part's VeuJit.due. Changes rax and r10.
 */
void veu_jit_give_back(VeuJit *t, uint32_t due, uint32_t n);

/* A message has been executed at a row, and counts from now on. */
void veu_jit_count_row(VeuJit *t, const VeuMessageRow *row);

/* Adds @counts to the thread's. Changes r11. */
void veu_jit_add_counts(VeuEmit *e, VeuJitCounts counts);

/* A message that counts as a row has counted itself. Changes r11. */
void veu_jit_take_row(VeuEmit *e, const VeuMessageRow *row);

#endif
