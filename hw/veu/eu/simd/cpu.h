/*
 * veu execution unit: the CPU instructions that loops over lanes may use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A loop is written once, in plain C, as an inline function. The compiler makes
 * a clone of it for each level, and callers use that of veu_cpu. The level also
 * selects the instructions of host code (hw/veu/eu/jit). The environment
 * variable VEU_CPU, the name of a level, selects less than the CPU has, so that
 * tests reach every clone.
 */
#ifndef VEU_EU_CPU_H
#define VEU_EU_CPU_H

#include <stdbool.h>

typedef enum VeuCpu {
    VEU_CPU_SCALAR, /* available on every CPU of the architecture */
    VEU_CPU_AVX2,   /* x86: also BMI1, BMI2 and FMA */
    VEU_CPU_AVX512, /* x86: F, BW, DQ, VL, and vectors of 512 bits */
    VEU_CPU_COUNT
} VeuCpu;

/* The level to use: chosen before main() and never changed. */
extern VeuCpu veu_cpu;

/* The names of the levels, for VEU_CPU. */
extern const char *const veu_cpu_names[VEU_CPU_COUNT];

/* Returns true if this CPU has everything that @level requires. */
bool veu_cpu_has(VeuCpu level);

/* ThreadSanitizer does not see the accesses of the CPU's gathers. */
#ifdef __has_feature
#define VEU_HAS_FEATURE(name) __has_feature(name)
#else
#define VEU_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_THREAD__) || VEU_HAS_FEATURE(thread_sanitizer)
#define VEU_HAS_TSAN
#endif
#undef VEU_HAS_FEATURE

#if defined(__x86_64__)
#define VEU_TARGET_AVX2  __attribute__((target("avx2,bmi,bmi2")))
#define VEU_AVX512_NAMES "avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl"
#if defined(__clang__)
#define VEU_TARGET_AVX512 \
    __attribute__((target(VEU_AVX512_NAMES), min_vector_width(512)))
#else
#define VEU_TARGET_AVX512 \
    __attribute__((target(VEU_AVX512_NAMES ",prefer-vector-width=512")))
#endif
#else
#define VEU_TARGET_AVX2
#define VEU_TARGET_AVX512
#endif

/* Precedes a loop over lanes that does not become vector instructions. */
#if defined(__clang__)
#define VEU_UNROLL _Pragma("unroll")
#else
#define VEU_UNROLL _Pragma("GCC unroll 16")
#endif

/* Marks functions that become part of each clone. */
#define VEU_CLONED static inline __attribute__((always_inline))

/*
 * Clones of function @name, in the order of the levels: name_clones[veu_cpu].
 * @parameters and @arguments are in parentheses. The clone for AVX-512 is
 * @wide.
 */
#define VEU_CPU_CLONES_WIDE(type, name, wide, parameters, arguments) \
    static type name##_scalar parameters                             \
    {                                                                \
        return name arguments;                                       \
    }                                                                \
    VEU_TARGET_AVX2 static type name##_avx2 parameters               \
    {                                                                \
        return name arguments;                                       \
    }                                                                \
    VEU_TARGET_AVX512 static type name##_avx512 parameters           \
    {                                                                \
        return wide arguments;                                       \
    }                                                                \
    static type(*const name##_clones[VEU_CPU_COUNT]) parameters = {  \
        [VEU_CPU_SCALAR] = name##_scalar,                            \
        [VEU_CPU_AVX2] = name##_avx2,                                \
        [VEU_CPU_AVX512] = name##_avx512,                            \
    }

#define VEU_CPU_CLONES(type, name, parameters, arguments) \
    VEU_CPU_CLONES_WIDE(type, name, name, parameters, arguments)

#endif
