/*
 * veu device model: its state.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_MODEL_H
#define VEU_DEVICE_MODEL_H

#include "hw/veu/device/context.h"
#include "hw/veu/device/context_tables.h"
#include "hw/veu/device/host/commands.h"
#include "hw/veu/device/host/device.h"
#include "hw/veu/device/host/registers.h"
#include "hw/veu/device/inject_state.h"
#include "hw/veu/device/launch_state.h"
#include "hw/veu/device/programs.h"
#include "hw/veu/device/scanout.h"
#include "veu/ring.h"

/* The longest command: struct veu_command_message. */
#define VEU_COMMAND_MAX_SLOTS 4
#define VEU_COMMAND_MAX_BYTES (VEU_COMMAND_MAX_SLOTS * VEU_SLOT_BYTES)

/*
 * Counters of a ring or a context, in the order of their registers. The first
 * ones have the same numbers as the device's.
 */
#define VEU_WORK_BUSY_NS  5
#define VEU_WORK_COUNTERS 6
_Static_assert(VEU_COUNTER_COMMANDS == 0 && VEU_COUNTER_FAULTS == 4 &&
                   VEU_ROW_RING_BUSY_NS - VEU_ROW_RING_COUNTER_COMMANDS ==
                       VEU_WORK_BUSY_NS &&
                   VEU_ROW_CONTEXT_BUSY_NS - VEU_ROW_CONTEXT_COUNTER_COMMANDS ==
                       VEU_WORK_BUSY_NS,
               "counters and registers have one order");

/* The bytes that a unit of work may copy at no extra cost. */
#define VEU_COST_BYTES 1024

/* A command, as copied from its slots. */
typedef struct VeuCommand {
    const VeuCommandInfo *info; /* NULL: none is in progress */
    uint32_t slot;              /* ring index of its first slot */
    bool begun;                 /* its first piece has been done */
    bool waits;                 /* it is a WAIT that is not over, or held */
    uint8_t injected;           /* VEU_INJECTED_* */
    uint64_t deadline_ns;       /* deadline of that, in the host's time */
    uint64_t begin_ns;          /* start time, if it stores its times */
    uint32_t bytes_done;        /* progress of a COPY or FILL */
    uint64_t cost;              /* units of RING_BUDGET used so far */
    uint64_t corrupt_address;   /* VEU_INJECTED_CORRUPT: address of the byte */
    uint8_t corrupt_mask;
    enum veu_access miss_access; /* VEU_INJECTED_MISS: by the first piece */
    uint64_t miss_address;
    uint32_t miss_bytes;
    uint64_t miss_delay_ns;
    VeuLoaded *loaded; /* the program that it loads or runs; or NULL */
    union {
        struct veu_command_header header;
#define MEMBER(name, structure, opcode) \
    struct veu_command_##structure structure;
        VEU_COMMANDS(MEMBER)
#undef MEMBER
        uint8_t bytes[VEU_COMMAND_MAX_BYTES];
    };
} VeuCommand;

struct VeuRing {
    VeuDevice *device;
    uint32_t number;
    uint64_t reg[VEU_RING_ROWS];
    enum veu_ring_state state; /* published to RING_STATE later */
    bool start;         /* enabled, but its registers have not been read */
    bool asleep;        /* the driver was told to kick */
    uint32_t tail;      /* the last value read */
    bool publish;       /* head or state changed since it was published */
    bool interrupt;     /* to be raised after publishing */
    uint8_t injects;    /* VEU_INJECT_*: points where rules apply to the ring */
    bool hides_head;    /* a rule suppresses its next store */
    VeuContext context; /* copied when the ring was enabled */
    VeuRequest request; /* for addresses in its command: request.h */
    bool blocked;       /* nothing to do until a response */
    uint32_t fault_records; /* size of the fault queue; 0: not usable */
    uint32_t fault_tail;    /* index in the fault queue */
    uint32_t fault_overflow;
    struct veu_fault_record last_fault; /* since it was enabled; code 0: none */
    VeuCommand command;
    VeuLaunch *launch; /* of the command, if it is a launch */
    uint32_t budget;   /* of this turn */
    uint32_t cost;     /* so far */
    uint64_t pass;     /* of schedule.c */
    /* current values; registers have a snapshot */
    uint64_t counter[VEU_WORK_COUNTERS];
    uint64_t
        counted[VEU_WORK_COUNTERS]; /* not yet added to a counter: counters.h */
};

/* The request queue of a context: request.h. */
typedef struct VeuRequestQueue {
    uint32_t tail;    /* index of the next record */
    uint32_t next_id; /* of the next group; resets of rings do not reset it */
} VeuRequestQueue;

struct VeuDevice {
    VeuHost *host;
    VeuDeviceConfig config;
    uint64_t pass; /* pass of the ring that had the last turn */
    uint64_t reg[VEU_DEVICE_ROWS];
    /* current values; registers have a snapshot */
    uint64_t counter[VEU_COUNTER_COUNT];
    bool idle; /* asleep; for a counter */
    uint64_t idle_since_ns;
    uint64_t context_reg[VEU_MAX_RINGS][VEU_CONTEXT_ROWS];
    uint64_t context_counter[VEU_MAX_RINGS][VEU_WORK_COUNTERS];
    bool shows_rings; /* the driver can read counters of rings and contexts */
    VeuTlb *tlbs;     /* one for each context */
    /*
     * The context with page tables whose translations are in use: by a ring's
     * step, by rows of a flip, or by reading the word of a WAIT.
     */
    uint32_t context_in_use;
    VeuRequestQueue queue[VEU_MAX_RINGS];
    VeuRing ring[VEU_MAX_RINGS];
    VeuScanout scanout;
    VeuInject inject;
    VeuPrograms programs;
};

/* No value of VeuDevice.context_in_use. */
#define VEU_NO_CONTEXT UINT32_MAX

/*
 * These enclose all code that uses translations of @context. They order it
 * against a concurrent invalidation, because both exchange the number: either
 * the invalidation finds its context there, or the code that follows here finds
 * the TLB as the invalidation left it. A use that begins and ends during the
 * invalidation shows in the count of uses, which changes after the exchange.
 */
static inline void veu_device_begin_use(VeuDevice *d, VeuContext *context)
{
    if (veu_context_has_tables(context)) {
        __atomic_exchange_n(&d->context_in_use, context->number,
                            __ATOMIC_ACQ_REL);
        veu_tlb_count_use(&d->tlbs[context->number]);
        veu_tables_begin(context);
    }
}

static inline void veu_device_end_use(VeuDevice *d)
{
    if (__atomic_load_n(&d->context_in_use, __ATOMIC_RELAXED) !=
        VEU_NO_CONTEXT) {
        __atomic_exchange_n(&d->context_in_use, VEU_NO_CONTEXT,
                            __ATOMIC_ACQ_REL);
    }
}

static inline uint64_t veu_ring_get(const VeuRing *ring, unsigned row)
{
    return veu_register_get(ring->reg, row);
}

/* The kinds of events that the host wants now: bits 1 << kind. */
static inline uint32_t veu_wanted(const VeuDevice *device)
{
    return __atomic_load_n(&device->host->events, __ATOMIC_RELAXED);
}

/* Returns true if the host wants any of these @kinds of events. */
static inline bool veu_wants(const VeuDevice *device, uint32_t kinds)
{
    return veu_wanted(device) & kinds;
}

/*
 * Sends an event if the host wants its kind. Inline, so that unwanted events,
 * one per message, are not built.
 */
static inline void veu_emit(VeuDevice *device, const VeuEvent *event)
{
    if (veu_wants(device, 1u << event->kind)) {
        device->host->event(device->host, event);
    }
}

/* Flushes what was written; pointers to memory become invalid. */
static inline void veu_ring_flush(VeuRing *ring)
{
    ring->device->host->flush(ring->device->host);
    veu_mem_forget(&ring->context.mem);
}

#endif
