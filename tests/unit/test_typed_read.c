/*
 * veu unit tests: GATHER4_TYPED: spec.md and semantics.md, section 5, apart
 * from the conversions (test_unpack.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define UNTOUCHED 0xeeeeeeee

static const struct veu_surface line = {
    .base = EU_RAM,
    .format = VEU_FORMAT_R8G8B8A8_UINT,
    .type = VEU_SURFACE_1D,
    .width = 32,
    .levels = 1,
};

static unsigned surface_of(EuFixture *eu, enum veu_format format)
{
    struct veu_surface s = line;

    s.format = format;
    return eu_surface(eu, &s);
}

static TestMessage typed(unsigned surface, uint8_t channels)
{
    TestMessage m = eu_message(TEST_GATHER4_TYPED);

    m.surface = surface;
    m.channels = channels;
    return m;
}

/* U = lane; byte n of memory is n; the destination holds 0xee. */
static EuFixture *read_fixture(void)
{
    EuFixture *eu = eu_standard();

    memset(eu->registers + EU_DATA_AT, 0xee, 2048);
    for (unsigned lane = 0; lane < 32; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane);
    }
    for (unsigned n = 0; n < 256; n++) {
        test_memory_fill(&eu->memory, EU_RAM + n, n, 1);
    }
    return eu;
}

/* dst[ch_pos * max(exec_size, GRF_SIZE / 4) + i]; byte 4 * i + c. */
static void check_stride(unsigned grf_bytes, uint8_t exec, unsigned stride)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0xf);
    unsigned lanes = exec == TEST_LANES_16 ? 16 : 8;

    eu->grf_bytes = grf_bytes;
    m.exec = exec;
    g_assert_true(eu_run(eu, &m));
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < stride; i++) {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, c * stride + i), ==,
                            i < lanes ? 4 * i + c : UNTOUCHED);
        }
    }
    eu_assert_waits(eu);
}

static void test_channel_stride(void)
{
    check_stride(32, TEST_LANES_8, 8);
    check_stride(32, TEST_LANES_16, 16);
    check_stride(64, TEST_LANES_8, 16);
    check_stride(64, TEST_LANES_16, 16);
}

static void test_channel_masks(void)
{
    for (unsigned mask = 1; mask <= 15; mask++) {
        g_autoptr(EuFixture) eu = read_fixture();
        TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), mask);
        unsigned ch_pos = 0;

        g_assert_true(eu_run(eu, &m));
        for (unsigned c = 0; c < 4; c++) {
            if (mask & 1u << c) {
                g_assert_cmphex(eu_get32(eu, EU_DATA_AT, ch_pos * 8 + 5), ==,
                                20 + c);
                ch_pos++;
            }
        }
        for (unsigned i = ch_pos * 8; i < 40; i++) {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, UNTOUCHED);
        }
    }
}

/* Checks lane 0 of the four channels. */
static void check_texel(enum veu_format format, const char *texel, uint32_t r,
                        uint32_t g, uint32_t b, uint32_t a)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, format), 0xf);

    for (unsigned i = 0; i < strlen(texel) / 2; i++) {
        unsigned byte = g_ascii_xdigit_value(texel[2 * i]) << 4 |
                        g_ascii_xdigit_value(texel[2 * i + 1]);

        test_memory_fill(&eu->memory, EU_RAM + i, byte, 1);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, r);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 8), ==, g);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 16), ==, b);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 24), ==, a);
}

#define ONE  0x3f800000 /* 1.0f */
#define MIN1 0xbf800000 /* -1.0f */

/* Tests the places of the channels of each layout. */
static void test_texels_of_all_layouts(void)
{
    check_texel(VEU_FORMAT_R32G32B32A32_UINT,
                "01000000020000000300000004000080", 1, 2, 3, 0x80000004);
    check_texel(VEU_FORMAT_R16G16B16A16_SINT, "0100ffff0080ff7f", 1, -1, -32768,
                32767);
    check_texel(VEU_FORMAT_R16G16B16A16_FLOAT, "003c00bc0000007c", ONE, MIN1, 0,
                0x7f800000);
    check_texel(VEU_FORMAT_R8G8B8A8_SNORM, "7f818000", ONE, MIN1, MIN1, 0);
    check_texel(VEU_FORMAT_B8G8R8A8_UNORM, "ff000000", 0, 0, ONE, 0);
    check_texel(VEU_FORMAT_B8G8R8A8_UNORM, "0000ff00", ONE, 0, 0, 0);
    check_texel(VEU_FORMAT_R10G10B10A2_UINT, "ff0b40c0", 1023, 2, 4, 3);
    check_texel(VEU_FORMAT_B10G10R10A2_UNORM, "0000f03f", ONE, 0, 0, 0);
    check_texel(VEU_FORMAT_R11G11B10_FLOAT, "c0031e78", ONE, ONE, ONE, ONE);
    check_texel(VEU_FORMAT_R10G10B10_FLOAT_A2_UNORM, "e081079e", ONE, ONE, ONE,
                0x3f2aaaab);
    check_texel(VEU_FORMAT_B5G6R5_UNORM, "e007", 0, ONE, 0, ONE);
    check_texel(VEU_FORMAT_B5G5R5A1_UNORM, "1f80", 0, 0, ONE, ONE);
    check_texel(VEU_FORMAT_B5G5R5A1_UNORM, "007c", ONE, 0, 0, 0);
    check_texel(VEU_FORMAT_B5G5R5X1_UNORM, "007c", ONE, 0, 0, ONE);
    check_texel(VEU_FORMAT_B4G4R4A4_UNORM, "f00f", ONE, ONE, 0, 0);
    check_texel(VEU_FORMAT_A8_UNORM, "ff", 0, 0, 0, ONE);
}

/* Missing channels read 0, and alpha 1: 1.0f, or 1 for SINT and UINT. */
static void test_channels_that_the_format_lacks(void)
{
    check_texel(VEU_FORMAT_R32_FLOAT, "01020304", 0x04030201, 0, 0, ONE);
    check_texel(VEU_FORMAT_R32_SINT, "01020304", 0x04030201, 0, 0, 1);
    check_texel(VEU_FORMAT_R32_UINT, "01020304", 0x04030201, 0, 0, 1);
    check_texel(VEU_FORMAT_R8G8_SNORM, "0000", 0, 0, 0, ONE);
    check_texel(VEU_FORMAT_R8G8_SINT, "ff80", -1, -128, 0, 1);
    check_texel(VEU_FORMAT_R16_UNORM, "ffff", ONE, 0, 0, ONE);
    check_texel(VEU_FORMAT_R16_FLOAT, "0000", 0, 0, 0, ONE);
    check_texel(VEU_FORMAT_R11G11B10_FLOAT, "00000000", 0, 0, 0, ONE);
}

/* This does not depend on whether the format has alpha. */
static void check_outside(enum veu_format format, uint32_t alpha)
{
    for (unsigned mask = 1; mask <= 15; mask++) {
        g_autoptr(EuFixture) eu = read_fixture();
        TestMessage m = typed(surface_of(eu, format), mask);
        unsigned ch_pos = 0;

        test_memory_fill(&eu->memory, EU_RAM, 0x55, 4096);
        eu_set32(eu, EU_OFFSETS_AT, 3, 32);
        g_assert_true(eu_run(eu, &m));
        for (unsigned c = 0; c < 4; c++) {
            if (mask & 1u << c) {
                g_assert_cmphex(eu_get32(eu, EU_DATA_AT, ch_pos++ * 8 + 3), ==,
                                c == 3 ? alpha : 0);
            }
        }
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, ch_pos * 8 + 3), ==,
                        UNTOUCHED);
    }
}

static void test_out_of_bounds_reads_0_0_0_1(void)
{
    check_outside(VEU_FORMAT_R8G8B8A8_UNORM, ONE);
    check_outside(VEU_FORMAT_R8G8B8A8_SINT, 1);
    check_outside(VEU_FORMAT_R8G8B8A8_UINT, 1);
    check_outside(VEU_FORMAT_R16G16_FLOAT, ONE);
    check_outside(VEU_FORMAT_R32_UINT, 1);
    check_outside(VEU_FORMAT_R10G10B10_FLOAT_A2_UNORM, ONE);
    check_outside(VEU_FORMAT_A8_UNORM, ONE);
}

static void test_lanes_that_do_not_run_keep_their_data(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0xf);

    eu->thread.exec_mask = 0x12;
    eu_set32(eu, EU_OFFSETS_AT, 0, UINT32_MAX); /* never accessed */
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 32; i++) {
        bool runs = i % 8 == 1 || i % 8 == 4;

        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==,
                        runs ? i % 8 * 4 + i / 8 : UNTOUCHED);
    }
}

/* Lane 3 is in a hole, lane 7 out of bounds; the others complete. */
static void test_a_faulting_lane_keeps_its_data(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    struct veu_surface s = line;
    TestMessage m;

    s.base = EU_RAM + EU_RAM_BYTES - 12;
    test_memory_fill(&eu->memory, s.base, 0x77, 12);
    m = typed(eu_surface(eu, &s), 0xf);
    for (unsigned i = 4; i < 7; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, 2);
    }
    eu_set32(eu, EU_OFFSETS_AT, 7, 99);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.lane, ==, 3);
    g_assert_cmphex(eu->fault.lanes, ==, 0x08);
    g_assert_cmphex(eu->fault.address, ==, EU_RAM + EU_RAM_BYTES);
    g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_READ);
    g_assert_cmpuint(eu->fault.bytes, ==, 4);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 6 * 4);
    for (unsigned c = 0; c < 4; c++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 8 * c + 2), ==, 0x77);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 8 * c + 3), ==, UNTOUCHED);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 8 * c + 6), ==, 0x77);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 8 * c + 7), ==, c == 3);
    }
}

/* Memory that can only be read suffices. */
static void test_read_only_memory_is_read(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    struct veu_surface s = line;
    TestMessage m;

    s.base = EU_ROM;
    m = typed(eu_surface(eu, &s), 0x1);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 7), ==, 0);
}

static void test_a_null_destination_is_dropped(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0xf);
    g_autofree uint8_t *before = NULL;

    m.data.id = 0;
    before = g_memdup2(eu->registers, sizeof(eu->registers));
    g_assert_true(eu_run(eu, &m));
    g_assert_true(!memcmp(eu->registers, before, sizeof(eu->registers)));
    eu_set32(eu, EU_OFFSETS_AT, 0, 0);
    m.surface = 99;
    g_assert_false(eu_run(eu, &m));
}

/* U is read before the data that overlaps it is written. */
static void test_operands_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0xf);

    m.data.id = eu_variable(eu, EU_OFFSETS_AT, 64, VEU_TYPE_UD);
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 32; i++) {
        g_assert_cmphex(eu_get32(eu, EU_OFFSETS_AT, i), ==, i % 8 * 4 + i / 8);
    }
}

/* Null coordinates are 0, so that all lanes read the first texel. */
static void test_null_coordinates_are_0(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0x2);

    m.address.id = 0;
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, 1);
    }
}

static void test_unused_coordinates_are_a_contract_event(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0xf);

    eu->config.check = true;
    m.r.id = EU_R;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==,
                    1u << VEU_CONTRACT_UNUSED_OPERAND);
}

/* Lanes that read the same texel break no rule. */
static void test_lanes_may_read_the_same_texel(void)
{
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, VEU_FORMAT_R8G8B8A8_UINT), 0x1);

    eu->config.check = true;
    memset(eu->registers + EU_OFFSETS_AT, 0, 32);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
}

static void check_register_type(enum veu_format format, enum veu_type wanted)
{
    static const enum veu_type types[] = { VEU_TYPE_UD, VEU_TYPE_D,
                                           VEU_TYPE_F };
    g_autoptr(EuFixture) eu = read_fixture();
    TestMessage m = typed(surface_of(eu, format), 0x1);

    for (unsigned i = 0; i < 3; i++) {
        bool fits = types[i] == wanted;

        m.data.id = eu_variable(eu, EU_DATA_AT, 64, types[i]);
        eu->config = (VeuConfig){ .check = true };
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu->thread.contracts, ==,
                        fits ? 0 : 1u << VEU_CONTRACT_REGISTER_TYPE);
        eu->config = (VeuConfig){ .strict_types = true };
        eu_set32(eu, EU_DATA_AT, 0, UNTOUCHED);
        g_assert_cmpint(eu_run(eu, &m), ==, fits);
        if (!fits) {
            g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_REGISTER_TYPE);
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, UNTOUCHED);
        }
    }
}

static void test_register_types_are_checked_on_request(void)
{
    check_register_type(VEU_FORMAT_R8G8B8A8_UINT, VEU_TYPE_UD);
    check_register_type(VEU_FORMAT_R16_SINT, VEU_TYPE_D);
    check_register_type(VEU_FORMAT_A8_UNORM, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R8_SNORM, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R16_FLOAT, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R11G11B10_FLOAT, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R10G10B10_FLOAT_A2_UNORM, VEU_TYPE_F);
}

static void test_surfaces_that_are_no_typed_memory(void)
{
    static const unsigned surfaces[] = { 0, 5, EU_BUFFER };
    g_autoptr(EuFixture) eu = read_fixture();

    for (unsigned i = 0; i < G_N_ELEMENTS(surfaces); i++) {
        TestMessage m = typed(surfaces[i], 0xf);

        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_SURFACE_KIND);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/typed_read/" #name, test_##name)
    RULE(channel_stride);
    RULE(channel_masks);
    RULE(texels_of_all_layouts);
    RULE(channels_that_the_format_lacks);
    RULE(out_of_bounds_reads_0_0_0_1);
    RULE(lanes_that_do_not_run_keep_their_data);
    RULE(a_faulting_lane_keeps_its_data);
    RULE(read_only_memory_is_read);
    RULE(a_null_destination_is_dropped);
    RULE(operands_are_read_before_results_are_written);
    RULE(null_coordinates_are_0);
    RULE(unused_coordinates_are_a_contract_event);
    RULE(lanes_may_read_the_same_texel);
    RULE(register_types_are_checked_on_request);
    RULE(surfaces_that_are_no_typed_memory);
#undef RULE
    return g_test_run();
}
