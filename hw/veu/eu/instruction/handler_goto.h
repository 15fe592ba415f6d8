/*
 * veu execution unit: the handlers of gotos and barriers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_GOTO_H
#define VEU_EU_INSTRUCTION_HANDLER_GOTO_H

#include "hw/veu/eu/instruction/handler_step.h"

/*
 * Besides veu_handler_goto(), which takes any goto: one without a predicate
 * that all running lanes take; one of a single lane, whose bit of the predicate
 * decides for all of them; and one whose lanes have their own bits. The step's
 * @value has the lanes that the last is for.
 */
VEU_HANDLER(veu_handler_goto_always);
VEU_HANDLER(veu_handler_goto_first);
VEU_HANDLER(veu_handler_goto_own);

/* Handlers stop after a barrier, with the flow's at_barrier set. */
VEU_HANDLER(veu_handler_barrier);

#endif
