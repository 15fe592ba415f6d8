/*
 * veu unit tests: the command KERNEL, with barriers and helpers, and moved at
 * any time: docs/spec.md, "Groups in flight".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "tests/lib/helpers.h"
#include "tests/lib/kernel_builder.h"
#include "tests/lib/state_bytes.h"

#define ROUNDS 3

static Dev *sums_dev(Helpers *h, unsigned helpers, bool at_once)
{
    Dev *d = dev_running();
    Code code = kernel_sums(ROUNDS);
    struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);

    c.slm_bytes = 4 * KERNEL_ITEMS;
    c.groups_in_flight = 5;
    helpers_add(d, h, helpers, at_once);
    DEV_PUSH(d, c);
    return d;
}

static void assert_sums(Dev *d)
{
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < KERNEL_GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmpuint(test_memory_get32(&d->host.memory, DEV_DATA + 4 * n),
                         ==, kernel_sum(ROUNDS, n % KERNEL_ITEMS));
    }
}

static void test_threads_wait_at_barriers(void)
{
    Helpers h;
    g_autoptr(Dev) d = sums_dev(&h, 0, false);

    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    assert_sums(d);
}

/* Each item stores and loads a dword of local memory in each round. */
static void test_local_memory_is_counted_like_other_memory(void)
{
    const uint64_t items = KERNEL_GROUPS * KERNEL_ITEMS,
                   accesses = 2 * ROUNDS + 1;
    Helpers h;
    g_autoptr(Dev) d = sums_dev(&h, 0, false);

    dev_run(d);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==,
                     items / 8 * accesses);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_LANES), ==,
                     items * accesses);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_BYTES), ==,
                     4 * items * accesses);
}

/* Helpers share the groups, even if their turns end at any moment. */
static void test_helpers_share_groups(void)
{
    static const unsigned counts[] = { 1, 3, VEU_MAX_SLICES - 1 };
    Helpers h;

    for (unsigned i = 0; i < 2 * G_N_ELEMENTS(counts); i++) {
        for (unsigned budget = 1; budget <= 1000; budget *= 10) {
            g_autoptr(Dev) d = sums_dev(&h, counts[i / 2], i % 2);

            dev_run_by(d, budget);
            assert_sums(d);
        }
    }
}

/* Helpers do not change %hw_id or the scratch offset. */
static void test_slots_do_not_depend_on_helpers(void)
{
    Code code = kernel_items();
    Helpers none, h;
    g_autoptr(Dev) alone = dev_running();
    g_autoptr(Dev) d = dev_running();
    struct veu_command_kernel c = kernel_command(alone, &code, kernel_grid);

    kernel_command(d, &code, kernel_grid);
    helpers_add(alone, &none, 0, false);
    helpers_add(d, &h, VEU_MAX_SLICES - 1, true);
    kernel_run(alone, &c);
    kernel_run(d, &c);
    g_assert_true(test_memory_equal(&alone->host.memory, &d->host.memory));
}

/*
 * The test moves the device after each step of one piece, so the saved state is
 * all there is.
 */
static void test_it_continues_elsewhere_at_any_time(void)
{
    static const unsigned helpers[][2] = { { 0, 0 }, { 3, 0 }, { 0, 3 } };

    for (unsigned i = 0; i < G_N_ELEMENTS(helpers); i++) {
        Helpers h[2];
        Dev *d = sums_dev(&h[0], helpers[i][0], false);
        unsigned moves = 0;

        while (dev_step(d, 1) == VEU_STEP_MORE) {
            Dev *to = dev_destination(d);

            helpers_add(to, &h[1], helpers[i][1], false);
            state_move(d->device, to->device);
            dev_free(d);
            d = to;
            moves++;
        }
        g_assert_cmpuint(moves, >, i == 0 ? 500 : 50);
        assert_sums(d);
        dev_free(d);
    }
}

/* A device may be saved @times times when an EU thread has ended. */
static void check_saving(unsigned times)
{
    g_autoptr(Dev) d = dev_running();
    Code code = kernel_items();
    struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);
    const VeuGroup *g = d->device->ring[0].launch->groups.group;

    DEV_PUSH(d, c);
    while (!g->begun || g->thread == 0) {
        g_assert_cmpint(dev_step(d, 1), ==, VEU_STEP_MORE);
    }
    for (unsigned i = 0; i < times; i++) {
        g_byte_array_unref(state_save(d->device));
    }
    dev_run_by(d, 1);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < KERNEL_GROUPS * KERNEL_ITEMS; n++) {
        g_assert_cmphex(kernel_item(d, n).marker, ==, KERNEL_MARKER);
    }
}

static void test_saving_changes_nothing(void)
{
    for (unsigned times = 1; times < KERNEL_THREADS; times++) {
        check_saving(times);
    }
}

/*
 * EU threads of a host that watches none of them, which stop after any number
 * of pieces.
 */
static void test_threads_that_stop_continue_elsewhere(void)
{
    for (unsigned pieces = 1; pieces < 9; pieces++) {
        Dev *d = dev_running();
        Code code = kernel_items();
        struct veu_command_kernel c = kernel_command(d, &code, kernel_grid);
        unsigned moves = 0;

        d->host.host.events = 0;
        c.scratch_bytes = 1024;
        DEV_PUSH(d, c);
        while (dev_step(d, pieces) == VEU_STEP_MORE) {
            Dev *to = dev_destination(d);

            to->host.host.events = 0;
            state_move(d->device, to->device);
            dev_free(d);
            d = to;
            moves++;
        }
        g_assert_cmpuint(moves, >, 5);
        dev_assert_no_fault(d);
        for (unsigned n = 0; n < KERNEL_GROUPS * KERNEL_ITEMS; n++) {
            unsigned slot = kernel_slot(n);

            g_assert_cmpuint(kernel_item(d, n).slot, ==, slot);
            g_assert_cmpuint(kernel_item(d, n).scratch, ==, slot * 1024);
            g_assert_cmphex(kernel_item(d, n).marker, ==, KERNEL_MARKER);
        }
        dev_free(d);
    }
}

/* Any changed byte is refused, or gives a device that runs without harm. */
static void test_any_byte_of_a_state_may_be_wrong(void)
{
    Helpers h;
    g_autoptr(Dev) from = sums_dev(&h, 0, false);
    g_autoptr(Dev) to = NULL;
    g_autoptr(GByteArray) state = NULL;
    unsigned refused = 0;

    for (unsigned i = 0; i < 100; i++) {
        dev_step(from, 1);
    }
    state = state_save(from->device);
    to = dev_destination(from);
    to->keep_memory = true;
    for (guint at = 0; at < state->len; at += at < 1024 ? 1 : 31) {
        uint8_t mask = 1u << g_test_rand_int_range(0, 8);

        state->data[at] ^= mask;
        refused += state_load(to->device, state) != NULL;
        for (unsigned i = 0; i < 20; i++) {
            dev_step(to, 10);
        }
        state->data[at] ^= mask;
    }
    g_assert_cmpuint(refused, >, 100);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/kernel/saving-changes-nothing",
                    test_saving_changes_nothing);
    g_test_add_func("/kernel/threads-wait-at-barriers",
                    test_threads_wait_at_barriers);
    g_test_add_func("/kernel/local-memory-is-counted-like-other-memory",
                    test_local_memory_is_counted_like_other_memory);
    g_test_add_func("/kernel/helpers-share-groups", test_helpers_share_groups);
    g_test_add_func("/kernel/slots-do-not-depend-on-helpers",
                    test_slots_do_not_depend_on_helpers);
    g_test_add_func("/kernel/it-continues-elsewhere-at-any-time",
                    test_it_continues_elsewhere_at_any_time);
    g_test_add_func("/kernel/threads-that-stop-continue-elsewhere",
                    test_threads_that_stop_continue_elsewhere);
    g_test_add_func("/kernel/any-byte-of-a-state-may-be-wrong",
                    test_any_byte_of_a_state_may_be_wrong);
    return g_test_run();
}
