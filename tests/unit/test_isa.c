/*
 * veu unit tests: random instructions against the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers, predicates and address elements have to be the same after every
 * instruction. VEU_TEST_SEED repeats a run, VEU_TEST_INSTRUCTIONS makes it
 * longer or shorter.
 */
#include <inttypes.h>
#include <string.h>
#include "tests/lib/isa_random.h"

#define INSTRUCTIONS 60000
/* Of a program, and runs of it with other registers. */
#define LENGTH       96
#define RUNS         4

static uint64_t done[256];
static uint64_t faults;

static uint32_t seed(void)
{
    const char *text = g_getenv("VEU_TEST_SEED");
    uint32_t value = text ? g_ascii_strtoull(text, NULL, 0) : g_random_int();

    g_test_message("VEU_TEST_SEED=%u", value);
    return value;
}

static uint64_t instruction_count(void)
{
    const char *text = g_getenv("VEU_TEST_INSTRUCTIONS");

    return text ? g_ascii_strtoull(text, NULL, 0) : INSTRUCTIONS;
}

/* The same state on both sides. */
static void start(CodeRun *run, IsaThread *t, GRand *r, uint32_t lanes)
{
    uint32_t cr0 = g_rand_int(r) & 0x14f0;

    isa_random_registers(r, run->registers);
    memcpy(run->registers + CODE_CR0_AT, &cr0, sizeof(cr0));
    isa_random_addresses(r, run->addresses);
    for (unsigned n = 0; n < 4; n++) {
        run->predicates[n] = g_rand_int(r);
    }
    memcpy(t->registers, run->registers, sizeof(run->registers));
    memcpy(t->predicates, run->predicates, sizeof(run->predicates));
    memcpy(t->addresses, run->addresses, sizeof(run->addresses));
    veu_flow_start(&run->thread, lanes);
    isa_start(t, lanes);
}

static void differs(const IsaInstruction *i, uint32_t running, const char *what)
{
    g_autofree char *text = isa_describe(i);

    g_error("lanes %08x: %s: %s", running, text, what);
}

static void compare(CodeRun *run, IsaThread *t, const IsaInstruction *i,
                    uint32_t running, const uint8_t *before)
{
    isa_adopt(t, run->registers);
    for (unsigned at = 0; at < CODE_REGISTER_BYTES; at++) {
        if (run->registers[at] != t->registers[at]) {
            uint64_t mine, model, old;
            g_autofree char *what = NULL;

            at = at / 8 * 8;
            memcpy(&mine, run->registers + at, 8);
            memcpy(&model, t->registers + at, 8);
            memcpy(&old, before + at, 8);
            what = g_strdup_printf("byte %u: %016" PRIx64 ", model %016" PRIx64
                                   ", before %016" PRIx64 ", cr0 %x",
                                   at, mine, model, old,
                                   *(uint32_t *)(before + CODE_CR0_AT));
            differs(i, running, what);
        }
    }
    if (memcmp(run->predicates, t->predicates, sizeof(run->predicates))) {
        differs(i, running, "predicates");
    }
    if (memcmp(run->addresses, t->addresses, sizeof(run->addresses))) {
        differs(i, running, "addresses");
    }
    if (memcmp(run->flow.states, t->states,
               ISA_RANDOM_STATES * sizeof(t->states[0]))) {
        differs(i, running, "state variables");
    }
}

/* One instruction on both sides; false at the end. */
static bool step(CodeRun *run, IsaThread *t)
{
    static uint8_t before[CODE_REGISTER_BYTES];
    const VeuInstruction *next = veu_next_instruction(&run->thread);
    unsigned place;
    uint32_t running = isa_running(t, &place);
    const IsaInstruction *i;
    bool ok, model_ok;

    if (!running || !next) {
        g_assert_true(!running && !next);
        return false;
    }
    i = &t->program->instructions[place];
    if (next->offset != i->offset || run->flow.running != running) {
        differs(i, running, "place or mask");
    }
    memcpy(before, run->registers, sizeof(before));
    ok = veu_step(&run->thread, next);
    model_ok = isa_step(t);
    if (ok != model_ok) {
        differs(i, running, ok ? "no fault" : "a fault");
    }
    compare(run, t, i, running, before);
    done[i->row->opcode] += ok;
    if (!ok) {
        g_assert_cmpuint(run->thread.fault.code, ==, VEU_FAULT_INDIRECT);
        faults++;
        veu_skip(&run->thread);
    }
    return true;
}

static bool has_operands(const IsaRow *row)
{
    return row->types != '-';
}

/* LENGTH of them, with one `ret` at the end. */
static void random_code(Code *code, GRand *r)
{
    memset(code, 0, sizeof(*code));
    isa_declare(code);
    for (unsigned n = 0; n < LENGTH; n++) {
        const IsaRow *row;

        do {
            row = &isa_rows[g_rand_int(r) % isa_row_count];
        } while (!has_operands(row));
        isa_random_instruction(code, r, row);
    }
    isa_put(code, 0x34, 1);
    isa_put(code, 0, 3);
}

static void load(CodeRun *run, const Code *code)
{
    if (!code_load(run, code)) {
        g_autofree IsaProgram *p = isa_program_new(run->bytes);
        g_autofree char *text = isa_describe(
            &p->instructions[isa_at(p, run->offset)]);

        g_error("refused: %s: fault %u, detail %u", text, run->fault.code,
                run->fault.detail);
    }
}

static void test_instructions_do_the_same(void)
{
    g_autoptr(GRand) r = g_rand_new_with_seed(seed());
    g_autofree CodeRun *run = g_new0(CodeRun, 1);
    g_autofree Code *code = g_new0(Code, 1);
    g_autofree IsaThread *t = g_new0(IsaThread, 1);

    for (uint64_t n = 0; n < instruction_count(); n += LENGTH * RUNS) {
        IsaProgram *p;

        random_code(code, r);
        load(run, code);
        t->program = p = isa_program_new(run->bytes);
        for (unsigned k = 0; k < RUNS; k++) {
            start(run, t, r, k ? g_rand_int(r) : UINT32_MAX);
            while (step(run, t)) {}
        }
        isa_program_free(p);
        code_free(run);
    }
    for (unsigned n = 0; n < isa_row_count; n++) {
        if (has_operands(&isa_rows[n])) {
            g_assert_cmpuint(done[isa_rows[n].opcode], >,
                             instruction_count() / 200);
        }
    }
    g_assert_cmpuint(faults, >, instruction_count() / 200);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa/random", test_instructions_do_the_same);
    return g_test_run();
}
