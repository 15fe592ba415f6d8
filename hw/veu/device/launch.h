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

/* Within a turn: its last piece has missed pages, and waits for them. */
static inline bool veu_slice_waits(const VeuSlice *slice)
{
    return slice->state == VEU_SLICE_FAULTED && slice->miss_count;
}

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

/* ---- slices: slice.c ---- */

/*
 * Sets up as many slices as can be of use, and at least @least. All are idle,
 * and have all of eu that does not come with a turn or with a thread's payload.
 */
void veu_launch_set_up_slices(VeuRing *ring, unsigned least);
/* They are as they were set up: for the same launch again. */
void veu_launch_reset_slices(VeuLaunch *launch);

/* Before it runs in a turn: whose it is, and its gate. */
void veu_slice_enter(VeuSlice *slice, VeuHost *host, VeuMem *mem);

/* Runs the only EU thread of a launch, of one message, in three pieces. */
void veu_slice_run_only(VeuSlice *slice);

/*
 * Runs up to @budget pieces: messages, or payloads and results, which cost
 * more. Without a group it takes one, if it may.
 */
void veu_slice_run(VeuSlice *slice, uint32_t budget, bool takes_groups);

/* ---- also for groups of a KERNEL, whose EU thread the slice has: group.c */

/*
 * Around a piece that has asked for pages, and runs again: where its request
 * was refused, its misses are faults. The request is over unless it misses
 * pages again.
 */
void veu_slice_begin_asked(VeuSlice *slice);
void veu_slice_end_asked(VeuSlice *slice);
/*
 * Has the host mark what was written, and forgets extents, which may be old,
 * once there were VEU_FLUSH_PIECES pieces. The last one may have cost more.
 */
void veu_slice_flush(VeuSlice *slice, unsigned *pieces);

/*
 * Instructions until one faults, a barrier is reached, another thread waits
 * for the step, or they have cost @limit pieces. Returns how many pieces that
 * were; what is less than a piece stays in the flow's cost. *ended: no lane is
 * left.
 */
unsigned veu_slice_run_instructions(VeuSlice *slice, unsigned limit,
                                    bool *ended);
/* Emits an event of the EU thread: see veu_slice_tell() in model.h. */
void veu_slice_emit(const VeuSlice *slice, VeuEventKind kind, const char *name,
                    uint32_t at, uint32_t value);
/* False with a fault: a rule stops the start of the EU thread. */
bool veu_slice_passes_start(VeuSlice *slice, uint64_t address, uint32_t bytes);
/* Reads a part of what it starts with; false with a fault. */
bool veu_slice_read(VeuSlice *slice, uint64_t address, void *to,
                    uint32_t bytes);

/* ---- its first pieces: launch_load.c ---- */

VeuRun veu_launch_begin(VeuRing *ring);
VeuRun veu_launch_copy(VeuRing *ring);
VeuRun veu_launch_decode(VeuRing *ring);

/* ---- for LOAD, which is loaded as launches are ---- */

/*
 * Reads a part of a program of @all bytes, which costs its size. MORE: it has
 * been read; else the command ends, or waits for pages.
 */
VeuRun veu_launch_read_code(VeuRing *ring, uint64_t address, void *to,
                            uint32_t bytes, uint32_t all);
/* A fault of decoding; @offset: of a message, or not applicable. */
VeuRun veu_launch_load_fault(VeuRing *ring, const VeuProgram *program,
                             const VeuFault *fault, uint32_t offset);

/* ---- for state.c: launches that another device had begun ---- */

/*
 * True: *at is the byte offset in the command of the first illegal field. Of a
 * KERNEL, it makes the arguments of the launch.
 */
bool veu_launch_bad_field(VeuRing *ring, uint32_t *at);
/* Nothing is decoded any more: code[] and descriptors[] may be written. */
void veu_launch_forget(VeuLaunch *launch);
/* Opens the program that was copied; false with a fault. */
bool veu_launch_open(VeuRing *ring, VeuFault *fault);
/* The program of the launch is the loaded one that its command has. */
void veu_launch_use_loaded(VeuRing *ring);

/* A KERNEL has no payload, which programs of messages begin with. */
bool veu_launch_has_wrong_kind(const VeuRing *ring);
/*
 * When all messages are decoded. True: *at is the byte offset in the command of
 * the field that they do not fit to.
 */
bool veu_launch_misfit(const VeuRing *ring, uint32_t *at);
/* Checks a descriptor that was copied; false: the offset of what is wrong. */
bool veu_launch_decode_surface(VeuLaunch *launch, uint32_t index,
                               uint32_t *field);

#endif
