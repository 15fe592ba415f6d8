/*
 * veu execution unit: translating steps of a program to host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A handler executes one step, and finds its operands in it. A translation is
 * host code for a run of steps that follow each other: their operands are part
 * of the code, results stay in the host's registers for the steps that use them
 * next, and there is one jump to the next handler instead of one for each step.
 * It is called like a handler, as that of its first step, and does exactly what
 * the handlers of its steps do: all registers, predicates and state variables
 * are stored, and the cost is added by whoever continues at a step, as before.
 * The steps keep their own handlers, where a run may also begin: after a limit
 * of the cost, or for lanes that return.
 *
 * Only steps with rows of handler_rows.h, and some without lanes, are
 * translated, and only for hosts with the level VEU_CPU_AVX512.
 */
#ifndef VEU_EU_TRANSLATE_TRANSLATE_H
#define VEU_EU_TRANSLATE_TRANSLATE_H

#include "hw/veu/eu/program/program.h"

/* Room for host code. The same memory has two addresses: see host_code.h. */
typedef struct VeuHostCode {
    uint8_t *writable;
    const uint8_t *executable;
    uint32_t bytes;
    uint32_t used;
} VeuHostCode;

/* Returns true if this host runs translations. */
bool veu_can_translate(void);

/* The room that is enough for most programs. */
uint32_t veu_translation_bytes(const VeuProgramRoom *room);

/*
 * Translates the steps that have been decoded, from @at on, and returns the
 * step to continue at: a run is translated when its end is known, or when it is
 * long. Runs that do not fit the room keep their handlers.
 */
uint32_t veu_translate(VeuProgram *program, VeuHostCode *code, uint32_t at);

#endif
