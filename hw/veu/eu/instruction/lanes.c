/*
 * veu execution unit: lanes, as all executors of instructions treat them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/elements.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

/* A packed float: sign, 3 bits of exponent, 4 of fraction; 0 is zero. */
static uint32_t packed_float(uint8_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 7) << 31;

    if ((bits & 0x7f) == 0) {
        return sign;
    }
    return sign | ((bits >> 4 & 7) + 124u) << 23 | (uint32_t)(bits & 0xf) << 19;
}

uint64_t veu_immediate_bits(const VeuOperand *o, unsigned n)
{
    uint8_t nibble = o->value >> (n % 8 * 4) & 0xf;

    switch (o->type) {
    case VEU_TYPE_UV:
        return nibble;
    case VEU_TYPE_V:
        return (uint16_t)((nibble ^ 8) - 8);
    case VEU_TYPE_VF:
        return packed_float(o->value >> (n % 4 * 8));
    default:
        return o->value;
    }
}

uint32_t veu_predicate_operand(const VeuThread *t, const VeuOperand *o)
{
    uint32_t bits = t->predicates[o->at];

    bits = o->inverse ? ~bits : bits;
    return bits & UINT32_MAX >> (32 - t->program->predicate_bits[o->at]);
}

bool veu_operand_load(VeuThread *t, const VeuOperand *o, unsigned n,
                      uint64_t *bits)
{
    uint32_t at;

    *bits = 0;
    if (o->null) {
        return true;
    }
    switch (o->class) {
    case VEU_OPERAND_IMMEDIATE:
        *bits = veu_immediate_bits(o, n);
        return true;
    case VEU_OPERAND_PREDICATE:
        *bits = veu_predicate_operand(t, o);
        return true;
    case VEU_OPERAND_ADDRESS:
        *bits = t->addresses[o->at + (n & ((1u << o->width_shift) - 1))];
        return true;
    default:
        if (!veu_operand_byte(t, o, n, &at)) {
            return false;
        }
        memcpy(bits, t->registers + at, veu_type_bytes(o->type));
        return true;
    }
}

/* Returns true if the operand is not in the register file and has one value. */
static bool is_constant(const VeuOperand *o)
{
    return o->null || o->class == VEU_OPERAND_PREDICATE ||
           (o->class == VEU_OPERAND_IMMEDIATE &&
            o->type == veu_operand_type(o));
}

bool veu_operand_load_lanes(VeuThread *t, const VeuOperand *o, uint32_t active,
                            uint64_t *bits)
{
    unsigned lanes = veu_lanes_up_to(active);

    if (!o->null &&
        (o->class == VEU_OPERAND_GENERAL || o->class == VEU_OPERAND_INDIRECT)) {
        return veu_load_elements(t, o, active, bits);
    }
    for (unsigned n = 0; n < lanes; n++) {
        if (n > 0 && is_constant(o)) {
            bits[n] = bits[0];
        } else {
            veu_operand_load(t, o, n, &bits[n]);
            bits[n] = veu_type_extend(veu_operand_type(o), bits[n]);
        }
    }
    return true;
}

static bool is_signed(uint8_t type)
{
    return type == VEU_TYPE_B || type == VEU_TYPE_W || type == VEU_TYPE_D ||
           type == VEU_TYPE_Q;
}

static VeuInteger modified(const VeuOperand *o, VeuInteger value)
{
    VeuInteger magnitude = value < 0 ? -value : value;

    switch (o->modifier) {
    case VEU_MODIFIER_ABS:
        return magnitude;
    case VEU_MODIFIER_NEG:
        return -value;
    case VEU_MODIFIER_NEG_ABS:
        return -magnitude;
    case VEU_MODIFIER_NOT:
        return ~value;
    default:
        return value;
    }
}

VeuInteger veu_operand_integer(const VeuOperand *o, uint64_t bits)
{
    uint8_t type = veu_operand_type(o);
    uint64_t extended = veu_type_extend(type, bits);

    return modified(o, is_signed(type) ? (VeuInteger)(int64_t)extended :
                                         (VeuInteger)extended);
}

void veu_operand_integers(const VeuOperand *o, uint32_t active,
                          const uint64_t *bits, VeuIntegerSources values,
                          unsigned k)
{
    if (is_signed(veu_operand_type(o))) {
        VEU_FOR_EACH_LANE(n, active) {
            values[n][k] = (int64_t)bits[n];
        }
    } else {
        VEU_FOR_EACH_LANE(n, active) {
            values[n][k] = bits[n];
        }
    }
    if (o->modifier) {
        VEU_FOR_EACH_LANE(n, active) {
            values[n][k] = modified(o, values[n][k]);
        }
    }
}

void veu_operand_modify(const VeuOperand *o, unsigned lanes, uint64_t *bits)
{
    for (unsigned n = 0; n < lanes; n++) {
        bits[n] = (uint64_t)modified(o, (int64_t)bits[n]);
    }
}

VeuFloat veu_operand_float(const VeuOperand *o, uint64_t bits,
                           VeuFloatMode mode)
{
    VeuFloat value = veu_float_unpack(veu_operand_type(o), bits, mode);

    switch (o->modifier) {
    case VEU_MODIFIER_ABS:
        return veu_float_abs(value);
    case VEU_MODIFIER_NEG:
        return veu_float_neg(value);
    case VEU_MODIFIER_NEG_ABS:
        return veu_float_neg(veu_float_abs(value));
    default:
        return value;
    }
}

void veu_integer_range(uint8_t type, VeuInteger *least, VeuInteger *most)
{
    unsigned bits = veu_type_bytes(type) * 8;

    *least = is_signed(type) ? -((VeuInteger)1 << (bits - 1)) : 0;
    *most = ((VeuInteger)1 << (bits - is_signed(type))) - 1;
}

/* Integers that do not fit lose their high bits. */
void veu_result_integers(const VeuOperand *dst, uint32_t active,
                         const VeuInteger *values, uint64_t *bits)
{
    VeuInteger least, most;

    VEU_FOR_EACH_LANE(n, active) {
        bits[n] = (uint64_t)values[n];
    }
    if (dst->modifier == VEU_MODIFIER_SAT) {
        veu_integer_range(dst->type, &least, &most);
        VEU_FOR_EACH_LANE(n, active) {
            bits[n] = values[n] < least ? least :
                      values[n] > most  ? most :
                                          values[n];
        }
    }
}

uint64_t veu_result_integer(const VeuOperand *dst, VeuInteger value)
{
    uint64_t bits;

    veu_result_integers(dst, 1, &value, &bits);
    return bits;
}

/* Saturated floats are in [0, 1], and never NaNs. */
static VeuFloat saturate(VeuFloat value)
{
    VeuFloat one = veu_float_of_integer(1);

    if (value.class == VEU_FLOAT_NAN || value.negative) {
        return veu_float_zero(false);
    }
    return veu_float_compare(value, one) > 0 ? one : value;
}

uint64_t veu_result_float(const VeuOperand *dst, VeuFloat value,
                          VeuFloatMode mode)
{
    if (dst->null) {
        return 0;
    }
    if (dst->modifier == VEU_MODIFIER_SAT) {
        value = saturate(value);
    }
    return veu_float_pack(dst->type, value, mode);
}

uint32_t veu_thread_small_cr0(const VeuThread *t)
{
    const struct veu_variable *v = &t->program->predefined[VEU_PREDEFINED_CR0];
    uint32_t cr0 = 0;

    memcpy(&cr0, t->registers + v->offset, veu_type_bytes(v->type));
    return cr0;
}

VeuFloatMode veu_thread_mode(const VeuThread *t)
{
    return veu_float_mode(veu_thread_cr0(t));
}

static void store_lanes(VeuThread *t, const VeuOperand *dst, uint32_t active,
                        const VeuPlaces *p, const uint64_t *bits)
{
    if (active) {
        veu_store_elements(t, dst->type, active, p, bits);
    }
}

/* The bits of lanes @active of the predicate become bit 0 of their results. */
static void store_predicate(VeuThread *t, const VeuInstruction *i,
                            const VeuOperand *dst, uint32_t active,
                            const uint64_t *bits)
{
    uint32_t *to = &t->predicates[dst->at];
    uint32_t ones = 0;

    VEU_FOR_EACH_LANE(n, active) {
        ones |= (uint32_t)(bits[n] & 1) << n;
    }
    *to &= ~(active << i->mask_offset);
    *to |= ones << i->mask_offset;
}

/* Where the results of lanes go. */
typedef struct Destinations {
    uint32_t first_lanes; /* that the first destination receives */
    uint32_t second_lanes;
    VeuPlaces first;
    VeuPlaces second;
} Destinations;

static bool place_lanes(VeuThread *t, const VeuOperand *dst, uint32_t active,
                        VeuPlaces *p)
{
    return !active || veu_place_elements(t, dst, active, p);
}

static bool place_results(VeuThread *t, const VeuInstruction *i,
                          uint32_t active, Destinations *d)
{
    d->first_lanes = i->dst.null ? 0 : active;
    d->second_lanes = i->dst2.null || i->dst2.class == VEU_OPERAND_PREDICATE ?
                          0 :
                          active;
    return place_lanes(t, &i->dst, d->first_lanes, &d->first) &&
           place_lanes(t, &i->dst2, d->second_lanes, &d->second);
}

static void store_results(VeuThread *t, const VeuInstruction *i,
                          uint32_t active, const Destinations *d,
                          const VeuResults *results)
{
    store_lanes(t, &i->dst, d->first_lanes, &d->first, results->bits);
    store_lanes(t, &i->dst2, d->second_lanes, &d->second, results->second);
    if (i->dst2.class == VEU_OPERAND_PREDICATE) {
        store_predicate(t, i, &i->dst2, active, results->second);
    }
}

bool veu_for_all_lanes(VeuThread *t, const VeuInstruction *i, uint32_t active,
                       VeuComputeLanes *compute)
{
    VeuResults results;
    Destinations places;

    if (!place_results(t, i, active, &places) ||
        !compute(t, i, active, &results)) {
        return false;
    }
    store_results(t, i, active, &places, &results);
    return true;
}

bool veu_for_lanes(VeuThread *t, const VeuInstruction *i, uint32_t active,
                   VeuCompute *compute)
{
    VeuResults results;
    Destinations places;

    if (!place_results(t, i, active, &places)) {
        return false;
    }
    VEU_FOR_EACH_LANE(n, active) {
        VeuResult result = { 0 };

        if (!compute(t, i, n, &result)) {
            return false;
        }
        results.bits[n] = result.bits;
        results.second[n] = result.second;
    }
    store_results(t, i, active, &places, &results);
    return true;
}

bool veu_for_predicate(VeuThread *t, const VeuInstruction *i, uint32_t active,
                       VeuCompute *compute)
{
    uint64_t bits[VEU_MAX_LANES];

    VEU_FOR_EACH_LANE(n, active) {
        VeuResult result = { 0 };

        if (!compute(t, i, n, &result)) {
            return false;
        }
        bits[n] = result.bits;
    }
    store_predicate(t, i, &i->dst, active, bits);
    return true;
}
