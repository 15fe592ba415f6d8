/*
 * veu device model: what it needs from its host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The model is passive. A host (the QEMU device, a test, a tool) owns threads,
 * sleeping, time and interrupts; it calls the functions of device.h, and the
 * model calls back through this struct, from within such a call only.
 */
#ifndef VEU_DEVICE_HOST_H
#define VEU_DEVICE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/veu/eu/surface/format.h"
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/memory/mem.h"
#include "hw/veu/eu/message/observer.h"
#include "hw/veu/eu/program/program.h"

typedef struct VeuHost VeuHost;

typedef enum VeuEventKind {
    VEU_EVENT_RESET,    /* a ring; VEU_EVENT_NO_RING: the device */
    VEU_EVENT_STATE,    /* name: the ring's new state */
    VEU_EVENT_COMMAND,  /* a command begins; at: slot, value: tag */
    VEU_EVENT_MESSAGE,  /* a message was executed; at: offset, value: lanes */
    VEU_EVENT_FAULT,    /* a fault; at: address, value: detail */
    VEU_EVENT_CONTRACT, /* the guest broke a rule; at: message offset */
    VEU_EVENT_REGISTER, /* an ignored access; at: offset, value: written */
    VEU_EVENT_FLIP,     /* a flip succeeded; at: number, name: the format's */
    VEU_EVENT_INJECT,   /* a rule fires; name: action, at: rule, value: times */
    VEU_EVENT_REQUEST,  /* pages are requested; at: id, value: records */
    VEU_EVENT_RESPONSE, /* the response; at: id, value: 1 if it refuses */
    VEU_EVENT_THREAD,   /* an EU thread starts (value 0) or has ended (1) */
    /* an instruction was executed; at: offset, value: lanes */
    VEU_EVENT_INSTRUCTION,
    VEU_EVENT_COMMAND_END, /* a command has ended; as VEU_EVENT_COMMAND */
    VEU_EVENT_COUNT
} VeuEventKind;

#define VEU_EVENT_NO_RING UINT32_MAX

typedef struct VeuEvent {
    VeuEventKind kind;
    uint32_t ring;
    const char *name; /* name of the state, command, message, fault, ... */
    uint64_t at;
    uint64_t value;
    uint64_t thread;     /* for a message: number of the EU thread */
    const VeuThread *eu; /* THREAD, INSTRUCTION: its current state; or NULL */
    /* The record of a ring's FAULT; otherwise NULL. */
    const struct veu_fault_record *record;
} VeuEvent;

/*
 * The formats that can be shown, and pixman's names for them. Alpha is not
 * shown, so pixman is told that there is none.
 */
#define VEU_SCANOUT_FORMATS(X)        \
    X(B8G8R8A8_UNORM, x8r8g8b8)       \
    X(R10G10B10A2_UNORM, x2b10g10r10) \
    X(R8G8B8A8_UNORM, x8b8g8r8)       \
    X(B10G10R10A2_UNORM, x2r10g10b10) \
    X(B5G6R5_UNORM, r5g6b5)           \
    X(B5G5R5A1_UNORM, x1r5g5b5)       \
    X(B4G4R4A4_UNORM, x4r4g4b4)       \
    X(B5G5R5X1_UNORM, x1r5g5b5)

/* A picture that is going to be shown. */
typedef struct VeuFrame {
    const VeuFormat *format; /* one of VEU_SCANOUT_FORMATS */
    uint32_t width;          /* texels, 1 to VEU_LIMIT_SCANOUT_SIDE */
    uint32_t height;
} VeuFrame;

/*
 * A display. Its picture remains until another one is complete. A frame that
 * was begun may be replaced by another one.
 */
typedef struct VeuScreen {
    /* Returns false if there is no memory for it. */
    bool (*begin)(VeuHost *host, const VeuFrame *frame);
    /* Row @y of the frame, texel by texel; each row comes once, in order. */
    void (*row)(VeuHost *host, uint32_t y, const uint8_t *texels);
    /* All rows have come: the display shows them from now on. */
    void (*show)(VeuHost *host);
    /* The display shows nothing from now on. */
    void (*blank)(VeuHost *host);
} VeuScreen;

/* The host's own counts, for the counters of the same names. */
typedef struct VeuHostCounts {
    uint64_t cache_hits;   /* map() already knew the address */
    uint64_t cache_misses; /* map() had to look up the memory */
} VeuHostCounts;

struct VeuHost {
    /*
     * The memory gate, for the device's own DMA addresses: like VeuMem.map in
     * hw/veu/eu/memory/mem.h. Pointers are valid until the step returns, or
     * until a flush.
     */
    uint8_t *(*map)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
    /*
     * The same for extents: VeuMem.open and VeuMem.note. NULL: not supported.
     */
    bool (*open)(VeuHost *host, uint64_t iova, enum veu_access access,
                 VeuExtent *extent);
    void (*note)(VeuHost *host, uint8_t *at);
    /*
     * Marks all pages that were written so far as dirty, and clears the dirty
     * bytes. Called every VEU_FLUSH_PIECES pieces of work if VEU_FLUSH_WRITES
     * blocks or more may have such pages, because a thread that waits for a
     * step also waits for the host to mark what the step has written. The host
     * marks it after a step or later; a helper does so after its share.
     */
    void (*flush)(VeuHost *host);
    /*
     * Pointers may outlive a step until the host changes this number. It must
     * be a new number, never used before, in the first call of the model after
     * memory that map() or open() returned has disappeared, moved, or lost a
     * permission. It does not change within a call. 0: no pointer outlives a
     * step or a flush. Only the caller's number counts, not those of helpers.
     */
    uint64_t memory_version;
    /* Issues a full memory barrier here and on every guest CPU. */
    void (*fence)(VeuHost *host);
    /* Raises an interrupt on MSI-X vector @vector, which exists. */
    void (*interrupt)(VeuHost *host, uint32_t vector);
    /* The device was reset: pending interrupts must be dropped. Or NULL. */
    void (*reset)(VeuHost *host);
    /* Returns the time of the device clock. */
    uint64_t (*now_ns)(VeuHost *host);
    void (*event)(VeuHost *host, const VeuEvent *event);
    /*
     * While *awaited is not 0, a step ends after its current piece of work.
     * Other threads may write it. NULL: no thread ever waits.
     */
    const unsigned *awaited;
    /*
     * A debugger stops EU threads: set with *awaited in an event INSTRUCTION,
     * or THREAD if the host wants both, it lets no further instruction run in
     * this step. Programs of messages are not stopped. No step may begin while
     * it is set.
     */
    bool halted;
    /*
     * Bit n: the host wants events of VeuEventKind n. It may change during
     * veu_device_read().
     */
    uint32_t events;
    /*
     * Helpers, each of which can run a share of a launch while the caller runs
     * another. They are hosts, of which only map(), open(), note(), flush() and
     * counts are used. run_all() calls share() with 0 in the caller's thread
     * and with 1, 2, ... in the helpers', and returns when all have returned.
     */
    VeuHost *const *helpers;
    unsigned helper_count; /* at most VEU_MAX_SLICES - 1 */
    void (*run_all)(VeuHost *host, void (*share)(void *opaque, unsigned n),
                    void *opaque);
    /*
     * The host adds to them in map(); the model takes them out between steps.
     * Each helper has its own. NULL: nothing is counted.
     */
    VeuHostCounts *counts;
    /*
     * The host does not poll tails. Drivers are told to kick always, as if the
     * device slept.
     */
    bool wants_kicks;
    /* Watches the lanes of all messages, or NULL. */
    VeuObserver *observer;
    /* NULL: the device has no scanout. */
    const VeuScreen *screen;
    /*
     * Returns where a launch of ring @ring counts its instructions, or NULL.
     * Called at the beginning of each turn for each runner: 0 is the caller of
     * the step, n is helper n - 1, in whose thread this is called. The launch's
     * program stays the same until its COMMAND_END. NULL: nothing is counted.
     */
    struct VeuProfile *(*profile)(VeuHost *host, uint32_t ring, unsigned runner,
                                  const VeuProgram *program);
};

#endif
