/*
 * veu unit tests: translations that the device thread asks another thread for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The test plays the part of the device thread for hw/veu/qemu/miss.c. If a
 * lock is not released, or a wait is not ended, the test does not end.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/memory_walk.h"
#include "hw/veu/qemu/miss.h"
#include "hw/veu/qemu/spin.h"

#define PAGE              UINT64_C(0x5000)
#define VEU_PAUSE_SPIN_NS 20000

typedef struct VeuEngine {
    QemuMutex batch;
    VeuMiss miss;
    EventNotifier main_loop;
    struct {
        bool has_cpu;
    } poll;
    bool in_main_loop;
    bool stop;
} VeuEngine;

struct VeuMemory {
    char unused;
};

struct VeuState {
    VeuEngine engine;
    VeuMemory memory;
    unsigned walks;
    unsigned asks;  /* requests of the device thread in one batch */
    bool has_ended; /* the batch has ended; protected by the lock */
};

#include "hw/veu/qemu/miss.c"

void veu_spin_lock(QemuMutex *lock, int64_t ns)
{
    g_assert_cmpint(ns, ==, VEU_PAUSE_SPIN_NS);
    while (qemu_mutex_trylock(lock)) {
        g_thread_yield();
    }
}

void event_notifier_set(EventNotifier *notifier)
{
    g_async_queue_push(*notifier, notifier);
}

/* A translation runs in the main loop and finds the engine by this. */
void veu_memory_walk(VeuMemory *memory, uint64_t page, uint64_t bytes,
                     bool is_write, VeuCacheEntry *entry)
{
    VeuState *s = container_of(memory, VeuState, memory);

    g_assert_true(s->engine.in_main_loop);
    g_assert_cmphex(page, ==, PAGE + s->walks);
    g_assert_cmphex(bytes, ==, 100 + s->walks);
    g_assert_true(is_write == (s->walks == 0));
    *entry = (VeuCacheEntry){
        .start = page,
        .bytes = bytes,
        .host = (uint8_t *)0x1000 + s->walks,
    };
    s->walks++;
}

static void *run_batch(void *opaque)
{
    VeuState *s = opaque;

    qemu_mutex_lock(&s->engine.batch);
    for (unsigned i = 0; i < s->asks; i++) {
        VeuCacheEntry entry;

        veu_miss_ask(s, PAGE + i, 100 + i, i == 0, &entry);
        g_assert_cmphex(entry.start, ==, PAGE + i);
        g_assert_cmphex(entry.bytes, ==, s->engine.stop ? 0 : 100 + i);
        g_assert_true(entry.host ==
                      (s->engine.stop ? NULL : (uint8_t *)0x1000 + i));
        g_assert_false(s->engine.miss.is_open);
    }
    veu_miss_end_batch(&s->engine.miss);
    s->has_ended = true;
    qemu_mutex_unlock(&s->engine.batch);
    return NULL;
}

static VeuState *new_state(unsigned asks)
{
    VeuState *s = g_new0(VeuState, 1);

    pthread_mutex_init(&s->engine.batch, NULL);
    pthread_cond_init(&s->engine.miss.changed, NULL);
    s->engine.main_loop = g_async_queue_new();
    s->asks = asks;
    return s;
}

static void free_state(VeuState *s)
{
    pthread_mutex_destroy(&s->engine.batch);
    pthread_cond_destroy(&s->engine.miss.changed);
    g_async_queue_unref(s->engine.main_loop);
    g_free(s);
}

/* The main loop is notified of each question, and answers it. */
static void test_the_main_loop_answers(void)
{
    VeuState *s = new_state(2);
    GThread *thread = g_thread_new("batch", run_batch, s);

    for (unsigned i = 0; i < 2; i++) {
        g_async_queue_pop(s->engine.main_loop);
        qemu_mutex_lock(&s->engine.batch);
        g_assert_true(s->engine.miss.is_open);
        g_assert_true(veu_miss_answer(s));
        g_assert_cmpuint(s->walks, ==, i + 1);
        g_assert_false(s->engine.in_main_loop);
        g_assert_true(veu_miss_answer(s)); /* the batch is still in progress */
        g_assert_cmpuint(s->walks, ==, i + 1);
        qemu_mutex_unlock(&s->engine.batch);
    }
    g_thread_join(thread);
    g_assert_false(veu_miss_answer(s));
    g_assert_cmpuint(s->walks, ==, 2);
    free_state(s);
}

/* Until the batch ends, it answers everything that the thread asks for. */
static void test_who_wants_the_batch_to_end_answers(void)
{
    for (unsigned asks = 1; asks <= 100; asks += 33) {
        VeuState *s = new_state(asks);
        GThread *thread = g_thread_new("batch", run_batch, s);

        s->engine.poll.has_cpu = asks % 2; /* spins, or sleeps */
        g_async_queue_pop(s->engine.main_loop);
        veu_miss_lock_batch(s);
        g_assert_true(s->has_ended);
        g_assert_cmpuint(s->walks, ==, asks);
        qemu_mutex_unlock(&s->engine.batch);
        g_thread_join(thread);
        free_state(s);
    }
}

static void test_a_batch_without_misses_holds_up_nobody(void)
{
    VeuState *s = new_state(0);

    veu_miss_lock_batch(s);
    g_assert_cmpuint(s->walks, ==, 0);
    veu_miss_end_batch(&s->engine.miss);
    g_assert_false(veu_miss_answer(s));
    qemu_mutex_unlock(&s->engine.batch);
    g_assert_null(g_async_queue_try_pop(s->engine.main_loop));
    free_state(s);
}

/*
 * A device that is being removed does not wait for an answer, and gets no
 * memory.
 */
static void test_a_stop_ends_the_wait(void)
{
    VeuState *s = new_state(3);
    GThread *thread = g_thread_new("batch", run_batch, s);

    g_async_queue_pop(s->engine.main_loop);
    qemu_mutex_lock(&s->engine.batch);
    s->engine.stop = true;
    qemu_cond_broadcast(&s->engine.miss.changed);
    qemu_mutex_unlock(&s->engine.batch);
    g_thread_join(thread);
    g_assert_cmpuint(s->walks, ==, 0);
    g_assert_false(s->engine.miss.splits_batch);
    free_state(s);
}

#define ADD(test) g_test_add_func("/miss/" #test, test_##test)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD(the_main_loop_answers);
    ADD(who_wants_the_batch_to_end_answers);
    ADD(a_batch_without_misses_holds_up_nobody);
    ADD(a_stop_ends_the_wait);
    return g_test_run();
}
