/*
 * veu execution unit: narrow floats, and rounding by a random number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * BF8 has a sign, 5 bits of exponent and 2 of fraction: it is the upper byte of
 * an HF. TF32 has 8 and 10 bits: it is an F whose low 13 bits are 0. Neither
 * has a type in vISA; %cr0 does not affect these conversions.
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/lanes.h"

#define HF_INFINITY 0x7c00
#define HF_NAN      0x7e00
#define BF8_NAN     0x7e
#define F_INFINITY  0x7f800000
#define F_NAN       0x7fc00000
#define F_NORMAL    0x00800000 /* the smallest normal number */

static uint8_t bf8_of_hf(uint16_t hf)
{
    uint16_t magnitude = hf & 0x7fff;
    uint8_t sign = hf >> 8 & 0x80;

    if (magnitude > HF_INFINITY) {
        return BF8_NAN;
    }
    /*
     * Rounds to nearest even; a carry out of the fraction increments the
     * exponent.
     */
    return sign | (magnitude + 0x7f + (magnitude >> 8 & 1)) >> 8;
}

static uint16_t hf_of_bf8(uint8_t bf8)
{
    return (bf8 & 0x7f) > HF_INFINITY >> 8 ? HF_NAN : bf8 << 8;
}

static uint32_t tf32_of_f(uint32_t f)
{
    uint32_t magnitude = f & INT32_MAX;
    uint32_t sign = f & ~(uint32_t)INT32_MAX;

    if (magnitude > F_INFINITY) {
        return F_NAN;
    }
    if (magnitude < F_NORMAL) {
        return sign;
    }
    return sign | ((magnitude + 0xfff + (magnitude >> 13 & 1)) & ~0x1fffu);
}

static bool compute_fcvt(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    uint64_t bits;

    if (!veu_operand_load(t, &i->src[0], n, &bits)) {
        return false;
    }
    switch (veu_operand_type(&i->src[0])) {
    case VEU_TYPE_HF:
        r->bits = bf8_of_hf(bits);
        break;
    case VEU_TYPE_UB:
        r->bits = hf_of_bf8(bits);
        break;
    case VEU_TYPE_F:
        r->bits = tf32_of_f(bits);
        break;
    default:
        r->bits = bits; /* TF32 is an F */
        break;
    }
    return true;
}

bool veu_execute_fcvt(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_fcvt);
}

static uint8_t bf8_of_random(uint16_t hf, uint32_t random)
{
    uint32_t magnitude = hf & 0x7fff;
    uint8_t sign = hf >> 8 & 0x80;

    if (magnitude >= HF_INFINITY) {
        return magnitude > HF_INFINITY ? BF8_NAN : sign | HF_INFINITY >> 8;
    }
    return sign | (magnitude + (random & 0xff)) >> 8;
}

/* Adds the fraction to @random, in units of 2^(exponent - 150). */
static uint16_t truncated_hf(uint32_t sum, int exponent)
{
    int top = 31 - __builtin_clz(sum) + exponent - 150;
    int shift = 126 - exponent; /* in units of 2^-24, the smallest HF */

    if (top > 15) {
        return HF_INFINITY;
    }
    if (top < -14) {
        return shift > 31 ? 0 : sum >> shift;
    }
    shift = 21 - __builtin_clz(sum);
    return (top + 15) << 10 | (sum >> shift & 0x3ff);
}

static uint16_t hf_of_random(uint32_t f, uint32_t random)
{
    uint32_t magnitude = f & INT32_MAX;
    uint16_t sign = f >> 16 & 0x8000;
    int exponent = magnitude >> 23;
    uint32_t sum = (magnitude & (F_NORMAL - 1)) + (random & 0x1fff);

    if (magnitude >= F_INFINITY) {
        return magnitude > F_INFINITY ? HF_NAN : sign | HF_INFINITY;
    }
    if (exponent) {
        sum += F_NORMAL;
    } else {
        exponent = 1; /* subnormal */
    }
    return sum ? sign | truncated_hf(sum, exponent) : sign;
}

static bool compute_srnd(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    uint64_t bits, random;

    if (!veu_operand_load(t, &i->src[0], n, &bits) ||
        !veu_operand_load(t, &i->src[1], n, &random)) {
        return false;
    }
    random = (uint64_t)veu_operand_integer(&i->src[1], random);
    r->bits = veu_operand_type(&i->src[0]) == VEU_TYPE_F ?
                  hf_of_random(bits, random) :
                  bf8_of_random(bits, random);
    return true;
}

bool veu_execute_srnd(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_srnd);
}
