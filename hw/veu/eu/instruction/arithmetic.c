/*
 * veu execution unit: arithmetic: from sources to results.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/integer.h"
#include "hw/veu/eu/instruction/real.h"

/* The bits of all sources of lane @n. */
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

static bool compute_real(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    const VeuRealOperation *o = veu_real_operation(i->info->operation);
    VeuFloatMode mode = veu_thread_mode(t);
    uint64_t bits[VEU_MAX_SOURCES];
    VeuFloat src[VEU_MAX_SOURCES];

    if (!load_sources(t, i, n, bits)) {
        return false;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        src[k] = veu_operand_float(&i->src[k], bits[k], mode);
    }
    if (o->nearest) {
        mode.rounding = VEU_ROUND_NEAREST;
    }
    r->bits = veu_result_float(&i->dst, o->real(i, src, mode), mode);
    return true;
}

bool veu_execute_arithmetic(VeuThread *t, const VeuInstruction *i,
                            uint32_t active)
{
    bool real = veu_type_is_float(veu_operand_type(&i->src[0]));

    return veu_for_lanes(t, i, active, real ? compute_real : compute_integer);
}
