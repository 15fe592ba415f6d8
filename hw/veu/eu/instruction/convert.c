/*
 * veu execution unit: mov, sel: conversions between types.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "Conversions"; the vendor's page 2_datatypes.
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

/* Float to integer rounds toward zero, or with bit 12 as bits 5:4 say. */
#define CR0_INTEGER_ROUNDING (1u << 12)

static bool keeps_bits(const VeuOperand *src, const VeuOperand *dst)
{
    return veu_operand_type(src) == dst->type && !src->modifier &&
           !dst->modifier;
}

static uint64_t float_to_integer(const VeuThread *t, VeuFloat value,
                                 const VeuOperand *dst)
{
    VeuRounding rounding = veu_thread_cr0(t) & CR0_INTEGER_ROUNDING ?
                               veu_thread_mode(t).rounding :
                               VEU_ROUND_ZERO;
    VeuInteger least, most;

    veu_integer_range(dst->type, &least, &most);
    return veu_float_to_integer(value, rounding, least, most);
}

uint64_t veu_convert(const VeuThread *t, const VeuOperand *src, uint64_t bits,
                     const VeuOperand *dst)
{
    bool from_float = veu_type_is_float(veu_operand_type(src));
    bool to_float = veu_type_is_float(dst->type);
    VeuFloatMode mode = veu_thread_mode(t);
    VeuFloat value;

    if (dst->null || keeps_bits(src, dst)) {
        return bits;
    }
    if (!from_float && !to_float) {
        return veu_result_integer(dst, veu_operand_integer(src, bits));
    }
    value = from_float ? veu_operand_float(src, bits, mode) :
                         veu_float_of_integer(veu_operand_integer(src, bits));
    return to_float ? veu_result_float(dst, value, mode) :
                      float_to_integer(t, value, dst);
}

/* The bits of a predicate are an unsigned number. */
static uint64_t convert_predicate(uint64_t bits, const VeuOperand *dst)
{
    return dst->null ? 0 : veu_result_integer(dst, bits);
}

static bool compute_mov(VeuThread *t, const VeuInstruction *i, uint32_t active,
                        VeuResults *r)
{
    const VeuOperand *src = &i->src[0];
    bool predicate = src->class == VEU_OPERAND_PREDICATE;

    if (!veu_operand_load_lanes(t, src, active, r->bits)) {
        return false;
    }
    VEU_FOR_EACH_LANE(n, active) {
        r->bits[n] = predicate ? convert_predicate(r->bits[n], &i->dst) :
                                 veu_convert(t, src, r->bits[n], &i->dst);
    }
    return true;
}

bool veu_execute_mov(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_all_lanes(t, i, active, compute_mov);
}

static bool compute_sel(VeuThread *t, const VeuInstruction *i, unsigned n,
                        VeuResult *r)
{
    /* Without a predicate, all bits are 1. */
    bool first = !i->predication.used || veu_predicate_of(t, i) >> n & 1;
    const VeuOperand *src = &i->src[first ? 0 : 1];
    uint64_t bits;

    if (!veu_operand_load(t, src, n, &bits)) {
        return false;
    }
    r->bits = veu_convert(t, src, bits, &i->dst);
    return true;
}

bool veu_execute_sel(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_lanes(t, i, active, compute_sel);
}
