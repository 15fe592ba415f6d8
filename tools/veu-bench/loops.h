/*
 * veu-bench: the limit: bare loops that do the work of messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * They read the same operands from the same registers, check each lane's
 * bounds, do the same accesses and leave the same results. They know nothing of
 * pages, masks, faults, or dirty pages.
 */
#ifndef VEU_TOOLS_BENCH_LOOPS_H
#define VEU_TOOLS_BENCH_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BenchLoop {
    const uint8_t *operands; /* of the first message */
    uint32_t operand_bytes;  /* distance between messages */
    uint32_t messages;
    unsigned lanes;
    uint8_t *data; /* registers: the source or the destination */
    uint8_t *memory;
    uint64_t bytes;  /* of memory */
    uint64_t start;  /* guest address of the memory */
    uint32_t width;  /* texels */
    uint32_t height; /* rows */
    uint32_t pitch;  /* bytes */
    bool failed;     /* an access without bounds was outside */
} BenchLoop;

typedef enum BenchLoopKind {
    BENCH_LOOP_GATHER, /* offsets count dwords */
    BENCH_LOOP_SCATTER,
    BENCH_LOOP_GATHER_BYTES, /* offsets count bytes */
    BENCH_LOOP_SCATTER_BYTES,
    BENCH_LOOP_GATHER4, /* four dwords */
    BENCH_LOOP_SCATTER4,
    BENCH_LOOP_GATHER8, /* qwords */
    BENCH_LOOP_SCATTER8,
    BENCH_LOOP_TYPED_READ, /* R8G8B8A8_UNORM */
    BENCH_LOOP_TYPED_WRITE,
    BENCH_LOOP_SVM_GATHER,
    BENCH_LOOP_SVM_SCATTER,
    BENCH_LOOP_ATOMIC, /* add */
    BENCH_LOOP_TYPED_ATOMIC,
    BENCH_LOOP_SVM_ATOMIC,
    BENCH_LOOP_BLOCK_LOAD, /* 128 bytes */
    BENCH_LOOP_BLOCK_STORE,
    BENCH_LOOP_SVM_BLOCK_LOAD,
    BENCH_LOOP_SVM_BLOCK_STORE,
    BENCH_LOOP_MEDIA_LOAD, /* 32 x 8 bytes */
    BENCH_LOOP_MEDIA_STORE,
    BENCH_LOOPS
} BenchLoopKind;

/* How the loops are compiled; the first flavour is scalar. */
typedef enum BenchFlavour {
    BENCH_SCALAR,
    BENCH_VECTOR, /* for any CPU */
    BENCH_AVX2,
    BENCH_AVX512,
    BENCH_AVX2_GATHER, /* with gather and scatter instructions */
    BENCH_AVX512_GATHER,
    BENCH_FLAVOURS
} BenchFlavour;

typedef void BenchRun(BenchLoop *loop);

typedef struct BenchFlavourInfo {
    const char *name;
    bool (*is_supported)(void);
    BenchRun *const *loops; /* [BENCH_LOOPS]; NULL: none */
} BenchFlavourInfo;

extern const BenchFlavourInfo bench_flavours[BENCH_FLAVOURS];

/* Returns NULL if this CPU has no such loop. */
BenchRun *bench_loop(BenchFlavour flavour, BenchLoopKind kind);

/* The tables of all flavours. */
extern BenchRun *const bench_scalar_loops[BENCH_LOOPS];
extern BenchRun *const bench_vector_loops[BENCH_LOOPS];
extern BenchRun *const bench_avx2_loops[BENCH_LOOPS];
extern BenchRun *const bench_avx512_loops[BENCH_LOOPS];
extern BenchRun *const bench_avx2_gather_loops[BENCH_LOOPS];
extern BenchRun *const bench_avx512_gather_loops[BENCH_LOOPS];

#endif
