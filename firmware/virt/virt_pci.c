/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PCI: configuration space in memory (ECAM), and what firmware does on other
 * machines: bus numbers, and addresses for BARs.
 */
#include "veu_pci.h"
#include "virt.h"

#define PCI_VENDOR      0x00
#define PCI_COMMAND     0x04
#define PCI_HEADER_TYPE 0x0e
#define PCI_PRIMARY     0x18
#define PCI_SECONDARY   0x19
#define PCI_SUBORDINATE 0x1a
#define PCI_MEMORY_BASE 0x20
#define PCI_PREFETCH    0x24

#define COMMAND_MEMORY_MASTER 0x0006
#define HEADER_TYPE           0x7f
#define HEADER_BRIDGE         0x01
#define HEADER_MULTI          0x80
/* an empty window: its end precedes its start */
#define NO_WINDOW             0x0000fff0

#define BUS_BYTES    0x100000u
#define BRIDGE_ALIGN 0x100000ull

static struct veu_pci_window window;
static unsigned last_bus;

static volatile void *config(uint16_t function, unsigned offset)
{
    return (volatile void *)(virt_tree.ecam + ((uint64_t)function << 12) +
                             offset);
}

uint32_t veu_port_config_read(uint16_t function, unsigned offset,
                              unsigned bytes)
{
    volatile void *at = config(function, offset);

    if ((uint64_t)function << 12 >= virt_tree.ecam_bytes) {
        return ~0u;
    }
    return bytes == 1 ? *(volatile uint8_t *)at :
           bytes == 2 ? *(volatile uint16_t *)at :
                        *(volatile uint32_t *)at;
}

void veu_port_config_write(uint16_t function, unsigned offset, unsigned bytes,
                           uint32_t value)
{
    volatile void *at = config(function, offset);

    if ((uint64_t)function << 12 >= virt_tree.ecam_bytes) {
        return;
    }
    if (bytes == 1) {
        *(volatile uint8_t *)at = value;
    } else if (bytes == 2) {
        *(volatile uint16_t *)at = value;
    } else {
        *(volatile uint32_t *)at = value;
    }
}

void machine_pci_window(uint64_t *start, uint64_t *end)
{
    *start = window.next;
    *end = window.end;
}

static void align_window(void)
{
    window.next = (window.next + BRIDGE_ALIGN - 1) & -BRIDGE_ALIGN;
}

static void scan(unsigned bus);

/* Assigns a bus number below the bridge, and a part of the window. */
static void set_up_bridge(uint16_t function)
{
    uint64_t start;
    unsigned bus = ++last_bus;

    veu_port_config_write(function, PCI_PRIMARY, 1, function >> 8);
    veu_port_config_write(function, PCI_SECONDARY, 1, bus);
    veu_port_config_write(function, PCI_SUBORDINATE, 1, 0xff);
    align_window();
    start = window.next;
    scan(bus);
    align_window();
    veu_port_config_write(function, PCI_SUBORDINATE, 1, last_bus);
    veu_port_config_write(function, PCI_MEMORY_BASE, 4,
                          window.next == start ?
                              NO_WINDOW :
                              start >> 16 | (window.next - 1) / 0x100000 << 20);
    veu_port_config_write(function, PCI_PREFETCH, 4, NO_WINDOW);
    veu_port_config_write(function, PCI_COMMAND, 2, COMMAND_MEMORY_MASTER);
}

static void set_up(uint16_t function, unsigned header)
{
    if (!veu_pci_assign_bars(function, &window)) {
        machine_panic("PCI function 0x%x: no room for its BARs", function);
    }
    if ((header & HEADER_TYPE) == HEADER_BRIDGE &&
        last_bus + 1 < virt_tree.ecam_bytes / BUS_BYTES) {
        set_up_bridge(function);
    }
}

static void scan(unsigned bus)
{
    for (unsigned device = 0; device < 32; device++) {
        unsigned functions = 1;

        for (unsigned f = 0; f < functions; f++) {
            uint16_t function = bus << 8 | device << 3 | f;
            unsigned header;

            if (veu_port_config_read(function, PCI_VENDOR, 2) == 0xffff) {
                continue;
            }
            header = veu_port_config_read(function, PCI_HEADER_TYPE, 1);
            functions = f == 0 && header & HEADER_MULTI ? 8 : functions;
            set_up(function, header);
        }
    }
}

void virt_pci_init(void)
{
    window = (struct veu_pci_window){ virt_tree.window_start,
                                      virt_tree.window_end };
    scan(0);
}
