/*
 * veu execution unit: instructions whose results take several elements.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/lanes.h"

static bool load_integer(VeuThread *t, const VeuOperand *o, unsigned n,
                         VeuInteger *value)
{
    uint64_t bits;

    if (!veu_operand_load(t, o, n, &bits)) {
        return false;
    }
    *value = veu_operand_integer(o, bits);
    return true;
}

/* |src0[n] - src1[n]| */
static bool load_difference(VeuThread *t, const VeuInstruction *i, unsigned n,
                            VeuInteger *difference)
{
    VeuInteger a, b;

    if (!load_integer(t, &i->src[0], n, &a) ||
        !load_integer(t, &i->src[1], n, &b)) {
        return false;
    }
    *difference = a > b ? a - b : b - a;
    return true;
}

/*
 * The first element of a pair receives the sum; the page does not specify the
 * other, which is 0.
 */
static bool compute_sad2(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    VeuInteger first, second, more = 0;

    if (n % 2) {
        return true;
    }
    if (!load_difference(t, i, n, &first) ||
        !load_difference(t, i, n + 1, &second) ||
        (i->source_count > 2 && !load_integer(t, &i->src[2], n, &more))) {
        return false;
    }
    r->bits = i->dst.null ? 0 :
                            veu_result_integer(&i->dst, first + second + more);
    return true;
}

bool veu_execute_sad2(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_sad2);
}

static bool load_float(VeuThread *t, const VeuOperand *o, unsigned n,
                       VeuFloatMode mode, VeuFloat *value)
{
    uint64_t bits;

    if (!veu_operand_load(t, o, n, &bits)) {
        return false;
    }
    *value = veu_operand_float(o, bits, mode);
    return true;
}

/* A step of the formula is rounded to F. */
static VeuFloat rounded(VeuFloat value, VeuFloatMode mode)
{
    return veu_float_unpack(VEU_TYPE_F, veu_float_pack(VEU_TYPE_F, value, mode),
                            mode);
}

/*
 * p, q and r are elements 0, 1 and 3 of src0. For each 8 lanes src1 has 8
 * elements u, then 8 elements v.
 */
static bool compute_plane(VeuThread *t, const VeuInstruction *i, unsigned n,
                          VeuResult *result)
{
    VeuFloatMode mode = veu_thread_mode(t);
    unsigned at = n / 8 * 16 + n % 8;
    VeuFloat p, q, r, u, v, sum;

    if (!load_float(t, &i->src[0], 0, mode, &p) ||
        !load_float(t, &i->src[0], 1, mode, &q) ||
        !load_float(t, &i->src[0], 3, mode, &r) ||
        !load_float(t, &i->src[1], at, mode, &u) ||
        !load_float(t, &i->src[1], at + 8, mode, &v)) {
        return false;
    }
    sum = veu_float_add(rounded(veu_float_mul(p, u), mode),
                        rounded(veu_float_mul(q, v), mode), mode.rounding);
    sum = veu_float_add(rounded(sum, mode), r, mode.rounding);
    result->bits = veu_result_float(&i->dst, sum, mode);
    return true;
}

bool veu_execute_plane(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_plane);
}
