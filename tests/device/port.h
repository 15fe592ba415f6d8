/*
 * veu device tests: the system in which the guest library runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The library of firmware/lib accesses memory and registers through
 * firmware/lib/veu_port.h; here the accesses become commands of the qtest
 * protocol. "Pointers" into BARs are guest addresses.
 */
#ifndef VEU_TEST_PORT_H
#define VEU_TEST_PORT_H

#include "tests/device/vm.h"
#include "veu_port.h"

/* Selects "aarch64" or "riscv64": QEMU's virt machine instead of a q35. */
void port_use_target(const char *name);
/* Returns true for the machine that tests are written for. */
bool port_is_pc(void);

uint64_t port_window(void);

/* Selects the VM for later accesses. */
void port_use(Vm *vm);
/*
 * The device sees memory at its guest address plus this offset (with an
 * IOMMU).
 */
void port_set_device_offset(uint64_t bytes);

/* Makes an access of any size and alignment. */
uint64_t port_read(const volatile void *at, unsigned bytes);
void port_write(volatile void *at, unsigned bytes, uint64_t value);

#endif
