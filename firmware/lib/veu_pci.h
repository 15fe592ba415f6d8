/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: the parts of PCI that a driver without an operating system
 * needs.
 */
#ifndef VEU_PCI_H
#define VEU_PCI_H

#include "veu_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A function's address: bus << 8 | device << 3 | function. */
#define VEU_PCI_NONE 0xffffu

/** Capability ids. */
#define VEU_PCI_CAP_EXPRESS 0x10
#define VEU_PCI_CAP_MSIX    0x11

/** Bus addresses for BARs. */
struct veu_pci_window {
    uint64_t next;
    uint64_t end;
};

/** The @index-th function with these ids, or VEU_PCI_NONE. */
uint16_t veu_pci_find(uint16_t vendor, uint16_t device, unsigned index);

/** The address of a memory BAR; 0: it has none. */
uint64_t veu_pci_bar_address(uint16_t function, unsigned bar);

/**
 * The size of a memory BAR; 0 if there is no such BAR. Memory decoding is off
 * for a moment.
 */
uint64_t veu_pci_bar_bytes(uint16_t function, unsigned bar);

/**
 * Gives an address to each memory BAR that has none. Returns false if the
 * window is too small. Firmware has done this on a PC, unless the device was
 * hotplugged.
 */
bool veu_pci_assign_bars(uint16_t function, struct veu_pci_window *window);

/** Enables memory decoding and bus mastering, and disables INTx. */
void veu_pci_enable(uint16_t function);

/** The offset of a capability, or 0. */
unsigned veu_pci_capability(uint16_t function, uint8_t id);

#ifdef __cplusplus
}
#endif

#endif /* VEU_PCI_H */
