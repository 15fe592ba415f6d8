/*
 * veu unit tests: a launch that several helpers run at the same time:
 * docs/spec.md, "Launches": groups may run in any order, or at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "hw/veu/device/model.h"
#include "launch.h"
#include "tests/lib/helpers.h"
#include "tests/lib/state_bytes.h"

#define GROUPS  37
#define THREADS 3
#define LANES   8
#define STRIDE  128 /* of a payload: a header and two variables */

/* Each EU thread adds to two words of its own, and all add to a third one. */
static struct veu_command_dispatch make_work(Dev *d)
{
    TestProgram *p = &d->program;
    uint32_t places = test_program_variable(p, 0, LANES, VEU_TYPE_UD);
    uint32_t data = test_program_variable(p, 32, LANES, VEU_TYPE_UD);
    TestMessage add = { .kind = TEST_DWORD_ATOMIC,
                        .exec = TEST_LANES_8,
                        .op = TEST_ADD,
                        .surface = 5,
                        .address = { places, 0 },
                        .src0 = { data, 0 },
                        .data = { data, 0 } };
    struct veu_command_dispatch c;

    test_program_add(p, &add);
    for (unsigned t = 0; t < GROUPS * THREADS; t++) {
        uint64_t at = DEV_PAYLOAD + t * STRIDE;

        put32(d, at, 0xff);
        for (unsigned lane = 0; lane < LANES; lane++) {
            put32(d, at + 64 + lane * 4, lane ? 4 + (t * LANES + lane) * 4 : 0);
            put32(d, at + 96 + lane * 4, t + lane);
        }
    }
    c = dispatch(d);
    c.launch.stateless_bytes = 16384;
    c.launch.threads = THREADS;
    c.launch.groups = GROUPS;
    c.launch.payload_bytes = STRIDE;
    c.launch.payload_stride = STRIDE;
    c.launch.result_offset = 36;
    c.launch.result_bytes = 28;
    c.launch.result_stride = 32;
    return c;
}

static Dev *make_dev(Helpers *h, unsigned helpers, bool at_once)
{
    Dev *d = fixture();
    struct veu_command_dispatch work = make_work(d);

    helpers_add(d, h, helpers, at_once);
    test_memory_fill(&d->host.memory, DEV_DATA, 0, 16384);
    DEV_PUSH(d, work);
    return d;
}

static void assert_same(Dev *a, Dev *b)
{
    static const unsigned counters[] = { VEU_REG_COUNTER_COMMANDS,
                                         VEU_REG_COUNTER_MESSAGES,
                                         VEU_REG_COUNTER_LANES,
                                         VEU_REG_COUNTER_BYTES };

    g_assert_true(test_memory_equal(&a->host.memory, &b->host.memory));
    dev_write(a, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    dev_write(b, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT, 4);
    for (unsigned i = 0; i < G_N_ELEMENTS(counters); i++) {
        g_assert_cmpuint(dev_read(a, counters[i], 8), ==,
                         dev_read(b, counters[i], 8));
    }
}

static void test_results_do_not_depend_on_helpers(void)
{
    static const unsigned counts[] = { 1, 2, 3, VEU_MAX_SLICES - 1 };
    Helpers none, h;
    g_autoptr(Dev) alone = make_dev(&none, 0, false);

    dev_run(alone);
    dev_assert_no_fault(alone);
    g_assert_cmpuint(get32(alone, DEV_DATA), ==, 6105); /* 0 + 1 + ... + 110 */
    for (unsigned i = 0; i < G_N_ELEMENTS(counts) * 2; i++) {
        g_autoptr(Dev) d = make_dev(&h, counts[i / 2], i % 2);

        dev_run(d);
        g_assert_true(i % 2 || h.helper[counts[i / 2] - 1].maps);
        assert_same(alone, d);
    }
}

/*
 * Turns are small, so that all slices are in the middle of something when they
 * end.
 */
static void test_a_launch_moves_to_fewer_or_more_helpers(void)
{
    static const unsigned from_to[][2] = { { 3, 0 }, { 0, 3 }, { 15, 1 } };
    Helpers none, h, other;
    g_autoptr(Dev) alone = make_dev(&none, 0, false);

    dev_run(alone);
    for (unsigned i = 0; i < G_N_ELEMENTS(from_to); i++) {
        for (unsigned steps = 1; steps < 40; steps += 3) {
            g_autoptr(Dev) from = make_dev(&h, from_to[i][0], false);
            g_autoptr(Dev) to = NULL;

            for (unsigned n = 0; n < steps; n++) {
                dev_step(from, 2);
            }
            to = dev_destination(from);
            helpers_add(to, &other, from_to[i][1], false);
            state_move_changed(from->device, to->device);
            dev_run(to);
            assert_same(alone, to);
        }
    }
}

/*
 * A helper's pages are flushed only in its share: its gate is not used while it
 * has no share, even if one of its slices continues alone.
 */
static void test_gates_of_helpers_are_used_in_their_shares(void)
{
    for (unsigned budget = 1; budget < 12; budget++) {
        Helpers h;
        g_autoptr(Dev) d = make_dev(&h, 3, false);

        while (dev_step(d, budget) == VEU_STEP_MORE) {
            for (unsigned i = 0; i < 3; i++) {
                g_assert_cmpuint(h.helper[i].unflushed, ==, 0);
            }
        }
        dev_assert_no_fault(d);
    }
}

/* Where slices of a launch wait for each other, each begins with a flush. */
static unsigned own_unflushed;
static unsigned most_unflushed;

static uint8_t *counting_map(VeuHost *host, uint64_t iova, uint32_t *bytes,
                             enum veu_access access)
{
    own_unflushed += access == VEU_ACCESS_WRITE;
    most_unflushed = MAX(most_unflushed, own_unflushed);
    return test_memory_map(&((TestHost *)host)->memory, iova, bytes, access);
}

static void counting_flush(VeuHost *host)
{
    own_unflushed = 0;
}

/* A piece stores a dword; an EU thread has fewer pieces than a flush allows. */
#define STORES 200

static struct veu_command_dispatch make_stores(Dev *d)
{
    struct veu_command_dispatch c;

    test_program_variable(&d->program, 0, LANES, VEU_TYPE_UD);
    for (unsigned i = 0; i < STORES; i++) {
        TestMessage m = store(4 * i);

        test_program_add(&d->program, &m);
    }
    c = dispatch(d);
    c.launch.groups = VEU_MAX_SLICES;
    return c;
}

static void test_many_slices_in_a_turn_are_flushed_between(void)
{
    Helpers h, none;
    g_autoptr(Dev) from = fixture();
    g_autoptr(Dev) to = NULL;
    struct veu_command_dispatch work = make_stores(from);

    helpers_add(from, &h, VEU_MAX_SLICES - 1, false);
    DEV_PUSH(from, work);
    /* Steps of one piece give every slice a group. */
    from->host.host.awaited = &(unsigned){ 1 };
    for (unsigned n = 0; n < 8; n++) {
        dev_step(from, 1);
    }
    to = dev_destination(from);
    helpers_add(to, &none, 0, false);
    to->host.host.map = counting_map;
    to->host.host.open = NULL;
    to->host.host.flush = counting_flush;
    own_unflushed = most_unflushed = 0;
    state_move_changed(from->device, to->device);
    dev_step(to, VEU_MAX_SLICES * (STORES + 2));
    g_assert_cmpuint(most_unflushed, >, STORES / 2);
    g_assert_cmpuint(most_unflushed, <=, VEU_FLUSH_WRITES + VEU_FLUSH_PIECES);
}

/* A turn has the same length for any number of slices that have a group. */
static void test_many_slices_share_the_budget_of_a_turn(void)
{
    Helpers h, none;
    g_autoptr(Dev) from = make_dev(&h, 15, false);
    g_autoptr(Dev) to = NULL;
    unsigned before;

    from->host.host.awaited = &(unsigned){ 1 };
    for (unsigned n = 0; n < 5; n++) {
        dev_step(from, 1);
    }
    to = dev_destination(from);
    helpers_add(to, &none, 0, false);
    to->host.host.events |= 1u << VEU_EVENT_MESSAGE;
    state_move_changed(from->device, to->device);
    before = test_host_count_events(&to->host, VEU_EVENT_MESSAGE);
    dev_step(to, 16);
    g_assert_cmpuint(test_host_count_events(&to->host, VEU_EVENT_MESSAGE), <=,
                     before + 16);
}

static void run_with_budget(unsigned helpers, bool at_once, uint32_t budget,
                            bool fits)
{
    Helpers h;
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch work = make_work(d);

    helpers_add(d, &h, helpers, at_once);
    dev_disable(d);
    dev_run(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, budget);
    dev_enable(d);
    DEV_PUSH(d, work);
    dev_run(d);
    if (fits) {
        dev_assert_no_fault(d);
    } else {
        dev_assert_fault(d, 1, VEU_FAULT_BUDGET, 0);
    }
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), <=, budget / 2);
}

/* An EU thread of one message costs 3 units, whichever thread runs it. */
static void test_a_budget_does_not_depend_on_helpers(void)
{
    const uint32_t cost = GROUPS * THREADS * 3;

    for (unsigned helpers = 0; helpers < VEU_MAX_SLICES; helpers += 5) {
        for (unsigned at_once = 0; at_once < 2; at_once++) {
            run_with_budget(helpers, at_once, cost, true);
            run_with_budget(helpers, at_once, cost - 1, false);
            run_with_budget(helpers, at_once, 10, false);
        }
    }
}

/* The payload of one EU thread is illegal. */
static void test_a_fault_ends_the_launch_for_all(void)
{
    Helpers h;
    g_autoptr(Dev) d = make_dev(&h, 3, true);

    put32(d, DEV_PAYLOAD + 50 * STRIDE + 4, 1);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_STOPPED);
    dev_assert_fault(d, 1, VEU_FAULT_PAYLOAD_FIELD, 4);
    g_assert_cmpuint(dev_record(d, 0).group, ==, 50 / THREADS);
    g_assert_cmpuint(dev_record(d, 0).thread, ==, 50 % THREADS);
    g_assert_cmphex(dev_ring_get(d, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
}

/* Observers see messages in their order, whatever helpers exist. */
static void test_who_watches_gets_no_help(void)
{
    Helpers h;
    g_autoptr(Dev) d = make_dev(&h, 3, false);
    uint64_t next = 0;

    d->host.host.events |= 1u << VEU_EVENT_MESSAGE;
    dev_run(d);
    for (unsigned i = 0; i < d->host.log_count; i++) {
        if (d->host.log[i].kind == TEST_LOG_EVENT &&
            d->host.log[i].event.kind == VEU_EVENT_MESSAGE) {
            g_assert_cmpuint(d->host.log[i].event.thread, ==, next);
            next++;
        }
    }
    g_assert_cmpuint(next, ==, GROUPS * THREADS);
}

static unsigned seen_lanes;

static uint16_t see_lane(VeuObserver *observer, const VeuLaneAccess *access,
                         VeuLanePlace place, VeuSpan *span)
{
    seen_lanes++;
    return 0;
}

/* A host that watches what EU threads do gets one event after the other. */
static void test_helpers_are_idle_while_the_host_watches(void)
{
    static const VeuEventKind kinds[] = { VEU_EVENT_MESSAGE, VEU_EVENT_THREAD,
                                          VEU_EVENT_INSTRUCTION };

    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        Helpers h;
        g_autoptr(Dev) d = make_dev(&h, 3, false);

        d->host.host.events |= 1u << kinds[i];
        dev_run(d);
        dev_assert_no_fault(d);
        for (unsigned n = 0; n < 3; n++) {
            g_assert_cmpuint(h.helper[n].maps, ==, 0);
        }
    }
}

static void assert_idle_helpers(Dev *d, const Helpers *h)
{
    dev_run(d);
    dev_assert_no_fault(d);
    for (unsigned n = 0; n < 3; n++) {
        g_assert_cmpuint(h->helper[n].maps, ==, 0);
    }
}

/* Nor can two threads call an observer, or report broken contracts. */
static void test_helpers_are_idle_while_lanes_are_observed(void)
{
    Helpers h;
    VeuObserver observer = { .lane = see_lane };
    g_autoptr(Dev) observed = make_dev(&h, 3, false);
    g_autoptr(Dev) checked = NULL;

    seen_lanes = 0;
    observed->host.host.observer = &observer;
    assert_idle_helpers(observed, &h);
    g_assert_cmpuint(seen_lanes, ==, GROUPS * THREADS * LANES);
    checked = make_dev(&h, 3, false);
    checked->device->config.eu.check = true;
    assert_idle_helpers(checked, &h);
}

/* The steps in which a helper takes part in launches of that many groups. */
static unsigned steps_with_help(unsigned groups, unsigned budget)
{
    Helpers h;
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch work = make_stores(d);
    unsigned steps = 0, maps = 0;
    VeuStep step;

    work.launch.groups = groups;
    helpers_add(d, &h, 1, false);
    DEV_PUSH(d, work);
    do {
        step = dev_step(d, budget);
        steps += h.helper[0].maps != maps;
        maps = h.helper[0].maps;
    } while (step == VEU_STEP_MORE);
    dev_assert_no_fault(d);
    return steps;
}

/*
 * A turn with helpers has 64 units for each unit without: an EU thread of 202
 * units takes four turns, the last two of which have no groups left to begin.
 */
static void test_two_groups_have_help_until_they_end(void)
{
    g_assert_cmpuint(steps_with_help(2, 1), ==, 4);
    g_assert_cmpuint(steps_with_help(1, 1), ==, 0);
}

/*
 * Runs three groups of 202 units with a helper, the last of them while one
 * runner is idle.
 */
static Dev *run_three_groups(uint32_t budget)
{
    Helpers h;
    Dev *d = dev_new();
    struct veu_command_dispatch work = make_stores(d);

    work.launch.groups = 3;
    helpers_add(d, &h, 1, false);
    dev_setup(d);
    dev_ring_set(d, VEU_REG_RING_BUDGET, budget);
    dev_enable(d);
    DEV_PUSH(d, work);
    dev_run_by(d, 3);
    d->host.host.helper_count = 0;
    return d;
}

static void test_runners_that_are_idle_are_not_counted(void)
{
    g_autoptr(Dev) enough = run_three_groups(606);
    g_autoptr(Dev) less = run_three_groups(605);

    dev_assert_no_fault(enough);
    dev_assert_fault(less, 1, VEU_FAULT_BUDGET, 0);
    g_assert_cmpuint(dev_record(less, 0).group, ==, 2);
}

/* A launch of one group leaves helpers, and longer turns, to others. */
static void test_one_group_has_turns_without_helpers(void)
{
    Helpers h;
    g_autoptr(Dev) d = fixture();
    struct veu_command_dispatch work = make_stores(d);
    uint64_t messages = 0;

    work.launch.groups = 1;
    helpers_add(d, &h, 1, false);
    DEV_PUSH(d, work);
    while (dev_step(d, 16) == VEU_STEP_MORE) {
        uint64_t now = dev_counter(d, VEU_REG_COUNTER_MESSAGES);

        g_assert_cmpuint(now, <=, messages + 16);
        messages = now;
    }
    dev_assert_no_fault(d);
    g_assert_cmpuint(dev_counter(d, VEU_REG_COUNTER_MESSAGES), ==, STORES);
}

/* Helpers that share the dirty marks of the test host, one after the other. */
static bool marking_open(VeuHost *host, uint64_t iova, enum veu_access access,
                         VeuExtent *extent)
{
    return test_memory_open(&((Helper *)host)->dev->host.memory, iova, access,
                            extent);
}

static unsigned marked_blocks;

static void marking_note(VeuHost *host, uint8_t *at)
{
    marked_blocks++;
    test_memory_note(&((Helper *)host)->dev->host.memory, at);
}

/* dev_step() finds pages that were written and are not dirty. */
static void test_what_helpers_write_becomes_dirty(void)
{
    Helpers h;
    g_autoptr(Dev) d = make_dev(&h, 3, false);

    for (unsigned i = 0; i < 3; i++) {
        h.helper[i].host.open = marking_open;
        h.helper[i].host.note = marking_note;
    }
    marked_blocks = 0;
    dev_run(d);
    dev_assert_no_fault(d);
    g_assert_cmpuint(marked_blocks, >, 0);
}

#define RULE(name) g_test_add_func("/slices/" #name, test_##name)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    RULE(results_do_not_depend_on_helpers);
    RULE(a_launch_moves_to_fewer_or_more_helpers);
    RULE(gates_of_helpers_are_used_in_their_shares);
    RULE(many_slices_in_a_turn_are_flushed_between);
    RULE(many_slices_share_the_budget_of_a_turn);
    RULE(a_budget_does_not_depend_on_helpers);
    RULE(a_fault_ends_the_launch_for_all);
    RULE(who_watches_gets_no_help);
    RULE(helpers_are_idle_while_the_host_watches);
    RULE(helpers_are_idle_while_lanes_are_observed);
    RULE(two_groups_have_help_until_they_end);
    RULE(runners_that_are_idle_are_not_counted);
    RULE(one_group_has_turns_without_helpers);
    RULE(what_helpers_write_becomes_dirty);
    return g_test_run();
}
