/*
 * veu execution unit: compiling steps of a program to host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A handler executes one step, and finds its operands in it. Host code executes
 * a run of steps that follow each other: their operands are part of the code,
 * results stay in the host's registers for the steps that use them next, and
 * there is one jump to the next handler instead of one for each step.
 *
 * It is called like a handler, as that of the run's first step, and does what
 * the handlers of its steps do: it stores all registers, predicates and state
 * variables that they store, so that an EU thread may stop, be saved, or be
 * inspected after it. The other steps keep their handlers, where a thread may
 * also continue: after a limit of the cost, or with lanes that return. So does
 * the first step, for a limit within the run (docs/design.md, "Host code").
 *
 * The compiler takes steps with a row in rows.c, some without lanes, and gotos.
 * It works at the levels VEU_CPU_AVX2 and VEU_CPU_AVX512.
 */
#ifndef VEU_EU_JIT_H
#define VEU_EU_JIT_H

#include "hw/veu/eu/program/program.h"

/* Room for host code. The same memory has two addresses: see host_code.h. */
typedef struct VeuHostCode {
    uint8_t *writable;
    const uint8_t *executable;
    uint32_t bytes;
    uint32_t used;
} VeuHostCode;

/* Returns true if this host can execute the code. */
bool veu_jit_is_available(void);

/* The room that is enough for most programs. */
uint32_t veu_jit_bytes(const VeuProgramRoom *room);

/*
 * Compiles the steps that have been decoded, from @at on, and returns the step
 * to continue at: a run is compiled when its end is known, or when it is long.
 * Runs that do not fit the room keep their handlers.
 */
uint32_t veu_jit_compile(VeuProgram *program, VeuHostCode *code, uint32_t at);

#endif
