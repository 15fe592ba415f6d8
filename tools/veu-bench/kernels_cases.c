/*
 * veu-bench: the cases of `veu-bench kernels`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tools/veu-bench/kernels_work.h"

#define GOAL_INSTRUCTION          \
    {                             \
        .avx512_ns = 1.6, .ns = 2 \
    }
#define GOAL_LONG               \
    {                           \
        .avx512_ns = 3, .ns = 5 \
    }
/* 3 ns for a goto, plus those for the instruction. */
#define GOAL_GOTO                 \
    {                             \
        .avx512_ns = 4.6, .ns = 5 \
    }
#define GOAL(ns_)                   \
    {                               \
        .avx512_ns = ns_, .ns = ns_ \
    }
#define ALU(...) (&(const KernelAlu){ __VA_ARGS__ })

#define GOAL_RATIO(ratio_) \
    {                      \
        .ratio = ratio_    \
    }
/*
 * No kernel that computes may take more; the goal for their geometric mean is
 * 2.
 */
#define GOAL_KERNEL GOAL_RATIO(4)
#define GOAL_STREAM GOAL_RATIO(5)
#define GOAL_MODULO GOAL_RATIO(24)
#define GOAL_NATIVE GOAL_RATIO(0.3)
#define GOAL_FIRST  GOAL(20e6)
#define SUITE(...)  (&(const KernelSuite){ __VA_ARGS__ })

/* Kernels that are also measured in a context of page tables. */
#define JACOBI                                                              \
    .kernel = "jacobi", .global = { 1024, 1024, 1 }, .local = { 64, 4, 1 }, \
    .arguments = "b:4M:randf b:4M:0 i:1024 i:1024", .is_rounded = true
#define BITONIC                                                              \
    .kernel = "bitonic", .global = { 262144, 1, 1 }, .local = { 256, 1, 1 }, \
    .arguments = "b:2M:rand i:5 i:2 i:1"
#define FFT_RADIX2                                                             \
    .kernel = "fft_radix2", .global = { 65536, 1, 1 }, .local = { 256, 1, 1 }, \
    .arguments = "b:1M:randf b:1M:0 i:131072 i:16", .is_rounded = true
#define MATMUL_NAIVE                                                  \
    .kernel = "matmul_naive", .global = { 128, 128, 1 },              \
    .local = { 16, 16, 1 },                                           \
    .arguments = "b:64K:randf b:64K:randf b:64K:0 i:128 i:128 i:128", \
    .is_rounded = true
#define INSERTION                                                           \
    .kernel = "insertion", .global = { 4096, 1, 1 }, .local = { 64, 1, 1 }, \
    .arguments = "b:512K:rand i:32"

#define PAGES_ROW(size, bytes, name, goal, ...)                          \
    {                                                                    \
        "pages/" size "/" name, "work-item", kernel_measure_suite, goal, \
            SUITE(__VA_ARGS__, .page_bytes = bytes)                      \
    }
#define IN_PAGES(...)                               \
    PAGES_ROW("4K", BENCH_PAGE_BYTES, __VA_ARGS__), \
        PAGES_ROW("2M", 2 << 20, __VA_ARGS__)

static const unsigned decoded = 30000;

const KernelCase kernel_cases[] = {
    { "alu/d/all", "instruction", kernel_measure_alu, GOAL_INSTRUCTION,
      ALU(.repeats = 1) },
    { "alu/d/masked", "instruction", kernel_measure_alu, GOAL_INSTRUCTION,
      ALU(.masked = true, .repeats = 1) },
    { "alu/f/all", "instruction", kernel_measure_alu, GOAL_INSTRUCTION,
      ALU(.is_f = true, .repeats = 1) },
    { "alu/f/masked", "instruction", kernel_measure_alu, GOAL_INSTRUCTION,
      ALU(.is_f = true, .masked = true, .repeats = 1) },
    { "alu/f/up", "instruction", kernel_measure_alu, GOAL_INSTRUCTION,
      ALU(.is_f = true, .rounds_up = true, .repeats = 1) },
    { "alu/d/address", "instruction", kernel_measure_alu, GOAL(40),
      ALU(.at_address = true, .repeats = 1) },
    { "alu/f/address", "instruction", kernel_measure_alu, GOAL(40),
      ALU(.is_f = true, .at_address = true, .repeats = 1) },
    { "alu/d/long", "instruction", kernel_measure_alu, GOAL_LONG,
      ALU(.repeats = 125) },
    { "alu/f/long", "instruction", kernel_measure_alu, GOAL_LONG,
      ALU(.is_f = true, .repeats = 125) },
    { "goto/divergent", "goto and instruction", kernel_measure_alu, GOAL_GOTO,
      ALU(.diverges = true, .repeats = 1) },
    { "rules/d", "instruction", kernel_measure_alu, GOAL(40),
      ALU(.at_address = true, .by_rules = true, .repeats = 1) },
    { "rules/f", "instruction", kernel_measure_alu, GOAL(40),
      ALU(.is_f = true, .at_address = true, .by_rules = true, .repeats = 1) },
    { "decode", "instruction", kernel_measure_decode, GOAL(150), &decoded },
    { "compile", "instruction", kernel_measure_compile, GOAL(1000), &decoded },
    { "launch", "launch", kernel_measure_launch, GOAL(1000), NULL },
    { "thread", "EU thread", kernel_measure_thread, GOAL(15), NULL },
    { "kernel/vadd", "work-item", kernel_measure_suite, GOAL_STREAM,
      SUITE(.kernel = "vadd", .global = { 1048576, 1, 1 },
            .local = { 256, 1, 1 },
            .arguments = "b:4M:randf b:4M:randf b:4M:0 i:1048576") },
    { "kernel/jacobi", "work-item", kernel_measure_suite, GOAL_STREAM,
      SUITE(JACOBI) },
    { "kernel/life", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "life", .global = { 512, 512, 1 }, .local = { 64, 4, 1 },
            .arguments = "b:256K:rand b:256K:0 i:512 i:512") },
    { "kernel/bitonic", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(BITONIC) },
    { "kernel/chars", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "chars", .global = { 65536, 1, 1 },
            .local = { 256, 1, 1 },
            .arguments = "b:64K:rand b:64K:rand b:64K:0 b:64K:0") },
    { "kernel/reduce_slm", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "reduce_slm", .global = { 262144, 1, 1 },
            .local = { 256, 1, 1 }, .arguments = "b:1M:rand b:4K:0 l:1024") },
    { "kernel/fft_radix2", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(FFT_RADIX2) },
    { "kernel/scan_blelloch", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "scan_blelloch", .global = { 65536, 1, 1 },
            .local = { 128, 1, 1 },
            .arguments = "b:512K:idx b:512K:0 b:2K:0 l:1024") },
    { "kernel/modpow", "work-item", kernel_measure_suite, GOAL_MODULO,
      SUITE(.kernel = "modpow", .global = { 4096, 1, 1 }, .local = { 64, 1, 1 },
            .arguments = "b:32K:rand b:32K:0 u64:1000000007") },
    { "kernel/collatz", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "collatz", .global = { 65536, 1, 1 },
            .local = { 256, 1, 1 }, .arguments = "b:256K:0") },
    { "kernel/histogram", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "histogram", .global = { 65536, 1, 1 },
            .local = { 256, 1, 1 },
            .arguments = "b:1M:rand b:1K:0 i:1048576") },
    { "kernel/crc", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "crc", .global = { 16384, 1, 1 }, .local = { 256, 1, 1 },
            .arguments = "b:1K:rand b:64K:0 i:64") },
    { "kernel/native_math", "work-item", kernel_measure_suite, GOAL_NATIVE,
      SUITE(.kernel = "native_math", .global = { 131072, 1, 1 },
            .local = { 256, 1, 1 }, .arguments = "b:512K:randf b:512K:0",
            .is_rounded = true) },
    { "kernel/math", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "math", .global = { 32768, 1, 1 }, .local = { 256, 1, 1 },
            .arguments = "b:128K:randf b:128K:0", .is_rounded = true) },
    { "kernel/mandelbrot", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "mandelbrot", .global = { 256, 256, 1 },
            .local = { 16, 16, 1 },
            .arguments = "b:256K:0 i:256 i:256 f:-2 f:-1.5 f:0.01171875 "
                         "f:0.01171875 i:256") },
    { "kernel/matmul_naive", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(MATMUL_NAIVE) },
    { "kernel/matmul_tiled", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "matmul_tiled", .global = { 128, 128, 1 },
            .local = { 16, 16, 1 },
            .arguments = "b:64K:randf b:64K:randf b:64K:0 i:128 i:128 i:128",
            .is_rounded = true) },
    { "kernel/nbody", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "nbody", .global = { 1024, 1, 1 }, .local = { 64, 1, 1 },
            .arguments = "b:16K:randf b:16K:randf b:16K:0 i:1024 f:0.01 f:0.01",
            .is_rounded = true) },
    { "kernel/sha256", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "sha256", .global = { 4096, 1, 1 }, .local = { 64, 1, 1 },
            .arguments = "b:256K:rand b:128K:0") },
    { "kernel/montecarlo", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(.kernel = "montecarlo", .global = { 4096, 1, 1 },
            .local = { 64, 1, 1 }, .arguments = "b:16K:0 i:256") },
    { "kernel/insertion", "work-item", kernel_measure_suite, GOAL_KERNEL,
      SUITE(INSERTION) },
    IN_PAGES("jacobi", GOAL_STREAM, JACOBI),
    IN_PAGES("bitonic", GOAL_KERNEL, BITONIC),
    IN_PAGES("fft_radix2", GOAL_KERNEL, FFT_RADIX2),
    IN_PAGES("matmul_naive", GOAL_KERNEL, MATMUL_NAIVE),
    IN_PAGES("insertion", GOAL_KERNEL, INSERTION),
    { "first/vadd", "run", kernel_measure_first, GOAL_FIRST,
      SUITE(.kernel = "vadd", .global = { 256, 1, 1 }, .local = { 256, 1, 1 },
            .arguments = "b:4M:randf b:4M:randf b:4M:0 i:1048576") },
    { "first/mandelbrot", "run", kernel_measure_first, GOAL_FIRST,
      SUITE(.kernel = "mandelbrot", .global = { 16, 16, 1 },
            .local = { 16, 16, 1 },
            .arguments =
                "b:1K:0 i:16 i:16 f:-2 f:-1.5 f:0.1875 f:0.1875 i:64") },
    { "first/sha256", "run", kernel_measure_first, GOAL_FIRST,
      SUITE(.kernel = "sha256", .global = { 64, 1, 1 }, .local = { 64, 1, 1 },
            .arguments = "b:4K:rand b:2K:0") },
    { "launches/vadd", "launch", kernel_measure_suite, GOAL_RATIO(0.2),
      SUITE(.kernel = "vadd", .global = { 1024, 1, 1 }, .local = { 64, 1, 1 },
            .arguments = "b:4K:randf b:4K:randf b:4K:0 i:1024",
            .launches = 10000) },
    { "oclgrind/mandelbrot", "work-item", kernel_measure_suite,
      GOAL_RATIO(0.005),
      SUITE(.kernel = "mandelbrot", .global = { 64, 64, 1 },
            .local = { 16, 16, 1 },
            .arguments =
                "b:16K:0 i:64 i:64 f:-2 f:-1.5 f:0.046875 f:0.046875 i:64",
            .peer = KERNEL_OCLGRIND) },
    { "oclgrind/matmul_tiled", "work-item", kernel_measure_suite,
      GOAL_RATIO(0.005),
      SUITE(.kernel = "matmul_tiled", .global = { 32, 32, 1 },
            .local = { 16, 16, 1 },
            .arguments = "b:4K:randf b:4K:randf b:4K:0 i:32 i:32 i:32",
            .is_rounded = true, .peer = KERNEL_OCLGRIND) },
    { "workers/2", "work-item", kernel_measure_workers, GOAL_RATIO(0.556),
      SUITE(.kernel = "mandelbrot", .global = { 512, 512, 1 },
            .local = { 16, 16, 1 },
            .arguments =
                "b:1M:0 i:512 i:512 f:-2 f:-1.5 f:0.005859375 f:0.005859375 "
                "i:256") },
};
const unsigned kernel_case_count = G_N_ELEMENTS(kernel_cases);
