/*
 * veu device tests: all that the device writes while a VM migrates arrives.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When the work begins, the first pass of the migration is over
 * (move_while_it_works()): only pages that the device reports are sent again.
 */
#include "tests/device/iommu.h"
#include "tests/device/move.h"
#include "tests/device/work.h"

#define MACHINE "-M pc-q35-7.2 "
#define DEVICE  "-device veu,id=veu0,addr=4"

/* In the arena, after what work_make() writes to. */
#define COPY_AT    0x100000
#define FILL_AT    0x180000
#define COPY_BYTES 0x9001
#define FILL_BYTES 0x70003

/* Writes by the fast paths and by the rules, of few bytes and of many. */
static void put_work(Rig *r)
{
    struct veu_command_nop unknown = { .header = { .opcode = 200,
                                                   .slots = 1 } };
    struct veu_command_fill fill = veu_make_fill(1, r->arena + FILL_AT + 5,
                                                 0x123456789abcdef, FILL_BYTES);
    struct veu_command_copy copy = veu_make_copy(2, r->arena + COPY_AT + 4093,
                                                 r->program, COPY_BYTES);
    struct veu_command_fence fence = veu_make_fence(3, r->fence, 99);
    struct veu_command_dispatch dispatch;

    work_make(r, &dispatch);
    rig_put(r, &dispatch.header);
    rig_put(r, &fill.header);
    rig_put(r, &copy.header);
    rig_put(r, &unknown.header);
    rig_put(r, &fence.header);
}

static void check(Rig *from, const char *accel, const char *machine)
{
    g_autoptr(Rig) to = NULL;

    rig_start_policy(from, VEU_POLICY_SKIP_COMMAND);
    put_work(from);
    to = move_while_it_works(from, accel, machine);
    g_assert_cmpuint(*to->fence, ==, 99);
    work_assert_done(to);
}

static void check_machine(const char *accel, const char *machine)
{
    g_autoptr(Rig) from = rig_new(accel, machine);

    vm_run(from->vm);
    check(from, accel, machine);
}

static void test_the_thread(const char *accel)
{
    check_machine(accel, MACHINE DEVICE);
}

static void test_workers(const char *accel)
{
    check_machine(accel, MACHINE DEVICE ",workers=3");
}

static void test_without_threads(const char *accel)
{
    check_machine(accel, MACHINE DEVICE ",deterministic=on");
}

static void test_behind_an_iommu(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, MACHINE IOMMU_DEVICE DEVICE);

    vm_run(from->vm);
    iommu_set_up(from->vm);
    port_set_device_offset(IOMMU_OFFSET);
    check(from, accel, MACHINE IOMMU_DEVICE DEVICE);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("dirty/the-thread", test_the_thread);
    rig_test_add("dirty/workers", test_workers);
    rig_test_add("dirty/without-threads", test_without_threads);
    rig_test_add("dirty/behind-an-iommu", test_behind_an_iommu);
    return g_test_run();
}
