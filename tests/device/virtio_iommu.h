/*
 * veu device tests: virtio's IOMMU, driven from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A device of bus 0 sees what is mapped, IOMMU_OFFSET above its place in
 * Vm.ram.
 */
#ifndef VEU_TEST_VIRTIO_IOMMU_H
#define VEU_TEST_VIRTIO_IOMMU_H

#include "tests/device/iommu.h"

/* -device for the machine; before all others. */
#define VIRTIO_IOMMU_DEVICE "-device virtio-iommu-pci,addr=3 "

/* Turns it on, for @endpoint: slot << 3. Nothing is mapped. */
void virtio_iommu_set_up(Vm *vm, uint32_t endpoint);

/* Whole pages from the one of @memory on, to those from the one of @to on. */
void virtio_iommu_map(Vm *vm, const void *memory, uint64_t bytes,
                      const void *to, IommuAccess access);
/* All that one call mapped, or several. Done when it returns. */
void virtio_iommu_unmap(Vm *vm, const void *memory, uint64_t bytes);

#endif
