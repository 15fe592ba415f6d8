/*
 * veu unit tests: the choice of the next ring: docs/spec.md, "Priorities".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/lib/device_rings.h"
#include "tests/lib/state_bytes.h"

#define BUDGET 64

static void count_turns(Devs *d, unsigned turns, unsigned *had)
{
    memset(had, 0, d->count * sizeof(*had));
    for (unsigned i = 0; i < turns; i++) {
        int ring = devs_turn(d, BUDGET);

        g_assert_cmpint(ring, >=, 0);
        had[ring]++;
    }
}

static void assert_about(unsigned a, unsigned b)
{
    g_assert_cmpuint(a, <=, b + 1);
    g_assert_cmpuint(b, <=, a + 1);
}

static void test_equal_rings_take_turns(void)
{
    g_autoptr(Devs) d = devs_new(4);
    unsigned had[4];

    for (unsigned i = 0; i < 4; i++) {
        devs_push_long(d, i);
    }
    count_turns(d, 400, had);
    for (unsigned i = 0; i < 4; i++) {
        assert_about(had[i], 100);
    }
}

/* "Four times as much as a ring of the next lower priority." */
static void test_priorities_are_weights(void)
{
    g_autoptr(Devs) d = devs_new(4);
    unsigned had[4];

    for (unsigned i = 0; i < 4; i++) {
        devs_set(d, i, VEU_REG_RING_PRIORITY, i);
        devs_push_long(d, i);
    }
    count_turns(d, 10 * (1 + 4 + 16 + 64), had);
    assert_about(had[0], 10);
    assert_about(had[1], 40);
    assert_about(had[2], 160);
    assert_about(had[3], 640);
}

/* This holds for any number of busy rings with the highest priority. */
static void test_no_ring_is_starved(void)
{
    g_autoptr(Devs) d = devs_new(16);
    unsigned had[16];

    for (unsigned i = 0; i < 16; i++) {
        devs_set(d, i, VEU_REG_RING_PRIORITY, i ? 3 : 0);
        devs_push_long(d, i);
    }
    count_turns(d, 15 * 64 + 15, had);
    g_assert_cmpuint(had[0], >=, 1);
}

static void test_a_ring_that_wakes_is_next(void)
{
    g_autoptr(Devs) d = devs_new(3);
    struct veu_command_nop nop = dev_nop(0);

    devs_push_long(d, 0);
    devs_push_long(d, 1);
    for (unsigned i = 0; i < 20; i++) {
        devs_turn(d, BUDGET);
        devs_turn(d, BUDGET);
        DEVS_PUSH(d, 2, nop);
        if (devs_turn(d, BUDGET) != 2) {
            g_assert_cmpint(devs_turn(d, BUDGET), ==, 2);
        }
    }
}

/* Nor does it make up for the time that it was idle. */
static void test_an_idle_ring_saves_nothing(void)
{
    g_autoptr(Devs) d = devs_new(2);
    unsigned had[2];

    devs_push_long(d, 0);
    count_turns(d, 1000, had);
    g_assert_cmpuint(had[0], ==, 1000);
    devs_push_long(d, 1);
    count_turns(d, 20, had);
    assert_about(had[0], 10);
}

/* A ring that was reset owes nothing for its work before. */
static void test_a_reset_ring_starts_with_the_others(void)
{
    g_autoptr(Devs) d = devs_new(2);
    unsigned had[2];

    devs_push_long(d, 0);
    devs_push_long(d, 1);
    g_assert_cmpint(veu_ring_step(d->dev->device, 0, 1000 * BUDGET), ==,
                    VEU_STEP_MORE);
    devs_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    devs_start(d, 0);
    devs_push_long(d, 0);
    count_turns(d, 20, had);
    assert_about(had[0], 10);
}

/*
 * Each KiB costs a unit: the amount of copying counts, not only the number of
 * pieces.
 */
static void test_pieces_that_copy_cost_more(void)
{
    g_autoptr(Devs) d = devs_new(2);
    struct veu_command_dispatch dispatch;
    unsigned had[2];

    devs_push_long(d, 0);
    d->dev->program.header.register_bytes = 16384;
    dispatch = dev_dispatch(d->dev);
    dispatch.launch.groups = 1 << 20;
    dispatch.launch.payload_bytes = 16384;
    DEVS_PUSH(d, 1, dispatch);
    count_turns(d, 100, had);
    test_host_clear_log(&d->dev->host);
    g_assert_cmpint(veu_ring_step(d->dev->device, 1, 16), ==, VEU_STEP_MORE);
    g_assert_cmpuint(test_host_count_events(&d->dev->host, VEU_EVENT_MESSAGE),
                     <=, 2);
}

/*
 * A piece of a FILL of 64 KiB costs what 64 commands cost: another ring has
 * that many turns for each.
 */
static void test_turns_are_for_work(void)
{
    g_autoptr(Devs) d = devs_new(2);
    struct veu_command_nop nop = dev_nop(0);
    struct veu_command_fill fill = {
        .header = { .opcode = VEU_COMMAND_FILL, .slots = 1 },
        .destination = DEV_PROGRAM,
        .bytes = 4 * 65536,
    };
    unsigned fills = 0, nops = 0;

    DEVS_PUSH(d, 0, fill);
    for (unsigned i = 0; i < 50; i++) {
        DEVS_PUSH(d, 1, nop);
    }
    while (nops < 50) {
        bool is_nop = devs_turn(d, 1) == 1;

        nops += is_nop;
        fills += !is_nop;
    }
    /* One turn takes the command, and one is its first piece. */
    g_assert_cmpuint(fills, <=, 2);
}

/*
 * A command of a message in one EU thread is five pieces, though they are done
 * at once: it is fetched and begun, and the EU thread has three.
 */
static void test_short_launches_cost_what_they_are(void)
{
    g_autoptr(Devs) d = devs_new(1);
    TestMessage fence = { .kind = TEST_FENCE };
    struct veu_command_message message = dev_message(&fence);

    for (unsigned i = 0; i < 15; i++) {
        DEVS_PUSH(d, 0, message);
    }
    test_host_clear_log(&d->dev->host);
    g_assert_cmpint(veu_ring_step(d->dev->device, 0, 30), ==, VEU_STEP_MORE);
    g_assert_cmpuint(test_host_count_events(&d->dev->host, VEU_EVENT_MESSAGE),
                     ==, 30 / 5);
}

/* A step always completes the current piece, so that it makes progress. */
static void test_a_step_ends_when_it_is_awaited(void)
{
    g_autoptr(Devs) d = devs_new(1);
    unsigned awaited = 1;

    devs_push_long(d, 0);
    devs_turn(d, BUDGET);
    d->dev->host.host.awaited = &awaited;
    test_host_clear_log(&d->dev->host);
    for (unsigned i = 1; i <= 30; i++) {
        g_assert_cmpint(veu_ring_step(d->dev->device, 0, BUDGET), ==,
                        VEU_STEP_MORE);
        g_assert_cmpuint(
            test_host_count_events(&d->dev->host, VEU_EVENT_MESSAGE), <=, i);
    }
    g_assert_cmpuint(test_host_count_events(&d->dev->host, VEU_EVENT_MESSAGE),
                     >=, 10);
    awaited = 0;
    test_host_clear_log(&d->dev->host);
    veu_ring_step(d->dev->device, 0, BUDGET);
    g_assert_cmpuint(test_host_count_events(&d->dev->host, VEU_EVENT_MESSAGE),
                     >=, 20);
}

/* Within an EU thread, too, which has more messages than a step may run. */
static void test_an_eu_thread_ends_its_step_when_it_is_awaited(void)
{
    g_autoptr(Devs) d = devs_new(1);
    Dev *dev = d->dev;
    TestMessage fence = { .kind = TEST_FENCE };
    struct veu_command_dispatch dispatch;
    unsigned awaited = 1;

    test_program_init(&dev->program);
    for (unsigned i = 0; i < 30; i++) {
        test_program_add(&dev->program, &fence);
    }
    dispatch = dev_dispatch(dev);
    DEVS_PUSH(d, 0, dispatch);
    dev->host.host.awaited = &awaited;
    test_host_clear_log(&dev->host);
    for (unsigned i = 1; i <= 20; i++) {
        g_assert_cmpint(veu_ring_step(dev->device, 0, BUDGET), ==,
                        VEU_STEP_MORE);
        g_assert_cmpuint(test_host_count_events(&dev->host, VEU_EVENT_MESSAGE),
                         <=, i);
    }
}

static void test_only_rings_with_work_are_ready(void)
{
    g_autoptr(Devs) d = devs_new(4);
    struct veu_command_nop nop = dev_nop(0);

    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0);
    DEVS_PUSH(d, 1, nop);
    DEVS_PUSH(d, 3, nop);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0xa);
    devs_set(d, 1, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0x8);
    devs_set(d, 2, VEU_REG_RING_CONTROL, 0); /* drains */
    g_assert_cmphex(veu_device_ready(d->dev->device), ==, 0xc);
    devs_settle(d);
    g_assert_cmpuint(devs_get(d, 2, VEU_REG_RING_STATE), ==, 0);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 3, head), ==, 1);
}

/* A ring that is refused still has to store its state, and to interrupt. */
static void test_a_refused_ring_is_ready(void)
{
    g_autoptr(Dev) d = dev_new();

    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_CONTEXT, DEV_RINGS);
    dev_enable(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
    dev_run(d);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
}

/* So does one whose shared block has become read-only when it falls asleep. */
static void test_a_ring_that_cannot_sleep_is_ready(void)
{
    g_autoptr(Dev) d = dev_running();

    dev_run(d);
    for (unsigned i = 0; i < d->host.memory.count; i++) {
        TestPage *page = &d->host.memory.page[i];

        page->writable = page->iova != DEV_SHARED;
    }
    g_assert_false(veu_device_sleep(d->device));
    g_assert_cmphex(veu_device_ready(d->device), ==, 1);
    dev_run(d);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_RING_MEMORY);
    g_assert_cmphex(veu_device_ready(d->device), ==, 0);
}

static void test_enabled(void)
{
    g_autoptr(Devs) d = devs_new(2);

    g_assert_true(veu_device_is_enabled(d->dev->device));
    devs_set(d, 0, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_true(veu_device_is_enabled(d->dev->device));
    devs_set(d, 1, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    g_assert_false(veu_device_is_enabled(d->dev->device));
}

/* A ring that is halted waits for its driver. */
static void test_a_halted_ring_is_not_enabled(void)
{
    g_autoptr(Devs) d = devs_new(1);
    struct veu_command_nop bad = dev_nop(0);

    bad.header.flags = 0x8000;
    DEVS_PUSH(d, 0, bad);
    devs_settle(d);
    g_assert_cmpuint(devs_get(d, 0, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
    g_assert_false(veu_device_is_enabled(d->dev->device));
}

/* A fence stops all guest CPUs briefly. */
static void test_one_fence_for_all_rings_that_fall_asleep(void)
{
    g_autoptr(Devs) d = devs_new(8);
    struct veu_command_nop nop = dev_nop(0);

    test_host_clear_log(&d->dev->host);
    g_assert_true(veu_device_sleep(d->dev->device));
    g_assert_cmpuint(test_host_count(&d->dev->host, TEST_LOG_FENCE), ==, 1);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmpuint(DEVS_SHARED_WORD(d, i, asleep), ==, 1);
    }
    g_assert_true(veu_device_sleep(d->dev->device));
    g_assert_cmpuint(test_host_count(&d->dev->host, TEST_LOG_FENCE), ==, 1);
    DEVS_PUSH(d, 5, nop);
    devs_settle(d);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 5, asleep), ==, 0);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 4, asleep), ==, 1);
    g_assert_true(veu_device_sleep(d->dev->device));
    g_assert_cmpuint(test_host_count(&d->dev->host, TEST_LOG_FENCE), ==, 2);
    g_assert_cmpuint(DEVS_SHARED_WORD(d, 5, asleep), ==, 1);
}

static uint32_t next_turn(Dev *d)
{
    uint32_t ring = veu_device_pick(d->device, veu_device_ready(d->device));

    veu_ring_step(d->device, ring, BUDGET);
    return ring;
}

/*
 * Turns continue as they would have continued here; ring 0 has had none for a
 * while.
 */
static void test_turns_go_on_elsewhere(void)
{
    for (unsigned turns = 0; turns < 100; turns += 7) {
        g_autoptr(Devs) d = devs_new(4);
        g_autoptr(Dev) to = NULL;

        for (unsigned i = 1; i < 4; i++) {
            devs_set(d, i, VEU_REG_RING_PRIORITY, i);
            devs_push_long(d, i);
        }
        for (unsigned i = 0; i < turns; i++) {
            devs_turn(d, BUDGET);
        }
        devs_push_long(d, 0);
        to = dev_destination(d->dev);
        state_move(d->dev->device, to->device);
        for (unsigned i = 0; i < 100; i++) {
            g_assert_cmpuint(next_turn(to), ==, next_turn(d->dev));
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define RULE(name) g_test_add_func("/schedule/" #name, test_##name)
    RULE(equal_rings_take_turns);
    RULE(priorities_are_weights);
    RULE(no_ring_is_starved);
    RULE(a_ring_that_wakes_is_next);
    RULE(an_idle_ring_saves_nothing);
    RULE(a_reset_ring_starts_with_the_others);
    RULE(pieces_that_copy_cost_more);
    RULE(turns_are_for_work);
    RULE(short_launches_cost_what_they_are);
    RULE(a_step_ends_when_it_is_awaited);
    RULE(an_eu_thread_ends_its_step_when_it_is_awaited);
    RULE(only_rings_with_work_are_ready);
    RULE(a_refused_ring_is_ready);
    RULE(a_ring_that_cannot_sleep_is_ready);
    RULE(enabled);
    RULE(a_halted_ring_is_not_enabled);
    RULE(one_fence_for_all_rings_that_fall_asleep);
    RULE(turns_go_on_elsewhere);
#undef RULE
    return g_test_run();
}
