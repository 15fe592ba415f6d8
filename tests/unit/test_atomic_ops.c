/*
 * veu unit tests: what each atomic operation does: encoding.md, and
 * docs/spec.md, "Atomics".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/unit/atomic.h"

static void test_add_sub_inc_and_dec_wrap(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        atomic_check(eu, TEST_ADD, bytes, 5, 7, 0, 12);
        atomic_check(eu, TEST_ADD, bytes, UINT64_MAX, 2, 0, 1);
        atomic_check(eu, TEST_SUB, bytes, 5, 7, 0, UINT64_MAX - 1);
        atomic_check(eu, TEST_INC, bytes, 41, 9, 9, 42);
        atomic_check(eu, TEST_INC, bytes, UINT64_MAX, 0, 0, 0);
        atomic_check(eu, TEST_DEC, bytes, 42, 9, 9, 41);
        atomic_check(eu, TEST_DEC, bytes, 0, 0, 0, UINT64_MAX);
    }
}

static void test_predec_returns_the_new_value(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
        AtomicResult result = atomic_perform(eu, TEST_PREDEC, bytes, 42, 0, 0);

        g_assert_cmphex(result.memory, ==, 41);
        g_assert_cmphex(result.dst, ==, 41);
        result = atomic_perform(eu, TEST_PREDEC, bytes, 0, 0, 0);
        g_assert_cmphex(result.memory, ==, mask);
        g_assert_cmphex(result.dst, ==, mask);
    }
}

static void test_and_or_xor_xchg(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint64_t a = 0x0123456789abcdef;
    uint64_t b = 0x00ff00ff0ff00ff0;

    FOR_EACH_WIDTH(bytes)
    {
        atomic_check(eu, TEST_AND, bytes, a, b, 0, 0x0023006709a00de0);
        atomic_check(eu, TEST_OR, bytes, a, b, 0, 0x01ff45ff8ffbcfff);
        atomic_check(eu, TEST_XOR, bytes, a, b, 0, 0x01dc4598865bc21f);
        atomic_check(eu, TEST_XCHG, bytes, a, b, 0, b);
    }
}

/* min and max are unsigned, imin and imax signed. */
static void test_min_and_max(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        uint64_t minus_1 = UINT64_MAX;
        uint64_t lowest = UINT64_C(1) << (8 * bytes - 1);

        atomic_check(eu, TEST_MIN, bytes, 5, 3, 0, 3);
        atomic_check(eu, TEST_MIN, bytes, 3, 5, 0, 3);
        atomic_check(eu, TEST_MIN, bytes, 3, minus_1, 0, 3);
        atomic_check(eu, TEST_MIN, bytes, minus_1, 3, 0, 3);
        atomic_check(eu, TEST_MAX, bytes, 5, 3, 0, 5);
        atomic_check(eu, TEST_MAX, bytes, 3, 5, 0, 5);
        atomic_check(eu, TEST_MAX, bytes, 3, minus_1, 0, minus_1);
        atomic_check(eu, TEST_MAX, bytes, minus_1, 3, 0, minus_1);
        atomic_check(eu, TEST_IMIN, bytes, 3, minus_1, 0, minus_1);
        atomic_check(eu, TEST_IMIN, bytes, minus_1, 3, 0, minus_1);
        atomic_check(eu, TEST_IMIN, bytes, lowest - 1, lowest, 0, lowest);
        atomic_check(eu, TEST_IMAX, bytes, 3, minus_1, 0, 3);
        atomic_check(eu, TEST_IMAX, bytes, minus_1, 3, 0, 3);
        atomic_check(eu, TEST_IMAX, bytes, lowest, lowest - 1, 0, lowest - 1);
    }
}

/* "16bit: only the lower 16bit part of each dword is used." */
static void test_upper_halves_of_16_bit_operands_are_not_looked_at(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    atomic_check(eu, TEST_ADD, 2, 5, 0xabcd0007, 0, 12);
    atomic_check(eu, TEST_MIN, 2, 5, 0xabcd0003, 0, 3);
    atomic_check(eu, TEST_MAX, 2, 5, 0xabcd0003, 0, 5);
    atomic_check(eu, TEST_IMIN, 2, 5, 0x0000ffff, 0, 0xffff);
    atomic_check(eu, TEST_IMAX, 2, 5, 0x1234ffff, 0, 5);
    atomic_check(eu, TEST_CMPXCHG, 2, 5, 0xabcd0007, 0xabcd0005, 7);
    atomic_check(eu, TEST_FMAX, 2, 0x3c00, 0xabcd4000, 0, 0x4000);
    atomic_check(eu, TEST_FCMPWR, 2, 0x3c00, 0xabcd3c00, 0xabcd1111, 0x1111);
}

/* CMPXCHG stores old == src1 ? src0 : old. */
static void test_cmpxchg_compares_with_src1_and_stores_src0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    FOR_EACH_WIDTH(bytes)
    {
        atomic_check(eu, TEST_CMPXCHG, bytes, 5, 7, 5, 7);
        atomic_check(eu, TEST_CMPXCHG, bytes, 5, 7, 6, 5);
        atomic_check(eu, TEST_CMPXCHG, bytes, 5, 5, 7, 5);
    }
    /* it compares bits, not floats: -0 is not +0, and a NaN equals itself */
    atomic_check(eu, TEST_CMPXCHG, 4, 0x80000000, 7, 0, 0x80000000);
    atomic_check(eu, TEST_CMPXCHG, 4, 0x7fc00000, 7, 0x7fc00000, 7);
}

static void test_null_sources_are_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_ATOMIC);

    m.exec = TEST_LANES_1;
    m.op = TEST_CMPXCHG;
    m.src0.id = 0;
    m.src1.id = 0;
    eu_set64(eu, EU_ADDRESSES_AT, 0, EU_RAM);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0);
    m.op = TEST_AND;
    test_memory_put32(&eu->memory, EU_RAM, 0x1234);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x1234);
}

/* "It must be V0." */
static void test_sources_that_are_not_taken_are_null(void)
{
    static const uint8_t codes[] = { 0,  1,  2,  3,  4,  5,  6,    7,    8,   9,
                                     10, 11, 12, 13, 16, 17, 0x12, 0x13, 0x14 };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < G_N_ELEMENTS(codes); i++) {
        TestMessage m = eu_message(TEST_SVM_ATOMIC);

        m.op = codes[i];
        m.src0.id = EU_SRC0;
        m.src1.id = 0;
        if (atomic_has_src0(m.op)) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 12);
        }
        m.src0.id = 0;
        eu_assert_legal(eu, &m);
        m.src1.id = EU_SRC1;
        if (atomic_has_src1(m.op)) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 18);
        }
    }
}

/*
 * Bits 0 to 4 are the operation; bit 5 means 16 bits, bit 6 means 64 bits (SVM
 * only); both together are refused.
 */
static void test_operations_and_widths(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    static const TestKind kinds[] = { TEST_DWORD_ATOMIC, TEST_TYPED_ATOMIC,
                                      TEST_SVM_ATOMIC };

    for (unsigned k = 0; k < G_N_ELEMENTS(kinds); k++) {
        for (unsigned op = 0; op < 256; op++) {
            TestMessage m = eu_message(kinds[k]);
            unsigned code = op & 0x1f;
            unsigned width = op & 0xe0;

            m.op = op;
            m.data.id = 0;
            m.src0.id = 0;
            if ((code <= 0x0d || (code >= 0x10 && code <= 0x14)) &&
                (width == 0 || width == 0x20 ||
                 (width == 0x40 && kinds[k] == TEST_SVM_ATOMIC))) {
                eu_assert_legal(eu, &m);
            } else {
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD,
                                  kinds[k] == TEST_SVM_ATOMIC ? 5 : 1);
            }
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/atomic-ops/" #name, test_##name)
    RULE(add_sub_inc_and_dec_wrap);
    RULE(predec_returns_the_new_value);
    RULE(and_or_xor_xchg);
    RULE(min_and_max);
    RULE(upper_halves_of_16_bit_operands_are_not_looked_at);
    RULE(cmpxchg_compares_with_src1_and_stores_src0);
    RULE(null_sources_are_0);
    RULE(sources_that_are_not_taken_are_null);
    RULE(operations_and_widths);
#undef RULE
    return g_test_run();
}
