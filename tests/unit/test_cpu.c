/*
 * veu unit tests: which clones of loops over lanes run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "hw/veu/eu/simd/cpu.h"

static void test_all_cpus_have_the_lowest_level(void)
{
    g_assert_true(veu_cpu_has(VEU_CPU_SCALAR));
    g_assert_false(veu_cpu_has(VEU_CPU_COUNT));
}

static void test_the_cpu_has_what_is_chosen(void)
{
    g_assert_true(veu_cpu_has(veu_cpu));
}

/* Otherwise the best level is used. */
static void test_environment_names_a_level_that_the_cpu_has(void)
{
    const char *wanted = g_getenv("VEU_CPU");

    for (unsigned level = 0; level < VEU_CPU_COUNT; level++) {
        if (veu_cpu_has(level) && !g_strcmp0(wanted, veu_cpu_names[level])) {
            g_assert_cmpuint(veu_cpu, ==, level);
            return;
        }
    }
    for (unsigned level = veu_cpu + 1; level < VEU_CPU_COUNT; level++) {
        g_assert_false(veu_cpu_has(level));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/cpu/" #name, test_##name)
    RULE(all_cpus_have_the_lowest_level);
    RULE(the_cpu_has_what_is_chosen);
    RULE(environment_names_a_level_that_the_cpu_has);
#undef RULE
    return g_test_run();
}
