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
 * The device of @run, which is open, has its launches run by @count threads;
 * this one is one of them. NULL where @count is 1.
 */
RunWorkers *run_workers_start(Run *run, unsigned count);
void run_workers_stop(RunWorkers *workers);

#endif
