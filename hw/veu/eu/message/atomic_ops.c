/*
 * veu execution unit: atomic operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * encoding.md, section 2, has the codes; fadd and fsub are undocumented. All
 * accesses are sequentially consistent, as a guest's locked instructions are.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/message/atomic_ops.h"
#include "hw/veu/eu/message/lanes.h"

/*
 * Operations on one word. @bytes is a constant, so each becomes one
 * instruction.
 */
#define ONE static inline __attribute__((always_inline)) uint64_t

/* Applies __atomic_@builtin to each size. */
#define FETCH(name, builtin)                                                   \
    ONE name(void *at, unsigned bytes, uint64_t src0, uint64_t src1)           \
    {                                                                          \
        switch (bytes) {                                                       \
        case 2:                                                                \
            return __atomic_##builtin((uint16_t *)at, (uint16_t)src0,          \
                                      __ATOMIC_SEQ_CST);                       \
        case 4:                                                                \
            return __atomic_##builtin((uint32_t *)at, (uint32_t)src0,          \
                                      __ATOMIC_SEQ_CST);                       \
        default:                                                               \
            return __atomic_##builtin((uint64_t *)at, src0, __ATOMIC_SEQ_CST); \
        }                                                                      \
    }

FETCH(fetch_add, fetch_add)
FETCH(fetch_sub, fetch_sub)
FETCH(fetch_and, fetch_and)
FETCH(fetch_or, fetch_or)
FETCH(fetch_xor, fetch_xor)
FETCH(exchange, exchange_n)

ONE fetch_increment(void *at, unsigned bytes, uint64_t src0, uint64_t src1)
{
    return fetch_add(at, bytes, 1, 0);
}

ONE fetch_decrement(void *at, unsigned bytes, uint64_t src0, uint64_t src1)
{
    return fetch_sub(at, bytes, 1, 0);
}

/* Returns the new value. */
ONE decrement_fetch(void *at, unsigned bytes, uint64_t src0, uint64_t src1)
{
    return fetch_sub(at, bytes, 1, 0) - 1;
}

#define COMPARE_EXCHANGE(type, at, expected, desired)                     \
    ({                                                                    \
        type old_ = (expected);                                           \
        __atomic_compare_exchange_n((type *)(at), &old_, (type)(desired), \
                                    false, __ATOMIC_SEQ_CST,              \
                                    __ATOMIC_SEQ_CST);                    \
        old_;                                                             \
    })

/* Stores @desired if memory is @expected. Returns the previous value. */
ONE compare_exchange(void *at, unsigned bytes, uint64_t desired,
                     uint64_t expected)
{
    switch (bytes) {
    case 2:
        return COMPARE_EXCHANGE(uint16_t, at, expected, desired);
    case 4:
        return COMPARE_EXCHANGE(uint32_t, at, expected, desired);
    default:
        return COMPARE_EXCHANGE(uint64_t, at, expected, desired);
    }
}

ONE load(const void *at, unsigned bytes)
{
    switch (bytes) {
    case 2:
        return __atomic_load_n((const uint16_t *)at, __ATOMIC_RELAXED);
    case 4:
        return __atomic_load_n((const uint32_t *)at, __ATOMIC_RELAXED);
    default:
        return __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED);
    }
}

static uint64_t low_bytes(uint64_t value, unsigned bytes)
{
    return value & (UINT64_MAX >> (64 - 8 * bytes));
}

static int64_t extend(uint64_t value, unsigned bytes)
{
    unsigned shift = 64 - 8 * bytes;

    return (int64_t)(value << shift) >> shift;
}

static uint64_t apply_min(uint64_t old, uint64_t src0, uint64_t src1,
                          unsigned bytes)
{
    src0 = low_bytes(src0, bytes);
    return src0 < old ? src0 : old;
}

static uint64_t apply_max(uint64_t old, uint64_t src0, uint64_t src1,
                          unsigned bytes)
{
    src0 = low_bytes(src0, bytes);
    return src0 > old ? src0 : old;
}

static uint64_t apply_signed_min(uint64_t old, uint64_t src0, uint64_t src1,
                                 unsigned bytes)
{
    return extend(src0, bytes) < extend(old, bytes) ? src0 : old;
}

static uint64_t apply_signed_max(uint64_t old, uint64_t src0, uint64_t src1,
                                 unsigned bytes)
{
    return extend(src0, bytes) > extend(old, bytes) ? src0 : old;
}

/*
 * A round fails if another thread has just changed the word. It leaves the word
 * in this CPU's cache, so the next round follows within nanoseconds. Even a
 * guest CPU that changes the word all the time causes only a few rounds
 * (docs/caveats.md).
 */
ONE update(VeuAtomicApply *apply, void *at, unsigned bytes, uint64_t src0,
           uint64_t src1)
{
    uint64_t seen = load(at, bytes);
    uint64_t old;

    do {
        old = seen;
        seen = compare_exchange(at, bytes, apply(old, src0, src1, bytes), old);
    } while (seen != old);
    return old;
}

/* --- All lanes ------------------------------------------------------------ */

typedef uint64_t PerformOne(void *at, unsigned bytes, uint64_t src0,
                            uint64_t src1);

ONE operand(const uint8_t *registers, unsigned lane, unsigned stride)
{
    uint64_t qword;
    uint32_t dword;

    if (stride == 8) {
        memcpy(&qword, registers + lane * 8, sizeof(qword));
        return qword;
    }
    memcpy(&dword, registers + lane * 4, sizeof(dword));
    return dword;
}

/*
 * All that follows waits for an atomic instruction, so there is as little as
 * possible between one and the next.
 */
static inline __attribute__((always_inline)) void each_lane(VeuAtomicLanes *l,
                                                            unsigned bytes,
                                                            PerformOne *perform)
{
    unsigned stride = bytes < 4 ? 4 : bytes;
    uint64_t undefined = bytes < 4 ? l->undefined << 16 : 0;
    uint64_t words = UINT64_MAX >> (64 - 8 * bytes);

    VEU_FOR_EACH_LANE(lane, l->live) {
        uint64_t src0 = operand(l->src0, lane, stride);
        uint64_t src1 = operand(l->src1, lane, stride);
        uint64_t result = perform(l->at[lane], bytes, src0, src1) & words;

        result |= undefined;
        memcpy(l->result + lane * stride, &result, stride);
    }
}

#define EACH(name)                                              \
    static void name##_lanes(VeuAtomicLanes *l, unsigned bytes) \
    {                                                           \
        switch (bytes) {                                        \
        case 2:                                                 \
            each_lane(l, 2, name);                              \
            break;                                              \
        case 4:                                                 \
            each_lane(l, 4, name);                              \
            break;                                              \
        default:                                                \
            each_lane(l, 8, name);                              \
            break;                                              \
        }                                                       \
    }
#define UPDATE(name)                                                          \
    ONE update_##name(void *at, unsigned bytes, uint64_t src0, uint64_t src1) \
    {                                                                         \
        return update(name, at, bytes, src0, src1);                           \
    }                                                                         \
    EACH(update_##name)

EACH(fetch_add)
EACH(fetch_sub)
EACH(fetch_and)
EACH(fetch_or)
EACH(fetch_xor)
EACH(fetch_increment)
EACH(fetch_decrement)
EACH(decrement_fetch)
EACH(exchange)
EACH(compare_exchange)
UPDATE(apply_min)
UPDATE(apply_max)
UPDATE(apply_signed_min)
UPDATE(apply_signed_max)
UPDATE(veu_atomic_fmax)
UPDATE(veu_atomic_fmin)
UPDATE(veu_atomic_fcmpwr)
UPDATE(veu_atomic_fadd)
UPDATE(veu_atomic_fsub)

#define OP(code_, name_, type_, sources_, result_, ...)    \
    {                                                      \
        .code = VEU_ATOMIC_##code_, .name = (name_),       \
        .type = VEU_ATOMIC_##type_, .sources = (sources_), \
        .result = (result_), __VA_ARGS__                   \
    }

const VeuAtomicOp veu_atomic_ops[] = {
    OP(ADD, "add", UNSIGNED, 1, "old + src0", .perform = fetch_add_lanes),
    OP(SUB, "sub", UNSIGNED, 1, "old - src0", .perform = fetch_sub_lanes),
    OP(INC, "inc", UNSIGNED, 0, "old + 1", .perform = fetch_increment_lanes),
    OP(DEC, "dec", UNSIGNED, 0, "old - 1", .perform = fetch_decrement_lanes),
    OP(MIN, "min", UNSIGNED, 1, "min(old, src0)",
       .perform = update_apply_min_lanes),
    OP(MAX, "max", UNSIGNED, 1, "max(old, src0)",
       .perform = update_apply_max_lanes),
    OP(XCHG, "xchg", UNSIGNED, 1, "src0", .perform = exchange_lanes),
    OP(CMPXCHG, "cmpxchg", UNSIGNED, 2, "old == src1 ? src0 : old",
       .perform = compare_exchange_lanes),
    OP(AND, "and", UNSIGNED, 1, "old AND src0", .perform = fetch_and_lanes),
    OP(OR, "or", UNSIGNED, 1, "old OR src0", .perform = fetch_or_lanes),
    OP(XOR, "xor", UNSIGNED, 1, "old XOR src0", .perform = fetch_xor_lanes),
    OP(MINSINT, "minsint", SIGNED, 1, "min(old, src0)",
       .perform = update_apply_signed_min_lanes, .alias = "imin"),
    OP(MAXSINT, "maxsint", SIGNED, 1, "max(old, src0)",
       .perform = update_apply_signed_max_lanes, .alias = "imax"),
    OP(PREDEC, "predec", UNSIGNED, 0, "old - 1",
       .perform = decrement_fetch_lanes),
    OP(FMAX, "fmax", FLOAT, 1, "max(old, src0)",
       .perform = update_veu_atomic_fmax_lanes),
    OP(FMIN, "fmin", FLOAT, 1, "min(old, src0)",
       .perform = update_veu_atomic_fmin_lanes),
    OP(FCMPWR, "fcmpwr", FLOAT, 2, "old == src0 ? src1 : old",
       .perform = update_veu_atomic_fcmpwr_lanes),
    OP(FADD, "fadd", FLOAT, 1, "old + src0",
       .perform = update_veu_atomic_fadd_lanes),
    OP(FSUB, "fsub", FLOAT, 1, "old - src0",
       .perform = update_veu_atomic_fsub_lanes),
};

const unsigned veu_atomic_op_count = VEU_ARRAY_SIZE(veu_atomic_ops);

const VeuAtomicOp *veu_atomic_op_find(uint8_t code)
{
    for (unsigned i = 0; i < veu_atomic_op_count; i++) {
        if (veu_atomic_ops[i].code == code) {
            return &veu_atomic_ops[i];
        }
    }
    return NULL;
}
