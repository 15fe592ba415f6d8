/*
 * veu execution unit: handlers with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#if defined(__x86_64__)
#include <immintrin.h>
#define VEU_HANDLER_TABLE veu_handlers_avx512
#if defined(__clang__)
#pragma clang attribute push(                                             \
    __attribute__((                                                       \
        target("avx2,fma,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"))), \
    apply_to = function)
#else
#pragma GCC optimize("tree-loop-vectorize,no-math-errno,no-trapping-math")
#pragma GCC target("avx2,fma,bmi,bmi2,prefer-vector-width=512")
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif
#include "hw/veu/eu/instruction/handler_loops.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
