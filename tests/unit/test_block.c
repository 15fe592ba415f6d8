/*
 * veu unit tests: OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST, FENCE: messages
 * without lanes, by spec.md and semantics.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/message/fast_path.h"
#include "tests/lib/eu_fixture.h"

#define SLM       0
#define STATELESS 5
#define OWORDS    5 /* 1, 2, 4, 8, 16 */

static void fill_memory(EuFixture *eu, uint64_t at, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        *test_memory_byte(&eu->memory, at + i, VEU_ACCESS_WRITE) = i % 251 + 1;
    }
}

static void clear_data(EuFixture *eu)
{
    memset(eu->registers + EU_DATA_AT, 0xee, 512);
}

static TestMessage oword(TestKind kind, unsigned code, uint32_t offset)
{
    TestMessage m = eu_message(kind);

    m.size = code;
    m.offset = test_immediate(offset);
    return m;
}

/* Checks that @count bytes of Data equal memory from @from on. */
static void assert_data(EuFixture *eu, uint64_t from, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_assert_cmphex(eu->registers[EU_DATA_AT + i], ==,
                        test_memory_get8(&eu->memory, from + i));
    }
    g_assert_cmphex(eu->registers[EU_DATA_AT + count], ==, 0xee);
}

static void set_slm(EuFixture *eu)
{
    for (unsigned i = 0; i < EU_SLM_BYTES; i++) {
        eu->slm[i] = i % 251 + 1;
    }
}

/* dst[i] = surface[offset + i], 16 bytes each; 16 owords from SLM only. */
static void test_loads_read_owords_in_a_row(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu, EU_RAM, 1024);
    set_slm(eu);
    for (unsigned code = 0; code < OWORDS; code++) {
        TestMessage m = oword(TEST_OWORD_LD, code, 3);

        m.surface = code == 4 ? SLM : EU_BUFFER;
        clear_data(eu);
        g_assert_true(eu_run(eu, &m));
        assert_data(eu, EU_RAM + 48, 16 << code);
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 16 << code);
        if (m.surface == EU_BUFFER) {
            eu_assert_waits(eu);
        }
    }
}

static void test_unaligned_loads_count_bytes(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu, EU_RAM, 1024);
    set_slm(eu);
    for (unsigned code = 0; code < OWORDS; code++) {
        TestMessage m = oword(TEST_OWORD_LD_UNALIGNED, code, 20);

        m.surface = code == 4 ? SLM : EU_BUFFER;
        clear_data(eu);
        g_assert_true(eu_run(eu, &m));
        assert_data(eu, EU_RAM + 20, 16 << code);
    }
}

static void test_stores_write_owords_in_a_row(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned i = 0; i < 256; i++) {
        eu->registers[EU_DATA_AT + i] = i;
    }
    for (unsigned code = 0; code < 4; code++) {
        TestMessage m = oword(TEST_OWORD_ST, code, 3);
        unsigned bytes = 16 << code;

        test_memory_fill(&eu->memory, EU_RAM, 0xee, 1024);
        g_assert_true(eu_run(eu, &m));
        for (unsigned i = 0; i < bytes; i++) {
            g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 48 + i), ==,
                            i);
        }
        g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 47), ==, 0xee);
        g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 48 + bytes), ==,
                        0xee);
    }
    {
        TestMessage m = oword(TEST_OWORD_ST, 4, 3);

        m.surface = SLM;
        g_assert_true(eu_run(eu, &m));
        g_assert_true(!memcmp(eu->slm + 48, eu->registers + EU_DATA_AT, 256));
    }
}

/* "The execution mask is set to NoMask": every element is returned. */
static void test_blocks_run_whatever_the_mask(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = oword(TEST_OWORD_LD, 1, 0);
    TestMessage store = oword(TEST_OWORD_ST, 1, 4);

    eu->thread.exec_mask = 0;
    fill_memory(eu, EU_RAM, 32);
    clear_data(eu);
    g_assert_true(eu_run(eu, &load));
    assert_data(eu, EU_RAM, 32);
    g_assert_true(eu_run(eu, &store));
    assert_data(eu, EU_RAM + 64, 32);
}

/*
 * The offset is taken modulo 2^32, in owords; multiplied by 16 it has 64 bits.
 */
static void test_the_oword_index_wraps_before_it_is_scaled(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD, 0, 1u << 28);

    fill_memory(eu, EU_RAM, 64);
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get64(eu, EU_DATA_AT, 0), ==, 0);
    m.offset = (TestScalar){ .tag = TEST_CLASS_IMMEDIATE,
                             .type = VEU_TYPE_UQ,
                             .value = (UINT64_C(1) << 32) + 1 };
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    assert_data(eu, EU_RAM + 16, 16);
}

/* A buffer of more than 4 GiB has owords at such offsets. */
static void test_owords_beyond_4_gib(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD, 1, 1u << 28);

    test_memory_add(&eu->memory, EU_RAM + (UINT64_C(1) << 32), 4096, true);
    fill_memory(eu, EU_RAM + (UINT64_C(1) << 32), 64);
    m.surface = eu_surface(eu, &(struct veu_surface){
                                   .base = EU_RAM,
                                   .format = VEU_FORMAT_R32G32B32A32_FLOAT,
                                   .type = VEU_SURFACE_BUFFER,
                                   .width = 0x20000000 });
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    assert_data(eu, EU_RAM + (UINT64_C(1) << 32), 32);
}

/* OWORD_LD_UNALIGNED is "dword-aligned"; the base may have any alignment. */
static void test_unaligned_is_a_multiple_of_4(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    fill_memory(eu, EU_RAM, 256);
    for (unsigned i = 1; i < 4; i++) {
        TestMessage m = oword(TEST_OWORD_LD_UNALIGNED, 1, 32 + i);

        m.surface = eu_buffer(eu, EU_RAM + 1, 100);
        clear_data(eu);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ALIGNMENT, 0, 0, EU_RAM + 1 + 32 + i);
        g_assert_cmphex(eu->fault.lanes, ==, 1);
        g_assert_cmpuint(eu->fault.bytes, ==, 16);
        g_assert_cmphex(eu->registers[EU_DATA_AT], ==, 0xee);
        m.offset = test_immediate(UINT32_MAX); /* checked before bounds */
        g_assert_false(eu_run(eu, &m));
        m.offset = test_immediate(36);
        g_assert_true(eu_run(eu, &m));
        assert_data(eu, EU_RAM + 37, 32);
    }
}

/*
 * Each oword is in or out of bounds as a whole: of 4 at 28, 2 end before byte
 * 70.
 */
static void test_owords_out_of_bounds_read_as_zero(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD_UNALIGNED, 2, 28);

    eu->config.undefined = 0xa5; /* no byte of it is undefined */
    m.surface = eu_buffer(eu, EU_RAM, 70);
    fill_memory(eu, EU_RAM, 256);
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 32);
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmphex(eu->registers[EU_DATA_AT + i], ==,
                        i < 32 ?
                            test_memory_get8(&eu->memory, EU_RAM + 28 + i) :
                            0);
    }
    g_assert_cmphex(eu->registers[EU_DATA_AT + 64], ==, 0xee);
    m.offset = test_immediate(56); /* the first oword straddles the end */
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu->registers[EU_DATA_AT], ==, 0);
    g_assert_cmphex(eu->registers[EU_DATA_AT + 63], ==, 0);
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 0);
}

static void test_owords_out_of_bounds_are_dropped(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_ST, 2, 1);

    m.surface = eu_buffer(eu, EU_RAM, 63);
    test_memory_fill(&eu->memory, EU_RAM, 0x11, 256);
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 32);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 47), ==, 0xee);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 48), ==, 0x11);
    m.offset = test_immediate(4);
    g_assert_true(eu_run(eu, &m));
    m.offset = test_immediate(UINT32_MAX);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 64), ==, 0x11);
}

static void test_blocks_reach_slm_and_stateless(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = oword(TEST_OWORD_LD, 1, 2);
    TestMessage store = oword(TEST_OWORD_ST, 0, 2);

    eu->thread.slm_bytes = 48;
    eu->thread.stateless_base = EU_RAM + 5;
    eu->thread.stateless_bytes = 48;
    for (unsigned i = 0; i < 2; i++) {
        load.surface = store.surface = i ? STATELESS : SLM;
        memset(eu->registers + EU_DATA_AT, 0x77, 32);
        g_assert_true(eu_run(eu, &store));
        clear_data(eu);
        g_assert_true(eu_run(eu, &load));
        g_assert_cmphex(eu->registers[EU_DATA_AT + 15], ==, 0x77);
        g_assert_cmphex(eu->registers[EU_DATA_AT + 16], ==, 0);
    }
    g_assert_cmphex(eu->slm[47], ==, 0x77);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 52), ==, 0x77);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 53), ==, 0);
}

static void test_blocks_cross_pages(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_ST, 3, 0);
    uint8_t *data = eu->registers + EU_DATA_AT;
    uint8_t back[128];

    for (unsigned i = 0; i < 128; i++) {
        data[i] = i;
    }
    for (uint32_t base = 4096 - 128; base <= 4096; base += 9) {
        m.surface = eu_buffer(eu, EU_RAM + base, 128);
        test_memory_fill(&eu->memory, EU_RAM, 0, 8192);
        g_assert_true(eu_run(eu, &m));
        test_memory_get(&eu->memory, EU_RAM + base, back, 128);
        g_assert_true(!memcmp(back, data, 128));
        eu->surfaces->count--;
    }
}

/*
 * All pages are checked first: the message has no effect, and the record names
 * the oword.
 */
static void test_a_fault_names_the_oword(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    uint64_t end = EU_RAM + EU_RAM_BYTES;

    for (unsigned i = 0; i < 3 * 8; i++) {
        static const TestKind kinds[] = { TEST_OWORD_LD,
                                          TEST_OWORD_LD_UNALIGNED,
                                          TEST_OWORD_ST };
        TestMessage m = oword(kinds[i / 8], 3, 0);
        unsigned bad = i % 8;

        /*
         * only its last byte is outside of RAM, or it is the first oword past
         * RAM
         */
        m.surface = eu_buffer(eu, end - bad * 16 - (bad ? 15 : 0), 4096);
        test_memory_fill(&eu->memory, end - 256, 0x11, 256);
        clear_data(eu);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ADDRESS, 0, bad, end - (bad ? 15 : 0));
        g_assert_cmpuint(eu->fault.bytes, ==, 16);
        g_assert_cmpuint(eu->fault.bytes_done, ==, 0);
        g_assert_cmphex(eu->fault.lanes, ==, 1);
        g_assert_cmpuint(eu->fault.access, ==,
                         i / 8 == 2 ? VEU_ACCESS_WRITE : VEU_ACCESS_READ);
        g_assert_cmphex(eu->registers[EU_DATA_AT], ==, 0xee);
        g_assert_cmphex(test_memory_get8(&eu->memory, end - 100), ==, 0x11);
        eu->surfaces->count--;
    }
}

/* What is out of bounds lies in a hole, and is not read. */
static void test_owords_out_of_bounds_cannot_fault(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD, 3, 0);

    m.surface = eu_buffer(eu, EU_RAM + EU_RAM_BYTES - 40, 40);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmpuint(eu->thread.moved_bytes, ==, 32);
}

static void test_null_data(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage load = oword(TEST_OWORD_LD, 0, 0);
    TestMessage store = oword(TEST_OWORD_ST, 0, 1);

    fill_memory(eu, EU_RAM, 64);
    load.data.id = store.data.id = 0;
    memset(eu->registers, 0xee, EU_REGISTER_BYTES);
    g_assert_true(eu_run(eu, &load));
    g_assert_cmphex(eu->registers[0], ==, 0xee);
    g_assert_true(eu_run(eu, &store));
    g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 16), ==, 0);
    g_assert_cmphex(test_memory_get8(&eu->memory, EU_RAM + 32), ==, 33);
    load.surface = eu_buffer(eu, 0, 16); /* the message still accesses memory */
    g_assert_false(eu_run(eu, &load));
}

/* Is_modified: "the field is ignored". */
static void test_is_modified_is_ignored(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD, 0, 0);

    m.is_modified = 0xff;
    fill_memory(eu, EU_RAM, 16);
    clear_data(eu);
    g_assert_true(eu_run(eu, &m));
    assert_data(eu, EU_RAM, 16);
}

/* "It must be a buffer"; T5 is accepted, too, but 16 owords only with T0. */
static void test_surfaces(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD, 0, 0);

    m.surface = 1;
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_SURFACE_NOT_MODELLED);
    m.surface = 7;
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_SURFACE_INDEX);
    m.surface = eu_surface(eu,
                           &(struct veu_surface){ .base = EU_RAM,
                                                  .format = VEU_FORMAT_R32_UINT,
                                                  .type = VEU_SURFACE_1D,
                                                  .width = 4,
                                                  .levels = 1 });
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_SURFACE_KIND);
    g_assert_cmphex(eu->fault.lane, ==, VEU_FAULT_NO_LANE);
    m.size = 4;
    eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_FIELD, 1);
}

/* The offset comes from a register that the result covers. */
static void test_the_offset_is_read_before_the_result_is_written(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = oword(TEST_OWORD_LD, 0, 0);

    fill_memory(eu, EU_RAM, 64);
    clear_data(eu);
    m.offset = test_general(EU_DATA, 0, 1);
    eu_set32(eu, EU_DATA_AT, 1, 2);
    g_assert_true(eu_run(eu, &m));
    assert_data(eu, EU_RAM + 32, 16);
}

/* Any mask makes a fence; all of them affect only the order of accesses. */
static void test_fences_change_nothing(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = eu_message(TEST_FENCE);
    g_autofree uint8_t *before = g_memdup2(eu->registers, EU_REGISTER_BYTES);

    eu->thread.exec_mask = 0;
    eu->memory.maps = 0;
    for (unsigned mask = 0; mask < 256; mask++) {
        m.mask = mask;
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 0);
    }
    g_assert_cmpuint(eu->memory.maps, ==, 0);
    g_assert_true(!memcmp(before, eu->registers, EU_REGISTER_BYTES));
}

/* Fences of SLM and those for compilers need no instruction of the host. */
static void test_fences_that_do_nothing(void)
{
    const uint8_t code[] = { VEU_OPCODE_FENCE };

    for (unsigned mask = 0; mask < 256; mask++) {
        VeuMessage m = { .info = veu_message_find(code, 1), .fence = mask };

        g_assert_cmpint(veu_fence_does_nothing(&m), ==,
                        (mask & (VEU_FENCE_LOCAL | VEU_FENCE_SW)) != 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/block/" #name, test_##name)
    RULE(loads_read_owords_in_a_row);
    RULE(unaligned_loads_count_bytes);
    RULE(stores_write_owords_in_a_row);
    RULE(blocks_run_whatever_the_mask);
    RULE(the_oword_index_wraps_before_it_is_scaled);
    RULE(owords_beyond_4_gib);
    RULE(unaligned_is_a_multiple_of_4);
    RULE(owords_out_of_bounds_read_as_zero);
    RULE(owords_out_of_bounds_are_dropped);
    RULE(blocks_reach_slm_and_stateless);
    RULE(blocks_cross_pages);
    RULE(a_fault_names_the_oword);
    RULE(owords_out_of_bounds_cannot_fault);
    RULE(null_data);
    RULE(is_modified_is_ignored);
    RULE(surfaces);
    RULE(the_offset_is_read_before_the_result_is_written);
    RULE(fences_change_nothing);
    RULE(fences_that_do_nothing);
#undef RULE
    return g_test_run();
}
