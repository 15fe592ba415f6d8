/*
 * veu execution unit: cmp, setp, and logic on predicates.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"

/* Codes of the relation, in the order of the page. */
enum {
    RELATION_EQ,
    RELATION_NE,
    RELATION_GT,
    RELATION_GE,
    RELATION_LT
};

static bool holds(uint8_t relation, int order)
{
    switch (relation) {
    case RELATION_EQ:
        return order == 0;
    case RELATION_NE:
        return order != 0;
    case RELATION_GT:
        return order > 0;
    case RELATION_GE:
        return order >= 0;
    case RELATION_LT:
        return order < 0;
    default:
        return order <= 0;
    }
}

static bool compare_real(const VeuThread *t, const VeuInstruction *i,
                         uint64_t first, uint64_t second)
{
    VeuFloatMode mode = veu_thread_mode(t);
    VeuFloat a = veu_operand_float(&i->src[0], first, mode);
    VeuFloat b = veu_operand_float(&i->src[1], second, mode);

    if (a.class == VEU_FLOAT_NAN || b.class == VEU_FLOAT_NAN) {
        return i->code == RELATION_NE;
    }
    return holds(i->code, veu_float_compare(a, b));
}

static bool compare_integer(const VeuInstruction *i, uint64_t first,
                            uint64_t second)
{
    VeuInteger a = veu_operand_integer(&i->src[0], first);
    VeuInteger b = veu_operand_integer(&i->src[1], second);

    return holds(i->code, (a > b) - (a < b));
}

/* All ones, or 0; a predicate takes one bit of it. */
static bool compute_cmp(VeuThread *t, const VeuInstruction *i, unsigned n,
                        VeuResult *r)
{
    bool real = veu_type_is_float(veu_operand_type(&i->src[0]));
    uint64_t a, b;

    if (!veu_operand_load(t, &i->src[0], n, &a) ||
        !veu_operand_load(t, &i->src[1], n, &b)) {
        return false;
    }
    r->bits = -(uint64_t)(real ? compare_real(t, i, a, b) :
                                 compare_integer(i, a, b));
    return true;
}

bool veu_execute_cmp(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return i->dst.class == VEU_OPERAND_PREDICATE ?
               veu_for_predicate(t, i, active, compute_cmp) :
               veu_for_lanes(t, i, active, compute_cmp);
}

/* The lane's bit of a predicate operand. */
static bool predicate_bit(VeuThread *t, const VeuInstruction *i,
                          const VeuOperand *o, unsigned n)
{
    uint64_t bits;

    veu_operand_load(t, o, n, &bits);
    return bits >> (i->mask_offset + n) & 1;
}

static bool compute_logic(VeuThread *t, const VeuInstruction *i, unsigned n,
                          VeuResult *r)
{
    bool a = predicate_bit(t, i, &i->src[0], n);
    bool b = i->source_count > 1 && predicate_bit(t, i, &i->src[1], n);

    switch (i->info->operation) {
    case VEU_OPERATION_AND:
        r->bits = a && b;
        break;
    case VEU_OPERATION_OR:
        r->bits = a || b;
        break;
    case VEU_OPERATION_XOR:
        r->bits = a != b;
        break;
    default:
        r->bits = !a;
        break;
    }
    return true;
}

bool veu_execute_logic(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return veu_for_predicate(t, i, active, compute_logic);
}

static bool compute_setp(VeuThread *t, const VeuInstruction *i, unsigned n,
                         VeuResult *r)
{
    return veu_operand_load(t, &i->src[0], n, &r->bits);
}

static bool compute_setp_bit(VeuThread *t, const VeuInstruction *i, unsigned n,
                             VeuResult *r)
{
    uint64_t bits;

    if (!veu_operand_load(t, &i->src[0], 0, &bits)) {
        return false;
    }
    r->bits = (uint64_t)veu_operand_integer(&i->src[0], bits) >> n;
    return true;
}

/* Returns true if all lanes read one value; a packed immediate has several. */
static bool is_scalar(const VeuOperand *o)
{
    return o->null ||
           (o->class == VEU_OPERAND_IMMEDIATE && o->type != VEU_TYPE_V &&
            o->type != VEU_TYPE_UV) ||
           (o->class != VEU_OPERAND_IMMEDIATE && !o->by_row &&
            o->row_step == 0 && (o->step == 0 || o->width_shift == 0));
}

/*
 * The bits of a scalar go to all lanes of the instruction, even those that do
 * not run.
 */
bool veu_execute_setp(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
    return is_scalar(&i->src[0]) ?
               veu_for_predicate(t, i, i->all_lanes, compute_setp_bit) :
               veu_for_predicate(t, i, active, compute_setp);
}
