/*
 * veu unit tests: operands: semantics.md, section 2, from "Raw operands" on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define FREE EU_FIRST_FREE_ID

/* A raw operand: where it is in TestMessage and in the encoding. */
typedef struct Operand {
    TestKind kind;
    size_t field;
    uint32_t at;
    uint32_t types; /* bit n: enum veu_type n is legal */
    unsigned lane_bytes;
} Operand;

#define OFFSET_TYPES  0x0003u /* UD D */
#define ADDRESS_TYPES 0x2800u /* UQ Q */
#define DATA_TYPES    0x0083u /* UD D F */
#define ALL_TYPES     0xe8ffu /* all but V VF BOOL UV */
#define FIELD(name)   G_STRUCT_OFFSET(TestMessage, name)

/* Layouts: visa-encoding.md, section 3, with an immediate of 6 bytes. */
static const Operand operands[] = {
    { TEST_GATHER, FIELD(address), 11, OFFSET_TYPES, 4 },
    { TEST_GATHER, FIELD(data), 17, DATA_TYPES, 4 },
    { TEST_GATHER_SCALED, FIELD(address), 15, OFFSET_TYPES, 4 },
    { TEST_GATHER_SCALED, FIELD(data), 21, DATA_TYPES, 4 },
    { TEST_SCATTER_SCALED, FIELD(address), 15, OFFSET_TYPES, 4 },
    { TEST_SCATTER_SCALED, FIELD(data), 21, DATA_TYPES, 4 },
    { TEST_GATHER4_TYPED, FIELD(address), 6, OFFSET_TYPES, 4 },
    { TEST_GATHER4_TYPED, FIELD(v), 12, OFFSET_TYPES, 4 },
    { TEST_GATHER4_TYPED, FIELD(r), 18, OFFSET_TYPES, 4 },
    { TEST_GATHER4_TYPED, FIELD(lod), 24, OFFSET_TYPES, 4 },
    { TEST_GATHER4_TYPED, FIELD(data), 30, DATA_TYPES, 4 },
    { TEST_SCATTER4_TYPED, FIELD(address), 6, OFFSET_TYPES, 4 },
    { TEST_SCATTER4_TYPED, FIELD(v), 12, OFFSET_TYPES, 4 },
    { TEST_SCATTER4_TYPED, FIELD(r), 18, OFFSET_TYPES, 4 },
    { TEST_SCATTER4_TYPED, FIELD(lod), 24, OFFSET_TYPES, 4 },
    { TEST_SCATTER4_TYPED, FIELD(data), 30, DATA_TYPES, 4 },
    { TEST_SVM_GATHER, FIELD(address), 7, ADDRESS_TYPES, 8 },
    { TEST_SVM_GATHER, FIELD(data), 13, ALL_TYPES, 4 },
};

#define FOR_EACH_OPERAND(o)                                                  \
    for (const Operand *o = operands; o < operands + G_N_ELEMENTS(operands); \
         o++)

static TestMessage with_operand(const Operand *o, uint32_t id, uint16_t byte)
{
    TestMessage m = eu_message(o->kind);

    m.channels = 1;
    *(TestRaw *)((uint8_t *)&m + o->field) = (TestRaw){ id, byte };
    return m;
}

static void legal(EuFixture *eu, const Operand *o, uint32_t id, uint16_t byte)
{
    TestMessage m = with_operand(o, id, byte);

    eu_assert_legal(eu, &m);
}

static void refused(EuFixture *eu, const Operand *o, uint32_t id, uint16_t byte)
{
    TestMessage m = with_operand(o, id, byte);

    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, o->at);
}

/* "id 0 = null, whatever the offset". */
static void test_id_0_is_null_whatever_the_offset(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        legal(eu, o, 0, 0);
        legal(eu, o, 0, 1);
        legal(eu, o, 0, 0xffff);
    }
}

static void test_predefined_variables_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        for (uint32_t id = 1; id < 32; id++) {
            refused(eu, o, id, 0);
        }
    }
}

static void test_undeclared_variables_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        refused(eu, o, FREE, 0);
        refused(eu, o, FREE + 1, 0);
        refused(eu, o, 0x80000020, 0);
        refused(eu, o, UINT32_MAX, 0);
    }
}

static void test_types(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned type = 0; type < 16; type++) {
        if (ALL_TYPES >> type & 1) {
            uint32_t id = eu_variable(eu, EU_FREE_AT, 64, type);

            FOR_EACH_OPERAND(o)
            {
                if (!(o->types >> type & 1)) {
                    refused(eu, o, id, 0);
                } else {
                    legal(eu, o, id, 0);
                }
            }
        }
    }
}

static void test_byte_offset_is_a_multiple_of_the_register_size(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint32_t dwords = eu_variable(eu, EU_FREE_AT, 256, VEU_TYPE_UD);
    uint32_t qwords = eu_variable(eu, EU_FREE_AT, 128, VEU_TYPE_UQ);

    for (eu->grf_bytes = 32; eu->grf_bytes <= 64; eu->grf_bytes *= 2) {
        FOR_EACH_OPERAND(o)
        {
            uint32_t id = o->types == ADDRESS_TYPES ? qwords : dwords;

            for (unsigned byte = 0; byte < 256; byte++) {
                if (byte % eu->grf_bytes == 0) {
                    legal(eu, o, id, byte);
                } else {
                    refused(eu, o, id, byte);
                }
            }
        }
    }
}

/* The extent of all lanes lies inside of the variable, to the last byte. */
static void test_extent_of_all_lanes_is_inside_the_variable(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.exec_mask = 0; /* also of those that are off */
    FOR_EACH_OPERAND(o)
    {
        enum veu_type type = o->lane_bytes == 8 ? VEU_TYPE_UQ : VEU_TYPE_UD;
        uint32_t just = eu_variable(eu, EU_FREE_AT, 8, type);
        uint32_t few = eu_variable(eu, EU_FREE_AT, 7, type);

        legal(eu, o, just, 0);
        refused(eu, o, few, 0);
        refused(eu, o, just, 32);
        refused(eu, o, just, 0xffe0);
        eu->variable_count -= 2;
    }
}

static void test_extent_starts_at_the_byte_offset(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_OPERAND(o)
    {
        bool qword = o->lane_bytes == 8;
        enum veu_type type = qword ? VEU_TYPE_UQ : VEU_TYPE_UD;
        unsigned grf_elements = qword ? 4 : 8;
        uint32_t id = eu_variable(eu, EU_FREE_AT, 8 + grf_elements, type);

        legal(eu, o, id, 32);
        refused(eu, o, id, 64);
        eu->variable_count--;
    }
}

/* (channels - 1) * max(n, GRF / 4) + n dwords. */
static void test_channel_operand_extents(void)
{
    static const struct {
        unsigned grf_bytes;
        uint8_t exec;
        uint8_t channels;
        unsigned dwords;
    } cases[] = {
        { 32, TEST_LANES_8, 0x1, 8 },   { 32, TEST_LANES_8, 0x5, 16 },
        { 32, TEST_LANES_8, 0xf, 32 },  { 32, TEST_LANES_16, 0xf, 64 },
        { 64, TEST_LANES_8, 0x1, 8 },   { 64, TEST_LANES_8, 0xa, 24 },
        { 64, TEST_LANES_8, 0x7, 40 },  { 64, TEST_LANES_8, 0xf, 56 },
        { 64, TEST_LANES_16, 0xf, 64 }, { 32, TEST_LANES_16, 0x3, 32 },
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestMessage m = eu_message(TEST_SCATTER4_TYPED);

        eu->grf_bytes = cases[i].grf_bytes;
        m.exec = cases[i].exec;
        m.channels = cases[i].channels;
        m.data.id = eu_variable(eu, EU_FREE_AT, cases[i].dwords, VEU_TYPE_UD);
        eu_assert_legal(eu, &m);
        m.data.id = eu_variable(eu, EU_FREE_AT, cases[i].dwords - 1,
                                VEU_TYPE_UD);
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 30);
        eu->variable_count -= 2;
    }
}

/* dst[j * n + i] of 4 or 8 bytes; of 1 byte: max(4, blocks) per lane. */
static void test_svm_operand_extents(void)
{
    static const struct {
        uint8_t exec;
        uint8_t block_size;
        uint8_t num_blocks;
        unsigned bytes;
    } cases[] = {
        { TEST_LANES_1, 0, 0, 4 },   { TEST_LANES_1, 0, 2, 4 },
        { TEST_LANES_8, 0, 3, 64 },  { TEST_LANES_16, 0, 1, 64 },
        { TEST_LANES_8, 1, 3, 256 }, { TEST_LANES_16, 1, 2, 256 },
        { TEST_LANES_2, 2, 2, 64 },  { TEST_LANES_16, 2, 2, 512 },
        { TEST_LANES_4, 1, 1, 32 },  { TEST_LANES_8, 3, 0, 64 },
    };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestMessage m = eu_message(TEST_SVM_GATHER);

        m.exec = cases[i].exec;
        m.block_size = cases[i].block_size;
        m.num_blocks = cases[i].num_blocks;
        m.data.id = eu_variable(eu, EU_FREE_AT, cases[i].bytes, VEU_TYPE_UB);
        eu_assert_legal(eu, &m);
        m.data.id = eu_variable(eu, EU_FREE_AT, cases[i].bytes - 1,
                                VEU_TYPE_UB);
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 13);
        eu->variable_count -= 2;
    }
}

/*
 * Scalars, through GATHER_SCALED: lane 0 reads the byte at the global offset,
 * modulo 2^32, of the stateless range, whose byte b holds b % 251.
 */
static uint32_t probe(EuFixture *eu, TestScalar scalar)
{
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    m.exec = TEST_LANES_1;
    m.num_blocks = 0;
    m.surface = 5;
    m.offset = scalar;
    g_assert_true(eu_run(eu, &m));
    return eu_get32(eu, EU_DATA_AT, 0);
}

#define STATELESS_BYTES 8192

/* Offset 0 is behind @back bytes, so that negative ones can be seen. */
static EuFixture *scalar_fixture(uint32_t element_offset)
{
    EuFixture *eu = eu_standard();

    for (unsigned i = 0; i < STATELESS_BYTES; i++) {
        uint8_t value = i % 251;

        test_memory_put(&eu->memory, EU_RAM + i, &value, 1);
    }
    eu->thread.stateless_base = EU_RAM;
    eu->thread.stateless_bytes = STATELESS_BYTES;
    eu_set32(eu, EU_OFFSETS_AT, 0, element_offset);
    return eu;
}

static TestScalar immediate(enum veu_type type, uint64_t value)
{
    return (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                         .type = type,
                         .value = value };
}

/* 1000 + the scalar's value. */
static void test_immediates_are_extended_by_their_type(void)
{
    g_autoptr(EuFixture) eu = scalar_fixture(1000);

    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_UD, 5)), ==, 1005 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_UD, 0xfffffffe)), ==,
                     998 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_D, 0xfffffffe)), ==,
                     998 % 251);
    /* -2:w = 05 03 feffffff, and as a 16-bit code alone */
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_W, 0xfffffffe)), ==,
                     998 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_W, 0x0000fffe)), ==,
                     998 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_B, 0x000000fe)), ==,
                     998 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_UB, 0xfffffffe)), ==,
                     1254 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_UW, 0xffff0100)), ==,
                     1256 % 251);
}

/* 64-bit immediates take 10 bytes; modulo 2^32. */
static void test_64_bit_immediates(void)
{
    g_autoptr(EuFixture) eu = scalar_fixture(1000);
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_UQ, 5)), ==, 1005 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_UQ, 0x1234567800000005)), ==,
                     1005 % 251);
    g_assert_cmpuint(probe(eu, immediate(VEU_TYPE_Q, -(uint64_t)2)), ==,
                     998 % 251);
    m.offset = immediate(VEU_TYPE_UQ, 0);
    eu_assert_legal(eu, &m);
    g_assert_cmpuint(eu->next, ==, 27 + 4);
}

/* A variable of each type that holds 2^bits - 2 */
static void check_variable(EuFixture *eu, enum veu_type type, unsigned bytes,
                           uint32_t expected)
{
    uint64_t value = UINT64_MAX - 1;

    memset(eu->registers + EU_FREE_AT, 0x55, 64);
    memcpy(eu->registers + EU_FREE_AT + bytes, &value, bytes);
    g_assert_cmpuint(
        probe(eu, test_general(eu_variable(eu, EU_FREE_AT, 2, type), 0, 1)), ==,
        expected);
    eu->variable_count--;
}

static void test_variables_are_extended_by_their_type(void)
{
    g_autoptr(EuFixture) eu = scalar_fixture(1000);

    check_variable(eu, VEU_TYPE_B, 1, 998 % 251);
    check_variable(eu, VEU_TYPE_W, 2, 998 % 251);
    check_variable(eu, VEU_TYPE_D, 4, 998 % 251);
    check_variable(eu, VEU_TYPE_Q, 8, 998 % 251);
    check_variable(eu, VEU_TYPE_UD, 4, 998 % 251);
    check_variable(eu, VEU_TYPE_UQ, 8, 998 % 251);
    check_variable(eu, VEU_TYPE_UB, 1, (1000 + 254) % 251);
    /* 1000 + 65534 is out of bounds: zero */
    check_variable(eu, VEU_TYPE_UW, 2, 0);
    eu_set32(eu, EU_OFFSETS_AT, 0, 1000 - 65534);
    check_variable(eu, VEU_TYPE_UW, 2, 1000 % 251);
}

/* column counts elements of the variable's type, row registers. */
static void test_rows_are_registers_and_columns_are_elements(void)
{
    g_autoptr(EuFixture) eu = scalar_fixture(0);
    uint32_t words = eu_variable(eu, EU_FREE_AT, 512, VEU_TYPE_UW);

    for (unsigned i = 0; i < 512; i++) {
        uint16_t value = i;

        memcpy(eu->registers + EU_FREE_AT + 2 * i, &value, 2);
    }
    g_assert_cmpuint(probe(eu, test_general(words, 0, 200)), ==, 200);
    g_assert_cmpuint(probe(eu, test_general(words, 3, 5)), ==, 3 * 16 + 5);
    eu->grf_bytes = 64;
    g_assert_cmpuint(probe(eu, test_general(words, 3, 5)), ==, 3 * 32 + 5);
}

static void test_the_region_is_ignored(void)
{
    g_autoptr(EuFixture) eu = scalar_fixture(0);

    eu_set32(eu, EU_SCALAR_AT, 3, 77);
    for (unsigned bit = 0; bit <= 16; bit++) {
        TestScalar s = test_general(EU_SCALAR, 0, 3);

        s.region = 0xffff >> bit;
        g_assert_cmpuint(probe(eu, s), ==, 77);
    }
}

static void scalar_refused(EuFixture *eu, TestScalar scalar)
{
    TestMessage gather = eu_message(TEST_GATHER);
    TestMessage scaled = eu_message(TEST_GATHER_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    gather.offset = scaled.offset = scatter.offset = scalar;
    eu_assert_refused(eu, &gather, VEU_FAULT_MESSAGE_OPERAND, 5);
    eu_assert_refused(eu, &scaled, VEU_FAULT_MESSAGE_OPERAND, 9);
    eu_assert_refused(eu, &scatter, VEU_FAULT_MESSAGE_OPERAND, 9);
}

static void test_scalar_element_is_inside_the_variable(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint32_t id = eu_variable(eu, EU_FREE_AT, 10, VEU_TYPE_UD);
    TestMessage m = eu_message(TEST_GATHER);

    m.offset = test_general(id, 0, 9);
    eu_assert_legal(eu, &m);
    m.offset = test_general(id, 1, 1);
    eu_assert_legal(eu, &m);
    scalar_refused(eu, test_general(id, 0, 10));
    scalar_refused(eu, test_general(id, 1, 2));
    scalar_refused(eu, test_general(id, 255, 255));
}

static void test_scalar_of_no_variable_is_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    scalar_refused(eu, test_general(0, 0, 0));
    scalar_refused(eu, test_general(7, 0, 0)); /* %r0 */
    scalar_refused(eu, test_general(31, 0, 0));
    scalar_refused(eu, test_general(FREE, 0, 0));
    scalar_refused(eu, test_general(UINT32_MAX, 0, 0));
}

static void test_float_and_packed_scalars_are_refused(void)
{
    static const uint8_t variables[] = { VEU_TYPE_DF, VEU_TYPE_F, VEU_TYPE_HF,
                                         VEU_TYPE_BF };
    static const uint8_t immediates[] = { VEU_TYPE_DF,   VEU_TYPE_F,
                                          VEU_TYPE_V,    VEU_TYPE_VF,
                                          VEU_TYPE_BOOL, VEU_TYPE_UV,
                                          VEU_TYPE_HF,   VEU_TYPE_BF };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(variables); i++) {
        uint32_t id = eu_variable(eu, EU_FREE_AT, 8, variables[i]);

        scalar_refused(eu, test_general(id, 0, 0));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(immediates); i++) {
        scalar_refused(eu, immediate(immediates[i], 0));
    }
    for (unsigned type = 16; type < 256; type++) {
        scalar_refused(eu, immediate(type, 0));
    }
}

static void test_modifiers_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned modifier = 1; modifier < 32; modifier++) {
        TestScalar general = test_general(EU_SCALAR, 0, 0);
        TestScalar number = test_immediate(0);

        general.tag |= modifier << 3;
        number.tag |= modifier << 3;
        scalar_refused(eu, general);
        scalar_refused(eu, number);
    }
}

static void test_indirect_scalars_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    /* r[A0(2),-16]<0;1,0>:ud = 03 0000 02 f0ff 00 2101 */
    scalar_refused(eu, (TestScalar){ .tag = TEST_CLASS_INDIRECT,
                                     .column = 2,
                                     .value = 0xfff0,
                                     .region = 0x0121 });
}

/* Classes that are no scalar operand of these messages. */
static void test_other_classes_are_refused(void)
{
    static const uint8_t classes[] = { TEST_CLASS_ADDRESS, TEST_CLASS_PREDICATE,
                                       4, TEST_CLASS_STATE, 7 };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(classes); i++) {
        TestMessage m = eu_message(TEST_GATHER);

        m.offset = (TestScalar){ .tag = classes[i] };
        g_assert_false(eu_decode(eu, &m));
        g_assert_cmpuint(eu->fault.detail, ==, 5);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/operands/" #name, test_##name)
    RULE(id_0_is_null_whatever_the_offset);
    RULE(predefined_variables_are_refused);
    RULE(undeclared_variables_are_refused);
    RULE(types);
    RULE(byte_offset_is_a_multiple_of_the_register_size);
    RULE(extent_of_all_lanes_is_inside_the_variable);
    RULE(extent_starts_at_the_byte_offset);
    RULE(channel_operand_extents);
    RULE(svm_operand_extents);
    RULE(immediates_are_extended_by_their_type);
    RULE(64_bit_immediates);
    RULE(variables_are_extended_by_their_type);
    RULE(rows_are_registers_and_columns_are_elements);
    RULE(the_region_is_ignored);
    RULE(scalar_element_is_inside_the_variable);
    RULE(scalar_of_no_variable_is_refused);
    RULE(float_and_packed_scalars_are_refused);
    RULE(modifiers_are_refused);
    RULE(indirect_scalars_are_refused);
    RULE(other_classes_are_refused);
#undef RULE
    return g_test_run();
}
