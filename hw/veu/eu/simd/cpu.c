/*
 * veu execution unit: the CPU instructions that loops over lanes may use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include "hw/veu/eu/simd/cpu.h"

VeuCpu veu_cpu;

const char *const veu_cpu_names[VEU_CPU_COUNT] = {
    [VEU_CPU_SCALAR] = "scalar",
    [VEU_CPU_AVX2] = "avx2",
    [VEU_CPU_AVX512] = "avx512",
};

bool veu_cpu_has(VeuCpu level)
{
    switch (level) {
#if defined(__x86_64__)
    case VEU_CPU_AVX2:
        return __builtin_cpu_supports("avx2") &&
               __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    case VEU_CPU_AVX512:
        return veu_cpu_has(VEU_CPU_AVX2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    default:
        return level == VEU_CPU_SCALAR;
    }
}

/* The best level, or the one that @wanted names, if the CPU has it. */
static VeuCpu choose(const char *wanted)
{
    VeuCpu best = VEU_CPU_SCALAR;

    for (unsigned level = 0; level < VEU_CPU_COUNT; level++) {
        if (!veu_cpu_has(level)) {
            continue;
        }
        if (wanted && !strcmp(wanted, veu_cpu_names[level])) {
            return level;
        }
        best = level;
    }
    return best;
}

__attribute__((constructor)) static void choose_once(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    veu_cpu = choose(getenv("VEU_CPU"));
}
