/*
 * veu execution unit: which host code the rows of handlers have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/simd/cpu.h"
#include "hw/veu/eu/jit/rows.h"

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

const VeuJitRow *veu_jit_row_of(unsigned row)
{
    static const VeuJitRow *const levels[VEU_CPU_COUNT] = {
        [VEU_CPU_SCALAR] = rows,
        [VEU_CPU_AVX2] = veu_jit_rows_avx2,
        [VEU_CPU_AVX512] = veu_jit_rows_avx512,
    };
    const VeuJitRow *own = &levels[veu_cpu][row];

    return own->form ? own : &rows[row];
}
