/*
 * veu execution unit: routines and their calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later OR MIT
 *
 * The code is a sequence of routines: the kernel, subroutines, functions. One
 * ends where the next starts, and never falls through: its last instruction is
 * a return, or a goto, without a predicate. Compilers leave labels of removed
 * blocks after it. Code after such an instruction, up to the entry or to a
 * label that an earlier goto names, cannot be reached and does not count. No
 * goto leaves its routine, and no routine calls itself, directly or indirectly.
 * Time and memory are linear in the number of instructions.
 */
#ifndef VEU_EU_PROGRAM_GRAPH_H
#define VEU_EU_PROGRAM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/* A call: an entry in its caller's list. */
typedef struct VeuGraphCall {
    uint32_t callee; /* label, or function and VEU_GRAPH_FUNCTION */
    uint32_t next;   /* next call of the same caller: index plus 1, or 0 */
} VeuGraphCall;

#define VEU_GRAPH_FUNCTION (1u << 31)

typedef struct VeuRoutine {
    uint32_t offset;  /* offset of its first instruction in the code */
    uint32_t calls;   /* the first of its calls: index plus 1, or 0 */
    uint32_t callers; /* calls of it that were not followed yet */
} VeuRoutine;

typedef struct VeuGraph {
    bool may_end;           /* no lane gets past the last instruction */
    uint32_t next_function; /* the next function that has not been seen yet */
    uint32_t seen_labels;
    uint32_t routine_count;
    uint32_t call_count;
    VeuRoutine *routines;
    VeuGraphCall *calls;
    uint16_t *label_routine; /* routine of the label's definition, plus 1 */
    uint16_t *label_wanted;  /* routine of gotos to the label, plus 1 */
    uint16_t *function_routine;
    uint16_t *queue;
} VeuGraph;

#endif
