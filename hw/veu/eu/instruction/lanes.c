/*
 * veu execution unit: lanes, as all executors of instructions treat them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

uint8_t veu_operand_type(const VeuOperand *o)
{
    switch (o->type) {
    case VEU_TYPE_V:
        return VEU_TYPE_W;
    case VEU_TYPE_UV:
        return VEU_TYPE_UW;
    case VEU_TYPE_VF:
        return VEU_TYPE_F;
    default:
        return o->type;
    }
}

/* The elements before element @n in its row, and in the rows before it. */
static uint32_t region_elements(const VeuOperand *o, unsigned n)
{
    unsigned in_row = n & ((1u << o->width_shift) - 1);

    return (n >> o->width_shift) * o->row_step + in_row * o->step;
}

/*
 * The place of element @n of an indirect operand. Returns false with a fault if
 * it is outside.
 */
static bool indirect_byte(VeuThread *t, const VeuOperand *o, unsigned n,
                          uint32_t *at)
{
    unsigned row = o->by_row ? n >> o->width_shift : 0;
    uint32_t bytes = veu_type_bytes(o->type);
    int32_t byte = t->addresses[o->at + row] + o->add_byte +
                   (int32_t)(region_elements(o, n) * bytes);

    if (byte < 0 || byte + bytes > t->program->register_bytes) {
        return veu_fault_form(&t->fault, VEU_FAULT_INDIRECT, byte);
    }
    *at = byte;
    return true;
}

/* The place of an element of a general or indirect operand. */
static inline bool element_byte(VeuThread *t, const VeuOperand *o, unsigned n,
                                uint32_t *at)
{
    if (o->class == VEU_OPERAND_INDIRECT) {
        return indirect_byte(t, o, n, at);
    }
    *at = o->at + region_elements(o, n) * veu_type_bytes(o->type);
    return true;
}

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
        if (!element_byte(t, o, n, &at)) {
            return false;
        }
        memcpy(bits, t->registers + at, veu_type_bytes(o->type));
        return true;
    }
}

VeuInteger veu_operand_integer(const VeuOperand *o, uint64_t bits)
{
    uint8_t type = veu_operand_type(o);
    uint64_t extended = veu_type_extend(type, bits);
    bool is_signed = type == VEU_TYPE_B || type == VEU_TYPE_W ||
                     type == VEU_TYPE_D || type == VEU_TYPE_Q;
    VeuInteger value = is_signed ? (VeuInteger)(int64_t)extended :
                                   (VeuInteger)extended;
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
    bool is_signed = type == VEU_TYPE_B || type == VEU_TYPE_W ||
                     type == VEU_TYPE_D || type == VEU_TYPE_Q;

    *least = is_signed ? -((VeuInteger)1 << (bits - 1)) : 0;
    *most = ((VeuInteger)1 << (bits - is_signed)) - 1;
}

/* Integers that do not fit lose their high bits. */
uint64_t veu_result_integer(const VeuOperand *dst, VeuInteger value)
{
    VeuInteger least, most;

    if (dst->modifier == VEU_MODIFIER_SAT) {
        veu_integer_range(dst->type, &least, &most);
        value = value < least ? least : value > most ? most : value;
    }
    return (uint64_t)value;
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

uint32_t veu_thread_cr0(const VeuThread *t)
{
    const struct veu_variable *v = &t->program->predefined[VEU_PREDEFINED_CR0];
    uint32_t bytes = v->elements ? veu_type_bytes(v->type) : 0;
    const uint8_t *from = t->registers + v->offset;
    uint32_t cr0 = 0;

    /* Compilers declare dwords, which are copied by one load. */
    if (bytes >= sizeof(cr0)) {
        memcpy(&cr0, from, sizeof(cr0));
    } else {
        memcpy(&cr0, from, bytes);
    }
    return cr0;
}

VeuFloatMode veu_thread_mode(const VeuThread *t)
{
    return veu_float_mode(veu_thread_cr0(t));
}

/*
 * The places that the lanes write. Returns false if an indirect destination is
 * outside.
 */
static bool place_lanes(VeuThread *t, const VeuOperand *dst, uint32_t active,
                        uint32_t *at)
{
    VEU_FOR_EACH_LANE(n, active) {
        if (!element_byte(t, dst, n, &at[n])) {
            return false;
        }
    }
    return true;
}

static void store_lanes(VeuThread *t, const VeuOperand *dst, uint32_t active,
                        const uint32_t *at, const uint64_t *bits)
{
    uint32_t bytes = veu_type_bytes(dst->type);

    VEU_FOR_EACH_LANE(n, active) {
        memcpy(t->registers + at[n], &bits[n], bytes);
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

bool veu_for_lanes(VeuThread *t, const VeuInstruction *i, uint32_t active,
                   VeuCompute *compute)
{
    uint32_t at[VEU_MAX_LANES], at2[VEU_MAX_LANES];
    uint64_t bits[VEU_MAX_LANES], bits2[VEU_MAX_LANES];
    uint32_t first = i->dst.null ? 0 : active;
    bool predicate = i->dst2.class == VEU_OPERAND_PREDICATE;
    uint32_t second = i->dst2.null || predicate ? 0 : active;

    if (!place_lanes(t, &i->dst, first, at) ||
        !place_lanes(t, &i->dst2, second, at2)) {
        return false;
    }
    VEU_FOR_EACH_LANE(n, active) {
        VeuResult result = { 0 };

        if (!compute(t, i, n, &result)) {
            return false;
        }
        bits[n] = result.bits;
        bits2[n] = result.second;
    }
    store_lanes(t, &i->dst, first, at, bits);
    store_lanes(t, &i->dst2, second, at2, bits2);
    if (predicate) {
        store_predicate(t, i, &i->dst2, active, bits2);
    }
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
