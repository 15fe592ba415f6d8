/*
 * veu device tests: the system that the guest library believes to run in.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The library of firmware/lib does accesses through firmware/lib/veu_port.h;
 * here they become commands of the qtest protocol. "Pointers" into BARs are
 * guest addresses.
 */
#ifndef VEU_TEST_PORT_H
#define VEU_TEST_PORT_H

#include "tests/device/vm.h"
#include "veu_port.h"

/* "aarch64" or "riscv64": QEMU's virt, in place of a q35. */
void port_use_target(const char *name);
/* It is the machine that tests are written for. */
bool port_is_pc(void);

uint64_t port_window(void);

/* The VM that is meant from now on. */
void port_use(Vm *vm);
/* The device sees memory at its guest address plus this (behind an IOMMU). */
void port_set_device_offset(uint64_t bytes);

/* An access of any size and alignment. */
uint64_t port_read(const volatile void *at, unsigned bytes);
void port_write(volatile void *at, unsigned bytes, uint64_t value);

#endif
