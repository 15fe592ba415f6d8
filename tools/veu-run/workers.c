/*
 * veu-run: threads that share the work of a launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All areas of memory exist before the threads start, so that all threads may
 * read the list.
 */
#include "tools/veu-run/workers.h"

typedef struct Worker {
    VeuHost host; /* first member: callbacks cast it to the worker */
    RunWorkers *workers;
    unsigned number; /* number of its share, from 1 */
    GThread *thread;
} Worker;

struct RunWorkers {
    Run *run;
    unsigned count; /* threads besides the caller */
    GMutex lock;
    GCond begins;
    GCond ends;
    unsigned turn;
    unsigned left; /* shares of this turn that are not finished */
    bool stop;
    void (*share)(void *opaque, unsigned n);
    void *opaque;
    VeuHost *hosts[VEU_MAX_SLICES];
    Worker worker[VEU_MAX_SLICES];
};

static uint8_t *worker_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    return run_memory_map(&((Worker *)host)->workers->run->memory, iova, bytes,
                          access);
}

static bool worker_open(VeuHost *host, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    return run_memory_open(&((Worker *)host)->workers->run->memory, iova,
                           access, extent);
}

static void worker_flush(VeuHost *host)
{
}

/* Waits for the turn after @turn. Returns false if there is none. */
static bool wait_for_turn(RunWorkers *w, unsigned turn)
{
    bool stop;

    g_mutex_lock(&w->lock);
    while (w->turn == turn && !w->stop) {
        g_cond_wait(&w->begins, &w->lock);
    }
    stop = w->stop;
    g_mutex_unlock(&w->lock);
    return !stop;
}

static void *work(void *opaque)
{
    Worker *worker = opaque;
    RunWorkers *w = worker->workers;

    for (unsigned turn = 0; wait_for_turn(w, turn); turn++) {
        w->share(w->opaque, worker->number);
        g_mutex_lock(&w->lock);
        if (--w->left == 0) {
            g_cond_signal(&w->ends);
        }
        g_mutex_unlock(&w->lock);
    }
    return NULL;
}

static void run_all(VeuHost *host, void (*share)(void *opaque, unsigned n),
                    void *opaque)
{
    RunWorkers *w = ((Run *)host)->workers;

    g_mutex_lock(&w->lock);
    w->share = share;
    w->opaque = opaque;
    w->left = w->count;
    w->turn++;
    g_cond_broadcast(&w->begins);
    g_mutex_unlock(&w->lock);
    share(opaque, 0);
    g_mutex_lock(&w->lock);
    while (w->left) {
        g_cond_wait(&w->ends, &w->lock);
    }
    g_mutex_unlock(&w->lock);
}

static void start_worker(RunWorkers *w, unsigned i)
{
    Worker *worker = &w->worker[i];

    worker->host = (VeuHost){
        .map = worker_map,
        .open = worker_open,
        .flush = worker_flush,
    };
    worker->workers = w;
    worker->number = i + 1;
    w->hosts[i] = &worker->host;
    worker->thread = g_thread_new("veu-worker", work, worker);
}

RunWorkers *run_workers_start(Run *run, unsigned count)
{
    RunWorkers *w;

    if (count < 2) {
        return NULL;
    }
    w = g_new0(RunWorkers, 1);
    w->run = run;
    w->count = count - 1;
    g_mutex_init(&w->lock);
    g_cond_init(&w->begins);
    g_cond_init(&w->ends);
    for (unsigned i = 0; i < w->count; i++) {
        start_worker(w, i);
    }
    run->workers = w;
    run->host.helpers = w->hosts;
    run->host.helper_count = w->count;
    run->host.run_all = run_all;
    return w;
}

void run_workers_stop(RunWorkers *w)
{
    if (!w) {
        return;
    }
    w->run->host.helper_count = 0;
    g_mutex_lock(&w->lock);
    w->stop = true;
    g_cond_broadcast(&w->begins);
    g_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->count; i++) {
        g_thread_join(w->worker[i].thread);
    }
    g_mutex_clear(&w->lock);
    g_cond_clear(&w->begins);
    g_cond_clear(&w->ends);
    g_free(w);
}
