/*
 * veu-bench: flavours of the loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "tools/veu-bench/loops.h"
#include "tools/veu-bench/steps.h"

static bool always(void)
{
    return true;
}

#if defined(__x86_64__)
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

const BenchFlavourInfo bench_flavours[BENCH_FLAVOURS] = {
    [BENCH_SCALAR] = { "scalar", always, bench_scalar_loops },
    [BENCH_VECTOR] = { "vector", always, bench_vector_loops },
#if defined(__x86_64__)
    [BENCH_AVX2] = { "avx2", has_avx2, bench_avx2_loops },
    [BENCH_AVX512] = { "avx512", has_avx512, bench_avx512_loops },
    [BENCH_AVX2_GATHER] = { "avx2 gather", has_avx2, bench_avx2_gather_loops },
    [BENCH_AVX512_GATHER] = { "avx512 gather", has_avx512,
                              bench_avx512_gather_loops },
#endif
};

BenchRun *bench_loop(BenchFlavour flavour, BenchLoopKind kind)
{
    const BenchFlavourInfo *info = &bench_flavours[flavour];

    return info->loops && info->is_supported() ? info->loops[kind] : NULL;
}

const BenchStepLoops *bench_step_loops(void)
{
#if defined(__x86_64__)
    if (has_avx512()) {
        return &bench_avx512_steps;
    }
    if (has_avx2()) {
        return &bench_avx2_steps;
    }
#endif
    return &bench_vector_steps;
}
