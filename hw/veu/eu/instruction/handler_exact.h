/*
 * veu execution unit: mathematical functions of single lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_EXACT_H
#define VEU_EU_INSTRUCTION_HANDLER_EXACT_H

/*
 * The functions of math.h for floats. Subnormal operands and results are kept.
 * pow raises @a to the power @b; the others ignore @b.
 */
typedef float VeuExactFunction(float a, float b);

VeuExactFunction veu_exact_exp;
VeuExactFunction veu_exact_log;
VeuExactFunction veu_exact_pow;
VeuExactFunction veu_exact_sin;
VeuExactFunction veu_exact_cos;
VeuExactFunction veu_exact_rsqrt;

#endif
