/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: MSI-X vectors.
 */
#include "veu_guest.h"

#define MSIX_CONTROL 2
#define MSIX_TABLE   4
#define MSIX_PBA     8

#define CONTROL_ENABLE   0x8000
#define CONTROL_MASK_ALL 0x4000
#define CONTROL_LAST     0x07ff
#define BIR              0x7u

#define ENTRY_BYTES        16
#define ENTRY_ADDRESS      0
#define ENTRY_ADDRESS_HIGH 4
#define ENTRY_DATA         8
#define ENTRY_CONTROL      12
#define ENTRY_MASKED       1

/* Table and pending bits: BAR number in the low bits of an offset into it. */
static volatile uint8_t *map_part(uint16_t function, uint32_t where,
                                  uint64_t bytes)
{
    uint64_t bar = veu_pci_bar_address(function, where & BIR);

    return bar ? veu_port_map(bar + (where & ~BIR), bytes) : NULL;
}

enum veu_status veu_msix_enable(struct veu_device *device)
{
    uint16_t function = device->function;
    unsigned at = veu_pci_capability(function, VEU_PCI_CAP_MSIX);
    uint16_t control;

    if (!at) {
        return VEU_NO_MSIX;
    }
    control = veu_port_config_read(function, at + MSIX_CONTROL, 2);
    device->msix_vectors = (control & CONTROL_LAST) + 1;
    device->msix_table =
        map_part(function, veu_port_config_read(function, at + MSIX_TABLE, 4),
                 device->msix_vectors * ENTRY_BYTES);
    device->msix_pba =
        map_part(function, veu_port_config_read(function, at + MSIX_PBA, 4),
                 (device->msix_vectors + 63) / 64 * 8);
    if (!device->msix_table || !device->msix_pba) {
        return VEU_NO_MSIX;
    }
    control = (control & ~CONTROL_MASK_ALL) | CONTROL_ENABLE;
    veu_port_config_write(function, at + MSIX_CONTROL, 2, control);
    return VEU_OK;
}

enum veu_status veu_msix_set(struct veu_device *device, unsigned vector,
                             uint64_t address, uint32_t data)
{
    volatile uint8_t *entry = device->msix_table + vector * ENTRY_BYTES;

    if (vector >= device->msix_vectors) {
        return VEU_NO_MSIX;
    }
    veu_msix_mask(device, vector, true);
    veu_port_write32(entry + ENTRY_ADDRESS, address);
    veu_port_write32(entry + ENTRY_ADDRESS_HIGH, address >> 32);
    veu_port_write32(entry + ENTRY_DATA, data);
    veu_msix_mask(device, vector, false);
    return VEU_OK;
}

void veu_msix_mask(struct veu_device *device, unsigned vector, bool mask)
{
    volatile uint8_t *entry = device->msix_table + vector * ENTRY_BYTES;

    veu_port_write32(entry + ENTRY_CONTROL, mask ? ENTRY_MASKED : 0);
}

bool veu_msix_pending(const struct veu_device *device, unsigned vector)
{
    volatile uint8_t *word = device->msix_pba + vector / 32 * 4;

    return veu_port_read32(word) >> vector % 32 & 1;
}
