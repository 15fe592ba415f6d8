/*
 * veu device tests: Intel's IOMMU (VT-d), set up from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All of guest memory is mapped, page by page, twice: at its guest address, and
 * IOMMU_OFFSET above.
 */
#ifndef VEU_TEST_IOMMU_H
#define VEU_TEST_IOMMU_H

#include "tests/device/vm.h"

#define IOMMU_OFFSET     UINT64_C(0x100000000)
#define IOMMU_PAGE_BYTES UINT64_C(4096)

/* An argument for the machine, which comes before all other devices. */
#define IOMMU_DEVICE "-device intel-iommu,intremap=off "

typedef enum IommuAccess {
    IOMMU_NONE = 0,
    IOMMU_READ = 1,
    IOMMU_WRITE = 2,
    IOMMU_BOTH = 3,
} IommuAccess;

/*
 * Builds the tables for slot 4 of bus 0 and slot 0 of bus 1, and enables the
 * unit.
 */
void iommu_set_up(Vm *vm);
void iommu_set_enabled(Vm *vm, bool enabled);

/*
 * Like iommu_set_up(), for slot 4 of bus 0 of a unit with IOMMU_SCALABLE. In
 * its scalable mode, devices have processes, and processes have a domain. There
 * is a second domain.
 */
#define IOMMU_SCALABLE "-device intel-iommu,intremap=off,x-scalable-mode=on "
void iommu_set_up_scalable(Vm *vm);
/* Maps the memory in the second domain. */
void iommu_map_other(Vm *vm, const void *memory, const void *to);
/*
 * Moves the device to the second domain, and invalidates the first one. (The
 * invalidation of processes is not sent, because QEMU ignores it.)
 */
void iommu_change_domain(Vm *vm);

/*
 * Maps the page of guest memory @memory, as the device sees it, to guest memory
 * @to. It takes effect with the next invalidation.
 */
void iommu_map(Vm *vm, const void *memory, const void *to, IommuAccess access);

/* Like iommu_map(), to any guest address. */
void iommu_map_address(Vm *vm, const void *memory, uint64_t to,
                       IommuAccess access);

/* The scope of an invalidation. */
typedef enum IommuScope {
    IOMMU_GLOBAL = 1,
    IOMMU_DOMAIN = 2,
    IOMMU_PAGE = 3,
} IommuScope;

/*
 * @memory is in the page, for IOMMU_PAGE. The invalidation is complete on
 * return.
 */
void iommu_invalidate(Vm *vm, IommuScope scope, const void *memory);

/* Makes faults interrupt a processor, and clears existing ones. */
void iommu_arm_fault_event(Vm *vm);
/* Returns true if a fault has been recorded since then. */
bool iommu_has_fault(Vm *vm);

#endif
