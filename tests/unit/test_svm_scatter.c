/*
 * veu unit tests: SVM SCATTER: spec.md and semantics.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/lanes.h"
#include "tests/lib/eu_fixture.h"

static TestMessage scatter(uint8_t exec, uint8_t block_size, uint8_t num_blocks)
{
    return eu_svm(TEST_SVM_SCATTER, exec, block_size, num_blocks);
}

/* Byte n of Data is n % 251. */
static void fill_data(EuFixture *eu)
{
    for (unsigned n = 0; n < 2048; n++) {
        eu->registers[EU_DATA_AT + n] = n % 251;
    }
}

/*
 * The vendor's loop, for every exec size and block count:
 * *(Addresses[i] + j*block_size) = src[j*exec_size+i], in blocks.
 */
static void check_block_layout(unsigned block_bytes, uint8_t block_size)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_data(eu);
    for (unsigned n = 0; n <= 4; n++) {
        for (unsigned b = 0; b <= 2; b++) {
            TestMessage m = scatter(n, block_size, b);
            unsigned lanes = 1u << n;
            unsigned blocks = 1u << b;

            test_memory_fill(&eu->memory, EU_RAM, 0xee, 8192);
            for (unsigned i = 0; i < lanes; i++) {
                eu_set_address(eu, i, EU_RAM + 408 * i);
            }
            g_assert_true(eu_run(eu, &m));
            for (unsigned at = 0; at < 408 * 16; at++) {
                unsigned lane = at / 408;
                unsigned block = at % 408 / block_bytes;
                unsigned from = (block * lanes + lane) * block_bytes +
                                at % 408 % block_bytes;

                g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + at), ==,
                                lane < lanes && block < blocks ? from % 251 :
                                                                 0xee);
            }
        }
    }
}

static void test_4_byte_blocks_are_laid_out_as_the_page_says(void)
{
    check_block_layout(4, 1);
}

static void test_8_byte_blocks_are_laid_out_as_the_page_says(void)
{
    check_block_layout(8, 2);
}

static void test_8_blocks_of_4_bytes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_8, 1, 3);

    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM + 64 * i);
        for (unsigned j = 0; j < 8; j++) {
            eu_set32(eu, EU_DATA_AT, j * 8 + i, 0x100 * i + j);
        }
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned j = 0; j < 8; j++) {
            g_assert_cmphex(test_memory_get32(&eu->memory,
                                              EU_RAM + 64 * i + 4 * j),
                            ==, 0x100 * i + j);
        }
    }
}

/* (Addresses[i] + j) = src[i*max(4, num_blocks)+j], at any alignment. */
static void test_1_byte_blocks_stand_together_padded_to_a_dword(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_data(eu);
    for (unsigned b = 0; b <= 3; b++) {
        TestMessage m = scatter(TEST_LANES_8, 0, b);
        unsigned blocks = 1u << b;
        unsigned stride = b == 3 ? 8 : 4;

        test_memory_fill(&eu->memory, EU_RAM, 0xee, 256);
        for (unsigned i = 0; i < 8; i++) {
            eu_set_address(eu, i, EU_RAM + 1 + 11 * i);
        }
        g_assert_true(eu_run(eu, &m));
        for (unsigned i = 0; i < 8; i++) {
            for (unsigned j = 0; j < 11; j++) {
                g_assert_cmphex(test_memory_get8(&eu->memory,
                                                 EU_RAM + 1 + 11 * i + j),
                                ==, j < blocks ? i * stride + j : 0xee);
            }
        }
    }
}

/* semantics.md, section 2: 0b10 means 8 bytes, and 0b11 does not exist. */
static void test_block_size_3_is_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_8, 3, 0);

    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 5);
}

static void test_null_data_is_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_8, 2, 2);

    test_memory_fill(&eu->memory, EU_RAM, 0xee, 512);
    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM + 32 * i);
    }
    m.data.id = 0;
    g_assert_true(eu_run(eu, &m));
    for (unsigned n = 0; n < 512; n++) {
        g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + n), ==,
                        n < 256 ? 0 : 0xee);
    }
}

static void test_addresses_are_aligned_to_the_block_size(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned block_size = 0; block_size <= 2; block_size++) {
        unsigned bytes = block_size ? 4 * block_size : 1;

        for (unsigned at = 0; at < 16; at++) {
            TestMessage m = scatter(TEST_LANES_1, block_size, 0);

            eu_set_address(eu, 0, EU_RAM + at);
            g_assert_cmpint(eu_run(eu, &m), ==, at % bytes == 0);
            if (at % bytes) {
                g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
                g_assert_cmphex(eu->fault.address, ==, EU_RAM + at);
                g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
            }
        }
    }
}

/* One block extends into read-only memory: no byte of that lane is stored. */
static void test_a_faulting_lane_stores_nothing(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_2, 2, 2);

    fill_data(eu);
    test_memory_add(&eu->memory, EU_ROM - 4096, 4096, true);
    test_memory_fill(&eu->memory, EU_ROM - 32, 0xee, 64);
    eu_set_address(eu, 0, EU_ROM - 16);
    eu_set_address(eu, 1, EU_RAM);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.lane, ==, 0);
    g_assert_cmpuint(eu->fault.element, ==, 2);
    g_assert_cmphex(eu->fault.address, ==, EU_ROM);
    g_assert_cmphex(eu->fault.lanes, ==, 1);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 32);
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_ROM - 16), ==,
                    0xeeeeeeeeeeeeeeee);
    /* element 1 of two: bytes 8 to 15 */
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM), ==,
                    0x0f0e0d0c0b0a0908);
}

static void test_blocks_cross_pages_and_wrap_at_2_to_64(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_1, 2, 1);

    test_memory_add(&eu->memory, UINT64_MAX - 4095, 4096, true);
    test_memory_add(&eu->memory, 0, 4096, true);
    eu_set64(eu, EU_DATA_AT, 0, 0x1111111111111111);
    eu_set64(eu, EU_DATA_AT, 1, 0x2222222222222222);
    eu_set_address(eu, 0, UINT64_MAX - 7);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get64(&eu->memory, UINT64_MAX - 7), ==,
                    0x1111111111111111);
    g_assert_cmphex(test_memory_get64(&eu->memory, 0), ==, 0x2222222222222222);
    eu_set_address(eu, 0, EU_RAM + 4088);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 4096), ==,
                    0x2222222222222222);
}

static void test_of_colliding_lanes_the_highest_wins(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_8, 1, 1);

    eu->config.check = true;
    fill_data(eu);
    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, EU_RAM + 4 * (i % 4));
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==,
                    1u << VEU_CONTRACT_LANE_COLLISION);
    /* block 0 of lane 4, because lane 3 came before it */
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0x13121110);
    /* block 0 of lane 7: element 7 */
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 12), ==,
                    0x1f1e1d1c);
    /* block 1 of lane 7: element 8 + 7 */
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 16), ==,
                    0x3f3e3d3c);
}

/*
 * One of two lanes crosses a page, and the other one touches the same byte of
 * the second page.
 */
static void test_lanes_that_collide_past_the_end_of_a_page(void)
{
    for (unsigned crosses = 0; crosses < 2; crosses++) {
        g_autoptr(EuFixture) eu = eu_standard();
        TestMessage m = scatter(TEST_LANES_2, 2, 2);
        uint64_t page = EU_RAM + 4096;

        eu->config.check = true;
        eu_set_address(eu, crosses, page - 16);
        eu_set_address(eu, !crosses, page + 16);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(
            eu->thread.contracts & 1u << VEU_CONTRACT_LANE_COLLISION, ==, 0);
        eu_set_address(eu, !crosses, page + 8);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(
            eu->thread.contracts & 1u << VEU_CONTRACT_LANE_COLLISION, !=, 0);
    }
}

static void test_contracts_are_reported_on_request(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned check = 0; check < 2; check++) {
        eu->config.check = check;
        eu->thread.contracts = 0;
        veu_break_contract(&eu->thread, VEU_CONTRACT_FEW_LANES);
        g_assert_cmphex(eu->thread.contracts, ==,
                        check << VEU_CONTRACT_FEW_LANES);
    }
}

static void test_several_blocks_with_few_lanes_are_a_contract_event(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->config.check = true;
    for (unsigned i = 0; i < 16; i++) {
        eu_set_address(eu, i, EU_RAM + 64 * i);
    }
    for (unsigned n = 0; n <= 4; n++) {
        for (unsigned b = 0; b <= 2; b++) {
            TestMessage m = scatter(n, 1, b);

            g_assert_true(eu_run(eu, &m));
            g_assert_cmphex(eu->thread.contracts, ==,
                            n < 3 && b ? 1u << VEU_CONTRACT_FEW_LANES : 0);
        }
    }
}

/* ---- a host whose addresses are aligned differently ---- */

#define SHIFTED   UINT64_C(0x7000000)
#define SHIFT     6
#define PAGE_LAST (SHIFTED + 4096 - 8)

static bool open_shifted(VeuMem *mem, uint64_t iova, enum veu_access access,
                         VeuExtent *extent)
{
    bool found = test_memory_open((TestMemory *)mem, iova + SHIFT, access,
                                  extent);

    extent->iova -= SHIFT;
    return found;
}

static uint8_t *map_shifted(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                            enum veu_access access)
{
    return test_memory_map((TestMemory *)mem, iova + SHIFT, bytes, access);
}

/* An aligned block may lie in two pages of such a host: both are written. */
static void test_pages_of_the_host_are_marked(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scatter(TEST_LANES_8, 1, 0);

    eu->memory.joined = true;
    test_memory_add(&eu->memory, SHIFTED, 2 * 4096, true);
    eu->memory.mem.open = open_shifted;
    eu->memory.mem.map = map_shifted;
    test_memory_send_all(&eu->memory);
    for (unsigned i = 0; i < 8; i++) {
        eu_set_address(eu, i, i ? SHIFTED + 64 * i : PAGE_LAST);
        eu_set32(eu, EU_DATA_AT, i, 0x01020304 * (i + 1));
    }
    g_assert_true(eu_run(eu, &m));
    test_memory_flush(&eu->memory);
    g_assert_cmpint(test_memory_unsent(&eu->memory), ==, -1);
    g_assert_cmphex(test_memory_get32(&eu->memory, PAGE_LAST + SHIFT), ==,
                    0x01020304);
}

#define ROW_PAGES UINT64_C(0x7000000)

/* Consecutive dwords may lie in two pages: both are written. */
static void test_pages_of_consecutive_dwords_are_marked(void)
{
    for (unsigned n = TEST_LANES_8; n <= TEST_LANES_16; n++) {
        g_autoptr(EuFixture) eu = eu_standard();
        uint64_t row = ROW_PAGES + 4096 - 16;
        TestMessage m = scatter(n, 1, 0);
        unsigned lanes = 1u << n;

        eu->memory.joined = true;
        test_memory_add(&eu->memory, ROW_PAGES, 2 * 4096, true);
        test_memory_send_all(&eu->memory);
        for (unsigned i = 0; i < lanes; i++) {
            eu_set_address(eu, i, row + 4 * i);
            eu_set32(eu, EU_DATA_AT, i, 0x01020304 * (i + 1));
        }
        g_assert_true(eu_run(eu, &m));
        test_memory_flush(&eu->memory);
        g_assert_cmpint(test_memory_unsent(&eu->memory), ==, -1);
        for (unsigned i = 0; i < lanes; i++) {
            g_assert_cmphex(test_memory_get32(&eu->memory, row + 4 * i), ==,
                            0x01020304 * (i + 1));
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/svm-scatter/" #name, test_##name)
    RULE(4_byte_blocks_are_laid_out_as_the_page_says);
    RULE(8_byte_blocks_are_laid_out_as_the_page_says);
    RULE(8_blocks_of_4_bytes);
    RULE(1_byte_blocks_stand_together_padded_to_a_dword);
    RULE(block_size_3_is_refused);
    RULE(null_data_is_0);
    RULE(addresses_are_aligned_to_the_block_size);
    RULE(a_faulting_lane_stores_nothing);
    RULE(blocks_cross_pages_and_wrap_at_2_to_64);
    RULE(of_colliding_lanes_the_highest_wins);
    RULE(contracts_are_reported_on_request);
    RULE(lanes_that_collide_past_the_end_of_a_page);
    RULE(several_blocks_with_few_lanes_are_a_contract_event);
    RULE(pages_of_the_host_are_marked);
    RULE(pages_of_consecutive_dwords_are_marked);
#undef RULE
    return g_test_run();
}
