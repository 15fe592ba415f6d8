/*
 * veu execution unit: compiling steps of a program to host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/handler_parts.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/jit/jumps.h"
#include "hw/veu/eu/jit/messages.h"
#include "hw/veu/eu/jit/jit.h"
#include "hw/veu/eu/jit/code.h"

/* The most steps of a run, so that a piece of compiling is bounded. */
#define MOST_STEPS 128

bool veu_jit_is_available(void)
{
#if defined(__x86_64__)
    return veu_cpu == VEU_CPU_AVX512;
#else
    return false;
#endif
}

uint32_t veu_jit_bytes(const VeuProgramRoom *room)
{
    return 4096 + room->instructions * 192 + room->messages * 512;
}

/* ---- steps without lanes ---- */

static VeuLanes lanes_of_step(const VeuJit *t, const VeuHandlerStep *s)
{
    bool whole = !t->some &&
                 (unsigned)s->mask_offset + s->lanes <= t->program->simd;

    return (VeuLanes){ .is_some = (!s->always && !whole) || s->predicated,
                       .runs = !s->always && !whole,
                       .has_predicate = s->predicated,
                       .inverse = s->predicated && s->predication.inverse,
                       .predicate = s->predicated ? s->predication.index : 0,
                       .first = s->mask_offset };
}

/* A state variable becomes a number, if any lane runs. */
static void compile_state(VeuJit *t, const VeuHandlerStep *s)
{
    VeuLanes lanes = lanes_of_step(t, s);
    uint32_t skip = 0;

    veu_masks_need_flow(&t->masks);
    if (lanes.is_some) {
        veu_masks_general(&t->masks, VEU_LANES, &lanes);
        veu_emit_with_number(t->emit, VEU_NUMBER_AND, VEU_LANES, s->all_lanes,
                             false);
        skip = veu_emit_jump_if(t->emit, VEU_IF_EQUAL);
    }
    veu_emit_store_number(t->emit, s->value, VEU_FLOW,
                          offsetof(VeuFlow, states) + s->to * sizeof(uint32_t));
    if (lanes.is_some) {
        veu_emit_land(t->emit, skip);
    }
}

/* rax or r11 = the predicate that is source @k of a logic operation. */
static void load_logic(VeuJit *t, const VeuHandlerStep *s, unsigned k,
                       unsigned to)
{
    veu_emit_load(t->emit, to, VEU_PREDICATES, s->from[k] * sizeof(uint32_t),
                  false);
    if (s->from[2] >> k & 1) {
        veu_emit_unary(t->emit, VEU_UNARY_NOT, to);
    }
    veu_emit_with_number(t->emit, VEU_NUMBER_AND, to, s->value >> 32 * k,
                         false);
}

/* The other lanes of a predicate keep their bits. */
static void compile_logic(VeuJit *t, const VeuInstruction *i,
                          const VeuHandlerStep *s)
{
    static const uint8_t operations[] = {
        [VEU_HANDLER_ROW_AND] = VEU_GENERAL_AND,
        [VEU_HANDLER_ROW_OR] = VEU_GENERAL_OR,
        [VEU_HANDLER_ROW_XOR] = VEU_GENERAL_XOR,
    };
    int32_t at = s->to * sizeof(uint32_t);
    VeuLanes lanes = lanes_of_step(t, s);

    veu_masks_need_predicates(&t->masks);
    load_logic(t, s, 0, VEU_RAX);
    load_logic(t, s, 1, VEU_LANES);
    veu_emit_general(t->emit, operations[i->row], VEU_RAX, VEU_LANES, false);
    if (lanes.is_some) {
        veu_masks_general(&t->masks, VEU_LANES, &lanes);
        veu_emit_with_number(t->emit, VEU_NUMBER_AND, VEU_LANES, s->all_lanes,
                             false);
        veu_emit_shift(t->emit, VEU_SHIFT_LEFT, VEU_LANES, s->mask_offset);
    } else {
        veu_emit_number(t->emit, VEU_LANES, s->all_lanes << s->mask_offset);
    }
    veu_emit_general(t->emit, VEU_GENERAL_AND, VEU_RAX, VEU_LANES, false);
    veu_emit_unary(t->emit, VEU_UNARY_NOT, VEU_LANES);
    veu_emit_with_memory(t->emit, VEU_GENERAL_AND, VEU_LANES, VEU_PREDICATES,
                         at, false);
    veu_emit_general(t->emit, VEU_GENERAL_OR, VEU_RAX, VEU_LANES, false);
    veu_emit_store(t->emit, VEU_RAX, VEU_PREDICATES, at, false);
    veu_masks_forget(&t->masks, s->to);
}

/* ---- runs ---- */

typedef struct Run {
    VeuProgram *program;
    uint32_t at;    /* its first step */
    uint32_t count; /* of steps; the last one may be a goto */
    uint32_t messages;
    bool has_goto;
    bool has_floats;
    bool has_doubles;
    bool rounds;
} Run;

/* The bits of all lanes of a predicate may decide, which no code reads. */
static bool is_compiled(const VeuInstruction *i)
{
    return i->stop == VEU_STOP_NONE && !i->stage.may_fault &&
           veu_handler_has_own_lanes(i) &&
           (i->row == VEU_HANDLER_ROW_STATE || i->row == VEU_HANDLER_ROW_AND ||
            i->row == VEU_HANDLER_ROW_OR || i->row == VEU_HANDLER_ROW_XOR ||
            veu_jit_takes_row(i));
}

static void compile_step(VeuJit *t, const Run *run, uint32_t n)
{
    const VeuInstruction *i = &run->program->instructions[run->at + n];
    const VeuHandlerStep *s = &run->program->steps[run->at + n];

    if (i->stop == VEU_STOP_MESSAGE) {
        veu_jit_message(t, run->at + n, n, n + 1 == run->count);
    } else if (i->row == VEU_HANDLER_ROW_STATE) {
        compile_state(t, s);
    } else if (i->row > VEU_HANDLER_ROW_STATE) {
        compile_logic(t, i, s);
    } else {
        veu_jit_row(t, i, s);
    }
}

/* Adds the next step to the run. Returns false if it does not belong to it. */
static bool take_step(Run *run)
{
    VeuProgram *p = run->program;
    uint32_t at = run->at + run->count;
    const VeuInstruction *i = &p->instructions[at];

    if (run->messages < VEU_JIT_MESSAGES && veu_jit_message_row(p, at)) {
        run->messages++;
    } else if (is_compiled(i)) {
        run->has_floats |= veu_jit_has_floats(i);
        run->rounds |= veu_jit_rounds(i);
        run->has_doubles |= veu_jit_has_doubles(i);
    } else {
        return false;
    }
    run->count++;
    return true;
}

/* The run that begins at step @at; it is empty if that is not compiled. */
static Run find_run(VeuProgram *p, uint32_t at)
{
    Run run = { .program = p, .at = at };

    while (run.count < MOST_STEPS && at + run.count < p->instruction_count &&
           take_step(&run)) {}
    at += run.count;
    run.has_goto = at < p->instruction_count &&
                   veu_jit_takes_goto(&p->instructions[at], &p->steps[at]);
    run.count += run.has_goto;
    return run;
}

/* The jumps from a run's begin to its first step's own handler. */
typedef struct Entry {
    uint32_t jumps[5];
    unsigned count;
} Entry;

static void leave_if(VeuEmit *e, Entry *entry, unsigned condition)
{
    entry->jumps[entry->count++] = veu_emit_jump_if(e, condition);
}

static void leave_if_set(VeuEmit *e, Entry *entry, int32_t at)
{
    veu_emit_test_byte(e, VEU_THREAD, at);
    leave_if(e, entry, VEU_IF_NOT_EQUAL);
}

/*
 * Where other lanes wait, or the cost's limit is, within the run, where %cr0
 * flushes subnormal numbers or rounds otherwise than to nearest, or where no
 * messages are executed, the step's own handler continues.
 */
static Entry emit_entry(VeuEmit *e, const Run *run)
{
    Entry entry = { .count = 0 };

    veu_emit_load(e, VEU_RAX, VEU_THREAD, offsetof(VeuThread, steps_end), true);
    veu_emit_general(e, VEU_GENERAL_SUB, VEU_RAX, VEU_STEP, true);
    veu_emit_with_number(e, VEU_NUMBER_COMPARE, VEU_RAX,
                         run->count * sizeof(VeuHandlerStep), true);
    leave_if(e, &entry, VEU_IF_BELOW);
    if (run->has_floats) {
        leave_if_set(e, &entry, offsetof(VeuThread, flushes_f));
    }
    if (run->has_doubles) {
        leave_if_set(e, &entry, offsetof(VeuThread, flushes_df));
    }
    if (run->rounds) {
        leave_if_set(e, &entry, offsetof(VeuThread, rounds_otherwise));
    }
    if (run->messages) {
        veu_emit_load(e, VEU_RAX, VEU_THREAD, offsetof(VeuThread, message_sum),
                      true);
        veu_emit_general(e, VEU_GENERAL_TEST, VEU_RAX, VEU_RAX, true);
        leave_if(e, &entry, VEU_IF_EQUAL);
    }
    return entry;
}

static void emit_leave(VeuJit *t, const Entry *entry,
                       const VeuHandlerStep *first)
{
    for (unsigned n = 0; n < entry->count; n++) {
        veu_emit_land(t->emit, entry->jumps[n]);
    }
    veu_emit_jump_to(t->emit, first->handler[t->some]);
}

/* The steps of a run that are compiled one by one: all but a last goto. */
static uint32_t plain_steps(const Run *run)
{
    return run->count - run->has_goto;
}

static bool ends_with_message(const Run *run)
{
    return run->messages && !run->has_goto &&
           run->program->instructions[run->at + run->count - 1].stop ==
               VEU_STOP_MESSAGE;
}

static void emit_exit(VeuJit *t, const Run *run)
{
    const VeuProgram *p = run->program;
    uint32_t next = run->at + plain_steps(run);

    if (ends_with_message(run)) {
        return;
    }
    if (run->messages) {
        veu_emit_number(t->emit, VEU_RCX, t->some);
    }
    if (plain_steps(run)) {
        veu_emit_with_number(t->emit, VEU_NUMBER_ADD, VEU_STEP,
                             plain_steps(run) * sizeof(VeuHandlerStep), true);
    }
    if (run->has_goto) {
        veu_jit_goto(t, &p->steps[next]);
    } else {
        veu_jit_end(t, next < p->instruction_count && p->steps[next].is_empty);
    }
}

static void compile_run(VeuEmit *e, const Run *run, bool some)
{
    VeuProgram *p = run->program;
    Entry entry;
    VeuJit t;

    t.emit = e;
    t.program = p;
    t.some = some;
    t.call_count = 0;
    veu_values_begin(&t.values, e);
    veu_masks_begin(&t.masks, e);
    entry = emit_entry(e, run);
    for (uint32_t n = 0; n < plain_steps(run) && !e->full; n++) {
        compile_step(&t, run, n);
    }
    emit_exit(&t, run);
    veu_jit_message_calls(&t);
    emit_leave(&t, &entry, &p->steps[run->at]);
}

/* Both codes, or none, become the first step's handlers. */
static void install(const Run *run, VeuHostCode *code)
{
    VeuEmit e = { .bytes = code->writable,
                  .used = code->used,
                  .size = code->bytes };
    VeuHandlerStep *step = &run->program->steps[run->at];
    VeuInstruction *i = &run->program->instructions[run->at];
    uint32_t at[2];

    for (unsigned some = 0; some < 2; some++) {
        at[some] = e.used;
        compile_run(&e, run, some);
    }
    if (e.full) {
        return;
    }
    code->used = e.used;
    for (unsigned some = 0; some < 2; some++) {
        i->own[some] = step->handler[some];
        step->handler[some] = (VeuHandler *)(code->executable + at[some]);
    }
}

/* More steps may follow the last one that was decoded. */
static bool is_open(const VeuProgram *p, const Run *run)
{
    return p->code_at < p->code_bytes && !run->has_goto &&
           run->count < MOST_STEPS &&
           run->at + run->count == p->instruction_count;
}

uint32_t veu_jit_compile(VeuProgram *p, VeuHostCode *code, uint32_t at)
{
    while (at < p->instruction_count) {
        Run run = find_run(p, at);

        if (is_open(p, &run)) {
            break;
        }
        if (run.count) {
            install(&run, code);
        }
        at += run.count ? run.count : 1;
    }
    return at;
}
