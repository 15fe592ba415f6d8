/*
 * veu-bench: measuring the parts of a case in turns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Other work on the machine affects all parts equally.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include "tools/veu-bench/kernels.h"

#define MAX_ROUNDS 64

static double clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

/* The time of children is known in microseconds. */
double kernel_cpu_ns(void)
{
    struct rusage children;
    double us;

    getrusage(RUSAGE_CHILDREN, &children);
    us = (children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1e6 +
         children.ru_utime.tv_usec + children.ru_stime.tv_usec;
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID) + us * 1e3;
}

double kernel_now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

void kernel_meter_add(KernelMeter *m, KernelPart part, KernelSample *sample,
                      void *opaque, double units)
{
    m->part[part].sample = sample;
    m->part[part].opaque = opaque;
    m->part[part].units = units;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Runs a round; @ns receives a sample of each part. */
static bool run_round(KernelMeter *m, double ns[KERNEL_PARTS])
{
    for (unsigned i = 0; i < KERNEL_PARTS; i++) {
        if (m->part[i].sample) {
            ns[i] = m->part[i].sample(m->part[i].opaque);
            if (ns[i] < 0) {
                return false;
            }
        }
    }
    return true;
}

static BenchFigure figure(double *ns, unsigned count, double units)
{
    qsort(ns, count, sizeof(ns[0]), by_size);
    return (BenchFigure){
        .best_ns = ns[0] / units,
        .median_ns = ns[count / 2] / units,
    };
}

bool kernel_meter_run(KernelMeter *m)
{
    unsigned rounds = MIN(m->rounds, MAX_ROUNDS);
    double all[KERNEL_PARTS][MAX_ROUNDS];
    double ns[KERNEL_PARTS] = { 0 };

    if (!run_round(m, ns)) {
        return false;
    }
    for (unsigned round = 0; round < rounds; round++) {
        if (!run_round(m, ns)) {
            return false;
        }
        for (unsigned i = 0; i < KERNEL_PARTS; i++) {
            all[i][round] = ns[i];
        }
    }
    for (unsigned i = 0; i < KERNEL_PARTS; i++) {
        if (m->part[i].sample) {
            m->result->figure[i] = figure(all[i], rounds, m->part[i].units);
        }
    }
    return true;
}
