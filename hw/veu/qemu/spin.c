/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Spinning for a short time before sleeping.
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "qemu/processor.h"
#include "qemu/timer.h"
#include "hw/veu/qemu/spin.h"

/* Polls for each reading of the clock. */
#define SPIN_LOOKS 64

bool veu_spin(const unsigned *word, unsigned wanted, int64_t ns)
{
    int64_t end = get_clock() + ns;

    do {
        for (unsigned i = 0; i < SPIN_LOOKS; i++) {
            if (qatomic_load_acquire(word) == wanted) {
                return true;
            }
            cpu_relax();
        }
    } while (get_clock() < end);
    return false;
}

/*
 * Tries only occasionally: each attempt takes the cache line from the lock's
 * holder.
 */
void veu_spin_lock(QemuMutex *lock, int64_t ns)
{
    int64_t end = get_clock() + ns;

    do {
        if (qemu_mutex_trylock(lock) == 0) {
            return;
        }
        for (unsigned i = 0; i < SPIN_LOOKS; i++) {
            cpu_relax();
        }
    } while (get_clock() < end);
    qemu_mutex_lock(lock);
}
