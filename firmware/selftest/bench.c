/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The bench that every check uses: the open device, a ring and memory.
 */
#include "bench.h"

#define CACHE_LINE 64
#define PAGE       4096

#define BENCH_FAULT_BYTES (BENCH_FAULTS * sizeof(struct veu_fault_record))

void bench_init(struct bench *bench, const struct options *options)
{
    *bench = (struct bench) {
        .options = *options,
        .random = options->seed * 0x9e3779b97f4a7c15ull + 1,
        .arena = machine_alloc(BENCH_ARENA_BYTES, PAGE),
        .program = machine_alloc(BENCH_PROGRAM_BYTES, CACHE_LINE),
        .payload = machine_alloc(BENCH_PAYLOAD_BYTES, CACHE_LINE),
        .result = machine_alloc(BENCH_PAYLOAD_BYTES, CACHE_LINE),
        .surfaces = machine_alloc(16 * sizeof(struct veu_surface), CACHE_LINE),
        .fence = machine_alloc(sizeof(uint64_t), CACHE_LINE),
        .config = {
            .slots = machine_alloc(BENCH_SLOTS * VEU_SLOT_BYTES, PAGE),
            .slot_count = BENCH_SLOTS,
            .shared = machine_alloc(sizeof(struct veu_ring_shared), CACHE_LINE),
            .faults = machine_alloc(BENCH_FAULT_BYTES,
                                CACHE_LINE),
            .fault_count = BENCH_FAULTS,
            .vector = VEU_NO_VECTOR,
        },
    };
}

void bench_start_ring(struct bench *bench, enum veu_policy policy)
{
    enum veu_status status;

    bench->config.policy = policy;
    status = veu_ring_start(&bench->ring, &bench->device, &bench->config);
    if (status != VEU_OK) {
        machine_panic("cannot start ring 0: %s", veu_status_text(status));
    }
}

void bench_put(struct bench *bench, const struct veu_command_header *command)
{
    enum veu_status status = veu_ring_put(&bench->ring, command);

    if (status != VEU_OK) {
        machine_panic("cannot put a command: %s", veu_status_text(status));
    }
}

enum veu_status bench_run(struct bench *bench,
                          const struct veu_command_header *command)
{
    enum veu_status status;

    bench_put(bench, command);
    veu_ring_submit(&bench->ring);
    status = veu_ring_wait(&bench->ring, BENCH_TIMEOUT_NS);
    if (veu_ring_read_fault(&bench->ring, &bench->fault)) {
        status = VEU_FAULTED;
    }
    if (status != VEU_OK) {
        bench_start_ring(bench, bench->config.policy);
    }
    return status;
}

uint64_t bench_random(struct bench *bench)
{
    bench->random ^= bench->random << 13;
    bench->random ^= bench->random >> 7;
    bench->random ^= bench->random << 17;
    return bench->random;
}

uint32_t bench_below(struct bench *bench, uint32_t limit)
{
    return (bench_random(bench) >> 16) % limit;
}

void bench_random_bytes(struct bench *bench, void *to, size_t bytes)
{
    uint8_t *at = to;

    for (size_t i = 0; i < bytes; i++) {
        at[i] = bench_random(bench) >> 24;
    }
}

size_t bench_difference(const void *left, const void *right, size_t bytes)
{
    const uint8_t *l = left, *r = right;
    size_t i = 0;

    while (i < bytes && l[i] == r[i]) {
        i++;
    }
    return i;
}
