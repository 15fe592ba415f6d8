/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Worker threads.
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/rcu.h"
#include "qemu/timer.h"
#include "hw/veu/qemu/spin.h"
#include "hw/veu/qemu/workers.h"

/*
 * Waking a thread takes as long as a thousand messages, and the next turn of a
 * dispatch begins immediately, so a thread that waits for a worker or for work
 * spins for this long before it sleeps.
 */
#define SPIN_NS (INT64_C(50) * SCALE_US)

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
    w->workers->share(w->workers->opaque, w->number);
    veu_memory_flush(&w->map);
}

/* @changed is signalled when it may have become @wanted. */
static void wait_for(VeuWorkers *workers, QemuCond *changed,
                     const unsigned *word, unsigned wanted)
{
    if (!workers->may_spin || !veu_spin(word, wanted, SPIN_NS)) {
        qemu_mutex_lock(&workers->lock);
        while (*word != wanted) {
            qemu_cond_wait(changed, &workers->lock);
        }
        qemu_mutex_unlock(&workers->lock);
    }
}

static void begin_turn(VeuWorkers *workers)
{
    qemu_mutex_lock(&workers->lock);
    workers->left = workers->count;
    qatomic_store_release(&workers->turn, workers->turn + 1);
    qemu_cond_broadcast(&workers->begins);
    qemu_mutex_unlock(&workers->lock);
}

static void end_share(VeuWorkers *workers)
{
    qemu_mutex_lock(&workers->lock);
    qatomic_store_release(&workers->left, workers->left - 1);
    if (workers->left == 0) {
        qemu_cond_signal(&workers->ends);
    }
    qemu_mutex_unlock(&workers->lock);
}

static void *worker_thread(void *opaque)
{
    VeuWorker *w = opaque;
    VeuWorkers *workers = w->workers;
    unsigned turn = 0;

    rcu_register_thread();
    for (;;) {
        wait_for(workers, &workers->begins, &workers->turn, ++turn);
        if (workers->stop) {
            break;
        }
        run_share(w);
        end_share(workers);
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
    qemu_thread_create(&w->thread, "veu-worker", worker_thread, w,
                       QEMU_THREAD_JOINABLE);
}

void veu_workers_start(VeuWorkers *workers, unsigned count, VeuMemory *memory)
{
    workers->count = count;
    workers->may_spin = g_get_num_processors() > count;
    workers->stop = false;
    workers->turn = 0;
    workers->worker = g_new0(VeuWorker, count);
    workers->hosts = g_new0(VeuHost *, count);
    qemu_mutex_init(&workers->lock);
    qemu_cond_init(&workers->begins);
    qemu_cond_init(&workers->ends);
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
    begin_turn(workers);
    for (unsigned i = 0; i < workers->count; i++) {
        VeuWorker *w = &workers->worker[i];

        qemu_thread_join(&w->thread);
        veu_memory_remove_map(&w->map);
    }
    qemu_cond_destroy(&workers->begins);
    qemu_cond_destroy(&workers->ends);
    qemu_mutex_destroy(&workers->lock);
    g_free(workers->worker);
    g_free(workers->hosts);
}

void veu_workers_run(VeuWorkers *workers,
                     void (*share)(void *opaque, unsigned n), void *opaque)
{
    workers->share = share;
    workers->opaque = opaque;
    begin_turn(workers);
    share(opaque, 0);
    wait_for(workers, &workers->ends, &workers->left, 0);
}
