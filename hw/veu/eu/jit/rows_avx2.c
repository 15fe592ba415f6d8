/*
 * veu execution unit: which host code the rows of handlers have with AVX2.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/jit/rows.h"

#define COMPARE(name, bytes, op_, relation)                            \
    ROW(name, veu_form_relation_bits, 0, bytes, 2, .number = relation, \
        .op = op_)
#define COMPARE_WITH(name, bytes, op_, relation, op2_)                 \
    ROW(name, veu_form_relation_bits, 0, bytes, 2, .number = relation, \
        .op = op_, .op2 = op2_)
#define ONES(name, op_, relation) \
    ROW(name, veu_form_relation, 4, 4, 2, .number = relation, .op = op_)
#define ONES_WITH(name, op_, relation, op2_)                             \
    ROW(name, veu_form_relation, 4, 4, 2, .number = relation, .op = op_, \
        .op2 = op2_)
#define COMPARE_REAL(name, bytes, relation, op_)                     \
    ROW(name, veu_form_relation_bits, 0, bytes, 2, .is_float = true, \
        .number = relation, .op = op_)
#define ONES_REAL(name, relation)                           \
    ROW(name, veu_form_relation, 4, 4, 2, .is_float = true, \
        .number = relation, .op = F(0xc2))
#define ROTATE(name, to_right) \
    ROW(name, veu_form_rotate, 4, 4, 2, .number = to_right)

#define SWAPPED  VEU_RELATION_SWAPPED
#define INVERTED VEU_RELATION_INVERTED
#define EXTREME  VEU_RELATION_EXTREME
#define FLIPPED  VEU_RELATION_FLIPPED

const VeuJitRow veu_jit_rows_avx2[VEU_HANDLER_ROWS] = {
    ROW(mov_d_q, veu_form_narrow_q, 4, 8, 1, ),
    ROW(mov_f_ud, veu_form_f_of_ud, 4, 4, 1, .rounds = true),
    ROW(mov_df_ud, veu_form_df_of_ud, 8, 4, 1, .rounds = true),
    ROW(mov_ud_f, veu_form_ud_of_f, 4, 4, 1, .rounds = true),
    ROTATE(rol_d, false),
    ROTATE(ror_d, true),
    ROW(addc_d, veu_form_carry_extreme, 4, 4, 2, .op = D(0xfe)),
    ROW(subb_d, veu_form_carry_extreme, 4, 4, 2, .op = D(0xfa)),
    COMPARE(eq_d, 4, D(0x76), 0),
    COMPARE(ne_d, 4, D(0x76), INVERTED),
    COMPARE(lt_d, 4, D(0x66), SWAPPED),
    COMPARE(le_d, 4, D(0x66), INVERTED),
    COMPARE_WITH(lt_ud, 4, D(0x76), EXTREME | INVERTED, D38(0x3f)),
    COMPARE_WITH(le_ud, 4, D(0x76), EXTREME, D38(0x3b)),
    ONES(eq_d_d, D(0x76), 0),
    ONES(ne_d_d, D(0x76), INVERTED),
    ONES(lt_d_d, D(0x66), SWAPPED),
    ONES(le_d_d, D(0x66), INVERTED),
    ONES_WITH(lt_ud_d, D(0x76), EXTREME | INVERTED, D38(0x3f)),
    ONES_WITH(le_ud_d, D(0x76), EXTREME, D38(0x3b)),
    ONES_REAL(eq_f_d, F_EQUAL),
    ONES_REAL(ne_f_d, F_NOT_EQUAL),
    ONES_REAL(lt_f_d, F_LESS),
    ONES_REAL(le_f_d, F_LESS_OR_EQUAL),
    ROW(mul_q, veu_form_multiply_q, 8, 8, 2, ),
    ROW(asr_q, veu_form_shift_sign_q, 8, 8, 2, ),
    COMPARE(eq_q, 8, D38(0x29), 0),
    COMPARE(ne_q, 8, D38(0x29), INVERTED),
    COMPARE(lt_q, 8, D38(0x37), SWAPPED),
    COMPARE(le_q, 8, D38(0x37), INVERTED),
    COMPARE(lt_uq, 8, D38(0x37), FLIPPED | SWAPPED),
    COMPARE(le_uq, 8, D38(0x37), FLIPPED | INVERTED),
    COMPARE_REAL(eq_f, 4, F_EQUAL, F(0xc2)),
    COMPARE_REAL(ne_f, 4, F_NOT_EQUAL, F(0xc2)),
    COMPARE_REAL(lt_f, 4, F_LESS, F(0xc2)),
    COMPARE_REAL(le_f, 4, F_LESS_OR_EQUAL, F(0xc2)),
    COMPARE_REAL(eq_df, 8, F_EQUAL, Q(0xc2)),
    COMPARE_REAL(ne_df, 8, F_NOT_EQUAL, Q(0xc2)),
    COMPARE_REAL(lt_df, 8, F_LESS, Q(0xc2)),
    COMPARE_REAL(le_df, 8, F_LESS_OR_EQUAL, Q(0xc2)),
};
