/*
 * veu unit tests: random instructions against the second implementation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Both sides must agree on the state of the EU thread after every instruction.
 * VEU_TEST_SEED repeats a run, VEU_TEST_INSTRUCTIONS makes it longer or
 * shorter.
 */
#include <string.h>
#include "tests/lib/isa_compare.h"
#include "tests/lib/random_numbers.h"

#define INSTRUCTIONS 60000
/*
 * Instructions of a program, and the number of its runs with other registers.
 */
#define LENGTH       96
#define RUNS         4

static uint64_t instruction_count(void)
{
    return test_count("VEU_TEST_INSTRUCTIONS", INSTRUCTIONS);
}

static void start(IsaPair *p, GRand *r, uint32_t lanes)
{
    /* half of the runs round to nearest, as handlers require */
    uint32_t cr0 = g_rand_int(r) & (g_rand_boolean(r) ? 0x14f0 : 0x4c0);

    isa_random_registers(r, p->run.registers);
    memcpy(p->run.registers + CODE_CR0_AT, &cr0, sizeof(cr0));
    isa_random_addresses(r, p->run.addresses);
    for (unsigned n = 0; n < G_N_ELEMENTS(p->run.predicates); n++) {
        p->run.predicates[n] = g_rand_int(r);
    }
    isa_pair_start(p, lanes);
}

static bool has_operands(const IsaRow *row)
{
    return row->types != '-';
}

/* LENGTH instructions, with one `ret` at the end. */
static void random_code(Code *code, GRand *r)
{
    memset(code, 0, sizeof(*code));
    isa_declare(code);
    code->grf_bytes = g_rand_int(r) % 2 ? 32 : 64;
    for (unsigned n = 0; n < LENGTH; n++) {
        const IsaRow *row;

        do {
            row = &isa_rows[g_rand_int(r) % isa_row_count];
        } while (!has_operands(row));
        isa_random_instruction(code, r, row);
    }
    isa_put_return(code, 1);
}

/*
 * Checks that every instruction was executed, and that operands were out of
 * bounds.
 */
static void check_counts(const IsaPair *p)
{
    for (unsigned n = 0; n < isa_row_count; n++) {
        if (has_operands(&isa_rows[n])) {
            g_assert_cmpuint(p->executed[isa_rows[n].opcode], >,
                             instruction_count() / 200);
        }
    }
    g_assert_cmpuint(p->faults, >, instruction_count() / 200);
}

static void test_instructions_do_the_same(void)
{
    g_autoptr(GRand) r = test_rand_any();
    g_autofree Code *code = g_new0(Code, 1);
    IsaPair *p = isa_pair_new();

    for (uint64_t n = 0; n < instruction_count(); n += LENGTH * RUNS) {
        random_code(code, r);
        isa_pair_load(p, code);
        for (unsigned k = 0; k < RUNS; k++) {
            start(p, r, k ? g_rand_int(r) : UINT32_MAX);
            isa_pair_run(p, UINT32_MAX);
        }
    }
    check_counts(p);
    isa_pair_free(p);
}

/* Both sides have min and max in one row. */
static void assert_alike(const VeuInstructionInfo *mine, const IsaRow *model)
{
    const char *name = strcmp(model->name, "minmax") ? model->name : "min";
    unsigned fields = 0;

    for (const uint8_t *f = mine->fields; *f != VEU_IFIELD_END; f++) {
        fields++;
    }
    g_assert_cmpstr(name, ==, mine->mnemonic);
    g_assert_cmpuint(strlen(model->fields), ==, fields);
    g_assert_cmpuint(model->cost, ==, mine->cost);
    g_assert_cmpint(model->modifiers, ==, "-al"[mine->modifiers]);
    g_assert_cmpint(model->saturation, ==, "-fy"[mine->saturation]);
    g_assert_cmpint(model->types != '-', ==,
                    mine->signatures && strcmp(name, "faddr"));
}

/* The instructions of programs are in both tables, and no others. */
static void test_both_sides_have_all_instructions(void)
{
    unsigned executed = 0;

    for (unsigned n = 0; n < veu_instruction_count; n++) {
        const VeuInstructionInfo *mine = &veu_instructions[n];
        const IsaRow *model = isa_row(mine->opcode);

        if (mine->listed) {
            g_assert_null(model);
            continue;
        }
        g_test_message("%s", mine->mnemonic);
        g_assert_nonnull(model);
        assert_alike(mine, model);
        executed++;
    }
    g_assert_cmpuint(isa_row_count, ==, executed);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/isa/both_sides_have_all_instructions",
                    test_both_sides_have_all_instructions);
    g_test_add_func("/isa/instructions_do_the_same",
                    test_instructions_do_the_same);
    return g_test_run();
}
