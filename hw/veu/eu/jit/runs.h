/*
 * veu execution unit: the steps that host code executes together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run is a number of steps in order, up to a label. It may end with a goto;
 * or with a goto that skips a block, which are the steps from there to its
 * label. Host code executes a block for those lanes that do not skip it.
 */
#ifndef VEU_EU_JIT_RUNS_H
#define VEU_EU_JIT_RUNS_H

#include "hw/veu/eu/program/program.h"

/* In a block of this length, masks cost as much as the begin of a run. */
#define VEU_RUN_LONG_BLOCK 8

typedef struct VeuRun {
    VeuProgram *program;
    uint32_t at;    /* its first step */
    uint32_t count; /* of all steps, with those of the block */
    uint32_t block; /* steps after a goto that skips them; 0: none */
    uint32_t messages;
    uint32_t unless; /* VEU_FLOATS_ bits with which it does not hold */
    bool has_goto;
    bool waits; /* whether a goto has a block is not known yet */
} VeuRun;

/* The run that begins at step @at; it is empty if that is not compiled. */
VeuRun veu_run_find(VeuProgram *program, uint32_t at);

/* Returns true if steps that are not decoded yet may belong to the run. */
bool veu_run_is_open(const VeuRun *run);

bool veu_run_ends_with_message(const VeuRun *run);

/*
 * Returns true if a block is so long that it is worth a run of its own, which
 * needs no masks, for when no lane skips it.
 */
static inline bool veu_run_has_long_block(const VeuRun *run)
{
    return run->block > VEU_RUN_LONG_BLOCK;
}

#endif
