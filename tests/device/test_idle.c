/*
 * veu device tests: a device that has nothing to do costs nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"

#define IDLE_US 2000000

/* The kernel's counters of a thread. */
typedef struct Usage {
    char *wakeups; /* the lines of context switches */
    /* ns that it ran, ns that it waited, number of times that it ran */
    char *time;
} Usage;

static void usage_clear(Usage *usage)
{
    g_free(usage->wakeups);
    g_free(usage->time);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Usage, usage_clear)

static char *read_file(const Vm *vm, const char *task, const char *file)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/task/%s/%s", vm->pid,
                                            task, file);
    char *text;

    return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

/* Finds the task of the device's thread. */
static char *find_task(const Vm *vm)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/task", vm->pid);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *task;

    while ((task = g_dir_read_name(dir))) {
        g_autofree char *name = read_file(vm, task, "comm");

        if (strcmp(g_strchomp(name), "veu") == 0) {
            return g_strdup(task);
        }
    }
    g_assert_not_reached();
}

static Usage usage_of(const Vm *vm, const char *task)
{
    g_autofree char *status = read_file(vm, task, "status");
    Usage usage = {
        .wakeups = g_strdup(strstr(status, "voluntary_ctxt_switches")),
        .time = read_file(vm, task, "schedstat"),
    };

    g_assert_nonnull(usage.wakeups);
    return usage;
}

/* Checks two seconds in which the device has nothing to do. */
static void assert_idle(const Rig *r)
{
    g_autofree char *task = find_task(r->vm);
    g_auto(Usage) before = { 0 };
    g_auto(Usage) after = { 0 };

    g_usleep(IDLE_US / 10);
    before = usage_of(r->vm, task);
    g_usleep(IDLE_US);
    after = usage_of(r->vm, task);
    g_assert_cmpstr(after.wakeups, ==, before.wakeups);
    g_assert_cmpstr(after.time, ==, before.time);
}

static Rig *start(const char *accel)
{
    Rig *r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    return r;
}

static void test_disabled_rings_cost_no_time(const char *accel)
{
    g_autoptr(Rig) r = start(accel);

    assert_idle(r);
}

static void test_enabled_rings_cost_no_time(const char *accel)
{
    g_autoptr(Rig) r = start(accel);

    rig_start(r);
    rig_wait_asleep(r);
    assert_idle(r);
}

static void test_a_ring_without_work_costs_no_time(const char *accel)
{
    g_autoptr(Rig) r = start(accel);
    struct veu_command_nop nop = veu_make_nop(0);

    rig_start(r);
    for (unsigned i = 0; i < 100; i++) {
        rig_put(r, &nop.header);
        rig_submit(r);
        rig_wait(r);
    }
    rig_wait_asleep(r);
    assert_idle(r);
}

/* During a WAIT without a timeout, memory is read at each kick. */
static void test_a_wait_costs_no_time(const char *accel)
{
    g_autoptr(Rig) r = start(accel);
    struct veu_command_wait wait = veu_make_wait(0, r->fence,
                                                 VEU_CONDITION_EQUAL, 1);

    rig_start(r);
    rig_put(r, &wait.header);
    rig_submit(r);
    rig_wait_asleep(r);
    assert_idle(r);
}

static void test_a_stopped_vm_costs_no_time(const char *accel)
{
    g_autoptr(Rig) r = start(accel);

    rig_start(r);
    rig_run_endless(r);
    vm_stop(r->vm);
    assert_idle(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("disabled-rings-cost-no-time",
                      test_disabled_rings_cost_no_time);
    rig_test_add_both("enabled-rings-cost-no-time",
                      test_enabled_rings_cost_no_time);
    rig_test_add_both("a-ring-without-work-costs-no-time",
                      test_a_ring_without_work_costs_no_time);
    rig_test_add_both("a-wait-costs-no-time", test_a_wait_costs_no_time);
    rig_test_add_both("a-stopped-vm-costs-no-time",
                      test_a_stopped_vm_costs_no_time);
    return g_test_run();
}
