/*
 * veu tests: several rings of a device model, each with memory of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_DEVICE_RINGS_H
#define VEU_TEST_DEVICE_RINGS_H

#include "tests/lib/device_fixture.h"

/* The guest memory of ring n: four pages. */
#define DEVS_RING(n)   (UINT64_C(0x800000) + (n)*UINT64_C(0x4000))
#define DEVS_SHARED(n) (DEVS_RING(n) + 0x1000)
#define DEVS_FAULTS(n) (DEVS_RING(n) + 0x2000)
#define DEVS_FENCE(n)  (DEVS_RING(n) + 0x3000)
#define DEVS_SLOTS     64
#define DEVS_RECORDS   64

typedef struct Devs {
    Dev *dev;
    unsigned count;
    uint32_t tail[VEU_MAX_RINGS];
} Devs;

/* Makes @count enabled rings; ring n uses vector n if it exists. */
Devs *devs_new(unsigned count);
void devs_free(Devs *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Devs, devs_free)

uint32_t devs_get(Devs *d, unsigned ring, uint32_t reg);
void devs_set(Devs *d, unsigned ring, uint32_t reg, uint32_t value);

/* Enables a ring that was reset, without commands. */
void devs_start(Devs *d, unsigned ring);

/* Puts a command into a ring, and moves the tail past it. */
void devs_push(Devs *d, unsigned ring, const void *command, unsigned slots);
#define DEVS_PUSH(d, ring, command) \
    devs_push((d), (ring), &(command), sizeof(command) / VEU_SLOT_BYTES)

/* A dispatch of many EU threads with one message each: far more than a turn. */
void devs_push_long(Devs *d, unsigned ring);

/* Runs a turn as a host does; returns its ring, or -1 if none is ready. */
int devs_turn(Devs *d, unsigned budget);
/* Runs turns until no ring is ready. */
void devs_settle(Devs *d);

#define DEVS_SHARED_WORD(d, ring, field)      \
    test_memory_get32(&(d)->dev->host.memory, \
                      DEVS_SHARED(ring) +     \
                          offsetof(struct veu_ring_shared, field))
struct veu_fault_record devs_record(Devs *d, unsigned ring, unsigned place);

#endif
