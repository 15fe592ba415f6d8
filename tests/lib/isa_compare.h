/*
 * veu tests: the execution unit held against the second implementation of
 * instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_ISA_COMPARE_H
#define VEU_TEST_ISA_COMPARE_H

#include "tests/lib/isa_random.h"
#include "tests/lib/random_world.h"

/* One program on both sides, and its EU thread. */
typedef struct IsaPair {
    CodeRun run;
    IsaProgram *program;
    IsaThread thread;
    World *world; /* NULL: programs have no messages */
    /* The instruction that was executed last: how often, and its faults. */
    uint64_t executed[256];
    uint64_t faults;
} IsaPair;

IsaPair *isa_pair_new(void);
void isa_pair_free(IsaPair *pair);
/* Messages of programs that are loaded from now on are those of @world. */
void isa_pair_join(IsaPair *pair, World *world);

/*
 * Loads the program in place of the last one. Returns false if it is illegal,
 * or has
 * instructions that the model does not have, or messages without a world.
 */
bool isa_pair_take(IsaPair *pair, const Code *code);
/* The same of a program that is legal: else the test ends. */
void isa_pair_load(IsaPair *pair, const Code *code);

/*
 * Starts with the registers, predicates and addresses that the device has, and
 * with the world as world_restart() made it.
 */
void isa_pair_start(IsaPair *pair, uint32_t lanes);

/*
 * Executes the next instruction on both sides, and proceeds past it where it
 * faults. False at the end, and where the sides differ: then @what says how,
 * and is to be freed.
 */
bool isa_pair_step(IsaPair *pair, char **what);

/* Ends the test if the sides differ before the end; at most @limit steps. */
void isa_pair_run(IsaPair *pair, unsigned limit);

#endif
