/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: floating-point numbers as text, using only integers, so
 * that a guest needs neither a C library nor floating-point registers.
 */
#ifndef VEU_GUEST_KERNEL_REAL_H
#define VEU_GUEST_KERNEL_REAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest precision: digits after the point. */
#define VEU_REAL_MAX_PRECISION 1000
/** Room for the text of any number. */
#define VEU_REAL_TEXT_BYTES    (VEU_REAL_MAX_PRECISION + 340)

/**
 * Writes the absolute value of the double with the bits @bits as C's printf()
 * does for @letter (one of fFeEgGaA), and ends it with 0. @precision: -1 for
 * none, at most VEU_REAL_MAX_PRECISION. @alternative: the flag #.
 * Returns the number of characters.
 */
unsigned veu_real_text(char *to, uint64_t bits, char letter, int precision,
                       bool alternative);

/** The bits of the double that has the value of the float with bits @single. */
uint64_t veu_real_of_float(uint32_t single);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_KERNEL_REAL_H */
