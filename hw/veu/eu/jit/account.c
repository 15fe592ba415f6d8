/*
 * veu execution unit: what the messages of host code cost, and what they count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/jit/account.h"
#include "hw/veu/eu/jit/jumps.h"

#define COST  VEU_RAX
#define OTHER VEU_R11

static const VeuInstruction *step(const VeuJit *t, uint32_t n)
{
    return &t->program->instructions[t->first + n];
}

/* Returns the first message from step @n on, or @end. */
static uint32_t next_message(const VeuJit *t, uint32_t n, uint32_t end)
{
    while (n < end && step(t, n)->stop != VEU_STOP_MESSAGE) {
        n++;
    }
    return n;
}

/* ---- cost ---- */

void veu_jit_begin_part(VeuJit *t, uint32_t from, uint32_t end)
{
    t->due = from;
    for (uint32_t n = from; n < end; n++) {
        if (step(t, n)->stop == VEU_STOP_MESSAGE) {
            t->due = n + 1;
        }
    }
}

/* COST becomes the cost from step @from on, up to what is ahead of @due. */
static void load_cost(VeuJit *t, uint32_t from, uint32_t due)
{
    uint32_t cost = 0;

    for (uint32_t n = from; n < due; n++) {
        cost += step(t, n)->cost;
    }
    veu_emit_load(t->emit, COST, VEU_STEP,
                  (int32_t)(due * sizeof(VeuHandlerStep) +
                            offsetof(VeuHandlerStep, ahead)),
                  false);
    if (cost) {
        veu_emit_with_number(t->emit, VEU_NUMBER_ADD, COST, cost, false);
    }
}

void veu_jit_pay_from(VeuJit *t, uint32_t from, VeuJitJumps *leaves)
{
    VeuEmit *e = t->emit;

    veu_masks_need_flow(&t->masks);
    load_cost(t, from, t->due);
    veu_emit_with_memory(e, VEU_GENERAL_ADD, COST, VEU_FLOW,
                         offsetof(VeuFlow, cost), false);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, COST, VEU_THREAD,
                         offsetof(VeuThread, cost_limit), false);
    veu_jit_jump_if(e, leaves, VEU_IF_ABOVE);
    veu_jit_stop_if_awaited(e, leaves, OTHER);
    veu_emit_store(e, COST, VEU_FLOW, offsetof(VeuFlow, cost), false);
}

void veu_jit_pay_part(VeuJit *t, VeuJitJumps *leaves)
{
    uint32_t at = next_message(t, 0, t->due) + 1;

    if (at <= t->due) {
        veu_jit_pay_from(t, at, leaves);
    }
}

void veu_jit_give_back(VeuJit *t, uint32_t due, uint32_t n)
{
    uint32_t at = next_message(t, n, due) + 1;

    if (at > due) {
        return;
    }
    load_cost(t, at, due);
    veu_emit_unary(t->emit, VEU_UNARY_NEG, COST);
    veu_emit_load(t->emit, VEU_FLOW, VEU_THREAD, offsetof(VeuThread, flow),
                  true);
    veu_emit_with_memory(t->emit, VEU_GENERAL_ADD, COST, VEU_FLOW,
                         offsetof(VeuFlow, cost), false);
    veu_emit_store(t->emit, COST, VEU_FLOW, offsetof(VeuFlow, cost), false);
}

/* ---- counts ---- */

static uint32_t row_bytes(const VeuMessageRow *row)
{
    return VEU_ROW_LANES * row->elements * row->bytes;
}

void veu_jit_count_row(VeuJit *t, const VeuMessageRow *row)
{
    t->counts.messages++;
    t->counts.lanes += row->elements ? VEU_ROW_LANES : 1;
    t->counts.bytes += row_bytes(row);
}

static void add(VeuEmit *e, uint32_t messages, uint32_t lanes, uint32_t bytes)
{
    veu_emit_load(e, OTHER, VEU_THREAD, offsetof(VeuThread, message_sum), true);
    veu_emit_add_to_memory(e, messages, OTHER,
                           offsetof(VeuMessageSum, messages));
    veu_emit_add_to_memory(e, lanes, OTHER, offsetof(VeuMessageSum, lanes));
    veu_emit_add_to_memory(e, bytes, OTHER,
                           offsetof(VeuMessageSum, moved_bytes));
}

void veu_jit_add_counts(VeuEmit *e, VeuJitCounts counts)
{
    if (counts.messages) {
        add(e, counts.messages, counts.lanes, counts.bytes);
    }
}

void veu_jit_take_row(VeuEmit *e, const VeuMessageRow *row)
{
    add(e, -1u, -(uint32_t)VEU_ROW_LANES, -row_bytes(row));
}
