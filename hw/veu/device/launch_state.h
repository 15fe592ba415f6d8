/*
 * veu device model: the parts of a launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every ring has a VeuLaunch, which its launches use one after another. It has
 * the copied and decoded program, the surfaces, and the slices: launch.h. The
 * groups of a KERNEL that are in flight have a part of their own: group.h.
 */
#ifndef VEU_DEVICE_LAUNCH_STATE_H
#define VEU_DEVICE_LAUNCH_STATE_H

#include "hw/veu/device/context.h"
#include "hw/veu/device/host/commands.h"
#include "hw/veu/device/host/registers.h"
#include "hw/veu/device/image.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/* The maximum number of messages that one piece of loading decodes. */
#define VEU_DECODE_MESSAGES 64
/* The maximum number of bytes that one piece of loading copies. */
#define VEU_LOAD_BYTES      (64 * 1024)

/* The next piece of a launch. */
typedef enum VeuLaunchPhase {
    VEU_LAUNCH_COPY,   /* copies a part of the program */
    VEU_LAUNCH_DECODE, /* decodes messages; then the surface table */
    VEU_LAUNCH_RUN,    /* EU threads */
} VeuLaunchPhase;

/* The longest payload. Each of its parts is a multiple of 64 bytes. */
#define VEU_PAYLOAD_MAX_BYTES                                            \
    (sizeof(struct veu_payload_header) +                                 \
     VEU_LIMIT_PREDICATES * sizeof(uint32_t) +                           \
     VEU_LIMIT_ADDRESSES * VEU_MAX_ADDRESS_ELEMENTS * sizeof(uint16_t) + \
     VEU_LIMIT_REGISTER_BYTES)

/* Where in a launch a fault happened. */
typedef struct VeuFaultPlace {
    uint32_t group;
    uint32_t thread;
    uint32_t message_offset;
    uint8_t opcode;
    uint8_t sub;
} VeuFaultPlace;

/* The state of a request for pages: request.h. */
typedef enum VeuRequestState {
    VEU_REQUEST_NONE,
    VEU_REQUEST_OPEN,    /* it is in the queue, and waits for its response */
    VEU_REQUEST_NO_ROOM, /* it waits for space in the queue */
    VEU_REQUEST_REFUSED, /* the next piece treats misses as faults */
} VeuRequestState;

typedef struct VeuRequest {
    VeuRequestState state;
    uint32_t id;    /* id of an open request */
    uint32_t asked; /* how often the next piece has requested pages */
} VeuRequest;

typedef enum VeuSliceState {
    VEU_SLICE_IDLE,    /* has no group */
    VEU_SLICE_START,   /* next: the EU thread's payload */
    VEU_SLICE_MESSAGE, /* next: its next message, or its result */
    VEU_SLICE_FAULTED, /* only within a turn: collected at its end */
} VeuSliceState;

/* A slice, and its current EU thread. */
typedef struct VeuSlice {
    VeuRing *ring;
    VeuSliceState state;
    uint32_t group;
    uint32_t thread;
    uint32_t message;
    VeuThread eu;
    VeuFlow flow;  /* for instructions: eu.flow; in a KERNEL: see group.c */
    VeuHost *host; /* host of this turn's runner; eu.mem is its gate */
    VeuFault fault;
    VeuFaultPlace place;
    bool asks;       /* the context requests pages: VeuContext.asks */
    uint32_t events; /* that the host wants in this turn: 1 << VeuEventKind */
    /* Instructions run one by one: each is an event, or none has a handler. */
    bool one_by_one;
    VeuRequest request;
    /* The start of a piece that waits for pages in this turn. */
    VeuSliceState resume;
    unsigned miss_count; /* 0: it does not wait, the fault counts */
    VeuMemMiss miss[VEU_MEM_MISSES];
    uint32_t cost;        /* of this turn */
    VeuMessageSum counts; /* of this turn */
    /* KERNEL: the area of the group, and of its EU threads: group.c. */
    uint8_t *area;
    uint32_t slot;      /* of its first EU thread */
    VeuImage image;     /* how they start; inputs are known until a flush */
    bool has_own_block; /* EU threads start in flow and payload */
    /*
     * eu's predicates, addresses and registers are in the same places as the
     * payload's.
     */
    _Alignas(64) uint8_t payload[VEU_PAYLOAD_MAX_BYTES];
    _Alignas(64) uint8_t slm[VEU_LIMIT_SLM_BYTES];
} VeuSlice;

/*
 * A place for groups of a KERNEL in flight: group.h. Neighbours run on
 * different processors and are written for each EU thread, so each has its own
 * cache line.
 */
typedef struct VeuGroup {
    /* Number of its group; at least the group count: none. */
    _Alignas(64) uint32_t number;
    bool begun;
    uint32_t thread; /* the EU thread whose turn it is */
    uint32_t ended;  /* EU threads that have ended */
    /* units of its turn; less than VEU_GROUP_TURN + VEU_GROUP_MORE */
    uint32_t used;
    uint64_t turns; /* that are over */
    VeuRequest request;
    uint32_t asking; /* the EU thread that has requested pages */
} VeuGroup;

/* All groups in flight. group.c explains the sizes and offsets. */
typedef struct VeuGroups {
    uint32_t count;
    uint32_t slm_at;
    uint32_t threads_at;
    uint32_t operands_at;
    uint32_t addresses_at;
    uint32_t registers_at;
    uint32_t thread_bytes;
    uint32_t group_bytes;
    uint32_t hw_id_bytes; /* of %hw_id in the registers; 0: none */
    bool has_slot;        /* EU threads start with what depends on their slot */
    /* The cost of the start of an EU thread, pieces. */
    uint32_t start_pieces;
    union {
        VeuGroup group[VEU_LIMIT_LAUNCH_BYTES / VEU_KERNEL_THREAD_BYTES];
        _Alignas(64) uint8_t arena[VEU_LIMIT_LAUNCH_BYTES];
    };
} VeuGroups;

typedef struct VeuLaunch {
    VeuLaunchPhase phase;
    struct veu_launch kernel_args; /* of a KERNEL: veu_kernel_to_launch() */
    uint32_t copied_bytes;         /* of the program */
    uint32_t passed_messages;      /* messages decoded by an earlier launch */
    bool hurries;                  /* as VeuLoaded.hurries */
    uint32_t next_group;           /* next group that no slice has had */
    uint32_t budget;               /* units for each slice in this turn */
    uint32_t most;                 /* the same, for an EU thread to end */
    unsigned parallel;     /* slices that run in parallel in this turn */
    uint32_t share;        /* part of RING_BUDGET for each of these */
    VeuObserver *observer; /* observer of its messages, or NULL */
    /* A part of the program, as copied from guest memory. */
    uint8_t copy[VEU_LOAD_BYTES];
    /*
     * The decoded program is kept together with its source bytes. A launch with
     * the same bytes as the previous one need not decode them.
     */
    uint64_t form; /* form of the program: its first fields; 0: none */
    bool known[VEU_LIMIT_SURFACES]; /* descriptors that are decoded already */
    struct veu_surface descriptors[VEU_LIMIT_SURFACES];
    VeuSurfaceTable surfaces;  /* what they say */
    VeuProgram *own;           /* last program decoded from code[] */
    const VeuProgram *program; /* the launch's: that one, or a loaded one */
    struct veu_command_message again; /* the last inline message */
    bool has_again;                   /* it was legal, and is decoded */
    /* As copied; for an inline message, variables and code. */
    uint8_t code[VEU_LIMIT_PROGRAM_BYTES];
    uint32_t slice_count;
    VeuGate gate[VEU_MAX_SLICES]; /* of helpers */
    VeuSlice slice[VEU_MAX_SLICES];
    VeuGroups groups; /* of a KERNEL */
} VeuLaunch;

#endif
