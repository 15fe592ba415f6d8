/*
 * veu device model: the calls that a host makes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls on one device must not overlap, except that veu_device_read() and
 * veu_device_write_beside() may run concurrently with the functions that a host
 * calls in a batch: veu_ring_step() and those after it.
 */
#ifndef VEU_DEVICE_DEVICE_H
#define VEU_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/device/host/host.h"
#include "hw/veu/eu/message/execute.h"
#include "veu/regs.h"

/* The maximum number of slots of a ring and records of a fault queue. */
#define VEU_LIMIT_RING_SLOTS      (1u << 20)
#define VEU_LIMIT_FAULT_RECORDS   (1u << 16)
/* The maximum number of records of a request queue. */
#define VEU_LIMIT_REQUEST_RECORDS (1u << 16)
/* The maximum memory for loaded programs: it must fit a register of 4 bytes. */
#define VEU_LIMIT_PROGRAM_MEMORY  (1u << 30)
/* The maximum number of entries of a TLB that is limited for tests. */
#define VEU_LIMIT_TLB_LIMIT       16
/* The largest side, in texels, of a surface that is shown. */
#define VEU_LIMIT_SCANOUT_SIDE    4096

typedef struct VeuDevice VeuDevice;

typedef struct VeuDeviceConfig {
    uint32_t rings;                 /* 1 to VEU_MAX_RINGS */
    uint32_t vectors;               /* MSI-X vectors */
    uint32_t doorbell_stride_bytes; /* 4096 or 65536 */
    uint32_t host_flags;            /* VEU_FLAG_*: those that the host sets */
    /* Memory for loaded programs, at most VEU_LIMIT_PROGRAM_MEMORY; or 0. */
    uint32_t program_memory_bytes;
    /*
     * Memory for host code of loaded programs, a multiple of the page size: see
     * hw/veu/eu/jit/jit.h. 0: programs are not compiled.
     */
    uint32_t host_code_bytes;
    /*
     * For tests: the number of entries in each context's TLB, at most
     * VEU_LIMIT_TLB_LIMIT; 0: no limit.
     */
    uint32_t tlb_limit;
    VeuConfig eu;
} VeuDeviceConfig;

/* The result of a step. */
typedef enum VeuStep {
    VEU_STEP_MORE,    /* the budget is spent, but there is more to do */
    VEU_STEP_IDLE,    /* nothing until the tail moves */
    VEU_STEP_WAIT,    /* nothing until memory changes or a time is up */
    VEU_STEP_STOPPED, /* nothing until a register is written */
} VeuStep;

/*
 * Returns NULL if there is not enough memory. The device starts in the reset
 * state.
 */
VeuDevice *veu_device_new(const VeuDeviceConfig *config, VeuHost *host);
void veu_device_free(VeuDevice *device);

/* Resets everything; guest addresses are forgotten. */
void veu_device_reset(VeuDevice *device);

/*
 * Access registers in BAR0. Any access that is not an aligned one of 4 or 8
 * bytes to a register is ignored and reads as 0. After a write, every ring
 * needs a step.
 */
uint64_t veu_device_read(VeuDevice *device, uint32_t offset, unsigned bytes);
void veu_device_write(VeuDevice *device, uint32_t offset, uint64_t value,
                      unsigned bytes);

/*
 * Like veu_device_write(), but during a batch, where that is possible: a
 * processor that invalidates translations of one context does not delay the
 * rings of others. Only one thread may call it at a time. Returns false if the
 * write must be made with veu_device_write(), after the batch.
 */
bool veu_device_write_beside(VeuDevice *device, uint32_t offset, uint64_t value,
                             unsigned bytes);

/*
 * Gives ring @ring a turn: it runs for up to @budget units of work. A unit is a
 * message or another piece of work of its size, each bounded; a piece that
 * copies costs one more for each KiB. When the step ends, the ring's progress
 * is visible to the driver.
 */
VeuStep veu_ring_step(VeuDevice *device, uint32_t ring, unsigned budget);

/*
 * Continues a flip, for up to @budget rows. Without a screen there is never
 * anything to do.
 */
VeuStep veu_scanout_step(VeuDevice *device, unsigned budget);

/*
 * Returns bit n set if a turn would advance ring n. Cheap, so that hosts can
 * poll. Rings become ready by stores of drivers and of other rings, and by
 * time: veu_device_deadline().
 */
uint64_t veu_device_ready(VeuDevice *device);

/* An idle ring that waits only for its tail. */
typedef struct VeuWatchedRing {
    uint32_t number;
    uint32_t head;
    const uint32_t *tail;
    const uint8_t *slot; /* where its next command will be, or NULL */
    uint32_t slot_bytes;
} VeuWatchedRing;

typedef struct VeuWatch {
    bool is_all; /* nothing else needs to be checked */
    unsigned count;
    VeuWatchedRing ring[VEU_MAX_RINGS];
} VeuWatch;

/*
 * Like veu_device_ready(), for hosts that poll. veu_device_watch() returns the
 * rings that are ready, and veu_device_look() those that have become ready
 * since. No other function of the device may be called in between; pointers are
 * valid as long as those of VeuHost.map().
 */
uint64_t veu_device_watch(VeuDevice *device, VeuWatch *watch);
uint64_t veu_device_look(VeuDevice *device, const VeuWatch *watch);

/* Chooses which of @rings, bit n = ring n and not 0, has the next turn. */
uint32_t veu_device_pick(VeuDevice *device, uint64_t rings);

/*
 * Returns true if any ring runs. If none does, none becomes ready before a
 * register is written.
 */
bool veu_device_is_enabled(const VeuDevice *device);

/*
 * Tells the drivers of all running rings to kick from now on. Returns false if
 * a ring is ready after all, or if a flip is under way. A turn of a ring
 * revokes this.
 */
bool veu_device_sleep(VeuDevice *device);

/* The time at which a waiting ring becomes ready in any case. */
#define VEU_NO_DEADLINE UINT64_MAX
uint64_t veu_device_deadline(const VeuDevice *device);

#endif
