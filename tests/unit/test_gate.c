/*
 * veu unit tests: the memory gate: hw/veu/eu/memory/mem.h, and its observers:
 * observer.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/memory/guest_copy.h"
#include "hw/veu/eu/memory/mem.h"
#include "tests/lib/eu_fixture.h"

#define EDGE (EU_RAM + TEST_PAGE_BYTES)

static void fill(EuFixture *eu, uint64_t from, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t byte = i + 1;

        test_memory_put(&eu->memory, from + i, &byte, 1);
    }
}

static bool span(EuFixture *eu, uint64_t iova, uint32_t bytes,
                 enum veu_access access, VeuSpan *out)
{
    return veu_mem_span(&eu->memory.mem, iova, bytes, access, out);
}

/* Loads every size at every offset around the border of two pages. */
static void test_spans_are_loaded_whole(void)
{
    g_autoptr(EuFixture) eu = eu_new();

    fill(eu, EDGE - 128, 256);
    for (unsigned at = 0; at < 64; at++) {
        for (unsigned bytes = 1; bytes <= 64; bytes++) {
            uint8_t loaded[65];
            VeuSpan s;

            memset(loaded, 0xee, sizeof(loaded));
            g_assert_true(span(eu, EDGE - 64 + at, bytes, VEU_ACCESS_READ, &s));
            g_assert_cmpuint(s.piece_bytes[0] + s.piece_bytes[1], ==, bytes);
            veu_span_load(&s, loaded);
            for (unsigned i = 0; i < bytes; i++) {
                g_assert_cmphex(loaded[i], ==, (uint8_t)(65 + at + i));
            }
            g_assert_cmphex(loaded[bytes], ==, 0xee);
        }
    }
}

/* Stores bytes [from, from + bytes) of a span of 16, and no others. */
static void test_parts_of_spans_are_stored(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    static const uint8_t data[16] = { 1, 2,  3,  4,  5,  6,  7,  8,
                                      9, 10, 11, 12, 13, 14, 15, 16 };

    for (unsigned at = 0; at <= 16; at++) {
        for (unsigned from = 0; from < 16; from++) {
            for (unsigned bytes = 1; from + bytes <= 16; bytes++) {
                VeuSpan s;

                test_memory_fill(&eu->memory, EDGE - 17, 0, 34);
                g_assert_true(
                    span(eu, EDGE - 16 + at, 16, VEU_ACCESS_WRITE, &s));
                veu_span_store(&s, data, from, bytes);
                for (unsigned i = 0; i < 34; i++) {
                    unsigned first = 1 + at + from;
                    bool inside = i >= first && i < first + bytes;

                    g_assert_cmphex(test_memory_get8(&eu->memory,
                                                     EDGE - 17 + i),
                                    ==, inside ? data[i - first] : 0);
                }
            }
        }
    }
}

/*
 * One different bit, at any place, makes spans unequal, wherever the bytes are.
 */
static void test_equal_is_what_has_no_other_bit(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    VeuMem *mem = &eu->memory.mem;
    uint8_t known[VEU_GUEST_EQUALS_BYTES];

    for (uint64_t at = EU_RAM; at < EU_RAM + sizeof(known); at++) {
        fill(eu, at, sizeof(known));
        test_memory_get(&eu->memory, at, known, sizeof(known));
        g_assert_true(veu_mem_equals(mem, at, known));
        for (unsigned bit = 0; bit < sizeof(known) * 8; bit++) {
            known[bit / 8] ^= 1 << bit % 8;
            g_assert_false(veu_mem_equals(mem, at, known));
            known[bit / 8] ^= 1 << bit % 8;
        }
    }
}

/* A host that keeps the blocks that are reported to it. */
#define BLOCK_BYTES UINT64_C(0x40000)
#define BLOCKS      8

typedef struct Blocks {
    VeuMem mem;
    uint8_t listed[BLOCKS];
    uintptr_t base;
} Blocks;

static void list_block(VeuMem *mem, uint8_t *at)
{
    Blocks *b = (Blocks *)mem;
    uint64_t block = ((uintptr_t)at - b->base) / BLOCK_BYTES;

    g_assert_cmpuint(block, <, BLOCKS);
    g_assert_cmpuint(b->listed[block], ==, 0);
    b->listed[block] = 1;
}

/* From the last byte of block @first to the first byte of block @last. */
static void check_listed(unsigned first, unsigned last)
{
    Blocks b = { .mem.note = list_block, .base = 8 * BLOCK_BYTES };
    VeuExtent extent = { .listed = (uintptr_t)b.listed - b.base / BLOCK_BYTES };
    uint64_t from = (first + 1) * BLOCK_BYTES - 1;

    b.listed[BLOCKS - 1] = 1;
    veu_mem_list_blocks(&b.mem, &extent, (uint8_t *)b.base + from,
                        last * BLOCK_BYTES - from + 1);
    for (unsigned i = 0; i < BLOCKS - 1; i++) {
        g_assert_cmpuint(b.listed[i], ==, i >= first && i <= last);
    }
}

/* A block that is not listed would not be looked at in a migration. */
static void test_each_block_of_a_range_is_listed(void)
{
    for (unsigned first = 0; first < BLOCKS; first++) {
        for (unsigned last = first + 1; last < BLOCKS; last++) {
            check_listed(first, last);
        }
    }
}

/* Memory without extents is mapped for each access. */
static void test_pages_that_are_mapped_count_for_a_flush(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    VeuMem *mem = &eu->memory.mem;
    VeuSpan s;

    mem->open = NULL;
    g_assert_true(span(eu, EU_RAM, 4, VEU_ACCESS_READ, &s));
    g_assert_cmpuint(mem->writes, ==, 0);
    for (unsigned n = 0; n < 3; n++) {
        g_assert_true(span(eu, EU_RAM, 4, VEU_ACCESS_WRITE, &s));
        g_assert_cmpuint(mem->writes, ==, n + 1);
    }
}

/* piece_bytes[0] is the number of accessible bytes. */
static void test_a_span_that_is_not_accessible(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    const uint64_t end = EU_RAM + EU_RAM_BYTES;
    VeuSpan s;

    g_assert_false(span(eu, end - 6, 8, VEU_ACCESS_READ, &s));
    g_assert_cmpuint(s.piece_bytes[0], ==, 6);
    g_assert_false(span(eu, end, 8, VEU_ACCESS_READ, &s));
    g_assert_cmpuint(s.piece_bytes[0], ==, 0);
    g_assert_false(span(eu, EU_RAM - 2, 8, VEU_ACCESS_READ, &s));
    g_assert_cmpuint(s.piece_bytes[0], ==, 0);
    g_assert_false(span(eu, EU_ROM, 8, VEU_ACCESS_WRITE, &s));
    g_assert_cmpuint(s.piece_bytes[0], ==, 0);
    g_assert_true(span(eu, EU_ROM, 8, VEU_ACCESS_READ, &s));
}

static void test_long_copies(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    const uint32_t bytes = EU_RAM_BYTES - 100;
    g_autofree uint8_t *data = g_malloc(bytes);
    g_autofree uint8_t *back = g_malloc(bytes);
    uint64_t failed = 0;

    for (uint32_t i = 0; i < bytes; i++) {
        data[i] = i % 251;
    }
    g_assert_true(
        veu_mem_write(&eu->memory.mem, EU_RAM + 50, data, bytes, &failed));
    g_assert_true(
        veu_mem_read(&eu->memory.mem, EU_RAM + 50, back, bytes, &failed));
    g_assert_true(!memcmp(data, back, bytes));
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 49), ==, 0);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 50 + bytes), ==, 0);
}

/* Whether one extent has all of the pages, or each page has its own. */
static void test_pages_of_long_copies_become_dirty(void)
{
    static const uint8_t data[2 * TEST_PAGE_BYTES];
    g_autofree TestMemory *m = g_new(TestMemory, 1);

    for (unsigned joined = 0; joined < 2; joined++) {
        uint64_t failed;

        test_memory_init(m);
        m->joined = joined;
        test_memory_add(m, EU_RAM, 5 * TEST_PAGE_BYTES, true);
        g_assert_true(veu_mem_write(&m->mem, EU_RAM + TEST_PAGE_BYTES + 8, data,
                                    sizeof(data), &failed));
        for (unsigned i = 0; i < 5; i++) {
            g_assert_cmpint(test_memory_is_noted(m, i), ==, i >= 1 && i < 4);
        }
        test_memory_free(m);
    }
}

/* The fault names the first inaccessible address. */
static void test_long_copies_that_fail(void)
{
    g_autoptr(EuFixture) eu = eu_new();
    const uint64_t end = EU_RAM + EU_RAM_BYTES;
    uint8_t data[8192] = { 0 };
    uint64_t failed = 0;

    g_assert_false(
        veu_mem_read(&eu->memory.mem, end - 5000, data, 8192, &failed));
    g_assert_cmphex(failed, ==, end);
    g_assert_false(
        veu_mem_write(&eu->memory.mem, EU_ROM + 9, data, 4, &failed));
    g_assert_cmphex(failed, ==, EU_ROM + 9);
    g_assert_true(veu_mem_read(&eu->memory.mem, end, data, 0, &failed));
}

#define MAX_SEEN 64

typedef struct Seen {
    VeuObserver observer; /* first */
    unsigned count;
    VeuLaneAccess access[MAX_SEEN];
    VeuLanePlace place[MAX_SEEN];
    bool has_span[MAX_SEEN];
} Seen;

static uint16_t see(VeuObserver *observer, const VeuLaneAccess *access,
                    VeuLanePlace place, VeuSpan *at)
{
    Seen *seen = (Seen *)observer;

    g_assert_cmpuint(seen->count, <, MAX_SEEN);
    seen->access[seen->count] = *access;
    seen->place[seen->count] = place;
    seen->has_span[seen->count++] = at != NULL;
    return VEU_FAULT_NONE;
}

static void assert_seen(const Seen *s, unsigned n, unsigned lane,
                        VeuLanePlace place, uint64_t address)
{
    g_assert_cmpuint(s->count, >, n);
    g_assert_cmpuint(s->access[n].lane, ==, lane);
    g_assert_cmpint(s->place[n], ==, place);
    g_assert_cmpint(s->has_span[n], ==,
                    place == VEU_LANE_MEMORY || place == VEU_LANE_SLM);
    if (address) {
        g_assert_cmphex(s->access[n].address, ==, address);
    }
}

/* The observer sees each lane that runs once, in order, and no other lane. */
static void test_the_observer_sees_each_lane_that_runs(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    Seen seen = { .observer = { .lane = see } };
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    eu->thread.observer = &seen.observer;
    eu->thread.exec_mask = 0x1d;
    eu->thread.stateless_base = EU_RAM;
    eu->thread.stateless_bytes = EU_RAM_BYTES + 4;
    m.surface = 5;
    eu_set32(eu, EU_OFFSETS_AT, 0, 8);
    eu_set32(eu, EU_OFFSETS_AT, 2, EU_RAM_BYTES + 4); /* outside */
    eu_set32(eu, EU_OFFSETS_AT, 3, EU_RAM_BYTES);     /* a hole */
    eu_set32(eu, EU_OFFSETS_AT, 4, 4094);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmpuint(seen.count, ==, 4);
    assert_seen(&seen, 0, 0, VEU_LANE_MEMORY, EU_RAM + 8);
    assert_seen(&seen, 1, 2, VEU_LANE_OUTSIDE, 0);
    assert_seen(&seen, 2, 3, VEU_LANE_FAULT, EU_RAM + EU_RAM_BYTES);
    assert_seen(&seen, 3, 4, VEU_LANE_MEMORY, EU_RAM + 4094);
    g_assert_cmpuint(seen.access[0].bytes, ==, 4);
    g_assert_cmpint(seen.access[0].access, ==, VEU_ACCESS_WRITE);
}

/* "in shared local memory: the offset", also through a window. */
static void test_the_observer_sees_offsets_in_slm(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    Seen seen = { .observer = { .lane = see } };
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    eu->thread.observer = &seen.observer;
    m.exec = TEST_LANES_1;
    eu_set32(eu, EU_OFFSETS_AT, 0, 12);
    m.surface = 0;
    g_assert_true(eu_run(eu, &m));
    m.surface = eu_surface(eu,
                           &(struct veu_surface){ .base = 256,
                                                  .format = VEU_FORMAT_RAW,
                                                  .type = VEU_SURFACE_BUFFER,
                                                  .width = 64,
                                                  .flags = VEU_SURFACE_SLM });
    g_assert_true(eu_run(eu, &m));
    assert_seen(&seen, 0, 0, VEU_LANE_SLM, 12);
    assert_seen(&seen, 1, 0, VEU_LANE_SLM, 268);
    g_assert_cmpuint(seen.count, ==, 2);
}

/* Texels and SVM blocks are observed in the same way. */
static void test_the_observer_sees_all_messages(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    Seen seen = { .observer = { .lane = see } };
    TestMessage typed = eu_message(TEST_SCATTER4_TYPED);
    TestMessage svm = eu_message(TEST_SVM_GATHER);

    eu->thread.observer = &seen.observer;
    eu->thread.exec_mask = 3;
    typed.surface = eu_surface(eu, &(struct veu_surface){
                                       .base = EU_RAM,
                                       .format = VEU_FORMAT_R8G8B8A8_UINT,
                                       .type = VEU_SURFACE_1D,
                                       .width = 8,
                                       .levels = 1 });
    eu_set32(eu, EU_OFFSETS_AT, 0, 3);
    eu_set32(eu, EU_OFFSETS_AT, 1, 8);
    g_assert_true(eu_run(eu, &typed));
    eu_set64(eu, EU_ADDRESSES_AT, 0, EU_RAM + 64);
    eu_set64(eu, EU_ADDRESSES_AT, 1, EU_RAM + 65);
    g_assert_false(eu_run(eu, &svm));
    assert_seen(&seen, 0, 0, VEU_LANE_MEMORY, EU_RAM + 12);
    assert_seen(&seen, 1, 1, VEU_LANE_OUTSIDE, 0);
    assert_seen(&seen, 2, 0, VEU_LANE_MEMORY, EU_RAM + 64);
    assert_seen(&seen, 3, 1, VEU_LANE_FAULT, EU_RAM + 65);
    g_assert_cmpuint(seen.count, ==, 4);
}

/* A block outside of its surface is observed once, as a whole. */
static void test_the_observer_sees_a_block_outside(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    Seen seen = { .observer = { .lane = see } };
    TestMessage m = eu_message(TEST_MEDIA_LD);

    eu->thread.observer = &seen.observer;
    m.surface = eu_surface(eu, &(struct veu_surface){
                                   .base = EU_RAM,
                                   .format = VEU_FORMAT_R8G8B8A8_UINT,
                                   .type = VEU_SURFACE_2D,
                                   .width = 8,
                                   .height = 8,
                                   .levels = 1,
                                   .pitch = 32 });
    m.height = 3;
    m.offset = test_immediate(32);
    g_assert_true(eu_run(eu, &m));
    assert_seen(&seen, 0, 0, VEU_LANE_OUTSIDE, 32);
    g_assert_cmpuint(seen.count, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/gate/" #name, test_##name)
    RULE(spans_are_loaded_whole);
    RULE(parts_of_spans_are_stored);
    RULE(equal_is_what_has_no_other_bit);
    RULE(each_block_of_a_range_is_listed);
    RULE(pages_that_are_mapped_count_for_a_flush);
    RULE(a_span_that_is_not_accessible);
    RULE(long_copies);
    RULE(pages_of_long_copies_become_dirty);
    RULE(long_copies_that_fail);
    RULE(the_observer_sees_each_lane_that_runs);
    RULE(the_observer_sees_offsets_in_slm);
    RULE(the_observer_sees_all_messages);
    RULE(the_observer_sees_a_block_outside);
#undef RULE
    return g_test_run();
}
