/*
 * veu device tests: WAIT, COPY and FILL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>
#include "tests/device/rig.h"

#define MS 1000000ull

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void put_fence(Rig *r, uint64_t *word, uint64_t value)
{
    struct veu_command_fence fence = veu_make_fence(2, word, value);

    rig_put(r, &fence.header);
}

static void put_wait(Rig *r, const uint64_t *word, uint64_t value,
                     uint64_t timeout_ns)
{
    struct veu_command_wait wait =
        veu_make_wait(3, word, VEU_CONDITION_GREATER_EQUAL, value);

    wait.timeout_ns = timeout_ns;
    rig_put(r, &wait.header);
}

/* Stores as a driver does. */
static void store(Rig *r, uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    veu_ring_notify(&r->ring);
}

/* ---- one ring ---- */

static void test_a_ring_waits_for_a_store(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 1; i <= 100; i++) {
        put_wait(r, r->fence, i, 0);
        put_fence(r, r->fence + 1, i);
        rig_submit(r);
        if (i % 2) {
            rig_wait_asleep(r);
        }
        g_assert_cmpuint(load(r->fence + 1), ==, i - 1);
        store(r, r->fence, i);
        rig_wait(r);
        g_assert_cmpuint(load(r->fence + 1), ==, i);
    }
}

/* Polls without sleeping, so as to return before the device sleeps. */
static void spin(Rig *r, const uint64_t *word, uint64_t value)
{
    for (unsigned i = 0; i < 100000; i++) {
        if (load(word) == value) {
            return;
        }
    }
    rig_wait(r);
}

/* The store happens at all moments while the device falls asleep. */
static void test_sleep_handshake_misses_no_store(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 1; i <= 10000; i++) {
        put_wait(r, r->fence, i, 0);
        put_fence(r, r->fence + 1, i);
        rig_submit(r);
        for (volatile unsigned n = 0; n < i % 128 * 8; n++) {}
        store(r, r->fence, i);
        spin(r, r->fence + 1, i);
        if (veu_ring_space(&r->ring) < 2) {
            rig_wait(r);
        }
    }
    rig_wait(r);
    g_assert_cmpuint(load(r->fence + 1), ==, 10000);
    g_test_message("%lu kicks", (unsigned long)r->ring.kicks);
}

/* A kick without a store has no effect. */
static void test_kicks_do_not_end_a_wait(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    put_wait(r, r->fence, 1, 0);
    rig_submit(r);
    for (unsigned i = 0; i < 100; i++) {
        veu_ring_kick(&r->ring);
    }
    vm_settle();
    g_assert_cmpuint(veu_ring_head(&r->ring), ==, 0);
    store(r, r->fence, 1);
    rig_wait(r);
}

/* The clock ticks of all threads with this name. */
static unsigned cpu_ticks(const Vm *vm)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/stat", vm->pid);
    g_autofree char *stat = NULL;
    unsigned long user, system;

    g_assert_true(g_file_get_contents(path, &stat, NULL, NULL));
    g_assert_cmpint(sscanf(strrchr(stat, ')'),
                           ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
                           "%lu %lu",
                           &user, &system),
                    ==, 2);
    return user + system;
}

static void test_waiting_costs_no_time(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    unsigned before;

    rig_start(r);
    put_wait(r, r->fence, 1, 0);
    rig_submit(r);
    rig_wait_asleep(r);
    before = cpu_ticks(r->vm);
    g_usleep(500000);
    g_assert_cmpuint(cpu_ticks(r->vm) - before, <, 25); /* of 50 */
    store(r, r->fence, 1);
    rig_wait(r);
}

/* ---- time ---- */

static void test_a_timeout_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_wait wait = veu_make_wait(9, r->fence,
                                                 VEU_CONDITION_EQUAL, 1);
    struct veu_fault_record record;
    uint64_t start;

    vm_run(r->vm);
    rig_start(r);
    wait.timeout_ns = 20 * MS;
    start = veu_time(&r->device);
    record = rig_run_fault(r, &wait.header, VEU_FAULT_WAIT_TIMEOUT);
    g_assert_cmpuint(record.time, >=, start + 20 * MS);
    g_assert_cmpuint(record.tag, ==, 9);
    g_assert_cmphex(record.address, ==, veu_port_device_address(r->fence));
    g_assert_cmpuint(veu_ring_head(&r->ring), ==, 0);
}

static void test_a_late_wait_is_skipped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_start_policy(r, VEU_POLICY_SKIP_COMMAND);
    for (unsigned i = 1; i <= 10; i++) {
        put_wait(r, r->fence, 1, MS);
    }
    put_fence(r, r->fence + 1, 7);
    rig_submit(r);
    rig_wait(r);
    g_assert_cmpuint(load(r->fence + 1), ==, 7);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 10);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_LAST_FAULT), ==,
                     VEU_FAULT_WAIT_TIMEOUT);
}

/* The clock stands still while the VM is stopped, and continues with it. */
static void test_no_timeout_while_the_vm_is_stopped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint64_t start;

    vm_run(r->vm);
    rig_start(r);
    start = veu_time(&r->device);
    put_wait(r, r->fence, 1, 600 * MS);
    rig_submit(r);
    vm_stop(r->vm);
    if (veu_time(&r->device) - start >= 600 * MS) {
        g_test_skip("the host was too busy");
        return;
    }
    g_usleep(1000000);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_LAST_FAULT), ==, 0);
    vm_run(r->vm);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_LAST_FAULT), ==,
                     VEU_FAULT_WAIT_TIMEOUT);
}

static void test_a_store_while_the_vm_is_stopped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_start(r);
    put_wait(r, r->fence, 1, 0);
    rig_submit(r);
    rig_wait_asleep(r);
    vm_stop(r->vm);
    store(r, r->fence, 1);
    vm_settle();
    g_assert_cmpuint(veu_ring_head(&r->ring), ==, 0);
    vm_run(r->vm);
    rig_wait(r);
}

/* ---- reset, drain ---- */

static void test_reset_ends_a_wait(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    for (unsigned i = 0; i < 20; i++) {
        *r->fence = 0;
        rig_start(r);
        put_wait(r, r->fence, 1, i % 2 ? 2 * MS : 0);
        put_fence(r, r->fence + 1, 1);
        rig_submit(r);
        if (i % 2 == 0 && i % 3) {
            rig_wait_asleep(r);
        }
        if (i % 4 < 2) {
            rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
        } else {
            veu_reset(&r->device);
        }
        store(r, r->fence, 1);
        veu_ring_kick(&r->ring);
        rig_assert_reset_values(r);
    }
    vm_settle();
    g_assert_cmpuint(load(r->fence + 1), ==, 0);
    rig_start(r);
    rig_assert_works(r);
}

static void test_drain_gives_a_wait_up(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    put_wait(r, r->fence, 1, 0);
    rig_submit(r);
    for (unsigned i = 0; i < 20; i++) {
        rig_ring_write(r, VEU_REG_RING_CONTROL, 0);
        rig_wait_state_register(r, VEU_RING_DISABLED);
        g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_HEAD), ==, 0);
        rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    }
    store(r, r->fence, 1);
    rig_wait(r);
}

/* ---- several rings ---- */

#define ROUNDS 10000

static bool has_space(Rig *r)
{
    return veu_ring_space(&r->ring) >= 2;
}

/* Ring n waits for n, n + 2, n + 4, ... and stores the next number. */
static void put_round(Rig *r, uint64_t *word, uint64_t value)
{
    put_wait(r, word, value, 0);
    put_fence(r, word, value + 1);
    rig_submit(r);
}

static void test_fences_wake_other_rings(const char *accel)
{
    g_autoptr(Rig) first = rig_new(accel, RIG_Q35);
    g_autoptr(Rig) ping = rig_add_ring(first, 2);
    g_autoptr(Rig) pong = rig_add_ring(first, 3);
    uint64_t *word = first->fence;

    rig_start(ping);
    rig_start(pong);
    for (unsigned i = 0; i < ROUNDS; i++) {
        VM_WAIT(first->vm, has_space(ping) && has_space(pong),
                "round %u: the word is %u", i, (unsigned)load(word));
        put_round(pong, word, 2 * i + 1);
        put_round(ping, word, 2 * i);
    }
    rig_wait(ping);
    rig_wait(pong);
    g_assert_cmpuint(load(word), ==, 2 * ROUNDS);
}

static void test_a_wait_does_not_hold_up_others(const char *accel)
{
    g_autoptr(Rig) first = rig_new(accel, RIG_Q35);
    g_autoptr(Rig) waits = rig_add_ring(first, 1);
    g_autoptr(Rig) works = rig_add_ring(first, 2);

    rig_start(waits);
    rig_start(works);
    put_wait(waits, first->fence, 1, 0);
    rig_submit(waits);
    for (unsigned i = 0; i < 200; i++) {
        rig_assert_works(works);
    }
    rig_run_endless(works);
    g_assert_cmpuint(veu_ring_head(&waits->ring), ==, 0);
    store(waits, first->fence, 1);
    rig_wait(waits);
}

/* 63 rings wait for one fence of ring 0. */
static void test_a_fence_wakes_63_rings(const char *accel)
{
    g_autoptr(Rig) first = rig_new(accel, "-M q35 -device veu,addr=4,rings=64");
    Rig *ring[64];

    for (unsigned i = 0; i < 64; i++) {
        ring[i] = rig_add_ring(first, i);
        rig_start(ring[i]);
    }
    for (unsigned i = 1; i < 64; i++) {
        put_wait(ring[i], first->fence, 1, 0);
        put_fence(ring[i], ring[i]->fence, i);
        rig_submit(ring[i]);
    }
    rig_wait_asleep(ring[63]);
    put_fence(ring[0], first->fence, 1);
    rig_submit(ring[0]);
    for (unsigned i = 1; i < 64; i++) {
        rig_wait(ring[i]);
        g_assert_cmpuint(load(ring[i]->fence), ==, i);
    }
    for (unsigned i = 0; i < 64; i++) {
        rig_free(ring[i]);
    }
}

static void test_a_late_wait_behind_others(const char *accel)
{
    g_autoptr(Rig) first = rig_new(accel, RIG_Q35);
    g_autoptr(Rig) late = rig_add_ring(first, 1);
    g_autoptr(Rig) busy = rig_add_ring(first, 2);

    vm_run(first->vm);
    rig_start(late);
    rig_start(busy);
    rig_run_endless(busy);
    put_wait(late, first->fence, 1, 5 * MS);
    rig_submit(late);
    rig_wait_state(late, VEU_RING_HALTED);
    g_assert_cmpuint(rig_ring_read(late, VEU_REG_RING_LAST_FAULT), ==,
                     VEU_FAULT_WAIT_TIMEOUT);
    rig_wait_writes(busy);
}

/* ---- copy and fill ---- */

static void test_copy_and_fill(const char *accel)
{
    const uint32_t bytes = 1000003;
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fill fill = veu_make_fill(0, r->arena + 5, 0x4433221155,
                                                 bytes);
    struct veu_command_copy copy = veu_make_copy(0, r->result + 3, r->arena + 5,
                                                 bytes);
    struct veu_command_copy move = veu_make_copy(0, r->result + 10,
                                                 r->result + 3, bytes);

    rig_start(r);
    memset(r->arena, 0xee, bytes + 10);
    memset(r->result, 0xee, bytes + 20);
    rig_run(r, &fill.header);
    g_assert_cmphex(r->arena[4], ==, 0xee);
    g_assert_cmphex(r->arena[5], ==, 0x55);
    g_assert_cmphex(r->arena[6], ==, 0x11);
    g_assert_cmphex(r->arena[5 + bytes], ==, 0xee);
    rig_run(r, &copy.header);
    g_assert_cmpint(memcmp(r->result + 3, r->arena + 5, bytes), ==, 0);
    g_assert_cmphex(r->result[2], ==, 0xee);
    g_assert_cmphex(r->result[3 + bytes], ==, 0xee);
    rig_run(r, &move.header);
    g_assert_cmpint(memcmp(r->result + 10, r->arena + 5, bytes), ==, 0);
}

static void test_a_copy_stops_where_memory_ends(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    uint8_t *last = r->vm->ram + VM_RAM_BYTES - 100000;
    struct veu_command_copy copy = veu_make_copy(1, last, r->arena, 200000);
    uint64_t end = veu_port_device_address(last) + 100000;
    struct veu_fault_record record;

    rig_start(r);
    record = rig_run_fault(r, &copy.header, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmphex(record.address, ==, end);
    g_assert_cmpuint(record.access, ==, VEU_ACCESS_WRITE);
    g_assert_cmpuint(record.bytes_done, ==, 100000);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("a-ring-waits-for-a-store",
                      test_a_ring_waits_for_a_store);
    rig_test_add_both("sleep-handshake-misses-no-store",
                      test_sleep_handshake_misses_no_store);
    rig_test_add("kicks-do-not-end-a-wait", test_kicks_do_not_end_a_wait);
    rig_test_add("waiting-costs-no-time", test_waiting_costs_no_time);
    rig_test_add_both("a-timeout-is-a-fault", test_a_timeout_is_a_fault);
    rig_test_add("a-late-wait-is-skipped", test_a_late_wait_is_skipped);
    rig_test_add("no-timeout-while-the-vm-is-stopped",
                 test_no_timeout_while_the_vm_is_stopped);
    rig_test_add("a-store-while-the-vm-is-stopped",
                 test_a_store_while_the_vm_is_stopped);
    rig_test_add("reset-ends-a-wait", test_reset_ends_a_wait);
    rig_test_add("drain-gives-a-wait-up", test_drain_gives_a_wait_up);
    rig_test_add_both("fences-wake-other-rings", test_fences_wake_other_rings);
    rig_test_add("a-wait-does-not-hold-up-others",
                 test_a_wait_does_not_hold_up_others);
    rig_test_add("a-fence-wakes-63-rings", test_a_fence_wakes_63_rings);
    rig_test_add("a-late-wait-behind-others", test_a_late_wait_behind_others);
    rig_test_add_both("copy-and-fill", test_copy_and_fill);
    rig_test_add("a-copy-stops-where-memory-ends",
                 test_a_copy_stops_where_memory_ends);
    return g_test_run();
}
