/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pauses of the device thread.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "hw/veu/qemu/engine_pause.h"
#include "hw/veu/qemu/trace.h"
#include "hw/veu/qemu/veu.h"

/* A processor that waits at least this long is worth a trace event. */
#define LONG_PAUSE_NS SCALE_MS

/* Only long waits are traced: short ones depend on the host. */
static void trace_pause(int64_t ns)
{
    trace_veuhost_pause(ns);
    if (ns >= LONG_PAUSE_NS) {
        trace_veu_pause(ns);
    }
}

/*
 * While the main loop runs a batch or answers a miss, only code that it called
 * can arrive here: a vIOMMU may write to any address that the guest chooses.
 */
void veu_engine_pause(VeuEngine *e)
{
    if (e->in_main_loop) {
        return;
    }
    qatomic_set(&e->pauses, e->pauses + 1);
    qatomic_set(&e->awaited, 1);
    if (e->pauses == 1) {
        int64_t start = get_clock();

        veu_miss_lock_batch(container_of(e, VeuState, engine));
        trace_pause(get_clock() - start);
    }
}

void veu_engine_resume(VeuEngine *e)
{
    if (e->in_main_loop) {
        return;
    }
    qatomic_set(&e->pauses, e->pauses - 1);
    if (e->pauses == 0) {
        qatomic_set(&e->awaited,
                    container_of(e, VeuState, engine)->host.halted);
        qemu_cond_broadcast(&e->resumed);
        qemu_mutex_unlock(&e->batch);
    }
}
