/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translations that other threads make for the device thread.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/memory_walk.h"
#include "hw/veu/qemu/spin.h"
#include "hw/veu/qemu/veu.h"

void veu_miss_ask(VeuState *s, uint64_t page, uint64_t bytes, bool is_write,
                  VeuCacheEntry *entry)
{
    VeuEngine *e = &s->engine;
    VeuMiss *miss = &e->miss;

    miss->page = page;
    miss->bytes = bytes;
    miss->is_write = is_write;
    miss->answer = (VeuCacheEntry){ .start = page };
    qatomic_set(&miss->is_open, true);
    miss->splits_batch = true;
    qemu_cond_broadcast(&miss->changed);
    event_notifier_set(&e->main_loop);
    while (miss->is_open && !e->stop) {
        qemu_cond_wait(&miss->changed, &e->batch);
    }
    qatomic_set(&miss->is_open, false);
    *entry = miss->answer;
}

/*
 * Code that a translation calls must not wait for the thread, which waits for
 * it. Such code exists: a vIOMMU that finds that a device is passed through
 * changes its memory map.
 */
static void answer(VeuState *s)
{
    VeuEngine *e = &s->engine;
    VeuMiss *miss = &e->miss;

    e->in_main_loop = true;
    veu_memory_walk(&s->memory, miss->page, miss->bytes, miss->is_write,
                    &miss->answer);
    e->in_main_loop = false;
    qatomic_set(&miss->is_open, false);
    qemu_cond_broadcast(&miss->changed);
}

bool veu_miss_answer(VeuState *s)
{
    if (s->engine.miss.is_open) {
        answer(s);
    }
    return s->engine.miss.splits_batch;
}

void veu_miss_lock_batch(VeuState *s)
{
    VeuEngine *e = &s->engine;

    if (e->poll.has_cpu) {
        veu_spin_lock(&e->batch, VEU_PAUSE_SPIN_NS);
    } else {
        qemu_mutex_lock(&e->batch);
    }
    while (veu_miss_answer(s)) {
        qemu_cond_wait(&e->miss.changed, &e->batch);
    }
}

void veu_miss_end_batch(VeuMiss *miss)
{
    if (miss->splits_batch) {
        miss->splits_batch = false;
        qemu_cond_broadcast(&miss->changed);
    }
}
