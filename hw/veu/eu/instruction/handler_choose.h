/*
 * veu execution unit: the choice of an instruction's handler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_CHOOSE_H
#define VEU_EU_INSTRUCTION_HANDLER_CHOOSE_H

#include "hw/veu/eu/instruction/handler.h"

/*
 * Chooses the handlers of a decoded instruction of @program, and of its step,
 * for the level veu_cpu. Instructions must be passed in order.
 */
void veu_handler_choose(VeuProgram *program, VeuInstruction *instruction);

/* Tells the steps of @program before @end what is ahead of them. */
void veu_handler_close(VeuProgram *program, uint32_t end);

#endif
