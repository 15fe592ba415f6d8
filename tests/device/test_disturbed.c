/*
 * veu device tests: stop, move, kill, snapshot, reset and unplug at random
 * moments, which must not change the final guest memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The driver keeps the ring full. It does not notice a stop, a move or a
 * snapshot; after a reset or an unplug it continues with the round after the
 * last completed one. The seed is printed; --seed repeats.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/rounds.h"
#include "tests/device/slot.h"

/* The maximum time between two disturbances. */
#define LONGEST_US 4000

typedef struct Run {
    Rig *rig;
    const char *accel;
    bool deterministic;
    bool has_disk;
    char *disk;
    uint64_t put; /* the last round that was put */
} Run;

static unsigned below(unsigned bound)
{
    return g_test_rand_int_range(0, bound);
}

/* The result does not depend on the number of workers. */
static char *machine(bool deterministic, unsigned workers)
{
    g_autofree char *how = deterministic ?
                               g_strdup("deterministic=on") :
                               g_strdup_printf("workers=%u", workers);

    return g_strdup_printf("-M q35 " SLOT_PORT " -device "
                           "veu,id=veu0,bus=rp,%s",
                           how);
}

static void work_for_a_while(Run *run)
{
    int64_t end = g_get_monotonic_time() + below(LONGEST_US);

    do {
        run->put = rounds_put(run->rig, run->put, UINT64_MAX);
    } while (g_get_monotonic_time() < end);
}

/* ---- events that the driver does not notice ---- */

static void stop(Run *run)
{
    vm_stop(run->rig->vm);
    g_usleep(below(2000));
    vm_run(run->rig->vm);
}

/* Once the destination has all memory, it does not need the source. */
static void go_on_there(Run *run, Vm *there)
{
    Rig *here = run->rig;
    bool killed_first = below(2);

    if (killed_first) {
        vm_kill(here->vm);
    }
    vm_run(there);
    run->rig = rig_follow(here, there);
    if (!killed_first) {
        work_for_a_while(run);
        vm_kill(here->vm);
    }
    here->owns_vm = false;
    rig_free(here);
    run->has_disk = false;
}

static void move(Run *run)
{
    g_autofree char *there = machine(run->deterministic, 1 + below(4));

    go_on_there(run, move_vm(run->rig->vm, run->accel, there));
}

static void move_through_file(Run *run)
{
    g_autofree char *there = machine(run->deterministic, 1 + below(4));

    go_on_there(run, move_vm_through_file(run->rig->vm, run->accel, there));
}

/* Continues for a while, which loading the snapshot then undoes. */
static void load_snapshot(Run *run)
{
    struct veu_ring ring;
    uint64_t put;

    if (!run->has_disk) {
        move_add_disk(run->rig->vm, run->disk);
        run->has_disk = true;
    }
    move_save_snapshot(run->rig->vm);
    ring = run->rig->ring;
    put = run->put;
    work_for_a_while(run);
    move_load_snapshot(run->rig->vm);
    run->rig->ring = ring;
    run->put = put;
    vm_run(run->rig->vm);
}

/* ---- operations ---- */

static void start(Run *run)
{
    rig_set_up_msix(run->rig);
    rig_start(run->rig);
    run->put = rounds_done(run->rig);
}

static void open_again(Run *run)
{
    rig_open(run->rig);
    start(run);
}

static void one_ring(Run *run)
{
    reset_ring(run->rig);
    start(run);
}

static void device(Run *run)
{
    reset_control(run->rig);
    start(run);
}

static void function(Run *run)
{
    reset_function(run->rig);
    open_again(run);
}

static void d3hot(Run *run)
{
    reset_power(run->rig);
    open_again(run);
}

/* Inspecting the device disturbs nothing. */
static void look(Run *run)
{
    static const char *const properties[] = { "ring[0]", "counters",
                                              "last-fault" };

    for (unsigned i = 0; i < 100; i++) {
        g_autofree char *arguments = g_strdup_printf(
            "{\"path\":\"/machine/peripheral/veu0\",\"property\":\"%s\"}",
            properties[i % G_N_ELEMENTS(properties)]);

        qmp_do(&run->rig->vm->qmp, "qom-get", arguments);
    }
}

static void bus(Run *run)
{
    reset_bus(run->rig);
    open_again(run);
}

static void system_(Run *run)
{
    reset_system(run->rig);
    rig_set_up_bridge(run->rig->vm, 2);
    open_again(run);
}

static void unplug(Run *run)
{
    Vm *vm = run->rig->vm;

    slot_unplug(vm);
    slot_power_on(vm);
    qmp_do(&vm->qmp, "device_add",
           run->deterministic ?
               "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
               "\"deterministic\":true}" :
               "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
               "\"workers\":2}");
    open_again(run);
}

static void drain(Run *run)
{
    rig_ring_write(run->rig, VEU_REG_RING_CONTROL, 0);
    rig_wait_state(run->rig, VEU_RING_DISABLED);
    start(run);
}

/* ---- all of them ---- */

typedef struct Disturbance {
    const char *name;
    void (*disturb)(Run *run);
} Disturbance;

static const Disturbance disturbances[] = {
    { "stop", stop },
    { "stop", stop },
    { "move", move },
    { "move through a file", move_through_file },
    { "snapshot", load_snapshot },
    { "ring reset", one_ring },
    { "device reset", device },
    { "function level reset", function },
    { "bus reset", bus },
    { "D3hot", d3hot },
    { "look", look },
    { "system reset", system_ },
    { "unplug", unplug },
    { "drain", drain },
};
#define COUNT G_N_ELEMENTS(disturbances)

/* Runs each of them, in a random order. */
static void disturb(Run *run)
{
    unsigned order[COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        unsigned other = below(i + 1);

        order[i] = order[other];
        order[other] = i;
    }
    for (unsigned i = 0; i < COUNT; i++) {
        work_for_a_while(run);
        g_test_message("round %" G_GUINT64_FORMAT ": %s", rounds_done(run->rig),
                       disturbances[order[i]].name);
        disturbances[order[i]].disturb(run);
    }
}

static Run run_new(const char *accel, bool deterministic, unsigned workers)
{
    g_autofree char *arguments = machine(deterministic, workers);
    Run run = { .accel = accel, .deterministic = deterministic };

    run.rig = rig_new(accel, arguments);
    run.disk = move_path("disk");
    vm_run(run.rig->vm);
    rounds_set_up(run.rig);
    start(&run);
    return run;
}

static void finish(Run *run, uint64_t rounds)
{
    VM_WAIT(run->rig->vm, ({
                run->put = rounds_put(run->rig, run->put, rounds);
                rounds_done(run->rig) == rounds;
            }),
            "round %" G_GUINT64_FORMAT, rounds);
    unlink(run->disk);
    g_free(run->disk);
}

static void check_disturbed(const char *accel, bool deterministic)
{
    const char *times = g_getenv("VEU_TEST_DISTURBED");
    Run run = run_new(accel, deterministic, 3);
    Run undisturbed = { 0 };

    for (unsigned i = times ? atoi(times) : 1; i; i--) {
        disturb(&run);
    }
    finish(&run, run.put + 20);
    undisturbed = run_new(accel, false, 1);
    finish(&undisturbed, rounds_done(run.rig));
    rounds_assert_equal(run.rig, undisturbed.rig);
    rig_free(undisturbed.rig);
    rig_free(run.rig);
}

static void test_disturbed(const char *accel)
{
    check_disturbed(accel, false);
}

static void test_deterministic(const char *accel)
{
    check_disturbed(accel, true);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("disturbed", test_disturbed);
    rig_test_add("deterministic", test_deterministic);
    return g_test_run();
}
