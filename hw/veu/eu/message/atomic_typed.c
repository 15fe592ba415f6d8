/*
 * veu execution unit: TYPED_ATOMIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A texel is aligned: both the surface's base and the distance of the texel
 * from it are multiples of its size (docs/spec.md, section 9).
 */
#include "hw/veu/eu/message/surface_operand.h"
#include "hw/veu/eu/message/atomic.h"
#include "hw/veu/eu/message/texels.h"

/* The format must have one channel of the operands' size, of any type. */
static bool check_format(VeuThread *t, const VeuMessage *m, const VeuSurface *s)
{
    if (s->format->atomics && s->format->bytes == m->element_bytes) {
        return true;
    }
    return veu_fault_form(&t->fault, VEU_FAULT_SURFACE_KIND, 0);
}

bool veu_execute_typed_atomic(VeuThread *t, const VeuMessage *m)
{
    const VeuSurface *s = veu_surface_typed(t, m);
    VeuPlan plan;

    if (!s || !check_format(t, m, s) || !veu_atomic_check_types(t, m)) {
        return false;
    }
    veu_plan_texels(t, m, s, &plan);
    return veu_atomic_perform_plan(t, m, &plan);
}
