/*
 * veu execution unit: host code for messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/eu/instruction/handler_parts.h"
#include "hw/veu/eu/jit/account.h"
#include "hw/veu/eu/jit/blocks.h"
#include "hw/veu/eu/jit/jumps.h"
#include "hw/veu/eu/jit/lanes.h"
#include "hw/veu/eu/jit/message_code.h"
#include "hw/veu/eu/jit/message_lanes.h"
#include "hw/veu/eu/jit/message_rows.h"
#include "hw/veu/eu/jit/messages.h"

/* After a message that writes %cr0, its handler reads it again. */
const VeuMessageRow *veu_jit_message_row(const VeuProgram *p, uint32_t at)
{
    const VeuInstruction *i = &p->instructions[at];
    const VeuMessageRow *row = i->stop == VEU_STOP_MESSAGE ?
                                   veu_message_row(&p->messages[i->target]) :
                                   NULL;

    return row && !veu_handler_has_cr0(p, p->steps[at].from[VEU_STEP_DATA],
                                       row->elements *
                                           VEU_HANDLER_MESSAGE_BYTES) ?
               row :
               NULL;
}

static void call_if(VeuJit *t, unsigned condition)
{
    veu_jit_jump_if(t->emit, &t->calls[t->call_count].calls, condition);
}

/* For lanes that are in no row. */
static void scatter_if(VeuJit *t, unsigned condition)
{
    VeuJitCall *c = &t->calls[t->call_count];

    if (veu_jit_takes_lanes(t, c->row)) {
        veu_jit_jump_if(t->emit, &c->lanes, condition);
    } else {
        call_if(t, condition);
    }
}

/* ---- rows ---- */

/* A row has all lanes. */
static void check_lanes(VeuJit *t, const VeuHandlerStep *s)
{
    if (!veu_jit_runs_whole(t, s, VEU_ROW_LANES)) {
        veu_jit_load_active(t, s);
        veu_emit_with_number(t->emit, VEU_NUMBER_COMPARE, OTHER, VEU_ROW_MASK,
                             false);
        scatter_if(t, VEU_IF_NOT_EQUAL);
    }
}

/*
 * The bytes that all lanes access together: they are in a row, or at the same
 * place if they have several elements each.
 */
static unsigned bytes_of(const VeuMessageRow *row)
{
    return row->bytes * (row->elements > 1 ? row->elements : VEU_ROW_LANES);
}

/* AT becomes the first offset, and OTHER the end of what lanes access. */
static void check_offsets(VeuJit *t, const VeuMessageRow *row)
{
    const VeuJitCall *c = &t->calls[t->call_count];
    VeuEmit *e = t->emit;

    scatter_if(t, veu_jit_row_compare(t, c));
    if (row->bytes > 1) {
        veu_emit_test_number(e, AT, row->bytes - 1);
        call_if(t, VEU_IF_NOT_EQUAL);
    }
    veu_emit_general(e, VEU_GENERAL_MOVE, OTHER, AT, true);
    veu_emit_with_number(e, VEU_NUMBER_ADD, OTHER, bytes_of(row), true);
}

/* ---- where it is ---- */

/* AT becomes the surface. Calls if the table has none of its number. */
static void find_surface(VeuJit *t, const VeuHandlerStep *s)
{
    VeuEmit *e = t->emit;

    veu_emit_load(e, SCRATCH, VEU_FLOW,
                  offsetof(VeuFlow, states) +
                      s->from[VEU_STEP_STATE] * sizeof(uint32_t),
                  false);
    veu_emit_load(e, AT, VEU_THREAD, OFFSET(surfaces), true);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, SCRATCH, AT,
                         offsetof(VeuSurfaceTable, count), false);
    call_if(t, VEU_IF_NOT_BELOW);
    veu_emit_general(e, VEU_GENERAL_MOVE, OTHER, SCRATCH, false);
    veu_emit_multiply(e, OTHER, sizeof(VeuSurface));
    veu_emit_general(e, VEU_GENERAL_ADD, AT, OTHER, true);
    veu_emit_with_number(e, VEU_NUMBER_ADD, AT,
                         offsetof(VeuSurfaceTable, surface), true);
    veu_emit_with_number(e, VEU_NUMBER_AND, SCRATCH, VEU_MEM_BUFFERS - 1,
                         false);
    veu_emit_multiply(e, WINDOW, sizeof(VeuMemWindow));
    veu_emit_with_memory(e, VEU_GENERAL_ADD, WINDOW, VEU_THREAD, OFFSET(mem),
                         true);
}

/* Like find_surface(), for an entry of the table whose number is known. */
static void take_surface(VeuJit *t, uint32_t index)
{
    VeuEmit *e = t->emit;

    veu_emit_load(e, AT, VEU_THREAD, OFFSET(surfaces), true);
    veu_emit_with_number(e, VEU_NUMBER_ADD, AT,
                         offsetof(VeuSurfaceTable, surface) +
                             index * sizeof(VeuSurface),
                         true);
    veu_emit_load(e, WINDOW, VEU_THREAD, OFFSET(mem), true);
    t->calls[t->call_count].window_byte = (int32_t)(index % VEU_MEM_BUFFERS *
                                                    sizeof(VeuMemWindow));
}

static const VeuJitState *known_state(const VeuJit *t, const VeuHandlerStep *s)
{
    uint32_t number = s->from[VEU_STEP_STATE];
    const VeuJitState *state = number < VEU_JIT_STATES ? &t->states[number] :
                                                         NULL;

    return state && state->is_known && state->value < VEU_LIMIT_SURFACES ?
               state :
               NULL;
}

/* Calls unless the surface has a window. */
static void find_window(VeuJit *t, const VeuHandlerStep *s)
{
    const VeuJitState *state = known_state(t, s);

    if (state) {
        take_surface(t, state->value);
    } else {
        find_surface(t, s);
    }
    veu_emit_with_memory(t->emit, VEU_GENERAL_COMPARE, AT, WINDOW,
                         WINDOW_AT(&t->calls[t->call_count], owner), true);
    call_if(t, VEU_IF_NOT_EQUAL);
}

/* Calls unless each page of the bytes at AT has been noted. */
static void check_noted(VeuJit *t, unsigned bytes)
{
    VeuEmit *e = t->emit;
    uint32_t untracked;

    veu_emit_load(e, OTHER, WINDOW, WINDOW_AT(&t->calls[t->call_count], noted),
                  true);
    veu_emit_general(e, VEU_GENERAL_TEST, OTHER, OTHER, true);
    untracked = veu_emit_jump_if(e, VEU_IF_EQUAL);
    for (unsigned last = 0; last < 2; last++) {
        veu_emit_general(e, VEU_GENERAL_MOVE, SCRATCH, AT, true);
        if (last) {
            veu_emit_with_number(e, VEU_NUMBER_ADD, SCRATCH, bytes - 1, true);
        }
        veu_emit_shift(e, VEU_SHIFT_RIGHT, SCRATCH, VEU_PAGE_BITS, true);
        veu_emit_general(e, VEU_GENERAL_ADD, SCRATCH, OTHER, true);
        veu_emit_test_byte(e, SCRATCH, 0);
        call_if(t, VEU_IF_EQUAL);
    }
    veu_emit_land(e, untracked);
}

static void find_in_buffer(VeuJit *t, const VeuHandlerStep *s,
                           const VeuMessageRow *row)
{
    const VeuJitCall *c = &t->calls[t->call_count];
    VeuEmit *e = t->emit;

    find_window(t, s);
    check_lanes(t, s);
    check_offsets(t, row);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, OTHER, WINDOW,
                         WINDOW_AT(c, end), true);
    scatter_if(t, VEU_IF_ABOVE);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, AT, WINDOW,
                         WINDOW_AT(c, first), true);
    scatter_if(t, VEU_IF_BELOW);
    veu_emit_with_memory(e, VEU_GENERAL_ADD, AT, WINDOW, WINDOW_AT(c, host),
                         true);
    if (row->stores) {
        check_noted(t, bytes_of(row));
    }
}

static void find_in_slm(VeuJit *t, const VeuHandlerStep *s,
                        const VeuMessageRow *row)
{
    check_lanes(t, s);
    check_offsets(t, row);
    veu_emit_with_memory(t->emit, VEU_GENERAL_COMPARE, OTHER, VEU_THREAD,
                         OFFSET(slm_bytes), false);
    scatter_if(t, VEU_IF_ABOVE);
    veu_emit_with_memory(t->emit, VEU_GENERAL_ADD, AT, VEU_THREAD, OFFSET(slm),
                         true);
}

/* ---- messages ---- */

/* Vector registers are loaded first: loading them may change general ones. */
static void compile_row(VeuJit *t, const VeuHandlerStep *s,
                        const VeuMessageRow *row)
{
    VeuJitCall *c = &t->calls[t->call_count];

    veu_jit_row_load(t, c);
    if (row->slm) {
        find_in_slm(t, s, row);
    } else {
        find_in_buffer(t, s, row);
    }
    veu_jit_row_move(t, c);
}

static int32_t step_byte(uint32_t n)
{
    return (int32_t)(n * sizeof(VeuHandlerStep));
}

/* Other lanes may wait at the step after the run, or the program ends there. */
static void end_run(VeuJit *t, uint32_t n)
{
    VeuEmit *e = t->emit;
    uint32_t waits;

    veu_jit_add_counts(e, t->counts);
    t->counts = (VeuJitCounts){ 0 };
    veu_emit_number(e, VEU_RCX, t->some);
    veu_emit_with_number(e, VEU_NUMBER_ADD, VEU_STEP, step_byte(n + 1), true);
    veu_emit_with_memory(e, VEU_GENERAL_COMPARE, VEU_STEP, VEU_THREAD,
                         OFFSET(steps_end), true);
    waits = veu_emit_jump_if(e, VEU_IF_EQUAL);
    veu_emit_load(e, SCRATCH, VEU_STEP, offsetof(VeuHandlerStep, ahead), false);
    veu_jit_pay(e, &t->stops);
    veu_emit_jump_through(e, VEU_STEP,
                          offsetof(VeuHandlerStep, handler) +
                              t->some * sizeof(VeuHandler *));
    veu_emit_land(e, waits);
    veu_emit_jump_to(e, veu_handler_join);
}

void veu_jit_message(VeuJit *t, uint32_t at, uint32_t n, bool is_last)
{
    const VeuHandlerStep *s = &t->program->steps[at];
    const VeuInstruction *i = &t->program->instructions[at];
    const VeuMessageRow *row = veu_message_row(
        &t->program->messages[i->target]);
    VeuJitCall *c = &t->calls[t->call_count];

    *c = (VeuJitCall){
        .step = s,
        .row = row,
        .number = n,
        .due = t->due,
        .counts = t->counts,
        .some = t->some,
        .in_block = t->in_block,
        .label_byte = t->label_byte,
        .is_whole = veu_jit_runs_whole(t, s, VEU_ROW_LANES),
    };
    veu_masks_need_flow(&t->masks);
    if (row->elements) {
        compile_row(t, s, row);
    }
    veu_values_release(&t->values);
    c->back = t->emit->used;
    c->values = t->values;
    c->masks = t->masks;
    veu_jit_count_row(t, row);
    if (is_last) {
        end_run(t, n);
    }
    t->call_count++;
}

/* ---- what is rare ---- */

static void leave(VeuJit *t, const VeuJitCall *c)
{
    veu_jit_add_counts(t->emit, c->counts);
    veu_jit_give_back(t, c->due, c->number);
    veu_emit_number(t->emit, VEU_RCX, c->some);
    veu_emit_with_number(t->emit, VEU_NUMBER_ADD, VEU_STEP,
                         step_byte(c->number), true);
    veu_emit_jump_to(t->emit, c->step->handler[c->some]);
}

/* The parameters of a handler are those of the function, too. */
static void emit_function(VeuEmit *e, const VeuJitCall *c)
{
    static const uint8_t kept[] = { VEU_THREAD, VEU_STEP, VEU_REGISTERS };

    for (unsigned n = 0; n < 3; n++) {
        veu_emit_push(e, kept[n]);
    }
    veu_emit_with_number(e, VEU_NUMBER_ADD, VEU_STEP, step_byte(c->number),
                         true);
    veu_emit_call(e, c->row->execute);
    for (unsigned n = 3; n--;) {
        veu_emit_pop(e, kept[n]);
    }
}

/* The function finds the lanes that run in the flow. */
static void emit_call(VeuJit *t, VeuJitCall *c)
{
    VeuEmit *e = t->emit;
    uint32_t fails;

    veu_jit_land(e, &c->calls);
    if (c->in_block) {
        veu_jit_block_split(t, c->label_byte);
    }
    emit_function(e, c);
    veu_emit_test_number(e, VEU_RAX, UINT8_MAX);
    fails = veu_emit_jump_if(e, VEU_IF_EQUAL);
    veu_masks_restore(&c->masks);
    if (c->in_block) {
        veu_jit_block_join(t);
    }
    veu_jit_take_row(e, c->row);
    veu_values_restore(&c->values);
    veu_jit_restore_lanes(c);
    veu_emit_jump_back(e, c->back);
    veu_emit_land(e, fails);
    leave(t, c);
}

/* A fence is never left. */
static void emit_rare(VeuJit *t, VeuJitCall *c)
{
    if (c->lanes.count) {
        veu_jit_message_lanes(t, c);
    }
    if (c->calls.count) {
        emit_call(t, c);
    }
}

/* VEU_STEP is the step after the run. */
static void emit_stop(VeuJit *t)
{
    veu_jit_land(t->emit, &t->stops);
    veu_emit_general(t->emit, VEU_GENERAL_MOVE, VEU_RAX, VEU_STEP, true);
    veu_emit_return(t->emit);
}

void veu_jit_message_calls(VeuJit *t)
{
    for (unsigned n = 0; n < t->call_count; n++) {
        emit_rare(t, &t->calls[n]);
    }
    if (t->stops.count) {
        emit_stop(t);
    }
}
