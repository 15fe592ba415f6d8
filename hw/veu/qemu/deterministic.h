/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * deterministic=on: the device's behaviour depends on the guest alone, so that
 * -icount can record a run and replay it.
 *
 * There is no thread, and no tail is read without a kick. Batches run at times
 * of the virtual clock, with the big lock held, and are all of the same size; a
 * timer that migrates says when the next one is due. Interrupts are raised at
 * the end of the batch that causes them.
 */
#ifndef HW_VEU_QEMU_DETERMINISTIC_H
#define HW_VEU_QEMU_DETERMINISTIC_H

#include "qemu/osdep.h"
#include "hw/veu/qemu/engine.h"

/* Returns true if this QEMU can run the device as its properties require. */
bool veu_deterministic_check(VeuState *s, Error **errp);

/* Used in place of a thread. All are called with the big lock held. */
void veu_deterministic_start(VeuState *s);
void veu_deterministic_stop(VeuEngine *engine);

#endif /* HW_VEU_QEMU_DETERMINISTIC_H */
