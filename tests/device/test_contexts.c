/*
 * veu device tests: contexts with windows, and RELOAD, which changes them while
 * the ring runs: docs/spec.md, section 3.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/move.h"
#include "tests/device/rig.h"

#define SECOND_NS 1000000000ull

/* The rig's memory, but for what work writes to: result and arena. */
static uint64_t small_bytes(const Rig *r)
{
    return r->result - r->slots;
}

/* With both, but for the arena's end: there is the window table. */
static uint64_t large_bytes(const Rig *r)
{
    return r->arena + RIG_ARENA_BYTES / 2 - r->slots;
}

/* One window, from the rig's memory on. */
static void set_window(Rig *r, uint64_t bytes)
{
    uint8_t *end = r->arena + RIG_ARENA_BYTES / 2;
    struct veu_window *window = (struct veu_window *)end;

    *window = (struct veu_window){
        .address = veu_port_device_address(r->slots),
        .bytes = bytes,
        .permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE,
    };
    veu_write32(&r->device, veu_context_register(0, VEU_REG_CONTEXT_TYPE), 1);
    veu_write32(&r->device,
                veu_context_register(0, VEU_REG_CONTEXT_WINDOW_COUNT), 1);
    veu_write64(&r->device, veu_context_register(0, VEU_REG_CONTEXT_WINDOWS),
                veu_port_device_address(window));
}

static void reload(Rig *r)
{
    g_assert_cmpint(veu_ring_reload(&r->ring, 10 * SECOND_NS), ==, VEU_OK);
}

static void test_ring_is_confined_to_its_windows(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);

    set_window(r, small_bytes(r));
    rig_start(r);
    rig_assert_works(r);
    fence.address = veu_port_device_address(r->result);
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmphex(*r->result, ==, 0);
    veu_reset(&r->device);
    rig_start(r);
    rig_run(r, &fence.header);
    g_assert_cmphex(*r->result, ==, 1);
}

/* No drain: what was submitted behind the write finds the new window. */
static void test_a_window_is_added(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, (uint64_t *)r->result,
                                                    1);

    set_window(r, small_bytes(r));
    rig_start(r);
    rig_wait_asleep(r);
    set_window(r, large_bytes(r));
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    rig_run(r, &fence.header);
    g_assert_cmphex(*r->result, ==, 1);
    g_assert_cmphex(rig_ring_read(r, VEU_REG_RING_CONTROL), ==,
                    VEU_RING_ENABLE);
}

/* Once a read that follows the write has returned, nothing of it is written. */
static void check_taken(Rig *r)
{
    struct veu_fault_record record;

    set_window(r, small_bytes(r));
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    rig_ring_read(r, VEU_REG_RING_STATE);
    rig_assert_no_writes(r);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    /* It is cut where it happens to be: at a message, or at its result. */
    if (record.code == VEU_FAULT_RESULT_MEMORY) {
        g_assert_cmphex(record.address, ==, veu_port_device_address(r->result));
    } else {
        g_assert_cmpuint(record.code, ==, VEU_FAULT_ADDRESS);
        g_assert_cmphex(record.address, ==, veu_port_device_address(r->arena));
    }
    rig_assert_no_writes(r);
}

static void run_endless(Rig *r)
{
    set_window(r, large_bytes(r));
    rig_start(r);
    rig_run_endless(r);
    reload(r); /* the same windows */
    rig_wait_writes(r);
}

static void test_a_window_is_taken_from_a_dispatch(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_endless(r);
    check_taken(r);
}

static void test_a_window_is_taken_from_workers(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",workers=3");

    run_endless(r);
    check_taken(r);
}

static void test_a_window_is_taken_without_threads(const char *accel)
{
    const char *machine = RIG_Q35 ",deterministic=on";
    g_autoptr(Rig) r = rig_new(accel, machine);

    vm_run(r->vm);
    run_endless(r);
    check_taken(r);
}

/* Windows that a RELOAD has brought move along with the dispatch. */
static void test_new_windows_move_along(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, RIG_Q35);
    Vm *vm;

    run_endless(from);
    vm = move_vm(from->vm, accel, RIG_Q35);
    vm_run(vm);
    g_autoptr(Rig) to = rig_follow(from, vm);

    rig_wait_writes(to);
    check_taken(to);
}

/* A bad table: no memory, registers tell; and then the ring goes on. */
static void test_a_bad_table_halts_the_ring(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_endless(r);
    set_window(r, 1);
    reload(r);
    rig_wait_ring_fault(r, VEU_FAULT_CONTEXT_WINDOW);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_LAST_DETAIL), ==, 8);
    rig_assert_no_writes(r);
    set_window(r, large_bytes(r));
    rig_start(r);
    rig_assert_works(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("ring-is-confined-to-its-windows",
                 test_ring_is_confined_to_its_windows);
    rig_test_add_both("a-window-is-added", test_a_window_is_added);
    rig_test_add_both("a-window-is-taken-from-a-dispatch",
                      test_a_window_is_taken_from_a_dispatch);
    rig_test_add_both("a-window-is-taken-from-workers",
                      test_a_window_is_taken_from_workers);
    rig_test_add("a-window-is-taken-without-threads",
                 test_a_window_is_taken_without_threads);
    rig_test_add("new-windows-move-along", test_new_windows_move_along);
    rig_test_add("a-bad-table-halts-the-ring", test_a_bad_table_halts_the_ring);
    return g_test_run();
}
