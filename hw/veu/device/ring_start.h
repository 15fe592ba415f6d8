/*
 * veu device model: rings: what happens when one has been enabled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_START_H
#define VEU_DEVICE_RING_START_H

#include "hw/veu/device/model.h"

/*
 * What a write of ENABLE does to a disabled ring at once: it forgets its last
 * run and copies its context. A context that is not legal halts it.
 */
void veu_ring_enable(VeuRing *ring);

/*
 * What is left to do in the first step after the ring was enabled, because it
 * may write to memory: the VM runs then.
 */
void veu_ring_start(VeuRing *ring);

void veu_ring_reload(VeuRing *ring);

/* The offset of the first register that does not describe a ring, or 0. */
uint32_t veu_ring_bad_register(const VeuRing *ring);

#endif
