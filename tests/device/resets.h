/*
 * veu device tests: the ways to reset a device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_RESETS_H
#define VEU_TEST_RESETS_H

#include "tests/device/rig.h"

/*
 * Through register CONTROL; the ring's register; function level; system_reset.
 */
void reset_control(Rig *rig);
void reset_ring(Rig *rig);
void reset_function(Rig *rig);
void reset_system(Rig *rig);
/* Resets through D3hot and back. */
void reset_power(Rig *rig);
/* Resets the bus of bridge 00:02 by bit 6 of its bridge control. */
void reset_bus(Rig *rig);

/* The states in PMCSR, a register of the capability with number 1. */
#define RESETS_D3HOT 3
unsigned resets_power_state(const Rig *rig);
void resets_set_power_state(const Rig *rig, unsigned state);

#endif
