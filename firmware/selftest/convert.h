/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Typed conversions with integers only: the expected values of typed writes.
 *
 * They are written from the vendor's table and semantics.md, section 5, for
 * comparison with the device, which computes them differently. Floats are
 * represented by their bits.
 */
#ifndef CONVERT_H
#define CONVERT_H

#include <stdint.h>

/**
 * Clamps to 0..1 (-1..1), multiplies by 2^n-1 (2^(n-1)-1) in float32, rounds to
 * even.
 */
uint32_t convert_unorm(uint32_t value, unsigned bits);
uint32_t convert_snorm(uint32_t value, unsigned bits);

/**
 * Converts by IEEE rules: nearest even, denormals, infinity; a NaN keeps its
 * sign and top payload.
 */
uint32_t convert_half(uint32_t value);

/** Clamped. */
uint32_t convert_uint(uint32_t value, unsigned bits);
uint32_t convert_sint(uint32_t value, unsigned bits);

/**
 * Returns @numerator / 2^@shift as a float32, exactly; @numerator is below
 * 2^24.
 */
uint32_t convert_float(uint32_t numerator, unsigned shift);

#endif /* CONVERT_H */
