/*
 * veu unit tests: SCATTER4_TYPED on formats with channels that are not whole
 * bytes: semantics.md, section 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define ONE 0x3f800000 /* 1.0f */

typedef struct Layout {
    enum veu_format format;
    unsigned bytes;
    uint32_t bits[4]; /* bits of R, G, B, A in the texel */
    uint32_t one;     /* the value that sets all bits of a channel */
} Layout;

/* Typed by hand from surface_formats.tsv. An infinity has a fraction of 0. */
static const Layout layouts[] = {
    { VEU_FORMAT_B5G6R5_UNORM, 2, { 0xf800, 0x07e0, 0x001f, 0 }, ONE },
    { VEU_FORMAT_B5G5R5A1_UNORM, 2, { 0x7c00, 0x03e0, 0x001f, 0x8000 }, ONE },
    { VEU_FORMAT_B5G5R5X1_UNORM, 2, { 0x7c00, 0x03e0, 0x001f, 0 }, ONE },
    { VEU_FORMAT_B4G4R4A4_UNORM, 2, { 0x0f00, 0x00f0, 0x000f, 0xf000 }, ONE },
    { VEU_FORMAT_R10G10B10A2_UNORM,
      4,
      { 0x000003ff, 0x000ffc00, 0x3ff00000, 0xc0000000 },
      ONE },
    { VEU_FORMAT_R10G10B10A2_UINT,
      4,
      { 0x000003ff, 0x000ffc00, 0x3ff00000, 0xc0000000 },
      9999 },
    { VEU_FORMAT_B10G10R10A2_UNORM,
      4,
      { 0x3ff00000, 0x000ffc00, 0x000003ff, 0xc0000000 },
      ONE },
    { VEU_FORMAT_R11G11B10_FLOAT,
      4,
      { 0x000007ff, 0x003ff800, 0xffc00000, 0 },
      0x7fffffff },
    { VEU_FORMAT_R10G10B10_FLOAT_A2_UNORM,
      4,
      { 0x000003ff, 0x000ffc00, 0x3ff00000, 0 },
      0x7fffffff },
};

/* U = lane; @value in all channels. */
static EuFixture *fixture(const Layout *l, uint32_t value, uint8_t channels,
                          TestMessage *m)
{
    EuFixture *eu = eu_standard();
    struct veu_surface s = { .base = EU_RAM,
                             .format = l->format,
                             .type = VEU_SURFACE_1D,
                             .width = 32,
                             .levels = 1 };

    *m = eu_message(TEST_SCATTER4_TYPED);
    m->surface = eu_surface(eu, &s);
    m->channels = channels;
    for (unsigned n = 0; n < 64; n++) {
        eu_set32(eu, EU_DATA_AT, n, value);
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane);
    }
    return eu;
}

static uint32_t texel(EuFixture *eu, const Layout *l, unsigned n)
{
    uint32_t value = 0;

    test_memory_get(&eu->memory, EU_RAM + n * l->bytes, &value, l->bytes);
    return value;
}

static uint32_t chosen_bits(const Layout *l, unsigned mask)
{
    uint32_t bits = 0;

    for (unsigned c = 0; c < 4; c++) {
        bits |= mask & 1u << c ? l->bits[c] : 0;
    }
    return bits;
}

/* Tests all masks, ones into zeroes and zeroes into ones. */
static void test_only_the_bits_of_chosen_channels_change(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(layouts); i++) {
        const Layout *l = &layouts[i];
        uint32_t all = UINT32_MAX >> (32 - 8 * l->bytes);

        for (unsigned mask = 1; mask <= 15; mask++) {
            uint32_t bits = chosen_bits(l, mask);
            TestMessage m;
            g_autoptr(EuFixture) ones = fixture(l, l->one, mask, &m);
            g_autoptr(EuFixture) zeroes = fixture(l, 0, mask, &m);

            if (l->format == VEU_FORMAT_R10G10B10_FLOAT_A2_UNORM) {
                m.channels &= 0x7; /* NaN does not set the bits of a UNORM */
            }
            if (!m.channels) {
                continue;
            }
            test_memory_fill(&zeroes->memory, EU_RAM, 0xff, 4096);
            g_assert_true(eu_run(ones, &m));
            g_assert_true(eu_run(zeroes, &m));
            g_assert_cmphex(texel(ones, l, 0), ==, bits);
            g_assert_cmphex(texel(ones, l, 7), ==, bits);
            g_assert_cmphex(texel(ones, l, 8), ==, 0);
            g_assert_cmphex(texel(zeroes, l, 0), ==, all & ~bits);
            g_assert_cmphex(texel(zeroes, l, 7), ==, all & ~bits);
            g_assert_cmphex(texel(zeroes, l, 8), ==, all);
        }
    }
}

/* X bits keep their value even when all channels are written. */
static void test_x_bits_keep_their_value(void)
{
    const Layout *x1 = &layouts[2];
    TestMessage m;
    g_autoptr(EuFixture) eu = fixture(x1, ONE, 0xf, &m);

    test_memory_fill(&eu->memory, EU_RAM, 0x80, 2);
    test_memory_fill(&eu->memory, EU_RAM + 2, 0x7f, 2);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel(eu, x1, 0), ==, 0xffff);
    g_assert_cmphex(texel(eu, x1, 1), ==, 0x7fff);
}

static void test_channels_of_a_texel_may_differ_in_type(void)
{
    const Layout *l = &layouts[8];
    TestMessage m;
    g_autoptr(EuFixture) eu = fixture(l, ONE, 0xf, &m);

    g_assert_cmphex(l->format, ==, VEU_FORMAT_R10G10B10_FLOAT_A2_UNORM);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel(eu, l, 0), ==,
                    0x1e0 | 0x1e0 << 10 | 0x1e0 << 20 | 0xc0000000);
}

/* Counts the bytes in which a stored channel has bits. */
static void test_moved_bytes_are_those_with_a_stored_bit(void)
{
    static const struct {
        unsigned layout;
        uint8_t channels;
        uint32_t bytes;
    } cases[] = {
        { 0, 0x1, 1 }, { 0, 0x2, 2 }, { 0, 0x7, 2 }, { 0, 0x8, 0 },
        { 4, 0x1, 2 }, { 4, 0x8, 1 }, { 4, 0xf, 4 }, { 7, 0x2, 2 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        TestMessage m;
        g_autoptr(EuFixture)
            eu = fixture(&layouts[cases[i].layout], 0, cases[i].channels, &m);

        eu->thread.exec_mask = 0x7;
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 3 * cases[i].bytes);
    }
}

static void test_of_colliding_lanes_the_highest_wins(void)
{
    const Layout *l = &layouts[0];
    TestMessage m;
    g_autoptr(EuFixture) eu = fixture(l, 0, 0x2, &m);

    eu->config.check = true;
    m.address.id = 0; /* all lanes at texel 0 */
    eu_set32(eu, EU_DATA_AT, 7, ONE);
    test_memory_fill(&eu->memory, EU_RAM, 0xff, 2);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel(eu, l, 0), ==, 0xffff);
    g_assert_true(eu->thread.contracts & 1u << VEU_CONTRACT_LANE_COLLISION);
}

/* Nothing is stored, so nothing collides. */
static void test_lanes_that_store_nothing_do_not_collide(void)
{
    const Layout *l = &layouts[0];
    TestMessage m;
    g_autoptr(EuFixture) eu = fixture(l, ONE, 0x8, &m);

    eu->config.check = true;
    m.address.id = 0;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel(eu, l, 0), ==, 0);
    g_assert_false(eu->thread.contracts & 1u << VEU_CONTRACT_LANE_COLLISION);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/typed_bits/" #name, test_##name)
    RULE(only_the_bits_of_chosen_channels_change);
    RULE(x_bits_keep_their_value);
    RULE(channels_of_a_texel_may_differ_in_type);
    RULE(moved_bytes_are_those_with_a_stored_bit);
    RULE(of_colliding_lanes_the_highest_wins);
    RULE(lanes_that_store_nothing_do_not_collide);
#undef RULE
    return g_test_run();
}
