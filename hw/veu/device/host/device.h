/*
 * veu device model: the calls that a host makes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls on one device must not overlap, except that veu_device_read() and
 * veu_device_write_beside() may run beside what the host calls in a batch: from
 * veu_ring_step() on.
 */
#ifndef VEU_DEVICE_DEVICE_H
#define VEU_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/device/host/host.h"
#include "hw/veu/eu/message/execute.h"
#include "veu/regs.h"

/* The most slots of a ring and records of a fault queue. */
#define VEU_LIMIT_RING_SLOTS      (1u << 20)
#define VEU_LIMIT_FAULT_RECORDS   (1u << 16)
/* The most records of a request queue. */
#define VEU_LIMIT_REQUEST_RECORDS (1u << 16)
/* The most memory of loaded programs: a register of 4 bytes has it. */
#define VEU_LIMIT_PROGRAM_MEMORY  (1u << 30)
/* The most entries of a TLB that is made small for tests. */
#define VEU_LIMIT_TLB_LIMIT       16
/* The most texels of each side of a surface that is shown. */
#define VEU_LIMIT_SCANOUT_SIDE    4096

typedef struct VeuDevice VeuDevice;

typedef struct VeuDeviceConfig {
    uint32_t rings;                 /* 1 to VEU_MAX_RINGS */
    uint32_t vectors;               /* MSI-X vectors */
    uint32_t doorbell_stride_bytes; /* 4096 or 65536 */
    uint32_t host_flags;            /* VEU_FLAG_*: those that are the host's */
    /* Memory of loaded programs, at most VEU_LIMIT_PROGRAM_MEMORY; or 0. */
    uint32_t program_memory_bytes;
    /*
     * For tests: entries of each context's TLB, at most VEU_LIMIT_TLB_LIMIT;
     * 0: as many as there is room for.
     */
    uint32_t tlb_limit;
    VeuConfig eu;
} VeuDeviceConfig;

/* What a step has come to. */
typedef enum VeuStep {
    VEU_STEP_MORE,    /* the budget is spent, there is more to do */
    VEU_STEP_IDLE,    /* nothing until the tail moves */
    VEU_STEP_WAIT,    /* nothing until memory changes or a time is up */
    VEU_STEP_STOPPED, /* nothing until a register is written */
} VeuStep;

/* NULL when there is not enough memory. Starts in the reset state. */
VeuDevice *veu_device_new(const VeuDeviceConfig *config, VeuHost *host);
void veu_device_free(VeuDevice *device);

/* Everything to its reset value; guest addresses are forgotten. */
void veu_device_reset(VeuDevice *device);

/*
 * Register accesses in BAR0. What is not an aligned access of 4 or 8 bytes to
 * a register is ignored and reads as 0. After a write every ring wants a step.
 */
uint64_t veu_device_read(VeuDevice *device, uint32_t offset, unsigned bytes);
void veu_device_write(VeuDevice *device, uint32_t offset, uint64_t value,
                      unsigned bytes);

/*
 * Like veu_device_write(), beside a batch, where that is possible: a processor
 * that invalidates translations of one context does not hold up the rings of
 * others. One thread calls it at a time. False: the write is to be made with
 * veu_device_write(), after the batch.
 */
bool veu_device_write_beside(VeuDevice *device, uint32_t offset, uint64_t value,
                             unsigned bytes);

/*
 * Gives ring @ring a turn: it runs for up to @budget units of work. A unit is a
 * message or another piece of work of its size, each bounded; a piece that
 * copies costs one more for each KiB. Where the step ends the ring's progress
 * is visible to the driver.
 */
VeuStep veu_ring_step(VeuDevice *device, uint32_t ring, unsigned budget);

/*
 * Continues with a flip, for up to @budget rows. The frames of a host that has
 * no screen are none: nothing to do, ever.
 */
VeuStep veu_scanout_step(VeuDevice *device, unsigned budget);

/*
 * Bit n: a turn would advance ring n. Cheap; for polling. Stores of drivers and
 * of other rings make rings ready, and time does: veu_device_deadline().
 */
uint64_t veu_device_ready(VeuDevice *device);

/* A ring that waits for its tail only, and is idle. */
typedef struct VeuWatchedRing {
    uint32_t number;
    uint32_t head;
    const uint32_t *tail;
    const uint8_t *slot; /* where its next command will be, or NULL */
    uint32_t slot_bytes;
} VeuWatchedRing;

typedef struct VeuWatch {
    bool is_all; /* there is nothing else to look at */
    unsigned count;
    VeuWatchedRing ring[VEU_MAX_RINGS];
} VeuWatch;

/*
 * Like veu_device_ready(), for hosts that poll: veu_device_watch() returns the
 * rings that are ready, and veu_device_look() those that became ready since. No
 * other function of the device may be called in between; pointers live as long
 * as those of VeuHost.map().
 */
uint64_t veu_device_watch(VeuDevice *device, VeuWatch *watch);
uint64_t veu_device_look(VeuDevice *device, const VeuWatch *watch);

/* Which of @rings, bit n = ring n and not 0, is to have the next turn. */
uint32_t veu_device_pick(VeuDevice *device, uint64_t rings);

/*
 * Returns true if any ring runs. If none does, none becomes ready before a
 * register is written.
 */
bool veu_device_is_enabled(const VeuDevice *device);

/*
 * Tells the drivers of all rings that run that they have to kick from now on.
 * False: a ring is ready after all, or a flip is under way. A turn of a ring
 * takes the word back.
 */
bool veu_device_sleep(VeuDevice *device);

/* The time when a ring that waits will be ready whatever happens. */
#define VEU_NO_DEADLINE UINT64_MAX
uint64_t veu_device_deadline(const VeuDevice *device);

#endif
