/*
 * veu execution unit: handlers of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MESSAGE_H
#define VEU_EU_INSTRUCTION_HANDLER_MESSAGE_H

#include "hw/veu/eu/program/program.h"

/* The bytes of data of a message that has a handler of its own. */
#define VEU_HANDLER_MESSAGE_BYTES 64

/*
 * Returns the handler of a message of a program of instructions, and puts what
 * it needs into @step: the operands in @from and @value. A handler that meets
 * something uncommon continues with veu_handler_message(), which takes any
 * message.
 */
VeuHandler *veu_handler_of_message(const VeuMessage *message,
                                   VeuHandlerStep *step);

#endif
