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

/* An address that commands name, and its fault without a permission. */
typedef struct Path {
    const char *name;
    uint64_t page;
    enum veu_access access;
    uint16_t code;
} Path;

static const Path paths[] = {
    { "program", DEV_PROGRAM, VEU_ACCESS_READ, VEU_FAULT_PROGRAM_MEMORY },
    { "surface-table", DEV_SURFACES, VEU_ACCESS_READ, VEU_FAULT_SURFACE_TABLE },
    { "payload", DEV_PAYLOAD, VEU_ACCESS_READ, VEU_FAULT_PAYLOAD_MEMORY },
    { "result", DEV_RESULT, VEU_ACCESS_WRITE, VEU_FAULT_RESULT_MEMORY },
    { "svm", SVM_PAGE, VEU_ACCESS_READ, VEU_FAULT_ADDRESS },
    { "surface", GATHER_PAGE, VEU_ACCESS_READ, VEU_FAULT_ADDRESS },
    { "surface-write", SCATTER_PAGE, VEU_ACCESS_WRITE, VEU_FAULT_ADDRESS },
    { "typed-surface", TYPED_PAGE, VEU_ACCESS_WRITE, VEU_FAULT_ADDRESS },
    { "stateless", STATELESS_PAGE, VEU_ACCESS_READ, VEU_FAULT_ADDRESS },
    { "fence", DEV_FENCE, VEU_ACCESS_WRITE, VEU_FAULT_COMMAND_MEMORY },
    { "timestamp", TIME_PAGE, VEU_ACCESS_WRITE, VEU_FAULT_COMMAND_MEMORY },
};

static void check_path(const Path *path, uint64_t bits, uint32_t detail)
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
    const Path *path = opaque;
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

/* The invalidated range is walked again; other translations may be old. */
static void test_an_invalidation_takes_effect(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_enable(d);
    for (unsigned log2 = 0; log2 < 40; log2++) {
        uint64_t page = TARGET + log2 % 2 * 4096;

        test_tables_map(&t, SCATTERED, page, ALL);
        test_memory_put64(&d->host.memory, SOURCE, log2 + 100);
        invalidate(d, SCATTERED, log2);
        push_copy(d, VA(SOURCE), SCATTERED, 8);
        g_assert_cmpuint(test_memory_get64(&d->host.memory, page), ==,
                         log2 + 100);
    }
    test_tables_map(&t, SCATTERED, TARGET, READ);
    invalidate(d, SCATTERED, 0);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY,
                     VEU_WALK_NOT_VALID | 1 << 8);
}

static struct veu_command_invalidate invalidate_command(uint64_t address)
{
    return (struct veu_command_invalidate){
        .header = { .opcode = VEU_COMMAND_INVALIDATE, .slots = 1 },
        .range = VEU_INVALIDATE(address, 0),
    };
}

/* Runs a command in ring 1, whose context is of type 0. */
static void run_in_ring_1(Dev *d, const void *command)
{
    const uint32_t ring1 = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;

    test_memory_put(&d->host.memory, DEV_DATA, command, VEU_SLOT_BYTES);
    test_memory_put32(&d->host.memory, DEV_DATA + 0x1000, 1);
    dev_write(d, ring1 + VEU_REG_RING_CONTEXT, 1, 4);
    dev_write(d, ring1 + VEU_REG_RING_BASE, DEV_DATA, 8);
    dev_write(d, ring1 + VEU_REG_RING_SHARED, DEV_DATA + 0x1000, 8);
    dev_write(d, ring1 + VEU_REG_RING_SLOTS, 1, 4);
    dev_write(d, ring1 + VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
    veu_ring_step(d->device, 1, 100);
}

static void test_the_command_invalidates(void)
{
    struct veu_command_invalidate c = invalidate_command(SCATTERED);
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 5);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 5);
    run_in_ring_1(d, &c);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_assert_no_fault(d);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 5);
}

static void test_a_context_to_invalidate_that_does_not_exist(void)
{
    const uint32_t ring1 = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;
    struct veu_command_invalidate c = invalidate_command(SCATTERED);
    g_autoptr(Dev) d = dev_new();

    c.context = dev_read(d, VEU_REG_CAP_CONTEXTS, 4);
    run_in_ring_1(d, &c);
    g_assert_cmphex(dev_read(d, ring1 + VEU_REG_RING_LAST_FAULT, 4), ==,
                    VEU_FAULT_COMMAND_FIELD);
    g_assert_cmpuint(dev_read(d, ring1 + VEU_REG_RING_LAST_DETAIL, 4), ==, 16);
}

/* In a context of page tables or windows, the opcode does not exist. */
static void test_a_process_has_no_command_to_invalidate(void)
{
    struct veu_command_invalidate c = invalidate_command(SCATTERED);
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    c.reserved[0] = 1; /* which is not even read */
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_OPCODE, 0);
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

/* ---- invalidations beside a batch ---- */

static bool invalidate_beside(Dev *d, unsigned context, uint64_t address)
{
    return veu_device_write_beside(d->device,
                                   VEU_CONTEXT_BLOCK +
                                       context * VEU_CONTEXT_BLOCK_STRIDE +
                                       VEU_REG_CONTEXT_INVALIDATE,
                                   VEU_INVALIDATE(address, 0), 8);
}

/* What a host's processor does while a step of context 0 maps memory. */
static struct {
    Dev *d;
    uint8_t *(*map)(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access);
    unsigned own;   /* invalidations of context 0 */
    unsigned other; /* of context 1 */
} beside;

static uint8_t *map_and_invalidate(VeuHost *host, uint64_t iova,
                                   uint32_t *bytes, enum veu_access access)
{
    if (iova - TABLES < TABLES_BYTES) { /* a walk */
        beside.own += invalidate_beside(beside.d, 0, SCATTERED);
        beside.other += invalidate_beside(beside.d, 1, SCATTERED);
    }
    return beside.map(host, iova, bytes, access);
}

/* The invalidation waits only for a step of the same context. */
static void test_an_invalidation_beside_a_step(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    dev_run(d);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    beside.d = d;
    beside.own = beside.other = 0;
    beside.map = d->host.host.map;
    d->host.host.map = map_and_invalidate;
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    d->host.host.map = beside.map;
    dev_assert_no_fault(d);
    g_assert_cmpuint(beside.own, ==, 0);
    g_assert_cmpuint(beside.other, >, 0);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    g_assert_false(veu_device_write_beside(
        d->device, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_ROOT, 0, 8));
}

/* The linker redirects all calls of veu_tlb_forget() to this function. */
void __real_veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages);
void __wrap_veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages);

/* the device that copies while entries are dropped, or NULL */
static Dev *works_meanwhile;

void __wrap_veu_tlb_forget(VeuTlb *tlb, uint64_t address, unsigned log2_pages)
{
    Dev *d = works_meanwhile;

    works_meanwhile = NULL;
    __real_veu_tlb_forget(tlb, address, log2_pages);
    if (d) {
        push_copy(d, VA(SOURCE), SCATTERED, 8);
    }
}

/*
 * The step may have cached what was dropped: the invalidation has to be
 * repeated.
 */
static void test_a_step_during_an_invalidation(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    works_meanwhile = d;
    g_assert_true(invalidate_beside(d, 1, SCATTERED));
    g_assert_null(works_meanwhile);
    works_meanwhile = d;
    g_assert_false(invalidate_beside(d, 0, SCATTERED));
    g_assert_null(works_meanwhile);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    dev_assert_no_fault(d);
}

/* Returns true if the TLB has @address; each look-up is that of a read. */
static bool is_kept(const Dev *d, uint64_t address)
{
    VeuPage page;

    return veu_tlb_find(&d->device->tlbs[0], address, VEU_ACCESS_READ, &page);
}

/* The results of look-ups in the middle of a step. */
static struct {
    unsigned looks;
    unsigned kept;
} middle;

static uint8_t *map_and_look(VeuHost *host, uint64_t iova, uint32_t *bytes,
                             enum veu_access access)
{
    if (iova - TABLES < TABLES_BYTES) { /* a walk */
        g_assert_false(invalidate_beside(beside.d, 0, SCATTERED));
        middle.looks++;
        middle.kept += is_kept(beside.d, SCATTERED);
    }
    return beside.map(host, iova, bytes, access);
}

/*
 * A step that has loaded an old entry caches it a little later. If a concurrent
 * invalidation dropped the cached entries, found the step at its end and
 * returned, the old entry would remain. Therefore it drops nothing, and its
 * caller does so after the step.
 */
static void test_nothing_is_dropped_beside_a_step_of_the_context(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    test_tables_map(&t, SCATTERED + 4096, TARGET + 4096, ALL);
    dev_enable(d);
    push_copy(d, SCATTERED, VA(DEV_DATA), 8);
    g_assert_true(is_kept(d, SCATTERED));
    beside.d = d;
    beside.map = d->host.host.map;
    middle.looks = middle.kept = 0;
    d->host.host.map = map_and_look;
    push_copy(d, SCATTERED + 4096, VA(DEV_DATA), 8);
    d->host.host.map = beside.map;
    g_assert_cmpuint(middle.looks, >, 0);
    g_assert_cmpuint(middle.kept, ==, middle.looks);
    g_assert_true(invalidate_beside(d, 0, SCATTERED));
    g_assert_false(is_kept(d, SCATTERED));
    g_assert_true(is_kept(d, SCATTERED + 4096));
}

#define MOVES 200

/* A ring that copies from a page, which another thread moves. */
typedef struct Storm {
    Dev *d;
    GMutex batch;
    GCond copied;
    bool done;
    unsigned copies; /* like stale, only accessed with batch locked */
    unsigned stale;  /* copies of a page that had been removed */
} Storm;

#define FRESH UINT64_C(0x1111111111111111)
#define STALE UINT64_C(0x2222222222222222)

static gpointer copy_in_steps(gpointer opaque)
{
    Storm *s = opaque;

    while (!__atomic_load_n(&s->done, __ATOMIC_ACQUIRE)) {
        g_mutex_lock(&s->batch);
        push_copy(s->d, SCATTERED, VA(DEV_DATA), 8);
        s->copies++;
        s->stale += test_memory_get64(&s->d->host.memory, DEV_DATA) == STALE;
        g_cond_signal(&s->copied);
        g_mutex_unlock(&s->batch);
    }
    return NULL;
}

/* Maps the page at @to instead of the other one, which is then free. */
static void move_page(Storm *s, uint64_t *entry, uint64_t to)
{
    __atomic_store_n(entry, to | ALL, __ATOMIC_RELEASE);
    if (!invalidate_beside(s->d, 0, SCATTERED)) {
        g_mutex_lock(&s->batch);
        invalidate(s->d, SCATTERED, 0);
        g_mutex_unlock(&s->batch);
    }
}

/* Waits for a copy that begins after this call. */
static void wait_for_copy(Storm *s)
{
    unsigned before;

    g_mutex_lock(&s->batch);
    before = s->copies;
    while (s->copies == before) {
        g_cond_wait(&s->copied, &s->batch);
    }
    g_mutex_unlock(&s->batch);
}

/*
 * DEV-3.12: one thread runs the ring, and another moves its page. After each
 * move, the old page stays stale until the ring has made another copy.
 */
static void test_a_storm_of_invalidations(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    Storm s = { .d = d };
    uint64_t *page[2];
    uint64_t *entry;
    GThread *thread;

    d->keep_memory = true; /* the threads keep pointers to it */
    for (unsigned i = 0; i < 2; i++) {
        page[i] = (uint64_t *)test_memory_byte(&d->host.memory,
                                               TARGET + i * 4096,
                                               VEU_ACCESS_WRITE);
        *page[i] = FRESH;
    }
    test_tables_map(&t, SCATTERED, TARGET, ALL);
    entry = (uint64_t *)test_memory_byte(&d->host.memory,
                                         test_tables_entry(&t, SCATTERED, 1),
                                         VEU_ACCESS_WRITE);
    dev_enable(d);
    dev_run(d);
    g_mutex_init(&s.batch);
    g_cond_init(&s.copied);
    thread = g_thread_new("ring", copy_in_steps, &s);
    for (unsigned i = 0; i < MOVES; i++) {
        unsigned to = (i + 1) % 2;

        __atomic_store_n(page[to], FRESH, __ATOMIC_RELAXED);
        move_page(&s, entry, TARGET + to * 4096);
        __atomic_store_n(page[!to], STALE, __ATOMIC_RELAXED);
        wait_for_copy(&s);
    }
    __atomic_store_n(&s.done, true, __ATOMIC_RELEASE);
    g_thread_join(thread);
    g_mutex_clear(&s.batch);
    g_cond_clear(&s.copied);
    dev_assert_no_fault(d);
    g_assert_cmpuint(s.stale, ==, 0);
}

/*
 * A write of the lower half invalidates; the upper half alone is only stored.
 */
static void test_an_invalidation_in_halves(void)
{
    const uint32_t reg = VEU_REG_CONTEXT_INVALIDATE;
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 5);
    context_write(d, reg + 4, SCATTERED >> 32, 4);
    g_assert_cmphex(dev_read(d, VEU_CONTEXT_BLOCK + reg + 4, 4), ==,
                    SCATTERED >> 32);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 5);
    context_write(d, reg, (uint32_t)SCATTERED, 4);
    g_assert_cmphex(dev_read(d, VEU_CONTEXT_BLOCK + reg, 4), ==, 0);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 5);
}

/* "The device never caches an entry that is not valid." */
static void test_a_new_page_needs_no_invalidation(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    test_tables_map(&t, SCATTERED, TARGET, VALID | READ);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    push_copy(d, SCATTERED, VA(DEV_DATA), 8);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
    test_tables_map(&t, SCATTERED, TARGET, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 9);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 2);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET), ==, 9);
}

/* "ENABLE drops all cached entries": the driver may have made new tables. */
static void test_an_enable_drops_what_is_kept(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);

    test_tables_map(&t, SCATTERED, TARGET, ALL);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    dev_disable(d);
    dev_run(d);
    test_tables_map(&t, SCATTERED, TARGET + 4096, ALL);
    test_memory_put64(&d->host.memory, SOURCE, 6);
    dev_enable(d);
    push_copy(d, VA(SOURCE), SCATTERED, 8);
    g_assert_cmpuint(test_memory_get64(&d->host.memory, TARGET + 4096), ==, 6);
}

/* Enables ring 1 with one slot. */
static void enable_ring1(Dev *d)
{
    const uint32_t ring1 = VEU_RING_BLOCK + VEU_RING_BLOCK_STRIDE;

    dev_write(d, ring1 + VEU_REG_RING_BASE, DEV_DATA, 8);
    dev_write(d, ring1 + VEU_REG_RING_SHARED, DEV_DATA + 0x1000, 8);
    dev_write(d, ring1 + VEU_REG_RING_SLOTS, 1, 4);
    dev_write(d, ring1 + VEU_REG_RING_CONTROL, VEU_RING_ENABLE, 4);
}

static void run_ring1(Dev *d, const struct veu_command_copy *copy)
{
    test_memory_put(&d->host.memory, DEV_DATA, copy, sizeof(*copy));
    test_memory_put32(&d->host.memory, DEV_DATA + 0x1000, 1);
    veu_ring_step(d->device, 1, 100);
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
    for (unsigned i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_assert_cmphex(bits_of(&t, paths[i].page), ==,
                        paths[i].access == VEU_ACCESS_WRITE ? ACCESSED | DIRTY :
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

static void test_without_the_option_entries_are_not_written(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    g_autofree uint8_t *before = g_malloc(TABLES_BYTES);
    g_autofree uint8_t *after = g_malloc(TABLES_BYTES);

    test_tables_map(&t, VA(DEV_DATA), DEV_DATA, ALL | DIRTY);
    test_memory_get(t.memory, TABLES, before, TABLES_BYTES);
    build_program(d);
    put_payload(d);
    dev_enable(d);
    push_commands(d);
    dev_run(d);
    dev_assert_no_fault(d);
    test_memory_get(t.memory, TABLES, after, TABLES_BYTES);
    g_assert_cmpmem(before, TABLES_BYTES, after, TABLES_BYTES);
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
        TestMessage m = eu_message(TEST_SVM_ATOMIC);
        struct veu_command_dispatch c;
        TestTables t;
        g_autoptr(Dev) d = make(&t);

        test_tables_map(&t, VA(DEV_DATA), DEV_DATA, cases[i].bits);
        d->program.header.register_bytes = 128;
        test_program_variable(&d->program, 0, 8, VEU_TYPE_UQ);
        test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
        m.op = TEST_INC;
        m.address.id = 32;
        m.src0.id = m.src1.id = 0;
        m.data.id = 33;
        test_program_add(&d->program, &m);
        test_memory_put32(&d->host.memory, DEV_PAYLOAD, UINT32_MAX);
        for (unsigned lane = 0; lane < 8; lane++) {
            test_memory_put64(&d->host.memory, DEV_PAYLOAD + 64 + lane * 8,
                              VA(DEV_DATA) + lane * 4);
        }
        c = dev_dispatch(d);
        c.launch.code_address = VA(DEV_PROGRAM);
        c.launch.payload_address = VA(DEV_PAYLOAD);
        c.launch.payload_bytes = 64 + 64;
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
    for (unsigned i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *name = g_strdup_printf("/page_tables/faults/%s",
                                                paths[i].name);

        g_test_add_data_func(name, &paths[i], test_path);
    }
#define TEST(name) g_test_add_func("/page_tables/" #name, test_##name)
    TEST(a_record_has_the_level);
    TEST(extents_end_where_pages_do);
    TEST(an_extent_that_the_host_lacks_is_not_opened);
    TEST(a_table_outside_of_ram);
    TEST(a_root_outside_of_ram);
    TEST(an_address_that_is_not_canonical);
    TEST(pages_need_not_be_neighbours);
    TEST(an_invalidation_takes_effect);
    TEST(the_command_invalidates);
    TEST(a_context_to_invalidate_that_does_not_exist);
    TEST(a_process_has_no_command_to_invalidate);
    TEST(a_walk_can_be_inspected);
    TEST(a_walk_shows_host_pages);
    TEST(a_walk_shows_permissions);
    TEST(a_context_without_tables_has_no_walk);
    TEST(an_invalidation_beside_a_step);
    TEST(a_step_during_an_invalidation);
    TEST(nothing_is_dropped_beside_a_step_of_the_context);
    TEST(a_storm_of_invalidations);
    TEST(an_invalidation_in_halves);
    TEST(a_new_page_needs_no_invalidation);
    TEST(an_enable_drops_what_is_kept);
    TEST(rings_keep_the_root_that_they_were_bound_to);
    TEST(a_ring_that_marks_beside_one_that_does_not);
    TEST(large_pages);
    TEST(a_moved_ring_keeps_its_tables);
    TEST(accesses_set_accessed_and_dirty);
    TEST(pages_that_no_lane_accesses_get_no_bits);
    TEST(without_the_option_entries_are_not_written);
    TEST(a_write_after_reads_sets_dirty);
    TEST(cleared_bits_are_set_again);
    TEST(a_refused_access_sets_no_bits);
    TEST(tables_that_cannot_be_written);
    TEST(a_moved_ring_sets_bits);
    TEST(atomics_need_both_permissions);
#undef TEST
    return g_test_run();
}
