/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The functions that the veu guest library needs (lib/veu_port.h), on a bare
 * PC.
 */
#include "veu_port.h"
#include "x86.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define CONFIG_ENABLE  0x80000000u
#define MAPPED_END     0x100000000ull

/*
 * Addresses that both of QEMU's PCs leave free if the guest has little memory.
 */
#define WINDOW_START 0xe0000000ull
#define WINDOW_END   0xf0000000ull

/* The machine has no enabled IOMMU, and memory is identity-mapped. */
uint64_t veu_port_device_address(const volatile void *memory)
{
    return (uintptr_t)memory;
}

volatile void *veu_port_map(uint64_t address, uint64_t bytes)
{
    return address + bytes <= MAPPED_END ? (void *)address : NULL;
}

uint32_t veu_port_read32(const volatile void *reg)
{
    return *(const volatile uint32_t *)reg;
}

uint64_t veu_port_read64(const volatile void *reg)
{
    return *(const volatile uint64_t *)reg;
}

void veu_port_write32(volatile void *reg, uint32_t value)
{
    *(volatile uint32_t *)reg = value;
}

void veu_port_write64(volatile void *reg, uint64_t value)
{
    *(volatile uint64_t *)reg = value;
}

static uint16_t select(uint16_t function, unsigned offset)
{
    x86_out32(CONFIG_ADDRESS,
              CONFIG_ENABLE | (uint32_t)function << 8 | (offset & 0xfc));
    return CONFIG_DATA + offset % 4;
}

uint32_t veu_port_config_read(uint16_t function, unsigned offset,
                              unsigned bytes)
{
    uint16_t port = select(function, offset);

    return bytes == 1 ? x86_in8(port) :
           bytes == 2 ? x86_in16(port) :
                        x86_in32(port);
}

void veu_port_config_write(uint16_t function, unsigned offset, unsigned bytes,
                           uint32_t value)
{
    uint16_t port = select(function, offset);

    if (bytes == 1) {
        x86_out8(port, value);
    } else if (bytes == 2) {
        x86_out16(port, value);
    } else {
        x86_out32(port, value);
    }
}

void machine_pci_window(uint64_t *start, uint64_t *end)
{
    *start = WINDOW_START;
    *end = WINDOW_END;
}

void veu_port_relax(void)
{
    machine_pause();
}
