/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The timer of a deterministic device, which has no thread: deterministic.h.
 */
#ifndef HW_VEU_QEMU_BEAT_H
#define HW_VEU_QEMU_BEAT_H

#include "qemu/osdep.h"
#include "qemu/timer.h"

/*
 * The time from a kick to its batch, and between batches while there is work.
 */
#define VEU_BEAT_NS (10 * SCALE_US)

/* Schedules a batch at @ns of the virtual clock, unless one comes sooner. */
void veu_beat_wake_at(QEMUTimer *beat, uint64_t ns);

/* Schedules a batch soon, because there may be work. */
void veu_beat_kick(QEMUTimer *beat);

#endif /* HW_VEU_QEMU_BEAT_H */
