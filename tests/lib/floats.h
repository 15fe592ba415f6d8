/*
 * veu tests: bits of floats and doubles; whether the CPU has F16C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_FLOATS_H
#define VEU_TEST_FLOATS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "hw/veu/eu/surface/format.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <immintrin.h>
#define HAVE_F16C 1

/* not all compilers know the feature by its name */
static inline bool cpu_has_f16c(void)
{
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;

    return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) &&
           (c & bit_F16C);
}
#else
#define HAVE_F16C 0
#endif

static inline uint32_t bits_of(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

static inline uint64_t bits_of_double(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof(bits));
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof(d));
    return d;
}

/* Instructions return the positive quiet NaN for every NaN. */
static inline uint32_t quiet_bits_of(float f)
{
    return isnan(f) ? 0x7fc00000 : bits_of(f);
}

static inline uint64_t quiet_bits_of_double(double d)
{
    return isnan(d) ? UINT64_C(0x7ff8000000000000) : bits_of_double(d);
}

/*
 * Converts one channel of this type, as the execution unit stores and reads it.
 */
static inline uint32_t pack(VeuChannelType type, unsigned bits, uint32_t lane)
{
    VeuChannel channel = { .bits = bits, .type = type };
    uint32_t code;

    veu_channel_pack(&channel, &lane, &code, 1);
    return code;
}

static inline uint32_t unpack(VeuChannelType type, unsigned bits, uint32_t code)
{
    VeuChannel channel = { .bits = bits, .type = type };
    uint32_t value;

    veu_channel_unpack(&channel, &code, &value, 1);
    return value;
}

#endif
