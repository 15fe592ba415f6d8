/*
 * veu unit tests: order, results and faults of untyped messages: semantics.md,
 * section 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define STATELESS 5
#define SLM       0
#define UNTOUCHED 0xeeeeeeee

static void set_offsets(EuFixture *eu, const uint32_t *offsets, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, offsets[i]);
    }
}

/* "As if lanes ran in ascending order": the highest lane wins, byte by byte. */
static void test_of_colliding_lanes_the_highest_wins(void)
{
    static const uint32_t offsets[] = { 8, 9, 8, 10, 20, 20, 20, 7 };
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    set_offsets(eu, offsets, 8);
    for (unsigned i = 0; i < 8; i++) {
        eu_set32(eu, EU_DATA_AT, i, 0x01010101 * (i + 1));
    }
    g_assert_true(eu_run(eu, &m));
    /* lane 7 covers bytes 7 to 10, lane 3 the remaining ones up to 13 */
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 7), ==,
                    0x0004040408080808);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 20), ==,
                    0x07070707);
}

/* The destination is the offsets themselves, or overlaps them. */
static void test_operands_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    uint32_t shifted = eu_variable(eu, EU_OFFSETS_AT + 4, 64, VEU_TYPE_UD);

    m.exec = TEST_LANES_16;
    for (unsigned i = 0; i < 16; i++) {
        test_memory_put32(&eu->memory, EU_RAM + 4 * i, 0x100 * i);
    }
    for (unsigned overlap = 0; overlap < 2; overlap++) {
        m.data.id = overlap ? shifted : EU_OFFSETS;
        for (unsigned i = 0; i < 16; i++) {
            eu_set32(eu, EU_OFFSETS_AT, i, 4 * i);
        }
        g_assert_true(eu_run(eu, &m));
        for (unsigned i = 0; i < 16; i++) {
            g_assert_cmphex(eu_get32(eu, EU_OFFSETS_AT, i + overlap), ==,
                            0x100 * i);
        }
    }
}

static void test_the_global_offset_is_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    m.offset = test_general(EU_DATA, 0, 0);
    eu_set32(eu, EU_DATA_AT, 0, 64);
    test_memory_put32(&eu->memory, EU_RAM + 64, 0x600d);
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, 0x600d);
    }
}

/* Surfaces may alias: a message reads what the previous one wrote. */
static void test_messages_take_effect_in_order_where_surfaces_alias(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);
    TestMessage gather = eu_message(TEST_GATHER_SCALED);

    eu->thread.stateless_base = EU_RAM + 16;
    eu->thread.stateless_bytes = 64;
    gather.surface = STATELESS;
    eu_write_one(eu, &scatter, 20, 0xcafe);
    g_assert_cmphex(eu_read_one(eu, &gather, 4), ==, 0xcafe);
}

/* Lanes 1 and 6 are in a hole: they fault, and the others complete. */
static void test_other_lanes_of_a_faulting_message_complete(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint32_t hole = EU_RAM_BYTES;
    uint32_t offsets[] = { 0, hole + 4, 8, 12, 16, 20, hole + 8, UINT32_MAX };

    eu->thread.stateless_base = EU_RAM;
    eu->thread.stateless_bytes = UINT64_C(1) << 31;
    set_offsets(eu, offsets, 8);
    for (TestKind kind = TEST_GATHER_SCALED; kind <= TEST_SCATTER_SCALED;
         kind++) {
        TestMessage m = eu_message(kind);
        bool write = kind == TEST_SCATTER_SCALED;

        m.surface = STATELESS;
        memset(eu->registers + EU_DATA_AT, 0xee, 32);
        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmpuint(eu->fault.lane, ==, 1);
        g_assert_cmpuint(eu->fault.element, ==, 0);
        g_assert_cmphex(eu->fault.lanes, ==, 0x42);
        g_assert_cmphex(eu->fault.address, ==, EU_RAM + hole + 4);
        g_assert_cmpuint(eu->fault.bytes, ==, 4);
        g_assert_cmpuint(eu->fault.bytes_done, ==, 5 * 4);
        g_assert_cmpuint(eu->fault.access, ==,
                         write ? VEU_ACCESS_WRITE : VEU_ACCESS_READ);
        if (write) {
            g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 20), ==,
                            UNTOUCHED);
        } else {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 1), ==, UNTOUCHED);
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 5), ==, 0);
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 7), ==, 0);
        }
    }
}

/* The element's first page is RAM, its second a hole. */
static void test_a_faulting_lane_has_no_effect_on_either_page(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    m.exec = TEST_LANES_1;
    m.surface = eu_buffer(eu, end - 2, 100);
    eu_set32(eu, EU_DATA_AT, 0, UINT32_MAX);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.address, ==, end - 2);
    g_assert_cmphex(test_memory_get8(&eu->memory, end - 2), ==, 0);
    g_assert_cmphex(test_memory_get8(&eu->memory, end - 1), ==, 0);
}

/* ... and vice versa. */
static void test_a_lane_whose_first_page_is_a_hole_faults(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    m.exec = TEST_LANES_1;
    m.surface = eu_buffer(eu, EU_RAM - 2, 100);
    eu_set32(eu, EU_DATA_AT, 0, UINT32_MAX);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.address, ==, EU_RAM - 2);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM), ==, 0);
}

static void test_read_only_memory_can_be_read_but_not_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    test_memory_put32(&eu->memory, EU_ROM + 40, 0x12345678);
    gather.surface = scatter.surface = eu_buffer(eu, EU_ROM, 4096);
    g_assert_cmphex(eu_read_one(eu, &gather, 40), ==, 0x12345678);
    scatter.exec = TEST_LANES_1;
    g_assert_false(eu_run(eu, &scatter));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_ROM + 40), ==,
                    0x12345678);
}

/* A message succeeds after one that faulted. */
static void test_a_fault_is_forgotten_with_the_next_message(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    m.surface = 99;
    g_assert_false(eu_run(eu, &m));
    m.surface = EU_BUFFER;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, 0);
    m.surface = eu_buffer(eu, 0, 4096); /* a hole */
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.lanes, ==, 0xff);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
}

static bool broke(EuFixture *eu, VeuContract contract)
{
    return eu->thread.contracts & (1u << contract);
}

static void test_colliding_lanes_are_a_contract_event(void)
{
    static const uint32_t apart[] = { 0, 4, 8, 12, 16, 20, 24, 28 };
    static const uint32_t same[] = { 0, 4, 8, 12, 16, 20, 24, 4 };
    static const uint32_t touch[] = { 0, 4, 8, 12, 16, 20, 24, 31 - 8 };
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    eu->config.check = true;
    set_offsets(eu, apart, 8);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
    set_offsets(eu, same, 8);
    g_assert_true(eu_run(eu, &m));
    g_assert_true(broke(eu, VEU_CONTRACT_LANE_COLLISION));
    set_offsets(eu, touch, 8);
    g_assert_true(eu_run(eu, &m));
    g_assert_true(broke(eu, VEU_CONTRACT_LANE_COLLISION));
    /* also across a page, and in SLM, but not for disabled lanes */
    eu_set32(eu, EU_OFFSETS_AT, 0, 4094);
    eu_set32(eu, EU_OFFSETS_AT, 7, 4096);
    g_assert_true(eu_run(eu, &m));
    g_assert_true(broke(eu, VEU_CONTRACT_LANE_COLLISION));
    m.surface = SLM;
    g_assert_true(eu_run(eu, &m));
    g_assert_true(broke(eu, VEU_CONTRACT_LANE_COLLISION));
    eu->thread.exec_mask = 0x7f;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
}

/* Two lanes, @a and @b bytes away from the border of two pages. */
static bool lanes_collide(EuFixture *eu, int a, int b)
{
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    m.exec = TEST_LANES_2;
    eu_set32(eu, EU_OFFSETS_AT, 0, 4096 + a);
    eu_set32(eu, EU_OFFSETS_AT, 1, 4096 + b);
    g_assert_true(eu_run(eu, &m));
    return broke(eu, VEU_CONTRACT_LANE_COLLISION);
}

/* Lanes of 4 bytes, adjacent or overlapping, in either order. */
static void test_lanes_collide_where_they_share_a_byte(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->config.check = true;
    for (int a = -12; a <= 8; a++) {
        for (int b = -12; b <= 8; b++) {
            g_assert_cmpint(lanes_collide(eu, a, b), ==, ABS(a - b) < 4);
        }
    }
}

static void test_contracts_are_not_checked_unasked(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    g_assert_true(eu_run(eu, &m)); /* all lanes at offset 0 */
    g_assert_cmphex(eu->thread.contracts, ==, 0);
}

static void test_reads_do_not_collide(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    eu->config.check = true;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/order/" #name, test_##name)
    RULE(of_colliding_lanes_the_highest_wins);
    RULE(operands_are_read_before_results_are_written);
    RULE(the_global_offset_is_read_before_results_are_written);
    RULE(messages_take_effect_in_order_where_surfaces_alias);
    RULE(other_lanes_of_a_faulting_message_complete);
    RULE(a_faulting_lane_has_no_effect_on_either_page);
    RULE(a_lane_whose_first_page_is_a_hole_faults);
    RULE(read_only_memory_can_be_read_but_not_written);
    RULE(a_fault_is_forgotten_with_the_next_message);
    RULE(colliding_lanes_are_a_contract_event);
    RULE(lanes_collide_where_they_share_a_byte);
    RULE(contracts_are_not_checked_unasked);
    RULE(reads_do_not_collide);
#undef RULE
    return g_test_run();
}
