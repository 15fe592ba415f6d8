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
/* a program of all messages */
#define FUZZ_PROGRAM(ring) (FUZZ_HALF(ring) + 0x3000)
#define FUZZ_DATA(ring)    (FUZZ_HALF(ring) + 0x5000) /* 12 KiB */
#define FUZZ_SLOTS         16
#define FUZZ_RECORDS       8
#define FUZZ_SURFACES      4

/*
 * Units of work of a step, and steps and rows until an input counts as done.
 * The reset that follows ends longer work.
 */
#define FUZZ_STEP_UNITS   32
#define FUZZ_SETTLE_STEPS 8
#define FUZZ_SETTLE_ROWS  4

/* The first byte of an input. */
/* neighbouring pages are contiguous for the host */
#define FUZZ_HOW_TOGETHER 0x01
/* guest bytes change while the device reads them */
#define FUZZ_HOW_RACE     0x02
#define FUZZ_HOW_CHECK    0x04 /* property trace-contracts */
#define FUZZ_HOW_STRICT   0x08 /* property strict-types */
#define FUZZ_HOW_EVENTS   0x10 /* the host wants events */
#define FUZZ_HOW_READ     0x20 /* all registers are read after the reset */
#define FUZZ_HOW_CALLS    0x40 /* no extents: each access is a call of map() */

typedef struct FuzzDriver {
    FuzzHost host;
    VeuDevice *device;
    VeuDevice *other; /* the device to which its state can move */
    uint32_t tail[FUZZ_RINGS];
    uint32_t program_bytes[FUZZ_RINGS]; /* of the program at FUZZ_PROGRAM() */
    uint32_t all_bytes;                 /* of the program with all messages */
    uint8_t how;                        /* FUZZ_HOW_* */
    unsigned moves;                     /* moves that this input has made */
    FuzzInput in;
} FuzzDriver;

/* Makes the devices, and memory with all that a ring needs; call it once. */
FuzzDriver *fuzz_driver_new(void);
/*
 * Restores that state, by a reset; the first byte of the input selects options.
 */
void fuzz_driver_reset(FuzzDriver *d, const uint8_t *data, size_t bytes);

void fuzz_set(FuzzDriver *d, unsigned ring, uint32_t reg, uint64_t value);
uint64_t fuzz_get(FuzzDriver *d, unsigned ring, uint32_t reg);

/* Sets the registers of a ring and enables it. */
void fuzz_enable(FuzzDriver *d, unsigned ring, uint32_t context);
/* Like fuzz_enable(), after storing the ring's memory again. */
void fuzz_set_up(FuzzDriver *d, unsigned ring, uint32_t context);

/*
 * commands.c: prepares messages; stores a program with one message of each
 * kind.
 */
void fuzz_make_messages(void);
void fuzz_store_all_messages(FuzzDriver *d, unsigned ring);

/* Pushes a command that would work, changed by the input. */
void fuzz_push_command(FuzzDriver *d, unsigned ring);
/* Makes up to three changes: a byte, a word, or a special number. */
void fuzz_change_some(FuzzInput *in, uint8_t *bytes, uint32_t count);
/* Changes memory of that ring: bytes, words and descriptors. */
void fuzz_change_memory(FuzzDriver *d, unsigned ring);
void fuzz_step(FuzzDriver *d, unsigned ring);
/* Runs a bounded number of steps until the device is idle. */
void fuzz_settle(FuzzDriver *d);

#endif
