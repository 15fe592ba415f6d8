/*
 * veu tests: narrow floats of the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, 17.6: fcvt and srnd as operations on numbers, not on bits.
 */
#include "tests/lib/isa_narrow.h"
#include "tests/lib/isa_real.h"

/* Holds an F and the amount that srnd adds to it. */
#define NARROW_BITS 64

typedef struct Conversion {
    uint8_t from;
    uint8_t to;
    unsigned zeros; /* low bits of the destination's type that remain 0 */
    bool keep;      /* keeps subnormal numbers */
} Conversion;

static uint64_t convert(uint64_t bits, Conversion c)
{
    uint64_t result;
    mpfr_t x;

    mpfr_init2(x, NARROW_BITS);
    isa_real_get(x, c.from, bits);
    if (!c.keep && !(bits >> 23 & 0xff)) {
        mpfr_set_zero(x, mpfr_signbit(x) ? -1 : 1);
    }
    result = isa_real_put(c.to, x, MPFR_RNDN, true);
    mpfr_clear(x);
    return result << c.zeros;
}

uint64_t isa_fcvt(const IsaElement *e)
{
    uint64_t bits = e->src[0].raw;

    switch (e->src[0].type) {
    case VEU_TYPE_HF:
        return convert(bits,
                       (Conversion){ VEU_TYPE_HF, ISA_TYPE_BF8, 0, true });
    case VEU_TYPE_UB:
        return convert(bits,
                       (Conversion){ ISA_TYPE_BF8, VEU_TYPE_HF, 0, true });
    case VEU_TYPE_F:
        return convert(bits,
                       (Conversion){ VEU_TYPE_F, ISA_TYPE_TF32, 13, false });
    default:
        return bits;
    }
}

/* Returns the exponent of the last place of a finite number. */
static int last_place(uint8_t type, uint64_t bits)
{
    int exponent = type == VEU_TYPE_F ? bits >> 23 & 0xff : bits >> 10 & 0x1f;
    int bias = type == VEU_TYPE_F ? 150 : 25;

    return (exponent ? exponent : 1) - bias;
}

/* Moves away from zero by a number of units in the last place. */
static void add_units(mpfr_t x, unsigned units, int place)
{
    bool negative = mpfr_signbit(x);
    mpfr_t more;

    mpfr_init2(more, NARROW_BITS);
    mpfr_set_ui_2exp(more, units, place, MPFR_RNDN);
    mpfr_abs(x, x, MPFR_RNDN);
    mpfr_add(x, x, more, MPFR_RNDN);
    mpfr_setsign(x, x, negative, MPFR_RNDN);
    mpfr_clear(more);
}

/* Truncates; both narrow types have numbers up to 2^16. */
static uint64_t truncate(uint8_t to, mpfr_t x)
{
    if (mpfr_regular_p(x) && mpfr_get_exp(x) > 16) {
        mpfr_set_inf(x, mpfr_signbit(x) ? -1 : 1);
    }
    return isa_real_put(to, x, MPFR_RNDZ, true);
}

uint64_t isa_srnd(const IsaElement *e)
{
    uint8_t from = e->src[0].type;
    uint8_t to = from == VEU_TYPE_F ? VEU_TYPE_HF : ISA_TYPE_BF8;
    uint64_t bits = e->src[0].raw;
    unsigned random = e->src[1].number & (from == VEU_TYPE_F ? 0x1fff : 0xff);
    uint64_t result;
    mpfr_t x;

    mpfr_init2(x, NARROW_BITS);
    isa_real_get(x, from, bits);
    if (mpfr_number_p(x)) {
        add_units(x, random, last_place(from, bits));
    }
    result = truncate(to, x);
    mpfr_clear(x);
    return result;
}
