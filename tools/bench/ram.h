/*
 * veu-bench: guest RAM, and a memory gate that does what QEMU's does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * hw/veu/qemu/memory.c in small: a cache of blocks of 2 MiB, and written pages
 * that are noted, and marked when they are flushed. A flattering gate would
 * make all figures worthless.
 */
#ifndef VEU_TOOLS_BENCH_RAM_H
#define VEU_TOOLS_BENCH_RAM_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/device/device.h"

#define BENCH_BLOCK_BITS    21
#define BENCH_CACHE_ENTRIES 1024
#define BENCH_PAGE_BYTES    4096
#define BENCH_DIRTY_PAGES   (VEU_FLUSH_PIECES * VEU_PIECE_PAGES)
#define BENCH_DIRTY_FILTER  1024

typedef struct BenchRam {
    void *mapped;
    uint8_t *host; /* of guest address 0 */
    uint64_t bytes;
    uint64_t next;   /* guest address that is still free */
    uint64_t *dirty; /* a bit for each page */
} BenchRam;

/* Maps it, but takes no memory before it is used. */
bool bench_ram_init(BenchRam *ram, uint64_t bytes);
void bench_ram_free(BenchRam *ram);

/* Guest memory that nobody else has; 0 where there is no more. */
uint64_t bench_ram_take(BenchRam *ram, uint64_t bytes, uint64_t align);
/* All is free again. */
void bench_ram_clear(BenchRam *ram);

static inline void *bench_ram_at(const BenchRam *ram, uint64_t address)
{
    return ram->host + address;
}

typedef struct BenchBlock {
    uint64_t start;
    uint64_t bytes;
    uint8_t *host;
} BenchBlock;

/* What one thread knows of the RAM, and what it has written. */
typedef struct BenchGate {
    VeuHost host; /* first: callbacks find the rest */
    BenchRam *ram;
    BenchBlock cache[BENCH_CACHE_ENTRIES];
    unsigned dirty_count;
    uint8_t *dirty[BENCH_DIRTY_PAGES];
    uint8_t *dirty_filter[BENCH_DIRTY_FILTER];
} BenchGate;

/* Fills in map() and flush() of gate->host. */
void bench_gate_init(BenchGate *gate, BenchRam *ram);

#endif
