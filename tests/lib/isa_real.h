/*
 * veu tests: floating-point numbers of the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A result is exact, or truncated such that no rounding can distinguish it from
 * the exact one (isa_sticky()). It is rounded once, by isa_real_put().
 */
#ifndef VEU_TEST_ISA_REAL_H
#define VEU_TEST_ISA_REAL_H

#include "tests/lib/isa.h"

/* Holds every sum of a product and a number exactly, for all types. */
#define ISA_EXACT_BITS 4600
/* Precision of quotients, roots and functions before rounding. */
#define ISA_LONG_BITS  300
/* The error of a function may exceed half a unit in the last place by this. */
#define ISA_EXCESS     0.02

/* The rounding mode that bits 5:4 of %cr0 select. */
mpfr_rnd_t isa_rounding(uint32_t cr0);
/* Returns true if %cr0 keeps the subnormal numbers of a type. */
bool isa_keeps_subnormal(uint32_t cr0, uint8_t type);
/* Returns a number of @type, or a zero of its sign if it is flushed. */
uint64_t isa_flush(uint8_t type, uint64_t bits, uint32_t cr0);
uint64_t isa_sign_bit(uint8_t type);

/*
 * Narrow floats, which are no types of vISA; TF32 is without its low 13 bits.
 */
#define ISA_TYPE_BF8  16
#define ISA_TYPE_TF32 17

void isa_real_get(mpfr_t x, uint8_t type, uint64_t bits);
uint64_t isa_real_put(uint8_t type, mpfr_srcptr x, mpfr_rnd_t mode, bool keep);
/*
 * Returns true if a function that rounds to nearest may choose the other
 * neighbour.
 */
bool isa_real_is_near_tie(uint8_t type, mpfr_srcptr x);
uint64_t isa_real_saturate(uint8_t type, uint64_t bits);

/* Follows an operation that truncated; @inexact is what MPFR returned. */
void isa_sticky(mpfr_t x, int inexact);

/* A source of a float operation. */
void isa_source(const IsaElement *e, unsigned n, mpfr_t x);

/* The rows' operations. */
void isa_real_add(const IsaElement *e, mpfr_t r);
void isa_real_mul(const IsaElement *e, mpfr_t r);
void isa_real_mad(const IsaElement *e, mpfr_t r);
void isa_real_div(const IsaElement *e, mpfr_t r);
void isa_real_sqrt(const IsaElement *e, mpfr_t r);
void isa_real_inv(const IsaElement *e, mpfr_t r);
void isa_real_rsqrt(const IsaElement *e, mpfr_t r);
void isa_real_exp(const IsaElement *e, mpfr_t r);
void isa_real_log(const IsaElement *e, mpfr_t r);
void isa_real_sin(const IsaElement *e, mpfr_t r);
void isa_real_cos(const IsaElement *e, mpfr_t r);
void isa_real_pow(const IsaElement *e, mpfr_t r);
void isa_real_rndd(const IsaElement *e, mpfr_t r);
void isa_real_rndu(const IsaElement *e, mpfr_t r);
void isa_real_rnde(const IsaElement *e, mpfr_t r);
void isa_real_rndz(const IsaElement *e, mpfr_t r);
void isa_real_frc(const IsaElement *e, mpfr_t r);
void isa_real_lrp(const IsaElement *e, mpfr_t r);
void isa_real_plane(const IsaElement *e, mpfr_t r);
void isa_real_minmax(const IsaElement *e, mpfr_t r);
void isa_real_copy(const IsaElement *e, mpfr_t r);

/* Converts a float to an integer of @type: rounded and clamped. */
IsaWide isa_real_to_integer(uint8_t type, mpfr_srcptr x, uint32_t cr0);
void isa_integer_to_real(IsaWide number, mpfr_t x);

#endif
