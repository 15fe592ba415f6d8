/*
 * veu unit tests: saving a device in the middle of a WAIT, COPY or FILL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_fixture.h"
#include "tests/lib/state_bytes.h"

#define FIELD       UINT64_C(0x900000)
#define FIELD_BYTES (48 * TEST_PAGE_BYTES)

static struct veu_command_wait make_wait(void)
{
    return (struct veu_command_wait){
        .header = { .opcode = 4, .slots = 1 },
        .address = DEV_FENCE,
        .mask = UINT64_MAX,
        .value = 1,
        .timeout_ns = 1000,
    };
}

static Dev *make_source(void)
{
    Dev *d = dev_running();
    struct veu_command_fill fill = {
        .header = { .opcode = 7, .slots = 1 },
        .pattern = 0x0807060504030201,
        .destination = FIELD + 3,
        .bytes = 70001,
    };
    struct veu_command_copy copy = {
        .header = { .opcode = 6, .slots = 1 },
        .source = FIELD,
        .destination = FIELD + 100,
        .bytes = 190000,
    };
    struct veu_command_wait wait = make_wait();

    test_memory_add(&d->host.memory, FIELD, FIELD_BYTES, true);
    DEV_PUSH(d, fill);
    DEV_PUSH(d, copy);
    DEV_PUSH(d, wait);
    return d;
}

/* Runs to the WAIT; returns the number of steps of one piece. */
static unsigned run_to_wait(Dev *d)
{
    unsigned steps = 0;

    while (dev_step(d, 1) == VEU_STEP_MORE) {
        g_assert_cmpuint(++steps, <, 1000);
    }
    return steps;
}

static void finish(Dev *d)
{
    run_to_wait(d);
    test_memory_put64(&d->host.memory, DEV_FENCE, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(DEV_SHARED_WORD(d, head), ==, 3);
    dev_assert_no_fault(d);
}

static void test_all_pieces_are_done_once(void)
{
    g_autoptr(Dev) whole = make_source();
    unsigned steps = run_to_wait(whole);

    finish(whole);
    g_assert_cmpuint(steps, >, 6);
    for (unsigned n = 0; n <= steps + 1; n++) {
        g_autoptr(Dev) from = make_source();
        g_autoptr(Dev) to = NULL;

        for (unsigned i = 0; i < n; i++) {
            dev_step(from, 1);
        }
        to = dev_destination(from);
        state_move(from->device, to->device);
        finish(to);
        g_assert_true(test_memory_equal(&whole->host.memory, &to->host.memory));
    }
}

/* The time that has already passed counts. */
static void test_a_deadline_stays(void)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = NULL;

    from->host.now_ns = 5000;
    run_to_wait(from);
    from->host.now_ns = 5900;
    to = dev_destination(from);
    state_move(from->device, to->device);
    g_assert_cmpuint(veu_device_deadline(to->device), ==, 6000);
    g_assert_cmphex(veu_device_ready(to->device), ==, 0);
    to->host.now_ns = 6000;
    g_assert_cmphex(veu_device_ready(to->device), ==, 1);
    dev_run(to);
    dev_assert_fault(to, 1, VEU_FAULT_WAIT_TIMEOUT, 0);
}

/* Any changed byte is refused, or gives a device that runs without harm. */
static void check_wrong_bytes(unsigned steps)
{
    g_autoptr(Dev) from = make_source();
    g_autoptr(Dev) to = NULL;
    g_autoptr(GByteArray) state = NULL;

    for (unsigned i = 0; i < steps; i++) {
        dev_step(from, 1);
    }
    state = state_save(from->device);
    to = dev_destination(from);
    to->keep_memory = true;
    for (guint bit = 0; bit < state->len * 8; bit++) {
        state->data[bit / 8] ^= 1u << bit % 8;
        state_load(to->device, state);
        for (unsigned i = 0; i < 4; i++) {
            veu_device_ready(to->device);
            veu_device_deadline(to->device);
            dev_step(to, 1);
        }
        state->data[bit / 8] ^= 1u << bit % 8;
    }
}

static void test_any_bit_may_be_wrong(void)
{
    check_wrong_bytes(2);  /* in the FILL */
    check_wrong_bytes(5);  /* in the COPY */
    check_wrong_bytes(99); /* in the WAIT */
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/state_commands/" #name, test_##name)
    RULE(all_pieces_are_done_once);
    RULE(a_deadline_stays);
    RULE(any_bit_may_be_wrong);
#undef RULE
    return g_test_run();
}
