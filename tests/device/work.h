/*
 * veu device tests: dispatches with known results.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_TEST_WORK_H
#define VEU_TEST_WORK_H

#include "tests/device/iommu.h"
#include "tests/device/rig.h"

/*
 * Makes 2,000 groups of one EU thread, each of which scatters its payload to
 * rig->arena.
 */
void work_make(Rig *rig, struct veu_command_dispatch *command);
/* Asserts that all of it is in rig->arena and rig->result. */
void work_assert_done(const Rig *rig);
/* Asserts that the stores of the first @groups groups are there. */
void work_assert_groups_done(const Rig *rig, unsigned groups);

/*
 * Submits a dispatch that never ends: it counts in the first word of pages of
 * rig->arena. It is in progress on return.
 */
#define WORK_COUNTERS 8
void work_run_counters(Rig *rig);
/* Like work_run_counters(), without waiting for it. */
void work_put_counters(Rig *rig);
/* The counter in page @n. */
uint32_t work_counter(const Rig *rig, unsigned n);

/* Asserts that the dispatch moves from the pages at @old to those at @to. */
void work_assert_moved(Rig *rig, unsigned old, unsigned to);

/*
 * Moves the counters' pages repeatedly, by the vIOMMU whose functions these
 * are.
 */
void work_assert_pages_move(Rig *rig,
                            void (*map)(Vm *vm, const void *memory,
                                        const void *to, IommuAccess access),
                            void (*invalidate)(Vm *vm, IommuScope scope,
                                               const void *memory));

#endif
