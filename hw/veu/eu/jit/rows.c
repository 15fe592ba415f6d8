/*
 * veu execution unit: host code for the rows of handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A row of handler_rows.h is an operation on one type. Here it has a form, a
 * function that writes the host's instructions for one vector of lanes, and the
 * vector instruction that the form uses. Results have the same bits as the
 * row's handlers.
 */
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/jit/elements.h"

typedef struct Row Row;

/* The lanes of a step that fit a vector register. */
typedef struct Part {
    VeuJit *t;
    const VeuInstruction *instruction;
    const VeuHandlerStep *step;
    const Row *row;
    unsigned first; /* lane of the step */
    unsigned lanes;
    VeuVectorLength length;               /* of the longest of its vectors */
    unsigned source[VEU_HANDLER_SOURCES]; /* vector registers */
    unsigned shape;
} Part;

/* Returns the register with the result, which nothing else needs. */
typedef unsigned Form(const Part *p);

struct Row {
    Form *form;
    uint8_t to_bytes;
    uint8_t from_bytes;
    uint8_t sources;
    bool has_nans;  /* the result may be any NaN */
    bool is_float;  /* it reads F or DF, whose subnormals %cr0 may flush */
    bool rounds;    /* right only where the host rounds to nearest */
    bool has_sign;  /* small elements are signed */
    uint8_t number; /* immediate byte of @op */
    VeuVectorOp op;
    VeuVectorOp op2; /* the same with an immediate count, or another step */
};

/* ---- instructions ---- */

#define D(opcode)   VEU_VECTOR_OP(66, 0F, opcode)
#define Q(opcode)   VEU_VECTOR_OP_WIDE(66, 0F, opcode)
#define D38(opcode) VEU_VECTOR_OP(66, 0F38, opcode)
#define Q38(opcode) VEU_VECTOR_OP_WIDE(66, 0F38, opcode)
#define D3A(opcode) VEU_VECTOR_OP(66, 0F3A, opcode)
#define Q3A(opcode) VEU_VECTOR_OP_WIDE(66, 0F3A, opcode)
#define F(opcode)   VEU_VECTOR_OP(NONE, 0F, opcode)
#define F2(opcode)  VEU_VECTOR_OP(F2, 0F, opcode)
#define F3(opcode)  VEU_VECTOR_OP(F3, 0F, opcode)

static const VeuVectorOp copy = F3(0x6f);
static const VeuVectorOp sub_d = D(0xfa), xor_d = D(0xef);
static const VeuVectorOp and_d = D(0xdb), and_q = Q(0xdb);
static const VeuVectorOp shift_right_q = VEU_VECTOR_OP_COUNT(0x73, 2, true);
static const VeuVectorOp compare_ud = D3A(0x1e), compare_f = F(0xc2);
static const VeuVectorOp blend_d = D38(0x64), blend_q = Q38(0x64);
static const VeuVectorOp fixup_f = D3A(0x54), fixup_df = Q3A(0x54);
static const VeuVectorOp ones_d = VEU_VECTOR_OP(F3, 0F38, 0x38);

/* Relations of integers, and of floats. */
enum {
    EQUAL,
    LESS,
    LESS_OR_EQUAL,
    NOT_EQUAL = 4
};
enum {
    F_EQUAL,
    F_LESS = 17,
    F_LESS_OR_EQUAL = 18,
    F_UNORDERED = 3,
    F_NOT_EQUAL = 4,
    F_GREATER_OR_EQUAL = 29,
    F_GREATER = 30
};

/* ---- parts of forms ---- */

static VeuEmit *emit_of(const Part *p)
{
    return p->t->emit;
}

static unsigned take(const Part *p)
{
    return veu_values_take(&p->t->values);
}

static unsigned number(const Part *p, uint64_t value, unsigned bytes)
{
    return veu_values_number(&p->t->values, value, bytes);
}

/* to = a OP b; for operations with one source, @a is 0. */
static void emit_op(const Part *p, VeuVectorOp op, unsigned to, unsigned a,
                    unsigned b)
{
    veu_emit_vector(emit_of(p), op,
                    (VeuVectorOperands){
                        .length = p->length, .reg = to, .vector = a, .rm = b });
}

/* Like emit_op(), for vectors of 64 bytes. */
static void emit_full(const Part *p, VeuVectorOp op, unsigned to, unsigned a,
                      unsigned b)
{
    veu_emit_vector(emit_of(p), op,
                    (VeuVectorOperands){ .length = VEU_VECTOR_64_BYTES,
                                         .reg = to,
                                         .vector = a,
                                         .rm = b });
}

/* Like emit_op(), for the lanes in mask @k; the others keep what @to has. */
static void emit_masked(const Part *p, VeuVectorOp op, unsigned k, unsigned to,
                        unsigned a, unsigned b)
{
    veu_emit_vector(
        emit_of(p), op,
        (VeuVectorOperands){
            .length = p->length, .reg = to, .vector = a, .rm = b, .mask = k });
}

/* to = a OP count; the operation's digit replaces the first register. */
static void emit_count(const Part *p, VeuVectorOp op, unsigned to, unsigned a,
                       unsigned count)
{
    emit_op(p, op, op.digit, to, a);
    veu_emit_byte(emit_of(p), count);
}

static unsigned copy_of(const Part *p, unsigned from)
{
    unsigned to = take(p);

    emit_op(p, copy, to, 0, from);
    return to;
}

/* Mask register @k = a RELATION b. */
static void emit_relation(const Part *p, VeuVectorOp op, unsigned k, unsigned a,
                          unsigned b, unsigned relation)
{
    emit_op(p, op, k, a, b);
    veu_emit_byte(emit_of(p), relation);
}

static bool is_double(const Part *p)
{
    return p->row->from_bytes == 8;
}

/* ---- forms ---- */

static unsigned form_copy(const Part *p)
{
    return copy_of(p, p->source[0]);
}

static unsigned form_unary(const Part *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, 0, p->source[0]);
    return to;
}

static unsigned form_unary_number(const Part *p)
{
    unsigned to = form_unary(p);

    veu_emit_byte(emit_of(p), p->row->number);
    return to;
}

static unsigned form_binary(const Part *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, p->source[0], p->source[1]);
    return to;
}

/* The vector instruction inverts its first source. */
static unsigned form_and_not(const Part *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, p->source[1], p->source[0]);
    return to;
}

static unsigned form_not(const Part *p)
{
    unsigned to = take(p);

    emit_op(p, xor_d, to, p->source[0], number(p, UINT32_MAX, 4));
    return to;
}

static unsigned form_negate(const Part *p)
{
    unsigned to = take(p);

    emit_op(p, sub_d, to, number(p, 0, 4), p->source[0]);
    return to;
}

/* a op b op2 c */
static unsigned form_two_steps(const Part *p)
{
    unsigned to = form_binary(p);

    emit_op(p, p->row->op2, to, to, p->source[2]);
    return to;
}

/* a * b + c, rounded once */
static unsigned form_fused(const Part *p)
{
    unsigned to = copy_of(p, p->source[0]);

    emit_op(p, p->row->op, to, p->source[1], p->source[2]);
    return to;
}

static unsigned form_inverse(const Part *p)
{
    unsigned to = take(p);

    emit_op(p, p->row->op, to, number(p, 0x3f800000, 4), p->source[0]);
    return to;
}

/* Counts have 5 bits for dwords, 6 for quad words. */
static unsigned form_shift(const Part *p)
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
static unsigned form_high(const Part *p)
{
    unsigned even = take(p), odd = take(p), b = take(p);

    emit_op(p, p->row->op, even, p->source[0], p->source[1]);
    emit_count(p, shift_right_q, odd, p->source[0], 32);
    emit_count(p, shift_right_q, b, p->source[1], 32);
    emit_op(p, p->row->op, odd, odd, b);
    emit_count(p, shift_right_q, even, even, 32);
    veu_emit_number(emit_of(p), VEU_RAX, 0xaaaa);
    veu_emit_mask_from(emit_of(p), VEU_MASK_OTHER, VEU_RAX);
    emit_masked(p, copy, VEU_MASK_OTHER, even, 0, odd);
    return even;
}

/* The quotients of 8 lanes in doubles, which are exact enough for 32 bits. */
static unsigned divide_8(const Part *p, unsigned a, unsigned b)
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

static unsigned high_half(const Part *p, unsigned from)
{
    static const VeuVectorOp extract = Q3A(0x3b);
    unsigned to = take(p);

    emit_full(p, extract, from, 0, to);
    veu_emit_byte(emit_of(p), 1);
    return to;
}

/* Toward zero; what is divided by 0 is not defined yet. */
static unsigned quotients(const Part *p)
{
    static const VeuVectorOp insert = Q3A(0x3a);
    unsigned low = divide_8(p, p->source[0], p->source[1]), high;

    if (p->length == VEU_VECTOR_64_BYTES) {
        high = divide_8(p, high_half(p, p->source[0]),
                        high_half(p, p->source[1]));
        emit_full(p, insert, low, low, high);
        veu_emit_byte(emit_of(p), 1);
    }
    return low;
}

/*
 * Division by zero gives the number farthest from 0 with the dividend's sign.
 * For unsigned numbers, and for INT32_MIN / -1, the host's conversion does.
 */
static unsigned form_divide(const Part *p)
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
static unsigned form_modulo(const Part *p)
{
    static const VeuVectorOp multiply = D38(0x40);
    unsigned to = quotients(p);

    emit_op(p, multiply, to, to, p->source[1]);
    emit_op(p, sub_d, to, p->source[0], to);
    return to;
}

/* -1 where the relation holds, else 0 */
static unsigned form_ones(const Part *p)
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
static unsigned form_extreme(const Part *p)
{
    unsigned to = take(p);

    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0], p->source[1],
                  p->row->number);
    emit_relation(p, compare_f, VEU_MASK_OTHER, p->source[1], p->source[1],
                  F_UNORDERED);
    veu_emit_mask_or(emit_of(p), VEU_MASK_RESULT, VEU_MASK_RESULT,
                     VEU_MASK_OTHER);
    emit_masked(p, blend_d, VEU_MASK_RESULT, to, p->source[1], p->source[0]);
    return to;
}

/* Toward zero; the host has INT32_MIN for what is too large, and for NaNs. */
static unsigned form_to_d(const Part *p)
{
    unsigned to = form_unary(p);

    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0],
                  number(p, 0x4f000000, 4), F_GREATER_OR_EQUAL);
    emit_masked(p, copy, VEU_MASK_RESULT, to, 0, number(p, INT32_MAX, 4));
    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0], p->source[0],
                  F_UNORDERED);
    emit_masked(p, copy, VEU_MASK_RESULT, to, 0, number(p, 0, 4));
    return to;
}

/* The host has UINT32_MAX for what is outside. */
static unsigned form_to_ud(const Part *p)
{
    unsigned to = copy_of(p, number(p, 0, 4));

    emit_relation(p, compare_f, VEU_MASK_RESULT, p->source[0], number(p, 0, 4),
                  F_GREATER);
    emit_masked(p, p->row->op, VEU_MASK_RESULT, to, 0, p->source[0]);
    return to;
}

/* Bytes and words become dwords: one that is the same for all lanes. */
static unsigned same_small(const Part *p)
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
    veu_emit_load_small(emit_of(p), VEU_RAX, VEU_REGISTERS, p->step->from[0],
                        p->row->from_bytes, p->row->has_sign);
    emit_op(p, broadcast, to, 0, VEU_RAX);
    return to;
}

static unsigned form_extend(const Part *p)
{
    unsigned to;

    if (p->shape & 1) {
        return copy_of(p, p->source[0]);
    }
    to = take(p);
    veu_emit_vector(emit_of(p), p->row->op,
                    (VeuVectorOperands){ .length = p->length,
                                         .reg = to,
                                         .rm = VEU_REGISTERS,
                                         .is_memory = true,
                                         .at = p->step->from[0] +
                                               p->first * p->row->from_bytes });
    return to;
}

/* The vector instruction has its result where others have a source. */
static unsigned form_narrow(const Part *p)
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

static VeuLanes lanes_of(const Part *p, bool runs, bool has_predicate)
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
static VeuLanes active_lanes(const Part *p)
{
    const VeuHandlerStep *s = p->step;
    bool whole = !p->t->some &&
                 (unsigned)s->mask_offset + s->lanes <= p->t->program->simd;

    return lanes_of(p, !s->always && !whole, s->predicated);
}

static unsigned form_select(const Part *p)
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
static unsigned without_nans(const Part *p, unsigned from)
{
    static const uint32_t copy_all_but_nans = 0x11111100;
    unsigned bytes = p->row->to_bytes;
    unsigned to = copy_of(
        p, number(p, bytes == 8 ? 0x7ff8000000000000 : 0x7fc00000, bytes));

    emit_op(p, bytes == 8 ? fixup_df : fixup_f, to, from,
            number(p, copy_all_but_nans, bytes));
    veu_emit_byte(emit_of(p), 0);
    return to;
}

/* The register becomes the result at byte @to, where the part's lanes run. */
static void store(const Part *p, unsigned from, uint32_t to)
{
    VeuValues *v = &p->t->values;
    unsigned bytes = p->row->to_bytes;
    uint32_t at = to + p->first * bytes;
    bool one = p->lanes == 1;
    VeuLanes lanes = active_lanes(p);
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
static unsigned form_compare(const Part *p)
{
    emit_relation(p, p->row->op, VEU_MASK_RESULT, p->source[0], p->source[1],
                  p->row->number);
    veu_emit_mask_to(emit_of(p), VEU_RAX, VEU_MASK_RESULT);
    return 0;
}

/* The low dwords of sums, and what is carried to the second destination. */
static unsigned form_carry(const Part *p)
{
    bool adds = p->row->op.opcode == 0xfe;
    unsigned sum = form_binary(p), carry = take(p);

    /* A sum is less than its parts, a difference is more, if it wraps. */
    emit_relation(p, compare_ud, VEU_MASK_RESULT, adds ? sum : p->source[0],
                  adds ? p->source[0] : p->source[1], LESS);
    veu_emit_vector(emit_of(p), copy,
                    (VeuVectorOperands){ .length = p->length,
                                         .reg = carry,
                                         .rm = number(p, 1, 4),
                                         .mask = VEU_MASK_RESULT,
                                         .zeros = true });
    store(p, carry, p->step->from[2]);
    return sum;
}

/* ---- the table ---- */

#define ROW(name, form_, to, from, sources_, ...)     \
    [VEU_HANDLER_ROW_##name] = { .form = form_,       \
                                 .to_bytes = to,      \
                                 .from_bytes = from,  \
                                 .sources = sources_, \
                                 __VA_ARGS__ }
#define BINARY(name, bytes, op_) \
    ROW(name, form_binary, bytes, bytes, 2, .op = op_)
#define SHIFT(name, bytes, op_, count) \
    ROW(name, form_shift, bytes, bytes, 2, .op = op_, .op2 = count)
#define EXTEND(name, bytes, sign, op_) \
    ROW(name, form_extend, 4, bytes, 1, .has_sign = sign, .op = op_)
#define CONVERT(name, to, from, op_) \
    ROW(name, form_unary, to, from, 1, .op = op_)
#define COMPARE(name, bytes, op_, relation) \
    ROW(name, form_compare, 0, bytes, 2, .number = relation, .op = op_)
#define ONES(name, op_, relation) \
    ROW(name, form_ones, 4, 4, 2, .number = relation, .op = op_)
#define REAL(name, form, bytes, sources, op_)                                  \
    ROW(name, form, bytes, bytes, sources, .has_nans = true, .is_float = true, \
        .op = op_)
#define ROUND(name, mode)                                                     \
    ROW(name, form_unary_number, 4, 4, 1, .has_nans = true, .is_float = true, \
        .number = mode, .op = D3A(0x08))
#define EXTREME(name, relation)                                          \
    ROW(name, form_extreme, 4, 4, 2, .has_nans = true, .is_float = true, \
        .number = relation)
#define COMPARE_REAL(name, bytes, relation, op_)                               \
    ROW(name, form_compare, 0, bytes, 2, .is_float = true, .number = relation, \
        .op = op_)
#define ONES_REAL(name, relation)                                       \
    ROW(name, form_ones, 4, 4, 2, .is_float = true, .number = relation, \
        .op = F(0xc2))

static const Row rows[VEU_HANDLER_ROWS] = {
    ROW(mov_d, form_copy, 4, 4, 1, ),
    ROW(mov_q, form_copy, 8, 8, 1, ),
    EXTEND(mov_d_ub, 1, false, VEU_VECTOR_OP_PART(66, 0x31, QUARTER)),
    EXTEND(mov_d_b, 1, true, VEU_VECTOR_OP_PART(66, 0x21, QUARTER)),
    EXTEND(mov_d_uw, 2, false, VEU_VECTOR_OP_PART(66, 0x33, HALF)),
    EXTEND(mov_d_w, 2, true, VEU_VECTOR_OP_PART(66, 0x23, HALF)),
    CONVERT(mov_q_ud, 8, 4, D38(0x35)),
    CONVERT(mov_q_d, 8, 4, D38(0x25)),
    ROW(mov_d_q, form_narrow, 4, 8, 1, .op = VEU_VECTOR_OP(F3, 0F38, 0x35)),
    ROW(mov_f_d, form_unary, 4, 4, 1, .rounds = true, .op = F(0x5b)),
    ROW(mov_f_ud, form_unary, 4, 4, 1, .rounds = true, .op = F2(0x7a)),
    CONVERT(mov_df_d, 8, 4, F3(0xe6)),
    CONVERT(mov_df_ud, 8, 4, F3(0x7a)),
    ROW(mov_d_f, form_to_d, 4, 4, 1, .rounds = true, .op = F3(0x5b)),
    ROW(mov_ud_f, form_to_ud, 4, 4, 1, .rounds = true, .op = F(0x78)),
    ROW(sel_d, form_select, 4, 4, 2, ),
    ROW(sel_q, form_select, 8, 8, 2, ),
    BINARY(add_d, 4, D(0xfe)),
    ROW(neg_d, form_negate, 4, 4, 1, ),
    BINARY(sub_d, 4, D(0xfa)),
    BINARY(mul_d, 4, D38(0x40)),
    ROW(mad_d, form_two_steps, 4, 4, 3, .op = D38(0x40), .op2 = D(0xfe)),
    ROW(add3_d, form_two_steps, 4, 4, 3, .op = D(0xfe), .op2 = D(0xfe)),
    ROW(mulh_d, form_high, 4, 4, 2, .op = Q38(0x28)),
    ROW(mulh_ud, form_high, 4, 4, 2, .op = Q(0xf4)),
    BINARY(and_d, 4, D(0xdb)),
    ROW(andn_d, form_and_not, 4, 4, 2, .op = D(0xdf)),
    BINARY(or_d, 4, D(0xeb)),
    BINARY(xor_d, 4, D(0xef)),
    ROW(not_d, form_not, 4, 4, 1, ),
    SHIFT(shl_d, 4, D38(0x47), VEU_VECTOR_OP_COUNT(0x72, 6, false)),
    SHIFT(shr_d, 4, D38(0x45), VEU_VECTOR_OP_COUNT(0x72, 2, false)),
    SHIFT(asr_d, 4, D38(0x46), VEU_VECTOR_OP_COUNT(0x72, 4, false)),
    SHIFT(rol_d, 4, D38(0x15), VEU_VECTOR_OP_COUNT(0x72, 1, false)),
    SHIFT(ror_d, 4, D38(0x14), VEU_VECTOR_OP_COUNT(0x72, 0, false)),
    ROW(addc_d, form_carry, 4, 4, 2, .op = D(0xfe)),
    ROW(subb_d, form_carry, 4, 4, 2, .op = D(0xfa)),
    ROW(div_d, form_divide, 4, 4, 2, .rounds = true, .has_sign = true),
    ROW(div_ud, form_divide, 4, 4, 2, .rounds = true),
    ROW(mod_d, form_modulo, 4, 4, 2, .rounds = true, .has_sign = true),
    ROW(mod_ud, form_modulo, 4, 4, 2, .rounds = true),
    BINARY(min_d, 4, D38(0x39)),
    BINARY(max_d, 4, D38(0x3d)),
    BINARY(min_ud, 4, D38(0x3b)),
    BINARY(max_ud, 4, D38(0x3f)),
    COMPARE(eq_d, 4, D3A(0x1f), EQUAL),
    COMPARE(ne_d, 4, D3A(0x1f), NOT_EQUAL),
    COMPARE(lt_d, 4, D3A(0x1f), LESS),
    COMPARE(le_d, 4, D3A(0x1f), LESS_OR_EQUAL),
    COMPARE(lt_ud, 4, D3A(0x1e), LESS),
    COMPARE(le_ud, 4, D3A(0x1e), LESS_OR_EQUAL),
    ONES(eq_d_d, D3A(0x1f), EQUAL),
    ONES(ne_d_d, D3A(0x1f), NOT_EQUAL),
    ONES(lt_d_d, D3A(0x1f), LESS),
    ONES(le_d_d, D3A(0x1f), LESS_OR_EQUAL),
    ONES(lt_ud_d, D3A(0x1e), LESS),
    ONES(le_ud_d, D3A(0x1e), LESS_OR_EQUAL),
    ONES_REAL(eq_f_d, F_EQUAL),
    ONES_REAL(ne_f_d, F_NOT_EQUAL),
    ONES_REAL(lt_f_d, F_LESS),
    ONES_REAL(le_f_d, F_LESS_OR_EQUAL),
    BINARY(add_q, 8, Q(0xd4)),
    BINARY(sub_q, 8, Q(0xfb)),
    BINARY(mul_q, 8, Q38(0x40)),
    BINARY(and_q, 8, Q(0xdb)),
    ROW(andn_q, form_and_not, 8, 8, 2, .op = Q(0xdf)),
    BINARY(or_q, 8, Q(0xeb)),
    BINARY(xor_q, 8, Q(0xef)),
    SHIFT(shl_q, 8, Q38(0x47), VEU_VECTOR_OP_COUNT(0x73, 6, true)),
    SHIFT(shr_q, 8, Q38(0x45), VEU_VECTOR_OP_COUNT(0x73, 2, true)),
    SHIFT(asr_q, 8, Q38(0x46), VEU_VECTOR_OP_COUNT(0x72, 4, true)),
    COMPARE(eq_q, 8, Q3A(0x1f), EQUAL),
    COMPARE(ne_q, 8, Q3A(0x1f), NOT_EQUAL),
    COMPARE(lt_q, 8, Q3A(0x1f), LESS),
    COMPARE(le_q, 8, Q3A(0x1f), LESS_OR_EQUAL),
    COMPARE(lt_uq, 8, Q3A(0x1e), LESS),
    COMPARE(le_uq, 8, Q3A(0x1e), LESS_OR_EQUAL),
    REAL(add_f, form_binary, 4, 2, F(0x58)),
    REAL(sub_f, form_binary, 4, 2, F(0x5c)),
    REAL(mul_f, form_binary, 4, 2, F(0x59)),
    REAL(mad_f, form_fused, 4, 3, D38(0xa8)),
    REAL(div_f, form_binary, 4, 2, F(0x5e)),
    ROW(inv_f, form_inverse, 4, 4, 1, .has_nans = true, .is_float = true,
        .rounds = true, .op = F(0x5e)),
    REAL(sqrt_f, form_unary, 4, 1, F(0x51)),
    EXTREME(min_f, F_LESS),
    EXTREME(max_f, F_GREATER_OR_EQUAL),
    ROUND(rndd_f, 9),
    ROUND(rndu_f, 10),
    ROUND(rnde_f, 8),
    ROUND(rndz_f, 11),
    COMPARE_REAL(eq_f, 4, F_EQUAL, F(0xc2)),
    COMPARE_REAL(ne_f, 4, F_NOT_EQUAL, F(0xc2)),
    COMPARE_REAL(lt_f, 4, F_LESS, F(0xc2)),
    COMPARE_REAL(le_f, 4, F_LESS_OR_EQUAL, F(0xc2)),
    REAL(add_df, form_binary, 8, 2, Q(0x58)),
    REAL(sub_df, form_binary, 8, 2, Q(0x5c)),
    REAL(mul_df, form_binary, 8, 2, Q(0x59)),
    REAL(mad_df, form_fused, 8, 3, Q38(0xa8)),
    REAL(div_df, form_binary, 8, 2, Q(0x5e)),
    COMPARE_REAL(eq_df, 8, F_EQUAL, Q(0xc2)),
    COMPARE_REAL(ne_df, 8, F_NOT_EQUAL, Q(0xc2)),
    COMPARE_REAL(lt_df, 8, F_LESS, Q(0xc2)),
    COMPARE_REAL(le_df, 8, F_LESS_OR_EQUAL, Q(0xc2)),
};

static const Row *row_of(const VeuInstruction *i)
{
    return i->row < VEU_HANDLER_ROWS ? &rows[i->row] : NULL;
}

bool veu_jit_rounds(const VeuInstruction *i)
{
    const Row *r = row_of(i);

    return r && r->rounds;
}

bool veu_jit_has_floats(const VeuInstruction *i)
{
    const Row *r = row_of(i);

    return r && r->is_float && r->from_bytes == 4;
}

bool veu_jit_has_doubles(const VeuInstruction *i)
{
    const Row *r = row_of(i);

    return r && r->is_float && r->from_bytes == 8;
}

/* ---- instructions ---- */

static unsigned load_staged(const Part *p, unsigned k)
{
    const VeuInstruction *i = p->instruction;
    unsigned from = i->stage.turned ? 1 - k : k;

    return veu_elements_load(p->t, &i->src[from], i->stage.type[from], p->first,
                             p->lanes);
}

static unsigned load_same_one(const Part *p, unsigned k)
{
    VeuValues *v = &p->t->values;
    unsigned bytes = p->row->form == form_narrow ? p->row->to_bytes :
                                                   p->row->from_bytes;

    if (p->instruction->is_staged) {
        return load_staged(p, k);
    }
    if (bytes < 4) {
        return same_small(p);
    }
    return p->step->immediate == k ?
               veu_values_number(v, p->step->value, bytes) :
               veu_values_same(v, p->step->from[k], bytes);
}

/*
 * Loads the sources that are the same for all lanes. They are read before any
 * lane of the result is stored.
 */
static void load_same(Part *p)
{
    for (unsigned k = 0; k < p->row->sources; k++) {
        if (p->shape >> k & 1) {
            p->source[k] = load_same_one(p, k);
        }
    }
}

/* The form itself loads elements of 1 and 2 bytes. */
static void load_vectors(Part *p)
{
    unsigned bytes = p->row->from_bytes;

    for (unsigned k = 0; k < p->row->sources && bytes >= 4; k++) {
        if (!(p->shape >> k & 1)) {
            p->source[k] = p->instruction->is_staged ?
                               load_staged(p, k) :
                               veu_values_bytes(&p->t->values,
                                                p->step->from[k] +
                                                    p->first * bytes,
                                                p->lanes * bytes);
        }
    }
}

/* Sources that are the same for all lanes stay for the next part. */
static void release_vectors(Part *p)
{
    veu_values_release(&p->t->values);
    for (unsigned k = 0; k < p->row->sources; k++) {
        if (p->shape >> k & 1) {
            veu_values_keep(&p->t->values, p->source[k]);
        }
    }
}

static void compile_part(Part *p)
{
    unsigned result;

    load_vectors(p);
    result = p->row->form(p);
    if (p->row->has_nans) {
        result = without_nans(p, result);
    }
    if (p->row->to_bytes) {
        store(p, result, p->step->to);
    }
}

/* Bits of a comparison, in rax, become those of the predicate. */
static void store_bits(Part *p)
{
    const VeuHandlerStep *s = p->step;
    VeuEmit *e = emit_of(p);
    int32_t at = veu_predicate_at(s->to);
    VeuLanes lanes;

    p->first = 0;
    lanes = active_lanes(p);
    veu_masks_need_predicates(&p->t->masks);
    if (lanes.is_some) {
        veu_masks_general(&p->t->masks, VEU_LANES, &lanes);
        veu_emit_with_number(e, VEU_NUMBER_AND, VEU_LANES, s->all_lanes, false);
    } else {
        veu_emit_number(e, VEU_LANES, s->all_lanes);
    }
    veu_emit_general(e, VEU_GENERAL_AND, VEU_RAX, VEU_LANES, false);
    veu_emit_shift(e, VEU_SHIFT_LEFT, VEU_RAX, s->mask_offset);
    veu_emit_shift(e, VEU_SHIFT_LEFT, VEU_LANES, s->mask_offset);
    veu_emit_unary(e, VEU_UNARY_NOT, VEU_LANES);
    veu_emit_with_memory(e, VEU_GENERAL_AND, VEU_LANES, VEU_PREDICATES, at,
                         false);
    veu_emit_general(e, VEU_GENERAL_OR, VEU_RAX, VEU_LANES, false);
    veu_emit_store(e, VEU_RAX, VEU_PREDICATES, at, false);
    veu_masks_forget(&p->t->masks, s->to);
}

static unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Bits of the parts before the current one are in VEU_BITS. */
static void collect_bits(Part *p)
{
    if (p->first) {
        veu_emit_shift(emit_of(p), VEU_SHIFT_LEFT, VEU_RAX, p->first);
        veu_emit_general(emit_of(p), VEU_GENERAL_OR, VEU_RAX, VEU_BITS, false);
    }
    if (p->first + p->lanes < p->step->lanes) {
        veu_emit_general(emit_of(p), VEU_GENERAL_MOVE, VEU_BITS, VEU_RAX,
                         false);
    }
}

/* Bit k is set if source k of the row is the same for all lanes. */
static unsigned shape_of(const VeuInstruction *i)
{
    unsigned shape = 0;

    if (!i->is_staged) {
        return i->shape;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        shape |= (unsigned)veu_element_is_same(&i->src[k])
                 << (i->stage.turned ? 1 - k : k);
    }
    return shape;
}

/* The bytes that a lane takes in the longest of the instruction's vectors. */
static unsigned lane_bytes(const VeuInstruction *i)
{
    const Row *row = &rows[i->row];
    unsigned bytes = max(row->to_bytes, row->from_bytes);

    if (!i->is_staged) {
        return bytes;
    }
    for (unsigned k = 0; k < i->source_count; k++) {
        bytes = max(bytes, veu_element_bytes(&i->src[k], i->lanes));
    }
    return row->to_bytes ? max(bytes, veu_element_bytes(&i->dst, i->lanes)) :
                           bytes;
}

static bool is_staged_in_dwords(const VeuInstruction *i)
{
    return !i->is_staged || (i->stage.in_dwords &&
                             veu_jit_takes_elements(i, 64 / lane_bytes(i)));
}

/* A selection may combine the bits of its predicate. */
bool veu_jit_takes_row(const VeuInstruction *i)
{
    const Row *r = row_of(i);

    return r && r->form &&
           (r->form != form_select ||
            i->predication.combine == VEU_COMBINE_NONE) &&
           is_staged_in_dwords(i);
}

void veu_jit_row(VeuJit *t, const VeuInstruction *i, const VeuHandlerStep *step)
{
    const Row *row = &rows[i->row];
    unsigned bytes = max(row->to_bytes, row->from_bytes);
    unsigned lanes = 64 / lane_bytes(i);
    Part p = {
        .t = t, .instruction = i, .step = step, .row = row, .shape = shape_of(i)
    };

    p.lanes = step->lanes < lanes ? step->lanes : lanes;
    p.length = step->lanes == 1 ? VEU_VECTOR_64_BYTES :
                                  veu_vector_length(p.lanes * bytes);
    load_same(&p);
    for (p.first = 0; p.first < step->lanes; p.first += p.lanes) {
        compile_part(&p);
        if (!row->to_bytes) {
            collect_bits(&p);
        }
        release_vectors(&p);
    }
    if (!row->to_bytes) {
        store_bits(&p);
    }
    veu_values_release(&t->values);
}
