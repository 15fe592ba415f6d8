/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The veu guest library's port (lib/veu_port.h) to an expansion ROM.
 */
#include "veu_port.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define CONFIG_ENABLE  0x80000000u

/* No BIOS enables an IOMMU, and memory is not translated. */
uint64_t veu_port_device_address(const volatile void *memory)
{
    return (uintptr_t)memory;
}

volatile void *veu_port_map(uint64_t address, uint64_t bytes)
{
    return address + bytes <= UINT32_MAX ? (void *)(uintptr_t)address : NULL;
}

uint32_t veu_port_read32(const volatile void *reg)
{
    return *(const volatile uint32_t *)reg;
}

/* Reads both halves at one moment: TIME changes while it is read. */
uint64_t veu_port_read64(const volatile void *reg)
{
    const volatile uint32_t *half = reg;
    uint32_t low, high;

    do {
        high = half[1];
        low = half[0];
    } while (half[1] != high);
    return (uint64_t)high << 32 | low;
}

void veu_port_write32(volatile void *reg, uint32_t value)
{
    *(volatile uint32_t *)reg = value;
}

void veu_port_write64(volatile void *reg, uint64_t value)
{
    volatile uint32_t *half = reg;

    half[0] = value;
    half[1] = value >> 32;
}

static void out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static uint32_t in32(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
    return value;
}

static void select(uint16_t function, unsigned offset)
{
    out32(CONFIG_ADDRESS,
          CONFIG_ENABLE | (uint32_t)function << 8 | (offset & 0xfc));
}

uint32_t veu_port_config_read(uint16_t function, unsigned offset,
                              unsigned bytes)
{
    uint32_t mask = bytes == 4 ? ~0u : (1u << bytes * 8) - 1;

    select(function, offset);
    return in32(CONFIG_DATA) >> offset % 4 * 8 & mask;
}

/* Writes no wider than requested: next to COMMAND are bits that a 1 clears. */
void veu_port_config_write(uint16_t function, unsigned offset, unsigned bytes,
                           uint32_t value)
{
    uint16_t port = CONFIG_DATA + offset % 4;

    select(function, offset);
    if (bytes == 1) {
        __asm__ volatile("outb %b0, %1" : : "a"(value), "Nd"(port) : "memory");
    } else if (bytes == 2) {
        __asm__ volatile("outw %w0, %1" : : "a"(value), "Nd"(port) : "memory");
    } else {
        out32(port, value);
    }
}

void veu_port_relax(void)
{
    __asm__ volatile("pause" : : : "memory");
}
