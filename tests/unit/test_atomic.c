/*
 * veu unit tests: DWORD_ATOMIC, SVM_ATOMIC, TYPED_ATOMIC: lanes, places and
 * faults: docs/spec.md, "Atomics".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/eu_fixture.h"

#define SLM       0
#define STATELESS 5
#define UNTOUCHED 0xeeeeeeee

static const TestKind kinds[] = { TEST_DWORD_ATOMIC, TEST_SVM_ATOMIC,
                                  TEST_TYPED_ATOMIC };

#define FOR_EACH_KIND(kind)     \
    for (unsigned k_ = 0, kind; \
         k_ < G_N_ELEMENTS(kinds) && (kind = kinds[k_], true); k_++)

/*
 * The element of lane @lane is element @index of @bytes from the start of
 * EU_RAM.
 */
static void set_place(EuFixture *eu, TestKind kind, unsigned lane,
                      uint32_t index, unsigned bytes)
{
    if (kind == TEST_SVM_ATOMIC) {
        eu_set64(eu, EU_ADDRESSES_AT, lane, EU_RAM + index * bytes);
    } else {
        eu_set32(eu, EU_OFFSETS_AT, lane,
                 kind == TEST_TYPED_ATOMIC ? index : index * bytes);
    }
}

/*
 * Surface 7 is R32_UINT and surface 8 R16_UINT; both have 64 elements at
 * EU_RAM.
 */
static EuFixture *with_surfaces(void)
{
    EuFixture *eu = eu_standard();

    eu_typed_buffer(eu, VEU_FORMAT_R32_UINT, 64);
    eu_typed_buffer(eu, VEU_FORMAT_R16_UINT, 64);
    return eu;
}

static TestMessage atomic(TestKind kind, uint8_t op)
{
    TestMessage m = eu_message(kind);

    m.op = op;
    if (kind == TEST_TYPED_ATOMIC) {
        m.surface = op & TEST_16_BIT ? 8 : 7;
    }
    return m;
}

/* Lanes that do not run change neither memory nor the destination. */
static void test_each_lane_has_its_own_word(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();

    eu->thread.exec_mask = 0xa5;
    FOR_EACH_KIND(kind)
    {
        TestMessage m = atomic(kind, TEST_ADD);

        for (unsigned i = 0; i < 8; i++) {
            set_place(eu, kind, i, 3 * i, 4);
            test_memory_put32(&eu->memory, EU_RAM + 12 * i, 0x100 * i);
            eu_set32(eu, EU_SRC0_AT, i, i + 1);
            eu_set32(eu, EU_DATA_AT, i, UNTOUCHED);
        }
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 16);
        for (unsigned i = 0; i < 8; i++) {
            bool runs = 0xa5 >> i & 1;

            g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 12 * i), ==,
                            0x100 * i + (runs ? i + 1 : 0));
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==,
                            runs ? 0x100 * i : UNTOUCHED);
        }
    }
}

/* "They will be serialized": the device does so in ascending order. */
static void test_lanes_of_one_word_are_performed_one_after_the_other(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();

    eu->config.check = true;
    FOR_EACH_KIND(kind)
    {
        TestMessage m = atomic(kind, TEST_XCHG);

        test_memory_put32(&eu->memory, EU_RAM + 20, 1000);
        for (unsigned i = 0; i < 8; i++) {
            set_place(eu, kind, i, 5, 4);
            eu_set32(eu, EU_SRC0_AT, i, i + 1);
        }
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 20), ==, 8);
        for (unsigned i = 0; i < 8; i++) {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, i ? i : 1000);
        }
        /* lanes may meet: that is not a collision */
        g_assert_cmphex(eu->thread.contracts, ==, 0);
    }
}

/* The low word of a dword per lane; the rest of Dst is undefined. */
static void test_16_bit_operands_take_a_dword_per_lane(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();

    for (unsigned undefined = 0; undefined < 2; undefined++) {
        eu->config.undefined = undefined ? 0xa5 : 0;
        FOR_EACH_KIND(kind)
        {
            TestMessage m = atomic(kind, TEST_ADD | TEST_16_BIT);

            for (unsigned i = 0; i < 8; i++) {
                set_place(eu, kind, i, i, 2);
                test_memory_put(&eu->memory, EU_RAM + 2 * i,
                                &(uint16_t){ 0xfff0 + i }, 2);
                eu_set32(eu, EU_SRC0_AT, i, 0xbad00000 + 0x20 * i);
            }
            g_assert_true(eu_run(eu, &m));
            for (unsigned i = 0; i < 8; i++) {
                uint16_t now;

                test_memory_get(&eu->memory, EU_RAM + 2 * i, &now, 2);
                g_assert_cmphex(now, ==, (0xfff0 + 0x21 * i) & 0xffff);
                g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==,
                                (undefined ? 0xa5a50000 : 0) + 0xfff0 + i);
            }
        }
    }
}

static void test_64_bit_operands_take_a_qword_per_lane(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = atomic(TEST_SVM_ATOMIC, TEST_SUB | TEST_64_BIT);

    m.src0.id = EU_QW_SRC0;
    m.data.id = EU_QW_DATA;
    for (unsigned i = 0; i < 8; i++) {
        set_place(eu, TEST_SVM_ATOMIC, i, i, 8);
        eu_set64(eu, EU_SRC0_AT, i, 0x100000000 * i + 1);
    }
    g_assert_true(eu_run(eu, &m));
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(test_memory_get64(&eu->memory, EU_RAM + 8 * i), ==,
                        -(0x100000000 * i + 1));
        g_assert_cmphex(eu_get64(eu, EU_DATA_AT, i), ==, 0);
    }
}

/* Operands of 64 bits are UQ, Q or DF; all others are UD, D or F. */
static void test_types_of_operands(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned type = 0; type <= VEU_TYPE_BF; type++) {
        static const uint32_t refused = 1 << VEU_TYPE_V | 1 << VEU_TYPE_VF |
                                        1 << VEU_TYPE_BOOL | 1 << VEU_TYPE_UV;
        bool is_32 = type == VEU_TYPE_UD || type == VEU_TYPE_D ||
                     type == VEU_TYPE_F;
        bool is_64 = type == VEU_TYPE_UQ || type == VEU_TYPE_Q ||
                     type == VEU_TYPE_DF;
        uint32_t id;

        if (refused >> type & 1) {
            continue;
        }
        id = eu_variable(eu, EU_FREE_AT, 64, type);
        for (unsigned wide = 0; wide < 2; wide++) {
            TestMessage m = atomic(TEST_SVM_ATOMIC,
                                   wide ? TEST_ADD | TEST_64_BIT : TEST_ADD);

            m.src0.id = 0;
            m.data.id = id;
            if (wide ? is_64 : is_32) {
                eu_assert_legal(eu, &m);
            } else {
                eu_assert_refused(eu, &m, VEU_FAULT_MESSAGE_OPERAND, 24);
            }
        }
    }
}

static void test_a_null_destination_returns_nothing(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();

    FOR_EACH_KIND(kind)
    {
        TestMessage m = atomic(kind, TEST_INC);
        g_autofree uint8_t *before = NULL;

        m.src0.id = 0;
        m.data.id = 0;
        test_memory_put32(&eu->memory, EU_RAM, 0);
        for (unsigned i = 0; i < 8; i++) {
            set_place(eu, kind, i, 0, 4);
        }
        before = g_memdup2(eu->registers, EU_REGISTER_BYTES);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM), ==, 8);
        g_assert_true(!memcmp(before, eu->registers, EU_REGISTER_BYTES));
    }
}

/* Dst may be any of the other operands. */
static void test_operands_are_read_before_results_are_written(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();

    FOR_EACH_KIND(kind)
    {
        for (unsigned which = 0; which < 3; which++) {
            TestMessage m = atomic(kind, TEST_CMPXCHG);
            unsigned at = which == 0 ? EU_SRC0_AT : EU_SRC1_AT;
            uint32_t addresses_at = kind == TEST_SVM_ATOMIC ? EU_ADDRESSES_AT :
                                                              EU_OFFSETS_AT;

            m.src1.id = EU_SRC1;
            m.data.id = which == 0 ? EU_SRC0 : EU_SRC1;
            if (which == 2) {
                at = addresses_at;
                m.data.id = eu_variable(eu, addresses_at, 8, VEU_TYPE_UD);
            }
            for (unsigned i = 0; i < 8; i++) {
                set_place(eu, kind, i, 7 - i, 4);
                test_memory_put32(&eu->memory, EU_RAM + 4 * (7 - i), 0x30 + i);
                eu_set32(eu, EU_SRC0_AT, i, 0x10 + i);
                eu_set32(eu, EU_SRC1_AT, i, 0x30 + i);
            }
            g_assert_true(eu_run(eu, &m));
            for (unsigned i = 0; i < 8; i++) {
                g_assert_cmphex(test_memory_get32(&eu->memory,
                                                  EU_RAM + 4 * (7 - i)),
                                ==, 0x10 + i);
                g_assert_cmphex(eu_get32(eu, at, i), ==, 0x30 + i);
            }
        }
    }
}

/* Memory does not change, and 0 is returned. */
static void test_out_of_bounds(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();
    uint64_t end = EU_RAM + EU_BUFFER_BYTES;

    FOR_EACH_KIND(kind)
    {
        TestMessage m = atomic(kind, TEST_XCHG);
        unsigned inside = kind == TEST_TYPED_ATOMIC ? 63 : 2047;

        if (kind == TEST_SVM_ATOMIC) {
            continue;
        }
        for (unsigned i = 0; i < 8; i++) {
            set_place(eu, kind, i, i == 7 ? 0x3fffffff : inside + i, 4);
            eu_set32(eu, EU_SRC0_AT, i, 0x77);
            eu_set32(eu, EU_DATA_AT, i, UNTOUCHED);
        }
        test_memory_put32(&eu->memory, EU_RAM + 4 * inside, 0x1234);
        test_memory_put32(&eu->memory, end, 0x5678);
        test_memory_put32(&eu->memory, EU_RAM + 256, 0x5678);
        g_assert_true(eu_run(eu, &m));
        g_assert_cmpuint(eu->thread.moved_bytes, ==, 4);
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x1234);
        for (unsigned i = 1; i < 8; i++) {
            g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, 0);
        }
        g_assert_cmphex(test_memory_get32(&eu->memory, end), ==, 0x5678);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 256), ==,
                        0x5678);
    }
}

/* This also holds for 16 bits of Dst, with the undefined half above them. */
static void test_out_of_bounds_of_16_bits(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();
    TestMessage m = atomic(TEST_DWORD_ATOMIC, TEST_ADD | TEST_16_BIT);

    eu->config.undefined = 0xa5;
    m.exec = TEST_LANES_1;
    set_place(eu, TEST_DWORD_ATOMIC, 0, 4096, 2);
    eu_set32(eu, EU_DATA_AT, 0, UNTOUCHED);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0xa5a50000);
}

static uint8_t wide(unsigned bytes)
{
    return bytes == 2 ? TEST_16_BIT : bytes == 8 ? TEST_64_BIT : 0;
}

/*
 * One lane accesses @at, which is misaligned unless it is a multiple of @bytes.
 */
static void check_alignment(EuFixture *eu, TestKind kind, unsigned bytes,
                            unsigned at)
{
    TestMessage m = atomic(kind, TEST_ADD | wide(bytes));

    m.exec = TEST_LANES_1;
    m.src0.id = 0;
    m.data.id = 0;
    set_place(eu, kind, 0, at, 1);
    g_assert_cmpint(eu_run(eu, &m), ==, at % bytes == 0);
    if (at % bytes) {
        g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
        g_assert_cmphex(eu->fault.address, ==, EU_RAM + at);
        g_assert_cmpuint(eu->fault.bytes, ==, bytes);
        g_assert_cmpuint(eu->fault.lane, ==, 0);
        g_assert_cmpuint(eu->fault.element, ==, 0);
        g_assert_cmpuint(eu->fault.access, ==, VEU_ACCESS_WRITE);
    }
}

static void test_words_are_aligned_to_their_size(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned at = 0; at < 16; at++) {
        for (unsigned bytes = 2; bytes <= 8; bytes *= 2) {
            check_alignment(eu, TEST_SVM_ATOMIC, bytes, at);
            if (bytes < 8) {
                check_alignment(eu, TEST_DWORD_ATOMIC, bytes, at);
            }
        }
    }
    /* alignment comes before bounds */
    check_alignment(eu, TEST_DWORD_ATOMIC, 4, 0x10000001);
}

/*
 * One of 8 lanes is misaligned, even if the memory of the previous message is
 * checked first.
 */
static void test_one_misaligned_lane_of_many_faults(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned k = 0; k < 2; k++) {
        TestMessage m = atomic(kinds[k], TEST_ADD);

        for (unsigned lane = 0; lane < 8; lane++) {
            set_place(eu, kinds[k], lane, lane, 4);
        }
        g_assert_true(eu_run(eu, &m));
        set_place(eu, kinds[k], 5, 22, 1);
        g_assert_false(eu_run(eu, &m));
        eu_assert_faulted(eu, VEU_FAULT_ALIGNMENT, 5, 0, EU_RAM + 22);
    }
}

/*
 * A buffer may begin anywhere: the address in memory has to be aligned as well.
 */
static void test_the_memory_of_a_word_is_aligned(void)
{
    g_autoptr(EuFixture) eu = eu_standard();

    for (unsigned base = 0; base < 8; base++) {
        unsigned surface = eu_buffer(eu, EU_RAM + base, 64);

        for (unsigned offset = 0; offset < 8; offset++) {
            TestMessage m = atomic(TEST_DWORD_ATOMIC, TEST_ADD);

            m.exec = TEST_LANES_1;
            m.surface = surface;
            eu_set32(eu, EU_OFFSETS_AT, 0, offset);
            g_assert_cmpint(eu_run(eu, &m), ==,
                            base % 4 == 0 && offset % 4 == 0);
            if (eu->fault.code) {
                g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
                g_assert_cmphex(eu->fault.address, ==, EU_RAM + base + offset);
            }
        }
    }
}

static void test_a_faulting_lane_has_no_effect(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();
    TestMessage m = atomic(TEST_SVM_ATOMIC, TEST_INC);

    m.src0.id = 0;
    for (unsigned i = 0; i < 8; i++) {
        set_place(eu, TEST_SVM_ATOMIC, i, i, 4);
        eu_set32(eu, EU_DATA_AT, i, UNTOUCHED);
    }
    set_place(eu, TEST_SVM_ATOMIC, 2, 9, 1);
    eu_set64(eu, EU_ADDRESSES_AT, 4, 0xdead0000);
    eu_set64(eu, EU_ADDRESSES_AT, 5, EU_ROM); /* reading is not enough */
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ALIGNMENT);
    g_assert_cmpuint(eu->fault.lane, ==, 2);
    g_assert_cmphex(eu->fault.lanes, ==, 0x34);
    g_assert_cmpuint(eu->fault.bytes_done, ==, 5 * 4);
    for (unsigned i = 0; i < 8; i++) {
        bool fault = 0x34 >> i & 1;

        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, i), ==, fault ? UNTOUCHED : 0);
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4 * i), ==,
                        !fault);
    }
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_ROM), ==, 0);
}

static uint8_t *map_for_writes(VeuMem *mem, uint64_t iova, uint32_t *bytes,
                               enum veu_access access)
{
    return access == VEU_ACCESS_WRITE ?
               test_memory_map((TestMemory *)mem, iova, bytes, access) :
               NULL;
}

static bool open_for_writes(VeuMem *mem, uint64_t iova, enum veu_access access,
                            VeuExtent *extent)
{
    return access == VEU_ACCESS_WRITE &&
           test_memory_open((TestMemory *)mem, iova, access, extent);
}

/*
 * An atomic also needs read access because it returns what it finds: spec.md,
 * section 3.
 */
static void test_an_atomic_asks_for_write_access_only(void)
{
    g_autoptr(EuFixture) eu = with_surfaces();

    eu->memory.mem.map = map_for_writes;
    eu->memory.mem.open = open_for_writes;
    FOR_EACH_KIND(kind)
    {
        TestMessage m = atomic(kind, TEST_INC);

        m.src0.id = 0;
        test_memory_put32(&eu->memory, EU_RAM, 0x600d);
        for (unsigned lane = 0; lane < 8; lane++) {
            set_place(eu, kind, lane, 0, 4);
        }
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0x600d);
    }
}

/*
 * Memory that must not be read is refused, though a message has just written to
 * it.
 */
static void check_write_only(TestKind kind, uint8_t exec, bool paged)
{
    g_autoptr(EuFixture) eu = with_surfaces();
    TestMessage store = eu_svm(TEST_SVM_SCATTER, TEST_LANES_8, 1, 0);
    TestMessage m = atomic(kind, TEST_INC);

    if (kind == TEST_TYPED_ATOMIC) { /* in several pages */
        m.surface = eu_typed_buffer(eu, VEU_FORMAT_R32_UINT, 4096);
    }
    if (paged) {
        test_memory_set_paged(&eu->memory);
    }
    for (unsigned i = 0; i < eu->memory.count; i++) {
        eu->memory.page[i].write_only = eu->memory.page[i].writable;
    }
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set64(eu, EU_ADDRESSES_AT, lane, EU_RAM + 4 * lane);
        eu_set32(eu, EU_DATA_AT, lane, UNTOUCHED);
    }
    g_assert_true(eu_run(eu, &store));
    m.src0.id = 0;
    m.exec = exec;
    for (unsigned lane = 0; lane < 8; lane++) {
        set_place(eu, kind, lane, lane, 4);
    }
    g_assert_false(eu_run(eu, &m));
    g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_ADDRESS);
    g_assert_cmphex(eu->fault.lanes, ==, exec == TEST_LANES_8 ? 0xff : 0xf);
    for (unsigned lane = 0; lane < 8; lane++) {
        g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4 * lane), ==,
                        UNTOUCHED);
    }
}

static void test_words_must_be_readable(void)
{
    FOR_EACH_KIND(kind)
    {
        check_write_only(kind, TEST_LANES_8, false);
        check_write_only(kind, TEST_LANES_8, true);
    }
    check_write_only(TEST_SVM_ATOMIC, TEST_LANES_4, false);
}

#define PAGES UINT64_C(0x7000000)

/*
 * Lanes lie in two pages. The message finds the first page dirty, because many
 * have written to it.
 */
static void test_the_pages_of_all_words_are_marked(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = atomic(TEST_SVM_ATOMIC, TEST_INC);

    eu->memory.joined = true;
    test_memory_add(&eu->memory, PAGES, 2 * 4096, true);
    test_memory_send_all(&eu->memory);
    m.src0.id = 0;
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set64(eu, EU_ADDRESSES_AT, lane, PAGES + 4 * lane);
    }
    for (unsigned i = 0; i < 64; i++) {
        g_assert_true(eu_run(eu, &m));
    }
    for (unsigned lane = 0; lane < 8; lane++) {
        eu_set64(eu, EU_ADDRESSES_AT, lane, PAGES + 4096 * (lane / 4));
    }
    g_assert_true(eu_run(eu, &m));
    test_memory_flush(&eu->memory);
    g_assert_cmpint(test_memory_unsent(&eu->memory), ==, -1);
    g_assert_cmpuint(test_memory_get32(&eu->memory, PAGES), ==, 64 + 4);
    g_assert_cmpuint(test_memory_get32(&eu->memory, PAGES + 4096), ==, 4);
}

static void test_slm_and_stateless_memory(void)
{
    g_autoptr(EuFixture) eu = eu_standard();
    TestMessage m = atomic(TEST_DWORD_ATOMIC, TEST_ADD);

    eu->thread.stateless_base = EU_RAM + 4096;
    eu->thread.stateless_bytes = 16;
    for (unsigned i = 0; i < 8; i++) {
        eu_set32(eu, EU_OFFSETS_AT, i, 4 * (i / 2));
        eu_set32(eu, EU_SRC0_AT, i, 0x100 + i);
    }
    m.surface = SLM;
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(*(uint32_t *)(eu->slm + 12), ==, 0x20d);
    eu_set32(eu, EU_OFFSETS_AT, 0, EU_SLM_BYTES);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(eu_get32(eu, EU_DATA_AT, 0), ==, 0);
    m.surface = STATELESS;
    eu_set32(eu, EU_OFFSETS_AT, 0, 16);
    g_assert_true(eu_run(eu, &m));
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4096 + 12), ==,
                    0x20d);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4096 + 16), ==, 0);
    g_assert_cmphex(test_memory_get32(&eu->memory, EU_RAM + 4096), ==, 0x101);
}

/* IMIN and IMAX take D or Q; FMAX and the like F or DF; all others UD or UQ. */
static void test_register_types_are_a_contract(void)
{
    static const uint8_t types[2][3] = {
        { VEU_TYPE_UD, VEU_TYPE_D, VEU_TYPE_F },
        { VEU_TYPE_UQ, VEU_TYPE_Q, VEU_TYPE_DF },
    };
    g_autoptr(EuFixture) eu = eu_standard();
    uint32_t id[2][3];

    eu->config.check = true;
    for (unsigned i = 0; i < 6; i++) {
        id[i / 3][i % 3] = eu_variable(eu, EU_FREE_AT, 64, types[i / 3][i % 3]);
    }
    for (unsigned i = 0; i < 8; i++) {
        set_place(eu, TEST_SVM_ATOMIC, i, i, 8);
    }
    for (unsigned form = 0; form < 0x15 * 2 * 3 * 3; form++) {
        TestMessage m = atomic(TEST_SVM_ATOMIC, form / 18);
        unsigned is_64 = form / 9 % 2;
        unsigned type = form / 3 % 3;
        unsigned right = m.op >= TEST_FMAX                      ? 2 :
                         m.op == TEST_IMIN || m.op == TEST_IMAX ? 1 :
                                                                  0;
        uint32_t *operand = form % 3 == 0 ? &m.src0.id :
                            form % 3 == 1 ? &m.src1.id :
                                            &m.data.id;
        bool takes = form % 3 == 2 ||
                     (form % 3 == 1 ?
                          m.op == TEST_CMPXCHG || m.op == TEST_FCMPWR :
                          m.op != TEST_INC && m.op != TEST_DEC &&
                              m.op != TEST_PREDEC);

        if (m.op == 14 || m.op == 15 || !takes) {
            continue;
        }
        m.op |= is_64 ? TEST_64_BIT : 0;
        m.src0.id = m.src1.id = m.data.id = 0;
        *operand = id[is_64][type];
        g_assert_true(eu_run(eu, &m));
        g_assert_cmphex(eu->thread.contracts, ==,
                        type == right ? 0 : 1u << VEU_CONTRACT_REGISTER_TYPE);
        eu->config.strict_types = true;
        g_assert_cmpint(eu_run(eu, &m), ==, type == right);
        if (type != right) {
            g_assert_cmphex(eu->fault.code, ==, VEU_FAULT_REGISTER_TYPE);
        }
        eu->config.strict_types = false;
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/atomic/" #name, test_##name)
    RULE(each_lane_has_its_own_word);
    RULE(lanes_of_one_word_are_performed_one_after_the_other);
    RULE(16_bit_operands_take_a_dword_per_lane);
    RULE(64_bit_operands_take_a_qword_per_lane);
    RULE(types_of_operands);
    RULE(a_null_destination_returns_nothing);
    RULE(operands_are_read_before_results_are_written);
    RULE(out_of_bounds);
    RULE(out_of_bounds_of_16_bits);
    RULE(words_are_aligned_to_their_size);
    RULE(one_misaligned_lane_of_many_faults);
    RULE(the_memory_of_a_word_is_aligned);
    RULE(a_faulting_lane_has_no_effect);
    RULE(an_atomic_asks_for_write_access_only);
    RULE(words_must_be_readable);
    RULE(the_pages_of_all_words_are_marked);
    RULE(slm_and_stateless_memory);
    RULE(register_types_are_a_contract);
#undef RULE
    return g_test_run();
}
