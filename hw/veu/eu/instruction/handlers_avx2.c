/*
 * veu execution unit: handlers with AVX2 and FMA.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#if defined(__x86_64__)
#define VEU_HANDLER_TABLE veu_handlers_avx2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2"))), \
                             apply_to = function)
#else
#pragma GCC optimize("tree-loop-vectorize,no-math-errno,no-trapping-math")
#pragma GCC target("avx2,fma,bmi,bmi2")
#endif
#include "hw/veu/eu/instruction/handler_loops.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
