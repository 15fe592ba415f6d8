/*
 * veu device model: the EU threads of a group of a KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_GROUP_THREAD_H
#define VEU_DEVICE_GROUP_THREAD_H

#include "hw/veu/device/group.h"
#include "hw/veu/device/slice.h"

/* Where EU threads of a group stop. */
typedef struct VeuGroupLimits {
    unsigned begin; /* pieces, after which no further EU thread has its turn */
    unsigned most;  /* pieces */
    uint32_t end;   /* the first EU thread that does not have its turn */
} VeuGroupLimits;

/*
 * Sets up what all EU threads of a turn of the slice have in common. Called
 * after veu_slice_watch().
 */
void veu_group_begin_threads(VeuSlice *slice);

/*
 * Runs the EU thread whose turn it is and, while each of them ends or waits,
 * those after it. Returns the pieces that they have taken.
 */
unsigned veu_group_run_threads(VeuSlice *slice, VeuGroup *group,
                               const VeuGroupLimits *limits);

/* Returns true if an EU thread in this state (VeuGroupThreadState) can run. */
static inline bool veu_group_is_ready(uint8_t state)
{
    return state == VEU_GROUP_THREAD_START || state == VEU_GROUP_THREAD_RUNS;
}

/* Gives @eu the block of EU thread @thread in the area of its group. */
static inline void veu_group_place_thread(const VeuLaunch *l,
                                          uint8_t *group_area, uint32_t thread,
                                          VeuThread *eu)
{
    const VeuGroups *all = &l->groups;
    uint8_t *block = group_area + all->threads_at +
                     (size_t)thread * all->thread_bytes;

    eu->flow = (VeuFlow *)block;
    eu->predicates = (uint32_t *)(block + all->operands_at);
    eu->addresses = (uint16_t *)(block + all->addresses_at);
    eu->registers = block + all->registers_at;
    eu->slm = group_area + all->slm_at;
}

#endif
