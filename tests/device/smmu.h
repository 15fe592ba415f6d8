/*
 * veu device tests: Arm's IOMMU (SMMUv3), set up from outside of the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All of guest memory is mapped, page by page, IOMMU_OFFSET above its place in
 * Vm.ram. Names that also occur in iommu.h have the same meaning.
 */
#ifndef VEU_TEST_SMMU_H
#define VEU_TEST_SMMU_H

#include "tests/device/iommu.h"
#include "tests/device/vm.h"

/* Builds tables for all of bus 0, and enables the unit. */
void smmu_set_up(Vm *vm);
void smmu_map(Vm *vm, const void *memory, const void *to, IommuAccess access);
/* IOMMU_DOMAIN stands for the address space. */
void smmu_invalidate(Vm *vm, IommuScope scope, const void *memory);

#endif
