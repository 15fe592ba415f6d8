/*
 * veu tests: messages in programs of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, 17.1 and 17.4: surfaces by value, running lanes, SLM.
 */
#include "tests/lib/isa.h"

/*
 * Finds the table's entry, by the number that a message without variables uses.
 */
static bool find_surface(IsaThread *t, RefMessage *m)
{
    uint32_t index = t->states[m->surface - VEU_FIRST_SURFACE];

    if (index >= t->memory->surface_count ||
        t->memory->surfaces[index].type == VEU_SURFACE_NULL) {
        t->fault = (RefFault){
            .code = VEU_FAULT_SURFACE_INDEX,
            .lane = 0xff,
            .element = 0xff,
        };
        return false;
    }
    m->surface = VEU_FIRST_SURFACE + index;
    return true;
}

bool isa_execute_message(IsaThread *t, const IsaInstruction *i,
                         uint32_t running)
{
    RefThread *memory = t->memory;
    RefMessage m = i->message;

    memory->program = &t->program->messages;
    memory->registers = t->registers;
    memory->register_bytes = t->program->header.register_bytes;
    memory->predicates = t->predicates;
    memory->addresses = t->addresses;
    memory->exec_mask = running;
    memory->slm_wraps = true;
    memory->moved_bytes = 0;
    if (!ref_enabled(memory, &m)) {
        return true;
    }
    if (m.surface >= VEU_FIRST_SURFACE && !find_surface(t, &m)) {
        return false;
    }
    ref_execute(memory, &m, &t->fault);
    return !t->fault.code;
}
