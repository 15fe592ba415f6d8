/*
 * veu execution unit: compiling steps of a program to host code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <string.h>
#include "hw/veu/eu/array.h"
#include "hw/veu/eu/instruction/flow.h"
#include "hw/veu/eu/instruction/handler.h"
#include "hw/veu/eu/instruction/handler_step.h"
#include "hw/veu/eu/jit/account.h"
#include "hw/veu/eu/jit/jumps.h"
#include "hw/veu/eu/jit/blocks.h"
#include "hw/veu/eu/jit/jit.h"
#include "hw/veu/eu/jit/lanes.h"
#include "hw/veu/eu/jit/messages.h"
#include "hw/veu/eu/jit/runs.h"

bool veu_jit_is_available(void)
{
#if defined(__x86_64__)
    return veu_cpu >= VEU_CPU_AVX2;
#else
    return false;
#endif
}

uint32_t veu_jit_bytes(const VeuProgramRoom *room)
{
    return 4096 + room->instructions * 384 + room->messages * 3072;
}

/* ---- steps without lanes ---- */

/* A state variable becomes a number, if any lane runs. */
static void compile_state(VeuJit *t, const VeuHandlerStep *s)
{
    VeuLanes lanes = veu_jit_step_lanes(t, s, 0);
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
    if (s->to < VEU_JIT_STATES) {
        t->states[s->to] = (VeuJitState){ !lanes.is_some, s->value };
    }
}

/* rax or r11 = the predicate that is source @k of a logic operation. */
static void load_logic(VeuJit *t, const VeuHandlerStep *s, unsigned k,
                       unsigned to)
{
    uint32_t bits = s->value >> 32 * k;

    veu_emit_load(t->emit, to, VEU_PREDICATES, veu_predicate_at(s->from[k]),
                  false);
    if (s->from[2] >> k & 1) {
        veu_emit_unary(t->emit, VEU_UNARY_NOT, to);
    }
    if (bits != UINT32_MAX) {
        veu_emit_with_number(t->emit, VEU_NUMBER_AND, to, bits, false);
    }
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
    VeuLanes lanes = veu_jit_step_lanes(t, s, 0);

    veu_masks_need_predicates(&t->masks);
    load_logic(t, s, 0, VEU_RAX);
    load_logic(t, s, 1, VEU_LANES);
    veu_emit_general(t->emit, operations[i->row], VEU_RAX, VEU_LANES, false);
    veu_jit_store_predicate(t, s, &lanes);
}

/* ---- runs ---- */

static void compile_step(VeuJit *t, const VeuRun *run, uint32_t n)
{
    const VeuInstruction *i = &run->program->instructions[run->at + n];
    const VeuHandlerStep *s = &run->program->steps[run->at + n];

    if (s->is_empty) {
        return;
    }
    if (i->stop == VEU_STOP_MESSAGE) {
        veu_jit_message(t, run->at + n, n,
                        n + 1 == run->count && !run->has_goto);
    } else if (i->row == VEU_HANDLER_ROW_STATE) {
        compile_state(t, s);
    } else if (i->row > VEU_HANDLER_ROW_STATE) {
        compile_logic(t, i, s);
    } else {
        veu_jit_row(t, i, s);
    }
}

/*
 * Where other lanes wait, or the cost's limit is, within the run, where %cr0
 * flushes subnormal numbers or rounds otherwise than to nearest, or where no
 * messages are executed, the step's own handler continues.
 */
static VeuJitJumps emit_entry(VeuEmit *e, const VeuRun *run)
{
    VeuJitJumps leaves = { .count = 0 };

    veu_emit_load(e, VEU_RAX, VEU_THREAD, offsetof(VeuThread, steps_end), true);
    veu_emit_general(e, VEU_GENERAL_SUB, VEU_RAX, VEU_STEP, true);
    veu_emit_with_number(e, VEU_NUMBER_COMPARE, VEU_RAX,
                         run->count * sizeof(VeuHandlerStep), true);
    veu_jit_jump_if(e, &leaves, VEU_IF_BELOW);
    if (run->unless) {
        veu_emit_test_bits(e, VEU_THREAD, offsetof(VeuThread, floats),
                           run->unless);
        veu_jit_jump_if(e, &leaves, VEU_IF_NOT_EQUAL);
    }
    if (run->messages) {
        veu_emit_load(e, VEU_RAX, VEU_THREAD, offsetof(VeuThread, message_sum),
                      true);
        veu_emit_general(e, VEU_GENERAL_TEST, VEU_RAX, VEU_RAX, true);
        veu_jit_jump_if(e, &leaves, VEU_IF_EQUAL);
    }
    return leaves;
}

static void emit_leave(VeuJit *t, const VeuJitJumps *leaves,
                       const VeuHandlerStep *first)
{
    veu_jit_land(t->emit, leaves);
    veu_emit_jump_to(t->emit, first->handler[t->some]);
}

static void end_run(VeuJit *t, const VeuRun *run)
{
    const VeuProgram *p = run->program;
    uint32_t next = run->at + run->count;

    if (run->messages) {
        veu_emit_number(t->emit, VEU_RCX, t->some);
    }
    veu_emit_with_number(t->emit, VEU_NUMBER_ADD, VEU_STEP,
                         run->count * sizeof(VeuHandlerStep), true);
    veu_jit_end(t, next < p->instruction_count && p->steps[next].is_empty);
}

/* The goto after @n steps of the run. */
static void end_with_goto(VeuJit *t, const VeuRun *run, uint32_t n)
{
    if (run->messages) {
        veu_emit_number(t->emit, VEU_RCX, t->some);
    }
    if (n) {
        veu_emit_with_number(t->emit, VEU_NUMBER_ADD, VEU_STEP,
                             n * sizeof(VeuHandlerStep), true);
    }
    veu_jit_goto(t, &run->program->steps[run->at + n]);
}

/* Steps @n to @end of the run, at the end of which its messages count. */
static void compile_steps(VeuJit *t, const VeuRun *run, uint32_t n,
                          uint32_t end)
{
    for (; n < end && !t->emit->full; n++) {
        compile_step(t, run, n);
    }
    veu_jit_add_counts(t->emit, t->counts);
    t->counts = (VeuJitCounts){ 0 };
}

/* The run ends with a goto past its last steps, which only some lanes take. */
static void compile_block(VeuJit *t, const VeuRun *run, uint32_t at)
{
    bool some = t->some;
    VeuJitBlock block = veu_jit_block_begin(t, run, at);

    compile_steps(t, run, at + 1, run->count);
    t->some = some;
    end_run(t, run);
    veu_jit_block_leave(t, &block);
    end_with_goto(t, run, at);
}

static void compile_run(VeuEmit *e, const VeuRun *run, bool some)
{
    uint32_t plain = run->count - run->has_goto - run->block;
    VeuJitJumps leaves;
    VeuJit t;

    t.emit = e;
    t.program = run->program;
    t.some = some;
    t.in_block = false;
    t.call_count = 0;
    t.stops.count = 0;
    t.counts = (VeuJitCounts){ 0 };
    memset(t.states, 0, sizeof(t.states));
    veu_values_begin(&t.values, e);
    veu_masks_begin(&t.masks, e);
    leaves = emit_entry(e, run);
    t.first = run->at;
    t.body = e->used;
    veu_jit_begin_part(&t, 0, plain - veu_run_ends_with_message(run));
    veu_jit_pay_part(&t, &leaves);
    compile_steps(&t, run, 0, plain);
    if (run->block) {
        compile_block(&t, run, plain);
    } else if (run->has_goto) {
        end_with_goto(&t, run, plain);
    } else if (!veu_run_ends_with_message(run)) {
        end_run(&t, run);
    }
    veu_jit_message_calls(&t);
    emit_leave(&t, &leaves, &run->program->steps[run->at]);
}

/* Both codes, or none, become the first step's handlers. */
static void install(const VeuRun *run, VeuHostCode *code)
{
    VeuEmit e = { .bytes = code->writable,
                  .used = code->used,
                  .size = code->bytes,
                  .longest = veu_emit_longest() };
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

uint32_t veu_jit_compile(VeuProgram *p, VeuHostCode *code, uint32_t at)
{
    while (at < p->instruction_count) {
        VeuRun run = veu_run_find(p, at);

        if (veu_run_is_open(&run)) {
            break;
        }
        if (run.count) {
            install(&run, code);
        }
        at += veu_run_has_long_block(&run) ? run.count - run.block :
              run.count                    ? run.count :
                                             1;
    }
    return at;
}
