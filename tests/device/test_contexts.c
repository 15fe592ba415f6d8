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

/* The rig's memory, except what work writes to: the result and the arena. */
static uint64_t small_bytes(const Rig *r)
{
    return r->result - r->slots;
}

/*
 * With both, but without the end of the arena, which contains the window table.
 */
static uint64_t large_bytes(const Rig *r)
{
    return r->arena + RIG_ARENA_BYTES / 2 - r->slots;
}

/* Context 0 has one window from @from on; its table is in @r's memory. */
static void set_window_from(Rig *r, const uint8_t *from, uint64_t bytes)
{
    uint8_t *end = r->arena + RIG_ARENA_BYTES / 2;
    struct veu_window *window = (struct veu_window *)end;

    *window = (struct veu_window){
        .address = veu_port_device_address(from),
        .bytes = bytes,
        .permissions = VEU_WINDOW_READ | VEU_WINDOW_WRITE,
    };
    veu_write32(&r->device, veu_context_register(0, VEU_REG_CONTEXT_TYPE), 1);
    veu_write32(&r->device,
                veu_context_register(0, VEU_REG_CONTEXT_WINDOW_COUNT), 1);
    veu_write64(&r->device, veu_context_register(0, VEU_REG_CONTEXT_WINDOWS),
                veu_port_device_address(window));
}

/* One window, from the start of the rig's memory. */
static void set_window(Rig *r, uint64_t bytes)
{
    set_window_from(r, r->slots, bytes);
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

/* Without a drain, what is submitted after the write finds the new window. */
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

/*
 * Once a read that follows the write has returned, the window is not written
 * any more.
 */
static void check_taken(Rig *r)
{
    struct veu_fault_record record;

    set_window(r, small_bytes(r));
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE | VEU_RING_RELOAD);
    rig_ring_read(r, VEU_REG_RING_STATE);
    rig_assert_no_writes(r);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    /* it ends wherever it happens to be: at a message, or at its result */
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

/* The windows of a RELOAD move along with the dispatch. */
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

/*
 * After a bad table the ring has no memory, and only registers show it; later
 * the ring continues.
 */
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

/*
 * ---- one context for two rings, one after the other: spec.md, section 3 ----
 *
 * The context's registers and its table belong to the driver as soon as the
 * write has taken effect, so it changes them for the next ring at once.
 */

#define TRIES 500

/* A fence in the ring's own memory, and one in that of the other ring. */
static void put_fences(Rig *own, const Rig *other)
{
    struct veu_command_fence good = veu_make_fence(1, own->fence, 7);
    struct veu_command_fence bad = veu_make_fence(2, other->fence + 1, 9);

    *own->fence = 0;
    other->fence[1] = 0;
    rig_put(own, &good.header);
    rig_put(own, &bad.header);
}

static void enable_for(Rig *r, Rig *table, uint64_t bytes)
{
    set_window_from(table, r->slots, bytes);
    g_assert_cmpint(veu_ring_start(&r->ring, &r->device, &r->config), ==,
                    VEU_OK);
}

static void check_confined(Rig *own, const Rig *other)
{
    rig_wait_ring_fault(own, VEU_FAULT_COMMAND_MEMORY);
    g_assert_cmphex(*own->fence, ==, 7);
    g_assert_cmphex(other->fence[1], ==, 0);
}

static void enable_in_turn(Rig *a)
{
    Rig *b = rig_add_ring(a, 1);
    uint64_t bytes = small_bytes(a);

    g_assert_true(a->slots + bytes <= b->slots || b->slots < a->slots);
    for (unsigned i = 0; i < TRIES; i++) {
        enable_for(a, a, bytes);
        enable_for(b, a, 0x20000);
        put_fences(a, b);
        put_fences(b, a);
        rig_submit(a);
        rig_submit(b);
        check_confined(a, b);
        check_confined(b, a);
    }
    rig_free(b);
}

static void test_rings_share_a_context_in_turn(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    enable_in_turn(r);
}

static void test_so_do_rings_of_a_device_without_threads(const char *accel)
{
    const char *machine = RIG_Q35 ",deterministic=on";
    g_autoptr(Rig) r = rig_new(accel, machine);

    vm_run(r->vm);
    enable_in_turn(r);
}

/* A RELOAD copies in the write, so that the driver need not wait for it. */
static void test_reload_copies_in_the_write(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);

    rig_start(r);
    for (unsigned i = 0; i < TRIES; i++) {
        set_window(r, small_bytes(r));
        rig_ring_write(r, VEU_REG_RING_CONTROL,
                       VEU_RING_ENABLE | VEU_RING_RELOAD);
        set_window(r, 1);
        fence.value = i;
        rig_run(r, &fence.header);
        g_assert_cmphex(*r->fence, ==, i);
    }
}

/*
 * spec.md, section 4: the register is 0 once the write has taken effect, until
 * a new fault.
 */
static void test_enable_clears_the_last_fault(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop bad = veu_make_nop(0);

    bad.header.opcode = 0xff;
    rig_start(r);
    for (unsigned i = 0; i < TRIES; i++) {
        rig_put(r, &bad.header);
        rig_submit(r);
        rig_wait_ring_fault(r, VEU_FAULT_COMMAND_OPCODE);
        rig_ring_write(r, VEU_REG_RING_CONTROL, 0);
        rig_wait_state_register(r, VEU_RING_DISABLED);
        r->shared->fault_head = 0;
        r->shared->tail = r->ring.tail = rig_ring_read(r, VEU_REG_RING_HEAD);
        rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
        g_assert_cmphex(rig_ring_read(r, VEU_REG_RING_LAST_FAULT), ==, 0);
        g_assert_cmphex(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
        rig_wait_state(r, VEU_RING_RUNNING);
    }
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
    rig_test_add_both("rings-share-a-context-in-turn",
                      test_rings_share_a_context_in_turn);
    rig_test_add("so-do-rings-of-a-device-without-threads",
                 test_so_do_rings_of_a_device_without_threads);
    rig_test_add_both("reload-copies-in-the-write",
                      test_reload_copies_in_the_write);
    rig_test_add_both("enable-clears-the-last-fault",
                      test_enable_clears_the_last_fault);
    return g_test_run();
}
