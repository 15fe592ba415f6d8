/*
 * veu execution unit: checks of an instruction's operands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/decode/instruction_check.h"

/* The kind of an immediate in a signature. */
static uint32_t kind_of_immediate(const VeuOperand *o)
{
    if (o->is_address) {
        return VEU_TAKES_VARIABLE;
    }
    switch (o->type) {
    case VEU_TYPE_V:
        return 1u << VEU_TYPE_W;
    case VEU_TYPE_UV:
        return 1u << VEU_TYPE_UW;
    case VEU_TYPE_VF:
        return 1u << VEU_TYPE_F;
    default:
        return 1u << o->type;
    }
}

/* The kind of an operand in a signature. */
static uint32_t kind_of(const VeuOperand *o)
{
    switch (o->class) {
    case VEU_OPERAND_PREDICATE:
        return VEU_TAKES_PREDICATE;
    case VEU_OPERAND_ADDRESS:
        return VEU_TAKES_ADDRESS;
    case VEU_OPERAND_STATE:
        return VEU_TAKES_STATE;
    case VEU_OPERAND_IMMEDIATE:
        return kind_of_immediate(o);
    default: /* registers */
        return 1u << o->type;
    }
}

/* The kinds of all operands. The destination is the first, and may be null. */
static void find_kinds(const VeuInstruction *i,
                       uint32_t kinds[1 + VEU_MAX_SOURCES])
{
    kinds[0] = i->dst.null ? UINT32_MAX : kind_of(&i->dst);
    for (unsigned n = 0; n < i->source_count; n++) {
        kinds[n + 1] = kind_of(&i->src[n]);
    }
}

/* The number of operands before the first that @s does not take. */
static unsigned matching(const VeuSignature *s, const uint32_t *kinds,
                         unsigned count)
{
    unsigned n = 0;

    if (!(s->dst & kinds[0])) {
        return 0;
    }
    while (n + 1 < count && (s->src[n] & kinds[n + 1])) {
        n++;
    }
    return n + 1;
}

static bool check_types(const VeuInstruction *i, VeuInstructionField *bad)
{
    unsigned most = 0, operands = 1 + i->source_count;
    uint32_t kinds[1 + VEU_MAX_SOURCES];

    find_kinds(i, kinds);
    for (const VeuSignature *s = i->info->signatures; s->dst; s++) {
        unsigned count = matching(s, kinds, operands);

        if (count == operands) {
            return true;
        }
        most = count > most ? count : most;
    }
    *bad = most ? VEU_IFIELD_SRC0 + most - 1 : VEU_IFIELD_DST;
    return false;
}

static bool takes_modifier(VeuModifierRule rule, uint8_t modifier)
{
    switch (modifier) {
    case VEU_MODIFIER_NONE:
        return true;
    case VEU_MODIFIER_ABS:
    case VEU_MODIFIER_NEG:
    case VEU_MODIFIER_NEG_ABS:
        return rule == VEU_MODIFIERS_ARITHMETIC;
    case VEU_MODIFIER_NOT:
        return rule == VEU_MODIFIERS_LOGIC;
    default:
        return false;
    }
}

static bool is_float(uint8_t type)
{
    return type == VEU_TYPE_HF || type == VEU_TYPE_F || type == VEU_TYPE_DF ||
           type == VEU_TYPE_BF;
}

static bool may_saturate(const VeuInstruction *i)
{
    return i->info->saturation == VEU_SATURATION_ALWAYS ||
           (i->info->saturation == VEU_SATURATION_FLOAT &&
            is_float(i->dst.type));
}

static bool check_modifiers(const VeuInstruction *i, VeuInstructionField *bad)
{
    *bad = VEU_IFIELD_DST;
    if (i->dst.modifier &&
        !(i->dst.modifier == VEU_MODIFIER_SAT && may_saturate(i))) {
        return false;
    }
    for (unsigned n = 0; n < i->source_count; n++) {
        if (!takes_modifier(i->info->modifiers, i->src[n].modifier)) {
            *bad = VEU_IFIELD_SRC0 + n;
            return false;
        }
    }
    return true;
}

/* A carry or borrow has a dword type, and no modifier. */
static bool is_carry(const VeuOperand *o)
{
    return !o->modifier &&
           (o->null || o->type == VEU_TYPE_UD || o->type == VEU_TYPE_D);
}

static bool check_second(const VeuInstruction *i, VeuInstructionField *bad)
{
    switch (i->info->operation) {
    case VEU_OPERATION_ADDC:
        *bad = VEU_IFIELD_CARRY;
        return is_carry(&i->dst2);
    case VEU_OPERATION_SUBB:
        *bad = VEU_IFIELD_BORROW;
        return is_carry(&i->dst2);
    case VEU_OPERATION_INVM:
    case VEU_OPERATION_RSQTM:
        *bad = VEU_IFIELD_EARLY_OUT;
        return i->dst2.class == VEU_OPERAND_PREDICATE;
    default:
        return true;
    }
}

bool veu_instruction_check(const VeuInstruction *i, VeuInstructionField *bad)
{
    return !i->info->signatures ||
           (check_types(i, bad) && check_modifiers(i, bad) &&
            check_second(i, bad));
}
