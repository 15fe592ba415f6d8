/*
 * veu device tests: virtio's IOMMU, driven from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A device on bus 0 sees mapped memory IOMMU_OFFSET above its address in
 * Vm.ram.
 */
#ifndef VEU_TEST_VIRTIO_IOMMU_H
#define VEU_TEST_VIRTIO_IOMMU_H

#include "tests/device/iommu.h"

/* An argument for the machine, which comes before all other devices. */
#define VIRTIO_IOMMU_DEVICE "-device virtio-iommu-pci,addr=3 "

/* Enables it for @endpoint, which is slot << 3. Nothing is mapped. */
void virtio_iommu_set_up(Vm *vm, uint32_t endpoint);

/* Maps whole pages, from that of @memory on, to those from that of @to on. */
void virtio_iommu_map(Vm *vm, const void *memory, uint64_t bytes,
                      const void *to, IommuAccess access);
/*
 * Unmaps all that one or several calls have mapped. It is complete on return.
 */
void virtio_iommu_unmap(Vm *vm, const void *memory, uint64_t bytes);

/*
 * Has the next failed translation write an event to guest address @address,
 * which may be a register. An event is six words of 32 bits: the reason, flags,
 * the endpoint, 0, and the address that was not translated.
 */
#define VIRTIO_IOMMU_EVENT_BYTES 24
void virtio_iommu_send_event(Vm *vm, uint64_t address);

#endif
