/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Worker threads: each runs a share of a dispatch while the device thread runs
 * another. They work inside the device thread's batch, and it waits for them,
 * so waiting for the batch to end includes the workers.
 */
#ifndef HW_VEU_QEMU_WORKERS_H
#define HW_VEU_QEMU_WORKERS_H

#include "qemu/osdep.h"
#include "qemu/thread.h"
#include "hw/veu/device/host/host.h"
#include "hw/veu/qemu/memory.h"

typedef struct VeuWorkers VeuWorkers;

typedef struct VeuWorker {
    VeuHost host; /* used by the device model: its memory gate */
    VeuWorkers *workers;
    unsigned number; /* of its share */
    VeuMap map;
    QemuThread thread;
} VeuWorker;

struct VeuWorkers {
    unsigned count; /* besides the device thread */
    VeuWorker *worker;
    VeuHost **hosts; /* of the workers */
    bool may_spin;
    /* The current task. */
    bool stop;
    void (*share)(void *opaque, unsigned n);
    void *opaque;
    /* Written with the lock held, read without it while a thread spins. */
    QemuMutex lock;
    unsigned turn;   /* how many tasks there have been */
    QemuCond begins; /* a turn */
    unsigned left;   /* workers that have not finished it */
    QemuCond ends;
};

/* Starts @count threads that access @memory. */
void veu_workers_start(VeuWorkers *workers, unsigned count, VeuMemory *memory);
void veu_workers_stop(VeuWorkers *workers);

/*
 * Called in a batch: runs share() in this thread with 0, and in the workers
 * with 1, ...
 */
void veu_workers_run(VeuWorkers *workers,
                     void (*share)(void *opaque, unsigned n), void *opaque);

#endif /* HW_VEU_QEMU_WORKERS_H */
