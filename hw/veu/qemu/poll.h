/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Polling the tails before the thread sleeps, so that a driver that submits
 * again soon is served without a kick.
 */
#ifndef HW_VEU_QEMU_POLL_H
#define HW_VEU_QEMU_POLL_H

#include "qemu/osdep.h"

typedef struct VeuState VeuState;

/* Owned by the thread that runs batches. */
typedef struct VeuPoll {
    bool has_cpu;        /* besides the one that a guest CPU needs */
    unsigned skips;      /* sleeps without polling, after a failed poll */
    unsigned skips_left; /* of them */
    int64_t end_ns;      /* of a poll that has been under way, or 0 */
} VeuPoll;

void veu_poll_init(VeuPoll *poll);

/* In a batch: is it worth polling after it? */
bool veu_poll_may(VeuState *s);

/*
 * In a batch: polls until rings are ready, and returns them; or returns 0, when
 * another thread waits for the batch to end, or after the time for polling.
 */
uint64_t veu_poll(VeuState *s);

#endif /* HW_VEU_QEMU_POLL_H */
