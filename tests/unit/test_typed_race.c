/*
 * veu unit tests: threads that write different channels of the same texels:
 * semantics.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each thread has channels of its own. It alternately writes ones and zeroes,
 * and reads them back: they are always what it has written, because no other
 * thread writes these channels. A lost bit would stay lost until the thread's
 * next write.
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define TURNS  20000
#define TEXELS 8
#define ONE    0x3f800000 /* 1.0f */

typedef struct Writer {
    VeuMem mem; /* its own path to the shared memory */
    EuFixture *eu;
    TestMessage write;
    TestMessage read;
    unsigned values; /* values of the channels that are read */
    uint32_t one;
    uint64_t lost;
    gint *started;
} Writer;

static _Alignas(TEST_PAGE_BYTES) uint8_t page[TEST_PAGE_BYTES];

static uint8_t *map(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    return page + iova % TEST_PAGE_BYTES;
}

/* A thread that works on the shared memory. */
static void writer_new(Writer *w, enum veu_format format, uint8_t channels)
{
    struct veu_surface s = { .base = EU_RAM,
                             .format = format,
                             .type = VEU_SURFACE_1D,
                             .width = TEXELS,
                             .levels = 1 };

    w->eu = eu_standard();
    w->mem.map = map;
    w->eu->thread.mem = &w->mem;
    w->write = eu_message(TEST_SCATTER4_TYPED);
    w->write.surface = eu_surface(w->eu, &s);
    w->write.channels = channels;
    w->read = w->write;
    w->read.kind = TEST_GATHER4_TYPED;
    w->values = TEXELS * __builtin_popcount(channels);
    w->one = veu_format_register_type(veu_format_find(format)) == VEU_TYPE_F ?
                 ONE :
                 1;
    for (unsigned lane = 0; lane < TEXELS; lane++) {
        eu_set32(w->eu, EU_OFFSETS_AT, lane, lane);
    }
}

static void check_back(Writer *w, uint32_t expected)
{
    memset(w->eu->registers + EU_DATA_AT, 0xee, 4 * w->values);
    veu_execute(&w->eu->thread, &w->eu->message);
    for (unsigned n = 0; n < w->values; n++) {
        w->lost += eu_get32(w->eu, EU_DATA_AT, n) != expected;
    }
}

static gpointer write_and_read(gpointer data)
{
    Writer *w = data;
    VeuMessage write;

    g_assert_true(eu_decode(w->eu, &w->write));
    write = w->eu->message;
    g_assert_true(eu_decode(w->eu, &w->read));
    g_atomic_int_inc(w->started);
    while (g_atomic_int_get(w->started) < 2) {}
    for (unsigned turn = 0; turn < TURNS; turn++) {
        uint32_t value = turn & 1 ? w->one : 0;

        for (unsigned n = 0; n < w->values; n++) {
            eu_set32(w->eu, EU_DATA_AT, n, value);
        }
        veu_execute(&w->eu->thread, &write);
        check_back(w, value);
    }
    return NULL;
}

static void race(enum veu_format format, uint8_t channels_a, uint8_t channels_b)
{
    Writer writers[2] = { 0 };
    GThread *threads[2];
    gint started = 0;

    writer_new(&writers[0], format, channels_a);
    writer_new(&writers[1], format, channels_b);
    for (unsigned i = 0; i < 2; i++) {
        writers[i].started = &started;
        threads[i] = g_thread_new("writer", write_and_read, &writers[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        g_thread_join(threads[i]);
        g_assert_cmpuint(writers[i].lost, ==, 0);
        eu_free(writers[i].eu);
    }
}

static void test_channels_of_whole_bytes(void)
{
    race(VEU_FORMAT_R8G8B8A8_UNORM, 0x1, 0x2);
    race(VEU_FORMAT_R8G8B8A8_UINT, 0x5, 0xa);
    race(VEU_FORMAT_R16G16B16A16_FLOAT, 0x3, 0xc);
    race(VEU_FORMAT_R32G32B32A32_SINT, 0x9, 0x6);
    race(VEU_FORMAT_R8G8_SINT, 0x1, 0x2);
}

static void test_channels_of_some_bits(void)
{
    race(VEU_FORMAT_B5G6R5_UNORM, 0x1, 0x2);
    race(VEU_FORMAT_B5G5R5A1_UNORM, 0x7, 0x8);
    race(VEU_FORMAT_R10G10B10A2_UINT, 0x5, 0xa);
    race(VEU_FORMAT_R10G10B10A2_UNORM, 0x7, 0x8);
    race(VEU_FORMAT_R11G11B10_FLOAT, 0x2, 0x5);
}

/* One thread stores whole bytes, the other one exchanges the texel. */
static void test_whole_bytes_beside_some_bits(void)
{
    race(VEU_FORMAT_B4G4R4A4_UNORM, 0x6, 0x1);
    race(VEU_FORMAT_B4G4R4A4_UNORM, 0x8, 0x7);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/typed_race/" #name, test_##name)
    RULE(channels_of_whole_bytes);
    RULE(channels_of_some_bits);
    RULE(whole_bytes_beside_some_bits);
#undef RULE
    return g_test_run();
}
