/*
 * veu device tests: dispatches whose results are known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_WORK_H
#define VEU_TEST_WORK_H

#include "tests/device/iommu.h"
#include "tests/device/rig.h"

/* 2,000 groups of one EU thread: each scatters its payload to rig->arena. */
void work_make(Rig *rig, struct veu_command_dispatch *command);
/* All of it is there, in rig->arena and in rig->result. */
void work_assert_done(const Rig *rig);
/* What the first @groups of these groups store is there. */
void work_assert_groups_done(const Rig *rig, unsigned groups);

/*
 * Submits a dispatch that never ends: it counts in the first word of pages of
 * rig->arena. It is under way.
 */
#define WORK_COUNTERS 8
void work_run_counters(Rig *rig);
/* The same, without waiting for it. */
void work_put_counters(Rig *rig);
/* The counter in page @n. */
uint32_t work_counter(const Rig *rig, unsigned n);

/* The dispatch moves from the pages from @old on to those from @to on. */
void work_assert_moved(Rig *rig, unsigned old, unsigned to);

/*
 * The counters' pages move, again and again, by the vIOMMU that these belong
 * to.
 */
void work_assert_pages_move(Rig *rig,
                            void (*map)(Vm *vm, const void *memory,
                                        const void *to, IommuAccess access),
                            void (*invalidate)(Vm *vm, IommuScope scope,
                                               const void *memory));

#endif
