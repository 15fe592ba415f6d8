/*
 * veu execution unit: variables of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 */
#include <stddef.h>
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/program/variable.h"
#include "hw/veu/eu/rule.h"

const struct veu_variable *veu_variable_find(const VeuProgram *p, uint32_t id)
{
    if (id >= VEU_FIRST_VARIABLE) {
        id -= VEU_FIRST_VARIABLE;
        return id < p->variable_count ? &p->variables[id] : NULL;
    }
    return p->kind == VEU_PROGRAM_INSTRUCTIONS && p->predefined[id].elements ?
               &p->predefined[id] :
               NULL;
}

bool veu_variable_bad_field(const VeuProgram *p, const struct veu_variable *v,
                            uint32_t *at)
{
    uint64_t bytes = (uint64_t)v->elements * veu_type_bytes(v->type);

    VEU_RULE(struct veu_variable, type, veu_type_bytes(v->type) == 0);
    VEU_RULE(struct veu_variable, elements, v->elements == 0);
    VEU_RULE(struct veu_variable, offset,
             v->offset > p->register_bytes ||
                 bytes > p->register_bytes - v->offset);
    VEU_RULE(struct veu_variable, reserved, v->reserved);
    return false;
}
