/*
 * veu unit tests: RELOAD: a running ring copies its context again:
 * docs/spec.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "launch.h"
#include "tests/lib/helpers.h"
#include "tests/lib/state_bytes.h"

/*
 * The operating system owns the window table, which follows all that rings use.
 */
#define TABLE (DEV_RAM + 0x52000)
#define END   TABLE

static void set_table(Dev *d, const struct veu_window *windows, unsigned count)
{
    uint32_t block = VEU_CONTEXT_BLOCK;

    test_memory_put(&d->host.memory, TABLE, windows, count * sizeof(*windows));
    dev_write(d, block + VEU_REG_CONTEXT_TYPE, VEU_CONTEXT_WINDOWS, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOW_COUNT, count, 4);
    dev_write(d, block + VEU_REG_CONTEXT_WINDOWS, TABLE, 8);
}

/* Windows for all that the ring uses, except [from, to). */
static void set_without(Dev *d, uint64_t from, uint64_t to)
{
    const struct veu_window windows[] = {
        { DEV_RAM, from - DEV_RAM, 3, 0 },
        { to, END - to, 3, 0 },
    };

    set_table(d, windows, 2);
}

static void set_all(Dev *d)
{
    const struct veu_window window = { DEV_RAM, END - DEV_RAM, 3, 0 };

    set_table(d, &window, 1);
}

static void write_control(Dev *d, uint32_t value)
{
    dev_ring_set(d, VEU_REG_RING_CONTROL, value);
}

static uint32_t control(Dev *d)
{
    return dev_ring_get(d, VEU_REG_RING_CONTROL);
}

static uint32_t state(Dev *d)
{
    return dev_ring_get(d, VEU_REG_RING_STATE);
}

static void reload(Dev *d)
{
    write_control(d, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmphex(control(d), ==, VEU_RING_ENABLE);
}

static void push_fence(Dev *d, uint64_t address, uint64_t value)
{
    struct veu_command_fence fence = dev_fence(value);

    fence.address = address;
    DEV_PUSH(d, fence);
}

static uint64_t get64(Dev *d, uint64_t at)
{
    return test_memory_get64(&d->host.memory, at);
}

/* A ring in a context with all windows, asleep. */
static Dev *running(void)
{
    Dev *d = dev_new();

    dev_setup(d);
    set_all(d);
    dev_enable(d);
    dev_run(d);
    g_assert_true(veu_device_sleep(d->device));
    return d;
}

static Dev *running_without_fence(void)
{
    Dev *d = dev_new();

    dev_setup(d);
    set_without(d, DEV_FENCE, DEV_PROGRAM);
    dev_enable(d);
    dev_run(d);
    return d;
}

static void test_a_window_that_is_added_is_reached(void)
{
    g_autoptr(Dev) d = running_without_fence();

    set_all(d);
    reload(d);
    push_fence(d, DEV_FENCE, 5);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(get64(d, DEV_FENCE), ==, 5);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 1);
}

static void test_a_window_that_is_taken_is_not_reached(void)
{
    g_autoptr(Dev) d = running();

    push_fence(d, DEV_FENCE, 5); /* has not begun before the write */
    set_without(d, DEV_FENCE, DEV_PROGRAM);
    reload(d);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_FENCE);
    g_assert_cmpuint(get64(d, DEV_FENCE), ==, 0);
}

/* A sleeping ring need not be awake for a reload. */
static void test_the_bit_reads_as_0_once_it_is_done(void)
{
    g_autoptr(Dev) d = running();

    g_assert_cmphex(control(d), ==, VEU_RING_ENABLE);
    reload(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
    g_assert_true(veu_device_sleep(d->device));
}

/*
 * Once the write has taken effect, the driver may change the table and the
 * registers.
 */
static void test_the_table_is_copied_in_the_write(void)
{
    g_autoptr(Dev) d = running_without_fence();

    set_all(d);
    reload(d);
    test_memory_fill(&d->host.memory, TABLE, 0xff, TEST_PAGE_BYTES);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    push_fence(d, DEV_FENCE, 5);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(get64(d, DEV_FENCE), ==, 5);
}

/* Not even the tail is read where it is no longer permitted. */
static void test_the_ring_itself_goes_through_the_new_context(void)
{
    g_autoptr(Dev) d = running();
    uint32_t maps;

    set_without(d, DEV_SHARED, DEV_FAULTS);
    reload(d);
    maps = d->host.memory.maps;
    veu_device_ready(d->device);
    g_assert_cmpuint(d->host.memory.maps, ==, maps);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_MEMORY);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_RUNNING);
}

/* ---- in the middle of a command ---- */

/* More bytes than the device fills in one piece. */
#define FILL_AT    DEV_PROGRAM
#define FILL_BYTES 0x30000u
#define FILL_END   (FILL_AT + FILL_BYTES)

static void push_fill(Dev *d)
{
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .pattern = UINT64_MAX,
        .destination = FILL_AT,
        .bytes = FILL_BYTES,
    };

    DEV_PUSH(d, fill);
}

/* The number of bytes that the FILL has written so far. */
static uint32_t filled(Dev *d)
{
    uint32_t bytes = 0;

    while (bytes < FILL_BYTES && get64(d, FILL_AT + bytes)) {
        bytes += 8;
    }
    return bytes;
}

/* Begins a FILL; returns the first page that it has not reached. */
static uint64_t begin_fill(Dev *d)
{
    push_fill(d);
    while (!filled(d)) {
        dev_step(d, 1);
    }
    g_assert_cmpuint(filled(d), <=, FILL_BYTES - 0x1000);
    return FILL_AT + ((filled(d) + 0xfff) & ~0xfffu);
}

static void assert_cut(Dev *d, uint64_t cut)
{
    g_assert_cmpuint(FILL_AT + filled(d), <=, cut);
    for (uint64_t at = cut; at < FILL_END; at += 8) {
        g_assert_cmpuint(get64(d, at), ==, 0);
    }
}

static void test_a_command_goes_on_in_the_new_windows(void)
{
    g_autoptr(Dev) d = running();
    uint64_t cut = begin_fill(d);

    set_without(d, cut, FILL_END);
    reload(d);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, cut);
    assert_cut(d, cut);
}

static void test_a_command_does_not_notice_the_same_windows(void)
{
    g_autoptr(Dev) d = running();

    begin_fill(d);
    reload(d);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(filled(d), ==, FILL_BYTES);
}

/* Many groups, each of which stores the same word. */
static void push_long(Dev *d)
{
    struct veu_command_dispatch c;
    TestMessage m = store(0);

    test_program_variable(&d->program, 0, 8, VEU_TYPE_UD);
    test_program_add(&d->program, &m);
    c = dispatch(d);
    c.launch.groups = 1 << 20; /* takes far longer than a turn */
    DEV_PUSH(d, c);
}

static void run_launch(unsigned helpers)
{
    static Helpers threads;
    g_autoptr(Dev) d = running();

    helpers_add(d, &threads, helpers, false);
    push_long(d);
    dev_step(d, 64);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1); /* not over */
    set_without(d, DEV_DATA, DEV_DATA + 0x1000);
    test_memory_fill(&d->host.memory, DEV_DATA, 0xee, 0x1000);
    reload(d);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_ADDRESS, 0);
    g_assert_cmphex(dev_record(d, 0).address, ==, DEV_DATA);
    g_assert_cmphex(get32(d, DEV_DATA), ==, UNTOUCHED);
}

static void test_a_launch_goes_on_in_the_new_windows(void)
{
    run_launch(0);
}

static void test_so_do_helpers(void)
{
    run_launch(3);
}

/* ---- states ---- */

static void test_a_ring_that_drains_takes_it(void)
{
    g_autoptr(Dev) d = running();
    uint64_t cut = begin_fill(d);

    write_control(d, 0);
    set_without(d, cut, FILL_END);
    write_control(d, VEU_RING_RELOAD);
    g_assert_cmpuint(state(d), ==, VEU_RING_DRAINING);
    g_assert_cmphex(control(d), ==, 0);
    dev_run(d);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    assert_cut(d, cut);
}

static void test_both_bits_at_once_drain_and_reload(void)
{
    g_autoptr(Dev) d = running();

    write_control(d, VEU_RING_RELOAD);
    g_assert_cmphex(control(d), ==, 0);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    g_assert_cmphex(control(d), ==, 0);
    dev_assert_no_fault(d);
}

/* The enable copies the current context in any case. */
static void test_a_disabled_ring_ignores_it(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    write_control(d, VEU_RING_RELOAD);
    g_assert_cmphex(control(d), ==, 0);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 0, 4);
    write_control(d, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmphex(control(d), ==, VEU_RING_ENABLE);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_RUNNING);
}

static void test_a_halted_ring_ignores_it(void)
{
    g_autoptr(Dev) d = running();

    push_fence(d, DEV_HOLE, 1);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    set_table(d, NULL, 0);
    write_control(d, VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_assert_cmphex(control(d), ==, VEU_RING_ENABLE);
    dev_run(d);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
}

static void test_a_ring_that_has_just_been_enabled_takes_it(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    set_table(d, NULL, 0);
    dev_enable(d);
    set_all(d);
    reload(d);
    push_fence(d, DEV_FENCE, 5);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(get64(d, DEV_FENCE), ==, 5);
}

/* ---- refusals ---- */

/* The ring is halted and has no memory: only registers show it, at once. */
static void assert_refused(Dev *d, uint16_t code, uint32_t detail)
{
    reload(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    g_assert_cmphex(control(d), ==, VEU_RING_ENABLE);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==, code);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_LAST_DETAIL), ==, detail);
    g_assert_cmphex(dev_record(d, 0).code, ==, 0);
    g_assert_cmpuint(DEV_SHARED_WORD(d, state), ==, VEU_RING_RUNNING);
    g_assert_cmpuint(test_host_count_events(&d->host, VEU_EVENT_FAULT), ==, 1);
}

static void refuse_window(struct veu_window window, uint32_t detail)
{
    const struct veu_window windows[] = {
        { DEV_RAM, DEV_DATA - DEV_RAM, 3, 0 },
        window,
    };
    g_autoptr(Dev) d = running();

    set_table(d, windows, 2);
    assert_refused(d, VEU_FAULT_CONTEXT_WINDOW, sizeof(window) + detail);
}

static void test_illegal_windows_halt_the_ring(void)
{
    refuse_window((struct veu_window){ DEV_RAM, 0x1000, 3, 0 }, 0);
    refuse_window((struct veu_window){ DEV_DATA, 1, 3, 0 }, 8);
    refuse_window((struct veu_window){ DEV_DATA, 0x1000, 0, 0 }, 16);
    refuse_window((struct veu_window){ DEV_DATA, 0x1000, 3, 1 }, 20);
}

static void test_a_table_that_is_not_ram_halts_the_ring(void)
{
    g_autoptr(Dev) d = running();

    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_WINDOWS, DEV_HOLE, 8);
    assert_refused(d, VEU_FAULT_CONTEXT_TABLE, 0);
}

static void test_a_type_that_does_not_exist_halts_the_ring(void)
{
    g_autoptr(Dev) d = running();

    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    assert_refused(d, VEU_FAULT_RING_CONFIG, VEU_REG_RING_CONTEXT);
}

/* It had not begun yet, and does not begin when the context is legal again. */
static void test_a_ring_that_has_just_been_enabled_is_halted(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_enable(d);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    reload(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    set_all(d);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_HALTED);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_CONFIG);
}

/* RING_HEAD is the index of the command in progress, which begins again. */
static void test_what_was_refused_can_be_corrected(void)
{
    g_autoptr(Dev) d = running();

    push_fence(d, DEV_FENCE, 5);
    dev_run(d);
    begin_fill(d);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    assert_refused(d, VEU_FAULT_RING_CONFIG, VEU_REG_RING_CONTEXT);
    g_assert_cmpuint(dev_ring_get(d, VEU_REG_RING_HEAD), ==, 1);
    set_all(d);
    write_control(d, 0);
    dev_run(d);
    g_assert_cmpuint(state(d), ==, VEU_RING_DISABLED);
    write_control(d, VEU_RING_ENABLE);
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(filled(d), ==, FILL_BYTES);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 2);
}

/* ---- elsewhere ---- */

/* Saves a state; @at receives the offset of the first ring's RING_CONTROL. */
static void save_with_control(GByteArray *state, uint64_t from, uint64_t to)
{
    const uint32_t row[] = {
        VEU_REG_RING_CONTROL,
        from,
        0,
        VEU_REG_RING_STATE,
        VEU_RING_RUNNING,
        0,
        VEU_REG_RING_BASE,
        DEV_RING,
    };
    uint8_t *at = memmem(state->data, state->len, row, sizeof(row));

    g_assert_nonnull(at);
    memcpy(at + sizeof(uint32_t), &to, sizeof(to));
}

/* States of version 6 come from devices that reloaded in their next step. */
static void test_a_reload_of_an_older_state_is_done(void)
{
    const uint32_t version = 6;
    g_autoptr(Dev) d = running();
    uint64_t cut = begin_fill(d);
    g_autoptr(GByteArray) state = state_save(d->device);

    memcpy(state->data + sizeof(uint32_t), &version, sizeof(version));
    save_with_control(state, VEU_RING_ENABLE,
                      VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_autoptr(Dev) to = dev_destination(d);

    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    g_assert_cmphex(control(to), ==, VEU_RING_ENABLE | VEU_RING_RELOAD);
    set_without(to, cut, FILL_END);
    dev_run(to);
    g_assert_cmphex(control(to), ==, VEU_RING_ENABLE);
    dev_assert_fault(to, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    assert_cut(to, cut);
}

/* A ring of such a device could have halted before that step. */
static void test_a_halted_ring_of_an_older_state_ignores_it(void)
{
    g_autoptr(Dev) d = running();

    push_fence(d, DEV_HOLE, 1);
    dev_run(d);
    veu_register_set(d->device->ring[0].reg, VEU_ROW_RING_CONTROL,
                     VEU_RING_ENABLE | VEU_RING_RELOAD);
    dev_write(d, VEU_CONTEXT_BLOCK + VEU_REG_CONTEXT_TYPE, 2, 4);
    dev_run(d);
    g_assert_cmphex(control(d), ==, VEU_RING_ENABLE);
    dev_assert_fault(d, 1, VEU_FAULT_COMMAND_MEMORY, 0);
}

/* Also by a ring that has nothing else to do. */
static void test_an_idle_ring_of_an_older_state_has_work(void)
{
    const uint32_t version = 6;
    g_autoptr(Dev) d = running();
    g_autoptr(GByteArray) state = state_save(d->device);

    memcpy(state->data + sizeof(uint32_t), &version, sizeof(version));
    save_with_control(state, VEU_RING_ENABLE,
                      VEU_RING_ENABLE | VEU_RING_RELOAD);
    g_autoptr(Dev) to = dev_destination(d);

    g_assert_cmpstr(state_load(to->device, state), ==, NULL);
    g_assert_cmphex(veu_device_ready(to->device), ==, 1);
    dev_run(to);
    g_assert_cmphex(control(to), ==, VEU_RING_ENABLE);
    g_assert_cmphex(veu_device_ready(to->device), ==, 0);
}

/* The saved windows are those that a RELOAD has copied. */
static void test_new_windows_move_along(void)
{
    g_autoptr(Dev) d = running();
    uint64_t cut = begin_fill(d);

    set_without(d, cut, FILL_END);
    reload(d);
    test_memory_fill(&d->host.memory, TABLE, 0xff, TEST_PAGE_BYTES);
    g_autoptr(Dev) to = dev_destination(d);

    state_move(d->device, to->device);
    dev_run(to);
    dev_assert_fault(to, 1, VEU_FAULT_COMMAND_MEMORY, 0);
    assert_cut(to, cut);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/reload/" #name, test_##name)
    RULE(a_window_that_is_added_is_reached);
    RULE(a_window_that_is_taken_is_not_reached);
    RULE(the_bit_reads_as_0_once_it_is_done);
    RULE(the_table_is_copied_in_the_write);
    RULE(the_ring_itself_goes_through_the_new_context);
    RULE(a_command_goes_on_in_the_new_windows);
    RULE(a_command_does_not_notice_the_same_windows);
    RULE(a_launch_goes_on_in_the_new_windows);
    RULE(so_do_helpers);
    RULE(a_ring_that_drains_takes_it);
    RULE(both_bits_at_once_drain_and_reload);
    RULE(a_disabled_ring_ignores_it);
    RULE(a_halted_ring_ignores_it);
    RULE(a_ring_that_has_just_been_enabled_takes_it);
    RULE(illegal_windows_halt_the_ring);
    RULE(a_table_that_is_not_ram_halts_the_ring);
    RULE(a_type_that_does_not_exist_halts_the_ring);
    RULE(a_ring_that_has_just_been_enabled_is_halted);
    RULE(what_was_refused_can_be_corrected);
    RULE(a_reload_of_an_older_state_is_done);
    RULE(a_halted_ring_of_an_older_state_ignores_it);
    RULE(an_idle_ring_of_an_older_state_has_work);
    RULE(new_windows_move_along);
    return g_test_run();
}
