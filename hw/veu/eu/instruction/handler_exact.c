/*
 * veu execution unit: mathematical functions of single lanes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/handler_exact.h"
#include "hw/veu/eu/instruction/math.h"

static const VeuFloatMode keep = { .rounding = VEU_ROUND_NEAREST,
                                   .keep_f = true };

static VeuFloat unpack(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return veu_float_unpack(VEU_TYPE_F, bits, keep);
}

static float pack(VeuFloat value)
{
    uint32_t bits = veu_float_pack(VEU_TYPE_F, value, keep);
    float packed;

    memcpy(&packed, &bits, sizeof(packed));
    return packed;
}

float veu_exact_exp(float a, float b)
{
    return pack(veu_math_exp(unpack(a)));
}

float veu_exact_log(float a, float b)
{
    return pack(veu_math_log(unpack(a)));
}

float veu_exact_pow(float a, float b)
{
    return pack(veu_math_pow(unpack(a), unpack(b)));
}

float veu_exact_sin(float a, float b)
{
    return pack(veu_math_sin(unpack(a)));
}

float veu_exact_cos(float a, float b)
{
    return pack(veu_math_cos(unpack(a)));
}

/* No float's root is close enough to the middle of two floats to matter. */
float veu_exact_rsqrt(float a, float b)
{
    double root = 1.0 / __builtin_sqrt((double)a);

    return root != root ? __builtin_nanf("") : (float)root;
}
