/*
 * veu device tests: behind vIOMMUs other than Intel's, as far as that goes
 * without a driver for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/rig.h"

#define AMD    "-M q35 -device amd-iommu -device veu,id=veu0,addr=4"
#define VIRTIO "-M q35 -device virtio-iommu-pci -device veu,id=veu0,addr=4"

/* AMD's unit and its registers, as AMD's specification has them. */
#define UNIT         UINT64_C(0xfed80000)
#define DEVICE_TABLE 0x0000
#define CONTROL      0x0018
#define ENABLE       1
/* Nothing is there: all translations fail. */
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

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("amd-is-off", test_amd_is_off);
    rig_test_add("amd-translates-nothing", test_amd_translates_nothing);
    rig_test_add("virtio-bypasses", test_virtio_bypasses);
    return g_test_run();
}
