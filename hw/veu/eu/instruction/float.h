/*
 * veu execution unit: floating-point numbers of instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All arithmetic of programs is done with integers. So every host gives the
 * same bits, whatever its compiler fuses or reorders, and however its CPU is
 * set to round or to trap. An operation takes unpacked numbers and produces a
 * number of 64 bits, with one more bit for all that is below them. That number
 * is rounded once, to the type of the destination: its result has the bits of
 * the exact number, since no type has more than 53.
 *
 * Every NaN that an operation produces is the positive quiet NaN.
 */
#ifndef VEU_EU_FLOAT_H
#define VEU_EU_FLOAT_H

#include <stdbool.h>
#include <stdint.h>
#include "veu/program.h"

/* Rounding modes, as bits 5:4 of %cr0 encode them. */
typedef enum VeuRounding {
    VEU_ROUND_NEAREST = 0, /* ties to even */
    VEU_ROUND_UP = 1,
    VEU_ROUND_DOWN = 2,
    VEU_ROUND_ZERO = 3,
} VeuRounding;

typedef enum VeuFloatClass {
    VEU_FLOAT_FINITE, /* zero included */
    VEU_FLOAT_INFINITE,
    VEU_FLOAT_NAN,
} VeuFloatClass;

/*
 * The number is +-(sig + below) * 2^exponent, where 0 <= below < 1. Calls pass
 * and return a structure of 16 bytes in registers. A larger one would be copied
 * through memory with loads that wait for the stores of its fields.
 */
typedef struct VeuFloat {
    uint64_t sig;
    int32_t exponent;
    uint8_t class; /* VeuFloatClass */
    bool negative;
    /* below is not 0; sig then has more bits than the type it is rounded to */
    bool sticky;
} VeuFloat;

/* How floats are read and written: by %cr0, or by the rule of a function. */
typedef struct VeuFloatMode {
    VeuRounding rounding;
    bool keep_hf; /* subnormal numbers are kept, not flushed to zero */
    bool keep_f;  /* also those of BF */
    bool keep_df;
} VeuFloatMode;

/* The mode that bits 4 to 10 of %cr0 select. */
VeuFloatMode veu_float_mode(uint32_t cr0);

/* Returns true if @type is HF, F, DF or BF. */
bool veu_type_is_float(uint8_t type);

/* Unpacks a number of @type. A subnormal number is zero if @mode says so. */
VeuFloat veu_float_unpack(uint8_t type, uint64_t bits, VeuFloatMode mode);

/* Rounds to @type. A subnormal result is zero if @mode says so. */
uint64_t veu_float_pack(uint8_t type, VeuFloat a, VeuFloatMode mode);

/* Numbers. */
VeuFloat veu_float_nan(void);
VeuFloat veu_float_infinity(bool negative);
VeuFloat veu_float_zero(bool negative);
VeuFloat veu_float_of_integer(__int128 value);

/*
 * The result is exact, or has sticky set: packing rounds it correctly. The
 * product in veu_float_mad() is exact.
 */
VeuFloat veu_float_add(VeuFloat a, VeuFloat b, VeuRounding rounding);
VeuFloat veu_float_mul(VeuFloat a, VeuFloat b);
VeuFloat veu_float_mad(VeuFloat a, VeuFloat b, VeuFloat c,
                       VeuRounding rounding);
VeuFloat veu_float_div(VeuFloat a, VeuFloat b);
VeuFloat veu_float_sqrt(VeuFloat a);
VeuFloat veu_float_neg(VeuFloat a);
VeuFloat veu_float_abs(VeuFloat a);

static inline bool veu_float_is_zero(const VeuFloat *a)
{
    return a->class == VEU_FLOAT_FINITE && a->sig == 0 && !a->sticky;
}

/* Returns -1, 0 or 1. The numbers must not be NaNs or have sticky set. */
int veu_float_compare(VeuFloat a, VeuFloat b);

/* Rounds to an integral number; a zero keeps its sign. */
VeuFloat veu_float_integral(VeuFloat a, VeuRounding rounding);

/*
 * Rounds to an integer, clamped to @least and @most; a NaN becomes 0. The
 * number must not have sticky set.
 */
__int128 veu_float_to_integer(VeuFloat a, VeuRounding rounding, __int128 least,
                              __int128 most);

#endif
