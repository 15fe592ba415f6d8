/*
 * veu unit tests: each rule that a loaded state has to obey: docs/spec.md,
 * "Migration".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A test saves a device that is in the middle of something, changes one number
 * of the state, and expects the reason why it is not loaded. Numbers that have
 * a field of their own in the device are found by it, others by their distance
 * from such a field.
 */
#include <string.h>
#include "hw/veu/device/group.h"
#include "hw/veu/device/model.h"
#include "launch.h"
#include "requests.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

#define SO_FAR  "a command cannot have come so far"
#define RING    "a ring cannot be so"
#define PROGRAM "a command cannot have its program"

/*
 * A number of 4 bytes, @distance bytes after @field, that is replaced; @why is
 * NULL if the state is nevertheless loaded.
 */
typedef struct Change {
    const void *field;
    int distance;
    uint32_t value;
    const char *why;
} Change;

static void check(Dev *from, const Change *change)
{
    g_autoptr(GByteArray) state = state_save(from->device);
    g_autoptr(Dev) to = dev_destination(from);
    guint at = state_place(from->device, change->field) + change->distance;

    g_assert_cmpuint(at + sizeof(change->value), <=, state->len);
    memcpy(state->data + at, &change->value, sizeof(change->value));
    g_assert_cmpstr(state_load(to->device, state), ==, change->why);
}

#define CHECK(d, ...)                                          \
    do {                                                       \
        const Change changes[] = { __VA_ARGS__ };              \
                                                               \
        for (unsigned i = 0; i < G_N_ELEMENTS(changes); i++) { \
            check((d), &changes[i]);                           \
        }                                                      \
    } while (0)

/* ---- registers ---- */

/* Flags of a ring are before its tail: state, start, asleep, publish, ... */
#define STATE_AT -24
#define START_AT -20

/*
 * Where a register of ring 0 is in the stream: its offset, then its value. The
 * flags and the tail follow the registers.
 */
static guint register_at(Dev *d, uint32_t reg)
{
    const uint64_t value = dev_ring_get(d, reg);
    const uint32_t row[] = { reg, value, value >> 32 };
    g_autoptr(GByteArray) state = state_save(d->device);
    guint at = state_place(d->device, &d->device->ring[0].tail) + STATE_AT;

    do {
        at -= sizeof(row);
    } while (memcmp(state->data + at, row, sizeof(row)));
    return at;
}

/* Changes a number at a place in the stream that is known. */
static void check_at(Dev *d, guint at, uint32_t value, const char *why)
{
    const void *field = d->device->counter; /* the first one that is direct */

    check(d,
          &(Change){ field, at - state_place(d->device, field), value, why });
}

static void test_versions(void)
{
    const char *why = "it was saved by another version of veu";
    g_autoptr(Dev) d = dev_running();

    check_at(d, 4, VEU_STATE_OLDEST, NULL);
    check_at(d, 4, VEU_STATE_OLDEST - 1, why);
    check_at(d, 4, VEU_STATE_VERSION + 1, why);
}

/* The header has the choices that were made when the device was created. */
static void test_the_header(void)
{
    static const VeuScreen screen;
    const uint32_t header[] = {
        0x53554556, VEU_STATE_FLIPS, DEV_RINGS, DEV_VECTORS, 65536, 0xab, 1, 1,
        1,
    };
    g_autoptr(Dev) d = dev_new();
    g_autoptr(GByteArray) state = NULL;

    d->device->config.doorbell_stride_bytes = 65536;
    d->device->config.eu.undefined = 0xab;
    d->device->config.eu.strict_types = true;
    d->host.host.wants_kicks = true;
    d->host.host.screen = &screen;
    state = state_save(d->device);
    g_assert_cmpmem(state->data, sizeof(header), header, sizeof(header));
}

/* Its header or its end is wrong, which is no ring's. */
static void test_errors_of_no_ring(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autoptr(GByteArray) state = state_save(d->device);

    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Dev) to = dev_destination(d);
        uint8_t *byte = state->data + (i ? state->len - 1 : 0);
        uint32_t ring = 0;

        *byte ^= 1;
        g_assert_cmpstr(state_load_of(to->device, state, &ring), ==,
                        i ? "its end is not where it should be" :
                            "not a veu state");
        g_assert_cmphex(ring, ==, VEU_EVENT_NO_RING);
        *byte ^= 1;
    }
}

static uint32_t version_of(Dev *d)
{
    g_autoptr(GByteArray) state = state_save(d->device);

    return ((const uint32_t *)state->data)[1];
}

/* Older devices have none of them, and load a state without any. */
static void test_page_tables_need_their_version(void)
{
    static const struct {
        uint32_t reg, value;
        unsigned bytes;
    } used[] = {
        { VEU_REG_CONTEXT_ROOT, 4096, 8 },
        { VEU_REG_CONTEXT_OPTIONS, 1, 4 },
        { VEU_REG_CONTEXT_QUEUE, 64, 8 },
        { VEU_REG_CONTEXT_QUEUE_RECORDS, 1, 4 },
        { VEU_REG_CONTEXT_QUEUE_VECTOR, 0, 4 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(used); i++) {
        g_autoptr(Dev) d = dev_new();

        g_assert_cmpuint(version_of(d), ==, VEU_STATE_OLDEST);
        context_write(d, used[i].reg, used[i].value, used[i].bytes);
        g_assert_cmpuint(version_of(d), ==, VEU_STATE_TABLES);
    }
}

/* A ring keeps its context; PAUSE is as new as page tables. */
static void test_rings_need_the_version_of_page_tables(void)
{
    TestTables t;
    g_autoptr(Dev) bound = make(&t);
    g_autoptr(Dev) paused = dev_running();

    dev_enable(bound);
    dev_run(bound);
    context_write(bound, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_IDENTITY, 4);
    context_write(bound, VEU_REG_CONTEXT_ROOT, 0, 8);
    g_assert_cmpuint(version_of(bound), ==, VEU_STATE_TABLES);
    g_assert_cmpuint(version_of(paused), ==, VEU_STATE_OLDEST);
    dev_ring_set(paused, VEU_REG_RING_CONTROL,
                 VEU_RING_ENABLE | VEU_RING_PAUSE);
    g_assert_cmpuint(version_of(paused), ==, VEU_STATE_TABLES);
}

static guint bytes_of(Dev *d)
{
    g_autoptr(GByteArray) state = state_save(d->device);

    return state->len;
}

/*
 * Devices that have been released load these layouts. A register takes 12
 * bytes: its offset and its value.
 */
static void test_layouts_do_not_change(void)
{
    /* Seven registers of a context, two words of its queue. */
    const guint more_8 = DEV_RINGS * (7 * 12 + 2 * 4);
    /* No programs; TIMES and counters, which are registers as well. */
    const guint more_10 = 4 + DEV_RINGS * (13 * 12 + 12 * 8);
    g_autoptr(Dev) oldest = dev_new();
    g_autoptr(Dev) tables = dev_new();
    g_autoptr(Dev) counters = dev_new();
    guint bytes = bytes_of(oldest);

    context_write(tables, VEU_REG_CONTEXT_ROOT, 4096, 8);
    g_assert_cmpuint(version_of(tables), ==, 8);
    g_assert_cmpuint(bytes_of(tables), ==, bytes + more_8);
    dev_write(counters, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT_RINGS, 4);
    g_assert_cmpuint(version_of(counters), ==, 10);
    g_assert_cmpuint(bytes_of(counters), ==, bytes + more_8 + more_10);
}

static void test_registers(void)
{
    const char *why = "a register has a reserved bit";
    g_autoptr(Dev) d = dev_running();
    guint control = register_at(d, VEU_REG_RING_CONTROL);
    guint state = register_at(d, VEU_REG_RING_STATE);

    check_at(d, control, VEU_REG_RING_CONTROL + 4,
             "it has another set of registers");
    check_at(d, control + 4, VEU_RING_ENABLE | VEU_RING_PAUSE, NULL);
    check_at(d, control + 4, UINT32_C(1) << 31 | VEU_RING_ENABLE, why);
    check_at(d, control + 8, 1, why);
    check_at(d, state + 4, UINT32_C(1) << 31, NULL);
    check_at(d, state + 8, 1, why);
}

static VeuRing *ring_of(Dev *d)
{
    return &d->device->ring[0];
}

static const VeuCommand *command_of(Dev *d)
{
    return &ring_of(d)->command;
}

/* Lets ring 0 perform @pieces pieces, after it has fetched the command. */
static void begin(Dev *d, const void *command, unsigned slots, unsigned pieces)
{
    dev_push(d, command, slots);
    for (unsigned i = 0; i < 1 + pieces; i++) {
        dev_step(d, 1);
    }
    g_assert_nonnull(command_of(d)->info);
}
#define BEGIN(d, command, pieces) \
    begin((d), &(command), sizeof(command) / VEU_SLOT_BYTES, (pieces))

/* ---- rings ---- */

static void test_an_idle_ring(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuRing *r = ring_of(d);

    dev_run(d);
    CHECK(d, { &r->tail, STATE_AT, VEU_RING_RUNNING, NULL },
          { &r->tail, STATE_AT, VEU_RING_HALTED + 1,
            "a ring's state does not exist" },
          { &r->tail, START_AT, 2, "a flag is neither 0 nor 1" },
          { &r->fault_records, 0, 0, NULL },
          { &r->fault_records, 0, 2 * DEV_RECORDS,
            "a fault queue has another size" },
          { &r->last_fault, 0, VEU_FAULT_ADDRESS,
            "a ring's last fault is another" });
}

static void test_a_ring_with_a_command(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuRing *r = ring_of(d);
    struct veu_command_fence fence = dev_fence(1);

    BEGIN(d, fence, 0);
    CHECK(d, { &r->tail, STATE_AT, VEU_RING_DRAINING, NULL },
          { &r->tail, STATE_AT, VEU_RING_DISABLED, RING },
          { &r->tail, STATE_AT, VEU_RING_HALTED, RING },
          { &r->tail, START_AT, 1, RING });
}

/* ---- contexts ---- */

/* The type of a context is before the number of its windows. */
#define TYPE_AT -4

static void test_a_context_without_windows(void)
{
    g_autoptr(Dev) d = dev_running();
    VeuContext *c = &ring_of(d)->context;

    dev_run(d);
    CHECK(d, { &c->window_count, TYPE_AT, VEU_CONTEXT_UNBOUND, RING },
          { &c->window_count, TYPE_AT, 3, "a context is illegal" },
          { &c->window_count, TYPE_AT, VEU_CONTEXT_TABLES,
            "a context is illegal" },
          { &c->window_count, 0, 1, "a context is illegal" });
}

static void test_a_context_with_windows(void)
{
    const struct veu_window windows[] = {
        { DEV_RAM, 0x80000 - DEV_RAM % 0x80000, 3, 0 },
        { DEV_RAM + 0x80000, 0x1000, 1, 0 },
    };
    g_autoptr(Dev) d = dev_new();
    VeuContext *c = &ring_of(d)->context;
    int second = sizeof(windows[0]);

    test_memory_put(&d->host.memory, DEV_DATA, windows, sizeof(windows));
    dev_setup(d);
    context_write(d, VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    context_write(d, VEU_REG_CONTEXT_WINDOW_COUNT, 2, 4);
    context_write(d, VEU_REG_CONTEXT_WINDOWS, DEV_DATA, 8);
    dev_enable(d);
    dev_run(d);
    dev_assert_no_fault(d);
    CHECK(d, { &c->window_count, 0, 2, NULL },
          { &c->window_count, 0, VEU_LIMIT_WINDOWS + 1,
            "a context has too many windows" },
          { &c->window_count, TYPE_AT, VEU_CONTEXT_IDENTITY,
            "a context is illegal" },
          { c->windows, offsetof(struct veu_window, permissions), 0,
            "a context is illegal" },
          { c->windows, second, DEV_RAM + 0x7f000, "a context is illegal" });
}

static void test_a_context_with_page_tables(void)
{
    TestTables t;
    g_autoptr(Dev) d = make(&t);
    VeuContext *c = &ring_of(d)->context;
    int options = sizeof(c->number);

    dev_enable(d);
    dev_run(d);
    dev_assert_no_fault(d);
    CHECK(d, { &c->root, 0, t.root, NULL },
          { &c->root, 0, t.root + 8, "a context's tables are not aligned" },
          { &c->root, 0, t.root + 2048, "a context's tables are not aligned" },
          { &c->number, 0, DEV_RINGS - 1, NULL },
          { &c->number, 0, DEV_RINGS, "a context does not exist" },
          { &c->number, options, VEU_CONTEXT_REQUESTS | VEU_CONTEXT_ACCESSED,
            NULL },
          { &c->number, options, 4, "a context's options do not exist" });
}

/* ---- commands ---- */

/* Distances from the slot's index, and from the deadline. */
#define BEGUN_AT 8
#define WAITS_AT -4

static void test_the_fields_of_a_command(void)
{
    g_autoptr(Dev) d = dev_running();
    const VeuCommand *c = command_of(d);
    struct veu_command_fence fence = dev_fence(1);
    const uint32_t head = VEU_COMMAND_FENCE | 1 << 8;

    fence.header.tag = 0;
    BEGIN(d, fence, 0);
    CHECK(d, { c->bytes, 0, head, NULL },
          { c->bytes, 0, head | VEU_COMMAND_INTERRUPT << 16, NULL },
          { c->bytes, 0, 0xff | 1 << 8, "a command is unknown" },
          { c->bytes, 0, head + (1 << 8), "a command is illegal" },
          { c->bytes, 0, head | 8u << 16, "a command is illegal" },
          { c->bytes, 0, head | VEU_COMMAND_TIMES << 16,
            "a command is illegal" },
          { c->bytes, offsetof(struct veu_command_fence, reserved), 1,
            "a command is illegal" });
}

/* A FENCE is done in one piece, so that it has never begun. */
static void test_a_command_of_one_piece(void)
{
    g_autoptr(Dev) d = dev_running();
    const VeuCommand *c = command_of(d);
    struct veu_command_fence fence = dev_fence(1);

    BEGIN(d, fence, 0);
    CHECK(d, { &c->slot, BEGUN_AT, 0, NULL }, { &c->slot, BEGUN_AT, 1, SO_FAR },
          { &c->deadline_ns, WAITS_AT, 1, SO_FAR },
          { &c->bytes_done, 0, 1, SO_FAR });
}

static void test_a_copy(void)
{
    struct veu_command_copy copy = {
        .header = { .opcode = VEU_COMMAND_COPY, .slots = 1 },
        .source = DEV_DATA,
        .destination = DEV_PAYLOAD,
        .bytes = 8192,
    };
    g_autoptr(Dev) d = dev_running();
    const VeuCommand *c = command_of(d);

    BEGIN(d, copy, 0);
    CHECK(d, { &c->bytes_done, 0, copy.bytes, NULL },
          { &c->bytes_done, 0, copy.bytes + 1, SO_FAR },
          { &c->slot, BEGUN_AT, 1, SO_FAR },
          { &c->deadline_ns, WAITS_AT, 1, SO_FAR });
}

static void test_a_wait(void)
{
    struct veu_command_wait wait = {
        .header = { .opcode = VEU_COMMAND_WAIT, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 1,
    };
    g_autoptr(Dev) d = dev_running();
    const VeuCommand *c = command_of(d);
    int condition = offsetof(struct veu_command_wait, condition);

    BEGIN(d, wait, 1);
    CHECK(d, { &c->slot, BEGUN_AT, 1, NULL }, { &c->slot, BEGUN_AT, 0, SO_FAR },
          { c->bytes, condition, VEU_CONDITION_GREATER_EQUAL, NULL },
          { c->bytes, condition, VEU_CONDITION_GREATER_EQUAL + 1, SO_FAR });
}

/* ---- launches ---- */

/*
 * Two groups of two EU threads with two messages; the first thread is at the
 * first.
 */
static Dev *in_a_dispatch(void)
{
    Dev *d = dev_running();
    TestMessage m = store(0);
    struct veu_command_dispatch c;

    m.surface = 6;
    m.data = (TestRaw){ 32, 0 };
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    m.surface = 7;
    test_program_add(&d->program, &m);
    dev_buffer(d, 0, DEV_DATA, 4096);
    dev_buffer(d, 1, DEV_DATA, 4096);
    c = dispatch(d);
    c.launch.surface_count = 2;
    c.launch.groups = 2;
    c.launch.threads = 2;
    DEV_PUSH(d, c);
    while (ring_of(d)->launch->slice[0].state != VEU_SLICE_MESSAGE) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    g_assert_cmpint(ring_of(d)->launch->phase, ==, VEU_LAUNCH_RUN);
    return d;
}

#define LAUNCH_AT(field) offsetof(struct veu_command_dispatch, launch.field)

static void test_a_dispatch(void)
{
    g_autoptr(Dev) d = in_a_dispatch();
    const VeuCommand *c = command_of(d);
    const VeuLaunch *l = ring_of(d)->launch;
    const VeuSlice *s = &l->slice[0];

    CHECK(d, { c->bytes, LAUNCH_AT(threads), 2, NULL },
          { c->bytes, LAUNCH_AT(threads), 0, "a launch is illegal" },
          { c->bytes, LAUNCH_AT(result_bytes), 4096,
            "a program does not fit to its launch" },
          { &l->copied_bytes, 0, l->copied_bytes + 1,
            "a program is longer than its launch says" },
          { l->code, 0, 0, "a program is illegal" },
          { l->code, l->program->messages[0].offset, UINT32_MAX,
            "a program is illegal" },
          { &l->descriptors[0], offsetof(struct veu_surface, type), UINT32_MAX,
            "a surface is illegal" },
          { &l->descriptors[1], offsetof(struct veu_surface, type), UINT32_MAX,
            "a surface is illegal" },
          { &l->next_group, -4, VEU_MAX_SLICES + 1,
            "a launch has too many slices" },
          { &s->group, -4, VEU_SLICE_FAULTED,
            "a slice's state does not exist" },
          { &s->message, 0, 2, NULL },
          { &s->message, 0, 3, "an EU thread is past its program's end" });
}

/* The state is that of a launch whose program was not copied completely. */
static void test_a_program_that_is_not_whole(void)
{
    g_autoptr(Dev) d = in_a_dispatch();
    g_autoptr(Dev) to = dev_destination(d);
    g_autoptr(GByteArray) state = state_save(d->device);
    const VeuLaunch *l = ring_of(d)->launch;
    guint at = state_place(d->device, &l->copied_bytes);
    uint32_t bytes = l->copied_bytes - 8;

    memcpy(state->data + at, &bytes, sizeof(bytes));
    g_byte_array_remove_range(state, at + 4 + bytes, 8);
    g_assert_cmpstr(state_load(to->device, state), ==,
                    "a program that runs is not whole");
}

/* It has no program, and what follows its bytes has to be 0. */
static void test_an_inline_message(void)
{
    g_autoptr(Dev) d = dev_running();
    TestMessage m = store(0);
    struct veu_command_message message;
    const uint8_t *rest = command_of(d)->bytes + VEU_SLOT_BYTES;

    m.data = (TestRaw){ 0, 0 };
    message = dev_message(&m);
    message.launch.stateless_base = DEV_DATA;
    message.launch.stateless_bytes = 4;
    message.launch.groups = 2;
    BEGIN(d, message, 2);
    g_assert_cmpint(ring_of(d)->launch->phase, ==, VEU_LAUNCH_RUN);
    CHECK(d,
          { &ring_of(d)->launch->copied_bytes, 0, 1,
            "a program is longer than its launch says" },
          { rest, sizeof(message) - VEU_SLOT_BYTES - 4, 0, NULL },
          { rest, sizeof(message) - VEU_SLOT_BYTES - 4, 1,
            "a launch is illegal" });
}

/* ---- EU threads ---- */

/* An EU thread of 8 lanes is at the call of a subroutine. */
static Dev *before_a_call(void)
{
    Dev *d = dev_running();
    Code code = { 0 };
    uint32_t v = code_variable(&code, 0, 8, VEU_TYPE_D);
    unsigned routine = code_new_label(&code, VEU_LABEL_SUBROUTINE);
    struct veu_command_dispatch c;

    CODE_ADD(&code, "call", size_m1(8), 0, routine, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&code, routine);
    for (unsigned i = 0; i < 64; i++) {
        CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(v), op_lanes(v),
                 op_imm(VEU_TYPE_D, 1));
    }
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    c.launch.groups = 1;
    c.launch.threads = 1;
    DEV_PUSH(d, c);
    while (ring_of(d)->launch->slice[0].state != VEU_SLICE_MESSAGE) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    return d;
}

static void test_an_eu_thread_without_calls(void)
{
    g_autoptr(Dev) d = before_a_call();
    const VeuFlow *f = &ring_of(d)->launch->slice[0].flow;

    g_assert_cmpuint(f->depth, ==, 0);
    CHECK(d, { &f->lanes, 0, 0xff, NULL },
          { &f->lanes, 0, 0x1ff, "an EU thread has lanes that do not exist" });
}

/* The lanes of the thread are in the subroutine. */
static Dev *in_a_call(void)
{
    Dev *d = before_a_call();

    while (ring_of(d)->launch->slice[0].flow.depth == 0) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    return d;
}

static void test_an_eu_thread_in_a_call(void)
{
    g_autoptr(Dev) d = in_a_call();
    const VeuFlow *f = &ring_of(d)->launch->slice[0].flow;
    const uint32_t *frame = &f->frames[0].lanes;

    g_assert_cmphex(f->lanes, ==, 0xff);
    CHECK(d, { &f->lanes, 0, 0xff, NULL },
          { &f->lanes, 0, 0, "calls do not nest" },
          { &f->lanes, 0, 0x1ff, "calls do not nest" },
          { &f->depth, 0, VEU_LIMIT_CALLS + 1,
            "an EU thread has too many calls" },
          { frame, 0, 0x1ff, "an EU thread has lanes that do not exist" },
          { frame, 0, 0x7f, "calls do not nest" },
          /* the places that follow: return, routine, lane 0 */
          { frame, 4, 1, "a lane is at no instruction" },
          { frame, 8, 1, "a lane is at no instruction" },
          { frame, 12, 1, "a lane is at no instruction" },
          { &f->cost, 0, VEU_INSTRUCTION_UNIT - 1, NULL },
          { &f->cost, 0, VEU_INSTRUCTION_UNIT,
            "an EU thread owes too much work" });
}

/* A subroutine has called another one. */
static Dev *in_two_calls(void)
{
    Dev *d = dev_running();
    Code code = { 0 };
    uint32_t v = code_variable(&code, 0, 8, VEU_TYPE_D);
    unsigned outer = code_new_label(&code, VEU_LABEL_SUBROUTINE);
    unsigned inner = code_new_label(&code, VEU_LABEL_SUBROUTINE);
    struct veu_command_dispatch c;

    CODE_ADD(&code, "call", size_m1(8), 0, outer, { 0 });
    CODE_ADD(&code, "ret", size_m1(1), 0, 0, { 0 });
    code_add_label(&code, outer);
    CODE_ADD(&code, "call", size_m1(8), 0, inner, { 0 });
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    code_add_label(&code, inner);
    for (unsigned i = 0; i < 64; i++) {
        CODE_ADD(&code, "add", size_m1(8), 0, 0, op_dst(v), op_lanes(v),
                 op_imm(VEU_TYPE_D, 1));
    }
    CODE_ADD(&code, "ret", size_m1(8), 0, 0, { 0 });
    c = code_dispatch(d, &code);
    DEV_PUSH(d, c);
    while (ring_of(d)->launch->slice[0].flow.depth < 2) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    return d;
}

static void test_an_eu_thread_in_two_calls(void)
{
    g_autoptr(Dev) d = in_two_calls();
    const VeuFlow *f = &ring_of(d)->launch->slice[0].flow;

    CHECK(d, { &f->frames[1].lanes, 0, 0xff, NULL },
          { &f->frames[1].lanes, 0, 0x7f, "calls do not nest" },
          { &f->frames[1].lanes, 0, 0x1ff, "calls do not nest" });
}

/* ---- groups of a KERNEL ---- */

#define GROUPS 12

static struct veu_command_kernel make_sums(Dev *d)
{
    Code code = kernel_sums(3);
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ GROUPS, 1, 1 });

    c.slm_bytes = 256;
    c.groups_in_flight = 2;
    return c;
}

static void test_groups_in_flight(void)
{
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = make_sums(d);
    VeuGroup *g = ring_of(d)->launch->groups.group;
    int state; /* of the EU thread whose turn it is, the first one */

    DEV_PUSH(d, c);
    while (ring_of(d)->launch->phase != VEU_LAUNCH_RUN) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    g_assert_false(g->begun);
    CHECK(d, { &g->number, 0, GROUPS, NULL },
          { &g->number, 0, GROUPS + 2, "a group is at another place" });
    while (!g->begun ||
           *veu_group_states(ring_of(d)->launch, g) != VEU_GROUP_THREAD_RUNS) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    g_assert_cmpuint(g->thread, ==, 0);
    state = sizeof(g->thread) + c.slm_bytes;
    CHECK(d, { &g->used, 0, VEU_GROUP_TURN + VEU_GROUP_MORE - 1, NULL },
          { &g->used, 0, VEU_GROUP_TURN + VEU_GROUP_MORE,
            "a group's turn is too long" },
          { &g->number, 0, 2, NULL },
          { &g->number, 0, 1, "a group is at another place" },
          { &g->thread, 0, KERNEL_THREADS, "an EU thread does not exist" },
          { &g->thread, state, VEU_GROUP_THREAD_ENDED + 1,
            "an EU thread's state does not exist" },
          { &g->thread, state, VEU_GROUP_THREAD_WAITS,
            "an EU thread that waits has a turn" });
}

/* The first EU thread has ended, and the next one has not started. */
static void test_the_turn_of_an_eu_thread_that_has_ended(void)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code,
                                                 (uint32_t[]){ 1, 1, 1 });
    VeuLaunch *l = ring_of(d)->launch;
    const VeuGroup *g = l->groups.group;
    int second = sizeof(g->thread) + sizeof(uint32_t);

    DEV_PUSH(d, c);
    while (!g->begun || g->thread == 0) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    g_assert_cmpuint(veu_group_states(l, g)[0], ==, VEU_GROUP_THREAD_ENDED);
    g_assert_cmpuint(veu_group_states(l, g)[1], ==, VEU_GROUP_THREAD_START);
    CHECK(d, { &g->thread, second, VEU_GROUP_THREAD_START, NULL },
          { &g->thread, second, VEU_GROUP_THREAD_ENDED,
            "an EU thread that waits has a turn" });
}

/* In a context with requests, an EU thread may have made one. */
static void test_groups_with_requests(void)
{
    TestTables t;
    g_autoptr(Dev) d = make_asking(&t);
    struct veu_command_kernel c = make_sums(d);
    const VeuGroup *g = ring_of(d)->launch->groups.group;

    use_virtual_addresses(&c);
    dev_enable(d);
    DEV_PUSH(d, c);
    while (!g->begun) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    CHECK(d, { &g->asking, 0, KERNEL_THREADS - 1, NULL },
          { &g->asking, 0, KERNEL_THREADS, "an EU thread does not exist" });
}

/* ---- loaded programs ---- */

/* A program of messages, which no KERNEL runs. */
static void push_load_of_messages(Dev *d, uint32_t handle)
{
    struct veu_command_dispatch c;
    struct veu_command_load load = {
        .header = { .opcode = VEU_COMMAND_LOAD, .slots = 1 },
        .code_address = DEV_PROGRAM + 0x20000,
        .program = handle,
        .simd = 8,
    };
    TestMessage m = store(0);
    g_autofree uint8_t *code = NULL;

    m.data = (TestRaw){ 32, 0 };
    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    c = dispatch(d);
    load.code_bytes = c.launch.code_bytes;
    code = g_malloc(load.code_bytes);
    test_memory_get(&d->host.memory, c.launch.code_address, code,
                    load.code_bytes);
    test_memory_put(&d->host.memory, load.code_address, code, load.code_bytes);
    DEV_PUSH(d, load);
}

/*
 * Two programs of instructions with the handles 1 and 2, and one of messages
 * with the handle 3; *kernel runs the first.
 */
static Dev *with_programs(struct veu_command_kernel *kernel)
{
    Dev *d = dev_running();
    struct veu_command_kernel c;

    push_load_of_messages(d, 3);
    dev_run(d);
    c = make_sums(d);
    for (uint32_t handle = 1; handle <= 2; handle++) {
        struct veu_command_load load = kernel_load(&c, handle);

        DEV_PUSH(d, load);
    }
    dev_run(d);
    dev_assert_no_fault(d);
    *kernel = kernel_loaded(&c, 1);
    return d;
}

#define ILLEGAL "a loaded program is illegal"

static void test_loaded_programs(void)
{
    struct veu_command_kernel kernel;
    g_autoptr(Dev) d = with_programs(&kernel);
    const VeuLoaded *first = d->device->programs.loaded;
    const VeuLoaded *l = first + 1;

    CHECK(d,
          { &first->context, -8, VEU_LIMIT_PROGRAMS + 1,
            "it has too many loaded programs" },
          { &l->context, -4, 3, "a loaded program's state does not exist" },
          { &l->context, 0, DEV_RINGS - 1, NULL },
          { &l->context, 0, DEV_RINGS, "a loaded program has no context" },
          { &l->handle, 0, 4, NULL }, { &l->handle, 0, 0, ILLEGAL },
          { &l->handle, 0, 2, "two loaded programs have a handle" },
          { &l->simd, 0, 4, ILLEGAL }, { &l->simd, 0, 0x100 | 8, ILLEGAL },
          { &l->code_bytes, 0, VEU_LIMIT_LOAD_BYTES + 1, ILLEGAL },
          { &l->copied_bytes, 0, l->code_bytes + 1,
            "a loaded program is longer than it says" },
          { l->code, 0, 0, ILLEGAL });
}

/* The number of its program follows the command's cost. */
#define NUMBER_AT        8
#define KERNEL_AT(field) offsetof(struct veu_command_kernel, field)

static void test_a_kernel_of_a_loaded_program(void)
{
    struct veu_command_kernel kernel;
    g_autoptr(Dev) d = with_programs(&kernel);
    const VeuCommand *c = command_of(d);
    const VeuLoaded *l = d->device->programs.loaded + 1;
    const uint32_t *copied = &ring_of(d)->launch->copied_bytes;

    BEGIN(d, kernel, 2);
    g_assert_true(c->loaded == l);
    CHECK(d, { &c->cost, NUMBER_AT, 2, NULL },
          { &c->cost, NUMBER_AT, 4, "a command's program does not exist" },
          { &c->cost, NUMBER_AT, 0, "a program is illegal" },
          { &c->cost, NUMBER_AT, 1 /* of messages */,
            "a program does not fit to its launch" },
          { c->bytes, KERNEL_AT(code_bytes), 64, PROGRAM },
          { copied, 4 /* not loaded yet */, 0,
            "a launch has a program too early" },
          { &l->simd, 0, 16, PROGRAM }, { &l->context, 0, 1, PROGRAM },
          { &l->context, -4, 0 /* not decoded yet */, PROGRAM },
          { &l->context, -4, 2 /* unloaded meanwhile */, NULL });
}

/* A DISPATCH, likewise. */
static void test_a_dispatch_of_a_loaded_program(void)
{
    struct veu_command_kernel kernel;
    g_autoptr(Dev) d = with_programs(&kernel);
    const VeuCommand *c = command_of(d);
    const VeuLoaded *l = d->device->programs.loaded;
    struct veu_command_dispatch command = {
        .header = { .opcode = VEU_COMMAND_DISPATCH, .slots = 2 },
        .launch = { .code_address = 3, .simd = 8, .groups = 2, .threads = 1 },
    };

    BEGIN(d, command, 2);
    g_assert_true(c->loaded == l);
    CHECK(d, { &c->cost, NUMBER_AT, 1, NULL },
          { c->bytes, LAUNCH_AT(code_bytes), 64, PROGRAM },
          { &l->simd, 0, 16, PROGRAM },
          { &l->context, -4, 0 /* not decoded yet */, PROGRAM });
}

/* Handle, size and lanes are those of the program. */
static void test_a_load(void)
{
    struct veu_command_kernel kernel;
    g_autoptr(Dev) d = with_programs(&kernel);
    const VeuCommand *c = command_of(d);
    const VeuLoaded *l = d->device->programs.loaded + 3;
    struct veu_command_kernel other = make_sums(d);
    struct veu_command_load load = kernel_load(&other, 4);

    BEGIN(d, load, 2);
    g_assert_true(c->loaded == l);
    g_assert_cmpuint(l->copied_bytes, ==, l->code_bytes);
    CHECK(d, { &c->cost, NUMBER_AT, 4, NULL },
          { &c->cost, NUMBER_AT, 0, PROGRAM },
          { &c->cost, NUMBER_AT, 2, PROGRAM }, { &l->handle, 0, 5, PROGRAM },
          { &l->code_bytes, 0, load.code_bytes + 8, PROGRAM },
          { &l->simd, 0, load.simd == 8 ? 16 : 8, PROGRAM },
          { &l->context, -4, 1 /* ready */, PROGRAM },
          { &c->slot, BEGUN_AT, 0, PROGRAM });
}

/* Other commands have no program. */
static void test_a_fence_beside_loaded_programs(void)
{
    struct veu_command_kernel kernel;
    g_autoptr(Dev) d = with_programs(&kernel);
    const VeuCommand *c = command_of(d);
    struct veu_command_fence fence = dev_fence(1);

    BEGIN(d, fence, 0);
    CHECK(d, { &c->cost, NUMBER_AT, 0, NULL },
          { &c->cost, NUMBER_AT, 1, PROGRAM });
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/state_refused/" #name, test_##name)
    RULE(versions);
    RULE(the_header);
    RULE(errors_of_no_ring);
    RULE(page_tables_need_their_version);
    RULE(rings_need_the_version_of_page_tables);
    RULE(layouts_do_not_change);
    RULE(registers);
    RULE(an_idle_ring);
    RULE(a_ring_with_a_command);
    RULE(a_context_without_windows);
    RULE(a_context_with_windows);
    RULE(a_context_with_page_tables);
    RULE(the_fields_of_a_command);
    RULE(a_command_of_one_piece);
    RULE(a_copy);
    RULE(a_wait);
    RULE(a_dispatch);
    RULE(a_program_that_is_not_whole);
    RULE(an_inline_message);
    RULE(an_eu_thread_without_calls);
    RULE(an_eu_thread_in_a_call);
    RULE(an_eu_thread_in_two_calls);
    RULE(groups_in_flight);
    RULE(the_turn_of_an_eu_thread_that_has_ended);
    RULE(groups_with_requests);
    RULE(loaded_programs);
    RULE(a_kernel_of_a_loaded_program);
    RULE(a_dispatch_of_a_loaded_program);
    RULE(a_load);
    RULE(a_fence_beside_loaded_programs);
#undef RULE
    return g_test_run();
}
