/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device thread, and how other threads make it wait.
 *
 * The thread works in batches: it takes the batch lock, gives a few rings their
 * turns, and lets go. A thread that must be sure that no batch is under way
 * (register writes, reset, unplug, vm-stop, a change of the memory map) pauses
 * the engine: it raises the pause count, which ends the batch after its current
 * piece of work, and takes the batch lock. The thread never takes the big lock
 * inside a batch, so holders of the big lock may wait for it.
 *
 * Behind a vIOMMU a translation may need the big lock. If translations are
 * cached (iotlb.h), other threads make the missing ones for it (miss.h). While
 * many are missing, and if none are cached, it hands its batches to the main
 * loop, which holds the big lock.
 *
 * A debugger that has halted EU threads (gdb.h) keeps batches from beginning,
 * as a stopped VM does: register writes, resets and migration are possible.
 *
 * A deterministic device has no thread: deterministic.h.
 */
#ifndef HW_VEU_QEMU_ENGINE_H
#define HW_VEU_QEMU_ENGINE_H

#include "qemu/osdep.h"
#include "qemu/event_notifier.h"
#include "qemu/thread.h"
#include "hw/veu/qemu/alarm.h"
#include "hw/veu/qemu/kick.h"
#include "hw/veu/qemu/miss.h"
#include "hw/veu/qemu/poll.h"

/*
 * The turns of rings in a batch, and the units of work in a turn: enough to
 * make the overhead of a turn small. A thread that waits for the device does
 * not wait for all of them (VeuHost.awaited).
 */
#define VEU_BATCH_TURNS      8
#define VEU_STEP_BUDGET      1024
/* The limits in the main loop, which must not block for long. */
#define VEU_BEAT_BUDGET      64
#define VEU_MAIN_LOOP_BUDGET 4
/*
 * The batch lock changes hands at each register write, for about a microsecond.
 * A thread that waits for it, or for the end of a pause, spins for this long.
 */
#define VEU_PAUSE_SPIN_NS    (20 * SCALE_US)

typedef struct VeuEngine {
    QemuThread thread;
    QemuMutex batch;
    QemuCond resumed; /* with the batch lock: the pause count fell to 0 */
    VeuKick kick;
    EventNotifier main_loop; /* makes it run a batch, or answer a miss */
    VeuMiss miss;
    VeuAlarm alarm;  /* for waiting rings */
    QEMUTimer *beat; /* of a deterministic device, or NULL */
    VMChangeStateEntry *vm_state;
    unsigned pauses; /* nesting depth; written with the big lock held */
    /* VeuHost.awaited: 1 while there is a pause, or a debugger has halted. */
    unsigned awaited;
    bool vm_stopped;
    bool stop; /* the device is going away */
    /*
     * The main loop is in a batch, or a miss is being answered; with the big
     * lock.
     */
    bool in_main_loop;
    bool reset_wanted; /* the device was reset from within that batch */
    VeuPoll poll;
} VeuEngine;

typedef struct VeuState VeuState;

/* Sets up what other threads' calls need, until the last of them has ended. */
bool veu_engine_init(VeuState *s, Error **errp);
void veu_engine_cleanup(VeuState *s);

/* The thread is started last and stopped first. */
void veu_engine_start(VeuState *s);
void veu_engine_stop(VeuState *s);

/*
 * Ends the batch after the current instruction, or lets batches begin. Called
 * in a batch or in a pause.
 */
void veu_engine_halt(VeuState *s, bool halted);

/* Wakes the thread, because there may be work. */
void veu_engine_kick(VeuEngine *engine);

/*
 * Like pause and resume, for a caller outside of batches that lets the device
 * model use memory.
 */
void veu_engine_enter(VeuState *s);
void veu_engine_leave(VeuState *s);

/* Resets the device model, so that no batch knows an earlier address. */
void veu_engine_reset(VeuState *s);

/*
 * Runs a batch in the caller's thread. Called with the big lock held, and with
 * the batch lock if there is a thread. Returns true if there is more to do.
 */
bool veu_engine_run(VeuState *s, unsigned turns, unsigned budget);

/*
 * Writes a register. Called with the big lock held, outside of batches. When
 * this returns, the write has taken effect, and the memory that it needs was
 * read.
 */
void veu_engine_write(VeuState *s, uint32_t offset, uint64_t value,
                      unsigned bytes);

#endif /* HW_VEU_QEMU_ENGINE_H */
