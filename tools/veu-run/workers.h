/*
 * veu-run: threads that share the work of a launch.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TOOLS_RUN_WORKERS_H
#define VEU_TOOLS_RUN_WORKERS_H

#include "tools/veu-run/veu-run.h"

typedef struct RunWorkers RunWorkers;

/*
 * Makes the open device of @run use @count threads for launches, including the
 * calling one. Returns NULL if @count is 1.
 */
RunWorkers *run_workers_start(Run *run, unsigned count);
void run_workers_stop(RunWorkers *workers);

#endif
