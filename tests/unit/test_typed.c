/*
 * veu unit tests: SCATTER4_TYPED: spec.md and semantics.md, section 5, apart
 * from the conversions (test_convert.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define UNTOUCHED 0xeeeeeeee
#define PAGES     UINT64_C(0x7000000) /* joined, for fast paths */

static const struct veu_surface line_rgba8_uint = {
    .base = EU_RAM,
    .format = VEU_FORMAT_R8G8B8A8_UINT,
    .type = VEU_SURFACE_1D,
    .width = 32,
    .levels = 1,
};

static TestMessage typed(unsigned surface, uint8_t channels)
{
    TestMessage m = eu_message(TEST_SCATTER4_TYPED);

    m.surface = surface;
    m.channels = channels;
    return m;
}

/* U = lane; data dword n = n + 1; memory holds 0xee. */
static EuFixture *typed_fixture(void)
{
    EuFixture *eu = eu_standard();

    for (unsigned n = 0; n < 512; n++) {
        eu_set32(eu, EU_DATA_AT, n, n + 1);
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        eu_set32(eu, EU_OFFSETS_AT, lane, lane);
    }
    test_memory_fill(&eu->memory, EU_RAM, 0xee, EU_RAM_BYTES);
    return eu;
}

static uint32_t texel32(EuFixture *eu, unsigned n)
{
    return test_memory_get32(&eu->memory, EU_RAM + 4 * n);
}

/*
 * Writes one lane at these coordinates; returns true if the byte at @address
 * changed.
 */
static void write_at(EuFixture *eu, unsigned surface, uint32_t u, uint32_t v,
                     uint32_t r, uint32_t lod)
{
    TestMessage m = typed(surface, 0x1);

    m.v.id = EU_V;
    m.r.id = EU_R;
    m.lod.id = EU_LOD;
    eu->thread.exec_mask = 1;
    eu_set32(eu, EU_OFFSETS_AT, 0, u);
    eu_set32(eu, EU_V_AT, 0, v);
    eu_set32(eu, EU_R_AT, 0, r);
    eu_set32(eu, EU_LOD_AT, 0, lod);
    eu_set32(eu, EU_DATA_AT, 0, 0x5a);
    test_memory_fill(&eu->memory, EU_RAM, 0, EU_RAM_BYTES);
    g_assert_true(eu_run(eu, &m));
}

/* Checks that only the byte at @offset was written, or none if it is -1. */
static void assert_written(EuFixture *eu, int64_t offset)
{
    for (int64_t i = 0; i < EU_RAM_BYTES; i++) {
        uint8_t byte = test_memory_get8(&eu->memory, EU_RAM + i);

        if (byte != (i == offset ? 0x5a : 0)) {
            g_test_message("byte %d is %#x", (int)i, byte);
            g_test_fail();
            return;
        }
    }
}

/* src[ch_pos * max(exec_size, GRF_SIZE / 4) + i]; data dword n holds n + 1. */
static void check_stride(unsigned grf_bytes, uint8_t exec, unsigned stride)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    TestMessage m = typed(eu_surface(eu, &line_rgba8_uint), 0xf);

    eu->grf_bytes = grf_bytes;
    m.exec = exec;
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 16; i++) {
        uint32_t expected = (i + 1) | (stride + i + 1) << 8 |
                            (2 * stride + i + 1) << 16 |
                            (3 * stride + i + 1) << 24;

        g_assert_cmphex(texel32(eu, i), ==,
                        exec == TEST_LANES_16 || i < 8 ? expected : UNTOUCHED);
    }
}

static void test_channel_stride(void)
{
    check_stride(32, TEST_LANES_8, 8);
    check_stride(32, TEST_LANES_16, 16);
    check_stride(64, TEST_LANES_8, 16);
    check_stride(64, TEST_LANES_16, 16);
}

/*
 * Tests all 15 masks: data is in RGBA order, and disabled channels keep their
 * byte.
 */
static void test_channel_masks(void)
{
    for (unsigned mask = 1; mask <= 15; mask++) {
        g_autoptr(EuFixture) eu = typed_fixture();
        TestMessage m = typed(eu_surface(eu, &line_rgba8_uint), mask);
        uint32_t expected = UNTOUCHED;
        unsigned ch_pos = 0;

        for (unsigned c = 0; c < 4; c++) {
            if (mask & 1u << c) {
                expected &= ~(0xffu << (8 * c));
                expected |= (ch_pos * 8 + 2) << (8 * c); /* lane 1 */
                ch_pos++;
            }
        }
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(texel32(eu, 1), ==, expected);
    }
}

/* R32: G, B and A have a place in the data, but are not stored. */
static void test_ch_pos_advances_for_channels_that_the_format_lacks(void)
{
    struct veu_surface s = line_rgba8_uint;
    g_autoptr(EuFixture) eu = typed_fixture();
    TestMessage m;

    s.format = VEU_FORMAT_R32_UINT;
    m = typed(eu_surface(eu, &s), 0xf);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel32(eu, 0), ==, 1);
    g_assert_cmphex(texel32(eu, 7), ==, 8);
    g_assert_cmphex(texel32(eu, 8), ==, UNTOUCHED);
    test_memory_fill(&eu->memory, EU_RAM, 0xee, 64);
    m.channels = 0xe;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel32(eu, 0), ==, UNTOUCHED);
    m.channels = 0x9;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel32(eu, 0), ==, 1);
}

/* Two threads that write R and G of a texel both succeed. */
static void test_channels_are_stored_as_exactly_their_bytes(void)
{
    static const struct {
        uint16_t format;
        unsigned channel_bytes;
    } formats[] = {
        { VEU_FORMAT_R32G32B32A32_FLOAT, 4 },
        { VEU_FORMAT_R16G16B16A16_FLOAT, 2 },
        { VEU_FORMAT_R8G8B8A8_UNORM, 1 },
        { VEU_FORMAT_R8G8B8A8_SNORM, 1 },
        { VEU_FORMAT_R8G8B8A8_SINT, 1 },
        { VEU_FORMAT_R8G8B8A8_UINT, 1 },
    };

    for (unsigned f = 0; f < G_N_ELEMENTS(formats); f++) {
        for (unsigned c = 0; c < 4; c++) {
            g_autoptr(EuFixture) eu = typed_fixture();
            struct veu_surface s = line_rgba8_uint;
            unsigned bytes = formats[f].channel_bytes;
            TestMessage m;

            s.format = formats[f].format;
            m = typed(eu_surface(eu, &s), 1u << c);
            m.data.id = 0; /* zeros */
            eu->thread.exec_mask = 2;
            g_assert_true(eu_run(eu, &m));
            for (unsigned i = 0; i < 64; i++) {
                unsigned first = 4 * bytes + c * bytes;
                bool inside = i >= first && i < first + bytes;

                g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + i), ==,
                                inside ? 0 : 0xee);
            }
        }
    }
}

static void test_1d_has_u(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    unsigned s = eu_surface(eu, &line_rgba8_uint);

    write_at(eu, s, 5, 99, 99, 0);
    assert_written(eu, 20);
    write_at(eu, s, 31, 0, 0, 0);
    assert_written(eu, 124);
    write_at(eu, s, 32, 0, 0, 0);
    assert_written(eu, -1);
    write_at(eu, s, UINT32_MAX, 0, 0, 0);
    assert_written(eu, -1);
}

static void test_a_typed_buffer_has_u(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    unsigned id;

    s.type = VEU_SURFACE_BUFFER;
    s.levels = 0;
    id = eu_surface(eu, &s);
    /* V, R and LOD do not apply */
    write_at(eu, id, 31, 7, 7, 7);
    assert_written(eu, 124);
    write_at(eu, id, 32, 0, 0, 0);
    assert_written(eu, -1);
}

static void test_2d_has_u_and_v(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    unsigned id;

    s.type = VEU_SURFACE_2D;
    s.width = 10;
    s.height = 6;
    s.pitch = 48;
    id = eu_surface(eu, &s);
    write_at(eu, id, 0, 0, 99, 0);
    assert_written(eu, 0);
    write_at(eu, id, 9, 5, 0, 0);
    assert_written(eu, 5 * 48 + 36);
    /* the padding of a row is out of bounds */
    write_at(eu, id, 10, 0, 0, 0);
    assert_written(eu, -1);
    write_at(eu, id, 0, 6, 0, 0);
    assert_written(eu, -1);
    write_at(eu, id, 0, UINT32_MAX, 0, 0);
    assert_written(eu, -1);
}

static void test_3d_has_u_v_and_r(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    unsigned id;

    s.type = VEU_SURFACE_3D;
    s.width = 10;
    s.height = 5;
    s.depth = 3;
    s.pitch = 40;
    s.qpitch = 8;
    id = eu_surface(eu, &s);
    write_at(eu, id, 1, 2, 0, 0);
    assert_written(eu, 2 * 40 + 4);
    write_at(eu, id, 9, 4, 2, 0);
    assert_written(eu, (2 * 8 + 4) * 40 + 36);
    /* the rows between two slices are out of bounds */
    write_at(eu, id, 0, 5, 0, 0);
    assert_written(eu, -1);
    write_at(eu, id, 0, 0, 3, 0);
    assert_written(eu, -1);
    write_at(eu, id, 0, 0, UINT32_MAX, 0);
    assert_written(eu, -1);
}

/* Level 2 has one slice of four, and the view begins with slice 3. */
static void test_a_level_without_slices_has_no_texels(void)
{
    static const uint8_t lanes[] = { TEST_LANES_8, TEST_LANES_16 };
    struct veu_surface s = line_rgba8_uint;

    s.base = PAGES;
    s.type = VEU_SURFACE_3D;
    s.width = 64;
    s.height = 32;
    s.depth = 4;
    s.pitch = 256;
    s.qpitch = 64;
    s.halign = s.valign = 4;
    s.min_lod = 2;
    s.min_array_element = 3;
    for (unsigned i = 0; i < G_N_ELEMENTS(lanes); i++) {
        g_autoptr(EuFixture) eu = typed_fixture();
        TestMessage m = typed(eu_surface(eu, &s), 0xf);

        eu->memory.joined = true;
        test_memory_add(&eu->memory, PAGES, 64 * 4096, true);
        m.exec = lanes[i];
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 0);
    }
}

static void test_lod_beyond_the_levels_is_out_of_bounds(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    unsigned s = eu_surface(eu, &line_rgba8_uint);

    write_at(eu, s, 0, 0, 0, 1);
    assert_written(eu, -1);
    write_at(eu, s, 0, 0, 0, UINT32_MAX);
    assert_written(eu, -1);
}

/* With U null, all lanes are at 0, and the highest one wins. */
static void test_null_coordinates_are_0(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m;

    s.type = VEU_SURFACE_3D;
    s.width = s.height = s.depth = s.qpitch = 4;
    s.pitch = 16;
    m = typed(eu_surface(eu, &s), 0x1);
    m.address.id = 0;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(texel32(eu, 0), ==, 0xeeeeee08);
    g_assert_cmphex(texel32(eu, 1), ==, UNTOUCHED);
}

/* Every lane has coordinates of its own. */
static void test_each_lane_has_its_coordinates(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m;

    s.type = VEU_SURFACE_2D;
    s.width = s.height = 16;
    s.pitch = 64;
    m = typed(eu_surface(eu, &s), 0x1);
    m.v.id = EU_V;
    for (unsigned i = 0; i < 8; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, 15 - i);
        eu_set32(eu, EU_V_AT, i, 2 * i + (i == 7 ? 2 : 0));
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 7; i++) {
        g_assert_cmphex(texel32(eu, 2 * i * 16 + 15 - i), ==, 0xeeeeee01 + i);
    }
    g_assert_cmphex(texel32(eu, 16 * 16 + 8), ==, UNTOUCHED); /* lane 7 */
}

static void test_unused_coordinates_are_a_contract_event(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m = typed(eu_surface(eu, &s), 0xf);
    const uint32_t unused = 1u << VEU_CONTRACT_UNUSED_OPERAND;

    eu->config.check = true;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
    m.v.id = EU_V;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, unused);
    s.type = VEU_SURFACE_2D;
    s.height = 1;
    s.pitch = 128;
    m.surface = eu_surface(eu, &s);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
    m.r.id = EU_R;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, unused);
    s.type = VEU_SURFACE_3D;
    s.depth = 1;
    s.qpitch = 4;
    m.surface = eu_surface(eu, &s);
    m.lod.id = EU_LOD;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==, 0);
}

static void test_unused_coordinates_of_a_buffer(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m;

    s.type = VEU_SURFACE_BUFFER;
    s.levels = 0;
    eu->config.check = true;
    for (unsigned unused = 0; unused < 4; unused++) {
        m = typed(eu_surface(eu, &s), 0xf);
        m.v.id = unused == 1 ? EU_V : 0;
        m.r.id = unused == 2 ? EU_R : 0;
        m.lod.id = unused == 3 ? EU_LOD : 0;
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu->thread.contracts, ==,
                        unused ? 1u << VEU_CONTRACT_UNUSED_OPERAND : 0);
    }
}

static void check_register_type(uint16_t format, enum veu_type wanted)
{
    static const enum veu_type types[] = { VEU_TYPE_UD, VEU_TYPE_D,
                                           VEU_TYPE_F };
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m;

    s.format = format;
    m = typed(eu_surface(eu, &s), 0x1);
    for (unsigned i = 0; i < 3; i++) {
        bool fits = types[i] == wanted;

        m.data.id = eu_variable(eu, EU_DATA_AT, 64, types[i]);
        eu->config = (VeuConfig){ .check = true };
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu->thread.contracts, ==,
                        fits ? 0 : 1u << VEU_CONTRACT_REGISTER_TYPE);
        eu->config = (VeuConfig){ .strict_types = true };
        test_memory_fill(&eu->memory, EU_RAM, 0xee, 64);
        g_assert_cmpint(eu_run(eu, &m), ==, fits);
        if (!fits) {
            g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_REGISTER_TYPE);
            g_assert_cmphex(texel32(eu, 0), ==, UNTOUCHED);
        }
    }
}

static void test_register_types_are_checked_on_request(void)
{
    check_register_type(VEU_FORMAT_R32_UINT, VEU_TYPE_UD);
    check_register_type(VEU_FORMAT_R8G8B8A8_UINT, VEU_TYPE_UD);
    check_register_type(VEU_FORMAT_R32_SINT, VEU_TYPE_D);
    check_register_type(VEU_FORMAT_R8G8B8A8_SINT, VEU_TYPE_D);
    check_register_type(VEU_FORMAT_R32_FLOAT, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R16G16B16A16_FLOAT, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R8G8B8A8_UNORM, VEU_TYPE_F);
    check_register_type(VEU_FORMAT_R8G8B8A8_SNORM, VEU_TYPE_F);
}

/*
 * Lanes are interpreted by the surface's type, whatever the register's
 * declaration.
 */
static void test_lanes_are_read_by_the_surfaces_type(void)
{
    static const enum veu_type types[] = { VEU_TYPE_UD, VEU_TYPE_D,
                                           VEU_TYPE_F };
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m = typed(0, 0x1);

    for (unsigned i = 0; i < 3; i++) {
        m.data.id = eu_variable(eu, EU_DATA_AT, 64, types[i]);
        eu_set32(eu, EU_DATA_AT, 0, 0xffffffff);
        s.format = VEU_FORMAT_R8G8B8A8_UINT;
        m.surface = eu_surface(eu, &s);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(texel32(eu, 0), ==, 0xeeeeeeff);
        s.format = VEU_FORMAT_R8G8B8A8_SINT;
        m.surface = eu_surface(eu, &s);
        eu_set32(eu, EU_DATA_AT, 0, -200);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(texel32(eu, 0), ==, 0xeeeeee80);
        s.format = VEU_FORMAT_R8G8B8A8_UNORM;
        m.surface = eu_surface(eu, &s);
        eu_set32(eu, EU_DATA_AT, 0, 0x3f800000); /* 1.0f */
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(texel32(eu, 0), ==, 0xeeeeeeff);
    }
}

static void check_kind(EuFixture *eu, unsigned surface)
{
    TestMessage m = typed(surface, 0xf);

    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_SURFACE_KIND);
    g_assert_cmphex(eu->fault.lane, ==, VEU_FAULT_NO_LANE);
}

static void test_surfaces_that_are_no_typed_memory(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface slm = { .format = VEU_FORMAT_R32_UINT,
                               .type = VEU_SURFACE_BUFFER,
                               .width = 16,
                               .flags = VEU_SURFACE_SLM };
    struct veu_surface null = { .type = VEU_SURFACE_NULL };

    check_kind(eu, 0);         /* SLM */
    check_kind(eu, 5);         /* stateless */
    check_kind(eu, EU_BUFFER); /* RAW */
    check_kind(eu, eu_surface(eu, &slm));
    check_kind(eu, eu_surface(eu, &null));
}

/* Lane 3 is in a hole; the record describes its texel. */
static void test_other_lanes_of_a_faulting_message_complete(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m;

    s.base = EU_RAM + EU_RAM_BYTES - 12;
    m = typed(eu_surface(eu, &s), 0x5);
    eu_set32(eu, EU_OFFSETS_AT, 7, 99); /* out of bounds: no fault */
    for (unsigned i = 4; i < 7; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, 2);
    }
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmpuint(eu->fault.lane, ==, 3);
    g_assert_cmphex(eu->fault.lanes, ==, 0x08);
    g_assert_cmphex(eu->fault.address, ==, EU_RAM + EU_RAM_BYTES);
    g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 6 * 2);
    g_assert_cmphex(test_memory_get32(&eu->memory, s.base), ==, 0xee09ee01);
    g_assert_cmphex(test_memory_get32(&eu->memory, s.base + 8), ==, 0xee0fee07);
}

static void test_read_only_memory_faults(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    struct veu_surface s = line_rgba8_uint;
    TestMessage m;

    s.base = EU_ROM;
    m = typed(eu_surface(eu, &s), 0xf);
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(eu->fault.lanes, ==, 0xff);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_ROM), ==, 0);
}

/* The surface begins within a page, and its texels lie in two. */
static void test_the_pages_of_all_texels_are_marked(void)
{
    for (unsigned n = TEST_LANES_8; n <= TEST_LANES_16; n++) {
        g_autoptr(EuFixture) eu = typed_fixture();
        struct veu_surface s = line_rgba8_uint;
        TestMessage m;

        s.base = PAGES + 4096 - 16;
        m = typed(eu_surface(eu, &s), 0xf);
        m.exec = n;
        eu->memory.joined = true;
        test_memory_add(&eu->memory, PAGES, 2 * 4096, true);
        test_memory_send_all(&eu->memory);
        g_assert_true(eu_run(eu, &m));
        test_memory_flush(&eu->memory);
        g_assert_cmpint(test_memory_unsent(&eu->memory), ==, -1);
        g_assert_cmphex(test_memory_get8(&eu->memory, PAGES + 4096), ==, 5);
    }
}

static void test_colliding_lanes_are_a_contract_event(void)
{
    g_autoptr(EuFixture) eu = typed_fixture();
    TestMessage m = typed(eu_surface(eu, &line_rgba8_uint), 0x1);

    eu->config.check = true;
    eu_set32(eu, EU_OFFSETS_AT, 5, 2);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->thread.contracts, ==,
                    1u << VEU_CONTRACT_LANE_COLLISION);
    g_assert_cmphex(texel32(eu, 2), ==, 0xeeeeee06); /* the highest lane wins */
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/typed/" #name, test_##name)
    RULE(channel_stride);
    RULE(channel_masks);
    RULE(ch_pos_advances_for_channels_that_the_format_lacks);
    RULE(channels_are_stored_as_exactly_their_bytes);
    RULE(1d_has_u);
    RULE(a_typed_buffer_has_u);
    RULE(2d_has_u_and_v);
    RULE(3d_has_u_v_and_r);
    RULE(a_level_without_slices_has_no_texels);
    RULE(lod_beyond_the_levels_is_out_of_bounds);
    RULE(null_coordinates_are_0);
    RULE(each_lane_has_its_coordinates);
    RULE(unused_coordinates_are_a_contract_event);
    RULE(unused_coordinates_of_a_buffer);
    RULE(register_types_are_checked_on_request);
    RULE(lanes_are_read_by_the_surfaces_type);
    RULE(surfaces_that_are_no_typed_memory);
    RULE(other_lanes_of_a_faulting_message_complete);
    RULE(read_only_memory_faults);
    RULE(the_pages_of_all_texels_are_marked);
    RULE(colliding_lanes_are_a_contract_event);
#undef RULE
    return g_test_run();
}
