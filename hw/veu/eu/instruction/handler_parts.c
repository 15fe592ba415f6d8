/*
 * veu execution unit: what both choices of handlers use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler_parts.h"

void veu_handler_set(const VeuProgram *p, VeuHandlerStep *step, VeuHandler *all,
                     VeuHandler *some)
{
    bool always = step->always && !step->predicated;
    bool whole = !step->predicated &&
                 (step->always ||
                  (unsigned)step->mask_offset + step->lanes <= p->simd);

    step->handler[0] = whole ? all : some;
    step->handler[1] = always ? all : some;
}

const VeuHandlerSet *veu_handler_table(void)
{
    static const VeuHandlerSet *const tables[VEU_CPU_COUNT] = {
        [VEU_CPU_SCALAR] = veu_handlers_scalar,
#if defined(__x86_64__)
        [VEU_CPU_AVX2] = veu_handlers_avx2,
        [VEU_CPU_AVX512] = veu_handlers_avx512,
#endif
    };

    return tables[veu_cpu];
}
