/*
 * veu execution unit: what both choices of handlers use, handler_choose.c and
 * handler_stage_choose.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_PARTS_H
#define VEU_EU_INSTRUCTION_HANDLER_PARTS_H

#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/program/type.h"

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

/* Returns true if @bytes at @at share a byte with @other_bytes at @other. */
static inline bool veu_handler_overlaps(uint32_t at, uint32_t bytes,
                                        uint32_t other, uint32_t other_bytes)
{
    return at < other + other_bytes && other < at + bytes;
}

/* Returns true if %cr0 has one of the @bytes at @at in the register file. */
static inline bool veu_handler_has_cr0(const VeuProgram *p, uint32_t at,
                                       uint32_t bytes)
{
    const struct veu_variable *v = &p->predefined[VEU_PREDEFINED_CR0];

    return v->elements &&
           veu_handler_overlaps(at, bytes, v->offset,
                                v->elements * veu_type_bytes(v->type));
}

/* Gives @step the handler for its lanes, one of two. */
void veu_handler_set(const VeuProgram *program, VeuHandlerStep *step,
                     VeuHandler *all, VeuHandler *some);

/* The handlers of the level veu_cpu, by row. */
const VeuHandlerSet *veu_handler_table(void);

#endif
