/*
 * SPDX-License-Identifier: MIT
 *
 * The work of veu-kernels: the kernels' inputs, and the same computations in C.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>

/* Numbers of type float are passed as bits, because this part has no floats. */
struct view {
    uint32_t left; /* of the picture's first point */
    uint32_t top;
    uint32_t step; /* distance between points */
    uint32_t limit;
};

/*
 * Returns the number of iterations until point (@x, @y) of the picture of the
 * Mandelbrot set escapes.
 */
uint32_t reference_mandelbrot(const struct view *view, uint32_t x, uint32_t y);

/* @base to the power of @exponent, modulo @modulus, which is below 2^32. */
uint64_t reference_modpow(uint64_t base, uint64_t exponent, uint64_t modulus);

/* Sorts @count numbers. */
void reference_sort(int32_t *numbers, uint32_t count);

#endif
