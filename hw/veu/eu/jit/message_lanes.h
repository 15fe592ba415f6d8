/*
 * veu execution unit: host code for messages whose lanes are in no row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_JIT_MESSAGE_LANES_H
#define VEU_EU_JIT_MESSAGE_LANES_H

#include "hw/veu/eu/jit/code.h"

/*
 * Returns true if this code exists for the message: its elements are dwords,
 * and the host has AVX-512.
 */
bool veu_jit_takes_lanes(const VeuJit *t, const VeuMessageRow *row);

/*
 * A general register becomes the message's lanes that run. Changes the flags.
 */
void veu_jit_load_active(VeuJit *t, const VeuHandlerStep *step);

/*
 * Writes the code, at the end of the run, where VeuJitCall.lanes land with
 * WINDOW set. It continues where the run does after the message, or calls.
 */
void veu_jit_message_lanes(VeuJit *t, VeuJitCall *call);

#endif
