/*
 * veu execution unit: atomic operations on half floats, floats and doubles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * If an operand is a NaN, or if both are zeros, hosts and compilers differ. So
 * these operations choose the result themselves (docs/spec.md, "Atomics").
 */
#include <math.h>
#include <string.h>
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/surface/format.h"

/* Doubles are evaluated as doubles, not in a wider format. */
_Static_assert(__FLT_EVAL_METHOD__ == 0, "no extra bits, please");

static const VeuChannel half = { .bits = 16, .type = VEU_CHANNEL_FLOAT };

/* The value as a double, which is exact for all sizes. */
static double value_of(uint64_t bits, unsigned bytes)
{
    uint32_t low = bits;
    double value;
    float narrow;

    if (bytes == 8) {
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    if (bytes == 2) {
        low &= 0xffff;
        veu_channel_unpack(&half, &low, &low, 1);
    }
    memcpy(&narrow, &low, sizeof(narrow));
    return narrow;
}

/* Rounds to nearest even. */
static uint64_t bits_of(double value, unsigned bytes)
{
    uint64_t bits;
    uint32_t low;
    float narrow;

    if (bytes == 8) {
        memcpy(&bits, &value, sizeof(bits));
        return bits;
    }
    narrow = value;
    memcpy(&low, &narrow, sizeof(low));
    if (bytes == 2) {
        veu_channel_pack(&half, &low, &low, 1);
    }
    return low;
}

uint64_t veu_atomic_fmax(uint64_t old, uint64_t src0, uint64_t src1,
                         unsigned bytes)
{
    double a = value_of(old, bytes);
    double b = value_of(src0, bytes);

    return b > a || (isnan(a) && !isnan(b)) ? src0 : old;
}

uint64_t veu_atomic_fmin(uint64_t old, uint64_t src0, uint64_t src1,
                         unsigned bytes)
{
    double a = value_of(old, bytes);
    double b = value_of(src0, bytes);

    return b < a || (isnan(a) && !isnan(b)) ? src0 : old;
}

uint64_t veu_atomic_fcmpwr(uint64_t old, uint64_t src0, uint64_t src1,
                           unsigned bytes)
{
    return value_of(old, bytes) == value_of(src0, bytes) ? src1 : old;
}

/*
 * Returns the first NaN, made quiet. If there is none, the result of infinity -
 * infinity: a positive NaN.
 */
static uint64_t quiet_nan(uint64_t old, uint64_t src0, unsigned bytes)
{
    unsigned quiet_bit = bytes == 2 ? 9 : bytes == 4 ? 22 : 51;
    uint64_t nan = isnan(value_of(old, bytes))  ? old :
                   isnan(value_of(src0, bytes)) ? src0 :
                                                  bits_of(INFINITY, bytes);

    return nan | UINT64_C(1) << quiet_bit;
}

/*
 * Rounding a sum of two floats or halves to double first, and then again,
 * equals rounding it once: 53 bits are 2 more than twice 24.
 */
static uint64_t rounded(double sum, uint64_t old, uint64_t src0, unsigned bytes)
{
    return isnan(sum) ? quiet_nan(old, src0, bytes) : bits_of(sum, bytes);
}

uint64_t veu_atomic_fadd(uint64_t old, uint64_t src0, uint64_t src1,
                         unsigned bytes)
{
    return rounded(value_of(old, bytes) + value_of(src0, bytes), old, src0,
                   bytes);
}

uint64_t veu_atomic_fsub(uint64_t old, uint64_t src0, uint64_t src1,
                         unsigned bytes)
{
    return rounded(value_of(old, bytes) - value_of(src0, bytes), old, src0,
                   bytes);
}
