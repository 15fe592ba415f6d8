/*
 * veu unit tests: footprints of messages, and of lanes at equal distances, by
 * docs/profile.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <glib.h>
#include <string.h>
#include "hw/veu/eu/limits.h"
#include "hw/veu/eu/message/footprint.h"
#include "hw/veu/eu/message/footprint_steps.h"
#include "tests/lib/eu_fixture.h"

#define LANES VEU_MAX_LANES

static uint64_t first_of(const VeuSteps *s, unsigned lane)
{
    return s->first + (lane - __builtin_ctz(s->active)) * s->step;
}

/* --- By the definitions -------------------------------------------------- */

static uint32_t distinct_lines(const VeuSteps *s)
{
    g_autoptr(GHashTable)
        lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                      NULL);

    for (unsigned lane = 0; lane < LANES; lane++) {
        for (uint32_t b = 0; s->active >> lane & 1 && b < s->bytes; b++) {
            uint64_t line = (first_of(s, lane) + b) / 64;

            g_hash_table_add(lines, g_memdup2(&line, sizeof(line)));
        }
    }
    return g_hash_table_size(lines);
}

/* The number of different dwords of a bank among those of 16 lanes. */
static unsigned turns_of_bank(const VeuSteps *s, unsigned half, unsigned bank,
                              unsigned number)
{
    uint64_t seen[16];
    unsigned count = 0;

    for (unsigned lane = half; lane < half + 16; lane++) {
        uint64_t dword = first_of(s, lane) / 4 + number;
        unsigned i = 0;

        if (!(s->active >> lane & 1) || dword % 16 != bank) {
            continue;
        }
        while (i < count && seen[i] != dword) {
            i++;
        }
        seen[i] = dword;
        count = MAX(count, i + 1);
    }
    return count;
}

static uint32_t conflicts_of(const VeuSteps *s)
{
    uint32_t conflicts = 0;

    for (unsigned half = 0; half < LANES; half += 16) {
        for (unsigned n = 0; n < (s->bytes + 3) / 4; n++) {
            unsigned turns = 1;

            for (unsigned bank = 0; bank < 16; bank++) {
                turns = MAX(turns, turns_of_bank(s, half, bank, n));
            }
            conflicts += turns - 1;
        }
    }
    return conflicts;
}

/* --- Tests --------------------------------------------------------------- */

static VeuSteps random_steps(void)
{
    static const uint32_t masks[] = { 0xffffffff, 0xffff, 0xff,      1,
                                      0x80000000, 0xfff0, 0xffff0000 };
    unsigned mask = g_test_rand_int_range(0, 2 * G_N_ELEMENTS(masks));
    VeuSteps s = {
        .active = mask < G_N_ELEMENTS(masks) ? masks[mask] :
                                               (uint32_t)g_test_rand_int() | 2,
        .bytes = g_test_rand_int_range(1, 33),
        .first = g_test_rand_int_range(0, 1024),
        .step = g_test_rand_int_range(0, 300),
    };

    if (g_test_rand_bit()) {
        s.step &= ~3;
    }
    if (g_test_rand_bit()) {
        s.step &= ~63;
    }
    s.last = first_of(&s, 31 - __builtin_clz(s.active));
    return s;
}

static void test_counts(void)
{
    unsigned lines = 0, conflicts = 0;

    for (unsigned n = 0; n < 20000; n++) {
        VeuSteps s = random_steps();
        uint32_t count;

        if (veu_steps_lines(&s, &count)) {
            g_assert_cmpuint(count, ==, distinct_lines(&s));
            lines++;
        }
        if (veu_steps_conflicts(&s, &count)) {
            g_assert_cmpuint(count, ==, conflicts_of(&s));
            conflicts++;
        }
    }
    /* The common cases are not counted lane by lane. */
    g_assert_cmpuint(lines, >, 5000);
    g_assert_cmpuint(conflicts, >, 5000);
}

typedef struct Indices {
    uint32_t dwords[LANES];
    uint64_t qwords[LANES];
} Indices;

/* Lanes that do not run may have any index. */
static void fill(Indices *i, const VeuSteps *s)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        i->dwords[lane] = s->active >> lane & 1 ? first_of(s, lane) :
                                                  (uint32_t)g_test_rand_int();
        i->qwords[lane] = i->dwords[lane];
    }
}

static bool find(const Indices *i, unsigned lanes, VeuSteps *s)
{
    VeuSteps q = *s;
    const uint8_t *dwords = (const uint8_t *)i->dwords;
    const uint8_t *qwords = (const uint8_t *)i->qwords;
    bool found = veu_steps_find_qwords_some(qwords, lanes, &q);

    g_assert_cmpint(veu_steps_find_dwords_some(dwords, lanes, s), ==, found);
    if (s->active == UINT32_MAX >> (32 - lanes)) {
        g_assert_cmpint(veu_steps_find_qwords_all(qwords, lanes, &q), ==,
                        found);
        g_assert_cmpint(veu_steps_find_dwords_all(dwords, lanes, s), ==, found);
    }
    if (found) {
        g_assert_cmpmem(s, sizeof(*s), &q, sizeof(q));
    }
    return found;
}

static void test_finding(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        unsigned lanes = 8u << n % 3, other = n % lanes;
        VeuSteps s = random_steps(), found;
        Indices i;

        s.active &= UINT32_MAX >> (32 - lanes);
        if (!s.active) {
            continue;
        }
        fill(&i, &s);
        found = (VeuSteps){ .active = s.active };
        if (s.step && !(s.active >> __builtin_ctz(s.active) & 2)) {
            continue;
        }
        g_assert_true(find(&i, lanes, &found));
        g_assert_cmpuint(found.first, ==, s.first);
        g_assert_cmpuint(found.step, ==, s.step);
        i.dwords[other] ^= 0x40000001;
        i.qwords[other] ^= 0x40000001;
        if (s.active >> other & 1 && __builtin_popcount(s.active) > 2) {
            g_assert_false(find(&i, lanes, &found));
        }
    }
}

/* --- Messages ------------------------------------------------------------ */

#define ROUNDS 3000

/* A message, and where its lanes access memory or SLM. */
typedef struct Touch {
    EuFixture *eu;
    TestMessage m;
    unsigned lanes;
    unsigned bytes;  /* that a lane accesses at its place */
    unsigned before; /* bytes from that place to the first of them */
    unsigned unit;   /* of an index */
    bool slm;
    uint64_t base;
    uint64_t size;
    uint64_t at[LANES];  /* the first byte */
    unsigned end[LANES]; /* bytes from there; 0: out of bounds */
} Touch;

static uint32_t lines_of_lanes(const Touch *t)
{
    g_autoptr(GHashTable)
        lines = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                      NULL);

    for (unsigned lane = 0; lane < t->lanes && !t->slm; lane++) {
        for (unsigned b = 0; b < t->end[lane]; b++) {
            uint64_t line = (t->at[lane] + b) / 64;

            g_hash_table_add(lines, g_memdup2(&line, sizeof(line)));
        }
    }
    return g_hash_table_size(lines);
}

/* The turns that 16 lanes take for dword @number of each. */
static unsigned turns_of_lanes(const Touch *t, unsigned half, unsigned number)
{
    unsigned turns = 1;

    for (unsigned bank = 0; bank < 16; bank++) {
        g_autoptr(GHashTable) dwords = g_hash_table_new(NULL, NULL);

        for (unsigned lane = half; lane < MIN(half + 16, t->lanes); lane++) {
            unsigned dword = t->at[lane] / 4 + number;

            if (t->end[lane] && dword % 16 == bank) {
                g_hash_table_add(dwords, GUINT_TO_POINTER(dword));
            }
        }
        turns = MAX(turns, g_hash_table_size(dwords));
    }
    return turns;
}

static uint32_t conflicts_of_lanes(const Touch *t)
{
    uint32_t conflicts = 0;

    for (unsigned half = 0; half < t->lanes && t->slm; half += 16) {
        for (unsigned n = 0; n < (t->bytes + 3) / 4; n++) {
            conflicts += turns_of_lanes(t, half, n) - 1;
        }
    }
    return conflicts;
}

/* By its operands. */
static bool measure(EuFixture *eu, VeuFootprint *f)
{
    VeuFootprintPlan plan = veu_footprint_plan(&eu->message);

    return plan.measure(&eu->thread, &eu->message, &plan, f);
}

/* By its operands, and by its executor. */
static void check_footprint(const Touch *t)
{
    static VeuFootprint f;
    EuFixture *eu = t->eu;

    g_assert_true(eu_decode(eu, &t->m));
    eu->thread.active = veu_active_lanes(&eu->thread, &eu->message);
    g_assert_true(measure(eu, &f));
    g_assert_cmpuint(f.lines, ==, lines_of_lanes(t));
    g_assert_cmpuint(f.conflicts, ==, conflicts_of_lanes(t));
    eu->thread.observer = veu_footprint_begin(&f, NULL);
    g_assert_true(eu_run(eu, &t->m));
    veu_footprint_end(&f);
    eu->thread.observer = NULL;
    g_assert_cmpuint(f.lines, ==, lines_of_lanes(t));
    g_assert_cmpuint(f.conflicts, ==, conflicts_of_lanes(t));
}

/* Lanes in a row, at one place, at equal distances, or anywhere. */
static uint64_t any_index(unsigned lane, unsigned pattern, unsigned limit)
{
    unsigned first = pattern / 8 % limit;

    switch (pattern % 8) {
    case 0:
    case 1:
        return first + lane;
    case 2:
        return first;
    case 3:
        return first + lane * 16;
    case 4:
        return first + lane * (pattern / 64 % 40);
    default:
        return g_test_rand_int_range(0, limit);
    }
}

/* The lane accesses what is inside of the @t->bytes at @offset. */
static void place(Touch *t, unsigned lane, uint64_t offset)
{
    bool is_on = t->eu->thread.exec_mask >> lane & 1;
    uint64_t first = offset + t->before;
    uint64_t end = first + t->bytes;
    bool parts = t->m.kind == TEST_GATHER4_SCALED ||
                 t->m.kind == TEST_SCATTER4_SCALED;

    if (end > t->size) {
        end = parts && first < t->size ? t->size / 4 * 4 : first;
    }
    t->at[lane] = t->base + first;
    t->end[lane] = is_on && end > first ? end - first : 0;
}

static void set_offsets(Touch *t)
{
    unsigned pattern = g_test_rand_int_range(0, 1 << 16);
    uint32_t global = t->m.offset.value;
    unsigned limit = t->slm ? 96 : t->size / t->unit + 20;

    for (unsigned lane = 0; lane < t->lanes; lane++) {
        uint32_t index = any_index(lane, pattern, limit);

        eu_set32(t->eu, EU_OFFSETS_AT, lane, index - global);
        place(t, lane, (uint64_t)index * t->unit);
    }
}

static void set_addresses(Touch *t)
{
    unsigned pattern = g_test_rand_int_range(0, 1 << 16);

    for (unsigned lane = 0; lane < t->lanes; lane++) {
        uint64_t offset = any_index(lane, pattern, 500) * t->unit;

        eu_set64(t->eu, EU_ADDRESSES_AT, lane, EU_RAM + offset);
        place(t, lane, offset);
    }
}

/* A buffer that does not begin with a line, or SLM. */
static void choose_surface(Touch *t)
{
    t->slm = g_test_rand_int_range(0, 3) == 0;
    t->base = t->slm ? 0 : EU_RAM + g_test_rand_int_range(0, 32) * 4;
    t->size = t->slm ? EU_SLM_BYTES : g_test_rand_int_range(16, 1024);
    t->m.surface = 0;
    if (!t->slm) {
        t->eu->surfaces->count = 1;
        t->m.surface = eu_buffer(t->eu, t->base, t->size);
    }
}

static Touch begin_touch(EuFixture *eu, TestKind kind, unsigned most_lanes)
{
    Touch t = { .eu = eu, .m = eu_message(kind) };
    unsigned code = g_test_rand_int_range(TEST_LANES_8, most_lanes + 1);

    t.lanes = 1u << code;
    t.m.exec = code;
    t.m.num_elts = code == TEST_LANES_16;
    eu->thread.exec_mask = g_test_rand_bit() ? UINT32_MAX :
                                               (uint32_t)g_test_rand_int() | 1;
    return t;
}

/* A message whose lanes each access one element. */
typedef struct Elements {
    TestKind kind;
    uint8_t most_lanes;
    bool has_sizes;   /* 1, 2 and 4 bytes, and a global offset; else 8 bytes */
    bool has_indices; /* which count elements; else bytes */
} Elements;

static const Elements elements[] = {
    { TEST_GATHER, TEST_LANES_16, true, true },
    { TEST_SCATTER, TEST_LANES_16, true, true },
    { TEST_GATHER_SCALED, TEST_LANES_32, true, false },
    { TEST_SCATTER_SCALED, TEST_LANES_32, true, false },
    { TEST_QW_GATHER, TEST_LANES_16, false, false },
    { TEST_QW_SCATTER, TEST_LANES_16, false, false },
};

static void check_elements(EuFixture *eu, const Elements *e, unsigned size)
{
    Touch t = begin_touch(eu, e->kind, e->most_lanes);

    t.m.elt_size = size;
    t.m.num_blocks = e->has_sizes ? size : 0;
    t.m.offset = test_immediate(e->has_sizes ? g_test_rand_int_range(0, 9) : 0);
    t.bytes = e->has_sizes ? 1 << size : 8;
    t.unit = e->has_indices ? t.bytes : 1;
    choose_surface(&t);
    set_offsets(&t);
    check_footprint(&t);
}

static void test_elements(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned round = 0; round < ROUNDS; round++) {
        check_elements(eu, &elements[round % G_N_ELEMENTS(elements)],
                       round / G_N_ELEMENTS(elements) % 3);
    }
}

/* Each channel is in or out of bounds by itself. */
static void test_channels(void)
{
    static const uint8_t masks[] = { 1, 2, 3, 6, 7, 8, 12, 14, 15 };
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned round = 0; round < ROUNDS; round++) {
        Touch t = begin_touch(eu,
                              round & 1 ? TEST_GATHER4_SCALED :
                                          TEST_SCATTER4_SCALED,
                              TEST_LANES_16);
        unsigned channels = masks[round / 2 % G_N_ELEMENTS(masks)];

        t.m.channels = channels;
        t.m.offset = test_immediate(g_test_rand_int_range(0, 9) * 4);
        t.before = __builtin_ctz(channels) * 4;
        t.bytes = __builtin_popcount(channels) * 4;
        t.unit = 1;
        choose_surface(&t);
        for (unsigned lane = 0; lane < t.lanes; lane++) {
            uint32_t offset = any_index(lane, round * 77, 200) * 4;

            eu_set32(eu, EU_OFFSETS_AT, lane, offset - t.m.offset.value);
            place(&t, lane, offset);
        }
        check_footprint(&t);
    }
}

static void test_addresses(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned round = 0; round < ROUNDS; round++) {
        Touch t = begin_touch(eu,
                              round & 1 ? TEST_SVM_GATHER : TEST_SVM_SCATTER,
                              TEST_LANES_16);

        t.m.block_size = round / 2 % 3;
        t.m.num_blocks = round / 6 % 3;
        t.unit = t.m.block_size ? 2 << t.m.block_size : 1;
        t.bytes = t.unit << t.m.num_blocks;
        t.base = EU_RAM;
        t.size = EU_RAM_BYTES;
        set_addresses(&t);
        check_footprint(&t);
    }
}

/* In programs of instructions, the low 16 bits of an offset in SLM count. */
static void test_offsets_that_wrap(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->thread.slm_wraps = true;
    for (unsigned round = 0; round < ROUNDS / 4; round++) {
        Touch t = begin_touch(eu, TEST_GATHER_SCALED, TEST_LANES_16);
        unsigned pattern = g_test_rand_int_range(0, 1 << 16);

        t.m.num_blocks = 2;
        t.m.surface = 0;
        t.bytes = 4;
        t.slm = true;
        t.size = EU_SLM_BYTES;
        for (unsigned lane = 0; lane < t.lanes; lane++) {
            uint32_t offset = any_index(lane, pattern, 99) * 4 - 128;

            eu_set32(eu, EU_OFFSETS_AT, lane, offset + (round << 16));
            place(&t, lane, offset & 0xffff);
        }
        check_footprint(&t);
    }
}

/*
 * Lanes 0 and 2 have the same index, modulo 2^32 or 2^64, and lane 1 is in
 * another line of a buffer of 16 GiB.
 */
static void test_lanes_that_wrap(void)
{
    static const TestKind kinds[] = { TEST_GATHER_SCALED, TEST_SVM_GATHER };
    g_autoptr(EuFixture) eu = eu_standard();
    static VeuFootprint f;

    eu->thread.exec_mask = 7;
    for (unsigned lane = 0; lane < 3; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane << 31);
        eu_set64(eu, EU_ADDRESSES_AT, lane, EU_RAM + ((uint64_t)lane << 63));
    }
    for (unsigned n = 0; n < G_N_ELEMENTS(kinds); n++) {
        TestMessage m = eu_message(kinds[n]);

        m.exec = TEST_LANES_8;
        m.surface = eu_typed_buffer(eu, VEU_FORMAT_R32G32B32A32_FLOAT, 1 << 30);
        g_assert_true(eu_decode(eu, &m));
        eu->thread.active = veu_active_lanes(&eu->thread, &eu->message);
        g_assert_true(measure(eu, &f));
        g_assert_cmpuint(f.lines, ==, 2);
    }
}

/* A block is measured if it is inside as a whole; else by its executor. */
static void test_blocks(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_OWORD_LD);
    static VeuFootprint f;

    m.size = 3; /* 8 owords, the first at byte 48: parts of three lines */
    m.offset = test_immediate(3);
    g_assert_true(eu_decode(eu, &m));
    eu->thread.active = 1;
    g_assert_true(measure(eu, &f));
    g_assert_cmpuint(f.lines, ==, 3);
    eu->thread.observer = veu_footprint_begin(&f, NULL);
    g_assert_true(eu_run(eu, &m));
    veu_footprint_end(&f);
    g_assert_cmpuint(f.lines, ==, 3);
    m.offset = test_immediate(1 << 24);
    g_assert_true(eu_decode(eu, &m));
    g_assert_false(measure(eu, &f));
}

/* An observer that keeps which lanes it saw, and refuses lane 3. */
typedef struct Watcher {
    VeuObserver observer; /* first */
    unsigned lanes, begun, ended;
} Watcher;

static uint16_t watch_lane(VeuObserver *observer, const VeuLaneAccess *access,
                           VeuLanePlace place, VeuSpan *span)
{
    ((Watcher *)observer)->lanes |= 1u << access->lane;
    return access->lane == 3 ? VEU_FAULT_ADDRESS : 0;
}

static bool watch_begin(VeuObserver *observer, VeuThread *thread,
                        const VeuMessage *message)
{
    ((Watcher *)observer)->begun++;
    return true;
}

static void watch_end(VeuObserver *observer)
{
    ((Watcher *)observer)->ended++;
}

/* A thread may have an observer, such as that of injected faults, as well. */
static void test_another_observer_sees_the_message(void)
{
    static VeuFootprint f;
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    Watcher w = { .observer = { watch_lane, watch_begin, watch_end } };

    eu->thread.observer = veu_footprint_begin(&f, &w.observer);
    g_assert_false(eu_run(eu, &m));
    veu_footprint_end(&f);
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(eu->fault.lanes, ==, 1 << 3);
    g_assert_cmphex(w.lanes, ==, 0xff);
    g_assert_cmpuint(w.begun, ==, 1);
    g_assert_cmpuint(w.ended, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/footprint/counts", test_counts);
    g_test_add_func("/footprint/finding", test_finding);
    g_test_add_func("/footprint/lanes-that-wrap", test_lanes_that_wrap);
    g_test_add_func("/footprint/elements", test_elements);
    g_test_add_func("/footprint/channels", test_channels);
    g_test_add_func("/footprint/addresses", test_addresses);
    g_test_add_func("/footprint/offsets-that-wrap", test_offsets_that_wrap);
    g_test_add_func("/footprint/blocks", test_blocks);
    g_test_add_func("/footprint/another-observer-sees-the-message",
                    test_another_observer_sees_the_message);
    return g_test_run();
}
