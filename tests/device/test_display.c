/*
 * veu device tests: veu-display: what its console shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pictures are taken with QEMU's command screendump.
 */
#include <string.h>
#include "tests/device/image.h"
#include "tests/device/rig.h"
#include "veu_scanout.h"

#define DISPLAY "-M q35 -device veu-display,id=veu0,addr=4"
#define ROOT_PORT                                                       \
    "-M q35 " RIG_NATIVE_HOTPLUG "-device pcie-root-port,id=rp,addr=2 " \
    "-device veu-display,id=veu0,bus=rp"
#define FLIP_MESSAGE 0x5eed
#define WIDTH        333
#define HEIGHT       217
#define PITCH        1408
#define NO_ADDRESS   UINT64_C(0xfff000000000)
#define SCANOUT(reg) (VEU_SCANOUT_BLOCK + VEU_REG_SCANOUT_##reg)

typedef struct Screen {
    Rig *rig;
    struct veu_scanout scanout;
    struct veu_surface *surface; /* guest memory; its texels: the rig's arena */
} Screen;

static Screen *screen_attach(Rig *r)
{
    Screen *s = g_new0(Screen, 1);

    s->rig = r;
    s->surface = r->surfaces;
    *s->surface = veu_surface_2d(r->arena, VEU_FORMAT_R8G8B8A8_UNORM, WIDTH,
                                 HEIGHT, PITCH);
    g_assert_cmpint(veu_scanout_start(&s->scanout, &r->device, 0,
                                      VEU_NO_VECTOR),
                    ==, VEU_OK);
    return s;
}

static Screen *screen_new(const char *accel, const char *machine)
{
    return screen_attach(rig_new(accel, machine));
}

static void screen_free(Screen *s)
{
    rig_free(s->rig);
    g_free(s);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Screen, screen_free)

/* ---- pictures ---- */

/* Colours that a mix-up of rows, columns or channels would show. */
static void colour(unsigned x, unsigned y, unsigned seed, uint8_t rgba[4])
{
    uint32_t n = (x * 0x9e3779b1u) ^ (y * 0x85ebca6bu) ^ (seed * 0xc2b2ae35u);

    n ^= n >> 15;
    n *= 0x2c1b3c6du;
    n ^= n >> 13;
    memcpy(rgba, &n, 4);
}

static void draw(Screen *s, unsigned seed)
{
    const struct veu_surface *surface = s->surface;
    uint8_t *texels = s->rig->vm->ram + surface->base;

    for (unsigned y = 0; y < surface->height; y++) {
        for (unsigned x = 0; x < surface->width; x++) {
            colour(x, y, seed, texels + (size_t)y * surface->pitch + x * 4);
        }
    }
}

static Image *picture(const struct veu_surface *surface, unsigned seed)
{
    Image *image = image_new(surface->width, surface->height);

    for (unsigned y = 0; y < image->height; y++) {
        for (unsigned x = 0; x < image->width; x++) {
            uint8_t rgba[4];

            colour(x, y, seed, rgba);
            memcpy(image_pixel(image, x, y), rgba, 3);
        }
    }
    return image;
}

/* ---- flips ---- */

static uint32_t scanout_read(Screen *s, enum veu_reg offset)
{
    return veu_scanout_read32(&s->scanout, offset);
}

static void wait_done(Screen *s)
{
    VM_WAIT(s->rig->vm, veu_scanout_is_done(&s->scanout), "the flip to end");
}

/* A flip that has to end well. */
static void flip(Screen *s)
{
    veu_scanout_flip(&s->scanout, s->surface);
    wait_done(s);
    g_assert_cmpstr(veu_fault_name(scanout_read(s, VEU_REG_SCANOUT_FAULT)), ==,
                    "none");
}

static void assert_shows(Screen *s, unsigned seed)
{
    g_autoptr(Image) image = image_dump(s->rig->vm, "veu0");
    g_autoptr(Image) expected = picture(s->surface, seed);

    image_assert_equal(image, expected);
}

static void show(Screen *s, unsigned seed)
{
    draw(s, seed);
    flip(s);
    assert_shows(s, seed);
}

/* QEMU writes a line of white text on black where nothing is shown. */
static void assert_blank(Vm *vm, const char *device)
{
    g_autoptr(Image) image = image_dump(vm, device);

    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *p = image->rgb + i * 3;

        g_assert_cmphex(p[0], ==, p[1]);
        g_assert_cmphex(p[0], ==, p[2]);
    }
}

static void test_shows_the_surface(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    for (unsigned seed = 1; seed < 4; seed++) {
        show(s, seed);
    }
}

/* What is drawn after the flip is not shown before the next one. */
static void test_shows_nothing_else_until_the_next_flip(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    show(s, 1);
    draw(s, 2);
    vm_settle();
    assert_shows(s, 1);
    flip(s);
    assert_shows(s, 2);
}

static void test_size_changes_with_the_surface(const char *accel)
{
    static const struct {
        unsigned width;
        unsigned height;
        unsigned pitch;
    } sizes[] = { { 1, 1, 4 },
                  { 1, 300, 8 },
                  { 640, 480, 2560 },
                  { 301, 1, 2048 },
                  { 800, 600, 3200 } };
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        s->surface->width = sizes[i].width;
        s->surface->height = sizes[i].height;
        s->surface->pitch = sizes[i].pitch;
        show(s, i);
    }
}

static void test_largest_surface(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    *s->surface = veu_surface_2d(s->rig->vm->ram + 0x3000000,
                                 VEU_FORMAT_R8G8B8A8_UNORM, 4096, 4096,
                                 4096 * 4);
    show(s, 7);
}

static void test_a_flip_ends_with_an_interrupt(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);
    Rig *r = s->rig;

    g_assert_cmpuint(rig_read(r, VEU_REG_CAP_VECTORS), ==, 5);
    rig_set_up_msix(r);
    g_assert_cmpint(veu_msix_set(&r->device, 1,
                                 veu_port_device_address(r->message),
                                 FLIP_MESSAGE),
                    ==, VEU_OK);
    veu_scanout_start(&s->scanout, &r->device, 0, 1);
    for (unsigned seed = 0; seed < 10; seed++) {
        draw(s, seed);
        veu_scanout_flip(&s->scanout, s->surface);
        VM_WAIT(r->vm, __atomic_load_n(r->message, __ATOMIC_ACQUIRE),
                "the flip's message");
        g_assert_cmphex(*r->message, ==, FLIP_MESSAGE);
        *r->message = 0;
        g_assert_true(veu_scanout_is_done(&s->scanout));
        assert_shows(s, seed);
    }
}

static void test_a_flip_beside_a_busy_ring(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    /* The rig's own surface and memory are the dispatch's. */
    s->surface = (struct veu_surface *)(s->rig->vm->ram + 0x2f00000);
    *s->surface = veu_surface_2d(s->rig->vm->ram + 0x3000000,
                                 VEU_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                                 PITCH);
    rig_start(s->rig);
    rig_run_endless(s->rig);
    for (unsigned seed = 0; seed < 5; seed++) {
        show(s, seed);
        rig_wait_writes(s->rig);
    }
}

static void test_a_running_vm(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    vm_run(s->rig->vm);
    show(s, 1);
    vm_stop(s->rig->vm);
    assert_shows(s, 1);
    draw(s, 2);
    veu_scanout_flip(&s->scanout, s->surface);
    vm_settle();
    g_assert_false(veu_scanout_is_done(&s->scanout));
    assert_shows(s, 1);
    vm_run(s->rig->vm);
    wait_done(s);
    assert_shows(s, 2);
}

/* ---- refused flips ---- */

static void check_refused(Screen *s, enum veu_fault_code code, uint32_t detail)
{
    wait_done(s);
    g_assert_cmpstr(veu_fault_name(scanout_read(s, VEU_REG_SCANOUT_FAULT)), ==,
                    veu_fault_name(code));
    g_assert_cmphex(scanout_read(s, VEU_REG_SCANOUT_DETAIL), ==, detail);
}

static void test_refused_flips_leave_the_picture(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);
    struct veu_surface good = *s->surface;
    g_autoptr(Image) expected = picture(&good, 1);
    g_autoptr(Image) image = NULL;

    show(s, 1);
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
    show(s, 2);
}

/* Rows that are there, then rows that are not. */
static void test_memory_that_ends_in_the_surface(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    show(s, 1);
    s->surface->base = VM_RAM_BYTES - 100 * PITCH;
    veu_scanout_flip(&s->scanout, s->surface);
    check_refused(s, VEU_FAULT_SCANOUT_MEMORY, 0);
    g_assert_cmphex(veu_read64(&s->rig->device, SCANOUT(ADDRESS)), ==,
                    VM_RAM_BYTES);
    assert_shows(s, 1);
}

static void test_registers_are_no_memory(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);
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
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    assert_blank(s->rig->vm, "veu0");
}

static void test_disabling_blanks(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, DISPLAY);

    show(s, 1);
    veu_scanout_stop(&s->scanout);
    assert_blank(s->rig->vm, "veu0");
    veu_scanout_start(&s->scanout, &s->rig->device, 0, VEU_NO_VECTOR);
    assert_blank(s->rig->vm, "veu0");
    show(s, 2);
}

static void reset_by_register(Screen *s)
{
    veu_reset(&s->rig->device);
}

static void reset_function(Screen *s)
{
    uint16_t function = s->rig->device.function;
    unsigned at = veu_pci_capability(function, VEU_PCI_CAP_EXPRESS);

    veu_port_config_write(function, at + 8, 2, 0x8000);
}

static void reset_vm(Screen *s)
{
    vm_reset(s->rig->vm);
    rig_set_up_bridge(s->rig->vm, 2);
}

/* Resets it after @us of a flip of the largest surface. */
static void check_reset(Screen *s, void (*reset)(Screen *), unsigned us)
{
    show(s, 1);
    *s->surface = veu_surface_2d(s->rig->vm->ram + 0x3000000,
                                 VEU_FORMAT_R8G8B8A8_UNORM, 4096, 4096,
                                 4096 * 4);
    veu_scanout_flip(&s->scanout, s->surface);
    g_usleep(us);
    reset(s);
    assert_blank(s->rig->vm, "veu0");
    vm_settle();
    assert_blank(s->rig->vm, "veu0");
    rig_open(s->rig);
    rig_assert_reset_values(s->rig);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(CONTROL)), ==, 0);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(FLIP)), ==, 0);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(DONE)), ==, 0);
    g_assert_cmphex(rig_read(s->rig, SCANOUT(VECTOR)), ==, VEU_NO_VECTOR);
    *s->surface = veu_surface_2d(s->rig->arena, VEU_FORMAT_R8G8B8A8_UNORM,
                                 WIDTH, HEIGHT, PITCH);
    veu_scanout_start(&s->scanout, &s->rig->device, 0, VEU_NO_VECTOR);
}

static void test_resets_while_flipping(const char *accel)
{
    static void (*const resets[])(Screen *) = { reset_by_register,
                                                reset_function, reset_vm };
    g_autoptr(Screen) s = screen_new(accel, ROOT_PORT);

    for (unsigned i = 0; i < G_N_ELEMENTS(resets); i++) {
        for (unsigned us = 0; us < 5000; us += 2000) {
            check_reset(s, resets[i], us);
        }
    }
    show(s, 2);
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

/* That is the guest's right, whatever the type says. */
static void test_a_slot_without_power_shows_nothing(const char *accel)
{
    g_autoptr(Screen) s = screen_new(accel, ROOT_PORT);
    const uint16_t bridge = 2 << 3;
    unsigned at = veu_pci_capability(bridge, VEU_PCI_CAP_EXPRESS);

    show(s, 1);
    veu_scanout_flip(&s->scanout, s->surface);
    veu_port_config_write(bridge, at + 0x18, 2, 0x0100);
    veu_port_config_write(bridge, at + 0x18, 2, 0x0700);
    g_assert_cmphex(veu_pci_find(VEU_PCI_VENDOR_ID, VEU_PCI_DEVICE_ID, 0), ==,
                    VEU_PCI_NONE);
    vm_settle();
    assert_blank(s->rig->vm, NULL);
    vm_assert_answers(s->rig->vm);
}

static void test_two_displays(const char *accel)
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
    of_a = picture(a->surface, 10);
    of_b = picture(b->surface, 20);
    draw(a, 10);
    draw(b, 20);
    veu_scanout_flip(&a->scanout, a->surface);
    veu_scanout_flip(&b->scanout, b->surface);
    wait_done(a);
    wait_done(b);
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr(Image) image_a = image_dump(vm, "veu0");
        g_autoptr(Image) image_b = image_dump(vm, "veu1");

        image_assert_equal(image_a, of_a);
        image_assert_equal(image_b, of_b);
        flip(a);
    }
    veu_scanout_stop(&a->scanout);
    assert_blank(vm, "veu0");
    g_clear_pointer(&of_a, image_free);
    of_a = image_dump(vm, "veu1");
    image_assert_equal(of_a, of_b);
    screen_free(a);
    screen_free(b);
    vm_free(vm);
}

/* It has no display, and nothing where that has registers. */
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
    g_autoptr(Rig) r = rig_new(accel, DISPLAY);

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
    rig_test_add("size-changes-with-the-surface",
                 test_size_changes_with_the_surface);
    rig_test_add("largest-surface", test_largest_surface);
    rig_test_add_both("a-flip-ends-with-an-interrupt",
                      test_a_flip_ends_with_an_interrupt);
    rig_test_add("a-flip-beside-a-busy-ring", test_a_flip_beside_a_busy_ring);
    rig_test_add("a-running-vm", test_a_running_vm);
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
    rig_test_add("two-displays", test_two_displays);
    rig_test_add("a-veu-has-no-scanout", test_a_veu_has_no_scanout);
    rig_test_add("works-as-a-veu", test_works_as_a_veu);
    return g_test_run();
}
