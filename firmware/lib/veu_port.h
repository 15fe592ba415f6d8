/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: its port to a system.
 *
 * The library is C11 with the compiler's __atomic built-ins; everything else
 * that depends on the system is in these few functions, which the system
 * provides. firmware/x86/x86_port.c does it for a bare x86-64 machine; a Linux
 * driver would use readl(), pci_read_config_*() and dma_map_*().
 */
#ifndef VEU_PORT_H
#define VEU_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the device's address for the driver's @memory. The library never
 * passes the device a pointer that was not translated here.
 */
uint64_t veu_port_device_address(const volatile void *memory);

/**
 * Makes @bytes of a BAR at bus address @address accessible. Returns NULL if it
 * cannot.
 */
volatile void *veu_port_map(uint64_t address, uint64_t bytes);

/**
 * Accesses to a BAR: little endian, aligned, in program order, and like Linux's
 * readl() and writel(): writes to memory before a write are visible before it,
 * and reads of memory after a read are performed after it.
 */
uint32_t veu_port_read32(const volatile void *reg);
uint64_t veu_port_read64(const volatile void *reg);
void veu_port_write32(volatile void *reg, uint32_t value);
void veu_port_write64(volatile void *reg, uint64_t value);

/**
 * Configuration space. @function is bus << 8 | device << 3 | function; @bytes
 * is 1, 2 or 4. Reads of missing functions return all ones.
 */
uint32_t veu_port_config_read(uint16_t function, unsigned offset,
                              unsigned bytes);
void veu_port_config_write(uint16_t function, unsigned offset, unsigned bytes,
                           uint32_t value);

/** Called in loops that wait for another processor or the device. */
void veu_port_relax(void);

#ifdef __cplusplus
}
#endif

#endif /* VEU_PORT_H */
