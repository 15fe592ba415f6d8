/*
 * veu device model: dispatches and inline messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A launch is a state machine. Each call of veu_launch_run() does one bounded
 * piece of it: a part of the program is copied or decoded, or slices run for
 * some messages. Between the pieces the ring may be stopped.
 *
 * A slice runs EU threads, one after another. Those of a group share memory and
 * stay in one slice; each group goes to the next free slice. Slices may run in
 * parallel.
 */
#ifndef VEU_DEVICE_LAUNCH_H
#define VEU_DEVICE_LAUNCH_H

#include "hw/veu/device/model.h"

/* Returns NULL if there is not enough memory. */
VeuLaunch *veu_launch_new(void);
void veu_launch_free(VeuLaunch *launch);

/* Performs a piece of the ring's command, a dispatch or an inline message. */
VeuRun veu_launch_run(VeuRing *ring);

/*
 * Sets @place to the first unfinished group of the ring's launch, and to its
 * current EU thread. Returns false if none has begun.
 */
bool veu_launch_place(const VeuRing *ring, VeuFaultPlace *place);

#endif
