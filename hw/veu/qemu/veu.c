/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU device "veu": its QOM type and its BARs.
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "qapi/error.h"
#include "hw/veu/qemu/veu.h"
#include "hw/veu/qemu/trace.h"
#include "veu/regs.h"

static uint64_t veu_regs_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

static void veu_regs_write(void *opaque, hwaddr addr, uint64_t value,
                           unsigned size)
{
}

static const MemoryRegionOps veu_regs_ops = {
    .read = veu_regs_read,
    .write = veu_regs_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 8 },
    .impl = { .min_access_size = 4, .max_access_size = 8 },
};

static void veu_realize(PCIDevice *pci_dev, Error **errp)
{
    VeuState *s = VEU(pci_dev);

    trace_veu_realize(pci_dev->name);
    memory_region_init_io(&s->regs, OBJECT(s), &veu_regs_ops, s, "veu-regs",
                          VEU_BAR_REGS_BYTES);
    pci_register_bar(pci_dev, VEU_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->regs);
}

static void veu_class_init(ObjectClass *klass, VEU_CLASS_CONST void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = veu_realize;
    pc->vendor_id = VEU_PCI_VENDOR_ID;
    pc->device_id = VEU_PCI_DEVICE_ID;
    pc->class_id = VEU_PCI_CLASS;
    dc->desc = "virtual GPU execution unit";
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static VEU_CLASS_CONST InterfaceInfo veu_interfaces[] = {
    { INTERFACE_PCIE_DEVICE },
    { INTERFACE_CONVENTIONAL_PCI_DEVICE },
    {},
};

static const TypeInfo veu_info = {
    .name = TYPE_VEU,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(VeuState),
    .class_init = veu_class_init,
    .interfaces = veu_interfaces,
};

void veu_register_types(void)
{
    type_register_static(&veu_info);
}

#ifndef VEU_PLUGIN
type_init(veu_register_types)
#endif
