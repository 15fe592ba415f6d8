/*
 * veu execution unit: host code for messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Host code itself moves 16 elements that are in a row, as the
 * handlers of messages do (handler_message.c). It calls a function for other
 * lanes, and leaves all else to the step's handler, which may stop.
 */
#ifndef VEU_EU_JIT_MESSAGES_H
#define VEU_EU_JIT_MESSAGES_H

#include "hw/veu/eu/jit/code.h"

/* Returns NULL for an instruction that is no such message. */
const VeuMessageRow *veu_jit_message_row(const VeuProgram *program,
                                         uint32_t at);

/*
 * Writes host code for step @at of the program, which is a message, and is @n
 * steps after the first one of the run. The run ends with it if @is_last.
 */
void veu_jit_message(VeuJit *t, uint32_t at, uint32_t n, bool is_last);

/* Writes what messages need rarely, at the end of the run. */
void veu_jit_message_calls(VeuJit *t);

#endif
