/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Spinning for a short time before sleeping: waking a thread takes longer than
 * the awaited event, and the host may have given its processor to another
 * thread.
 */
#ifndef HW_VEU_QEMU_SPIN_H
#define HW_VEU_QEMU_SPIN_H

#include "qemu/osdep.h"
#include "qemu/thread.h"

/*
 * Spins until *@word, which another thread writes, is @wanted. Returns false if
 * that takes longer than @ns.
 */
bool veu_spin(const unsigned *word, unsigned wanted, int64_t ns);

/* Takes @lock. Spins for at most @ns before it sleeps. */
void veu_spin_lock(QemuMutex *lock, int64_t ns);

#endif /* HW_VEU_QEMU_SPIN_H */
