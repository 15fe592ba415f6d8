/*
 * veu device tests: veu-display: what its console shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tests take pictures with QEMU's command screendump.
 */
#include <string.h>
#include "tests/device/resets.h"
#include "tests/device/screen.h"

#define ROOT_PORT                                                       \
    "-M q35 " RIG_NATIVE_HOTPLUG "-device pcie-root-port,id=rp,addr=2 " \
    "-device veu-display,id=veu0,bus=rp"
#define FLIP_MESSAGE 0x5eed
#define NO_ADDRESS   UINT64_C(0xfff000000000)
#define SCANOUT(reg) (VEU_SCANOUT_BLOCK + VEU_REG_SCANOUT_##reg)

static void test_shows_the_surface(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    for (unsigned seed = 1; seed < 4; seed++) {
        screen_show(s, seed);
    }
}

/* Drawing after the flip becomes visible only with the next flip. */
static void test_shows_nothing_else_until_the_next_flip(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    screen_show(s, 1);
    screen_draw(s, 2);
    vm_settle();
    screen_assert_shows(s, 1);
    screen_flip(s);
    screen_assert_shows(s, 2);
}

static void test_a_flip_ends_with_an_interrupt(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, "-trace veu_flip " SCREEN_MACHINE);
    Rig *r = s->rig;
    g_autofree char *text = NULL;

    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, 5);
    rig_set_up_msix(r);
    g_assert_cmpint(veu_msix_set(&r->device, 1,
                                 veu_port_device_address(r->message),
                                 FLIP_MESSAGE),
                    ==, VEU_OK);
    veu_scanout_start(&s->scanout, &r->device, 0, 1);
    for (unsigned seed = 0; seed < 10; seed++) {
        screen_draw(s, seed);
        veu_scanout_flip(&s->scanout, s->surface);
        VM_WAIT(r->vm, __atomic_load_n(r->message, __ATOMIC_ACQUIRE),
                "the flip's message");
        g_assert_cmphex(*r->message, ==, FLIP_MESSAGE);
        *r->message = 0;
        g_assert_true(veu_scanout_is_done(&s->scanout));
        screen_assert_shows(s, seed);
    }
    text = vm_errors(r->vm);
    g_assert_nonnull(strstr(text, "veu_flip number 10 "));
}

static void test_a_flip_beside_a_busy_ring(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    /* the dispatch uses the rig's own surface and memory */
    s->surface = (struct veu_surface *)(s->rig->vm->ram + 0x2f00000);
    *s->surface = veu_surface_2d(s->rig->vm->ram + SCREEN_LARGE,
                                 VEU_FORMAT_R8G8B8A8_UNORM, SCREEN_WIDTH,
                                 SCREEN_HEIGHT, SCREEN_PITCH);
    rig_start(s->rig);
    rig_run_endless(s->rig);
    for (unsigned seed = 0; seed < 5; seed++) {
        screen_show(s, seed);
        rig_wait_writes(s->rig);
    }
}

static void test_flips_wait_while_the_vm_is_stopped(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    vm_run(s->rig->vm);
    screen_show(s, 1);
    vm_stop(s->rig->vm);
    screen_assert_shows(s, 1);
    screen_draw(s, 2);
    veu_scanout_flip(&s->scanout, s->surface);
    vm_settle();
    g_assert_false(veu_scanout_is_done(&s->scanout));
    screen_assert_shows(s, 1);
    vm_run(s->rig->vm);
    screen_wait_done(s);
    screen_assert_shows(s, 2);
}

/* ---- refused flips ---- */

static void check_refused(Screen *s, enum veu_fault_code code, uint32_t detail)
{
    screen_wait_done(s);
    g_assert_cmpstr(veu_fault_name(screen_read(s, VEU_REG_SCANOUT_FAULT)), ==,
                    veu_fault_name(code));
    g_assert_cmphex(screen_read(s, VEU_REG_SCANOUT_DETAIL), ==, detail);
}

static void test_refused_flips_leave_the_picture(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);
    struct veu_surface good = *s->surface;
    g_autoptr(Image) expected = screen_picture(&good, 1);
    g_autoptr(Image) image = NULL;

    screen_show(s, 1);
    s->surface->width = 0;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_FIELD, 12);
    *s->surface = good;
    s->surface->height = 4097;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_SURFACE, 16);
    *s->surface = good;
    s->surface->format = VEU_FORMAT_R32_FLOAT;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_SURFACE, 8);
    *s->surface = good;
    s->surface->base = NO_ADDRESS;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0);
    g_assert_cmphex(veu_read64(&s->rig->device, SCANOUT(ADDRESS)), ==,
                    NO_ADDRESS);
    image = image_dump(s->rig->vm, "veu0");
    image_assert_equal(image, expected);
    *s->surface = good;
    screen_show(s, 2);
}

/* First rows in RAM, then rows outside of it. */
static void test_memory_that_ends_in_the_surface(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    screen_show(s, 1);
    s->surface->base = VM_RAM_BYTES - 100 * SCREEN_PITCH;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0);
    g_assert_cmphex(veu_read64(&s->rig->device, SCANOUT(ADDRESS)), ==,
                    VM_RAM_BYTES);
    screen_assert_shows(s, 1);
}

static void test_registers_are_no_memory(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);
    uint64_t regs = (uintptr_t)s->rig->device.regs;

    veu_write64(&s->rig->device, SCANOUT(SURFACE), regs);
    veu_write32(&s->rig->device, SCANOUT(FLIP), ++s->scanout.number);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0);
    s->surface->base = regs;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0);
    vm_assert_answers(s->rig->vm);
}

/* ---- blank ---- */

static void test_blank_before_the_first_flip(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    image_assert_blank(s->rig->vm, "veu0");
}

static void test_disabling_blanks(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, SCREEN_MACHINE);

    screen_show(s, 1);
    veu_scanout_stop(&s->scanout);
    image_assert_blank(s->rig->vm, "veu0");
    veu_scanout_start(&s->scanout, &s->rig->device, 0, VEU_NO_VECTOR);
    image_assert_blank(s->rig->vm, "veu0");
    screen_show(s, 2);
}

static void reset_by_register(Screen *s)
{
    veu_reset(&s->rig->device);
}

static void reset_by_function(Screen *s)
{
    reset_function(s->rig);
}

static void sleep_and_wake(Screen *s)
{
    reset_power(s->rig);
}

static void reset_vm(Screen *s)
{
    vm_reset(s->rig->vm);
    rig_set_up_bridge(s->rig->vm, 2);
}

/* Resets the device @us after the start of a flip of the largest surface. */
static void check_reset(Screen *s, void (*reset)(Screen *), unsigned us)
{
    screen_show(s, 1);
    *s->surface = veu_surface_2d(s->rig->vm->ram + SCREEN_LARGE,
                                 VEU_FORMAT_R8G8B8A8_UNORM, 4096, 4096,
                                 4096 * 4);
    veu_scanout_flip(&s->scanout, s->surface);
    g_usleep(us);
    reset(s);
    image_assert_blank(s->rig->vm, "veu0");
    vm_settle();
    image_assert_blank(s->rig->vm, "veu0");
    rig_open(s->rig);
    rig_assert_reset_values(s->rig);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(CONTROL)), ==, 0);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(FLIP)), ==, 0);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(DONE)), ==, 0);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(VECTOR)), ==, VEU_NO_VECTOR);
    *s->surface = veu_surface_2d(s->rig->arena, VEU_FORMAT_R8G8B8A8_UNORM,
                                 SCREEN_WIDTH, SCREEN_HEIGHT, SCREEN_PITCH);
    veu_scanout_start(&s->scanout, &s->rig->device, 0, VEU_NO_VECTOR);
}

static void test_resets_while_flipping(const char *accel)
{
    static void (*const resets[])(Screen *) = { reset_by_register,
                                                reset_by_function,
                                                sleep_and_wake, reset_vm };
    g_autoptr(Screen) s = screen_new(accel, ROOT_PORT);

    for (unsigned i = 0; i < G_N_ELEMENTS(resets); i++) {
        for (unsigned us = 0; us < 5000; us += 2000) {
            check_reset(s, resets[i], us);
        }
    }
    screen_show(s, 2);
}

/* ---- the type ---- */

static void test_hot_plug_is_refused(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 -device pcie-root-port,id=rp,chassis=1 "
                           "-device pcie-root-port,id=rp2,chassis=2 "
                           "-device veu-display,id=veu0,bus=rp");
    g_autofree char *added = qmp_ask(
        &vm->qmp, "device_add", "{\"driver\":\"veu-display\",\"bus\":\"rp2\"}");
    g_autofree char *removed = qmp_ask(&vm->qmp, "device_del",
                                       "{\"id\":\"veu0\"}");

    g_assert_true(qmp_is_error(added));
    g_assert_true(qmp_is_error(removed));
    vm_assert_answers(vm);
    vm_free(vm);
}

/* A guest may do this, whatever the type of the slot. */
static void test_a_slot_without_power_shows_nothing(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, ROOT_PORT);
    const uint16_t bridge = 2 << 3;
    unsigned at = veu_pci_capability(bridge, VEU_PCI_CAP_EXPRESS);

    screen_show(s, 1);
    veu_scanout_flip(&s->scanout, s->surface);
    veu_port_config_write(bridge, at + 0x18, 2, 0x0100);
    veu_port_config_write(bridge, at + 0x18, 2, 0x0700);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 0), ==,
                    VEU_PCI_NONE);
    vm_settle();
    image_assert_blank(s->rig->vm, NULL);
    vm_assert_answers(s->rig->vm);
}

static void test_each_display_shows_its_own_surface(const char *accel)
{
    Vm *vm = vm_new(accel, "-M q35 -device veu-display,id=veu0,addr=4 "
                           "-device veu-display,id=veu1,addr=5");
    Screen *a, *b;
    g_autoptr(Image) of_a = NULL;
    g_autoptr(Image) of_b = NULL;

    port_use(vm);
    a = screen_attach(rig_attach(vm, 0));
    b = screen_attach(rig_attach(vm, 1));
    b->surface->width = 100;
    of_a = screen_picture(a->surface, 10);
    of_b = screen_picture(b->surface, 20);
    screen_draw(a, 10);
    screen_draw(b, 20);
    veu_scanout_flip(&a->scanout, a->surface);
    veu_scanout_flip(&b->scanout, b->surface);
    screen_wait_done(a);
    screen_wait_done(b);
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Image) image_a = image_dump(vm, "veu0");
        g_autoptr(Image) image_b = image_dump(vm, "veu1");

        image_assert_equal(image_a, of_a);
        image_assert_equal(image_b, of_b);
        screen_flip(a);
    }
    veu_scanout_stop(&a->scanout);
    image_assert_blank(vm, "veu0");
    g_clear_pointer(&of_a, image_free);
    of_a = image_dump(vm, "veu1");
    image_assert_equal(of_a, of_b);
    screen_free(a);
    screen_free(b);
    vm_free(vm);
}

/* A veu has no display, and no registers for one. */
static void test_a_veu_has_no_scanout(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, RIG_Q35);
    struct veu_scanout scanout;

    g_assert_cmpint(veu_scanout_start(&scanout, &r->device, 0, VEU_NO_VECTOR),
                    ==, VEU_NOT_FOUND);
    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, 4);
    for (unsigned at = VEU_SCANOUT_BLOCK;
         at < VEU_SCANOUT_BLOCK + VEU_SCANOUT_BLOCK_BYTES; at += 4) {
        veu_write32(&r->device, at, UINT32_MAX);
        g_assert_cmphex(rig_read(r, at), ==, 0);
    }
}

static void test_works_as_a_veu(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, SCREEN_MACHINE);

    rig_assert_reset_values(r);
    rig_set_up_msix(r);
    rig_start(r);
    rig_assert_works(r);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add_both("shows-the-surface", test_shows_the_surface);
    rig_test_add("shows-nothing-else-until-the-next-flip",
                 test_shows_nothing_else_until_the_next_flip);
    rig_test_add_both("a-flip-ends-with-an-interrupt",
                      test_a_flip_ends_with_an_interrupt);
    rig_test_add("a-flip-beside-a-busy-ring", test_a_flip_beside_a_busy_ring);
    rig_test_add("flips-wait-while-the-vm-is-stopped",
                 test_flips_wait_while_the_vm_is_stopped);
    rig_test_add("refused-flips-leave-the-picture",
                 test_refused_flips_leave_the_picture);
    rig_test_add("memory-that-ends-in-the-surface",
                 test_memory_that_ends_in_the_surface);
    rig_test_add("registers-are-no-memory", test_registers_are_no_memory);
    rig_test_add("blank-before-the-first-flip",
                 test_blank_before_the_first_flip);
    rig_test_add("disabling-blanks", test_disabling_blanks);
    rig_test_add("resets-while-flipping", test_resets_while_flipping);
    rig_test_add("hot-plug-is-refused", test_hot_plug_is_refused);
    rig_test_add("a-slot-without-power-shows-nothing",
                 test_a_slot_without_power_shows_nothing);
    rig_test_add("each-display-shows-its-own-surface",
                 test_each_display_shows_its_own_surface);
    rig_test_add("a-veu-has-no-scanout", test_a_veu_has_no_scanout);
    rig_test_add("works-as-a-veu", test_works_as_a_veu);
    return g_test_run();
}
