/*
 * veu unit tests: scalar operands: semantics.md, section 2, "Scalars".
 * test_indirect.c tests indirect ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define FREE EU_FIRST_FREE_ID

/*
 * Reads a scalar through GATHER_SCALED: lane 0 reads the byte at the global
 * offset, modulo 2^32, of the stateless range, whose byte b holds b % 251.
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

/*
 * Offset 0 is @back bytes past the start, so that negative offsets are visible.
 */
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
    /* -2:w is 05 03 feffffff, and likewise as a 16-bit code */
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

/* 64-bit immediates take 10 bytes, and are taken modulo 2^32. */
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

/* A variable of each type with the value 2^bits - 2. */
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

/*
 * Tests every message that has a scalar, and both scalars of those that have
 * two.
 */
static void scalar_refused(EuFixture *eu, TestScalar scalar)
{
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        for (TestField f = TEST_FIELD_OFFSET; f <= TEST_FIELD_Y; f++) {
            TestMessage m = eu_message(kind);

            if (test_kind_has(kind, f)) {
                *(TestScalar *)test_field(&m, f) = scalar;
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND,
                                  test_encode(&m).at[f]);
            }
        }
    }
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

/* Classes that are not scalar operands of these messages. */
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
#define RULE(name) g_test_add_func("/scalars/" #name, test_##name)
    RULE(immediates_are_extended_by_their_type);
    RULE(64_bit_immediates);
    RULE(variables_are_extended_by_their_type);
    RULE(rows_are_registers_and_columns_are_elements);
    RULE(the_region_is_ignored);
    RULE(scalar_element_is_inside_the_variable);
    RULE(scalar_of_no_variable_is_refused);
    RULE(float_and_packed_scalars_are_refused);
    RULE(modifiers_are_refused);
    RULE(other_classes_are_refused);
#undef RULE
    return g_test_run();
}
