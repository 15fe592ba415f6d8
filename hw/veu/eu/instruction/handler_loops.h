/*
 * veu execution unit: the handlers of one CPU level.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included once by each handlers_LEVEL.c, which defines VEU_HANDLER_TABLE, the
 * name of the table, and compiles for that level. A handler's name is that of
 * its row, its shape, its size, and "masked": mad_f_vbv_16_masked.
 *
 * Compilers take long for this many functions. There are few sizes: 16 lanes,
 * which most instructions have, and loops of eights for all others.
 */
#include "hw/veu/eu/instruction/float.h"
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_element.h"
#include "hw/veu/eu/instruction/handler_math.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/instruction/handler_vectors.h"

/*
 * Decoding makes sure that a lane's result overlaps no source of another lane,
 * except a source that is the same for all, which is read before the loop.
 */
#if defined(__clang__)
#define INDEPENDENT /* it checks at run time */
#else
#define INDEPENDENT _Pragma("GCC ivdep") UNROLLED
#endif
/* Unrolls the loops of vectors that the compiler makes of the lanes. */
#define UNROLLED _Pragma("GCC unroll 4")

INLINE const void *source(const VeuHandlerStep *i, const uint8_t *registers,
                          unsigned shape, unsigned k)
{
    return (shape >> k & 1) && i->immediate == k ? (const uint8_t *)&i->value :
                                                   registers + i->from[k];
}

/* ---- floats ---- */

/* Integers stay as they are. */
#define KEEP(type)                         \
    INLINE type flush_##type(type value)   \
    {                                      \
        return value;                      \
    }                                      \
    INLINE type one_nan_##type(type value) \
    {                                      \
        return value;                      \
    }
KEEP(uint32_t)
KEEP(int32_t)
KEEP(uint64_t)
KEEP(int64_t)

/* Returns true if %cr0 flushes subnormal numbers of the sources' type. */
INLINE bool flushes_float(const VeuThread *t)
{
    return t->floats & VEU_FLOATS_FLUSH_F;
}

INLINE bool flushes_double(const VeuThread *t)
{
    return t->floats & VEU_FLOATS_FLUSH_DF;
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

/* Converts toward zero and clamps to the type; a NaN becomes 0. */
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

/* ---- integers ---- */

/*
 * Divides. Division by zero gives the number farthest from 0 with the
 * dividend's sign.
 */
INLINE int32_t divide_d(int32_t a, int32_t b)
{
    if (b == 0) {
        return a < 0 ? INT32_MIN : INT32_MAX;
    }
    return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}

INLINE int32_t modulo_d(int32_t a, int32_t b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

INLINE uint32_t reverse_bits(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}

/* ---- forms ---- */

#define SOURCES(from_)                                          \
    const ELEMENT(from_) *at0 = source(i, registers, shape, 0); \
    const ELEMENT(from_) *at1 = source(i, registers, shape, 1); \
    const ELEMENT(from_) *at2 = source(i, registers, shape, 2); \
    from_ all0 = shape & 1 ? *at0 : 0;                          \
    from_ all1 = shape & 2 ? *at1 : 0;                          \
    from_ all2 = shape & 4 ? *at2 : 0;                          \
    (void)all1;                                                 \
    (void)all2

/* The shape whose sources are all the same for all lanes. */
#define SCALARS 7

#define LANE(count, k) (count > k ? (shape >> k & 1 ? all##k : at##k[n]) : 0)

#define OPERATION(name, to_, from_, expression)     \
    INLINE to_ name##_of(from_ a, from_ b, from_ c) \
    {                                               \
        return expression;                          \
    }

/* Shifts that move the bit of each lane to the sign. */
static const uint32_t to_sign[32] __attribute__((aligned(64))) = {
    31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
    15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
};
static const uint64_t to_sign_q[32] __attribute__((aligned(64))) = {
    63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48,
    47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
};
/* Bit @n of @mask, for lanes as wide as @type. */
#define LANE_BIT(mask, n, type)                                            \
    (sizeof(type) == 8 ? (int64_t)((uint64_t)(mask) << to_sign_q[n]) < 0 : \
                         (int32_t)((mask) << to_sign[n]) < 0)

/* A size that stands for the step's number of lanes. */
#define EIGHTS 0

/* A loop over all lanes, whose inner loop of lanes @n becomes vectors. */
#define FOR_LANES(n)                                           \
    for (unsigned first_ = 0, count_ = size ? size : i->lanes, \
                  part_ = size ? size : 8;                     \
         first_ < count_; first_ += part_)                     \
        INDEPENDENT                                            \
    for (unsigned n = first_; n < first_ + part_; n++)

/*
 * @value is computed for each lane, and stored for those that run. If @nans, it
 * may be any NaN.
 */
#define STORE_LANES(to_, from_, nans, value)                               \
    ELEMENT(to_) *to = (void *)(registers + i->to);                        \
    const size_t end = size ? size : i->lanes, part = size ? size : 8;     \
    const bool vectors = STORES_VECTORS(to_, size, masked, nans);          \
    SOURCES(from_);                                                        \
                                                                           \
    for (size_t start = 0; start < end; start += part) {                   \
        to_ results[16];                                                   \
                                                                           \
        INDEPENDENT                                                        \
        for (size_t k = 0; k < part; k++) {                                \
            const size_t n = start + k;                                    \
            to_ result = value;                                            \
                                                                           \
            if (vectors) {                                                 \
                results[k] = result;                                       \
            } else {                                                       \
                result = (nans) ? one_nan_##to_(result) : result;          \
                to[n] = masked && !LANE_BIT(active, n, uint32_t) ? to[n] : \
                                                                   result; \
            }                                                              \
        }                                                                  \
        if (vectors) {                                                     \
            STORE_VECTORS(to_, to + start, results, active >> start, part, \
                          masked, nans);                                   \
        }                                                                  \
    }

#define LANES_FUNCTION(name)                                              \
    INLINE void name(VeuThread *t, const VeuHandlerStep *i,               \
                     uint8_t *registers, uint32_t active, unsigned shape, \
                     unsigned size, bool masked)
#define FLUSHING_FUNCTION(name)                                           \
    INLINE void name(VeuThread *t, const VeuHandlerStep *i,               \
                     uint8_t *registers, uint32_t active, unsigned shape, \
                     unsigned size, bool masked, bool flush)

/* Each loop exists twice: for %cr0 that flushes, and for %cr0 that does not. */
#define FLUSHED_OR_NOT(name, from_)                                           \
    INLINE bool name##_flushes(const VeuThread *t)                            \
    {                                                                         \
        return flushes_##from_(t);                                            \
    }                                                                         \
    LANES_FUNCTION(name##_lanes)                                              \
    {                                                                         \
        if (name##_flushes(t)) {                                              \
            name##_loop(t, i, registers, active, shape, size, masked, true);  \
        } else {                                                              \
            name##_loop(t, i, registers, active, shape, size, masked, false); \
        }                                                                     \
    }

#define FORM_VALUE(name, to_, from_, count, expression)                        \
    OPERATION(name, to_, from_, expression)                                    \
    LANES_FUNCTION(name##_lanes)                                               \
    {                                                                          \
        STORE_LANES(to_, from_, false,                                         \
                    name##_of(LANE(count, 0), LANE(count, 1), LANE(count, 2))) \
    }

#define FORM_REAL(name, to_, from_, count, expression)            \
    OPERATION(name, to_, from_, expression)                       \
    INLINE to_ name##_real(from_ a, from_ b, from_ c, bool flush) \
    {                                                             \
        to_ value = name##_of(flush ? flush_##from_(a) : a,       \
                              flush ? flush_##from_(b) : b,       \
                              flush ? flush_##from_(c) : c);      \
                                                                  \
        return flush ? flush_##to_(value) : value;                \
    }                                                             \
    FLUSHING_FUNCTION(name##_loop){                               \
        STORE_LANES(to_, from_, true,                             \
                    name##_real(LANE(count, 0), LANE(count, 1),   \
                                LANE(count, 2), flush))           \
    } FLUSHED_OR_NOT(name, from_)

/* One function serves all shapes and sizes, since its body is long. */
#define FORM_MATH(name, to_, from_, count, function)                        \
    static __attribute__((noinline)) void name##_any(                       \
        const VeuThread *t, const VeuHandlerStep *i, uint8_t *registers,    \
        uint32_t active, unsigned shape)                                    \
    {                                                                       \
        ELEMENT(to_) *to = (void *)(registers + i->to);                     \
        MathLanes l = { .flush = flushes_##from_(t) };                      \
        SOURCES(from_);                                                     \
                                                                            \
        for (unsigned n = 0; n < i->lanes; n += MATH_LANES) {               \
            math_load(&l, l.a, at0 + n, i->lanes - n, all0, shape & 1);     \
            if (count > 1) {                                                \
                math_load(&l, l.b, at1 + n, i->lanes - n, all1, shape & 2); \
            }                                                               \
            function##_math(&l);                                            \
            math_store(&l, to + n, (active & i->all_lanes) >> n & MATH_ALL, \
                       veu_exact_##function);                               \
        }                                                                   \
    }                                                                       \
    LANES_FUNCTION(name##_lanes)                                            \
    {                                                                       \
        name##_any(t, i, registers, active, shape);                         \
    }

/* Both sources are read, so that lanes need no branches. */
#define FORM_SELECT(name, to_, from_, count, expression)               \
    INLINE to_ name##_of(bool first, from_ a, from_ b)                 \
    {                                                                  \
        return first ? a : b;                                          \
    }                                                                  \
    LANES_FUNCTION(name##_lanes)                                       \
    {                                                                  \
        uint32_t first = veu_step_predicate(t, i);                     \
        STORE_LANES(to_, from_, false,                                 \
                    name##_of(LANE_BIT(first, n, to_), LANE(count, 0), \
                              LANE(count, 1)))                         \
    }

/* The carry's place is stored as that of the missing source. */
#define FORM_CARRY(name, to_, from_, count, expression)                  \
    OPERATION(name, uint64_t, from_, expression)                         \
    LANES_FUNCTION(name##_lanes)                                         \
    {                                                                    \
        ELEMENT(to_) *carry = (void *)(registers + i->from[2]);          \
        ELEMENT(to_) *to = (void *)(registers + i->to);                  \
        SOURCES(from_);                                                  \
                                                                         \
        FOR_LANES(n)                                                     \
        {                                                                \
            uint64_t sum = name##_of(LANE(count, 0), LANE(count, 1), 0); \
            bool keeps = masked && !LANE_BIT(active, n, uint32_t);       \
                                                                         \
            to[n] = keeps ? to[n] : (to_)sum;                            \
            carry[n] = keeps ? carry[n] : (to_)(sum >> 32 & 1);          \
        }                                                                \
    }

/* Stores the bits of a predicate for the lanes that run. */
INLINE void store_bits(VeuThread *t, const VeuHandlerStep *i, uint32_t active,
                       uint32_t ones)
{
    uint32_t *to = &t->predicates[i->to];

    *to = (*to & ~(active << i->mask_offset)) | (ones & active)
                                                    << i->mask_offset;
}

/* The bits of comparisons are collected from this many bytes at a time. */
#if defined(__AVX2__)
#define MASKS_BYTES 32
#else
#define MASKS_BYTES 16
#endif

/* Returns a number whose bit n is set if @masks[n] is not 0. */
INLINE uint32_t bits_of_masks(const void *masks, unsigned count)
{
#if defined(__AVX2__)
    typedef float Floats
        __attribute__((vector_size(32), may_alias, aligned(1)));
    typedef double Doubles
        __attribute__((vector_size(32), may_alias, aligned(1)));

    return count == 4 ? __builtin_ia32_movmskpd256(*(const Doubles *)masks) :
                        __builtin_ia32_movmskps256(*(const Floats *)masks);
#elif defined(__x86_64__)
    typedef float Floats
        __attribute__((vector_size(16), may_alias, aligned(1)));
    typedef double Doubles
        __attribute__((vector_size(16), may_alias, aligned(1)));

    return count == 2 ? __builtin_ia32_movmskpd(*(const Doubles *)masks) :
                        __builtin_ia32_movmskps(*(const Floats *)masks);
#else
    const uint8_t *last_byte = (const uint8_t *)masks + MASKS_BYTES / count - 1;
    uint32_t bits = 0;

    for (unsigned n = 0; n < count; n++) {
        bits |= (last_byte[n * (MASKS_BYTES / count)] & 1u) << n;
    }
    return bits;
#endif
}

#define FORM_COMPARE(name, to_, from_, count, expression)                \
    OPERATION(name, to_, from_, expression)                              \
    INLINE bool name##_compared(from_ a, from_ b, bool flush)            \
    {                                                                    \
        return name##_of(flush ? flush_##from_(a) : a,                   \
                         flush ? flush_##from_(b) : b, 0);               \
    }                                                                    \
    FLUSHING_FUNCTION(name##_loop)                                       \
    {                                                                    \
        const unsigned group = MASKS_BYTES / sizeof(from_);              \
        const unsigned end = size ? size : i->lanes;                     \
        uint32_t ones = 0;                                               \
        SOURCES(from_);                                                  \
                                                                         \
        if (shape == SCALARS) {                                          \
            ones = -(uint32_t)name##_compared(all0, all1, flush);        \
            store_bits(t, i, active, ones);                              \
            return;                                                      \
        }                                                                \
        UNROLLED                                                         \
        for (unsigned first = 0; first < end; first += group) {          \
            MASK(from_)                                                  \
            masks[MASKS_BYTES / sizeof(from_)];                          \
                                                                         \
            for (unsigned k = 0; k < group; k++) {                       \
                unsigned n = first + k;                                  \
                                                                         \
                masks[k] = -(MASK(from_))name##_compared(LANE(count, 0), \
                                                         LANE(count, 1), \
                                                         flush);         \
            }                                                            \
            ones |= bits_of_masks(masks, group) << first;                \
        }                                                                \
        store_bits(t, i, active, ones);                                  \
    }                                                                    \
    FLUSHED_OR_NOT(name, from_)

#define FORM_NEAREST  FORM_REAL
#define FORM_TRUNCATE FORM_VALUE

/* ---- handlers ---- */

/* Returns true if a form's handlers do not hold for %cr0. */
#define BY_RULES_VALUE    false
#define BY_RULES_REAL     false
#define BY_RULES_NEAREST  (t->rounding != VEU_ROUND_NEAREST)
#define BY_RULES_MATH     (t->rounding != VEU_ROUND_NEAREST)
#define BY_RULES_TRUNCATE (t->floats & VEU_FLOATS_ROUND)
#define BY_RULES_COMPARE  false
#define BY_RULES_SELECT   false
#define BY_RULES_CARRY    false
#define BY_RULES(form, name)                           \
    INLINE bool name##_is_by_rules(const VeuThread *t) \
    {                                                  \
        return BY_RULES_##form;                        \
    }
/* Begins a handler. */
#define CHECK_RULES(name)                                            \
    if (__builtin_expect(name##_is_by_rules(t), 0)) {                \
        VEU_TAIL return veu_handler_by_rules(t, i, registers, some); \
    }

/* All lanes run. The bits of a comparison are masked when they are stored. */
#define ACTIVE_VALUE(size)    UINT32_MAX
#define ACTIVE_REAL(size)     UINT32_MAX
#define ACTIVE_NEAREST(size)  UINT32_MAX
#define ACTIVE_MATH(size)     UINT32_MAX
#define ACTIVE_TRUNCATE(size) UINT32_MAX
#define ACTIVE_SELECT(size)   UINT32_MAX
#define ACTIVE_CARRY(size)    UINT32_MAX
#define ACTIVE_COMPARE(size)  ((size) ? (1u << (size)) - 1 : i->all_lanes)

#define PLAIN_HANDLER(name, self, flushing, active, shape, size, masked) \
    static VEU_HANDLER(self)                                             \
    {                                                                    \
        CHECK_RULES(name)                                                \
        name##_lanes(t, i, registers, active, shape, size, masked);      \
        VEU_NEXT_STEP();                                                 \
    }

/* Programs rarely flush: a handler of its own keeps the usual one short. */
#define FLUSHING_HANDLER(name, self, active, shape, masked)                \
    static __attribute__((noinline)) VEU_HANDLER(self)                     \
    {                                                                      \
        name##_loop(t, i, registers, active, shape, EIGHTS, masked, true); \
        VEU_NEXT_STEP();                                                   \
    }
#define REAL_HANDLER(name, self, flushing, active, shape, size, masked)   \
    static VEU_HANDLER(self)                                              \
    {                                                                     \
        CHECK_RULES(name)                                                 \
        if (__builtin_expect(name##_flushes(t), 0)) {                     \
            VEU_TAIL return flushing(t, i, registers, some);              \
        }                                                                 \
        name##_loop(t, i, registers, active, shape, size, masked, false); \
        VEU_NEXT_STEP();                                                  \
    }

#define VALUE_HANDLER    PLAIN_HANDLER
#define MATH_HANDLER     PLAIN_HANDLER
#define TRUNCATE_HANDLER PLAIN_HANDLER
#define SELECT_HANDLER   PLAIN_HANDLER
#define CARRY_HANDLER    PLAIN_HANDLER
#define NEAREST_HANDLER  REAL_HANDLER
#define COMPARE_HANDLER  REAL_HANDLER

/* The names of the handlers of a row and shape begin with @shaped. */
#define ALL_LANES(form, name, shaped, suffix, shape, size)     \
    form##_HANDLER(name, shaped##_##suffix, shaped##_flushing, \
                   ACTIVE_##form(size), shape, size, false)
#define SOME_LANES(form, name, shaped, suffix, shape, size)                    \
    form##_HANDLER(name, shaped##_##suffix##_masked, shaped##_flushing_masked, \
                   veu_step_own_lanes(t, i), shape, size, true)
#define ALL_FLUSHING(form, name, shaped, shape)                             \
    FLUSHING_HANDLER(name, shaped##_flushing, ACTIVE_##form(EIGHTS), shape, \
                     false)
#define SOME_FLUSHING(form, name, shaped, shape)                               \
    FLUSHING_HANDLER(name, shaped##_flushing_masked, veu_step_own_lanes(t, i), \
                     shape, true)

#define SIZES_ALL(form, name, shaped, shape)             \
    ALL_LANES(form, name, shaped, eights, shape, EIGHTS) \
    ALL_LANES(form, name, shaped, 16, shape, 16)
#define SIZES_VALUE(form, name, shaped, shape)            \
    SIZES_ALL(form, name, shaped, shape)                  \
    SOME_LANES(form, name, shaped, eights, shape, EIGHTS) \
    SOME_LANES(form, name, shaped, 16, shape, 16)
#define SIZES_REAL(form, name, shaped, shape) \
    ALL_FLUSHING(form, name, shaped, shape)   \
    SOME_FLUSHING(form, name, shaped, shape)  \
    SIZES_VALUE(form, name, shaped, shape)
#define SIZES_NEAREST  SIZES_REAL
#define SIZES_MATH     SIZES_VALUE
#define SIZES_TRUNCATE SIZES_VALUE
#define SIZES_SELECT   SIZES_VALUE
#define SIZES_CARRY    SIZES_VALUE
#define SIZES_COMPARE  SIZES_REAL
#define SIZES(form, name, letters, shape) \
    SIZES_##form(form, name, name##_##letters, shape)

/* A handler of one lane does nothing if the lane does not run. */
#define HANDLERS_OF_ONE(form, name)                                      \
    PLAIN_HANDLER(name, name##_1, , ACTIVE_##form(1), SCALARS, 1, false) \
    static VEU_HANDLER(name##_1_masked)                                  \
    {                                                                    \
        uint32_t active = veu_step_own_lanes(t, i);                      \
                                                                         \
        CHECK_RULES(name)                                                \
        if (active) {                                                    \
            name##_lanes(t, i, registers, active, SCALARS, 1, false);    \
        }                                                                \
        VEU_NEXT_STEP();                                                 \
    }

/* If all sources are the same for all lanes, one loop serves every size. */
#define SCALARS_VALUE(form, name)                                            \
    __attribute__((unused))                                                  \
    PLAIN_HANDLER(name, name##_scalars, , veu_step_own_lanes(t, i), SCALARS, \
                  EIGHTS, true)
#define SCALARS_REAL               SCALARS_VALUE
#define SCALARS_NEAREST            SCALARS_VALUE
#define SCALARS_MATH               SCALARS_VALUE
#define SCALARS_TRUNCATE           SCALARS_VALUE
#define SCALARS_CARRY              SCALARS_VALUE
#define SCALARS_COMPARE            SCALARS_VALUE
/* Lanes of a selection differ nevertheless, and compilers write many. */
#define SCALARS_SELECT(form, name) SIZES(form, name, bb, 3)

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

#define VEU_HANDLER_ROW(name, form, to_, from_, count, expression)        \
    FORM_##form(name, to_, from_, count, expression) BY_RULES(form, name) \
        HANDLERS_OF_ONE(form, name) SCALARS_##form(form, name)            \
            SHAPES_##count(form, name)
#include "hw/veu/eu/instruction/handler_rows.h"
#undef VEU_HANDLER_ROW

#define OF_SIZES(name, letters, suffix)               \
    [VEU_HANDLER_16] = name##_##letters##_16##suffix, \
    [VEU_HANDLER_EIGHTS] = name##_##letters##_eights##suffix

#define OF_SCALARS(name, one)                                 \
    [VEU_HANDLER_1] = one, [VEU_HANDLER_16] = name##_scalars, \
    [VEU_HANDLER_EIGHTS] = name##_scalars

#define OF_SHAPES_1(name, suffix, one)                   \
    [0] = { OF_SIZES(name, v, suffix) }, [1] = {         \
        OF_SIZES(name, b, suffix), [VEU_HANDLER_1] = one \
    }
#define OF_PAIRS(name, suffix)            \
    [0] = { OF_SIZES(name, vv, suffix) }, \
    [1] = { OF_SIZES(name, bv, suffix) }, [2] = { OF_SIZES(name, vb, suffix) }
#define OF_SHAPES_2(name, suffix, one) \
    OF_PAIRS(name, suffix), [3] = { OF_SCALARS(name, one) }
#define OF_SELECTION(name, suffix, one)                   \
    OF_PAIRS(name, suffix), [3] = {                       \
        OF_SIZES(name, bb, suffix), [VEU_HANDLER_1] = one \
    }
#define OF_SHAPES_3(name, suffix, one)     \
    [0] = { OF_SIZES(name, vvv, suffix) }, \
    [1] = { OF_SIZES(name, bvv, suffix) }, \
    [2] = { OF_SIZES(name, vbv, suffix) }, \
    [3] = { OF_SIZES(name, bbv, suffix) }, \
    [4] = { OF_SIZES(name, vvb, suffix) }, \
    [5] = { OF_SIZES(name, bvb, suffix) }, \
    [6] = { OF_SIZES(name, vbb, suffix) }, [7] = { OF_SCALARS(name, one) }

/* The handlers of all lanes, then those of some. */
#define SET_VALUE(name, count)                            \
    { OF_SHAPES_##count(name, , name##_1) },              \
    {                                                     \
        OF_SHAPES_##count(name, _masked, name##_1_masked) \
    }
#define SET_REAL     SET_VALUE
#define SET_NEAREST  SET_VALUE
#define SET_MATH     SET_VALUE
#define SET_TRUNCATE SET_VALUE
#define SET_CARRY    SET_VALUE
#define SET_COMPARE  SET_VALUE
#define SET_SELECT(name, count)                      \
    { OF_SELECTION(name, , name##_1) },              \
    {                                                \
        OF_SELECTION(name, _masked, name##_1_masked) \
    }

const VeuHandlerSet VEU_HANDLER_TABLE[VEU_HANDLER_ROWS] = {
#define VEU_HANDLER_ROW(name, form, to_, from_, count, expression) \
    { SET_##form(name, count) },
#include "hw/veu/eu/instruction/handler_rows.h"
#undef VEU_HANDLER_ROW
};
