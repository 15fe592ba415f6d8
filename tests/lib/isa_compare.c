/*
 * veu tests: the execution unit compared with the second implementation of
 * instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "tests/lib/compare.h"
#include "tests/lib/isa_compare.h"

IsaPair *isa_pair_new(void)
{
    return g_new0(IsaPair, 1);
}

static void unload(IsaPair *p)
{
    if (p->program) {
        isa_program_free(p->program);
        code_free(&p->run);
        p->program = NULL;
    }
}

void isa_pair_free(IsaPair *p)
{
    unload(p);
    g_free(p);
}

void isa_pair_join(IsaPair *p, World *w)
{
    p->world = w;
    p->thread.memory = w ? &w->thread : NULL;
}

/* Reads the device's program; returns NULL if the model cannot run it. */
static IsaProgram *read_program(const IsaPair *p)
{
    IsaProgram *program = isa_program_new(p->run.bytes);

    if (program && program->has_messages && !p->world) {
        isa_program_free(program);
        return NULL;
    }
    return program;
}

bool isa_pair_take(IsaPair *p, const Code *code)
{
    unload(p);
    if (code_load(&p->run, code)) {
        p->program = read_program(p);
        p->thread.program = p->program;
    }
    if (!p->program) {
        code_free(&p->run);
    }
    return p->program;
}

/* The model may describe what the device refuses. */
static void explain(const CodeRun *run)
{
    IsaProgram *p = isa_program_new(run->bytes);
    g_autofree char *text = isa_describe(
        &p->instructions[isa_at(p, run->offset)]);

    g_error("refused: %s: fault %u, detail %u", text, run->fault.code,
            run->fault.detail);
}

void isa_pair_load(IsaPair *p, const Code *code)
{
    if (!isa_pair_take(p, code)) {
        explain(&p->run);
    }
}

/* Gives the device's thread the memory of the world. */
static void enter_world(IsaPair *p)
{
    const VeuThread *from = &p->world->eu->thread;
    VeuThread *t = &p->run.thread;

    p->run.config = *from->config;
    t->mem = from->mem;
    t->surfaces = from->surfaces;
    t->slm = from->slm;
    t->slm_bytes = from->slm_bytes;
    t->stateless_base = from->stateless_base;
    t->stateless_bytes = from->stateless_bytes;
    memcpy(p->world->ref_slm, from->slm, EU_SLM_BYTES);
}

void isa_pair_start(IsaPair *p, uint32_t lanes)
{
    if (p->world) {
        enter_world(p);
    }
    memcpy(p->thread.registers, p->run.registers, sizeof(p->run.registers));
    memcpy(p->thread.predicates, p->run.predicates, sizeof(p->run.predicates));
    memcpy(p->thread.addresses, p->run.addresses, sizeof(p->run.addresses));
    veu_flow_start(&p->run.thread, lanes);
    isa_start(&p->thread, lanes);
}

static char *differs(const IsaInstruction *i, uint32_t running, const char *how)
{
    g_autofree char *text = isa_describe(i);

    return g_strdup_printf("lanes %08x: %s: %s", running, text, how);
}

/* Describes the first register that differs; NULL if all are equal. */
static char *compare_registers(const IsaPair *p, const uint8_t *before)
{
    const uint8_t *mine = p->run.registers, *model = p->thread.registers;
    uint64_t words[3];
    uint32_t cr0;
    unsigned at = 0;

    if (!memcmp(mine, model, CODE_REGISTER_BYTES)) {
        return NULL;
    }
    while (!memcmp(mine + at, model + at, 8)) {
        at += 8;
    }
    memcpy(&words[0], mine + at, 8);
    memcpy(&words[1], model + at, 8);
    memcpy(&words[2], before + at, 8);
    memcpy(&cr0, before + CODE_CR0_AT, sizeof(cr0));
    return g_strdup_printf("byte %u: %016" PRIx64 ", model %016" PRIx64
                           ", before %016" PRIx64 ", cr0 %x",
                           at, words[0], words[1], words[2], cr0);
}

static char *compare(IsaPair *p, const uint8_t *before)
{
    CodeRun *run = &p->run;

    isa_adopt(&p->thread, run->registers);
    if (memcmp(run->predicates, p->thread.predicates,
               sizeof(run->predicates))) {
        return g_strdup("predicates");
    }
    if (memcmp(run->addresses, p->thread.addresses, sizeof(run->addresses))) {
        return g_strdup("addresses");
    }
    if (memcmp(run->flow.states, p->thread.states,
               p->program->state_count * sizeof(p->thread.states[0]))) {
        return g_strdup("state variables");
    }
    return compare_registers(p, before);
}

static char *compare_message(IsaPair *p, bool ok)
{
    char *what = ok ? NULL :
                      compare_faults(&p->run.thread.fault, &p->thread.fault);

    return what ? what : compare_memory(p->world);
}

/* Executes on both sides, and compares the effects. */
static char *execute(IsaPair *p, const VeuInstruction *next,
                     const IsaInstruction *i)
{
    uint8_t before[CODE_REGISTER_BYTES];
    char *how = NULL;
    bool ok, model_ok;

    memcpy(before, p->run.registers, sizeof(before));
    if (p->world) {
        test_memory_forget_notes(&p->world->eu->memory);
    }
    ok = veu_step(&p->run.thread, next);
    how = p->world ? compare_notes(p->world) : NULL;
    if (how) {
        return how;
    }
    model_ok = isa_step(&p->thread);
    if (ok != model_ok) {
        return g_strdup(ok ? "no fault" : "a fault");
    }
    p->executed[i->row->opcode] += ok;
    if (!ok) {
        p->faults++;
        veu_skip(&p->run.thread);
    }
    if (i->row == &isa_message_row) {
        how = compare_message(p, ok);
    }
    return how ? how : compare(p, before);
}

bool isa_pair_step(IsaPair *p, char **what)
{
    const VeuInstruction *next = veu_next_instruction(&p->run.thread);
    const IsaInstruction *i;
    unsigned place;
    uint32_t running = isa_running(&p->thread, &place);
    g_autofree char *how = NULL;

    *what = NULL;
    if (!running || !next) {
        *what = !running && !next ? NULL : g_strdup("only one side ended");
        return false;
    }
    i = &p->program->instructions[place];
    if (next->offset != i->offset || p->run.flow.running != running) {
        how = g_strdup_printf("the device has lanes %08x at %04x",
                              p->run.flow.running, next->offset);
    } else {
        how = execute(p, next, i);
    }
    *what = how ? differs(i, running, how) : NULL;
    return !how;
}

void isa_pair_run(IsaPair *p, unsigned limit)
{
    char *what = NULL;

    while (limit-- && isa_pair_step(p, &what)) {}
    if (what) {
        g_error("%s", what);
    }
}
