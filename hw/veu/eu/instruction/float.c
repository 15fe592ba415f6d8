/*
 * veu execution unit: floating-point arithmetic, done with integers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/float.h"

typedef unsigned __int128 Wide;

/*
 * A number before its significand is cut to 64 bits: an exact product, or a
 * sum.
 */
typedef struct Exact {
    Wide sig;
    int32_t exponent;
    bool negative;
    bool sticky;
} Exact;

/* The highest 1 of a normalized significand is this bit. */
#define TOP 124

/* A format: sign, exponent, fraction. */
typedef struct Format {
    uint8_t fraction_bits;
    uint8_t exponent_bits;
} Format;

static const Format formats[] = {
    [VEU_TYPE_DF] = { 52, 11 },
    [VEU_TYPE_F] = { 23, 8 },
    [VEU_TYPE_HF] = { 10, 5 },
    [VEU_TYPE_BF] = { 7, 8 },
};

bool veu_type_is_float(uint8_t type)
{
    return type < VEU_ARRAY_SIZE(formats) && formats[type].exponent_bits;
}

static unsigned bit_length(Wide value)
{
    uint64_t high = value >> 64;

    return high  ? 128 - __builtin_clzll(high) :
           value ? 64 - __builtin_clzll((uint64_t)value) :
                   0;
}

VeuFloatMode veu_float_mode(uint32_t cr0)
{
    return (VeuFloatMode){
        .rounding = cr0 >> 4 & 3,
        .keep_df = cr0 >> 6 & 1,
        .keep_f = cr0 >> 7 & 1,
        .keep_hf = cr0 >> 10 & 1,
    };
}

static bool keeps_subnormal(uint8_t type, VeuFloatMode mode)
{
    return type == VEU_TYPE_DF ? mode.keep_df :
           type == VEU_TYPE_HF ? mode.keep_hf :
                                 mode.keep_f;
}

VeuFloat veu_float_nan(void)
{
    return (VeuFloat){ .class = VEU_FLOAT_NAN };
}

VeuFloat veu_float_infinity(bool negative)
{
    return (VeuFloat){ .class = VEU_FLOAT_INFINITE, .negative = negative };
}

VeuFloat veu_float_zero(bool negative)
{
    return (VeuFloat){ .negative = negative };
}

/* Keeps the highest 64 bits, and whether those below are 0. */
static inline VeuFloat cut(const Exact *a)
{
    int32_t length = bit_length(a->sig);
    int32_t shift = length > 64 ? length - 64 : 0;
    uint64_t sig = a->sig >> shift;

    return (VeuFloat){
        .sig = sig,
        .exponent = a->exponent + shift,
        .negative = a->negative,
        .sticky = a->sticky || (Wide)sig << shift != a->sig,
    };
}

VeuFloat veu_float_of_integer(__int128 value)
{
    Exact a = {
        .negative = value < 0,
        .sig = value < 0 ? -(Wide)value : (Wide)value,
    };

    return cut(&a);
}

VeuFloat veu_float_neg(VeuFloat a)
{
    a.negative = !a.negative;
    return a;
}

VeuFloat veu_float_abs(VeuFloat a)
{
    a.negative = false;
    return a;
}

VeuFloat veu_float_unpack(uint8_t type, uint64_t bits, VeuFloatMode mode)
{
    const Format *f = &formats[type];
    uint64_t fraction = bits & ((UINT64_C(1) << f->fraction_bits) - 1);
    int32_t most = (1 << f->exponent_bits) - 1;
    int32_t biased = bits >> f->fraction_bits & most;
    bool negative = bits >> (f->fraction_bits + f->exponent_bits) & 1;
    int32_t bias = most >> 1;

    if (biased == most) {
        return fraction ? veu_float_nan() : veu_float_infinity(negative);
    }
    if (biased == 0 && !keeps_subnormal(type, mode)) {
        fraction = 0;
    }
    return (VeuFloat){
        .negative = negative,
        .exponent = (biased ? biased : 1) - bias - f->fraction_bits,
        .sig = fraction |
               (biased ? UINT64_C(1) << f->fraction_bits : UINT64_C(0)),
    };
}

/*
 * Returns true if rounding adds one to the magnitude. @half: -1 below a half, 0
 * at it, 1 above.
 */
static bool rounds_up(VeuRounding rounding, bool negative, bool odd, int half,
                      bool exact)
{
    switch (rounding) {
    case VEU_ROUND_UP:
        return !exact && !negative;
    case VEU_ROUND_DOWN:
        return !exact && negative;
    case VEU_ROUND_ZERO:
        return false;
    default:
        return half > 0 || (half == 0 && odd);
    }
}

/* Returns the number in units of 2^@quantum, rounded. */
static inline uint64_t round_to(const VeuFloat *a, int32_t quantum,
                                VeuRounding rounding)
{
    int32_t shift = quantum - a->exponent;
    uint64_t kept, rest, middle;
    int half;

    if (shift <= 0) {
        /*
         * The sticky bit implies more bits than any format has: see VeuFloat.
         */
        return a->sig << -shift;
    }
    if (shift > 64) {
        bool exact = a->sig == 0 && !a->sticky;

        return rounds_up(rounding, a->negative, false, -1, exact);
    }
    /* In two steps, since a shift by 64 is undefined. */
    kept = a->sig >> (shift - 1) >> 1;
    rest = a->sig - (kept << (shift - 1) << 1);
    middle = UINT64_C(1) << (shift - 1);
    half = rest > middle || (rest == middle && a->sticky) ? 1 :
           rest == middle                                 ? 0 :
                                                            -1;
    return kept + rounds_up(rounding, a->negative, kept & 1, half,
                            rest == 0 && !a->sticky);
}

/* On overflow, returns the largest number or infinity. */
static uint64_t overflow(uint64_t infinity, bool negative, VeuRounding rounding)
{
    bool to_infinity = rounding == VEU_ROUND_NEAREST ||
                       (rounding == VEU_ROUND_UP && !negative) ||
                       (rounding == VEU_ROUND_DOWN && negative);

    return to_infinity ? infinity : infinity - 1;
}

static uint64_t pack_finite(const Format *f, const VeuFloat *a, bool keep,
                            VeuRounding rounding)
{
    int32_t bias = (1 << (f->exponent_bits - 1)) - 1;
    int32_t exponent = a->exponent + (int32_t)bit_length(a->sig) - 1;
    int32_t lowest = 1 - bias;
    uint64_t hidden = UINT64_C(1) << f->fraction_bits;
    uint64_t infinity = (uint64_t)(2 * bias + 1) << f->fraction_bits;
    uint64_t bits;

    if (exponent > bias) {
        return overflow(infinity, a->negative, rounding);
    }
    if (exponent < lowest) {
        bits = round_to(a, lowest - f->fraction_bits, rounding);
        return bits < hidden && !keep ? 0 : bits;
    }
    /* A carry out of the fraction correctly increments the exponent. */
    bits = round_to(a, exponent - f->fraction_bits, rounding) - hidden;
    bits += (uint64_t)(exponent + bias) << f->fraction_bits;
    return bits >= infinity ? overflow(infinity, a->negative, rounding) : bits;
}

uint64_t veu_float_pack(uint8_t type, VeuFloat a, VeuFloatMode mode)
{
    const Format *f = &formats[type];
    unsigned sign_bit = f->fraction_bits + f->exponent_bits;
    uint64_t infinity = ((UINT64_C(1) << f->exponent_bits) - 1)
                        << f->fraction_bits;
    uint64_t bits;

    if (a.class == VEU_FLOAT_NAN) {
        return infinity | UINT64_C(1) << (f->fraction_bits - 1);
    }
    bits = a.class == VEU_FLOAT_INFINITE ?
               infinity :
           veu_float_is_zero(&a) ?
               0 :
               pack_finite(f, &a, keeps_subnormal(type, mode), mode.rounding);
    return bits | (uint64_t)a.negative << sign_bit;
}

/* The number is finite and not 0. */
static bool is_ordinary(const VeuFloat *a)
{
    return a->class == VEU_FLOAT_FINITE && a->sig != 0;
}

/* Shifts the significand until its highest 1 is bit TOP; @a is not zero. */
static void normalize(Exact *a)
{
    int shift = TOP + 1 - (int)bit_length(a->sig);

    if (shift >= 0) {
        a->sig <<= shift;
    } else {
        a->sticky |= (a->sig & (((Wide)1 << -shift) - 1)) != 0;
        a->sig >>= -shift;
    }
    a->exponent -= shift;
}

/* Changes @a to the larger exponent @exponent. */
static void align(Exact *a, int32_t exponent)
{
    int32_t shift = exponent - a->exponent;

    if (shift > 127) {
        a->sticky |= a->sig != 0;
        a->sig = 0;
    } else {
        a->sticky |= (a->sig & (((Wide)1 << shift) - 1)) != 0;
        a->sig >>= shift;
    }
    a->exponent = exponent;
}

static bool is_below(const Exact *a, const Exact *b)
{
    return a->exponent < b->exponent ||
           (a->exponent == b->exponent && a->sig < b->sig);
}

/*
 * Adds two normalized numbers, of which @b has the smaller magnitude; at most
 * one of them has sticky bits.
 */
static VeuFloat add_smaller(Exact *a, Exact *b, VeuRounding rounding)
{
    align(b, a->exponent);
    if (a->negative == b->negative) {
        a->sig += b->sig;
    } else {
        /* a - (b + below) is a - b - 1 plus (1 - below). */
        a->sig -= b->sig + b->sticky;
    }
    a->sticky |= b->sticky;
    return a->sig == 0 && !a->sticky ?
               veu_float_zero(rounding == VEU_ROUND_DOWN) :
               cut(a);
}

/* Adds two numbers that are not 0; at most one of them has sticky bits. */
static inline VeuFloat add_exact(Exact a, Exact b, VeuRounding rounding)
{
    normalize(&a);
    normalize(&b);
    return is_below(&a, &b) ? add_smaller(&b, &a, rounding) :
                              add_smaller(&a, &b, rounding);
}

static Exact exact_of(const VeuFloat *a)
{
    return (Exact){ a->sig, a->exponent, a->negative, a->sticky };
}

/* The product of two numbers that are exact. */
static Exact product_of(const VeuFloat *a, const VeuFloat *b)
{
    return (Exact){
        .negative = a->negative != b->negative,
        .exponent = a->exponent + b->exponent,
        .sig = (Wide)a->sig * b->sig,
    };
}

/* Adds two numbers of which one is 0, or not finite. */
static VeuFloat add_special(const VeuFloat *a, const VeuFloat *b,
                            VeuRounding rounding)
{
    if (a->class == VEU_FLOAT_NAN || b->class == VEU_FLOAT_NAN ||
        (a->class == VEU_FLOAT_INFINITE && b->class == VEU_FLOAT_INFINITE &&
         a->negative != b->negative)) {
        return veu_float_nan();
    }
    if (a->class == VEU_FLOAT_INFINITE || b->class == VEU_FLOAT_INFINITE) {
        return a->class == VEU_FLOAT_INFINITE ? *a : *b;
    }
    if (veu_float_is_zero(a) && veu_float_is_zero(b)) {
        return veu_float_zero(a->negative == b->negative ?
                                  a->negative :
                                  rounding == VEU_ROUND_DOWN);
    }
    return veu_float_is_zero(a) ? *b : *a;
}

VeuFloat veu_float_add(VeuFloat a, VeuFloat b, VeuRounding rounding)
{
    return is_ordinary(&a) && is_ordinary(&b) ?
               add_exact(exact_of(&a), exact_of(&b), rounding) :
               add_special(&a, &b, rounding);
}

VeuFloat veu_float_mul(VeuFloat a, VeuFloat b)
{
    bool negative = a.negative != b.negative;
    bool infinite = a.class == VEU_FLOAT_INFINITE ||
                    b.class == VEU_FLOAT_INFINITE;
    Exact product;

    if (a.class == VEU_FLOAT_NAN || b.class == VEU_FLOAT_NAN ||
        (infinite && (veu_float_is_zero(&a) || veu_float_is_zero(&b)))) {
        return veu_float_nan();
    }
    if (infinite) {
        return veu_float_infinity(negative);
    }
    product = product_of(&a, &b);
    return cut(&product);
}

VeuFloat veu_float_mad(VeuFloat a, VeuFloat b, VeuFloat c, VeuRounding rounding)
{
    return is_ordinary(&a) && is_ordinary(&b) && is_ordinary(&c) ?
               add_exact(product_of(&a, &b), exact_of(&c), rounding) :
               veu_float_add(veu_float_mul(a, b), c, rounding);
}

/* Shifts the significand until its highest 1 is bit 63; @a is not zero. */
static void to_top(VeuFloat *a)
{
    int shift = __builtin_clzll(a->sig);

    a->sig <<= shift;
    a->exponent -= shift;
}

VeuFloat veu_float_div(VeuFloat a, VeuFloat b)
{
    bool negative = a.negative != b.negative;
    bool zero_by_zero = veu_float_is_zero(&a) && veu_float_is_zero(&b);
    bool both_infinite = a.class == VEU_FLOAT_INFINITE &&
                         b.class == VEU_FLOAT_INFINITE;
    Wide dividend;

    if (a.class == VEU_FLOAT_NAN || b.class == VEU_FLOAT_NAN || zero_by_zero ||
        both_infinite) {
        return veu_float_nan();
    }
    if (a.class == VEU_FLOAT_INFINITE || veu_float_is_zero(&b)) {
        return veu_float_infinity(negative);
    }
    if (b.class == VEU_FLOAT_INFINITE || veu_float_is_zero(&a)) {
        return veu_float_zero(negative);
    }
    to_top(&a);
    to_top(&b);
    /* 127 bits by 64: the quotient has 63 or 64. */
    dividend = (Wide)a.sig << 63;
    return (VeuFloat){
        .negative = negative,
        .exponent = a.exponent - b.exponent - 63,
        .sticky = dividend % b.sig != 0 || a.sticky || b.sticky,
        .sig = dividend / b.sig,
    };
}

/* The integer root: a bit at a time. */
static uint64_t root(Wide value)
{
    Wide rest = value;
    Wide result = 0;

    for (Wide bit = (Wide)1 << 126; bit; bit >>= 2) {
        if (rest >= result + bit) {
            rest -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return result;
}

VeuFloat veu_float_sqrt(VeuFloat a)
{
    Wide square, result;

    if (a.class == VEU_FLOAT_NAN || veu_float_is_zero(&a)) {
        return a;
    }
    if (a.negative) {
        return veu_float_nan();
    }
    if (a.class == VEU_FLOAT_INFINITE) {
        return a;
    }
    to_top(&a);
    /* 127 or 128 bits, with an even exponent: the root has 64. */
    square = (Wide)a.sig << (a.exponent & 1 ? 63 : 64);
    a.exponent -= a.exponent & 1 ? 63 : 64;
    result = root(square);
    return (VeuFloat){
        .exponent = a.exponent / 2,
        .sticky = a.sticky || result * result != square,
        .sig = result,
    };
}

int veu_float_compare(VeuFloat a, VeuFloat b)
{
    bool zeros = veu_float_is_zero(&a) && veu_float_is_zero(&b);
    VeuFloat difference;

    if (zeros) {
        return 0;
    }
    if (a.class == VEU_FLOAT_INFINITE && b.class == VEU_FLOAT_INFINITE) {
        return b.negative - a.negative;
    }
    difference = veu_float_add(a, veu_float_neg(b), VEU_ROUND_NEAREST);
    return veu_float_is_zero(&difference) ? 0 : difference.negative ? -1 : 1;
}

VeuFloat veu_float_integral(VeuFloat a, VeuRounding rounding)
{
    if (a.class != VEU_FLOAT_FINITE || a.exponent >= 0) {
        return a;
    }
    a.sig = round_to(&a, 0, rounding);
    a.exponent = 0;
    a.sticky = false;
    return a;
}

__int128 veu_float_to_integer(VeuFloat a, VeuRounding rounding, __int128 least,
                              __int128 most)
{
    __int128 value;

    if (a.class == VEU_FLOAT_NAN) {
        return 0;
    }
    /* A number past 2^64 is outside every integer type. */
    if (a.class == VEU_FLOAT_INFINITE ||
        (a.sig && a.exponent + (int32_t)bit_length(a.sig) > 64)) {
        return a.negative ? least : most;
    }
    value = round_to(&a, 0, rounding);
    value = a.negative ? -value : value;
    return value < least ? least : value > most ? most : value;
}
