/*
 * veu device model: the EU threads of a group of a KERNEL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Most EU threads run from start to end without a stop. Such a thread runs in
 * the slice's own block (VeuSlice.flow and payload), which stays in the host's
 * nearest cache, while the blocks of all groups exceed it. A thread that stops
 * before its end moves to its block in the arena: only there is it between two
 * turns.
 */
#include <string.h>
#include <sys/param.h>
#include "hw/veu/device/group_thread.h"
#include "hw/veu/device/host/inject.h"
#include "hw/veu/device/model.h"
#include "hw/veu/eu/instruction/handler_start.h"
#include "hw/veu/eu/program/payload.h"

/* Gives an EU thread that starts the slice's own block. */
static void enter_own_block(VeuSlice *s)
{
    s->eu.flow = &s->flow;
    s->eu.predicates = (uint32_t *)(s->payload +
                                    sizeof(struct veu_payload_header));
    s->eu.addresses = (uint16_t *)(s->eu.predicates +
                                   s->eu.program->predicate_count);
    s->eu.registers = s->payload + veu_payload_registers_at(s->eu.program);
}

/* Moves the EU thread from the slice's own block to its block in the arena. */
static __attribute__((noinline)) void leave_own_block(VeuSlice *s)
{
    const uint32_t *operands = s->eu.predicates;

    veu_group_place_thread(s->ring->launch, s->area, s->thread, &s->eu);
    *s->eu.flow = s->flow;
    memcpy(s->eu.predicates, operands, s->image.operand_bytes);
}

/*
 * Returns true if EU threads that start have the slice's own block. Those that
 * will wait at a barrier would have to move; those that the host watches are
 * always where it finds them.
 */
static bool has_own_block(const VeuSlice *s)
{
    return !s->eu.program->has_barrier && !s->one_by_one && !s->eu.profile &&
           s->eu.message_sum && !(s->events & 1u << VEU_EVENT_THREAD);
}

/* The host address of guest memory if the last extent has it, else NULL. */
static const uint8_t *place_in_last(const VeuSlice *s, uint64_t address,
                                    uint64_t bytes)
{
    const VeuExtent *last = &s->eu.mem->kept[0].last;

    return veu_extent_has(last, address, bytes) ? veu_extent_at(last, address) :
                                                  NULL;
}

/*
 * Writes the operands of an EU thread whose inputs are in memory that is not
 * known, and learns where they are. Rules of fault injection must see each EU
 * thread. Returns false with a fault.
 */
static bool look_up_inputs(VeuSlice *s)
{
    const struct veu_command_kernel *c = &s->ring->command.kernel;
    uint8_t *to = s->eu.registers + s->image.inputs_at;
    uint64_t ids = c->local_id_address +
                   (uint64_t)s->thread * c->local_id_bytes;
    const uint8_t *all_ids;

    veu_image_clear((uint8_t *)s->eu.predicates, &s->image);
    if (!veu_slice_pass_rules(s, VEU_INJECT_START, c->cross_thread_address,
                              c->cross_thread_bytes, VEU_ACCESS_READ) ||
        !veu_slice_read(s, ids, to, c->local_id_bytes)) {
        return false;
    }
    all_ids = place_in_last(s, c->local_id_address,
                            (uint64_t)c->threads * c->local_id_bytes);
    if (!veu_slice_read(s, c->cross_thread_address, to + c->local_id_bytes,
                        c->cross_thread_bytes)) {
        return false;
    }
    s->image.cross_thread = place_in_last(s, c->cross_thread_address,
                                          c->cross_thread_bytes);
    s->image.local_ids = s->image.cross_thread && !s->eu.observer ? all_ids :
                                                                    NULL;
    return true;
}

/* Writes %hw_id, and where the EU thread's scratch memory is. */
static void write_slot(VeuSlice *s)
{
    uint32_t slot = s->slot + s->thread;
    uint32_t scratch = slot * s->ring->command.kernel.scratch_bytes;
    uint64_t hw_id = slot;

    memcpy(s->eu.registers + VEU_R0_SCRATCH * sizeof(scratch), &scratch,
           sizeof(scratch));
    memcpy(s->eu.registers +
               s->eu.program->predefined[VEU_PREDEFINED_HW_ID].offset,
           &hw_id, s->ring->launch->groups.hw_id_bytes);
}

/* Writes the operands that an EU thread starts with, or fails with a fault. */
static inline bool write_operands(VeuSlice *s)
{
    if (!s->image.local_ids) {
        if (!look_up_inputs(s)) {
            return false;
        }
    } else {
        veu_image_write((uint8_t *)s->eu.predicates, &s->image, s->thread);
    }
    if (s->ring->launch->groups.has_slot) {
        write_slot(s);
    }
    return true;
}

/* The number of pieces that the start has taken. */
static unsigned start_pieces(const VeuSlice *s)
{
    return veu_slice_waits(s) ? 0 : s->ring->launch->groups.start_pieces;
}

static unsigned start_thread(VeuSlice *s, uint8_t *state)
{
    if (write_operands(s)) {
        veu_flow_start(&s->eu, veu_slice_kernel_lanes(s));
        *state = VEU_GROUP_THREAD_RUNS;
        veu_slice_tell(s, VEU_EVENT_THREAD, "start", 0, 0);
    }
    return start_pieces(s);
}

/* Returns the piece that it takes. */
static inline unsigned end_thread(VeuSlice *s, VeuGroup *g, uint8_t *state)
{
    *state = VEU_GROUP_THREAD_ENDED;
    g->ended++;
    veu_slice_tell(s, VEU_EVENT_THREAD, "end", 0, 1);
    return 1;
}

/* Runs up to @limit pieces of an EU thread that has started. */
static unsigned run_started(VeuSlice *s, VeuGroup *g, uint8_t *state,
                            unsigned limit)
{
    bool ended;
    unsigned pieces = veu_slice_run_instructions(s, limit, &ended);

    if (s->eu.flow->at_barrier) {
        *state = VEU_GROUP_THREAD_WAITS;
    } else if (ended && pieces < limit) {
        pieces += end_thread(s, g, state);
    }
    return pieces;
}

/* Runs up to @limit pieces of an EU thread in its block in the arena. */
static unsigned run_in_arena(VeuSlice *s, VeuGroup *g, uint8_t *state,
                             unsigned limit)
{
    unsigned pieces = 0;

    veu_group_place_thread(s->ring->launch, s->area, s->thread, &s->eu);
    if (*state == VEU_GROUP_THREAD_START) {
        pieces = start_thread(s, state);
    }
    if (*state != VEU_GROUP_THREAD_START && pieces < limit) {
        pieces += run_started(s, g, state, limit - pieces);
    }
    return pieces;
}

/* Proceeds with an EU thread that has not ended in its first handlers. */
static __attribute__((noinline)) unsigned run_further(VeuSlice *s, VeuGroup *g,
                                                      uint8_t *state,
                                                      unsigned limit)
{
    unsigned pieces = run_started(s, g, state, limit);

    if (*state != VEU_GROUP_THREAD_ENDED) {
        leave_own_block(s);
    }
    return pieces;
}

/* Returns true if the EU thread after @n, if it can run, may have its turn. */
static inline bool may_pass(const VeuSlice *s, uint32_t n, uint32_t end)
{
    return n + 1 < end && !veu_is_awaited(s->eu.awaited);
}

/*
 * Starts EU threads, one after the other, while each of them ends in its first
 * handlers. The last one is run like run_in_arena(). Returns the pieces.
 */
static unsigned run_in_own_block(VeuSlice *s, VeuGroup *g, VeuGroupLimits l)
{
    const unsigned start = s->ring->launch->groups.start_pieces;
    VeuWait waits[VEU_MAX_LANES + 1];
    unsigned pieces = 0, left;
    VeuStart common;

    enter_own_block(s);
    common = veu_start_open(&s->eu, waits);
    for (uint32_t n = g->thread;; n++) {
        uint8_t *state = s->area + n;

        g->thread = n;
        s->thread = n;
        if (!write_operands(s)) {
            return pieces + start_pieces(s);
        }
        pieces += start;
        left = l.most - MIN(pieces, l.most);
        if (!veu_run_new(&s->eu, &common, veu_slice_kernel_lanes(s),
                         left * VEU_INSTRUCTION_UNIT) ||
            s->flow.cost / VEU_INSTRUCTION_UNIT >= left) {
            *state = VEU_GROUP_THREAD_RUNS;
            return pieces + run_further(s, g, state, left);
        }
        pieces += s->flow.cost / VEU_INSTRUCTION_UNIT + end_thread(s, g, state);
        if (pieces >= l.begin || !may_pass(s, n, l.end) ||
            state[1] != VEU_GROUP_THREAD_START) {
            return pieces;
        }
    }
}

/*
 * Passes the turn on if the EU thread has ended, or waits at a barrier, and the
 * one after it is before @end and can run. Returns false if not.
 */
static inline bool pass_on(const VeuSlice *s, VeuGroup *g, uint32_t end)
{
    const uint8_t *state = s->area + g->thread;

    if (veu_group_is_ready(*state) || !may_pass(s, g->thread, end) ||
        !veu_group_is_ready(state[1])) {
        return false;
    }
    g->thread++;
    return true;
}

unsigned veu_group_run_threads(VeuSlice *s, VeuGroup *g,
                               const VeuGroupLimits *l)
{
    unsigned pieces = 0;

    do {
        uint8_t *state = s->area + g->thread;

        s->thread = g->thread;
        if (s->has_own_block && *state == VEU_GROUP_THREAD_START) {
            pieces += run_in_own_block(s, g,
                                       (VeuGroupLimits){ l->begin - pieces,
                                                         l->most - pieces,
                                                         l->end });
        } else {
            pieces += run_in_arena(s, g, state, l->most - pieces);
        }
    } while (pieces < l->begin && pass_on(s, g, l->end));
    return pieces;
}

void veu_group_begin_threads(VeuSlice *s)
{
    const struct veu_command_kernel *c = &s->ring->command.kernel;
    const VeuGroups *all = &s->ring->launch->groups;

    s->has_own_block = has_own_block(s);
    s->image.operand_bytes = all->thread_bytes - all->operands_at;
    s->image.registers_at = all->registers_at - all->operands_at;
    s->image.inputs_at = s->eu.program->grf_bytes;
    s->image.local_id_bytes = c->local_id_bytes;
    s->image.cross_thread_bytes = c->cross_thread_bytes;
}
