/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What wakes the device thread: its own notifier, and the doorbells of all
 * devices, which are one notifier.
 *
 * One, because a guest may put the doorbells of a device where those of another
 * were. QEMU passes both changes to KVM at once, in the order of the notifiers'
 * addresses: if the new one came first, KVM would have two at one place, which
 * it refuses, and QEMU would end. With one notifier nothing changes for KVM.
 */
#ifndef HW_VEU_QEMU_KICK_H
#define HW_VEU_QEMU_KICK_H

#include "qemu/osdep.h"
#include "qemu/event_notifier.h"

typedef struct VeuKick {
    EventNotifier own;
    int epoll_fd; /* of both */
} VeuKick;

/* The doorbells of all devices, while there is one. */
extern EventNotifier veu_kick_doorbells;

/* 0, or -errno. With the big lock held, as its end. */
int veu_kick_init(VeuKick *kick);
void veu_kick_cleanup(VeuKick *kick);

/* Until one of them was set since the last time; -1: however long it takes. */
void veu_kick_wait(VeuKick *kick, int timeout_ms);

#endif /* HW_VEU_QEMU_KICK_H */
