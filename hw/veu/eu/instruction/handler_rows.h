/*
 * veu execution unit: the operations of handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * VEU_HANDLER_ROW(name, form, to, from, sources, expression): the type of the
 * result, that of the sources, their number, and the result of one lane of
 * sources a, b and c. Forms (handler_loops.h):
 *
 *   - VALUE: the expression.
 *   - REAL: subnormal numbers are zeros if %cr0 specifies that; one NaN.
 *   - NEAREST: like REAL, for an operation that rounds in the same way whatever
 *     %cr0 specifies.
 *   - MATH: like NEAREST, for a function of handler_math.h.
 *   - TRUNCATE: the expression, for float to integer.
 *   - COMPARE: the lane's bit of a predicate; sources of floats like REAL.
 *   - SELECT: a where the instruction's predicate is 1, else b.
 *   - CARRY: the low dword of the expression, and its bit 32 for the carry.
 *
 * Unsigned types stand for both kinds where the sign makes no difference.
 */

/*
 * Moves and conversions. That of UD is written out: some compilers make -0 of 0
 * where the host rounds down.
 */
VEU_HANDLER_ROW(mov_d, VALUE, uint32_t, uint32_t, 1, a)
VEU_HANDLER_ROW(mov_q, VALUE, uint64_t, uint64_t, 1, a)
VEU_HANDLER_ROW(mov_d_ub, VALUE, uint32_t, uint8_t, 1, a)
VEU_HANDLER_ROW(mov_d_b, VALUE, uint32_t, int8_t, 1, (uint32_t)a)
VEU_HANDLER_ROW(mov_d_uw, VALUE, uint32_t, uint16_t, 1, a)
VEU_HANDLER_ROW(mov_d_w, VALUE, uint32_t, int16_t, 1, (uint32_t)a)
VEU_HANDLER_ROW(mov_q_ud, VALUE, uint64_t, uint32_t, 1, a)
VEU_HANDLER_ROW(mov_q_d, VALUE, uint64_t, int32_t, 1, (uint64_t)a)
VEU_HANDLER_ROW(mov_d_q, VALUE, uint32_t, uint64_t, 1, (uint32_t)a)
VEU_HANDLER_ROW(mov_f_d, VALUE, float, int32_t, 1, (float)a)
VEU_HANDLER_ROW(mov_f_ud, VALUE, float, uint32_t, 1,
                (float)(int32_t)(a >> 16) * 0x1p16f +
                    (float)(int32_t)(a & 0xffff))
VEU_HANDLER_ROW(mov_df_d, VALUE, double, int32_t, 1, (double)a)
VEU_HANDLER_ROW(mov_df_ud, VALUE, double, uint32_t, 1,
                (double)(int32_t)(a >> 16) * 0x1p16 +
                    (double)(int32_t)(a & 0xffff))
VEU_HANDLER_ROW(mov_d_f, TRUNCATE, int32_t, float, 1, to_d(a))
VEU_HANDLER_ROW(mov_ud_f, TRUNCATE, uint32_t, float, 1, to_ud(a))
VEU_HANDLER_ROW(sel_d, SELECT, uint32_t, uint32_t, 2, a)
VEU_HANDLER_ROW(sel_q, SELECT, uint64_t, uint64_t, 2, a)

/* Dwords */
VEU_HANDLER_ROW(add_d, VALUE, uint32_t, uint32_t, 2, a + b)
VEU_HANDLER_ROW(neg_d, VALUE, uint32_t, uint32_t, 1, 0u - a)
VEU_HANDLER_ROW(sub_d, VALUE, uint32_t, uint32_t, 2, a - b)
VEU_HANDLER_ROW(mul_d, VALUE, uint32_t, uint32_t, 2, a *b)
VEU_HANDLER_ROW(mad_d, VALUE, uint32_t, uint32_t, 3, a *b + c)
VEU_HANDLER_ROW(add3_d, VALUE, uint32_t, uint32_t, 3, a + b + c)
VEU_HANDLER_ROW(mulh_d, VALUE, uint32_t, int32_t, 2,
                (uint32_t)((uint64_t)((int64_t)a *b) >> 32))
VEU_HANDLER_ROW(mulh_ud, VALUE, uint32_t, uint32_t, 2,
                (uint32_t)((uint64_t)a *b >> 32))
VEU_HANDLER_ROW(and_d, VALUE, uint32_t, uint32_t, 2, a &b)
VEU_HANDLER_ROW(andn_d, VALUE, uint32_t, uint32_t, 2, a & ~b)
VEU_HANDLER_ROW(or_d, VALUE, uint32_t, uint32_t, 2, a | b)
VEU_HANDLER_ROW(xor_d, VALUE, uint32_t, uint32_t, 2, a ^ b)
VEU_HANDLER_ROW(not_d, VALUE, uint32_t, uint32_t, 1, ~a)
VEU_HANDLER_ROW(shl_d, VALUE, uint32_t, uint32_t, 2, a << (b & 31))
VEU_HANDLER_ROW(shr_d, VALUE, uint32_t, uint32_t, 2, a >> (b & 31))
VEU_HANDLER_ROW(asr_d, VALUE, int32_t, int32_t, 2, a >> (b & 31))
VEU_HANDLER_ROW(rol_d, VALUE, uint32_t, uint32_t, 2,
                a << (b & 31) | a >> (-b & 31))
VEU_HANDLER_ROW(ror_d, VALUE, uint32_t, uint32_t, 2,
                a >> (b & 31) | a << (-b & 31))
VEU_HANDLER_ROW(addc_d, CARRY, uint32_t, uint32_t, 2, (uint64_t)a + b)
VEU_HANDLER_ROW(subb_d, CARRY, uint32_t, uint32_t, 2, (uint64_t)a - b)
VEU_HANDLER_ROW(div_d, VALUE, int32_t, int32_t, 2, divide_d(a, b))
VEU_HANDLER_ROW(div_ud, VALUE, uint32_t, uint32_t, 2, b ? a / b : UINT32_MAX)
VEU_HANDLER_ROW(mod_d, VALUE, int32_t, int32_t, 2, modulo_d(a, b))
VEU_HANDLER_ROW(mod_ud, VALUE, uint32_t, uint32_t, 2, b ? a % b : a)
VEU_HANDLER_ROW(lzd_d, VALUE, uint32_t, uint32_t, 1,
                a ? (uint32_t)__builtin_clz(a) : 32)
VEU_HANDLER_ROW(fbl_d, VALUE, uint32_t, uint32_t, 1,
                a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX)
VEU_HANDLER_ROW(cbit_d, VALUE, uint32_t, uint32_t, 1, veu_lane_count(a))
VEU_HANDLER_ROW(bfrev_d, VALUE, uint32_t, uint32_t, 1, reverse_bits(a))
VEU_HANDLER_ROW(min_d, VALUE, int32_t, int32_t, 2, a < b ? a : b)
VEU_HANDLER_ROW(max_d, VALUE, int32_t, int32_t, 2, a < b ? b : a)
VEU_HANDLER_ROW(min_ud, VALUE, uint32_t, uint32_t, 2, a < b ? a : b)
VEU_HANDLER_ROW(max_ud, VALUE, uint32_t, uint32_t, 2, a < b ? b : a)
VEU_HANDLER_ROW(eq_d, COMPARE, bool, uint32_t, 2, a == b)
VEU_HANDLER_ROW(ne_d, COMPARE, bool, uint32_t, 2, a != b)
VEU_HANDLER_ROW(lt_d, COMPARE, bool, int32_t, 2, a < b)
VEU_HANDLER_ROW(le_d, COMPARE, bool, int32_t, 2, a <= b)
VEU_HANDLER_ROW(lt_ud, COMPARE, bool, uint32_t, 2, a < b)
VEU_HANDLER_ROW(le_ud, COMPARE, bool, uint32_t, 2, a <= b)

/* Comparisons whose result is a dword: all ones, or 0 */
VEU_HANDLER_ROW(eq_d_d, VALUE, uint32_t, uint32_t, 2, -(uint32_t)(a == b))
VEU_HANDLER_ROW(ne_d_d, VALUE, uint32_t, uint32_t, 2, -(uint32_t)(a != b))
VEU_HANDLER_ROW(lt_d_d, VALUE, uint32_t, int32_t, 2, -(uint32_t)(a < b))
VEU_HANDLER_ROW(le_d_d, VALUE, uint32_t, int32_t, 2, -(uint32_t)(a <= b))
VEU_HANDLER_ROW(lt_ud_d, VALUE, uint32_t, uint32_t, 2, -(uint32_t)(a < b))
VEU_HANDLER_ROW(le_ud_d, VALUE, uint32_t, uint32_t, 2, -(uint32_t)(a <= b))
VEU_HANDLER_ROW(eq_f_d, REAL, uint32_t, float, 2, -(uint32_t)(a == b))
VEU_HANDLER_ROW(ne_f_d, REAL, uint32_t, float, 2, -(uint32_t)(a != b))
VEU_HANDLER_ROW(lt_f_d, REAL, uint32_t, float, 2, -(uint32_t)(a < b))
VEU_HANDLER_ROW(le_f_d, REAL, uint32_t, float, 2, -(uint32_t)(a <= b))

/* Quad words */
VEU_HANDLER_ROW(add_q, VALUE, uint64_t, uint64_t, 2, a + b)
VEU_HANDLER_ROW(sub_q, VALUE, uint64_t, uint64_t, 2, a - b)
VEU_HANDLER_ROW(mul_q, VALUE, uint64_t, uint64_t, 2, a *b)
VEU_HANDLER_ROW(and_q, VALUE, uint64_t, uint64_t, 2, a &b)
VEU_HANDLER_ROW(andn_q, VALUE, uint64_t, uint64_t, 2, a & ~b)
VEU_HANDLER_ROW(or_q, VALUE, uint64_t, uint64_t, 2, a | b)
VEU_HANDLER_ROW(xor_q, VALUE, uint64_t, uint64_t, 2, a ^ b)
VEU_HANDLER_ROW(shl_q, VALUE, uint64_t, uint64_t, 2, a << (b & 63))
VEU_HANDLER_ROW(shr_q, VALUE, uint64_t, uint64_t, 2, a >> (b & 63))
VEU_HANDLER_ROW(asr_q, VALUE, int64_t, int64_t, 2, a >> (b & 63))
VEU_HANDLER_ROW(eq_q, COMPARE, bool, uint64_t, 2, a == b)
VEU_HANDLER_ROW(ne_q, COMPARE, bool, uint64_t, 2, a != b)
VEU_HANDLER_ROW(lt_q, COMPARE, bool, int64_t, 2, a < b)
VEU_HANDLER_ROW(le_q, COMPARE, bool, int64_t, 2, a <= b)
VEU_HANDLER_ROW(lt_uq, COMPARE, bool, uint64_t, 2, a < b)
VEU_HANDLER_ROW(le_uq, COMPARE, bool, uint64_t, 2, a <= b)

/* F. If one operand of min or max is a NaN, the other is the result. */
VEU_HANDLER_ROW(add_f, REAL, float, float, 2, a + b)
VEU_HANDLER_ROW(sub_f, REAL, float, float, 2, a - b)
VEU_HANDLER_ROW(mul_f, REAL, float, float, 2, a *b)
VEU_HANDLER_ROW(mad_f, REAL, float, float, 3, __builtin_fmaf(a, b, c))
VEU_HANDLER_ROW(div_f, REAL, float, float, 2, a / b)
VEU_HANDLER_ROW(inv_f, NEAREST, float, float, 1, 1.0f / a)
VEU_HANDLER_ROW(sqrt_f, REAL, float, float, 1, __builtin_sqrtf(a))
VEU_HANDLER_ROW(rsqrt_f, MATH, float, float, 1, rsqrt)
VEU_HANDLER_ROW(exp_f, MATH, float, float, 1, exp)
VEU_HANDLER_ROW(log_f, MATH, float, float, 1, log)
VEU_HANDLER_ROW(pow_f, MATH, float, float, 2, pow)
VEU_HANDLER_ROW(sin_f, MATH, float, float, 1, sin)
VEU_HANDLER_ROW(cos_f, MATH, float, float, 1, cos)
VEU_HANDLER_ROW(min_f, REAL, float, float, 2, a < b || b != b ? a : b)
VEU_HANDLER_ROW(max_f, REAL, float, float, 2, a >= b || b != b ? a : b)
VEU_HANDLER_ROW(rndd_f, NEAREST, float, float, 1, __builtin_floorf(a))
VEU_HANDLER_ROW(rndu_f, NEAREST, float, float, 1, __builtin_ceilf(a))
VEU_HANDLER_ROW(rnde_f, NEAREST, float, float, 1, __builtin_nearbyintf(a))
VEU_HANDLER_ROW(rndz_f, NEAREST, float, float, 1, __builtin_truncf(a))
VEU_HANDLER_ROW(eq_f, COMPARE, bool, float, 2, a == b)
VEU_HANDLER_ROW(ne_f, COMPARE, bool, float, 2, a != b)
VEU_HANDLER_ROW(lt_f, COMPARE, bool, float, 2, a < b)
VEU_HANDLER_ROW(le_f, COMPARE, bool, float, 2, a <= b)

/* DF */
VEU_HANDLER_ROW(add_df, REAL, double, double, 2, a + b)
VEU_HANDLER_ROW(sub_df, REAL, double, double, 2, a - b)
VEU_HANDLER_ROW(mul_df, REAL, double, double, 2, a *b)
VEU_HANDLER_ROW(mad_df, REAL, double, double, 3, __builtin_fma(a, b, c))
VEU_HANDLER_ROW(div_df, REAL, double, double, 2, a / b)
VEU_HANDLER_ROW(eq_df, COMPARE, bool, double, 2, a == b)
VEU_HANDLER_ROW(ne_df, COMPARE, bool, double, 2, a != b)
VEU_HANDLER_ROW(lt_df, COMPARE, bool, double, 2, a < b)
VEU_HANDLER_ROW(le_df, COMPARE, bool, double, 2, a <= b)
