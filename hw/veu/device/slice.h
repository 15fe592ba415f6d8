/*
 * veu device model: slices: EU threads of a launch, one after the other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_SLICE_H
#define VEU_DEVICE_SLICE_H

#include "hw/veu/device/model.h"

/* Within a turn: its last piece has missed pages, and waits for them. */
static inline bool veu_slice_waits(const VeuSlice *slice)
{
    return slice->state == VEU_SLICE_FAULTED && slice->miss_count;
}

/*
 * Sets up as many slices as can be of use, and at least @least. All are idle,
 * and have all of eu that does not come with a turn or with a thread's payload.
 */
void veu_launch_set_up_slices(VeuRing *ring, unsigned least);
/* They are as they were set up: for the same launch again. */
void veu_launch_reset_slices(VeuLaunch *launch);

/* Before it runs in a turn: whose it is, and its gate. */
void veu_slice_enter(VeuSlice *slice, VeuHost *host, VeuMem *mem);

/* Runs the only EU thread of a launch, of one message, in three pieces. */
void veu_slice_run_only(VeuSlice *slice);

/*
 * Runs up to @budget pieces: messages, or payloads and results, which cost
 * more. Without a group it takes one, if it may.
 */
void veu_slice_run(VeuSlice *slice, uint32_t budget, bool takes_groups);

/* ---- also for groups of a KERNEL, whose EU thread the slice has: group.c */

/*
 * Around a piece that has asked for pages, and runs again: where its request
 * was refused, its misses are faults. The request is over unless it misses
 * pages again.
 */
void veu_slice_begin_asked(VeuSlice *slice);
void veu_slice_end_asked(VeuSlice *slice);
/*
 * Has the host mark what was written, and forgets extents, which may be old,
 * once there were VEU_FLUSH_PIECES pieces. The last one may have cost more.
 */
void veu_slice_flush(VeuSlice *slice, unsigned *pieces);

/* The lanes that EU thread @slice->thread of a KERNEL begins with. */
uint32_t veu_slice_kernel_lanes(const VeuSlice *slice);
/*
 * Instructions until one faults, a barrier is reached, another thread waits
 * for the step, or they have cost @limit pieces. Returns how many pieces that
 * were; what is less than a piece stays in the flow's cost. *ended: no lane is
 * left.
 */
unsigned veu_slice_run_instructions(VeuSlice *slice, unsigned limit,
                                    bool *ended);
/* Emits an event of the EU thread: see veu_slice_tell(). */
void veu_slice_emit(const VeuSlice *slice, VeuEventKind kind, const char *name,
                    uint32_t at, uint32_t value);
/* False with a fault: a rule stops the start of the EU thread. */
bool veu_slice_passes_start(VeuSlice *slice, uint64_t address, uint32_t bytes);
/* Reads a part of what it starts with; false with a fault. */
bool veu_slice_read(VeuSlice *slice, uint64_t address, void *to,
                    uint32_t bytes);

/*
 * Reports the start or the end of an EU thread, or an instruction of it, to a
 * host that wants such events.
 */
static inline void veu_slice_tell(const VeuSlice *s, VeuEventKind kind,
                                  const char *name, uint32_t at, uint32_t value)
{
    if (veu_wants(s->ring->device, 1u << kind)) {
        veu_slice_emit(s, kind, name, at, value);
    }
}

#endif
