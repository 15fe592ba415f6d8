/*
 * veu execution unit: operands, as the choice of handlers sees them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_CHOOSE_H
#define VEU_EU_INSTRUCTION_HANDLER_CHOOSE_H

#include "hw/veu/eu/instruction/handler.h"

/*
 * Returns true if element n of the operand is @step * n elements from its
 * first.
 */
bool veu_handler_has_step(const VeuOperand *operand, unsigned lanes,
                          unsigned step);

/*
 * Returns true if no bit of the predicate but a lane's own decides whether it
 * runs: veu_step_own_lanes().
 */
bool veu_handler_has_own_lanes(const VeuInstruction *instruction);

/* The handlers of the level veu_cpu, by row. */
const VeuHandlerSet *veu_handler_table(void);

/* Gives @step the handler for its lanes, one of two. */
void veu_handler_set(const VeuProgram *program, VeuHandlerStep *step,
                     VeuHandler *all, VeuHandler *some);

#endif
