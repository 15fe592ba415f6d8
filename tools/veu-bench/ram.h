/*
 * veu-bench: guest RAM, and a memory gate that works like QEMU's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A small version of hw/veu/qemu/memory.c and dirty.c: a cache of blocks of 2
 * MiB, and written pages that are noted, and marked when they are flushed. A
 * flattering gate would make all figures worthless.
 */
#ifndef VEU_TOOLS_BENCH_RAM_H
#define VEU_TOOLS_BENCH_RAM_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/device/host/device.h"

#define BENCH_BLOCK_BITS    21
#define BENCH_CACHE_ENTRIES 1024
#define BENCH_PAGE_BYTES    (1 << VEU_PAGE_BITS)
/*
 * With this many groups of pages, a report does not wait for the end of a
 * batch.
 */
#define BENCH_DIRTY_MANY    512

typedef struct BenchRam {
    void *mapped;
    uint8_t *host; /* of guest address 0 */
    uint64_t bytes;
    uint64_t next;   /* first free guest address */
    uint64_t *dirty; /* one bit for each page */
} BenchRam;

/* Maps the RAM, but takes no memory before it is used. */
bool bench_ram_init(BenchRam *ram, uint64_t bytes);
void bench_ram_free(BenchRam *ram);

/* Takes unused guest memory; 0 if there is no more. */
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

/* The pages that one thread has written since its last report. */
typedef struct BenchDirty {
    uint8_t *noted;   /* one for each page; 1: it was written */
    uint8_t *listed;  /* one for each group of pages; 1: it is in the list */
    uint32_t *groups; /* the list: groups with pages that are noted */
    unsigned group_count;
} BenchDirty;

/* One thread's view of the RAM, and the pages that it has written. */
typedef struct BenchGate {
    VeuHost host; /* first member: callbacks cast it to the gate */
    BenchRam *ram;
    BenchBlock cache[BENCH_CACHE_ENTRIES];
    BenchDirty dirty;
} BenchGate;

/* Fills in the functions of gate->host that access memory. */
void bench_gate_init(BenchGate *gate, BenchRam *ram);
void bench_gate_cleanup(BenchGate *gate);
/* Ends the host's turn: marks what was written, unless that can wait. */
void bench_gate_end_turn(BenchGate *gate);

#endif
