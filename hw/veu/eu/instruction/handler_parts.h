/*
 * veu execution unit: what both choices of handlers use, handler_choose.c and
 * handler_stage_choose.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_PARTS_H
#define VEU_EU_INSTRUCTION_HANDLER_PARTS_H

#include "hw/veu/eu/instruction/handler.h"

/*
 * Returns true if element n of operand @o is @step * n elements from its
 * first.
 */
static inline bool veu_handler_has_step(const VeuOperand *o, unsigned lanes,
                                        unsigned step)
{
    unsigned width = 1u << o->width_shift;

    return (lanes == 1 || width == 1 || o->step == step) &&
           (lanes <= width || o->row_step == width * step);
}

/*
 * Returns true if no bit of the predicate but a lane's own decides whether it
 * runs: veu_step_own_lanes().
 */
static inline bool veu_handler_has_own_lanes(const VeuInstruction *i)
{
    return !i->predicated || i->predication.combine == VEU_COMBINE_NONE;
}

/* The handlers of the level veu_cpu, by row. */
const VeuHandlerSet *veu_handler_table(void);

#endif
