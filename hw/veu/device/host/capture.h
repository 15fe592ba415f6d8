/*
 * veu device model: launches, as seen by a host that records them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A host calls these from within events of a ring: VEU_EVENT_COMMAND,
 * VEU_EVENT_FAULT and VEU_EVENT_COMMAND_END. Pointers in a view are valid until
 * the event returns.
 */
#ifndef VEU_DEVICE_HOST_CAPTURE_H
#define VEU_DEVICE_HOST_CAPTURE_H

#include "hw/veu/device/host/device.h"
#include "veu/context.h"

/* A launch, without the memory that it accesses. */
typedef struct VeuLaunchView {
    const uint8_t *command; /* as copied from its slots */
    uint32_t command_bytes;
    uint32_t policy; /* enum veu_policy */
    uint32_t budget; /* RING_BUDGET */
    VeuConfig eu;
    /* The ring's context as it is bound. */
    uint32_t context_type; /* as CONTEXT_TYPE */
    uint32_t context_options;
    uint64_t root; /* of page tables; otherwise unused */
    const struct veu_window *windows;
    uint32_t window_count;
    /*
     * Memory that drivers share with the ring, not with the launch: its shared
     * block, its fault queue, and the request queue of its context.
     */
    struct {
        uint64_t address; /* DMA address */
        uint64_t bytes;
    } own[3];
    /* The program; NULL: there is none, or it is not completely copied yet. */
    const uint8_t *code;
    uint32_t code_bytes;
    uint32_t handle; /* that LOAD gave it; 0: the command names its address */
    uint32_t simd;   /* that it was loaded for */
    /*
     * The number of a program that was loaded, once it is copied; otherwise 0.
     * No other program has it as long as the device exists.
     */
    uint64_t serial;
} VeuLaunchView;

/* Returns false if the command of ring @ring is not a launch. */
bool veu_device_view_launch(VeuDevice *device, uint32_t ring,
                            VeuLaunchView *view);

/*
 * Forgets translations and extents of ring @ring, so that the device asks the
 * host again for all memory that the command accesses. To be called at
 * VEU_EVENT_COMMAND.
 */
void veu_device_forget_memory(VeuDevice *device, uint32_t ring);

typedef enum VeuThreadState {
    VEU_THREAD_RUNS,    /* has a next instruction, or message */
    VEU_THREAD_BARRIER, /* waits for other threads of its group */
} VeuThreadState;

/* An EU thread that has begun and has not ended. */
typedef struct VeuThreadView {
    uint32_t group;
    uint32_t thread; /* in the group */
    uint64_t number; /* in the launch, as in events */
    VeuThreadState state;
    uint32_t offset; /* offset in the code of what it runs next */
    const VeuThread *eu;
} VeuThreadView;

/* Calls @visit for each EU thread of the ring's launch, group by group. */
void veu_device_view_threads(VeuDevice *device, uint32_t ring,
                             void (*visit)(void *opaque,
                                           const VeuThreadView *view),
                             void *opaque);

#endif
