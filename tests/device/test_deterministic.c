/*
 * veu device tests: deterministic=on: README, docs/caveats.md.
 * tests/guest/boot/replay tests recordings and their replay.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <unistd.h>
#include "tests/device/move.h"
#include "tests/device/slot.h"
#include "tests/device/work.h"

#define DETERMINISTIC RIG_Q35 ",deterministic=on"

/* The clock stands still before the first start, and so does the device. */
static Rig *new_rig(const char *accel)
{
    Rig *r = rig_new(accel, DETERMINISTIC);

    vm_run(r->vm);
    return r;
}

/* Moves the running VM to a second QEMU, where it continues. */
static Rig *follow(const Rig *from, const char *accel)
{
    Vm *vm = move_vm(from->vm, accel, DETERMINISTIC);

    vm_run(vm);
    return rig_follow(from, vm);
}

static void test_work_is_done_without_threads(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_dispatch work;

    rig_start(r);
    work_make(r, &work);
    rig_run(r, &work.header);
    work_assert_done(r);
    for (unsigned i = 0; i < 3 * RIG_SLOTS; i++) {
        rig_assert_works(r);
    }
    g_assert_cmpuint(vm_count_threads(r->vm, "veu"), ==, 0);
    g_assert_cmpuint(vm_count_threads(r->vm, "veu-worker"), ==, 0);
}

/* This holds even while it works. */
static void test_the_device_always_wants_a_kick(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    rig_start(r);
    rig_wait_asleep(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 1000; i++) {
        g_assert_cmpuint(r->shared->asleep, ==, 1);
        g_usleep(20);
    }
}

static void test_a_tail_without_a_kick_is_not_seen(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 5);

    rig_start(r);
    rig_wait_asleep(r);
    /* it reads the tail once more, and an access waits until it has done so */
    rig_read(r, VEU_REG_MAGIC);
    memcpy(r->slots, &fence, sizeof(fence));
    __atomic_store_n(&r->shared->tail, 1, __ATOMIC_SEQ_CST);
    vm_settle();
    g_assert_cmpuint(*r->fence, ==, 0);
    veu_ring_kick(&r->ring);
    VM_WAIT(r->vm, __atomic_load_n(r->fence, __ATOMIC_ACQUIRE) == 5,
            "the fence");
}

static void test_interrupts(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_nop nop = veu_make_nop(1);

    r->config.vector = 0;
    rig_set_up_msix(r);
    rig_start(r);
    nop.header.flags = VEU_COMMAND_INTERRUPT;
    for (unsigned i = 0; i < 100; i++) {
        rig_put(r, &nop.header);
        rig_submit(r);
        rig_wait_message(r);
    }
}

/* Two rings end in one batch; only the second is kicked. */
static void test_interrupts_of_one_batch(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    g_autoptr(Rig) other = rig_add_ring(r, 1);
    struct veu_command_nop nop = veu_make_nop(1);

    rig_set_up_msix(r);
    rig_set_up_msix(other);
    rig_start(r);
    rig_start(other);
    nop.header.flags = VEU_COMMAND_INTERRUPT;
    for (unsigned i = 0; i < 10; i++) {
        rig_put(r, &nop.header);
        rig_put(other, &nop.header);
        __atomic_store_n(&r->shared->tail, r->ring.tail, __ATOMIC_SEQ_CST);
        rig_submit(other);
        rig_wait_message(r);
        rig_wait_message(other);
    }
}

static void test_a_timeout_needs_no_kick(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_wait wait = veu_make_wait(9, r->fence,
                                                 VEU_CONDITION_EQUAL, 1);
    struct veu_fault_record record;
    uint64_t start;

    rig_start(r);
    wait.timeout_ns = 20000000;
    start = veu_time(&r->device);
    record = rig_run_fault(r, &wait.header, VEU_FAULT_WAIT_TIMEOUT);
    g_assert_cmpuint(record.time, >=, start + wait.timeout_ns);
}

/* A guest that was moved, or loaded from a snapshot, could tell by them. */
static void test_cache_hits_and_misses_are_not_counted(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_dispatch work;

    rig_start(r);
    work_make(r, &work);
    rig_run(r, &work.header);
    veu_write32(&r->device, VEU_REG_COUNTER_CONTROL, VEU_COUNTER_SNAPSHOT);
    g_assert_cmpuint(veu_read64(&r->device, VEU_REG_COUNTER_MESSAGES), >, 0);
    g_assert_cmpuint(veu_read64(&r->device, VEU_REG_COUNTER_CACHE_HITS), ==, 0);
    g_assert_cmpuint(veu_read64(&r->device, VEU_REG_COUNTER_CACHE_MISSES), ==,
                     0);
}

static void test_stop_and_reset_end_writes(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    rig_assert_stop_and_reset_end_writes(r);
    rig_start(r);
    rig_assert_works(r);
    rig_run_endless(r);
    vm_reset(r->vm);
    rig_assert_no_writes(r);
}

static void test_unplug_while_busy(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 " SLOT_PORT);

    port_use(vm);
    rig_set_up_bridge(vm, 2);
    vm_run(vm);
    for (unsigned i = 0; i < 5; i++) {
        g_autoptr(Rig) r = NULL;

        slot_power_on(vm);
        qmp_do(&vm->qmp, "device_add",
               "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\","
               "\"deterministic\":true}");
        r = rig_attach(vm, 0);
        rig_start(r);
        rig_run_endless(r);
        slot_unplug(vm);
        rig_assert_no_writes(r);
    }
    vm_free(vm);
}

/* ---- migration: the timer goes along ---- */

static void test_work_in_flight_moves(const char *accel)
{
    for (unsigned delay_us = 0; delay_us < 3000; delay_us += 500) {
        g_autoptr(Rig) from = new_rig(accel);
        g_autoptr(Rig) to = NULL;
        struct veu_command_dispatch work;

        rig_start(from);
        work_make(from, &work);
        rig_put(from, &work.header);
        rig_submit(from);
        g_usleep(delay_us);
        to = follow(from, accel);
        rig_wait(to);
        work_assert_done(to);
        rig_assert_works(to);
    }
}

static void test_a_wait_moves(const char *accel)
{
    g_autoptr(Rig) from = new_rig(accel);
    g_autoptr(Rig) to = NULL;
    struct veu_command_wait wait = veu_make_wait(1, from->fence,
                                                 VEU_CONDITION_EQUAL, 5);

    rig_start(from);
    wait.timeout_ns = 300000000;
    rig_put(from, &wait.header);
    rig_submit(from);
    to = follow(from, accel);
    rig_wait_state(to, VEU_RING_HALTED);
    g_assert_cmpuint(rig_ring_read(to, VEU_REG_RING_LAST_FAULT), ==,
                     VEU_FAULT_WAIT_TIMEOUT);
}

/*
 * The second interrupt is held, and arrives without a kick. On a slow host it
 * may not be held; the test then repeats.
 */
static void test_a_held_interrupt_moves(const char *accel)
{
    static const char held[] = DETERMINISTIC ",interrupt-interval-us=1000000";
    g_autoptr(Rig) from = rig_new(accel, held);
    g_autoptr(Rig) to = NULL;
    struct veu_command_nop nop = veu_make_nop(1);

    vm_run(from->vm);
    from->config.vector = 0;
    rig_set_up_msix(from);
    rig_start(from);
    nop.header.flags = VEU_COMMAND_INTERRUPT;
    do {
        *from->message = 0;
        vm_run(from->vm);
        rig_run(from, &nop.header);
        rig_wait_message(from);
        rig_run(from, &nop.header);
        vm_stop(from->vm);
    } while (*from->message);
    to = rig_follow(from, move_vm(from->vm, accel, held));
    g_assert_cmphex(*to->message, ==, 0);
    vm_run(to->vm);
    rig_wait_message(to);
}

static void test_a_snapshot_brings_work_back(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    move_assert_snapshot_brings_back(r);
}

/* ---- refusals ---- */

static void check_refused(const char *accel, const char *arguments,
                          const char *reason, const char *hint)
{
    g_autofree char *all = g_strdup_printf("-accel %s -M q35 %s", accel,
                                           arguments);
    int status;
    g_autofree char *text = vm_output(all, &status);

    g_test_message("%s", text);
    g_assert_cmpint(status, !=, 0);
    g_assert_nonnull(strstr(text, reason));
    g_assert_nonnull(strstr(text, hint));
}

static void test_workers_are_refused(const char *accel)
{
    check_refused(accel, "-device veu,deterministic=on,workers=2",
                  "veu: invalid workers=2: deterministic=on does not use",
                  "Omit workers=");
}

static void test_recording_others_is_refused(const char *accel)
{
    check_refused(accel,
                  "-icount shift=auto,rr=record,rrfile=/dev/null -device veu",
                  "veu: record and replay need a deterministic device",
                  "Add deterministic=on");
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("work-is-done-without-threads",
                      test_work_is_done_without_threads);
    rig_test_add("the-device-always-wants-a-kick",
                 test_the_device_always_wants_a_kick);
    rig_test_add("a-tail-without-a-kick-is-not-seen",
                 test_a_tail_without_a_kick_is_not_seen);
    rig_test_add_both("interrupts", test_interrupts);
    rig_test_add("interrupts-of-one-batch", test_interrupts_of_one_batch);
    rig_test_add("cache-hits-and-misses-are-not-counted",
                 test_cache_hits_and_misses_are_not_counted);
    rig_test_add("a-timeout-needs-no-kick", test_a_timeout_needs_no_kick);
    rig_test_add("stop-and-reset-end-writes", test_stop_and_reset_end_writes);
    rig_test_add("unplug-while-busy", test_unplug_while_busy);
    rig_test_add("work-in-flight-moves", test_work_in_flight_moves);
    rig_test_add("a-wait-moves", test_a_wait_moves);
    rig_test_add("a-held-interrupt-moves", test_a_held_interrupt_moves);
    rig_test_add("a-snapshot-brings-work-back",
                 test_a_snapshot_brings_work_back);
    rig_test_add("workers-are-refused", test_workers_are_refused);
    rig_test_add("recording-others-is-refused",
                 test_recording_others_is_refused);
    return g_test_run();
}
