/*
 * veu execution unit: the elements that handlers read and write.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_EU_INSTRUCTION_HANDLER_ELEMENT_H
#define VEU_EU_INSTRUCTION_HANDLER_ELEMENT_H

#include <stdint.h>
#include <string.h>
#include "hw/veu/eu/message/execute.h"

#define INLINE static inline __attribute__((always_inline))

/*
 * Elements in the register file, which may be unaligned and may alias other
 * types.
 */
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

/* All ones or 0, with the width of an element. */
#define MASK(type) type##_mask
typedef int32_t uint32_t_mask, int32_t_mask, float_mask;
typedef int64_t uint64_t_mask, int64_t_mask, double_mask;

/* Turns a subnormal number into a zero of its sign. */
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

/* Replaces every NaN by the positive quiet NaN. */
INLINE float one_nan_float(float value)
{
    return value == value ? value : __builtin_nanf("");
}

INLINE double one_nan_double(double value)
{
    return value == value ? value : __builtin_nan("");
}

/* The compiler need not check whether the elements of a loop overlap. */
#if defined(__clang__)
#define SEPARATE /* it checks at run time */
#else
#define SEPARATE _Pragma("GCC ivdep")
#endif

#endif
