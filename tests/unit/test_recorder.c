/*
 * veu unit tests: recording launches: docs/capture.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is recorded is written to a file and read again.
 */
#include <string.h>
#include "hw/veu/capture/record.h"
#include "tests/lib/code_builder.h"
#include "tests/lib/kernel_builder.h"
#include "requests.h"

typedef struct Rec {
    Dev *dev;
    VeuRecorder *recorder;
    VeuCapture *capture; /* the last one */
    unsigned done;
    unsigned lost;
    char *why; /* of the last one that was lost */
} Rec;

static Rec *rec_of(VeuHost *host)
{
    return ((TestHost *)host)->opaque;
}

static const uint8_t *page_of(Dev *d, uint64_t address, uint32_t bytes)
{
    return test_memory_map(&d->host.memory, address, &bytes, VEU_ACCESS_READ);
}

static uint8_t *map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                    enum veu_access access)
{
    Rec *r = rec_of(host);
    uint8_t *at = test_memory_map(&r->dev->host.memory, iova, bytes, access);
    uint64_t page = iova & -(uint64_t)TEST_PAGE_BYTES;

    if (at && veu_recorder_is_on(r->recorder)) {
        veu_recorder_touch(r->recorder, page,
                           page_of(r->dev, page, TEST_PAGE_BYTES),
                           TEST_PAGE_BYTES, access);
    }
    return at;
}

/* Each access is a call of map(). */
static bool no_extent(VeuHost *host, uint64_t iova, enum veu_access access,
                      VeuExtent *extent)
{
    return false;
}

static void see(VeuHost *host, const VeuEvent *event)
{
    Rec *r = rec_of(host);

    veu_recorder_event(r->recorder, r->dev->device, event, r->dev->host.now_ns);
}

static const uint8_t *look(void *opaque, uint64_t address, uint32_t bytes)
{
    return page_of(((Rec *)opaque)->dev, address, bytes);
}

static void done(void *opaque, const VeuCapture *capture)
{
    Rec *r = opaque;
    g_autoptr(GByteArray) file = veu_capture_write(capture, NULL);

    g_clear_pointer(&r->capture, veu_capture_free);
    r->capture = veu_capture_read(file->data, file->len, NULL);
    g_assert_nonnull(r->capture);
    r->done++;
}

static void lost(void *opaque, const char *why)
{
    Rec *r = opaque;

    g_free(r->why);
    r->why = g_strdup(why);
    r->lost++;
}

/* Puts a recorder beside @d, which the result owns. */
static Rec *rec_new(Dev *d, const char *rules)
{
    Rec *r = g_new0(Rec, 1);
    const VeuRecorderHost host = { look, done, lost, r };

    r->dev = d;
    r->recorder = veu_recorder_new(veu_capture_rules_new(rules, NULL), &host);
    d->host.opaque = r;
    d->host.host.map = map;
    d->host.host.open = no_extent;
    d->host.host.event = see;
    d->host.host.events = VEU_RECORDER_EVENTS;
    return r;
}

static void rec_free(Rec *r)
{
    veu_recorder_free(r->recorder);
    g_clear_pointer(&r->capture, veu_capture_free);
    g_free(r->why);
    dev_free(r->dev);
    g_free(r);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rec, rec_free)

/* The piece that has @address, or NULL. */
static const VeuCapturePiece *piece_of(const GArray *pieces, uint64_t address)
{
    for (unsigned i = 0; i < pieces->len; i++) {
        const VeuCapturePiece *p = &g_array_index(pieces, VeuCapturePiece, i);

        if (address - p->address < p->bytes) {
            return p;
        }
    }
    return NULL;
}

/* --- The launch ---------------------------------------------------------- */

/* A dispatch of a program that ends at once, with 64 bytes of result. */
static struct veu_command_dispatch make_dispatch(Dev *d)
{
    Code code = { 0 };
    struct veu_command_dispatch c;

    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    c.launch.payload_bytes = 64;
    c.launch.result_bytes = 64;
    return c;
}

static void test_a_launch_has_its_circumstances(void)
{
    Dev *d = dev_new();
    struct veu_command_nop nop = dev_nop(1);
    struct veu_command_dispatch c = make_dispatch(d);
    const VeuCaptureLaunch *l;
    g_autoptr(Rec) r = NULL;

    d->config.eu = (VeuConfig){ 0xa5, true, true };
    veu_device_free(d->device);
    d->device = veu_device_new(&d->config, &d->host.host);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_ring_set(d, VEU_REG_RING_BUDGET, 12345);
    dev_enable(d);
    r = rec_new(d, "launch=2");
    veu_recorder_set_kernel(r->recorder, "name");
    d->host.now_ns = 4711;
    DEV_PUSH(d, nop);
    DEV_PUSH(d, c);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(r->done, ==, 1);
    l = &r->capture->launch;
    g_assert_cmpuint(l->number, ==, 2);
    g_assert_cmpuint(l->time_ns, ==, 4711);
    g_assert_cmpuint(l->ring, ==, 0);
    g_assert_cmpuint(l->slot, ==, 3);
    g_assert_cmpuint(l->policy, ==, VEU_POLICY_SKIP_COMMAND);
    g_assert_cmpuint(l->budget, ==, 12345);
    g_assert_cmpuint(l->handle, ==, 0);
    g_assert_cmpuint(l->poison, ==, 0xa5);
    g_assert_cmpuint(l->strict_types, ==, 1);
    g_assert_cmpuint(l->trace_contracts, ==, 1);
    g_assert_cmpstr(l->kernel, ==, "name");
    g_assert_cmpuint(l->command_bytes, ==, sizeof(c));
    g_assert_true(!memcmp(l->command, &c, sizeof(c)));
    g_assert_cmpuint(r->capture->code_bytes, ==, c.launch.code_bytes);
}

/* A launch of a loaded program has the program, and what LOAD was told. */
static void test_a_launch_has_its_loaded_program(void)
{
    Dev *d = dev_running();
    struct veu_command_dispatch c = make_dispatch(d);
    const struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = DEV_PROGRAM,
        .code_bytes = c.launch.code_bytes,
        .program = 7,
        .simd = 8,
    };
    g_autofree uint8_t *code = g_malloc(load.code_bytes);
    g_autoptr(Rec) r = rec_new(d, "launch=1");

    c.launch.code_address = load.program;
    c.launch.code_bytes = 0;
    DEV_PUSH(d, load);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(r->done, ==, 1);
    g_assert_cmpuint(r->capture->launch.handle, ==, 7);
    g_assert_cmpuint(r->capture->launch.simd, ==, 8);
    g_assert_cmpuint(r->capture->code_bytes, ==, load.code_bytes);
    test_memory_get(&d->host.memory, DEV_PROGRAM, code, load.code_bytes);
    g_assert_true(!memcmp(r->capture->code, code, load.code_bytes));
}

/* A source of @count places, all in one of @names files. */
static void set_source(Rec *r, unsigned count, unsigned names)
{
    g_autoptr(GArray) lines = g_array_new(FALSE, TRUE, sizeof(VeuCaptureLine));
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    VeuCaptureLine *line;

    g_array_set_size(lines, count);
    line = &g_array_index(lines, VeuCaptureLine, 0);
    for (unsigned i = 0; i < count; i++) {
        line[i] = (VeuCaptureLine){ 16 * i, 1 + i, names - 1 };
    }
    for (unsigned i = 0; i < names; i++) {
        g_ptr_array_add(files, (char *)"a.cl");
    }
    veu_recorder_set_source(r->recorder, lines, files);
}

/* A source that is too long is omitted, and so is the one before it. */
static void test_a_launch_has_the_latest_source(void)
{
    static const struct {
        unsigned lines, files;
        bool taken;
    } sources[] = { { 5, 2, true },
                    { 3, 1, true },
                    { VEU_CAPTURE_MAX_LINES + 1, 1, false },
                    { VEU_CAPTURE_MAX_LINES, VEU_CAPTURE_MAX_FILES, true },
                    { 1, VEU_CAPTURE_MAX_FILES + 1, false } };
    Dev *d = dev_running();
    struct veu_command_dispatch c = make_dispatch(d);
    g_autoptr(Rec) r = rec_new(d, "launch=1..100");

    for (unsigned i = 0; i < G_N_ELEMENTS(sources); i++) {
        unsigned count = sources[i].taken ? sources[i].lines : 0;
        const VeuCaptureLine *last;

        set_source(r, sources[i].lines, sources[i].files);
        DEV_PUSH(d, c);
        dev_run(d);
        g_assert_cmpuint(r->done, ==, i + 1);
        g_assert_cmpuint(r->capture->lines->len, ==, count);
        g_assert_cmpuint(r->capture->files->len, ==,
                         sources[i].taken ? sources[i].files : 0);
        if (count) {
            last = &g_array_index(r->capture->lines, VeuCaptureLine, count - 1);
            g_assert_cmpuint(last->offset, ==, 16 * (count - 1));
            g_assert_cmpuint(last->line, ==, count);
            g_assert_cmpuint(last->file, ==, sources[i].files - 1);
        }
    }
}

/* --- Memory -------------------------------------------------------------- */

/* Offset of the registers in a payload of make_dispatch()'s program. */
#define REGISTERS_AT 128

/*
 * Each EU thread copies 32 bytes of registers to the payload of the next one:
 * pages have how they were accessed, and those that changed are recorded twice.
 */
static void test_memory_before_and_after(void)
{
    Dev *d = dev_running();
    struct veu_command_dispatch c = make_dispatch(d);
    const uint64_t page[] = { DEV_DATA, DEV_DATA + 0x1000, DEV_DATA + 0x2000 };
    const uint32_t permissions[] = { VEU_CAPTURE_READ,
                                     VEU_CAPTURE_READ | VEU_CAPTURE_WRITE,
                                     VEU_CAPTURE_WRITE };
    g_autoptr(Rec) r = rec_new(d, "launch=1");

    c.launch.payload_address = page[0];
    c.launch.payload_stride = 0x1000;
    c.launch.payload_bytes = REGISTERS_AT + 32;
    c.launch.result_address = page[1] + REGISTERS_AT;
    c.launch.result_stride = 0x1000;
    c.launch.result_bytes = 32;
    c.launch.groups = 2;
    test_memory_fill(&d->host.memory, page[0] + REGISTERS_AT, 1, 32);
    DEV_PUSH(d, c);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(r->done, ==, 1);
    for (unsigned i = 0; i < 3; i++) {
        const VeuCapturePiece *before = piece_of(r->capture->before, page[i]);
        const VeuCapturePiece *after = piece_of(r->capture->after, page[i]);

        g_assert_nonnull(before);
        g_assert_cmpuint(before->permissions, ==, permissions[i]);
        g_assert_cmpuint(before->data[REGISTERS_AT], ==, i == 0);
        g_assert_cmpint(after != NULL, ==, i > 0);
        g_assert_true(!after || after->data[REGISTERS_AT + 31] == 1);
    }
    g_assert_cmpuint(r->capture->after->len, ==, 2);
}

/* A page that is written with the bytes that it has is not a change. */
static void test_equal_bytes_are_no_change(void)
{
    Dev *d = dev_running();
    struct veu_command_dispatch c = make_dispatch(d);
    g_autoptr(Rec) r = rec_new(d, "launch=1");

    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(r->done, ==, 1);
    g_assert_cmpuint(piece_of(r->capture->before, DEV_RESULT)->permissions, ==,
                     VEU_CAPTURE_WRITE);
    g_assert_cmpuint(r->capture->after->len, ==, 0);
}

/* --- EU threads ---------------------------------------------------------- */

/* Lanes 4 and 5 of a subroutine store past the stateless memory's RAM. */
static Code make_waiting(void)
{
    Code code = { 0 };
    uint32_t ids = code_variable(&code, 32, 8, VEU_TYPE_UW);
    uint32_t at = code_variable(&code, 128, 8, VEU_TYPE_UD);
    unsigned work = code_new_label(&code, VEU_LABEL_BLOCK);
    unsigned rest = code_new_label(&code, VEU_LABEL_BLOCK);
    unsigned store = code_new_label(&code, VEU_LABEL_SUBROUTINE);

    CODE_ADD(&code, "cmp", size_m1(8), 0, 2, op_pred(1), op_scalar(ids),
             op_imm(VEU_TYPE_UW, 0)); /* > */
    CODE_ADD(&code, "goto", size_m1(8), 1, work, { 0 });
    CODE_ADD(&code, "barrier", 0, 0, 0, { 0 });
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    code_add_label(&code, work);
    CODE_ADD(&code, "cmp", size_m1(8), 0, 4, op_pred(1), op_lanes(ids),
             op_imm(VEU_TYPE_UW, 12)); /* < */
    CODE_ADD(&code, "goto", size_m1(8), 1, rest, { 0 });
    CODE_ADD(&code, "cmp", size_m1(8), 0, 2, op_pred(1), op_lanes(ids),
             op_imm(VEU_TYPE_UW, 13)); /* > */
    CODE_ADD(&code, "ret", size_m1(8), 1, 0, { 0 });
    CODE_ADD(&code, "call", size_m1(8), 0, store, { 0 });
    code_add_label(&code, rest);
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    code_add_label(&code, store);
    kernel_add_store(&code, 5, at, 0, at);
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    return code;
}

/*
 * Lanes of thread 1: 0 to 3 wait for those that have called, 4 and 5 run, 6 and
 * 7 have ended.
 */
static void assert_caller(const VeuCaptureThread *t)
{
    g_assert_cmpuint(t->barrier, ==, 0);
    g_assert_cmphex(t->running, ==, 0x30);
    g_assert_cmpuint(t->depth, ==, 1);
    g_assert_cmphex(t->frames[0].lanes, ==, 0x3f);
    for (unsigned lane = 0; lane < VEU_MAX_LANES; lane++) {
        g_assert_cmphex(t->place[lane], ==,
                        lane < 4 ? t->frames[0].returns_to :
                        lane < 6 ? t->offset :
                                   VEU_CAPTURE_NOWHERE);
    }
}

/* The first record of a launch has the EU threads that have begun. */
static void test_threads_at_the_first_fault(void)
{
    Dev *d = dev_new();
    Code code = make_waiting();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });
    g_autoptr(Rec) r = rec_new(d, "fault=ADDRESS");
    const VeuCaptureThread *t;

    c.stateless_base = DEV_HOLE;
    c.slm_bytes = 64;
    c.threads = 2;
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND);
    dev_enable(d);
    DEV_PUSH(d, c);
    dev_run(d);
    g_assert_cmpuint(r->done, ==, 1);
    g_assert_cmpuint(r->capture->faults->len, ==, 1);
    g_assert_cmpuint(r->capture->threads->len, ==, 2);
    t = &g_array_index(r->capture->threads, VeuCaptureThread, 0);
    g_assert_cmpuint(t[0].thread, ==, 0);
    g_assert_cmpuint(t[0].barrier, ==, 1);
    g_assert_cmphex(t[0].running, ==, 0xff);
    g_assert_cmpuint(t[0].depth, ==, 0);
    g_assert_cmpuint(t[0].slm_bytes, ==, 64);
    g_assert_cmpuint(t[1].thread, ==, 1);
    g_assert_cmpuint(t[1].slm_bytes, ==, 0);
    g_assert_cmphex(t[1].offset, ==,
                    g_array_index(r->capture->faults, struct veu_fault_record,
                                  0)
                        .message_offset);
    assert_caller(&t[1]);
    /* the driver's fault queue is not the launch's */
    g_assert_nonnull(piece_of(r->capture->before, DEV_FAULTS));
    g_assert_null(piece_of(r->capture->after, DEV_FAULTS));
}

/* --- Launches that are not recorded -------------------------------------- */

static Rec *begin_sums(const char *rules)
{
    Dev *d = dev_running();
    Code code = kernel_sums(5);
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 3, 1, 1 });
    Rec *r = rec_new(d, rules);

    c.slm_bytes = 4 * KERNEL_ITEMS;
    DEV_PUSH(d, c);
    for (unsigned i = 0; i < 20; i++) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    g_assert_true(veu_recorder_is_on(r->recorder));
    return r;
}

static void assert_lost(const Rec *r, const char *why)
{
    g_assert_false(veu_recorder_is_on(r->recorder));
    g_assert_cmpuint(r->done, ==, 0);
    g_assert_cmpuint(r->lost, ==, 1);
    g_assert_nonnull(strstr(r->why, why));
}

static void test_a_reset_loses_a_launch(void)
{
    g_autoptr(Rec) ring = begin_sums("launch=1");
    g_autoptr(Rec) device = begin_sums("launch=1");

    dev_ring_set(ring->dev, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    dev_run(ring->dev);
    assert_lost(ring, "reset");
    dev_write(device->dev, VEU_REG_CONTROL, VEU_CONTROL_RESET, 4);
    assert_lost(device, "reset");
}

/* Another ring's events do not matter. */
static void test_another_ring_does_not_matter(void)
{
    g_autoptr(Rec) r = begin_sums("launch=1");
    VeuEvent event = { .kind = VEU_EVENT_RESET, .ring = 1, .name = "reset" };

    veu_recorder_event(r->recorder, r->dev->device, &event, 0);
    event.kind = VEU_EVENT_STATE;
    veu_recorder_event(r->recorder, r->dev->device, &event, 0);
    dev_run(r->dev);
    g_assert_cmpuint(r->done, ==, 1);
    g_assert_cmpuint(r->lost, ==, 0);
}

/* A pause of the recorded ring is no end of its launch. */
static void test_a_state_does_not_end_a_launch(void)
{
    g_autoptr(Rec) r = begin_sums("launch=1");
    VeuEvent event = { .kind = VEU_EVENT_STATE, .name = "running" };

    veu_recorder_event(r->recorder, r->dev->device, &event, 0);
    dev_run(r->dev);
    g_assert_cmpuint(r->done, ==, 1);
    g_assert_cmpuint(r->lost, ==, 0);
}

/* The ring's next launch is another one, which no rule selects. */
static void test_a_ring_has_one_launch_at_a_time(void)
{
    g_autoptr(Rec) r = begin_sums("launch=1");
    VeuEvent event = { .kind = VEU_EVENT_COMMAND, .name = "kernel" };

    veu_recorder_event(r->recorder, r->dev->device, &event, 0);
    g_assert_false(veu_recorder_is_on(r->recorder));
    g_assert_cmpuint(r->done, ==, 0);
    g_assert_cmpuint(r->lost, ==, 0);
}

/* Only after its end is it known that a launch has no fault. */
static void test_a_launch_that_no_rule_selects_is_dropped(void)
{
    Dev *d = dev_running();
    struct veu_command_dispatch c = make_dispatch(d);
    g_autoptr(Rec) r = rec_new(d, "fault=any");

    DEV_PUSH(d, c);
    while (!veu_recorder_is_on(r->recorder)) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    dev_run(d);
    g_assert_false(veu_recorder_is_on(r->recorder));
    g_assert_cmpuint(r->done, ==, 0);
    g_assert_cmpuint(r->lost, ==, 0);
}

/* 65,536 pages are 256M. A launch after one that is too large is recorded. */
static void test_a_launch_may_access_too_much(void)
{
    g_autoptr(Rec) r = begin_sums("launch=1..2");
    static const uint8_t page[TEST_PAGE_BYTES];
    struct veu_command_dispatch c = make_dispatch(r->dev);

    for (uint64_t i = 0; i <= VEU_CAPTURE_MAX_PIECES; i++) {
        veu_recorder_touch(r->recorder, (UINT64_C(1) << 40) + i * sizeof(page),
                           page, sizeof(page), VEU_ACCESS_READ);
    }
    dev_run(r->dev);
    assert_lost(r, "256M");
    DEV_PUSH(r->dev, c);
    dev_run(r->dev);
    g_assert_cmpuint(r->done, ==, 1);
    g_assert_cmpuint(r->lost, ==, 1);
}

/* --- Page tables --------------------------------------------------------- */

#define REFUSED_PAGE (DEV_DATA + 0x3000)

static void touch_table(Rec *r, uint64_t address)
{
    uint64_t page = address & -(uint64_t)TEST_PAGE_BYTES;

    veu_recorder_touch(r->recorder, page,
                       page_of(r->dev, page, TEST_PAGE_BYTES), TEST_PAGE_BYTES,
                       VEU_ACCESS_READ);
}

static uint64_t entry_before(const Rec *r, uint64_t at)
{
    const VeuCapturePiece *p = piece_of(r->capture->before, at);
    uint64_t entry;

    g_assert_nonnull(p);
    memcpy(&entry, p->data + (at - p->address), sizeof(entry));
    return entry;
}

/* Begins to record a launch, which has accessed the page tables of DEV_DATA. */
static Rec *begin_asking(Dev *d, TestTables *t)
{
    Code code = { 0 };
    struct veu_command_dispatch c;
    Rec *r;

    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    c.launch.code_address = VA(DEV_PROGRAM);
    c.launch.groups = 100;
    dev_enable(d);
    r = rec_new(d, "launch=1");
    DEV_PUSH(d, c);
    while (!veu_recorder_is_on(r->recorder)) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    for (unsigned level = 1; level <= 4; level++) {
        touch_table(r, test_tables_entry(t, VA(DEV_DATA), level));
    }
    return r;
}

static void see_response(Rec *r)
{
    VeuEvent event = { .kind = VEU_EVENT_RESPONSE, .name = "response" };

    veu_recorder_event(r->recorder, r->dev->device, &event, 0);
}

/* The driver responds, and the launch ends. */
static void end_asking(Rec *r)
{
    see_response(r);
    dev_run(r->dev);
    dev_assert_no_fault(r->dev);
    g_assert_cmpuint(r->done, ==, 1);
}

/*
 * While the launch waits, the driver maps a page, moves one that the launch has
 * not accessed and one that it has, lets another one be written, and unmaps the
 * last. A replay has the entries that serve all accesses of the launch.
 */
static void test_tables_have_later_entries(void)
{
    enum {
        NEW,
        UNUSED,
        USED,
        RAISED,
        GONE,
        ENTRIES
    };
    static const uint64_t pages[ENTRIES] = { DEV_PROGRAM + 0x20000,
                                             DEV_PROGRAM + 0x21000, DEV_DATA,
                                             DEV_DATA + 0x1000,
                                             DEV_PROGRAM + 0x22000 };
    TestTables t;
    Dev *d = make_asking(&t);
    uint64_t at[ENTRIES], old[ENTRIES];
    g_autoptr(Rec) r = NULL;

    for (unsigned i = 0; i < ENTRIES; i++) {
        at[i] = test_tables_entry(&t, VA(pages[i]), 1);
        old[i] = test_memory_get64(&d->host.memory, at[i]);
    }
    unmap(&t, VA(pages[NEW]));
    test_tables_map(&t, VA(pages[RAISED]), pages[RAISED], VALID | READ);
    r = begin_asking(d, &t);
    touch_table(r, pages[USED]);
    touch_table(r, pages[RAISED]);
    test_tables_map(&t, VA(pages[NEW]), pages[NEW], ALL);
    test_tables_map(&t, VA(pages[UNUSED]), REFUSED_PAGE, ALL);
    test_tables_map(&t, VA(pages[USED]), REFUSED_PAGE, ALL);
    test_tables_map(&t, VA(pages[RAISED]), pages[RAISED], ALL);
    unmap(&t, VA(pages[GONE]));
    end_asking(r);
    g_assert_cmphex(entry_before(r, at[NEW]), ==, pages[NEW] | ALL);
    g_assert_cmphex(entry_before(r, at[UNUSED]), ==, REFUSED_PAGE | ALL);
    g_assert_cmphex(entry_before(r, at[USED]), ==, old[USED]);
    g_assert_cmphex(entry_before(r, at[RAISED]), ==, pages[RAISED] | ALL);
    g_assert_cmphex(entry_before(r, at[GONE]), ==, old[GONE]);
}

/* What the driver does to DEV_DATA while the launch waits. */
typedef enum Move {
    MAPS_ELSEWHERE,
    UNMAPS,
    PROTECTS,
} Move;

static bool pages_moved(bool accessed, Move move)
{
    TestTables t;
    Dev *d = make_asking(&t);
    g_autoptr(Rec) r = begin_asking(d, &t);

    if (accessed) {
        touch_table(r, DEV_DATA);
    }
    if (move == UNMAPS) {
        unmap(&t, VA(DEV_DATA));
    } else {
        test_tables_map(&t, VA(DEV_DATA),
                        move == PROTECTS ? DEV_DATA : REFUSED_PAGE,
                        VALID | READ);
    }
    end_asking(r);
    return r->capture->launch.pages_moved;
}

/* The launch has accessed DEV_DATA. The driver unmaps 2 MiB at @iova. */
static bool large_page_moved(uint64_t iova)
{
    const uint64_t address = UINT64_C(0x40000000);
    TestTables t;
    Dev *d = make_asking(&t);
    g_autoptr(Rec) r = NULL;

    test_tables_map_level(&t, address, iova, VALID | READ, 2);
    r = begin_asking(d, &t);
    for (unsigned level = 2; level <= 4; level++) {
        touch_table(r, test_tables_entry(&t, address, level));
    }
    touch_table(r, DEV_DATA);
    test_memory_put64(&d->host.memory, test_tables_entry(&t, address, 2), 0);
    end_asking(r);
    return r->capture->launch.pages_moved;
}

static void test_a_capture_states_that_pages_moved(void)
{
    g_assert_true(large_page_moved(0));
    g_assert_false(large_page_moved(UINT64_C(0x40000000)));
    g_assert_true(pages_moved(true, MAPS_ELSEWHERE));
    g_assert_true(pages_moved(true, UNMAPS));
    g_assert_false(pages_moved(true, PROTECTS));
    g_assert_false(pages_moved(false, MAPS_ELSEWHERE));
    g_assert_false(pages_moved(false, UNMAPS));
}

/* Maps @pages large pages in a table of level 2, beginning with one @iova. */
static void map_large(TestTables *t, uint64_t iova, unsigned pages)
{
    for (uint64_t i = 0; i < pages; i++) {
        test_tables_map_level(t, UINT64_C(0x40000000) + (i << 21),
                              iova + (i << 21), VALID | READ, 2);
    }
}

/*
 * A page that the driver maps is in the capture if it did not move @large pages
 * before that, each of which could have any of 40,000 pieces.
 */
static bool page_is_taken(unsigned large)
{
    const uint64_t page = VA(DEV_PROGRAM + 0x20000);
    TestTables t;
    Dev *d = make_asking(&t);
    uint64_t at = test_tables_entry(&t, page, 1);
    g_autoptr(Rec) r = NULL;

    map_large(&t, UINT64_C(1) << 40, large);
    unmap(&t, page);
    r = begin_asking(d, &t);
    for (unsigned level = 2; level <= 4; level++) {
        touch_table(r, test_tables_entry(&t, UINT64_C(0x40000000), level));
    }
    for (uint64_t i = 0; i < 40000; i++) {
        veu_recorder_touch(r->recorder, (UINT64_C(1) << 45) + i * 4096,
                           (const uint8_t *)"", 1, VEU_ACCESS_READ);
    }
    map_large(&t, UINT64_C(1) << 41, large);
    see_response(r);
    test_tables_map(&t, page, DEV_PROGRAM, ALL);
    end_asking(r);
    return entry_before(r, at) & VALID;
}

/* Those of 512 large pages cost as much as 160,000 tables. */
static void test_work_for_responses_is_bounded(void)
{
    g_assert_true(page_is_taken(1));
    g_assert_false(page_is_taken(512));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/recorder/" #name, test_##name)
    RULE(a_launch_has_its_circumstances);
    RULE(a_launch_has_its_loaded_program);
    RULE(a_launch_has_the_latest_source);
    RULE(memory_before_and_after);
    RULE(equal_bytes_are_no_change);
    RULE(threads_at_the_first_fault);
    RULE(a_reset_loses_a_launch);
    RULE(another_ring_does_not_matter);
    RULE(a_state_does_not_end_a_launch);
    RULE(a_ring_has_one_launch_at_a_time);
    RULE(a_launch_that_no_rule_selects_is_dropped);
    RULE(a_launch_may_access_too_much);
    RULE(tables_have_later_entries);
    RULE(a_capture_states_that_pages_moved);
    RULE(work_for_responses_is_bounded);
#undef RULE
    return g_test_run();
}
