/*
 * veu device model: the commands COPY and FILL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/spec.md, "COPY". A piece consists of spans, each within one page of the
 * source and one of the destination. A span is read as a whole before it is
 * written. If the destination begins inside the source, the last span is copied
 * first.
 */
#include <sys/param.h>
#include "hw/veu/device/command_fault.h"
#include "hw/veu/device/command_row.h"
#include "hw/veu/eu/range.h"
#include "hw/veu/eu/rule.h"

#define PIECE_BYTES (64 * 1024)
#define SPAN_BYTES  4096u

/* The bytes from @address to the end of its page. */
static uint32_t left_in_page(uint64_t address)
{
    return SPAN_BYTES - address % SPAN_BYTES;
}

/* The bytes from the start of the last byte's page up to @end. */
static uint32_t back_in_page(uint64_t end)
{
    return (end - 1) % SPAN_BYTES + 1;
}

/* Returns true if the destination begins inside the source. */
static bool runs_backwards(const struct veu_command_copy *copy)
{
    return copy->destination - copy->source < copy->bytes;
}

/*
 * Finds the other pages that the piece will miss, so that one request covers
 * all of them: @all bytes at @address, of which bytes_done are done, from one
 * end.
 */
static void probe_rest(VeuRing *ring, uint64_t address, uint32_t all,
                       bool backwards, enum veu_access access)
{
    uint32_t done = ring->command.bytes_done;
    uint32_t bytes = MIN(all - done, PIECE_BYTES);

    if (ring->context.mem.asks) {
        veu_mem_probe(&ring->context.mem,
                      address + (backwards ? all - done - bytes : done), bytes,
                      access);
    }
}

static void probe_copy(VeuRing *ring)
{
    const struct veu_command_copy *copy = &ring->command.copy;
    bool backwards = runs_backwards(copy);

    probe_rest(ring, copy->source, copy->bytes, backwards, VEU_ACCESS_READ);
    probe_rest(ring, copy->destination, copy->bytes, backwards,
               VEU_ACCESS_WRITE);
}

static VeuRun copy_span(VeuRing *ring, uint32_t at, uint32_t bytes)
{
    const struct veu_command_copy *copy = &ring->command.copy;
    VeuMem *mem = &ring->context.mem;
    uint8_t span[SPAN_BYTES];
    uint64_t failed;

    if (!veu_mem_read(mem, copy->source + at, span, bytes, &failed)) {
        probe_copy(ring);
        return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY, failed,
                                        bytes, VEU_ACCESS_READ);
    }
    if (!veu_mem_write(mem, copy->destination + at, span, bytes, &failed)) {
        probe_copy(ring);
        return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY, failed,
                                        bytes, VEU_ACCESS_WRITE);
    }
    ring->command.bytes_done += bytes;
    return VEU_RUN_MORE;
}

static VeuRun copy_next(VeuRing *ring, uint32_t most)
{
    const struct veu_command_copy *copy = &ring->command.copy;
    uint32_t done = ring->command.bytes_done;
    uint32_t left = copy->bytes - done;
    uint32_t bytes;

    if (!runs_backwards(copy)) {
        bytes = MIN(left_in_page(copy->source + done),
                    left_in_page(copy->destination + done));
        return copy_span(ring, done, MIN(bytes, most));
    }
    bytes = MIN(MIN(back_in_page(copy->source + left),
                    back_in_page(copy->destination + left)),
                most);
    return copy_span(ring, left - bytes, bytes);
}

/* Repeats the pattern from where the previous span ended. */
static void repeat_pattern(uint8_t *span, uint32_t bytes, uint64_t pattern,
                           uint32_t from)
{
    for (uint32_t i = 0; i < bytes; i++) {
        span[i] = pattern >> 8 * ((from + i) % sizeof(pattern));
    }
}

static VeuRun fill_next(VeuRing *ring, uint32_t most)
{
    const struct veu_command_fill *fill = &ring->command.fill;
    uint32_t done = ring->command.bytes_done;
    uint64_t to = fill->destination + done;
    uint32_t bytes = MIN(left_in_page(to), most);
    uint8_t span[SPAN_BYTES];
    uint64_t failed;

    repeat_pattern(span, bytes, fill->pattern, done);
    if (!veu_mem_write(&ring->context.mem, to, span, bytes, &failed)) {
        probe_rest(ring, fill->destination, fill->bytes, false,
                   VEU_ACCESS_WRITE);
        return veu_command_memory_fault(ring, VEU_FAULT_COMMAND_MEMORY, failed,
                                        bytes, VEU_ACCESS_WRITE);
    }
    ring->command.bytes_done += bytes;
    return VEU_RUN_MORE;
}

/*
 * Where the command must stop: at its end, or when RING_BUDGET's KiB are used
 * up.
 */
static uint32_t end_of_budget(const VeuRing *ring, uint32_t all)
{
    uint64_t kib = ring->command.cost + veu_command_budget_left(ring);

    return MIN(all, kib * VEU_COST_BYTES);
}

/*
 * Performs one piece: spans of at most @most bytes, up to the limit of a piece.
 * The command's cost is the number of whole KiB that are done.
 */
static VeuRun run_piece(VeuRing *ring, uint32_t all,
                        VeuRun (*next)(VeuRing *ring, uint32_t most))
{
    VeuCommand *c = &ring->command;
    uint32_t start = c->bytes_done;
    uint32_t end = end_of_budget(ring, all);
    VeuRun run = VEU_RUN_MORE;

    while (run == VEU_RUN_MORE && c->bytes_done < end &&
           c->bytes_done - start < PIECE_BYTES) {
        run = next(ring, end - c->bytes_done);
    }
    ring->cost += (c->bytes_done - start) / VEU_COST_BYTES;
    c->cost = c->bytes_done / VEU_COST_BYTES;
    return run == VEU_RUN_MORE && c->bytes_done == all ? VEU_RUN_DONE : run;
}

static bool bad_copy(const VeuRing *ring, uint32_t *at)
{
    const struct veu_command_copy *copy = &ring->command.copy;

    VEU_RULE(struct veu_command_copy, bytes,
             veu_range_wraps(copy->source, copy->bytes) ||
                 veu_range_wraps(copy->destination, copy->bytes));
    return false;
}

static VeuRun run_copy(VeuRing *ring)
{
    return run_piece(ring, ring->command.copy.bytes, copy_next);
}

const VeuCommandInfo veu_command_row_copy = {
    VEU_COMMAND_ROW(COPY, copy, reserved),
    .access = { VEU_COMMAND_RANGE(copy, source, READ),
                VEU_COMMAND_RANGE(copy, destination, WRITE) },
    .progress = VEU_PROGRESS_BYTES,
    .bad_field = bad_copy,
    .run = run_copy,
    .summary = "Copies memory.",
};

static bool bad_fill(const VeuRing *ring, uint32_t *at)
{
    const struct veu_command_fill *fill = &ring->command.fill;

    VEU_RULE(struct veu_command_fill, bytes,
             veu_range_wraps(fill->destination, fill->bytes));
    return false;
}

static VeuRun run_fill(VeuRing *ring)
{
    return run_piece(ring, ring->command.fill.bytes, fill_next);
}

const VeuCommandInfo veu_command_row_fill = {
    VEU_COMMAND_ROW(FILL, fill, reserved),
    .access = { VEU_COMMAND_RANGE(fill, destination, WRITE) },
    .progress = VEU_PROGRESS_BYTES,
    .bad_field = bad_fill,
    .run = run_fill,
    .summary = "Fills memory with 8 bytes.",
};
