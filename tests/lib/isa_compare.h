/*
 * veu tests: the execution unit compared with the second implementation of
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
    World *world; /* NULL if programs have no messages */
    /*
     * For each opcode: the number of instructions executed; and the number of
     * faults.
     */
    uint64_t executed[256];
    uint64_t faults;
} IsaPair;

IsaPair *isa_pair_new(void);
void isa_pair_free(IsaPair *pair);
/* From now on, loaded programs have messages of @world. */
void isa_pair_join(IsaPair *pair, World *world);

/*
 * Replaces the program. Returns false if it is illegal, or has instructions
 * that the model does not have, or has messages without a world.
 */
bool isa_pair_take(IsaPair *pair, const Code *code);
/* Like isa_pair_take(), but ends the test if the program is not legal. */
void isa_pair_load(IsaPair *pair, const Code *code);

/*
 * Starts with the device's registers, predicates and addresses, and with the
 * world as world_restart() made it.
 */
void isa_pair_start(IsaPair *pair, uint32_t lanes);

/*
 * Executes the next instruction on both sides, and proceeds past it if it
 * faults. Returns false at the end, or if the sides differ: then @what
 * describes the difference, and the caller frees it.
 */
bool isa_pair_step(IsaPair *pair, char **what);

/* Runs at most @limit steps; ends the test if the sides differ. */
void isa_pair_run(IsaPair *pair, unsigned limit);

#endif
