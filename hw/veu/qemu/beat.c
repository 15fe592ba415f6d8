/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The timer of a deterministic device.
 */
#include "qemu/osdep.h"
#include "hw/veu/device/host/device.h"
#include "hw/veu/qemu/beat.h"

void veu_beat_wake_at(QEMUTimer *beat, uint64_t ns)
{
    if (ns != VEU_NO_DEADLINE) {
        timer_mod_anticipate_ns(beat, MIN(ns, INT64_MAX));
    }
}

void veu_beat_kick(QEMUTimer *beat)
{
    veu_beat_wake_at(beat, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + VEU_BEAT_NS);
}
