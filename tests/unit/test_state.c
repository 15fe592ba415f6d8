/*
 * veu unit tests: saving a device and continuing elsewhere: docs/spec.md,
 * "Migration".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/host/state.h"
#include "launch.h"
#include "tests/lib/helpers.h"
#include "tests/lib/state_bytes.h"

/*
 * Sizes: header, predicate and addresses, two variables; and where a group
 * stores.
 */
#define PAYLOAD_BYTES 224
#define ORIGIN_AT     64 /* in the registers */

/*
 * The program reads and writes SLM, predicates and addresses, in two groups of
 * two.
 */
static void make_program(Dev *d)
{
    TestProgram *p = &d->program;
    uint32_t data = test_program_variable(p, 0, 8, VEU_TYPE_UD);
    uint32_t places = test_program_variable(p, 32, 8, VEU_TYPE_UD);
    unsigned predicate = test_program_predicate(p, 8);
    unsigned address = test_program_address(p, 2);
    TestMessage slm_store = { .kind = TEST_SCATTER_SCALED,
                              .exec = TEST_LANES_8,
                              .pred = TEST_PRED(predicate),
                              .num_blocks = 2,
                              .offset = test_immediate(0),
                              .address = { places, 0 },
                              .data = { data, 0 } };
    TestMessage slm_load = slm_store;
    TestMessage out = { .kind = TEST_SCATTER_SCALED,
                        .exec = TEST_LANES_8,
                        .num_blocks = 2,
                        .surface = 6,
                        .offset = { .tag = TEST_CLASS_INDIRECT,
                                    .type = VEU_TYPE_UD,
                                    .id = address,
                                    .column = 1 },
                        .address = { places, 0 },
                        .data = { data, 0 } };

    slm_load.kind = TEST_GATHER_SCALED;
    slm_load.pred = 0;
    slm_load.offset = test_immediate(4);
    test_program_add(p, &slm_store);
    test_program_add(p, &slm_load);
    test_program_add(p, &out);
}

/* Each group has a place of its own, so groups may run at the same time. */
static void put_payload(Dev *d, unsigned thread)
{
    uint64_t at = DEV_PAYLOAD + thread * PAYLOAD_BYTES;

    put32(d, at, 0xff);
    put32(d, at + 64, 0xf7 - thread);
    put32(d, at + 68, ORIGIN_AT << 16);
    put32(d, at + 128 + ORIGIN_AT, thread / 2 * 64);
    for (unsigned lane = 0; lane < 8; lane++) {
        put32(d, at + 128 + lane * 4, thread << 8 | lane);
        put32(d, at + 160 + lane * 4, lane * 4);
    }
}

static struct veu_command_dispatch make_dispatch(Dev *d)
{
    struct veu_command_dispatch c;

    make_program(d);
    for (unsigned thread = 0; thread < 4; thread++) {
        put_payload(d, thread);
    }
    dev_buffer(d, 0, DEV_DATA, 4096);
    c = dispatch(d);
    c.launch.surface_count = 1;
    c.launch.threads = 2;
    c.launch.groups = 2;
    c.launch.slm_bytes = 64;
    c.launch.payload_bytes = PAYLOAD_BYTES;
    c.launch.payload_stride = PAYLOAD_BYTES;
    c.launch.result_bytes = 64;
    c.launch.result_stride = 64;
    return c;
}

/* Commands of all kinds; one faults, and the ring continues. */
static Dev *make_source(void)
{
    Dev *d = dev_new();
    TestMessage bad = store(0);
    struct veu_command_nop nop = dev_nop(5);
    struct veu_command_fence fence = dev_fence(7);
    struct veu_command_message message, refused;
    struct veu_command_dispatch launch;

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_SLOTS, 16); /* as in state-1.0.txt */
    dev_ring_set(d, VEU_REG_RING_POLICY, VEU_POLICY_SKIP_MESSAGE);
    dev_enable(d);
    launch = make_dispatch(d);
    bad.surface = 200;
    bad.data = (TestRaw){ 0, 0 };
    refused = dev_message(&bad);
    bad.surface = 5;
    message = dev_message(&bad);
    message.launch.stateless_base = DEV_DATA + 8192;
    message.launch.stateless_bytes = 4;
    DEV_PUSH(d, nop);
    DEV_PUSH(d, launch);
    DEV_PUSH(d, refused);
    DEV_PUSH(d, message);
    DEV_PUSH(d, fence);
    return d;
}

static void assert_same_registers(Dev *a, Dev *b)
{
    dev_write(a, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    dev_write(b, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    for (uint32_t at = 0; at < VEU_MSIX_TABLE_OFFSET; at += 4) {
        g_assert_cmphex(dev_read(a, at, 4), ==, dev_read(b, at, 4));
    }
}

/* Runs steps of one piece to the end; returns their number. */
static unsigned run_to_end(Dev *d)
{
    unsigned steps = 0;

    while (dev_step(d, 1) == VEU_STEP_MORE) {
        g_assert_cmpuint(++steps, <, 1000);
    }
    return steps;
}

/* Moves after every single piece of work. */
static void check_moves(unsigned from_helpers, unsigned to_helpers)
{
    static const unsigned one = 1;
    Helpers here, there;
    g_autoptr(Dev) whole = make_source();
    unsigned steps = run_to_end(whole);

    g_assert_cmpuint(steps, >, 20);
    g_assert_cmpuint(dev_ring_get(whole, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(get32(whole, DEV_FENCE), ==, 7);
    for (unsigned n = 0; n <= steps; n++) {
        g_autoptr(Dev) from = make_source();
        g_autoptr(Dev) to = NULL;

        from->host.host.awaited = &one; /* helpers run one piece, too */
        helpers_add(from, &here, from_helpers, false);
        for (unsigned i = 0; i < n; i++) {
            dev_step(from, 1);
        }
        to = dev_destination(from);
        helpers_add(to, &there, to_helpers, false);
        state_move_changed(from->device, to->device);
        assert_same_registers(from, to);
        run_to_end(to);
        g_assert_true(test_memory_equal(&whole->host.memory, &to->host.memory));
        assert_same_registers(whole, to);
    }
}

static void test_a_device_goes_on_elsewhere(void)
{
    check_moves(0, 0);
    check_moves(0, 3);
    check_moves(3, 0);
    check_moves(1, 15);
}

static GByteArray *load_and_save(Dev *from, GByteArray *state)
{
    g_autoptr(Dev) to = dev_destination(from);

    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    return state_save(to->device);
}

/*
 * Saving does not change the device. A launch that was being loaded begins
 * again, so the first copy may differ from the original, but later copies equal
 * the first.
 */
static void test_what_was_loaded_saves_the_same(void)
{
    g_autoptr(Dev) from = make_source();

    for (unsigned n = 0; n < 30; n++) {
        g_autoptr(GByteArray) state = state_save(from->device);
        g_autoptr(GByteArray) unchanged = state_save(from->device);
        g_autoptr(GByteArray) once = load_and_save(from, state);
        g_autoptr(GByteArray) twice = load_and_save(from, once);

        g_assert_cmpmem(state->data, state->len, unchanged->data,
                        unchanged->len);
        g_assert_cmpmem(once->data, once->len, twice->data, twice->len);
        dev_step(from, 1);
    }
}

static bool put_nothing(VeuStream *stream, void *data, uint32_t bytes)
{
    return false;
}

/* The stream may not take it; the device continues here. */
static void test_a_device_that_is_not_saved_goes_on(void)
{
    VeuStream stream = { .move = put_nothing };
    g_autoptr(Dev) whole = make_source();
    g_autoptr(Dev) d = make_source();

    run_to_end(whole);
    for (unsigned i = 0; i < 10; i++) {
        dev_step(d, 1);
    }
    g_assert_false(veu_device_move(d->device, &stream));
    run_to_end(d);
    assert_same_registers(whole, d);
}

/* Later changes of guest memory have no effect, because it was copied. */
static void test_what_was_copied_is_not_read_again(void)
{
    g_autoptr(Dev) whole = make_source();
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = NULL;

    run_to_end(whole);
    for (unsigned i = 0; i < 10; i++) {
        dev_step(from, 1);
    }
    to = dev_destination(from);
    test_memory_fill(&to->host.memory, DEV_PROGRAM, 0xff, 4096);
    test_memory_fill(&to->host.memory, DEV_SURFACES, 0xff, 64);
    state_move_changed(from->device, to->device);
    run_to_end(to);
    g_assert_cmpuint(dev_ring_get(to, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(get32(to, DEV_FENCE), ==, 7);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmphex(get32(to, DEV_DATA + i * 4), ==,
                        get32(whole, DEV_DATA + i * 4));
    }
}

static void assert_is_reset(Dev *d)
{
    static const uint32_t some[] = { VEU_RING_BLOCK + VEU_REG_RING_CONTROL,
                                     VEU_RING_BLOCK + VEU_REG_RING_STATE,
                                     VEU_RING_BLOCK + VEU_REG_RING_BASE,
                                     VEU_RING_BLOCK + VEU_REG_RING_SLOTS,
                                     VEU_RING_BLOCK + VEU_REG_RING_HEAD,
                                     VEU_REG_COUNTER_COMMANDS };

    for (unsigned i = 0; i < G_N_ELEMENTS(some); i++) {
        g_assert_cmphex(dev_read(d, some[i], 4), ==, 0);
    }
    g_assert_cmpint(veu_ring_step(d->device, 0, 1), ==, VEU_STEP_STOPPED);
}

static void test_devices_that_differ_are_refused(void)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(GByteArray) state = state_save(from->device);
    /*
     * magic, version, rings, vectors, stride, undefined, strict,
     * deterministic, display
     */
    static const char *const why[] = {
        "not a veu state",
        "it was saved by another version",
        "another number of rings",
        "other vectors",
        "doorbell-stride is another",
        "undefined is another",
        "strict-types is another",
        "its deterministic is another",
        "only one of the two has a display",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(why); i++) {
        g_autoptr(Dev) to = dev_destination(from);

        state->data[i * 4] ^= 0x40;
        g_assert_nonnull(strstr(state_load(to->device, state), why[i]));
        state->data[i * 4] ^= 0x40;
        assert_is_reset(to);
    }
}

static void test_a_short_stream_is_refused(void)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = NULL;
    g_autoptr(GByteArray) state = NULL;

    for (unsigned i = 0; i < 12; i++) {
        dev_step(from, 1);
    }
    state = state_save(from->device);
    to = dev_destination(from);
    for (guint length = state->len; length-- > 0;) {
        g_byte_array_set_size(state, length);
        g_assert_cmpstr(state_load(to->device, state), ==,
                        "the stream ends early");
        assert_is_reset(to);
    }
}

/* Any changed byte is refused, or gives a device that runs without harm. */
static void test_any_byte_may_be_wrong(void)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = NULL;
    g_autoptr(GByteArray) state = NULL;
    unsigned refused = 0;

    for (unsigned i = 0; i < 12; i++) {
        dev_step(from, 1);
    }
    state = state_save(from->device);
    to = dev_destination(from);
    to->keep_memory = true;
    for (guint at = 0; at < state->len; at++) {
        for (unsigned bit = 0; bit < 8; bit += 1 + at % 3) {
            state->data[at] ^= 1u << bit;
            if (state_load(to->device, state)) {
                refused++;
                assert_is_reset(to);
            }
            for (unsigned i = 0; i < 60; i++) {
                dev_step(to, 1);
                veu_ring_step(to->device, 1, 1);
            }
            veu_device_ready(to->device);
            state->data[at] ^= 1u << bit;
        }
    }
    g_test_message("%u bytes, %u refused", state->len, refused);
    g_assert_cmpuint(refused, >, state->len / 4);
}

/* Rings that are asleep, halted, draining, or only just enabled. */
static void test_rings_that_do_nothing(void)
{
    g_autoptr(Dev) d = make_source();
    g_autoptr(Dev) to = dev_destination(d);
    g_autoptr(GByteArray) enabled = state_save(d->device), asleep = NULL,
                          again = NULL, drained = NULL;

    g_assert_cmpstr(state_load(to->device, enabled), ==, NULL);
    g_assert_cmphex(dev_ring_get(to, VEU_REG_RING_STATE), ==, VEU_RING_RUNNING);
    run_to_end(d);
    g_assert_true(veu_device_sleep(d->device));
    asleep = state_save(d->device);
    g_assert_cmpstr(state_load(to->device, asleep), ==, NULL);
    again = state_save(to->device);
    g_assert_cmpmem(again->data, again->len, asleep->data, asleep->len);
    g_assert_cmphex(veu_device_ready(to->device), ==, 0);
    dev_disable(d);
    drained = state_save(d->device);
    g_assert_cmpstr(state_load(to->device, drained), ==, NULL);
    run_to_end(to);
    g_assert_cmphex(dev_ring_get(to, VEU_REG_RING_STATE), ==,
                    VEU_RING_DISABLED);
}

/* Loads @state with @value at byte @at; returns why it is refused, or NULL. */
static const char *load_changed(Dev *from, const GByteArray *state, guint at,
                                uint32_t value)
{
    g_autoptr(Dev) to = dev_destination(from);
    g_autoptr(GByteArray) changed = g_byte_array_new();

    g_byte_array_append(changed, state->data, state->len);
    memcpy(changed->data + at, &value, sizeof(value));
    return state_load(to->device, changed);
}

/*
 * The first place where @count is refused because of @why is the place of that
 * number, because earlier places contain zeros.
 */
static void assert_less_than(Dev *from, const GByteArray *state, uint32_t count,
                             const char *why)
{
    guint at = 0;

    while (g_strcmp0(load_changed(from, state, at, count), why)) {
        g_assert_cmpuint(++at + sizeof(count), <=, state->len);
    }
    g_assert_cmpstr(load_changed(from, state, at, count - 1), !=, why);
}

/* make_dispatch() has two groups of two EU threads. */
static void test_groups_and_threads_that_do_not_exist_are_refused(void)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(GByteArray) state = NULL;

    for (unsigned i = 0; i < 12; i++) {
        dev_step(from, 1);
    }
    state = state_save(from->device);
    assert_less_than(from, state, 2, "an EU thread's group does not exist");
    assert_less_than(from, state, 2, "an EU thread does not exist");
}

/*
 * Sets a register of the first ring in a saved state, given its offset and
 * value.
 */
static void set_saved(GByteArray *state, Dev *from, uint32_t reg,
                      uint64_t value)
{
    const uint64_t before = dev_ring_get(from, reg);
    const uint32_t row[] = { reg, before, before >> 32 };
    uint8_t *at = memmem(state->data, state->len, row, sizeof(row));

    g_assert_nonnull(at);
    memcpy(at + sizeof(reg), &value, sizeof(value));
}

/* Values for which make_source()'s ring would be halted when it starts. */
static const struct {
    uint32_t reg;
    uint64_t value;
} illegal[] = {
    { VEU_REG_RING_SLOTS, 0 },
    { VEU_REG_RING_SLOTS, 15 },
    { VEU_REG_RING_BASE, -UINT64_C(64) },
    { VEU_REG_RING_SHARED, -UINT64_C(64) },
    { VEU_REG_RING_VECTOR, DEV_VECTORS },
    { VEU_REG_RING_POLICY, VEU_POLICY_SKIP_COMMAND + 1 },
};

static GByteArray *save_illegal(Dev *from, unsigned n)
{
    GByteArray *state = state_save(from->device);

    set_saved(state, from, illegal[n].reg, illegal[n].value);
    return state;
}

/* The registers of a ring that takes commands were legal when it started. */
static void test_illegal_registers_of_a_ring_at_work_are_refused(void)
{
    g_autoptr(Dev) idle = make_source();
    g_autoptr(Dev) busy = make_source();

    run_to_end(idle);
    for (unsigned i = 0; i < 12; i++) {
        dev_step(busy, 1);
    }
    for (unsigned n = 0; n < G_N_ELEMENTS(illegal); n++) {
        g_autoptr(GByteArray) between = save_illegal(idle, n);
        g_autoptr(GByteArray) within = save_illegal(busy, n);
        g_autoptr(Dev) to = dev_destination(busy);
        uint32_t ring = VEU_EVENT_NO_RING;

        g_assert_cmpstr(state_load_of(to->device, between, &ring), ==,
                        "a ring cannot be so");
        g_assert_cmpuint(ring, ==, 0);
        assert_is_reset(to);
        g_assert_cmpstr(state_load(to->device, within), ==,
                        "a ring cannot be so");
        assert_is_reset(to);
    }
}

/*
 * A ring that has only been enabled halts because of them, before and after a
 * move.
 */
static void test_illegal_registers_of_a_new_ring_are_loaded(void)
{
    g_autoptr(Dev) from = make_source();

    for (unsigned n = 0; n < G_N_ELEMENTS(illegal); n++) {
        g_autoptr(GByteArray) state = save_illegal(from, n);
        g_autoptr(Dev) to = dev_destination(from);

        g_assert_cmpstr(state_load(to->device, state), ==, NULL);
        dev_run(to);
        g_assert_cmphex(dev_ring_get(to, VEU_REG_RING_LAST_FAULT), ==,
                        VEU_FAULT_RING_CONFIG);
        g_assert_cmphex(dev_ring_get(to, VEU_REG_RING_LAST_DETAIL), ==,
                        illegal[n].reg);
    }
}

/*
 * The driver owns the registers of a disabled ring, including those of faults.
 */
static void test_a_disabled_ring_has_any_fault_queue(void)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = NULL;

    run_to_end(from);
    dev_disable(from);
    run_to_end(from);
    dev_ring_set(from, VEU_REG_RING_FAULT_RECORDS, 2 * DEV_RECORDS);
    to = dev_destination(from);
    state_move(from->device, to->device);
    g_assert_cmpuint(dev_ring_get(to, VEU_REG_RING_FAULT_RECORDS), ==,
                     2 * DEV_RECORDS);
}

/*
 * The state that version 1.0 saved after 9 pieces of work of make_source(), as
 * lines of hexadecimal digits. A thread had stored to SLM; no thread had stored
 * to guest memory.
 */
static GByteArray *stored_state(void)
{
    const char *source = g_getenv("VEU_TEST_SOURCE");
    g_autofree char *path = g_build_filename(source ? source : ".",
                                             "tests/data/state-1.0.txt", NULL);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    GByteArray *state = g_byte_array_new();

    g_file_get_contents(path, &text, NULL, &error);
    g_assert_no_error(error);
    for (const char *at = text; at[0] && at[1]; at += 2) {
        uint8_t byte;

        at += *at == '\n';
        byte = g_ascii_xdigit_value(at[0]) << 4 | g_ascii_xdigit_value(at[1]);
        g_byte_array_append(state, &byte, 1);
    }
    return state;
}

static void test_a_state_of_version_1_0_is_loaded(void)
{
    g_autoptr(Dev) whole = make_source();
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = dev_destination(from);
    g_autoptr(GByteArray) state = stored_state();

    run_to_end(whole);
    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    g_assert_cmpuint(run_to_end(to), >, 10);
    assert_same_registers(whole, to);
    g_assert_cmpuint(get32(to, DEV_FENCE), ==, 7);
    for (uint64_t at = DEV_RESULT; at < DEV_FENCE; at += 4) {
        g_assert_cmphex(get32(to, at), ==, get32(whole, at));
    }
}

#define RULE(name) g_test_add_func("/state/" #name, test_##name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    RULE(a_device_goes_on_elsewhere);
    RULE(what_was_loaded_saves_the_same);
    RULE(a_device_that_is_not_saved_goes_on);
    RULE(what_was_copied_is_not_read_again);
    RULE(devices_that_differ_are_refused);
    RULE(a_short_stream_is_refused);
    RULE(a_state_of_version_1_0_is_loaded);
    RULE(any_byte_may_be_wrong);
    RULE(rings_that_do_nothing);
    RULE(groups_and_threads_that_do_not_exist_are_refused);
    RULE(illegal_registers_of_a_ring_at_work_are_refused);
    RULE(illegal_registers_of_a_new_ring_are_loaded);
    RULE(a_disabled_ring_has_any_fault_queue);
    return g_test_run();
}
