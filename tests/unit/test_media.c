/*
 * veu unit tests: MEDIA_LD, MEDIA_ST: rectangles of bytes: docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

typedef struct veu_surface Surface;

/* Modifiers, with their codes. */
enum {
    NOMOD,
    MODIFIED,
    TOP,
    BOTTOM,
    TOP_MOD,
    BOTTOM_MOD,
    MODES
};

/*
 * 100 x 40 bytes with texels of 4 bytes, so that X need not be the start of a
 * texel.
 */
#define WIDTH  100
#define HEIGHT 40
#define PITCH  160

static const Surface plain = { .base = EU_RAM,
                               .format = VEU_FORMAT_R8G8B8A8_UNORM,
                               .type = VEU_SURFACE_2D,
                               .width = WIDTH / 4,
                               .height = HEIGHT,
                               .pitch = PITCH,
                               .levels = 1 };

/* The value of a byte of the surface; not 0. */
static uint8_t texel_byte(uint64_t x, uint64_t y)
{
    return 1 + (x * 7 + y * 31) % 255;
}

/*
 * True if memory is one extent. If it is, fast paths accept a surface of
 * several pages.
 */
static bool joined;

static EuFixture *media_new(void)
{
    EuFixture *eu = joined ? eu_joined() : eu_standard();

    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < PITCH; x++) {
            *test_memory_byte(&eu->memory, EU_RAM + y * PITCH + x,
                              VEU_ACCESS_WRITE) = texel_byte(x, y);
        }
    }
    eu->surfaces->count = 0;
    eu_surface(eu, &plain);
    return eu;
}

static TestMessage media(TestKind kind, unsigned width, unsigned height,
                         uint32_t x, uint32_t y)
{
    TestMessage m = eu_message(kind);

    m.width = width;
    m.height = height;
    m.offset = test_immediate(x);
    m.y = test_immediate(y);
    return m;
}

static void clear_data(EuFixture *eu)
{
    memset(eu->registers + EU_DATA_AT, 0xee, 512);
}

/* The pitch in registers by width: spec.md, media_ld. */
static unsigned pitch_of(unsigned width)
{
    return width <= 4  ? 4 :
           width <= 8  ? 8 :
           width <= 16 ? 16 :
           width <= 32 ? 32 :
                         64;
}

/* Checks that Data is a block that begins at x, y and has rows @step apart. */
static void assert_block(const EuFixture *eu, const TestMessage *m, uint64_t x,
                         uint64_t y, unsigned step)
{
    unsigned pitch = pitch_of(m->width);
    unsigned moved_bytes = 0;

    for (unsigned at = 0; at < m->height * pitch; at++) {
        uint64_t column = x + at % pitch;
        uint64_t row = y + (uint64_t)step * (at / pitch);
        bool inside = column < WIDTH && row < HEIGHT;
        uint8_t expected = inside ? texel_byte(column, row) : 0;

        if (at % pitch >= m->width) {
            expected = 0xee;
        } else {
            moved_bytes += inside;
        }
        g_assert_cmphex(eu->registers[EU_DATA_AT + at], ==, expected);
    }
    g_assert_cmphex(eu->registers[EU_DATA_AT + m->height * pitch], ==, 0xee);
    g_assert_cmpuint(eu->thread.moved_bytes, ==, moved_bytes);
}

static void check_load(EuFixture *eu, const TestMessage *m, uint64_t x,
                       uint64_t y, unsigned step)
{
    clear_data(eu);
    g_assert_true(eu_run(eu, m));
    assert_block(eu, m, x, y, step);
}

/* dst[i * reg_pitch + j] = surface[y + i][x + j], for each width and height. */
static void test_loads_read_a_rectangle(void)
{
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned width = 1; width <= 64; width++) {
        unsigned most = 256 / pitch_of(width);

        for (unsigned height = 1; height <= MIN(most, 30); height += 7) {
            TestMessage m = media(TEST_MEDIA_LD, width, height, 13, 5);

            check_load(eu, &m, 13, 5, 1);
            g_assert_cmpuint(eu->thread.moved_bytes, ==, width * height);
        }
    }
}

/*
 * "Legal width/height combination": at most the rows that fit into 256 bytes.
 */
static void test_blocks_have_at_most_256_bytes(void)
{
    static const struct {
        unsigned width;
        unsigned height;
    } rows[] = { { 1, 64 },  { 4, 64 }, { 5, 32 }, { 8, 32 }, { 9, 16 },
                 { 16, 16 }, { 17, 8 }, { 32, 8 }, { 33, 4 }, { 64, 4 } };
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        TestMessage m = media(TEST_MEDIA_LD, rows[i].width, rows[i].height, 0,
                              0);

        check_load(eu, &m, 0, 0, 1);
        m.height++;
        eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 5);
    }
}

/* surface[y + i][x + j] = src[i * reg_pitch + j], and no other byte changes. */
static void check_store(EuFixture *eu, unsigned width, unsigned height)
{
    TestMessage m = media(TEST_MEDIA_ST, width, height, 12, 3);
    unsigned pitch = pitch_of(width);

    for (unsigned i = 0; i < 256; i++) {
        eu->registers[EU_DATA_AT + i] = i;
    }
    test_memory_fill(&eu->memory, EU_RAM, 0xee, PITCH * HEIGHT);
    g_assert_true(eu_run(eu, &m));
    for (unsigned at = 0; at < PITCH * HEIGHT; at++) {
        unsigned x = at % PITCH - 12;
        unsigned y = at / PITCH - 3;
        bool inside = at % PITCH < WIDTH && x < width && y < height;

        g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + at), ==,
                        inside ? y * pitch + x : 0xee);
    }
}

static void test_stores_write_a_rectangle(void)
{
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned width = 1; width <= 64; width += width < 8 ? 1 : 7) {
        check_store(eu, width, MIN(256 / pitch_of(width), 37));
    }
}

/* Each of the 64 rows touches two pages. */
static void test_a_sparse_block_notes_each_page(void)
{
    const uint64_t ram = 0x800000;
    const Surface sparse = { .base = ram + TEST_PAGE_BYTES - 1,
                             .format = VEU_FORMAT_R8_UINT,
                             .type = VEU_SURFACE_2D,
                             .width = 4,
                             .height = 64,
                             .pitch = 2 * TEST_PAGE_BYTES,
                             .levels = 1 };
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_ST, 4, 64, 0, 0);
    unsigned pages = 0;

    test_memory_add(&eu->memory, ram, 64 * sparse.pitch, true);
    m.surface = eu_surface(eu, &sparse);
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < eu->memory.count; i++) {
        pages += test_memory_is_noted(&eu->memory, i) &&
                 eu->memory.page[i].iova >= ram;
    }
    g_assert_cmpuint(pages, ==, 128);
}

/*
 * The top field has every second row from the first on, the bottom field from
 * the second.
 */
static void test_fields_are_every_second_row(void)
{
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned mode = 0; mode < MODES; mode++) {
        bool field = mode >= TOP;
        bool bottom = mode == BOTTOM || mode == BOTTOM_MOD;
        TestMessage m = media(TEST_MEDIA_LD, 10, 16, 3, 2);

        m.mode = mode;
        check_load(eu, &m, 3, field ? 4 + bottom : 2, field ? 2 : 1);
    }
}

static void test_fields_are_written(void)
{
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned mode = TOP; mode <= BOTTOM; mode++) {
        unsigned bottom = mode == BOTTOM;
        TestMessage m = media(TEST_MEDIA_ST, 4, 2, 0, 3);

        m.mode = mode;
        eu_set32(eu, EU_DATA_AT, 0, 0xa1a2a3a4);
        eu_set32(eu, EU_DATA_AT, 1, 0xb1b2b3b4);
        test_memory_fill(&eu->memory, EU_RAM, 0, PITCH * HEIGHT);
        g_assert_true(eu_run(eu, &m));
        for (unsigned y = 0; y < HEIGHT; y++) {
            g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + y * PITCH),
                            ==,
                            y == 6 + bottom ? 0xa1a2a3a4 :
                            y == 8 + bottom ? 0xb1b2b3b4 :
                                              0);
        }
    }
}

/*
 * Bytes are checked one by one, on both sides; the rest of a row's pitch is
 * outside.
 */
static void test_bytes_out_of_bounds_read_as_zero(void)
{
    static const uint32_t places[][2] = {
        { 95, 0 },         { 99, 39 },
        { 100, 0 },        { 0, 38 },
        { 94, 0 },         { 0, 36 },
        { 0, 40 },         { UINT32_MAX, 0 },
        { 0, UINT32_MAX }, { UINT32_MAX, UINT32_MAX }
    };
    g_autoptr(EuFixture) eu = media_new();

    /* what follows the last row is not read */
    test_memory_fill(&eu->memory, EU_RAM + HEIGHT * PITCH, 0xff, PITCH);
    eu->config.undefined = 0xa5; /* no byte of it is undefined */
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        uint32_t x = places[i][0];
        uint32_t y = places[i][1];
        TestMessage m = media(TEST_MEDIA_LD, 7, 5, x, y);

        check_load(eu, &m, x, y, 1);
    }
}

/* The last row but one is the top field's last, the last the bottom field's. */
static void test_fields_end_at_the_last_row(void)
{
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned mode = TOP; mode <= BOTTOM; mode++) {
        for (unsigned y = HEIGHT / 2 - 4; y <= HEIGHT / 2; y++) {
            TestMessage m = media(TEST_MEDIA_LD, 16, 5, 4, y);

            m.mode = mode;
            check_load(eu, &m, 4, 2 * y + (mode == BOTTOM), 2);
        }
    }
}

/* Rows of a field are counted in 64 bits: 2 * 2^31 does not give row 0. */
static void test_rows_of_fields_do_not_wrap(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 4, 2, 0, 1u << 31);

    m.mode = TOP;
    check_load(eu, &m, 0, UINT64_C(1) << 32, 2);
    m.mode = BOTTOM;
    m.y = test_immediate(UINT32_MAX);
    check_load(eu, &m, 0, UINT64_C(0x1ffffffff), 2);
}

static void test_bytes_out_of_bounds_are_dropped(void)
{
    static const uint32_t places[][2] = { { 96, 38 },
                                          { 100, 0 },
                                          { UINT32_MAX - 3, 0 },
                                          { 0, UINT32_MAX },
                                          { 92, 36 } };
    g_autoptr(EuFixture) eu = media_new();

    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        uint32_t x = places[i][0];
        uint32_t y = places[i][1];
        TestMessage m = media(TEST_MEDIA_ST, 7, 5, x, y);
        unsigned moved_bytes = 0;

        clear_data(eu);
        test_memory_fill(&eu->memory, EU_RAM, 0, EU_BUFFER_BYTES);
        g_assert_true(eu_run(eu, &m));
        for (unsigned at = 0; at < EU_BUFFER_BYTES; at++) {
            bool inside = at % PITCH >= x && at % PITCH < MIN(x + 7, WIDTH) &&
                          at / PITCH >= y && at / PITCH < HEIGHT;

            g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + at), ==,
                            inside ? 0xee : 0);
            moved_bytes += inside;
        }
        g_assert_cmpuint(eu->thread.moved_bytes, ==, moved_bytes);
    }
}

/* X and Y are extended by their types and taken modulo 2^32. */
static void test_offsets_are_modulo_2_to_32(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 4, 4, 0, 0);

    m.offset = (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                             .type = VEU_TYPE_UQ,
                             .value = (UINT64_C(1) << 32) + 9 };
    m.y = (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                        .type = VEU_TYPE_Q,
                        .value = (UINT64_C(7) << 32) + 2 };
    check_load(eu, &m, 9, 2, 1);
}

/* MEDIA_ST: "its value must be dword-aligned". MEDIA_LD has no such rule. */
static void test_x_of_a_store_is_a_multiple_of_4(void)
{
    g_autoptr(EuFixture) eu = media_new();

    for (uint32_t x = 1; x < 4; x++) {
        TestMessage m = media(TEST_MEDIA_ST, 4, 1, x, 0);

        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ALIGNMENT, 0, 0, x);
        g_assert_cmphex(eu->fault.lanes, ==, 1);
        g_assert_cmpuint(eu->fault.bytes, ==, 4);
        m.y = test_immediate(UINT32_MAX); /* checked before bounds */
        g_assert_false(eu_run(eu, &m));
    }
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 1), ==,
                    texel_byte(1, 0));
}

/* "It must be a 2D surface" of one plane, neither T0 nor T5. */
static void test_surfaces(void)
{
    g_autoptr(EuFixture) eu = media_new();
    Surface s = plain;
    unsigned kinds[6] = { 0, 5 };

    s.type = VEU_SURFACE_3D;
    s.depth = 1;
    s.qpitch = HEIGHT;
    s.halign = s.valign = 4;
    kinds[2] = eu_surface(eu, &s);
    kinds[3] = eu_buffer(eu, EU_RAM, 4096);
    kinds[4] = eu_surface(eu, &(Surface){ .type = VEU_SURFACE_NULL });
    kinds[5] = eu_surface(eu, &(Surface){ .base = EU_RAM,
                                          .format = VEU_FORMAT_R8_UINT,
                                          .type = VEU_SURFACE_1D,
                                          .width = 64,
                                          .levels = 1 });
    for (unsigned i = 0; i < 2 * (6 + 3); i++) {
        TestMessage m = media(i & 1 ? TEST_MEDIA_ST : TEST_MEDIA_LD, 4, 1, 0,
                              0);

        m.plane = i / 2 < 6 ? 0 : i / 2 - 5;
        m.surface = i / 2 < 6 ? kinds[i / 2] : EU_BUFFER;
        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_SURFACE_KIND);
        g_assert_cmphex(eu->fault.lane, ==, VEU_FAULT_NO_LANE);
    }
}

/* Offsets in tiles: X has 512 x 8 bytes, Y columns of 16 bytes, Tile4 cells. */
static uint32_t tiled_offset(unsigned tiling, uint32_t x, uint32_t y)
{
    static const uint32_t across[] = { 0x000, 0x040, 0x080, 0x0c0,
                                       0x200, 0x240, 0x280, 0x2c0 };
    static const uint32_t down[] = { 0x000, 0x100, 0x400, 0x500,
                                     0x800, 0x900, 0xc00, 0xd00 };

    switch (tiling) {
    case VEU_TILING_X:
        return (y / 8 * 2 + x / 512) * 4096 + y % 8 * 512 + x % 512;
    case VEU_TILING_Y:
        return (y / 32 * 8 + x / 128) * 4096 + x % 128 / 16 * 512 +
               y % 32 * 16 + x % 16;
    default:
        return (y / 32 * 8 + x / 128) * 4096 + across[x % 128 / 16] +
               down[y % 32 / 4] + y % 4 * 16 + x % 16;
    }
}

static void check_tiled(EuFixture *eu, unsigned tiling, uint32_t x, uint32_t y,
                        unsigned width, unsigned height)
{
    TestMessage m = media(TEST_MEDIA_LD, width, height, x, y);
    unsigned pitch = pitch_of(width);

    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < height; i++) {
        for (unsigned j = 0; j < width; j++) {
            uint64_t at = EU_RAM + tiled_offset(tiling, x + j, y + i);

            g_assert_cmphex(eu->registers[EU_DATA_AT + i * pitch + j], ==,
                            test_memory_get8(&eu->memory, at));
        }
    }
    m.kind = TEST_MEDIA_ST;
    m.offset = test_immediate(x & ~3u);
    for (unsigned i = 0; i < 256; i++) {
        eu->registers[EU_DATA_AT + i] += 1;
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < height * width; i++) {
        uint64_t at = EU_RAM + tiled_offset(tiling, (x & ~3u) + i % width,
                                            y + i / width);

        g_assert_cmphex(
            test_memory_get8(&eu->memory, at), ==,
            eu->registers[EU_DATA_AT + i / width * pitch + i % width]);
    }
}

/* 1024 x 64 bytes; blocks cross owords and tiles. */
static void test_tilings(void)
{
    g_autoptr(EuFixture) eu = media_new();
    Surface s = plain;

    s.width = 256;
    s.height = 64;
    s.pitch = 1024;
    for (s.tiling = VEU_TILING_X; s.tiling <= VEU_TILING_TILE4; s.tiling++) {
        eu->surfaces->count = 0;
        eu_surface(eu, &s);
        for (unsigned i = 0; i < EU_RAM_BYTES; i++) {
            *test_memory_byte(&eu->memory, EU_RAM + i,
                              VEU_ACCESS_WRITE) = i * 7 + i / 256;
        }
        check_tiled(eu, s.tiling, 0, 0, 4, 64);
        check_tiled(eu, s.tiling, 125, 0, 4, 64);
        check_tiled(eu, s.tiling, 123, 30, 64, 4);
        check_tiled(eu, s.tiling, 511, 7, 33, 4);
        check_tiled(eu, s.tiling, 499, 25, 17, 8);
        check_tiled(eu, s.tiling, 15, 31, 2, 20);
    }
}

/*
 * The message accesses level 0 and the first slice that the descriptor shows.
 */
static void test_arrays_and_levels(void)
{
    g_autoptr(EuFixture) eu = media_new();
    Surface s = { .base = EU_RAM,
                  .format = VEU_FORMAT_R8_UINT,
                  .type = VEU_SURFACE_2D,
                  .flags = VEU_SURFACE_ARRAY,
                  .width = 16,
                  .height = 16,
                  .depth = 3,
                  .pitch = 64,
                  .qpitch = 32,
                  .min_array_element = 1,
                  .view_extent = 2,
                  .levels = 2,
                  .min_lod = 1,
                  .halign = 4,
                  .valign = 4 };
    TestMessage m = media(TEST_MEDIA_LD, 4, 1, 4, 0);

    eu->surfaces->count = 0;
    eu_surface(eu, &s);
    /*
     * slice 1 begins at row 32, and its level 1 follows the 16 rows of level 0
     */
    test_memory_put32(&eu->memory, EU_RAM + (32 + 16) * 64 + 4, 0xcafe);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0xcafe);
    m.offset = test_immediate(8); /* level 1 has 8 bytes */
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0);
}

/* Returns where a byte of a plain or Y-tiled surface of 128 bytes a row is. */
static uint64_t level_byte(bool tiled, uint32_t x, uint32_t y)
{
    return EU_RAM + (tiled ? x / 16 * 512 + y * 16 + x % 16 : y * 128 + x);
}

/*
 * Level 1 follows the rows of level 0, and level 2 is to the right of level 1.
 * In tile Y, 16 bytes of 32 rows follow each other; level 2 begins in the
 * middle of 16 bytes, and the block ends in the next 16. Of level 2, a block of
 * 20 bytes has 4 that are outside.
 */
static void check_level(unsigned lod, bool tiled, unsigned width)
{
    g_autoptr(EuFixture) eu = media_new();
    Surface s = { .base = EU_RAM,
                  .format = VEU_FORMAT_R8_UINT,
                  .type = VEU_SURFACE_2D,
                  .tiling = tiled ? VEU_TILING_Y : VEU_TILING_LINEAR,
                  .width = 80,
                  .height = 16,
                  .pitch = 128,
                  .levels = 1,
                  .min_lod = lod,
                  .halign = 4,
                  .valign = 4 };
    TestMessage m = media(TEST_MEDIA_LD, width, 2, 4, 1);
    uint32_t x = lod == 2 ? 40 + 4 : 4, y = 16 + 1;

    eu->surfaces->count = 0;
    eu_surface(eu, &s);
    for (unsigned i = 0; i < 2; i++) {
        test_memory_put32(&eu->memory, level_byte(tiled, x + 4 * i, y),
                          0xcafe0000 + 16 * i + lod);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 2; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==,
                        0xcafe0000 + 16 * i + lod);
    }
}

static void test_levels_of_tiles(void)
{
    for (unsigned lod = 1; lod <= 2; lod++) {
        for (unsigned tiled = 0; tiled < 2; tiled++) {
            check_level(lod, tiled, 16);
            check_level(lod, tiled, 20);
        }
    }
}

/* The last row begins where a page begins. X and Y are in registers. */
static void check_last_row(unsigned width)
{
    const uint64_t ram = 0x800000;
    const Surface s = { .base = ram + TEST_PAGE_BYTES - 128,
                        .format = VEU_FORMAT_R8_UINT,
                        .type = VEU_SURFACE_2D,
                        .width = width,
                        .height = 3,
                        .pitch = 64,
                        .levels = 1 };
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_ST, width, 3, 0, 0);
    unsigned first = eu->memory.count;

    test_memory_add(&eu->memory, ram, 3 * TEST_PAGE_BYTES, true);
    m.surface = eu_surface(eu, &s);
    m.offset = test_general(EU_R, 0, 0);
    m.y = test_general(EU_LOD, 0, 0);
    eu_set32(eu, EU_R_AT, 0, 0);
    eu_set32(eu, EU_LOD_AT, 0, 0);
    g_assert_true(eu_run(eu, &m));
    g_assert_true(test_memory_is_noted(&eu->memory, first));
    g_assert_true(test_memory_is_noted(&eu->memory, first + 1));
    g_assert_false(test_memory_is_noted(&eu->memory, first + 2));
}

static void test_the_page_of_the_last_row_becomes_dirty(void)
{
    check_last_row(4);
    check_last_row(32);
}

/* To the right of the surface, and below. */
static void test_blocks_out_of_bounds_note_no_page(void)
{
    static const uint32_t places[][2] = { { WIDTH, 0 }, { 0, HEIGHT } };

    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autoptr(EuFixture) eu = media_new();
        TestMessage m = media(TEST_MEDIA_ST, 4, 8, places[i][0], places[i][1]);

        memset(eu->memory.noted, 0, sizeof(eu->memory.noted));
        veu_mem_forget(&eu->memory.mem);
        g_assert_true(eu_run(eu, &m));
        for (unsigned page = 0; page < eu->memory.count; page++) {
            g_assert_false(test_memory_is_noted(&eu->memory, page));
        }
    }
}

/* Each row is on a page of its own, and some rows cross the end of one. */
static void test_blocks_cross_pages(void)
{
    g_autoptr(EuFixture) eu = media_new();
    Surface s = plain;

    s.base = EU_RAM + 4096 - 20;
    s.height = 15;
    s.pitch = 4096;
    s.width = 1024;
    eu->surfaces->count = 0;
    eu_surface(eu, &s);
    for (unsigned y = 0; y < 15; y++) {
        for (unsigned x = 0; x < 40; x++) {
            *test_memory_byte(&eu->memory, s.base + y * 4096 + x,
                              VEU_ACCESS_WRITE) = texel_byte(x, y);
        }
    }
    for (uint32_t x = 0; x < 24; x++) {
        TestMessage m = media(TEST_MEDIA_LD, 16, 15, x, 0);

        check_load(eu, &m, x, 0, 1);
    }
}

/* The whole block is resolved before any part of it is performed. */
static void test_a_fault_names_the_row(void)
{
    static const unsigned bad_rows[] = { 0, 5, 15 };
    g_autoptr(EuFixture) eu = media_new();
    Surface s = plain;
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned i = 0; i < 6; i++) {
        TestMessage m = media(i & 1 ? TEST_MEDIA_ST : TEST_MEDIA_LD, 16, 16, 4,
                              1);
        unsigned bad = bad_rows[i / 2];

        /* bytes 4 to 11 of that row are the last bytes of RAM */
        s.base = end - 12 - (bad + 1) * PITCH;
        eu->surfaces->count = 0;
        eu_surface(eu, &s);
        test_memory_fill(&eu->memory, end - 4096, 0x11, 4096);
        clear_data(eu);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 0, bad, end - 8);
        g_assert_cmpuint(eu->fault.bytes, ==, 16);
        g_assert_cmphex(eu->fault.lanes, ==, 1);
        g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
        g_assert_cmphex(eu->registers[EU_DATA_AT], ==, 0xee);
        for (unsigned at = 1; at <= 4096; at++) {
            g_assert_cmphex(test_memory_get8(&eu->memory, end - at), ==, 0x11);
        }
    }
}

/* A block of 4 bytes has up to 64 rows. */
static void test_a_fault_names_a_row_after_the_32nd(void)
{
    static const unsigned bad_rows[] = { 31, 32, 63 };
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned i = 0; i < G_N_ELEMENTS(bad_rows); i++) {
        g_autoptr(EuFixture) eu = media_new();
        TestMessage m = media(TEST_MEDIA_LD, 4, 64, 0, 0);
        Surface s = plain;

        s.base = end - bad_rows[i] * PITCH;
        s.height = 64;
        m.surface = eu_surface(eu, &s);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 0, bad_rows[i], end);
    }
}

static void test_read_only_memory_can_be_loaded_but_not_stored(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 4, 2, 4, 3);
    Surface s = plain;

    s.base = EU_ROM;
    m.surface = eu_surface(eu, &s);
    g_assert_true(eu_run(eu, &m));
    m.kind = TEST_MEDIA_ST;
    g_assert_false(eu_run(eu, &m));
    eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 0, 0, EU_ROM + 3 * PITCH + 4);
    g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
}

/* Nothing out of bounds is accessed. */
static void test_bytes_out_of_bounds_cannot_fault(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 64, 4, 0, 1);
    Surface s = plain;

    s.height = 2;
    s.width = 2;
    s.base = EU_RAM + EU_RAM_BYTES - PITCH - 8;
    m.surface = eu_surface(eu, &s);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 8);
}

static void test_blocks_run_whatever_the_mask(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 8, 8, 1, 1);

    eu->thread.exec_mask = 0;
    check_load(eu, &m, 1, 1, 1);
}

static void test_null_data(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 8, 2, 0, 0);

    m.data.id = 0;
    memset(eu->registers, 0xee, EU_REGISTER_BYTES);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 16);
    g_assert_cmphex(eu->registers[0], ==, 0xee);
    m.kind = TEST_MEDIA_ST;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + PITCH), ==, 0);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 8), ==,
                    texel_byte(8, 0));
}

/* X and Y come from registers that the result overlaps. */
static void test_offsets_are_read_before_the_result_is_written(void)
{
    g_autoptr(EuFixture) eu = media_new();
    TestMessage m = media(TEST_MEDIA_LD, 8, 2, 0, 0);

    m.offset = test_general(EU_DATA, 0, 0);
    m.y = test_general(EU_DATA, 0, 1);
    clear_data(eu);
    eu_set32(eu, EU_DATA_AT, 0, 17);
    eu_set32(eu, EU_DATA_AT, 1, 9);
    g_assert_true(eu_run(eu, &m));
    assert_block(eu, &m, 17, 9, 1);
}

/* The rules that a fast path has to follow as well. */
static void test_fast_ways_keep_the_rules(void)
{
    joined = true;
    test_loads_read_a_rectangle();
    test_blocks_have_at_most_256_bytes();
    test_stores_write_a_rectangle();
    test_a_sparse_block_notes_each_page();
    test_fields_are_every_second_row();
    test_fields_are_written();
    test_bytes_out_of_bounds_read_as_zero();
    test_fields_end_at_the_last_row();
    test_rows_of_fields_do_not_wrap();
    test_bytes_out_of_bounds_are_dropped();
    test_offsets_are_modulo_2_to_32();
    test_x_of_a_store_is_a_multiple_of_4();
    test_surfaces();
    test_tilings();
    test_arrays_and_levels();
    test_levels_of_tiles();
    test_the_page_of_the_last_row_becomes_dirty();
    test_blocks_out_of_bounds_note_no_page();
    test_blocks_cross_pages();
    test_a_fault_names_the_row();
    test_read_only_memory_can_be_loaded_but_not_stored();
    test_bytes_out_of_bounds_cannot_fault();
    test_blocks_run_whatever_the_mask();
    test_null_data();
    test_offsets_are_read_before_the_result_is_written();
    joined = false;
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/media/" #name, test_##name)
    RULE(loads_read_a_rectangle);
    RULE(blocks_have_at_most_256_bytes);
    RULE(stores_write_a_rectangle);
    RULE(a_sparse_block_notes_each_page);
    RULE(fields_are_every_second_row);
    RULE(fields_are_written);
    RULE(bytes_out_of_bounds_read_as_zero);
    RULE(fields_end_at_the_last_row);
    RULE(rows_of_fields_do_not_wrap);
    RULE(bytes_out_of_bounds_are_dropped);
    RULE(offsets_are_modulo_2_to_32);
    RULE(x_of_a_store_is_a_multiple_of_4);
    RULE(surfaces);
    RULE(tilings);
    RULE(arrays_and_levels);
    RULE(levels_of_tiles);
    RULE(the_page_of_the_last_row_becomes_dirty);
    RULE(blocks_out_of_bounds_note_no_page);
    RULE(blocks_cross_pages);
    RULE(a_fault_names_the_row);
    RULE(a_fault_names_a_row_after_the_32nd);
    RULE(read_only_memory_can_be_loaded_but_not_stored);
    RULE(bytes_out_of_bounds_cannot_fault);
    RULE(blocks_run_whatever_the_mask);
    RULE(null_data);
    RULE(offsets_are_read_before_the_result_is_written);
    RULE(fast_ways_keep_the_rules);
#undef RULE
    return g_test_run();
}
