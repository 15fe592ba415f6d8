/*
 * veu execution unit: arithmetic on integers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Semantics: the vendor's pages; or, if they are silent, docs/spec.md,
 * "Instructions". Division never faults.
 */
#include "hw/veu/eu/instruction/elements.h"
#include "hw/veu/eu/instruction/integer.h"
#include "hw/veu/eu/message/lanes.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/type.h"
#include "hw/veu/eu/simd/cpu.h"

#if !defined(__clang__)
#pragma GCC optimize("tree-loop-vectorize")
#endif

/* Makes the functions of all lanes from those of one. */
#define ALL_LANES(name)                                                      \
    static void name##_wide(const VeuInstruction *i, uint32_t active,        \
                            VeuIntegerSources s, VeuInteger *values,         \
                            uint64_t *second)                                \
    {                                                                        \
        VEU_FOR_EACH_LANE(n, active) {                                       \
            VeuInteger more = 0;                                             \
                                                                             \
            values[n] = name##_lane(i, s[n], &more);                         \
            second[n] = (uint64_t)more;                                      \
        }                                                                    \
    }                                                                        \
                                                                             \
    VEU_CLONED void name##_narrow(const VeuInstruction *i, unsigned lanes,   \
                                  VeuSourceBits src, VeuResults *restrict r) \
    {                                                                        \
        if (lanes == VEU_COMMON_LANES) {                                     \
            for (unsigned n = 0; n < VEU_COMMON_LANES; n++) {                \
                name##_narrow_lane(i, src, n, r);                            \
            }                                                                \
            return;                                                          \
        }                                                                    \
        for (unsigned n = 0; n < lanes; n++) {                               \
            name##_narrow_lane(i, src, n, r);                                \
        }                                                                    \
    }                                                                        \
                                                                             \
    VEU_CPU_CLONES(void, name##_narrow,                                      \
                   (const VeuInstruction *i, unsigned lanes,                 \
                    VeuSourceBits src, VeuResults *restrict r),              \
                   (i, lanes, src, r))

/* Begins the function of one lane. */
#define OPERATION(name)                                                    \
    static inline VeuInteger name##_lane(const VeuInstruction *i,          \
                                         const VeuInteger *s,              \
                                         VeuInteger *second);              \
                                                                           \
    static inline void name##_narrow_lane(const VeuInstruction *i,         \
                                          VeuSourceBits src, unsigned n,   \
                                          VeuResults *restrict r)          \
    {                                                                      \
        const VeuInteger s[] = { (int64_t)src[0][n], (int64_t)src[1][n],   \
                                 (int64_t)src[2][n], (int64_t)src[3][n] }; \
        VeuInteger more = 0;                                               \
                                                                           \
        r->bits[n] = (uint64_t)name##_lane(i, s, &more);                   \
        r->second[n] = (uint64_t)more;                                     \
    }                                                                      \
                                                                           \
    ALL_LANES(name);                                                       \
                                                                           \
    static inline VeuInteger name##_lane(const VeuInstruction *i,          \
                                         const VeuInteger *s,              \
                                         VeuInteger *second)

/*
 * An operation whose low bits do not depend on the sources' higher bits. It
 * evaluates @result on unsigned sources s of 128 or 64 bits; the low 64 bits
 * are the same.
 */
#define MODULAR(name, result)                                            \
    static inline VeuInteger name##_lane(const VeuInstruction *i,        \
                                         const VeuInteger *src,          \
                                         VeuInteger *second)             \
    {                                                                    \
        const unsigned __int128 *s = (const unsigned __int128 *)src;     \
                                                                         \
        return (VeuInteger)(result);                                     \
    }                                                                    \
                                                                         \
    static inline void name##_narrow_lane(const VeuInstruction *i,       \
                                          VeuSourceBits src, unsigned n, \
                                          VeuResults *restrict r)        \
    {                                                                    \
        const uint64_t s[] = { src[0][n], src[1][n], src[2][n] };        \
                                                                         \
        r->bits[n] = (result);                                           \
        r->second[n] = 0;                                                \
    }                                                                    \
                                                                         \
    ALL_LANES(name)

static unsigned bits_of(const VeuOperand *o)
{
    return veu_type_bytes(veu_operand_type(o)) * 8;
}

/* The bits of an operand's value, as an unsigned number. */
static uint64_t unsigned_of(const VeuOperand *o, VeuInteger value)
{
    return (uint64_t)value & UINT64_MAX >> (64 - bits_of(o));
}

/* The low @bits of a number, as a signed value. */
static int64_t signed_bits(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static bool is_signed(const VeuOperand *o)
{
    VeuInteger least, most;

    veu_integer_range(veu_operand_type(o), &least, &most);
    return least < 0;
}

MODULAR(integer_add, s[0] + s[1]);

OPERATION(integer_avg)
{
    return (s[0] + s[1] + 1) >> 1;
}

/* The width of a division: that of its widest operand. */
static unsigned division_bits(const VeuInstruction *i)
{
    unsigned a = bits_of(&i->src[0]);
    unsigned b = bits_of(&i->src[1]);

    return a > b ? a : b;
}

/*
 * The result is all ones, or the number farthest from 0 with the dividend's
 * sign.
 */
static VeuInteger divide_by_zero(const VeuInstruction *i, VeuInteger dividend)
{
    unsigned bits = division_bits(i);
    VeuInteger half = (VeuInteger)1 << (bits - 1);

    if (!is_signed(&i->src[0])) {
        return 2 * half - 1;
    }
    return dividend < 0 ? -half : half - 1;
}

OPERATION(integer_divide)
{
    return s[1] ? s[0] / s[1] : divide_by_zero(i, s[0]);
}

OPERATION(integer_modulo)
{
    return s[1] ? s[0] % s[1] : s[0];
}

MODULAR(integer_multiply, s[0] * s[1]);

MODULAR(integer_multiply_add, s[0] * s[1] + s[2]);

OPERATION(integer_multiply_high)
{
    return (s[0] * s[1]) >> 32;
}

OPERATION(integer_multiply_add_wide)
{
    VeuInteger sum = s[0] * s[1] + s[2];

    *second = sum >> 32;
    return sum;
}

OPERATION(integer_add_carry)
{
    uint64_t sum = (uint64_t)(uint32_t)s[0] + (uint32_t)s[1];

    *second = sum >> 32;
    return (uint32_t)sum;
}

OPERATION(integer_subtract_borrow)
{
    uint32_t a = s[0], b = s[1];

    *second = a < b;
    return (VeuInteger)a - b;
}

MODULAR(integer_add3, s[0] + s[1] + s[2]);

OPERATION(integer_minmax)
{
    return i->code == 0 ? (s[0] < s[1] ? s[0] : s[1]) :
                          (s[0] >= s[1] ? s[0] : s[1]);
}

MODULAR(integer_and, s[0] & s[1]);

MODULAR(integer_or, s[0] | s[1]);

MODULAR(integer_exclusive_or, s[0] ^ s[1]);

MODULAR(integer_invert, ~s[0]);

static inline unsigned is_quad(const VeuOperand *o)
{
    return veu_type_bytes(o->type) == sizeof(uint64_t);
}

/*
 * The low 5 bits of a count, or 6 if a quad word is shifted or produced.
 * Without branches, so that it is computed once for all lanes.
 */
static inline uint64_t shift_count(const VeuInstruction *i, uint64_t count)
{
    unsigned wide = is_quad(&i->src[0]) | ((!i->dst.null) & is_quad(&i->dst));

    return count & (wide ? UINT64_C(63) : 31);
}

MODULAR(integer_shift_left, s[0] << shift_count(i, s[1]));

OPERATION(integer_shift_right)
{
    return unsigned_of(&i->src[0], s[0]) >> shift_count(i, s[1]);
}

/* The highest bit of the source is its sign, whatever its type is. */
OPERATION(integer_shift_arithmetic)
{
    return signed_bits((uint64_t)s[0], bits_of(&i->src[0])) >>
           shift_count(i, s[1]);
}

/* Rotates at the width of src0; the result is a number of its type. */
static VeuInteger rotate(const VeuInstruction *i, uint64_t value, unsigned left)
{
    unsigned bits = bits_of(&i->src[0]);

    left &= bits - 1;
    value = left ? value << left | value >> (bits - left) : value;
    return is_signed(&i->src[0]) ? signed_bits(value, bits) :
                                   (VeuInteger)unsigned_of(&i->src[0], value);
}

OPERATION(integer_rotate_left)
{
    return rotate(i, unsigned_of(&i->src[0], s[0]), (unsigned)s[1]);
}

OPERATION(integer_rotate_right)
{
    return rotate(i, unsigned_of(&i->src[0], s[0]), -(unsigned)s[1]);
}

/* Counts like the page's loop: after the source is extended to a dword. */
OPERATION(integer_count_bits)
{
    return __builtin_popcount((uint32_t)s[0]);
}

OPERATION(integer_leading_zeros)
{
    uint32_t value = s[0];

    return value ? (VeuInteger)__builtin_clz(value) : 32;
}

OPERATION(integer_find_low)
{
    uint32_t value = s[0];

    return value ? (VeuInteger)__builtin_ctz(value) : UINT32_MAX;
}

/* For a negative number, finds the highest 0. */
OPERATION(integer_find_high)
{
    uint32_t value = s[0] < 0 ? ~(uint32_t)s[0] : (uint32_t)s[0];

    return value ? (VeuInteger)__builtin_clz(value) : UINT32_MAX;
}

OPERATION(integer_reverse_bits)
{
    uint32_t value = s[0], reversed = 0;

    for (unsigned bit = 0; bit < 32; bit++) {
        reversed |= (value >> bit & 1) << (31 - bit);
    }
    return reversed;
}

OPERATION(integer_extract_field)
{
    unsigned width = s[0] & 31;
    unsigned at = s[1] & 31;
    bool extends = !i->dst.null && i->dst.type == VEU_TYPE_D;
    uint64_t shifted = extends ? (uint32_t)((int32_t)s[2] >> at) :
                                 (uint32_t)s[2] >> at;

    if (width == 0) {
        return 0;
    }
    return extends ? signed_bits(shifted, width) :
                     (VeuInteger)(shifted & ((UINT64_C(1) << width) - 1));
}

OPERATION(integer_insert_field)
{
    unsigned at = s[1] & 31;
    uint32_t mask = ((1u << (s[0] & 31)) - 1) << at;

    return ((uint32_t)s[2] << at & mask) | ((uint32_t)s[3] & ~mask);
}

/* A byte of a dword; it is signed if the dword's type is. */
static int32_t byte_of(const VeuOperand *o, VeuInteger value, unsigned byte)
{
    uint8_t bits = value >> (8 * byte);
    int32_t with_sign = (int8_t)bits;

    return is_signed(o) ? with_sign : bits;
}

OPERATION(integer_dot_bytes)
{
    VeuInteger sum = s[0];

    for (unsigned byte = 0; byte < 4; byte++) {
        sum += byte_of(&i->src[1], s[1], byte) *
               byte_of(&i->src[2], s[2], byte);
    }
    return sum;
}

/* Bit n of the code is the result for the sources' bits that form n. */
OPERATION(integer_boolean_function)
{
    uint64_t result = 0;

    for (unsigned n = 0; n < 8; n++) {
        if (i->code >> n & 1) {
            result |= (n & 1 ? s[0] : ~s[0]) & (n & 2 ? s[1] : ~s[1]) &
                      (n & 4 ? s[2] : ~s[2]);
        }
    }
    return result;
}

#define BOTH(name)                        \
    {                                     \
        name##_wide, name##_narrow_clones \
    }

static const VeuIntegerOperations operations[VEU_OPERATION_COUNT] = {
    [VEU_OPERATION_ADD] = BOTH(integer_add),
    [VEU_OPERATION_AVG] = BOTH(integer_avg),
    [VEU_OPERATION_DIV] = BOTH(integer_divide),
    [VEU_OPERATION_MOD] = BOTH(integer_modulo),
    [VEU_OPERATION_MUL] = BOTH(integer_multiply),
    [VEU_OPERATION_MAD] = BOTH(integer_multiply_add),
    [VEU_OPERATION_MULH] = BOTH(integer_multiply_high),
    [VEU_OPERATION_MADW] = BOTH(integer_multiply_add_wide),
    [VEU_OPERATION_ADDC] = BOTH(integer_add_carry),
    [VEU_OPERATION_SUBB] = BOTH(integer_subtract_borrow),
    [VEU_OPERATION_ADD3] = BOTH(integer_add3),
    [VEU_OPERATION_MINMAX] = BOTH(integer_minmax),
    [VEU_OPERATION_AND] = BOTH(integer_and),
    [VEU_OPERATION_OR] = BOTH(integer_or),
    [VEU_OPERATION_XOR] = BOTH(integer_exclusive_or),
    [VEU_OPERATION_NOT] = BOTH(integer_invert),
    [VEU_OPERATION_SHL] = BOTH(integer_shift_left),
    [VEU_OPERATION_SHR] = BOTH(integer_shift_right),
    [VEU_OPERATION_ASR] = BOTH(integer_shift_arithmetic),
    [VEU_OPERATION_ROL] = BOTH(integer_rotate_left),
    [VEU_OPERATION_ROR] = BOTH(integer_rotate_right),
    [VEU_OPERATION_CBIT] = BOTH(integer_count_bits),
    [VEU_OPERATION_LZD] = BOTH(integer_leading_zeros),
    [VEU_OPERATION_FBL] = BOTH(integer_find_low),
    [VEU_OPERATION_FBH] = BOTH(integer_find_high),
    [VEU_OPERATION_BFREV] = BOTH(integer_reverse_bits),
    [VEU_OPERATION_BFE] = BOTH(integer_extract_field),
    [VEU_OPERATION_BFI] = BOTH(integer_insert_field),
    [VEU_OPERATION_DP4A] = BOTH(integer_dot_bytes),
    [VEU_OPERATION_BFN] = BOTH(integer_boolean_function),
};

const VeuIntegerOperations *veu_integer_operation(VeuOperation operation)
{
    return &operations[operation];
}
