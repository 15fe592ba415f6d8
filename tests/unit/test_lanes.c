/*
 * veu unit tests: which channels run: semantics.md, section 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define UNTOUCHED 0xeeeeeeee

/*
 * Returns the lanes that the message performs, by what it writes: memory holds
 * zeros.
 */
static uint32_t lanes_that_run(EuFixture *eu, const TestMessage *m)
{
    uint32_t ran = 0;

    memset(eu->registers + EU_DATA_AT, 0xee, 256);
    g_assert_true(eu_run(eu, m));
    for (unsigned lane = 0; lane < 32; lane++) {
        ran |= (uint32_t)(eu_get32(eu, EU_DATA_AT, lane) != UNTOUCHED) << lane;
    }
    return ran;
}

static TestMessage scaled(uint8_t exec, uint16_t pred)
{
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    m.exec = exec;
    m.pred = pred;
    return m;
}

static uint32_t run_scaled(EuFixture *eu, uint8_t exec, uint16_t pred)
{
    TestMessage m = scaled(exec, pred);

    return lanes_that_run(eu, &m);
}

/* ChEn[n] = EM[offset + n]. */
static void test_the_mask_offset_shifts_the_execution_mask(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.exec_mask = 0x8421a5c3;
    g_assert_cmphex(run_scaled(eu, TEST_LANES_32 | TEST_M(1), 0), ==,
                    0x8421a5c3);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_16 | TEST_M(1), 0), ==, 0xa5c3);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_16 | TEST_M(5), 0), ==, 0x8421);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M(1), 0), ==, 0xc3);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M(3), 0), ==, 0xa5);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M(5), 0), ==, 0x21);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M(7), 0), ==, 0x84);
    for (unsigned n = 1; n <= 8; n++) {
        uint32_t nibble = 0x8421a5c3 >> (4 * (n - 1)) & 0xf;

        g_assert_cmphex(run_scaled(eu, TEST_LANES_4 | TEST_M(n), 0), ==,
                        nibble);
        g_assert_cmphex(run_scaled(eu, TEST_LANES_2 | TEST_M(n), 0), ==,
                        nibble & 3);
        g_assert_cmphex(run_scaled(eu, TEST_LANES_1 | TEST_M(n), 0), ==,
                        nibble & 1);
    }
}

/* With NM all lanes run, whatever EM is. */
static void test_no_mask_ignores_the_execution_mask(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.exec_mask = 0;
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M_NM(3), 0), ==, 0xff);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_32 | TEST_M_NM(1), 0), ==,
                    UINT32_MAX);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_1 | TEST_M_NM(8), 0), ==, 1);
}

static void test_gather_has_its_mask_in_num_elts(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER);

    eu->thread.exec_mask = 0x8421a5c3;
    m.num_elts = 0 | TEST_M(3);
    g_assert_cmphex(lanes_that_run(eu, &m), ==, 0xa5);
    m.num_elts = 1 | TEST_M(5);
    g_assert_cmphex(lanes_that_run(eu, &m), ==, 0x8421);
    m.num_elts = 2 | TEST_M(8);
    g_assert_cmphex(lanes_that_run(eu, &m), ==, 0);
    m.num_elts = 2 | TEST_M_NM(8);
    g_assert_cmphex(lanes_that_run(eu, &m), ==, 1);
}

static void test_a_predicate_and_the_execution_mask_both_have_to_be_set(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.exec_mask = 0xc3;
    eu->predicates[0] = 0xaa;
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8, 1), ==, 0x82);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8, 0x8001), ==, 0x41);
}

/* "the mask offset also offsets the predicate, for _NM too". */
static void test_the_mask_offset_shifts_the_predicate(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->predicates[0] = 0x8421a5c3;
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M(3), 1), ==, 0xa5);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M(3), 0x8001), ==, 0x5a);
    eu->thread.exec_mask = 0;
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M_NM(7), 1), ==, 0x84);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_8 | TEST_M_NM(7), 0x8001), ==,
                    0x7b);
    g_assert_cmphex(run_scaled(eu, TEST_LANES_4 | TEST_M_NM(2), 1), ==, 0xc);
}

/*
 * any and all examine all exec_size bits, whatever EM is; inverse comes last.
 */
static void check_combine(uint32_t predicate, bool any, bool all)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint8_t exec = TEST_LANES_8 | TEST_M(3);

    eu->thread.exec_mask = 0x3c00; /* lanes 2 to 5 of M3 */
    eu->predicates[0] = predicate;
    g_assert_cmphex(run_scaled(eu, exec, 0x2001), ==, any ? 0x3c : 0);
    g_assert_cmphex(run_scaled(eu, exec, 0xa001), ==, any ? 0 : 0x3c);
    g_assert_cmphex(run_scaled(eu, exec, 0x4001), ==, all ? 0x3c : 0);
    g_assert_cmphex(run_scaled(eu, exec, 0xc001), ==, all ? 0 : 0x3c);
}

static void test_any_and_all_combine_all_lanes_whatever_the_mask(void)
{
    check_combine(0x00000000, false, false);
    check_combine(0x0000ff00, true, true);
    check_combine(0x00000100, true, false); /* a lane that EM disables */
    /* one bit is missing, disabled in EM */
    check_combine(0x0000fe00, true, false);
    check_combine(0xffff00ff, false, false); /* bits of other lanes */
}

static unsigned texels(EuFixture *eu)
{
    return eu_surface(eu, &(struct veu_surface){ .base = EU_RAM,
                                                 .format = VEU_FORMAT_R32_UINT,
                                                 .type = VEU_SURFACE_1D,
                                                 .width = 16,
                                                 .levels = 1 });
}

static void test_a_disabled_lane_keeps_its_destination(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    unsigned image = texels(eu);

    eu->thread.exec_mask = 0x0f;
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);

        if (kind != TEST_GATHER && kind != TEST_GATHER_SCALED &&
            kind != TEST_GATHER4_TYPED && kind != TEST_SVM_GATHER) {
            continue;
        }
        m.surface = kind == TEST_GATHER4_TYPED ? image : m.surface;
        for (unsigned lane = 0; lane < 8; lane++) {
            eu_set64(eu, EU_ADDRESSES_AT, lane, EU_RAM);
        }
        memset(eu->registers + EU_DATA_AT, 0xee, 64);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 3), ==, 0);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 4), ==, UNTOUCHED);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 7), ==, UNTOUCHED);
    }
}

static void test_a_disabled_lane_writes_nothing(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    unsigned image = texels(eu);

    eu->thread.exec_mask = 0xf7;
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set32(eu, EU_DATA_AT, lane, 0x1234);
    }
    static const TestKind kinds[] = { TEST_SCATTER_SCALED,
                                      TEST_SCATTER4_TYPED };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        TestKind kind = kinds[i];
        TestMessage m = eu_message(kind);

        m.surface = kind == TEST_SCATTER4_TYPED ? image : EU_BUFFER;
        m.channels = 1;
        for (unsigned lane = 0; lane < 8; lane++) {
            eu_set32(eu, EU_OFFSETS_AT, lane,
                     kind == TEST_SCATTER4_TYPED ? lane : lane * 4);
        }
        test_memory_fill(&eu->memory, EU_RAM, 0xee, 64);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 8), ==, 0x1234);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 12), ==,
                        UNTOUCHED);
    }
}

/* "address never looked at": it may be a hole, or misaligned. */
static void test_the_address_of_a_disabled_lane_is_not_looked_at(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SVM_GATHER);

    eu->thread.exec_mask = 0x01;
    eu_set64(eu, EU_ADDRESSES_AT, 0, EU_RAM);
    for (unsigned lane = 1; lane < 8; lane++) {
        eu_set64(eu, EU_ADDRESSES_AT, lane, 0xdead0001);
    }
    g_assert_true(eu_run(eu, &m));
    m.pred = 0x0001;
    eu->thread.exec_mask = UINT32_MAX;
    eu->predicates[0] = 0x01;
    g_assert_true(eu_run(eu, &m));
}

/* ... nor is the surface, if all lanes are disabled. */
static void test_a_message_without_lanes_does_nothing(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.exec_mask = 0;
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        TestMessage m = eu_message(kind);

        if (!test_kind_has(kind, TEST_FIELD_ADDRESS)) {
            continue; /* a message without lanes runs whatever the mask */
        }
        m.surface = 99;
        eu->memory.maps = 0;
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->memory.maps, ==, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/lanes/" #name, test_##name)
    RULE(the_mask_offset_shifts_the_execution_mask);
    RULE(no_mask_ignores_the_execution_mask);
    RULE(gather_has_its_mask_in_num_elts);
    RULE(a_predicate_and_the_execution_mask_both_have_to_be_set);
    RULE(the_mask_offset_shifts_the_predicate);
    RULE(any_and_all_combine_all_lanes_whatever_the_mask);
    RULE(a_disabled_lane_keeps_its_destination);
    RULE(a_disabled_lane_writes_nothing);
    RULE(the_address_of_a_disabled_lane_is_not_looked_at);
    RULE(a_message_without_lanes_does_nothing);
#undef RULE
    return g_test_run();
}
