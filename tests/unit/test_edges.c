/*
 * veu unit tests: the edges of memory: the last elements of an extent, and
 * elements in two pages of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fast paths read and write more than one lane at once. The host's memory is
 * surrounded by pages that cannot be accessed, so that a path that goes past
 * the end stops the test, without a sanitizer.
 */
#include <string.h>
#include <sys/mman.h>
#include "tests/lib/eu_fixture.h"

#define PAGE  TEST_PAGE_BYTES
#define AT    UINT64_C(0x1000000)
#define PAGES 130 /* in at least three blocks */
#define BYTES (PAGES * PAGE)

typedef struct Edges {
    VeuMem mem; /* the first member, from which callbacks find the rest */
    EuFixture *eu;
    uint8_t *arena;
    uint8_t *host;
    uint8_t noted[PAGES];
    uint8_t listed[BYTES / (1 << VEU_NOTE_BITS) + 2];
    uint8_t pattern[BYTES];
    uint8_t expected[BYTES];
} Edges;

static bool open_extent(VeuMem *mem, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    Edges *e = (Edges *)mem;

    *extent = (VeuExtent){
        .iova = AT,
        .bytes = BYTES,
        .host = e->host,
        .noted = (uintptr_t)e->noted - ((uintptr_t)e->host >> VEU_PAGE_BITS),
        .listed = (uintptr_t)e->listed - ((uintptr_t)e->host >> VEU_NOTE_BITS),
    };
    return iova - AT < BYTES;
}

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    Edges *e = (Edges *)mem;
    uint64_t at = iova - AT;

    if (at >= BYTES) {
        return NULL;
    }
    *bytes = MIN(*bytes, PAGE - at % PAGE);
    e->noted[at / PAGE] |= access == VEU_ACCESS_WRITE;
    return e->host + at;
}

static void note(VeuMem *mem, uint8_t *host)
{
    Edges *e = (Edges *)mem;

    e->listed[((uintptr_t)host >> VEU_NOTE_BITS) -
              ((uintptr_t)e->host >> VEU_NOTE_BITS)] = 1;
}

static Edges *edges_new(void)
{
    Edges *e = g_new0(Edges, 1);

    e->arena = mmap(NULL, BYTES + 2 * PAGE, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_assert_true(e->arena != MAP_FAILED);
    e->host = e->arena + PAGE;
    g_assert_cmpint(mprotect(e->host, BYTES, PROT_READ | PROT_WRITE), ==, 0);
    e->mem.map = map;
    e->mem.open = open_extent;
    e->mem.note = note;
    e->eu = eu_standard();
    e->eu->thread.mem = &e->mem;
    for (unsigned i = 0; i < BYTES; i++) {
        e->pattern[i] = i * 7 + i / 256;
    }
    return e;
}

static void edges_free(Edges *e)
{
    munmap(e->arena, BYTES + 2 * PAGE);
    eu_free(e->eu);
    g_free(e);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Edges, edges_free)

/* What a message's lanes access. */
typedef struct Kind {
    TestKind kind;
    uint8_t code; /* of the size */
    uint8_t bytes;
    uint8_t unit; /* of an index; 0: addresses */
    uint8_t most_lanes;
    bool stores;
} Kind;

static const Kind kinds[] = {
    { TEST_GATHER, 0, 1, 1, TEST_LANES_16, false },
    { TEST_GATHER, 1, 2, 2, TEST_LANES_16, false },
    { TEST_GATHER, 2, 4, 4, TEST_LANES_16, false },
    { TEST_SCATTER, 0, 1, 1, TEST_LANES_16, true },
    { TEST_SCATTER, 1, 2, 2, TEST_LANES_16, true },
    { TEST_SCATTER, 2, 4, 4, TEST_LANES_16, true },
    { TEST_GATHER_SCALED, 0, 1, 1, TEST_LANES_32, false },
    { TEST_GATHER_SCALED, 1, 2, 1, TEST_LANES_32, false },
    { TEST_GATHER_SCALED, 2, 4, 1, TEST_LANES_32, false },
    { TEST_SCATTER_SCALED, 0, 1, 1, TEST_LANES_32, true },
    { TEST_SCATTER_SCALED, 1, 2, 1, TEST_LANES_32, true },
    { TEST_SCATTER_SCALED, 2, 4, 1, TEST_LANES_32, true },
    { TEST_QW_GATHER, 0, 8, 1, TEST_LANES_16, false },
    { TEST_QW_SCATTER, 0, 8, 1, TEST_LANES_16, true },
    { TEST_SVM_GATHER, 0, 1, 0, TEST_LANES_16, false },
    { TEST_SVM_GATHER, 1, 4, 0, TEST_LANES_16, false },
    { TEST_SVM_GATHER, 2, 8, 0, TEST_LANES_16, false },
    { TEST_SVM_SCATTER, 0, 1, 0, TEST_LANES_16, true },
    { TEST_SVM_SCATTER, 1, 4, 0, TEST_LANES_16, true },
    { TEST_SVM_SCATTER, 2, 8, 0, TEST_LANES_16, true },
};

static TestMessage message_of(const Kind *k, unsigned lanes_code)
{
    TestMessage m = eu_message(k->kind);

    m.exec = lanes_code;
    m.num_elts = lanes_code == TEST_LANES_16;
    m.elt_size = k->code;
    m.block_size = k->unit ? 0 : k->code;
    m.num_blocks = k->unit ? k->code : 0;
    return m;
}

/* Lane @lane accesses the memory @at bytes after its beginning. */
static void set_place(Edges *e, const Kind *k, unsigned lane, uint64_t base,
                      uint64_t at)
{
    if (k->unit) {
        eu_set32(e->eu, EU_OFFSETS_AT, lane, (at - base) / k->unit);
    } else {
        eu_set64(e->eu, EU_ADDRESSES_AT, lane, AT + at);
    }
}

static uint8_t *lane_data(Edges *e, const Kind *k, unsigned lane)
{
    return e->eu->registers + EU_DATA_AT + lane * (k->bytes < 4 ? 4 : k->bytes);
}

/* Memory and registers have different bytes everywhere. */
static void begin(Edges *e)
{
    veu_mem_forget(&e->mem);
    memset(e->noted, 0, sizeof(e->noted));
    memset(e->listed, 0, sizeof(e->listed));
    memcpy(e->host, e->pattern, BYTES);
    memcpy(e->expected, e->pattern, BYTES);
    for (unsigned i = 0; i < 1024; i++) {
        e->eu->registers[EU_DATA_AT + i] = 0x80 + i * 3;
    }
}

/* Lane n accesses @at[n]. */
static void run(Edges *e, const Kind *k, const TestMessage *m, uint64_t base,
                const uint64_t *at)
{
    unsigned lanes = 1u << m->exec;

    for (unsigned n = 0; n < lanes; n++) {
        set_place(e, k, n, base, at[n]);
        if (k->stores) {
            memcpy(e->expected + at[n], lane_data(e, k, n), k->bytes);
        }
    }
    g_assert_true(eu_run(e->eu, m));
    for (unsigned n = 0; n < lanes && !k->stores; n++) {
        g_assert_cmpmem(lane_data(e, k, n), k->bytes, e->expected + at[n],
                        k->bytes);
    }
    g_assert_true(!memcmp(e->host, e->expected, BYTES));
    g_assert_cmpuint(e->eu->thread.moved_bytes, ==, lanes * k->bytes);
}

/* Only pages @first and @second are dirty, if @stores. */
static void assert_dirty(const Edges *e, bool stores, unsigned first,
                         unsigned second)
{
    for (unsigned i = 0; i < PAGES; i++) {
        bool dirty = stores && (i == first || i == second);
        uintptr_t block = ((uintptr_t)(e->host + i * PAGE) >> VEU_NOTE_BITS) -
                          ((uintptr_t)e->host >> VEU_NOTE_BITS);

        g_assert_cmpuint(e->noted[i], ==, dirty);
        g_assert_true(e->listed[block] || !dirty);
    }
}

/*
 * The buffer ends @spare bytes before the memory. The second time, its extent
 * is known, and the last page is dirty.
 */
static void check_the_end(Edges *e, const Kind *k, unsigned lanes_code,
                          unsigned spare)
{
    uint64_t base = k->unit ? BYTES - PAGE + 512 - spare : 0;
    TestMessage m = message_of(k, lanes_code);
    uint64_t at[VEU_MAX_LANES];

    e->eu->surfaces->count = 1;
    m.surface = eu_buffer(e->eu, AT + base, BYTES - spare - base);
    begin(e);
    for (unsigned times = 0; times < 3; times++) {
        for (unsigned n = 0; n < 1u << lanes_code; n++) {
            at[n] = BYTES - spare - k->bytes * (1 + (n + times) % 4);
        }
        run(e, k, &m, base, at);
        assert_dirty(e, k->stores, PAGES - 1, PAGES - 1);
    }
}

static void test_the_last_elements(void)
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        for (unsigned n = TEST_LANES_8; n <= kinds[i].most_lanes; n++) {
            for (unsigned spare = 0; spare < (kinds[i].unit ? 4 : 1); spare++) {
                check_the_end(e, &kinds[i], n, spare);
            }
        }
    }
}

/*
 * An element begins in the first page and ends in the second. Buffers may
 * begin anywhere, so that their elements may lie so as well.
 */
static void check_two_pages(Edges *e, const Kind *k, unsigned lanes_code)
{
    const uint64_t base = 3;
    TestMessage m = message_of(k, lanes_code);
    uint64_t at[VEU_MAX_LANES];

    e->eu->surfaces->count = 1;
    m.surface = eu_buffer(e->eu, AT + base, BYTES - base);
    for (unsigned odd = 0; odd < 1u << lanes_code; odd++) {
        begin(e);
        for (unsigned n = 0; n < 1u << lanes_code; n++) {
            at[n] = n == odd ? PAGE - 1 : base + 64 + n * 8;
        }
        run(e, k, &m, base, at);
        assert_dirty(e, k->stores, 0, 1);
    }
}

static void test_elements_in_two_pages(void)
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const Kind *k = &kinds[i];

        for (unsigned n = TEST_LANES_8; n <= k->most_lanes; n++) {
            if (k->unit && k->bytes > 1) {
                check_two_pages(e, k, n);
            }
        }
    }
}

/*
 * Lanes store to one page until it is known to be dirty. Then some of them
 * store to a page of another block, too.
 */
static void check_far_pages(Edges *e, const Kind *k, unsigned lanes_code)
{
    TestMessage m = message_of(k, lanes_code);
    uint64_t at[VEU_MAX_LANES];

    e->eu->surfaces->count = 1;
    m.surface = eu_buffer(e->eu, AT, BYTES);
    begin(e);
    for (unsigned times = 0; times < 40; times++) {
        for (unsigned n = 0; n < 1u << lanes_code; n++) {
            at[n] = 64 + n * 8;
        }
        run(e, k, &m, 0, at);
        assert_dirty(e, true, 0, 0);
    }
    at[5] = BYTES - 64;
    run(e, k, &m, 0, at);
    assert_dirty(e, true, 0, PAGES - 1);
}

static void test_pages_that_are_far_apart(void)
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        for (unsigned n = TEST_LANES_8; n <= kinds[i].most_lanes; n++) {
            if (kinds[i].stores) {
                check_far_pages(e, &kinds[i], n);
            }
        }
    }
}

/* ---- several pieces in each lane ---- */

static TestMessage pieces_of(TestKind kind, unsigned lanes_code)
{
    TestMessage m = eu_message(kind);

    m.exec = lanes_code;
    m.num_blocks = 2; /* 4 of 4 bytes */
    return m;
}

/* One lane is at @odd_at, and the others far from it. */
static uint64_t piece_place(unsigned lane, unsigned odd, uint64_t odd_at)
{
    return lane == odd ? odd_at : lane * 16;
}

static bool run_pieces(Edges *e, const TestMessage *m, unsigned odd,
                       uint64_t odd_at)
{
    for (unsigned n = 0; n < 1u << m->exec; n++) {
        eu_set64(e->eu, EU_ADDRESSES_AT, n, AT + piece_place(n, odd, odd_at));
    }
    return eu_run(e->eu, m);
}

/* After a load or a store, registers and memory have the same pieces. */
static void assert_pieces(const Edges *e, const TestMessage *m, unsigned odd,
                          uint64_t odd_at)
{
    unsigned lanes = 1u << m->exec;

    for (unsigned i = 0; i < 4 * lanes; i++) {
        g_assert_cmpmem(e->eu->registers + EU_DATA_AT + i * 4, 4,
                        e->host + piece_place(i % lanes, odd, odd_at) +
                            i / lanes * 4,
                        4);
    }
}

static const TestKind piece_kinds[] = {
    TEST_SVM_GATHER,
    TEST_SVM_SCATTER,
    TEST_SVM_GATHER4_SCALED,
    TEST_SVM_SCATTER4_SCALED,
};

/* Calls @check for each message of pieces and each lane that may be odd. */
static void for_each_odd_lane(void (*check)(const TestMessage *m, unsigned odd,
                                            Edges *e))
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(piece_kinds); i++) {
        for (unsigned code = TEST_LANES_8; code <= TEST_LANES_16; code++) {
            TestMessage m = pieces_of(piece_kinds[i], code);

            for (unsigned odd = 0; odd < 1u << code; odd++) {
                check(&m, odd, e);
            }
        }
    }
}

/* The first piece is in the memory, but the last is not. */
static void check_pieces_at_the_end(const TestMessage *m, unsigned odd,
                                    Edges *e)
{
    begin(e);
    g_assert_true(run_pieces(e, m, odd, BYTES - 16));
    assert_pieces(e, m, odd, BYTES - 16);
    for (unsigned inside = 4; inside < 16; inside += 4) {
        g_assert_false(run_pieces(e, m, odd, BYTES - inside));
        eu_assert_faulted(e->eu, VEU_FAULT_ADDRESS, odd, inside / 4,
                          AT + BYTES);
    }
}

static void test_pieces_at_the_end(void)
{
    for_each_odd_lane(check_pieces_at_the_end);
}

static void check_pieces_in_two_pages(const TestMessage *m, unsigned odd,
                                      Edges *e)
{
    bool stores = m->kind == TEST_SVM_SCATTER ||
                  m->kind == TEST_SVM_SCATTER4_SCALED;

    for (unsigned inside = 4; inside < 16; inside += 4) {
        begin(e);
        g_assert_true(run_pieces(e, m, odd, PAGE - inside));
        assert_pieces(e, m, odd, PAGE - inside);
        assert_dirty(e, stores, 0, 1);
    }
}

static void test_pieces_in_two_pages(void)
{
    for_each_odd_lane(check_pieces_in_two_pages);
}

/* ---- buffers of several dwords, atomics ---- */

/* Lane n of a message that counts bytes is at @at[n]. */
static bool run_offsets(Edges *e, const TestMessage *m, const uint32_t *at)
{
    for (unsigned n = 0; n < 1u << m->exec; n++) {
        eu_set32(e->eu, EU_OFFSETS_AT, n, at[n]);
        eu_set64(e->eu, EU_ADDRESSES_AT, n, AT + at[n]);
    }
    return eu_run(e->eu, m);
}

/* Registers and memory have the same four dwords for each lane. */
static void assert_dwords(const Edges *e, unsigned lanes, const uint32_t *at)
{
    for (unsigned i = 0; i < 4 * lanes; i++) {
        g_assert_cmpmem(e->eu->registers + EU_DATA_AT + i * 4, 4,
                        e->host + at[i % lanes] + i / lanes * 4, 4);
    }
}

/* Some of a lane's dwords are in the first page, the others in the second. */
static void check_dwords_in_two_pages(Edges *e, unsigned lanes, unsigned odd)
{
    TestMessage m = eu_message(TEST_SCATTER4_SCALED);
    uint32_t at[VEU_MAX_LANES];

    m.exec = __builtin_ctz(lanes);
    e->eu->surfaces->count = 1;
    m.surface = eu_buffer(e->eu, AT, BYTES);
    begin(e);
    for (unsigned n = 0; n < lanes; n++) {
        at[n] = n == odd ? PAGE - 4 : 16 + n * 24;
    }
    g_assert_true(run_offsets(e, &m, at));
    assert_dwords(e, lanes, at);
    assert_dirty(e, true, 0, 1);
}

static void test_dwords_in_two_pages(void)
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned lanes = 8; lanes <= 16; lanes *= 2) {
        for (unsigned odd = 0; odd < lanes; odd++) {
            check_dwords_in_two_pages(e, lanes, odd);
        }
    }
}

/* Not all are aligned to 16 bytes, which a load of all channels may take. */
static void test_dwords_at_multiples_of_8(void)
{
    g_autoptr(Edges) e = edges_new();
    uint32_t at[VEU_MAX_LANES];

    for (unsigned lanes = 8; lanes <= 16; lanes *= 2) {
        TestMessage m = eu_message(TEST_GATHER4_SCALED);

        m.exec = __builtin_ctz(lanes);
        e->eu->surfaces->count = 1;
        m.surface = eu_buffer(e->eu, AT, BYTES);
        begin(e);
        for (unsigned n = 0; n < lanes; n++) {
            at[n] = 8 + n * 16;
        }
        g_assert_true(run_offsets(e, &m, at));
        assert_dwords(e, lanes, at);
    }
}

/* From the first page to the last, or the other way round. */
static void check_far_atomics(Edges *e, TestKind kind, unsigned lanes_code,
                              unsigned odd, bool back)
{
    const unsigned page = back ? PAGES - 1 : 0;
    TestMessage m = eu_message(kind);
    uint32_t at[VEU_MAX_LANES];

    m.exec = lanes_code;
    m.op = TEST_INC;
    m.src0.id = 0;
    e->eu->surfaces->count = 1;
    m.surface = eu_buffer(e->eu, AT, BYTES);
    begin(e);
    for (unsigned n = 0; n < 16; n++) {
        at[n] = page * PAGE + 64 + n * 8;
    }
    for (unsigned times = 0; times < 40; times++) {
        g_assert_true(run_offsets(e, &m, at));
        assert_dirty(e, true, page, page);
    }
    at[odd] = back ? 64 : BYTES - 64;
    g_assert_true(run_offsets(e, &m, at));
    assert_dirty(e, true, 0, PAGES - 1);
}

static void test_atomics_that_are_far_apart(void)
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < 32; i++) {
        check_far_atomics(e, TEST_DWORD_ATOMIC, TEST_LANES_16, i / 2, i % 2);
    }
    for (unsigned i = 0; i < 16; i++) {
        check_far_atomics(e, TEST_DWORD_ATOMIC, TEST_LANES_8, i / 2, i % 2);
        check_far_atomics(e, TEST_SVM_ATOMIC, TEST_LANES_8, i / 2, i % 2);
    }
}

/* ---- texels ---- */

/* Lane n stores texel @first + n of @bytes, and nothing after it. */
static void check_texels(Edges *e, uint16_t format, unsigned bytes,
                         uint64_t base, unsigned lanes, unsigned channels)
{
    unsigned first = (BYTES - base) / bytes - lanes;
    struct veu_surface s = { .base = AT + base,
                             .format = format,
                             .type = VEU_SURFACE_BUFFER,
                             .width = (BYTES - base) / bytes };
    TestMessage m = eu_message(TEST_SCATTER4_TYPED);

    m.exec = __builtin_ctz(lanes);
    m.channels = channels;
    e->eu->surfaces->count = 1;
    m.surface = eu_surface(e->eu, &s);
    for (unsigned from = 0; from < 2; from++) {
        uint64_t low = base + (from ? first : 1) * (uint64_t)bytes;

        begin(e);
        for (unsigned n = 0; n < lanes; n++) {
            eu_set32(e->eu, EU_OFFSETS_AT, n, (from ? first : 1) + n);
        }
        g_assert_true(eu_run(e->eu, &m));
        assert_dirty(e, true, low / PAGE, (low + lanes * bytes - 1) / PAGE);
        g_assert_true(!memcmp(e->host, e->pattern, low));
        low += lanes * bytes;
        g_assert_true(!memcmp(e->host + low, e->pattern + low, BYTES - low));
    }
}

static void test_texels_are_stored_alone(void)
{
    static const struct {
        uint16_t format;
        unsigned bytes;
        unsigned channels;
    } formats[] = {
        { VEU_FORMAT_R8_UINT, 1, 1 },
        { VEU_FORMAT_R16_UINT, 2, 1 },
        { VEU_FORMAT_B5G6R5_UNORM, 2, 2 }, /* not whole bytes */
        { VEU_FORMAT_R32_UINT, 4, 1 },
        { VEU_FORMAT_R32G32_UINT, 8, 3 },
        { VEU_FORMAT_R32G32B32A32_UINT, 16, 15 },
    };
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(formats); i++) {
        unsigned bytes = formats[i / 2].bytes, lanes = 8 << i % 2;

        /* from the middle of a page, and to the next page */
        check_texels(e, formats[i / 2].format, bytes, 16, lanes,
                     formats[i / 2].channels);
        check_texels(e, formats[i / 2].format, bytes, PAGE - bytes * 4, lanes,
                     formats[i / 2].channels);
    }
}

/* ---- surfaces ---- */

/* A message that follows names a buffer that ends with the memory. */
static void check_following(Edges *e, const Kind *k)
{
    TestMessage m = message_of(k, TEST_LANES_16);
    uint64_t base = BYTES - 16 * k->bytes;
    VeuMessage both[2];

    e->eu->surfaces->count = 1;
    for (unsigned n = 0; n < 2; n++) {
        m.surface = eu_buffer(e->eu, AT + n * base, n ? 16 * k->bytes : PAGE);
        g_assert_true(eu_decode(e->eu, &m));
        both[n] = e->eu->message;
    }
    begin(e);
    for (unsigned n = 0; n < 16; n++) {
        eu_set32(e->eu, EU_OFFSETS_AT, n, n * k->bytes / k->unit);
    }
    both[1].follows = VEU_FOLLOWS;
    e->eu->thread.end = both + 2;
    g_assert_true(veu_execute(&e->eu->thread, &both[0]));
    g_assert_true(e->eu->thread.more || veu_execute(&e->eu->thread, &both[1]));
    e->eu->thread.end = NULL;
    assert_dirty(e, k->stores, 0, PAGES - 1);
    for (unsigned n = 0; n < 16; n++) {
        g_assert_cmpmem(lane_data(e, k, n), k->bytes,
                        e->host + base + n * k->bytes, k->bytes);
    }
}

static void test_another_buffer_follows(void)
{
    g_autoptr(Edges) e = edges_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i].unit) {
            check_following(e, &kinds[i]);
        }
    }
}

/* In one extent with a buffer that was used before. */
static void test_surfaces_that_are_no_buffers(void)
{
    g_autoptr(Edges) e = edges_new();
    struct veu_surface s = { .base = AT,
                             .format = VEU_FORMAT_R32_UINT,
                             .type = VEU_SURFACE_2D,
                             .width = 16,
                             .height = 16,
                             .levels = 1,
                             .pitch = 64 };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        TestMessage m = message_of(&kinds[i], TEST_LANES_8);

        if (!kinds[i].unit) {
            continue;
        }
        begin(e);
        e->eu->surfaces->count = 1;
        m.surface = eu_buffer(e->eu, AT, BYTES);
        memset(e->eu->registers + EU_OFFSETS_AT, 0, 32);
        g_assert_true(eu_run(e->eu, &m));
        m.surface = eu_surface(e->eu, &s);
        g_assert_false(eu_run(e->eu, &m));
        g_assert_cmpuint(e->eu->fault.code, ==, VEU_FAULT_SURFACE_KIND);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/edges/" #name, test_##name)
    RULE(the_last_elements);
    RULE(elements_in_two_pages);
    RULE(pages_that_are_far_apart);
    RULE(pieces_at_the_end);
    RULE(pieces_in_two_pages);
    RULE(dwords_in_two_pages);
    RULE(dwords_at_multiples_of_8);
    RULE(atomics_that_are_far_apart);
    RULE(texels_are_stored_alone);
    RULE(another_buffer_follows);
    RULE(surfaces_that_are_no_buffers);
#undef RULE
    return g_test_run();
}
