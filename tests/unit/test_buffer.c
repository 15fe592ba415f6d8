/*
 * veu unit tests: GATHER, GATHER_SCALED, SCATTER_SCALED: spec.md, and
 * semantics.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define STATELESS 5
#define SLM       0
#define UNTOUCHED 0xeeeeeeee

/* dst[i] = surface[global_offset + element_offset[i]], in elements. */
static void test_gather_offsets_count_elements(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER);

    test_memory_put32(&eu->memory, EU_RAM + 4 * 13, 0x44332211);
    m.offset = test_immediate(10);
    g_assert_cmphex(eu_read_one(eu, &m, 3), ==, 0x44332211);
    m.elt_size = 1;
    m.offset = test_immediate(20);
    g_assert_cmphex(eu_read_one(eu, &m, 7), ==, 0x4433);
    m.elt_size = 0;
    m.offset = test_immediate(50);
    g_assert_cmphex(eu_read_one(eu, &m, 3), ==, 0x22);
}

/* dst[i] = surface[offset + element_offset[i]], in bytes. */
static void test_scaled_offsets_count_bytes_at_any_alignment(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    test_memory_put64(&eu->memory, EU_RAM + 40, 0x8877665544332211);
    m.offset = test_immediate(40);
    g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0x44332211);
    g_assert_cmphex(eu_read_one(eu, &m, 1), ==, 0x55443322);
    g_assert_cmphex(eu_read_one(eu, &m, 3), ==, 0x77665544);
    m.num_blocks = 1;
    g_assert_cmphex(eu_read_one(eu, &m, 3), ==, 0x5544);
    m.num_blocks = 0;
    g_assert_cmphex(eu_read_one(eu, &m, 7), ==, 0x88);
}

static void test_scatter_scaled_writes_exactly_its_bytes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);
    static const uint64_t expected[] = { 0xeeeeeeeeeeee44ee, 0xeeeeeeeeee3344ee,
                                         0xeeeeee11223344ee };

    m.offset = test_immediate(100);
    for (m.num_blocks = 0; m.num_blocks < 3; m.num_blocks++) {
        test_memory_fill(&eu->memory, EU_RAM + 96, 0xee, 16);
        eu_write_one(eu, &m, 1, 0x11223344);
        g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 100), ==,
                        expected[m.num_blocks]);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 96), ==,
                        UNTOUCHED);
    }
}

static void test_a_null_offset_operand_is_zeros(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    test_memory_put32(&eu->memory, EU_RAM + 8, 0x12345678);
    for (TestKind kind = TEST_GATHER; kind <= TEST_GATHER_SCALED; kind++) {
        TestMessage m = eu_message(kind);

        m.address.id = 0;
        m.offset = test_immediate(kind == TEST_GATHER ? 2 : 8);
        g_assert_cmphex(eu_read_one(eu, &m, 999), ==, 0x12345678);
    }
}

static void test_a_null_destination_is_dropped(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    g_autofree uint8_t *before = NULL;

    before = g_memdup2(eu->registers, EU_REGISTER_BYTES);
    for (TestKind kind = TEST_GATHER; kind <= TEST_GATHER_SCALED; kind++) {
        TestMessage m = eu_message(kind);

        m.data.id = 0;
        g_assert_true(eu_run(eu, &m));
        g_assert_true(!memcmp(before, eu->registers, EU_REGISTER_BYTES));
    }
}

static void test_a_null_source_is_zeros(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    test_memory_fill(&eu->memory, EU_RAM, 0xee, 8);
    m.data.id = 0;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM), ==,
                    0xeeeeeeee00000000);
}

static void test_upper_bytes_of_short_reads_are_zero(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    test_memory_fill(&eu->memory, EU_RAM, 0xff, 16);
    for (TestKind kind = TEST_GATHER; kind <= TEST_GATHER_SCALED; kind++) {
        TestMessage m = eu_message(kind);

        m.elt_size = m.num_blocks = 0;
        g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0xff);
        m.elt_size = m.num_blocks = 1;
        g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0xffff);
    }
}

/* "`undefined=` poisons them instead". */
static void test_upper_bytes_are_poisoned_on_request(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->config.undefined = 0xa5;
    test_memory_fill(&eu->memory, EU_RAM, 0xff, 16);
    for (TestKind kind = TEST_GATHER; kind <= TEST_GATHER_SCALED; kind++) {
        TestMessage m = eu_message(kind);

        m.elt_size = m.num_blocks = 0;
        g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0xa5a5a5ff);
        m.elt_size = m.num_blocks = 1;
        g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0xa5a5ffff);
        m.elt_size = m.num_blocks = 2;
        g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0xffffffff);
    }
}

/* index = (global + element offset) mod 2^32, once. */
static void test_the_index_wraps_at_2_to_32(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER);
    TestMessage scaled = eu_message(TEST_GATHER_SCALED);

    test_memory_put32(&eu->memory, EU_RAM + 20, 0x12345678);
    gather.offset = scaled.offset = test_immediate(0xfffffff0);
    g_assert_cmphex(eu_read_one(eu, &gather, 0x10 + 5), ==, 0x12345678);
    g_assert_cmphex(eu_read_one(eu, &scaled, 0x10 + 20), ==, 0x12345678);
}

/* Scaling is 64-bit: index 2^30 of 4 bytes is not element 0. */
static void test_scaling_does_not_wrap(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER);

    test_memory_fill(&eu->memory, EU_RAM, 0xff, 64);
    g_assert_cmphex(eu_read_one(eu, &m, 1u << 30), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &m, 0xc0000001), ==, 0);
    m.elt_size = 1;
    g_assert_cmphex(eu_read_one(eu, &m, 1u << 31), ==, 0);
}

/* In a buffer larger than 4 GiB, that element exists. */
static void test_scaling_reaches_beyond_4_gib(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER);

    test_memory_add(&eu->memory, EU_RAM + (UINT64_C(1) << 32), 4096, true);
    test_memory_put32(&eu->memory, EU_RAM + (UINT64_C(1) << 32), 0x600d);
    m.surface = eu_surface(eu, &(struct veu_surface){
                                   .base = EU_RAM,
                                   .format = VEU_FORMAT_R32G32B32A32_FLOAT,
                                   .type = VEU_SURFACE_BUFFER,
                                   .width = 0x20000000 });
    g_assert_cmphex(eu_read_one(eu, &m, 1u << 30), ==, 0x600d);
}

static void test_reads_out_of_bounds_are_zero(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER);
    TestMessage scaled = eu_message(TEST_GATHER_SCALED);

    test_memory_fill(&eu->memory, EU_RAM, 0xff, EU_BUFFER_BYTES + 64);
    gather.surface = scaled.surface = eu_buffer(eu, EU_RAM, 1000);
    g_assert_cmphex(eu_read_one(eu, &gather, 249), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &gather, 250), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &gather, UINT32_MAX), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &scaled, 996), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &scaled, 1000), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &scaled, UINT32_MAX), ==, 0);
}

/* The zeros are the element; undefined bytes above it remain undefined. */
static void test_upper_bytes_out_of_bounds_are_undefined_too(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    eu->config.undefined = 0xa5;
    m.num_blocks = 0;
    g_assert_cmphex(eu_read_one(eu, &m, EU_BUFFER_BYTES), ==, 0xa5a5a500);
}

/* Fast paths do not check contracts. */
static void test_upper_bytes_are_undefined_with_and_without_contracts(void)
{
    for (unsigned check = 0; check < 2; check++) {
        g_autoptr(EuFixture) eu = eu_standard();
        TestMessage m = eu_message(TEST_GATHER_SCALED);

        eu->config.undefined = 0xa5;
        eu->config.check = check;
        m.num_blocks = 0;
        test_memory_fill(&eu->memory, EU_RAM, 0x12, 4);
        g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0xa5a5a512);
        g_assert_cmphex(eu_read_one(eu, &m, EU_BUFFER_BYTES), ==, 0xa5a5a500);
    }
}

static void test_an_element_is_in_or_out_of_bounds_as_a_whole(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER);
    TestMessage scaled = eu_message(TEST_GATHER_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    test_memory_fill(&eu->memory, EU_RAM, 0xff, 2048);
    gather.surface = scaled.surface = scatter.surface = eu_buffer(eu, EU_RAM,
                                                                  1002);
    g_assert_cmphex(eu_read_one(eu, &gather, 250), ==, 0);
    for (uint32_t at = 999; at < 1002; at++) {
        g_assert_cmphex(eu_read_one(eu, &scaled, at), ==, 0);
        eu_write_one(eu, &scatter, at, 0);
    }
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 998), ==,
                    UINT64_MAX);
    g_assert_cmphex(eu_read_one(eu, &scaled, 998), ==, UINT32_MAX);
    eu_write_one(eu, &scatter, 998, 0);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 998), ==, 0);
}

static void test_writes_out_of_bounds_are_dropped(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_SCATTER_SCALED);

    m.surface = eu_buffer(eu, EU_RAM, 1000);
    eu_write_one(eu, &m, 1000, UINT32_MAX);
    eu_write_one(eu, &m, UINT32_MAX - 3, UINT32_MAX);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 1000), ==, 0);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 0);
}

/* Bounds are checked first, and nothing after them. */
static void test_out_of_bounds_in_a_hole_is_no_fault(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    m.surface = eu_buffer(eu, EU_RAM + EU_RAM_BYTES - 16, 16);
    g_assert_cmphex(eu_read_one(eu, &m, 16), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &m, 14), ==, 0);
}

static void test_elements_cross_pages(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    for (uint32_t at = 4093; at < 4096; at++) {
        uint32_t value = 0x9abcdef0 + at;

        eu_write_one(eu, &scatter, at, value);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + at), ==, value);
        g_assert_cmphex(eu_read_one(eu, &gather, at), ==, value);
    }
}

static void test_stateless_has_a_base_and_a_limit(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    eu->thread.stateless_base = EU_RAM + 3; /* any alignment */
    eu->thread.stateless_bytes = 100;
    gather.surface = scatter.surface = STATELESS;
    test_memory_fill(&eu->memory, EU_RAM, 0xff, 256);
    test_memory_put32(&eu->memory, EU_RAM + 3 + 40, 0x12345678);
    g_assert_cmphex(eu_read_one(eu, &gather, 10), ==, 0x12345678);
    g_assert_cmphex(eu_read_one(eu, &gather, 24), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &gather, 25), ==, 0);
    eu_write_one(eu, &scatter, 96, 0x11111111);
    eu_write_one(eu, &scatter, 97, 0x22222222);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 99), ==,
                    0x11111111);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 103), ==, 0xff);
}

static void test_stateless_without_a_range_is_out_of_bounds(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER);

    eu->thread.stateless_base = EU_RAM;
    eu->thread.stateless_bytes = 0;
    m.surface = STATELESS;
    test_memory_fill(&eu->memory, EU_RAM, 0xff, 4);
    g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0);
}

static void test_slm_is_memory_of_its_own(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    gather.surface = scatter.surface = SLM;
    eu->memory.maps = 0;
    eu_write_one(eu, &scatter, 1000, 0x12345678);
    g_assert_cmphex(eu_read_one(eu, &gather, 250), ==, 0x12345678);
    g_assert_cmpuint(eu->memory.maps, ==, 0);
    g_assert_cmphex(eu->slm[1000], ==, 0x78);
}

static void test_slm_has_bounds_like_a_surface(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage gather = eu_message(TEST_GATHER_SCALED);
    TestMessage scatter = eu_message(TEST_SCATTER_SCALED);

    gather.surface = scatter.surface = SLM;
    eu->thread.slm_bytes = 1002;
    memset(eu->slm, 0xff, 2000);
    g_assert_cmphex(eu_read_one(eu, &gather, 998), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &gather, 999), ==, 0);
    g_assert_cmphex(eu_read_one(eu, &gather, UINT32_MAX), ==, 0);
    eu_write_one(eu, &scatter, 999, 0);
    eu_write_one(eu, &scatter, 1002, 0);
    g_assert_cmphex(eu->slm[999], ==, 0xff);
    g_assert_cmphex(eu->slm[1002], ==, 0xff);
    eu->thread.slm_bytes = 0;
    eu->thread.slm = NULL;
    g_assert_cmphex(eu_read_one(eu, &gather, 0), ==, 0);
    eu_write_one(eu, &scatter, 0, 0);
}

/*
 * A descriptor may be a window of SLM, bounded by its own end and by that of
 * SLM.
 */
static void test_a_surface_may_be_a_window_of_slm(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);
    struct veu_surface s = { .base = 100,
                             .format = VEU_FORMAT_RAW,
                             .type = VEU_SURFACE_BUFFER,
                             .width = 50,
                             .flags = VEU_SURFACE_SLM };

    m.surface = eu_surface(eu, &s);
    memset(eu->slm, 0xff, EU_SLM_BYTES);
    eu->slm[110] = 0x12;
    g_assert_cmphex(eu_read_one(eu, &m, 10), ==, 0xffffff12);
    g_assert_cmphex(eu_read_one(eu, &m, 46), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &m, 47), ==, 0);
    eu->thread.slm_bytes = 120;
    g_assert_cmphex(eu_read_one(eu, &m, 16), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &m, 17), ==, 0);
    eu->thread.slm_bytes = 100;
    g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0);
    s.base = 200;
    m.surface = eu_surface(eu, &s);
    g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0);
    s.base = 0xfffffffffffff000;
    m.surface = eu_surface(eu, &s);
    g_assert_cmphex(eu_read_one(eu, &m, 0), ==, 0);
}

static void form_fault(EuFixture *eu, TestKind kind, unsigned surface,
                       uint16_t code)
{
    TestMessage m = eu_message(kind);

    m.surface = surface;
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, code);
    g_assert_cmphex(eu->fault.lane, ==, VEU_FAULT_NO_LANE);
    g_assert_cmphex(eu->fault.element, ==, VEU_FAULT_NO_LANE);
    g_assert_cmphex(eu->fault.lanes, ==, 0);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
}

static bool has_surface(TestKind kind)
{
    return test_kind_has(kind, TEST_FIELD_SURFACE);
}

static void test_surfaces_1_to_4_are_not_modelled(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        for (unsigned surface = 1; surface <= 4 && has_surface(kind);
             surface++) {
            form_fault(eu, kind, surface, VEU_FAULT_SURFACE_NOT_MODELLED);
        }
    }
}

static void test_surfaces_that_the_table_lacks(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        if (has_surface(kind)) {
            form_fault(eu, kind, 7, VEU_FAULT_SURFACE_INDEX);
            form_fault(eu, kind, 255, VEU_FAULT_SURFACE_INDEX);
        }
    }
}

static void test_an_empty_table_lacks_its_first_surface(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    eu->surfaces->count = 0;
    for (TestKind kind = 0; kind < TEST_KINDS; kind++) {
        if (has_surface(kind)) {
            form_fault(eu, kind, VEU_FIRST_SURFACE, VEU_FAULT_SURFACE_INDEX);
        }
    }
}

static void test_untyped_messages_take_buffers_only(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    struct veu_surface s = {
        .base = EU_RAM, .format = VEU_FORMAT_R32_UINT, .width = 4, .levels = 1
    };
    unsigned images[4];

    s.type = VEU_SURFACE_1D;
    images[0] = eu_surface(eu, &s);
    s.type = VEU_SURFACE_2D;
    s.height = 4;
    s.pitch = 16;
    images[1] = eu_surface(eu, &s);
    s.type = VEU_SURFACE_3D;
    s.depth = 2;
    s.qpitch = 4;
    images[2] = eu_surface(eu, &s);
    images[3] = eu_surface(eu,
                           &(struct veu_surface){ .type = VEU_SURFACE_NULL });
    for (unsigned i = 0; i < 4; i++) {
        form_fault(eu, TEST_GATHER, images[i], VEU_FAULT_SURFACE_KIND);
        form_fault(eu, TEST_GATHER_SCALED, images[i], VEU_FAULT_SURFACE_KIND);
        form_fault(eu, TEST_SCATTER_SCALED, images[i], VEU_FAULT_SURFACE_KIND);
    }
}

/* A typed buffer is an array of width * texel bytes for untyped messages. */
static void test_untyped_messages_take_typed_buffers(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_GATHER_SCALED);

    test_memory_fill(&eu->memory, EU_RAM, 0xff, 256);
    m.surface = eu_surface(eu, &(struct veu_surface){
                                   .base = EU_RAM,
                                   .format = VEU_FORMAT_R16G16B16A16_FLOAT,
                                   .type = VEU_SURFACE_BUFFER,
                                   .width = 5 });
    g_assert_cmphex(eu_read_one(eu, &m, 36), ==, UINT32_MAX);
    g_assert_cmphex(eu_read_one(eu, &m, 37), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/buffer/" #name, test_##name)
    RULE(gather_offsets_count_elements);
    RULE(scaled_offsets_count_bytes_at_any_alignment);
    RULE(scatter_scaled_writes_exactly_its_bytes);
    RULE(a_null_offset_operand_is_zeros);
    RULE(a_null_destination_is_dropped);
    RULE(a_null_source_is_zeros);
    RULE(upper_bytes_of_short_reads_are_zero);
    RULE(upper_bytes_are_poisoned_on_request);
    RULE(the_index_wraps_at_2_to_32);
    RULE(scaling_does_not_wrap);
    RULE(scaling_reaches_beyond_4_gib);
    RULE(reads_out_of_bounds_are_zero);
    RULE(upper_bytes_out_of_bounds_are_undefined_too);
    RULE(upper_bytes_are_undefined_with_and_without_contracts);
    RULE(an_element_is_in_or_out_of_bounds_as_a_whole);
    RULE(writes_out_of_bounds_are_dropped);
    RULE(out_of_bounds_in_a_hole_is_no_fault);
    RULE(elements_cross_pages);
    RULE(stateless_has_a_base_and_a_limit);
    RULE(stateless_without_a_range_is_out_of_bounds);
    RULE(slm_is_memory_of_its_own);
    RULE(slm_has_bounds_like_a_surface);
    RULE(a_surface_may_be_a_window_of_slm);
    RULE(surfaces_1_to_4_are_not_modelled);
    RULE(surfaces_that_the_table_lacks);
    RULE(an_empty_table_lacks_its_first_surface);
    RULE(untyped_messages_take_buffers_only);
    RULE(untyped_messages_take_typed_buffers);
#undef RULE
    return g_test_run();
}
