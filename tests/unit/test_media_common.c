/*
 * veu unit tests: media blocks with rows of 32 bytes, whose places are in
 * registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Most programs have such blocks, so a fast path has a loop for them. They must
 * do what the same messages do whose places are numbers: on surfaces that are
 * smaller than a block, tiled, or levels, in fields, at all edges, and at
 * places that are far outside.
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define ROW_BYTES 32

typedef struct veu_surface Surface;

#define SURFACE(offset, ...)                                           \
    {                                                                  \
        .base = EU_RAM + (offset), .format = VEU_FORMAT_R8_UINT,       \
        .type = VEU_SURFACE_2D, .levels = 1, .halign = 4, .valign = 4, \
        __VA_ARGS__                                                    \
    }

static const Surface surfaces[] = {
    SURFACE(0, .width = 100, .height = 40, .pitch = 160),
    SURFACE(0, .width = 16, .height = 40,
            .pitch = 64),                              /* narrower than a row */
    SURFACE(0, .width = 64, .height = 4, .pitch = 64), /* less than 8 rows */
    SURFACE(0, .width = 256, .height = 64, .pitch = 256,
            .tiling = VEU_TILING_Y),
    SURFACE(0, .width = 128, .height = 32, .pitch = 128, .min_lod = 1),
    SURFACE(0, .width = 80, .height = 16, .pitch = 128, .min_lod = 2),
    SURFACE(0, .width = 64, .height = 8, .pitch = 2 * TEST_PAGE_BYTES),
    SURFACE(4, .width = 64, .height = 8, .pitch = 64),
    SURFACE(0, .width = 64, .height = 8, .pitch = 72),
};

static const uint32_t xs[] = { 0, 4, 16, 48, 80, 96, 0x80000000, -16 };
static const uint32_t ys[] = { 0, 3, 8, 33, 39, 0x40000000, -1 };

/* The effects of a message. */
typedef struct Outcome {
    bool done;
    uint16_t fault;
    uint32_t moved_bytes;
    uint8_t data[512];
    uint8_t memory[EU_RAM_BYTES];
    bool noted[TEST_MAX_PAGES];
} Outcome;

static void begin(EuFixture *eu, uint32_t x, uint32_t y)
{
    static uint8_t memory[EU_RAM_BYTES];

    for (unsigned i = 0; i < sizeof(memory); i++) {
        memory[i] = i * 7 + i / 256;
    }
    test_memory_put(&eu->memory, EU_RAM, memory, sizeof(memory));
    memset(eu->memory.noted, 0, sizeof(eu->memory.noted));
    memset(eu->memory.listed, 0, sizeof(eu->memory.listed));
    veu_mem_forget(&eu->memory.mem);
    for (unsigned i = 0; i < 512; i++) {
        eu->registers[EU_DATA_AT + i] = 0xff - i;
    }
    eu_set32(eu, EU_R_AT, 0, x);
    eu_set32(eu, EU_LOD_AT, 0, y);
}

static void run(EuFixture *eu, const TestMessage *m, uint32_t x, uint32_t y,
                Outcome *o)
{
    *o = (Outcome){ 0 };
    begin(eu, x, y);
    o->done = eu_run(eu, m);
    o->fault = o->done ? 0 : eu->fault.code;
    o->moved_bytes = o->done ? eu->thread.moved_bytes : 0;
    memcpy(o->data, eu->registers + EU_DATA_AT, sizeof(o->data));
    test_memory_get(&eu->memory, EU_RAM, o->memory, EU_RAM_BYTES);
    for (unsigned n = 0; n < eu->memory.count; n++) {
        o->noted[n] = test_memory_is_noted(&eu->memory, n);
    }
}

static void check_place(EuFixture *eu, TestMessage m, uint32_t x, uint32_t y)
{
    static Outcome number, place;

    m.offset = test_immediate(x);
    m.y = test_immediate(y);
    run(eu, &m, x, y, &number);
    m.offset = test_general(EU_R, 0, 0);
    m.y = test_general(EU_LOD, 0, 0);
    run(eu, &m, x, y, &place);
    g_assert_cmpint(place.done, ==, number.done);
    g_assert_cmphex(place.fault, ==, number.fault);
    g_assert_cmpuint(place.moved_bytes, ==, number.moved_bytes);
    g_assert_cmpmem(place.data, sizeof(place.data), number.data,
                    sizeof(number.data));
    g_assert_cmpint(memcmp(place.memory, number.memory, EU_RAM_BYTES), ==, 0);
    g_assert_cmpint(memcmp(place.noted, number.noted, sizeof(place.noted)), ==,
                    0);
}

static void check_places(EuFixture *eu, const TestMessage *m)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(xs); i++) {
        for (unsigned j = 0; j < G_N_ELEMENTS(ys); j++) {
            check_place(eu, *m, xs[i], ys[j]);
        }
    }
}

static void check_surfaces(TestKind kind, unsigned height, unsigned mode,
                           unsigned plane)
{
    for (unsigned n = 0; n < G_N_ELEMENTS(surfaces); n++) {
        g_autoptr(EuFixture) eu = eu_joined();
        TestMessage m = eu_message(kind);

        eu->surfaces->count = 0;
        m.surface = eu_surface(eu, &surfaces[n]);
        m.width = ROW_BYTES;
        m.height = height;
        m.mode = mode;
        m.plane = plane;
        check_places(eu, &m);
    }
}

static void test_loads_are_at_the_same_places(void)
{
    check_surfaces(TEST_MEDIA_LD, 1, 0, 0);
    check_surfaces(TEST_MEDIA_LD, 8, 0, 0);
}

static void test_stores_are_at_the_same_places(void)
{
    check_surfaces(TEST_MEDIA_ST, 1, 0, 0);
    check_surfaces(TEST_MEDIA_ST, 8, 0, 0);
}

static void test_fields_are_at_the_same_places(void)
{
    check_surfaces(TEST_MEDIA_LD, 8, TEST_TOP_FIELD, 0);
    check_surfaces(TEST_MEDIA_ST, 8, TEST_TOP_FIELD, 0);
}

static void test_planes_are_refused_alike(void)
{
    check_surfaces(TEST_MEDIA_LD, 8, 0, 1);
    check_surfaces(TEST_MEDIA_ST, 8, 0, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/media-common/" #name, test_##name)
    RULE(loads_are_at_the_same_places);
    RULE(stores_are_at_the_same_places);
    RULE(fields_are_at_the_same_places);
    RULE(planes_are_refused_alike);
    return g_test_run();
}
