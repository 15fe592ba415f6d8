/*
 * veu unit tests: SVM BLOCK_LD, SVM BLOCK_ST: spec.md and semantics.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define MAX_BYTES 128

static TestScalar address_of(uint64_t address)
{
    return (TestScalar){
        .tag = TEST_CLASS_IMMEDIATE,
        .type = VEU_TYPE_UQ,
        .value = address,
    };
}

/* Unaligned, so that any dword is legal. */
static TestMessage block(TestKind kind, uint8_t owords_code, uint64_t address)
{
    TestMessage m = eu_message(kind);

    m.size = owords_code | TEST_UNALIGNED_COMPILER;
    m.offset = address_of(address);
    return m;
}

static void test_owords_are_read_one_behind_the_other(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned n = 0; n < 2 * MAX_BYTES; n++) {
        uint8_t byte = n + 1;

        test_memory_put(&eu->memory, EU_RAM + n, &byte, 1);
    }
    for (unsigned code = 0; code <= 3; code++) {
        TestMessage m = block(TEST_SVM_BLOCK_LD, code, EU_RAM + 4);

        memset(eu->registers + EU_DATA_AT, 0xee, 2 * MAX_BYTES);
        g_assert_true(eu_run(eu, &m));
        for (unsigned n = 0; n < 2 * MAX_BYTES; n++) {
            g_assert_cmphex(eu->registers[EU_DATA_AT + n], ==,
                            n < 16u << code ? n + 5 : 0xee);
        }
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 16u << code);
    }
}

static void test_owords_are_written_one_behind_the_other(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned n = 0; n < MAX_BYTES; n++) {
        eu->registers[EU_DATA_AT + n] = n + 1;
    }
    for (unsigned code = 0; code <= 3; code++) {
        TestMessage m = block(TEST_SVM_BLOCK_ST, code, EU_RAM + 4);

        test_memory_fill(&eu->memory, EU_RAM, 0xee, 2 * MAX_BYTES);
        g_assert_true(eu_run(eu, &m));
        for (unsigned n = 0; n < 2 * MAX_BYTES; n++) {
            g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + n), ==,
                            n >= 4 && n < 4 + (16u << code) ? n - 3 : 0xee);
        }
    }
}

/* "The execution mask is set to NoMask." */
static void test_blocks_move_whatever_the_mask(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = block(TEST_SVM_BLOCK_LD, 0, EU_RAM);

    eu->thread.exec_mask = 0;
    test_memory_put64(&eu->memory, EU_RAM, 0x123456789abcdef0);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 0), ==, 0x123456789abcdef0);
}

/*
 * The address is oword-aligned or, with either bit of "unaligned",
 * dword-aligned.
 */
static void test_alignment_is_what_the_properties_say(void)
{
    static const struct {
        uint8_t bits;
        unsigned align;
    } forms[] = { { 0, 16 },
                  { TEST_UNALIGNED_PAGE, 4 },
                  { TEST_UNALIGNED_COMPILER, 4 },
                  { TEST_UNALIGNED_PAGE | TEST_UNALIGNED_COMPILER, 4 } };
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = TEST_SVM_BLOCK_LD; kind <= TEST_SVM_BLOCK_ST; kind++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(forms); i++) {
            for (unsigned at = 0; at < 32; at++) {
                TestMessage m = block(kind, 0, EU_RAM + at);

                m.size = 1 | forms[i].bits;
                g_assert_cmpint(eu_run(eu, &m), ==, at % forms[i].align == 0);
                if (at % forms[i].align) {
                    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
                    g_assert_cmphex(eu->fault.address, ==, EU_RAM + at);
                    g_assert_cmpuint(eu->fault.lane, ==, 0);
                    g_assert_cmpuint(eu->fault.element, ==, 0);
                    g_assert_cmpuint(eu->fault.bytes, ==, 16);
                }
            }
        }
    }
}

/* Fast paths do not check contracts. */
static void test_unaligned_blocks_with_and_without_contracts(void)
{
    for (unsigned check = 0; check < 2; check++) {
        g_autoptr(EuFixture) eu = eu_standard();
        TestMessage m = block(TEST_SVM_BLOCK_LD, 0, EU_RAM + 4);

        eu->config.check = check;
        m.size = 1 | TEST_UNALIGNED_PAGE;
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 32);
    }
}

static void test_sizes_beyond_8_owords_are_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned properties = 0; properties < 256; properties++) {
        TestMessage m = eu_message(TEST_SVM_BLOCK_LD);

        m.size = properties;
        if ((properties & ~0x88u) <= 3) {
            eu_assert_legal(eu, &m);
        } else {
            eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 2);
        }
    }
}

/* The element of the fault is the oword; nothing is performed. */
static void test_all_pages_are_resolved_first(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = block(TEST_SVM_BLOCK_LD, 3, EU_RAM + EU_RAM_BYTES - 40);
    TestMessage store = block(TEST_SVM_BLOCK_ST, 3, EU_ROM - 40);

    memset(eu->registers + EU_DATA_AT, 0xee, MAX_BYTES);
    g_assert_false(eu_run(eu, &load));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.lane, ==, 0);
    g_assert_cmphex(eu->fault.lanes, ==, 1);
    g_assert_cmpuint(eu->fault.element, ==, 2);
    g_assert_cmphex(eu->fault.address, ==, EU_RAM + EU_RAM_BYTES - 8);
    g_assert_cmpuint(eu->fault.bytes, ==, 16);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0xeeeeeeee);

    test_memory_add(&eu->memory, EU_ROM - 4096, 4096, true);
    g_assert_false(eu_run(eu, &store));
    g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(eu->fault.element, ==, 2);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_ROM - 40), ==, 0);
}

/* Of 2 owords, one ends at 2^64 and one begins at 0. */
static void test_blocks_wrap_at_2_to_64(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = block(TEST_SVM_BLOCK_LD, 1, UINT64_MAX - 15);
    TestMessage store = block(TEST_SVM_BLOCK_ST, 1, UINT64_MAX - 15);

    test_memory_add(&eu->memory, UINT64_MAX - 4095, 4096, true);
    g_assert_false(eu_run(eu, &load));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.element, ==, 1);
    test_memory_add(&eu->memory, 0, 4096, true);
    eu_set64(eu, EU_DATA_AT, 1, 0x1111);
    eu_set64(eu, EU_DATA_AT, 2, 0x2222);
    g_assert_true(eu_run(eu, &store));
    g_assert_cmphex(test_memory_get64(&eu->memory, UINT64_MAX - 7), ==, 0x1111);
    g_assert_cmphex(test_memory_get64(&eu->memory, 0), ==, 0x2222);
    eu_set64(eu, EU_DATA_AT, 2, 0);
    g_assert_true(eu_run(eu, &load));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 2), ==, 0x2222);
}

/* The oword that crosses 2^64 faults, and the record names it. */
static void test_an_oword_that_crosses_2_to_64_faults(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    test_memory_add(&eu->memory, 0, 4096, true);
    test_memory_add(&eu->memory, UINT64_MAX - 4095, 4096, true);
    for (unsigned before = 0; before < 3; before++) {
        TestMessage m = block(TEST_SVM_BLOCK_ST, 2,
                              UINT64_MAX - 7 - 16 * before);

        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(eu->fault.element, ==, before);
        g_assert_cmphex(eu->fault.address, ==, UINT64_MAX - 7);
        g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
    }
}

/* No page of the owords before the crossing is present. */
static void test_an_oword_before_the_crossing_faults_first(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    test_memory_add(&eu->memory, 0, 4096, true);
    for (unsigned before = 1; before < 3; before++) {
        uint64_t address = UINT64_MAX - 7 - 16 * before;
        TestMessage m = block(TEST_SVM_BLOCK_LD, 2, address);

        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(eu->fault.element, ==, 0);
        g_assert_cmphex(eu->fault.address, ==, address);
    }
}

/* The address register may also be the destination. */
static void test_the_address_is_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = block(TEST_SVM_BLOCK_LD, 0, 0);

    m.offset = test_general(EU_QW_DATA, 0, 0);
    eu_set64(eu, EU_DATA_AT, 0, EU_RAM + 64);
    test_memory_put64(&eu->memory, EU_RAM + 64, 0xabc);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 0), ==, 0xabc);
}

static void test_null_data_is_dropped_and_stores_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = block(TEST_SVM_BLOCK_LD, 0, EU_RAM);
    TestMessage store = block(TEST_SVM_BLOCK_ST, 1, EU_RAM);

    load.data.id = 0;
    store.data.id = 0;
    test_memory_fill(&eu->memory, EU_RAM, 0xee, 64);
    g_assert_true(eu_run(eu, &load));
    g_assert_true(eu_run(eu, &store));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 24), ==, 0);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 32), ==, 0xee);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/svm-block/" #name, test_##name)
    RULE(owords_are_read_one_behind_the_other);
    RULE(owords_are_written_one_behind_the_other);
    RULE(blocks_move_whatever_the_mask);
    RULE(alignment_is_what_the_properties_say);
    RULE(unaligned_blocks_with_and_without_contracts);
    RULE(sizes_beyond_8_owords_are_refused);
    RULE(all_pages_are_resolved_first);
    RULE(blocks_wrap_at_2_to_64);
    RULE(an_oword_that_crosses_2_to_64_faults);
    RULE(an_oword_before_the_crossing_faults_first);
    RULE(the_address_is_read_before_results_are_written);
    RULE(null_data_is_dropped_and_stores_0);
#undef RULE
    return g_test_run();
}
