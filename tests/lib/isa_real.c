/*
 * veu tests: floating-point numbers of the second implementation: formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <math.h>
#include "tests/lib/isa_real.h"

typedef struct Format {
    unsigned fraction; /* bits */
    unsigned exponent; /* bits */
    unsigned keep;     /* bit of %cr0 */
} Format;

static Format format_of(uint8_t type)
{
    switch (type) {
    case VEU_TYPE_HF:
        return (Format){ 10, 5, 10 };
    case VEU_TYPE_BF:
        return (Format){ 7, 8, 7 };
    case VEU_TYPE_F:
        return (Format){ 23, 8, 7 };
    case ISA_TYPE_BF8:
        return (Format){ 2, 5, 10 };
    case ISA_TYPE_TF32:
        return (Format){ 10, 8, 7 };
    default:
        g_assert_cmpuint(type, ==, VEU_TYPE_DF);
        return (Format){ 52, 11, 6 };
    }
}

static uint64_t low(unsigned bits)
{
    return (UINT64_C(1) << bits) - 1;
}

/* The exponent of the smallest subnormal number. */
static int least(Format f)
{
    return 2 - (1 << (f.exponent - 1)) - (int)f.fraction;
}

static uint64_t infinity(Format f)
{
    return low(f.exponent) << f.fraction;
}

mpfr_rnd_t isa_rounding(uint32_t cr0)
{
    static const mpfr_rnd_t modes[] = { MPFR_RNDN, MPFR_RNDU, MPFR_RNDD,
                                        MPFR_RNDZ };

    return modes[cr0 >> 4 & 3];
}

bool isa_keeps_subnormal(uint32_t cr0, uint8_t type)
{
    return cr0 >> format_of(type).keep & 1;
}

uint64_t isa_sign_bit(uint8_t type)
{
    Format f = format_of(type);

    return UINT64_C(1) << (f.exponent + f.fraction);
}

uint64_t isa_flush(uint8_t type, uint64_t bits, uint32_t cr0)
{
    bool subnormal = !(bits & infinity(format_of(type)));

    return subnormal && !isa_keeps_subnormal(cr0, type) ?
               bits & isa_sign_bit(type) :
               bits;
}

void isa_real_get(mpfr_t x, uint8_t type, uint64_t bits)
{
    Format f = format_of(type);
    uint64_t fraction = bits & low(f.fraction);
    unsigned exponent = bits >> f.fraction & low(f.exponent);
    int sign = bits & isa_sign_bit(type) ? -1 : 1;

    if (exponent == low(f.exponent)) {
        if (fraction) {
            mpfr_set_nan(x);
        } else {
            mpfr_set_inf(x, sign);
        }
        return;
    }
    if (exponent) {
        fraction += low(f.fraction) + 1;
        exponent--;
    }
    mpfr_set_ui_2exp(x, fraction, least(f) + (int)exponent, MPFR_RNDN);
    mpfr_setsign(x, x, sign < 0, MPFR_RNDN);
}

/*
 * Returns the largest finite number or infinity, depending on the rounding
 * mode.
 */
static uint64_t too_large(Format f, bool negative, mpfr_rnd_t mode)
{
    bool up = mode == MPFR_RNDN || (mode == MPFR_RNDU && !negative) ||
              (mode == MPFR_RNDD && negative);

    return infinity(f) - !up;
}

/* Returns @x in units of its last place, and the exponent of that. */
static int in_units(Format f, mpfr_srcptr x, mpfr_t units)
{
    int unit = MAX(mpfr_get_exp(x) - (int)f.fraction - 1, least(f));

    mpfr_set_prec(units, mpfr_get_prec(x));
    mpfr_mul_2si(units, x, -unit, MPFR_RNDN);
    return unit;
}

static uint64_t put_finite(Format f, mpfr_srcptr x, mpfr_rnd_t mode, bool keep)
{
    bool negative = mpfr_signbit(x);
    mpfr_t units;
    int unit;
    uint64_t n;

    /* far out of range: this keeps the exponents below within an int */
    if (mpfr_get_exp(x) > 2000) {
        return too_large(f, negative, mode);
    }
    mpfr_init2(units, 64);
    if (mpfr_get_exp(x) < -4000) {
        unit = least(f);
        mpfr_set_d(units, negative ? -0.001 : 0.001, MPFR_RNDN);
    } else {
        unit = in_units(f, x, units);
    }
    mpfr_rint(units, units, mode);
    mpfr_abs(units, units, MPFR_RNDN);
    n = mpfr_get_ui(units, MPFR_RNDN);
    mpfr_clear(units);
    if (n >> f.fraction == 0) {
        return keep ? n : 0;
    }
    /* a carry out of the fraction increments the exponent */
    n = ((uint64_t)(unit - least(f)) << f.fraction) + n;
    return n >= infinity(f) ? too_large(f, negative, mode) : n;
}

uint64_t isa_real_put(uint8_t type, mpfr_srcptr x, mpfr_rnd_t mode, bool keep)
{
    Format f = format_of(type);
    uint64_t sign = mpfr_signbit(x) ? isa_sign_bit(type) : 0;

    if (mpfr_nan_p(x)) {
        return infinity(f) | UINT64_C(1) << (f.fraction - 1);
    }
    if (mpfr_inf_p(x)) {
        return sign | infinity(f);
    }
    return sign | (mpfr_zero_p(x) ? 0 : put_finite(f, x, mode, keep));
}

bool isa_real_is_near_tie(uint8_t type, mpfr_srcptr x)
{
    mpfr_t units;
    double part;

    if (!mpfr_regular_p(x) || labs(mpfr_get_exp(x)) > 2000) {
        return false;
    }
    mpfr_init2(units, 64);
    in_units(format_of(type), x, units);
    mpfr_frac(units, units, MPFR_RNDN);
    part = fabs(mpfr_get_d(units, MPFR_RNDN));
    mpfr_clear(units);
    return fabs(part - 0.5) < ISA_EXCESS;
}

uint64_t isa_real_saturate(uint8_t type, uint64_t bits)
{
    Format f = format_of(type);
    uint64_t one = (low(f.exponent) >> 1) << f.fraction;

    if ((bits & isa_sign_bit(type)) || bits > infinity(f)) {
        return 0;
    }
    return MIN(bits, one);
}

void isa_sticky(mpfr_t x, int inexact)
{
    bool negative = mpfr_signbit(x);

    if (!inexact || mpfr_nan_p(x) || mpfr_inf_p(x)) {
        return;
    }
    mpfr_prec_round(x, mpfr_get_prec(x) + 2, MPFR_RNDZ);
    if (negative) {
        mpfr_nextbelow(x);
    } else {
        mpfr_nextabove(x);
    }
}

static IsaWide smallest(uint8_t type)
{
    unsigned bits = 8 * isa_type_bytes(type);
    bool is_signed = type == VEU_TYPE_B || type == VEU_TYPE_W ||
                     type == VEU_TYPE_D || type == VEU_TYPE_Q;

    return is_signed ? -((IsaWide)1 << (bits - 1)) : 0;
}

IsaWide isa_real_to_integer(uint8_t type, mpfr_srcptr x, uint32_t cr0)
{
    unsigned bits = 8 * isa_type_bytes(type);
    IsaWide min = smallest(type);
    IsaWide max = min + (((IsaWide)1 << bits) - 1);
    mpfr_t whole;
    IsaWide n;

    if (mpfr_nan_p(x)) {
        return 0;
    }
    if (!mpfr_zero_p(x) && (mpfr_inf_p(x) || mpfr_get_exp(x) > 65)) {
        return mpfr_signbit(x) ? min : max;
    }
    mpfr_init2(whole, 128);
    mpfr_rint(whole, x, cr0 & 1 << 12 ? isa_rounding(cr0) : MPFR_RNDZ);
    /* up to 66 bits, in two parts */
    n = (IsaWide)mpfr_get_d(whole, MPFR_RNDZ);
    mpfr_sub_d(whole, whole, mpfr_get_d(whole, MPFR_RNDZ), MPFR_RNDN);
    n += (IsaWide)mpfr_get_d(whole, MPFR_RNDZ);
    mpfr_clear(whole);
    return n < min ? min : MIN(n, max);
}

void isa_integer_to_real(IsaWide number, mpfr_t x)
{
    unsigned __int128 magnitude = number < 0 ? -number : number;

    mpfr_set_prec(x, 192);
    mpfr_set_ui_2exp(x, (uint64_t)(magnitude >> 64), 64, MPFR_RNDN);
    mpfr_add_ui(x, x, (uint64_t)magnitude, MPFR_RNDN);
    mpfr_setsign(x, x, number < 0, MPFR_RNDN);
}
