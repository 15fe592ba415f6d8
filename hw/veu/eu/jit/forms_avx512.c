/*
 * veu execution unit: forms of host code that need AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/form_code.h"

static const VeuVectorOp copy = F3(0x6f);
static const VeuVectorOp sub_d = D(0xfa), xor_d = D(0xef);

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
                        unsigned to, unsigned b)
{
    VeuVectorOperands o = operands(p, to, 0, b);

    o.mask = k;
    veu_emit_vector(p->t->emit, op, o);
}

/* ---- division ---- */

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
    emit_op_byte(p, compare_d, VEU_MASK_RESULT, p->source[1], number(p, 0, 4),
                 EQUAL);
    emit_masked(p, copy, VEU_MASK_RESULT, to, sign);
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

/* ---- conversions ---- */

/* The host has UINT32_MAX for what is outside. */
unsigned veu_form_to_ud_avx512(const VeuJitPart *p)
{
    static const VeuVectorOp compare_f = F(0xc2);
    unsigned to = copy_of(p, number(p, 0, 4));

    emit_op_byte(p, compare_f, VEU_MASK_RESULT, p->source[0], number(p, 0, 4),
                 F_GREATER);
    emit_masked(p, p->row->op, VEU_MASK_RESULT, to, p->source[0]);
    return to;
}

/* ---- comparisons and carries ---- */

/* -1 where the relation holds, else 0 */
unsigned veu_form_ones_avx512(const VeuJitPart *p)
{
    static const VeuVectorOp ones_d = VEU_VECTOR_OP(F3, 0F38, 0x38);
    unsigned to = take(p);

    emit_op_byte(p, p->row->op, VEU_MASK_RESULT, p->source[0], p->source[1],
                 p->row->number);
    emit_op(p, ones_d, to, 0, VEU_MASK_RESULT);
    return to;
}

/* A mask register has the relation's bits; rax gets those of all parts. */
unsigned veu_form_compare_avx512(const VeuJitPart *p)
{
    emit_op_byte(p, p->row->op, VEU_MASK_RESULT, p->source[0], p->source[1],
                 p->row->number);
    veu_emit_mask_to(p->t->emit, VEU_RAX, VEU_MASK_RESULT);
    return 0;
}

/* The low dwords of sums, and what is carried to the second destination. */
unsigned veu_form_carry_avx512(const VeuJitPart *p)
{
    static const VeuVectorOp compare_ud = D3A(0x1e);
    bool adds = p->row->op.opcode == 0xfe;
    unsigned sum = veu_form_binary(p), carry = take(p);
    VeuVectorOperands one;

    /* A sum is less than its parts, a difference is more, if it wraps. */
    emit_op_byte(p, compare_ud, VEU_MASK_RESULT, adds ? sum : p->source[0],
                 adds ? p->source[0] : p->source[1], LESS);
    one = operands(p, carry, 0, number(p, 1, 4));
    one.mask = VEU_MASK_RESULT;
    one.zeros = true;
    veu_emit_vector(p->t->emit, copy, one);
    veu_part_store(p, carry, p->step->from[2]);
    return sum;
}
