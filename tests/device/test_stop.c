/*
 * veu device tests: stop and cont.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/rig.h"

static void test_stopped_device_writes_nothing(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    for (unsigned i = 0; i < 5; i++) {
        vm_stop(r->vm);
        rig_assert_no_writes(r);
        vm_run(r->vm);
        rig_wait_writes(r);
    }
}

#define GROUPS  64
#define THREADS 512
#define LANES   8

/* EU thread i copies its payload to its result. */
static struct veu_command_dispatch make_copies(Rig *r)
{
    struct veu_command_dispatch command;
    struct veu_program p;
    uint32_t offsets, data, *registers;

    veu_program_begin(&p, r->program, RIG_PROGRAM_BYTES, 32);
    offsets = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    data = veu_program_variable(&p, VEU_TYPE_UD, LANES);
    veu_encode_gather_scaled(&p.code, 0, 4, veu_m(1, LANES), T6, veu_ud(0),
                             veu_v(offsets), veu_v(data));
    command = veu_make_dispatch(1, r->program, veu_program_end(&p), LANES);
    memset(r->payload, 0, veu_payload_bytes(&p));
    *(uint32_t *)r->payload = 0xff;
    registers = (uint32_t *)veu_payload_registers(r->payload, &p);
    for (unsigned i = 0; i < LANES; i++) {
        registers[i] = 4 * (LANES - 1 - i);
        ((uint32_t *)r->arena)[i] = 0x100 + i;
    }
    r->surfaces[0] = veu_surface_raw(r->arena, 4 * LANES);
    veu_launch_surfaces(&command.launch, r->surfaces, 1);
    veu_launch_payload(&command.launch, r->payload, veu_payload_bytes(&p));
    veu_launch_result(&command.launch, r->result, veu_program_offset(&p, data),
                      4 * LANES);
    command.launch.payload_stride = 0;
    command.launch.threads = THREADS;
    command.launch.groups = GROUPS;
    return command;
}

static void assert_copies(Rig *r)
{
    const uint32_t *result = (const uint32_t *)r->result;

    for (unsigned i = 0; i < GROUPS * THREADS * LANES; i++) {
        g_assert_cmphex(result[i], ==, 0x100 + LANES - 1 - i % LANES);
    }
}

/* Work that is stopped several times still ends correctly. */
static void test_cont_goes_on_to_the_right_end(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_dispatch command = make_copies(r);
    struct veu_command_fence fence = veu_make_fence(2, r->fence, 42);
    unsigned stops = 0;

    vm_run(r->vm);
    rig_start(r);
    for (unsigned round = 0; round < 5; round++) {
        memset(r->result, 0, GROUPS * THREADS * LANES * 4);
        *r->fence = 0;
        rig_put(r, &command.header);
        rig_put(r, &fence.header);
        rig_submit(r);
        while (__atomic_load_n(r->fence, __ATOMIC_ACQUIRE) != 42) {
            vm_stop(r->vm);
            vm_run(r->vm);
            stops++;
            g_assert_cmpuint(stops, <, 100000);
        }
        rig_wait(r);
        assert_copies(r);
    }
    g_test_message("%u stops", stops);
}

static void test_commands_wait_while_stopped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(2, r->fence, 42);

    vm_run(r->vm);
    rig_start(r);
    rig_assert_works(r);
    rig_wait_asleep(r);
    vm_stop(r->vm);
    *r->fence = 0;
    rig_put(r, &fence.header);
    rig_submit(r);
    vm_settle();
    g_assert_cmpuint(*r->fence, ==, 0);
    vm_run(r->vm);
    rig_wait(r);
    g_assert_cmpuint(*r->fence, ==, 42);
}

/* cont acts as a kick: it finds work that was submitted without one. */
static void test_cont_is_a_kick(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_command_fence fence = veu_make_fence(2, r->fence, 42);

    vm_run(r->vm);
    rig_start(r);
    rig_wait_asleep(r);
    vm_stop(r->vm);
    rig_put(r, &fence.header);
    __atomic_store_n(&r->shared->tail, r->ring.tail, __ATOMIC_SEQ_CST);
    vm_run(r->vm);
    rig_wait(r);
}

static void test_reset_and_registers_while_stopped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    vm_stop(r->vm);
    g_assert_cmpuint(rig_ring_read(r, VEU_REG_RING_STATE), ==, 1);
    veu_reset(&r->device);
    rig_assert_reset_values(r);
    rig_assert_no_writes(r);
    vm_run(r->vm);
    rig_assert_no_writes(r);
    rig_start(r);
    rig_assert_works(r);
}

/* A ring that is enabled while the VM is stopped starts when the VM does. */
static void test_enable_while_stopped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    vm_stop(r->vm);
    memset(r->shared, 0, sizeof(*r->shared));
    r->shared->state = 77;
    g_assert_cmpint(veu_ring_start(&r->ring, &r->device, &r->config), ==,
                    VEU_OK);
    r->shared->state = 77;
    vm_settle();
    g_assert_cmpuint(r->shared->state, ==, 77);
    vm_run(r->vm);
    rig_wait_state(r, VEU_RING_RUNNING);
    rig_assert_works(r);
}

static void test_machine_reset_while_stopped(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_start(r);
    rig_run_endless(r);
    vm_stop(r->vm);
    vm_reset(r->vm);
    rig_assert_no_writes(r);
    vm_run(r->vm);
    rig_assert_no_writes(r);
    rig_open(r);
    rig_start(r);
    rig_assert_works(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("stopped-device-writes-nothing",
                      test_stopped_device_writes_nothing);
    rig_test_add_both("cont-goes-on-to-the-right-end",
                      test_cont_goes_on_to_the_right_end);
    rig_test_add("commands-wait-while-stopped",
                 test_commands_wait_while_stopped);
    rig_test_add("cont-is-a-kick", test_cont_is_a_kick);
    rig_test_add("reset-and-registers-while-stopped",
                 test_reset_and_registers_while_stopped);
    rig_test_add("enable-while-stopped", test_enable_while_stopped);
    rig_test_add("machine-reset-while-stopped",
                 test_machine_reset_while_stopped);
    return g_test_run();
}
