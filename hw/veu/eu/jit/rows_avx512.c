/*
 * veu execution unit: which host code the rows of handlers have with AVX-512.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/rows.h"

#define COMPARE(name, bytes, op_, relation) \
    ROW(name, veu_form_compare, 0, bytes, 2, .number = relation, .op = op_)
#define ONES(name, op_, relation) \
    ROW(name, veu_form_ones, 4, 4, 2, .number = relation, .op = op_)
#define COMPARE_REAL(name, bytes, relation, op_)               \
    ROW(name, veu_form_compare, 0, bytes, 2, .is_float = true, \
        .number = relation, .op = op_)
#define ONES_REAL(name, relation)                                           \
    ROW(name, veu_form_ones, 4, 4, 2, .is_float = true, .number = relation, \
        .op = F(0xc2))

const VeuJitRow veu_jit_rows_avx512[VEU_HANDLER_ROWS] = {
    ROW(mov_d_q, veu_form_narrow, 4, 8, 1, .op = VEU_VECTOR_OP(F3, 0F38, 0x35)),
    ROW(mov_f_ud, veu_form_unary, 4, 4, 1, .rounds = true, .op = F2(0x7a)),
    CONVERT(mov_df_ud, 8, 4, F3(0x7a)),
    ROW(mov_ud_f, veu_form_to_ud, 4, 4, 1, .rounds = true, .op = F(0x78)),
    SHIFT(rol_d, 4, D38(0x15), VEU_VECTOR_OP_COUNT(0x72, 1, false)),
    SHIFT(ror_d, 4, D38(0x14), VEU_VECTOR_OP_COUNT(0x72, 0, false)),
    ROW(addc_d, veu_form_carry, 4, 4, 2, .op = D(0xfe)),
    ROW(subb_d, veu_form_carry, 4, 4, 2, .op = D(0xfa)),
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
