/*
 * veu device model: dispatches and inline messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A launch is a state machine. Each call of veu_launch_run() does one bounded
 * piece of it: a part of the program is copied or decoded, an EU thread is set
 * up, a message is executed. Between the pieces the ring may be stopped.
 */
#ifndef VEU_DEVICE_LAUNCH_H
#define VEU_DEVICE_LAUNCH_H

#include "hw/veu/eu/execute.h"
#include "hw/veu/eu/program.h"

typedef struct VeuLaunch VeuLaunch;
typedef struct VeuRing VeuRing;

/* What a piece of a command has come to. */
typedef enum VeuRun {
    VEU_RUN_MORE,
    VEU_RUN_DONE,
    VEU_RUN_FAULT, /* the command ends here; its fault has been recorded */
} VeuRun;

/* NULL when there is not enough memory. */
VeuLaunch *veu_launch_new(void);
void veu_launch_free(VeuLaunch *launch);

/* Does a piece of the ring's command, a dispatch or an inline message. */
VeuRun veu_launch_run(VeuRing *ring);

#endif
