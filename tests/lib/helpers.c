/*
 * veu tests: helpers of a test host.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <pthread.h>
#include "tests/lib/helpers.h"

/* a lock that ThreadSanitizer knows, unlike GLib's */
static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;

static uint8_t *locked_map(TestMemory *memory, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    uint8_t *at;

    pthread_mutex_lock(&map_lock);
    at = test_memory_map(memory, iova, bytes, access);
    pthread_mutex_unlock(&map_lock);
    return at;
}

static uint8_t *helper_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                           enum veu_access access)
{
    Helper *h = (Helper *)host;

    h->maps++;
    h->unflushed += access == VEU_ACCESS_WRITE;
    return locked_map(&h->dev->host.memory, iova, bytes, access);
}

static uint8_t *own_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                        enum veu_access access)
{
    return locked_map(&((TestHost *)host)->memory, iova, bytes, access);
}

static bool locked_open(TestMemory *memory, uint64_t iova,
                        enum veu_access access, VeuExtent *extent)
{
    bool ok;

    pthread_mutex_lock(&map_lock);
    ok = test_memory_open(memory, iova, access, extent);
    pthread_mutex_unlock(&map_lock);
    extent->noted = extent->listed = 0; /* they belong to one thread */
    return ok;
}

static bool helper_open(VeuHost *host, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    ((Helper *)host)->maps++;
    return locked_open(&((Helper *)host)->dev->host.memory, iova, access,
                       extent);
}

static bool own_open(VeuHost *host, uint64_t iova, enum veu_access access,
                     VeuExtent *extent)
{
    return locked_open(&((TestHost *)host)->memory, iova, access, extent);
}

static void helper_flush(VeuHost *host)
{
    ((Helper *)host)->unflushed = 0;
}

/*
 * Runs shares one after the other, the last one first, because no order is
 * promised.
 */
static void run_backwards(VeuHost *host, void (*share)(void *opaque, unsigned),
                          void *opaque)
{
    for (unsigned n = host->helper_count; n > 0; n--) {
        share(opaque, n);
        host->helpers[n - 1]->flush(host->helpers[n - 1]);
    }
    share(opaque, 0);
}

typedef struct Share {
    void (*run)(void *opaque, unsigned n);
    void *opaque;
    unsigned n;
} Share;

static void *run_share(void *opaque)
{
    Share *share = opaque;

    share->run(share->opaque, share->n);
    return NULL;
}

static void run_at_once(VeuHost *host, void (*run)(void *opaque, unsigned),
                        void *opaque)
{
    GThread *thread[VEU_MAX_SLICES];
    Share share[VEU_MAX_SLICES];

    for (unsigned n = 1; n <= host->helper_count; n++) {
        share[n] = (Share){ run, opaque, n };
        thread[n] = g_thread_new("share", run_share, &share[n]);
    }
    run(opaque, 0);
    for (unsigned n = 1; n <= host->helper_count; n++) {
        g_thread_join(thread[n]);
    }
}

void helpers_add(Dev *d, Helpers *h, unsigned count, bool at_once)
{
    for (unsigned i = 0; i < count; i++) {
        h->helper[i] = (Helper){ .host = { .map = helper_map,
                                           .open = helper_open,
                                           .flush = helper_flush },
                                 .dev = d };
        h->list[i] = &h->helper[i].host;
    }
    d->host.host.map = own_map;
    d->host.host.open = own_open;
    d->host.host.helpers = h->list;
    d->host.host.helper_count = count;
    d->host.host.run_all = at_once ? run_at_once : run_backwards;
    /* launches whose EU threads the host watches have no helpers */
    d->host.host.events &= ~(1u << VEU_EVENT_MESSAGE | 1u << VEU_EVENT_THREAD |
                             1u << VEU_EVENT_INSTRUCTION);
}
