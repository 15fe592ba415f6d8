/*
 * veu device model: rings: how an enabled one starts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_START_H
#define VEU_DEVICE_RING_START_H

#include "hw/veu/device/model.h"

/*
 * The immediate effect of ENABLE on a disabled ring: it forgets its last run
 * and copies its context. An illegal context halts it.
 */
void veu_ring_enable(VeuRing *ring);

/*
 * The rest, done in the first step after the ring was enabled, because it may
 * write to memory and the VM runs then.
 */
void veu_ring_begin(VeuRing *ring);

void veu_ring_reload_context(VeuRing *ring);

/* The offset of the first register that does not describe a ring, or 0. */
uint32_t veu_ring_bad_register(const VeuRing *ring);

#endif
