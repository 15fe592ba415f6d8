/*
 * veu execution unit: what handlers need of %cr0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_MODES_H
#define VEU_EU_INSTRUCTION_HANDLER_MODES_H

#include "hw/veu/eu/instruction/float.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/execute.h"

#define VEU_CR0_ROUNDING(cr0) ((cr0) >> 4 & 3)

/* For veu_set_rounding(): changes how the host's thread rounds. */
void veu_change_rounding(VeuThread *thread, VeuRounding rounding);

/* Makes the host's thread round so while handlers run. */
static inline void veu_set_rounding(VeuThread *t, VeuRounding rounding)
{
    if (__builtin_expect(t->rounding != rounding, 0)) {
        veu_change_rounding(t, rounding);
    }
}

/* Sets what handlers of floats need of %cr0, besides the rounding. */
static inline void veu_set_floats(VeuThread *t, uint32_t cr0)
{
    t->floats = (cr0 ^ VEU_FLOATS_FLUSH) &
                (VEU_FLOATS_FLUSH | VEU_FLOATS_ROUND);
}

/* Sets what handlers need of %cr0. */
static inline void veu_take_cr0(VeuThread *t)
{
    uint32_t cr0 = veu_thread_cr0(t);

    veu_set_floats(t, cr0);
    veu_set_rounding(t, VEU_CR0_ROUNDING(cr0));
}

#endif
