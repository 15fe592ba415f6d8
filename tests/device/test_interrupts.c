/*
 * veu device tests: MSI-X. The vector's message goes to guest RAM, where the
 * test can see it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/rig.h"

#define MASK_ALL 0x4000

static void submit_fence(Rig *r, uint64_t value, uint16_t flags)
{
    struct veu_command_fence fence = veu_make_fence(2, r->fence, value);

    fence.header.flags = flags;
    rig_put(r, &fence.header);
    rig_submit(r);
}

static uint32_t message(Rig *r)
{
    return __atomic_load_n(r->message, __ATOMIC_ACQUIRE);
}

static Rig *new_rig(const char *accel)
{
    Rig *r = rig_new(accel, RIG_Q35);

    rig_set_up_msix(r);
    rig_start(r);
    return r;
}

static void test_interrupt_comes_after_the_fence(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    for (uint64_t i = 1; i <= 50; i++) {
        submit_fence(r, i, VEU_COMMAND_INTERRUPT);
        rig_wait_message(r);
        g_assert_cmpuint(*r->fence, ==, i);
        g_assert_cmpuint(veu_ring_head(&r->ring), ==, i);
    }
}

static void test_no_interrupt_without_the_flag(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    submit_fence(r, 1, 0);
    rig_wait(r);
    vm_settle();
    g_assert_cmphex(message(r), ==, 0);
}

static void test_no_interrupt_without_a_vector(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    r->config.vector = VEU_NO_VECTOR;
    rig_start(r);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    rig_wait(r);
    vm_settle();
    g_assert_cmphex(message(r), ==, 0);
    g_assert_false(veu_msix_pending(&r->device, 0));
}

static void test_fault_interrupts(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    struct veu_command_nop bad = veu_make_nop(0);

    bad.header.opcode = 0xff;
    rig_put(r, &bad.header);
    rig_submit(r);
    rig_wait_message(r);
    g_assert_cmpuint(r->shared->fault_tail, ==, 1);
    g_assert_cmpuint(r->shared->state, ==, VEU_RING_HALTED);
}

static void test_masked_vector_is_pending(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    veu_msix_mask(&r->device, 0, true);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    VM_WAIT(r->vm, veu_msix_pending(&r->device, 0), "the pending bit");
    g_assert_cmphex(message(r), ==, 0);
    veu_msix_mask(&r->device, 0, false);
    rig_wait_message(r);
    g_assert_false(veu_msix_pending(&r->device, 0));
    vm_settle();
    g_assert_cmphex(message(r), ==, 0);
}

static void test_masked_function_is_pending(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    const uint16_t function = r->device.function;
    unsigned at = veu_pci_capability(function, VEU_PCI_CAP_MSIX) + 2;
    uint16_t control = veu_port_config_read(function, at, 2);

    veu_port_config_write(function, at, 2, control | MASK_ALL);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    VM_WAIT(r->vm, veu_msix_pending(&r->device, 0), "the pending bit");
    g_assert_cmphex(message(r), ==, 0);
    veu_port_config_write(function, at, 2, control);
    rig_wait_message(r);
}

static void test_vector_can_move(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);
    uint32_t *other = r->message + 64;

    *other = 0;
    veu_msix_set(&r->device, 0, veu_port_device_address(other), 0x77);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    VM_WAIT(r->vm, __atomic_load_n(other, __ATOMIC_ACQUIRE) == 0x77,
            "the message at its new address");
    g_assert_cmphex(message(r), ==, 0);
}

static void test_device_reset_leaves_the_table(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    veu_reset(&r->device);
    rig_start(r);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    rig_wait_message(r);
}

/* A reset of the device drops a pending interrupt: spec.md, section 11. */
static void test_device_reset_drops_what_is_pending(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    veu_msix_mask(&r->device, 0, true);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    VM_WAIT(r->vm, veu_msix_pending(&r->device, 0), "the pending bit");
    veu_reset(&r->device);
    g_assert_false(veu_msix_pending(&r->device, 0));
    veu_msix_mask(&r->device, 0, false);
    vm_settle();
    g_assert_cmphex(message(r), ==, 0);
    rig_start(r);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    rig_wait_message(r);
}

/* Causes that arise at the moment of a stop wait for the cont. */
static void test_no_interrupt_is_lost_by_a_stop(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    vm_run(r->vm);
    for (uint64_t i = 1; i <= 500; i++) {
        g_autofree char *answer = NULL;

        qmp_send(&r->vm->qmp, "stop", NULL);
        for (volatile unsigned spin = 0; spin < i % 100 * 50; spin++) {}
        submit_fence(r, i, VEU_COMMAND_INTERRUPT);
        answer = qmp_receive(&r->vm->qmp, "stop");
        vm_run(r->vm);
        rig_wait_message(r);
        g_assert_cmpuint(*r->fence, ==, i);
    }
}

/* While the VM is stopped nothing is written, and messages are not sent. */
static void test_stopped_vm_gets_no_message(const char *accel)
{
    g_autoptr(Rig) r = new_rig(accel);

    vm_run(r->vm);
    vm_stop(r->vm);
    submit_fence(r, 1, VEU_COMMAND_INTERRUPT);
    veu_ring_kick(&r->ring);
    vm_settle();
    g_assert_cmphex(message(r), ==, 0);
    g_assert_cmpuint(veu_ring_head(&r->ring), ==, 0);
    vm_run(r->vm);
    rig_wait_message(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("interrupt-comes-after-the-fence",
                      test_interrupt_comes_after_the_fence);
    rig_test_add("no-interrupt-without-the-flag",
                 test_no_interrupt_without_the_flag);
    rig_test_add("no-interrupt-without-a-vector",
                 test_no_interrupt_without_a_vector);
    rig_test_add_both("fault-interrupts", test_fault_interrupts);
    rig_test_add_both("masked-vector-is-pending",
                      test_masked_vector_is_pending);
    rig_test_add("masked-function-is-pending", test_masked_function_is_pending);
    rig_test_add("vector-can-move", test_vector_can_move);
    rig_test_add("device-reset-leaves-the-table",
                 test_device_reset_leaves_the_table);
    rig_test_add_both("device-reset-drops-what-is-pending",
                      test_device_reset_drops_what_is_pending);
    rig_test_add_both("no-interrupt-is-lost-by-a-stop",
                      test_no_interrupt_is_lost_by_a_stop);
    rig_test_add_both("stopped-vm-gets-no-message",
                      test_stopped_vm_gets_no_message);
    return g_test_run();
}
