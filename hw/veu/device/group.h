/*
 * veu device model: groups of a KERNEL that are in flight.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A KERNEL has groups_in_flight places. Place p runs groups p, p + places,
 * p + 2 * places, ... one after the other, so which place a group has, and with
 * it %hw_id and the scratch memory of its EU threads, does not depend on who
 * runs it.
 *
 * All EU threads of a group that is in flight have registers of their own: the
 * group is suspended, and saved, between any two pieces of work. Its EU threads
 * take turns: one runs until it ends, arrives at a barrier, or the turn of the
 * group is over, which is counted in units of work. Then another group has a
 * turn. So EU threads that wait for each other's stores get on.
 */
#ifndef VEU_DEVICE_GROUP_H
#define VEU_DEVICE_GROUP_H

#include "hw/veu/device/launch.h"

/* Units of work that a turn of a group has. */
#define VEU_GROUP_TURN 1024

typedef enum VeuGroupThreadState {
    VEU_GROUP_THREAD_START, /* has not begun */
    VEU_GROUP_THREAD_RUNS,
    VEU_GROUP_THREAD_WAITS, /* at a barrier */
    VEU_GROUP_THREAD_ENDED,
} VeuGroupThreadState;

/* Where the groups in flight have what, for the program that is loaded. */
void veu_groups_set_up(VeuRing *ring);
/* Every place is at its first group, which has not begun. */
void veu_groups_begin(VeuRing *ring);

/* Bytes that a group in flight takes of LIMIT_LAUNCH_BYTES: include/veu. */
uint64_t veu_group_limit_bytes(const struct veu_launch *args,
                               const VeuProgram *program);

/* Places that have a group to run. */
unsigned veu_groups_left(const VeuLaunch *launch);
/* Groups that have begun, or are done. */
uint32_t veu_groups_begun(const VeuLaunch *launch);

/*
 * Runs groups at places @first, @first + @step, ... for up to @budget pieces
 * and the rest of the last one. Idle: no place of these has a group.
 */
void veu_groups_run(VeuSlice *slice, unsigned first, unsigned step,
                    uint32_t budget);

/* True if each group that is left waits for pages. */
bool veu_groups_wait(const VeuLaunch *launch);

/* The EU thread that the lowest group that is not done has come to. */
void veu_groups_place(const VeuLaunch *launch, VeuFaultPlace *place);

/* ---- the parts of a group, also for state_group.c ---- */

static inline bool veu_group_exists(const VeuLaunch *l, const VeuGroup *g)
{
    return g->number < l->kernel_args.groups;
}

/* The place that group @number has. */
VeuGroup *veu_group_of(VeuLaunch *launch, uint32_t number);
uint8_t *veu_group_slm(VeuLaunch *launch, const VeuGroup *group);
/* VeuGroupThreadState of each EU thread. */
uint8_t *veu_group_states(VeuLaunch *launch, const VeuGroup *group);
/* Makes @eu an EU thread of the group: its registers and the rest. */
void veu_group_thread(VeuLaunch *launch, const VeuGroup *group, uint32_t thread,
                      VeuThread *eu);
/* Gives the slice an EU thread of the group. */
void veu_group_bind(VeuSlice *slice, const VeuGroup *group, uint32_t thread);

#endif
