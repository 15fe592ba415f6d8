/*
 * veu fuzzers: a device model that a driver has set up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_FUZZ_DRIVER_H
#define VEU_FUZZ_DRIVER_H

#include "tests/fuzz/host.h"
#include "tests/fuzz/input.h"
#include "veu/veu.h"

/* Pages of RAM: ring 0 has the first half, ring 1 the second. */
#define FUZZ_HALF_BYTES    (FUZZ_RAM_BYTES / 2)
#define FUZZ_HALF(ring)    (FUZZ_RAM + (ring)*FUZZ_HALF_BYTES)
#define FUZZ_RING(ring)    (FUZZ_HALF(ring) + 0x0000) /* 16 slots */
#define FUZZ_SHARED(ring)  (FUZZ_HALF(ring) + 0x0800)
#define FUZZ_FAULTS(ring)  (FUZZ_HALF(ring) + 0x0c00) /* 8 records */
#define FUZZ_TABLE(ring)   (FUZZ_HALF(ring) + 0x1000) /* surfaces */
#define FUZZ_PAYLOAD(ring) (FUZZ_HALF(ring) + 0x2000)
#define FUZZ_PROGRAM(ring) (FUZZ_HALF(ring) + 0x3000) /* all messages */
#define FUZZ_DATA(ring)    (FUZZ_HALF(ring) + 0x5000) /* 12 KiB */
#define FUZZ_SLOTS         16
#define FUZZ_RECORDS       8
#define FUZZ_SURFACES      4

typedef struct FuzzDriver {
    FuzzHost host;
    VeuDevice *device;
    VeuDevice *other; /* where its state can go */
    uint32_t tail[FUZZ_RINGS];
    FuzzInput in;
} FuzzDriver;

/* Makes the devices; once. */
FuzzDriver *fuzz_driver_new(void);
/* As after a reset; the input begins with a byte that says how. */
void fuzz_driver_reset(FuzzDriver *d, const uint8_t *data, size_t bytes);

void fuzz_set(FuzzDriver *d, unsigned ring, uint32_t reg, uint64_t value);
uint64_t fuzz_get(FuzzDriver *d, unsigned ring, uint32_t reg);

/* Memory, registers and programs of a ring; then enables it. */
void fuzz_set_up(FuzzDriver *d, unsigned ring, uint32_t context);

/* A command that would work, changed as the input says, behind the tail. */
void fuzz_push_command(FuzzDriver *d, unsigned ring);
/* Changes to memory of that ring: bytes, words, descriptors. */
void fuzz_change_memory(FuzzDriver *d, unsigned ring);
void fuzz_step(FuzzDriver *d, unsigned ring);
/* Until nothing moves; a bounded number of steps. */
void fuzz_settle(FuzzDriver *d);

#endif
