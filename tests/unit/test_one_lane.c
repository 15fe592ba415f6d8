/*
 * veu unit tests: one lane of many that differs from the others, in memory that
 * is one extent, which was found before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fast paths check all lanes at once: the odd lane has to be noticed, whichever
 * it is, and the others complete (semantics.md, sections 3 and 4).
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define BIG       UINT64_C(0x1000000)
#define BIG_PAGES 3
#define BIG_BYTES (BIG_PAGES * TEST_PAGE_BYTES)
#define UNTOUCHED 0xeeeeeeee

/* A message, and the memory that each of its lanes accesses. */
typedef struct Kind {
    TestKind kind;
    uint8_t block_size; /* code of the size of SVM blocks */
    uint8_t num_blocks;
    uint8_t op; /* of atomics */
    uint8_t channels;
    uint8_t align_bytes;
    uint8_t bytes;
    bool has_16_lanes;
} Kind;

static const Kind kinds[] = {
    { TEST_SVM_GATHER, 1, 0, 0, 0, 4, 4, true },
    { TEST_SVM_GATHER, 2, 0, 0, 0, 8, 8, true },
    { TEST_SVM_GATHER, 1, 1, 0, 0, 4, 8, true },
    { TEST_SVM_GATHER, 2, 2, 0, 0, 8, 32, true },
    { TEST_SVM_SCATTER, 1, 0, 0, 0, 4, 4, true },
    { TEST_SVM_SCATTER, 2, 0, 0, 0, 8, 8, true },
    { TEST_SVM_SCATTER, 1, 1, 0, 0, 4, 8, true },
    { TEST_SVM_SCATTER, 2, 2, 0, 0, 8, 32, true },
    { TEST_SVM_GATHER4_SCALED, 0, 0, 0, 0xf, 4, 16, true },
    { TEST_SVM_SCATTER4_SCALED, 0, 0, 0, 0xf, 4, 16, true },
    { TEST_SVM_ATOMIC, 0, 0, TEST_ADD, 0, 4, 4, false },
    { TEST_SVM_ATOMIC, 0, 0, TEST_ADD | TEST_16_BIT, 0, 2, 2, false },
    { TEST_SVM_ATOMIC, 0, 0, TEST_ADD | TEST_64_BIT, 0, 8, 8, false },
    { TEST_GATHER4_SCALED, 0, 0, 0, 0xf, 4, 16, true },
    { TEST_SCATTER4_SCALED, 0, 0, 0, 0xf, 4, 16, true },
    { TEST_DWORD_ATOMIC, 0, 0, TEST_ADD, 0, 4, 4, true },
    { TEST_DWORD_ATOMIC, 0, 0, TEST_ADD | TEST_16_BIT, 0, 2, 2, true },
};

static bool has_addresses(const Kind *k)
{
    return test_layouts[k->kind].opcode == 0x4e;
}

static EuFixture *one_extent(void)
{
    EuFixture *eu = eu_standard();

    eu->memory.joined = true;
    test_memory_add(&eu->memory, BIG, BIG_BYTES, true);
    eu_buffer(eu, BIG, BIG_BYTES);
    return eu;
}

static TestMessage message(const Kind *k, unsigned lanes)
{
    TestMessage m = eu_svm(k->kind, __builtin_ctz(lanes), k->block_size,
                           k->num_blocks);

    m.op = k->op;
    m.channels = k->channels;
    m.surface = EU_BUFFER + 1;
    if (k->op & TEST_64_BIT) {
        m.src0.id = EU_QW_SRC0;
        m.data.id = EU_QW_DATA;
    }
    return m;
}

/* Makes lane @lane access @offset of the memory. */
static void set_place(EuFixture *eu, const Kind *k, unsigned lane,
                      uint64_t offset)
{
    if (has_addresses(k)) {
        eu_set_address(eu, lane, BIG + offset);
    } else {
        eu_set32(eu, EU_OFFSETS_AT, lane, offset);
    }
}

/*
 * Runs a message whose lanes are all usual, in the extent that was found last.
 */
static void run_usual(EuFixture *eu, const Kind *k, unsigned lanes)
{
    TestMessage m = message(k, lanes);

    eu->thread.exec_mask = UINT32_MAX;
    for (unsigned lane = 0; lane < lanes; lane++) {
        set_place(eu, k, lane, 64 + lane * 32);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, lanes * k->bytes);
    memset(eu->registers + EU_DATA_AT, 0xee, 2048);
}

/* Checks that lane @lane alone has this fault, and had no effect. */
static void assert_one_fault(EuFixture *eu, const Kind *k, unsigned lanes,
                             unsigned lane, enum veu_fault_code code)
{
    TestMessage m = message(k, lanes);

    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, code);
    g_assert_cmpuint(eu->fault.lane, ==, lane);
    g_assert_cmphex(eu->fault.lanes, ==, 1u << lane);
    g_assert_cmpuint(eu->fault.bytes_done, ==, (lanes - 1) * k->bytes);
    eu->thread.exec_mask = ~(1u << lane);
    g_assert_true(eu_run(eu, &m)); /* a lane that does not run is not checked */
    g_assert_cmpuint(eu->thread.moved_bytes, ==, (lanes - 1) * k->bytes);
}

typedef void Check(EuFixture *eu, const Kind *k, unsigned lanes, unsigned lane);

static void for_each_lane(Check *check)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const Kind *k = &kinds[i];
        unsigned most = k->has_16_lanes ? 16 : 8;

        for (unsigned lanes = 8; lanes <= most; lanes *= 2) {
            for (unsigned lane = 0; lane < lanes; lane++) {
                g_autoptr(EuFixture) eu = one_extent();

                run_usual(eu, k, lanes);
                check(eu, k, lanes, lane);
            }
        }
    }
}

static void check_misaligned(EuFixture *eu, const Kind *k, unsigned lanes,
                             unsigned lane)
{
    for (unsigned by = 1; by < k->align_bytes; by *= 2) {
        run_usual(eu, k, lanes);
        set_place(eu, k, lane, 64 + lane * 32 + by);
        assert_one_fault(eu, k, lanes, lane, VEU_FAULT_ALIGNMENT);
    }
}

static void test_a_misaligned_lane_faults(void)
{
    for_each_lane(check_misaligned);
}

/*
 * The lane's last bytes, or all of them, are past the extent; or it is before
 * it.
 */
static void check_beyond(EuFixture *eu, const Kind *k, unsigned lanes,
                         unsigned lane)
{
    const uint64_t places[] = { BIG_BYTES - k->bytes + k->align_bytes,
                                BIG_BYTES, -(uint64_t)k->align_bytes,
                                UINT64_C(1) << 32, UINT64_C(1) << 63 };

    for (unsigned i = 0; has_addresses(k) && i < G_N_ELEMENTS(places); i++) {
        run_usual(eu, k, lanes);
        set_place(eu, k, lane, places[i]);
        assert_one_fault(eu, k, lanes, lane, VEU_FAULT_ADDRESS);
    }
}

static void test_a_lane_outside_of_the_extent_faults(void)
{
    for_each_lane(check_beyond);
}

static bool is_noted(const EuFixture *eu, unsigned page)
{
    for (unsigned n = 0; n < eu->memory.count; n++) {
        if (eu->memory.page[n].iova == BIG + page * TEST_PAGE_BYTES) {
            return test_memory_is_noted(&eu->memory, n);
        }
    }
    g_assert_not_reached();
}

/*
 * The lane writes the last bytes of a page, and perhaps the first of the next
 * one.
 */
static void check_pages(EuFixture *eu, const Kind *k, unsigned lanes,
                        unsigned lane)
{
    TestMessage m = message(k, lanes);
    bool writes = k->kind != TEST_SVM_GATHER &&
                  k->kind != TEST_SVM_GATHER4_SCALED &&
                  k->kind != TEST_GATHER4_SCALED;

    for (unsigned at = 0; writes && at < k->bytes; at += k->align_bytes) {
        test_memory_forget_notes(&eu->memory);
        set_place(eu, k, lane, 2 * TEST_PAGE_BYTES - k->bytes + at);
        eu->thread.exec_mask = 1u << lane;
        g_assert_true(eu_run(eu, &m));
        g_assert_false(is_noted(eu, 0));
        g_assert_true(is_noted(eu, 1));
        g_assert_cmpint(is_noted(eu, 2), ==, at > 0);
        eu->thread.exec_mask = UINT32_MAX;
        test_memory_forget_notes(&eu->memory);
        g_assert_true(eu_run(eu, &m));
        g_assert_true(is_noted(eu, 0));
        g_assert_true(is_noted(eu, 1));
        g_assert_cmpint(is_noted(eu, 2), ==, at > 0);
    }
}

static void test_pages_are_noted_that_a_lane_writes(void)
{
    for_each_lane(check_pages);
}

/*
 * Of 16 bytes at multiples of 16, only those of the chosen channels are
 * accessed.
 */
static void check_channels(EuFixture *eu, TestKind kind, unsigned lanes,
                           unsigned channels, unsigned outside)
{
    TestMessage m = eu_message(kind);
    unsigned stride = lanes;
    unsigned place = 0;

    m.exec = __builtin_ctz(lanes);
    m.channels = channels;
    m.surface = EU_BUFFER + 1;
    test_memory_fill(&eu->memory, BIG, 0x11, 1024);
    memset(eu->registers + EU_DATA_AT, 0xee, 2048);
    for (unsigned lane = 0; lane < lanes; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane,
                 lane == outside ? BIG_BYTES : lane * 16);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned c = 0; c < 4; c++) {
        bool chosen = channels >> c & 1;

        for (unsigned lane = 0; lane < lanes; lane++) {
            uint32_t is = test_memory_get32(&eu->memory,
                                            BIG + lane * 16 + c * 4);

            if (kind == TEST_SCATTER4_SCALED) {
                g_assert_cmphex(is, ==,
                                chosen && lane != outside ? UNTOUCHED :
                                                            0x11111111);
            } else if (chosen) {
                g_assert_cmphex(eu_get32(eu, EU_DATA_AT, place * stride + lane),
                                ==, lane == outside ? 0 : 0x11111111);
            }
        }
        place += chosen;
    }
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, place * stride), ==, UNTOUCHED);
}

static void test_channels_of_owords(void)
{
    g_autoptr(EuFixture) eu = one_extent();

    for (unsigned lanes = 8; lanes <= 16; lanes *= 2) {
        for (unsigned channels = 1; channels < 16; channels++) {
            for (unsigned outside = 0; outside <= lanes; outside++) {
                check_channels(eu, TEST_GATHER4_SCALED, lanes, channels,
                               outside);
                check_channels(eu, TEST_SCATTER4_SCALED, lanes, channels,
                               outside);
            }
        }
    }
}

static void test_a_page_that_may_come_is_waited_for(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(EuFixture) eu = one_extent();

        run_usual(eu, &kinds[i], 8);
        eu_assert_waits(eu);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/one_lane/" #name, test_##name)
    RULE(a_misaligned_lane_faults);
    RULE(a_lane_outside_of_the_extent_faults);
    RULE(pages_are_noted_that_a_lane_writes);
    RULE(channels_of_owords);
    RULE(a_page_that_may_come_is_waited_for);
#undef RULE
    return g_test_run();
}
