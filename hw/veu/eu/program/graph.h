/*
 * veu execution unit: routines and their calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * The code is a sequence of routines: the kernel, subroutines, functions. A
 * routine ends where the next one starts, and never falls through: its last
 * instruction is a return, or a goto, without a predicate. Compilers leave
 * labels of removed blocks after it. What follows such an instruction, up to
 * the entry or a label that an earlier goto names, cannot be reached and is
 * ignored. No goto leaves its routine, and no routine calls itself, directly or
 * through others.
 * Time and memory are linear in the number of instructions.
 */
#ifndef VEU_EU_PROGRAM_GRAPH_H
#define VEU_EU_PROGRAM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/* A call: an entry of the list of its caller. */
typedef struct VeuGraphCall {
    uint32_t callee; /* label, or function and VEU_GRAPH_FUNCTION */
    uint32_t next;   /* of the same caller: index and one, or 0 */
} VeuGraphCall;

#define VEU_GRAPH_FUNCTION (1u << 31)

typedef struct VeuRoutine {
    uint32_t offset;  /* of its first instruction in the code */
    uint32_t calls;   /* the first of its calls: index and one, or 0 */
    uint32_t callers; /* calls of it that were not followed yet */
} VeuRoutine;

typedef struct VeuGraph {
    bool may_end;           /* no lane gets past the last instruction */
    uint32_t next_function; /* that has not been seen yet */
    uint32_t seen_labels;
    uint32_t routine_count;
    uint32_t call_count;
    VeuRoutine *routines;
    VeuGraphCall *calls;
    uint16_t *label_routine; /* of its definition, and one */
    uint16_t *label_wanted;  /* of gotos to it, and one */
    uint16_t *function_routine;
    uint16_t *queue;
} VeuGraph;

#endif
