/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * deterministic=on.
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "qapi/error.h"
#include "hw/veu/qemu/deterministic.h"
#include "hw/veu/qemu/veu.h"

/*
 * Threads run when the host schedules them, which a recording does not contain.
 */
bool veu_deterministic_check(VeuState *s, Error **errp)
{
    if (s->deterministic && s->worker_count > 1) {
        error_setg(errp,
                   "veu: invalid workers=%" PRIu32
                   ": deterministic=on does not use worker threads",
                   s->worker_count);
        error_append_hint(errp, "Omit workers=.\n");
        return false;
    }
    if (s->deterministic && s->gdb_chardev.chr) {
        error_setg(errp, "veu: gdb= does not work with deterministic=on: gdb's "
                         "packets are not recorded");
        error_append_hint(errp, "Omit gdb=, or replay a captured launch with "
                                "veu-run --gdb.\n");
        return false;
    }
    if (!s->deterministic && replay_mode != REPLAY_MODE_NONE) {
        error_setg(errp, "veu: record and replay need a deterministic device");
        error_append_hint(errp, "Add deterministic=on to the -device.\n");
        return false;
    }
    return true;
}

/*
 * The device may disappear during the batch: a vIOMMU may write to any address.
 */
static void run_beat(void *opaque)
{
    VeuState *s = opaque;

    object_ref(OBJECT(s));
    if (veu_engine_run(s, VEU_BATCH_TURNS, VEU_BEAT_BUDGET)) {
        veu_engine_kick(&s->engine);
    }
    if (s->engine.beat) {
        veu_interrupt_raise(s);
    }
    object_unref(OBJECT(s));
}

void veu_deterministic_start(VeuState *s)
{
    s->engine.beat = timer_new_ns(QEMU_CLOCK_VIRTUAL, run_beat, s);
}

void veu_deterministic_stop(VeuEngine *e)
{
    timer_free(e->beat);
    e->beat = NULL;
}
