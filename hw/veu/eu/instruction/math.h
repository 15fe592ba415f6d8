/*
 * veu execution unit: mathematical functions of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They are computed in fixed point of 62 to 64 fractional bits, in a fixed
 * order, so that they have the same bits on every host. The error before the
 * rounding to F is below 2^-29 of the result: a result is off by less than 0.52
 * units in the last place. Results round to nearest even, whatever %cr0 says.
 * Special values: docs/spec.md, "Instructions".
 */
#ifndef VEU_EU_MATH_H
#define VEU_EU_MATH_H

#include "hw/veu/eu/instruction/float.h"

/* 2 to the power of @x. */
VeuFloat veu_math_exp(VeuFloat x);
/* The logarithm of @x to the base 2. */
VeuFloat veu_math_log(VeuFloat x);
/* The magnitude of @x raised to the power @y. */
VeuFloat veu_math_pow(VeuFloat x, VeuFloat y);
/* Angles are in radians, and may be any number of type F. */
VeuFloat veu_math_sin(VeuFloat x);
VeuFloat veu_math_cos(VeuFloat x);
/* The reciprocal of the square root of @x. */
VeuFloat veu_math_rsqrt(VeuFloat x);

#endif
