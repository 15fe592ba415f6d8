/*
 * veu unit tests: SVM GATHER: spec.md and semantics.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define UNTOUCHED 0xeeeeeeee

enum {
    BLOCK_1 = 0,
    BLOCK_4 = 1,
    BLOCK_8 = 2,
};

static TestMessage svm(uint8_t exec, uint8_t block_size, uint8_t num_blocks)
{
    return eu_svm(TEST_SVM_GATHER, exec, block_size, num_blocks);
}

/* Byte n of EU_RAM is n % 253. */
static void fill_memory(EuFixture *eu)
{
    for (unsigned n = 0; n < 8192; n++) {
        uint8_t byte = n % 253;

        test_memory_put(&eu->memory, EU_RAM + n, &byte, 1);
    }
}

/*
 * The vendor's loop: dst[j*exec_size+i] = *(Addresses[i] + j*block_size),
 * with dst[] in blocks; for every exec size, block count and register size.
 */
static void check_block_layout(unsigned block_bytes, uint8_t block_size)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu);
    for (unsigned n = 0; n <= 4; n++) {
        for (unsigned b = 0; b <= 2; b++) {
            TestMessage m = svm(n, block_size, b);
            unsigned lanes = 1u << n;
            unsigned blocks = 1u << b;

            for (unsigned i = 0; i < lanes; i++) {
                eu_set_address(eu, i, EU_RAM + 400 * (i % 16) + 8 * i);
            }
            memset(eu->registers + EU_DATA_AT, 0xee, 2048);
            g_assert_true(eu_run(eu, &m));
            for (unsigned i = 0; i < lanes; i++) {
                for (unsigned j = 0; j < blocks; j++) {
                    const uint8_t *dst = eu->registers + EU_DATA_AT +
                                         (j * lanes + i) * block_bytes;

                    for (unsigned k = 0; k < block_bytes; k++) {
                        unsigned at = 408 * i + j * block_bytes + k;

                        g_assert_cmphex(dst[k], ==, at % 253);
                    }
                }
            }
            g_assert_cmphex(
                eu->registers[EU_DATA_AT + lanes * blocks * block_bytes], ==,
                0xee);
        }
    }
}

static void test_4_byte_blocks_are_laid_out_as_the_page_says(void)
{
    check_block_layout(4, BLOCK_4);
}

static void test_8_byte_blocks_are_laid_out_as_the_page_says(void)
{
    check_block_layout(8, BLOCK_8);
}

/* The layout does not depend on the register size. */
static void test_the_layout_is_the_same_for_64_byte_registers(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_4, BLOCK_4, 1);

    eu->grf_bytes = 64;
    for (unsigned i = 0; i < 4; i++) {
        eu_set_address(eu, i, EU_RAM + 8 * i);
        test_memory_put32(&eu->memory, EU_RAM + 8 * i, 0x10 + i);
        test_memory_put32(&eu->memory, EU_RAM + 8 * i + 4, 0x20 + i);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 4; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, 0x10 + i);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 4 + i), ==, 0x20 + i);
    }
}

static void test_8_blocks_of_4_bytes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_8, BLOCK_4, 3);

    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM + 32 * i);
        for (unsigned j = 0; j < 8; j++) {
            test_memory_put32(&eu->memory, EU_RAM + 32 * i + 4 * j,
                              0x100 * i + j);
        }
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < 8; j++) {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, j * 8 + i), ==,
                            0x100 * i + j);
        }
    }
}

/* dst[i * max(4, blocks) + j], in bytes, at any alignment. */
static void test_1_byte_blocks_stand_together_padded_to_a_dword(void)
{
    static const uint32_t expected[] = { 0x00000007, 0x00000807, 0x0a090807 };
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu);
    for (unsigned b = 0; b <= 2; b++) {
        for (unsigned n = 0; n <= 4; n++) {
            TestMessage m = svm(n, BLOCK_1, b);

            memset(eu->registers + EU_DATA_AT, 0xee, 128);
            for (unsigned i = 0; i < 1u << n; i++) {
                eu_set_address(eu, i, EU_RAM + 7 + 5 * i);
            }
            g_assert_true(eu_run(eu, &m));
            for (unsigned i = 0; i < 32; i++) {
                uint32_t mask = b == 0 ? 0xff : b == 1 ? 0xffff : UINT32_MAX;
                uint32_t value = (expected[b] + 0x05050505 * i) & mask;

                g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==,
                                i < 1u << n ? value : UNTOUCHED);
            }
        }
    }
}

/* "1 byte gather, 8 block": A0[0:7], A1[0:7], ... */
static void test_8_blocks_of_1_byte(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_8, BLOCK_1, 3);

    fill_memory(eu);
    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM + 1 + 16 * i);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(eu_get64(eu, EU_DATA_AT, i), ==,
                        0x0807060504030201 + 0x1010101010101010 * i);
    }
}

static void test_padding_is_poisoned_on_request(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_8, BLOCK_1, 1);

    eu->config.undefined = 0xa5;
    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 7), ==, 0xa5a50000);
}

static void test_null_addresses_are_address_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_8, BLOCK_4, 0);

    m.address.id = 0;
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.address, ==, 0);
    test_memory_add(&eu->memory, 0, 4096, true);
    test_memory_put32(&eu->memory, 0, 0x1234);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 7), ==, 0x1234);
}

static void test_a_null_destination_is_dropped(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_1, BLOCK_8, 0);
    g_autofree uint8_t *before = NULL;

    eu_set_address(eu, 0, EU_RAM);
    before = g_memdup2(eu->registers, EU_REGISTER_BYTES);
    m.data.id = 0;
    g_assert_true(eu_run(eu, &m));
    g_assert_true(!memcmp(before, eu->registers, EU_REGISTER_BYTES));
    /* the address is checked nevertheless */
    eu_set_address(eu, 0, 0xdead0000);
    g_assert_false(eu_run(eu, &m));
}

static void test_addresses_are_aligned_to_the_block_size(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned block_size = BLOCK_4; block_size <= BLOCK_8; block_size++) {
        unsigned bytes = 4 * block_size;

        for (unsigned at = 0; at < 16; at++) {
            TestMessage m = svm(TEST_LANES_1, block_size, 0);

            eu_set_address(eu, 0, EU_RAM + at);
            g_assert_cmpint(eu_run(eu, &m), ==, at % bytes == 0);
            if (at % bytes) {
                g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
                g_assert_cmphex(eu->fault.address, ==, EU_RAM + at);
                g_assert_cmpuint(eu->fault.bytes, ==, bytes);
                g_assert_cmpuint(eu->fault.lane, ==, 0);
                g_assert_cmpuint(eu->fault.element, ==, 0);
                g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_READ);
            }
        }
    }
}

static void test_1_byte_blocks_need_no_alignment(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_1, BLOCK_1, 2);

    for (unsigned at = 0; at < 16; at++) {
        eu_set_address(eu, 0, EU_RAM + at);
        g_assert_true(eu_run(eu, &m));
    }
}

/* A misaligned lane faults, and the others complete. */
static void test_other_lanes_of_a_misaligned_one_complete(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_4, BLOCK_4, 1);

    for (unsigned i = 0; i < 4; i++) {
        eu_set_address(eu, i, EU_RAM + 8 * i + (i == 2));
    }
    memset(eu->registers + EU_DATA_AT, 0xee, 64);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.lanes, ==, 4);
    g_assert_cmpuint(eu->fault.lane, ==, 2);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 3 * 8);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 2), ==, UNTOUCHED);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 6), ==, UNTOUCHED);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 3), ==, 0);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 7), ==, 0);
}

/* There is one record, for the first lane; lanes names all that faulted. */
static void test_the_first_faulting_lane_is_recorded(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_4, BLOCK_4, 0);

    eu_set_address(eu, 0, EU_RAM);
    eu_set_address(eu, 1, 0xdead0000);
    eu_set_address(eu, 2, EU_RAM + 1);
    eu_set_address(eu, 3, 0xdead0004);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.lane, ==, 1);
    g_assert_cmphex(eu->fault.address, ==, 0xdead0000);
    g_assert_cmphex(eu->fault.lanes, ==, 0xe);
}

/* The other lanes are in memory, up to its last byte. */
static void test_a_lane_right_behind_memory_faults(void)
{
    const uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned lane = 0; lane < 16; lane++) {
        g_autoptr(EuFixture) eu = eu_standard();
        TestMessage m = svm(TEST_LANES_16, BLOCK_4, 0);

        for (unsigned i = 0; i < 16; i++) {
            eu_set_address(eu, i, end - 4 * (i + 1));
        }
        eu_set_address(eu, lane, end);
        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(eu->fault.lane, ==, lane);
        g_assert_cmphex(eu->fault.lanes, ==, 1u << lane);
        g_assert_cmphex(eu->fault.address, ==, end);
    }
}

/* 4 blocks of 8 bytes, the last two of which are in a hole. */
static void test_a_lane_is_checked_whole_before_any_of_it_is_performed(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_1, BLOCK_8, 2);

    eu_set_address(eu, 0, EU_RAM + EU_RAM_BYTES - 16);
    memset(eu->registers + EU_DATA_AT, 0xee, 64);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.element, ==, 2);
    g_assert_cmphex(eu->fault.address, ==, EU_RAM + EU_RAM_BYTES);
    g_assert_cmpuint(eu->fault.bytes, ==, 8);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, UNTOUCHED);
}

static void test_blocks_cross_pages(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_1, BLOCK_1, 2);

    test_memory_put32(&eu->memory, EU_RAM + 4095, 0x12345678);
    eu_set_address(eu, 0, EU_RAM + 4095);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x12345678);
    m = svm(TEST_LANES_1, BLOCK_8, 1);
    test_memory_put64(&eu->memory, EU_RAM + 4088, 0x1111111122222222);
    test_memory_put64(&eu->memory, EU_RAM + 4096, 0x3333333344444444);
    eu_set_address(eu, 0, EU_RAM + 4088);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 0), ==, 0x1111111122222222);
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 1), ==, 0x3333333344444444);
}

/* Addresses of blocks are address + j * size modulo 2^64. */
static void test_blocks_wrap_at_2_to_64(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_1, BLOCK_4, 1);

    test_memory_add(&eu->memory, UINT64_MAX - 4095, 4096, true);
    test_memory_put32(&eu->memory, UINT64_MAX - 3, 0x11111111);
    eu_set_address(eu, 0, UINT64_MAX - 3);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.address, ==, 0);
    g_assert_cmpuint(eu->fault.element, ==, 1);
    test_memory_add(&eu->memory, 0, 4096, true);
    test_memory_put32(&eu->memory, 0, 0x22222222);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 0), ==, 0x2222222211111111);
}

/* Address registers of type Q hold the same bits. */
static void test_addresses_may_be_q(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_1, BLOCK_4, 0);
    uint64_t top = UINT64_MAX - 4095;

    m.address.id = eu_variable(eu, EU_ADDRESSES_AT, 16, VEU_TYPE_Q);
    test_memory_add(&eu->memory, top, 4096, true);
    test_memory_put32(&eu->memory, top + 16, 0x1234);
    eu_set_address(eu, 0, top + 16); /* -4080 */
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x1234);
}

static void test_operands_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = svm(TEST_LANES_8, BLOCK_8, 0);

    m.data = m.address;
    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM + 8 * i);
        test_memory_put64(&eu->memory, EU_RAM + 8 * i, EU_RAM + 4096);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(eu_get64(eu, EU_ADDRESSES_AT, i), ==, EU_RAM + 4096);
    }
}

static void test_several_blocks_with_few_lanes_are_a_contract_event(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->config.check = true;
    for (unsigned i = 0; i < 16; i++) {
        eu_set_address(eu, i, EU_RAM);
    }
    for (unsigned n = 0; n <= 4; n++) {
        for (unsigned b = 0; b <= 2; b++) {
            TestMessage m = svm(n, BLOCK_4, b);

            g_assert_true(eu_run(eu, &m));
            g_assert_cmphex(eu->thread.contracts, ==,
                            n < 3 && b ? 1u << VEU_CONTRACT_FEW_LANES : 0);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/svm/" #name, test_##name)
    RULE(4_byte_blocks_are_laid_out_as_the_page_says);
    RULE(8_byte_blocks_are_laid_out_as_the_page_says);
    RULE(the_layout_is_the_same_for_64_byte_registers);
    RULE(8_blocks_of_4_bytes);
    RULE(1_byte_blocks_stand_together_padded_to_a_dword);
    RULE(8_blocks_of_1_byte);
    RULE(padding_is_poisoned_on_request);
    RULE(null_addresses_are_address_0);
    RULE(a_null_destination_is_dropped);
    RULE(addresses_are_aligned_to_the_block_size);
    RULE(1_byte_blocks_need_no_alignment);
    RULE(other_lanes_of_a_misaligned_one_complete);
    RULE(the_first_faulting_lane_is_recorded);
    RULE(a_lane_right_behind_memory_faults);
    RULE(a_lane_is_checked_whole_before_any_of_it_is_performed);
    RULE(blocks_cross_pages);
    RULE(blocks_wrap_at_2_to_64);
    RULE(addresses_may_be_q);
    RULE(operands_are_read_before_results_are_written);
    RULE(several_blocks_with_few_lanes_are_a_contract_event);
#undef RULE
    return g_test_run();
}
