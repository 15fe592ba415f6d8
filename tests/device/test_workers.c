/*
 * veu device tests: worker threads: property "workers".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"
#include "tests/device/work.h"

#define RIG_WORKERS RIG_Q35 ",workers=4"

static void test_workers_come_and_go_with_the_device(const char *accel)
{
    static const struct {
        const char *machine;
        unsigned workers; /* besides the device thread */
    } cases[] = {
        { RIG_Q35, 0 },
        { RIG_Q35 ",workers=1", 0 },
        { RIG_WORKERS, 3 },
        { RIG_Q35 ",workers=16", 15 },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Rig) r = rig_new(accel, cases[i].machine);

        VM_WAIT(r->vm,
                vm_count_threads(r->vm, "veu-worker") == cases[i].workers,
                "%u workers", cases[i].workers);
    }
}

static void test_wrong_numbers_are_refused(const char *accel)
{
    static const char *const numbers[] = { "0", "17", "4294967295" };

    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autofree char *arguments = g_strdup_printf(
            "-accel %s -M q35 -device veu,workers=%s", accel, numbers[i]);
        int status;
        g_autofree char *text = vm_output(arguments, &status);

        g_assert_cmpint(status, !=, 0);
        g_assert_nonnull(strstr(text, "veu: invalid workers="));
        g_assert_nonnull(strstr(text, "must be between 1 and 16"));
    }
}

/* All workers are woken for a dispatch of many groups. */
static void test_workers_take_part(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_WORKERS);
    struct veu_command_dispatch work;
    unsigned before;

    vm_run(r->vm);
    rig_start(r);
    work_make(r, &work);
    VM_WAIT(r->vm, vm_count_sleepers(r->vm, "veu-worker") == 3,
            "the workers to sleep");
    vm_settle();
    before = vm_count_sleeps(r->vm, "veu-worker");
    rig_run(r, &work.header);
    work_assert_done(r);
    VM_WAIT(r->vm, vm_count_sleeps(r->vm, "veu-worker") >= before + 3,
            "workers to have slept again");
}

static void test_results_do_not_depend_on_workers(const char *accel)
{
    static const char *const machines[] = { RIG_Q35, RIG_Q35 ",workers=2",
                                            RIG_Q35 ",workers=16" };

    for (unsigned i = 0; i < G_N_ELEMENTS(machines); i++) {
        g_autoptr(Rig) r = rig_new(accel, machines[i]);
        struct veu_command_dispatch work;

        vm_run(r->vm);
        rig_start(r);
        for (unsigned n = 0; n < 20; n++) {
            work_make(r, &work);
            memset(r->arena, 0xee, RIG_ARENA_BYTES / 4);
            memset(r->result, 0xee, RIG_RESULT_BYTES / 4);
            rig_run(r, &work.header);
            work_assert_done(r);
        }
    }
}

static void test_nothing_is_written_after_stop_or_reset(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_WORKERS);

    vm_run(r->vm);
    for (unsigned i = 0; i < 10; i++) {
        rig_assert_stop_and_reset_end_writes(r);
    }
    rig_start(r);
    rig_assert_works(r);
}

/* One worker finds the fault first; the others stop. */
static void test_faults_end_the_work_of_all(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_WORKERS);
    struct veu_command_dispatch work;
    struct veu_fault_record record;

    vm_run(r->vm);
    rig_start(r);
    work_make(r, &work);
    work.launch.result_address = UINT64_C(0x100000000000);
    record = rig_run_fault(r, &work.header, VEU_FAULT_RESULT_MEMORY);
    g_assert_cmphex(record.address, >=, UINT64_C(0x100000000000));
    rig_start(r);
    rig_assert_works(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("workers-come-and-go-with-the-device",
                 test_workers_come_and_go_with_the_device);
    rig_test_add("wrong-numbers-are-refused", test_wrong_numbers_are_refused);
    rig_test_add("workers-take-part", test_workers_take_part);
    rig_test_add("results-do-not-depend-on-workers",
                 test_results_do_not_depend_on_workers);
    rig_test_add("nothing-is-written-after-stop-or-reset",
                 test_nothing_is_written_after_stop_or_reset);
    rig_test_add("faults-end-the-work-of-all", test_faults_end_the_work_of_all);
    return g_test_run();
}
