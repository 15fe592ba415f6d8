/*
 * veu device model: slices, which run EU threads of a launch one after another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VEU_DEVICE_SLICE_H
#define VEU_DEVICE_SLICE_H

#include "hw/veu/device/model.h"
#include "hw/veu/eu/instruction/handler_run.h"
#include "hw/veu/eu/instruction/profile.h"
#include "hw/veu/eu/instruction/run.h"
#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/eu/memory/guest_copy.h"

/*
 * Within a turn: returns true if its last piece has missed pages and waits for
 * them.
 */
static inline bool veu_slice_waits(const VeuSlice *slice)
{
    return slice->state == VEU_SLICE_FAULTED && slice->miss_count;
}

/*
 * Returns true if the step must end here: a thread waits for it and it has made
 * progress, or the host has halted EU threads.
 */
static inline bool veu_slice_must_yield(const VeuSlice *slice)
{
    return veu_is_awaited(slice->eu.awaited) &&
           (slice->cost || slice->host->halted);
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

/*
 * Called for a program of instructions before it runs in a turn, and when a
 * refused request changes what follows: decides how instructions and messages
 * are reported, and so how they are executed.
 */
void veu_slice_watch(VeuSlice *slice);

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
 * the host mark what was written, if that is much, and forgets extents, whose
 * pages are no longer marked.
 */
static inline void veu_slice_flush(VeuSlice *s, unsigned *pieces)
{
    if (__builtin_expect(*pieces < VEU_FLUSH_PIECES, 1)) {
        return;
    }
    *pieces = 0;
    if (s->eu.mem->writes >= VEU_FLUSH_WRITES) {
        s->host->flush(s->host);
        veu_mem_forget(s->eu.mem);
        s->image.local_ids = NULL;
    }
}

/* The lanes with which EU thread @slice->thread of a KERNEL begins. */
static inline uint32_t veu_slice_kernel_lanes(const VeuSlice *s)
{
    const struct veu_command_kernel *c = &s->ring->command.kernel;
    uint32_t all = UINT32_MAX >> (32 - c->simd);

    return s->thread == c->threads - 1 ? all & c->last_exec_mask : all;
}

/* The lanes with which its EU thread began, as kept from its payload. */
uint32_t veu_slice_started_lanes(const VeuSlice *slice);

/*
 * Executes the next instruction and reports it. Returns false if the slice
 * stops there, or if the host has halted it before.
 */
bool veu_slice_run_one(VeuSlice *slice);

/*
 * Runs instructions until one faults, a barrier is reached, another thread
 * waits for the step, or they have cost @limit pieces. Returns the number of
 * pieces; the remainder stays in the flow's cost. Sets *ended if no lane is
 * left.
 */
static inline unsigned veu_slice_run_instructions(VeuSlice *s, unsigned limit,
                                                  bool *ended)
{
    VeuFlow *flow = s->eu.flow;
    uint32_t cost = limit * VEU_INSTRUCTION_UNIT;
    unsigned pieces;

    if (__builtin_expect(s->eu.profile != NULL, 0)) {
        s->eu.profile->started = veu_slice_started_lanes(s);
    }
    while (flow->cost < cost && veu_has_instruction(&s->eu)) {
        if ((s->one_by_one || !veu_run_handlers(&s->eu, cost)) &&
            !veu_slice_run_one(s)) {
            break;
        }
        if (flow->at_barrier || veu_is_awaited(s->eu.awaited)) {
            break;
        }
    }
    *ended = !veu_has_instruction(&s->eu);
    pieces = flow->cost / VEU_INSTRUCTION_UNIT;
    flow->cost %= VEU_INSTRUCTION_UNIT;
    return pieces;
}

/* Emits an event of the EU thread: see veu_slice_tell(). */
void veu_slice_emit(const VeuSlice *slice, VeuEventKind kind, const char *name,
                    uint32_t at, uint32_t value);
/* For veu_slice_pass_rules(): applies the rules, if there are any. */
bool veu_slice_ask_rules(VeuSlice *slice, uint8_t point, uint64_t address,
                         uint32_t bytes, enum veu_access access);
/* For veu_slice_read(): reads memory that is not in the last extent. */
bool veu_slice_read_pieces(VeuSlice *slice, uint64_t address, void *to,
                           uint32_t bytes);

/*
 * Returns false with a fault if a rule for @point (VEU_INJECT_*) has stopped
 * the EU thread where it accesses @bytes. Rules have an observer.
 */
static inline bool veu_slice_pass_rules(VeuSlice *s, uint8_t point,
                                        uint64_t address, uint32_t bytes,
                                        enum veu_access access)
{
    return __builtin_expect(!s->eu.observer, 1) ||
           veu_slice_ask_rules(s, point, address, bytes, access);
}

/*
 * Reads a part of the EU thread's initial state. Returns false with a fault.
 */
static inline bool veu_slice_read(VeuSlice *s, uint64_t address, void *to,
                                  uint32_t bytes)
{
    const VeuExtent *last = &s->eu.mem->kept[0].last;

    veu_mem_forget_misses(s->eu.mem);
    if (!bytes || !veu_extent_has(last, address, bytes)) {
        return veu_slice_read_pieces(s, address, to, bytes);
    }
    veu_guest_read(to, veu_extent_at(last, address), bytes);
    return true;
}

/*
 * Reports the start or the end of an EU thread, or one of its instructions, if
 * the host wants such events.
 */
static inline void veu_slice_tell(const VeuSlice *s, VeuEventKind kind,
                                  const char *name, uint32_t at, uint32_t value)
{
    if (__builtin_expect(s->events & 1u << kind, 0)) {
        veu_slice_emit(s, kind, name, at, value);
    }
}

#endif
