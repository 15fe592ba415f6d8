/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ensures that no batch is in progress while other threads than the device's
 * work.
 */
#ifndef HW_VEU_QEMU_ENGINE_PAUSE_H
#define HW_VEU_QEMU_ENGINE_PAUSE_H

typedef struct VeuEngine VeuEngine;

/*
 * Between these two calls no batch runs. Called with the big lock held; they
 * nest.
 */
void veu_engine_pause(VeuEngine *engine);
void veu_engine_resume(VeuEngine *engine);

#endif /* HW_VEU_QEMU_ENGINE_PAUSE_H */
