/*
 * veu unit tests: GATHER4_SCALED, SCATTER4_SCALED: up to four dwords per lane,
 * by spec.md and semantics.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define SLM       0
#define STATELESS 5
#define UNTOUCHED 0xeeeeeeee

/* A dword whose value is its own address. */
static uint32_t dword_at(uint32_t byte)
{
    return 0xd0000000 + byte;
}

static void fill_memory(EuFixture *eu, uint64_t base, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 4) {
        test_memory_put32(&eu->memory, base + at, dword_at(at));
    }
}

static void clear_data(EuFixture *eu)
{
    memset(eu->registers + EU_DATA_AT, 0xee, 2048);
}

/* The dword of @lane in the group at @place of Data. */
static uint32_t data(const EuFixture *eu, unsigned stride, unsigned place,
                     unsigned lane)
{
    return eu_get32(eu, EU_DATA_AT, place * stride + lane);
}

static const uint8_t lane_codes[] = { TEST_LANES_1, TEST_LANES_2, TEST_LANES_4,
                                      TEST_LANES_8, TEST_LANES_16 };

/*
 * The loops of the vendor's page: dst[ch_pos * max(exec_size, GRF_SIZE / 4) +
 * i] = surface[address / 4 + c], for each channel mask, size and register size.
 */
static void check_gather(EuFixture *eu, unsigned code, unsigned channels)
{
    TestMessage m = eu_message(TEST_GATHER4_SCALED);
    unsigned lanes = 1u << code;
    unsigned stride = MAX(lanes, eu->grf_bytes / 4);
    unsigned place = 0;

    m.exec = lane_codes[code];
    m.channels = channels;
    m.offset = test_immediate(8);
    clear_data(eu);
    for (unsigned lane = 0; lane < 16; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane * 12);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned lane = 0; (channels >> c & 1) && lane < stride; lane++) {
            g_assert_cmphex(data(eu, stride, place, lane), ==,
                            lane < lanes ? dword_at(8 + lane * 12 + c * 4) :
                                           UNTOUCHED);
        }
        place += channels >> c & 1;
    }
    g_assert_cmphex(data(eu, stride, place, 0), ==, UNTOUCHED);
    g_assert_cmpuint(eu->thread.moved_bytes, ==, lanes * place * 4);
}

static void test_gather_fills_a_group_of_lanes_for_each_channel(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu, EU_RAM, 1024);
    for (eu->grf_bytes = 32; eu->grf_bytes <= 64; eu->grf_bytes += 32) {
        for (unsigned channels = 1; channels < 16; channels++) {
            for (unsigned code = 0; code < 5; code++) {
                check_gather(eu, code, channels);
            }
        }
    }
}

/* surface[address / 4 + c] = src[ch_start + i], and no other byte changes. */
static void check_scatter(EuFixture *eu, unsigned code, unsigned channels)
{
    TestMessage m = eu_message(TEST_SCATTER4_SCALED);
    unsigned lanes = 1u << code;
    unsigned stride = MAX(lanes, eu->grf_bytes / 4);

    m.exec = lane_codes[code];
    m.channels = channels;
    m.offset = test_immediate(8);
    test_memory_fill(&eu->memory, EU_RAM, 0xee, 512);
    for (unsigned lane = 0; lane < 16; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane * 16);
    }
    for (unsigned i = 0; i < 64; i++) {
        eu_set32(eu, EU_DATA_AT, i, i);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned lane = 0; lane < 17; lane++) {
        unsigned place = 0;

        for (unsigned c = 0; c < 4; c++) {
            bool on = lane < lanes && channels >> c & 1;

            g_assert_cmphex(test_memory_get32(&eu->memory,
                                              EU_RAM + 8 + lane * 16 + c * 4),
                            ==, on ? place * stride + lane : UNTOUCHED);
            place += on;
        }
    }
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4), ==, UNTOUCHED);
}

static void test_scatter_writes_exactly_the_chosen_channels(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (eu->grf_bytes = 32; eu->grf_bytes <= 64; eu->grf_bytes += 32) {
        for (unsigned channels = 1; channels < 16; channels++) {
            for (unsigned code = 0; code < 5; code++) {
                check_scatter(eu, code, channels);
            }
        }
    }
}

/* "Scale is always zero": its value is ignored. */
static void test_scale_is_ignored(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    fill_memory(eu, EU_RAM, 64);
    m.scale = 0xffff;
    g_assert_cmphex(eu_read_one(eu, &m, 8), ==, dword_at(8));
}

/* The sum wraps at 2^32, once; adding channels to it does not wrap. */
static void test_the_address_wraps_but_its_channels_do_not(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    fill_memory(eu, EU_RAM, 64);
    m.offset = test_immediate(0xfffffff0);
    g_assert_cmphex(eu_read_one(eu, &m, 0x10 + 8), ==, dword_at(8));
    m.channels = 2;
    g_assert_cmphex(eu_read_one(eu, &m, 0xc), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &m, 0x10), ==, dword_at(4));
}

/* "The final address must be dword-aligned": the lane faults. */
static void test_misaligned_lanes_fault(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < 2; i++) {
        TestMessage m = eu_message(i ? TEST_SCATTER4_SCALED :
                                       TEST_GATHER4_SCALED);

        for (unsigned lane = 0; lane < 8; lane++) {
            eu_set32(eu, EU_OFFSETS_AT, lane, lane * 16);
        }
        eu_set32(eu, EU_OFFSETS_AT, 2, 34);
        eu_set32(eu, EU_OFFSETS_AT, 7, UINT32_MAX); /* checked before bounds */
        m.channels = 0xc;
        clear_data(eu);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ALIGNMENT, 2, 2, EU_RAM + 34 + 8);
        g_assert_cmphex(eu->fault.lanes, ==, 0x84);
        g_assert_cmpuint(eu->fault.bytes, ==, 4);
        g_assert_cmpuint(eu->fault.bytes_done, ==, 6 * 8);
        if (i) {
            g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 44), ==, 0);
            g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 60), ==,
                            UNTOUCHED);
        } else {
            g_assert_cmphex(data(eu, 8, 0, 2), ==, UNTOUCHED);
            g_assert_cmphex(data(eu, 8, 1, 7), ==, UNTOUCHED);
            g_assert_cmphex(data(eu, 8, 1, 3), ==, 0);
        }
    }
}

/* The offset in the surface has to be aligned, not the address in memory. */
static void test_the_base_of_the_surface_needs_no_alignment(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER4_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER4_SCALED);

    gather.channels = scatter.channels = 1;
    for (unsigned i = 1; i < 4; i++) {
        gather.surface = scatter.surface = eu_buffer(eu, EU_RAM + i, 64);
        fill_memory(eu, EU_RAM + i, 64);
        g_assert_cmphex(eu_read_one(eu, &gather, 12), ==, dword_at(12));
        eu_write_one(eu, &scatter, 12, 0xcafe);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + i + 12), ==,
                        0xcafe);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + i + 16), ==,
                        dword_at(16));
    }
}

/* 8 lanes, @step bytes apart, access a buffer of @bytes. */
static void check_bounds(EuFixture *eu, uint32_t bytes, uint32_t step)
{
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    m.surface = eu_buffer(eu, EU_RAM, bytes);
    fill_memory(eu, EU_RAM, 256);
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane * step);
    }
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    for (unsigned lane = 0; lane < 8; lane++) {
        for (unsigned c = 0; c < 4; c++) {
            uint32_t at = lane * step + 4 * c;

            g_assert_cmphex(data(eu, 8, c, lane), ==,
                            at + 4 <= bytes ? dword_at(at) : 0);
        }
    }
}

/* Each dword is checked separately: 20 + 3 bytes contain 5 of them. */
static void test_each_dword_is_in_or_out_of_bounds_by_itself(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check_bounds(eu, 23, 4);
    /* lanes 0 and 1 have 4 dwords, the next ones 3, 2, 1 */
    g_assert_cmpuint(eu->thread.moved_bytes, ==, (4 + 4 + 3 + 2 + 1) * 4);
}

/* Lanes whose dwords are all in bounds or all out of bounds, 16 bytes apart. */
static void test_lanes_out_of_bounds_read_zeros(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    check_bounds(eu, 64, 16);
}

static void test_dwords_out_of_bounds_are_dropped_one_by_one(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER4_SCALED);

    m.surface = eu_buffer(eu, EU_RAM, 23);
    m.channels = 0xd; /* R, B, A */
    m.exec = TEST_LANES_1;
    eu_set32(eu, EU_OFFSETS_AT, 0, 8);
    test_memory_fill(&eu->memory, EU_RAM, 0xee, 64);
    for (unsigned place = 0; place < 3; place++) {
        eu_set32(eu, EU_DATA_AT, place * 8, place + 1);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 8), ==,
                    0xeeeeeeee00000001);
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 16), ==,
                    0xeeeeeeee00000002);
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 8);
}

/* Lanes out of bounds access no memory, so that there is no fault. */
static void test_out_of_bounds_in_a_hole_is_no_fault(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    m.surface = eu_buffer(eu, EU_RAM + EU_RAM_BYTES - 8, 8);
    test_memory_put64(&eu->memory, EU_RAM + EU_RAM_BYTES - 8, UINT64_MAX);
    clear_data(eu);
    g_assert_cmphex(eu_read_one(eu, &m, 4), ==, UINT32_MAX);
    g_assert_cmphex(data(eu, 8, 1, 0), ==, 0);
    m.channels = 0xe;
    g_assert_cmphex(eu_read_one(eu, &m, 4), ==, 0);
}

/* A channel that is not chosen is not accessed: the last one cannot fault. */
static void test_channels_that_are_not_chosen_cannot_fault(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned i = 0; i < 2; i++) {
        TestMessage m = eu_message(i ? TEST_SCATTER4_SCALED :
                                       TEST_GATHER4_SCALED);

        m.exec = TEST_LANES_1;
        m.surface = eu_buffer(eu, end - 8, 64);
        m.channels = 3;
        g_assert_true(eu_run(eu, &m));
        m.channels = 7;
        g_assert_false(eu_run(eu, &m));
        m.surface = eu_buffer(eu, EU_RAM - 8, 64);
        m.channels = 0xc;
        g_assert_true(eu_run(eu, &m));
        m.channels = 0xe;
        g_assert_false(eu_run(eu, &m));
    }
}

/*
 * The record's element is the channel's number, its address that of the dword.
 */
static void test_a_fault_names_the_channel(void)
{
    static const struct {
        unsigned channels;
        unsigned element;
    } rows[] = { { 0xf, 2 }, { 0x8, 3 }, { 0xa, 3 }, { 0x5, 2 } };
    g_autoptr(EuFixture) eu = eu_standard();
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
        bool write = i & 1;
        TestMessage m = eu_message(write ? TEST_SCATTER4_SCALED :
                                           TEST_GATHER4_SCALED);

        m.surface = eu_buffer(eu, end - 64, 128);
        m.channels = rows[i / 2].channels;
        for (unsigned lane = 0; lane < 8; lane++) {
            eu_set32(eu, EU_OFFSETS_AT, lane, lane * 4);
        }
        eu_set32(eu, EU_OFFSETS_AT, 5, 56);
        test_memory_fill(&eu->memory, end - 64, 0x11, 64);
        clear_data(eu);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 5, rows[i / 2].element,
                          end - 8 + 4 * rows[i / 2].element);
        g_assert_cmphex(eu->fault.lanes, ==, 0x20);
        g_assert_cmpuint(eu->fault.bytes_done, ==,
                         7 * 4 * __builtin_popcount(m.channels));
        /* the lane has no effect, not even on accessible dwords */
        g_assert_cmphex(test_memory_get64(&eu->memory, end - 8), ==,
                        0x1111111111111111);
        g_assert_cmphex(data(eu, 8, 0, 5), ==, UNTOUCHED);
    }
}

static void test_lanes_cross_pages(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (uint32_t base = 4096 - 16; base <= 4096; base++) {
        TestMessage gather = eu_message(TEST_GATHER4_SCALED);
        TestMessage scatter = eu_message(TEST_SCATTER4_SCALED);

        gather.exec = scatter.exec = TEST_LANES_1;
        gather.surface = scatter.surface = eu_buffer(eu, EU_RAM + base, 16);
        for (unsigned c = 0; c < 4; c++) {
            eu_set32(eu, EU_DATA_AT, c * 8, dword_at(c));
        }
        g_assert_true(eu_run(eu, &scatter));
        clear_data(eu);
        g_assert_true(eu_run(eu, &gather));
        for (unsigned c = 0; c < 4; c++) {
            g_assert_cmphex(test_memory_get32(&eu->memory,
                                              EU_RAM + base + c * 4),
                            ==, dword_at(c));
            g_assert_cmphex(data(eu, 8, c, 0), ==, dword_at(c));
        }
        eu->surfaces->count--;
    }
}

#define PAGES UINT64_C(0x7000000)

/* The first lane lies in two pages: both are written. */
static void test_both_pages_of_a_lane_are_marked(void)
{
    for (unsigned n = TEST_LANES_8; n <= TEST_LANES_16; n++) {
        g_autoptr(EuFixture) eu = eu_standard();
        TestMessage m = eu_message(TEST_SCATTER4_SCALED);

        eu->memory.joined = true;
        test_memory_add(&eu->memory, PAGES, 2 * 4096, true);
        test_memory_send_all(&eu->memory);
        m.exec = n;
        m.channels = 0xf;
        m.surface = eu_buffer(eu, PAGES, 2 * 4096);
        for (unsigned i = 0; i < 16; i++) {
            eu_set32(eu, EU_OFFSETS_AT, i, i ? 16 * i : 4096 - 8);
            for (unsigned c = 0; c < 4; c++) {
                eu_set32(eu, EU_DATA_AT, 16 * c + i, dword_at(c));
            }
        }
        g_assert_true(eu_run(eu, &m));
        test_memory_flush(&eu->memory);
        g_assert_cmpint(test_memory_unsent(&eu->memory), ==, -1);
        g_assert_cmphex(test_memory_get32(&eu->memory, PAGES + 4096), !=, 0);
    }
}

static void test_slm_and_stateless_are_reached(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER4_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER4_SCALED);

    gather.channels = scatter.channels = 8;
    eu->thread.slm_bytes = 100;
    eu->thread.stateless_base = EU_RAM + 1;
    eu->thread.stateless_bytes = 100;
    for (unsigned i = 0; i < 2; i++) {
        gather.surface = scatter.surface = i ? STATELESS : SLM;
        eu_write_one(eu, &scatter, 84, 0xcafe);
        eu_write_one(eu, &scatter, 88, 0xcafe); /* beyond the end of RAM */
        g_assert_cmphex(eu_read_one(eu, &gather, 84), ==, 0xcafe);
        g_assert_cmphex(eu_read_one(eu, &gather, 88), ==, 0);
    }
    g_assert_cmphex(eu->slm[96], ==, 0xfe);
    g_assert_cmphex(eu->slm[100], ==, 0);
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 97), ==, 0xcafe);
}

static void test_null_operands(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER4_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER4_SCALED);

    test_memory_fill(&eu->memory, EU_RAM, 0xff, 32);
    gather.data.id = 0;
    g_assert_true(eu_run(eu, &gather));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 8 * 16);
    scatter.data.id = scatter.address.id = 0;
    scatter.channels = 5;
    g_assert_true(eu_run(eu, &scatter));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM), ==,
                    0xffffffff00000000);
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 8), ==,
                    0xffffffff00000000);
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 16), ==,
                    UINT64_MAX);
}

/* Data and addresses of disabled lanes do not change, in any group. */
static void test_disabled_lanes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    eu->thread.exec_mask = 0xf000;
    eu->predicates[0] = 0x3c00;
    m.pred = TEST_PRED(1) | TEST_PRED_INVERSE;
    m.exec = TEST_LANES_8 | TEST_M(3); /* bits 8 to 15 */
    for (unsigned lane = 0; lane < 6; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, 1); /* would fault */
    }
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 32; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==,
                        i % 8 < 6 ? UNTOUCHED : 0);
    }
    m.exec = TEST_LANES_8 | TEST_M_NM(3);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.lanes, ==, 0x03);
}

/* The destination covers offsets and Offset. */
static void test_operands_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    m.address = (TestRaw){ EU_DATA, 32 };
    m.offset = test_general(EU_DATA, 0, 0);
    fill_memory(eu, EU_RAM, 512);
    eu_set32(eu, EU_DATA_AT, 0, 64);
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(eu, EU_DATA_AT, 8 + lane, lane * 32);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned lane = 0; lane < 8; lane++) {
            g_assert_cmphex(data(eu, 8, c, lane), ==,
                            dword_at(64 + lane * 32 + c * 4));
        }
    }
}

/* The highest lane wins, dword by dword, and a contract event is traced. */
static void test_colliding_lanes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER4_SCALED);

    eu->config.check = true;
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane * 16);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
    for (unsigned i = 0; i < 32; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i % 8, i % 8 * 4);
        eu_set32(eu, EU_DATA_AT, i, i % 8);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==,
                    1u << VEU_CONTRACT_LANE_COLLISION);
    for (unsigned i = 0; i < 11; i++) {
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + i * 4), ==,
                        MIN(i, 7));
    }
}

/* Programs of instructions have a path of their own for SLM: it checks this. */
static void test_offsets_in_slm_are_aligned(void)
{
    static const TestKind kinds[] = { TEST_GATHER4_SCALED,
                                      TEST_SCATTER4_SCALED };

    for (unsigned i = 0; i < 8 * G_N_ELEMENTS(kinds); i++) {
        g_autoptr(EuFixture) eu = eu_standard();
        TestMessage m = eu_message(kinds[i / 8]);

        eu->program->kind = VEU_PROGRAM_INSTRUCTIONS;
        eu->thread.slm_wraps = true;
        m.surface = 0;
        for (unsigned n = 0; n < 8; n++) {
            eu_set32(eu, EU_OFFSETS_AT, n, n * 32);
        }
        g_assert_true(eu_run(eu, &m));
        eu_set32(eu, EU_OFFSETS_AT, i % 8, i % 8 * 32 + 1 + i % 3);
        g_assert_false(eu_run(eu, &m));
        g_assert_cmpuint(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
        g_assert_cmpuint(eu->fault.lane, ==, i % 8);
    }
}

/*
 * 16 lanes with one channel load consecutive dwords, as kernels do, except that
 * @lane loads from @offset. Lanes of @on run.
 */
static bool load_row(EuFixture *eu, unsigned channels, unsigned lane,
                     uint32_t offset, uint32_t on)
{
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    m.exec = TEST_LANES_16;
    m.channels = channels;
    m.pred = TEST_PRED(1);
    eu->predicates[0] = on;
    clear_data(eu);
    for (unsigned i = 0; i < 16; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, i == lane ? offset : 64 + 4 * i);
    }
    return eu_run(eu, &m);
}

static void check_row(EuFixture *eu, unsigned channels, unsigned lane,
                      uint32_t offset, uint32_t on)
{
    unsigned c = __builtin_ctz(channels);

    g_assert_true(load_row(eu, channels, lane, offset, on));
    for (unsigned i = 0; i < 16; i++) {
        uint32_t at = (i == lane ? offset : 64 + 4 * i) + 4 * c;

        g_assert_cmphex(data(eu, 16, 0, i), ==,
                        !(on >> i & 1)       ? UNTOUCHED :
                        at < EU_BUFFER_BYTES ? dword_at(at) :
                                               0);
    }
}

static void test_rows_of_lanes_with_one_channel(void)
{
    g_autoptr(EuFixture) eu = eu_joined();

    fill_memory(eu, EU_RAM, EU_BUFFER_BYTES);
    for (unsigned channels = 1; channels < 16; channels <<= 1) {
        check_row(eu, channels, 16, 0, 0xffff);
        for (unsigned lane = 0; lane < 16; lane++) {
            check_row(eu, channels, lane, 256, 0xffff);
            check_row(eu, channels, lane, 64 + 4 * lane, 0xffff ^ 1u << lane);
            g_assert_false(load_row(eu, channels, lane, 62 + 4 * lane, 0xffff));
        }
    }
}

/* All lanes are off by the same bytes, so that they are consecutive. */
static void test_a_row_that_is_not_aligned_faults(void)
{
    g_autoptr(EuFixture) eu = eu_joined();
    TestMessage m = eu_message(TEST_GATHER4_SCALED);

    m.channels = 1;
    for (unsigned i = 0; i < 8; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, 2 + 4 * i);
    }
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
    g_assert_cmphex(eu->fault.lanes, ==, 0xff);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/channels/" #name, test_##name)
    RULE(gather_fills_a_group_of_lanes_for_each_channel);
    RULE(scatter_writes_exactly_the_chosen_channels);
    RULE(scale_is_ignored);
    RULE(the_address_wraps_but_its_channels_do_not);
    RULE(misaligned_lanes_fault);
    RULE(the_base_of_the_surface_needs_no_alignment);
    RULE(each_dword_is_in_or_out_of_bounds_by_itself);
    RULE(lanes_out_of_bounds_read_zeros);
    RULE(dwords_out_of_bounds_are_dropped_one_by_one);
    RULE(out_of_bounds_in_a_hole_is_no_fault);
    RULE(channels_that_are_not_chosen_cannot_fault);
    RULE(a_fault_names_the_channel);
    RULE(lanes_cross_pages);
    RULE(both_pages_of_a_lane_are_marked);
    RULE(slm_and_stateless_are_reached);
    RULE(null_operands);
    RULE(disabled_lanes);
    RULE(operands_are_read_before_results_are_written);
    RULE(colliding_lanes);
    RULE(rows_of_lanes_with_one_channel);
    RULE(a_row_that_is_not_aligned_faults);
    RULE(offsets_in_slm_are_aligned);
#undef RULE
    return g_test_run();
}
