/*
 * veu tests: tests of all 32-bit numbers, or of every nth one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include "tests/lib/sweep.h"

#define PARTS       256
#define PART        (UINT64_C(0x100000000) / PARTS)
#define MAX_THREADS 16

typedef struct Part {
    uint32_t wrong;
    bool ok;
} Part;

typedef struct Work {
    const Sweep *sweep;
    gint next; /* the next part that no thread has taken */
    Part part[PARTS];
    GAsyncQueue *done; /* of Part */
} Work;

uint32_t sweep_stride(uint32_t stride)
{
    return g_getenv("VEU_TEST_ALL") ? 1 : stride;
}

static void run_part(const Sweep *s, unsigned n, Part *part)
{
    uint64_t end = (n + 1) * PART;
    uint64_t at = (n * PART + s->stride - 1) / s->stride * s->stride;
    uint32_t numbers[SWEEP_NUMBERS];

    part->ok = true;
    while (at < end && part->ok) {
        unsigned count = 0;

        for (; count < SWEEP_NUMBERS && at < end; at += s->stride) {
            numbers[count++] = at;
        }
        part->ok = s->check(s->data, numbers, count, &part->wrong);
    }
}

static gpointer worker(gpointer data)
{
    Work *w = data;
    gint n;

    while ((n = g_atomic_int_add(&w->next, 1)) < PARTS) {
        run_part(w->sweep, n, &w->part[n]);
        g_async_queue_push(w->done, &w->part[n]);
    }
    return NULL;
}

/* Waits for all parts; only one thread writes GLib's messages. */
static bool wait_for_all(Work *w)
{
    bool ok = true;

    for (unsigned n = 1; n <= PARTS; n++) {
        const Part *part = g_async_queue_pop(w->done);

        if (!part->ok) {
            g_test_message("%s: wrong for %#010x", w->sweep->name, part->wrong);
            ok = false;
        }
        if (w->sweep->stride == 1 && n % (PARTS / 8) == 0) {
            g_test_message("%s: %u %%", w->sweep->name, n * 100 / PARTS);
        }
    }
    return ok;
}

bool sweep(const Sweep *s)
{
    unsigned count = MIN(g_get_num_processors(), MAX_THREADS);
    GThread *threads[MAX_THREADS];
    Work w = { .sweep = s, .done = g_async_queue_new() };
    bool ok;

    for (unsigned i = 0; i < count; i++) {
        threads[i] = g_thread_new("sweep", worker, &w);
    }
    ok = wait_for_all(&w);
    for (unsigned i = 0; i < count; i++) {
        g_thread_join(threads[i]);
    }
    g_async_queue_unref(w.done);
    return ok;
}
