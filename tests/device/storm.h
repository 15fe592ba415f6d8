/*
 * veu device tests: what a driver gone mad does to registers and memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_STORM_H
#define VEU_TEST_STORM_H

#include "tests/device/rig.h"

#define STORM_RINGS 4

typedef struct Storm {
    Rig *rig;
    bool has_iommu;
    bool has_slot; /* the device can be unplugged */
    unsigned actions;
} Storm;

uint32_t storm_below(uint32_t bound);

/* Registers, doorbells, vectors. */
void storm_write_register(Storm *storm);
void storm_read_register(Storm *storm);
void storm_mask_vector(Storm *storm);
void storm_ring_doorbell(Storm *storm);
void storm_change_context(Storm *storm);
void storm_flip(Storm *storm);

/* Commands, the memory that they name, and the tail. */
void storm_write_dispatch(Storm *storm);
void storm_write_fence(Storm *storm);
void storm_write_wait(Storm *storm);
void storm_write_copy(Storm *storm);
void storm_clear_slots(Storm *storm);
void storm_spoil_memory(Storm *storm);
void storm_move_tail(Storm *storm);

#endif
