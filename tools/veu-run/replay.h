/*
 * veu-run: a launch from a capture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_RUN_REPLAY_H
#define VEU_TOOLS_RUN_REPLAY_H

#include "hw/veu/capture/capture.h"
#include "tools/veu-run/veu-run.h"

typedef struct RunReplay {
    VeuCapture *capture;
    /* What the run has left, beside what the captured launch had left. */
    uint64_t differing_bytes;
    uint64_t first_difference; /* DMA address */
    bool faults_differ;
} RunReplay;

/* Reads a file; NULL with an error that names @option. */
VeuCapture *run_capture_read(const char *option, const char *path);

/* Makes run->program what the capture has; false with an error. */
bool run_replay_program(Run *run, const VeuCapture *capture);

/* Prints, or adds to the JSON, what the run has left. */
void run_replay_show(Run *run);

#endif
