/*
 * veu unit tests: address variables and indirect scalars: r[A0(2),-16]:ud, by
 * encoding.md and docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/program/type.h"
#include "tests/lib/eu_fixture.h"

/*
 * The end of the register file of eu_standard(), which follows the last
 * variable.
 */
static uint32_t registers_end(const EuFixture *eu)
{
    uint32_t end = 0;

    for (unsigned i = 0; i < eu->variable_count; i++) {
        const struct veu_variable *v = &eu->variables[i];

        end = MAX(end, v->offset + v->elements * veu_type_bytes(v->type));
    }
    return end;
}

/*
 * Returns the value of a scalar, as used by SVM_BLOCK_LD: the address at which
 * it faults, or that of the memory that it reads.
 */
static bool value_of(EuFixture *eu, TestScalar scalar, uint64_t *value)
{
    TestMessage m = eu_message(TEST_SVM_BLOCK_LD);

    m.offset = scalar;
    m.size = TEST_UNALIGNED_PAGE;
    if (eu_run(eu, &m) || eu->fault.code == VEU_FAULT_INDIRECT) {
        return false;
    }
    *value = eu->fault.address;
    return true;
}

static void check_value(EuFixture *eu, TestScalar scalar, uint64_t expected)
{
    uint64_t value = 0;

    g_assert_true(value_of(eu, scalar, &value));
    g_assert_cmphex(value, ==, expected);
}

/* Tests each integer type: the bytes 0xf.f6, extended. */
static void test_scalars_are_extended_by_their_type(void)
{
    static const struct {
        enum veu_type type;
        uint64_t value;
    } cases[] = {
        { VEU_TYPE_UB, 0xf1 },
        { VEU_TYPE_B, 0xfffffffffffffff1 },
        { VEU_TYPE_UW, 0xf2f1 },
        { VEU_TYPE_W, 0xfffffffffffff2f1 },
        { VEU_TYPE_UD, 0xf4f3f2f1 },
        { VEU_TYPE_D, 0xfffffffff4f3f2f1 },
        { VEU_TYPE_UQ, 0xf8f7f6f5f4f3f2f1 },
        { VEU_TYPE_Q, 0xf8f7f6f5f4f3f2f1 },
    };
    g_autoptr(EuFixture) eu = eu_standard();
    uint16_t *a0 = eu_address_variable(eu, 1);

    /* any alignment */
    a0[0] = EU_SCALAR_AT + 3;
    for (unsigned i = 0; i < 8; i++) {
        eu->registers[EU_SCALAR_AT + 3 + i] = 0xf1 + i;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        check_value(eu, test_indirect(0, 0, 0, cases[i].type), cases[i].value);
    }
}

static void test_only_integers(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_BLOCK_LD);

    eu_address_variable(eu, 1);
    for (unsigned type = 0; type < 256; type++) {
        bool integer = type <= VEU_TYPE_B || type == VEU_TYPE_UQ ||
                       type == VEU_TYPE_Q;

        m.offset = test_indirect(0, 0, 0, type);
        if (integer) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 3);
        }
    }
}

/* Elements of different variables are separate; A0 is the first variable. */
static void test_elements_of_several_address_variables(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint16_t *a[3] = { eu_address_variable(eu, 3), eu_address_variable(eu, 16),
                       eu_address_variable(eu, 1) };
    static const unsigned elements[3] = { 3, 16, 1 };

    for (unsigned i = 0; i < 64; i++) {
        eu_set64(eu, EU_SCALAR_AT, i, 0xdead00000000 + 16 * i);
    }
    for (unsigned id = 0, n = 0; id < 3; id++) {
        for (unsigned e = 0; e < elements[id]; e++) {
            a[id][e] = EU_SCALAR_AT + 8 * n++;
        }
    }
    for (unsigned id = 0, n = 0; id < 3; id++) {
        for (unsigned e = 0; e < elements[id]; e++, n++) {
            check_value(eu, test_indirect(id, e, 0, VEU_TYPE_UQ),
                        0xdead00000000 + 16 * n);
        }
    }
}

static void test_elements_that_are_not_declared_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_BLOCK_LD);

    m.offset = test_indirect(0, 0, 0, VEU_TYPE_UD);
    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 3);
    eu_address_variable(eu, 2);
    eu_assert_legal(eu, &m);
    m.offset.column = 1;
    eu_assert_legal(eu, &m);
    for (unsigned column = 2; column < 256; column++) {
        m.offset.column = column;
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 3);
    }
    for (unsigned id = 1; id < 0x10000; id *= 2) {
        m.offset = test_indirect(id, 0, 0, VEU_TYPE_UD);
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 3);
    }
}

/* Adds a signed number of bytes to the address. */
static void test_bytes_are_added(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint16_t *a0 = eu_address_variable(eu, 1);

    eu_set64(eu, EU_SCALAR_AT, 0, 0xdead0010);
    eu_set64(eu, EU_SCALAR_AT, 2, 0xdead0020);
    a0[0] = EU_SCALAR_AT + 16;
    check_value(eu, test_indirect(0, 0, 0, VEU_TYPE_UQ), 0xdead0020);
    check_value(eu, test_indirect(0, 0, -16, VEU_TYPE_UQ), 0xdead0010);
    a0[0] = 0;
    check_value(eu, test_indirect(0, 0, EU_SCALAR_AT, VEU_TYPE_UQ), 0xdead0010);
}

/* Byte 0 is the first of the register file, reached by either part of a sum. */
static void test_the_register_file_begins_with_byte_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint16_t *a0 = eu_address_variable(eu, 1);

    memset(eu->registers, 0x91, 8);
    a0[0] = 0;
    check_value(eu, test_indirect(0, 0, 0, VEU_TYPE_UQ), 0x9191919191919191);
    a0[0] = 16;
    check_value(eu, test_indirect(0, 0, -16, VEU_TYPE_UQ), 0x9191919191919191);
}

static void check_outside(EuFixture *eu, TestScalar scalar, uint32_t detail)
{
    uint64_t value;

    g_assert_false(value_of(eu, scalar, &value));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_INDIRECT);
    g_assert_cmphex(eu->fault.detail, ==, detail);
    g_assert_cmphex(eu->fault.lane, ==, VEU_FAULT_NO_LANE);
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 0);
}

/* The element has to lie inside as a whole; sums do not wrap. */
static void test_the_register_file_has_an_end(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint16_t *a0 = eu_address_variable(eu, 1);
    uint32_t end = registers_end(eu);

    for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
        enum veu_type type = bytes == 1 ? VEU_TYPE_UB :
                             bytes == 2 ? VEU_TYPE_UW :
                             bytes == 4 ? VEU_TYPE_UD :
                                          VEU_TYPE_UQ;

        memset(eu->registers + end - 8, 0x80, 8);
        a0[0] = end - bytes;
        check_value(eu, test_indirect(0, 0, 0, type),
                    UINT64_C(0x8080808080808080) >> (64 - 8 * bytes));
        for (unsigned beyond = 1; beyond <= bytes; beyond++) {
            check_outside(eu, test_indirect(0, 0, beyond, type),
                          end - bytes + beyond);
        }
        a0[0] = 0;
        check_outside(eu, test_indirect(0, 0, -1, type), UINT32_MAX);
        check_outside(eu, test_indirect(0, 0, INT16_MIN, type),
                      (uint32_t)INT16_MIN);
        a0[0] = UINT16_MAX;
        check_outside(eu, test_indirect(0, 0, INT16_MAX, type),
                      UINT16_MAX + INT16_MAX);
        check_outside(eu, test_indirect(0, 0, 0, type), UINT16_MAX);
    }
}

/* Other messages accept indirect scalars as well, modulo 2^32 for surfaces. */
static void test_offsets_of_surfaces_may_be_indirect(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    uint16_t *a0 = eu_address_variable(eu, 4);

    a0[3] = EU_SCALAR_AT;
    eu_set64(eu, EU_SCALAR_AT, 0, 0x1234567800000010);
    test_memory_put32(&eu->memory, EU_RAM + 16, 0xabcd);
    m.offset = test_indirect(0, 3, 0, VEU_TYPE_UQ);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0xabcd);
    a0[3] = UINT16_MAX;
    memset(eu->registers + EU_DATA_AT, 0xee, 32);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_INDIRECT);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0xeeeeeeee);
}

/* If no lane runs, nothing of the message can fault. */
static void test_without_lanes_the_address_is_not_looked_at(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    eu_address_variable(eu, 1)[0] = UINT16_MAX;
    m.offset = test_indirect(0, 0, 0, VEU_TYPE_UD);
    eu->thread.exec_mask = 0;
    g_assert_true(eu_run(eu, &m));
}

/* The destination may overlap the scalar. */
static void test_the_scalar_is_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    eu_address_variable(eu, 1)[0] = EU_DATA_AT + 28;
    eu_set32(eu, EU_DATA_AT, 7, 0x40);
    test_memory_put32(&eu->memory, EU_RAM + 0x40, 0x99);
    m.offset = test_indirect(0, 0, 0, VEU_TYPE_UD);
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, 0x99);
    }
}

static void test_modifiers_are_refused_and_regions_ignored(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_BLOCK_LD);

    eu_address_variable(eu, 1);
    m.offset = test_indirect(0, 0, 0, VEU_TYPE_UD);
    for (unsigned bit = 0; bit < 16; bit++) {
        m.offset.region = 1u << bit;
        eu_assert_legal(eu, &m);
    }
    for (unsigned modifier = 1; modifier < 32; modifier++) {
        m.offset.tag = TEST_CLASS_INDIRECT | modifier << 3;
        g_assert_false(eu_decode(eu, &m));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/indirect/" #name, test_##name)
    RULE(scalars_are_extended_by_their_type);
    RULE(only_integers);
    RULE(elements_of_several_address_variables);
    RULE(elements_that_are_not_declared_are_refused);
    RULE(bytes_are_added);
    RULE(the_register_file_begins_with_byte_0);
    RULE(the_register_file_has_an_end);
    RULE(offsets_of_surfaces_may_be_indirect);
    RULE(without_lanes_the_address_is_not_looked_at);
    RULE(the_scalar_is_read_before_results_are_written);
    RULE(modifiers_are_refused_and_regions_ignored);
#undef RULE
    return g_test_run();
}
