/*
 * veu-bench: the measured instructions: STEP(operation, dst, a, b, c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Operands are numbers of registers of 16 lanes. The device gets the rows as
 * text, and bare loops as C, so that both leave the same registers. Registers 0
 * to 3 are not written. No float grows without bound or becomes subnormal.
 */
#ifndef VEU_TOOLS_BENCH_STEPS_H
#define VEU_TOOLS_BENCH_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_STEP_LANES     16
#define BENCH_STEP_REGISTERS 16
#define BENCH_STEPS          32

/* clang-format off */
#define BENCH_STEPS_F(STEP) \
    STEP(add, 9, 7, 0, 0) \
    STEP(mad, 4, 9, 0, 1) \
    STEP(mad, 4, 10, 3, 0) \
    STEP(mad, 4, 12, 3, 0) \
    STEP(mad, 5, 14, 0, 3) \
    STEP(mad, 5, 4, 1, 2) \
    STEP(mul, 13, 5, 2, 0) \
    STEP(mad, 4, 13, 1, 2) \
    STEP(mad, 4, 13, 0, 1) \
    STEP(mul, 15, 9, 3, 0) \
    STEP(mul, 14, 8, 1, 0) \
    STEP(mad, 5, 5, 2, 3) \
    STEP(add, 11, 6, 0, 0) \
    STEP(mad, 7, 6, 2, 1) \
    STEP(mul, 15, 4, 0, 0) \
    STEP(add, 10, 6, 3, 0) \
    STEP(mul, 12, 5, 2, 0) \
    STEP(mul, 12, 4, 2, 0) \
    STEP(mul, 14, 10, 2, 0) \
    STEP(mad, 7, 9, 1, 0) \
    STEP(mul, 12, 7, 2, 0) \
    STEP(mad, 5, 10, 3, 3) \
    STEP(mad, 5, 11, 3, 2) \
    STEP(mad, 7, 12, 2, 3) \
    STEP(add, 11, 5, 1, 0) \
    STEP(mad, 5, 6, 1, 1) \
    STEP(mad, 7, 13, 1, 2) \
    STEP(add, 8, 5, 3, 0) \
    STEP(add, 10, 5, 0, 0) \
    STEP(mul, 15, 10, 3, 0) \
    STEP(mul, 12, 11, 3, 0) \
    STEP(mad, 5, 5, 1, 3)

#define BENCH_STEPS_D(STEP) \
    STEP(and, 5, 10, 1, 0) \
    STEP(add, 4, 4, 3, 0) \
    STEP(mul, 13, 0, 2, 0) \
    STEP(or, 13, 12, 4, 0) \
    STEP(xor, 9, 11, 15, 0) \
    STEP(add, 5, 15, 14, 0) \
    STEP(mad, 11, 9, 2, 4) \
    STEP(add, 15, 10, 8, 0) \
    STEP(mad, 15, 5, 0, 6) \
    STEP(mul, 6, 0, 9, 0) \
    STEP(add, 15, 8, 11, 0) \
    STEP(and, 9, 7, 10, 0) \
    STEP(or, 13, 6, 7, 0) \
    STEP(shl, 15, 7, 6, 0) \
    STEP(mad, 9, 0, 0, 8) \
    STEP(mad, 8, 6, 11, 14) \
    STEP(mul, 9, 2, 7, 0) \
    STEP(add, 7, 15, 6, 0) \
    STEP(mul, 7, 15, 0, 0) \
    STEP(mad, 14, 11, 2, 3) \
    STEP(shl, 15, 6, 15, 0) \
    STEP(and, 10, 10, 2, 0) \
    STEP(shl, 11, 12, 2, 0) \
    STEP(and, 6, 4, 0, 0) \
    STEP(and, 13, 14, 4, 0) \
    STEP(mad, 14, 11, 4, 4) \
    STEP(add, 4, 3, 4, 0) \
    STEP(shl, 7, 6, 0, 0) \
    STEP(xor, 7, 9, 7, 0) \
    STEP(mul, 8, 13, 4, 0) \
    STEP(add, 15, 11, 14, 0) \
    STEP(shl, 12, 4, 4, 0)

/* clang-format on */

/* A register file: dwords, or the bits of floats. */
typedef union BenchRegisters {
    uint32_t d[BENCH_STEP_REGISTERS][BENCH_STEP_LANES];
    float f[BENCH_STEP_REGISTERS][BENCH_STEP_LANES];
} BenchRegisters;

/*
 * Does all steps @times times, with @masked only in lanes with an odd number.
 */
typedef void BenchStepLoop(BenchRegisters *registers, unsigned times);

/* Loops of a flavour: [is F][is masked]. */
typedef BenchStepLoop *BenchStepLoops[2][2];

extern const BenchStepLoops bench_vector_steps;
extern const BenchStepLoops bench_avx2_steps;
extern const BenchStepLoops bench_avx512_steps;

/* The loops of the best flavour that this CPU runs. */
const BenchStepLoops *bench_step_loops(void);

#endif
