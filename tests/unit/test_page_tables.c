/*
 * veu unit tests: contexts of type 3: the page tables translate what commands
 * name, but not the ring's own memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <string.h>
#include "hw/veu/device/host/inspect.h"
#include "hw/veu/device/model.h"
#include "svm_launches.h"
#include "tables.h"
#include "tests/lib/state_bytes.h"

/* Runs all commands; the entry of the page has these bits. */
static Dev *run_with(uint64_t page, uint64_t bits)
{
    TestTables t;
    Dev *d = make(&t);

    build_program(d);
    put_payload(d);
    test_tables_map(&t, VA(page), page, bits);
    dev_enable(d);
    push_commands(d);
    dev_run(d);
    return d;
}

static void test_all_goes_through_the_tables(void)
{
    g_autoptr(Dev) d = run_with(SPARE_PAGE, ALL);

    dev_assert_no_fault(d);
    all_paths_check(d);
}

static void check_path(const AllPathsPage *path, uint64_t bits, uint32_t detail)
{
    g_autoptr(Dev) d = run_with(path->page, bits);
    struct veu_fault_record r = dev_record(d, 0);

    dev_assert_fault(d, 1, path->code, detail);
    g_assert_cmphex(r.address & ~UINT64_C(4095), ==, VA(path->page));
    g_assert_cmpuint(r.access, ==, path->access);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==, detail);
}

static void test_path(gconstpointer opaque)
{
    const AllPathsPage *path = opaque;
    bool is_read = path->access == VEU_ACCESS_READ;

    check_path(path, READ | WRITE, VEU_WALK_NOT_VALID | 1 << 8);
    check_path(path, VALID | (is_read ? WRITE : READ),
               (is_read ? VEU_WALK_NO_READ : VEU_WALK_NO_WRITE) | 1 << 8);
    check_path(path, ALL | 1 << 6, VEU_WALK_RESERVED | 1 << 8);
    check_path(path, ALL | UINT64_C(1) << 40, VEU_WALK_PAGE_MEMORY);
}

/* The record contains the level at which a walk ends. */
static void test_a_record_has_the_level(void)
{
    for (unsigned level = 1; level <= 4; level++) {
        TestTables t;
        g_autoptr(Dev) d = make(&t);
        uint64_t place = test_tables_entry(&t, VA(DEV_DATA), level);

        test_memory_put64(&d->host.memory, place, 0);
        dev_enable(d);
        push_copy(d, VA(DEV_DATA), VA(DEV_RESULT), 8);
        dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                         VEU_WALK_NOT_VALID | level << 8);
        g_assert_cmphex(dev_record(d, 0).address, ==, VA(DEV_DATA));
    }
}

/*
 * Memory that is contiguous on the host, from before a page of 2 MiB to within
 * it, and pages around it that do not belong to the process.
 */
static void test_extents_end_where_pages_do(void)
{
    const uint64_t before = 0x3f0000, page = 0x400000, end = 0x410000;
    const uint64_t large = BASE + (UINT64_C(2) << 30);
    const uint64_t small = large + (1 << 21);
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    TestMemory *memory = &d->host.memory;

    memory->joined = true;
    test_memory_add(memory, before, end - before, true);
    test_tables_map_level(&t, large, page, ALL, 2);
    test_tables_map(&t, small, before + 4096, ALL);
    test_tables_map(&t, small + 4096, before + 3 * 4096, ALL);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    push_copy(d, large, large + end - page - 16, 16);
    push_copy(d, small, small + 4096 - 8, 16);
    dev_assert_no_fault(d);
    push_copy(d, large, large + end - page - 8, 16);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, VEU_WALK_PAGE_MEMORY);
    g_assert_cmphex(dev_record(d, 0).address, ==, large + end - page);
    test_memory_fill(memory, before + 2 * 4096, 0xee, 4096);
    test_memory_fill(memory, before + 4096, 0x11, 4096);
    push_copy(d, small, small + 4096 - 8, 16);
    for (uint64_t at = before + 2 * 4096; at < before + 3 * 4096; at++) {
        g_assert_cmphex(test_memory_get8(memory, at), ==, 0xee);
    }
    g_assert_cmphex(test_memory_get64(memory, before + 3 * 4096), ==,
                    UINT64_C(0x1111111111111111));
    push_copy(d, small, small + 2 * 4096 - 8, 16);
    dev_assert_fault(d, 2, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
}

/* Within a step, what was found in a page is not used before it. */
static void test_what_is_kept_begins_where_pages_do(void)
{
    const uint64_t before = 0x3f0000;
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = SCATTERED + 4096,
        .destination = VA(TARGET),
        .bytes = 16,
    };

    d->host.memory.joined = true;
    test_memory_add(&d->host.memory, before, 3 * 4096, true);
    test_tables_map(&t, SCATTERED + 4096, before + 4096, ALL);
    dev_enable(d);
    dev_fill(d, &copy, 1);
    copy.source = SCATTERED;
    DEV_PUSH(d, copy);
    dev_step(d, 1000);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(dev_record(d, 0).address, ==, SCATTERED);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

/* Pages of the old context serve no messages of the new one. */
static void test_a_ring_that_leaves_its_tables(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    struct veu_command_dispatch c = svm_dispatch(d, eu_message(TEST_SVM_GATHER),
                                                 1);

    for (unsigned lane = 0; lane < 8; lane++) {
        put_lane(d, 0, lane, VA(DEV_DATA) + lane * 4);
    }
    d->keep_memory = true; /* and what the device knows of it */
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    context_write(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_IDENTITY, 4);
    dev_ring_set(d, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    c.launch.code_address = DEV_PROGRAM;
    c.launch.payload_address = DEV_PAYLOAD;
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, VA(DEV_DATA));
    g_assert_cmphex(dev_record(d, 0).lanes, ==, 0xff);
}

static bool no_extent(VeuHost *host, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    return false;
}

/* A page is in RAM, but the host has no extent there. */
static void test_an_extent_that_the_host_lacks_is_not_opened(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    VeuMem *mem = &d->device->ring[0].context.mem;
    VeuExtent extent;

    dev_enable(d);
    dev_run(d);
    g_assert_true(mem->open(mem, VA(DEV_DATA), VEU_ACCESS_WRITE, &extent));
    d->host.host.open = no_extent;
    g_assert_false(mem->open(mem, VA(DEV_DATA), VEU_ACCESS_WRITE, &extent));
    g_assert_false(mem->open(mem, VA(DEV_DATA), VEU_ACCESS_READ, &extent));
}

static void test_a_table_outside_of_ram(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_memory_put64(&d->host.memory, test_tables_entry(&t, VA(DEV_DATA), 3),
                      DEV_HOLE | VALID);
    dev_enable(d);
    push_copy(d, VA(DEV_DATA), VA(DEV_RESULT), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_TABLE_MEMORY | 2 << 8);
}

static void test_a_root_outside_of_ram(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    context_write(d, VEU_REG_CONTEXT_ROOT, UINT64_MAX, 8);
    dev_enable(d);
    push_copy(d, VA(DEV_DATA), VA(DEV_RESULT), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_TABLE_MEMORY | 4 << 8);
}

static void test_an_address_that_is_not_canonical(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_enable(d);
    push_copy(d, VA(DEV_DATA) | UINT64_C(1) << 63, VA(DEV_RESULT), 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, VEU_WALK_NOT_CANONICAL);
}

static void test_pages_need_not_be_neighbours(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    uint8_t bytes[SOME * 4096];

    for (unsigned i = 0; i < sizeof(bytes); i++) {
        bytes[i] = i * 7 + i / 256;
    }
    test_memory_put(&d->host.memory, SOURCE, bytes, sizeof(bytes));
    for (unsigned i = 0; i < SOME; i++) {
        test_tables_map(&t, SCATTERED + i * 4096, TARGET + i * 7 % 16 * 4096,
                        ALL);
    }
    dev_enable(d);
    push_copy(d, VA(SOURCE) + 100, SCATTERED + 1, sizeof(bytes) - 200);
    dev_assert_no_fault(d);
    for (unsigned i = 0; i < sizeof(bytes) - 200; i++) {
        unsigned at = i + 1;
        uint64_t page = TARGET + at / 4096 * 7 % 16 * 4096;

        g_assert_cmphex(test_memory_get8(&d->host.memory, page + at % 4096), ==,
                        bytes[100 + i]);
    }
}

/* ---- a walk, for users ---- */

typedef struct Told {
    VeuInspector inspector; /* first */
    GString *text;
} Told;

static void told_open(VeuInspector *v, const char *name)
{
    g_string_append_printf(((Told *)v)->text, " %s{", name);
}

static void told_close(VeuInspector *v)
{
    g_string_append(((Told *)v)->text, " }");
}

static void told_number(VeuInspector *v, const char *name, uint64_t value)
{
    g_string_append_printf(((Told *)v)->text, " %s=0x%" PRIx64, name, value);
}

static void told_text(VeuInspector *v, const char *name, const char *value)
{
    g_string_append_printf(((Told *)v)->text, " %s=%s", name, value);
}

/* Checks all of the description after the root. */
static void assert_walk(Dev *d, uint64_t address, const char *expected)
{
    Told told = { { told_open, told_close, told_number, told_number,
                    told_text },
                  g_string_new(NULL) };

    g_assert_true(veu_inspect_walk(d->device, 0, address, &told.inspector));
    g_assert_cmpstr(strstr(strstr(told.text->str, " root="), "=0x800000") + 9,
                    ==, expected);
    g_string_free(told.text, true);
}

/* An address whose place in the TLB differs from that of DEV_RESULT's page. */
#define VIRTUAL (SCATTERED + 4096)

static void test_a_walk_can_be_inspected(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    uint64_t at = test_tables_entry(&t, VIRTUAL, 1);
    g_autofree char *entry = g_strdup_printf(" entry=0x%" PRIx64
                                             " entry_address=0x%" PRIx64
                                             " level=0x1",
                                             (uint64_t)(TARGET | ALL), at);
    g_autofree char *found =
        g_strdup_printf(" page{ dma_address=0x%" PRIx64
                        " page_bytes=0x1000 permissions=read, write }%s",
                        TARGET + 0x123, entry);
    g_autofree char *kept = g_strdup_printf(
        " reason=NOT_VALID level=0x1 kept{ dma_address=0x%" PRIx64
        " page_bytes=0x1000 permissions=read, write } host_page=read",
        TARGET + 0x123);

    assert_walk(d, VIRTUAL + 0x123, " reason=NOT_VALID level=0x1");
    test_tables_map(&t, VIRTUAL, TARGET, ALL);
    assert_walk(d, VIRTUAL + 0x123, found);
    dev_enable(d);
    push_copy(d, VIRTUAL, VA(DEV_RESULT), 8);
    dev_assert_no_fault(d);
    test_tables_map(&t, VIRTUAL, 0, 0);
    assert_walk(d, VIRTUAL + 0x123, kept);
    invalidate(d, VIRTUAL, 0);
    assert_walk(d, VIRTUAL + 0x123, " reason=NOT_VALID level=0x1");
    assert_walk(d, UINT64_C(1) << 48, " reason=NOT_CANONICAL level=0x0");
}

/*
 * A page whose translation has been replaced since: messages still have it
 * cached.
 */
static void test_a_walk_shows_host_pages(void)
{
    static _Alignas(4096) uint8_t page[4096];
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    VeuTlb *tlb = &d->device->tlbs[0];

    veu_host_pages_keep(&tlb->host_pages, VIRTUAL, page, VEU_HOST_PAGE_READ);
    tlb->memory_version = d->device->host->memory_version;
    assert_walk(d, VIRTUAL + 8, " reason=NOT_VALID level=0x3 host_page=read");
    assert_walk(d, VIRTUAL + 4096, " reason=NOT_VALID level=0x3");
    tlb->memory_version++; /* the next step drops it */
    assert_walk(d, VIRTUAL + 8, " reason=NOT_VALID level=0x3");
}

/* Pages that may only be written count as pages, too. */
static void test_a_walk_shows_permissions(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    uint64_t at = test_tables_entry(&t, SCATTERED, 1);
    g_autofree char *found = g_strdup_printf(
        " page{ dma_address=0x%" PRIx64
        " page_bytes=0x1000 permissions=write } entry=0x%" PRIx64
        " entry_address=0x%" PRIx64 " level=0x1",
        TARGET, (uint64_t)(TARGET | VALID | WRITE), at);

    test_tables_map(&t, SCATTERED, TARGET, VALID | WRITE);
    context_write(d, VEU_REG_CONTEXT_OPTIONS, VEU_CONTEXT_ACCESSED, 4);
    assert_walk(d, SCATTERED, found);
    g_assert_cmphex(test_memory_get64(&d->host.memory, at), ==,
                    TARGET | VALID | WRITE);
}

static void test_a_context_without_tables_has_no_walk(void)
{
    g_autoptr(Dev) d = dev_new();

    g_assert_false(veu_inspect_walk(d->device, 0, 0, NULL));
    g_assert_false(veu_inspect_walk(d->device, DEV_RINGS, 0, NULL));
    g_assert_false(veu_inspect_walk(d->device, UINT32_MAX, 0, NULL));
}

/* Two rings of one context, one of which is bound to an older root. */
static void test_rings_keep_the_root_that_they_were_bound_to(void)
{
    const struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = VA(SOURCE),
        .destination = SCATTERED,
        .bytes = 8,
    };
    TestTables t, other;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    test_tables_init(&other, &d->host.memory, t.next, t.end);
    context_write(d, VEU_REG_CONTEXT_ROOT, other.root, 8);
    test_tables_map(&other, SCATTERED, TARGET + 4096, ALL);
    test_tables_map(&other, VA(SOURCE), SOURCE, ALL);
    enable_ring1(d);
    test_memory_put64(&d->host.memory, SOURCE, 3);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 3);
    run_ring1(d, &copy);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 3);
}

/*
 * A page of 2 MiB, and one of 1 GiB, from DMA address 0: RAM is in the middle.
 */
static void test_large_pages(void)
{
    for (unsigned level = 2; level <= 3; level++) {
        TestTables t;
        g_autoptr(Dev) d = make(&t);

        test_tables_map_level(&t, SCATTERED, 0, ALL, level);
        dev_enable(d);
        test_memory_put64(&d->host.memory, SOURCE, level);
        push_copy(d, SCATTERED + SOURCE, SCATTERED + TARGET, 8);
        dev_assert_no_fault(d);
        g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, level);
    }
}

/* Each step runs one piece in another device. */
static void test_a_moved_ring_keeps_its_tables(void)
{
    TestTables t;
    Dev *d = make(&t);

    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    for (unsigned i = 0; i < 40; i++) {
        Dev *to = dev_destination(d);

        dev_step(d, 1);
        dev_free(to);
        to = dev_destination(d);
        state_move(d->device, to->device);
        dev_free(d);
        d = to;
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 7);
    dev_free(d);
}

/* ---- atomics: READ and WRITE ---- */

static void test_atomics_need_both_permissions(void)
{
    static const struct {
        uint64_t bits;
        uint32_t detail;
    } cases[] = {
        { ALL, 0 },
        { VALID | READ, VEU_WALK_NO_WRITE | 1 << 8 },
        { VALID | WRITE, VEU_WALK_NO_READ | 1 << 8 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct veu_command_dispatch c;
        TestTables t;
        g_autoptr(Dev) d = make(&t);

        test_tables_map(&t, VA(DEV_DATA), DEV_DATA, cases[i].bits);
        c = increments(d);
        dev_enable(d);
        DEV_PUSH(d, c);
        dev_run(d);
        if (cases[i].detail) {
            dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, cases[i].detail);
        } else {
            dev_assert_no_fault(d);
        }
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA), ==,
                         cases[i].detail == 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/page_tables/all_goes_through_the_tables",
                    test_all_goes_through_the_tables);
    for (unsigned i = 0; i < ALL_PATHS_PAGES; i++) {
        g_autofree char *name = g_strdup_printf("/page_tables/faults/%s",
                                                all_paths_pages[i].name);

        g_test_add_data_func(name, &all_paths_pages[i], test_path);
    }
#define TEST(name) g_test_add_func("/page_tables/" #name, test_##name)
    TEST(a_record_has_the_level);
    TEST(extents_end_where_pages_do);
    TEST(what_is_kept_begins_where_pages_do);
    TEST(a_ring_that_leaves_its_tables);
    TEST(an_extent_that_the_host_lacks_is_not_opened);
    TEST(a_table_outside_of_ram);
    TEST(a_root_outside_of_ram);
    TEST(an_address_that_is_not_canonical);
    TEST(pages_need_not_be_neighbours);
    TEST(a_walk_can_be_inspected);
    TEST(a_walk_shows_host_pages);
    TEST(a_walk_shows_permissions);
    TEST(a_context_without_tables_has_no_walk);
    TEST(rings_keep_the_root_that_they_were_bound_to);
    TEST(large_pages);
    TEST(a_moved_ring_keeps_its_tables);
    TEST(atomics_need_both_permissions);
#undef TEST
    return g_test_run();
}
