/*
 * veu unit tests: limits of programs, of a launch and of LOAD: docs/spec.md,
 * registers LIMIT_*.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each limit is tested with a program that is just within it, and with one that
 * has one more.
 */
#include <string.h>
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/decode/measure.h"
#include "hw/veu/eu/program/room.h"
#include "tests/lib/code_builder.h"

/* A program whose sections are as long as a test wants them. */
typedef struct Long {
    GByteArray *code;
    GByteArray *labels;
    GByteArray *functions;
} Long;

static Long *long_new(void)
{
    Long *l = g_new0(Long, 1);

    l->code = g_byte_array_new();
    l->labels = g_byte_array_new();
    l->functions = g_byte_array_new();
    return l;
}

static void long_free(Long *l)
{
    g_byte_array_unref(l->code);
    g_byte_array_unref(l->labels);
    g_byte_array_unref(l->functions);
    g_free(l);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Long, long_free)

static void add(Long *l, const char *mnemonic, unsigned number)
{
    static Code code;

    code.count = 0;
    CODE_ADD(&code, mnemonic, size_m1(1), 0, number, { 0 });
    g_byte_array_append(l->code, code.bytes, code.count);
}

/* A subroutine or a function that returns. */
static void add_subroutine(Long *l)
{
    struct veu_label label = { .offset = l->code->len,
                               .kind = VEU_LABEL_SUBROUTINE };

    add(l, "subroutine", l->labels->len / sizeof(label));
    g_byte_array_append(l->labels, (uint8_t *)&label, sizeof(label));
    add(l, "ret", 0);
}

static void add_function(Long *l)
{
    struct veu_function function = { .offset = l->code->len };

    g_byte_array_append(l->functions, (uint8_t *)&function, sizeof(function));
    add(l, "fret", 0);
}

#define SECTION_AT(n) (32 + 16 * (n))

static void add_section(GByteArray *program, unsigned n, uint32_t type,
                        const void *from, uint32_t bytes)
{
    struct veu_section section = { type, program->len, bytes, 0 };

    memcpy(program->data + SECTION_AT(n), &section, sizeof(section));
    g_byte_array_append(program, from, bytes);
    g_byte_array_set_size(program, (program->len + 3) / 4 * 4);
}

/* A header with room for @sections sections, all zero. */
static GByteArray *new_program(uint16_t kind, uint16_t sections)
{
    GByteArray *program = g_byte_array_new();
    struct veu_program_header header = { .magic = VEU_PROGRAM_MAGIC,
                                         .version = VEU_PROGRAM_VERSION,
                                         .kind = kind,
                                         .grf_bytes = 32,
                                         .section_count = sections,
                                         .register_bytes = 4096 };

    g_byte_array_set_size(program, SECTION_AT(sections));
    memset(program->data, 0, program->len);
    memcpy(program->data, &header, sizeof(header));
    return program;
}

static void set_size(GByteArray *program)
{
    uint32_t bytes = program->len;

    memcpy(program->data + offsetof(struct veu_program_header, bytes), &bytes,
           sizeof(bytes));
}

static GByteArray *long_build(const Long *l, uint16_t kind)
{
    GByteArray *program = new_program(kind, kind ? 3 : 1);

    add_section(program, 0, VEU_SECTION_CODE, l->code->data, l->code->len);
    if (kind) {
        add_section(program, 1, VEU_SECTION_LABELS, l->labels->data,
                    l->labels->len);
        add_section(program, 2, VEU_SECTION_FUNCTIONS, l->functions->data,
                    l->functions->len);
    }
    set_size(program);
    return program;
}

/* Returns the fault of decoding in @room; 0 if the program is legal. */
static uint16_t decode_in(const GByteArray *program, const VeuProgramRoom *room)
{
    VeuProgram *p = veu_program_new_with(room);
    VeuFault fault = { 0 };
    uint32_t offset;
    bool legal = veu_program_open(p, program->data, program->len, 32, &fault) &&
                 veu_program_decode(p, UINT32_MAX, &fault, &offset) ==
                     VEU_LOAD_DONE;

    g_free(p);
    g_assert_cmpint(legal, ==, fault.code == 0);
    return fault.code;
}

static uint16_t launch_fault(const GByteArray *program)
{
    return decode_in(program, &veu_program_limits);
}

/* LOAD measures a program, and decodes it in that much memory. */
static uint16_t load_fault(const GByteArray *program)
{
    VeuMeasure measure;
    VeuFault fault = { 0 };

    if (!veu_measure_open(&measure, program->data, program->len, &fault)) {
        return fault.code;
    }
    while (!veu_measure_count(&measure, 1000)) {}
    return decode_in(program, &measure.room);
}

/* ---- entries of sections ---- */

/* Whether the size of a section of @count zero entries is the reason. */
static bool is_too_long(uint32_t type, uint32_t bytes, bool loaded)
{
    GByteArray *program = new_program(VEU_PROGRAM_INSTRUCTIONS, 2);
    g_autofree uint8_t *zeros = g_malloc0(bytes);
    g_autofree VeuProgram *p = veu_program_new();
    VeuFault fault = { 0 };
    VeuMeasure measure;

    add_section(program, 0, VEU_SECTION_CODE, zeros, 0);
    add_section(program, 1, type, zeros, bytes);
    set_size(program);
    if (loaded) {
        veu_measure_open(&measure, program->data, program->len, &fault);
    } else {
        veu_program_open(p, program->data, program->len, 32, &fault);
    }
    g_byte_array_unref(program);
    return fault.code == VEU_FAULT_PROGRAM_FIELD &&
           fault.detail == SECTION_AT(1) + offsetof(struct veu_section, bytes);
}

static void test_sections_have_limits(void)
{
    static const struct {
        uint32_t type, entry_bytes, launch, load;
    } rows[] = {
        { VEU_SECTION_VARIABLES, 8, 0x1000, 0x10000 },
        { VEU_SECTION_PREDICATES, 4, 0x400, 0x400 },
        { VEU_SECTION_ADDRESSES, 4, 0x100, 0x100 },
        { VEU_SECTION_LABELS, 8, 0x8000, 0x8000 },
        { VEU_SECTION_PREDEFINED, 8, 32, 32 },
        { VEU_SECTION_STATES, 8, 0x11a, 0x11a },
        { VEU_SECTION_FUNCTIONS, 8, 0x400, 0x400 },
    };

    for (unsigned n = 0; n < G_N_ELEMENTS(rows); n++) {
        for (unsigned loaded = 0; loaded < 2; loaded++) {
            uint32_t bytes = rows[n].entry_bytes *
                             (loaded ? rows[n].load : rows[n].launch);

            g_assert_false(is_too_long(rows[n].type, bytes, loaded));
            g_assert_true(
                is_too_long(rows[n].type, bytes + rows[n].entry_bytes, loaded));
            g_assert_true(is_too_long(rows[n].type, bytes - 1, loaded));
        }
    }
}

/* ---- instructions, messages and routines ---- */

/* @count instructions, the last of which ends the kernel. */
static uint16_t fault_of_instructions(unsigned count, bool loaded)
{
    g_autoptr(Long) l = long_new();
    g_autoptr(GByteArray) program = NULL;

    while (--count) {
        add(l, "wait", 0);
    }
    add(l, "ret", 0);
    program = long_build(l, VEU_PROGRAM_INSTRUCTIONS);
    return loaded ? load_fault(program) : launch_fault(program);
}

/* @count fences, in a program of messages or of instructions. */
static uint16_t fault_of_messages(unsigned count, uint16_t kind, bool loaded)
{
    static const TestMessage fence = { .kind = TEST_FENCE };
    g_autoptr(Long) l = long_new();
    g_autoptr(GByteArray) program = NULL;
    TestCode code = test_encode(&fence);

    while (count--) {
        g_byte_array_append(l->code, code.bytes, code.count);
    }
    if (kind) {
        add(l, "ret", 0);
    }
    program = long_build(l, kind);
    return loaded ? load_fault(program) : launch_fault(program);
}

#define TOO_MANY VEU_FAULT_PROGRAM_MESSAGES

static void test_instructions_have_a_limit(void)
{
    g_assert_cmphex(fault_of_instructions(0x8000, false), ==, 0);
    g_assert_cmphex(fault_of_instructions(0x8001, false), ==, TOO_MANY);
    g_assert_cmphex(fault_of_instructions(0x20000, true), ==, 0);
    g_assert_cmphex(fault_of_instructions(0x20001, true), ==, TOO_MANY);
}

static void test_messages_have_a_limit(void)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        g_assert_cmphex(fault_of_messages(0x2000, kind, false), ==, 0);
        g_assert_cmphex(fault_of_messages(0x2001, kind, false), ==, TOO_MANY);
        g_assert_cmphex(fault_of_messages(0x20000 - kind, kind, true), ==, 0);
        g_assert_cmphex(fault_of_messages(0x20001 - kind, kind, true), ==,
                        TOO_MANY);
    }
}

/* The kernel, @functions, and subroutines. */
static uint16_t fault_of_routines(unsigned count, unsigned functions,
                                  bool loaded)
{
    g_autoptr(Long) l = long_new();
    g_autoptr(GByteArray) program = NULL;

    add(l, "ret", 0);
    for (unsigned n = 1; n < count - functions; n++) {
        add_subroutine(l);
    }
    for (unsigned n = 0; n < functions; n++) {
        add_function(l);
    }
    program = long_build(l, VEU_PROGRAM_INSTRUCTIONS);
    return loaded ? load_fault(program) : launch_fault(program);
}

static void test_routines_have_a_limit(void)
{
    for (unsigned loaded = 0; loaded < 2; loaded++) {
        for (unsigned functions = 0; functions <= 1024; functions += 512) {
            g_assert_cmphex(fault_of_routines(4096, functions, loaded), ==, 0);
            g_assert_cmphex(fault_of_routines(4097, functions, loaded), ==,
                            TOO_MANY);
        }
    }
}

/* The kernel calls one subroutine and one function again and again. */
static void test_calls_are_limited_by_instructions_only(void)
{
    for (unsigned loaded = 0; loaded < 2; loaded++) {
        g_autoptr(Long) l = long_new();
        g_autoptr(GByteArray) program = NULL;
        unsigned calls = (loaded ? 0x20000 : 0x8000) - 4;

        for (unsigned n = 0; n < calls; n++) {
            add(l, n % 2 ? "call" : "fcall", 0);
        }
        add(l, "ret", 0);
        add_subroutine(l);
        add_function(l);
        program = long_build(l, VEU_PROGRAM_INSTRUCTIONS);
        g_assert_cmphex(loaded ? load_fault(program) : launch_fault(program),
                        ==, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/limits/" #name, test_##name)
    RULE(sections_have_limits);
    RULE(instructions_have_a_limit);
    RULE(messages_have_a_limit);
    RULE(routines_have_a_limit);
    RULE(calls_are_limited_by_instructions_only);
#undef RULE
    return g_test_run();
}
