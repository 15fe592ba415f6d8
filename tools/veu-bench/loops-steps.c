/*
 * veu-bench: the limit of instructions: bare loops that compute the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers are in memory, as in an interpreter. BENCH_TABLE is the name of the
 * table for the flavour that this is compiled for.
 */
#include "tools/veu-bench/steps.h"

/*
 * Each step is a loop over all lanes, which the compiler vectorises unless it
 * unrolls it first; lanes that do not run keep their values.
 */
#define EACH_LANE(is_masked, to, value)                            \
    do {                                                           \
        _Pragma("GCC unroll 1") /* NOLINT */                       \
            for (unsigned n = 0; n < BENCH_STEP_LANES; n++)        \
        {                                                          \
            (to)[n] = !(is_masked) || (n & 1) ? (value) : (to)[n]; \
        }                                                          \
    } while (0)

#define F(n) r->f[n]
#define D(n) r->d[n]

#define F_add(a, b, c) (F(a)[n] + F(b)[n])
#define F_mul(a, b, c) (F(a)[n] * F(b)[n])
#define F_mad(a, b, c) __builtin_fmaf(F(a)[n], F(b)[n], F(c)[n])
#define D_add(a, b, c) (D(a)[n] + D(b)[n])
#define D_and(a, b, c) (D(a)[n] & D(b)[n])
#define D_or(a, b, c)  (D(a)[n] | D(b)[n])
#define D_xor(a, b, c) (D(a)[n] ^ D(b)[n])
#define D_mul(a, b, c) (D(a)[n] * D(b)[n])
#define D_shl(a, b, c) (D(a)[n] << (D(b)[n] & 31))
#define D_mad(a, b, c) (D(a)[n] * D(b)[n] + D(c)[n])

#define ALL_F(op, to, a, b, c)    EACH_LANE(false, F(to), F_##op(a, b, c));
#define MASKED_F(op, to, a, b, c) EACH_LANE(true, F(to), F_##op(a, b, c));
#define ALL_D(op, to, a, b, c)    EACH_LANE(false, D(to), D_##op(a, b, c));
#define MASKED_D(op, to, a, b, c) EACH_LANE(true, D(to), D_##op(a, b, c));

#define LOOP(name, STEPS, STEP)                                     \
    static void name(BenchRegisters *r, unsigned times)             \
    {                                                               \
        for (unsigned i = 0; i < times; i++) {                      \
            STEPS(STEP)                                             \
            /* Registers are written to memory after each round. */ \
            __asm__ volatile("" : : "r"(r) : "memory");             \
        }                                                           \
    }

LOOP(all_f, BENCH_STEPS_F, ALL_F)
LOOP(masked_f, BENCH_STEPS_F, MASKED_F)
LOOP(all_d, BENCH_STEPS_D, ALL_D)
LOOP(masked_d, BENCH_STEPS_D, MASKED_D)

const BenchStepLoops BENCH_TABLE = {
    { all_d, masked_d },
    { all_f, masked_f },
};
