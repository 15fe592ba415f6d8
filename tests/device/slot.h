/*
 * veu device tests: the slot of a root port at 00:02 of a q35, where the guest
 * (RIG_NATIVE_HOTPLUG) releases a device by turning the slot's power off.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_SLOT_H
#define VEU_TEST_SLOT_H

#include "tests/device/rig.h"

#define SLOT_PORT   RIG_NATIVE_HOTPLUG "-device pcie-root-port,id=rp,addr=2"
#define SLOT_BRIDGE (2 << 3)

/* The register slot control. */
void slot_power_on(Vm *vm);
void slot_let_go(Vm *vm);

/* Maps configuration space to memory; returns the guest address of a byte. */
uint64_t slot_config_address(uint16_t function, unsigned offset);

/* Returns the address at which a write of @value has the same effect. */
uint64_t slot_let_go_address(uint32_t *value);

/*
 * Runs device_del, lets the guest release the device, and waits until it is
 * gone.
 */
void slot_unplug(Vm *vm);

#endif
