/*
 * veu tests: a host for the device model that has threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It works like hw/veu/qemu: one thread steps the rings in batches, helpers run
 * shares of launches, and a thread that writes a register pauses the batches.
 * Guest memory is one plain array, which all threads of a test share.
 * Everything uses primitives that ThreadSanitizer knows: POSIX threads and
 * atomics.
 */
#ifndef VEU_TEST_THREADED_HOST_H
#define VEU_TEST_THREADED_HOST_H

#include <glib.h>
#include <pthread.h>
#include <semaphore.h>
#include "hw/veu/device/host/device.h"

#define THREADED_RAM       UINT64_C(0x100000)
#define THREADED_RAM_BYTES UINT64_C(0x200000)

typedef struct ThreadedHost ThreadedHost;

/* Pages that a thread has written since its last flush. */
#define THREADED_PAGE_BYTES 4096
typedef struct ThreadedNotes {
    uint8_t page[THREADED_RAM_BYTES / THREADED_PAGE_BYTES];
} ThreadedNotes;

typedef struct ThreadedHelper {
    VeuHost host; /* first */
    ThreadedNotes notes;
    ThreadedHost *owner;
    unsigned number;
    pthread_t thread;
    sem_t start;
} ThreadedHelper;

struct ThreadedHost {
    VeuHost host; /* first */
    ThreadedNotes notes;
    VeuDevice *device;
    uint8_t *memory; /* the contents at THREADED_RAM */
    pthread_t thread;
    pthread_mutex_t batch;
    pthread_cond_t changed; /* pauses, kicked, stop */
    unsigned pauses;
    bool kicked;
    bool stop;
    unsigned interrupts;
    ThreadedHelper helper[VEU_MAX_SLICES - 1];
    VeuHost *list[VEU_MAX_SLICES - 1];
    sem_t done;
    void (*share)(void *opaque, unsigned n);
    void *opaque;
};

ThreadedHost *threaded_new(unsigned rings, unsigned helpers);
void threaded_free(ThreadedHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ThreadedHost, threaded_free)

/* Returns guest memory at a device address. */
void *threaded_at(ThreadedHost *host, uint64_t address);

/* Accesses of a processor. Reads do not wait for the device. */
uint64_t threaded_read(ThreadedHost *host, uint32_t offset, unsigned bytes);
void threaded_write(ThreadedHost *host, uint32_t offset, uint64_t value,
                    unsigned bytes);
void threaded_kick(ThreadedHost *host);

#endif
