/*
 * veu device tests: few vectors or none, and masks that change while interrupts
 * arrive: docs/spec.md, "Interrupts".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "tests/device/rig.h"

#define RINGS    4
#define MASK_ALL 0x4000

static uint32_t message(Rig *r)
{
    return __atomic_load_n(r->message, __ATOMIC_ACQUIRE);
}

static void submit(Rig *r, uint64_t value)
{
    struct veu_command_fence fence = veu_make_fence(2, r->fence, value);

    fence.header.flags = VEU_COMMAND_INTERRUPT;
    rig_put(r, &fence.header);
    rig_submit(r);
}

/* ---- few vectors ---- */

/* All rings use vector 0; nothing else is set up. */
static void check_shared(Rig *first)
{
    Rig *rings[RINGS] = { first };

    rig_set_up_msix(first);
    for (unsigned i = 1; i < RINGS; i++) {
        rings[i] = rig_add_ring(first, i);
        rings[i]->config.vector = 0;
    }
    for (unsigned i = 0; i < RINGS; i++) {
        rig_start(rings[i]);
    }
    for (uint64_t value = 1; value <= 20; value++) {
        for (unsigned i = 0; i < RINGS; i++) {
            submit(rings[i], value);
            rig_wait_message(first);
            g_assert_cmpuint(*rings[i]->fence, ==, value);
        }
    }
    /* all at once: a handler that checks all rings sees them end */
    for (unsigned i = 0; i < RINGS; i++) {
        submit(rings[i], 99);
    }
    for (unsigned i = 0; i < RINGS;) {
        rig_wait_message(first);
        while (i < RINGS &&
               veu_ring_head(&rings[i]->ring) == rings[i]->ring.tail) {
            i++;
        }
    }
    for (unsigned i = 1; i < RINGS; i++) {
        rig_free(rings[i]);
    }
}

static void test_rings_share_the_only_vector(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",vectors=1");

    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, 1);
    check_shared(r);
}

/* The device has more vectors, but the guest has set up only one. */
static void test_rings_share_one_vector_of_many(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, RINGS);
    check_shared(r);
    for (unsigned i = 0; i < RINGS; i++) {
        g_assert_false(veu_msix_pending(&r->device, i));
    }
}

/* A device may have 64. */
static void test_the_last_vector_interrupts(const char *accel)
{
    g_autoptr(Rig) first = rig_new(accel, RIG_Q35 ",rings=64");
    g_autoptr(Rig) last = rig_add_ring(first, 63);

    rig_set_up_msix(last);
    rig_start(last);
    submit(last, 1);
    rig_wait_message(last);
}

static void test_a_vector_past_the_last_is_a_fault(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",vectors=1");

    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_VECTOR, 1);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
    g_assert_cmphex(rig_ring_read(r, VEU_REG_RING_LAST_DETAIL), ==,
                    VEU_REG_RING_VECTOR);
}

static void check_default(const char *accel, const char *device,
                          unsigned vectors)
{
    g_autofree char *arguments =
        g_strdup_printf("-M q35 -device %s,id=veu0,addr=4", device);
    g_autoptr(Rig) r = rig_new(accel, arguments);
    unsigned at = veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX);

    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, vectors);
    g_assert_cmpuint(
        (veu_port_config_read(r->device.function, at + 2, 2) & 0x7ff) + 1, ==,
        vectors);
}

/* README: one vector for each ring, and one more for a display, at most 64. */
static void test_vectors_by_default(const char *accel)
{
    check_default(accel, "veu", 4);
    check_default(accel, "veu,rings=1", 1);
    check_default(accel, "veu,rings=64", 64);
    check_default(accel, "veu-display,rings=1", 2);
    check_default(accel, "veu-display,rings=63", 64);
    check_default(accel, "veu-display,rings=64", 64);
}

/* Drivers have to poll. */
static void test_without_vectors_drivers_poll(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35 ",vectors=0");

    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, 0);
    g_assert_cmpuint(veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX),
                     ==, 0);
    rig_start(r);
    for (uint64_t i = 1; i <= 20; i++) {
        submit(r, i);
        rig_wait(r);
        g_assert_cmpuint(*r->fence, ==, i);
    }
    rig_start_raw(r);
    rig_ring_write(r, VEU_REG_RING_VECTOR, 0);
    rig_ring_write(r, VEU_REG_RING_CONTROL, VEU_RING_ENABLE);
    rig_wait_ring_fault(r, VEU_FAULT_RING_CONFIG);
}

/* A guest that has not enabled MSI-X gets no interrupts, and may poll. */
static void test_without_msix_drivers_poll(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    r->config.vector = 0;
    rig_start(r);
    submit(r, 1);
    rig_wait(r);
    vm_settle();
    g_assert_cmphex(message(r), ==, 0);
}

/* ---- masks, while a ring raises one interrupt after the other ---- */

static void mask_vector(Rig *r, bool mask)
{
    veu_msix_mask(&r->device, 0, mask);
}

static void mask_function(Rig *r, bool mask)
{
    unsigned at = veu_pci_capability(r->device.function, VEU_PCI_CAP_MSIX) + 2;
    uint16_t control = veu_port_config_read(r->device.function, at, 2);

    control = mask ? control | MASK_ALL : control & ~MASK_ALL;
    veu_port_config_write(r->device.function, at, 2, control);
}

/* A stop acts like a mask: no interrupt is raised until the VM continues. */
static void stop_vm(Rig *r, bool mask)
{
    if (mask) {
        vm_stop(r->vm);
    } else {
        vm_run(r->vm);
    }
}

static void move_vector(Rig *r, bool mask)
{
    veu_msix_set(&r->device, 0, veu_port_device_address(r->message + !!mask),
                 RIG_MESSAGE);
}

static void submit_many(Rig *r)
{
    struct veu_command_fence fence = veu_make_fence(2, r->fence, 1);

    fence.header.flags = VEU_COMMAND_INTERRUPT;
    for (unsigned i = 0; i < RIG_SLOTS - 1; i++) {
        rig_put(r, &fence.header);
    }
    rig_submit(r);
}

/* Finally the handler sees the end of the last command. */
static void check_masks(const char *accel, void (*set)(Rig *r, bool mask))
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_set_up_msix(r);
    rig_start(r);
    for (unsigned round = 0; round < 100; round++) {
        submit_many(r);
        for (unsigned i = 0; i < round % 8; i++) {
            set(r, true);
            set(r, false);
        }
        do {
            VM_WAIT(r->vm, r->message[0] || r->message[1], "the message");
            r->message[0] = 0;
            r->message[1] = 0;
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
        } while (veu_ring_head(&r->ring) != r->ring.tail);
        rig_wait_asleep(r);
        r->message[0] = 0;
        r->message[1] = 0;
    }
}

static void test_a_masked_vector_loses_nothing(const char *accel)
{
    check_masks(accel, mask_vector);
}

static void test_a_masked_function_loses_nothing(const char *accel)
{
    check_masks(accel, mask_function);
}

static void test_a_vector_that_moves_loses_nothing(const char *accel)
{
    check_masks(accel, move_vector);
}

static void test_a_stopped_vm_loses_no_interrupt(const char *accel)
{
    check_masks(accel, stop_vm);
}

/*
 * Masked, raised, stopped, unmasked: the interrupt arrives when the VM
 * continues.
 */
static void test_an_unmasked_vector_waits_for_the_vm(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);

    vm_run(r->vm);
    rig_set_up_msix(r);
    rig_start(r);
    veu_msix_mask(&r->device, 0, true);
    submit(r, 1);
    rig_wait(r);
    VM_WAIT(r->vm, veu_msix_pending(&r->device, 0), "the pending bit");
    vm_stop(r->vm);
    veu_msix_mask(&r->device, 0, false);
    vm_run(r->vm);
    rig_wait_message(r);
    g_assert_false(veu_msix_pending(&r->device, 0));
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("rings-share-the-only-vector",
                      test_rings_share_the_only_vector);
    rig_test_add("rings-share-one-vector-of-many",
                 test_rings_share_one_vector_of_many);
    rig_test_add("the-last-vector-interrupts", test_the_last_vector_interrupts);
    rig_test_add("a-vector-past-the-last-is-a-fault",
                 test_a_vector_past_the_last_is_a_fault);
    rig_test_add("vectors-by-default", test_vectors_by_default);
    rig_test_add("without-vectors-drivers-poll",
                 test_without_vectors_drivers_poll);
    rig_test_add("without-msix-drivers-poll", test_without_msix_drivers_poll);
    rig_test_add_both("a-masked-vector-loses-nothing",
                      test_a_masked_vector_loses_nothing);
    rig_test_add_both("a-masked-function-loses-nothing",
                      test_a_masked_function_loses_nothing);
    rig_test_add_both("a-vector-that-moves-loses-nothing",
                      test_a_vector_that_moves_loses_nothing);
    rig_test_add_both("a-stopped-vm-loses-no-interrupt",
                      test_a_stopped_vm_loses_no_interrupt);
    rig_test_add("an-unmasked-vector-waits-for-the-vm",
                 test_an_unmasked_vector_waits_for_the_vm);
    return g_test_run();
}
