/*
 * SPDX-License-Identifier: MIT
 *
 * The computations of the kernels, in C for the guest's processor. This file is
 * compiled with floating point but, like the kernels, without fused operations.
 */
#include "kernels.h"

static float float_of(uint32_t bits)
{
    float value;

    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
}

uint32_t reference_mandelbrot(const struct view *view, uint32_t x, uint32_t y)
{
    float cr = float_of(view->left) + (float)x * float_of(view->step);
    float ci = float_of(view->top) + (float)y * float_of(view->step);
    float zr = 0, zi = 0;
    uint32_t n = 0;

    while (n < view->limit && zr * zr + zi * zi <= 4.0f) {
        float rr = zr * zr, ii = zi * zi;

        zi = 2.0f * zr * zi + ci;
        zr = rr - ii + cr;
        n++;
    }
    return n;
}

/*
 * Starts with the highest bit of the exponent; the kernel starts with the
 * lowest.
 */
uint64_t reference_modpow(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t power = 1;

    for (unsigned bit = 64; bit-- > 0;) {
        power = power * power % modulus;
        if (exponent >> bit & 1) {
            power = power * (base % modulus) % modulus;
        }
    }
    return power;
}

/* Sorts by selection; the kernel sorts by insertion. */
void reference_sort(int32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            if (numbers[j] < numbers[i]) {
                int32_t number = numbers[i];

                numbers[i] = numbers[j];
                numbers[j] = number;
            }
        }
    }
}
