/*
 * veu-run: repeats a captured launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_RUN_REPLAY_H
#define VEU_TOOLS_RUN_REPLAY_H

#include "hw/veu/capture/capture.h"
#include "tools/veu-run/veu-run.h"

typedef struct RunReplay {
    VeuCapture *capture;
    /* How the results differ from those of the captured launch. */
    uint64_t differing_bytes;
    uint64_t first_difference; /* DMA address */
    bool faults_differ;
    GHashTable *tables; /* DMA addresses of page tables that may differ */
} RunReplay;

/* Reads a file. Returns NULL with an error that names @option. */
VeuCapture *run_capture_read(const char *option, const char *path);

/* Makes the capture's program run->program. Returns false with an error. */
bool run_replay_program(Run *run, const VeuCapture *capture);

/* Prints the results, or adds them to the JSON. */
void run_replay_show(Run *run);

#endif
