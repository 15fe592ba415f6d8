/*
 * veu device tests: property interrupt-interval-us: docs/spec.md, "Interrupts".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"

#define WITH(us) RIG_Q35 ",interrupt-interval-us=" us

/* Long enough for the test to notice that something is held. */
#define LONG_US 300000
#define LONG    "300000"

static Rig *new_rig(const char *accel, const char *machine)
{
    Rig *r = rig_new(accel, machine);

    vm_run(r->vm);
    rig_set_up_msix(r);
    rig_start(r);
    return r;
}

static uint32_t message(Rig *r)
{
    return __atomic_load_n(r->message, __ATOMIC_ACQUIRE);
}

/* Runs a fence that interrupts; it is complete on return. */
static void interrupt(Rig *r)
{
    struct veu_command_fence fence = veu_make_fence(2, r->fence, 1);

    fence.header.flags = VEU_COMMAND_INTERRUPT;
    rig_run(r, &fence.header);
}

/*
 * Raises one interrupt and has the next one held; returns the time when that
 * began.
 */
static int64_t hold_one(Rig *r)
{
    int64_t start = g_get_monotonic_time();

    interrupt(r);
    rig_wait_message(r);
    interrupt(r);
    return start;
}

/* Like hold_one(), and stops the VM: a slow host may need several tries. */
static void hold_one_and_stop(Rig *r)
{
    hold_one(r);
    vm_stop(r->vm);
    while (message(r)) {
        *r->message = 0;
        vm_run(r->vm);
        hold_one(r);
        vm_stop(r->vm);
    }
}

static void test_the_next_one_waits(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH(LONG));

    for (unsigned i = 0; i < 3; i++) {
        int64_t start = hold_one(r);

        rig_wait_message(r);
        g_assert_cmpint(g_get_monotonic_time() - start, >=, LONG_US);
        g_usleep(LONG_US);
        g_assert_cmphex(message(r), ==, 0);
    }
}

/* A handler that reads head after each interrupt sees all commands. */
static void test_none_is_lost(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH("500"));

    for (unsigned round = 0; round < 20; round++) {
        struct veu_command_fence fence = veu_make_fence(2, r->fence, 1);

        fence.header.flags = VEU_COMMAND_INTERRUPT;
        for (unsigned i = 0; i < RIG_SLOTS - 1; i++) {
            rig_put(r, &fence.header);
        }
        rig_submit(r);
        do {
            rig_wait_message(r);
        } while (veu_ring_head(&r->ring) != r->ring.tail);
        g_usleep(1000);
        __atomic_store_n(r->message, 0, __ATOMIC_SEQ_CST);
    }
}

static void test_vectors_do_not_wait_for_each_other(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH("1000000"));
    g_autofree Rig *other = rig_add_ring(r, 1);
    int64_t start = g_get_monotonic_time();

    rig_set_up_msix(other);
    rig_start(other);
    interrupt(r);
    rig_wait_message(r);
    interrupt(other);
    rig_wait_message(other);
    interrupt(other);
    rig_wait_message(other);
    g_assert_cmpint(g_get_monotonic_time() - start, >=, 1000000);
}

static bool is_held(Rig *r, const char *line)
{
    g_autofree char *text = vm_errors(r->vm);

    return strstr(text, line);
}

/* Before the VM starts, its time stands still: all of the interval is left. */
static void test_an_interrupt_at_the_same_time_is_held(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, "-trace veu_interrupt_held " WITH(LONG));

    rig_set_up_msix(r);
    rig_start(r);
    hold_one(r);
    VM_WAIT(r->vm, is_held(r, "veu_interrupt_held vector 0 for " LONG "000 ns"),
            "the held interrupt");
    g_assert_cmphex(message(r), ==, 0);
    vm_run(r->vm);
    rig_wait_message(r);
}

/*
 * Returns true if the first of two vectors got its second interrupt before the
 * other, which is held longer, got its own.
 */
static bool is_first(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH("1000000"));
    g_autofree Rig *other = rig_add_ring(r, 1);

    rig_set_up_msix(other);
    rig_start(other);
    hold_one(r);
    g_usleep(700000);
    hold_one(other);
    rig_wait_message(r);
    return !message(other);
}

/* On a slow host both may be due when the test checks; it then repeats. */
static void test_a_vector_does_not_wait_for_later_ones(const char *accel)
{
    for (unsigned i = 0; !is_first(accel); i++) {
        g_assert_cmpuint(i, <, 5);
    }
}

/* The remaining time does not pass while the VM is stopped. */
static void test_the_interval_stands_still_with_the_vm(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH(LONG));

    hold_one_and_stop(r);
    g_usleep(LONG_US);
    g_assert_cmphex(message(r), ==, 0);
    vm_run(r->vm);
    rig_wait_message(r);
}

static void test_masked_while_it_waits(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH(LONG));

    hold_one_and_stop(r);
    veu_msix_mask(&r->device, 0, true);
    vm_run(r->vm);
    VM_WAIT(r->vm, veu_msix_pending(&r->device, 0), "the pending bit");
    g_assert_cmphex(message(r), ==, 0);
    veu_msix_mask(&r->device, 0, false);
    rig_wait_message(r);
}

static void test_a_reset_drops_what_is_held(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH(LONG));

    hold_one_and_stop(r);
    veu_reset(&r->device);
    vm_run(r->vm);
    g_usleep(LONG_US);
    g_assert_cmphex(message(r), ==, 0);
    rig_start(r);
    interrupt(r);
    rig_wait_message(r);
}

/* less than a second has passed when it arrives */
static void test_a_reset_ends_the_interval(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel, WITH("1000000"));
    int64_t start = g_get_monotonic_time();

    interrupt(r);
    rig_wait_message(r);
    veu_reset(&r->device);
    rig_start(r);
    interrupt(r);
    rig_wait_message(r);
    g_assert_cmpint(g_get_monotonic_time() - start, <, 1000000);
}

static void test_too_long_is_refused(const char *accel)
{
    g_autofree char *text = NULL;
    int status;

    text = vm_output("-M q35 -device veu,interrupt-interval-us=1000001",
                     &status);
    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(
        strstr(text, "veu: invalid interrupt-interval-us=1000001"));
    g_assert_nonnull(strstr(text, "must be between 0 and 1000000"));
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("the-next-one-waits", test_the_next_one_waits);
    rig_test_add_both("none-is-lost", test_none_is_lost);
    rig_test_add("vectors-do-not-wait-for-each-other",
                 test_vectors_do_not_wait_for_each_other);
    rig_test_add("an-interrupt-at-the-same-time-is-held",
                 test_an_interrupt_at_the_same_time_is_held);
    rig_test_add("a-vector-does-not-wait-for-later-ones",
                 test_a_vector_does_not_wait_for_later_ones);
    rig_test_add_both("the-interval-stands-still-with-the-vm",
                      test_the_interval_stands_still_with_the_vm);
    rig_test_add("masked-while-it-waits", test_masked_while_it_waits);
    rig_test_add("a-reset-drops-what-is-held", test_a_reset_drops_what_is_held);
    rig_test_add("a-reset-ends-the-interval", test_a_reset_ends_the_interval);
    rig_test_add("too-long-is-refused", test_too_long_is_refused);
    return g_test_run();
}
