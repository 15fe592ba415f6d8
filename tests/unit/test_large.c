/*
 * veu unit tests: one extent of more than 4 GiB.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Offsets of 32 bits are added to pointers by instructions that take them as
 * signed. Lanes therefore access places where that makes a difference: around 2
 * and 4 GiB from the beginning of a buffer, around its end, and around the end
 * of the extent. Only these places have memory: any other access hits no page.
 */
#include <string.h>
#include <sys/mman.h>
#include "hw/veu/eu/memory/extent.h"
#include "tests/lib/eu_fixture.h"

#define GIB        (UINT64_C(1) << 30)
#define LARGE      (8 * GIB) /* where it is */
#define BYTES      (5 * GIB)
#define GUARD      (5 * GIB) /* before and after the extent, on the host */
#define PAGES      (BYTES / TEST_PAGE_BYTES)
#define SPOT_BYTES 32768
#define ROUNDS     60

static const uint64_t spots[] = { 0, 2 * GIB - SPOT_BYTES / 2,
                                  4 * GIB - SPOT_BYTES / 2,
                                  BYTES - SPOT_BYTES };

/* Whether a message reads or writes. */
typedef enum Way {
    LOAD,
    STORE,
    ADD, /* both: an atomic */
} Way;

typedef struct Large {
    VeuMem mem; /* the first member, from which callbacks find the rest */
    EuFixture *eu;
    uint8_t *arena;
    uint8_t *host;
    unsigned first; /* where the extent begins in a page of the host */
    uint8_t noted[PAGES + 1];
    uint8_t listed[(BYTES >> VEU_NOTE_BITS) + 2];
    VeuExtent extent;
    bool all_noted; /* the pages are dirty before the message */
    Way way;
    /* The expected state afterwards. */
    uint8_t registers[EU_REGISTER_BYTES];
    uint8_t memory[G_N_ELEMENTS(spots)][SPOT_BYTES];
    uint8_t written[PAGES + 1]; /* expected marks, unless all_noted */
} Large;

static bool open_extent(VeuMem *mem, uint64_t iova, enum veu_access access,
                        VeuExtent *extent)
{
    *extent = ((Large *)mem)->extent;
    return iova - LARGE < BYTES;
}

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    g_assert_not_reached(); /* open_extent() returns all of memory */
}

static void note(VeuMem *mem, uint8_t *host)
{
    Large *l = (Large *)mem;

    g_assert_true(host >= l->host && host < l->host + BYTES);
    l->listed[((uintptr_t)host >> VEU_NOTE_BITS) -
              ((uintptr_t)l->host >> VEU_NOTE_BITS)] = 1;
}

/* Returns NULL if the machine does not grant this much address space. */
static Large *large_new(void)
{
    void *arena = mmap(NULL, GUARD + BYTES + GUARD, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Large *l;

    if (arena == MAP_FAILED) {
        g_test_skip("no address space");
        return NULL;
    }
    l = g_new0(Large, 1);
    l->arena = arena;
    l->first = g_test_rand_bit() * 512;
    l->host = l->arena + GUARD + l->first;
    for (unsigned i = 0; i < G_N_ELEMENTS(spots); i++) {
        g_assert_cmpint(mprotect(l->arena + GUARD + spots[i],
                                 SPOT_BYTES + (l->first ? TEST_PAGE_BYTES : 0),
                                 PROT_READ | PROT_WRITE),
                        ==, 0);
    }
    l->mem.map = map;
    l->mem.open = open_extent;
    l->mem.note = note;
    l->extent = (VeuExtent){
        .iova = LARGE,
        .bytes = BYTES,
        .host = l->host,
        .noted = (uintptr_t)l->noted - ((uintptr_t)l->host >> VEU_PAGE_BITS),
        .listed = (uintptr_t)l->listed - ((uintptr_t)l->host >> VEU_NOTE_BITS),
    };
    l->eu = eu_standard();
    l->eu->thread.mem = &l->mem;
    return l;
}

static void large_free(Large *l)
{
    munmap(l->arena, GUARD + BYTES + GUARD);
    eu_free(l->eu);
    g_free(l);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Large, large_free)

/* --- The task of a message ------------------------------------------------ */

/* Most pages that messages access are dirty before. */
static void mark_most(Large *l)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(spots); i++) {
        for (uint64_t at = 0; at < SPOT_BYTES; at += TEST_PAGE_BYTES) {
            uint64_t page = (l->first + spots[i] + at) / TEST_PAGE_BYTES;

            l->noted[page] = l->written[page] = g_test_rand_int_range(0, 8) > 0;
            note(&l->mem, l->host + spots[i] + at);
        }
    }
}

/* Fills memory and registers, and selects the lanes that run, at random. */
static void begin(Large *l, Way way)
{
    for (unsigned i = 0; i < EU_REGISTER_BYTES / 4; i++) {
        eu_set32(l->eu, 0, i, g_test_rand_int());
    }
    memcpy(l->registers, l->eu->registers, sizeof(l->registers));
    for (unsigned i = 0; i < G_N_ELEMENTS(spots); i++) {
        for (unsigned at = 0; at < SPOT_BYTES; at += 4) {
            uint32_t dword = g_test_rand_int();

            memcpy(l->memory[i] + at, &dword, 4);
        }
        memcpy(l->host + spots[i], l->memory[i], SPOT_BYTES);
    }
    l->eu->thread.exec_mask = g_test_rand_bit() ? ~0u : g_test_rand_int() | 1u;
    l->way = way;
    l->all_noted = g_test_rand_bit();
    memset(l->noted, l->all_noted, sizeof(l->noted));
    memset(l->listed, l->all_noted, sizeof(l->listed));
    memset(l->written, 0, sizeof(l->written));
    l->mem.listed.bytes = 0;
    l->mem.noted = (VeuMemNoted){ 0 };
    if (!l->all_noted && g_test_rand_bit()) {
        mark_most(l);
    }
    if (l->all_noted) {
        g_assert_true(veu_mem_look_noted(&l->mem, &l->extent, l->host, BYTES));
    }
}

/* Returns true if the blocks of all pages that were written are listed. */
static bool are_listed(const Large *l)
{
    const uint8_t *end = l->written + sizeof(l->written);
    const uint8_t *page = memchr(l->written, 1, sizeof(l->written));
    uintptr_t first = (uintptr_t)l->host >> VEU_NOTE_BITS;

    while (page) {
        uintptr_t at = (uintptr_t)l->arena + GUARD +
                       (uint64_t)(page - l->written) * TEST_PAGE_BYTES;

        if (!l->listed[(at >> VEU_NOTE_BITS) - first]) {
            return false;
        }
        page = memchr(page + 1, 1, end - page - 1);
    }
    return true;
}

/* Executes the message of eu_run() again, twice together. */
static void run_again(Large *l)
{
    VeuMessage m[2] = { l->eu->message, l->eu->message };

    m[1].follows = VEU_FOLLOWS_CLOSELY;
    l->eu->thread.end = m + 2;
    for (unsigned i = 0; i < 2; i += 1 + l->eu->thread.more) {
        g_assert_true(veu_execute(&l->eu->thread, m + i));
    }
    l->eu->thread.end = NULL;
}

/* What is stored once is not changed by the same stores. */
static void end(Large *l, const TestMessage *m)
{
    g_assert_true(eu_run(l->eu, m));
    if (l->way == STORE) {
        run_again(l);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(spots); i++) {
        g_assert_cmpmem(l->host + spots[i], SPOT_BYTES, l->memory[i],
                        SPOT_BYTES);
    }
    g_assert_true(
        !memcmp(l->eu->registers, l->registers, sizeof(l->registers)));
    g_assert_true(l->all_noted ||
                  !memcmp(l->noted, l->written, sizeof(l->noted)));
    g_assert_true(are_listed(l));
}

static uint8_t *expected_byte(Large *l, uint64_t offset)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(spots); i++) {
        if (offset - spots[i] < SPOT_BYTES) {
            return &l->memory[i][offset - spots[i]];
        }
    }
    g_assert_not_reached();
}

static uint64_t get_expected(Large *l, uint64_t offset, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)*expected_byte(l, offset + i) << 8 * i;
    }
    return value;
}

static void put_expected(Large *l, uint64_t offset, unsigned bytes,
                         uint64_t value)
{
    for (unsigned i = 0; i < bytes; i++) {
        *expected_byte(l, offset + i) = value >> 8 * i;
        l->written[(l->first + offset + i) / TEST_PAGE_BYTES] = 1;
    }
}

/*
 * Expects bytes in the lane's register at @at, and at @offset from the
 * beginning of the extent; without @inside, the lane is out of bounds.
 */
static void expect(Large *l, uint64_t offset, unsigned bytes, bool inside,
                   uint32_t at)
{
    uint64_t old = inside && l->way != STORE ? get_expected(l, offset, bytes) :
                                               0;
    uint64_t source = 0;

    memcpy(&source, l->eu->registers + at, bytes);
    if (l->way == ADD) {
        memcpy(&source, l->eu->registers + at - EU_DATA_AT + EU_SRC0_AT, bytes);
    }
    if (l->way != LOAD && inside) {
        put_expected(l, offset, bytes, source + old);
    }
    if (l->way != STORE) {
        memcpy(l->registers + at, &old, bytes < 4 ? 4 : bytes);
    }
}

/* --- Messages ------------------------------------------------------------- */

/*
 * An index of an element of @unit bytes, near the sizes that this file tests.
 */
static uint32_t any_index(uint64_t buffer_bytes, unsigned unit)
{
    const uint64_t marks[] = { 0, 2 * GIB, 4 * GIB, buffer_bytes };
    uint64_t mark = marks[g_test_rand_int_range(0, 4)] / unit;

    return (mark <= 4 * GIB ? mark : 0) + g_test_rand_int_range(-40, 40);
}

/* A buffer in the extent; some begin or end at its limits. */
static unsigned any_buffer(Large *l, uint64_t *from, uint64_t *bytes)
{
    static const uint64_t sizes[] = { 2 * GIB - 4, 2 * GIB,       2 * GIB + 12,
                                      4 * GIB - 4, 4 * GIB,       4 * GIB + 4,
                                      BYTES - 4,   4 * GIB + 4096 };
    const unsigned n = g_test_rand_int_range(0, G_N_ELEMENTS(sizes));

    *from = g_test_rand_int_range(0, 2) * 4;
    *bytes = sizes[n];
    l->eu->surfaces->count = 1;
    return eu_surface(l->eu,
                      &(struct veu_surface){ .base = LARGE + *from,
                                             .format = VEU_FORMAT_R32_UINT,
                                             .type = VEU_SURFACE_BUFFER,
                                             .width = *bytes / 4 });
}

static bool is_on(const Large *l, unsigned lane)
{
    return l->eu->thread.exec_mask >> lane & 1;
}

/* Sets lane @lane of an operand before the message, and its expected value. */
static void set_lane(Large *l, uint32_t at, const void *value, unsigned bytes)
{
    memcpy(l->eu->registers + at, value, bytes);
    memcpy(l->registers + at, value, bytes);
}

static void set_index(Large *l, unsigned lane, uint32_t index)
{
    set_lane(l, EU_OFFSETS_AT + lane * 4, &index, 4);
}

/* @unit is the number of bytes that an index counts. */
static void check_elements(Large *l, TestMessage m, Way way, unsigned lanes,
                           unsigned bytes, unsigned unit)
{
    uint64_t from, size;

    m.surface = any_buffer(l, &from, &size);
    m.exec = __builtin_ctz(lanes);
    begin(l, way);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t index = any_index(size, unit) & (way == ADD ? -bytes : -1u);
        uint64_t offset = (uint64_t)index * unit;

        set_index(l, lane, index - (uint32_t)m.offset.value);
        if (is_on(l, lane)) {
            expect(l, from + offset, bytes, offset + bytes <= size,
                   EU_DATA_AT + lane * (bytes < 4 ? 4 : bytes));
        }
    }
    end(l, &m);
}

typedef struct Elements {
    TestKind kind;
    Way way;
    bool counts_elements;
    bool has_32_lanes;
} Elements;

static void check_kind(const Elements *k)
{
    g_autoptr(Large) l = large_new();
    TestMessage m = eu_message(k->kind);

    for (unsigned round = 0; l && round < ROUNDS; round++) {
        unsigned lanes = 8 << g_test_rand_int_range(0, 2 + k->has_32_lanes);
        unsigned code = g_test_rand_int_range(0, 3);

        m.elt_size = m.num_blocks = code;
        m.num_elts = lanes == 16;
        m.offset = test_immediate(g_test_rand_bit() ? 0 : g_test_rand_int());
        check_elements(l, m, k->way, lanes, 1 << code,
                       k->counts_elements ? 1 << code : 1);
    }
}

static void test_elements(void)
{
    static const Elements kinds[] = {
        { TEST_GATHER, LOAD, true, false },
        { TEST_SCATTER, STORE, true, false },
        { TEST_GATHER_SCALED, LOAD, false, true },
        { TEST_SCATTER_SCALED, STORE, false, true },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        check_kind(&kinds[i]);
    }
}

static void test_qwords(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < ROUNDS; round++) {
        unsigned lanes = 8 << g_test_rand_bit();

        check_elements(l, eu_message(TEST_QW_GATHER), LOAD, lanes, 8, 1);
        check_elements(l, eu_message(TEST_QW_SCATTER), STORE, lanes, 8, 1);
    }
}

static void test_atomics(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < 2 * ROUNDS; round++) {
        check_elements(l, eu_message(TEST_DWORD_ATOMIC), ADD,
                       4 << g_test_rand_int_range(0, 3), 4, 1);
    }
}

/*
 * Expects the effect of @m on a lane at @offset of memory with @size bytes from
 * @from on.
 */
static void expect_channels(Large *l, const TestMessage *m, unsigned lanes,
                            unsigned lane, uint64_t from, uint64_t offset,
                            uint64_t size)
{
    for (unsigned c = 0, place = 0; is_on(l, lane) && c < 4; c++) {
        if (m->channels >> c & 1) {
            expect(l, from + offset + c * 4, 4, offset + c * 4 + 4 <= size,
                   EU_DATA_AT + (place++ * lanes + lane) * 4);
        }
    }
}

/* Each dword is in or out of bounds separately. */
static void check_channels(Large *l, TestKind kind, Way way)
{
    TestMessage m = eu_message(kind);
    unsigned lanes = 8 << g_test_rand_bit();
    uint64_t from, size;

    m.exec = __builtin_ctz(lanes);
    m.channels = g_test_rand_bit() ? 0xf : g_test_rand_int_range(1, 16);
    m.surface = any_buffer(l, &from, &size);
    begin(l, way);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t offset = any_index(size, 1) & -4u;

        set_index(l, lane, offset);
        expect_channels(l, &m, lanes, lane, from, offset, size);
    }
    end(l, &m);
}

static void test_channels(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < ROUNDS; round++) {
        check_channels(l, TEST_GATHER4_SCALED, LOAD);
        check_channels(l, TEST_SCATTER4_SCALED, STORE);
    }
}

/*
 * A place in the extent; every second one is next to its end. Dwords that lie
 * in it entirely are read.
 */
static uint64_t any_place(unsigned bytes)
{
    uint64_t spot = spots[g_test_rand_int_range(0, G_N_ELEMENTS(spots))];

    return g_test_rand_bit() ?
               BYTES - g_test_rand_int_range(1, 4) * bytes :
               spot + g_test_rand_int_range(0, SPOT_BYTES / bytes - 4) * bytes;
}

static void check_svm(Large *l, TestMessage m, Way way, unsigned lanes,
                      unsigned bytes)
{
    m.exec = __builtin_ctz(lanes);
    begin(l, way);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint64_t offset = any_place(bytes);
        uint64_t address = LARGE + offset;

        set_lane(l, EU_ADDRESSES_AT + lane * 8, &address, 8);
        if (bytes == 16) {
            expect_channels(l, &m, lanes, lane, 0, offset, BYTES);
        } else if (is_on(l, lane)) {
            expect(l, offset, bytes, true,
                   EU_DATA_AT + lane * (bytes < 4 ? 4 : bytes));
        }
    }
    end(l, &m);
}

static void test_svm(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < 3 * ROUNDS; round++) {
        bool stores = g_test_rand_bit();
        unsigned code = round % 3;
        TestMessage m = eu_svm(stores ? TEST_SVM_SCATTER : TEST_SVM_GATHER, 0,
                               code, 0);

        check_svm(l, m, stores ? STORE : LOAD, 8 << g_test_rand_bit(),
                  code ? 2 << code : 1);
    }
}

static void test_svm_channels(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < ROUNDS; round++) {
        unsigned lanes = 8 << g_test_rand_bit();

        check_svm(l, eu_message(TEST_SVM_GATHER4_SCALED), LOAD, lanes, 16);
        check_svm(l, eu_message(TEST_SVM_SCATTER4_SCALED), STORE, lanes, 16);
    }
}

static void test_svm_atomics(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < ROUNDS; round++) {
        check_svm(l, eu_message(TEST_SVM_ATOMIC), ADD, 4 << g_test_rand_bit(),
                  4);
    }
}

/* Offsets of texels also have 32 bits: the surface may be that large. */
static void check_texels(Large *l, TestKind kind, Way way)
{
    static const uint32_t widths[] = { GIB / 2 + 3, GIB, GIB + 1 };
    TestMessage m = eu_message(kind);
    unsigned lanes = 8 << g_test_rand_bit();
    struct veu_surface s = {
        .base = LARGE,
        .format = VEU_FORMAT_R32_UINT,
        .type = VEU_SURFACE_BUFFER,
        .width = widths[g_test_rand_int_range(0, G_N_ELEMENTS(widths))],
    };

    l->eu->surfaces->count = 1;
    m.surface = eu_surface(l->eu, &s);
    m.exec = __builtin_ctz(lanes);
    m.channels = 1;
    begin(l, way);
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t u = any_index(s.width * UINT64_C(4), 4);

        set_index(l, lane, u);
        if (is_on(l, lane)) {
            expect(l, u * UINT64_C(4), 4, u < s.width, EU_DATA_AT + lane * 4);
        }
    }
    end(l, &m);
}

static void test_texels(void)
{
    g_autoptr(Large) l = large_new();

    for (unsigned round = 0; l && round < ROUNDS; round++) {
        check_texels(l, TEST_GATHER4_TYPED, LOAD);
        check_texels(l, TEST_SCATTER4_TYPED, STORE);
    }
}

/* The slice that the message reads begins 4 GiB after the surface. */
static void test_media_blocks(void)
{
    g_autoptr(Large) l = large_new();
    TestMessage m = eu_message(TEST_MEDIA_LD);
    struct veu_surface s = {
        .base = LARGE,
        .format = VEU_FORMAT_R32G32B32A32_UINT,
        .type = VEU_SURFACE_2D,
        .flags = VEU_SURFACE_ARRAY,
        .tiling = VEU_TILING_Y,
        .width = 16384,
        .height = 8,
        .depth = 2,
        .pitch = 16384 * 16,
        .qpitch = 16384,
        .min_array_element = 1,
        .view_extent = 1,
        .levels = 1,
        .halign = 4,
        .valign = 4,
    };

    if (!l) {
        return;
    }
    l->eu->surfaces->count = 1;
    m.surface = eu_surface(l->eu, &s);
    m.width = 16;
    m.height = 1;
    begin(l, LOAD);
    for (unsigned at = 0; at < 16; at += 8) {
        expect(l, 4 * GIB + at, 8, true, EU_DATA_AT + at);
    }
    end(l, &m);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/large/elements", test_elements);
    g_test_add_func("/large/qwords", test_qwords);
    g_test_add_func("/large/atomics", test_atomics);
    g_test_add_func("/large/channels", test_channels);
    g_test_add_func("/large/svm", test_svm);
    g_test_add_func("/large/svm-channels", test_svm_channels);
    g_test_add_func("/large/svm-atomics", test_svm_atomics);
    g_test_add_func("/large/texels", test_texels);
    g_test_add_func("/large/media-blocks", test_media_blocks);
    return g_test_run();
}
