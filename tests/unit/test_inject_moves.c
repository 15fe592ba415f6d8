/*
 * veu unit tests: rules of injected faults do not move with a device:
 * docs/fault-inject.md, "What to know".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hw/veu/device/model.h"
#include "tests/lib/fault_world.h"
#include "tests/lib/state_bytes.h"

static void assert_counts(Dev *d, uint64_t matched, uint64_t fired)
{
    const VeuInjectRule *rule = &d->device->inject.rules.rule[0];

    g_assert_cmpuint(rule->matched, ==, matched);
    g_assert_cmpuint(rule->fired, ==, fired);
}

static Dev *move(Dev *from)
{
    Dev *to = dev_destination(from);

    state_move(from->device, to->device);
    return to;
}

/* What is held at the source continues at the destination, at once. */
static void check_held(const char *action)
{
    g_autofree char *rules = g_strdup_printf("opcode=fence nth=2 action=%s",
                                             action);
    g_autoptr(Dev) from = dev_running();
    g_autoptr(Dev) to = NULL;

    dev_inject(from, rules);
    dev_push_fences(from, 3);
    g_assert_cmpint(dev_run(from), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(dev_fence_value(from), ==, 1);
    to = move(from);
    g_assert_cmphex(veu_device_ready(to->device), ==, 1);
    g_assert_cmpint(dev_run(to), ==, VEU_STEP_IDLE);
    g_assert_cmpuint(dev_fence_value(to), ==, 3);
    g_assert_cmpuint(DEV_SHARED_WORD(to, head), ==, 3);
    dev_assert_no_fault(to);
}

static void test_a_delay_ends_with_a_move(void)
{
    check_held("delay:1s");
}

static void test_a_hang_ends_with_a_move(void)
{
    check_held("hang");
}

/* The version is that of the first devices that know the command. */
static void test_an_invalidation_that_hangs_is_not_for_older_devices(void)
{
    const struct veu_command_invalidate invalidate = {
        .header = { .opcode = VEU_COMMAND_INVALIDATE, .slots = 1 },
    };
    g_autoptr(Dev) d = dev_running();
    g_autoptr(GByteArray) before = state_save(d->device);
    g_autoptr(GByteArray) held = NULL;
    uint32_t versions[2];

    dev_inject(d, "nth=1 action=hang");
    DEV_PUSH(d, invalidate);
    g_assert_cmpint(dev_run(d), ==, VEU_STEP_WAIT);
    held = state_save(d->device);
    memcpy(&versions[0], before->data + 4, sizeof(versions[0]));
    memcpy(&versions[1], held->data + 4, sizeof(versions[1]));
    g_assert_cmpuint(versions[0], <, VEU_STATE_COUNTERS);
    g_assert_cmpuint(versions[1], ==, VEU_STATE_COUNTERS);
}

/*
 * A launch that a rule holds after one of its messages also continues at the
 * destination.
 */
static void test_a_launch_that_hangs_is_done_elsewhere(void)
{
    g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
    g_autoptr(Dev) from = NULL;
    g_autoptr(Dev) to = NULL;
    FaultWorld w;

    fault_world_init(&w, TEST_GATHER);
    from = fault_world_new(&w, o);
    dev_inject(from, "opcode=gather nth=1 action=hang");
    g_assert_cmpint(dev_run(from), ==, VEU_STEP_WAIT);
    to = move(from);
    dev_run(to);
    g_assert_cmpuint(dev_fence_value(to), ==, 1);
    dev_assert_no_fault(to);
}

/*
 * Counters start again; a command that began at the source was matched there.
 */
static void test_rules_of_the_destination_begin(void)
{
    g_autoptr(Dev) from = dev_running();
    g_autoptr(Dev) to = NULL;

    dev_inject(from, "nth=2 action=delay:1s");
    dev_push_fences(from, 4);
    dev_run(from);
    assert_counts(from, 2, 1);
    to = move(from);
    dev_inject(to, "nth=2 action=hang");
    assert_counts(to, 0, 0);
    g_assert_cmpint(dev_run(to), ==, VEU_STEP_WAIT);
    g_assert_cmpuint(dev_fence_value(to), ==, 3);
    assert_counts(to, 2, 1);
}

/* Loading a snapshot goes back in time; rules do not. */
static void test_a_snapshot_leaves_rules_and_counters(void)
{
    g_autoptr(Dev) d = dev_running();
    g_autoptr(GByteArray) state = NULL;

    d->keep_memory = true;
    dev_inject(d, "every=2 action=drop:store");
    dev_push_fences(d, 2);
    state = state_save(d->device);
    dev_run(d);
    assert_counts(d, 2, 1);
    g_assert_cmpstr(state_load(d->device, state), ==, NULL);
    dev_run(d);
    assert_counts(d, 4, 2);
}

/* A rule matches only its own messages, though the program contains others. */
static void test_other_messages_do_not_match(void)
{
    g_autofree FaultOutcome *o = g_new0(FaultOutcome, 1);
    g_autoptr(Dev) d = NULL;
    FaultWorld w;

    fault_world_init(&w, TEST_GATHER);
    d = fault_world_new(&w, o);
    dev_inject(d, "opcode=svm_gather action=fault:SURFACE_INDEX");
    dev_run(d);
    assert_counts(d, 0, 0);
    g_assert_cmpuint(dev_fence_value(d), ==, 1);
    dev_assert_no_fault(d);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
#define RULE(name) g_test_add_func("/inject_moves/" #name, test_##name)
    RULE(a_delay_ends_with_a_move);
    RULE(a_hang_ends_with_a_move);
    RULE(an_invalidation_that_hangs_is_not_for_older_devices);
    RULE(a_launch_that_hangs_is_done_elsewhere);
    RULE(rules_of_the_destination_begin);
    RULE(a_snapshot_leaves_rules_and_counters);
    RULE(other_messages_do_not_match);
#undef RULE
    return g_test_run();
}
