/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Worker threads.
 */
#include "qemu/osdep.h"
#include "qemu/rcu.h"
#include "hw/veu/qemu/workers.h"

static VeuWorker *worker_of(VeuHost *host)
{
    return container_of(host, VeuWorker, host);
}

static uint8_t *worker_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    return veu_memory_map(&worker_of(host)->map, iova, bytes, access);
}

static bool worker_open(VeuHost *host, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    return veu_memory_open(&worker_of(host)->map, iova, access, extent);
}

static void worker_note(VeuHost *host, uint8_t *at)
{
    veu_memory_note(&worker_of(host)->map, at);
}

static void worker_flush(VeuHost *host)
{
    veu_memory_flush(&worker_of(host)->map);
}

static void run_share(VeuWorker *w)
{
    rcu_read_lock();
    w->workers->share(w->workers->opaque, w->number);
    veu_memory_flush(&w->map);
    rcu_read_unlock();
}

static void *worker_thread(void *opaque)
{
    VeuWorker *w = opaque;

    rcu_register_thread();
    for (;;) {
        qemu_sem_wait(&w->start);
        if (w->workers->stop) {
            break;
        }
        run_share(w);
        qemu_sem_post(&w->workers->done);
    }
    rcu_unregister_thread();
    return NULL;
}

static void start_worker(VeuWorker *w)
{
    w->host = (VeuHost){
        .map = worker_map,
        .open = worker_open,
        .note = worker_note,
        .flush = worker_flush,
        .counts = &w->map.counts,
    };
    qemu_sem_init(&w->start, 0);
    qemu_thread_create(&w->thread, "veu-worker", worker_thread, w,
                       QEMU_THREAD_JOINABLE);
}

void veu_workers_start(VeuWorkers *workers, unsigned count, VeuMemory *memory)
{
    workers->count = count;
    workers->stop = false;
    workers->worker = g_new0(VeuWorker, count);
    workers->hosts = g_new0(VeuHost *, count);
    qemu_sem_init(&workers->done, 0);
    for (unsigned i = 0; i < count; i++) {
        VeuWorker *w = &workers->worker[i];

        w->workers = workers;
        w->number = i + 1;
        veu_memory_add_map(memory, &w->map);
        workers->hosts[i] = &w->host;
        start_worker(w);
    }
}

void veu_workers_stop(VeuWorkers *workers)
{
    workers->stop = true;
    for (unsigned i = 0; i < workers->count; i++) {
        VeuWorker *w = &workers->worker[i];

        qemu_sem_post(&w->start);
        qemu_thread_join(&w->thread);
        qemu_sem_destroy(&w->start);
        veu_memory_remove_map(&w->map);
    }
    qemu_sem_destroy(&workers->done);
    g_free(workers->worker);
    g_free(workers->hosts);
}

void veu_workers_run(VeuWorkers *workers,
                     void (*share)(void *opaque, unsigned n), void *opaque)
{
    workers->share = share;
    workers->opaque = opaque;
    for (unsigned i = 0; i < workers->count; i++) {
        qemu_sem_post(&workers->worker[i].start);
    }
    share(opaque, 0);
    for (unsigned i = 0; i < workers->count; i++) {
        qemu_sem_wait(&workers->done);
    }
}
