/*
 * veu device tests: a vIOMMU that writes to registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When an address of the device is not mapped, virtio's IOMMU writes an event
 * to a buffer of its driver, in the middle of the device's work. A guest may
 * place that buffer in the registers of the device, or in configuration space.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "tests/device/resets.h"
#include "tests/device/slot.h"
#include "tests/device/virtio_iommu.h"

#define MACHINE \
    "-M q35 -trace veu_ub_register " VIRTIO_IOMMU_DEVICE SLOT_PORT " "
#define PLAIN         MACHINE "-device veu,id=veu0,bus=rp"
#define DETERMINISTIC PLAIN ",deterministic=on"

/* The places of the address in an event. */
#define EVENT_ADDRESS      16
#define EVENT_ADDRESS_HIGH 20

/* Everything is mapped IOMMU_OFFSET above its place, and nothing else. */
static Rig *new_rig(const char *accel, const char *arguments)
{
    Rig *r = rig_new(accel, arguments);

    vm_run(r->vm);
    virtio_iommu_set_up(r->vm, r->device.function);
    virtio_iommu_map(r->vm, r->vm->ram, VM_RAM_BYTES, r->vm->ram, IOMMU_BOTH);
    port_set_device_offset(IOMMU_OFFSET);
    rig_start(r);
    rig_assert_works(r);
    return r;
}

/* Submits a fence at an address of the device that is not mapped. */
static void miss(Rig *r, uint64_t address)
{
    struct veu_command_fence fence = veu_make_fence(1, r->fence, 7);

    fence.address = address;
    rig_put(r, &fence.header);
    rig_submit(r);
}

static bool has_traced(Rig *r, const char *words)
{
    g_autofree char *text = vm_errors(r->vm);

    return strstr(text, words);
}

/* ---- registers of the device ---- */

/* A write in the middle of its work would wait for the end of that work. */
static void check_registers(const char *accel, const char *arguments)
{
    g_autoptr(Rig) r = new_rig(accel, arguments);
    g_autofree Rig *other = rig_add_ring(r, 1);
    uint64_t registers = veu_pci_bar_address(r->device.function, VEU_BAR_REGS);
    unsigned at = veu_ring_register(1, VEU_REG_RING_BASE);

    virtio_iommu_send_event(r->vm, registers + at - EVENT_ADDRESS);
    miss(r, 0x5000);
    rig_wait_ring_fault(r, VEU_FAULT_COMMAND_MEMORY);
    VM_WAIT(r->vm, has_traced(r, "ignored: write by the vIOMMU"), "the event");
    vm_assert_answers(r->vm);
    g_assert_cmphex(rig_ring_read(other, VEU_REG_RING_BASE), ==, 0);
    rig_start(r);
    rig_assert_works(r);
}

static void test_registers_are_not_written(const char *accel)
{
    check_registers(accel, PLAIN);
}

static void test_deterministic_registers_are_not_written(const char *accel)
{
    check_registers(accel, DETERMINISTIC);
}

/* ---- configuration space ---- */

/* The guest address of a register of the device. */
static uint64_t express_address(Rig *r, unsigned offset)
{
    uint16_t function = r->device.function;

    return slot_config_address(
        function, veu_pci_capability(function, VEU_PCI_CAP_EXPRESS) + offset);
}

/* Device Control, bit 15: function-level reset. It is done once. */
static void check_reset(const char *accel, const char *arguments)
{
    g_autoptr(Rig) r = new_rig(accel, arguments);

    virtio_iommu_send_event(r->vm, express_address(r, 8) - EVENT_ADDRESS);
    miss(r, 0x8000);
    VM_WAIT(r->vm, veu_port_config_read(r->device.function, 4, 2) == 0,
            "the reset");
    rig_reopen_pci(r);
    rig_assert_reset_values(r);
    rig_start(r);
    for (unsigned i = 0; i < 5; i++) {
        rig_assert_works(r);
        vm_settle();
    }
}

static void test_a_miss_may_reset_the_device(const char *accel)
{
    check_reset(accel, PLAIN);
}

static void test_a_miss_may_reset_a_deterministic_device(const char *accel)
{
    check_reset(accel, DETERMINISTIC);
}

/* Has the miss of the address that is returned remove the device. */
static uint64_t let_go_by_miss(Rig *r)
{
    uint32_t value;
    uint64_t address = slot_let_go_address(&value);

    virtio_iommu_send_event(r->vm, address - EVENT_ADDRESS_HIGH);
    qmp_do(&r->vm->qmp, "device_del", "{\"id\":\"veu0\"}");
    return (uint64_t)value << 32;
}

static void assert_gone(Rig *r)
{
    qmp_wait_event(&r->vm->qmp, "DEVICE_DELETED");
    rig_wait_threads(r->vm, 0);
    rig_assert_no_writes(r);
    vm_assert_answers(r->vm);
}

/* The device disappears in the middle of its work; another ring has more. */
static void check_unplug(const char *accel, const char *arguments)
{
    g_autoptr(Rig) r = new_rig(accel, arguments);
    g_autofree Rig *other = rig_add_ring(r, 1);

    rig_start(other);
    rig_run_endless(other);
    miss(r, let_go_by_miss(r));
    assert_gone(other);
}

/* The write that enables a ring reads the windows of its context. */
static void check_unplug_by_write(const char *accel, const char *arguments)
{
    g_autoptr(Rig) r = new_rig(accel, arguments);
    g_autofree Rig *other = rig_add_ring(r, 1);

    rig_run_endless(r);
    veu_write32(&r->device, veu_context_register(1, VEU_REG_CONTEXT_TYPE),
                VEU_CONTEXT_WINDOWS);
    veu_write32(&r->device,
                veu_context_register(1, VEU_REG_CONTEXT_WINDOW_COUNT), 1);
    veu_write64(&r->device, veu_context_register(1, VEU_REG_CONTEXT_WINDOWS),
                let_go_by_miss(r));
    rig_start_raw(other);
    rig_ring_write(other, VEU_REG_RING_CONTEXT, 1);
    rig_ring_write(other, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    assert_gone(r);
}

/* gdb reads an address that is not mapped. */
static void test_an_access_of_gdb_may_unplug_the_device(const char *accel)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    g_autofree char *dir = g_dir_make_tmp("veu-gdb-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "gdb", NULL);
    g_autofree char *arguments = g_strdup_printf(
        PLAIN ",gdb=gdb -chardev socket,id=gdb,path=%s,server=on,wait=off",
        path);
    g_autoptr(Rig) r = new_rig(accel, arguments);
    g_autofree char *packet = g_strdup_printf("$m%" PRIx64 ",8#00",
                                              let_go_by_miss(r));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
    g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)),
                    ==, 0);
    g_assert_cmpint(send(fd, packet, strlen(packet), MSG_NOSIGNAL), ==,
                    strlen(packet));
    assert_gone(r);
    close(fd);
    unlink(path);
    rmdir(dir);
}

static void test_a_miss_may_unplug_the_device(const char *accel)
{
    check_unplug(accel, PLAIN);
}

static void test_a_miss_may_unplug_a_deterministic_device(const char *accel)
{
    check_unplug(accel, DETERMINISTIC);
}

static void test_a_register_write_may_unplug_the_device(const char *accel)
{
    check_unplug_by_write(accel, PLAIN);
}

static void test_a_register_write_may_unplug_a_deterministic_device(
    const char *accel)
{
    check_unplug_by_write(accel, DETERMINISTIC);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("registers-are-not-written",
                      test_registers_are_not_written);
    rig_test_add("deterministic-registers-are-not-written",
                 test_deterministic_registers_are_not_written);
    rig_test_add_both("a-miss-may-reset-the-device",
                      test_a_miss_may_reset_the_device);
    rig_test_add("a-miss-may-reset-a-deterministic-device",
                 test_a_miss_may_reset_a_deterministic_device);
    rig_test_add_both("a-miss-may-unplug-the-device",
                      test_a_miss_may_unplug_the_device);
    rig_test_add("an-access-of-gdb-may-unplug-the-device",
                 test_an_access_of_gdb_may_unplug_the_device);
    rig_test_add("a-miss-may-unplug-a-deterministic-device",
                 test_a_miss_may_unplug_a_deterministic_device);
    rig_test_add_both("a-register-write-may-unplug-the-device",
                      test_a_register_write_may_unplug_the_device);
    rig_test_add("a-register-write-may-unplug-a-deterministic-device",
                 test_a_register_write_may_unplug_a_deterministic_device);
    return g_test_run();
}
