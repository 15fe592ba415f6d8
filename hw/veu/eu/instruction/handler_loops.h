/*
 * veu execution unit: the handlers of one CPU level.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included once by each handlers_LEVEL.c, which defines VEU_HANDLER_TABLE, the
 * name of the table, and compiles for that level. A handler's name is that of
 * its row, its shape, its size, and "masked": mad_f_vbv_16_masked.
 */
#include <string.h>
#include "hw/veu/eu/instruction/executors.h"
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/message/execute.h"

#define INLINE static inline __attribute__((always_inline))

/*
 * Decoding makes sure that a lane's result overlaps no source of another lane,
 * except a source that is the same for all, which is read before the loop.
 */
#if defined(__clang__)
#define INDEPENDENT /* it checks at run time */
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Elements in the register file: of any alignment, and seen as other types. */
#define ELEMENT(type) type##_element
#define DECLARE_ELEMENT(type) \
    typedef type type##_element __attribute__((may_alias, aligned(1)))
DECLARE_ELEMENT(uint8_t);
DECLARE_ELEMENT(int8_t);
DECLARE_ELEMENT(uint16_t);
DECLARE_ELEMENT(int16_t);
DECLARE_ELEMENT(uint32_t);
DECLARE_ELEMENT(int32_t);
DECLARE_ELEMENT(uint64_t);
DECLARE_ELEMENT(int64_t);
DECLARE_ELEMENT(float);
DECLARE_ELEMENT(double);

INLINE const void *source(const VeuThread *t, const VeuInstruction *i,
                          unsigned shape, unsigned k)
{
    return (shape >> k & 1) && i->immediate == k ? (const uint8_t *)&i->value :
                                                   t->registers + i->from[k];
}

/* ---- floats ---- */

/* Clears all but the sign of a subnormal number. */
INLINE float flush_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    bits &= ~(-(uint32_t)((bits & 0x7f800000) == 0) >> 1);
    memcpy(&value, &bits, sizeof(value));
    return value;
}

INLINE double flush_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    bits &= ~(-(uint64_t)((bits & UINT64_C(0x7ff0000000000000)) == 0) >> 1);
    memcpy(&value, &bits, sizeof(value));
    return value;
}

#define KEEP(type)                       \
    INLINE type flush_##type(type value) \
    {                                    \
        return value;                    \
    }
KEEP(uint32_t)
KEEP(int32_t)
KEEP(uint64_t)
KEEP(int64_t)

/* The positive quiet NaN in place of every NaN. */
INLINE float one_nan_float(float value)
{
    return value == value ? value : __builtin_nanf("");
}

INLINE double one_nan_double(double value)
{
    return value == value ? value : __builtin_nan("");
}

/* Of the sources' type: whether %cr0 flushes it. */
INLINE bool flushes_float(const VeuThread *t)
{
    return t->flushes_f;
}

INLINE bool flushes_double(const VeuThread *t)
{
    return t->flushes_df;
}

#define NEVER_FLUSHES(type)                        \
    INLINE bool flushes_##type(const VeuThread *t) \
    {                                              \
        return false;                              \
    }
NEVER_FLUSHES(uint32_t)
NEVER_FLUSHES(int32_t)
NEVER_FLUSHES(uint64_t)
NEVER_FLUSHES(int64_t)

/* Toward zero, clamped to the type; a NaN is 0. */
INLINE int32_t to_d(float value)
{
    float inside = value < 0x1p31f && value >= -0x1p31f ? value : 0;
    int32_t outside = value >= 0x1p31f ? INT32_MAX :
                      value < -0x1p31f ? INT32_MIN :
                                         0;

    return (int32_t)inside + outside;
}

INLINE uint32_t to_ud(float value)
{
    float inside = value < 0x1p32f && value > 0 ? value : 0;

    return value >= 0x1p32f ? UINT32_MAX : (uint32_t)inside;
}

/* ---- forms ---- */

#define SOURCES(from_)                                  \
    const ELEMENT(from_) *at0 = source(t, i, shape, 0); \
    const ELEMENT(from_) *at1 = source(t, i, shape, 1); \
    const ELEMENT(from_) *at2 = source(t, i, shape, 2); \
    from_ all0 = shape & 1 ? *at0 : 0;                  \
    from_ all1 = shape & 2 ? *at1 : 0;                  \
    from_ all2 = shape & 4 ? *at2 : 0;                  \
    (void)all1;                                         \
    (void)all2

#define LANE(count, k) (count > k ? (shape >> k & 1 ? all##k : at##k[n]) : 0)

#define OPERATION(name, to_, from_, expression)     \
    INLINE to_ name##_of(from_ a, from_ b, from_ c) \
    {                                               \
        return expression;                          \
    }

#define FORM_VALUE(name, to_, from_, count, expression)                       \
    OPERATION(name, to_, from_, expression)                                   \
    INLINE void name##_lanes(VeuThread *t, const VeuInstruction *i,           \
                             uint32_t active, unsigned shape, unsigned lanes, \
                             bool masked)                                     \
    {                                                                         \
        ELEMENT(to_) *to = (void *)(t->registers + i->to);                    \
        SOURCES(from_);                                                       \
                                                                              \
        INDEPENDENT                                                           \
        for (unsigned n = 0; n < lanes; n++) {                                \
            to_ value = name##_of(LANE(count, 0), LANE(count, 1),             \
                                  LANE(count, 2));                            \
                                                                              \
            to[n] = masked && !(active >> n & 1) ? to[n] : value;             \
        }                                                                     \
    }

#define FORM_REAL(name, to_, from_, count, expression)                        \
    OPERATION(name, to_, from_, expression)                                   \
    INLINE to_ name##_real(from_ a, from_ b, from_ c, bool flush)             \
    {                                                                         \
        to_ value = name##_of(flush ? flush_##from_(a) : a,                   \
                              flush ? flush_##from_(b) : b,                   \
                              flush ? flush_##from_(c) : c);                  \
                                                                              \
        value = one_nan_##to_(value);                                         \
        return flush ? flush_##to_(value) : value;                            \
    }                                                                         \
    INLINE void name##_loop(VeuThread *t, const VeuInstruction *i,            \
                            uint32_t active, unsigned shape, unsigned lanes,  \
                            bool masked, bool flush)                          \
    {                                                                         \
        ELEMENT(to_) *to = (void *)(t->registers + i->to);                    \
        SOURCES(from_);                                                       \
                                                                              \
        INDEPENDENT                                                           \
        for (unsigned n = 0; n < lanes; n++) {                                \
            to_ value = name##_real(LANE(count, 0), LANE(count, 1),           \
                                    LANE(count, 2), flush);                   \
                                                                              \
            to[n] = masked && !(active >> n & 1) ? to[n] : value;             \
        }                                                                     \
    }                                                                         \
    INLINE void name##_lanes(VeuThread *t, const VeuInstruction *i,           \
                             uint32_t active, unsigned shape, unsigned lanes, \
                             bool masked)                                     \
    {                                                                         \
        if (flushes_##from_(t)) {                                             \
            name##_loop(t, i, active, shape, lanes, masked, true);            \
        } else {                                                              \
            name##_loop(t, i, active, shape, lanes, masked, false);           \
        }                                                                     \
    }

/* The bits of a predicate for the lanes that run. */
INLINE void store_bits(VeuThread *t, const VeuInstruction *i, uint32_t active,
                       uint32_t ones)
{
    uint32_t *to = &t->predicates[i->to];

    *to = (*to & ~(active << i->mask_offset)) | (ones & active)
                                                    << i->mask_offset;
}

#define FORM_COMPARE(name, to_, from_, count, expression)                     \
    OPERATION(name, to_, from_, expression)                                   \
    INLINE void name##_loop(VeuThread *t, const VeuInstruction *i,            \
                            uint32_t active, unsigned shape, unsigned lanes,  \
                            bool flush)                                       \
    {                                                                         \
        uint32_t ones = 0;                                                    \
        SOURCES(from_);                                                       \
                                                                              \
        for (unsigned n = 0; n < lanes; n++) {                                \
            from_ a = LANE(count, 0), b = LANE(count, 1);                     \
            bool one = name##_of(flush ? flush_##from_(a) : a,                \
                                 flush ? flush_##from_(b) : b, 0);            \
                                                                              \
            ones |= one ? 1u << n : 0;                                        \
        }                                                                     \
        store_bits(t, i, active, ones);                                       \
    }                                                                         \
    INLINE void name##_lanes(VeuThread *t, const VeuInstruction *i,           \
                             uint32_t active, unsigned shape, unsigned lanes, \
                             bool masked)                                     \
    {                                                                         \
        if (flushes_##from_(t)) {                                             \
            name##_loop(t, i, active, shape, lanes, true);                    \
        } else {                                                              \
            name##_loop(t, i, active, shape, lanes, false);                   \
        }                                                                     \
    }

#define FORM_SELECT(name, to_, from_, count, expression)                      \
    INLINE void name##_lanes(VeuThread *t, const VeuInstruction *i,           \
                             uint32_t active, unsigned shape, unsigned lanes, \
                             bool masked)                                     \
    {                                                                         \
        ELEMENT(to_) *to = (void *)(t->registers + i->to);                    \
        uint32_t first = veu_predicate_of(t, i);                              \
        SOURCES(from_);                                                       \
                                                                              \
        INDEPENDENT                                                           \
        for (unsigned n = 0; n < lanes; n++) {                                \
            to_ a = LANE(count, 0), b = LANE(count, 1);                       \
            to_ value = first >> n & 1 ? a : b;                               \
                                                                              \
            to[n] = masked && !(active >> n & 1) ? to[n] : value;             \
        }                                                                     \
    }

/* ---- handlers ---- */

/* What is compared is masked when it is stored. */
#define MASKED_VALUE(name, letters, shape, size) \
    name##_lanes(t, i, active, shape, size, true)
#define MASKED_REAL   MASKED_VALUE
#define MASKED_SELECT MASKED_VALUE
#define MASKED_COMPARE(name, letters, shape, size) \
    name##_##letters##_##size(t, i, active)

#define HANDLER(form, name, letters, shape, size)                           \
    static void name##_##letters##_##size(VeuThread *t,                     \
                                          const VeuInstruction *i,          \
                                          uint32_t active)                  \
    {                                                                       \
        name##_lanes(t, i, active, shape, size, false);                     \
    }                                                                       \
    static void name##_##letters##_##size##_masked(VeuThread *t,            \
                                                   const VeuInstruction *i, \
                                                   uint32_t active)         \
    {                                                                       \
        MASKED_##form(name, letters, shape, size);                          \
    }

/* One lane that does not run: nothing is done. */
#define HANDLER_1(name)                                         \
    static void name##_1(VeuThread *t, const VeuInstruction *i, \
                         uint32_t active)                       \
    {                                                           \
        name##_lanes(t, i, active, 7, 1, false);                \
    }

static void no_lane(VeuThread *t, const VeuInstruction *i, uint32_t active)
{
}

#define SIZES(form, name, letters, shape)   \
    HANDLER(form, name, letters, shape, 8)  \
    HANDLER(form, name, letters, shape, 16) \
    HANDLER(form, name, letters, shape, 32)

#define SHAPES_1(form, name) \
    SIZES(form, name, v, 0)  \
    SIZES(form, name, b, 1)
#define SHAPES_2(form, name) \
    SIZES(form, name, vv, 0) \
    SIZES(form, name, bv, 1) \
    SIZES(form, name, vb, 2)
#define SHAPES_3(form, name)  \
    SIZES(form, name, vvv, 0) \
    SIZES(form, name, bvv, 1) \
    SIZES(form, name, vbv, 2) \
    SIZES(form, name, bbv, 3) \
    SIZES(form, name, vvb, 4) \
    SIZES(form, name, bvb, 5) \
    SIZES(form, name, vbb, 6)

#define VEU_HANDLER_ROW(name, form, to_, from_, count, expression)   \
    FORM_##form(name, to_, from_, count, expression) HANDLER_1(name) \
        SHAPES_##count(form, name)
#include "hw/veu/eu/instruction/handler_rows.h"
#undef VEU_HANDLER_ROW

#define OF_SIZES(name, letters, suffix)               \
    [VEU_HANDLER_8] = name##_##letters##_8##suffix,   \
    [VEU_HANDLER_16] = name##_##letters##_16##suffix, \
    [VEU_HANDLER_32] = name##_##letters##_32##suffix

#define OF_SHAPES_1(name, suffix, one)                   \
    [0] = { OF_SIZES(name, v, suffix) }, [1] = {         \
        OF_SIZES(name, b, suffix), [VEU_HANDLER_1] = one \
    }
#define OF_SHAPES_2(name, suffix, one)    \
    [0] = { OF_SIZES(name, vv, suffix) }, \
    [1] = { OF_SIZES(name, bv, suffix) }, \
    [2] = { OF_SIZES(name, vb, suffix) }, [3] = { [VEU_HANDLER_1] = one }
#define OF_SHAPES_3(name, suffix, one)     \
    [0] = { OF_SIZES(name, vvv, suffix) }, \
    [1] = { OF_SIZES(name, bvv, suffix) }, \
    [2] = { OF_SIZES(name, vbv, suffix) }, \
    [3] = { OF_SIZES(name, bbv, suffix) }, \
    [4] = { OF_SIZES(name, vvb, suffix) }, \
    [5] = { OF_SIZES(name, bvb, suffix) }, \
    [6] = { OF_SIZES(name, vbb, suffix) }, [7] = { [VEU_HANDLER_1] = one }

const VeuHandlerSet VEU_HANDLER_TABLE[VEU_HANDLER_ROWS] = {
#define VEU_HANDLER_ROW(name, form, to_, from_, count, expression) \
    {                                                              \
        { OF_SHAPES_##count(name, , name##_1) },                   \
        { OF_SHAPES_##count(name, _masked, no_lane) },             \
    },
#include "hw/veu/eu/instruction/handler_rows.h"
#undef VEU_HANDLER_ROW
};
