/*
 * SPDX-License-Identifier: MIT
 *
 * veu guest library: finding a device and getting at its registers.
 */
#include "veu_guest.h"

const char *veu_status_text(enum veu_status status)
{
    switch (status) {
    case VEU_OK:
        return "ok";
    case VEU_NOT_FOUND:
        return "the PCI function does not exist";
    case VEU_NO_BAR:
        return "a BAR has no address";
    case VEU_NOT_A_VEU:
        return "register MAGIC does not say \"VEU1\"";
    case VEU_OTHER_ABI:
        return "the device has another ABI version";
    case VEU_NO_MSIX:
        return "no MSI-X, or too few vectors";
    case VEU_BAD_CONFIG:
        return "illegal values";
    case VEU_FULL:
        return "the ring is full";
    case VEU_TIMEOUT:
        return "timed out";
    case VEU_FAULTED:
        return "the ring was halted by a fault";
    }
    return "unknown status";
}

uint32_t veu_read32(const struct veu_device *device, unsigned offset)
{
    return veu_port_read32(device->regs + offset);
}

uint64_t veu_read64(const struct veu_device *device, unsigned offset)
{
    return veu_port_read64(device->regs + offset);
}

void veu_write32(struct veu_device *device, unsigned offset, uint32_t value)
{
    veu_port_write32(device->regs + offset, value);
}

void veu_write64(struct veu_device *device, unsigned offset, uint64_t value)
{
    veu_port_write64(device->regs + offset, value);
}

uint64_t veu_time(const struct veu_device *device)
{
    return veu_read64(device, VEU_REG_TIME);
}

void veu_reset(struct veu_device *device)
{
    veu_write32(device, VEU_REG_CONTROL, VEU_CONTROL_RESET);
}

static volatile uint8_t *map_bar(uint16_t function, unsigned bar)
{
    uint64_t address = veu_pci_bar_address(function, bar);
    uint64_t bytes = veu_pci_bar_bytes(function, bar);

    return address && bytes ? veu_port_map(address, bytes) : NULL;
}

static void read_limits(struct veu_device *device)
{
    struct veu_limits *l = &device->limits;

    l->rings = veu_read32(device, VEU_REG_CAP_RINGS);
    l->contexts = veu_read32(device, VEU_REG_CAP_CONTEXTS);
    l->context_types = veu_read32(device, VEU_REG_CAP_CONTEXT_TYPES);
    l->doorbell_stride = veu_read32(device, VEU_REG_CAP_DOORBELL_STRIDE);
    l->vectors = veu_read32(device, VEU_REG_CAP_VECTORS);
    l->ring_slots = veu_read32(device, VEU_REG_CAP_RING_SLOTS);
    l->grf_bytes = veu_read32(device, VEU_REG_CAP_GRF_BYTES);
    l->simd = veu_read32(device, VEU_REG_CAP_SIMD);
    l->program_bytes = veu_read32(device, VEU_REG_LIMIT_PROGRAM_BYTES);
    l->messages = veu_read32(device, VEU_REG_LIMIT_MESSAGES);
    l->variables = veu_read32(device, VEU_REG_LIMIT_VARIABLES);
    l->predicates = veu_read32(device, VEU_REG_LIMIT_PREDICATES);
    l->register_bytes = veu_read32(device, VEU_REG_LIMIT_REGISTER_BYTES);
    l->surfaces = veu_read32(device, VEU_REG_LIMIT_SURFACES);
    l->slm_bytes = veu_read32(device, VEU_REG_LIMIT_SLM_BYTES);
    l->threads = veu_read32(device, VEU_REG_LIMIT_THREADS);
    l->groups = veu_read32(device, VEU_REG_LIMIT_GROUPS);
    l->fault_records = veu_read32(device, VEU_REG_LIMIT_FAULT_RECORDS);
    /* Devices before version 1.2 do not have the register. */
    l->program_kinds = veu_read32(device, VEU_REG_CAP_PROGRAM_KINDS) |
                       1u << VEU_PROGRAM_MESSAGES;
    l->instructions = veu_read32(device, VEU_REG_LIMIT_INSTRUCTIONS);
}

/* docs/spec.md, section 16: nothing here needs more than version 1.0. */
static bool abi_fits(uint32_t version)
{
    return version >> 16 == VEU_ABI_1_0 >> 16;
}

static enum veu_status identify(struct veu_device *device)
{
    if (veu_read32(device, VEU_REG_MAGIC) != VEU_MAGIC) {
        return VEU_NOT_A_VEU;
    }
    device->abi_version = veu_read32(device, VEU_REG_ABI_VERSION);
    return abi_fits(device->abi_version) ? VEU_OK : VEU_OTHER_ABI;
}

enum veu_status veu_open_function(struct veu_device *device, uint16_t function,
                                  struct veu_pci_window window)
{
    enum veu_status status;

    *device = (struct veu_device){ .function = function };
    if (!veu_pci_assign_bars(function, &window)) {
        return VEU_NO_BAR;
    }
    veu_pci_enable(function);
    device->regs = map_bar(function, VEU_BAR_REGS);
    device->doorbells = map_bar(function, VEU_BAR_DOORBELLS);
    if (!device->regs || !device->doorbells) {
        return VEU_NO_BAR;
    }
    status = identify(device);
    if (status == VEU_OK) {
        veu_reset(device);
        read_limits(device);
    }
    return status;
}

enum veu_status veu_open(struct veu_device *device,
                         const struct veu_open_options *options)
{
    uint16_t vendor = options->vendor_id ? options->vendor_id :
                                           VEU_PCI_VENDOR_ID;
    uint16_t id = options->device_id ? options->device_id : VEU_PCI_DEVICE_ID;
    uint16_t function = veu_pci_find(vendor, id, options->index);

    return function == VEU_PCI_NONE ?
               VEU_NOT_FOUND :
               veu_open_function(device, function, options->window);
}
