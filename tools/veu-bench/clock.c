/*
 * veu-bench: clocks, and figures of what they measured.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include "tools/veu-bench/bench.h"

/* More than a thread needs to go to sleep after its work. */
#define SETTLE_US 200

static double clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

double bench_now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* The time of children is known in microseconds. */
double bench_cpu_ns(void)
{
    struct rusage children;
    double us;

    getrusage(RUSAGE_CHILDREN, &children);
    us = (children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1e6 +
         children.ru_utime.tv_usec + children.ru_stime.tv_usec;
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID) + us * 1e3;
}

double bench_settle_ns(void)
{
    double begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

    g_usleep(SETTLE_US);
    return clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

BenchFigure bench_figure(double *ns, unsigned count, double units)
{
    if (count == 0) {
        return (BenchFigure){ 0 };
    }
    qsort(ns, count, sizeof(ns[0]), by_size);
    return (BenchFigure){
        .best_ns = ns[0] / units,
        .median_ns = ns[count / 2] / units,
    };
}
