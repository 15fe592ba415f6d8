/*
 * veu execution unit: forms of host code that need several steps with AVX2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/form_code.h"

static const VeuVectorOp and_d = D(0xdb), and_q = Q(0xdb), or_d = D(0xeb);
static const VeuVectorOp xor_d = D(0xef), add_d = D(0xfe), sub_d = D(0xfa);
static const VeuVectorOp add_q = Q(0xd4), sub_q = Q(0xfb);
static const VeuVectorOp equal_d = D(0x76);
static const VeuVectorOp shift_left_q = VEU_VECTOR_OP_COUNT(0x73, 6, true);
static const VeuVectorOp shift_right_q = VEU_VECTOR_OP_COUNT(0x73, 2, true);
static const VeuVectorOp shift_right_d = VEU_VECTOR_OP_COUNT(0x72, 2, false);
static const VeuVectorOp f_of_d = F(0x5b), d_of_f = F3(0x5b);
static const VeuVectorOp compare_f = F(0xc2);

static unsigned shift(const VeuJitPart *p, VeuVectorOp op, unsigned a,
                      unsigned count)
{
    unsigned to = take(p);

    emit_count(p, op, to, a, count);
    return to;
}

/* ---- comparisons and carries ---- */

/*
 * AVX2 compares signed integers, and for "equal" and "greater". Of unsigned
 * dwords, a is less than b if it is not their maximum, and at most b if it is
 * their minimum; quad words, which have neither, are compared with their
 * highest bits inverted.
 */
static unsigned integer_relation(const VeuJitPart *p)
{
    const VeuJitRow *row = p->row;
    unsigned a = p->source[0], b = p->source[1], to = take(p);

    if (row->number & VEU_RELATION_EXTREME) {
        emit_op(p, row->op2, to, a, b);
        b = to;
    } else if (row->number & VEU_RELATION_FLIPPED) {
        unsigned sign = number(p, UINT64_C(1) << 63, 8);

        a = combine(p, xor_d, a, sign);
        b = combine(p, xor_d, b, sign);
    }
    if (row->number & VEU_RELATION_SWAPPED) {
        emit_op(p, row->op, to, b, a);
    } else {
        emit_op(p, row->op, to, a, b);
    }
    if (row->number & VEU_RELATION_INVERTED) {
        emit_op(p, xor_d, to, to, number(p, UINT32_MAX, 4));
    }
    return to;
}

/* -1 where the relation holds, else 0 */
unsigned veu_form_ones_avx2(const VeuJitPart *p)
{
    unsigned to;

    if (!p->row->is_float) {
        return integer_relation(p);
    }
    to = take(p);
    emit_op_byte(p, p->row->op, to, p->source[0], p->source[1], p->row->number);
    return to;
}

/* The highest bits of the relation's elements become those of rax. */
unsigned veu_form_compare_avx2(const VeuJitPart *p)
{
    static const VeuVectorOp bits_of_d = F(0x50), bits_of_q = D(0x50);

    emit_op(p, is_double(p) ? bits_of_q : bits_of_d, VEU_RAX, 0,
            veu_form_ones_avx2(p));
    return 0;
}

/*
 * The low dwords of sums, and what is carried to the second destination: 1
 * unless the sum, or what is subtracted from, is the greater one of two.
 */
unsigned veu_form_carry_avx2(const VeuJitPart *p)
{
    static const VeuVectorOp max_ud = D38(0x3f);
    bool adds = p->row->op.opcode == add_d.opcode;
    unsigned sum = veu_form_binary(p);
    unsigned greater = adds ? sum : p->source[0];
    unsigned carry = combine(p, max_ud, greater, p->source[!adds]);

    emit_op(p, equal_d, carry, carry, greater);
    emit_op(p, add_d, carry, carry, number(p, 1, 4));
    veu_part_store(p, carry, p->step->from[2]);
    return sum;
}

/* ---- integers ---- */

/* Rotates to the left by 0 to 32: a shift by 32 leaves 0. */
static unsigned rotate_by_number(const VeuJitPart *p, unsigned count)
{
    static const VeuVectorOp left = VEU_VECTOR_OP_COUNT(0x72, 6, false);
    unsigned a = shift(p, left, p->source[0], count);
    unsigned b = shift(p, shift_right_d, p->source[0], 32 - count);

    return combine(p, or_d, a, b);
}

/* Rotates to the side that the row names. A shift by 32 leaves 0. */
unsigned veu_form_rotate(const VeuJitPart *p)
{
    static const VeuVectorOp left = D38(0x47), right = D38(0x45);
    bool to_right = p->row->number;
    unsigned count, a, b;

    if (p->step->immediate == 1) {
        count = p->step->value & 31;
        return rotate_by_number(p, to_right ? 32 - count : count);
    }
    count = combine(p, and_d, p->source[1], number(p, 31, 4));
    a = combine(p, to_right ? right : left, p->source[0], count);
    emit_op(p, sub_d, count, number(p, 32, 4), count);
    b = combine(p, to_right ? left : right, p->source[0], count);
    return combine(p, or_d, a, b);
}

/* Products of dwords: those of the low ones, and, 32 bits higher, the mixed. */
unsigned veu_form_multiply_q(const VeuJitPart *p)
{
    static const VeuVectorOp multiply = Q(0xf4);
    unsigned a = p->source[0], b = p->source[1];
    unsigned mixed = shift(p, shift_right_q, a, 32);
    unsigned other = shift(p, shift_right_q, b, 32);

    emit_op(p, multiply, mixed, mixed, b);
    emit_op(p, multiply, other, other, a);
    emit_op(p, add_q, mixed, mixed, other);
    emit_count(p, shift_left_q, mixed, mixed, 32);
    emit_op(p, multiply, other, a, b);
    emit_op(p, add_q, mixed, mixed, other);
    return mixed;
}

/* A logical shift, after which the sign's bit is made that of all above it. */
unsigned veu_form_shift_sign_q(const VeuJitPart *p)
{
    static const VeuVectorOp right = Q38(0x45);
    const uint64_t sign = UINT64_C(1) << 63;
    unsigned count, to, high;

    if (p->step->immediate == 1) {
        count = p->step->value & 63;
        to = shift(p, shift_right_q, p->source[0], count);
        high = number(p, sign >> count, 8);
    } else {
        count = combine(p, and_q, p->source[1], number(p, 63, 8));
        to = combine(p, right, p->source[0], count);
        high = combine(p, right, number(p, sign, 8), count);
    }
    emit_op(p, xor_d, to, to, high);
    emit_op(p, sub_q, to, to, high);
    return to;
}

/* ---- conversions ---- */

/* The halves are exact, and so is the product: only the sum is rounded. */
unsigned veu_form_f_of_ud(const VeuJitPart *p)
{
    static const VeuVectorOp multiply = F(0x59), add = F(0x58);
    unsigned high = shift(p, shift_right_d, p->source[0], 16);
    unsigned low = combine(p, and_d, p->source[0], number(p, UINT16_MAX, 4));

    emit_op(p, f_of_d, high, 0, high);
    emit_op(p, f_of_d, low, 0, low);
    emit_op(p, multiply, high, high, number(p, 0x47800000, 4)); /* 65536 */
    emit_op(p, add, high, high, low);
    return high;
}

/* As signed numbers that are 2^31 less. */
unsigned veu_form_df_of_ud(const VeuJitPart *p)
{
    static const VeuVectorOp df_of_d = F3(0xe6), add = Q(0x58);
    unsigned to = combine(p, xor_d, p->source[0], number(p, 1u << 31, 4));

    emit_op(p, df_of_d, to, 0, to);
    emit_op(p, add, to, to, number(p, 0x41e0000000000000, 8)); /* 2^31 */
    return to;
}

/*
 * Toward zero, as signed numbers: those from 2^31 on less that. A maximum with
 * 0 has the second operand if the first is a NaN.
 */
unsigned veu_form_to_ud_avx2(const VeuJitPart *p)
{
    static const VeuVectorOp max = F(0x5f), sub = F(0x5c);
    unsigned half = number(p, 0x4f000000, 4);
    unsigned x = combine(p, max, p->source[0], number(p, 0, 4));
    unsigned is_high = take(p), is_outside = take(p), to;

    emit_op_byte(p, compare_f, is_high, x, half, F_GREATER_OR_EQUAL);
    emit_op_byte(p, compare_f, is_outside, x, number(p, 0x4f800000, 4),
                 F_GREATER_OR_EQUAL);
    to = combine(p, and_d, is_high, half);
    emit_op(p, sub, to, x, to);
    emit_op(p, d_of_f, to, 0, to);
    emit_op(p, and_d, is_high, is_high, number(p, 1u << 31, 4));
    emit_op(p, xor_d, to, to, is_high);
    emit_op(p, or_d, to, to, is_outside);
    return to;
}
