/*
 * veu execution unit: the loads and stores of staged handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/handler_element.h"
#include "hw/veu/eu/instruction/handler_stage.h"
#include "hw/veu/eu/instruction/instruction.h"
#include "hw/veu/eu/instruction/lanes.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/type.h"

#if !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize,no-math-errno,no-trapping-math")
#endif
/* Subnormal numbers of the type are zeros. */
#define FLUSHES(type) (t->floats & VEU_FLOATS_FLUSH_##type)

/* ---- half floats ---- */

/* Exact: scales a half as if its exponent were a float's. */
INLINE float half_to_float(const VeuThread *t, uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7fff) << 13;
    float value;

    if (bits < 0x800000 && FLUSHES(HF)) {
        bits = 0;
    }
    memcpy(&value, &bits, sizeof(value));
    value *= 0x1p112f;
    if (bits >= 0x0f800000) {
        value = bits > 0x0f800000 ? __builtin_nanf("") : __builtin_inff();
    }
    return half >> 15 && value == value ? -value : value;
}

/* Rounds a magnitude that is not subnormal to the nearest even. */
static uint16_t round_normal(uint32_t magnitude)
{
    /* The exponent is lower by 112; a tie rounds up if the last bit is 1. */
    return (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
}

/* A sum with 0.5 has units of 2^-24, like subnormal halves. */
static uint16_t round_subnormal(const VeuThread *t, uint32_t magnitude)
{
    float value;
    uint32_t bits;

    memcpy(&value, &magnitude, sizeof(value));
    value += 0.5f;
    memcpy(&bits, &value, sizeof(bits));
    bits -= 0x3f000000;
    return bits < 0x400 && FLUSHES(HF) ? 0 : bits;
}

static uint16_t float_to_half(const VeuThread *t, float value)
{
    uint32_t bits, magnitude;
    uint16_t half;

    memcpy(&bits, &value, sizeof(bits));
    magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        return 0x7e00;
    }
    half = magnitude >= 0x47800000 ? 0x7c00 :
           magnitude < 0x38800000  ? round_subnormal(t, magnitude) :
                                     round_normal(magnitude);
    return half | (bits >> 16 & 0x8000);
}

/*
 * Rounds to odd: a float has over 2 bits more than a half, so rounding it again
 * gives the same as rounding the double.
 */
static uint16_t double_to_half(const VeuThread *t, double value)
{
    float near = (float)value;
    uint32_t bits;

    memcpy(&bits, &near, sizeof(bits));
    if (value == value && (double)near != value) {
        bits -= __builtin_fabs((double)near) > __builtin_fabs(value);
        bits |= 1;
    }
    memcpy(&near, &bits, sizeof(near));
    return float_to_half(t, near);
}

/* Integers beyond 2^17 become infinite; below that, all are exact as floats. */
static uint16_t integer_to_half(const VeuThread *t, int64_t value)
{
    const int64_t most = 1 << 17;

    value = value > most ? most : value < -most ? -most : value;
    return float_to_half(t, (float)value);
}

/* ---- loads ---- */

static bool is_signed(const VeuOperand *o)
{
    uint8_t type = veu_operand_type(o);

    return type == VEU_TYPE_B || type == VEU_TYPE_W || type == VEU_TYPE_D ||
           type == VEU_TYPE_Q;
}

static bool negates(const VeuOperand *o)
{
    return o->modifier == VEU_MODIFIER_NEG ||
           o->modifier == VEU_MODIFIER_NEG_ABS;
}

static bool takes_magnitude(const VeuOperand *o)
{
    return o->modifier == VEU_MODIFIER_ABS ||
           o->modifier == VEU_MODIFIER_NEG_ABS;
}

/* A modifier produces the low bits that the rules give. */
#define MODIFY_INTEGER(stage, type, signed_type)                        \
    static void modify_##stage(const VeuThread *t, const VeuOperand *o, \
                               unsigned lanes, ELEMENT(type) * lane)    \
    {                                                                   \
        bool magnitude = takes_magnitude(o) && is_signed(o);            \
        type inverts = o->modifier == VEU_MODIFIER_NOT ? (type)-1 : 0;  \
        type sign = negates(o) ? (type)-1 : 0;                          \
                                                                        \
        for (unsigned n = 0; n < lanes; n++) {                          \
            bool below = magnitude && (signed_type)lane[n] < 0;         \
            type value = below ? 0 - lane[n] : lane[n];                 \
                                                                        \
            lane[n] = ((value ^ sign) - sign) ^ inverts;                \
        }                                                               \
    }
MODIFY_INTEGER(D, uint32_t, int32_t)
MODIFY_INTEGER(Q, uint64_t, int64_t)

/*
 * A modifier makes the number a computed one: subnormal numbers and NaNs
 * change.
 */
#define MODIFY_REAL(stage, type)                                           \
    static void modify_##stage(const VeuThread *t, const VeuOperand *o,    \
                               unsigned lanes, ELEMENT(type) * lane)       \
    {                                                                      \
        for (unsigned n = 0; n < lanes; n++) {                             \
            type value = FLUSHES(stage) ? flush_##type(lane[n]) : lane[n]; \
                                                                           \
            if (takes_magnitude(o)) {                                      \
                value = value < 0 ? -value : value == 0 ? 0 : value;       \
            }                                                              \
            lane[n] = one_nan_##type(negates(o) ? -value : value);         \
        }                                                                  \
    }
MODIFY_REAL(F, float)
MODIFY_REAL(DF, double)

/*
 * Loops of 16 lanes are vectors, for a number, elements in a row, and every
 * second one. Lanes are in a buffer of their own, outside the registers.
 */
#define LOAD_16(name, step)                     \
    SEPARATE                                    \
    for (unsigned n = 0; n < 16; n++) {         \
        lane[n] = name##_of(t, at[n * (step)]); \
    }

#define LOAD(name, from_, stage, to_, expression)                        \
    INLINE to_ name##_of(const VeuThread *t, from_ a)                    \
    {                                                                    \
        return expression;                                               \
    }                                                                    \
    static void name(const VeuThread *t, const VeuOperand *o,            \
                     const void *from, unsigned lanes, void *to)         \
    {                                                                    \
        const ELEMENT(from_) *at = from;                                 \
        unsigned width = 1u << o->width_shift;                           \
        ELEMENT(to_) *lane = to;                                         \
                                                                         \
        if (o->step == 1 && width >= 16 && lanes == 16) {                \
            LOAD_16(name, 1);                                            \
        } else if (o->step == 0 && width >= 16 && lanes == 16) {         \
            LOAD_16(name, 0);                                            \
        } else if (o->step == 2 && width >= 16 && lanes == 16) {         \
            LOAD_16(name, 2);                                            \
        } else {                                                         \
            for (unsigned n = 0; n < lanes; at += o->row_step) {         \
                for (unsigned k = 0; k < width && n < lanes; k++, n++) { \
                    lane[n] = name##_of(t, at[k * o->step]);             \
                }                                                        \
            }                                                            \
        }                                                                \
        if (o->modifier) {                                               \
            modify_##stage(t, o, lanes, lane);                           \
        }                                                                \
    }

/*
 * Returns true if each of 16 elements is a part of a dword of its own, as after
 * messages that return bytes.
 */
static bool is_part_of_dwords(const VeuOperand *o, unsigned lanes,
                              unsigned bytes)
{
    return o->step * bytes == 4 && o->width_shift >= 4 && lanes == 16 &&
           o->at % 4 + bytes <= 4;
}

/* @wide is uint32_t or int32_t, for elements without or with a sign. */
#define LOAD_SMALL(name, from_, wide, stage, to_)                \
    LOAD(name##_any, from_, stage, to_, (to_)a)                  \
    static void name(const VeuThread *t, const VeuOperand *o,    \
                     const void *from, unsigned lanes, void *to) \
    {                                                            \
        const unsigned above = 32 - 8 * sizeof(from_);           \
        const ELEMENT(uint32_t) * at;                            \
        unsigned left = above - 8 * (o->at % 4);                 \
        ELEMENT(to_) *lane = to;                                 \
                                                                 \
        if (!is_part_of_dwords(o, lanes, sizeof(from_))) {       \
            name##_any(t, o, from, lanes, to);                   \
            return;                                              \
        }                                                        \
        at = (const void *)((const uint8_t *)from - o->at % 4);  \
        SEPARATE                                                 \
        for (unsigned n = 0; n < 16; n++) {                      \
            lane[n] = (to_)((wide)(at[n] << left) >> above);     \
        }                                                        \
        if (o->modifier) {                                       \
            modify_##stage(t, o, lanes, lane);                   \
        }                                                        \
    }

#define LOAD_INTEGERS(stage, to_)                               \
    LOAD_SMALL(load_ub_##stage, uint8_t, uint32_t, stage, to_)  \
    LOAD_SMALL(load_b_##stage, int8_t, int32_t, stage, to_)     \
    LOAD_SMALL(load_uw_##stage, uint16_t, uint32_t, stage, to_) \
    LOAD_SMALL(load_w_##stage, int16_t, int32_t, stage, to_)    \
    LOAD(load_ud_##stage, uint32_t, stage, to_, a)              \
    LOAD(load_d_##stage, int32_t, stage, to_, (to_)a)
LOAD_INTEGERS(D, uint32_t)
LOAD_INTEGERS(Q, uint64_t)
LOAD(load_q_Q, uint64_t, Q, uint64_t, a)
LOAD(load_f_F, float, F, float, a)
LOAD(load_hf_F, uint16_t, F, float, half_to_float(t, a))
LOAD(load_df_DF, double, DF, double, a)
LOAD(load_f_DF, float, DF, double,
     one_nan_double(FLUSHES(F) ? flush_float(a) : a))
LOAD(load_hf_DF, uint16_t, DF, double, half_to_float(t, a))

/* All bits of a predicate, for each lane. */
static void load_predicate(const VeuThread *t, const VeuOperand *o,
                           const void *from, unsigned lanes, void *to)
{
    ELEMENT(uint64_t) *lane = to;

    for (unsigned n = 0; n < lanes; n++) {
        lane[n] = veu_predicate_operand(t, o);
    }
}

/* Immediates of several numbers. */
#define LOAD_PACKED(name, to_)                                          \
    static void name(const VeuThread *t, const VeuOperand *o,           \
                     const void *from, unsigned lanes, void *to)        \
    {                                                                   \
        ELEMENT(to_) *lane = to;                                        \
                                                                        \
        for (unsigned n = 0; n < lanes; n++) {                          \
            lane[n] = veu_operand_integer(o, veu_immediate_bits(o, n)); \
        }                                                               \
    }
LOAD_PACKED(load_packed_D, uint32_t)
LOAD_PACKED(load_packed_Q, uint64_t)

VeuStageLoad *veu_stage_load(uint8_t type, VeuStageType stage)
{
    static VeuStageLoad *const loads[][VEU_STAGE_TYPES] = {
        [VEU_TYPE_UB] = { load_ub_D, load_ub_Q },
        [VEU_TYPE_B] = { load_b_D, load_b_Q },
        [VEU_TYPE_UW] = { load_uw_D, load_uw_Q },
        [VEU_TYPE_W] = { load_w_D, load_w_Q },
        [VEU_TYPE_UD] = { load_ud_D, load_ud_Q },
        [VEU_TYPE_D] = { load_d_D, load_d_Q },
        [VEU_TYPE_UQ] = { NULL, load_q_Q },
        [VEU_TYPE_Q] = { NULL, load_q_Q },
        [VEU_TYPE_HF] = { NULL, NULL, load_hf_F, load_hf_DF },
        [VEU_TYPE_F] = { NULL, NULL, load_f_F, load_f_DF },
        [VEU_TYPE_DF] = { NULL, NULL, NULL, load_df_DF },
        [VEU_TYPE_BOOL] = { NULL, load_predicate },
        [VEU_TYPE_V] = { load_packed_D, load_packed_Q },
        [VEU_TYPE_UV] = { load_packed_D, load_packed_Q },
    };

    return type < VEU_ARRAY_SIZE(loads) ? loads[type][stage] : NULL;
}

/* ---- stores ---- */

#define STORE(name, from_, to_, expression)                                  \
    INLINE to_ name##_of(const VeuThread *t, from_ a)                        \
    {                                                                        \
        return expression;                                                   \
    }                                                                        \
    static void name(VeuThread *t, const VeuInstruction *i, uint32_t active, \
                     const void *from, void *first)                          \
    {                                                                        \
        ELEMENT(to_) *to = first;                                            \
        const ELEMENT(from_) *lane = from;                                   \
        unsigned step = i->dst.step;                                         \
                                                                             \
        if (step == 1 && active == 0xffff) {                                 \
            SEPARATE                                                         \
            for (unsigned n = 0; n < 16; n++) {                              \
                to[n] = name##_of(t, lane[n]);                               \
            }                                                                \
            return;                                                          \
        }                                                                    \
        VEU_FOR_EACH_LANE(n, active) {                                       \
            to[n * step] = name##_of(t, lane[n]);                            \
        }                                                                    \
    }

/* A subnormal double that is not flushed may become a float that is not 0. */
INLINE float double_to_float(const VeuThread *t, double value)
{
    float narrow = (float)(FLUSHES(DF) ? flush_double(value) : value);

    return FLUSHES(F) ? flush_float(narrow) : narrow;
}

#define CLAMP(type, least, most) \
    (type)(a < (least) ? (least) : a > (most) ? (most) : a)
/*
 * Rounds toward zero; a NaN becomes 0. The limits are doubles: @most may be
 * rounded up.
 */
#define TRUNCATE(type, least, most)         \
    (a != a               ? 0 :             \
     a >= (double)(most)  ? (type)(most) :  \
     a <= (double)(least) ? (type)(least) : \
                            (type)a)
/* Saturates to [0, 1]; a NaN, and a zero of any sign, become 0. */
#define UNIT (a > 0 ? (a > 1 ? 1 : a) : 0)

STORE(store_D_b, uint32_t, uint8_t, (uint8_t)a)
STORE(store_D_w, uint32_t, uint16_t, (uint16_t)a)
STORE(store_D_d, uint32_t, uint32_t, a)
STORE(store_Q_b, uint64_t, uint8_t, (uint8_t)a)
STORE(store_Q_w, uint64_t, uint16_t, (uint16_t)a)
STORE(store_Q_d, uint64_t, uint32_t, (uint32_t)a)
STORE(store_Q_q, uint64_t, uint64_t, a)
STORE(saturate_Q_ub, int64_t, uint8_t, CLAMP(uint8_t, 0, UINT8_MAX))
STORE(saturate_Q_b, int64_t, int8_t, CLAMP(int8_t, INT8_MIN, INT8_MAX))
STORE(saturate_Q_uw, int64_t, uint16_t, CLAMP(uint16_t, 0, UINT16_MAX))
STORE(saturate_Q_w, int64_t, int16_t, CLAMP(int16_t, INT16_MIN, INT16_MAX))
STORE(saturate_Q_ud, int64_t, uint32_t, CLAMP(uint32_t, 0, UINT32_MAX))
STORE(saturate_Q_d, int64_t, int32_t, CLAMP(int32_t, INT32_MIN, INT32_MAX))
STORE(saturate_Q_uq, int64_t, uint64_t, a < 0 ? 0 : (uint64_t)a)
STORE(store_Q_f, int64_t, float, (float)a)
STORE(store_Q_df, int64_t, double, (double)a)
STORE(store_Q_hf, int64_t, uint16_t, integer_to_half(t, a))
STORE(store_UQ_f, uint64_t, float, (float)a)
STORE(store_UQ_df, uint64_t, double, (double)a)
STORE(store_UQ_hf, uint64_t, uint16_t,
      integer_to_half(t, a > INT32_MAX ? INT32_MAX : (int64_t)a))
STORE(store_F_f, float, float, a)
STORE(store_F_hf, float, uint16_t, float_to_half(t, a))
STORE(saturate_F_f, float, float, FLUSHES(F) ? flush_float(UNIT) : UNIT)
STORE(saturate_F_hf, float, uint16_t, float_to_half(t, UNIT))
STORE(store_DF_df, double, double, a)
STORE(store_DF_f, double, float, one_nan_float(double_to_float(t, a)))
STORE(store_DF_hf, double, uint16_t, double_to_half(t, a))
STORE(saturate_DF_df, double, double, FLUSHES(DF) ? flush_double(UNIT) : UNIT)
STORE(saturate_DF_f, double, float, double_to_float(t, UNIT))
STORE(saturate_DF_hf, double, uint16_t, double_to_half(t, UNIT))
STORE(store_DF_ub, double, uint8_t, TRUNCATE(uint8_t, 0, UINT8_MAX))
STORE(store_DF_b, double, int8_t, TRUNCATE(int8_t, INT8_MIN, INT8_MAX))
STORE(store_DF_uw, double, uint16_t, TRUNCATE(uint16_t, 0, UINT16_MAX))
STORE(store_DF_w, double, int16_t, TRUNCATE(int16_t, INT16_MIN, INT16_MAX))
STORE(store_DF_ud, double, uint32_t, TRUNCATE(uint32_t, 0, UINT32_MAX))
STORE(store_DF_d, double, int32_t, TRUNCATE(int32_t, INT32_MIN, INT32_MAX))
STORE(store_DF_uq, double, uint64_t, TRUNCATE(uint64_t, 0, UINT64_MAX))
STORE(store_DF_q, double, int64_t, TRUNCATE(int64_t, INT64_MIN, INT64_MAX))

/* The last index selects .sat. */
static VeuStageStore *const stores[VEU_STAGE_TYPES][16][2] = {
    [VEU_STAGE_D] = {
        [VEU_TYPE_UB] = { store_D_b }, [VEU_TYPE_B] = { store_D_b },
        [VEU_TYPE_UW] = { store_D_w }, [VEU_TYPE_W] = { store_D_w },
        [VEU_TYPE_UD] = { store_D_d }, [VEU_TYPE_D] = { store_D_d },
    },
    [VEU_STAGE_Q] = {
        [VEU_TYPE_UB] = { store_Q_b, saturate_Q_ub },
        [VEU_TYPE_B] = { store_Q_b, saturate_Q_b },
        [VEU_TYPE_UW] = { store_Q_w, saturate_Q_uw },
        [VEU_TYPE_W] = { store_Q_w, saturate_Q_w },
        [VEU_TYPE_UD] = { store_Q_d, saturate_Q_ud },
        [VEU_TYPE_D] = { store_Q_d, saturate_Q_d },
        [VEU_TYPE_UQ] = { store_Q_q, saturate_Q_uq },
        [VEU_TYPE_Q] = { store_Q_q, store_Q_q },
        [VEU_TYPE_HF] = { store_Q_hf },
        [VEU_TYPE_F] = { store_Q_f },
        [VEU_TYPE_DF] = { store_Q_df },
    },
    [VEU_STAGE_F] = {
        [VEU_TYPE_HF] = { store_F_hf, saturate_F_hf },
        [VEU_TYPE_F] = { store_F_f, saturate_F_f },
    },
    [VEU_STAGE_DF] = {
        [VEU_TYPE_UB] = { store_DF_ub, store_DF_ub },
        [VEU_TYPE_B] = { store_DF_b, store_DF_b },
        [VEU_TYPE_UW] = { store_DF_uw, store_DF_uw },
        [VEU_TYPE_W] = { store_DF_w, store_DF_w },
        [VEU_TYPE_UD] = { store_DF_ud, store_DF_ud },
        [VEU_TYPE_D] = { store_DF_d, store_DF_d },
        [VEU_TYPE_UQ] = { store_DF_uq, store_DF_uq },
        [VEU_TYPE_Q] = { store_DF_q, store_DF_q },
        [VEU_TYPE_HF] = { store_DF_hf, saturate_DF_hf },
        [VEU_TYPE_F] = { store_DF_f, saturate_DF_f },
        [VEU_TYPE_DF] = { store_DF_df, saturate_DF_df },
    },
};

VeuStageStore *veu_stage_store(VeuStageType stage, uint8_t type, bool saturates)
{
    return type < 16 ? stores[stage][type][saturates] : NULL;
}

VeuStageStore *veu_stage_store_unsigned(uint8_t type)
{
    return type == VEU_TYPE_F  ? store_UQ_f :
           type == VEU_TYPE_DF ? store_UQ_df :
           type == VEU_TYPE_HF ? store_UQ_hf :
                                 NULL;
}
