/*
 * veu tests: the random numbers of a test, and how many it tries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * VEU_TEST_SEED in the environment repeats a run, which prints its seed.
 */
#ifndef VEU_TEST_RANDOM_NUMBERS_H
#define VEU_TEST_RANDOM_NUMBERS_H

#include <stdint.h>
#include <glib.h>

/* Begins with another seed in each run. The caller frees it. */
GRand *test_rand_any(void);
/*
 * Begins with @usual in each run that VEU_TEST_SEED does not change: for tests
 * that must reach all that they are about. The caller frees it.
 */
GRand *test_rand(uint32_t usual);

/* The number in the environment's @variable, or @usual. */
uint64_t test_count(const char *variable, uint64_t usual);

#endif
