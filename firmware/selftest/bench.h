/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bench that every check uses: the open device, a ring and memory.
 */
#ifndef BENCH_H
#define BENCH_H

#include "options.h"
#include "report.h"
#include "veu_command.h"
#include "veu_guest.h"
#include "veu_ring.h"
#include "veu_surfaces.h"
#include "machine.h"

/** The surface id of a dispatch's first surface. */
#define T6        VEU_FIRST_SURFACE
#define SLM       0
#define STATELESS 5

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/** The maximum time of any work of a check. */
#define BENCH_TIMEOUT_NS 10000000000ull

#define BENCH_SLOTS         64
#define BENCH_FAULTS        16
/** Memory that messages of checks access, and a copy of it. */
#define BENCH_ARENA_BYTES   16384
#define BENCH_PROGRAM_BYTES 65536
#define BENCH_PAYLOAD_BYTES 65536

/** An address that no PC of this size uses. */
#define BENCH_HOLE 0x7000000000ull

struct bench {
    struct options options;
    struct veu_device device;
    struct veu_ring ring;
    struct veu_ring_config config;
    uint64_t random;
    uint32_t tag;
    uint8_t *arena;
    uint8_t *program;
    uint8_t *payload;
    uint8_t *result;
    struct veu_surface *surfaces;
    volatile uint64_t *fence;
    /** the newest record that bench_run() found */
    struct veu_fault_record fault;
};

/** Allocates the memory. */
void bench_init(struct bench *bench, const struct options *options);

/** Starts ring 0 (again) with @policy. Panics if that fails. */
void bench_start_ring(struct bench *bench, enum veu_policy policy);

/**
 * Runs one command to its end. If it returns VEU_FAULTED, bench->fault
 * describes the fault, and the ring has been restarted.
 */
enum veu_status bench_run(struct bench *bench,
                          const struct veu_command_header *command);

/** Puts a command. Panics if it does not fit. */
void bench_put(struct bench *bench, const struct veu_command_header *command);

/** Returns a random number, or one below @limit. */
uint64_t bench_random(struct bench *bench);
uint32_t bench_below(struct bench *bench, uint32_t limit);
void bench_random_bytes(struct bench *bench, void *to, size_t bytes);

/** Returns the index of the first byte that differs, or @bytes. */
size_t bench_difference(const void *left, const void *right, size_t bytes);

#endif /* BENCH_H */
