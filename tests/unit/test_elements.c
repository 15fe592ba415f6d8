/*
 * veu unit tests: SCATTER, QW_GATHER, QW_SCATTER: one element per lane, by the
 * vendor's pages and semantics.md, sections 3 and 4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define SLM       0
#define STATELESS 5
#define UNTOUCHED UINT64_C(0xeeeeeeeeeeeeeeee)
#define VALUE     UINT64_C(0x0123456789abcdef)

static void write_one(EuFixture *eu, const TestMessage *message,
                      uint32_t offset, uint32_t value)
{
    TestMessage m = *message;

    m.num_elts = 2;
    eu_write_one(eu, &m, offset, value);
}

/* Reads or writes a qword with one lane of a QW message. */
static uint64_t read_qword(EuFixture *eu, const TestMessage *message,
                           uint32_t offset)
{
    TestMessage m = *message;

    m.exec = TEST_LANES_1;
    eu_set32(eu, EU_OFFSETS_AT, 0, offset);
    eu_set64(eu, EU_DATA_AT, 0, UNTOUCHED);
    g_assert_true(eu_run(eu, &m));
    return eu_get64(eu, EU_DATA_AT, 0);
}

static void write_qword(EuFixture *eu, const TestMessage *message,
                        uint32_t offset, uint64_t value)
{
    TestMessage m = *message;

    m.exec = TEST_LANES_1;
    eu_set32(eu, EU_OFFSETS_AT, 0, offset);
    eu_set64(eu, EU_DATA_AT, 0, value);
    g_assert_true(eu_run(eu, &m));
}

static uint64_t memory(EuFixture *eu, uint32_t at)
{
    return test_memory_get64(&eu->memory, EU_RAM + at);
}

/* index = (global + element offset) mod 2^32, times the element's size. */
static void test_scatter_offsets_count_elements(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER);

    for (unsigned code = 0; code < 3; code++) {
        m.elt_size = code;
        m.offset = test_immediate(UINT32_MAX - 1);
        write_one(eu, &m, 2 + 10, 0x11);
        m.offset = test_immediate(20);
        write_one(eu, &m, 1, 0x22);
        g_assert_cmphex(memory(eu, 10 << code) & 0xff, ==, 0x11);
        g_assert_cmphex(memory(eu, 21 << code) & 0xff, ==, 0x22);
        test_memory_fill(&eu->memory, EU_RAM, 0, 256);
    }
}

static void test_scatter_writes_exactly_its_lowest_bytes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER);
    static const uint64_t left[] = { 0xffffffffffff44ff, 0xffffffff3344ffff,
                                     0x11223344ffffffff };

    for (unsigned code = 0; code < 3; code++) {
        m.elt_size = code;
        test_memory_fill(&eu->memory, EU_RAM, 0xff, 16);
        write_one(eu, &m, 1, 0x11223344);
        g_assert_cmphex(memory(eu, 0), ==, left[code]);
        g_assert_cmphex(memory(eu, 8), ==, UINT64_MAX);
    }
}

/*
 * Num_elts gives 8, 16 or 1 lanes, under the execution mask; there is no
 * predicate.
 */
static void test_scatter_has_its_lanes_in_num_elts(void)
{
    static const uint8_t codes[] = { 0 | TEST_M(3), 1 | TEST_M(5),
                                     2 | TEST_M(8), 2 | TEST_M_NM(8) };
    static const uint32_t ran[] = { 0xa5, 0x8421, 0, 1 };
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER);

    eu->thread.exec_mask = 0x8421a5c3;
    m.elt_size = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t written = 0;

        m.num_elts = codes[i];
        for (unsigned lane = 0; lane < 16; lane++) {
            eu_set32(eu, EU_OFFSETS_AT, lane, lane);
            eu_set32(eu, EU_DATA_AT, lane, 1);
        }
        test_memory_fill(&eu->memory, EU_RAM, 0, 32);
        g_assert_true(eu_run(eu, &m));
        for (unsigned lane = 0; lane < 32; lane++) {
            written |= (uint32_t)test_memory_get8(&eu->memory, EU_RAM + lane)
                       << lane;
        }
        g_assert_cmphex(written, ==, ran[i]);
    }
}

static void test_scatter_out_of_bounds_is_dropped(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER);

    m.surface = eu_buffer(eu, EU_RAM, 1002);
    write_one(eu, &m, 249, UINT32_MAX);
    write_one(eu, &m, 250, UINT32_MAX); /* straddles the end of the surface */
    write_one(eu, &m, 1u << 30, UINT32_MAX);
    write_one(eu, &m, UINT32_MAX, UINT32_MAX);
    g_assert_cmphex(memory(eu, 996), ==, UINT32_MAX);
    g_assert_cmphex(memory(eu, 1000), ==, 0);
    g_assert_cmphex(memory(eu, 0), ==, 0);
}

static void test_scatter_reaches_slm_and_stateless(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER);

    eu->thread.stateless_base = EU_RAM + 3;
    eu->thread.stateless_bytes = 8;
    m.surface = STATELESS;
    write_one(eu, &m, 1, 0x12345678);
    write_one(eu, &m, 2, UINT32_MAX);
    g_assert_cmphex(memory(eu, 7), ==, 0x12345678);
    m.surface = SLM;
    write_one(eu, &m, 1, 0x9abcdef0);
    g_assert_cmphex(eu->slm[4], ==, 0xf0);
    g_assert_cmphex(eu->slm[7], ==, 0x9a);
}

/* Offsets count bytes and need no alignment; lane n is qword n of Data. */
static void test_qwords_are_at_byte_offsets(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_QW_GATHER);
    TestMessage scatter = eu_message(TEST_QW_SCATTER);

    for (unsigned lane = 0; lane < 16; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane * 9 + 1);
        eu_set64(eu, EU_DATA_AT, lane, VALUE + lane);
    }
    gather.exec = scatter.exec = TEST_LANES_16;
    g_assert_true(eu_run(eu, &scatter));
    for (unsigned lane = 0; lane < 16; lane++) {
        g_assert_cmphex(memory(eu, lane * 9 + 1), ==, VALUE + lane);
        g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + lane * 9), ==,
                        0);
    }
    memset(eu->registers + EU_DATA_AT, 0xee, 256);
    g_assert_true(eu_run(eu, &gather));
    for (unsigned lane = 0; lane < 16; lane++) {
        g_assert_cmphex(eu_get64(eu, EU_DATA_AT, lane), ==, VALUE + lane);
    }
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 16), ==, UNTOUCHED);
    eu_assert_waits(eu);
}

/* The contents of the first register do not matter. */
static void test_qwords_have_no_global_offset(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    uint32_t first = eu_variable(eu, 0, 8, VEU_TYPE_UD);
    uint32_t data = eu_variable(eu, 64, 8, VEU_TYPE_UQ);
    uint32_t offsets = eu_variable(eu, 256, 8, VEU_TYPE_UD);
    TestMessage m = { .kind = TEST_QW_GATHER,
                      .exec = TEST_LANES_8,
                      .surface = eu_buffer(eu, EU_RAM, 64),
                      .address = { offsets, 0 },
                      .data = { data, 0 } };

    g_assert_cmpuint(first, ==, 32);
    memset(eu->registers, 0x20, 32);
    test_memory_put64(&eu->memory, EU_RAM, VALUE);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, 64, 7), ==, VALUE);
}

/* With 64-byte registers the offset is still 8 bytes for each lane. */
static void test_qwords_follow_each_other_in_64_byte_registers_too(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_QW_GATHER);

    eu->grf_bytes = 64;
    test_memory_put64(&eu->memory, EU_RAM, VALUE);
    m.exec = TEST_LANES_2;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 0), ==, VALUE);
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 1), ==, VALUE);
}

static void test_a_qword_is_in_or_out_of_bounds_as_a_whole(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_QW_GATHER);
    TestMessage scatter = eu_message(TEST_QW_SCATTER);

    eu->config.undefined = 0xa5; /* no byte of it is undefined */
    gather.surface = scatter.surface = eu_buffer(eu, EU_RAM, 100);
    test_memory_fill(&eu->memory, EU_RAM, 0xff, 200);
    g_assert_cmphex(read_qword(eu, &gather, 92), ==, UINT64_MAX);
    g_assert_cmphex(read_qword(eu, &gather, UINT32_MAX), ==, 0);
    for (uint32_t at = 93; at < 101; at++) {
        g_assert_cmphex(read_qword(eu, &gather, at), ==, 0);
        write_qword(eu, &scatter, at, 0);
    }
    g_assert_cmphex(memory(eu, 92), ==, UINT64_MAX);
    write_qword(eu, &scatter, 92, VALUE);
    g_assert_cmphex(memory(eu, 92), ==, VALUE);
    g_assert_cmphex(memory(eu, 100), ==, UINT64_MAX);
}

static void test_qwords_reach_slm_and_stateless(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_QW_GATHER);
    TestMessage scatter = eu_message(TEST_QW_SCATTER);

    eu->thread.stateless_base = EU_RAM + 3;
    eu->thread.stateless_bytes = 16;
    gather.surface = scatter.surface = STATELESS;
    write_qword(eu, &scatter, 8, VALUE);
    write_qword(eu, &scatter, 9, UINT64_MAX);
    g_assert_cmphex(memory(eu, 11), ==, VALUE);
    g_assert_cmphex(read_qword(eu, &gather, 8), ==, VALUE);
    eu->thread.slm_bytes = 20;
    gather.surface = scatter.surface = SLM;
    write_qword(eu, &scatter, 12, VALUE);
    g_assert_cmphex(read_qword(eu, &gather, 12), ==, VALUE);
    g_assert_cmphex(read_qword(eu, &gather, 13), ==, 0);
    g_assert_cmphex(eu->slm[12], ==, 0xef);
}

static void test_qwords_cross_pages(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_QW_GATHER);
    TestMessage scatter = eu_message(TEST_QW_SCATTER);

    for (uint32_t at = 4089; at < 4096; at++) {
        write_qword(eu, &scatter, at, VALUE + at);
        g_assert_cmphex(memory(eu, at), ==, VALUE + at);
        g_assert_cmphex(read_qword(eu, &gather, at), ==, VALUE + at);
    }
}

#define PAGES UINT64_C(0x7000000)

/* An element that is not aligned may lie in two pages: both are written. */
static void check_pages(uint8_t exec)
{
    g_autoptr(EuFixture) eu = eu_standard();
    unsigned surface = eu_buffer(eu, PAGES, 2 * 4096);
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    eu->memory.joined = true;
    test_memory_add(&eu->memory, PAGES, 2 * 4096, true);
    test_memory_send_all(&eu->memory);
    m.exec = exec;
    m.num_blocks = 2; /* dwords */
    m.surface = surface;
    for (unsigned i = 0; i < 32; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, i ? 16 * i : 4094);
        eu_set32(eu, EU_DATA_AT, i, 0x01020304);
    }
    g_assert_true(eu_run(eu, &m));
    test_memory_flush(&eu->memory);
    g_assert_cmpint(test_memory_unsent(&eu->memory), ==, -1);
    g_assert_cmphex(test_memory_get32(&eu->memory, PAGES + 4094), ==,
                    0x01020304);
}

static void test_both_pages_of_an_element_are_marked(void)
{
    check_pages(TEST_LANES_8);
    check_pages(TEST_LANES_16);
}

static void test_null_operands_of_qwords(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_QW_GATHER);
    TestMessage scatter = eu_message(TEST_QW_SCATTER);

    test_memory_fill(&eu->memory, EU_RAM, 0xff, 16);
    gather.data.id = 0;
    g_assert_true(eu_run(eu, &gather));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 64);
    scatter.data.id = 0;
    scatter.address.id = 0;
    g_assert_true(eu_run(eu, &scatter));
    g_assert_cmphex(memory(eu, 0), ==, 0);
    g_assert_cmphex(memory(eu, 8), ==, UINT64_MAX);
}

/* Only lanes that mask and predicate enable change Data. */
static void test_disabled_qwords_are_left_alone(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_QW_GATHER);

    eu->thread.exec_mask = 0xf0;
    eu->predicates[0] = 0x3c;
    m.pred = TEST_PRED(1);
    for (unsigned nm = 0; nm < 2; nm++) {
        unsigned on = nm ? 0x3c : 0x30;

        m.exec = TEST_LANES_8 | (nm ? TEST_M_NM(1) : TEST_M(1));
        memset(eu->registers + EU_DATA_AT, 0xee, 128);
        g_assert_true(eu_run(eu, &m));
        for (unsigned lane = 0; lane < 8; lane++) {
            g_assert_cmphex(eu_get64(eu, EU_DATA_AT, lane), ==,
                            on >> lane & 1 ? 0 : UNTOUCHED);
        }
    }
}

/* The first, a middle and the last lane access a hole. */
static void test_lanes_that_fault_have_no_effect(void)
{
    static const TestKind kinds[] = { TEST_SCATTER, TEST_QW_GATHER,
                                      TEST_QW_SCATTER };
    static const unsigned lanes[] = { 0, 3, 7 };
    g_autoptr(EuFixture) eu = eu_standard();
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds) * 3; i++) {
        TestMessage m = eu_message(kinds[i / 3]);
        unsigned bytes = m.kind == TEST_SCATTER ? 4 : 8;
        unsigned unit = m.kind == TEST_SCATTER ? 4 : 1;
        unsigned bad = lanes[i % 3];

        m.surface = eu_buffer(eu, end - 4096 - bytes / 2, 8192);
        for (unsigned lane = 0; lane < 8; lane++) {
            eu_set32(eu, EU_OFFSETS_AT, lane, lane * bytes / unit);
        }
        /* the second half is past the end of RAM */
        eu_set32(eu, EU_OFFSETS_AT, bad, 4096 / unit);
        memset(eu->registers + EU_DATA_AT, 0xee, 64);
        test_memory_fill(&eu->memory, end - 8, 0, 8);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ADDRESS, bad, 0, end - bytes / 2);
        g_assert_cmpuint(eu->fault.bytes, ==, bytes);
        g_assert_cmphex(eu->fault.lanes, ==, 1u << bad);
        g_assert_cmpuint(eu->fault.bytes_done, ==, 7 * bytes);
        if (m.kind == TEST_QW_GATHER) {
            g_assert_cmphex(eu_get64(eu, EU_DATA_AT, bad), ==, UNTOUCHED);
        } else {
            g_assert_cmphex(test_memory_get64(&eu->memory, end - 8), ==, 0);
        }
        eu->surfaces->count--;
    }
}

static void test_read_only_memory_can_be_gathered_but_not_scattered(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_QW_GATHER);
    TestMessage scatter = eu_message(TEST_QW_SCATTER);

    gather.surface = scatter.surface = eu_buffer(eu, EU_ROM, 64);
    g_assert_true(eu_run(eu, &gather));
    g_assert_false(eu_run(eu, &scatter));
    eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 0, 0, EU_ROM);
    g_assert_cmphex(eu->fault.lanes, ==, 0xff);
    g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
}

/* Where lanes collide the highest wins, and a contract event is traced. */
static void test_colliding_lanes(void)
{
    static const TestKind kinds[] = { TEST_SCATTER, TEST_QW_SCATTER };
    g_autoptr(EuFixture) eu = eu_standard();

    eu->config.check = true;
    for (unsigned i = 0; i < 2; i++) {
        TestMessage m = eu_message(kinds[i]);

        memset(eu->registers + EU_OFFSETS_AT, 0, 64);
        for (unsigned byte = 0; byte < 64; byte++) {
            eu->registers[EU_DATA_AT + byte] = byte / (4 << i);
        }
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0x07070707);
        g_assert_cmphex(eu->thread.contracts, ==,
                        1u << VEU_CONTRACT_LANE_COLLISION);
    }
}

/* The destination overlaps the offsets. */
static void test_qw_offsets_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_QW_GATHER);

    m.data.id = eu_variable(eu, EU_OFFSETS_AT, 16, VEU_TYPE_UQ);
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane * 8);
        test_memory_put64(&eu->memory, EU_RAM + lane * 8, VALUE * lane);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned lane = 0; lane < 8; lane++) {
        g_assert_cmphex(eu_get64(eu, EU_OFFSETS_AT, lane), ==, VALUE * lane);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/elements/" #name, test_##name)
    RULE(scatter_offsets_count_elements);
    RULE(scatter_writes_exactly_its_lowest_bytes);
    RULE(scatter_has_its_lanes_in_num_elts);
    RULE(scatter_out_of_bounds_is_dropped);
    RULE(scatter_reaches_slm_and_stateless);
    RULE(qwords_are_at_byte_offsets);
    RULE(qwords_have_no_global_offset);
    RULE(qwords_follow_each_other_in_64_byte_registers_too);
    RULE(a_qword_is_in_or_out_of_bounds_as_a_whole);
    RULE(qwords_reach_slm_and_stateless);
    RULE(qwords_cross_pages);
    RULE(both_pages_of_an_element_are_marked);
    RULE(null_operands_of_qwords);
    RULE(disabled_qwords_are_left_alone);
    RULE(lanes_that_fault_have_no_effect);
    RULE(read_only_memory_can_be_gathered_but_not_scattered);
    RULE(colliding_lanes);
    RULE(qw_offsets_are_read_before_results_are_written);
#undef RULE
    return g_test_run();
}
