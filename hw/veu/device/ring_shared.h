/*
 * veu device model: rings: the block that driver and device share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_RING_SHARED_H
#define VEU_DEVICE_RING_SHARED_H

#include "hw/veu/device/model.h"

/*
 * Maps words of the shared block. Returns NULL if they are not all in RAM. The
 * pointer is valid as long as one of VeuHost.map().
 */
uint32_t *veu_shared_map(VeuRing *ring, uint32_t offset, uint32_t bytes,
                         enum veu_access access);

/*
 * The place of the tail, or NULL. The pointer is valid as long as one of
 * VeuHost.map().
 */
const uint32_t *veu_shared_tail(VeuRing *ring);

/* Loads a word of struct veu_ring_shared that the driver writes. */
bool veu_shared_load(VeuRing *ring, uint32_t offset, uint32_t *value);

#endif
