/*
 * veu device tests: migration and snapshots: docs/spec.md, "Migration".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/device/move.h"
#include "tests/device/resets.h"
#include "tests/device/work.h"

/* A machine that all QEMUs that veu supports have. */
#define MACHINE "pc-q35-7.2"
#define Q35     "-M " MACHINE " -device veu,id=veu0,addr=4"

/* Moves the running VM to a second QEMU, where it continues. */
static Rig *migrate_to(const Rig *from, const char *accel, const char *machine)
{
    Vm *vm = move_vm(from->vm, accel, machine);

    vm_run(vm);
    return rig_follow(from, vm);
}

static Rig *migrate(const Rig *from, const char *accel)
{
    return migrate_to(from, accel, Q35);
}

static void check_endless(const char *accel, const char *here,
                          const char *there)
{
    g_autoptr(Rig) from = rig_new(accel, here);
    g_autoptr(Rig) to = NULL;

    vm_run(from->vm);
    rig_start(from);
    rig_run_endless(from);
    to = migrate_to(from, accel, there);
    rig_assert_no_writes(from);
    rig_wait_writes(to);
    veu_reset(&to->device);
    rig_start(to);
    rig_assert_works(to);
}

static void test_an_endless_dispatch_moves(const char *accel)
{
    check_endless(accel, Q35, Q35);
}

/*
 * RAM has the contents of when the source stopped, including writes of the
 * device.
 */
static void test_what_is_written_meanwhile_arrives(const char *accel)
{
    for (unsigned i = 0; i < 5; i++) {
        g_autoptr(Rig) from = rig_new(accel, Q35);
        g_autoptr(Rig) to = NULL;
        uint32_t arrived;

        vm_run(from->vm);
        rig_start(from);
        work_run_counters(from);
        to = rig_follow(from, move_vm(from->vm, accel, Q35));
        for (unsigned n = 0; n < WORK_COUNTERS; n++) {
            g_assert_cmpuint(work_counter(to, n), ==, work_counter(from, n));
        }
        arrived = work_counter(to, 0);
        vm_run(to->vm);
        VM_WAIT(to->vm, work_counter(to, 0) != arrived, "it to continue");
    }
}

/*
 * Groups in progress continue at the destination, whichever thread runs them.
 */
static void test_other_numbers_of_workers(const char *accel)
{
    check_endless(accel, Q35 ",workers=3", Q35);
    check_endless(accel, Q35, Q35 ",workers=3");
}

/*
 * PARALLEL and MODERATION in CAP_FLAGS describe the host that has the device.
 */
static void test_flags_of_the_host_are_those_of_the_destination(
    const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35 ",undefined=7,workers=3");
    g_autoptr(Rig) to = NULL;

    g_assert_cmphex(rig_read(from, 0x06c), ==, 0x704);
    vm_run(from->vm);
    to = migrate_to(from, accel, Q35 ",undefined=7,interrupt-interval-us=1");
    g_assert_cmphex(rig_read(to, 0x06c), ==, 0x702);
}

/*
 * The VM stops at arbitrary moments; nothing is lost, and the fence comes last.
 */
static void test_work_in_flight_is_done_elsewhere(const char *accel)
{
    for (unsigned delay_us = 0; delay_us < 3000; delay_us += 500) {
        g_autoptr(Rig) from = rig_new(accel, Q35 ",workers=3");
        g_autoptr(Rig) to = NULL;
        struct veu_command_dispatch work;
        struct veu_command_fence fence;

        vm_run(from->vm);
        rig_start(from);
        work_make(from, &work);
        fence = veu_make_fence(8, from->fence, 99);
        rig_put(from, &work.header);
        rig_put(from, &fence.header);
        rig_submit(from);
        g_usleep(delay_us);
        to = migrate(from, accel);
        rig_wait(to);
        g_assert_cmpuint(*to->fence, ==, 99);
        work_assert_done(to);
        rig_assert_works(to);
    }
}

/*
 * The message of a masked vector is pending, and arrives where it is unmasked.
 */
static void test_a_pending_interrupt_moves(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35);
    g_autoptr(Rig) to = NULL;
    struct veu_command_nop nop = veu_make_nop(1);

    vm_run(from->vm);
    from->config.vector = 0;
    rig_set_up_msix(from);
    veu_msix_mask(&from->device, 0, true);
    rig_start(from);
    nop.header.flags = VEU_COMMAND_INTERRUPT;
    rig_run(from, &nop.header);
    to = migrate(from, accel);
    g_assert_cmphex(*to->message, ==, 0);
    veu_msix_mask(&to->device, 0, false);
    rig_wait_message(to);
}

/* Faults, registers and an idle ring; then a kick wakes the new device. */
/* the ring sleeps there as here, and the store may come after the move */
static void test_a_ring_that_waits_moves(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35);
    g_autoptr(Rig) to = NULL;
    struct veu_command_wait wait = veu_make_wait(1, from->fence,
                                                 VEU_CONDITION_EQUAL, 5);
    struct veu_command_wait late = veu_make_wait(2, from->fence,
                                                 VEU_CONDITION_EQUAL, 6);

    vm_run(from->vm);
    rig_start(from);
    late.timeout_ns = 1000000;
    rig_put(from, &wait.header);
    rig_put(from, &late.header);
    rig_submit(from);
    rig_wait_asleep(from);
    to = migrate(from, accel);
    __atomic_store_n(to->fence, 5, __ATOMIC_RELEASE);
    veu_ring_notify(&to->ring);
    rig_wait_state(to, VEU_RING_HALTED);
    g_assert_cmpuint(veu_ring_head(&to->ring), ==, 1);
    g_assert_cmpuint(rig_ring_read(to, VEU_REG_RING_LAST_FAULT), ==,
                     VEU_FAULT_WAIT_TIMEOUT);
}

/*
 * A handler that reads head after each interrupt sees the end of the last
 * command.
 */
static void test_interrupts_of_work_in_flight(const char *accel)
{
    for (unsigned delay_us = 0; delay_us < 3000; delay_us += 500) {
        g_autoptr(Rig) from = rig_new(accel, Q35);
        g_autoptr(Rig) to = NULL;
        struct veu_command_dispatch work;

        vm_run(from->vm);
        rig_set_up_msix(from);
        rig_start(from);
        work_make(from, &work);
        work.header.flags = VEU_COMMAND_INTERRUPT;
        for (unsigned i = 0; i < 4; i++) {
            rig_put(from, &work.header);
        }
        rig_submit(from);
        g_usleep(delay_us);
        to = migrate(from, accel);
        do {
            rig_wait_message(to);
        } while (veu_ring_head(&to->ring) != to->ring.tail);
        work_assert_done(to);
    }
}

/* Raises one interrupt; the next one waits for its time. */
static void interrupt_twice(Rig *r)
{
    struct veu_command_nop nop = veu_make_nop(1);

    nop.header.flags = VEU_COMMAND_INTERRUPT;
    rig_run(r, &nop.header);
    rig_wait_message(r);
    rig_run(r, &nop.header);
}

/*
 * Raises two interrupts, of which the second waits, and stops the VM. *since is
 * TIME before the first. On a slow host the second one may not wait; the
 * function then repeats.
 */
static Rig *hold_one(const char *accel, uint64_t *since)
{
    Rig *r = rig_new(accel, Q35 ",interrupt-interval-us=1000000");

    rig_set_up_msix(r);
    rig_start(r);
    do {
        *r->message = 0;
        vm_run(r->vm);
        *since = veu_read64(&r->device, VEU_REG_TIME);
        interrupt_twice(r);
        vm_stop(r->vm);
    } while (*r->message);
    return r;
}

/* Nanoseconds of the virtual clock, until an interrupt that waits is raised. */
typedef struct Held {
    uint64_t here; /* since the first of two interrupts */
    uint64_t there;
} Held;

static Held move_held(const char *accel, const char *machine_there)
{
    uint64_t since, stopped;
    g_autoptr(Rig) from = hold_one(accel, &since);
    g_autoptr(Rig) to = NULL;

    stopped = veu_read64(&from->device, VEU_REG_TIME);
    to = migrate_to(from, accel, machine_there);
    rig_wait_message(to);
    return (Held){ stopped - since,
                   veu_read64(&to->device, VEU_REG_TIME) - stopped };
}

/*
 * Without an interval, there is nothing to wait for. On a slow host a second
 * may pass nevertheless; the function then repeats.
 */
static void test_a_held_interrupt_moves(const char *accel)
{
    Held h = move_held(accel, Q35 ",interrupt-interval-us=1000000");
    unsigned tries = 10;

    g_assert_cmpuint(h.here + h.there, >=, 1000000000);
    do {
        h = move_held(accel, Q35);
    } while (h.here + h.there >= 1000000000 && --tries);
    g_assert_cmpuint(tries, >, 0);
}

/*
 * The end of the device's state: a bit for each vector for which an interrupt
 * waits, here vector 0, and 64 times, one of which is not 0. The end of a
 * section, 0x7e, follows.
 */
#define CAUSES_BYTES (8 + 64 * 8 + 1)

static bool are_causes(const uint8_t *at)
{
    static const uint8_t causes[8] = { [7] = 1 };
    static const uint8_t zeros[63 * 8];

    return memcmp(at, causes, 8) == 0 && memcmp(at + 8, zeros, 8) != 0 &&
           memcmp(at + 16, zeros, sizeof(zeros)) == 0 &&
           at[CAUSES_BYTES - 1] == 0x7e;
}

static void set_all_causes(uint8_t *stream, size_t bytes)
{
    unsigned found = 0;

    for (size_t at = 0; at + CAUSES_BYTES <= bytes; at++) {
        if (are_causes(stream + at)) {
            memset(stream + at, 0xff, 8);
            found++;
        }
    }
    g_assert_cmpuint(found, ==, 1);
}

static bool has_raised(Rig *r, unsigned vector)
{
    g_autofree char *text = vm_errors(r->vm);
    g_autofree char *line = g_strdup_printf("veu_interrupt vector %u\n",
                                            vector);

    return strstr(text, line);
}

/* QEMU asserts that the vectors of a message exist. */
static void test_interrupts_of_no_vector_are_not_loaded(const char *accel)
{
    uint64_t since;
    g_autoptr(Rig) from = hold_one(accel, &since);
    g_autoptr(Rig) to = NULL;
    Vm *vm;

    vm = move_vm_changed(from->vm, accel, "-trace veu_interrupt " Q35,
                         set_all_causes);
    to = rig_follow(from, vm);
    vm_run(to->vm);
    rig_wait_message(to);
    VM_WAIT(to->vm, has_raised(to, 3), "the interrupt of the last ring");
    vm_assert_answers(to->vm);
    for (unsigned vector = 4; vector < 64; vector++) {
        g_assert_false(has_raised(to, vector));
    }
}

/* A device in D3hot: docs/spec.md, "Power". */
static void test_a_device_that_sleeps_moves(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35);
    g_autoptr(Rig) to = NULL;

    vm_run(from->vm);
    rig_start(from);
    resets_set_power_state(from, RESETS_D3HOT);
    to = migrate(from, accel);
    g_assert_cmphex(rig_read(to, VEU_REG_MAGIC), !=, VEU_MAGIC);
    g_assert_cmphex(resets_power_state(to), ==, RESETS_D3HOT);
    resets_set_power_state(to, 0);
    rig_open(to);
    rig_start(to);
    rig_assert_works(to);
}

static void test_an_idle_ring_moves(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35);
    g_autoptr(Rig) to = NULL;
    struct veu_command_nop unknown = { .header = { .opcode = 200,
                                                   .slots = 1 } };

    vm_run(from->vm);
    rig_start_policy(from, VEU_POLICY_SKIP_COMMAND);
    rig_put(from, &unknown.header);
    rig_submit(from);
    rig_wait(from);
    rig_wait_asleep(from);
    to = migrate(from, accel);
    g_assert_cmphex(rig_ring_read(to, VEU_REG_RING_LAST_FAULT), ==,
                    VEU_FAULT_COMMAND_OPCODE);
    g_assert_cmpuint(rig_ring_read(to, VEU_REG_RING_FAULT_COUNT), ==, 1);
    g_assert_cmpuint(rig_ring_read(to, VEU_REG_RING_HEAD), ==, to->ring.tail);
    rig_assert_works(to);
}

/* ---- snapshots ---- */

/* From awake to asleep, and vice versa. */
static void test_a_snapshot_brings_power_back(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, Q35);
    g_autofree char *path = move_path("snapshot");

    vm_run(r->vm);
    move_add_disk(r->vm, path);
    rig_start(r);
    rig_run_endless(r);
    move_save_snapshot(r->vm);
    resets_set_power_state(r, RESETS_D3HOT);
    rig_assert_no_writes(r);
    move_load_snapshot(r->vm);
    vm_run(r->vm);
    g_assert_cmphex(resets_power_state(r), ==, 0);
    rig_wait_writes(r);
    resets_set_power_state(r, RESETS_D3HOT);
    move_save_snapshot(r->vm);
    resets_set_power_state(r, 0);
    rig_open(r);
    rig_start(r);
    rig_run_endless(r);
    move_load_snapshot(r->vm);
    vm_run(r->vm);
    g_assert_cmphex(resets_power_state(r), ==, RESETS_D3HOT);
    g_assert_cmphex(rig_read(r, VEU_REG_MAGIC), !=, VEU_MAGIC);
    rig_assert_no_writes(r);
    unlink(path);
}

static void test_a_snapshot_brings_work_back(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, Q35);

    vm_run(r->vm);
    move_assert_snapshot_brings_back(r);
}

/*
 * A VM that has not run yet changes its state neither when it is saved nor when
 * it is loaded. Its device has worked for the test before.
 */
static void test_a_snapshot_stops_a_device_of_a_vm_that_never_ran(
    const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, Q35);
    g_autofree char *path = move_path("snapshot");

    move_add_disk(r->vm, path);
    rig_start(r);
    rig_run_endless(r);
    move_save_snapshot(r->vm);
    rig_wait_writes(r);
    move_load_snapshot(r->vm);
    rig_assert_no_writes(r);
    vm_run(r->vm);
    rig_wait_writes(r);
    unlink(path);
}

/* ---- refusals ---- */

/* Memory has the same sizes as in vm_new(). */
static char *load_elsewhere(const char *accel, const char *device,
                            const char *state, int *status)
{
    static const char bios[0x10000];
    g_autofree char *path = move_path("bios");
    g_autofree char *arguments = g_strdup_printf(
        "-accel %s -nodefaults -m 128M -bios %s -machine memory-backend=ram "
        "-M " MACHINE " "
        "-object memory-backend-ram,id=ram,size=128M "
        "-device %s,id=veu0,addr=4 -incoming 'exec:cat %s'",
        accel, path, device, state);
    char *text;

    g_assert_true(g_file_set_contents(path, bios, sizeof(bios), NULL));
    text = vm_output(arguments, status);
    unlink(path);
    return text;
}

/* Returns what QEMU prints when it refuses the state of @from. */
static char *refuse(Rig *from, const char *accel, const char *there,
                    void (*change)(uint8_t *stream, size_t bytes))
{
    g_autofree char *path = move_path("state");
    g_autofree char *uri = g_strdup_printf("{\"uri\":\"exec:cat >%s\"}", path);
    char *text;
    int status;

    vm_run(from->vm);
    qmp_do(&from->vm->qmp, "migrate", uri);
    move_wait(from->vm);
    if (change) {
        move_change_file(path, change);
    }
    text = load_elsewhere(accel, there, path, &status);
    g_test_message("%s", text);
    g_assert_true(WIFEXITED(status) && WEXITSTATUS(status));
    unlink(path);
    return text;
}

static void check_refused(const char *accel, const char *machine,
                          const char *there, const char *why)
{
    g_autoptr(Rig) from = rig_new(accel, machine);
    g_autofree char *text = refuse(from, accel, there, NULL);

    g_assert_nonnull(strstr(text, why));
    g_assert_null(strstr(text, "It is ring"));
}

static void test_another_device_is_refused(const char *accel)
{
    check_refused(
        accel, Q35, "veu,strict-types=on",
        "veu: cannot load the device's state: its strict-types is another");
    check_refused(
        accel, Q35 ",deterministic=on", "veu",
        "veu: cannot load the device's state: its deterministic is another");
}

/* A register in the stream: here, where ring 1's commands are. */
static struct {
    uint32_t offset;
    uint64_t value;
} __attribute__((packed)) ring_1_base = { .offset = VEU_REG_RING_BASE };

static void spoil_ring_1(uint8_t *stream, size_t bytes)
{
    unsigned found = 0;

    for (size_t at = 0; at + sizeof(ring_1_base) <= bytes; at++) {
        if (memcmp(stream + at, &ring_1_base, sizeof(ring_1_base)) == 0) {
            stream[at + sizeof(ring_1_base.offset)] |= 1;
            found++;
        }
    }
    g_assert_cmpuint(found, ==, 1);
}

static void test_a_ring_that_is_refused_is_named(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35);
    g_autofree Rig *other = rig_add_ring(from, 1);
    g_autofree char *text = NULL;

    rig_start(other);
    ring_1_base.value = veu_port_device_address(other->slots);
    text = refuse(from, accel, "veu", spoil_ring_1);
    g_assert_nonnull(strstr(text, "veu: cannot load the device's state: "));
    g_assert_nonnull(strstr(text, "\nIt is ring 1's.\n"));
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("an-endless-dispatch-moves", test_an_endless_dispatch_moves);
    rig_test_add("what-is-written-meanwhile-arrives",
                 test_what_is_written_meanwhile_arrives);
    rig_test_add("other-numbers-of-workers", test_other_numbers_of_workers);
    rig_test_add("flags-of-the-host-are-those-of-the-destination",
                 test_flags_of_the_host_are_those_of_the_destination);
    rig_test_add("work-in-flight-is-done-elsewhere",
                 test_work_in_flight_is_done_elsewhere);
    rig_test_add("a-pending-interrupt-moves", test_a_pending_interrupt_moves);
    rig_test_add_both("a-ring-that-waits-moves", test_a_ring_that_waits_moves);
    rig_test_add("interrupts-of-work-in-flight",
                 test_interrupts_of_work_in_flight);
    rig_test_add("a-held-interrupt-moves", test_a_held_interrupt_moves);
    rig_test_add("interrupts-of-no-vector-are-not-loaded",
                 test_interrupts_of_no_vector_are_not_loaded);
    rig_test_add("a-device-that-sleeps-moves", test_a_device_that_sleeps_moves);
    rig_test_add("an-idle-ring-moves", test_an_idle_ring_moves);
    rig_test_add("a-snapshot-brings-work-back",
                 test_a_snapshot_brings_work_back);
    rig_test_add("a-snapshot-brings-power-back",
                 test_a_snapshot_brings_power_back);
    rig_test_add("a-snapshot-stops-a-device-of-a-vm-that-never-ran",
                 test_a_snapshot_stops_a_device_of_a_vm_that_never_ran);
    rig_test_add("another-device-is-refused", test_another_device_is_refused);
    rig_test_add("a-ring-that-is-refused-is-named",
                 test_a_ring_that_is_refused_is_named);
    return g_test_run();
}
