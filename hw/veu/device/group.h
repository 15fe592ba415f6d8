/*
 * veu device model: groups of a KERNEL that are in flight.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A KERNEL has groups_in_flight places. Place p runs groups p, p + places, p +
 * 2 * places, ... in this order. So a group's place, and with it %hw_id and the
 * scratch memory of its EU threads, does not depend on which thread runs it.
 *
 * All EU threads of a group in flight have their own registers, so that the
 * group can be suspended, and saved, between any two pieces of work. Its EU
 * threads take turns: one runs until it ends, arrives at a barrier, or the turn
 * of the group, counted in units of work, is over. Then another group has a
 * turn. So EU threads that wait for each other's stores make progress.
 */
#ifndef VEU_DEVICE_GROUP_H
#define VEU_DEVICE_GROUP_H

#include "hw/veu/device/launch_state.h"

/*
 * The units of work in a turn of a group, and how many more an EU thread may
 * take in it that has begun: most end with them, in the slice's own block.
 */
#define VEU_GROUP_TURN 1024
#define VEU_GROUP_MORE 256

typedef enum VeuGroupThreadState {
    VEU_GROUP_THREAD_START, /* has not begun */
    VEU_GROUP_THREAD_RUNS,
    VEU_GROUP_THREAD_WAITS, /* at a barrier */
    VEU_GROUP_THREAD_ENDED,
} VeuGroupThreadState;

/* Lays out the groups in flight for the loaded program. */
void veu_groups_set_up(VeuRing *ring);
/* Puts every place at its first group, which has not begun. */
void veu_groups_begin(VeuRing *ring);

/* The part of LIMIT_LAUNCH_BYTES that a group in flight takes: include/veu. */
uint64_t veu_group_limit_bytes(const struct veu_launch *args,
                               const VeuProgram *program);

/* The number of places that still have a group to run. */
unsigned veu_groups_left(const VeuLaunch *launch);
/* The number of groups that have begun or are done. */
uint32_t veu_groups_begun(const VeuLaunch *launch);

/*
 * Runs groups at places @first, @first + @step, ... for up to @budget pieces,
 * and completes the last one; an EU thread that has begun may continue for up
 * to @most. Returns idle if none of these places has a group.
 */
void veu_groups_run(VeuSlice *slice, unsigned first, unsigned step,
                    uint32_t budget, uint32_t most);

/* Returns true if every remaining group waits for pages. */
bool veu_groups_wait(const VeuLaunch *launch);

/* Reports the EU thread that the lowest unfinished group has reached. */
void veu_groups_place(const VeuLaunch *launch, VeuFaultPlace *place);

/* ---- the parts of a group, also for state_group.c ---- */

static inline bool veu_group_exists(const VeuLaunch *l, const VeuGroup *g)
{
    return g->number < l->kernel_args.groups;
}

/* The place of group @number. */
VeuGroup *veu_group_of(VeuLaunch *launch, uint32_t number);
uint8_t *veu_group_slm(VeuLaunch *launch, const VeuGroup *group);
/* VeuGroupThreadState of each EU thread. */
uint8_t *veu_group_states(VeuLaunch *launch, const VeuGroup *group);
/* Sets up @eu as an EU thread of the group, with its registers and state. */
void veu_group_thread(VeuLaunch *launch, const VeuGroup *group, uint32_t thread,
                      VeuThread *eu);
/* Gives the slice an EU thread of the group. */
void veu_group_bind(VeuSlice *slice, const VeuGroup *group, uint32_t thread);

#endif
