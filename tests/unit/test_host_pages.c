/*
 * veu unit tests: pages that outlive steps: hw/veu/eu/memory/host_pages.h, maps
 * of buffers: hw/veu/eu/memory/page_map.h, and when a context of page tables
 * drops both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/eu/memory/extent.h"
#include "hw/veu/eu/memory/host_pages.h"
#include "hw/veu/eu/memory/mem.h"
#include "hw/veu/eu/memory/page_map.h"
#include "tables.h"

#define R       VEU_HOST_PAGE_READ
#define W       VEU_HOST_PAGE_WRITE
#define PART    VEU_HOST_PAGE_PART
#define PAGE    UINT64_C(4096)
#define ADDRESS UINT64_C(0x7e5a81234000)
/* the number of pages for which there are places */
#define REACH   (VEU_HOST_PAGES * PAGE)

/* An address that is never accessed. */
#define HOST(n) ((uint8_t *)(uintptr_t)(UINT64_C(0x7f0012340000) + (n)*PAGE))

static VeuHostPages pages;
static VeuPageMap map;

static void begin(void)
{
    memset(&pages, 0, sizeof(pages));
    memset(&map, 0, sizeof(map));
}

/* Returns the host address of @address, or NULL if it is not cached. */
static uint8_t *find(uint64_t address, uint64_t needs)
{
    uint64_t word = veu_host_page_find(&pages, address, 4, needs);

    return word ? veu_host_page_at(word, address) : NULL;
}

static void test_what_is_kept_is_found(void)
{
    begin();
    g_assert_null(find(0, R));
    g_assert_null(find(ADDRESS, R));
    veu_host_pages_keep(&pages, ADDRESS, HOST(3), R);
    g_assert_true(find(ADDRESS + 0x124, R) == HOST(3) + 0x124);
    g_assert_null(find(ADDRESS + PAGE, R));
    g_assert_null(find(ADDRESS - 4, R));
}

static void test_permissions_are_those_that_were_kept(void)
{
    begin();
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), R);
    g_assert_null(find(ADDRESS, W));
    g_assert_null(find(ADDRESS, R | W));
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), W);
    g_assert_nonnull(find(ADDRESS, R | W));
    /* the permission was that of another page */
    veu_host_pages_keep(&pages, ADDRESS, HOST(1), W);
    g_assert_nonnull(find(ADDRESS, W));
    g_assert_null(find(ADDRESS, R));
}

static void test_an_access_that_leaves_the_page(void)
{
    begin();
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), R);
    g_assert_nonnull(find(ADDRESS + PAGE - 4, R));
    g_assert_null(find(ADDRESS + PAGE - 3, R));
}

/* Every bit of an address is compared. */
static void test_addresses_that_differ_in_a_bit(void)
{
    begin();
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), R);
    for (unsigned bit = 12; bit < 64; bit++) {
        g_assert_null(find(ADDRESS ^ UINT64_C(1) << bit, R));
    }
    begin();
    veu_host_pages_keep(&pages, ADDRESS | UINT64_C(1) << 48, HOST(0), R);
    g_assert_null(find(ADDRESS | UINT64_C(1) << 48, R));
    g_assert_null(find(ADDRESS, R));
}

/* Two pages that are as far apart as the table reaches have separate places. */
static void test_buffers_at_a_distance_of_its_reach(void)
{
    begin();
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), R);
    veu_host_pages_keep(&pages, ADDRESS + REACH, HOST(1), R);
    g_assert_true(find(ADDRESS, R) == HOST(0));
    g_assert_true(find(ADDRESS + REACH, R) == HOST(1));
}

static void test_host_addresses_that_do_not_fit(void)
{
    begin();
    veu_host_pages_keep(&pages, ADDRESS,
                        (uint8_t *)(uintptr_t)(UINT64_C(1) << 48), R);
    g_assert_null(find(ADDRESS, R));
    veu_host_pages_keep(&pages, ADDRESS, HOST(0) + 64, R);
    g_assert_null(find(ADDRESS, R));
    /* they are not those of other addresses either */
    for (unsigned i = 0; i < VEU_HOST_PAGES; i++) {
        g_assert_cmphex(pages.word[i], ==, 0);
    }
}

static void keep_some(uint64_t bits)
{
    begin();
    for (unsigned i = 0; i < 1024; i++) {
        veu_host_pages_keep(&pages, ADDRESS + i * PAGE, HOST(i), R | bits);
    }
}

/* The number of the 1024 pages that are still cached. */
static unsigned count(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 1024; i++) {
        n += find(ADDRESS + i * PAGE, R) != NULL;
    }
    return n;
}

static void test_what_is_forgotten(void)
{
    keep_some(0);
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 5, 3);
    g_assert_cmpuint(count(), ==, 1021);
    g_assert_nonnull(find(ADDRESS + 4 * PAGE, R));
    g_assert_null(find(ADDRESS + 5 * PAGE, R));
    g_assert_null(find(ADDRESS + 7 * PAGE, R));
    g_assert_nonnull(find(ADDRESS + 8 * PAGE, R));
    /* the same places, but pages that are not cached */
    veu_host_pages_forget(&pages, (ADDRESS + (UINT64_C(1) << 42)) / PAGE, 1024);
    g_assert_cmpuint(count(), ==, 1021);
    veu_host_pages_forget_all(&pages);
    g_assert_cmpuint(count(), ==, 0);
}

/* ADDRESS is 0x34 pages past a multiple of 2 MiB. */
static void test_a_large_page_is_forgotten_whole(void)
{
    const unsigned first = 0x34;

    keep_some(PART);
    g_assert_cmpuint(ADDRESS / PAGE % 512, ==, first);
    veu_host_pages_forget(&pages, ADDRESS / PAGE, 1);
    g_assert_cmpuint(count(), ==, 512 + first);
    g_assert_null(find(ADDRESS + (511 - first) * PAGE, R));
    g_assert_nonnull(find(ADDRESS + (512 - first) * PAGE, R));
    /* pages of 4 KiB outside of the parts remain */
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), R);
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 1, 1);
    g_assert_nonnull(find(ADDRESS, R));
}

/* Also those before the part that is named. */
static void test_all_parts_are_forgotten(void)
{
    keep_some(PART);
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 400, 1);
    g_assert_cmpuint(count(), ==, 512 + 0x34);
    g_assert_null(find(ADDRESS, R));
}

/* Whatever else is found out about it. */
static void test_a_part_stays_one(void)
{
    keep_some(PART);
    veu_host_pages_keep(&pages, ADDRESS, HOST(0), W);
    g_assert_nonnull(find(ADDRESS, R | W));
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 1, 1);
    g_assert_null(find(ADDRESS, R));
}

static void test_the_first_and_the_last_place(void)
{
    const uint64_t last = (VEU_HOST_PAGES - 1) * PAGE;

    begin();
    veu_host_pages_keep(&pages, 0, HOST(0), R);
    veu_host_pages_keep(&pages, last, HOST(1), R);
    g_assert_true(find(0, R) == HOST(0));
    g_assert_true(find(last, R) == HOST(1));
    veu_host_pages_forget_all(&pages);
    g_assert_null(find(0, R));
    g_assert_null(find(last, R));
}

/* ---- maps ---- */

/* Asks until an attempt must have been made. */
static bool make_map(uint64_t base, uint64_t bytes, uint64_t needs)
{
    for (unsigned n = 0; n < 2000; n++) {
        if (veu_page_map_make(&map, &pages, base, bytes, needs)) {
            return true;
        }
    }
    return false;
}

/* The host address of byte @n of the buffer, as a message finds it. */
static uint8_t *mapped(uint64_t n)
{
    uint64_t at = map.base % PAGE + n;

    return (uint8_t *)(uintptr_t)(map.distance[at / PAGE] + at);
}

static void test_a_map_has_all_bytes_of_a_buffer(void)
{
    keep_some(0);
    g_assert_true(make_map(ADDRESS + 12, 5 * PAGE, R));
    for (uint64_t n = 0; n < 5 * PAGE; n++) {
        g_assert_true(mapped(n) == HOST(0) + 12 + n);
    }
    /* the place after the last page */
    g_assert_true(mapped(6 * PAGE - 12) == (uint8_t *)&map.sink);
}

static void test_a_map_needs_all_pages(void)
{
    for (unsigned missing = 0; missing < 6; missing++) {
        keep_some(0);
        veu_host_pages_forget(&pages, ADDRESS / PAGE + missing, 1);
        g_assert_false(make_map(ADDRESS + 12, 5 * PAGE, R));
        veu_host_pages_keep(&pages, ADDRESS + missing * PAGE, HOST(99), R);
        g_assert_true(make_map(ADDRESS + 12, 5 * PAGE, R));
        g_assert_true(mapped(missing * PAGE) == HOST(99) + 12);
    }
}

static void test_a_map_needs_permissions(void)
{
    keep_some(0);
    g_assert_true(make_map(ADDRESS, 5 * PAGE, R));
    g_assert_false(make_map(ADDRESS, 5 * PAGE, W));
    g_assert_false(make_map(ADDRESS, 5 * PAGE, R | W));
    for (unsigned i = 0; i < 4; i++) {
        veu_host_pages_keep(&pages, ADDRESS + i * PAGE, HOST(i), W);
    }
    g_assert_false(make_map(ADDRESS, 5 * PAGE, R | W));
    g_assert_true(make_map(ADDRESS, 4 * PAGE, R | W));
}

static void test_a_map_ends_when_a_page_is_forgotten(void)
{
    keep_some(0);
    g_assert_true(make_map(ADDRESS, 5 * PAGE, R));
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 4, 1);
    g_assert_false(make_map(ADDRESS, 5 * PAGE, R));
    veu_host_pages_keep(&pages, ADDRESS + 4 * PAGE, HOST(7), R);
    g_assert_true(make_map(ADDRESS, 5 * PAGE, R));
    g_assert_true(mapped(4 * PAGE) == HOST(7));
    veu_host_pages_forget_all(&pages);
    g_assert_false(make_map(ADDRESS, 5 * PAGE, R));
}

/* Pages in the table differ in their tags, and in the hash of their places. */
static void test_a_map_of_pages_with_several_tags(void)
{
    static const uint64_t unit[] = { UINT64_C(1) << 24, REACH,
                                     UINT64_C(1) << 32, UINT64_C(1) << 40 };

    for (unsigned k = 0; k < G_N_ELEMENTS(unit); k++) {
        uint64_t base = 3 * unit[k] - 2 * PAGE;

        begin();
        for (unsigned i = 0; i < 5; i++) {
            veu_host_pages_keep(&pages, base + i * PAGE, HOST(5 - i), R);
        }
        g_assert_true(make_map(base, 5 * PAGE, R));
        for (unsigned i = 0; i < 5; i++) {
            g_assert_true(mapped(i * PAGE + 8) == HOST(5 - i) + 8);
        }
        /* pages in the same places, with other tags */
        for (unsigned bit = 24; bit < 48; bit++) {
            g_assert_false(make_map(base ^ UINT64_C(1) << bit, 5 * PAGE, R));
        }
    }
}

static void test_buffers_that_have_no_map(void)
{
    keep_some(0);
    g_assert_true(make_map(ADDRESS, VEU_PAGE_MAP_PAGES * PAGE, R));
    g_assert_false(make_map(ADDRESS, VEU_PAGE_MAP_PAGES * PAGE + 1, R));
    g_assert_false(make_map(ADDRESS + 1, VEU_PAGE_MAP_PAGES * PAGE, R));
    g_assert_false(make_map(ADDRESS, UINT64_MAX, R));
    g_assert_false(make_map(ADDRESS | UINT64_C(1) << 48, PAGE, R));
}

/* Buffers that take turns do not each make a map of their own in turn. */
static void test_a_map_keeps_its_place_while_it_is_used(void)
{
    keep_some(0);
    g_assert_true(make_map(ADDRESS, 2 * PAGE, R));
    for (unsigned n = 0; n < 1000; n++) {
        g_assert_false(
            veu_page_map_make(&map, &pages, ADDRESS + 2 * PAGE, PAGE, R));
        g_assert_true(veu_page_map_make(&map, &pages, ADDRESS, 2 * PAGE, R));
    }
    g_assert_true(make_map(ADDRESS + 2 * PAGE, PAGE, R));
}

/* A buffer that lacks a page costs little, however often it is accessed. */
static void test_attempts_become_rare(void)
{
    unsigned n = 0;

    keep_some(0);
    g_assert_false(make_map(ADDRESS - PAGE, 5 * PAGE, R));
    veu_host_pages_keep(&pages, ADDRESS - PAGE, HOST(9), R);
    while (!veu_page_map_make(&map, &pages, ADDRESS - PAGE, 5 * PAGE, R)) {
        n++;
    }
    g_assert_cmpuint(n, >, 10);
    g_assert_cmpuint(n, <=, 1024);
}

/* After a flush, a map for writes is dirty when all its pages are again. */
static void test_a_map_for_writes_becomes_dirty(void)
{
    g_autofree VeuMem *mem = g_new0(VeuMem, 1);
    uint8_t noted[4] = { 0 };
    VeuPageMap *found;
    const VeuExtent written = {
        .bytes = 4 * PAGE,
        .host = HOST(0),
        .noted = (uintptr_t)noted - (uintptr_t)HOST(0) / PAGE,
    };

    keep_some(W);
    mem->host_pages = &pages;
    for (unsigned n = 0; n < 2; n++) {
        memset(noted, 0, sizeof(noted));
        veu_mem_forget(mem);
        found = veu_mem_find_map(mem, ADDRESS, 4 * PAGE, W);
        g_assert_nonnull(found);
        g_assert_false(veu_mem_map_is_dirty(mem, found));
        mem->written = written;
        for (unsigned i = 0; i < 4; i++) {
            g_assert_false(veu_mem_map_is_dirty(mem, found));
            noted[i ^ 1] = 1;
        }
        g_assert_true(veu_mem_map_is_dirty(mem, found));
    }
}

/* A map that was made for writes serves atomics if its pages permit it. */
static void test_a_map_has_all_permissions(void)
{
    g_autofree VeuMem *mem = g_new0(VeuMem, 1);

    mem->host_pages = &pages;
    keep_some(W);
    g_assert_nonnull(veu_mem_find_map(mem, ADDRESS, 4 * PAGE, W));
    g_assert_nonnull(veu_mem_find_map(mem, ADDRESS, 4 * PAGE, R | W));
    veu_host_pages_forget(&pages, ADDRESS / PAGE + 1, 1);
    veu_host_pages_keep(&pages, ADDRESS + PAGE, HOST(1), W);
    g_assert_nonnull(veu_mem_find_map(mem, ADDRESS, 4 * PAGE, W));
    g_assert_null(veu_mem_find_map(mem, ADDRESS, 4 * PAGE, R | W));
}

/* ---- in a device ---- */

#define LANES 8
#define AT    (DEV_PAYLOAD + sizeof(struct veu_payload_header))

/* Runs until all work is done. All written pages become dirty. */
static void run(Dev *d)
{
    TestMemory *m = &d->host.memory;

    test_memory_send_all(m);
    dev_run(d);
    test_memory_flush(m);
    g_assert_cmpint(test_memory_unsent(m), ==, -1);
}

/* Addresses are followed by @bytes of data, which are the result. */
static struct veu_command_dispatch begin_dispatch(Dev *d, uint32_t bytes)
{
    struct veu_command_dispatch c = dev_dispatch(d);

    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.surface_table = VA(DEV_SURFACES);
    c.launch.payload_address = VA(DEV_PAYLOAD);
    c.launch.payload_bytes = AT - DEV_PAYLOAD + 64 + bytes;
    c.launch.payload_stride = 256;
    c.launch.result_address = VA(DEV_RESULT);
    c.launch.result_offset = 64;
    c.launch.result_bytes = bytes;
    c.launch.result_stride = bytes;
    test_memory_put32(&d->host.memory, DEV_PAYLOAD, 0xff);
    return c;
}

/* Lane n reads or writes a dword of page n of SCATTERED. */
static void dispatch(Dev *d, TestKind kind)
{
    TestMessage m = eu_message(kind);
    TestProgram *p = &d->program;
    struct veu_command_dispatch c;

    test_program_init(p);
    m.address.id = test_program_variable(p, 0, LANES, VEU_TYPE_UQ);
    m.data.id = test_program_variable(p, 64, LANES, VEU_TYPE_UD);
    test_program_add(p, &m);
    c = begin_dispatch(d, 32);
    for (unsigned i = 0; i < LANES; i++) {
        test_memory_put64(&d->host.memory, AT + i * 8,
                          SCATTERED + i * PAGE + 16);
        test_memory_put32(&d->host.memory, AT + 64 + i * 4, 0x700 + i);
    }
    DEV_PUSH(d, c);
    run(d);
}

/* Each frame of TARGET contains its number; pages 0 to 7 are frames 8 to 15. */
static Dev *begin_device_with(Dev *d, TestTables *t)
{
    add_tables(d, t);
    d->keep_memory = true;
    for (unsigned i = 0; i < SOME; i++) {
        test_memory_put32(&d->host.memory, TARGET + i * PAGE + 16, i);
    }
    for (unsigned i = 0; i < LANES; i++) {
        test_tables_map(t, SCATTERED + i * PAGE, TARGET + (8 + i) * PAGE, ALL);
    }
    dev_enable(d);
    return d;
}

static Dev *begin_device(TestTables *t)
{
    return begin_device_with(dev_new(), t);
}

static uint32_t result(Dev *d, unsigned lane)
{
    return test_memory_get32(&d->host.memory, DEV_RESULT + lane * 4);
}

/*
 * Reads twice: the second time, it does not search for what the first has
 * found.
 */
static void read_all(Dev *d)
{
    for (unsigned n = 0; n < 2; n++) {
        dispatch(d, TEST_SVM_GATHER);
        dev_assert_no_fault(d);
        for (unsigned i = 0; i < LANES; i++) {
            g_assert_cmpuint(result(d, i), ==, 8 + i);
        }
    }
}

/* The device reads no table for cached pages. */
static void test_pages_outlive_steps(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    read_all(d);
    test_tables_map(&t, SCATTERED + 3 * PAGE, TARGET, ALL);
    dispatch(d, TEST_SVM_GATHER);
    g_assert_cmpuint(result(d, 3), ==, 8 + 3);
}

static void test_a_page_that_moves(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    read_all(d);
    for (unsigned i = 0; i < LANES; i++) {
        test_tables_map(&t, SCATTERED + i * PAGE, TARGET + i * PAGE, ALL);
        invalidate(d, SCATTERED + i * PAGE, 0);
        dispatch(d, TEST_SVM_GATHER);
        dev_assert_no_fault(d);
        for (unsigned k = 0; k < LANES; k++) {
            g_assert_cmpuint(result(d, k), ==, k <= i ? k : 8 + k);
        }
    }
}

static void test_a_page_that_goes(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    read_all(d);
    test_tables_map(&t, SCATTERED + 5 * PAGE, 0, 0);
    invalidate(d, SCATTERED + 4 * PAGE, 2);
    dispatch(d, TEST_SVM_GATHER);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NOT_VALID | 1 << 8);
    g_assert_cmphex(dev_record(d, 0).address, ==, SCATTERED + 5 * PAGE + 16);
}

/* A page that is cached for reads is not writable because of that. */
static void test_permissions_of_pages_that_are_known(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    test_tables_map(&t, SCATTERED + 2 * PAGE, TARGET + 10 * PAGE, VALID | READ);
    read_all(d);
    dispatch(d, TEST_SVM_SCATTER);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NO_WRITE | 1 << 8);
    g_assert_cmpuint(
        test_memory_get32(&d->host.memory, TARGET + 10 * PAGE + 16), ==, 10);
}

static void test_a_permission_that_is_taken_back(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    dispatch(d, TEST_SVM_SCATTER);
    dispatch(d, TEST_SVM_SCATTER);
    dev_assert_no_fault(d);
    g_assert_cmphex(test_memory_get32(&d->host.memory, TARGET + 9 * PAGE + 16),
                    ==, 0x701);
    test_tables_map(&t, SCATTERED + PAGE, TARGET + 9 * PAGE, VALID | READ);
    invalidate(d, SCATTERED + PAGE, 0);
    dispatch(d, TEST_SVM_SCATTER);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, VEU_WALK_NO_WRITE | 1 << 8);
}

/* Pages that are written become dirty, whether they were cached or not. */
static void test_known_pages_become_dirty(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    for (unsigned n = 0; n < 3; n++) {
        for (unsigned i = 0; i < SOME; i++) {
            test_memory_put32(&d->host.memory, TARGET + i * PAGE + 16, 0);
        }
        dispatch(d, TEST_SVM_SCATTER);
        g_assert_cmphex(test_memory_get32(&d->host.memory,
                                          TARGET + 8 * PAGE + 16),
                        ==, 0x700);
    }
}

/* Sanitizers would find an access to freed memory. */
static void test_memory_that_moves(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    for (unsigned n = 0; n < 3; n++) {
        read_all(d);
        test_host_move(&d->host);
    }
}

/*
 * A host that does not report changes of its memory may change it in each step.
 */
static void test_a_host_whose_memory_always_moves(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    d->host.host.memory_version = 0;
    for (unsigned n = 0; n < 3; n++) {
        read_all(d);
        test_memory_move(&d->host.memory);
    }
}

/* ENABLE drops everything that is cached of the context. */
static void test_a_ring_that_starts_again(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    read_all(d);
    test_tables_map(&t, SCATTERED + 6 * PAGE, TARGET, ALL);
    dev_disable(d);
    dev_run(d);
    d->tail = 0;
    dev_enable(d);
    dispatch(d, TEST_SVM_GATHER);
    g_assert_cmpuint(result(d, 6), ==, 0);
}

/* ---- buffers ---- */

/*
 * Lane n of message k reads, or writes, a dword of page n of buffer k % 2. The
 * program has @count messages.
 */
static void dispatch_messages(Dev *d, TestKind kind, const uint64_t base[2],
                              unsigned count)
{
    TestMessage m = eu_message(kind);
    TestProgram *p = &d->program;
    struct veu_command_dispatch c;
    unsigned data[2];

    test_program_init(p);
    m.address.id = test_program_variable(p, 0, LANES, VEU_TYPE_UD);
    for (unsigned k = 0; k < 2; k++) {
        data[k] = test_program_variable(p, 64 + k * 32, LANES, VEU_TYPE_UD);
        dev_buffer(d, k, base[k], LANES * PAGE);
    }
    for (unsigned k = 0; k < count; k++) {
        m.surface = VEU_FIRST_SURFACE + k % 2;
        m.data.id = data[k % 2];
        test_program_add(p, &m);
    }
    c = begin_dispatch(d, 64);
    c.launch.surface_count = 2;
    for (unsigned i = 0; i < LANES; i++) {
        test_memory_put32(&d->host.memory, AT + i * 4, i * PAGE + 16);
        test_memory_put32(&d->host.memory, AT + 64 + i * 4, 0x700 + i);
        test_memory_put32(&d->host.memory, AT + 96 + i * 4, 0x800 + i);
    }
    DEV_PUSH(d, c);
    run(d);
    dev_assert_no_fault(d);
}

static void dispatch_buffers(Dev *d, TestKind kind, const uint64_t base[2])
{
    dispatch_messages(d, kind, base, 2);
}

/* Maps the pages of a buffer at @base to frames from @frame on. */
static void map_buffer(TestTables *t, uint64_t base, unsigned frame)
{
    for (unsigned i = 0; i < LANES; i++) {
        test_tables_map(t, base + i * PAGE, TARGET + (frame + i) * PAGE, ALL);
    }
}

/*
 * Three times: the first finds the pages, and those that follow use what it
 * has found.
 */
static void read_and_write_buffers(Dev *d, const uint64_t base[2])
{
    for (unsigned n = 0; n < 3; n++) {
        for (unsigned i = 0; i < SOME; i++) {
            test_memory_put32(&d->host.memory, TARGET + i * PAGE + 16, i);
        }
        dispatch_buffers(d, TEST_GATHER_SCALED, base);
        for (unsigned i = 0; i < LANES; i++) {
            g_assert_cmpuint(result(d, i), ==, 8 + i);
            g_assert_cmpuint(result(d, LANES + i), ==, i);
        }
        dispatch_buffers(d, TEST_SCATTER_SCALED, base);
        for (unsigned i = 0; i < SOME; i++) {
            g_assert_cmphex(test_memory_get32(&d->host.memory,
                                              TARGET + i * PAGE + 16),
                            ==, i < 8 ? 0x800 + i : 0x700 + i - 8);
        }
    }
}

/* Reads until the gate has maps of the buffers, and once more. */
static void read_often(Dev *d, const uint64_t base[2])
{
    for (unsigned n = 0; n < 8; n++) {
        dispatch_buffers(d, TEST_GATHER_SCALED, base);
    }
}

/*
 * The first messages of a dispatch make the pages dirty, so that those that
 * follow write through the maps.
 */
static void test_buffers_that_are_written_in_turn(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device_with(dev_new_joined(), &t);
    const uint64_t base[2] = { SCATTERED, SCATTERED + 8 * PAGE };

    d->host.host.events = 0; /* with them, messages run one by one */
    map_buffer(&t, base[1], 0);
    for (unsigned n = 0; n < 16; n++) {
        dispatch_messages(d, TEST_SCATTER_SCALED, base, 8);
        for (unsigned i = 0; i < SOME; i++) {
            g_assert_cmphex(test_memory_get32(&d->host.memory,
                                              TARGET + i * PAGE + 16),
                            ==, i < 8 ? 0x800 + i : 0x700 + i - 8);
        }
    }
}

static void test_a_page_of_a_buffer_that_moves(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);
    const uint64_t base[2] = { SCATTERED, SCATTERED + 8 * PAGE };

    map_buffer(&t, base[1], 0);
    for (unsigned i = 0; i < LANES; i++) {
        read_often(d, base);
        g_assert_cmpuint(result(d, i), ==, 8 + i);
        test_tables_map(&t, base[0] + i * PAGE, TARGET + i * PAGE, ALL);
        invalidate(d, base[0] + i * PAGE, 0);
        dispatch_buffers(d, TEST_GATHER_SCALED, base);
        for (unsigned k = 0; k < LANES; k++) {
            g_assert_cmpuint(result(d, k), ==, k <= i ? k : 8 + k);
            g_assert_cmpuint(result(d, LANES + k), ==, k);
        }
    }
}

/* Sanitizers would find an access to freed memory. */
static void test_memory_of_buffers_that_moves(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);
    const uint64_t base[2] = { SCATTERED, SCATTERED + 8 * PAGE };

    map_buffer(&t, base[1], 0);
    for (unsigned n = 0; n < 3; n++) {
        read_often(d, base);
        test_host_move(&d->host);
    }
}

/* The tags of its pages differ. */
static void test_a_buffer_that_crosses_the_reach(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);
    const uint64_t base[2] = { SCATTERED + REACH - 3 * PAGE,
                               SCATTERED + 3 * REACH - 7 * PAGE };

    map_buffer(&t, base[0], 8);
    map_buffer(&t, base[1], 0);
    read_and_write_buffers(d, base);
}

/* Addresses that differ in one bit of the tag, whose words have one place. */
static void test_buffers_whose_pages_have_one_place(void)
{
    static const uint8_t bits[] = { 27, 31, 32, 41, 42, 47 };
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);

    for (unsigned i = 0; i < G_N_ELEMENTS(bits); i++) {
        uint64_t same_place = bits[i] < 42 ? UINT64_C(1) << (bits[i] - 15) : 0;
        const uint64_t base[2] = {
            SCATTERED,
            (SCATTERED ^ UINT64_C(1) << bits[i]) + same_place,
        };

        map_buffer(&t, base[1], 0);
        read_and_write_buffers(d, base);
    }
}

/* Elements of a buffer that is not aligned to pages. */
static void test_a_buffer_that_begins_in_a_page(void)
{
    TestTables t;
    g_autoptr(Dev) d = begin_device(&t);
    const uint64_t base[2] = { SCATTERED + 8, SCATTERED + 8 * PAGE + 4092 };

    map_buffer(&t, SCATTERED + 8 * PAGE, 0);
    map_buffer(&t, SCATTERED + 9 * PAGE, 0);
    for (unsigned i = 0; i < LANES; i++) {
        test_memory_put32(&d->host.memory, TARGET + (8 + i) * PAGE + 24, 8 + i);
        test_memory_put32(&d->host.memory, TARGET + i * PAGE + 12, i);
    }
    for (unsigned n = 0; n < 2; n++) {
        dispatch_buffers(d, TEST_GATHER_SCALED, base);
        for (unsigned i = 0; i < LANES; i++) {
            g_assert_cmpuint(result(d, i), ==, 8 + i);
            g_assert_cmpuint(result(d, LANES + i), ==, i);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/host_pages/" #name, test_##name)
    TEST(what_is_kept_is_found);
    TEST(permissions_are_those_that_were_kept);
    TEST(an_access_that_leaves_the_page);
    TEST(addresses_that_differ_in_a_bit);
    TEST(buffers_at_a_distance_of_its_reach);
    TEST(host_addresses_that_do_not_fit);
    TEST(what_is_forgotten);
    TEST(a_large_page_is_forgotten_whole);
    TEST(all_parts_are_forgotten);
    TEST(a_part_stays_one);
    TEST(the_first_and_the_last_place);
    TEST(a_map_has_all_bytes_of_a_buffer);
    TEST(a_map_needs_all_pages);
    TEST(a_map_needs_permissions);
    TEST(a_map_ends_when_a_page_is_forgotten);
    TEST(a_map_of_pages_with_several_tags);
    TEST(buffers_that_have_no_map);
    TEST(a_map_keeps_its_place_while_it_is_used);
    TEST(attempts_become_rare);
    TEST(a_map_for_writes_becomes_dirty);
    TEST(a_map_has_all_permissions);
    TEST(pages_outlive_steps);
    TEST(a_page_that_moves);
    TEST(a_page_that_goes);
    TEST(permissions_of_pages_that_are_known);
    TEST(a_permission_that_is_taken_back);
    TEST(known_pages_become_dirty);
    TEST(memory_that_moves);
    TEST(a_host_whose_memory_always_moves);
    TEST(a_ring_that_starts_again);
    TEST(buffers_that_are_written_in_turn);
    TEST(a_page_of_a_buffer_that_moves);
    TEST(memory_of_buffers_that_moves);
    TEST(a_buffer_that_crosses_the_reach);
    TEST(buffers_whose_pages_have_one_place);
    TEST(a_buffer_that_begins_in_a_page);
#undef TEST
    return g_test_run();
}
