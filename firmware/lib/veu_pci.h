/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: as much PCI as a driver without an operating system needs.
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

/** Bus addresses that BARs may be given. */
struct veu_pci_window {
    uint64_t next;
    uint64_t end;
};

/** The @index-th function of these ids, or VEU_PCI_NONE. */
uint16_t veu_pci_find(uint16_t vendor, uint16_t device, unsigned index);

/** Address of a memory BAR; 0: it has none. */
uint64_t veu_pci_bar_address(uint16_t function, unsigned bar);

/** Size of a memory BAR; 0: there is no such BAR. Memory decoding blinks. */
uint64_t veu_pci_bar_bytes(uint16_t function, unsigned bar);

/**
 * Gives an address to each memory BAR that has none. False if the window is
 * too small. Firmware has done this on a PC, unless the device was hotplugged.
 */
bool veu_pci_assign_bars(uint16_t function, struct veu_pci_window *window);

/** Memory decoding and bus mastering on, INTx off. */
void veu_pci_enable(uint16_t function);

/** Offset of a capability, or 0. */
unsigned veu_pci_capability(uint16_t function, uint8_t id);

#ifdef __cplusplus
}
#endif

#endif /* VEU_PCI_H */
