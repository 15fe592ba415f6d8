/*
 * veu unit tests: contexts of type 1: a ring reaches only its windows, through
 * every address that it can name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/all_paths.h"
#include "tests/lib/eu_fixture.h"
#include "tests/lib/helpers.h"
#include "tests/lib/state_bytes.h"
#include "tests/lib/wide_host.h"

/*
 * The operating system owns the window table, which follows all that rings use.
 */
#define TABLE (DEV_RAM + 0x52000)

#define READ  VEU_WINDOW_READ
#define WRITE VEU_WINDOW_WRITE

static void write_context(Dev *d, uint32_t reg, uint64_t value, unsigned bytes)
{
    dev_write(d, VEU_CONTEXT_BLOCK + reg, value, bytes);
}

static void set_windows(Dev *d, const struct veu_window *windows,
                        unsigned count)
{
    test_memory_put(&d->host.memory, TABLE, windows, count * sizeof(*windows));
    write_context(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    write_context(d, VEU_REG_CONTEXT_WINDOW_COUNT, count, 4);
    write_context(d, VEU_REG_CONTEXT_WINDOWS, TABLE, 8);
}

/* Windows for all that the ring uses, except @page, which gets @permitted. */
static void set_windows_but(Dev *d, uint64_t page, uint32_t permitted)
{
    struct veu_window windows[] = {
        { DEV_RAM, page - DEV_RAM, READ | WRITE, 0 },
        { page, TEST_PAGE_BYTES, permitted, 0 },
        { page + TEST_PAGE_BYTES, TABLE - page - TEST_PAGE_BYTES, READ | WRITE,
          0 },
    };
    unsigned first = page == DEV_RAM ? 1 : 0;

    if (permitted) {
        set_windows(d, windows + first, 3 - first);
    } else {
        windows[1] = windows[2];
        windows[first] = windows[first ? 1 : 0];
        set_windows(d, windows + first, 2 - first);
    }
}

/*
 * Runs all commands in windows without @page (or with less permission there).
 */
static Dev *run_without(uint64_t page, uint32_t permitted)
{
    Dev *d = dev_new();

    dev_setup(d);
    all_paths_program(d, 0);
    all_paths_payload(d, 0);
    set_windows_but(d, page, permitted);
    dev_enable(d);
    all_paths_push(d, 0);
    dev_run(d);
    return d;
}

static void test_all_in_windows_works(void)
{
    g_autoptr(Dev) d = run_without(DEV_PROGRAM + 0x8000, READ | WRITE);

    dev_assert_no_fault(d);
    all_paths_check(d);
}

/*
 * An address that the ring names, and the fault that it causes without a
 * window.
 */
typedef struct Path {
    const char *name;
    uint64_t page;
    uint32_t permitted;
    uint16_t code;
} Path;

static const Path paths[] = {
    { "slots", DEV_RING, 0, VEU_FAULT_RING_MEMORY },
    { "shared-block", DEV_SHARED, 0, VEU_FAULT_RING_MEMORY },
    { "shared-block-write", DEV_SHARED, READ, VEU_FAULT_RING_MEMORY },
    { "program", DEV_PROGRAM, 0, VEU_FAULT_PROGRAM_MEMORY },
    { "program-read", DEV_PROGRAM, WRITE, VEU_FAULT_PROGRAM_MEMORY },
    { "surface-table", DEV_SURFACES, 0, VEU_FAULT_SURFACE_TABLE },
    { "payload", DEV_PAYLOAD, WRITE, VEU_FAULT_PAYLOAD_MEMORY },
    { "result", DEV_RESULT, READ, VEU_FAULT_RESULT_MEMORY },
    { "svm", SVM_PAGE, 0, VEU_FAULT_ADDRESS },
    { "svm-read", SVM_PAGE, WRITE, VEU_FAULT_ADDRESS },
    { "surface", GATHER_PAGE, 0, VEU_FAULT_ADDRESS },
    { "surface-write", SCATTER_PAGE, READ, VEU_FAULT_ADDRESS },
    { "typed-surface", TYPED_PAGE, READ, VEU_FAULT_ADDRESS },
    { "stateless", STATELESS_PAGE, 0, VEU_FAULT_ADDRESS },
    { "fence", DEV_FENCE, READ, VEU_FAULT_COMMAND_MEMORY },
    { "timestamp", TIME_PAGE, READ, VEU_FAULT_COMMAND_MEMORY },
};

static void test_path(gconstpointer opaque)
{
    const Path *path = opaque;
    g_autoptr(Dev) d = run_without(path->page, path->permitted);

    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, path->code);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
}

/* ---- atomics: "permission to read and permission to write" ---- */

#define WORD 0x5ec5e7u

/*
 * In each group, an atomic of 8 lanes adds 1 to words of DEV_DATA, and returns
 * them.
 */
static void push_atomic(Dev *d, TestKind kind, uint32_t groups)
{
    struct veu_surface texels = {
        .base = DEV_DATA,
        .format = VEU_FORMAT_R32_UINT,
        .type = VEU_SURFACE_BUFFER,
        .width = 8,
    };
    TestMessage m = eu_message(kind);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 8,
                          kind == TEST_SVM_ATOMIC ? VEU_TYPE_UQ : VEU_TYPE_UD);
    test_program_variable(&d->program, 64, 8, VEU_TYPE_UD);
    m.op = TEST_INC;
    m.surface = 6;
    m.address.id = 32;
    m.src0.id = m.src1.id = m.v.id = m.r.id = m.lod.id = 0;
    m.data.id = 33;
    test_program_add(&d->program, &m);
    if (kind == TEST_TYPED_ATOMIC) {
        dev_surface(d, 0, &texels);
    } else {
        dev_buffer(d, 0, DEV_DATA, 32);
    }
    c = dev_dispatch(d);
    c.launch.surface_count = 1;
    c.launch.groups = groups;
    c.launch.payload_bytes = 64 + 64;
    c.launch.result_offset = 64;
    c.launch.result_bytes = 32;
    DEV_PUSH(d, c);
}

static void put_words(Dev *d, TestKind kind)
{
    TestMemory *memory = &d->host.memory;
    unsigned bytes = kind == TEST_SVM_ATOMIC ? 8 : 4;

    test_memory_put32(memory, DEV_PAYLOAD, UINT32_MAX);
    for (uint64_t i = 0; i < 8; i++) {
        uint64_t address = kind == TEST_TYPED_ATOMIC ? i :
                           kind == TEST_SVM_ATOMIC   ? DEV_DATA + i * 4 :
                                                       i * 4;

        test_memory_put(memory, DEV_PAYLOAD + 64 + i * bytes, &address, bytes);
        test_memory_put32(memory, DEV_DATA + i * 4, WORD);
        test_memory_put32(memory, DEV_RESULT + i * 4, 0);
    }
}

static void check_atomic(TestKind kind, uint32_t permitted, bool has_open)
{
    g_autoptr(Dev) d = dev_new();
    bool works = permitted == (READ | WRITE);

    if (!has_open) {
        d->host.host.open = NULL;
    }
    dev_setup(d);
    put_words(d, kind);
    set_windows_but(d, DEV_DATA, permitted);
    dev_enable(d);
    push_atomic(d, kind, 1);
    dev_run(d);
    if (works) {
        dev_assert_no_fault(d);
    } else {
        dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
        g_assert_cmpuint(dev_record(d, 0).access, ==, VEU_ACCESS_WRITE);
        g_assert_cmphex(dev_record(d, 0).address, ==, DEV_DATA);
        g_assert_cmphex(dev_record(d, 0).lanes, ==, 0xff);
    }
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_RESULT + i * 4),
                        ==, works ? WORD : 0);
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA + i * 4),
                        ==, WORD + works);
    }
}

static void test_atomics_need_both_permissions(void)
{
    static const TestKind kinds[] = { TEST_DWORD_ATOMIC, TEST_TYPED_ATOMIC,
                                      TEST_SVM_ATOMIC };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        for (uint32_t permitted = 0; permitted <= 3; permitted++) {
            check_atomic(kinds[i], permitted, false);
            check_atomic(kinds[i], permitted, true);
        }
    }
}

/* Helpers access memory through their own hosts, and the ring's windows. */
static void check_helpers(uint32_t permitted, bool has_open)
{
    g_autoptr(Dev) d = dev_new();
    bool works = permitted == (READ | WRITE);
    unsigned maps = 0;
    Helpers h;

    helpers_add(d, &h, 3, false);
    if (!has_open) {
        d->host.host.open = NULL;
        for (unsigned i = 0; i < 3; i++) {
            h.helper[i].host.open = NULL;
        }
    }
    dev_setup(d);
    put_words(d, TEST_DWORD_ATOMIC);
    set_windows_but(d, DEV_DATA, permitted);
    dev_enable(d);
    push_atomic(d, TEST_DWORD_ATOMIC, 4);
    dev_run(d);
    if (works) {
        dev_assert_no_fault(d);
    } else {
        dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
    }
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, DEV_DATA + i * 4),
                        ==, WORD + (works ? 4 : 0));
    }
    for (unsigned i = 0; i < 3; i++) {
        maps += h.helper[i].maps;
    }
    g_assert_cmpuint(maps, >, 0);
}

static void test_helpers_reach_only_windows(void)
{
    for (uint32_t permitted = 0; permitted <= 3; permitted++) {
        check_helpers(permitted, false);
        check_helpers(permitted, true);
    }
}

/* ---- memory that is contiguous for the host, but not in one window ---- */

#define RAM_END (DEV_RAM + DEV_RAM_BYTES)
/* A hole after the ring's own memory. */
#define HOLE    (DEV_DATA + TEST_PAGE_BYTES)
#define PAST    (HOLE + TEST_PAGE_BYTES)

static struct veu_command_fill make_fill(uint64_t address)
{
    return (struct veu_command_fill){
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .pattern = WORD,
        .destination = address,
        .bytes = 16,
    };
}

/* Fills 16 bytes at @address; @failed is the address that faults, or 0. */
static void check_fill(Dev *d, uint64_t address, uint64_t failed)
{
    struct veu_command_fill fill = make_fill(address);
    uint32_t count = dev_ring_get(d, VEU_REG_RING_FAULT_COUNT);

    test_memory_put32(&d->host.memory,
                      DEV_SHARED + offsetof(struct veu_ring_shared, fault_head),
                      count);
    DEV_PUSH(d, fill);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==,
                     count + (failed != 0));
    if (failed) {
        g_assert_cmphex(dev_record(d, count % DEV_RECORDS).address, ==, failed);
    } else {
        g_assert_cmphex(test_memory_get64(&d->host.memory, address), ==, WORD);
    }
}

static Dev *joined_in_windows(const struct veu_window *windows, unsigned count,
                              bool is_wide)
{
    Dev *d = dev_new_joined();

    if (is_wide) {
        wide_host_set(d);
    }
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    set_windows(d, windows, count);
    dev_enable(d);
    return d;
}

/* The second window is larger than the memory, which ends inside of it. */
static void test_extents_end_where_windows_do(void)
{
    static const struct veu_window windows[] = {
        { DEV_RAM, HOLE - DEV_RAM, READ | WRITE, 0 },
        { PAST, RAM_END - PAST + 0x100000, READ | WRITE, 0 },
    };
    g_autoptr(Dev) d = joined_in_windows(windows, 2, false);

    for (unsigned i = 0; i < 2; i++) {
        check_fill(d, HOLE - 16, 0);
        check_fill(d, HOLE - 8, HOLE);
        check_fill(d, HOLE, HOLE);
        check_fill(d, PAST, 0);
        check_fill(d, PAST - 8, PAST - 8);
        check_fill(d, RAM_END - 16, 0);
        check_fill(d, RAM_END - 8, RAM_END);
    }
    for (uint64_t at = HOLE; at < PAST; at += 4) {
        g_assert_cmphex(test_memory_get32(&d->host.memory, at), ==, 0);
    }
}

/*
 * Within a step, the device keeps what it has found around @in, which no access
 * to the hole may use.
 */
static void check_kept(const struct veu_window *windows, unsigned count,
                       uint64_t in, uint64_t hole)
{
    g_autoptr(Dev) d = joined_in_windows(windows, count, false);
    struct veu_command_fill fill = make_fill(in);
    struct veu_command_fill bad = make_fill(hole);

    dev_fill(d, &fill, 1);
    DEV_PUSH(d, bad);
    dev_step(d, 1000);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, hole);
    g_assert_cmphex(test_memory_get64(&d->host.memory, in), ==, WORD);
    g_assert_cmphex(test_memory_get64(&d->host.memory, hole), ==, 0);
}

static void test_what_is_kept_is_in_one_window(void)
{
    static const struct veu_window two[] = {
        { DEV_RAM, HOLE - DEV_RAM, READ | WRITE, 0 },
        { PAST, RAM_END - PAST, READ | WRITE, 0 },
    };
    /* It begins a page before the memory. */
    static const struct veu_window early = { DEV_RAM - TEST_PAGE_BYTES,
                                             HOLE - DEV_RAM + TEST_PAGE_BYTES,
                                             READ | WRITE, 0 };

    check_kept(two, 2, DEV_DATA, HOLE);
    check_kept(two, 2, PAST, HOLE);
    check_kept(two, 2, PAST, PAST - 16);
    check_kept(&early, 1, DEV_DATA, HOLE);
}

/* The start of 128 bytes of which a window has the first 64. */
#define CUT (HOLE - 64)

static void check_in_wide_host(const struct veu_launch *parts, uint16_t code)
{
    static const struct veu_window windows[] = {
        { DEV_RAM, HOLE - DEV_RAM, READ | WRITE, 0 },
        { DEV_PROGRAM, RAM_END - DEV_PROGRAM, READ | WRITE, 0 },
    };
    g_autoptr(Dev) d = joined_in_windows(windows, 2, true);
    TestMessage fence = eu_message(TEST_FENCE);
    struct veu_command_dispatch c;

    d->program.header.register_bytes = 128;
    test_program_variable(&d->program, 0, 32, VEU_TYPE_UD);
    test_program_add(&d->program, &fence);
    c = dev_dispatch(d);
    if (parts->code_bytes) {
        c.launch.code_address = CUT;
        c.launch.code_bytes = parts->code_bytes;
    }
    c.launch.payload_address = c.launch.result_address = CUT;
    c.launch.payload_bytes = parts->payload_bytes;
    c.launch.result_bytes = parts->result_bytes;
    test_memory_fill(&d->host.memory, CUT, 0xee, 128);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_fault(d, 1, code, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, HOLE);
    g_assert_cmphex(test_memory_get32(&d->host.memory, HOLE), ==, 0xeeeeeeee);
}

/* A window ends within memory that the host maps at once. */
static void test_a_host_that_maps_many_pages_at_once(void)
{
    check_in_wide_host(&(struct veu_launch){ .code_bytes = 128 },
                       VEU_FAULT_PROGRAM_MEMORY);
    check_in_wide_host(&(struct veu_launch){ .payload_bytes = 128 },
                       VEU_FAULT_PAYLOAD_MEMORY);
    check_in_wide_host(&(struct veu_launch){ .result_bytes = 128 },
                       VEU_FAULT_RESULT_MEMORY);
}

static void test_fault_queue_needs_a_window(void)
{
    g_autoptr(Dev) d = run_without(DEV_FAULTS, READ);
    struct veu_command_nop bad = dev_nop(1);

    dev_assert_no_fault(d);
    bad.header.flags = 0x8000;
    DEV_PUSH(d, bad);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_COMMAND_FIELD);
    g_assert_cmpuint(DEV_SHARED_WORD(d, fault_overflow), ==, 1);
    g_assert_cmphex(dev_record(d, 0).code, ==, 0);
}

static void test_no_windows_no_memory(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    set_windows(d, NULL, 0);
    dev_enable(d);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_MEMORY);
}

/* The device copies the windows when the ring is enabled. */
static void test_windows_are_taken_at_enable(void)
{
    g_autoptr(Dev) d = run_without(DEV_PROGRAM + 0x8000, READ | WRITE);
    struct veu_command_fence fence = dev_fence(8);

    test_memory_fill(&d->host.memory, TABLE, 0, TEST_PAGE_BYTES);
    write_context(d, VEU_REG_CONTEXT_WINDOW_COUNT, 0, 4);
    DEV_PUSH(d, fence);
    dev_run(d);
    g_assert_cmpuint(dev_fence_value(d), ==, 8);
    dev_disable(d);
    dev_run(d);
    dev_enable(d);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_MEMORY);
}

/* Checks that ring 0 refuses these illegal windows when it is enabled. */
static void assert_illegal(const struct veu_window *windows, unsigned count,
                           uint32_t detail)
{
    g_autoptr(Dev) d = dev_new();
    const VeuEvent *event;

    dev_setup(d);
    set_windows(d, windows, count);
    dev_enable(d);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_CONTEXT_WINDOW);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    event = test_host_last_event(&d->host, VEU_EVENT_FAULT);
    g_assert_cmpuint(event->value, ==, detail);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==, detail);
}

static void test_illegal_windows_are_refused(void)
{
    static const struct {
        struct veu_window windows[2];
        uint32_t detail;
    } cases[] = {
        { { { 0x1001, 0x1000, READ, 0 } }, 0 },
        { { { 0x1000, 0, READ, 0 } }, 8 },
        { { { 0x1000, 0x1001, READ, 0 } }, 8 },
        { { { 0x1000, UINT64_C(0) - 0x1000, READ, 0 } }, 8 },
        { { { 0x1000, 0x1000, 0, 0 } }, 16 },
        { { { 0x1000, 0x1000, 4 | READ, 0 } }, 16 },
        { { { 0x1000, 0x1000, READ, 1 } }, 20 },
    };
    static const struct veu_window overlap[2] = {
        { 0x1000, 0x2000, READ, 0 },
        { 0x2000, 0x1000, READ, 0 },
    };
    static const struct veu_window descending[2] = {
        { 0x4000, 0x1000, READ, 0 },
        { 0x1000, 0x1000, READ, 0 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_illegal(cases[i].windows, 1, cases[i].detail);
    }
    assert_illegal(overlap, 2, 24);
    assert_illegal(descending, 2, 24);
}

static void test_table_must_be_ram(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    write_context(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    write_context(d, VEU_REG_CONTEXT_WINDOW_COUNT, 1, 4);
    write_context(d, VEU_REG_CONTEXT_WINDOWS, DEV_HOLE, 8);
    dev_enable(d);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_CONTEXT_TABLE);
}

/* The first window of the second page of the table cannot be read. */
static void test_a_table_that_is_partly_ram(void)
{
    g_autoptr(Dev) d = dev_new();
    const VeuEvent *event;

    dev_setup(d);
    write_context(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    write_context(d, VEU_REG_CONTEXT_WINDOW_COUNT, 2, 4);
    write_context(d, VEU_REG_CONTEXT_WINDOWS,
                  RAM_END - sizeof(struct veu_window), 8);
    dev_enable(d);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_CONTEXT_TABLE);
    event = test_host_last_event(&d->host, VEU_EVENT_FAULT);
    g_assert_cmphex(event->at, ==, RAM_END);
}

/* LIMIT_WINDOWS of a page each; the last one has the target. */
static void test_256_windows_are_legal(void)
{
    g_autoptr(Dev) d = dev_new();
    struct veu_window windows[256];
    uint64_t first = DEV_RAM - 192 * TEST_PAGE_BYTES;

    for (unsigned i = 0; i < 256; i++) {
        windows[i] = (struct veu_window){ first + i * TEST_PAGE_BYTES,
                                          TEST_PAGE_BYTES, READ | WRITE, 0 };
    }
    dev_setup(d);
    set_windows(d, windows, 256);
    dev_enable(d);
    check_fill(d, DEV_RAM + 63 * TEST_PAGE_BYTES, 0);
    check_fill(d, DEV_RAM + 64 * TEST_PAGE_BYTES,
               DEV_RAM + 64 * TEST_PAGE_BYTES);
}

/* A ring that is disabled has no windows left that its state would have. */
static void test_a_ring_that_was_disabled_moves(void)
{
    static const struct veu_window windows[] = {
        { DEV_RAM, RAM_END - DEV_RAM, READ | WRITE, 0 },
    };
    g_autoptr(Dev) d = joined_in_windows(windows, 1, false);
    g_autoptr(Dev) to = NULL;

    dev_run(d);
    dev_disable(d);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_STATE), ==,
                     VEU_RING_DISABLED);
    to = dev_destination(d);
    state_move(d->device, to->device);
}

static void test_too_many_windows_are_refused(void)
{
    g_autoptr(Dev) d = dev_new();
    uint32_t limit = dev_read(d, VEU_REG_LIMIT_WINDOWS, 4);

    dev_setup(d);
    set_windows(d, NULL, 0);
    write_context(d, VEU_REG_CONTEXT_WINDOW_COUNT, limit + 1, 4);
    dev_enable(d);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_CONFIG);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/windows/all_in_windows_works", test_all_in_windows_works);
    for (unsigned i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *name = g_strdup_printf("/windows/without/%s",
                                                paths[i].name);

        g_test_add_data_func(name, &paths[i], test_path);
    }
    g_test_add_func("/windows/fault_queue_needs_a_window",
                    test_fault_queue_needs_a_window);
    g_test_add_func("/windows/atomics_need_both_permissions",
                    test_atomics_need_both_permissions);
    g_test_add_func("/windows/helpers_reach_only_windows",
                    test_helpers_reach_only_windows);
    g_test_add_func("/windows/extents_end_where_windows_do",
                    test_extents_end_where_windows_do);
    g_test_add_func("/windows/what_is_kept_is_in_one_window",
                    test_what_is_kept_is_in_one_window);
    g_test_add_func("/windows/a_host_that_maps_many_pages_at_once",
                    test_a_host_that_maps_many_pages_at_once);
    g_test_add_func("/windows/no_windows_no_memory", test_no_windows_no_memory);
    g_test_add_func("/windows/taken_at_enable",
                    test_windows_are_taken_at_enable);
    g_test_add_func("/windows/illegal_ones_are_refused",
                    test_illegal_windows_are_refused);
    g_test_add_func("/windows/table_must_be_ram", test_table_must_be_ram);
    g_test_add_func("/windows/table_that_is_partly_ram",
                    test_a_table_that_is_partly_ram);
    g_test_add_func("/windows/256_are_legal", test_256_windows_are_legal);
    g_test_add_func("/windows/a_ring_that_was_disabled_moves",
                    test_a_ring_that_was_disabled_moves);
    g_test_add_func("/windows/too_many_are_refused",
                    test_too_many_windows_are_refused);
    return g_test_run();
}
