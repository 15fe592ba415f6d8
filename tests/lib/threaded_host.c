/*
 * veu tests: a host for the device model that has threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/lib/threaded_host.h"

#define PAGE_BYTES THREADED_PAGE_BYTES
#define TURNS      16
#define LOOKS      1000
#define BUDGET     64

void *threaded_at(ThreadedHost *h, uint64_t address)
{
    g_assert_cmphex(address - THREADED_RAM, <, THREADED_RAM_BYTES);
    return h->memory + (address - THREADED_RAM);
}

/* ---- callbacks of the model ---- */

static uint8_t *map(ThreadedHost *h, uint64_t iova, uint32_t *bytes)
{
    uint32_t left = PAGE_BYTES - iova % PAGE_BYTES;

    if (iova - THREADED_RAM >= THREADED_RAM_BYTES) {
        return NULL;
    }
    *bytes = MIN(*bytes, left);
    return threaded_at(h, iova);
}

/* Returns the whole memory; pages that are written have to be recorded. */
static bool open_all(ThreadedHost *h, ThreadedNotes *notes, uint64_t iova,
                     VeuExtent *extent)
{
    *extent = (VeuExtent){
        .iova = THREADED_RAM,
        .bytes = THREADED_RAM_BYTES,
        .host = h->memory,
        .noted = (uintptr_t)notes->page - (uintptr_t)h->memory / PAGE_BYTES,
    };
    return iova - THREADED_RAM < THREADED_RAM_BYTES;
}

static uint8_t *own_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                        enum veu_access access)
{
    return map((ThreadedHost *)host, iova, bytes);
}

static bool own_open(VeuHost *host, uint64_t iova, enum veu_access access,
                     VeuExtent *extent)
{
    ThreadedHost *h = (ThreadedHost *)host;

    return open_all(h, &h->notes, iova, extent);
}

static void own_flush(VeuHost *host)
{
    memset(&((ThreadedHost *)host)->notes, 0, sizeof(ThreadedNotes));
}

static uint8_t *helper_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    return map(((ThreadedHelper *)host)->owner, iova, bytes);
}

static bool helper_open(VeuHost *host, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    ThreadedHelper *helper = (ThreadedHelper *)host;

    return open_all(helper->owner, &helper->notes, iova, extent);
}

static void helper_flush(VeuHost *host)
{
    memset(&((ThreadedHelper *)host)->notes, 0, sizeof(ThreadedNotes));
}

static void fence(VeuHost *host)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void interrupt(VeuHost *host, uint32_t vector)
{
    __atomic_fetch_add(&((ThreadedHost *)host)->interrupts, 1,
                       __ATOMIC_RELEASE);
}

static uint64_t now_ns(VeuHost *host)
{
    return g_get_monotonic_time() * UINT64_C(1000);
}

static void run_all(VeuHost *host, void (*share)(void *opaque, unsigned n),
                    void *opaque)
{
    ThreadedHost *h = (ThreadedHost *)host;

    h->share = share;
    h->opaque = opaque;
    for (unsigned i = 0; i < host->helper_count; i++) {
        sem_post(&h->helper[i].start);
    }
    share(opaque, 0);
    for (unsigned i = 0; i < host->helper_count; i++) {
        sem_wait(&h->done);
    }
}

static void *run_helper(void *opaque)
{
    ThreadedHelper *helper = opaque;
    ThreadedHost *h = helper->owner;

    for (;;) {
        sem_wait(&helper->start);
        if (!h->share) {
            return NULL;
        }
        h->share(h->opaque, helper->number);
        helper_flush(&helper->host);
        sem_post(&h->done);
    }
}

/* ---- the device thread ---- */

/* Returns the rings that will be ready soon. */
static uint64_t poll_tails(ThreadedHost *h)
{
    VeuWatch watch;
    uint64_t ready = veu_device_watch(h->device, &watch);

    for (unsigned i = 0;
         !ready && i < LOOKS && !__atomic_load_n(&h->pauses, __ATOMIC_RELAXED);
         i++) {
        ready = veu_device_look(h->device, &watch);
    }
    return ready;
}

/* Gives rings their turns. Returns false if none has any work. */
static bool run_batch(ThreadedHost *h)
{
    uint64_t ready = poll_tails(h);

    for (unsigned i = 0;
         ready && i < TURNS && !__atomic_load_n(&h->pauses, __ATOMIC_RELAXED);
         i++) {
        uint32_t ring = veu_device_pick(h->device, ready);

        if (veu_ring_step(h->device, ring, BUDGET) != VEU_STEP_MORE) {
            ready &= ~(UINT64_C(1) << ring);
        }
        own_flush(&h->host);
    }
    return ready || !veu_device_sleep(h->device);
}

/* Waits, with the batch's lock held, until there may be work. */
static void wait_for_kick(ThreadedHost *h)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 1000000; /* a WAIT may be over */
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    if (!h->kicked && !h->stop) {
        pthread_cond_timedwait(&h->changed, &h->batch, &end);
    }
    h->kicked = false;
}

static void *run_device(void *opaque)
{
    ThreadedHost *h = opaque;

    pthread_mutex_lock(&h->batch);
    while (!h->stop) {
        if (__atomic_load_n(&h->pauses, __ATOMIC_RELAXED)) {
            pthread_cond_wait(&h->changed, &h->batch);
        } else if (!run_batch(h)) {
            wait_for_kick(h);
        }
        pthread_mutex_unlock(&h->batch);
        pthread_mutex_lock(&h->batch);
    }
    pthread_mutex_unlock(&h->batch);
    return NULL;
}

/* ---- processors ---- */

void threaded_kick(ThreadedHost *h)
{
    pthread_mutex_lock(&h->batch);
    h->kicked = true;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->batch);
}

uint64_t threaded_read(ThreadedHost *h, uint32_t offset, unsigned bytes)
{
    return veu_device_read(h->device, offset, bytes);
}

void threaded_write(ThreadedHost *h, uint32_t offset, uint64_t value,
                    unsigned bytes)
{
    __atomic_fetch_add(&h->pauses, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&h->batch);
    veu_device_write(h->device, offset, value, bytes);
    __atomic_fetch_sub(&h->pauses, 1, __ATOMIC_RELAXED);
    h->kicked = true;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->batch);
}

/* ---- set-up ---- */

static void add_helpers(ThreadedHost *h, unsigned count)
{
    sem_init(&h->done, 0, 0);
    h->host.helpers = h->list;
    h->host.helper_count = count;
    for (unsigned i = 0; i < count; i++) {
        ThreadedHelper *helper = &h->helper[i];

        helper->host = (VeuHost){ .map = helper_map,
                                  .open = helper_open,
                                  .flush = helper_flush };
        helper->owner = h;
        helper->number = i + 1;
        h->list[i] = &helper->host;
        sem_init(&helper->start, 0, 0);
        pthread_create(&helper->thread, NULL, run_helper, helper);
    }
}

ThreadedHost *threaded_new(unsigned rings, unsigned helpers)
{
    ThreadedHost *h = g_new0(ThreadedHost, 1);
    const VeuDeviceConfig config = {
        .rings = rings,
        .vectors = 1,
        .doorbell_stride_bytes = 4096,
    };

    h->host = (VeuHost){
        .map = own_map,
        .open = own_open,
        .flush = own_flush,
        .memory_version = 1,
        .fence = fence,
        .interrupt = interrupt,
        .now_ns = now_ns,
        .awaited = &h->pauses,
        .run_all = run_all,
    };
    h->memory = aligned_alloc(PAGE_BYTES, THREADED_RAM_BYTES);
    memset(h->memory, 0, THREADED_RAM_BYTES);
    h->device = veu_device_new(&config, &h->host);
    pthread_mutex_init(&h->batch, NULL);
    pthread_cond_init(&h->changed, NULL);
    add_helpers(h, helpers);
    pthread_create(&h->thread, NULL, run_device, h);
    return h;
}

void threaded_free(ThreadedHost *h)
{
    pthread_mutex_lock(&h->batch);
    h->stop = true;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->batch);
    pthread_join(h->thread, NULL);
    h->share = NULL;
    for (unsigned i = 0; i < h->host.helper_count; i++) {
        sem_post(&h->helper[i].start);
        pthread_join(h->helper[i].thread, NULL);
        sem_destroy(&h->helper[i].start);
    }
    sem_destroy(&h->done);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->batch);
    veu_device_free(h->device);
    free(h->memory);
    g_free(h);
}
