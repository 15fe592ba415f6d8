/*
 * veu-bench: measuring the parts of a case in turns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Other work on the machine affects all parts equally.
 */
#include "tools/veu-bench/kernels.h"

#define MAX_ROUNDS 64

void kernel_meter_add(KernelMeter *m, KernelPart part, KernelSample *sample,
                      void *opaque, double units)
{
    m->part[part].sample = sample;
    m->part[part].opaque = opaque;
    m->part[part].units = units;
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
            m->result->figure[i] = bench_figure(all[i], rounds,
                                                m->part[i].units);
        }
    }
    return true;
}
