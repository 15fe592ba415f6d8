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
    bool has_cpu;   /* there is a CPU besides that of the guest CPU */
    unsigned skips; /* sleeps without polling, after an unsuccessful poll */
    unsigned skips_left; /* of them */
    int64_t end_ns;      /* end of the current poll, or 0 */
} VeuPoll;

void veu_poll_init(VeuPoll *poll);

/* Called in a batch: returns true if polling after it is worthwhile. */
bool veu_poll_may(VeuState *s);

/*
 * Called in a batch: polls until rings are ready, and returns them. Returns 0
 * if another thread waits for the batch to end, or when the time for polling is
 * over.
 */
uint64_t veu_poll(VeuState *s);

#endif /* HW_VEU_QEMU_POLL_H */
