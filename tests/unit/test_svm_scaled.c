/*
 * veu unit tests: SVM GATHER4SCALED, SVM SCATTER4SCALED: spec.md, and
 * semantics.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define UNTOUCHED 0xeeeeeeee

static TestMessage scaled(TestKind kind, uint8_t exec, uint8_t channels)
{
    TestMessage m = eu_message(kind);

    m.exec = exec;
    m.channels = channels;
    m.offset.type = VEU_TYPE_UQ;
    m.offset.value = EU_RAM;
    return m;
}

static void set_offset(EuFixture *eu, unsigned lane, int64_t offset)
{
    eu_set64(eu, EU_ADDRESSES_AT, lane, offset);
}

/* Dword n of EU_RAM is 0x100 + n. */
static void fill_memory(EuFixture *eu)
{
    for (unsigned n = 0; n < 1024; n++) {
        test_memory_put32(&eu->memory, EU_RAM + 4 * n, 0x100 + n);
    }
}

/* A channel's group is its position among the enabled channels. */
static unsigned group_of(uint8_t channels, unsigned c)
{
    return __builtin_popcount(channels & ((1u << c) - 1));
}

/*
 * Tests all masks, both lane counts and both register sizes; the stride is
 * max(n, GRF/4).
 */
static void test_channels_are_read_in_groups(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu);
    for (unsigned form = 0; form < 4 * 16; form++) {
        unsigned channels = form % 16;
        unsigned lanes = form / 16 % 2 ? 16 : 8;
        unsigned stride;
        TestMessage m = scaled(TEST_SVM_GATHER4_SCALED,
                               lanes == 8 ? TEST_LANES_8 : TEST_LANES_16,
                               channels);

        eu->grf_bytes = form / 32 ? 64 : 32;
        stride = MAX(lanes, eu->grf_bytes / 4);
        if (!channels) {
            continue;
        }
        for (unsigned i = 0; i < lanes; i++) {
            set_offset(eu, i, 4 * (20 * i + 3));
        }
        memset(eu->registers + EU_DATA_AT, 0xee, 512);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==,
                         4 * lanes * __builtin_popcount(channels));
        for (unsigned c = 0; c < 4; c++) {
            for (unsigned i = 0; i < stride && channels >> c & 1; i++) {
                unsigned at = group_of(channels, c) * stride + i;

                g_assert_cmphex(eu_get32(eu, EU_DATA_AT, at), ==,
                                i < lanes ? 0x100 + 20 * i + 3 + c : UNTOUCHED);
            }
        }
    }
}

/* Disabled channels keep their bytes in memory. */
static void test_channels_are_written_from_groups(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned channels = 1; channels < 16; channels++) {
        TestMessage m = scaled(TEST_SVM_SCATTER4_SCALED, TEST_LANES_8,
                               channels);

        test_memory_fill(&eu->memory, EU_RAM, 0xee, 1024);
        for (unsigned i = 0; i < 8; i++) {
            set_offset(eu, i, 24 * i);
        }
        for (unsigned i = 0; i < 32; i++) {
            eu_set32(eu, EU_DATA_AT, i, 0x200 + i);
        }
        g_assert_true(eu_run(eu, &m));
        for (unsigned n = 0; n < 8 * 6; n++) {
            unsigned c = n % 6;
            bool on = c < 4 && channels >> c & 1;

            g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4 * n), ==,
                            on ? 0x200 + group_of(channels, c) * 8 + n / 6 :
                                 UNTOUCHED);
        }
    }
}

/* The address is base + element offset modulo 2^64. */
static void test_offsets_may_be_negative(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scaled(TEST_SVM_GATHER4_SCALED, TEST_LANES_8, 1);

    fill_memory(eu);
    m.offset.value = EU_RAM + 400;
    for (unsigned i = 0; i < 8; i++) {
        set_offset(eu, i, -4 * (int64_t)i);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, 0x100 + 100 - i);
    }
}

/* A base of fewer than 64 bits is extended by its type. */
static void test_the_base_is_extended_by_its_type(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scaled(TEST_SVM_GATHER4_SCALED, TEST_LANES_8, 1);

    fill_memory(eu);
    m.offset = test_immediate((uint32_t)-8);
    m.offset.type = VEU_TYPE_D;
    for (unsigned i = 0; i < 8; i++) {
        set_offset(eu, i, EU_RAM + 40);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x100 + 8);
    m.offset.type = VEU_TYPE_UD;
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.address, ==, 0xfffffff8 + EU_RAM + 40);
}

/* The sum has to be aligned. */
static void test_the_final_address_is_dword_aligned(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < 8; i++) {
        set_offset(eu, i, 2 + (i == 5));
    }
    for (unsigned base = 0; base < 4; base++) {
        TestMessage m = scaled(TEST_SVM_SCATTER4_SCALED, TEST_LANES_8, 0xc);
        uint32_t lanes = base == 2 ? 0x20 : base == 1 ? 0xdf : 0xff;

        m.offset.value = EU_RAM + base;
        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
        g_assert_cmphex(eu->fault.lanes, ==, lanes);
        g_assert_cmpuint(eu->fault.lane, ==, base == 2 ? 5 : 0);
        /* the lowest enabled channel: B */
        g_assert_cmpuint(eu->fault.element, ==, 2);
        g_assert_cmphex(eu->fault.address, ==,
                        EU_RAM + base + (base == 2 ? 3 : 2) + 8);
    }
}

/*
 * Memory ends after channel G. Only enabled channels access memory, and the
 * fault names the first of them that is outside.
 */
static void test_only_enabled_channels_are_accessed(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned channels = 1; channels < 16; channels++) {
        TestMessage m = scaled(TEST_SVM_GATHER4_SCALED, TEST_LANES_8, channels);
        unsigned missing = channels & 4 ? 2 : 3;

        eu->thread.exec_mask = 1;
        set_offset(eu, 0, EU_RAM_BYTES - 8);
        g_assert_cmpint(eu_run(eu, &m), ==, channels < 4);
        if (channels >= 4) {
            g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
            g_assert_cmpuint(eu->fault.element, ==, missing);
            g_assert_cmphex(eu->fault.address, ==,
                            EU_RAM + EU_RAM_BYTES - 8 + 4 * missing);
            g_assert_cmpuint(eu->fault.bytes, ==, 4);
        }
        /* memory that begins before channel B */
        set_offset(eu, 0, -8);
        g_assert_cmpint(eu_run(eu, &m), ==, (channels & 3) == 0);
        if (channels & 3) {
            g_assert_cmpuint(eu->fault.element, ==, channels & 1 ? 0 : 1);
        }
    }
}

static void test_a_faulting_lane_has_no_effect(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scaled(TEST_SVM_SCATTER4_SCALED, TEST_LANES_8, 0xf);

    for (unsigned i = 0; i < 8; i++) {
        set_offset(eu, i, i == 3 ? EU_RAM_BYTES - 8 : 16 * i);
    }
    for (unsigned i = 0; i < 32; i++) {
        eu_set32(eu, EU_DATA_AT, i, 0x200 + i);
    }
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.lanes, ==, 8);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 7 * 16);
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + EU_RAM_BYTES - 8),
                    ==, 0);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 16 * 7 + 12), ==,
                    0x200 + 24 + 7);
}

static void test_operands_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scaled(TEST_SVM_GATHER4_SCALED, TEST_LANES_8, 0xf);

    fill_memory(eu);
    m.data.id = EU_ADDRESSES;
    for (unsigned i = 0; i < 8; i++) {
        set_offset(eu, i, 16 * i);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 32; i++) {
        g_assert_cmphex(eu_get32(eu, EU_ADDRESSES_AT, i), ==,
                        0x100 + 4 * (i % 8) + i / 8);
    }
}

static void test_colliding_lanes_are_a_contract_event(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = scaled(TEST_SVM_SCATTER4_SCALED, TEST_LANES_8, 0xf);

    eu->config.check = true;
    for (unsigned i = 0; i < 8; i++) {
        set_offset(eu, i, 16 * i);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
    set_offset(eu, 6, 12);
    eu_set32(eu, EU_DATA_AT, 6, 0x666);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==,
                    1u << VEU_CONTRACT_LANE_COLLISION);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 12), ==, 0x666);
}

static void test_null_data_is_dropped_and_stores_0(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = scaled(TEST_SVM_GATHER4_SCALED, TEST_LANES_8, 0xf);
    TestMessage store = scaled(TEST_SVM_SCATTER4_SCALED, TEST_LANES_8, 0x1);

    fill_memory(eu);
    load.data.id = 0;
    store.data.id = 0;
    g_assert_true(eu_run(eu, &load));
    g_assert_true(eu_run(eu, &store));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM), ==, 0x10100000000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/svm-scaled/" #name, test_##name)
    RULE(channels_are_read_in_groups);
    RULE(channels_are_written_from_groups);
    RULE(offsets_may_be_negative);
    RULE(the_base_is_extended_by_its_type);
    RULE(the_final_address_is_dword_aligned);
    RULE(only_enabled_channels_are_accessed);
    RULE(a_faulting_lane_has_no_effect);
    RULE(operands_are_read_before_results_are_written);
    RULE(colliding_lanes_are_a_contract_event);
    RULE(null_data_is_dropped_and_stores_0);
#undef RULE
    return g_test_run();
}
