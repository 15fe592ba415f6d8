/*
 * veu execution unit: the instructions that a row of handlers executes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_match.h"
#include "hw/veu/eu/program/type.h"

#define TYPE(name) VEU_TYPE_BIT(name)
#define DWORDS     VEU_TYPES_D
#define QUADS      VEU_TYPES_Q
#define PREDICATE  TYPE(BOOL)
#define ONES       (DWORDS | TYPE(F))

#define ROW(row_, dst_, src_, ...)                                   \
    {                                                                \
        .row = VEU_HANDLER_ROW_##row_, .dst = (dst_), .src = (src_), \
        __VA_ARGS__                                                  \
    }
#define MATCH(row, dst, src) ROW(row, dst, src, .code = VEU_ANY_CODE)
/* Source @k of the row has a modifier. */
#define MODIFIED(row, k, modifier_, dst, src)               \
    ROW(row, dst, src, .code = VEU_ANY_CODE, .modified = k, \
        .modifier = VEU_MODIFIER_##modifier_)
/* a - b; -a + b is b - a. */
#define SUBTRACT(row, types)                                        \
    MODIFIED(row, 1, NEG, types, types),                            \
        ROW(row, types, types, .code = VEU_ANY_CODE, .modified = 0, \
            .modifier = VEU_MODIFIER_NEG, .turned = true)
/* Relations gt and ge are lt and le of the sources in the other order. */
#define RELATION(eq, ne, lt, le, types)                       \
    ROW(eq, PREDICATE, types, .code = 0),                     \
        ROW(ne, PREDICATE, types, .code = 1),                 \
        ROW(lt, PREDICATE, types, .code = 2, .turned = true), \
        ROW(le, PREDICATE, types, .code = 3, .turned = true), \
        ROW(lt, PREDICATE, types, .code = 4),                 \
        ROW(le, PREDICATE, types, .code = 5)
/* The same relations with a result in registers. */
#define RELATION_ONES(eq, ne, lt, le, types)                          \
    ROW(eq, ONES, types, .code = 0), ROW(ne, ONES, types, .code = 1), \
        ROW(lt, ONES, types, .code = 2, .turned = true),              \
        ROW(le, ONES, types, .code = 3, .turned = true),              \
        ROW(lt, ONES, types, .code = 4), ROW(le, ONES, types, .code = 5)
#define MINMAX(min, max, dst, src) \
    ROW(min, dst, src, .code = 0), ROW(max, dst, src, .code = 1)

#define LIST(name, ...) \
    static const VeuHandlerMatch name##_rows[] = { __VA_ARGS__, { .dst = 0 } }

LIST(mov, MATCH(mov_d, DWORDS, DWORDS), MATCH(mov_d, TYPE(F), TYPE(F)),
     MATCH(mov_q, QUADS, QUADS), MATCH(mov_q, TYPE(DF), TYPE(DF)),
     MATCH(mov_d_ub, DWORDS, TYPE(UB)), MATCH(mov_d_b, DWORDS, TYPE(B)),
     MATCH(mov_d_uw, DWORDS, TYPE(UW)), MATCH(mov_d_w, DWORDS, TYPE(W)),
     MATCH(mov_q_ud, QUADS, TYPE(UD)), MATCH(mov_q_d, QUADS, TYPE(D)),
     MATCH(mov_d_q, DWORDS, QUADS), MATCH(mov_f_d, TYPE(F), TYPE(D)),
     MATCH(mov_f_ud, TYPE(F), TYPE(UD)), MATCH(mov_df_d, TYPE(DF), TYPE(D)),
     MATCH(mov_df_ud, TYPE(DF), TYPE(UD)), MATCH(mov_d_f, TYPE(D), TYPE(F)),
     MATCH(mov_ud_f, TYPE(UD), TYPE(F)),
     MODIFIED(neg_d, 0, NEG, DWORDS, DWORDS));
LIST(sel, MATCH(sel_d, DWORDS, DWORDS), MATCH(sel_d, TYPE(F), TYPE(F)),
     MATCH(sel_q, QUADS, QUADS), MATCH(sel_q, TYPE(DF), TYPE(DF)));
LIST(add, MATCH(add_d, DWORDS, DWORDS), SUBTRACT(sub_d, DWORDS),
     MATCH(add_q, QUADS, QUADS), SUBTRACT(sub_q, QUADS),
     MATCH(add_f, TYPE(F), TYPE(F)), SUBTRACT(sub_f, TYPE(F)),
     MATCH(add_df, TYPE(DF), TYPE(DF)), SUBTRACT(sub_df, TYPE(DF)));
LIST(mul, MATCH(mul_d, DWORDS, DWORDS), MATCH(mul_q, QUADS, QUADS),
     MATCH(mul_f, TYPE(F), TYPE(F)), MATCH(mul_df, TYPE(DF), TYPE(DF)));
LIST(mad, MATCH(mad_d, DWORDS, DWORDS), MATCH(mad_f, TYPE(F), TYPE(F)),
     MATCH(mad_df, TYPE(DF), TYPE(DF)));
LIST(add3, MATCH(add3_d, DWORDS, DWORDS));
LIST(mulh, MATCH(mulh_d, DWORDS, TYPE(D)), MATCH(mulh_ud, DWORDS, TYPE(UD)));
LIST(div, MATCH(div_f, TYPE(F), TYPE(F)), MATCH(div_df, TYPE(DF), TYPE(DF)),
     MATCH(div_d, DWORDS, TYPE(D)), MATCH(div_ud, DWORDS, TYPE(UD)));
LIST(mod, MATCH(mod_d, DWORDS, TYPE(D)), MATCH(mod_ud, DWORDS, TYPE(UD)));
LIST(and, MATCH(and_d, DWORDS, DWORDS), MATCH(and_q, QUADS, QUADS),
     MODIFIED(andn_d, 1, NOT, DWORDS, DWORDS),
     MODIFIED(andn_q, 1, NOT, QUADS, QUADS));
LIST(or, MATCH(or_d, DWORDS, DWORDS), MATCH(or_q, QUADS, QUADS));
LIST(xor, MATCH(xor_d, DWORDS, DWORDS), MATCH(xor_q, QUADS, QUADS));
LIST(not, MATCH(not_d, DWORDS, DWORDS));
LIST(shl, MATCH(shl_d, DWORDS, DWORDS), MATCH(shl_q, QUADS, QUADS));
LIST(shr, MATCH(shr_d, DWORDS, DWORDS), MATCH(shr_q, QUADS, QUADS));
LIST(asr, MATCH(asr_d, DWORDS, DWORDS), MATCH(asr_q, QUADS, QUADS));
LIST(rol, MATCH(rol_d, DWORDS, DWORDS));
LIST(ror, MATCH(ror_d, DWORDS, DWORDS));
LIST(addc, MATCH(addc_d, DWORDS, DWORDS));
LIST(subb, MATCH(subb_d, DWORDS, DWORDS));
LIST(minmax, MINMAX(min_d, max_d, DWORDS, TYPE(D)),
     MINMAX(min_ud, max_ud, DWORDS, TYPE(UD)),
     MINMAX(min_f, max_f, TYPE(F), TYPE(F)));
LIST(cmp, RELATION(eq_d, ne_d, lt_d, le_d, TYPE(D)),
     RELATION(eq_d, ne_d, lt_ud, le_ud, TYPE(UD)),
     RELATION(eq_q, ne_q, lt_q, le_q, TYPE(Q)),
     RELATION(eq_q, ne_q, lt_uq, le_uq, TYPE(UQ)),
     RELATION(eq_f, ne_f, lt_f, le_f, TYPE(F)),
     RELATION(eq_df, ne_df, lt_df, le_df, TYPE(DF)),
     RELATION_ONES(eq_d_d, ne_d_d, lt_d_d, le_d_d, TYPE(D)),
     RELATION_ONES(eq_d_d, ne_d_d, lt_ud_d, le_ud_d, TYPE(UD)),
     RELATION_ONES(eq_f_d, ne_f_d, lt_f_d, le_f_d, TYPE(F)));
LIST(lzd, MATCH(lzd_d, DWORDS, DWORDS));
LIST(fbl, MATCH(fbl_d, DWORDS, DWORDS));
LIST(cbit, MATCH(cbit_d, DWORDS, DWORDS));
LIST(bfrev, MATCH(bfrev_d, DWORDS, DWORDS));
LIST(inv, MATCH(inv_f, TYPE(F), TYPE(F)));
LIST(sqrt, MATCH(sqrt_f, TYPE(F), TYPE(F)));
LIST(rsqrt, MATCH(rsqrt_f, TYPE(F), TYPE(F)));
LIST(exp, MATCH(exp_f, TYPE(F), TYPE(F)));
LIST(log, MATCH(log_f, TYPE(F), TYPE(F)));
LIST(pow, MATCH(pow_f, TYPE(F), TYPE(F)));
LIST(sin, MATCH(sin_f, TYPE(F), TYPE(F)));
LIST(cos, MATCH(cos_f, TYPE(F), TYPE(F)));
LIST(rndd, MATCH(rndd_f, TYPE(F), TYPE(F)));
LIST(rndu, MATCH(rndu_f, TYPE(F), TYPE(F)));
LIST(rnde, MATCH(rnde_f, TYPE(F), TYPE(F)));
LIST(rndz, MATCH(rndz_f, TYPE(F), TYPE(F)));

#define OPERATION(operation, width, name) \
    [VEU_OPERATION_##operation] = { VEU_WIDTH_##width, name##_rows }

static const VeuHandlerList lists[VEU_OPERATION_COUNT] = {
    OPERATION(MOV, RING, mov),    OPERATION(SEL, RING, sel),
    OPERATION(ADD, RING, add),    OPERATION(MUL, RING, mul),
    OPERATION(MAD, RING, mad),    OPERATION(ADD3, RING, add3),
    OPERATION(AND, RING, and),    OPERATION(OR, RING, or),
    OPERATION(XOR, RING, xor),    OPERATION(NOT, RING, not ),
    OPERATION(MULH, VALUE, mulh), OPERATION(MINMAX, VALUE, minmax),
    OPERATION(CMP, VALUE, cmp),   OPERATION(DIV, OWN, div),
    OPERATION(MOD, VALUE, mod),   OPERATION(SHL, LEFT, shl),
    OPERATION(SHR, RIGHT, shr),   OPERATION(ASR, SIGN, asr),
    OPERATION(ROL, OWN, rol),     OPERATION(ROR, OWN, ror),
    OPERATION(ADDC, OWN, addc),   OPERATION(SUBB, OWN, subb),
    OPERATION(LZD, RING, lzd),    OPERATION(FBL, RING, fbl),
    OPERATION(CBIT, RING, cbit),  OPERATION(BFREV, RING, bfrev),
    OPERATION(INV, OWN, inv),     OPERATION(SQRT, OWN, sqrt),
    OPERATION(EXP, OWN, exp),     OPERATION(LOG, OWN, log),
    OPERATION(POW, OWN, pow),     OPERATION(SIN, OWN, sin),
    OPERATION(COS, OWN, cos),     OPERATION(RSQRT, OWN, rsqrt),
    OPERATION(RNDD, OWN, rndd),   OPERATION(RNDU, OWN, rndu),
    OPERATION(RNDE, OWN, rnde),   OPERATION(RNDZ, OWN, rndz),
};

const VeuHandlerList *veu_handler_list(VeuOperation operation)
{
    return &lists[operation];
}
