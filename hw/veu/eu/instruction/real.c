/*
 * veu execution unit: arithmetic on floating-point numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/math.h"
#include "hw/veu/eu/instruction/real.h"

#define OPERATION(name)                                              \
    static VeuFloat name(const VeuInstruction *i, const VeuFloat *s, \
                         VeuFloatMode mode)

OPERATION(real_add)
{
    return veu_float_add(s[0], s[1], mode.rounding);
}

OPERATION(real_multiply)
{
    return veu_float_mul(s[0], s[1]);
}

OPERATION(real_multiply_add)
{
    return veu_float_mad(s[0], s[1], s[2], mode.rounding);
}

OPERATION(real_divide)
{
    return veu_float_div(s[0], s[1]);
}

OPERATION(real_invert)
{
    return veu_float_div(veu_float_of_integer(1), s[0]);
}

OPERATION(real_square_root)
{
    return veu_float_sqrt(s[0]);
}

OPERATION(real_inverse_root)
{
    return veu_math_rsqrt(s[0]);
}

OPERATION(real_exponential)
{
    return veu_math_exp(s[0]);
}

OPERATION(real_logarithm)
{
    return veu_math_log(s[0]);
}

OPERATION(real_power)
{
    return veu_math_pow(s[0], s[1]);
}

OPERATION(real_sine)
{
    return veu_math_sin(s[0]);
}

OPERATION(real_cosine)
{
    return veu_math_cos(s[0]);
}

OPERATION(real_round_down)
{
    return veu_float_integral(s[0], VEU_ROUND_DOWN);
}

OPERATION(real_round_up)
{
    return veu_float_integral(s[0], VEU_ROUND_UP);
}

OPERATION(real_round_even)
{
    return veu_float_integral(s[0], VEU_ROUND_NEAREST);
}

OPERATION(real_round_zero)
{
    return veu_float_integral(s[0], VEU_ROUND_ZERO);
}

/*
 * Keeps the fraction below 1, even if that of a small negative number rounds
 * up.
 */
OPERATION(real_fraction)
{
    static const VeuFloat below_one = { .sig = 0xffffff, .exponent = -24 };
    VeuFloat floor = veu_float_integral(s[0], VEU_ROUND_DOWN);
    VeuFloat part = veu_float_add(s[0], veu_float_neg(floor), mode.rounding);

    return part.class == VEU_FLOAT_FINITE && !veu_float_is_zero(&part) &&
                   veu_float_compare(part, below_one) > 0 ?
               below_one :
               part;
}

/* A step of a formula whose steps are rounded. */
static VeuFloat rounded(VeuFloat value, VeuFloatMode mode)
{
    return veu_float_unpack(VEU_TYPE_F, veu_float_pack(VEU_TYPE_F, value, mode),
                            mode);
}

OPERATION(real_interpolate)
{
    VeuFloat one = veu_float_of_integer(1);
    VeuFloat rest = veu_float_add(one, veu_float_neg(s[0]), mode.rounding);
    VeuFloat a = rounded(veu_float_mul(s[1], s[0]), mode);
    VeuFloat b = rounded(veu_float_mul(s[2], rounded(rest, mode)), mode);

    return veu_float_add(a, b, mode.rounding);
}

/* Picks a source that is a number; of two equal numbers, src1. */
OPERATION(real_minmax)
{
    bool maximum = i->code == 1;
    int order;

    if (s[0].class == VEU_FLOAT_NAN || s[1].class == VEU_FLOAT_NAN) {
        return s[0].class == VEU_FLOAT_NAN ? s[1] : s[0];
    }
    order = veu_float_compare(s[0], s[1]);
    return maximum ? (order >= 0 ? s[0] : s[1]) : (order < 0 ? s[0] : s[1]);
}

static const VeuRealOperation operations[VEU_OPERATION_COUNT] = {
    [VEU_OPERATION_ADD] = { real_add },
    [VEU_OPERATION_MUL] = { real_multiply },
    [VEU_OPERATION_MAD] = { real_multiply_add },
    [VEU_OPERATION_DIV] = { real_divide },
    [VEU_OPERATION_INV] = { real_invert, true },
    [VEU_OPERATION_INVM] = { real_divide, true },
    [VEU_OPERATION_RSQTM] = { real_inverse_root, true },
    [VEU_OPERATION_SQRT] = { real_square_root },
    [VEU_OPERATION_RSQRT] = { real_inverse_root, true },
    [VEU_OPERATION_EXP] = { real_exponential, true },
    [VEU_OPERATION_LOG] = { real_logarithm, true },
    [VEU_OPERATION_POW] = { real_power, true },
    [VEU_OPERATION_SIN] = { real_sine, true },
    [VEU_OPERATION_COS] = { real_cosine, true },
    [VEU_OPERATION_RNDD] = { real_round_down, true },
    [VEU_OPERATION_RNDU] = { real_round_up, true },
    [VEU_OPERATION_RNDE] = { real_round_even, true },
    [VEU_OPERATION_RNDZ] = { real_round_zero, true },
    [VEU_OPERATION_FRC] = { real_fraction },
    [VEU_OPERATION_LRP] = { real_interpolate },
    [VEU_OPERATION_MINMAX] = { real_minmax },
};

const VeuRealOperation *veu_real_operation(VeuOperation operation)
{
    return &operations[operation];
}
