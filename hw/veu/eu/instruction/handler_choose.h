/*
 * veu execution unit: what the choice of handlers asks of operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_CHOOSE_H
#define VEU_EU_INSTRUCTION_HANDLER_CHOOSE_H

#include "hw/veu/eu/instruction/handler.h"

/* Element n of the operand is @step * n elements from its first, or false. */
bool veu_handler_has_step(const VeuOperand *operand, unsigned lanes,
                          unsigned step);

/* The handlers of the level veu_cpu, by row. */
const VeuHandlerSet *veu_handler_table(void);

/* Gives @step the one of two handlers that its lanes need. */
void veu_handler_set(const VeuProgram *program, VeuHandlerStep *step,
                     VeuHandler *all, VeuHandler *some);

#endif
