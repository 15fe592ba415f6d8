/*
 * veu unit tests: ACCESSED and DIRTY of page table entries.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "requests.h"
#include "tests/lib/state_bytes.h"

/* ---- ACCESSED and DIRTY ---- */

#define ACCESSED UINT64_C(0x10)
#define DIRTY    UINT64_C(0x20)

static Dev *make_marking(TestTables *t)
{
    Dev *d = make(t);

    context_write(d, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_ACCESSED, 4);
    return d;
}

/* The two bits of the page of VA(@page). */
static uint64_t bits_of(TestTables *t, uint64_t page)
{
    return test_memory_get64(t->memory, test_tables_entry(t, VA(page), 1)) &
           (ACCESSED | DIRTY);
}

static void test_accesses_set_accessed_and_dirty(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_marking(&t);

    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    dev_run(d);
    dev_assert_no_fault(d);
    for (unsigned i = 0; i < ALL_PATHS_PAGES; i++) {
        g_assert_cmphex(bits_of(&t, all_paths_pages[i].page), ==,
                        all_paths_pages[i].access == VEU_ACCESS_WRITE ?
                            ACCESSED | DIRTY :
                            ACCESSED);
    }
    g_assert_cmphex(bits_of(&t, SPARE_PAGE), ==, 0);
}

/*
 * A buffer or typed surface of two pages, the first of which is not accessed.
 */
#define UNTOUCHED DEV_DATA
#define TOUCHED   (DEV_DATA + 0x1000)

/* One message of @kind, whose lanes are at @unit + 0, 1, ... of the surface. */
static Dev *make_marking_message(TestTables *t, TestKind kind, uint32_t unit)
{
    Dev *d = make_marking(t);
    uint64_t registers = DEV_PAYLOAD + sizeof(struct veu_payload_header);
    const struct veu_surface surface = {
        .base = VA(UNTOUCHED),
        .format = VEU_FORMAT_R32_UINT,
        .type = VEU_SURFACE_BUFFER,
        .width = 2 * 4096 / 4,
    };
    TestMessage m = eu_message(kind);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 64;
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_variable(&d->program, 32, 8, VEU_TYPE_UD);
    m.address.id = 32;
    m.data.id = 33;
    m.src0.id = 33;
    m.channels = 1;
    m.surface = 6;
    test_program_add(&d->program, &m);
    c = dev_dispatch(d);
    if (m.kind == TEST_GATHER || m.kind == TEST_SCATTER) {
        dev_buffer(d, 0, VA(UNTOUCHED), 2 * 4096);
    } else {
        dev_surface(d, 0, &surface);
    }
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.surface_table = VA(DEV_SURFACES);
    c.launch.surface_count = 1;
    c.launch.payload_address = VA(DEV_PAYLOAD);
    c.launch.payload_bytes = sizeof(struct veu_payload_header) + 64;
    test_memory_put32(&d->host.memory, DEV_PAYLOAD, UINT32_MAX);
    for (unsigned lane = 0; lane < 8; lane++) {
        test_memory_put32(&d->host.memory, registers + lane * 4, unit + lane);
    }
    dev_enable(d);
    DEV_PUSH(d, c);
    return d;
}

/* DEV-3.21: the page where a buffer begins is not special. */
static void test_pages_that_no_lane_accesses_get_no_bits(void)
{
    static const struct {
        TestKind kind;
        uint64_t bits;
    } cases[] = {
        { TEST_GATHER, ACCESSED },
        { TEST_SCATTER, ACCESSED | DIRTY },
        { TEST_GATHER4_TYPED, ACCESSED },
        { TEST_SCATTER4_TYPED, ACCESSED | DIRTY },
        { TEST_TYPED_ATOMIC, ACCESSED | DIRTY },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        for (unsigned outside = 0; outside < 2; outside++) {
            TestTables t;
            g_autoptr(Dev) d = make_marking_message(&t, cases[i].kind,
                                                    outside ? 2048 : 1024);

            dev_run(d);
            dev_assert_no_fault(d);
            g_assert_cmphex(bits_of(&t, UNTOUCHED), ==, 0);
            g_assert_cmphex(bits_of(&t, TOUCHED), ==,
                            outside ? 0 : cases[i].bits);
        }
    }
}

static void check_without_the_option(Dev *d, TestTables *t)
{
    g_autofree uint8_t *before = g_malloc(TABLES_BYTES);
    g_autofree uint8_t *after = g_malloc(TABLES_BYTES);

    test_tables_map(t, VA(DEV_DATA), DEV_DATA, ALL | DIRTY);
    test_memory_get(t->memory, TABLES, before, TABLES_BYTES);
    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    dev_run(d);
    dev_assert_no_fault(d);
    test_memory_get(t->memory, TABLES, after, TABLES_BYTES);
    g_assert_cmpmem(before, TABLES_BYTES, after, TABLES_BYTES);
}

static void test_without_the_option_entries_are_not_written(void)
{
    TestTables t, asking;
    g_autoptr(Dev) d = make(&t);
    g_autoptr(Dev) with_requests = make_asking(&asking);

    check_without_the_option(d, &t);
    check_without_the_option(with_requests, &asking);
}

/* Each option is for itself: docs/spec.md, CONTEXT_OPTIONS. */
static void test_a_ring_that_sets_bits_requests_nothing(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);

    context_write(d, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_ACCESSED, 4);
    unmap(&t, VA(TARGET));
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmpuint(queue_tail(d), ==, 0);
}

/* Other bits of CONTEXT_OPTIONS are for later versions. */
static void test_options_that_do_not_exist_are_refused(void)
{
    static const uint32_t options[] = { 4, 7, UINT32_C(1) << 31 };

    for (unsigned i = 0; i < G_N_ELEMENTS(options); i++) {
        TestTables t;
        g_autoptr(Dev) d = make_asking(&t);

        context_write(d, VEU_REG_CONTEXT_OPTIONS, options[i], 4);
        dev_enable(d);
        dev_run(d);
        g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                        VEU_FAULT_RING_CONFIG);
        g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==,
                        VEU_REG_RING_CONTEXT);
    }
}

/* The entry is cached for reads, and the first write still sets DIRTY. */
static void test_a_write_after_reads_sets_dirty(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_marking(&t);

    dev_enable(d);
    for (unsigned i = 0; i < 3; i++) {
        push_copy(d, VA(DEV_DATA), VA(TARGET), 8);
        g_assert_cmphex(bits_of(&t, DEV_DATA), ==, ACCESSED);
    }
    push_copy(d, VA(TARGET), VA(DEV_DATA), 8);
    g_assert_cmphex(bits_of(&t, DEV_DATA), ==, ACCESSED | DIRTY);
}

/*
 * Entries that a ring without the option has cached do not serve a ring with
 * it.
 */
static void test_a_ring_that_marks_beside_one_that_does_not(void)
{
    const struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = VA(SOURCE),
        .destination = VA(TARGET),
        .bytes = 8,
    };
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_enable(d);
    context_write(d, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_ACCESSED, 4);
    enable_ring1(d);
    push_copy(d, VA(SOURCE), VA(TARGET), 8);
    g_assert_cmphex(bits_of(&t, TARGET), ==, 0);
    run_ring1(d, &copy);
    g_assert_cmphex(bits_of(&t, SOURCE), ==, ACCESSED);
    g_assert_cmphex(bits_of(&t, TARGET), ==, ACCESSED | DIRTY);
}

/*
 * The driver clears the bits and invalidates: the next access sets them again.
 */
static void test_cleared_bits_are_set_again(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_marking(&t);

    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    test_tables_map(&t, VA(DEV_DATA), DEV_DATA, ALL);
    invalidate(d, VA(DEV_DATA), 0);
    g_assert_cmphex(bits_of(&t, DEV_DATA), ==, 0);
    push_copy(d, VA(DEV_DATA), VA(TARGET), 8);
    g_assert_cmphex(bits_of(&t, DEV_DATA), ==, ACCESSED);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmphex(bits_of(&t, DEV_DATA), ==, ACCESSED | DIRTY);
}

/* An entry that another one replaces just before the device sets its bits. */
static struct {
    uint8_t *(*map)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
    TestTables *tables;
    uint64_t at;
    unsigned left; /* how many times */
} replaced;

static uint8_t *map_and_replace(VeuHost *host, uint64_t iova, uint32_t *bytes,
                                enum veu_access access)
{
    if (iova == replaced.at && access == VEU_ACCESS_WRITE && replaced.left) {
        uint64_t software = UINT64_C(1) << (52 + replaced.left-- % 2);

        test_tables_map(replaced.tables, VA(SPARE_PAGE), DEV_DATA,
                        ALL | software);
    }
    return replaced.map(host, iova, bytes, access);
}

/* Copies 8 bytes to the page, whose entry is replaced @times. */
static Dev *copy_to_replaced(TestTables *t, unsigned times)
{
    Dev *d = make_marking(t);
    VeuHost *host = &d->host.host;

    replaced.map = host->map;
    replaced.tables = t;
    replaced.at = test_tables_entry(t, VA(SPARE_PAGE), 1);
    replaced.left = times;
    host->map = map_and_replace;
    test_memory_put64(t->memory, SOURCE, 0x1122334455667788);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(SPARE_PAGE), 8);
    return d;
}

static void check_replaced(unsigned times)
{
    TestTables t;
    g_autoptr(Dev) d = copy_to_replaced(&t, times);

    dev_assert_no_fault(d);
    g_assert_cmpuint(replaced.left, ==, 0);
    g_assert_cmphex(test_memory_get64(t.memory, DEV_DATA), ==,
                    0x1122334455667788);
    g_assert_cmphex(test_memory_get64(t.memory, SPARE_PAGE), ==, 0);
    g_assert_cmphex(bits_of(&t, SPARE_PAGE), ==, ACCESSED | DIRTY);
}

static void test_an_entry_that_is_replaced_meanwhile_is_loaded_again(void)
{
    check_replaced(1);
    check_replaced(20);
}

/* A processor that never stops does not block the device. */
static void test_an_entry_that_is_always_replaced(void)
{
    TestTables t;
    g_autoptr(Dev) d = copy_to_replaced(&t, UINT_MAX);

    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(test_memory_get64(t.memory, DEV_DATA), ==, 0);
}

/* An access that is refused sets no bits. */
static void test_a_refused_access_sets_no_bits(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_marking(&t);

    test_tables_map(&t, VA(DEV_DATA), DEV_DATA, VALID | READ);
    dev_enable(d);
    push_copy(d, VA(SOURCE), VA(DEV_DATA), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NO_WRITE | 1 << 8);
    g_assert_cmphex(bits_of(&t, DEV_DATA), ==, 0);
}

/* The bits are stores of the device, so the tables must be writable for it. */
static void test_tables_that_cannot_be_written(void)
{
    TestTables t;
    TestTables rom;
    g_autoptr(Dev) d = make_marking(&t);
    const uint64_t at = TABLES + TABLES_BYTES;
    uint8_t bytes[4096];

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    rom = t;
    test_memory_get(t.memory, test_tables_entry(&t, SCATTERED, 1) & -4096,
                    bytes, sizeof(bytes));
    test_memory_add(&d->host.memory, at, sizeof(bytes), false);
    test_memory_put(&d->host.memory, at, bytes, sizeof(bytes));
    test_memory_put64(t.memory, test_tables_entry(&rom, SCATTERED, 2),
                      at | VALID);
    dev_enable(d);
    push_copy(d, SCATTERED, VA(DEV_DATA), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_TABLE_MEMORY | 1 << 8);
}

static void test_a_moved_ring_sets_bits(void)
{
    TestTables t;
    Dev *d = make_marking(&t);
    Dev *to = dev_destination(d);

    dev_enable(d);
    dev_run(d);
    dev_free(to);
    to = dev_destination(d);
    state_move(d->device, to->device);
    dev_free(d);
    t.memory = &to->host.memory;
    push_copy(to, VA(SOURCE), VA(DEV_DATA), 8);
    g_assert_cmphex(bits_of(&t, DEV_DATA), ==, ACCESSED | DIRTY);
    dev_free(to);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/page_bits/" #name, test_##name)
    TEST(a_ring_that_marks_beside_one_that_does_not);
    TEST(accesses_set_accessed_and_dirty);
    TEST(pages_that_no_lane_accesses_get_no_bits);
    TEST(without_the_option_entries_are_not_written);
    TEST(a_ring_that_sets_bits_requests_nothing);
    TEST(options_that_do_not_exist_are_refused);
    TEST(a_write_after_reads_sets_dirty);
    TEST(cleared_bits_are_set_again);
    TEST(an_entry_that_is_replaced_meanwhile_is_loaded_again);
    TEST(an_entry_that_is_always_replaced);
    TEST(a_refused_access_sets_no_bits);
    TEST(tables_that_cannot_be_written);
    TEST(a_moved_ring_sets_bits);
#undef TEST
    return g_test_run();
}
