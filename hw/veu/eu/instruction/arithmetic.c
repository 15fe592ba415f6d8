/*
 * veu execution unit: arithmetic: from sources to results.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/integer.h"
#include "hw/veu/eu/instruction/real.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/simd/cpu.h"

/* Loads the bits of all sources. */
static bool load_sources(VeuThread *t, const VeuInstruction *i, uint32_t active,
                         VeuSourceBits bits)
{
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!veu_operand_load_lanes(t, &i->src[k], active, bits[k])) {
            return false;
        }
    }
    return true;
}

static bool compute_narrow(VeuThread *t, const VeuInstruction *i,
                           uint32_t active, VeuResults *r)
{
    unsigned lanes = veu_lanes_up_to(active);
    VeuSourceBits bits;

    if (!load_sources(t, i, active, bits)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        if (i->src[k].modifier) {
            veu_operand_modify(&i->src[k], lanes, bits[k]);
        }
    }
    veu_integer_operation(i->info->operation)
        ->narrow[veu_cpu](i, lanes, bits, r);
    return true;
}

static bool compute_wide(VeuThread *t, const VeuInstruction *i, uint32_t active,
                         VeuResults *r)
{
    VeuSourceBits bits;
    VeuIntegerSources src;
    VeuInteger values[VEU_MAX_LANES];

    if (!load_sources(t, i, active, bits)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        veu_operand_integers(&i->src[k], active, bits[k], src, k);
    }
    veu_integer_operation(i->info->operation)
        ->wide(i, active, src, values, r->second);
    if (!i->dst.null) {
        veu_result_integers(&i->dst, active, values, r->bits);
    }
    return true;
}

/* What is the same for all lanes of an operation on floats. */
typedef struct Reals {
    const VeuRealOperation *operation;
    VeuFloatMode mode;   /* of the sources */
    VeuFloatMode result; /* in which results are rounded */
    VeuSourceBits bits;
} Reals;

static bool load_reals(VeuThread *t, const VeuInstruction *i, uint32_t active,
                       Reals *r)
{
    r->operation = veu_real_operation(i->info->operation);
    r->mode = veu_thread_mode(t);
    r->result = r->mode;
    if (r->operation->nearest) {
        r->result.rounding = VEU_ROUND_NEAREST;
    }
    return load_sources(t, i, active, r->bits);
}

/* Computes the exact result of lane @n. */
static VeuFloat exact(const VeuInstruction *i, const Reals *r, unsigned n)
{
    VeuFloat src[VEU_MAX_SOURCES];

    for (unsigned k = 0; k < i->source_count; k++) {
        src[k] = veu_operand_float(&i->src[k], r->bits[k][n], r->mode);
    }
    return r->operation->real(i, src, r->result);
}

static bool compute_reals(VeuThread *t, const VeuInstruction *i,
                          uint32_t active, VeuResults *results)
{
    Reals r;

    if (!load_reals(t, i, active, &r)) {
        return false;
    }
    VEU_FOR_EACH_LANE(n, active) {
        results->bits[n] = veu_result_float(&i->dst, exact(i, &r, n), r.result);
        results->second[n] = 0;
    }
    return true;
}

/* The predicate is 1 if no refinement can improve this result. */
static bool compute_early_out(VeuThread *t, const VeuInstruction *i,
                              uint32_t active, VeuResults *results)
{
    uint8_t type = i->dst.null ? veu_operand_type(&i->src[0]) : i->dst.type;
    Reals r;

    if (!load_reals(t, i, active, &r)) {
        return false;
    }
    VEU_FOR_EACH_LANE(n, active) {
        uint64_t bits = veu_float_pack(type, exact(i, &r, n), r.result);
        VeuFloat value = veu_float_unpack(type, bits, r.result);

        results->bits[n] = bits;
        results->second[n] = value.class != VEU_FLOAT_FINITE ||
                             veu_float_is_zero(&value);
    }
    return true;
}

bool veu_execute_early_out(VeuThread *t, const VeuInstruction *i,
                           uint32_t active)
{
    return veu_for_all_lanes(t, i, active, compute_early_out);
}

bool veu_execute_reals(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_all_lanes(t, i, active, compute_reals);
}

bool veu_execute_narrow(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_all_lanes(t, i, active, compute_narrow);
}

bool veu_execute_wide(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_all_lanes(t, i, active, compute_wide);
}
