/*
 * veu device tests: a compiled kernel with barriers and local memory, for work
 * with a known result.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_KERNEL_WORK_H
#define VEU_TEST_KERNEL_WORK_H

#include "tests/device/rig.h"
#include "veu_kernel.h"

/* Work-items of a group; each group adds up this number of words. */
#define KERNEL_WORK_LOCAL 128u

/* tests/kernels/src/reduce.cl, placed in rig->program and rig->payload. */
typedef struct KernelWork {
    struct veu_kernel kernel;
    uint8_t *memory; /* of runs */
    uint32_t memory_bytes;
} KernelWork;

void kernel_work_place(const Rig *rig, KernelWork *work);
/*
 * Like kernel_work_place(), for a kernel that was placed before and may be in
 * use.
 */
void kernel_work_open(const Rig *rig, KernelWork *work);

/* Returns a LOAD of the program as @handle. */
struct veu_command_load kernel_work_load(const KernelWork *work,
                                         uint32_t handle);

/*
 * Returns a run of the loaded program, which adds up @words words from @from
 * on: group n stores the sum of its words in to[n]. The memory that the command
 * points at is number @index of those that fit.
 */
struct veu_command_kernel kernel_work_make(const KernelWork *work,
                                           unsigned index, uint32_t handle,
                                           const uint32_t *from, uint32_t *to,
                                           uint32_t words);

#endif
