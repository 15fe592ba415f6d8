/*
 * veu unit tests: loading a program: include/veu/program.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/decode/load.h"
#include "hw/veu/eu/program/program.h"
#include "hw/veu/eu/program/room.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/program_builder.h"

#define SECTION_AT(n, field) \
    (32u + (n)*16u + offsetof(struct veu_section, field))

/* A program, its bytes, and the result of the loader. */
typedef struct Load {
    TestProgram source;
    uint8_t bytes[PROGRAM_MAX_BYTES];
    uint32_t count;
    VeuProgram *program;
    VeuFault fault;
    uint32_t offset;
} Load;

static TestMessage gather(uint32_t offsets, uint32_t data)
{
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    m.address.id = offsets;
    m.data.id = data;
    return m;
}

/* V32 has 16 dwords from byte 0, V33 8 qwords from byte 64, P1 16 bits. */
static Load *load_new(void)
{
    Load *l = g_new0(Load, 1);
    TestMessage m = gather(32, 32);

    l->program = veu_program_new();
    test_program_init(&l->source);
    test_program_variable(&l->source, 0, 16, VEU_TYPE_UD);
    test_program_variable(&l->source, 64, 8, VEU_TYPE_UQ);
    test_program_predicate(&l->source, 16);
    test_program_add(&l->source, &m);
    l->count = test_program_build(&l->source, l->bytes);
    return l;
}

static void load_free(Load *l)
{
    g_free(l->program);
    g_free(l);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Load, load_free)

static void build(Load *l)
{
    l->count = test_program_build(&l->source, l->bytes);
}

/* Loads from a block of exactly its size; runs the decoder in small pieces. */
static bool load_bytes(Load *l, uint32_t count)
{
    g_autofree uint8_t *copy = g_memdup2(l->bytes, count);
    VeuLoad result = VEU_LOAD_MORE;

    memset(&l->fault, 0, sizeof(l->fault));
    l->offset = UINT32_MAX;
    if (!veu_program_open(l->program, copy, count, 16, &l->fault)) {
        return false;
    }
    while (result == VEU_LOAD_MORE) {
        result = veu_program_decode(l->program, 3, &l->fault, &l->offset);
    }
    return result == VEU_LOAD_DONE;
}

static void assert_legal(Load *l)
{
    g_assert_true(load_bytes(l, l->count));
    g_assert_cmphex(l->fault.code, ==, 0);
}

static void assert_refused(Load *l, uint16_t code, uint32_t detail)
{
    g_assert_false(load_bytes(l, l->count));
    g_assert_cmphex(l->fault.code, ==, code);
    g_assert_cmpuint(l->fault.detail, ==, detail);
}

static void set(Load *l, uint32_t at, unsigned bytes, uint32_t value)
{
    memcpy(l->bytes + at, &value, bytes);
}

/*
 * Checks that the program with @value at @at is refused because of that field.
 */
static void refuse_with(uint32_t at, unsigned bytes, uint32_t value)
{
    g_autoptr(Load) l = load_new();

    set(l, at, bytes, value);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD, at);
}

static void test_a_plain_program_is_legal(void)
{
    g_autoptr(Load) l = load_new();

    assert_legal(l);
    g_assert_cmpuint(l->program->grf_bytes, ==, 32);
    g_assert_cmpuint(l->program->register_bytes, ==, 1024);
    g_assert_cmpuint(l->program->variable_count, ==, 2);
    g_assert_cmpuint(l->program->predicate_count, ==, 1);
    g_assert_cmpuint(l->program->message_count, ==, 1);
}

/* The registers of an inline program end with its last variable. */
static void test_registers_of_an_inline_program(void)
{
    const struct veu_variable variables[] = {
        { .offset = 64, .elements = 8, .type = VEU_TYPE_UQ },
        { .offset = 0, .elements = 16, .type = VEU_TYPE_UD },
    };
    g_autofree VeuProgram *program = veu_program_new();
    VeuFault fault = { 0 };

    g_assert_true(veu_program_open_inline(program, 16, 32, variables, 2, 0,
                                          NULL, 0, &fault));
    g_assert_cmpuint(program->register_bytes, ==, 128);
}

static void test_header_fields(void)
{
    refuse_with(0, 4, 0x50554557); /* magic */
    refuse_with(4, 2, 0);          /* version */
    refuse_with(4, 2, 2);
    refuse_with(6, 2, 2);  /* kind */
    refuse_with(12, 2, 0); /* grf_bytes */
    refuse_with(12, 2, 16);
    refuse_with(12, 2, 48);
    refuse_with(12, 2, 128);
    refuse_with(14, 2, 0); /* section_count */
    refuse_with(14, 2, 0xffff);
    refuse_with(20, 4, 64 * 1024 + 1);
    refuse_with(20, 4, UINT32_MAX);
    refuse_with(24, 4, 1); /* reserved */
}

static void test_a_register_file_of_64_kib_is_legal(void)
{
    g_autoptr(Load) l = load_new();

    set(l, 20, 4, 64 * 1024);
    assert_legal(l);
    g_assert_cmpuint(l->program->register_bytes, ==, 64 * 1024);
}

static void test_second_reserved_word_of_the_header(void)
{
    g_autoptr(Load) l = load_new();

    set(l, 28, 4, 0x80000000);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD, 24);
}

/* The field has to agree with the size in the dispatch. */
static void test_bytes_is_the_size_of_the_program(void)
{
    g_autoptr(Load) l = load_new();

    refuse_with(8, 4, l->count - 1);
    refuse_with(8, 4, l->count + 1);
    g_assert_false(load_bytes(l, l->count - 1));
    g_assert_cmpuint(l->fault.detail, ==, 8);
}

/* A header alone has no room for a section. */
static void test_a_header_without_sections(void)
{
    g_autoptr(Load) l = load_new();

    set(l, 8, 4, 32);
    g_assert_false(load_bytes(l, 32));
    g_assert_cmphex(l->fault.code, ==, VEU_FAULT_PROGRAM_FIELD);
    g_assert_cmpuint(l->fault.detail, ==, 14);
}

/* There is room for four sections; 1 to 3 are legal. */
static void test_more_sections_than_types(void)
{
    g_autoptr(Load) l = load_new();

    set(l, 14, 2, 5);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD, 14);
}

/* The program is too short for a header, or for its sections. */
static void test_programs_that_end_early(void)
{
    g_autoptr(Load) l = load_new();

    for (uint32_t count = 1; count < l->count; count++) {
        if (count >= 12) {
            set(l, 8, 4, count);
        }
        g_assert_false(load_bytes(l, count));
        g_assert_cmphex(l->fault.code, ==, VEU_FAULT_PROGRAM_FIELD);
    }
}

static void test_64_byte_registers_are_legal(void)
{
    g_autoptr(Load) l = load_new();

    l->source.header.grf_bytes = 64;
    build(l);
    assert_legal(l);
    g_assert_cmpuint(l->program->grf_bytes, ==, 64);
}

static void test_section_types(void)
{
    refuse_with(SECTION_AT(1, type), 4, 0);
    refuse_with(SECTION_AT(1, type), 4, 5);
    refuse_with(SECTION_AT(1, type), 4, 6);
    refuse_with(SECTION_AT(1, type), 4, UINT32_MAX);
}

/* The detail names the second entry. */
static void test_a_section_type_stands_once(void)
{
    static const uint32_t types[] = { VEU_SECTION_CODE, VEU_SECTION_VARIABLES };

    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Load) l = load_new();

        set(l, SECTION_AT(2, type), 4, types[i]);
        set(l, SECTION_AT(2, bytes), 4, 0);
        assert_refused(l, VEU_FAULT_PROGRAM_FIELD, SECTION_AT(2, type));
    }
}

static void test_section_offset_and_size(void)
{
    g_autoptr(Load) l = load_new();
    uint32_t end = (l->count + 3) / 4 * 4;

    for (unsigned n = 0; n < 3; n++) {
        refuse_with(SECTION_AT(n, offset), 4, 81);
        refuse_with(SECTION_AT(n, offset), 4, 82);
        refuse_with(SECTION_AT(n, offset), 4, end);
        refuse_with(SECTION_AT(n, offset), 4, 0xfffffffc);
        refuse_with(SECTION_AT(n, bytes), 4, l->count);
        refuse_with(SECTION_AT(n, bytes), 4, UINT32_MAX);
        refuse_with(SECTION_AT(n, reserved), 4, 1);
    }
}

static void test_there_is_always_code(void)
{
    g_autoptr(Load) l = load_new();

    /* only a section of variables remains: the detail names section_count */
    memmove(l->bytes + 32, l->bytes + 48, 16);
    set(l, 14, 2, 1);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD, 14);
}

static void test_variables_and_predicates_may_be_missing(void)
{
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(0, 0);

    test_program_init(&l->source);
    test_program_add(&l->source, &m);
    build(l);
    set(l, 14, 2, 1);
    assert_legal(l);
    g_assert_cmpuint(l->program->variable_count, ==, 0);
    g_assert_cmpuint(l->program->predicate_count, ==, 0);
}

static void test_sections_may_stand_in_any_order(void)
{
    g_autoptr(Load) l = load_new();
    uint8_t code[16];

    memcpy(code, l->bytes + 32, 16);
    memmove(l->bytes + 32, l->bytes + 48, 32);
    memcpy(l->bytes + 64, code, 16);
    assert_legal(l);
    g_assert_cmpuint(l->program->variable_count, ==, 2);
    g_assert_cmpuint(l->program->message_count, ==, 1);
}

/* Tests half an entry. */
static void test_sections_hold_whole_entries(void)
{
    refuse_with(SECTION_AT(1, bytes), 4, 12);
    refuse_with(SECTION_AT(2, bytes), 4, 2);
}

/* Checks that a variable at @at of the program is refused. */
static void refuse_variable(struct veu_variable variable, uint32_t field)
{
    g_autoptr(Load) l = load_new();

    l->source.variables[1] = variable;
    build(l);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD,
                   PROGRAM_SECTIONS_END + 8 + field);
}

static void accept_variable(struct veu_variable variable)
{
    g_autoptr(Load) l = load_new();

    l->source.variables[1] = variable;
    build(l);
    assert_legal(l);
}

/* V, VF, BOOL, UV and codes without a type are refused. */
static void test_variable_types(void)
{
    static const uint8_t bytes[16] = { 4, 4, 2, 2, 1, 1, 8, 4,
                                       0, 0, 0, 8, 0, 8, 2, 2 };

    for (unsigned type = 0; type < 256; type++) {
        struct veu_variable v = { .elements = 1, .type = type };

        if (type < 16 && bytes[type]) {
            accept_variable(v);
            /* up to the end of the register file, and past it */
            v.elements = 8;
            v.offset = 1024 - 8 * bytes[type];
            accept_variable(v);
            v.offset++;
            refuse_variable(v, 0);
        } else {
            refuse_variable(v, 6);
        }
    }
}

static void test_variables_have_elements(void)
{
    refuse_variable((struct veu_variable){ .elements = 0 }, 4);
    refuse_with(PROGRAM_SECTIONS_END + 4, 2, 0); /* V32, too */
}

static void test_variables_lie_in_the_register_file(void)
{
    refuse_variable((struct veu_variable){ .offset = 1024, .elements = 1 }, 0);
    refuse_variable((struct veu_variable){ .offset = 1021, .elements = 1 }, 0);
    refuse_variable(
        (struct veu_variable){ .offset = UINT32_MAX - 3, .elements = 1 }, 0);
    refuse_variable(
        (struct veu_variable){ .elements = 0xffff, .type = VEU_TYPE_UQ }, 0);
    accept_variable((struct veu_variable){ .offset = 3, .elements = 1 });
    accept_variable((struct veu_variable){ .offset = 1020, .elements = 1 });
}

static void test_reserved_byte_of_a_variable(void)
{
    refuse_variable((struct veu_variable){ .elements = 1, .reserved = 1 }, 7);
}

static void test_predicates_have_1_to_32_bits(void)
{
    static const unsigned bits[] = { 0, 33, 0xffff };
    uint32_t at = PROGRAM_SECTIONS_END + 2 * 8;

    for (unsigned i = 0; i < 3; i++) {
        refuse_with(at, 2, bits[i]);
    }
    refuse_with(at + 2, 2, 1);
    for (unsigned n = 1; n <= 32; n++) {
        g_autoptr(Load) l = load_new();

        set(l, at, 2, n);
        assert_legal(l);
    }
}

/* Like load_new(), with A0 of 16 elements and A1 of 1. */
static Load *load_with_addresses(void)
{
    Load *l = load_new();

    test_program_address(&l->source, 16);
    test_program_address(&l->source, 1);
    build(l);
    return l;
}

static void test_address_variables_have_1_to_16_elements(void)
{
    g_autoptr(Load) l = load_with_addresses();
    uint32_t at = PROGRAM_SECTIONS_END + 2 * 8 + 4;

    assert_legal(l);
    g_assert_cmpuint(l->program->address_count, ==, 2);
    g_assert_cmpuint(l->program->address_element_count, ==, 17);
    for (unsigned n = 0; n <= 0xffff; n = n < 40 ? n + 1 : 2 * n + 1) {
        set(l, at, 2, n);
        if (n >= 1 && n <= 16) {
            assert_legal(l);
            g_assert_cmpuint(l->program->address_element_count, ==, n + 1);
        } else {
            assert_refused(l, VEU_FAULT_PROGRAM_FIELD, at);
        }
    }
    set(l, at, 2, 1);
    set(l, at + 4, 2, 0);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD, at + 4);
    set(l, at + 4, 2, 1);
    set(l, at + 4 + 2, 2, 1);
    assert_refused(l, VEU_FAULT_PROGRAM_FIELD, at + 6);
}

static void test_entry_is_where_the_code_starts(void)
{
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(32, 0);
    uint32_t second = test_program_add(&l->source, &m);

    l->source.header.entry = second;
    build(l);
    assert_legal(l);
    g_assert_cmpuint(l->program->message_count, ==, 1);
    g_assert_cmpuint(l->program->messages[0].offset, ==, second);
    /* at its end: nothing to execute */
    set(l, 16, 4, l->source.code_bytes);
    assert_legal(l);
    g_assert_cmpuint(l->program->message_count, ==, 0);
    refuse_with(16, 4, second + 1);
}

static void test_a_program_may_have_no_messages(void)
{
    g_autoptr(Load) l = load_new();

    l->source.code_bytes = 0;
    build(l);
    assert_legal(l);
    g_assert_cmpuint(l->program->message_count, ==, 0);
}

/*
 * The fault has the offset of the bad message in the code; detail is the offset
 * in it.
 */
static void test_a_bad_message_is_named_by_its_offset(void)
{
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(32, 32);
    uint32_t at;

    for (unsigned i = 0; i < 7; i++) {
        test_program_add(&l->source, &m);
    }
    m.num_blocks = 3;
    at = test_program_add(&l->source, &m);
    m.num_blocks = 0;
    test_program_add(&l->source, &m);
    build(l);
    assert_refused(l, VEU_FAULT_MESSAGE_FIELD, 5);
    g_assert_cmpuint(l->offset, ==, at);
}

static void test_the_last_message_has_to_be_whole(void)
{
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(32, 32);
    uint32_t at = test_program_add(&l->source, &m);

    l->source.code_bytes -= 5;
    build(l);
    assert_refused(l, VEU_FAULT_MESSAGE_TRUNCATED, 27 - 5);
    g_assert_cmpuint(l->offset, ==, at);
}

/*
 * Messages are checked against the program's declarations and the dispatch's
 * SIMD size.
 */
static void test_messages_are_held_against_the_declarations(void)
{
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(32, 32);

    l->source.code_bytes = 0;
    m.exec = TEST_LANES_16;
    m.pred = 1;
    test_program_add(&l->source, &m);
    build(l);
    assert_legal(l); /* SIMD16, P1 of 16 bits */
    m.exec = TEST_LANES_16 | TEST_M(5);
    l->source.code_bytes = 0;
    test_program_add(&l->source, &m);
    build(l);
    assert_refused(l, VEU_FAULT_MESSAGE_LANES, 1);
}

/*
 * LIMIT_MESSAGES messages are legal, and one more is not. A GATHER of one
 * element has 23 bytes.
 */
static void test_too_many_messages(void)
{
    enum {
        HEADER = 48
    };
    uint32_t limit = VEU_LIMIT_MESSAGES;
    uint32_t count = HEADER + (limit + 1) * 23;
    g_autofree uint8_t *bytes = g_malloc0(count);
    g_autofree VeuProgram *program = veu_program_new();
    TestMessage m = { .kind = TEST_GATHER,
                      .num_elts = 2,
                      .offset = test_immediate(0) };
    TestCode code = test_encode(&m);
    struct veu_program_header header = { .magic = VEU_PROGRAM_MAGIC,
                                         .version = 1,
                                         .bytes = count,
                                         .grf_bytes = 32,
                                         .section_count = 1 };
    struct veu_section section = { VEU_SECTION_CODE, HEADER, count - HEADER,
                                   0 };
    VeuFault fault = { 0 };
    uint32_t offset = 0;

    g_assert_cmpuint(code.count, ==, 23);
    g_assert_cmpuint(count, <=, VEU_LIMIT_PROGRAM_BYTES);
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + 32, &section, sizeof(section));
    for (uint32_t i = 0; i <= limit; i++) {
        memcpy(bytes + HEADER + i * 23, code.bytes, 23);
    }
    g_assert_true(veu_program_open(program, bytes, count, 8, &fault));
    g_assert_cmpint(veu_program_decode(program, limit + 9, &fault, &offset), ==,
                    VEU_LOAD_FAULT);
    g_assert_cmphex(fault.code, ==, VEU_FAULT_PROGRAM_MESSAGES);
    header.bytes = count -= 23;
    section.bytes -= 23;
    memcpy(bytes, &header, sizeof(header));
    memcpy(bytes + 32, &section, sizeof(section));
    g_assert_true(veu_program_open(program, bytes, count, 8, &fault));
    g_assert_cmpint(veu_program_decode(program, limit + 9, &fault, &offset), ==,
                    VEU_LOAD_DONE);
    g_assert_cmpuint(program->message_count, ==, limit);
}

/* A section of @count entries, which are zero except for their first bytes. */
static void check_limit(uint32_t type, uint32_t entry_bytes, uint32_t limit,
                        uint64_t entry)
{
    for (uint32_t n = limit; n <= limit + 1; n++) {
        uint32_t bytes = n * entry_bytes;
        g_autofree uint8_t *program = g_malloc0(64 + bytes);
        g_autofree VeuProgram *out = veu_program_new();
        struct veu_program_header header = { .magic = VEU_PROGRAM_MAGIC,
                                             .version = 1,
                                             .bytes = 64 + bytes,
                                             .grf_bytes = 32,
                                             .register_bytes = 4,
                                             .section_count = 2 };
        struct veu_section code = { VEU_SECTION_CODE, 64, 0, 0 };
        struct veu_section entries = { type, 64, bytes, 0 };
        VeuFault fault = { 0 };

        memcpy(program, &header, sizeof(header));
        memcpy(program + 32, &code, sizeof(code));
        memcpy(program + 48, &entries, sizeof(entries));
        for (uint32_t i = 0; i < n; i++) {
            memcpy(program + 64 + i * entry_bytes, &entry, entry_bytes);
        }
        g_assert_cmpint(veu_program_open(out, program, 64 + bytes, 8, &fault),
                        ==, n == limit);
        g_assert_cmpuint(fault.detail, ==, n == limit ? 0 : 48 + 8);
    }
}

static void test_too_many_variables_predicates_or_addresses(void)
{
    check_limit(VEU_SECTION_VARIABLES, 8, VEU_LIMIT_VARIABLES,
                UINT64_C(1) << 32); /* one UD */
    check_limit(VEU_SECTION_PREDICATES, 4, VEU_LIMIT_PREDICATES, 32);
    check_limit(VEU_SECTION_ADDRESSES, 4, VEU_LIMIT_ADDRESSES, 16);
}

/* A launch reads each entry of the surface table that a message names, once. */
static void test_entries_that_messages_name(void)
{
    static const uint8_t named[] = { 4, 2, 4, 7, 0, 7, 3, 2, 249, 0 };
    static const uint8_t expected[] = { 0, 2, 3, 4, 7, 249 };
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(32, 32);

    test_program_init(&l->source);
    test_program_variable(&l->source, 0, 16, VEU_TYPE_UD);
    for (unsigned i = 0; i < G_N_ELEMENTS(named); i++) {
        m.surface = VEU_FIRST_SURFACE + named[i];
        test_program_add(&l->source, &m);
    }
    m.surface = VEU_FIRST_SURFACE - 1;
    test_program_add(&l->source, &m);
    build(l);
    assert_legal(l);
    g_assert_cmpmem(l->program->entries, l->program->entry_count, expected,
                    sizeof(expected));
    build(l);
    assert_legal(l);
    g_assert_cmpuint(l->program->entry_count, ==, sizeof(expected));
}

/* Loading can thus be split into bounded pieces. */
static void test_decoding_stops_when_the_budget_is_spent(void)
{
    g_autoptr(Load) l = load_new();
    TestMessage m = gather(32, 32);
    uint32_t offset;

    for (unsigned i = 0; i < 9; i++) {
        test_program_add(&l->source, &m);
    }
    build(l);
    g_assert_true(
        veu_program_open(l->program, l->bytes, l->count, 16, &l->fault));
    g_assert_cmpint(veu_program_decode(l->program, 4, &l->fault, &offset), ==,
                    VEU_LOAD_MORE);
    g_assert_cmpuint(l->program->message_count, ==, 4);
    g_assert_cmpint(veu_program_decode(l->program, 4, &l->fault, &offset), ==,
                    VEU_LOAD_MORE);
    g_assert_cmpint(veu_program_decode(l->program, 4, &l->fault, &offset), ==,
                    VEU_LOAD_DONE);
    g_assert_cmpuint(l->program->message_count, ==, 10);
}

/*
 * Any program of random bytes is refused or loaded, without any other effect.
 */
static void test_random_damage_never_reads_beyond_the_program(void)
{
    g_autoptr(GRand) rng = g_rand_new_with_seed(1);

    for (unsigned n = 0; n < 3000; n++) {
        g_autoptr(Load) l = load_new();

        for (unsigned i = g_rand_int_range(rng, 1, 5); i; i--) {
            uint32_t at = g_rand_int_range(rng, 0, l->count);

            l->bytes[at] = g_rand_int(rng);
        }
        if (!load_bytes(l, l->count)) {
            g_assert_cmphex(l->fault.code, !=, 0);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/program/" #name, test_##name)
    RULE(a_plain_program_is_legal);
    RULE(registers_of_an_inline_program);
    RULE(header_fields);
    RULE(a_register_file_of_64_kib_is_legal);
    RULE(second_reserved_word_of_the_header);
    RULE(bytes_is_the_size_of_the_program);
    RULE(a_header_without_sections);
    RULE(more_sections_than_types);
    RULE(programs_that_end_early);
    RULE(64_byte_registers_are_legal);
    RULE(section_types);
    RULE(a_section_type_stands_once);
    RULE(section_offset_and_size);
    RULE(there_is_always_code);
    RULE(variables_and_predicates_may_be_missing);
    RULE(sections_may_stand_in_any_order);
    RULE(sections_hold_whole_entries);
    RULE(variable_types);
    RULE(variables_have_elements);
    RULE(variables_lie_in_the_register_file);
    RULE(reserved_byte_of_a_variable);
    RULE(predicates_have_1_to_32_bits);
    RULE(address_variables_have_1_to_16_elements);
    RULE(entry_is_where_the_code_starts);
    RULE(a_program_may_have_no_messages);
    RULE(a_bad_message_is_named_by_its_offset);
    RULE(the_last_message_has_to_be_whole);
    RULE(messages_are_held_against_the_declarations);
    RULE(too_many_messages);
    RULE(too_many_variables_predicates_or_addresses);
    RULE(entries_that_messages_name);
    RULE(decoding_stops_when_the_budget_is_spent);
    RULE(random_damage_never_reads_beyond_the_program);
#undef RULE
    return g_test_run();
}
