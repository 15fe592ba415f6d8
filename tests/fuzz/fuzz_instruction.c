/*
 * veu fuzzer: programs of instructions, on both implementations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first bytes are the seed of registers and of legal instructions, then the
 * lanes. Then come items: a random legal instruction with changes, a jump, a
 * label, or bytes. Whatever is legal has the same effect on both sides, and if
 * it is compiled.
 */
#include <glib.h>
#include "tests/fuzz/input.h"
#include "tests/lib/code_state.h"
#include "tests/lib/isa_compare.h"

#define MAX_ITEMS 24
#define MAX_STEPS 300
/* Turns of the compiled program, each with a limit of its cost. */
#define MAX_TURNS 40
#define TURN_COST 50
/* Labels: of blocks, then of subroutines. */
#define BLOCKS    8
#define ROUTINES  2
/* Space for the end of the program. */
#define SPARE     1024

typedef struct Maker {
    FuzzInput in;
    GRand *rng;
    Code *code;
    bool placed[BLOCKS];
} Maker;

static void change_bytes(Maker *m, uint32_t from)
{
    uint32_t bytes = m->code->count - from;
    uint8_t at = fuzz_u8(&m->in);

    /* a change mostly makes it illegal */
    if (at >= 0xe0) {
        at = fuzz_u8(&m->in) % bytes;
        m->code->bytes[from + at] = fuzz_u8(&m->in);
    }
}

static void add_instruction(Maker *m, uint8_t how)
{
    const IsaRow *row = &isa_rows[how % isa_row_count];
    uint32_t from = m->code->count;

    if (row->types != '-') {
        isa_random_instruction(m->code, m->rng, row);
        change_bytes(m, from);
    }
}

/* Adds goto, jmp, call, ret and fret, with a predicate. */
static void add_jump(Maker *m, uint8_t how)
{
    static const uint8_t opcodes[] = { 0x6c, 0x32, 0x33, 0x34, 0x68 };
    uint8_t opcode = opcodes[how % G_N_ELEMENTS(opcodes)];
    uint8_t size = fuzz_u8(&m->in);

    isa_put(m->code, opcode, 1);
    isa_put(m->code, size < 0xf8 ? size % 6 : size, 1);
    isa_put(m->code, 1 + fuzz_u8(&m->in) % 4, 2);
    if (opcode == 0x33) {
        isa_put(m->code, BLOCKS + fuzz_u8(&m->in) % ROUTINES, 2);
    } else if (opcode == 0x6c || opcode == 0x32) {
        isa_put(m->code, fuzz_u8(&m->in) % BLOCKS, 2);
    }
}

static void place(Maker *m, unsigned label)
{
    if (!m->placed[label]) {
        m->placed[label] = true;
        code_add_label(m->code, label);
    }
}

static void add_item(Maker *m)
{
    uint8_t how = fuzz_u8(&m->in);

    if (how < 0xb0) {
        add_instruction(m, how);
    } else if (how < 0xd8) {
        add_jump(m, how);
    } else if (how < 0xfc) {
        place(m, how % BLOCKS);
    } else {
        for (unsigned n = fuzz_u8(&m->in) & 15; n; n--) {
            isa_put(m->code, fuzz_u8(&m->in), 1);
        }
    }
}

static void make_labels(Maker *m)
{
    for (unsigned n = 0; n < BLOCKS + ROUTINES; n++) {
        code_new_label(m->code,
                       n < BLOCKS ? VEU_LABEL_BLOCK : VEU_LABEL_SUBROUTINE);
    }
}

/* The subroutines have one instruction each. */
static void finish(Maker *m)
{
    for (unsigned n = 0; n < BLOCKS; n++) {
        place(m, n);
    }
    isa_put_return(m->code, 32);
    for (unsigned n = 0; n < ROUTINES; n++) {
        code_add_label(m->code, BLOCKS + n);
        add_instruction(m, fuzz_u8(&m->in));
        isa_put_return(m->code, 32);
    }
}

static void make_code(Maker *m)
{
    isa_declare(m->code);
    make_labels(m);
    for (unsigned n = 0;
         n < MAX_ITEMS && m->in.left && m->code->count < CODE_MAX_BYTES - SPARE;
         n++) {
        add_item(m);
    }
    finish(m);
}

/* ---- host code ---- */

static void compare_compiled(CodeRun *run, const CodeState *first,
                             uint32_t lanes)
{
    CodeState compiled, rules;

    if (!code_has_jit()) {
        return;
    }
    code_compile(run->program);
    code_state_restore(run, first);
    code_run_compiled(run, lanes, TURN_COST, MAX_TURNS);
    code_state_save(run, &compiled);
    code_state_restore(run, first);
    code_run_by_rules(run, lanes, compiled.flow.work);
    code_state_save(run, &rules);
    /* An instruction that faults has read the clock, which is at the end. */
    g_assert_cmpmem(compiled.registers, CODE_TSC_AT, rules.registers,
                    CODE_TSC_AT);
    g_assert_cmpmem(compiled.addresses, sizeof(compiled.addresses),
                    rules.addresses, sizeof(rules.addresses));
    g_assert_cmpmem(compiled.predicates, sizeof(compiled.predicates),
                    rules.predicates, sizeof(rules.predicates));
    g_assert_cmpuint(compiled.flow.work, ==, rules.flow.work);
    g_assert_cmpuint(compiled.flow.at, ==, rules.flow.at);
    g_assert_cmphex(compiled.flow.running, ==, rules.flow.running);
}

static void run(Maker *m, IsaPair *p, uint32_t lanes)
{
    CodeState first;

    isa_random_registers(m->rng, p->run.registers);
    isa_random_addresses(m->rng, p->run.addresses);
    for (unsigned n = 0; n < G_N_ELEMENTS(p->run.predicates); n++) {
        p->run.predicates[n] = g_rand_int(m->rng);
    }
    code_state_save(&p->run, &first);
    isa_pair_start(p, lanes);
    isa_pair_run(p, MAX_STEPS);
    compare_compiled(&p->run, &first, lanes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    Maker m = { .in = { data, bytes }, .code = g_new0(Code, 1) };
    IsaPair *p = isa_pair_new();
    uint32_t lanes;

    m.rng = g_rand_new_with_seed(fuzz_u32(&m.in));
    lanes = fuzz_u32(&m.in);
    make_code(&m);
    if (isa_pair_take(p, m.code)) {
        run(&m, p, lanes);
    }
    isa_pair_free(p);
    g_rand_free(m.rng);
    g_free(m.code);
    return 0;
}
