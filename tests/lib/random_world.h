/*
 * veu tests: two equal worlds: one for the execution unit, one for the second
 * implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RANDOM_WORLD_H
#define VEU_TEST_RANDOM_WORLD_H

#include "tests/lib/eu_fixture.h"
#include "tests/lib/ref.h"

#define WORLD_VARIABLES 24
#define WORLD_ADDRESSES 6

typedef struct World {
    GRand *rng;
    EuFixture *eu;
    TestMemory ref_memory;
    uint8_t ref_registers[EU_REGISTER_BYTES];
    uint8_t ref_slm[EU_SLM_BYTES];
    struct veu_surface surfaces[EU_SURFACES];
    struct veu_predicate predicates[EU_PREDICATES];
    struct veu_address addresses[EU_ADDRESS_VARIABLES];
    RefProgram program;
    RefThread thread;
} World;

uint32_t world_below(const World *w, uint32_t n);
bool world_chance(const World *w, unsigned percent);
uint64_t world_random64(const World *w);

/*
 * Returns a place in RAM, near its ends, in ROM, in a hole, or at an end of the
 * address space.
 */
uint64_t world_address(const World *w);
/* Returns a value that is likely to be special: a float, or a small number. */
uint32_t world_value(const World *w);

/* Makes memory, surfaces, variables, register size and SIMD size. */
void world_init(World *w, GRand *rng);
/*
 * Like world_init(), for a program of instructions with 32 lanes and these
 * registers: the first WORLD_VARIABLES of @variables, @predicates of 32 bits,
 * and one address variable of 16 elements.
 */
void world_init_for(World *w, GRand *rng, const struct veu_variable *variables,
                    uint32_t register_bytes, unsigned grf_bytes,
                    unsigned predicates);
void world_free(World *w);
/*
 * Sets the initial state of a thread, new for every message, and equal on both
 * sides.
 */
void world_restart(World *w);

#endif
