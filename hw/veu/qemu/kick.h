/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two notifiers wake the device thread: its own, and one for the doorbells of
 * all devices. All devices share one because a guest may move a device's
 * doorbells to where another's were. QEMU passes both changes to KVM together,
 * in the order of the notifiers' addresses. If the new one came first, KVM
 * would have two in one place, which it refuses, and QEMU would exit. With a
 * single notifier, nothing changes for KVM.
 */
#ifndef HW_VEU_QEMU_KICK_H
#define HW_VEU_QEMU_KICK_H

#include "qemu/osdep.h"
#include "qemu/event_notifier.h"

typedef struct VeuKick {
    EventNotifier own;
    int epoll_fd; /* of both */
    bool has_membarrier;
} VeuKick;

/* The doorbells of all devices, while any device exists. */
extern EventNotifier veu_kick_doorbells;

/* Returns 0, or -errno. Called with the big lock held, like its counterpart. */
int veu_kick_init(VeuKick *kick);
void veu_kick_cleanup(VeuKick *kick);

/*
 * Waits until one of them has been set since the last call, or for a short time
 * if a kick may be missed.
 */
void veu_kick_wait(VeuKick *kick);

/* Issues a full barrier in this thread and in every guest CPU. */
void veu_kick_fence(const VeuKick *kick);

#endif /* HW_VEU_QEMU_KICK_H */
