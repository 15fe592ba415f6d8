/*
 * veu device tests: the expansion ROM's BAR. tests/guest/boot/rom tests its
 * contents.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <unistd.h>
#include "tests/device/move.h"
#include "tests/device/slot.h"

/* PCI configuration space */
#define CONFIG_IDS 0x00
#define CONFIG_ROM 0x30
#define ROM_ENABLE 1u

/* "PCI Firmware Specification", section 5.1 */
#define ROM_SIGNATURE  0xaa55
#define ROM_BLOCKS     2
#define ROM_PCI_HEADER 0x18
#define BLOCK_BYTES    512

/* docs/spec.md, section 1 */
#define ROM_BYTES 0x10000

#define MACHINE "pc-q35-7.2"
#define Q35     "-M " MACHINE " -device veu,id=veu0,addr=4"

/* The address after the BARs of all rigs. */
static uint64_t rom_address(void)
{
    return port_window() + 0xf00000;
}

/* The writable bits of the ROM's BAR, or 0 if there is no BAR. */
static uint32_t bar_mask(Rig *r)
{
    uint32_t old = veu_port_config_read(r->device.function, CONFIG_ROM, 4);
    uint32_t mask;

    veu_port_config_write(r->device.function, CONFIG_ROM, 4, ~0u);
    mask = veu_port_config_read(r->device.function, CONFIG_ROM, 4);
    veu_port_config_write(r->device.function, CONFIG_ROM, 4, old);
    return mask;
}

static void assert_rom(Rig *r)
{
    g_assert_cmphex(bar_mask(r), ==, -ROM_BYTES | ROM_ENABLE);
}

static void assert_no_rom(Rig *r)
{
    g_assert_cmphex(bar_mask(r), ==, 0);
}

/* Reads the whole BAR. */
static uint8_t *read_rom(Rig *r)
{
    uint8_t *image = g_malloc(ROM_BYTES);

    veu_port_config_write(r->device.function, CONFIG_ROM, 4,
                          rom_address() | ROM_ENABLE);
    for (unsigned at = 0; at < ROM_BYTES; at += 8) {
        uint64_t value = qtest_read(&r->vm->qtest, rom_address() + at, 8);

        memcpy(image + at, &value, 8);
    }
    veu_port_config_write(r->device.function, CONFIG_ROM, 4, 0);
    return image;
}

static unsigned word_at(const uint8_t *image, unsigned at)
{
    return image[at] | image[at + 1] << 8;
}

/* Checks that a BIOS accepts the image as the device's. */
static void assert_image(Rig *r, const uint8_t *image)
{
    unsigned bytes = image[ROM_BLOCKS] * BLOCK_BYTES;
    const uint8_t *header = image + word_at(image, ROM_PCI_HEADER);
    uint8_t sum = 0;

    g_assert_cmphex(word_at(image, 0), ==, ROM_SIGNATURE);
    g_assert_cmpmem(header, 4, "PCIR", 4);
    g_assert_cmphex(word_at(header, 4) | word_at(header, 6) << 16, ==,
                    veu_port_config_read(r->device.function, CONFIG_IDS, 4));
    g_assert_cmpuint(word_at(header, 16), ==, image[ROM_BLOCKS]);
    for (unsigned i = 0; i < bytes; i++) {
        sum += image[i];
    }
    g_assert_cmpuint(bytes, >, 0);
    g_assert_cmphex(sum, ==, 0);
}

static void test_its_size_is_fixed(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, Q35);

    assert_rom(r);
    g_assert_cmphex(veu_port_config_read(r->device.function, CONFIG_ROM, 4), ==,
                    0);
}

static void test_the_image_is_the_devices(const char *accel)
{
    g_autoptr(Rig) r = rig_new(accel, Q35);
    g_autofree uint8_t *image = read_rom(r);

    assert_image(r, image);
}

/* a rig finds its device by the default ids */
static void test_the_image_has_other_ids(const char *accel)
{
    Vm *vm = vm_new(accel, "-M " MACHINE " -device veu,addr=4,"
                           "vendor-id=0xabcd,device-id=0xfe01");
    Rig r = { .vm = vm, .device.function = 4 << 3 };
    g_autofree uint8_t *image = NULL;

    port_use(vm);
    veu_pci_enable(r.device.function);
    image = read_rom(&r);
    assert_image(&r, image);
    vm_free(vm);
}

static void test_it_can_be_turned_off(const char *accel)
{
    static const char *const off[] = { ",romfile=", ",rombar=0" };

    for (unsigned i = 0; i < G_N_ELEMENTS(off); i++) {
        g_autofree char *machine = g_strconcat(Q35, off[i], NULL);
        g_autoptr(Rig) r = rig_new(accel, machine);

        assert_no_rom(r);
        rig_start(r);
        rig_assert_works(r);
    }
}

static void check_plug(const char *accel, const char *plug, bool has_rom)
{
    Vm *vm = vm_new(accel, "-M q35 " SLOT_PORT);

    port_use(vm);
    rig_set_up_bridge(vm, 2);
    for (unsigned i = 0; i < 3; i++) {
        Rig *r;

        slot_power_on(vm);
        qmp_do(&vm->qmp, "device_add", plug);
        r = rig_attach(vm, 0);
        has_rom ? assert_rom(r) : assert_no_rom(r);
        rig_start(r);
        rig_assert_works(r);
        slot_unplug(vm);
        rig_free(r);
    }
    vm_free(vm);
}

#define PLUG "{\"driver\":\"veu\",\"id\":\"veu0\",\"bus\":\"rp\""

static void test_it_comes_and_goes_with_the_device(const char *accel)
{
    check_plug(accel, PLUG "}", true);
    check_plug(accel, PLUG ",\"romfile\":\"\"}", false);
    check_plug(accel, PLUG ",\"rombar\":0}", false);
}

/* ---- migration ---- */

/* Writes another version of the ROM, of another length. */
static char *write_image(char fill, unsigned bytes)
{
    g_autofree char *image = g_malloc(bytes);
    char *path = move_path("rom");

    memset(image, fill, bytes);
    g_assert_true(g_file_set_contents(path, image, bytes, NULL));
    return path;
}

static Rig *move(const Rig *from, const char *accel, const char *there)
{
    Rig *to = rig_follow(from, move_vm(from->vm, accel, there));

    vm_run(to->vm);
    return to;
}

static void test_the_image_moves(const char *accel)
{
    g_autofree char *path = write_image('x', 3 * 512);
    g_autofree char *other = g_strconcat(Q35 ",romfile=", path, NULL);
    g_autoptr(Rig) from = rig_new(accel, Q35);
    g_autofree uint8_t *here = read_rom(from);
    g_autofree uint8_t *there = NULL;
    g_autoptr(Rig) to = move(from, accel, other);

    assert_rom(to);
    there = read_rom(to);
    g_assert_cmpmem(here, ROM_BYTES, there, ROM_BYTES);
    rig_start(to);
    rig_assert_works(to);
    unlink(path);
}

/* ... and vice versa: the image of the VM is kept. */
static void test_another_image_moves(const char *accel)
{
    g_autofree char *path = write_image('y', ROM_BYTES);
    g_autofree char *other = g_strconcat(Q35 ",romfile=", path, NULL);
    g_autoptr(Rig) from = rig_new(accel, other);
    g_autofree uint8_t *there = NULL;
    g_autoptr(Rig) to = move(from, accel, Q35);

    there = read_rom(to);
    for (unsigned i = 0; i < ROM_BYTES; i++) {
        g_assert_cmphex(there[i], ==, 'y');
    }
    unlink(path);
}

/* The source may be a device from before there were ROMs. */
static void test_from_none_to_one(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35 ",romfile=");
    g_autoptr(Rig) to = move(from, accel, Q35);

    assert_rom(to);
    rig_start(to);
    rig_assert_works(to);
}

static void test_none_moves(const char *accel)
{
    g_autoptr(Rig) from = rig_new(accel, Q35 ",romfile=");
    g_autoptr(Rig) to = move(from, accel, Q35 ",rombar=0");

    assert_no_rom(to);
    rig_start(to);
    rig_assert_works(to);
}

int main(int argc, char **argv)
{
    rig_test_init(&argc, &argv);
    rig_test_add("its-size-is-fixed", test_its_size_is_fixed);
    rig_test_add("the-image-is-the-devices", test_the_image_is_the_devices);
    rig_test_add("the-image-has-other-ids", test_the_image_has_other_ids);
    rig_test_add("it-can-be-turned-off", test_it_can_be_turned_off);
    rig_test_add("it-comes-and-goes-with-the-device",
                 test_it_comes_and_goes_with_the_device);
    rig_test_add("the-image-moves", test_the_image_moves);
    rig_test_add("another-image-moves", test_another_image_moves);
    rig_test_add("from-none-to-one", test_from_none_to_one);
    rig_test_add("none-moves", test_none_moves);
    return g_test_run();
}
