/*
 * veu device model: slices, which run EU threads of a launch one after another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_SLICE_H
#define VEU_DEVICE_SLICE_H

#include "hw/veu/device/model.h"

/*
 * Within a turn: returns true if its last piece has missed pages and waits for
 * them.
 */
static inline bool veu_slice_waits(const VeuSlice *slice)
{
    return slice->state == VEU_SLICE_FAULTED && slice->miss_count;
}

/*
 * Sets up as many slices as are useful, but at least @least. All are idle;
 * every part of eu is set that does not come with a turn or with a thread's
 * payload.
 */
void veu_launch_set_up_slices(VeuRing *ring, unsigned least);
/* Makes the slices as they were set up, to run the same launch again. */
void veu_launch_reset_slices(VeuLaunch *launch);

/* Called before it runs in a turn: sets its runner and its gate. */
void veu_slice_enter(VeuSlice *slice, VeuHost *host, VeuMem *mem);

/* Runs the only EU thread of a launch of one message, in three pieces. */
void veu_slice_run_only(VeuSlice *slice);

/*
 * Runs up to @budget pieces: messages, or payloads and results, which cost
 * more. A slice without a group takes one, if it may.
 */
void veu_slice_run(VeuSlice *slice, uint32_t budget, bool takes_groups);

/* ---- also for groups of a KERNEL, whose EU thread the slice has: group.c */

/*
 * Enclose a piece that runs again after it requested pages. If its request was
 * refused, its misses are faults. The request ends unless the piece misses
 * pages again.
 */
void veu_slice_begin_asked(VeuSlice *slice);
void veu_slice_end_asked(VeuSlice *slice);
/*
 * After VEU_FLUSH_PIECES pieces, of which the last may have cost more, makes
 * the host mark what was written, and forgets extents, which may be outdated.
 */
void veu_slice_flush(VeuSlice *slice, unsigned *pieces);

/* The lanes with which EU thread @slice->thread of a KERNEL begins. */
uint32_t veu_slice_kernel_lanes(const VeuSlice *slice);
/*
 * Runs instructions until one faults, a barrier is reached, another thread
 * waits for the step, or they have cost @limit pieces. Returns the number of
 * pieces; the remainder stays in the flow's cost. Sets *ended if no lane is
 * left.
 */
unsigned veu_slice_run_instructions(VeuSlice *slice, unsigned limit,
                                    bool *ended);
/* Emits an event of the EU thread: see veu_slice_tell(). */
void veu_slice_emit(const VeuSlice *slice, VeuEventKind kind, const char *name,
                    uint32_t at, uint32_t value);
/* Returns false with a fault if a rule stops the start of the EU thread. */
bool veu_slice_passes_start(VeuSlice *slice, uint64_t address, uint32_t bytes);
/* Reads a part of its initial state. Returns false with a fault. */
bool veu_slice_read(VeuSlice *slice, uint64_t address, void *to,
                    uint32_t bytes);

/*
 * Reports the start or the end of an EU thread, or one of its instructions, if
 * the host wants such events.
 */
static inline void veu_slice_tell(const VeuSlice *s, VeuEventKind kind,
                                  const char *name, uint32_t at, uint32_t value)
{
    if (veu_wants(s->ring->device, 1u << kind)) {
        veu_slice_emit(s, kind, name, at, value);
    }
}

#endif
