/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the parts of PCI that a driver without an operating system
 * needs.
 */
#include "veu_pci.h"

#define PCI_VENDOR        0x00
#define PCI_COMMAND       0x04
#define PCI_STATUS        0x06
#define PCI_HEADER_TYPE   0x0e
#define PCI_BAR0          0x10
#define PCI_SECONDARY_BUS 0x19
#define PCI_CAPABILITIES  0x34

#define COMMAND_MEMORY      0x0002
#define COMMAND_MASTER      0x0004
#define COMMAND_INTX_OFF    0x0400
#define STATUS_CAPABILITIES 0x0010
#define HEADER_BRIDGE       0x01
#define HEADER_MULTI        0x80

#define BAR_IO    0x1
#define BAR_TYPE  0x6
#define BAR_64    0x4
#define BAR_FLAGS 0xfull

/* A bridge has its buses and windows where other functions have more BARs. */
#define BARS           6
#define BARS_OF_BRIDGE 2

struct search {
    uint32_t ids;
    unsigned left;
    uint16_t found;
    uint16_t next_bus;
};

static bool is_bridge(uint16_t function)
{
    return (veu_port_config_read(function, PCI_HEADER_TYPE, 1) &
            ~HEADER_MULTI) == HEADER_BRIDGE;
}

static void look_at(struct search *s, uint16_t function, uint32_t ids)
{
    if (ids == s->ids && s->found == VEU_PCI_NONE && s->left-- == 0) {
        s->found = function;
    }
    if (is_bridge(function)) {
        unsigned bus = veu_port_config_read(function, PCI_SECONDARY_BUS, 1);

        /*
         * Buses behind bridges have higher numbers, so one pass reaches them.
         */
        if (bus >= s->next_bus) {
            s->next_bus = bus + 1;
        }
    }
}

static void search_device(struct search *s, uint16_t device)
{
    unsigned functions = 1;

    for (unsigned f = 0; f < functions; f++) {
        uint32_t ids = veu_port_config_read(device | f, PCI_VENDOR, 4);

        if ((ids & 0xffff) == 0xffff) {
            continue;
        }
        if (f == 0 &&
            veu_port_config_read(device, PCI_HEADER_TYPE, 1) & HEADER_MULTI) {
            functions = 8;
        }
        look_at(s, device | f, ids);
    }
}

uint16_t veu_pci_find(uint16_t vendor, uint16_t device, unsigned index)
{
    struct search s = {
        .ids = (uint32_t)device << 16 | vendor,
        .left = index,
        .found = VEU_PCI_NONE,
        .next_bus = 1,
    };

    for (unsigned bus = 0; bus < s.next_bus; bus++) {
        for (unsigned d = 0; d < 32 && s.found == VEU_PCI_NONE; d++) {
            search_device(&s, bus << 8 | d << 3);
        }
    }
    return s.found;
}

static uint32_t bar_read(uint16_t function, unsigned bar)
{
    return veu_port_config_read(function, PCI_BAR0 + 4 * bar, 4);
}

static void bar_write(uint16_t function, unsigned bar, uint32_t value)
{
    veu_port_config_write(function, PCI_BAR0 + 4 * bar, 4, value);
}

static bool bar_is_64(uint32_t low)
{
    return !(low & BAR_IO) && (low & BAR_TYPE) == BAR_64;
}

uint64_t veu_pci_bar_address(uint16_t function, unsigned bar)
{
    uint32_t low = bar_read(function, bar);
    uint64_t high = 0;

    if (low & BAR_IO) {
        return 0;
    }
    if (bar_is_64(low)) {
        high = bar_read(function, bar + 1);
    }
    return high << 32 | (low & ~BAR_FLAGS);
}

uint64_t veu_pci_bar_bytes(uint16_t function, unsigned bar)
{
    uint16_t command = veu_port_config_read(function, PCI_COMMAND, 2);
    uint32_t low = bar_read(function, bar), high = 0;
    bool wide = bar_is_64(low);
    uint64_t mask;

    if (low & BAR_IO) {
        return 0;
    }
    /* All ones for a moment, so nothing must decode that address. */
    veu_port_config_write(function, PCI_COMMAND, 2, command & ~COMMAND_MEMORY);
    bar_write(function, bar, ~0u);
    mask = 0xffffffff00000000ull | bar_read(function, bar);
    bar_write(function, bar, low);
    if (wide) {
        high = bar_read(function, bar + 1);
        bar_write(function, bar + 1, ~0u);
        mask &= (uint64_t)bar_read(function, bar + 1) << 32 | 0xffffffffull;
        bar_write(function, bar + 1, high);
    }
    veu_port_config_write(function, PCI_COMMAND, 2, command);
    mask &= ~BAR_FLAGS;
    return (uint32_t)mask || wide ? -mask : 0;
}

static bool assign_bar(uint16_t function, unsigned bar, uint64_t bytes,
                       struct veu_pci_window *window)
{
    uint64_t address = (window->next + bytes - 1) & -bytes;

    if (address < window->next || address + bytes > window->end) {
        return false;
    }
    bar_write(function, bar, address);
    if (bar_is_64(bar_read(function, bar))) {
        bar_write(function, bar + 1, address >> 32);
    }
    window->next = address + bytes;
    return true;
}

bool veu_pci_assign_bars(uint16_t function, struct veu_pci_window *window)
{
    unsigned bars = is_bridge(function) ? BARS_OF_BRIDGE : BARS;

    for (unsigned bar = 0; bar < bars; bar++) {
        uint64_t bytes = veu_pci_bar_bytes(function, bar);
        bool wide = bar_is_64(bar_read(function, bar));

        if (bytes && !veu_pci_bar_address(function, bar) &&
            !assign_bar(function, bar, bytes, window)) {
            return false;
        }
        bar += wide;
    }
    return true;
}

void veu_pci_enable(uint16_t function)
{
    uint16_t command = veu_port_config_read(function, PCI_COMMAND, 2);

    veu_port_config_write(function, PCI_COMMAND, 2,
                          command | COMMAND_MEMORY | COMMAND_MASTER |
                              COMMAND_INTX_OFF);
}

unsigned veu_pci_capability(uint16_t function, uint8_t id)
{
    unsigned at = 0;

    if (veu_port_config_read(function, PCI_STATUS, 2) & STATUS_CAPABILITIES) {
        at = veu_port_config_read(function, PCI_CAPABILITIES, 1) & 0xfc;
    }
    /* A list that loops must end: there is room for at most 48. */
    for (unsigned n = 0; at && n < 48; n++) {
        if (veu_port_config_read(function, at, 1) == id) {
            return at;
        }
        at = veu_port_config_read(function, at + 1, 1) & 0xfc;
    }
    return 0;
}
