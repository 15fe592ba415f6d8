/*
 * veu tests: the random numbers of a test, and how many it tries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/random_numbers.h"

uint64_t test_count(const char *variable, uint64_t usual)
{
    const char *text = g_getenv(variable);

    return text ? g_ascii_strtoull(text, NULL, 0) : usual;
}

GRand *test_rand(uint32_t usual)
{
    uint32_t seed = test_count("VEU_TEST_SEED", usual);

    g_test_message("VEU_TEST_SEED=%u", seed);
    return g_rand_new_with_seed(seed);
}

GRand *test_rand_any(void)
{
    return test_rand(g_random_int());
}
