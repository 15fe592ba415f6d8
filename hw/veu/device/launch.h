/*
 * veu device model: dispatches and inline messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A launch is a state machine. Each call of veu_launch_run() does one bounded
 * piece of it: a part of the program is copied or decoded, or slices run for
 * some messages. Between the pieces the ring may be stopped.
 *
 * A slice runs EU threads, one after the other. Those of a group share memory
 * and stay in one slice; groups go to the next slice that is free. Slices may
 * run at the same time.
 */
#ifndef VEU_DEVICE_LAUNCH_H
#define VEU_DEVICE_LAUNCH_H

#include "hw/veu/device/context.h"
#include "hw/veu/device/host/commands.h"
#include "hw/veu/device/host/registers.h"
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/message/execute.h"
#include "hw/veu/eu/program/program.h"
#include "veu/ring.h"

/* The most messages that a piece of loading decodes. */
#define VEU_DECODE_MESSAGES 64
/* The most that a piece of loading copies. */
#define VEU_LOAD_BYTES      (64 * 1024)

/* The next piece of a launch. */
typedef enum VeuLaunchPhase {
    VEU_LAUNCH_COPY,   /* a part of the program */
    VEU_LAUNCH_DECODE, /* some of its messages; then the surface table */
    VEU_LAUNCH_RUN,    /* EU threads */
} VeuLaunchPhase;

/* The longest payload: each part of it is a multiple of 64 bytes. */
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

/* A request for pages: request.h. */
typedef enum VeuRequestState {
    VEU_REQUEST_NONE,
    VEU_REQUEST_OPEN,    /* it is in the queue, and waits for its response */
    VEU_REQUEST_NO_ROOM, /* it waits for room in the queue */
    VEU_REQUEST_REFUSED, /* the next piece runs with misses as faults */
} VeuRequestState;

typedef struct VeuRequest {
    VeuRequestState state;
    uint32_t id;    /* of one that is open */
    uint32_t asked; /* how often the piece that is next has asked */
} VeuRequest;

typedef enum VeuSliceState {
    VEU_SLICE_IDLE,    /* has no group */
    VEU_SLICE_START,   /* next: the EU thread's payload */
    VEU_SLICE_MESSAGE, /* next: its next message, or its result */
    VEU_SLICE_FAULTED, /* within a turn only: it is collected then */
} VeuSliceState;

/* A slice, and the EU thread that it runs. */
typedef struct VeuSlice {
    VeuRing *ring;
    VeuSliceState state;
    uint32_t group;
    uint32_t thread;
    uint32_t message;
    VeuThread eu;
    VeuFlow flow;  /* of instructions: eu.flow, except in a KERNEL */
    VeuHost *host; /* of whoever runs it in this turn; eu.mem is its gate */
    VeuFault fault;
    VeuFaultPlace place;
    bool asks; /* its context does: VeuContext.asks */
    VeuRequest request;
    /* Where a piece begins that waits for pages in this turn. */
    VeuSliceState resume;
    unsigned miss_count; /* 0: it does not, the fault counts */
    VeuMemMiss miss[VEU_MEM_MISSES];
    uint32_t cost; /* of this turn */
    /* Counted in this turn. */
    uint64_t messages;
    uint64_t lanes;
    uint64_t moved_bytes;
    /* eu's predicates, addresses and registers stand where the payload's do. */
    _Alignas(64) uint8_t payload[VEU_PAYLOAD_MAX_BYTES];
    _Alignas(64) uint8_t slm[VEU_LIMIT_SLM_BYTES];
} VeuSlice;

/* A place for groups of a KERNEL in flight: group.h. */
typedef struct VeuGroup {
    uint32_t number; /* of its group; not less than all: it has none */
    bool begun;
    uint32_t thread; /* the EU thread whose turn it is */
    uint32_t used;   /* units of its turn; less than VEU_GROUP_TURN */
    uint64_t turns;  /* that are over */
    VeuRequest request;
    uint32_t asking; /* the EU thread that has asked */
} VeuGroup;

/* All of them; bytes and offsets: group.c. */
typedef struct VeuGroups {
    uint32_t count;
    uint32_t slm_at;
    uint32_t threads_at;
    uint32_t operands_at;
    uint32_t registers_at;
    uint32_t thread_bytes;
    uint32_t group_bytes;
    uint32_t hw_id_bytes; /* of %hw_id in the registers; 0: it has no place */
    union {
        VeuGroup group[VEU_LIMIT_LAUNCH_BYTES / VEU_KERNEL_THREAD_BYTES];
        _Alignas(64) uint8_t arena[VEU_LIMIT_LAUNCH_BYTES];
    };
} VeuGroups;

typedef struct VeuLaunch {
    VeuLaunchPhase phase;
    struct veu_launch kernel_args; /* of a KERNEL: veu_kernel_to_launch() */
    uint32_t copied_bytes;         /* of the program */
    uint32_t passed_messages;      /* that were decoded before */
    bool hurries;                  /* as VeuLoaded.hurries */
    uint32_t next_group;           /* that no slice has had */
    uint32_t budget;               /* of each slice in this turn */
    unsigned parallel;             /* slices that run at the same time in it */
    uint32_t share;                /* of RING_BUDGET, for each of these */
    VeuObserver *observer;         /* of its messages, or NULL */
    /* A part of the program, copied from guest memory. */
    uint8_t copy[VEU_LOAD_BYTES];
    /*
     * What is decoded stays, with what it was decoded from: a launch that
     * brings the same bytes as the one before has nothing to decode.
     */
    uint64_t form; /* of the program: its first fields; 0: none */
    bool known[VEU_LIMIT_SURFACES]; /* descriptors that have been decoded */
    struct veu_surface descriptors[VEU_LIMIT_SURFACES];
    VeuSurfaceTable surfaces;         /* what they say */
    VeuProgram *own;                  /* what was decoded last of code[] */
    const VeuProgram *program;        /* of the launch: that, or a loaded one */
    struct veu_command_message again; /* the last inline message */
    bool has_again;                   /* all of it was legal, and is decoded */
    /* As it was copied; of an inline message: variables and code. */
    uint8_t code[VEU_LIMIT_PROGRAM_BYTES];
    uint32_t slice_count;
    VeuGate gate[VEU_MAX_SLICES]; /* of helpers */
    VeuSlice slice[VEU_MAX_SLICES];
    VeuGroups groups; /* of a KERNEL */
} VeuLaunch;

/* NULL when there is not enough memory. */
VeuLaunch *veu_launch_new(void);
void veu_launch_free(VeuLaunch *launch);

/* Does a piece of the ring's command, a dispatch or an inline message. */
VeuRun veu_launch_run(VeuRing *ring);

/*
 * Sets @place to the group before which all groups of the ring's launch are
 * done, and to the EU thread that it is at. Returns false if none has begun.
 */
bool veu_launch_place(const VeuRing *ring, VeuFaultPlace *place);

#endif
