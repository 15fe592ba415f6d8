/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Typed conversions with integers only: what a typed write should store.
 *
 * Written from the vendor's table and semantics.md, section 5, for comparison
 * with the device, which does it its own way. Floats are their bits.
 */
#ifndef CONVERT_H
#define CONVERT_H

#include <stdint.h>

/** Clamped to 0..1 (-1..1), times 2^n-1 (2^(n-1)-1) in float32, to even. */
uint32_t convert_unorm(uint32_t value, unsigned bits);
uint32_t convert_snorm(uint32_t value, unsigned bits);

/** IEEE: nearest even, denormals, infinity; NaN keeps sign and top payload. */
uint32_t convert_half(uint32_t value);

/** Clamped. */
uint32_t convert_uint(uint32_t value, unsigned bits);
uint32_t convert_sint(uint32_t value, unsigned bits);

/** The float32 of @numerator / 2^@shift, exact; @numerator below 2^24. */
uint32_t convert_float(uint32_t numerator, unsigned shift);

#endif /* CONVERT_H */
