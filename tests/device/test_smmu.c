/*
 * veu device tests: behind Arm's IOMMU (SMMUv3), in qemu-system-aarch64, which
 * loads the same plugin. The device's addresses are IOMMU_OFFSET above those of
 * Vm.ram. No guest runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include "tests/device/smmu.h"
#include "tests/device/rig.h"
#include "tests/device/work.h"

#define ARGUMENTS RIG_Q35 " -machine iommu=smmuv3"

static Rig *new_rig(const char *accel)
{
    Rig *r = rig_new(accel, ARGUMENTS);

    smmu_set_up(r->vm);
    port_set_device_offset(IOMMU_OFFSET);
    return r;
}

static void map(Rig *r, const void *memory, const void *to, IommuAccess access)
{
    smmu_map(r->vm, memory, to, access);
    smmu_invalidate(r->vm, IOMMU_GLOBAL, NULL);
}

static void test_without_translation(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, ARGUMENTS);

    rig_start(r);
    rig_assert_works(r);
    work_run_counters(r);
}

static void test_pages_are_where_the_iommu_says(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 0x77);
    struct veu_command_dispatch work;
    uint64_t *other = (uint64_t *)(r->arena + 0x100000);

    rig_start(r);
    work_make(r, &work);
    rig_run(r, &work.header);
    work_assert_done(r);
    *r->fence = 0;
    map(r, r->fence, other, IOMMU_BOTH);
    rig_run(r, &fence.header);
    g_assert_cmphex(*r->fence, ==, 0);
    g_assert_cmphex(*other, ==, 0x77);
}

static void test_moved_pages_are_written_no_more(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    rig_start(r);
    work_assert_pages_move(r, smmu_map, smmu_invalidate);
}

static void test_unmapped_pages_are_faults(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 1);

    for (unsigned i = 0; i < 5; i++) {
        rig_start(r);
        work_run_counters(r);
        map(r, r->arena + i * IOMMU_PAGE_BYTES, r->arena, IOMMU_NONE);
        rig_wait_ring_fault(r, VEU_FAULT_ADDRESS);
        map(r, r->arena + i * IOMMU_PAGE_BYTES, r->arena + i * IOMMU_PAGE_BYTES,
            IOMMU_BOTH);
    }
    rig_start(r);
    map(r, r->fence, r->fence, IOMMU_READ);
    rig_run_fault(r, &fence.header, VEU_FAULT_COMMAND_MEMORY);
    vm_assert_answers(r->vm);
    map(r, r->fence, r->fence, IOMMU_BOTH);
    rig_start(r);
    rig_assert_works(r);
}

/*
 * There is a fault for each message, and endless events for the unit's queue.
 */
static void test_faults_may_interrupt_at_any_time(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    map(r, r->arena, r->arena, IOMMU_NONE);
    rig_start_policy(r, VEU_POLICY_SKIP_MESSAGE);
    work_put_counters(r);
    VM_WAIT(r->vm, rig_ring_read(r, VEU_REG_RING_FAULT_COUNT) > 1000, "faults");
    vm_assert_answers(r->vm);
}

static void test_resets_while_it_is_busy(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    for (unsigned i = 0; i < 10; i++) {
        rig_start(r);
        rig_run_endless(r);
        if (i % 2) {
            veu_reset(&r->device);
        } else {
            rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
        }
        rig_assert_no_writes(r);
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("without-translation", test_without_translation);
    rig_test_add("pages-are-where-the-iommu-says",
                 test_pages_are_where_the_iommu_says);
    rig_test_add("moved-pages-are-written-no-more",
                 test_moved_pages_are_written_no_more);
    rig_test_add("unmapped-pages-are-faults", test_unmapped_pages_are_faults);
    rig_test_add("faults-may-interrupt-at-any-time",
                 test_faults_may_interrupt_at_any_time);
    rig_test_add("resets-while-it-is-busy", test_resets_while_it_is_busy);
    return g_test_run();
}
