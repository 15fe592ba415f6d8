/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The device thread, and how other threads make it wait.
 *
 * The thread works in batches: it takes the batch lock, gives a few rings their
 * turns, and lets go. Whoever has to be sure that no batch is under way
 * (register writes, reset, unplug, vm-stop, a change of the memory map) pauses
 * the engine: it raises the pause count, which ends the batch after the piece
 * of work that it is at, and takes the batch lock. The thread never takes the
 * big lock inside a batch, so holders of the big lock may wait for it.
 *
 * Behind a vIOMMU a translation may need the big lock. Where translations are
 * kept (iotlb.h) the thread has the missing ones made by others (miss.h). While
 * many are missing, and where none is kept, it hands its batches to the main
 * loop, which holds the big lock.
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
 * Turns of rings in a batch, and units of work in a turn: enough
 * of them to make the cost of a turn itself small. A thread that waits for the
 * device does not wait for all of them (VeuHost.awaited).
 */
#define VEU_BATCH_TURNS      8
#define VEU_STEP_BUDGET      256
/* The same in the main loop, which must not block for long. */
#define VEU_BEAT_BUDGET      64
#define VEU_MAIN_LOOP_BUDGET 4

typedef struct VeuEngine {
    QemuThread thread;
    QemuMutex batch;
    QemuCond resumed; /* with batch: the pause count fell to 0 */
    VeuKick kick;
    EventNotifier main_loop; /* has it run a batch, or answer a miss */
    VeuMiss miss;
    VeuAlarm alarm;  /* for rings that wait */
    QEMUTimer *beat; /* of a deterministic device, or NULL */
    VMChangeStateEntry *vm_state;
    unsigned pauses; /* depth; written with the big lock held */
    bool vm_stopped;
    bool stop; /* the device goes away */
    /* The main loop is in a batch, or a miss is answered; with the big lock. */
    bool in_main_loop;
    bool reset_wanted; /* the device was reset from within that batch */
    bool has_membarrier;
    VeuPoll poll;
} VeuEngine;

typedef struct VeuState VeuState;

/* What calls from outside need, until the last of them has ended. */
bool veu_engine_init(VeuState *s, Error **errp);
void veu_engine_cleanup(VeuState *s);

/* The thread: last to come, first to go. */
void veu_engine_start(VeuState *s);
void veu_engine_stop(VeuState *s);

/* Work may have come in: wakes the thread. */
void veu_engine_kick(VeuEngine *engine);

/* Between these two no batch runs. With the big lock held; they nest. */
void veu_engine_pause(VeuEngine *engine);
void veu_engine_resume(VeuEngine *engine);

/*
 * The same, for a caller that is not in a batch and has the device model use
 * memory here.
 */
void veu_engine_enter(VeuState *s);
void veu_engine_leave(VeuState *s);

/*
 * A batch right here. With the big lock held, and the batch's if there is a
 * thread. Is there more to do?
 */
bool veu_engine_run(VeuState *s, unsigned turns, unsigned budget);

/*
 * A register write, with the big lock held, and not from within a batch: it has
 * taken effect, and what it needs of memory was read, when this returns.
 */
void veu_engine_write(VeuState *s, uint32_t offset, uint64_t value,
                      unsigned bytes);

/* A full barrier in this thread and in every guest CPU. */
void veu_engine_fence(VeuEngine *engine);

#endif /* HW_VEU_QEMU_ENGINE_H */
