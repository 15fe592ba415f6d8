/*
 * veu execution unit: which host code the rows of handlers have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Most rows are the same with AVX2 and AVX-512. Each of these has a table of
 * its own for the others.
 */
#include "hw/veu/eu/jit/rows.h"
#include "hw/veu/eu/jit/vector_ops.h"
#include "hw/veu/eu/simd/cpu.h"

#define ROW(name, form_, to, from, sources_, ...)     \
    [VEU_HANDLER_ROW_##name] = { .form = form_,       \
                                 .to_bytes = to,      \
                                 .from_bytes = from,  \
                                 .sources = sources_, \
                                 __VA_ARGS__ }
#define BINARY(name, bytes, op_) \
    ROW(name, veu_form_binary, bytes, bytes, 2, .op = op_)
#define SHIFT(name, bytes, op_, count) \
    ROW(name, veu_form_shift, bytes, bytes, 2, .op = op_, .op2 = count)
#define CONVERT(name, to, from, op_) \
    ROW(name, veu_form_unary, to, from, 1, .op = op_)
#define EXTEND(name, bytes, sign, op_) \
    ROW(name, veu_form_extend, 4, bytes, 1, .has_sign = sign, .op = op_)
#define REAL(name, form, bytes, sources, op_)                                  \
    ROW(name, form, bytes, bytes, sources, .has_nans = true, .is_float = true, \
        .op = op_)
#define ROUND(name, mode)                                       \
    ROW(name, veu_form_unary_number, 4, 4, 1, .has_nans = true, \
        .is_float = true, .number = mode, .op = D3A(0x08))
#define EXTREME(name, relation)                                              \
    ROW(name, veu_form_extreme, 4, 4, 2, .has_nans = true, .is_float = true, \
        .number = relation)

static const VeuJitRow rows[VEU_HANDLER_ROWS] = {
    ROW(mov_d, veu_form_copy, 4, 4, 1, ),
    ROW(mov_q, veu_form_copy, 8, 8, 1, ),
    EXTEND(mov_d_ub, 1, false, VEU_VECTOR_OP_PART(66, 0x31, QUARTER)),
    EXTEND(mov_d_b, 1, true, VEU_VECTOR_OP_PART(66, 0x21, QUARTER)),
    EXTEND(mov_d_uw, 2, false, VEU_VECTOR_OP_PART(66, 0x33, HALF)),
    EXTEND(mov_d_w, 2, true, VEU_VECTOR_OP_PART(66, 0x23, HALF)),
    CONVERT(mov_q_ud, 8, 4, D38(0x35)),
    CONVERT(mov_q_d, 8, 4, D38(0x25)),
    ROW(mov_d_q, veu_form_narrow, 4, 8, 1, ),
    ROW(mov_f_d, veu_form_unary, 4, 4, 1, .rounds = true, .op = F(0x5b)),
    CONVERT(mov_df_d, 8, 4, F3(0xe6)),
    ROW(mov_d_f, veu_form_to_d, 4, 4, 1, .rounds = true, .op = F3(0x5b)),
    ROW(sel_d, veu_form_select, 4, 4, 2, ),
    ROW(sel_q, veu_form_select, 8, 8, 2, ),
    BINARY(add_d, 4, D(0xfe)),
    ROW(neg_d, veu_form_negate, 4, 4, 1, ),
    BINARY(sub_d, 4, D(0xfa)),
    BINARY(mul_d, 4, D38(0x40)),
    ROW(mad_d, veu_form_two_steps, 4, 4, 3, .op = D38(0x40), .op2 = D(0xfe)),
    ROW(add3_d, veu_form_two_steps, 4, 4, 3, .op = D(0xfe), .op2 = D(0xfe)),
    ROW(mulh_d, veu_form_high, 4, 4, 2, .op = Q38(0x28)),
    ROW(mulh_ud, veu_form_high, 4, 4, 2, .op = Q(0xf4)),
    BINARY(and_d, 4, D(0xdb)),
    ROW(andn_d, veu_form_and_not, 4, 4, 2, .op = D(0xdf)),
    BINARY(or_d, 4, D(0xeb)),
    BINARY(xor_d, 4, D(0xef)),
    ROW(not_d, veu_form_not, 4, 4, 1, ),
    SHIFT(shl_d, 4, D38(0x47), VEU_VECTOR_OP_COUNT(0x72, 6, false)),
    SHIFT(shr_d, 4, D38(0x45), VEU_VECTOR_OP_COUNT(0x72, 2, false)),
    SHIFT(asr_d, 4, D38(0x46), VEU_VECTOR_OP_COUNT(0x72, 4, false)),
    BINARY(min_d, 4, D38(0x39)),
    BINARY(max_d, 4, D38(0x3d)),
    BINARY(min_ud, 4, D38(0x3b)),
    BINARY(max_ud, 4, D38(0x3f)),
    BINARY(add_q, 8, Q(0xd4)),
    BINARY(sub_q, 8, Q(0xfb)),
    BINARY(and_q, 8, Q(0xdb)),
    ROW(andn_q, veu_form_and_not, 8, 8, 2, .op = Q(0xdf)),
    BINARY(or_q, 8, Q(0xeb)),
    BINARY(xor_q, 8, Q(0xef)),
    SHIFT(shl_q, 8, Q38(0x47), VEU_VECTOR_OP_COUNT(0x73, 6, true)),
    SHIFT(shr_q, 8, Q38(0x45), VEU_VECTOR_OP_COUNT(0x73, 2, true)),
    REAL(add_f, veu_form_binary, 4, 2, F(0x58)),
    REAL(sub_f, veu_form_binary, 4, 2, F(0x5c)),
    REAL(mul_f, veu_form_binary, 4, 2, F(0x59)),
    REAL(mad_f, veu_form_fused, 4, 3, D38(0xa8)),
    REAL(div_f, veu_form_binary, 4, 2, F(0x5e)),
    ROW(inv_f, veu_form_inverse, 4, 4, 1, .has_nans = true, .is_float = true,
        .rounds = true, .op = F(0x5e)),
    REAL(sqrt_f, veu_form_unary, 4, 1, F(0x51)),
    EXTREME(min_f, F_LESS),
    EXTREME(max_f, F_GREATER_OR_EQUAL),
    ROUND(rndd_f, 9),
    ROUND(rndu_f, 10),
    ROUND(rnde_f, 8),
    ROUND(rndz_f, 11),
    REAL(add_df, veu_form_binary, 8, 2, Q(0x58)),
    REAL(sub_df, veu_form_binary, 8, 2, Q(0x5c)),
    REAL(mul_df, veu_form_binary, 8, 2, Q(0x59)),
    REAL(mad_df, veu_form_fused, 8, 3, Q38(0xa8)),
    REAL(div_df, veu_form_binary, 8, 2, Q(0x5e)),
};

/* ---- with AVX-512 ---- */

#define COMPARE(name, bytes, op_, relation)                             \
    ROW(name, veu_form_compare_avx512, 0, bytes, 2, .number = relation, \
        .op = op_)
#define ONES(name, op_, relation) \
    ROW(name, veu_form_ones_avx512, 4, 4, 2, .number = relation, .op = op_)
#define COMPARE_REAL(name, bytes, relation, op_)                      \
    ROW(name, veu_form_compare_avx512, 0, bytes, 2, .is_float = true, \
        .number = relation, .op = op_)
#define ONES_REAL(name, relation)                              \
    ROW(name, veu_form_ones_avx512, 4, 4, 2, .is_float = true, \
        .number = relation, .op = F(0xc2))

static const VeuJitRow rows_avx512[VEU_HANDLER_ROWS] = {
    ROW(mov_f_ud, veu_form_unary, 4, 4, 1, .rounds = true, .op = F2(0x7a)),
    CONVERT(mov_df_ud, 8, 4, F3(0x7a)),
    ROW(mov_ud_f, veu_form_to_ud_avx512, 4, 4, 1, .rounds = true,
        .op = F(0x78)),
    SHIFT(rol_d, 4, D38(0x15), VEU_VECTOR_OP_COUNT(0x72, 1, false)),
    SHIFT(ror_d, 4, D38(0x14), VEU_VECTOR_OP_COUNT(0x72, 0, false)),
    ROW(addc_d, veu_form_carry_avx512, 4, 4, 2, .op = D(0xfe)),
    ROW(subb_d, veu_form_carry_avx512, 4, 4, 2, .op = D(0xfa)),
    ROW(div_d, veu_form_divide, 4, 4, 2, .rounds = true, .has_sign = true),
    ROW(div_ud, veu_form_divide, 4, 4, 2, .rounds = true),
    ROW(mod_d, veu_form_modulo, 4, 4, 2, .rounds = true, .has_sign = true),
    ROW(mod_ud, veu_form_modulo, 4, 4, 2, .rounds = true),
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
    BINARY(mul_q, 8, Q38(0x40)),
    SHIFT(asr_q, 8, Q38(0x46), VEU_VECTOR_OP_COUNT(0x72, 4, true)),
    COMPARE(eq_q, 8, Q3A(0x1f), EQUAL),
    COMPARE(ne_q, 8, Q3A(0x1f), NOT_EQUAL),
    COMPARE(lt_q, 8, Q3A(0x1f), LESS),
    COMPARE(le_q, 8, Q3A(0x1f), LESS_OR_EQUAL),
    COMPARE(lt_uq, 8, Q3A(0x1e), LESS),
    COMPARE(le_uq, 8, Q3A(0x1e), LESS_OR_EQUAL),
    COMPARE_REAL(eq_f, 4, F_EQUAL, F(0xc2)),
    COMPARE_REAL(ne_f, 4, F_NOT_EQUAL, F(0xc2)),
    COMPARE_REAL(lt_f, 4, F_LESS, F(0xc2)),
    COMPARE_REAL(le_f, 4, F_LESS_OR_EQUAL, F(0xc2)),
    COMPARE_REAL(eq_df, 8, F_EQUAL, Q(0xc2)),
    COMPARE_REAL(ne_df, 8, F_NOT_EQUAL, Q(0xc2)),
    COMPARE_REAL(lt_df, 8, F_LESS, Q(0xc2)),
    COMPARE_REAL(le_df, 8, F_LESS_OR_EQUAL, Q(0xc2)),
};

/* ---- with AVX2 ---- */

#define RELATION(name, bytes, op_, relation) \
    ROW(name, veu_form_compare_avx2, 0, bytes, 2, .number = relation, .op = op_)
#define RELATION_WITH(name, bytes, op_, relation, op2_)               \
    ROW(name, veu_form_compare_avx2, 0, bytes, 2, .number = relation, \
        .op = op_, .op2 = op2_)
#define RELATION_ONES(name, op_, relation) \
    ROW(name, veu_form_ones_avx2, 4, 4, 2, .number = relation, .op = op_)
#define RELATION_ONES_WITH(name, op_, relation, op2_)                     \
    ROW(name, veu_form_ones_avx2, 4, 4, 2, .number = relation, .op = op_, \
        .op2 = op2_)
#define RELATION_REAL(name, bytes, relation, op_)                   \
    ROW(name, veu_form_compare_avx2, 0, bytes, 2, .is_float = true, \
        .number = relation, .op = op_)
#define RELATION_ONES_REAL(name, relation)                   \
    ROW(name, veu_form_ones_avx2, 4, 4, 2, .is_float = true, \
        .number = relation, .op = F(0xc2))
#define ROTATE(name, to_right) \
    ROW(name, veu_form_rotate, 4, 4, 2, .number = to_right)

static const VeuJitRow rows_avx2[VEU_HANDLER_ROWS] = {
    ROW(mov_f_ud, veu_form_f_of_ud, 4, 4, 1, .rounds = true),
    ROW(mov_df_ud, veu_form_df_of_ud, 8, 4, 1, .rounds = true),
    ROW(mov_ud_f, veu_form_to_ud_avx2, 4, 4, 1, .rounds = true),
    ROTATE(rol_d, false),
    ROTATE(ror_d, true),
    ROW(addc_d, veu_form_carry_avx2, 4, 4, 2, .op = D(0xfe)),
    ROW(subb_d, veu_form_carry_avx2, 4, 4, 2, .op = D(0xfa)),
    RELATION(eq_d, 4, D(0x76), 0),
    RELATION(ne_d, 4, D(0x76), VEU_RELATION_INVERTED),
    RELATION(lt_d, 4, D(0x66), VEU_RELATION_SWAPPED),
    RELATION(le_d, 4, D(0x66), VEU_RELATION_INVERTED),
    RELATION_WITH(lt_ud, 4, D(0x76),
                  VEU_RELATION_EXTREME | VEU_RELATION_INVERTED, D38(0x3f)),
    RELATION_WITH(le_ud, 4, D(0x76), VEU_RELATION_EXTREME, D38(0x3b)),
    RELATION_ONES(eq_d_d, D(0x76), 0),
    RELATION_ONES(ne_d_d, D(0x76), VEU_RELATION_INVERTED),
    RELATION_ONES(lt_d_d, D(0x66), VEU_RELATION_SWAPPED),
    RELATION_ONES(le_d_d, D(0x66), VEU_RELATION_INVERTED),
    RELATION_ONES_WITH(lt_ud_d, D(0x76),
                       VEU_RELATION_EXTREME | VEU_RELATION_INVERTED, D38(0x3f)),
    RELATION_ONES_WITH(le_ud_d, D(0x76), VEU_RELATION_EXTREME, D38(0x3b)),
    RELATION_ONES_REAL(eq_f_d, F_EQUAL),
    RELATION_ONES_REAL(ne_f_d, F_NOT_EQUAL),
    RELATION_ONES_REAL(lt_f_d, F_LESS),
    RELATION_ONES_REAL(le_f_d, F_LESS_OR_EQUAL),
    ROW(mul_q, veu_form_multiply_q, 8, 8, 2, ),
    ROW(asr_q, veu_form_shift_sign_q, 8, 8, 2, ),
    RELATION(eq_q, 8, D38(0x29), 0),
    RELATION(ne_q, 8, D38(0x29), VEU_RELATION_INVERTED),
    RELATION(lt_q, 8, D38(0x37), VEU_RELATION_SWAPPED),
    RELATION(le_q, 8, D38(0x37), VEU_RELATION_INVERTED),
    RELATION(lt_uq, 8, D38(0x37), VEU_RELATION_FLIPPED | VEU_RELATION_SWAPPED),
    RELATION(le_uq, 8, D38(0x37), VEU_RELATION_FLIPPED | VEU_RELATION_INVERTED),
    RELATION_REAL(eq_f, 4, F_EQUAL, F(0xc2)),
    RELATION_REAL(ne_f, 4, F_NOT_EQUAL, F(0xc2)),
    RELATION_REAL(lt_f, 4, F_LESS, F(0xc2)),
    RELATION_REAL(le_f, 4, F_LESS_OR_EQUAL, F(0xc2)),
    RELATION_REAL(eq_df, 8, F_EQUAL, Q(0xc2)),
    RELATION_REAL(ne_df, 8, F_NOT_EQUAL, Q(0xc2)),
    RELATION_REAL(lt_df, 8, F_LESS, Q(0xc2)),
    RELATION_REAL(le_df, 8, F_LESS_OR_EQUAL, Q(0xc2)),
};

const VeuJitRow *veu_jit_row_of(unsigned row)
{
    static const VeuJitRow *const levels[VEU_CPU_COUNT] = {
        [VEU_CPU_SCALAR] = rows,
        [VEU_CPU_AVX2] = rows_avx2,
        [VEU_CPU_AVX512] = rows_avx512,
    };
    const VeuJitRow *own = &levels[veu_cpu][row];

    return own->form ? own : &rows[row];
}
