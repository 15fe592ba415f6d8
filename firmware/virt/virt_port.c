/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The functions that the veu guest library needs (lib/veu_port.h), except
 * configuration space.
 */
#include "veu_port.h"
#include "virt.h"

/* No IOMMU is enabled, and memory is identity-mapped. */
uint64_t veu_port_device_address(const volatile void *memory)
{
    return (uintptr_t)memory;
}

volatile void *veu_port_map(uint64_t address, uint64_t bytes)
{
    (void)bytes;
    return (volatile void *)address;
}

/*
 * Like Linux's readl() and writel(): memory is read after the register, and
 * written before it. x86 preserves that order by itself.
 */
uint32_t veu_port_read32(const volatile void *reg)
{
    uint32_t value = *(const volatile uint32_t *)reg;

    machine_after_read();
    return value;
}

uint64_t veu_port_read64(const volatile void *reg)
{
    uint64_t value = *(const volatile uint64_t *)reg;

    machine_after_read();
    return value;
}

void veu_port_write32(volatile void *reg, uint32_t value)
{
    machine_before_write();
    *(volatile uint32_t *)reg = value;
}

void veu_port_write64(volatile void *reg, uint64_t value)
{
    machine_before_write();
    *(volatile uint64_t *)reg = value;
}

void veu_port_relax(void)
{
    machine_pause();
}
