/*
 * veu device tests: vIOMMUs other than Intel's: AMD's, as far as
 * possible without a driver, and virtio's. test_smmu.c tests Arm's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/rig.h"
#include "tests/device/virtio_iommu.h"
#include "tests/device/work.h"

#define AMD    "-M q35 -device amd-iommu -device veu,id=veu0,addr=4"
#define VIRTIO "-M q35 " VIRTIO_IOMMU_DEVICE "-device veu,id=veu0,addr=4"

/* AMD's unit and its registers, by AMD's specification. */
#define UNIT         UINT64_C(0xfed80000)
#define DEVICE_TABLE 0x0000
#define CONTROL      0x0018
#define ENABLE       1
/* There are no tables: all translations fail. */
#define NO_TABLE     UINT64_C(0x70000000000)

static void write_unit(Rig *r, unsigned offset, uint64_t value)
{
    qtest_write(&r->vm->qtest, UNIT + offset, 8, value);
}

static void check_work(Rig *r)
{
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
    rig_run_endless(r);
    vm_assert_answers(r->vm);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_RESET);
    rig_assert_no_writes(r);
}

static void test_amd_is_off(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, AMD);

    check_work(r);
}

static void test_amd_translates_nothing(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, AMD);

    vm_run(r->vm);
    write_unit(r, DEVICE_TABLE, NO_TABLE);
    for (unsigned i = 0; i < 3; i++) {
        rig_start(r);
        rig_run_endless(r);
        write_unit(r, CONTROL, ENABLE);
        rig_wait_state_register(r, VEU_RING_HALTED);
        rig_assert_no_writes(r);
        write_unit(r, CONTROL, 0);
        rig_start(r);
        rig_assert_works(r);
    }
}

static void test_virtio_bypasses(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, VIRTIO);

    check_work(r);
}

/* ---- virtio's ---- */

#define COUNTERS_BYTES (WORK_COUNTERS * IOMMU_PAGE_BYTES)

static void map_counters(Rig *r, unsigned to)
{
    virtio_iommu_map(r->vm, r->arena, COUNTERS_BYTES,
                     r->arena + to * IOMMU_PAGE_BYTES, IOMMU_BOTH);
}

/*
 * Everything is mapped to its own address; the counters' pages are mapped
 * separately.
 */
static Rig *new_virtio_rig(const char *accel)
{
    Rig *r = rig_new(accel, VIRTIO);
    uint8_t *arena = r->arena, *behind = arena + COUNTERS_BYTES;

    virtio_iommu_set_up(r->vm, r->device.function);
    virtio_iommu_map(r->vm, r->vm->ram, arena - r->vm->ram, r->vm->ram,
                     IOMMU_BOTH);
    map_counters(r, 0);
    virtio_iommu_map(r->vm, behind, r->vm->ram + VM_RAM_BYTES - behind, behind,
                     IOMMU_BOTH);
    port_set_device_offset(IOMMU_OFFSET);
    return r;
}

static void test_virtio_translates(const char *accel)
{
    g_autoptr(Rig) r = new_virtio_rig(accel);
    struct veu_command_dispatch work;

    rig_start(r);
    rig_assert_works(r);
    work_make(r, &work);
    rig_run(r, &work.header);
    work_assert_done(r);
}

/* Once an unmap is answered, a busy device no longer writes there. */
static void test_virtio_moves_pages(const char *accel)
{
    g_autoptr(Rig) r = new_virtio_rig(accel);

    rig_start_policy(r, VEU_POLICY_SKIP_MESSAGE);
    work_run_counters(r);
    for (unsigned i = 0; i < 40; i++) {
        unsigned old = i % 2 * WORK_COUNTERS;
        unsigned new = WORK_COUNTERS - old;
        uint32_t left[WORK_COUNTERS], first = work_counter(r, new);

        virtio_iommu_unmap(r->vm, r->arena, COUNTERS_BYTES);
        for (unsigned n = 0; n < WORK_COUNTERS; n++) {
            left[n] = work_counter(r, old + n);
        }
        map_counters(r, new);
        VM_WAIT(r->vm, work_counter(r, new) != first, "the dispatch");
        for (unsigned n = 0; n < WORK_COUNTERS; n++) {
            g_assert_cmpuint(work_counter(r, old + n), ==, left[n]);
        }
    }
}

static void test_virtio_unmapped_page_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = new_virtio_rig(accel);

    for (unsigned i = 0; i < 5; i++) {
        rig_start(r);
        work_run_counters(r);
        virtio_iommu_unmap(r->vm, r->arena, COUNTERS_BYTES);
        rig_wait_ring_fault(r, VEU_FAULT_ADDRESS);
        virtio_iommu_map(r->vm, r->arena, COUNTERS_BYTES, r->arena, IOMMU_READ);
        rig_start(r);
        work_put_counters(r);
        rig_wait_ring_fault(r, VEU_FAULT_ADDRESS);
        vm_assert_answers(r->vm);
        virtio_iommu_unmap(r->vm, r->arena, COUNTERS_BYTES);
        map_counters(r, 0);
    }
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("amd-is-off", test_amd_is_off);
    rig_test_add("amd-translates-nothing", test_amd_translates_nothing);
    rig_test_add("virtio-bypasses", test_virtio_bypasses);
    rig_test_add_both("virtio-translates", test_virtio_translates);
    rig_test_add_both("virtio-moves-pages", test_virtio_moves_pages);
    rig_test_add_both("virtio-unmapped-page-is-a-fault",
                      test_virtio_unmapped_page_is_a_fault);
    return g_test_run();
}
