/*
 * veu unit tests: TYPED_ATOMIC: formats and coordinates: docs/spec.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/lib/eu_fixture.h"

#define UNTOUCHED 0xeeeeeeee

static TestMessage atomic(uint8_t op)
{
    TestMessage m = eu_message(TEST_TYPED_ATOMIC);

    m.op = op;
    return m;
}

/* R32 and R16 of any type are legal, if their size is that of the operation. */
static void test_formats(void)
{
    static const uint16_t r32[] = { VEU_FORMAT_R32_UINT, VEU_FORMAT_R32_SINT,
                                    VEU_FORMAT_R32_FLOAT };
    static const uint16_t r16[] = { VEU_FORMAT_R16_UINT, VEU_FORMAT_R16_SINT,
                                    VEU_FORMAT_R16_FLOAT };

    for (unsigned format = 0; format < 0x200; format++) {
        g_autoptr(EuFixture) eu = eu_standard();
        bool is_32 = false;
        bool is_16 = false;

        if (!veu_format_find(format) || format == VEU_FORMAT_RAW) {
            continue;
        }
        for (unsigned i = 0; i < 3; i++) {
            is_32 |= r32[i] == format;
            is_16 |= r16[i] == format;
        }
        eu_typed_buffer(eu, format, 64);
        for (unsigned code = 0; code <= TEST_FSUB; code++) {
            TestMessage m = atomic(code);

            if (code == 14 || code == 15) {
                continue;
            }
            m.src0.id = 0;
            m.surface = 7;
            g_assert_cmpint(eu_run(eu, &m), ==, is_32);
            g_assert_cmphex(eu->fault.code, ==,
                            is_32 ? 0 : VEU_FAULT_SURFACE_KIND);
            if (is_32) {
                eu_assert_waits(eu);
            }
            m.op |= TEST_16_BIT;
            g_assert_cmpint(eu_run(eu, &m), ==, is_16);
        }
    }
}

static void test_untyped_memory_is_refused(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned surface = 0; surface <= 6; surface++) {
        TestMessage m = atomic(TEST_ADD);

        m.surface = surface;
        g_assert_false(eu_run(eu, &m));
        g_assert_cmphex(eu->fault.code, ==,
                        surface >= 1 && surface <= 4 ?
                            VEU_FAULT_SURFACE_NOT_MODELLED :
                            VEU_FAULT_SURFACE_KIND);
    }
}

/* An operation reads what it writes: docs/spec.md, section 3. */
static void test_memory_that_must_not_be_read(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = atomic(TEST_INC);

    m.src0.id = 0;
    m.surface = eu_typed_buffer(eu, VEU_FORMAT_R32_UINT, 64);
    eu->memory.page[0].write_only = true;
    eu->thread.exec_mask = 4;
    for (unsigned i = 0; i < 8; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, i);
    }
    g_assert_false(eu_run(eu, &m));
    eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 2, 0, EU_RAM + 8);
    eu->memory.page[0].write_only = false;
    g_assert_true(eu_run(eu, &m));
}

/* U, V, R and LOD address a texel as in SCATTER4_TYPED. */
static void test_coordinates(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    struct veu_surface s = {
        .base = EU_RAM,
        .format = VEU_FORMAT_R32_UINT,
        .type = VEU_SURFACE_3D,
        .width = 4,
        .height = 4,
        .depth = 2,
        .pitch = 64,
        .qpitch = 8,
        .levels = 1,
    };
    TestMessage m = atomic(TEST_INC);

    m.surface = eu_surface(eu, &s);
    m.src0.id = 0;
    m.v.id = EU_V;
    m.r.id = EU_R;
    m.lod.id = EU_LOD;
    for (unsigned i = 0; i < 8; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, i % 5);
        eu_set32(eu, EU_V_AT, i, 3);
        eu_set32(eu, EU_R_AT, i, 1 + i / 7);
        eu_set32(eu, EU_LOD_AT, i, i == 6);
        eu_set32(eu, EU_DATA_AT, i, UNTOUCHED);
    }
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 5 * 4);
    /* (1 * 8 + 3) * 64 + 4 * U: lanes 0 and 5 met at U = 0 */
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 704), ==, 2);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 708), ==, 1);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 712), ==, 1);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 720), ==, 0);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 5), ==, 1);
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 6), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/atomic-typed/" #name, test_##name)
    RULE(formats);
    RULE(untyped_memory_is_refused);
    RULE(memory_that_must_not_be_read);
    RULE(coordinates);
#undef RULE
    return g_test_run();
}
