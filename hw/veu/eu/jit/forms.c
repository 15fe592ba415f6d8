/*
 * veu execution unit: forms of host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/jit/forms.h"
#include "hw/veu/eu/jit/elements.h"
#include "hw/veu/eu/jit/vector_ops.h"

static const VeuVectorOp copy = F3(0x6f);
static const VeuVectorOp sub_d = D(0xfa), xor_d = D(0xef);
static const VeuVectorOp and_d = D(0xdb), and_q = Q(0xdb);
static const VeuVectorOp shift_right_q = VEU_VECTOR_OP_COUNT(0x73, 2, true);
static const VeuVectorOp compare_ud = D3A(0x1e), compare_f = F(0xc2);
static const VeuVectorOp blend_d = D38(0x64), blend_q = Q38(0x64);
static const VeuVectorOp fixup_f = D3A(0x54), fixup_df = Q3A(0x54);
static const VeuVectorOp ones_d = VEU_VECTOR_OP(F3, 0F38, 0x38);

/* ---- parts of forms ---- */

static unsigned take(const VeuJitPart *p)
{
    return veu_values_take(&p->t->values);
}

static unsigned number(const VeuJitPart *p, uint64_t value, unsigned bytes)
{
    return veu_values_number(&p->t->values, value, bytes);
}

/* to = a OP b; for operations with one source, @a is 0. */
static void emit_op(const VeuJitPart *p, VeuVectorOp op, unsigned to,
                    unsigned a, unsigned b)
{
    veu_emit_vector(p->t->emit, op,
                    (VeuVectorOperands){
                        .length = p->length, .reg = to, .vector = a, .rm = b });
}

/* Like emit_op(), for vectors of 64 bytes. */
static void emit_full(const VeuJitPart *p, VeuVectorOp op, unsigned to,
                      unsigned a, unsigned b)
{
    veu_emit_vector(p->t->emit, op,
                    (VeuVectorOperands){ .length = VEU_VECTOR_64_BYTES,
                                         .reg = to,
                                         .vector = a,
                                         .rm = b });
}

/* Like emit_op(), for the lanes in mask @k; the others keep what @to has. */
static void emit_masked(const VeuJitPart *p, VeuVectorOp op, unsigned k,
                        unsigned to, unsigned a, unsigned b)
{
    veu_emit_vector(
        p->t->emit, op,
        (VeuVectorOperands){
            .length = p->length, .reg = to, .vector = a, .rm = b, .mask = k });
}

/* to = a OP count; the operation's digit replaces the first register. */
static void emit_count(const VeuJitPart *p, VeuVectorOp op, unsigned to,
                       unsigned a, unsigned count)
{
    emit_op(p, op, op.digit, to, a);
    veu_emit_byte(p->t->emit, count);
}

static unsigned copy_of(const VeuJitPart *p, unsigned from)
{
    unsigned to = take(p);

    emit_op(p, copy, to, 0, from);
    return to;
}

/* Mask register @k = a RELATION b. */
static void emit_relation(const VeuJitPart *p, VeuVectorOp op, unsigned k,
                          unsigned a, unsigned b, unsigned relation)
{
    emit_op(p, op, k, a, b);
    veu_emit_byte(p->t->emit, relation);
}

static bool is_double(const VeuJitPart *p)
{
    return p->row->from_bytes == 8;
}

/* ---- forms ---- */

unsigned veu_form_copy(const VeuJitPart *p)
{
    return copy_of(p, p->source[0]);
}

unsigned veu_form_unary(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, 0, p->source[0]);
    return to;
}

unsigned veu_form_unary_number(const VeuJitPart *p)
{
    unsigned to = veu_form_unary(p);

    veu_emit_byte(p->t->emit, p->row->number);
    return to;
}

unsigned veu_form_binary(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, p->source[0], p->source[1]);
    return to;
}

/* The vector instruction inverts its first source. */
unsigned veu_form_and_not(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, p->source[1], p->source[0]);
    return to;
}

unsigned veu_form_not(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_op(p, xor_d, to, p->source[0], number(p, UINT32_MAX, 4));
    return to;
}

unsigned veu_form_negate(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_op(p, sub_d, to, number(p, 0, 4), p->source[0]);
    return to;
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
    unsigned to = take(p);

    emit_op(p, p->row->op, to, number(p, 0x3f800000, 4), p->source[0]);
    return to;
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

/* The high dwords of products, which the instruction has for even lanes. */
unsigned veu_form_high(const VeuJitPart *p)
{
    unsigned even = take(p), odd = take(p), b = take(p);

    emit_op(p, p->row->op, even, p->source[0], p->source[1]);
    emit_count(p, shift_right_q, odd, p->source[0], 32);
    emit_count(p, shift_right_q, b, p->source[1], 32);
    emit_op(p, p->row->op, odd, odd, b);
    emit_count(p, shift_right_q, even, even, 32);
    veu_emit_number(p->t->emit, VEU_RAX, 0xaaaa);
    veu_emit_mask_from(p->t->emit, VEU_MASK_OTHER, VEU_RAX);
    emit_masked(p, copy, VEU_MASK_OTHER, even, 0, odd);
    return even;
}

/* The quotients of 8 lanes in doubles, which are exact enough for 32 bits. */
static unsigned divide_8(const VeuJitPart *p, unsigned a, unsigned b)
{
    bool has_sign = p->row->has_sign;
    VeuVectorOp to_doubles = VEU_VECTOR_OP(F3, 0F, 0);
    static const VeuVectorOp divide = Q(0x5e), to_d = Q(0xe6);
    static const VeuVectorOp to_ud = VEU_VECTOR_OP_WIDE(NONE, 0F, 0x78);
    unsigned x = take(p), y = take(p);

    to_doubles.opcode = has_sign ? 0xe6 : 0x7a;
    emit_full(p, to_doubles, x, 0, a);
    emit_full(p, to_doubles, y, 0, b);
    emit_full(p, divide, x, x, y);
    emit_full(p, has_sign ? to_d : to_ud, x, 0, x);
    return x;
}

static unsigned high_half(const VeuJitPart *p, unsigned from)
{
    static const VeuVectorOp extract = Q3A(0x3b);
    unsigned to = take(p);

    emit_full(p, extract, from, 0, to);
    veu_emit_byte(p->t->emit, 1);
    return to;
}

/* Toward zero; what is divided by 0 is not defined yet. */
static unsigned quotients(const VeuJitPart *p)
{
    static const VeuVectorOp insert = Q3A(0x3a);
    unsigned low = divide_8(p, p->source[0], p->source[1]), high;

    if (p->length == VEU_VECTOR_64_BYTES) {
        high = divide_8(p, high_half(p, p->source[0]),
                        high_half(p, p->source[1]));
        emit_full(p, insert, low, low, high);
        veu_emit_byte(p->t->emit, 1);
    }
    return low;
}

/*
 * Division by zero gives the number farthest from 0 with the dividend's sign.
 * For unsigned numbers, and for INT32_MIN / -1, the host's conversion does.
 */
unsigned veu_form_divide(const VeuJitPart *p)
{
    static const VeuVectorOp compare_d = D3A(0x1f);
    static const VeuVectorOp shift_sign = VEU_VECTOR_OP_COUNT(0x72, 4, false);
    unsigned to = quotients(p), sign;

    if (!p->row->has_sign) {
        return to;
    }
    sign = take(p);
    emit_count(p, shift_sign, sign, p->source[0], 31);
    emit_op(p, xor_d, sign, sign, number(p, INT32_MAX, 4));
    emit_relation(p, compare_d, VEU_MASK_RESULT, p->source[1], number(p, 0, 4),
                  EQUAL);
    emit_masked(p, copy, VEU_MASK_RESULT, to, 0, sign);
    return to;
}

/* a - a / b * b, which is a if b is 0 */
unsigned veu_form_modulo(const VeuJitPart *p)
{
    static const VeuVectorOp multiply = D38(0x40);
    unsigned to = quotients(p);

    emit_op(p, multiply, to, to, p->source[1]);
    emit_op(p, sub_d, to, p->source[0], to);
    return to;
}

/* -1 where the relation holds, else 0 */
unsigned veu_form_ones(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_relation(p, p->row->op, VEU_MASK_RESULT, p->source[0], p->source[1],
                  p->row->number);
    emit_op(p, ones_d, to, 0, VEU_MASK_RESULT);
    return to;
}

/*
 * Minimum and maximum of floats: the first source where @number holds for the
 * sources, or where the second is a NaN.
 */
unsigned veu_form_extreme(const VeuJitPart *p)
{
    unsigned to = take(p);

    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0], p->source[1],
                  p->row->number);
    emit_relation(p, compare_f, VEU_MASK_OTHER, p->source[1], p->source[1],
                  F_UNORDERED);
    veu_emit_mask_or(p->t->emit, VEU_MASK_RESULT, VEU_MASK_RESULT,
                     VEU_MASK_OTHER);
    emit_masked(p, blend_d, VEU_MASK_RESULT, to, p->source[1], p->source[0]);
    return to;
}

/* Toward zero; the host has INT32_MIN for what is too large, and for NaNs. */
unsigned veu_form_to_d(const VeuJitPart *p)
{
    unsigned to = veu_form_unary(p);

    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0],
                  number(p, 0x4f000000, 4), F_GREATER_OR_EQUAL);
    emit_masked(p, copy, VEU_MASK_RESULT, to, 0, number(p, INT32_MAX, 4));
    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0], p->source[0],
                  F_UNORDERED);
    emit_masked(p, copy, VEU_MASK_RESULT, to, 0, number(p, 0, 4));
    return to;
}

/* The host has UINT32_MAX for what is outside. */
unsigned veu_form_to_ud(const VeuJitPart *p)
{
    unsigned to = copy_of(p, number(p, 0, 4));

    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0], number(p, 0, 4),
                  F_GREATER);
    emit_masked(p, p->row->op, VEU_MASK_RESULT, to, 0, p->source[0]);
    return to;
}

/* Bytes and words become dwords: one that is the same for all lanes. */
unsigned veu_part_same_small(const VeuJitPart *p)
{
    static const VeuVectorOp broadcast = D38(0x7c);
    uint32_t bits = 8 * p->row->from_bytes;
    uint32_t value = (uint32_t)p->step->value << (32 - bits);
    unsigned to;

    if (p->step->immediate == 0) {
        value = p->row->has_sign ? (uint32_t)((int32_t)value >> (32 - bits)) :
                                   value >> (32 - bits);
        return copy_of(p, number(p, value, 4));
    }
    to = take(p);
    veu_emit_load_small(p->t->emit, VEU_RAX, VEU_REGISTERS, p->step->from[0],
                        p->row->from_bytes, p->row->has_sign);
    emit_op(p, broadcast, to, 0, VEU_RAX);
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

/* The vector instruction has its result where others have a source. */
unsigned veu_form_narrow(const VeuJitPart *p)
{
    unsigned to;

    if (p->shape & 1) {
        return copy_of(p, p->source[0]);
    }
    to = take(p);
    emit_op(p, p->row->op, p->source[0], 0, to);
    return to;
}

/* ---- lanes ---- */

static VeuLanes lanes_of(const VeuJitPart *p, bool runs, bool has_predicate)
{
    const VeuHandlerStep *s = p->step;

    return (VeuLanes){ .is_some = runs || has_predicate,
                       .runs = runs,
                       .has_predicate = has_predicate,
                       .inverse = has_predicate && s->predication.inverse,
                       .predicate = has_predicate ? s->predication.index : 0,
                       .is_one = s->lanes == 1,
                       .first = s->mask_offset + p->first };
}

/* The lanes for which the part is executed. */
VeuLanes veu_part_lanes(const VeuJitPart *p)
{
    const VeuHandlerStep *s = p->step;
    bool whole = !p->t->some &&
                 (unsigned)s->mask_offset + s->lanes <= p->t->program->simd;

    return lanes_of(p, !s->always && !whole, s->predicated);
}

unsigned veu_form_select(const VeuJitPart *p)
{
    VeuLanes first = lanes_of(p, false, p->step->predication.used);
    unsigned k = veu_masks_lanes(&p->t->masks, &first);
    unsigned to;

    if (k == 0) {
        return copy_of(p, p->source[0]);
    }
    to = take(p);
    emit_masked(p, p->row->to_bytes == 8 ? blend_q : blend_d, k, to,
                p->source[1], p->source[0]);
    return to;
}

/* Replaces every NaN by the positive quiet NaN. */
unsigned veu_part_without_nans(const VeuJitPart *p, unsigned from)
{
    static const uint32_t copy_all_but_nans = 0x11111100;
    unsigned bytes = p->row->to_bytes;
    unsigned to = copy_of(
        p, number(p, bytes == 8 ? 0x7ff8000000000000 : 0x7fc00000, bytes));

    emit_op(p, bytes == 8 ? fixup_df : fixup_f, to, from,
            number(p, copy_all_but_nans, bytes));
    veu_emit_byte(p->t->emit, 0);
    return to;
}

/* The register becomes the result at byte @to, where the part's lanes run. */
void veu_part_store(const VeuJitPart *p, unsigned from, uint32_t to)
{
    VeuValues *v = &p->t->values;
    unsigned bytes = p->row->to_bytes;
    uint32_t at = to + p->first * bytes;
    bool one = p->lanes == 1;
    VeuLanes lanes = veu_part_lanes(p);
    unsigned k = veu_masks_lanes(&p->t->masks, &lanes);

    if (p->instruction->is_staged) {
        veu_elements_store(p->t, &p->instruction->dst, from, p->first, p->lanes,
                           k);
        return;
    }
    if (k) {
        unsigned old = one ? veu_values_same(v, at, bytes) :
                             veu_values_bytes(v, at, p->lanes * bytes);
        VeuVectorOp op = copy;

        op.wide = bytes == 8;
        emit_masked(p, op, k, old, 0, from);
        from = old;
    }
    if (one) {
        veu_values_store_same(v, from, at, bytes);
    } else {
        veu_values_store(v, from, at, p->lanes * bytes);
    }
}

/* ---- comparisons and carries ---- */

/* A mask register has the relation's bits; rax gets those of all parts. */
unsigned veu_form_compare(const VeuJitPart *p)
{
    emit_relation(p, p->row->op, VEU_MASK_RESULT, p->source[0], p->source[1],
                  p->row->number);
    veu_emit_mask_to(p->t->emit, VEU_RAX, VEU_MASK_RESULT);
    return 0;
}

/* The low dwords of sums, and what is carried to the second destination. */
unsigned veu_form_carry(const VeuJitPart *p)
{
    bool adds = p->row->op.opcode == 0xfe;
    unsigned sum = veu_form_binary(p), carry = take(p);

    /* A sum is less than its parts, a difference is more, if it wraps. */
    emit_relation(p, compare_ud, VEU_MASK_RESULT, adds ? sum : p->source[0],
                  adds ? p->source[0] : p->source[1], LESS);
    veu_emit_vector(p->t->emit, copy,
                    (VeuVectorOperands){ .length = p->length,
                                         .reg = carry,
                                         .rm = number(p, 1, 4),
                                         .mask = VEU_MASK_RESULT,
                                         .zeros = true });
    veu_part_store(p, carry, p->step->from[2]);
    return sum;
}
