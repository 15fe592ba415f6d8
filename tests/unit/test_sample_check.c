/*
 * veu unit tests: which sample_lz, load_lz and states a program may have:
 * docs/spec.md, sections 8.7.26, 8.7.27 and 17.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A legal message is changed at one place of the vendor's table. Each rule is
 * tested with a value that is just legal, and with one that is not.
 */
#include <string.h>
#include "tests/lib/code_builder.h"

#define LEGAL   VEU_FAULT_NONE
#define FIELD   VEU_FAULT_MESSAGE_FIELD
#define OPERAND VEU_FAULT_MESSAGE_OPERAND

#define SURFACES 3
#define SAMPLERS 2

/* 16 lanes of F, of HF, and fewer elements of both. */
enum {
    FLOATS = VEU_FIRST_VARIABLE,
    HALVES,
    FLOATS_31,
    FLOATS_15,
    HALVES_24,
    HALVES_23,
    DWORDS
};

static Code new_code(void)
{
    Code code = { .surface_count = SURFACES, .sampler_count = SAMPLERS };

    code_variable(&code, 0, 32, VEU_TYPE_F);
    code_variable(&code, 128, 32, VEU_TYPE_HF);
    code_variable(&code, 0, 31, VEU_TYPE_F);
    code_variable(&code, 0, 15, VEU_TYPE_F);
    code_variable(&code, 128, 24, VEU_TYPE_HF);
    code_variable(&code, 128, 23, VEU_TYPE_HF);
    code_variable(&code, 256, 32, VEU_TYPE_D);
    code.predicate_bits = 16;
    return code;
}

/* Places in the table of sample_lz, with an immediate dword as Aoffimmi. */
enum {
    OP = 2,
    EXEC_SIZE = 3,
    PRED = 4,
    CHANNELS = 6,
    AOFFIMMI = 7,
    AOFFIMMI_TYPE = 8,
    AOFFIMMI_VALUE = 9,
    SAMPLER = 13,
    SURFACE = 14,
    DATA = 15,
    DATA_BYTE = 19,
    PARMS = 21,
    U = 22,
    V = 28,
    R = 34,
    SAMPLE_BYTES = 40,
};

#define M1_8  3
#define M1_16 4

/* One channel of 8 lanes, at (U, V, R). */
static const uint8_t sample_lz[SAMPLE_BYTES] = {
    [0] = 0x6d,
    [1] = 0x18,
    [EXEC_SIZE] = M1_8,
    [CHANNELS] = 1,
    [AOFFIMMI] = VEU_OPERAND_IMMEDIATE,
    [SURFACE] = VEU_FIRST_SURFACE,
    [DATA] = FLOATS,
    [PARMS] = 3,
    [U] = FLOATS,
    [V] = FLOATS,
    [R] = FLOATS,
};

/* load_lz is the same without a sampler. */
static unsigned without_sampler(uint8_t *bytes, unsigned count)
{
    memmove(bytes + SAMPLER, bytes + SURFACE, count - SURFACE);
    bytes[0] = 0x6e;
    bytes[1] = 0x1a;
    return count - 1;
}

/* Expects a fault of the field at @at in the table of sample_lz, or none. */
static void assert_fault(const uint8_t *message, unsigned count, bool load,
                         uint16_t fault, unsigned at)
{
    Code code = new_code();
    uint8_t bytes[SAMPLE_BYTES];
    CodeRun run;

    memcpy(bytes, message, count);
    if (load) {
        count = without_sampler(bytes, count);
        at -= at > SAMPLER;
    }
    memcpy(code.bytes, bytes, count);
    code.count = count;
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_cmpint(code_load(&run, &code), ==, fault == LEGAL);
    g_assert_cmphex(run.fault.code, ==, fault);
    if (fault) {
        g_assert_cmpuint(run.fault.detail, ==, at);
    } else {
        g_assert_cmpuint(run.program->instructions[1].offset, ==, count);
    }
    code_free(&run);
}

/* A changed field, and another that makes it legal, or no longer so. */
typedef struct Change {
    uint8_t at, bytes;
    uint32_t value;
} Change;

typedef struct Row {
    Change first, second;
    uint16_t fault;
    uint8_t fault_at;
} Row;

#define NO_CHANGE \
    {             \
        0, 0, 0   \
    }

static void change(uint8_t *message, const Change *c)
{
    memcpy(message + c->at, &c->value, c->bytes);
}

static void check(const Row *rows, unsigned count, bool load)
{
    for (unsigned n = 0; n < count; n++) {
        uint8_t message[SAMPLE_BYTES];

        memcpy(message, sample_lz, sizeof(message));
        change(message, &rows[n].first);
        change(message, &rows[n].second);
        g_test_message("%u: %u is %u", n, rows[n].first.at,
                       rows[n].first.value);
        assert_fault(message, SAMPLE_BYTES, load, rows[n].fault,
                     rows[n].fault_at);
    }
}

static void test_fields(void)
{
    static const Row rows[] = {
        { NO_CHANGE, NO_CHANGE, LEGAL, 0 },
        { { OP, 1, 1 }, NO_CHANGE, FIELD, OP },
        { { OP, 1, 0x80 }, NO_CHANGE, FIELD, OP },
        { { EXEC_SIZE, 1, M1_16 }, NO_CHANGE, LEGAL, 0 },
        { { EXEC_SIZE, 1, M1_8 - 1 }, NO_CHANGE, FIELD, EXEC_SIZE },
        { { EXEC_SIZE, 1, M1_16 + 1 }, NO_CHANGE, FIELD, EXEC_SIZE },
        { { EXEC_SIZE, 1, 0x20 | M1_8 }, NO_CHANGE, LEGAL, 0 },
        { { EXEC_SIZE, 1, 0x10 | M1_8 }, NO_CHANGE, FIELD, EXEC_SIZE },
        { { EXEC_SIZE, 1, 0x20 | M1_16 }, NO_CHANGE, FIELD, EXEC_SIZE },
        { { PRED, 2, 1 }, { EXEC_SIZE, 1, 0x20 | M1_8 }, LEGAL, 0 },
        { { PRED, 2, 1 },
          { EXEC_SIZE, 1, 0x40 | M1_8 },
          VEU_FAULT_MESSAGE_PREDICATE,
          PRED },
        { { PRED, 2, 5 }, NO_CHANGE, VEU_FAULT_MESSAGE_PREDICATE, PRED },
        { { CHANNELS, 1, 0 }, NO_CHANGE, FIELD, CHANNELS },
        { { CHANNELS, 1, 0xf }, NO_CHANGE, LEGAL, 0 },
        { { CHANNELS, 1, 0x10 }, NO_CHANGE, FIELD, CHANNELS },
        { { SURFACE, 1, 0 }, NO_CHANGE, LEGAL, 0 },
        { { SURFACE, 1, 5 + SURFACES }, NO_CHANGE, LEGAL, 0 },
        { { SURFACE, 1, 6 + SURFACES }, NO_CHANGE, FIELD, SURFACE },
        { { PARMS, 1, 0 }, NO_CHANGE, FIELD, PARMS },
        { { PARMS, 1, 4 }, NO_CHANGE, FIELD, PARMS },
    };

    check(rows, G_N_ELEMENTS(rows), false);
    check(rows, G_N_ELEMENTS(rows), true);
}

static void test_the_sampler_is_a_variable(void)
{
    static const Row rows[] = {
        { { SAMPLER, 1, SAMPLERS - 1 }, NO_CHANGE, LEGAL, 0 },
        { { SAMPLER, 1, SAMPLERS }, NO_CHANGE, FIELD, SAMPLER },
        { { SAMPLER, 1, UINT8_MAX }, NO_CHANGE, FIELD, SAMPLER },
    };

    check(rows, G_N_ELEMENTS(rows), false);
}

/* An immediate 0: of any integer type, but not -0. */
static void test_offsets_of_texels_are_zero(void)
{
    static const Row rows[] = {
        { { AOFFIMMI_VALUE, 4, 1 }, NO_CHANGE, OPERAND, AOFFIMMI },
        { { AOFFIMMI_VALUE, 4, 1u << 31 }, NO_CHANGE, OPERAND, AOFFIMMI },
        { { AOFFIMMI_TYPE, 1, VEU_TYPE_UW }, NO_CHANGE, LEGAL, 0 },
        { { AOFFIMMI_TYPE, 1, VEU_TYPE_F }, NO_CHANGE, OPERAND, AOFFIMMI },
        { { AOFFIMMI, 1, VEU_OPERAND_IMMEDIATE | VEU_MODIFIER_NEG << 3 },
          NO_CHANGE,
          OPERAND,
          AOFFIMMI },
    };

    check(rows, G_N_ELEMENTS(rows), false);
    check(rows, G_N_ELEMENTS(rows), true);
}

/*
 * Channels of F begin at a register, or after 16 lanes; those of HF, too, of
 * which a register of 32 bytes has 16.
 */
static void test_data_has_all_lanes(void)
{
    static const Row rows[] = {
        { { CHANNELS, 1, 3 }, { DATA, 4, FLOATS_15 }, OPERAND, DATA },
        { { CHANNELS, 1, 1 }, { DATA, 4, FLOATS_15 }, LEGAL, 0 },
        { { CHANNELS, 1, 0xe }, { DATA, 4, FLOATS_31 }, LEGAL, 0 },
        { { CHANNELS, 1, 0xf }, { DATA, 4, FLOATS_31 }, OPERAND, DATA },
        { { CHANNELS, 1, 0xa }, { DATA, 4, HALVES_24 }, LEGAL, 0 },
        { { CHANNELS, 1, 0xa }, { DATA, 4, HALVES_23 }, OPERAND, DATA },
        { { CHANNELS, 1, 7 }, { DATA, 4, HALVES }, OPERAND, DATA },
        { { CHANNELS, 1, 8 }, { DATA, 4, HALVES_23 }, LEGAL, 0 },
        { { CHANNELS, 1, 0xf }, { DATA, 4, DWORDS }, LEGAL, 0 },
        { { DATA_BYTE, 2, 96 }, NO_CHANGE, LEGAL, 0 },
        { { DATA_BYTE, 2, 100 }, NO_CHANGE, OPERAND, DATA },
        { { DATA_BYTE, 2, 128 }, NO_CHANGE, OPERAND, DATA },
        { { DATA, 4, 0 }, { CHANNELS, 1, 0xf }, LEGAL, 0 },
        { { DATA, 4, DWORDS + 1 }, NO_CHANGE, OPERAND, DATA },
    };

    check(rows, G_N_ELEMENTS(rows), false);
    check(rows, G_N_ELEMENTS(rows), true);
}

static void test_coordinates(void)
{
    static const Row rows[] = {
        { { U, 4, HALVES }, NO_CHANGE, OPERAND, U },
        { { V, 4, HALVES }, NO_CHANGE, OPERAND, V },
        { { R, 4, HALVES }, NO_CHANGE, OPERAND, R },
        { { U, 4, DWORDS }, { V, 4, DWORDS }, LEGAL, 0 },
        { { U, 4, FLOATS_15 }, { EXEC_SIZE, 1, M1_8 }, LEGAL, 0 },
        { { U, 4, FLOATS_15 }, { EXEC_SIZE, 1, M1_16 }, OPERAND, U },
        { { R, 4, 0 }, NO_CHANGE, LEGAL, 0 },
    };

    check(rows, G_N_ELEMENTS(rows), false);
    check(rows, G_N_ELEMENTS(rows), true);
}

/* Num_parms of U, V and R follow: the next instruction comes after these. */
static void test_parameters_are_counted(void)
{
    for (unsigned parms = 1; parms <= 3; parms++) {
        uint8_t message[SAMPLE_BYTES];

        memcpy(message, sample_lz, sizeof(message));
        message[PARMS] = parms;
        assert_fault(message, U + 6 * parms, false, LEGAL, 0);
        assert_fault(message, U + 6 * parms, true, LEGAL, 0);
        /* The last is no variable. */
        message[U + 6 * (parms - 1)] = DWORDS + 1;
        assert_fault(message, U + 6 * parms, false, OPERAND,
                     U + 6 * (parms - 1));
    }
}

/* movs names a surface or a sampler by its kind, and writes to either. */
static void test_states_of_both_kinds(void)
{
    static const struct {
        uint8_t kind;
        uint16_t id;
        uint8_t column;
        uint16_t fault;
    } rows[] = {
        { VEU_STATE_SURFACE, VEU_FIRST_SURFACE, 0, LEGAL },
        { VEU_STATE_SURFACE, VEU_FIRST_SURFACE + SURFACES - 1, 0, LEGAL },
        { VEU_STATE_SURFACE, VEU_FIRST_SURFACE + SURFACES, 0, OPERAND },
        { VEU_STATE_SURFACE, VEU_FIRST_SURFACE - 1, 0, OPERAND },
        { VEU_STATE_SURFACE, VEU_FIRST_SURFACE, 1, OPERAND },
        { VEU_STATE_SAMPLER, 0, 0, LEGAL },
        { VEU_STATE_SAMPLER, SAMPLERS - 1, 0, LEGAL },
        { VEU_STATE_SAMPLER, SAMPLERS, 0, OPERAND },
        { VEU_STATE_SAMPLER, 0, 1, OPERAND },
        { VEU_STATE_SAMPLER + 1, 0, 0, OPERAND },
        { VEU_STATE_SAMPLER + 1, VEU_FIRST_SURFACE, 0, OPERAND },
    };

    for (unsigned n = 0; n < G_N_ELEMENTS(rows); n++) {
        Op state = { .class = VEU_OPERAND_STATE,
                     .type = rows[n].kind,
                     .id = rows[n].id,
                     .column = rows[n].column };
        Code code = new_code();
        CodeRun run;

        CODE_ADD(&code, "movs", size_m1(1), 0, 0, state,
                 op_imm(VEU_TYPE_UD, 1));
        CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
        g_test_message("%u", n);
        code_load(&run, &code);
        g_assert_cmphex(run.fault.code, ==, rows[n].fault);
        code_free(&run);
    }
}

/* Each state is a number of its own. */
static void test_movs_moves_samplers_and_surfaces(void)
{
    Code code = new_code();
    CodeRun run;

    for (unsigned n = 0; n < SURFACES + SAMPLERS; n++) {
        bool sampler = n >= SURFACES;
        Op state = { .class = VEU_OPERAND_STATE,
                     .type = sampler ? VEU_STATE_SAMPLER : VEU_STATE_SURFACE,
                     .id = sampler ? n - SURFACES : VEU_FIRST_SURFACE + n };

        CODE_ADD(&code, "movs", size_m1(1), 0, 0, state,
                 op_imm(VEU_TYPE_UD, 10 + n));
        CODE_ADD(&code, "movs", size_m1(1), 0, 0, op_v(DWORDS, n, 0, 1, 1),
                 state);
    }
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&run, &code));
    g_assert_true(code_run(&run, 1, 100));
    for (unsigned n = 0; n < SURFACES + SAMPLERS; n++) {
        uint32_t value;

        memcpy(&value, run.registers + 256 + 4 * n, sizeof(value));
        g_assert_cmpuint(value, ==, 10 + n);
        g_assert_cmpuint(run.flow.states[n], ==, 10 + n);
    }
    code_free(&run);
}

/* Samplers are numbered from 0; their state variables follow the surfaces'. */
static void test_a_sampler_is_that_of_its_state_variable(void)
{
    Code code = new_code();
    CodeRun run;

    memcpy(code.bytes, sample_lz, SAMPLE_BYTES);
    code.bytes[SAMPLER] = 1;
    code.count = SAMPLE_BYTES;
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    g_assert_true(code_load(&run, &code));
    veu_flow_start(&run.thread, 0xff);
    for (unsigned n = 0; n < SURFACES + SAMPLERS; n++) {
        run.flow.states[n] = 5 + n;
    }
    run.surfaces.count = 0;
    g_assert_false(veu_step_by_rules(&run.thread, run.program->instructions));
    g_assert_cmpuint(run.thread.sampler_index, ==, 5 + SURFACES + 1);
    code_free(&run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/sample-check/" #name, test_##name)
    RULE(fields);
    RULE(the_sampler_is_a_variable);
    RULE(offsets_of_texels_are_zero);
    RULE(a_sampler_is_that_of_its_state_variable);
    RULE(data_has_all_lanes);
    RULE(coordinates);
    RULE(parameters_are_counted);
    RULE(states_of_both_kinds);
    RULE(movs_moves_samplers_and_surfaces);
#undef RULE
    return g_test_run();
}
