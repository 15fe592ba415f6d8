/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: a ring, from the driver's side.
 *
 * One thread at a time puts commands and submits; any thread may read the head.
 * Indices increase and wrap at 2^32, like the device's.
 */
#ifndef VEU_GUEST_RING_H
#define VEU_GUEST_RING_H

#include "veu_guest.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The configuration of a ring. The caller provides the memory, aligned to 64
 * bytes, which the device uses from veu_ring_start() to veu_ring_stop().
 */
struct veu_ring_config {
    unsigned number;
    uint32_t context;
    uint32_t vector; /**< MSI-X vector or VEU_NO_VECTOR */
    enum veu_policy policy;
    uint32_t first; /**< index of the first slot; 0, except in tests */
    void *slots;    /**< slot_count * VEU_SLOT_BYTES */
    uint32_t slot_count;
    struct veu_ring_shared *shared;
    struct veu_fault_record *faults; /**< NULL if fault_count is 0 */
    uint32_t fault_count;
    uint32_t budget; /**< units of work per command; 0: no limit */
    /** slot_count entries for commands with VEU_COMMAND_TIMES, or NULL */
    struct veu_command_times *times;
};

struct veu_ring {
    struct veu_device *device;
    struct veu_ring_config config;
    volatile uint8_t *doorbell;
    uint32_t tail;       /**< index after the last slot that was put */
    uint32_t fault_head; /**< index after the last record that was read */
    uint64_t submits;
    uint64_t kicks; /**< submits that found the device asleep */
};

/**
 * Resets the ring, writes its address to the device and enables it. The device
 * checks the ring later: if it refuses it, a wait returns VEU_FAULTED.
 */
enum veu_status veu_ring_start(struct veu_ring *ring, struct veu_device *device,
                               const struct veu_ring_config *config);

/** Lets the device finish its command, and disables the ring. */
enum veu_status veu_ring_stop(struct veu_ring *ring, uint64_t timeout_ns);

/**
 * Makes a running ring reload its context. After that, the driver may change
 * the window table. If the device refuses the context, a wait returns
 * VEU_FAULTED.
 */
enum veu_status veu_ring_reload(struct veu_ring *ring, uint64_t timeout_ns);

/**
 * Returns where a command with VEU_COMMAND_TIMES stores its times, which are
 * valid once it is done. @slot: the index of its first slot, which is
 * veu_ring.tail before veu_ring_put(). The ring's config has times.
 */
struct veu_command_times *veu_ring_times(const struct veu_ring *ring,
                                         uint32_t slot);

/** Slots that are free. */
uint32_t veu_ring_space(const struct veu_ring *ring);

/** Returns VEU_FULL unless a command of @slots slots can be put now. */
enum veu_status veu_ring_reserve(const struct veu_ring *ring, uint32_t slots);

/**
 * Copies a command of veu/ring.h after the last one. The device does not see it
 * until veu_ring_submit(). VEU_FULL: nothing was put.
 */
enum veu_status veu_ring_put(struct veu_ring *ring,
                             const struct veu_command_header *command);

/** Passes everything that was put to the device, and wakes it if it sleeps. */
void veu_ring_submit(struct veu_ring *ring);

/**
 * To be called after a store that the ring may wait for: wakes the device if
 * the ring sleeps.
 */
void veu_ring_notify(struct veu_ring *ring);

/** Wakes the device whether or not it sleeps. */
void veu_ring_kick(struct veu_ring *ring);

/** The index after the last slot that the device has finished. */
uint32_t veu_ring_head(const struct veu_ring *ring);

/**
 * Waits until the device has finished all slots before @index, which is the
 * value of ring->tail after the command was put.
 */
enum veu_status veu_ring_wait_head(const struct veu_ring *ring, uint32_t index,
                                   uint64_t timeout_ns);

/** Waits for everything that was put. */
enum veu_status veu_ring_wait(const struct veu_ring *ring, uint64_t timeout_ns);

/**
 * Takes the oldest record from the fault queue. Returns false if it is empty.
 */
bool veu_ring_read_fault(struct veu_ring *ring,
                         struct veu_fault_record *record);

/** Sets the ring's share of the device; veu_ring_start() resets it. */
void veu_ring_set_priority(const struct veu_ring *ring,
                           enum veu_priority priority);

/** Reads a register of the ring. */
uint32_t veu_ring_read32(const struct veu_ring *ring, enum veu_reg offset);

#ifdef __cplusplus
}
#endif

#endif /* VEU_GUEST_RING_H */
