/*
 * veu execution unit: forms of host code that AVX2 has as well.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/jit/elements.h"
#include "hw/veu/eu/jit/form_code.h"
#include "hw/veu/eu/jit/lanes.h"

static const VeuVectorOp copy = F3(0x6f);
static const VeuVectorOp sub_d = D(0xfa), xor_d = D(0xef), or_d = D(0xeb);
static const VeuVectorOp and_d = D(0xdb), and_q = Q(0xdb);
static const VeuVectorOp shift_right_q = VEU_VECTOR_OP_COUNT(0x73, 2, true);
static const VeuVectorOp compare_f = F(0xc2), compare_df = Q(0xc2);
static const VeuVectorOp fixup_f = D3A(0x54), fixup_df = Q3A(0x54);

/* ---- parts of forms ---- */

static bool has_masks(const VeuJitPart *p)
{
    return veu_emit_has_masks(p->t->emit);
}

/*
 * The lanes in which a relation of floats holds: mask register @n of those for
 * results, or a vector register.
 */
static unsigned lanes_where(const VeuJitPart *p, unsigned n, unsigned a,
                            unsigned b, unsigned relation)
{
    unsigned mask = has_masks(p) ? VEU_MASK_RESULT + n : take(p);

    emit_op_byte(p, compare_f, mask, a, b, relation);
    return mask;
}

/* a = a | b, of such lanes */
static void emit_either(const VeuJitPart *p, unsigned a, unsigned b)
{
    if (has_masks(p)) {
        veu_emit_mask_or(p->t->emit, a, a, b);
    } else {
        emit_op(p, or_d, a, a, b);
    }
}

/* to = yes in such lanes, and no in all others */
static void emit_choice(const VeuJitPart *p, unsigned mask, unsigned to,
                        unsigned no, unsigned yes)
{
    veu_jit_choose(p->t->emit, operands(p, to, no, yes), mask, 4);
}

/* ---- forms ---- */

unsigned veu_form_copy(const VeuJitPart *p)
{
    return copy_of(p, p->source[0]);
}

unsigned veu_form_unary(const VeuJitPart *p)
{
    return combine(p, p->row->op, 0, p->source[0]);
}

unsigned veu_form_unary_number(const VeuJitPart *p)
{
    unsigned to = veu_form_unary(p);

    veu_emit_byte(p->t->emit, p->row->number);
    return to;
}

unsigned veu_form_binary(const VeuJitPart *p)
{
    return combine(p, p->row->op, p->source[0], p->source[1]);
}

/* The vector instruction inverts its first source. */
unsigned veu_form_and_not(const VeuJitPart *p)
{
    return combine(p, p->row->op, p->source[1], p->source[0]);
}

unsigned veu_form_not(const VeuJitPart *p)
{
    return combine(p, xor_d, p->source[0], number(p, UINT32_MAX, 4));
}

unsigned veu_form_negate(const VeuJitPart *p)
{
    return combine(p, sub_d, number(p, 0, 4), p->source[0]);
}

/* a op b op2 c */
unsigned veu_form_two_steps(const VeuJitPart *p)
{
    unsigned to = veu_form_binary(p);

    emit_op(p, p->row->op2, to, to, p->source[2]);
    return to;
}

/* a * b + c, rounded once */
unsigned veu_form_fused(const VeuJitPart *p)
{
    unsigned to = copy_of(p, p->source[0]);

    emit_op(p, p->row->op, to, p->source[1], p->source[2]);
    return to;
}

unsigned veu_form_inverse(const VeuJitPart *p)
{
    return combine(p, p->row->op, number(p, 0x3f800000, 4), p->source[0]);
}

/* Counts have 5 bits for dwords, 6 for quad words. */
unsigned veu_form_shift(const VeuJitPart *p)
{
    unsigned most = p->row->from_bytes * 8 - 1, to = take(p);

    if (p->step->immediate == 1) {
        emit_count(p, p->row->op2, to, p->source[0], p->step->value & most);
    } else {
        emit_op(p, is_double(p) ? and_q : and_d, to, p->source[1],
                number(p, most, p->row->from_bytes));
        emit_op(p, p->row->op, to, p->source[0], to);
    }
    return to;
}

/* The odd dwords of a vector become those of @even. */
static void take_odd(const VeuJitPart *p, unsigned even, unsigned odd)
{
    static const VeuVectorOp blend = D3A(0x02);

    if (has_masks(p)) {
        VeuVectorOperands o = operands(p, even, 0, odd);

        veu_emit_number(p->t->emit, VEU_RAX, 0xaaaa);
        veu_emit_mask_from(p->t->emit, VEU_MASK_OTHER, VEU_RAX);
        o.mask = VEU_MASK_OTHER;
        veu_emit_vector(p->t->emit, copy, o);
    } else {
        emit_op_byte(p, blend, even, even, odd, 0xaa);
    }
}

/* The high dwords of products, which the instruction has for even lanes. */
unsigned veu_form_high(const VeuJitPart *p)
{
    unsigned even = take(p), odd = take(p), b = take(p);

    emit_op(p, p->row->op, even, p->source[0], p->source[1]);
    emit_count(p, shift_right_q, odd, p->source[0], 32);
    emit_count(p, shift_right_q, b, p->source[1], 32);
    emit_op(p, p->row->op, odd, odd, b);
    emit_count(p, shift_right_q, even, even, 32);
    take_odd(p, even, odd);
    return even;
}

/*
 * Minimum and maximum of floats: the first source where @number holds for the
 * sources, or where the second is a NaN.
 */
unsigned veu_form_extreme(const VeuJitPart *p)
{
    unsigned first = lanes_where(p, 0, p->source[0], p->source[1],
                                 p->row->number);
    unsigned nan = lanes_where(p, 1, p->source[1], p->source[1], F_UNORDERED);
    unsigned to = take(p);

    emit_either(p, first, nan);
    emit_choice(p, first, to, p->source[1], p->source[0]);
    return to;
}

/* Toward zero; the host has INT32_MIN for what is too large, and for NaNs. */
unsigned veu_form_to_d(const VeuJitPart *p)
{
    unsigned to = veu_form_unary(p), lanes;

    lanes = lanes_where(p, 0, p->source[0], number(p, 0x4f000000, 4),
                        F_GREATER_OR_EQUAL);
    emit_choice(p, lanes, to, to, number(p, INT32_MAX, 4));
    lanes = lanes_where(p, 0, p->source[0], p->source[0], F_UNORDERED);
    emit_choice(p, lanes, to, to, number(p, 0, 4));
    return to;
}

/*
 * Bytes and words become dwords: one that is the same for all lanes. Numbers
 * are for the row of dwords, which is before these in handler_match.c.
 */
unsigned veu_part_same_small(const VeuJitPart *p)
{
    unsigned to = take(p);

    veu_emit_load_small(p->t->emit, VEU_RAX, VEU_REGISTERS, p->step->from[0],
                        p->row->from_bytes, p->row->has_sign);
    veu_emit_broadcast(p->t->emit, to, VEU_RAX, 4);
    return to;
}

unsigned veu_form_extend(const VeuJitPart *p)
{
    unsigned to;

    if (p->shape & 1) {
        return copy_of(p, p->source[0]);
    }
    to = take(p);
    veu_emit_vector(p->t->emit, p->row->op,
                    (VeuVectorOperands){ .length = p->length,
                                         .reg = to,
                                         .rm = VEU_REGISTERS,
                                         .is_memory = true,
                                         .at = p->step->from[0] +
                                               p->first * p->row->from_bytes });
    return to;
}

/* The low dwords of quad words. */
unsigned veu_form_narrow(const VeuJitPart *p)
{
    return p->shape & 1 ? copy_of(p, p->source[0]) :
                          veu_elements_narrow(p->t, p->source[0], 0, p->lanes);
}

/* ---- lanes ---- */

/* The lanes that take the first source: those of the predicate. */
static VeuLanes selected(const VeuJitPart *p)
{
    const VeuHandlerStep *s = p->step;

    return (VeuLanes){ .is_some = s->predication.used,
                       .has_predicate = s->predication.used,
                       .inverse = s->predication.used && s->predication.inverse,
                       .predicate = s->predication.used ? s->predication.index :
                                                          0,
                       .is_one = s->lanes == 1,
                       .first = s->mask_offset + p->first };
}

unsigned veu_form_select(const VeuJitPart *p)
{
    VeuLanes first = selected(p);
    unsigned bytes = p->row->to_bytes;
    unsigned mask = veu_jit_lanes(p->t, &first, bytes);
    unsigned to;

    if (mask == 0) {
        return copy_of(p, p->source[0]);
    }
    to = take(p);
    veu_jit_choose(p->t->emit, operands(p, to, p->source[1], p->source[0]),
                   mask, bytes);
    return to;
}

/* ---- results ---- */

static unsigned fix_up(const VeuJitPart *p, unsigned from, unsigned nan)
{
    static const uint32_t copy_all_but_nans = 0x11111100;
    unsigned bytes = p->row->to_bytes, to = copy_of(p, nan);

    emit_op_byte(p, bytes == 8 ? fixup_df : fixup_f, to, from,
                 number(p, copy_all_but_nans, bytes), 0);
    return to;
}

/* Replaces every NaN by the positive quiet NaN. */
unsigned veu_part_without_nans(const VeuJitPart *p, unsigned from)
{
    unsigned bytes = p->row->to_bytes, to;
    unsigned nan = number(p, bytes == 8 ? 0x7ff8000000000000 : 0x7fc00000,
                          bytes);

    if (has_masks(p)) {
        return fix_up(p, from, nan);
    }
    to = take(p);
    emit_op_byte(p, bytes == 8 ? compare_df : compare_f, VEU_SCRATCH_VECTOR,
                 from, from, F_UNORDERED);
    veu_jit_choose(p->t->emit, operands(p, to, from, nan), VEU_SCRATCH_VECTOR,
                   bytes);
    return to;
}

/* Stores the element of an instruction with one lane. */
static void store_one(const VeuJitPart *p, unsigned from, uint32_t at,
                      const VeuLanes *lanes)
{
    unsigned bytes = p->row->to_bytes;
    unsigned mask = veu_jit_lanes(p->t, lanes, bytes);

    if (mask) {
        unsigned old = veu_values_same(&p->t->values, at, bytes);

        veu_jit_choose(p->t->emit, operands(p, old, old, from), mask, bytes);
        from = old;
    }
    veu_values_store_same(&p->t->values, from, at, bytes);
}

/* The register becomes the result at byte @to, where the part's lanes run. */
void veu_part_store(const VeuJitPart *p, unsigned from, uint32_t to)
{
    unsigned bytes = p->row->to_bytes;
    uint32_t at = to + p->first * bytes;
    VeuLanes lanes = veu_jit_step_lanes(p->t, p->step, p->first);

    if (p->instruction->is_staged) {
        veu_elements_store(p->t, &p->instruction->dst, from, p->first, p->lanes,
                           &lanes);
    } else if (p->lanes == 1) {
        store_one(p, from, at, &lanes);
    } else {
        veu_jit_store_lanes(p->t, from, at, p->lanes, bytes, &lanes);
    }
}
