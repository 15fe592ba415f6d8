/*
 * veu execution unit: arithmetic: from sources to results.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/integer.h"
#include "hw/veu/eu/instruction/real.h"

/* Loads the bits of all sources of lane @n. */
static bool load_sources(VeuThread *t, const VeuInstruction *i, unsigned n,
                         uint64_t *bits)
{
    for (unsigned k = 0; k < i->source_count; k++) {
        if (!veu_operand_load(t, &i->src[k], n, &bits[k])) {
            return false;
        }
    }
    return true;
}

static bool compute_integer(VeuThread *t, const VeuInstruction *i, unsigned n,
                            VeuResult *r)
{
    VeuIntegerOperation *integer = veu_integer_operation(i->info->operation);
    uint64_t bits[VEU_MAX_SOURCES];
    VeuInteger src[VEU_MAX_SOURCES], value, second = 0;

    if (!load_sources(t, i, n, bits)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        src[k] = veu_operand_integer(&i->src[k], bits[k]);
    }
    value = integer(i, src, &second);
    r->bits = i->dst.null ? 0 : veu_result_integer(&i->dst, value);
    r->second = (uint64_t)second;
    return true;
}

/* Computes the exact result of lane @n, and the mode in which to round it. */
static bool compute_exact(VeuThread *t, const VeuInstruction *i, unsigned n,
                          VeuFloat *result, VeuFloatMode *mode)
{
    const VeuRealOperation *o = veu_real_operation(i->info->operation);
    uint64_t bits[VEU_MAX_SOURCES];
    VeuFloat src[VEU_MAX_SOURCES];

    *mode = veu_thread_mode(t);
    if (!load_sources(t, i, n, bits)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        src[k] = veu_operand_float(&i->src[k], bits[k], *mode);
    }
    if (o->nearest) {
        mode->rounding = VEU_ROUND_NEAREST;
    }
    *result = o->real(i, src, *mode);
    return true;
}

static bool compute_real(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    VeuFloatMode mode;
    VeuFloat result;

    if (!compute_exact(t, i, n, &result, &mode)) {
        return false;
    }
    r->bits = veu_result_float(&i->dst, result, mode);
    return true;
}

/* The predicate is 1 if no refinement can improve this result. */
static bool compute_early_out(VeuThread *t, const VeuInstruction *i, unsigned n,
                              VeuResult *r)
{
    uint8_t type = i->dst.null ? veu_operand_type(&i->src[0]) : i->dst.type;
    VeuFloatMode mode;
    VeuFloat result;

    if (!compute_exact(t, i, n, &result, &mode)) {
        return false;
    }
    r->bits = veu_float_pack(type, result, mode);
    result = veu_float_unpack(type, r->bits, mode);
    r->second = result.class != VEU_FLOAT_FINITE || veu_float_is_zero(&result);
    return true;
}

bool veu_execute_early_out(VeuThread *t, const VeuInstruction *i,
                           uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_early_out);
}

bool veu_execute_arithmetic(VeuThread *t, const VeuInstruction *i,
                            uint32_t active)
{
    bool real = veu_type_is_float(veu_operand_type(&i->src[0]));

    return veu_for_lanes(t, i, active, real ? compute_real : compute_integer);
}
