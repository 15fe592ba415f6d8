/*
 * veu device tests: the ring: commands, indices, states and sleep.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/device/rig.h"

static void put_fence(Rig *r, uint64_t value)
{
    struct veu_command_fence fence = veu_make_fence(2, r->fence, value);

    rig_put(r, &fence.header);
}

static uint32_t shared_head(Rig *r)
{
    return __atomic_load_n(&r->shared->head, __ATOMIC_ACQUIRE);
}

static void store_tail(Rig *r, uint32_t tail)
{
    __atomic_store_n(&r->shared->tail, tail, __ATOMIC_SEQ_CST);
}

/* ---- commands ---- */

static void test_enable_publishes_the_shared_block(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    memset(r->shared, 0xff, sizeof(*r->shared));
    r->config.first = 5;
    g_assert_cmpint(veu_ring_start(&r->ring, &r->device, &r->config), ==,
                    VEU_OK);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_STATE), ==, 1);
    rig_wait_asleep(r);
    g_assert_cmpuint(shared_head(r), ==, 5);
    g_assert_cmpuint(r->shared->fault_tail, ==, 0);
    g_assert_cmpuint(r->shared->fault_overflow, ==, 0);
    g_assert_cmpuint(r->shared->state, ==, VEU_RING_RUNNING);
    g_assert_cmpuint(r->shared->tail, ==, 5);
}

static void test_nop(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop nop = veu_make_nop(7);

    rig_start(r);
    for (unsigned i = 1; i <= 10; i++) {
        rig_run(r, &nop.header);
        g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_HEAD), ==, i);
        g_assert_cmpuint(shared_head(r), ==, i);
    }
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

static void test_fence_stores_its_value(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    r->fence[0] = r->fence[1] = 0x5555555555555555;
    put_fence(r, 0x123456789abcdef0);
    rig_submit(r);
    rig_wait(r);
    g_assert_cmphex(r->fence[0], ==, 0x123456789abcdef0);
    g_assert_cmphex(r->fence[1], ==, 0x5555555555555555);
}

static void test_timestamp_is_time(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_timestamp stamp = veu_make_timestamp(1, r->fence);
    uint64_t before;

    vm_run(r->vm);
    rig_start(r);
    for (unsigned i = 0; i < 5; i++) {
        before = veu_time(&r->device);
        *r->fence = 0;
        rig_run(r, &stamp.header);
        g_assert_cmpuint(*r->fence, >=, before);
        g_assert_cmpuint(*r->fence, <=, veu_time(&r->device));
    }
}

static void test_many_commands_at_once(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned i = 0; i < RIG_SLOTS; i++) {
            put_fence(r, round * RIG_SLOTS + i);
        }
        g_assert_cmpuint(veu_ring_space(&r->ring), ==, 0);
        rig_submit(r);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, round * RIG_SLOTS + RIG_SLOTS - 1);
    }
}

/* ---- indices ---- */

static void run_from(Rig *r, uint32_t first)
{
    struct veu_command_nop nop = veu_make_nop(0);

    r->config.first = first;
    r->config.slot_count = 8;
    rig_start(r);
    for (unsigned i = 1; i < 40; i++) {
        rig_put(r, &nop.header);
        rig_put(r, &nop.header);
        put_fence(r, i);
        rig_submit(r);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, i);
        g_assert_cmphex(rig_ring_read(r, VEU_REG_RING_HEAD), ==, first + 3 * i);
    }
}

static void test_slots_wrap_at_the_end_of_the_ring(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_from(r, 0);
}

static void test_indices_wrap_at_32_bits(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    run_from(r, 0xfffffffe);
}

/* Reads element @index of the arena into the result. */
static struct veu_command_dispatch make_gather(Rig *r, uint32_t index)
{
    struct veu_command_dispatch dispatch;
    struct veu_program p;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    veu_program_variable(&p, VEU_TYPE_UD, 8);
    veu_encode_gather(&p.code, 4, veu_m(1, 8), T6, veu_ud(index), veu_v(32),
                      veu_v(32));
    dispatch = veu_make_dispatch(0, r->program, veu_program_end(&p), 8);
    r->surfaces[0] = veu_surface_raw(r->arena, 64);
    veu_launch_surfaces(&dispatch.launch, r->surfaces, 1);
    veu_launch_result(&dispatch.launch, r->result, 0, 32);
    return dispatch;
}

/* Places a dispatch at each slot of a ring of 4 slots. */
static void test_commands_lie_across_the_end(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop nop = veu_make_nop(0);
    struct veu_command_dispatch dispatch = make_gather(r, 1);

    r->config.slot_count = 4;
    r->config.first = 0xfffffffd;
    rig_start(r);
    for (uint32_t i = 1; i <= 12; i++) {
        ((uint32_t *)r->arena)[1] = i;
        rig_put(r, &nop.header);
        rig_run(r, &dispatch.header);
        g_assert_cmpuint(*(uint32_t *)r->result, ==, i);
    }
}

static void test_tail_beyond_the_ring_faults(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    rig_assert_works(r);
    store_tail(r, r->ring.tail + RIG_SLOTS + 1);
    veu_ring_kick(&r->ring);
    rig_wait_ring_fault(r, VEU_FAULT_RING_TAIL);
    rig_wait_state(r, VEU_RING_HALTED);
    g_assert_cmpuint(r->faults[0].code, ==, VEU_FAULT_RING_TAIL);
    g_assert_cmpuint(r->faults[0].slot, ==, 1);
}

static void test_tail_inside_a_command_faults(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_dispatch dispatch = veu_make_dispatch(0, r->program, 64,
                                                             8);

    rig_start(r);
    rig_put(r, &dispatch.header);
    store_tail(r, 1);
    veu_ring_kick(&r->ring);
    rig_wait_ring_fault(r, VEU_FAULT_RING_TAIL);
}

/* ---- states ---- */

/*
 * 200000 EU threads that read a zero and store it, which takes some
 * milliseconds.
 */
static struct veu_command_dispatch make_long_dispatch(Rig *r)
{
    struct veu_command_dispatch dispatch = make_gather(r, 0);

    dispatch.launch.result_stride = 0;
    dispatch.launch.threads = 200;
    dispatch.launch.groups = 1000;
    return dispatch;
}

static void test_drain_finishes_the_command_and_no_other(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_dispatch dispatch;
    uint32_t head;

    rig_start(r);
    dispatch = make_long_dispatch(r);
    memset(r->result, 0xff, 32);
    *r->fence = 0;
    rig_put(r, &dispatch.header);
    for (unsigned i = 1; i <= 50; i++) {
        put_fence(r, i);
    }
    rig_submit(r);
    VM_WAIT(r->vm, *(volatile uint32_t *)r->result == 0, "the first result");
    rig_ring_write(r, VEU_REG_RING_CONTROL, 0);
    rig_wait_state(r, VEU_RING_DISABLED);
    head = rig_ring_read(r, VEU_REG_RING_HEAD);
    g_assert_cmpuint(head, >=, 2);
    g_assert_cmpuint(*r->fence, ==, head - 2);
    vm_settle();
    g_assert_cmpuint(*r->fence, ==, head - 2);
    g_assert_cmpuint(shared_head(r), ==, head);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait(r);
    g_assert_cmpuint(*r->fence, ==, 50);
}

static void test_enable_and_disable_at_once(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 0; i < 200; i++) {
        rig_ring_write(r, VEU_REG_RING_CONTROL, 0);
        rig_wait_state_register(r, VEU_RING_DISABLED);
        rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
        g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_STATE), ==, 1);
    }
    rig_assert_works(r);
}

static void test_halt_and_resume_behind_the_command(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop bad = veu_make_nop(0xbad);
    struct veu_fault_record record;

    bad.header.opcode = 0x77;
    rig_start(r);
    rig_assert_works(r);
    *r->fence = 0;
    rig_put(r, &bad.header);
    put_fence(r, 9);
    rig_submit(r);
    rig_wait_state(r, VEU_RING_HALTED);
    vm_settle();
    g_assert_cmpuint(*r->fence, ==, 0);
    g_assert_true(veu_ring_read_fault(&r->ring, &record));
    g_assert_cmpuint(record.code, ==, VEU_FAULT_COMMAND_OPCODE);
    g_assert_cmpuint(record.slot, ==, 1);
    g_assert_cmphex(record.tag, ==, 0xbad);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_HEAD), ==, 1);

    rig_ring_write(r, VEU_REG_RING_CONTROL, 0);
    rig_wait_state_register(r, VEU_RING_DISABLED);
    rig_ring_write(r, VEU_REG_RING_HEAD, 2);
    r->shared->fault_head = 0;
    r->ring.fault_head = 0;
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    VM_WAIT(r->vm, *(volatile uint64_t *)r->fence == 9, "the fence after it");
    rig_assert_works(r);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_LAST_FAULT), ==, 0);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

static void test_policy_skips_the_command(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop bad = veu_make_nop(0);

    bad.header.opcode = 0x44;
    rig_start_policy(r, VEU_POLICY_SKIP_COMMAND);
    for (unsigned i = 0; i < 20; i++) {
        rig_put(r, &bad.header);
    }
    rig_assert_works(r);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 20);
    g_assert_cmpuint(r->shared->fault_tail, ==, RIG_FAULTS);
    g_assert_cmpuint(r->shared->fault_overflow, ==, 20 - RIG_FAULTS);
}

static void test_ring_reset_takes_registers_back(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_ring_shared before;

    rig_start(r);
    rig_assert_works(r);
    rig_wait_asleep(r);
    before = *r->shared;
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET | VEU_RING_ENABLE);
    rig_assert_reset_values(r);
    vm_settle();
    g_assert_cmpint(memcmp(&before, r->shared, sizeof(before)), ==, 0);
    rig_start(r);
    rig_assert_works(r);
}

static void test_halted_ring_ignores_kicks(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_nop bad = veu_make_nop(0);

    bad.header.opcode = 0x44;
    rig_start(r);
    rig_run_fault(r, &bad.header, VEU_FAULT_COMMAND_OPCODE);
    put_fence(r, 1);
    *r->fence = 0;
    rig_submit(r);
    veu_ring_kick(&r->ring);
    vm_settle();
    g_assert_cmpuint(*r->fence, ==, 0);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_STATE), ==, VEU_RING_HALTED);
}

/* ---- sleep and kicks ---- */

static void test_kick_wakes_the_sleeping_device(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (uint64_t i = 1; i <= 50; i++) {
        rig_wait_asleep(r);
        put_fence(r, i);
        store_tail(r, r->ring.tail);
        veu_ring_kick(&r->ring);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, i);
    }
}

static bool host_has_membarrier(void)
{
    long commands = syscall(__NR_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

    return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

static void test_device_sleeps_until_it_is_kicked(const char *accel)
{
    g_autoptr(Rig) r = NULL;

    if (!host_has_membarrier()) {
        g_test_skip("needs membarrier()");
        return;
    }
    r = rig_new(accel, RIG_Q35);
    rig_start(r);
    rig_wait_asleep(r);
    vm_settle();
    put_fence(r, 1);
    *r->fence = 0;
    store_tail(r, r->ring.tail);
    vm_settle();
    g_assert_cmpuint(*r->fence, ==, 0);
    veu_ring_kick(&r->ring);
    rig_wait(r);
    g_assert_cmpuint(*r->fence, ==, 1);
}

static void test_spurious_kicks_do_no_harm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    port_write(r->device.doorbells, 4, 1);
    rig_start(r);
    for (unsigned i = 0; i < 200; i++) {
        veu_ring_kick(&r->ring);
    }
    rig_assert_works(r);
    for (unsigned i = 0; i < 200; i++) {
        put_fence(r, i);
        veu_ring_kick(&r->ring);
        rig_submit(r);
        veu_ring_kick(&r->ring);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, i);
    }
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_FAULT_COUNT), ==, 0);
}

static void test_doorbell_takes_all_sizes(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 0; i < 16; i++) {
        rig_wait_asleep(r);
        put_fence(r, i);
        store_tail(r, r->ring.tail);
        port_write(r->device.doorbells, 1u << i % 4, i);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, i);
    }
}

/* Polls without sleeping, so as to return before the device sleeps. */
static void spin_for_fence(Rig *r, uint64_t value)
{
    for (unsigned i = 0; i < 100000; i++) {
        if (__atomic_load_n(r->fence, __ATOMIC_ACQUIRE) == value) {
            return;
        }
    }
    rig_wait(r);
}

/* The test kicks only when it sees asleep: neither side may miss the other. */
static void test_sleep_handshake_misses_nothing(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    rig_start(r);
    for (unsigned i = 1; i <= 20000; i++) {
        put_fence(r, i);
        rig_submit(r);
        spin_for_fence(r, i);
        /* the device falls asleep at a different moment each time */
        for (volatile unsigned spin = 0; spin < i % 128 * 8; spin++) {}
        while (veu_ring_space(&r->ring) == 0) {
            rig_wait(r);
        }
    }
    rig_wait(r);
    g_assert_cmpuint(*r->fence, ==, 20000);
    g_test_message("%lu kicks for %lu submits", (unsigned long)r->ring.kicks,
                   (unsigned long)r->ring.submits);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("enable-publishes-the-shared-block",
                      test_enable_publishes_the_shared_block);
    rig_test_add_both("nop", test_nop);
    rig_test_add_both("fence-stores-its-value", test_fence_stores_its_value);
    rig_test_add_both("timestamp-is-time", test_timestamp_is_time);
    rig_test_add_both("many-commands-at-once", test_many_commands_at_once);
    rig_test_add("slots-wrap-at-the-end-of-the-ring",
                 test_slots_wrap_at_the_end_of_the_ring);
    rig_test_add_both("indices-wrap-at-32-bits", test_indices_wrap_at_32_bits);
    rig_test_add("commands-lie-across-the-end",
                 test_commands_lie_across_the_end);
    rig_test_add("tail-beyond-the-ring-faults",
                 test_tail_beyond_the_ring_faults);
    rig_test_add("tail-inside-a-command-faults",
                 test_tail_inside_a_command_faults);
    rig_test_add_both("drain-finishes-the-command-and-no-other",
                      test_drain_finishes_the_command_and_no_other);
    rig_test_add("enable-and-disable-at-once", test_enable_and_disable_at_once);
    rig_test_add_both("halt-and-resume-behind-the-command",
                      test_halt_and_resume_behind_the_command);
    rig_test_add("policy-skips-the-command", test_policy_skips_the_command);
    rig_test_add("ring-reset-takes-registers-back",
                 test_ring_reset_takes_registers_back);
    rig_test_add("halted-ring-ignores-kicks", test_halted_ring_ignores_kicks);
    rig_test_add_both("kick-wakes-the-sleeping-device",
                      test_kick_wakes_the_sleeping_device);
    rig_test_add("device-sleeps-until-it-is-kicked",
                 test_device_sleeps_until_it_is_kicked);
    rig_test_add_both("spurious-kicks-do-no-harm",
                      test_spurious_kicks_do_no_harm);
    rig_test_add_both("doorbell-takes-all-sizes",
                      test_doorbell_takes_all_sizes);
    rig_test_add_both("sleep-handshake-misses-nothing",
                      test_sleep_handshake_misses_nothing);
    return g_test_run();
}
