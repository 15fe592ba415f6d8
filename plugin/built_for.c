/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The QEMU that this plugin was built for. The build defines
 * VEU_BUILT_FOR_VERSION, VEU_BUILT_FOR_PACKAGE and VEU_REBUILD_COMMAND; tests
 * define them, and VEU_BUILT_FOR_SIZE_ERROR, to wrong values.
 */
#include "qemu/osdep.h"
#include "hw/veu/qemu/compat.h"
#include "plugin/abi_check.h"

#ifndef VEU_BUILT_FOR_SIZE_ERROR
#define VEU_BUILT_FOR_SIZE_ERROR 0
#endif

static const VeuTypeSize sizes[] = {
    { TYPE_OBJECT, sizeof(Object) },
    { TYPE_DEVICE, sizeof(DeviceState) },
    { TYPE_BUS, sizeof(BusState) },
    { TYPE_MEMORY_REGION, sizeof(MemoryRegion) },
    { TYPE_IOMMU_MEMORY_REGION, sizeof(IOMMUMemoryRegion) },
    { TYPE_PCI_BUS, sizeof(PCIBus) },
    { TYPE_PCI_DEVICE, sizeof(PCIDevice) + VEU_BUILT_FOR_SIZE_ERROR },
    { NULL, 0 },
};

const VeuBuiltFor veu_built_for = {
    .version = VEU_BUILT_FOR_VERSION,
    .package = VEU_BUILT_FOR_PACKAGE,
    .rebuild = VEU_REBUILD_COMMAND,
    .sizes = sizes,
};
