/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Translations that other threads make for the device thread.
 *
 * A vIOMMU may only be asked with the big lock held, and the thread never takes
 * it: its holder may be waiting for the batch to end. So the thread, in the
 * middle of its batch, releases the batch lock and waits, keeping all its
 * pointers. A thread that has the big lock answers: the main loop, or one that
 * waits for the batch. Both lock the batch with veu_miss_lock_batch().
 *
 * The thread does not hold QEMU's RCU read lock while it waits: the main loop
 * may be waiting for a grace period (drain_call_rcu(), in a device_add that
 * fails), and then it answers afterwards.
 */
#ifndef HW_VEU_QEMU_MISS_H
#define HW_VEU_QEMU_MISS_H

#include "qemu/osdep.h"
#include "qemu/thread.h"

typedef struct VeuState VeuState;

/* Guest addresses [start, start + bytes) are RAM at host. bytes 0: unused. */
typedef struct VeuCacheEntry {
    uint64_t start;
    uint64_t bytes;
    uint8_t *host;
    MemoryRegion *mr;
} VeuCacheEntry;

/* Protected by the batch lock. */
typedef struct VeuMiss {
    QemuCond changed;
    bool is_open;      /* the thread waits for the answer */
    bool splits_batch; /* a batch is under way, though the lock may be free */
    uint64_t page;
    uint64_t bytes;
    bool is_write;
    VeuCacheEntry answer;
} VeuMiss;

/* Like veu_memory_walk(), for the device thread, in a batch. */
void veu_miss_ask(VeuState *s, uint64_t page, uint64_t bytes, bool is_write,
                  VeuCacheEntry *entry);

/*
 * Answers an open miss. Returns true if a batch is under way. Called with the
 * batch lock and the big lock.
 */
bool veu_miss_answer(VeuState *s);

/* Takes the batch lock once no batch is under way. Called with the big lock. */
void veu_miss_lock_batch(VeuState *s);

/* Called at the end of a batch, with the batch lock. */
void veu_miss_end_batch(VeuMiss *miss);

#endif /* HW_VEU_QEMU_MISS_H */
