/*
 * veu execution unit: handlers of moves whose elements are not contiguous.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * After a message that returned bytes or words, a compiler moves the low part
 * of each dword; and it moves dwords to and from the halves of quad words. A
 * staged handler (handler_stage.h) executes such a move like any other, in six
 * times the instructions. These handlers copy bits, for all lanes.
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_COPY_H
#define VEU_EU_INSTRUCTION_HANDLER_COPY_H

#include "hw/veu/eu/instruction/handler_parts.h"

/*
 * Returns the handler of @instruction, a mov without predicate and whose lanes
 * all run, and sets the places of @step; or NULL if there is none. The region
 * of a source with equal distances has a width of 32.
 */
VeuHandler *veu_copy_choose(const VeuInstruction *instruction,
                            VeuHandlerStep *step);

#endif
